//! Writes the schemas of the output of `tabiya … --json` into a folder, each as a file such as
//! `tabiya-perft-1.json`. With `--check`, fails if the folder has different files.
//!
//! `cargo xtask schemas` calls it for `docs/schemas`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), String> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (folder, check) = match &arguments[..] {
        [folder] => (PathBuf::from(folder), false),
        [folder, flag] if flag == "--check" => (PathBuf::from(folder), true),
        _ => return Err("usage: schemas FOLDER [--check]".to_owned()),
    };
    let failed = |error: io::Error| format!("{}: {error}", folder.display());
    let made = files();
    let present = read(&folder).map_err(failed)?;
    if check {
        let mut names: Vec<&String> = made.keys().chain(present.keys()).collect();
        names.retain(|name| made.get(*name) != present.get(*name));
        return match names.first() {
            Some(name) => Err(format!("{name} is not what the types say; run cargo xtask schemas")),
            None => Ok(()),
        };
    }
    for name in present.keys() {
        fs::remove_file(folder.join(name)).map_err(failed)?;
    }
    for (name, text) in &made {
        fs::write(folder.join(name), text).map_err(failed)?;
    }
    Ok(())
}

/// The expected files, by name.
fn files() -> BTreeMap<String, String> {
    let file = |object: tabiya_cli::ObjectSchema| {
        let text = serde_json::to_string_pretty(&object.schema).expect("a schema is plain JSON");
        (format!("{}.json", object.name.replace('/', "-")), text + "\n")
    };
    tabiya_cli::schemas().into_iter().map(file).collect()
}

/// The actual files, by name.
fn read(folder: &Path) -> io::Result<BTreeMap<String, String>> {
    fs::create_dir_all(folder)?;
    let files = fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        Ok((name, fs::read_to_string(entry.path())?))
    });
    files.collect()
}
