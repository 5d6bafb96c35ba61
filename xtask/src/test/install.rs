//! A stranger's ten minutes: each artefact of `cargo xtask release` is installed where there is nothing
//! but what its page asks for, runs the first example of that page, and is removed.
//!
//! Debian packages, archives and wheels go to a fresh base system of Debian, into which this changes
//! its root. The crate and the npm package go to empty folders, with nothing of this repository.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Failure, Form, bundled};
use crate::environment::Environment;
use crate::files::{copy, files, make, read, remove, repository, temporary, write};
use crate::process::{cargo, run, succeeds};

/// Where `cargo xtask release --dry-run` leaves what it makes.
const DIST: &str = "target/dist";
/// The base system.
const MACHINE: &str = "target/empty-machine";
/// The release of Debian, the oldest with a Python that the package supports.
const SYSTEM: &str = "bookworm";
/// The target of the wheel that goes there.
const SYSTEM_OF_WHEEL: &str = "x86_64-unknown-linux-gnu";

pub(super) fn try_all(_: &Form) -> Result<(), Failure> {
    let root = repository();
    let dist = root.join(DIST);
    if !dist.join("SHA256SUMS").is_file() {
        let how = "cargo xtask release --dry-run";
        return Err(Failure::Missing(format!("{DIST} holds no release: {how}")));
    }
    run(Command::new("sha256sum").args(["--check", "--quiet", "SHA256SUMS"]).current_dir(&dist))?;
    let folder = temporary()?;
    let at = |name: &str| folder.path().join(name);
    let wasm = "wasm32-unknown-unknown";
    for (ending, package, target) in
        [(".whl", "tabiya-python", SYSTEM_OF_WHEEL), (".tgz", "tabiya-wasm", wasm)]
    {
        bundled::unpack(&one(&dist, ending)?, &at(package))?;
        bundled::check(&at(package), package, target)?;
    }
    let machine = machine(&root.join(MACHINE))?;
    on_machine(&machine, &dist)?;
    on_other_machine(&dist, &at("other"))?;
    the_crate(&dist, &at("crate"))?;
    Ok(the_npm_package(&dist, &at("npm"))?)
}

/// The base system in a folder, made if it is not there.
fn machine(folder: &Path) -> Result<PathBuf, Failure> {
    if !succeeds(Command::new("sh").args(["-c", "test $(id -u) = 0"])) {
        return Err(Failure::Missing("only root can change its root".to_owned()));
    }
    // The last thing that the installation writes.
    if !folder.join("var/lib/dpkg/available").is_file() {
        let mut make = Command::new("debootstrap");
        make.args(["--variant=minbase", "--include=python3-venv", SYSTEM]).arg(folder);
        run(&mut make).map_err(|error| Failure::Missing(format!("no base system: {error}")))?;
    }
    Ok(folder.to_owned())
}

/// Runs a script in the base system.
fn inside(machine: &Path, script: &str) -> Result<(), String> {
    let mut shell = Command::new("chroot");
    shell.arg(machine).args(["/usr/bin/env", "-i", "HOME=/root", "LC_ALL=C.UTF-8"]);
    shell.arg("PATH=/usr/sbin:/usr/bin:/sbin:/bin");
    run(shell.args(["/bin/sh", "-e", "-u", "-c", script]))
}

/// The Debian package, the archive and the wheel.
fn on_machine(machine: &Path, dist: &Path) -> Result<(), String> {
    let artefacts = machine.join("artefacts");
    remove(&artefacts)?;
    let give = |file: &Path| -> Result<String, String> {
        copy(file, &artefacts)?;
        Ok(file.file_name().unwrap_or_default().to_string_lossy().into_owned())
    };
    let package = give(&one(dist, "_amd64.deb")?)?;
    let archive = give(&one(dist, "-x86_64-unknown-linux-musl.tar.gz")?)?;
    let wheel = give(&one(dist, ".whl")?)?;
    let command = first_example("crates/cli/README.md", "console")?;
    let command = command.lines().find_map(|line| line.strip_prefix("$ "));
    let command = command.ok_or("crates/cli/README.md: the first example is no command")?;
    let python = first_example("python/README.md", "python")?;
    write(&artefacts.join("example.txt"), python)?;
    // What the wheel needs comes from an index, which the base system does not reach.
    let environment = Environment::new("tools/python", (3, 11))?;
    let mut download = environment.pip("download")?;
    download.args(["--only-binary", ":all:", "--python-version", "3.11", "--no-deps"]);
    run(download.arg("--dest").arg(&artefacts).arg("numpy>=1.26,<3"))?;

    let before = installed(machine)?;
    inside(
        machine,
        &format!(
            "dpkg --install /artefacts/{package}
            {command}
            test -s /usr/share/man/man1/tabiya-compare.1.gz
            test -s /usr/share/bash-completion/completions/tabiya
            dpkg --purge tabiya
            test ! -e /usr/bin/tabiya"
        ),
    )?;
    inside(
        machine,
        &format!(
            "mkdir /opt/try && tar -xzf /artefacts/{archive} -C /opt/try --strip-components 1
            PATH=/opt/try:$PATH; {command}
            rm -r /opt/try"
        ),
    )?;
    inside(
        machine,
        &format!(
            "python3 -m venv /opt/try
            /opt/try/bin/pip install --quiet --no-index --find-links /artefacts /artefacts/{wheel}
            /opt/try/bin/python -m doctest -o ELLIPSIS /artefacts/example.txt
            /opt/try/bin/pip uninstall --quiet --yes tabiya
            if /opt/try/bin/python -c 'import tabiya' 2> /dev/null; then exit 1; fi
            rm -r /opt/try"
        ),
    )?;
    let left: Vec<_> = installed(machine)?.difference(&before).cloned().collect();
    match &left[..] {
        [] => Ok(()),
        paths => Err(format!("these remain after all was removed: {paths:?}")),
    }
}

