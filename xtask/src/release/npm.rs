//! The npm package, packed from a copy of its sources with the module that is built here.

use std::path::Path;

use super::plan::Release;
use crate::files::{copy, copy_all, edit, repository, temporary};
use crate::process::run;
use crate::web;

/// The folder of the package.
pub(super) const FOLDER: &str = "web/npm";

pub(super) fn make(release: &Release) -> Result<(), String> {
    web::prepare()?;
    web::build_package()?;
    let folder = temporary()?;
    let built = repository().join(FOLDER).join("pkg");
    let root = &release.sources;
    copy_all(&root.join(FOLDER), folder.path())?;
    copy_all(&built, &folder.path().join("pkg"))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        copy(&root.join(licence), folder.path())?;
    }
    // Its scripts do what was done here.
    let mut pack = web::npm(FOLDER);
    pack.args(["pack", "--ignore-scripts", "--silent", "--pack-destination"]).arg(&release.dist);
    run(pack.current_dir(folder.path()))
}

/// Writes the address into a manifest, as its homepage and its repository.
pub(super) fn add_address(manifest: &Path, address: &str) -> Result<(), String> {
    edit(manifest, |text| with_address(text, address).ok_or("where is the licence?"))
}

fn with_address(manifest: &str, address: &str) -> Option<String> {
    let key = "  \"license\":";
    let lines = format!(
        "  \"homepage\": \"{address}\",\n  \
         \"repository\": {{ \"type\": \"git\", \"url\": \"git+{address}.git\" }},\n"
    );
    manifest.contains(key).then(|| manifest.replacen(key, &format!("{lines}{key}"), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_makes_fields_of_the_manifest() {
        let manifest = "{\n  \"name\": \"tabiya\",\n  \"license\": \"MIT\"\n}\n";
        let changed = with_address(manifest, "https://example.org/tabiya").unwrap();
        let lines = "\n  \"homepage\": \"https://example.org/tabiya\",\n  \
                     \"repository\": { \"type\": \"git\", \"url\": \"git+https://example.org/tabiya.git\" },\n";
        assert!(changed.contains(lines), "{changed}");
        assert_eq!(with_address("{}", "https://example.org"), None);
    }
}
