//! Many games in one tree.

use std::collections::HashMap;

use tabiya_pgn::{Comment, EditError, GameTree, MAX_TOKEN, NodeId, Placement, WriteError};

use super::format;

/// A tree for each start position, in the order of the games.
#[derive(Debug, Default)]
pub(super) struct Merged {
    sums: Vec<Sum>,
    /// The place of the tree of a start position, as FEN with the notation of castling.
    places: HashMap<String, usize>,
}

/// Games with the same start position.
#[derive(Debug)]
struct Sum {
    tree: GameTree,
    /// Is it one game, as it is in its file?
    is_alone: bool,
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
        let error = |error: EditError| error.to_string();
        for id in ids {
            for placement in [Placement::Before, Placement::After] {
                without_times(&mut tree, id, placement).map_err(error)?;
            }
        }
        if let Some(name) = name(&tree) {
            let end = tree.end();
            tree.add_comment(end, Placement::After, &name).map_err(error)?;
        }
        self.take(Sum { tree, is_alone: true })
    }

    /// Adds the trees of games that come after these.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), String> {
        other.sums.into_iter().try_for_each(|sum| self.take(sum))
    }

    /// The trees, when all games are added.
    pub(super) fn into_trees(self) -> impl Iterator<Item = GameTree> {
        self.sums.into_iter().map(|sum| {
            let mut tree = sum.tree;
            // A null move of a variation may stand behind the last move of another game.
            if has_null_in_main_line(&tree)
                && let Some(end) = end_without_null(&tree)
            {
                tree.make_main_line(end);
            }
            tree
        })
    }

    fn take(&mut self, more: Sum) -> Result<(), String> {
        let start = more.tree.start();
        let key = format!("{:?} {}", start.castling_mode(), start.fen());
        let Some(&place) = self.places.get(&key) else {
            self.places.insert(key, self.sums.len());
            self.sums.push(more);
            return Ok(());
        };
        let sum = &mut self.sums[place];
        if std::mem::take(&mut sum.is_alone) {
            sum.tree = joined(&sum.tree).map_err(|error| error.to_string())?;
        }
        let (sum, tree) = (&mut sum.tree, more.tree);
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

/// Removes the times from the comments in one place.
fn without_times(tree: &mut GameTree, id: NodeId, placement: Placement) -> Result<(), EditError> {
    let comments: Vec<String> = match placement {
        Placement::Before => tree.comments_before(id).map(str::to_owned).collect(),
        Placement::After => tree.comments(id).map(str::to_owned).collect(),
    };
    if comments.iter().any(|text| text.contains("[%")) {
        tree.remove_comments(id, placement);
        for text in &comments {
            let text = Comment::new(text.as_bytes()).without(&["clk", "emt"]);
            tree.add_comment(id, placement, &text)?;
        }
    }
    Ok(())
}

/// The same game with each move once at its place. Otherwise every game that is merged would be
/// compared with all of its equal variations.
fn joined(game: &GameTree) -> Result<GameTree, EditError> {
    let mut tree = game.clone();
    tree.delete_below(NodeId::ROOT);
    tree.compact();
    tree.merge(game)?;
    Ok(tree)
}

/// Writes a merged tree as one game.
///
/// # Errors
/// It would not be read again.
pub(super) fn write(tree: &GameTree, out: &mut Vec<u8>) -> Result<(), String> {
    if has_null_in_main_line(tree) {
        return Err("every line has a null move".to_owned());
    }
    format::write_pgn(tree, out)
}

/// Does the main line contain a null move? No legal game has one there.
fn has_null_in_main_line(tree: &GameTree) -> bool {
    tree.main_line(NodeId::ROOT).any(|id| tree.is_null(id))
}

/// The end of the first line without a null move.
fn end_without_null(tree: &GameTree) -> Option<NodeId> {
    let mut open = vec![NodeId::ROOT];
    while let Some(id) = open.pop() {
        if tree.next(id).is_none() {
            return Some(id);
        }
        let from = open.len();
        open.extend(tree.children(id).filter(|&child| !tree.is_null(child)));
        open[from..].reverse();
    }
    None
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

/// The most characters of a tag in the name of a game or in a message.
const MAX_PART: usize = 200;

/// The start of a text.
pub(super) fn shortened(text: &str) -> String {
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
