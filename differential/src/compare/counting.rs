//! The counters of perft and of its categories.

use shakmaty::{Chess, Position as _, Role};
use tabiya_perft::Category;

use super::{COZY, Case, Comparer, EXPECTED, SHAKMATY};
use crate::answers::Answers;
use crate::kind::Kind;
use crate::peers;

impl<A: Answers> Comparer<'_, A> {
    /// Perft by each counter that this CPU runs, against the peer.
    pub(super) fn perft(&mut self, case: &Case<'_>, depth: u32) {
        let (peer, expected) = match (case.cozy, case.shakmaty) {
            (Some(board), _) => (COZY, peers::cozy::perft(board, depth)),
            (None, Some(chess)) => match perft(chess, depth) {
                Some(expected) => (SHAKMATY, expected),
                None => return,
            },
            (None, None) => return,
        };
        for &isa in &self.isas {
            let ours = self.answers.perft(isa, case.position, depth);
            self.record.equal(Kind::Perft, peer, ours, Some(expected), || {
                format!("perft to depth {depth} by {isa}")
            });
        }
    }

    /// Categories by each counter that this CPU runs, against games played by shakmaty.
    pub(super) fn categories(&mut self, case: &Case<'_>, depth: u32) {
        let Some(chess) = case.shakmaty else { return };
        let mut expected = [0; Category::ALL.len()];
        if add(chess, depth, &mut expected).is_none() {
            return;
        }
        for &isa in &self.isas {
            let found = self.answers.categories(isa, case.position, depth);
            for (category, expected) in Category::ALL.into_iter().zip(expected) {
                self.record.equal(Kind::Categories, SHAKMATY, found[category], expected, || {
                    format!("{} to depth {depth} by {isa}", category.key())
                });
            }
            let sum = [
                Category::KnightPromotions,
                Category::BishopPromotions,
                Category::RookPromotions,
                Category::QueenPromotions,
            ];
            let sum: u128 = sum.into_iter().map(|category| found[category]).sum();
            self.record.equal(Kind::Categories, EXPECTED, found[Category::Promotions], sum, || {
                format!("the sum of the promotions to depth {depth} by {isa}")
            });
        }
    }
}

/// The number of leaf nodes; nothing if shakmaty has no room for the moves of a node.
fn perft(position: &Chess, depth: u32) -> Option<u128> {
    if !peers::shakmaty::has_room(position) {
        return None;
    }
    let moves = position.legal_moves();
    if depth == 1 {
        return Some(moves.len() as u128);
    }
    moves.iter().map(|&mv| perft(&peers::shakmaty::after(position, mv), depth - 1)).sum()
}

/// Adds the leaf nodes of each category; nothing if shakmaty has no room.
fn add(position: &Chess, depth: u32, counts: &mut [u128; Category::ALL.len()]) -> Option<()> {
    if !peers::shakmaty::has_room(position) {
        return None;
    }
    for mv in position.legal_moves() {
        let after = peers::shakmaty::after(position, mv);
        if depth > 1 {
            add(&after, depth - 1, counts)?;
            continue;
        }
        if !peers::shakmaty::has_room(&after) {
            return None;
        }
        let checkers = after.checkers();
        let number = checkers.count();
        let moved_gives_check = match mv.castling_side() {
            // King and rook have both moved.
            Some(side) => {
                let turn = position.turn();
                checkers.contains(side.rook_to(turn)) || checkers.contains(side.king_to(turn))
            }
            None => checkers.contains(mv.to()),
        };
        let (is_check, is_stuck) = (number > 0, after.legal_moves().is_empty());
        let discovered = number == 1 && !moved_gives_check;
        let direct_discovered = number > 1 && moved_gives_check;
        let double_discovered = number > 1 && !moved_gives_check;
        for (count, category) in counts.iter_mut().zip(Category::ALL) {
            *count += u128::from(match category {
                Category::Captures => mv.is_capture(),
                Category::EnPassant => mv.is_en_passant(),
                Category::Castles => mv.is_castle(),
                Category::Promotions => mv.is_promotion(),
                Category::KnightPromotions => mv.promotion() == Some(Role::Knight),
                Category::BishopPromotions => mv.promotion() == Some(Role::Bishop),
                Category::RookPromotions => mv.promotion() == Some(Role::Rook),
                Category::QueenPromotions => mv.promotion() == Some(Role::Queen),
                Category::Checks => is_check,
                Category::Discovered => discovered,
                Category::DirectDiscovered => direct_discovered,
                Category::DoubleDiscovered => double_discovered,
                Category::DoubleChecks => number > 1,
                Category::Checkmates => is_check && is_stuck,
                Category::DiscoveredMates => discovered && is_stuck,
                Category::DirectDiscoveredMates => direct_discovered && is_stuck,
                Category::DoubleDiscoveredMates => double_discovered && is_stuck,
                Category::Stalemates => !is_check && is_stuck,
            });
        }
    }
    Some(())
}
