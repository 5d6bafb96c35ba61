//! What has changed between two interfaces, and which of it the changelog names.

use std::collections::BTreeSet;

/// An item that is new, gone, or of another type.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The line with a sign in front.
    line: String,
    /// The path of the item.
    path: String,
}

/// The changes from what was kept to the lines of today.
pub(super) fn between(kept: &str, now: &[String], separator: &str) -> Vec<Change> {
    let kept: BTreeSet<&str> = kept.lines().collect();
    let now: BTreeSet<&str> = now.iter().map(String::as_str).collect();
    let change = |sign: char| {
        move |line: &&str| Change { line: format!("{sign} {line}"), path: path(line, separator) }
    };
    let gone = kept.difference(&now).map(change('-'));
    let new = now.difference(&kept).map(change('+'));
    gone.chain(new).collect()
}

/// The lines of the changes that the section Unreleased does not name. An item is named by its own
/// name, or by that of something around it that has changed as well.
pub(super) fn without_entry(changes: &[Change], changelog: &str, separator: &str) -> Vec<String> {
    let words = words(unreleased(changelog));
    let changed: BTreeSet<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    let is_named = |path: &str| {
        let name = path.rsplit(separator).next().unwrap_or_default();
        words.contains(name)
    };
    let has_entry = |change: &&Change| {
        let mut around = change.path.as_str();
        is_named(around)
            || std::iter::from_fn(|| {
                around = around.rsplit_once(separator)?.0;
                Some(around)
            })
            .any(|outer| changed.contains(outer) && is_named(outer))
    };
    changes.iter().filter(|change| !has_entry(change)).map(|change| change.line.clone()).collect()
}

/// The path of an item: of the words of its line, the first that is one. Where a trait is
/// implemented, it is the path of the type.
fn path(line: &str, separator: &str) -> String {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || separator.contains(c);
    let (_, line) =
        line.rsplit_once(" for ").filter(|_| line.starts_with("impl")).unwrap_or(("", line));
    let words = || {
        let words = line.split(|c| !is_part(c));
        words
            .map(|word| word.trim_matches(|c| separator.contains(c)))
            .filter(|word| !word.is_empty())
    };
    let is_path = |word: &&str| {
        let begin = word.split(separator).next().unwrap_or_default();
        word.contains(separator) && !["core", "alloc", "std", "serde"].contains(&begin)
    };
    let found = words().find(is_path);
    let name = || words().find(|word| !["pub", "mod"].contains(word));
    found.or_else(name).unwrap_or_default().to_owned()
}

/// The section of the changelog about what is not released.
fn unreleased(changelog: &str) -> &str {
    let (_, rest) = changelog.split_once("\n## Unreleased\n").unwrap_or_default();
    rest.split("\n## ").next().unwrap_or_default()
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEPT: &str = "pub fn tabiya::Board::old(&self)\n\
                        pub fn tabiya::Board::same(&self)\n\
                        pub fn tabiya::Board::typed(&self) -> u8\n";
    const CHANGELOG: &str = "# Changelog\n\n## Unreleased\n\n- `Board::typed` gives more; `Thing`.\n\n\
                             ## 0.1.0\n\n- old\n";

    fn silent(now: &[&str]) -> Vec<String> {
        let now: Vec<_> = now.iter().map(|line| (*line).to_owned()).collect();
        without_entry(&between(KEPT, &now, "::"), CHANGELOG, "::")
    }

    #[test]
    fn a_change_without_an_entry_is_found() {
        let same = ["pub fn tabiya::Board::same(&self)"];
        let [old, typed] =
            ["pub fn tabiya::Board::old(&self)", "pub fn tabiya::Board::typed(&self) -> u8"];
        assert_eq!(silent(&[same[0], old, typed]), [""; 0]);
        // One is gone, and only an old section names it.
        assert_eq!(silent(&[same[0], typed]), [format!("- {old}")]);
        // Another type, with an entry.
        let wider = "pub fn tabiya::Board::typed(&self) -> u16";
        assert_eq!(silent(&[same[0], old, wider]), [""; 0]);
        // A new item of an old type needs an entry of its own.
        let new = "pub fn tabiya::Board::new(&self)";
        assert_eq!(silent(&[same[0], old, typed, new]), [format!("+ {new}")]);
    }

    #[test]
    fn a_new_type_stands_for_what_it_has() {
        let kept: Vec<&str> = KEPT.lines().collect();
        let thing = "pub struct tabiya::Thing";
        let member = "pub fn tabiya::Thing::member(&self) -> tabiya::Board";
        assert_eq!(silent(&[&kept[..], &[thing, member]].concat()), [""; 0]);
        assert_eq!(silent(&[&kept[..], &[member]].concat()), [format!("+ {member}")]);
    }

    #[test]
    fn paths_are_found_in_lines() {
        let rust = |line| path(line, "::");
        assert_eq!(rust("pub const tabiya::Square::A1: tabiya::Square"), "tabiya::Square::A1");
        assert_eq!(rust("impl core::ops::BitAnd for tabiya::Bitboard"), "tabiya::Bitboard");
        assert_eq!(rust("pub mod tabiya"), "tabiya");
        assert_eq!(path("tabiya.Batch.planes(self, dtype: np.dtype)", "."), "tabiya.Batch.planes");
        assert_eq!(path("Position.play(move: string): Position;", "."), "Position.play");
        assert_eq!(path("perft(fen: string): bigint;", "."), "perft");
    }
}
