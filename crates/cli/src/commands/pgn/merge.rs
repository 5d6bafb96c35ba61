//! Many games in one tree.

use std::collections::HashMap;

use tabiya_pgn::{Comment, EditError, GameTree, NodeId, Placement, Termination};

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
    /// The tree is full.
    pub(super) fn add(&mut self, mut tree: GameTree) -> Result<(), EditError> {
        let ids: Vec<_> = tree.all().collect();
        for id in ids {
            for placement in [Placement::Before, Placement::After] {
                without_times(&mut tree, id, placement)?;
            }
        }
        if let Some(name) = name(&tree) {
            let end = tree.end();
            tree.add_comment(end, Placement::After, &name)?;
        }
        self.take(Sum { tree, is_alone: true })
    }

    /// Adds the trees of games that come after these.
    pub(super) fn merge(&mut self, other: Self) -> Result<(), EditError> {
        other.sums.into_iter().try_for_each(|sum| self.take(sum))
    }

    /// The trees, when all games are added.
    pub(super) fn into_trees(self) -> impl Iterator<Item = GameTree> {
        self.sums.into_iter().map(|sum| sum.tree)
    }

    fn take(&mut self, more: Sum) -> Result<(), EditError> {
        let start = more.tree.start();
        let key = format!("{:?} {}", start.castling_mode(), start.fen());
        let Some(&place) = self.places.get(&key) else {
            self.places.insert(key, self.sums.len());
            self.sums.push(more);
            return Ok(());
        };
        let sum = &mut self.sums[place];
        if std::mem::take(&mut sum.is_alone) {
            sum.tree = joined(&sum.tree)?;
        }
        let (sum, tree) = (&mut sum.tree, more.tree);
        sum.merge(&tree)?;
        // Only the tags that all games have in common remain.
        let differs = |(name, value): &(&str, &str)| tree.tag(name) != Some(value);
        let names: Vec<String> =
            sum.tags().filter(differs).map(|(name, _)| name.to_owned()).collect();
        for name in names {
            // Those of the start position are about the same position.
            let _ = sum.remove_tag(&name);
        }
        if sum.result() != tree.result() {
            sum.set_result(Termination::Unknown);
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
