//! Many games in one tree.

use std::collections::HashMap;

use tabiya_pgn::{GameTree, MAX_TOKEN, NodeId, Placement, WriteError};

/// A tree for each start position, in the order of the games.
#[derive(Debug, Default)]
pub(super) struct Merged {
    trees: Vec<GameTree>,
    /// The place of the tree of a start position, as FEN with the notation of castling.
    places: HashMap<String, usize>,
}

impl Merged {
    /// Adds a game. A comment at its end names it; times are left out, since each game has others.
    ///
    /// # Errors
    /// The game cannot be written, or the tree is full.
    pub(super) fn add(&mut self, mut tree: GameTree) -> Result<(), String> {
        if is_too_long(&tree) {
            // The tree of all games could not be written either.
            return Err(WriteError::TooLong.to_string());
        }
        let ids: Vec<_> = tree.all().collect();
        let error = |error: tabiya_pgn::EditError| error.to_string();
        for id in ids {
            for command in ["clk", "emt"] {
                if tree.comments(id).any(|text| text.contains("[%")) {
                    tree.set_command(id, command, None).map_err(error)?;
                }
            }
        }
        if let Some(name) = name(&tree) {
            let end = tree.end();
            tree.add_comment(end, Placement::After, &name).map_err(error)?;
        }
        self.take(tree)
    }

    /// Adds the trees of games that come after these.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), String> {
        other.trees.into_iter().try_for_each(|tree| self.take(tree))
    }

    pub(super) fn trees(&self) -> &[GameTree] {
        &self.trees
    }

    fn take(&mut self, tree: GameTree) -> Result<(), String> {
        let start = tree.start();
        let key = format!("{:?} {}", start.castling_mode(), start.fen());
        let Some(&place) = self.places.get(&key) else {
            self.places.insert(key, self.trees.len());
            self.trees.push(tree);
            return Ok(());
        };
        let sum = &mut self.trees[place];
        sum.merge(&tree).map_err(|error| error.to_string())?;
        // Only the tags that all games have in common remain.
        let differs = |(name, value): &(&str, &str)| tree.tag(name) != Some(value);
        let names: Vec<String> =
            sum.tags().filter(differs).map(|(name, _)| name.to_owned()).collect();
        for name in names {
            // Those of the start position are about the same position.
            let _ = sum.remove_tag(&name);
        }
        if sum.result() != tree.result() {
            sum.set_result(tabiya_pgn::Termination::Unknown);
        }
        Ok(())
    }
}

/// Is a comment or a tag longer than a token may be? Text in Latin-1 is longer in a tree than in
/// its file.
fn is_too_long(tree: &GameTree) -> bool {
    let is_long = |text: &str| text.len() >= MAX_TOKEN;
    let has_long = |id: NodeId| tree.comments(id).chain(tree.comments_before(id)).any(is_long);
    let is_escaped = |byte: &u8| matches!(byte, b'"' | b'\\');
    let tag_len = |(name, value): (&str, &str)| {
        name.len() + value.len() + value.bytes().filter(is_escaped).count() + "[ \"\"]".len()
    };
    tree.tags().map(tag_len).any(|len| len > MAX_TOKEN) || tree.all().any(has_long)
}

/// The most characters of a tag in the name of a game.
const MAX_PART: usize = 200;

/// The start of a text.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_PART) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The name of a game: players, event, year and result, as far as they are known.
fn name(tree: &GameTree) -> Option<String> {
    let known = |name| tree.tag(name).filter(|value| !matches!(*value, "" | "?"));
    if known("White").is_none() && known("Black").is_none() {
        return None;
    }
    let player = |name| shortened(known(name).unwrap_or("?"));
    let mut text = format!("{} - {}", player("White"), player("Black"));
    let year = known("Date").and_then(|date| date.split('.').next());
    for part in [known("Event"), year.filter(|year| *year != "????")].into_iter().flatten() {
        text.push_str(", ");
        text.push_str(&shortened(part));
    }
    text.push_str(", ");
    text.push_str(tree.result().as_str());
    Some(text)
}
