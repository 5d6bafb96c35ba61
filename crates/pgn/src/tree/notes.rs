//! Comments and glyphs, in one arena, with their text in one buffer.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};

use super::node::NONE;
use crate::Nag;

/// A comment or a glyph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Note<'t> {
    /// A comment before the move.
    Before(&'t str),
    /// A comment after the move.
    After(&'t str),
    Nag(Nag),
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Before,
    After,
    Nag(Nag),
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    kind: Kind,
    /// The next note of the same node; after the last one, the first.
    next: u32,
    begin: u32,
    len: u32,
}

/// The notes of all nodes. A node stores the number of its last note.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    entries: Vec<Entry>,
    text: String,
    /// The contents of long lists that were merged, by the last note of each.
    known: HashMap<u32, Known>,
}

/// The contents of a list, to find out whether it has a note without reading all of it.
#[derive(Clone, Debug, Default)]
struct Known {
    hasher: RandomState,
    /// A note for each hash. If two notes have the same hash, one of them is not found.
    ids: HashMap<u64, u32>,
}

/// Longer lists are indexed when they are merged.
const FEW: usize = 32;

/// There is no room for more text: a tree holds at most 4 GiB, and memory may end before.
#[derive(Clone, Copy, Debug)]
pub(super) struct Full;

impl Notes {
    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        self.known.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>() + self.text.len()
    }

    /// Adds a note after the last one, and makes it the last one.
    pub(super) fn add(&mut self, last: &mut u32, note: Note<'_>) -> Result<(), Full> {
        let (kind, text) = match note {
            Note::Before(text) => (Kind::Before, text),
            Note::After(text) => (Kind::After, text),
            Note::Nag(nag) => (Kind::Nag(nag), ""),
        };
        let small = |number: usize| u32::try_from(number).ok().filter(|&it| it < NONE).ok_or(Full);
        let id = small(self.entries.len())?;
        let begin = small(self.text.len())?;
        let len = small(text.len())?;
        self.text.try_reserve(text.len()).map_err(|_| Full)?;
        self.entries.try_reserve(1).map_err(|_| Full)?;
        if !self.known.is_empty() {
            self.known.remove(last);
        }
        self.text.push_str(text);
        let next = match self.entries.get_mut(*last as usize) {
            Some(entry) => std::mem::replace(&mut entry.next, id),
            None => id,
        };
        self.entries.push(Entry { kind, next, begin, len });
        *last = id;
        Ok(())
    }

    /// Adds the notes of a list of another tree that this list lacks.
    pub(super) fn add_missing(&mut self, last: &mut u32, more: List<'_>) -> Result<(), Full> {
        if self.list(*last).nth(FEW).is_none() {
            let is_new = |note: &Note<'_>| self.list(*last).all(|old| old != *note);
            let new: Vec<Note<'_>> = more.filter(is_new).collect();
            return new.into_iter().try_for_each(|note| self.add(last, note));
        }
        let mut known = self.known.remove(last).unwrap_or_else(|| self.index(*last));
        let hashed = more.map(|note| (known.hasher.hash_one(note), note));
        let is_known = |&(hash, note): &(u64, Note<'_>)| {
            known.ids.get(&hash).is_some_and(|&id| self.note(id) == note)
        };
        let new: Vec<(u64, Note<'_>)> = hashed.filter(|it| !is_known(it)).collect();
        for (hash, note) in new {
            self.add(last, note)?;
            known.ids.insert(hash, *last);
        }
        self.known.insert(*last, known);
        Ok(())
    }

    fn index(&self, last: u32) -> Known {
        let mut known = Known::default();
        let mut list = self.list(last);
        while let Some(id) = list.next {
            let Some(note) = list.next() else { break };
            known.ids.insert(known.hasher.hash_one(note), id);
        }
        known
    }

    fn note(&self, id: u32) -> Note<'_> {
        let entry = &self.entries[id as usize];
        let text = &self.text[entry.begin as usize..][..entry.len as usize];
        match entry.kind {
            Kind::Before => Note::Before(text),
            Kind::After => Note::After(text),
            Kind::Nag(nag) => Note::Nag(nag),
        }
    }

    /// Comments that were meant to stand before a move stand after the one that the list `last`
    /// belongs to.
    pub(super) fn append_as_after(&mut self, last: &mut u32, before: u32) {
        let Some(&Entry { next: first, .. }) = self.entries.get(before as usize) else { return };
        let mut at = first;
        loop {
            let entry = &mut self.entries[at as usize];
            if matches!(entry.kind, Kind::Before) {
                entry.kind = Kind::After;
            }
            if at == before {
                break;
            }
            at = entry.next;
        }
        self.append(last, before);
    }

    /// Adds another list, given by its last note, at the end of this one.
    pub(super) fn append(&mut self, last: &mut u32, more: u32) {
        let Some(&Entry { next: first, .. }) = self.entries.get(more as usize) else { return };
        self.known.clear();
        if let Some(entry) = self.entries.get_mut(*last as usize) {
            let begin = std::mem::replace(&mut entry.next, first);
            self.entries[more as usize].next = begin;
        }
        *last = more;
    }

    /// Removes notes from a list. Returns its last note.
    pub(super) fn retain(&mut self, last: u32, keep: impl Fn(&Note<'_>) -> bool) -> u32 {
        self.known.clear();
        let mut list = self.list(last);
        let mut kept = Vec::new();
        while let Some(id) = list.next {
            if list.next().is_some_and(|note| keep(&note)) {
                kept.push(id);
            }
        }
        for (index, &id) in kept.iter().enumerate() {
            self.entries[id as usize].next = kept[(index + 1) % kept.len()];
        }
        kept.last().copied().unwrap_or(NONE)
    }

    pub(super) fn list(&self, last: u32) -> List<'_> {
        let next = self.entries.get(last as usize).map(|entry| entry.next);
        List { notes: self, last, next }
    }
}

/// The notes of a node in their order.
#[derive(Clone, Debug)]
pub(super) struct List<'t> {
    notes: &'t Notes,
    last: u32,
    next: Option<u32>,
}

impl<'t> Iterator for List<'t> {
    type Item = Note<'t>;

    fn next(&mut self) -> Option<Note<'t>> {
        let id = self.next?;
        let next = self.notes.entries[id as usize].next;
        self.next = (id != self.last).then_some(next);
        Some(self.notes.note(id))
    }
}
