//! Markdown as the repository and rustdoc read it, made into Markdown for the site.
//!
//! Links between pages stay. Links to sources go to the repository, if it has an address, and
//! otherwise only their text remains. It also takes the place of `URL` in `git clone URL`. Links to
//! items of the crates go to their documentation. Lines that rustdoc hides in examples are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::release::address;

/// What a page is surrounded by.
pub(super) struct Surroundings<'a> {
    /// The repository.
    pub(super) root: &'a Path,
    /// The path of the page in it.
    pub(super) page: &'a str,
    /// The paths of all pages.
    pub(super) pages: &'a BTreeSet<&'static str>,
    /// The address of the repository.
    pub(super) address: Option<&'a str>,
    /// The items of the crates that rustdoc links on this page: their texts, and where they are
    /// documented, relative to the site.
    pub(super) items: &'a BTreeMap<String, String>,
}

/// Files that a page shows or offers, other than pages.
const ASSETS: [&str; 4] = [".png", ".svg", ".json", ".ipynb"];

/// The page for the site, and the paths of the files that it needs.
pub(super) fn for_site(text: &str, around: &Surroundings<'_>) -> (String, Vec<String>) {
    let (mut out, mut assets) = (String::with_capacity(text.len()), Vec::new());
    let mut prose = String::new();
    let mut code: Option<Fence> = None;
    for line in text.split_inclusive('\n') {
        let fence = line.trim_start().strip_prefix("```");
        match (&code, fence) {
            (None, Some(information)) => {
                rewrite(&std::mem::take(&mut prose), around, &mut out, &mut assets);
                let begun = Fence::new(line, information.trim(), around.page);
                out.push_str(&begun.opening);
                code = Some(begun);
            }
            (Some(_), Some(rest)) if rest.trim().is_empty() => {
                out.push_str(line);
                code = None;
            }
            (Some(fence), _) if fence.is_rust && is_hidden(line) => {}
            (Some(_), _) => {
                let address = around.address.unwrap_or("URL");
                out.push_str(&line.replace("git clone URL", &format!("git clone {address}")));
            }
            (None, None) => prose.push_str(line),
        }
    }
    rewrite(&prose, around, &mut out, &mut assets);
    // rustdoc gets the pictures of this page as data.
    let pictures = around.root.join(around.page).with_file_name("pictures");
    for name in references(text) {
        if pictures.join(format!("{name}.svg")).is_file() {
            out.push_str(&format!("\n[{name}]: pictures/{name}.svg"));
            assets.push(join(around.page, &format!("pictures/{name}.svg")));
        }
    }
    out.push('\n');
    (out, assets)
}

/// The beginning of a block of code.
struct Fence {
    opening: String,
    is_rust: bool,
}

impl Fence {
    fn new(line: &str, information: &str, page: &str) -> Self {
        let language = information.split([',', ' ']).next().unwrap_or_default();
        let attributes = ["no_run", "ignore", "should_panic", "compile_fail"];
        // rustdoc takes a block without a language for Rust.
        let for_rustdoc = page.starts_with("crates/tabiya/docs/");
        let is_rust = language == "rust"
            || attributes.contains(&language)
            || language.is_empty() && for_rustdoc;
        let indent = &line[..line.len() - line.trim_start().len()];
        let language = if is_rust { "rust" } else { language };
        Self { opening: format!("{indent}```{language}\n"), is_rust }
    }
}

/// Does rustdoc hide a line of an example?
fn is_hidden(line: &str) -> bool {
    let line = line.trim();
    line == "#" || line.starts_with("# ")
}

/// The names in `![…][name]`.
fn references(text: &str) -> Vec<&str> {
    let pictures = text.match_indices("![").filter_map(|(at, _)| {
        let (_, rest) = text[at..].split_once("][")?;
        rest.split(']').next()
    });
    pictures.filter(|name| !name.contains(['\n', ' '])).collect()
}

/// Rewrites the links of a text without blocks of code.
fn rewrite(text: &str, around: &Surroundings<'_>, out: &mut String, assets: &mut Vec<String>) {
    let mut rest = text;
    while let Some(at) = rest.find(['[', '`']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let taken = match rest.starts_with('`') {
            true => code_span(rest),
            false => None,
        };
        if let Some(span) = taken {
            out.push_str(span);
            rest = &rest[span.len()..];
            continue;
        }
        let Some(inner) = bracketed(rest, '[', ']') else {
            out.push_str(&rest[..1]);
            rest = &rest[1..];
            continue;
        };
        let after = &rest[inner.len() + 2..];
        if let Some(target) = bracketed(after, '(', ')') {
            let mut shown = String::new();
            rewrite(inner, around, &mut shown, assets);
            out.push_str(&link(&shown, target, around, assets, out.ends_with('!')));
            rest = &after[target.len() + 2..];
        } else {
            let is_item = inner.len() > 2 && inner.starts_with('`') && inner.ends_with('`');
            match around.items.get(&plain(inner)) {
                _ if !is_item || after.starts_with([':', '[']) => {
                    out.push_str(&format!("[{inner}]"));
                }
                Some(place) => out.push_str(&format!("[{inner}]({})", up(around.page, place))),
                None => out.push_str(inner),
            }
            rest = after;
        }
    }
    out.push_str(rest);
}

