//! The licences of the crates that a program or a module contains. Nearly all of them ask that their
//! text goes with it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use crate::files::{files, read};
use crate::process::cargo;

/// The file with the texts, in every package with compiled crates.
pub(crate) const FILE: &str = "LICENSES-OF-DEPENDENCIES.txt";

/// Compiled crates that are published as one.
pub(super) struct Bundle<'a> {
    /// The crate that depends on all others.
    pub(super) package: &'a str,
    /// The target that it is built for, or `all`.
    pub(super) target: &'a str,
    /// Its name at the beginning of a sentence.
    pub(super) name: &'a str,
    /// Words about what it contains besides crates.
    pub(super) runtime: &'a str,
}

/// The texts for a bundle that is built from the sources in a folder.
pub(super) fn of(sources: &Path, bundle: &Bundle<'_>) -> Result<String, String> {
    let Bundle { package, target, name, runtime } = bundle;
    let mut tree = cargo(["tree", "--package", package, "--target", target]);
    tree.args(["--edges", "normal,no-proc-macro", "--prefix", "none"]);
    tree.args(["--no-dedupe", "--format", "{p}|{l}"]);
    let output = tree
        .current_dir(sources)
        .output()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let listed = String::from_utf8_lossy(&output.stdout).into_owned();
    let caches = sources_of_registries()?;
    let mut text = format!(
        "tabiya is MIT OR Apache-2.0. {name} contains the standard library of Rust\n\
         (MIT OR Apache-2.0){runtime} and the crates below.\n"
    );
    for (crate_, licence) in others(&listed) {
        let folder = caches.iter().map(|cache| cache.join(&crate_)).find(|path| path.is_dir());
        let folder = folder.ok_or_else(|| format!("the sources of {crate_} are not there"))?;
        let _ = write!(text, "\n{:=<100}\n{crate_}: {licence}\n", "");
        let files = texts(&folder)?;
        if files.is_empty() {
            let _ = write!(text, "\n{}\n", without_text(&crate_, &licence)?);
        }
        for file in files {
            let _ = write!(text, "\n{}\n", read(&file)?.trim_end());
        }
    }
    Ok(text)
}

/// The sentence in place of a text that a crate does not have. Its licence must be one of ours.
fn without_text(crate_: &str, licence: &str) -> Result<String, String> {
    match licence.split([' ', '/']).any(|word| word == "Apache-2.0") && !licence.contains("AND") {
        true => Ok("The crate has no file with a licence. It is used under the Apache License, \
                    Version 2.0; the text is\nin LICENSE-APACHE."
            .to_owned()),
        false => Err(format!("{crate_} ({licence}) has no file with its licence")),
    }
}

/// The crates of a registry in the output of `cargo tree`, as the names of their folders, with
/// their licences.
fn others(listed: &str) -> BTreeMap<String, String> {
    let crate_ = |line: &str| {
        let (package, licence) = line.split_once('|')?;
        let mut words = package.split(' ');
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        // A crate of the workspace is followed by its folder, in the notation of the system.
        let is_ours =
            words.next().is_some_and(|word| word.starts_with('(') && word != "(proc-macro)");
        (!is_ours).then(|| (format!("{name}-{version}"), licence.to_owned()))
    };
    listed.lines().filter_map(crate_).collect()
}

/// The folders into which cargo unpacks the crates of registries.
fn sources_of_registries() -> Result<Vec<PathBuf>, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| {
        Some(
            PathBuf::from(std::env::var_os("HOME").or_else(|| std::env::var_os("USERPROFILE"))?)
                .join(".cargo"),
        )
    });
    files(&home.ok_or("neither CARGO_HOME nor HOME is set")?.join("registry/src"))
}

/// The files of a crate with its licences.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let is_licence = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        path.is_file()
            && ["license", "licence", "copying", "notice", "unlicense"]
                .iter()
                .any(|word| name.starts_with(word))
    };
    let mut found: Vec<_> = files(folder)?.into_iter().filter(is_licence).collect();
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_crates_are_left_out() {
        let listed = "tabiya-cli v0.1.0 (/a)|MIT OR Apache-2.0\ntabiya v0.1.0 (C:\\a b)|MIT\nclap v4.5.1|MIT\n\nserde_derive v1.0.2 (proc-macro)|MIT\n";
        let found: Vec<_> = others(listed).into_keys().collect();
        assert_eq!(found, ["clap-4.5.1", "serde_derive-1.0.2"]);
    }

    #[test]
    fn a_crate_without_a_text_needs_a_licence_whose_text_is_there() {
        assert!(without_text("a-1.0.0", "MIT/Apache-2.0").unwrap().contains("LICENSE-APACHE"));
        assert!(without_text("a-1.0.0", "Zlib OR Apache-2.0 OR MIT").is_ok());
        assert!(without_text("a-1.0.0", "MIT").is_err());
        assert!(without_text("a-1.0.0", "Apache-2.0 AND ISC").is_err());
    }
}
