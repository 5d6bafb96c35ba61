//! What describes the artefacts: the notes of the release, the files in each artefact, and checksums.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::Release;
use crate::packed::files;

const CONTENTS: &str = "CONTENTS.txt";
const NOTES: &str = "RELEASE_NOTES.md";
const SUMS: &str = "SHA256SUMS";

pub(super) fn describe(release: &Release) -> Result<(), String> {
    let write = |name: &str, text: &str| {
        let path = release.dist.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    write(NOTES, release.notes().trim_start())?;
    let mut names = artefacts(release)?;
    names.retain(|name| ![CONTENTS, NOTES, SUMS].contains(&name.as_str()));
    let mut contents = String::new();
    for name in &names {
        let path = release.dist.join(name);
        let size = path.metadata().map_or(0, |data| data.len());
        let _ = writeln!(contents, "{name}  ({size} bytes)");
        for line in inside(&path)?.lines() {
            let _ = writeln!(contents, "    {line}");
        }
    }
    write(CONTENTS, &contents)?;
    names.extend([CONTENTS.to_owned(), NOTES.to_owned()]);
    let mut sums = Command::new("sha256sum");
    write(SUMS, &output(sums.args(&names).current_dir(&release.dist))?)
}

/// The names of the files that were made, sorted.
pub(super) fn artefacts(release: &Release) -> Result<Vec<String>, String> {
    let name = |path: &std::path::PathBuf| {
        Some(path.file_name()?.to_string_lossy().into_owned()).filter(|_| path.is_file())
    };
    let mut names: Vec<_> = files(&release.dist)?.iter().filter_map(name).collect();
    names.sort();
    Ok(names)
}

/// The files in an artefact, one on a line; nothing for one that is no archive.
fn inside(path: &Path) -> Result<String, String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let list = if ends(&[".crate", ".tar.gz", ".tgz"]) {
        output(Command::new("tar").arg("-tzf").arg(path))?
    } else if ends(&[".whl", ".zip"]) {
        let names =
            "import sys, zipfile; print(*zipfile.ZipFile(sys.argv[1]).namelist(), sep='\\n')";
        output(Command::new("python3").args(["-c", names]).arg(path))?
    } else if ends(&[".deb"]) {
        output(Command::new("dpkg-deb").arg("--contents").arg(path))?
    } else {
        return Ok(String::new());
    };
    let mut lines: Vec<_> = list.lines().filter(|line| !line.ends_with('/')).collect();
    lines.sort_unstable();
    Ok(lines.join("\n"))
}

fn output(command: &mut Command) -> Result<String, String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| format!("{program}: {error}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => Err(format!("{program}: {}", String::from_utf8_lossy(&output.stderr))),
    }
}
