//! The owner's settings stand in one place, and reach everything that is published.

use std::fs;
use std::path::Path;

use super::plan::Release;
use super::{debian, is_configured, readme, sources};
use crate::crates::LIBRARIES;
use crate::files::repository;
use crate::process::cargo;

const ADDRESS: &str = "https://example.org/somebody/tabiya";
const MAINTAINER: &str = "Some Body <some.body@example.org>";

fn release(root: &Path) -> Release {
    Release {
        version: "0.1.0".to_owned(),
        address: Some(ADDRESS.to_owned()),
        maintainer: Some(MAINTAINER.to_owned()),
        changelog: String::new(),
        time: "0".to_owned(),
        sources: root.to_owned(),
        dist: root.join("dist"),
        targets: Vec::new(),
    }
}

#[test]
fn a_release_needs_all_settings() {
    assert_eq!(is_configured(Some(ADDRESS), Some(MAINTAINER)), Ok(()));
    let error = is_configured(None, None).unwrap_err();
    assert!(error.contains("[workspace.package] repository"), "{error}");
    assert!(error.contains("[workspace.metadata.debian] maintainer"), "{error}");
    assert_eq!(is_configured(Some(ADDRESS), None).unwrap_err(), debian::MISSING);
}

#[test]
fn the_maintainer_is_read_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let with = |line: &str| {
        fs::write(folder.path().join("Cargo.toml"), line).unwrap();
        debian::maintainer(folder.path())
    };
    assert_eq!(with("maintainer = \"\""), Ok(None));
    assert_eq!(with(&format!("maintainer = \"{MAINTAINER}\"")), Ok(Some(MAINTAINER.to_owned())));
    for wrong in ["", "maintainer = \"Some Body\"", "maintainer = \"Some <body>\""] {
        assert!(with(wrong).is_err(), "{wrong}");
    }
    let control = debian::control(&release(folder.path()), "amd64");
    assert!(control.contains(&format!("\nMaintainer: {MAINTAINER}\n")), "{control}");
    assert!(control.contains(&format!("\nHomepage: {ADDRESS}\n")), "{control}");
}

/// A clone of the repository's newest commit in which the owner has written an address.
fn clone_with(address: &str, folder: &Path) {
    sources::clone(&repository(), folder).unwrap();
    let manifest = folder.join("Cargo.toml");
    let text = fs::read_to_string(&manifest).unwrap();
    let line = |address: &str| format!("\nrepository = \"{address}\"\n");
    let old = super::address::configured(folder).unwrap().unwrap_or_default();
    assert!(text.contains(&line(&old)));
    fs::write(manifest, text.replace(&line(&old), &line(address))).unwrap();
}

#[test]
fn one_line_gives_the_address_to_all_that_is_published() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    clone_with(ADDRESS, folder);
    let address = super::address::configured(folder).unwrap().unwrap();
    sources::add_address(folder, &address, "0.1.0").unwrap();

    // The manifests of crates.
    let mut list = cargo(["metadata", "--no-deps", "--offline", "--format-version", "1"]);
    let output = list.current_dir(folder).output().unwrap();
    let metadata = String::from_utf8(output.stdout).unwrap();
    let with_address = metadata.matches(&format!("\"repository\":\"{ADDRESS}\"")).count();
    assert_eq!(with_address, LIBRARIES.len() + ["cli", "python", "wasm"].len(), "{metadata}");
    assert!(!metadata.contains("\"repository\":\"\""), "{metadata}");
    // The archives that `cargo binstall` looks for.
    assert_eq!(metadata.matches("\"pkg-url\":\"{ repo }/releases/").count(), 4);

    let npm = fs::read_to_string(folder.join("web/npm/package.json")).unwrap();
    assert!(npm.contains(&format!("\"url\": \"git+{ADDRESS}.git\"")), "{npm}");
    assert!(npm.contains(&format!("\"homepage\": \"{ADDRESS}\"")), "{npm}");

    let python = fs::read_to_string(folder.join("python/pyproject.toml")).unwrap();
    assert!(
        python.contains(&format!("\n[project.urls]\nRepository = \"{ADDRESS}\"\n")),
        "{python}"
    );

    // The pages of packages: each has its badge, and no link that an index cannot follow.
    let pages = readme::folders(folder).unwrap();
    assert!(pages.len() >= LIBRARIES.len() + 3, "{pages:?}");
    for page in pages {
        let text = fs::read_to_string(folder.join(&page).join("README.md")).unwrap();
        assert_eq!(text.matches(&format!("[![checks]({ADDRESS}/")).count(), 1, "{page}");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(!readme::is_relative(target), "{page}: {target}");
        }
        let ours = format!("]({ADDRESS}/tree/v0.1.0/");
        for path in text.split(&ours).skip(1).filter_map(|rest| rest.split([')', '#']).next()) {
            assert!(folder.join(path).exists(), "{page}: {path}");
        }
    }
    let python = fs::read_to_string(folder.join("python/README.md")).unwrap();
    let link = format!("[docs/cluster.md]({ADDRESS}/tree/v0.1.0/docs/cluster.md)");
    assert!(python.contains(&link), "{python}");
}
