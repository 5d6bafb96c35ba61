//! The items of the crates in the search of the site. The generator knows its own pages only, so an
//! entry for each item that rustdoc has documented is added to its index.

use std::fs;
use std::path::{Path, PathBuf};

use crate::packed::all_files;

/// The index of the generator, in the site.
pub(super) const INDEX: &str = "search/search_index.json";
/// The pages of rustdoc, in the site.
const RUST: &str = "rust";
/// Pages of the guide, which the site has itself.
const GUIDE: &str = "rust/tabiya/guide/";

/// An entry of the index.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    /// The page, and the place on it.
    location: String,
    title: String,
    /// HTML.
    text: String,
}

/// Adds the items to the index of a site.
pub(super) fn add_items(site: &Path) -> Result<(), String> {
    let path = site.join(INDEX);
    let index = read(&path)?;
    let mut pages: Vec<_> =
        all_files(&site.join(RUST))?.into_iter().filter(|page| is_item(site, page)).collect();
    pages.sort();
    let mut entries = Vec::new();
    for page in pages {
        let location = location(site, &page);
        entries.extend(of_page(&location, &read(&page)?));
    }
    let added = with_entries(&index, &entries)
        .ok_or_else(|| format!("{}: where do the entries end?", path.display()))?;
    fs::write(&path, added).map_err(|error| format!("{}: {error}", path.display()))
}

/// The places that an index names.
pub(super) fn locations(index: &str) -> impl Iterator<Item = &str> {
    index.split("\"location\":\"").skip(1).filter_map(|rest| rest.split('"').next())
}

