//! The READMEs of packages as indexes show them: away from the repository, a relative link leads
//! nowhere, so it becomes the address of the file in the repository. A badge comes under the title.

use std::path::Path;

use super::address;
use crate::files::{edit, files};

/// Writes the address into the README of every package in a folder with the sources.
pub(super) fn publish_all(sources: &Path, address: &str, version: &str) -> Result<(), String> {
    for folder in folders(sources)? {
        edit(&sources.join(&folder).join("README.md"), |text| {
            Ok(published(text, &folder, address, version))
        })?;
    }
    Ok(())
}

/// The folders of what is published with a README.
pub(super) fn folders(sources: &Path) -> Result<Vec<String>, String> {
    let mut folders = vec!["python".to_owned(), "suites".to_owned(), "web/npm".to_owned()];
    for path in files(&sources.join("crates"))? {
        if path.join("README.md").is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            folders.push(format!("crates/{name}"));
        }
    }
    folders.sort();
    Ok(folders)
}

/// A page of a folder with absolute links and a badge.
fn published(text: &str, folder: &str, address: &str, version: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut is_code, mut has_badge) = (false, false);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        }
        if is_code {
            out.push_str(line);
            continue;
        }
        rewrite(line, &mut out, &|target, is_picture| {
            let (path, place) = target.find('#').map_or((target, ""), |at| target.split_at(at));
            let path = join(folder, path);
            address::of_file(address, &format!("v{version}"), &path, is_picture) + place
        });
        if line.starts_with("# ") && !has_badge {
            has_badge = true;
            out.push_str(&format!("\n{}\n", badge(address)));
        }
    }
    out
}

/// A picture that says whether the tests pass, with a link to their runs.
fn badge(address: &str) -> String {
    let workflow = format!("{address}/actions/workflows/checks.yml");
    format!("[![checks]({workflow}/badge.svg)]({workflow})")
}

/// Copies a line, and changes the target of each relative link outside of code.
fn rewrite(line: &str, out: &mut String, absolute: &dyn Fn(&str, bool) -> String) {
    for (number, part) in line.split('`').enumerate() {
        if number > 0 {
            out.push('`');
        }
        // Between the first and the second mark there is code.
        if number % 2 == 1 {
            out.push_str(part);
            continue;
        }
        let mut rest = part;
        while let Some(at) = rest.find("](") {
            let (before, after) = rest.split_at(at + 2);
            let Some((target, after)) = after.split_once(')') else { break };
            out.push_str(before);
            match is_relative(target) {
                true => {
                    let opening = before.rfind('[').unwrap_or_default();
                    out.push_str(&absolute(target, before[..opening].ends_with('!')));
                }
                false => out.push_str(target),
            }
            out.push(')');
            rest = after;
        }
        out.push_str(rest);
    }
}

/// Does a link name a file next to the page?
pub(super) fn is_relative(target: &str) -> bool {
    !target.is_empty()
        && !target.starts_with('#')
        && !target.contains("://")
        && !target.starts_with("mailto:")
}

/// The path in the repository of a path relative to a folder of it.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_the_repository_and_the_badge_is_under_the_title() {
        let text = "# Title\n\n[`a`](docs/a.md#x) and ![b](../b.svg), [c](#c), [d](https://d.e/f), `[e](f)`.\n\n\
                    ```md\n# [g](h)\n```\n";
        let page = published(text, "a/b", "https://h.i/j", "1.2.3");
        let expected = "# Title\n\n\
                        [![checks](https://h.i/j/actions/workflows/checks.yml/badge.svg)](https://h.i/j/actions/workflows/checks.yml)\n\n\
                        [`a`](https://h.i/j/tree/v1.2.3/a/b/docs/a.md#x) and ![b](https://h.i/j/raw/v1.2.3/a/b.svg), \
                        [c](#c), [d](https://d.e/f), `[e](f)`.\n\n```md\n# [g](h)\n```\n";
        assert_eq!(page, expected);
    }
}
