//! Misspelt names.

/// The name that was probably meant, if one of them is near enough.
pub(crate) fn nearest<'a>(wrong: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = wrong.chars().count();
    let most = |name: &str| 1 + name.len() / 5;
    // The distance is at least the difference of the lengths, and takes long for a long text.
    let names = names.filter(|name| length.abs_diff(name.chars().count()) <= most(name));
    let (distance, name) = names.map(|name| (distance(wrong, name), name)).min()?;
    (distance <= most(name)).then_some(name)
}

/// The number of letters that must be added, removed or changed to turn one word into the other.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (index, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_words() {
        for (from, to, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("attcks", "attacks", 1),
            ("éa", "ea", 1),
            ("kitten", "sitting", 3),
        ] {
            assert_eq!(distance(from, to), expected, "{from} {to}");
        }
    }
}