/// The index with further entries at its end. Its last field is the list of entries.
fn with_entries(index: &str, entries: &[Entry]) -> Option<String> {
    let begin = index.trim_end().strip_suffix("]}")?;
    let mut text = begin.to_owned();
    for Entry { location, title, text: about } in entries {
        let [location, title, about] = [location, title, about].map(|value| quoted(value));
        text += &format!(",{{\"location\":{location},\"title\":{title},\"text\":{about}}}");
    }
    Some(text + "]}")
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push(' '),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Is it a page about an item? Others show sources, or lead to where an item was before.
fn is_item(site: &Path, page: &Path) -> bool {
    let location = location(site, page);
    let folder = location.split('/').nth(1).unwrap_or_default();
    let name = location.rsplit('/').next().unwrap_or_default();
    let kind = name.split('.').next().unwrap_or_default();
    let is_item = ["index", "struct", "enum", "trait", "fn", "macro", "constant", "type", "union"];
    folder.starts_with("tabiya")
        && !location.starts_with(GUIDE)
        && is_item.contains(&kind)
        && name.ends_with(".html")
}

/// The path of a page in the site, with slashes.
fn location(site: &Path, page: &Path) -> String {
    let parts = page.strip_prefix(site).unwrap_or(page);
    parts.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
}

/// The entries of a page: the item, and its variants, constants and methods. Those of traits that
/// it implements are found with the traits.
fn of_page(location: &str, html: &str) -> Vec<Entry> {
    let Some((kind, path)) = item(location) else { return Vec::new() };
    if html.contains("http-equiv=\"refresh\"") {
        return Vec::new();
    }
    let described = html.split_once(" top-doc\"").map_or("", |(_, rest)| rest);
    let described = described.split("</details>").next().unwrap_or_default();
    let mut entries = vec![Entry {
        location: location.to_owned(),
        title: path,
        text: format!("<p>{kind}. {}</p>", about(described)),
    }];
    for member in html.split("<section id=\"").skip(1) {
        let Some((id, rest)) = member.split_once('"') else { continue };
        let is_own = ["method", "variant", "associatedconstant"]
            .iter()
            .any(|class| rest.starts_with(&format!(" class=\"{class}\"")));
        let Some((_, name)) = id.split_once('.').filter(|_| is_own) else { continue };
        entries.push(Entry {
            location: format!("{location}#{id}"),
            title: name.to_owned(),
            text: format!("<p>{}</p>", about(rest)),
        });
    }
    entries
}

/// The kind of an item and its path, from the place of its page.
fn item(location: &str) -> Option<(&'static str, String)> {
    let mut parts: Vec<&str> = location.strip_prefix("rust/")?.split('/').collect();
    let mut name = parts.pop()?.split('.');
    let kind = match name.next()? {
        "index" if parts.len() == 1 => "Crate",
        "index" => "Module",
        "struct" => "Struct",
        "enum" => "Enum",
        "trait" => "Trait",
        "fn" => "Function",
        "macro" => "Macro",
        "constant" => "Constant",
        "type" => "Type",
        _ => "Union",
    };
    parts.extend(name.next().filter(|&name| name != "html"));
    Some((kind, parts.join("::")))
}

/// The first paragraph of a description, without marks.
fn about(html: &str) -> String {
    let paragraph = html.split_once("<div class=\"docblock\"><p>");
    let paragraph = paragraph.and_then(|(_, rest)| rest.split("</p>").next()).unwrap_or_default();
    let parts = paragraph.split('<').enumerate().map(|(index, part)| match index {
        0 => part,
        _ => part.split_once('>').map_or("", |(_, text)| text),
    });
    parts.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn read(path: &PathBuf) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<section id=\"main-content\" class=\"content\"><h1>Struct</h1><details class=\"toggle top-doc\" open><div class=\"docblock\"><p>A <a href=\"x\">position</a>\n&lt;3.</p><p>More.</p></div></details>\
        <section id=\"method.play\" class=\"method\"><h4>fn play</h4></section></summary>\
        <div class=\"docblock\"><p>Plays <code>mv</code>.</p></div>\
        <section id=\"method.clone\" class=\"method trait-impl\"><h4>fn clone</h4></section>";

    #[test]
    fn items_and_their_members_have_entries() {
        let entries = of_page("rust/tabiya/setup/struct.Setup.html", PAGE);
        let entry = |location: &str, title: &str, text: &str| Entry {
            location: location.to_owned(),
            title: title.to_owned(),
            text: text.to_owned(),
        };
        let page = "rust/tabiya/setup/struct.Setup.html";
        let expected = [
            entry(page, "tabiya::setup::Setup", "<p>Struct. A position &lt;3.</p>"),
            entry(&format!("{page}#method.play"), "play", "<p>Plays mv.</p>"),
        ];
        assert_eq!(entries, expected);
        let index = "{\"config\":{},\"docs\":[{\"location\":\"a.html\"}]}\n";
        let index = with_entries(index, &entries).unwrap();
        let all: Vec<_> = locations(&index).collect();
        assert_eq!(all, ["a.html", page, &format!("{page}#method.play")]);
        assert!(index.ends_with("Plays mv.</p>\"}]}"), "{index}");
        assert_eq!(with_entries("[]", &entries), None);
    }

    #[test]
    fn crates_modules_and_functions_have_paths() {
        let path = |location| item(location).unwrap();
        assert_eq!(path("rust/tabiya/index.html"), ("Crate", "tabiya".to_owned()));
        assert_eq!(path("rust/tabiya/san/index.html"), ("Module", "tabiya::san".to_owned()));
        assert_eq!(path("rust/tabiya/fn.perft.html"), ("Function", "tabiya::perft".to_owned()));
        let site = Path::new("/s");
        for (page, is) in [
            ("rust/tabiya/struct.A.html", true),
            ("rust/tabiya/index.html", true),
            ("rust/tabiya/guide/cookbook/index.html", false),
            ("rust/tabiya/all.html", false),
            ("rust/src/tabiya/lib.rs.html", false),
        ] {
            assert_eq!(is_item(site, &site.join(page)), is, "{page}");
        }
    }
}
