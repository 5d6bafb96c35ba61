//! Debian packages of the command, with its manual pages and completions where the system looks for
//! them.

use std::path::Path;
use std::process::Command;

use super::plan::{Built, Release};
use super::settings;
use crate::files::{self, copy, copy_all, copy_to, files, read, repository, temporary, write};
use crate::process::run;

pub(super) const MISSING: &str = "the Debian packages have no maintainer yet: write one into \
     Cargo.toml, `[workspace.metadata.debian] maintainer = \"Name <address>\"`";
/// Takes the place of the maintainer in a dry run. No mail can reach this address.
const UNKNOWN_MAINTAINER: &str = "The tabiya authors <tabiya@invalid.invalid>";

/// The maintainer of the packages, if one is configured.
pub(super) fn maintainer(root: &Path) -> Result<Option<String>, String> {
    let is_right = |text: &str| {
        let (name, rest) = text.split_once(" <").unwrap_or_default();
        let address = rest.strip_suffix('>').and_then(|address| address.split_once('@'));
        !name.is_empty() && address.is_some_and(|(who, host)| !who.is_empty() && host.contains('.'))
    };
    match settings::value(root, "maintainer")? {
        Some(text) if !is_right(&text) => {
            Err(format!("Cargo.toml: the maintainer {text:?} is not `Name <address>`"))
        }
        maintainer => Ok(maintainer),
    }
}

/// The places of completions in the package: for a shell, a folder and a name.
const COMPLETIONS: [(&str, &str, &str); 3] = [
    ("tabiya.bash", "usr/share/bash-completion/completions", "tabiya"),
    ("tabiya.fish", "usr/share/fish/vendor_completions.d", "tabiya.fish"),
    ("_tabiya", "usr/share/zsh/vendor-completions", "_tabiya"),
];

/// Debian's name of a target's machine, for static programs for Linux.
pub(super) fn architecture(target: &str) -> Option<&'static str> {
    match target {
        "x86_64-unknown-linux-musl" => Some("amd64"),
        "aarch64-unknown-linux-musl" => Some("arm64"),
        _ => None,
    }
}

pub(super) fn make(release: &Release, built: &Built<'_>) -> Result<(), String> {
    let architecture = architecture(built.target).ok_or("Debian has no such machine")?;
    let folder = temporary()?;
    let root = folder.path();
    copy(&built.program, &root.join("usr/bin"))?;
    let pages = root.join("usr/share/man/man1");
    copy_all(&built.pages, &pages)?;
    for (file, place, name) in COMPLETIONS {
        copy_to(&built.completions.join(file), &root.join(place).join(name))?;
    }
    let documents = root.join("usr/share/doc/tabiya");
    files::make(&documents)?;
    files::make(&root.join("DEBIAN"))?;
    write(&documents.join("changelog"), &release.changelog)?;
    write(&documents.join("copyright"), &copyright(built)?)?;
    let mut compress = Command::new("gzip");
    compress.args(["-9", "-n", "-q"]).args(files(&pages)?).arg(documents.join("changelog"));
    run(&mut compress)?;
    write(&root.join("DEBIAN/control"), control(release, architecture))?;
    let package = release.dist.join(format!("tabiya_{}_{architecture}.deb", release.version));
    let mut build = Command::new("dpkg-deb");
    build.args(["--build", "--root-owner-group", "-Zxz"]).arg(root).arg(package);
    run(build.env("SOURCE_DATE_EPOCH", &release.time))
}

/// The description of the package for the system.
pub(super) fn control(release: &Release, architecture: &str) -> String {
    let homepage = match &release.address {
        Some(address) => format!("Homepage: {address}\n"),
        None => String::new(),
    };
    let maintainer = release.maintainer.as_deref().unwrap_or(UNKNOWN_MAINTAINER);
    format!(
        "Package: tabiya
Version: {}
Architecture: {architecture}
Maintainer: {maintainer}
Section: games
Priority: optional
{homepage}Description: perft, explanations and bugs of chess move generators
 Counts the leaf nodes of the chess game tree, lists and explains moves, draws
 positions, reads games in PGN, and finds the bug in another program's move
 generator.
",
        release.version
    )
}

fn copyright(built: &Built<'_>) -> Result<String, String> {
    let root = repository();
    let licences = [read(&root.join("LICENSE-MIT"))?, read(&root.join("LICENSE-APACHE"))?];
    Ok(format!("{}\n{}", licences.join("\n"), built.notices))
}
