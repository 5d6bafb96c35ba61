//! What the owner types to publish the release.

use super::plan::{DIST, Release};
use super::{address, debian, sources};
use crate::crates;

/// Prints the commands.
pub(super) fn print(release: &Release, dry_run: bool) -> Result<(), String> {
    println!("\n== {DIST} holds the release; SHA256SUMS lists it");
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
    Ok(())
}

/// What the workflow of the tag has built, downloaded.
const PUBLISHED: &str = "target/published";

/// The commands in their order. What cannot be taken back comes after what can.
fn commands(version: &str) -> Vec<String> {
    let mut commands = vec![
        format!("git tag --annotate v{version} --message 'Version {version}'"),
        "git push origin HEAD".to_owned(),
        // The workflow of the tag builds for all systems, and keeps a draft of the release.
        format!("git push origin v{version}"),
        format!(
            "gh run watch --exit-status $(gh run list --workflow release --branch v{version} \
             --limit 1 --json databaseId --jq '.[].databaseId')"
        ),
        format!("gh release download v{version} --clobber --dir {PUBLISHED}"),
        format!("(cd {PUBLISHED} && sha256sum --check --quiet SHA256SUMS)"),
    ];
    // One by one: a publication of the whole workspace that fails in the middle cannot be resumed.
    // The addresses in READMEs are the changes that git sees.
    commands.extend(crates::published().map(|name| {
        format!(
            "cargo publish --allow-dirty --manifest-path {}/Cargo.toml --package {name}",
            sources::FOLDER
        )
    }));
    commands.extend([
        format!(
            "twine upload {PUBLISHED}/tabiya-{version}.tar.gz {PUBLISHED}/tabiya-{version}-*.whl"
        ),
        format!("npm publish --access public ./{PUBLISHED}/tabiya-{version}.tgz"),
        format!("gh release edit v{version} --draft=false"),
    ]);
    commands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commands_name_the_version_and_the_crates_in_order() {
        let all = commands("1.2.3");
        let place = |end: &str| all.iter().position(|command| command.ends_with(end)).unwrap();
        assert!(place("'Version 1.2.3'") < place("push origin v1.2.3"));
        assert!(place("push origin v1.2.3") < place("--package tabiya"));
        assert!(place("SHA256SUMS)") < place("--package tabiya-suites"));
        assert!(place("--package tabiya-suites") < place("--package tabiya"));
        assert!(place("--package tabiya-perft") < place("--package tabiya-runs"));
        assert!(place("--package tabiya-cli") < place("tabiya-1.2.3.tgz"));
        assert!(all.last().unwrap().ends_with("--draft=false"));
    }
}
