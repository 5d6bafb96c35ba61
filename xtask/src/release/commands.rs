//! What the owner types to publish the release.

use super::{DIST, Release, address, debian};
use crate::packed::UNPUBLISHED;

/// Prints the commands.
pub(super) fn print(release: &Release, dry_run: bool) {
    println!("\n== {DIST} holds the release; SHA256SUMS and CONTENTS.txt list it");
    if dry_run {
        match &release.address {
            None => println!("Before it can be published: {}", address::MISSING),
            Some(address) => println!("The repository: {address}"),
        }
        match &release.maintainer {
            None => println!("And: {}", debian::MISSING),
            Some(maintainer) => println!("The maintainer of the Debian packages: {maintainer}"),
        }
        println!("This was a dry run. To publish, type:\n\n    cargo xtask release");
    } else {
        println!("To publish, type:\n");
    }
    for command in commands(&release.version) {
        println!("    {command}");
    }
}

/// The commands in their order. What cannot be taken back comes after what can.
fn commands(version: &str) -> Vec<String> {
    let excluded = UNPUBLISHED.map(|name| format!(" --exclude {name}")).concat();
    vec![
        format!("git tag --annotate v{version} --message 'Version {version}'"),
        "git push origin HEAD".to_owned(),
        // The workflow of the tag builds for the other systems, and keeps a draft of the release.
        format!("git push origin v{version}"),
        format!(
            "gh release create v{version} --draft --verify-tag --title {version} \
             --notes-file {DIST}/RELEASE_NOTES.md {DIST}/*"
        ),
        format!("cargo publish --workspace{excluded}"),
        format!("twine upload {DIST}/tabiya-{version}.tar.gz {DIST}/tabiya-{version}-*.whl"),
        format!("npm publish --access public {DIST}/tabiya-{version}.tgz"),
        format!("gh release edit v{version} --draft=false"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_name_the_version() {
        let all = commands("1.2.3");
        let place = |word: &str| all.iter().position(|command| command.starts_with(word)).unwrap();
        assert!(place("git tag") < place("git push origin v1.2.3"));
        assert!(place("git push origin v1.2.3") < place("cargo publish"));
        assert!(all[place("cargo publish")].contains("--exclude tabiya-python"));
        assert!(all[place("npm publish")].ends_with("tabiya-1.2.3.tgz"));
    }
}
