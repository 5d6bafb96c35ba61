//! The documentation of the crates, by rustdoc.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::packed::UNPUBLISHED;
use crate::process::{cargo, run};

/// Cargo's documents for the site, apart from those of suites that document at the same time.
const TARGET: &str = "target/site-doc";
/// All else is kept where other builds keep it, so that nothing is checked again. An older cargo does
/// not know this setting, and only takes longer.
const SHARED: &str = "build.build-dir='target'";
/// The navigation of the site, on each page of rustdoc.
pub(super) const BAR: &str = "xtask/site/bar.html";
/// Where rustdoc writes.
pub(super) const FOLDER: &str = "target/site-doc/doc";

/// Documents every crate that is published.
pub(super) fn document() -> Result<(), String> {
    let root = crate::repository();
    // An older run may have documented what is gone.
    let folder = root.join(FOLDER);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut document = cargo(["doc", "--quiet", "--no-deps", "--workspace", "--all-features"]);
    document.args(["--target-dir", TARGET, "--config", SHARED]);
    document.args(UNPUBLISHED.iter().flat_map(|name| ["--exclude", name]));
    let flags = format!("-D warnings --html-before-content {}", root.join(BAR).display());
    run(document.env("RUSTDOCFLAGS", flags))
}

/// The items that rustdoc links on a page of the guide, which is a module for it: their texts, and
/// where they are documented, relative to the site.
pub(super) fn items(root: &Path, page: &str) -> Result<BTreeMap<String, String>, String> {
    let Some(name) = page.strip_prefix("crates/tabiya/docs/") else { return Ok(BTreeMap::new()) };
    let module = name.trim_end_matches(".md").replace('-', "_");
    let page = match module.as_str() {
        "packed" => "tabiya/packed/index.html".to_owned(),
        module => format!("tabiya/guide/{module}/index.html"),
    };
    let file = root.join(FOLDER).join(&page);
    // A page may be a part of an item that has another name.
    let Ok(html) = fs::read_to_string(&file) else { return Ok(BTreeMap::new()) };
    Ok(links(&html).filter_map(|(text, target)| Some((text, place(&page, target)?))).collect())
}

/// The links with a title, which are those to items.
fn links(html: &str) -> impl Iterator<Item = (String, &str)> {
    html.split("<a href=\"").skip(1).filter_map(|rest| {
        let (target, rest) = rest.split_once('"')?;
        let inner = rest.strip_prefix(" title=\"")?.split_once('>')?.1.split("</a>").next()?;
        let text: String = inner
            .split('<')
            .enumerate()
            .filter_map(|(index, part)| match index {
                0 => Some(part),
                _ => part.split_once('>').map(|(_, text)| text),
            })
            .collect();
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        Some((text.split_whitespace().collect::<Vec<_>>().join(" "), target))
    })
}

/// A link of a page of rustdoc, as a place of the site; `None` for one that leads elsewhere.
fn place(page: &str, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with('#') {
        return None;
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            ".." => drop(parts.pop()?),
            name => parts.push(name),
        }
    }
    Some(format!("rust/{}", parts.join("/")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_rustdoc_are_read() {
        let html = "<a href=\"../../struct.San.html#m\" title=\"struct tabiya::San\"><code>San::text</code></a> \
                    <a href=\"#x\">x</a> <a href=\"https://d.r/V.html\" title=\"struct V\"><code>Vec&lt;T&gt;</code></a>";
        let found: Vec<_> = links(html).collect();
        assert_eq!(found[0], ("San::text".to_owned(), "../../struct.San.html#m"));
        assert_eq!(found[1].0, "Vec<T>");
        let from = "tabiya/guide/how_do_i/index.html";
        assert_eq!(place(from, found[0].1).unwrap(), "rust/tabiya/struct.San.html#m");
        assert_eq!(place(from, found[1].1), None);
    }
}
