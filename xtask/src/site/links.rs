//! Checks the links of the site: what they name is there, and no page loads anything from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::search;
use crate::output::say;
use crate::packed::all_files;

/// rustdoc checks the links in its own pages.
const CHECKED_BY_RUSTDOC: &str = "rust";

/// An error that names each broken link.
pub(super) fn check(site: &Path) -> Result<(), String> {
    let mut names = BTreeMap::new();
    let (mut broken, mut count, mut pages) = (Vec::new(), 0, 0);
    for page in all_files(site)? {
        let is_page = page.extension().is_some_and(|ending| ending == "html");
        if !is_page || page.starts_with(site.join(CHECKED_BY_RUSTDOC)) {
            continue;
        }
        pages += 1;
        let html = read(&page)?;
        for link in links(&html) {
            count += 1;
            if let Some(problem) = problem(site, &page, &link, &mut names)? {
                let from = page.strip_prefix(site).unwrap_or(&page).display();
                broken.push(format!("{from}: {}: {problem}", link.target));
            }
        }
    }
    match &broken[..] {
        [] if pages < 40 => Err(format!("there are only {pages} pages in {}", site.display())),
        [] => {
            say(&format!("   {count} links on {pages} pages lead to what is there"));
            Ok(())
        }
        lines => Err(format!("links of the site are broken:\n{}", lines.join("\n"))),
    }
}

/// An error that names each page that the bar on the pages of rustdoc leads to in vain.
pub(super) fn check_bar(site: &Path, bar: &Path) -> Result<(), String> {
    let bar = read(bar)?;
    let pages = bar.split("data-page=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let missing: Vec<_> = pages.filter(|page| !site.join(page).is_file()).collect();
    match &missing[..] {
        [] => Ok(()),
        pages => Err(format!("the bar on the pages of rustdoc leads to no page: {pages:?}")),
    }
}

/// An error that names each entry of the search that leads nowhere.
pub(super) fn check_search(site: &Path) -> Result<(), String> {
    let index = read(&site.join(search::INDEX))?;
    let mut names = BTreeMap::new();
    let (mut broken, mut items) = (Vec::new(), 0);
    for location in search::locations(&index) {
        let link = Link { element: "a", target: location };
        items += usize::from(location.starts_with(CHECKED_BY_RUSTDOC));
        if let Some(problem) = problem(site, &site.join("index.html"), &link, &mut names)? {
            broken.push(format!("{location}: {problem}"));
        }
    }
    match &broken[..] {
        // The library alone has that many.
        [] if items < 500 => Err(format!("the search finds only {items} items of crates")),
        [] => {
            say(&format!("   the search finds {items} items of crates"));
            Ok(())
        }
        lines => Err(format!("the search leads nowhere:\n{}", lines.join("\n"))),
    }
}

/// A link of a page.
struct Link<'a> {
    /// The name of the element, such as `a`.
    element: &'a str,
    target: &'a str,
}

/// The links of a page, and the files that it loads.
fn links(html: &str) -> impl Iterator<Item = Link<'_>> {
    html.split('<').skip(1).filter_map(|part| {
        let tag = part.split('>').next()?;
        let element = tag.split_whitespace().next()?;
        let attribute = [" href=\"", " src=\""].iter().find_map(|name| tag.split_once(name))?;
        Some(Link { element, target: attribute.1.split('"').next()? })
    })
}

/// What is wrong with a link, if anything is.
fn problem(
    site: &Path,
    page: &Path,
    link: &Link<'_>,
    names: &mut BTreeMap<PathBuf, BTreeSet<String>>,
) -> Result<Option<&'static str>, String> {
    let target = link.target.replace("&amp;", "&");
    if target.starts_with("https://") || target.starts_with("http://") || target.starts_with("//") {
        return Ok((link.element != "a").then_some("the page loads it from elsewhere"));
    }
    if target.starts_with("data:")
        || target.starts_with("mailto:")
        || target.starts_with("javascript:")
    {
        return Ok(None);
    }
    let (path, name) = target.split_once('#').unwrap_or((&target, ""));
    let path = path.split('?').next().unwrap_or_default();
    let file = match path {
        "" => page.to_owned(),
        path if path.starts_with('/') => site.join(path.trim_start_matches('/')),
        path => page.parent().unwrap_or(site).join(path),
    };
    let file = if file.is_dir() { file.join("index.html") } else { file };
    if !file.is_file() {
        return Ok(Some("no such file"));
    }
    if name.is_empty() || file.extension().is_none_or(|ending| ending != "html") {
        return Ok(None);
    }
    // The explorer writes its state there.
    if file.starts_with(site.join("explorer")) {
        return Ok(None);
    }
    if !names.contains_key(&file) {
        names.insert(file.clone(), ids(&read(&file)?));
    }
    Ok((!names[&file].contains(name)).then_some("no such place on the page"))
}

/// The names of the places on a page.
fn ids(html: &str) -> BTreeSet<String> {
    let of = |name: &'static str| {
        html.split(name).skip(1).filter_map(|rest| rest.split('"').next().map(str::to_owned))
    };
    of(" id=\"").chain(of(" name=\"")).collect()
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_links_and_loads_from_elsewhere_are_found() {
        let folder = tempfile::tempdir().unwrap();
        let site = folder.path();
        fs::create_dir(site.join("a")).unwrap();
        let page = site.join("index.html");
        fs::write(&page, "<h1 id=\"top\">x</h1>").unwrap();
        fs::write(site.join("a/index.html"), "<p id=\"here\">").unwrap();
        let says = |html: &str| {
            let link = links(html).next().unwrap();
            problem(site, &page, &link, &mut BTreeMap::new()).unwrap()
        };
        for right in ["#top", "a/", "a/#here", "a/index.html#here", "https://example.org", ""] {
            assert_eq!(says(&format!("<a class=\"x\" href=\"{right}\">")), None, "{right}");
        }
        for wrong in ["#there", "b/", "a/#there", "a/none.html"] {
            assert!(says(&format!("<a href=\"{wrong}\">")).is_some(), "{wrong}");
        }
        assert!(says("<script src=\"https://example.org/x.js\"></script>").is_some());
        assert!(says("<link rel=\"stylesheet\" href=\"//example.org/x.css\">").is_some());
        assert!(check(site).unwrap_err().contains("only 2 pages"));
        let bar = site.join("bar.html");
        fs::write(&bar, "<a data-page=\"a/index.html\">a</a>").unwrap();
        assert_eq!(check_bar(site, &bar), Ok(()));
        fs::write(&bar, "<a data-page=\"b/index.html\">b</a>").unwrap();
        assert!(check_bar(site, &bar).is_err());
        fs::create_dir(site.join("search")).unwrap();
        let index = "{\"docs\":[{\"location\":\"a/index.html#there\"}]}";
        fs::write(site.join(search::INDEX), index).unwrap();
        assert!(check_search(site).unwrap_err().contains("a/index.html#there"));
    }
}