/// A link, as the site has it.
fn link(
    shown: &str,
    target: &str,
    around: &Surroundings<'_>,
    assets: &mut Vec<String>,
    is_picture: bool,
) -> String {
    if target.contains("::") {
        // An item of a crate.
        return match around.items.get(&plain(shown)) {
            Some(place) => format!("[{shown}]({})", up(around.page, place)),
            None => shown.to_owned(),
        };
    }
    if target.starts_with('#') || target.contains("://") || target.starts_with("mailto:") {
        return format!("[{shown}]({target})");
    }
    let path = join(around.page, target.split('#').next().unwrap_or_default());
    if around.pages.contains(path.as_str()) {
        return format!("[{shown}]({target})");
    }
    if ASSETS.iter().any(|ending| path.ends_with(ending)) && around.root.join(&path).is_file() {
        assets.push(path);
        return format!("[{shown}]({target})");
    }
    match around.address {
        Some(address) if !is_picture => {
            format!("[{shown}]({})", address::of_file(address, "HEAD", &path, false))
        }
        _ => shown.to_owned(),
    }
}

/// A text without marks and line breaks, as rustdoc shows it.
fn plain(text: &str) -> String {
    text.replace('`', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The code in backticks with which a text begins.
fn code_span(text: &str) -> Option<&str> {
    let marks = text.len() - text.trim_start_matches('`').len();
    let (begin, fence) = (marks, &text[..marks]);
    let end = text[begin..].find(fence)?;
    Some(&text[..begin + end + marks])
}

/// The text between the brackets with which a text begins, within one paragraph.
fn bracketed(text: &str, open: char, close: char) -> Option<&str> {
    if !text.starts_with(open) {
        return None;
    }
    let (mut depth, mut at) = (0, 0);
    while let Some(c) = text[at..].chars().next() {
        if c == '`' && open == '[' {
            if let Some(span) = code_span(&text[at..]) {
                at += span.len();
                continue;
            }
        } else if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(&text[1..at]).filter(|inner| !inner.contains("\n\n"));
            }
        }
        at += c.len_utf8();
    }
    None
}

/// A path relative to a page, as a path of the repository.
fn join(page: &str, target: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in target.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            name => parts.push(name),
        }
    }
    parts.join("/")
}

/// A place of the site, seen from a page.
fn up(page: &str, place: &str) -> String {
    "../".repeat(page.matches('/').count()) + place
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(page: &str, text: &str, address: Option<&str>) -> (String, Vec<String>) {
        let items = [("Position", "rust/tabiya/struct.Position.html")];
        let items = items.map(|(name, place)| (name.to_owned(), place.to_owned())).into();
        let pages = BTreeSet::from(["README.md", "docs/compare.md"]);
        let root = crate::repository();
        let around = Surroundings { root: &root, page, pages: &pages, address, items: &items };
        let (text, assets) = for_site(text, &around);
        (text.trim_end().to_owned(), assets)
    }

    #[test]
    fn links_lead_to_what_the_site_has() {
        let text =
            "[a](docs/compare.md#x), [b](Cargo.toml), ![c](docs/layers.svg) [d](https://e.f)";
        let (plain, assets) = converted("README.md", text, None);
        let expected = "[a](docs/compare.md#x), b, ![c](docs/layers.svg) [d](https://e.f)";
        assert_eq!(plain, expected);
        assert_eq!(assets, ["docs/layers.svg"]);
        let (linked, _) = converted("docs/compare.md", "[b](../Cargo.toml)", Some("https://h/r"));
        assert_eq!(linked, "[b](https://h/r/tree/HEAD/Cargo.toml)");
    }

    #[test]
    fn items_lead_to_their_documentation() {
        let text = "[`Position`], [the\nthing](crate::Thing), `[x](y)`, [ ] and [`Unknown`]";
        let (text, _) = converted("docs/compare.md", text, None);
        let expected = "[`Position`](../rust/tabiya/struct.Position.html), the\nthing, `[x](y)`, \
                        [ ] and `Unknown`";
        assert_eq!(text, expected);
    }

    #[test]
    fn hidden_lines_of_examples_are_left_out() {
        let text = "```rust,no_run\n# use x;\n#\n#[test]\nf();\n```\n\n```sh\n# comment\n```\n";
        let expected = "```rust\n#[test]\nf();\n```\n\n```sh\n# comment\n```";
        assert_eq!(converted("README.md", text, None).0, expected);
    }

    #[test]
    fn the_address_is_in_the_line_that_clones() {
        let text = "```sh\ngit clone URL tabiya\n```";
        assert_eq!(converted("README.md", text, None).0, text);
        let (linked, _) = converted("README.md", text, Some("https://h/r"));
        assert_eq!(linked, "```sh\ngit clone https://h/r tabiya\n```");
    }
}