/// The paths in the places where something could remain.
fn installed(machine: &Path) -> Result<BTreeSet<PathBuf>, String> {
    fn add(folder: &Path, paths: &mut BTreeSet<PathBuf>) -> Result<(), String> {
        for path in files(folder)? {
            // Python compiles its own modules at their first use.
            if path.is_dir() && !path.is_symlink() && !path.ends_with("__pycache__") {
                add(&path, paths)?;
            }
            if !path.ends_with("__pycache__") {
                paths.insert(path);
            }
        }
        Ok(())
    }
    let mut paths = BTreeSet::new();
    for place in ["usr", "opt", "etc", "root"] {
        add(&machine.join(place), &mut paths)?;
    }
    Ok(paths)
}

/// The archive for ARM, under an emulator.
fn on_other_machine(dist: &Path, folder: &Path) -> Result<(), String> {
    make(folder)?;
    let archive = one(dist, "-aarch64-unknown-linux-musl.tar.gz")?;
    let mut unpack = Command::new("tar");
    unpack.arg("-xzf").arg(archive).arg("-C").arg(folder).args(["--strip-components", "1"]);
    run(&mut unpack)?;
    let mut count = Command::new("qemu-aarch64");
    run(count.arg(folder.join("tabiya")).args(["perft", "5", "--expect", "4865609"]))
}

/// The library, for a new project that knows nothing but the packed crate.
fn the_crate(dist: &Path, folder: &Path) -> Result<(), String> {
    let (source, registry) = (folder.join("try/src"), folder.join("registry"));
    make(&source)?;
    make(&registry)?;
    // The shortest name: the others have a word more.
    let packed = packed_crate(dist)?;
    run(Command::new("tar").arg("-xzf").arg(&packed).arg("-C").arg(&registry))?;
    for unpacked in files(&registry)? {
        write(&unpacked.join(".cargo-checksum.json"), "{\"files\":{}}")?;
    }
    let version = packed.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let version = version.trim_start_matches("tabiya-");
    let manifest = format!(
        "[package]\nname = \"try\"\nedition = \"2024\"\n\n[dependencies]\ntabiya = \"{version}\"\n\n[workspace]\n"
    );
    write(&folder.join("try/Cargo.toml"), manifest)?;
    write(&source.join("main.rs"), first_example("crates/tabiya/README.md", "rust")?)?;
    let mut start = cargo(["run", "--quiet", "--offline"]);
    start.args(["--config", "source.crates-io.replace-with=\"packed\"", "--config"]);
    start.arg(format!("source.packed.directory={:?}", registry.display().to_string()));
    run(start.current_dir(folder.join("try")).env("CARGO_TARGET_DIR", folder.join("target")))
}

fn packed_crate(dist: &Path) -> Result<PathBuf, String> {
    let is_library = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let version = name.strip_prefix("tabiya-").and_then(|rest| rest.strip_suffix(".crate"));
        version.is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()))
    };
    let found = files(dist)?.into_iter().find(is_library);
    found.ok_or_else(|| format!("{DIST} has no crate `tabiya`"))
}

/// The npm package, in a project of its own.
fn the_npm_package(dist: &Path, folder: &Path) -> Result<(), String> {
    make(folder)?;
    write(&folder.join("package.json"), "{\"type\": \"module\"}")?;
    let npm = |arguments: &[&str]| {
        let mut npm = Command::new("npm");
        npm.args(arguments).args(["--no-audit", "--no-fund", "--offline"]).current_dir(folder);
        npm
    };
    run(npm(&["install"]).arg(one(dist, ".tgz")?))?;
    write(&folder.join("example.js"), first_example("web/npm/README.md", "js")?)?;
    run(Command::new("node").arg("example.js").current_dir(folder))?;
    run(&mut npm(&["uninstall", "tabiya"]))?;
    match folder.join("node_modules/tabiya").exists() {
        true => Err("npm has not removed the package".to_owned()),
        false => Ok(()),
    }
}

/// The one artefact whose name ends so.
fn one(dist: &Path, ending: &str) -> Result<PathBuf, String> {
    let mut found = files(dist)?;
    found.retain(|path| path.to_string_lossy().ends_with(ending));
    match &found[..] {
        [path] => Ok(path.clone()),
        others => Err(format!("{DIST} has {} files *{ending}, not one", others.len())),
    }
}

/// The first example of a page in a language.
fn first_example(page: &str, language: &str) -> Result<String, String> {
    let text = read(&repository().join(page))?;
    let example = text.split_once(&format!("\n```{language}\n"));
    let example = example.and_then(|(_, rest)| rest.split_once("\n```")).map(|(code, _)| code);
    example
        .map(|code| format!("{code}\n"))
        .ok_or_else(|| format!("{page}: no example in {language}"))
}
