//! Many games in one tree.

use std::collections::HashMap;

use tabiya_pgn::{GameTree, Placement};

/// A tree for each start position, in the order of the games.
#[derive(Debug, Default)]
pub(super) struct Merged {
    trees: Vec<GameTree>,
    /// The place of the tree of a start position, as FEN with the notation of castling.
    places: HashMap<String, usize>,
}

impl Merged {
    /// Adds a game. A comment at its end names it; times are left out, since each game has others.
    pub(super) fn add(&mut self, mut tree: GameTree) -> Result<(), String> {
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

/// The name of a game: players, event, year and result, as far as they are known.
fn name(tree: &GameTree) -> Option<String> {
    let known = |name| tree.tag(name).filter(|value| !matches!(*value, "" | "?"));
    if known("White").is_none() && known("Black").is_none() {
        return None;
    }
    let player = |name| known(name).unwrap_or("?");
    let mut text = format!("{} - {}", player("White"), player("Black"));
    let year = known("Date").and_then(|date| date.split('.').next());
    for part in [known("Event"), year.filter(|year| *year != "????")].into_iter().flatten() {
        text.push_str(", ");
        text.push_str(part);
    }
    text.push_str(", ");
    text.push_str(tree.result().as_str());
    Some(text)
}
