//! The tags of a game, in their order.

use std::ops::Range;

/// The tags of a game. Names may occur twice, as in files.
#[derive(Clone, Debug, Default)]
pub(super) struct Tags {
    /// The names and values, one after the other.
    text: String,
    /// For each tag, the range of its name and that of its value.
    ranges: Vec<(Range<usize>, Range<usize>)>,
}

impl Tags {
    pub(super) fn clear(&mut self) {
        self.text.clear();
        self.ranges.clear();
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let text = |range: &Range<usize>| &self.text[range.clone()];
        self.ranges.iter().map(move |(name, value)| (text(name), text(value)))
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.iter().find(|tag| tag.0 == name).map(|tag| tag.1)
    }

    pub(super) fn push(&mut self, name: &str, value: &str) {
        let begin = self.text.len();
        self.text.push_str(name);
        let middle = self.text.len();
        self.text.push_str(value);
        self.ranges.push((begin..middle, middle..self.text.len()));
    }

    /// Sets the first tag with this name, and removes others with it. A new tag is the last one.
    pub(super) fn set(&mut self, name: &str, value: &str) {
        let old = std::mem::take(self);
        let mut is_set = false;
        for (given, before) in old.iter() {
            if given != name {
                self.push(given, before);
            } else if !is_set {
                self.push(name, value);
                is_set = true;
            }
        }
        if !is_set {
            self.push(name, value);
        }
    }

    /// Removes the tags with this name. Was there one?
    pub(super) fn remove(&mut self, name: &str) -> bool {
        let old = std::mem::take(self);
        for (given, value) in old.iter().filter(|tag| tag.0 != name) {
            self.push(given, value);
        }
        old.ranges.len() > self.ranges.len()
    }
}
