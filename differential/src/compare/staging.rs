//! The kinds of moves of staged generation, against their definitions.

use shakmaty::{Position as _, Role, attacks};
use tabiya::{Move, MoveList};

use super::{Agreed, Case, Comparer, SHAKMATY};
use crate::answers::{Answers, Stage};
use crate::kind::Kind;
use crate::peers;

impl<A: Answers> Comparer<'_, A> {
    /// Compares each kind with the legal moves of shakmaty that belong to it by definition.
    pub(super) fn move_kinds(&mut self, case: &Case<'_>) {
        let Some(before) = case.shakmaty else { return };
        let (answers, record) = (self.answers, &mut self.record);
        let their_king = before.board().king_of(!before.turn());
        let described: Vec<(Move, Described)> = case
            .agreed
            .iter()
            .filter_map(|&Agreed { mv, theirs, .. }| {
                let theirs = theirs?;
                let is_promotion = theirs.is_promotion();
                let is_knight = theirs.promotion() == Some(Role::Knight);
                let attacks = attacks::knight_attacks(theirs.to());
                let described = Described {
                    is_capture: match theirs.promotion() {
                        Some(role) => role == Role::Queen,
                        None => theirs.is_capture(),
                    },
                    can_be_quiet_check: !is_promotion
                        || is_knight && their_king.is_some_and(|king| attacks.contains(king)),
                    gives_check: peers::shakmaty::after(before, theirs).is_check(),
                };
                Some((mv, described))
            })
            .collect();
        let is_check = before.is_check();
        let generator = case.position.generator();
        for stage in Stage::ALL {
            let belongs = |it: &Described| match stage {
                Stage::Legal | Stage::NonEvasions => true,
                Stage::Captures => it.is_capture,
                Stage::Quiets => !it.is_capture,
                Stage::QuietChecks => !it.is_capture && it.can_be_quiet_check && it.gives_check,
                Stage::Evasions => is_check,
            };
            let members = described.iter().filter(|(_, described)| belongs(described));
            let expected = sorted(members.map(|&(mv, _)| mv));
            let of_list = |list: &MoveList| sorted(list.iter().copied());
            let ours = of_list(&answers.moves(case.position, stage));
            record
                .equal(Kind::MoveKinds, SHAKMATY, ours, expected.clone(), || format!("{stage:?}"));
            // The pseudo-legal moves that are legal.
            let pseudo_legal = answers.pseudo_legal_moves(case.position, stage);
            let is_legal = |mv: &Move| described.iter().any(|(legal, _)| legal == mv);
            let kept = sorted(pseudo_legal.iter().copied().filter(is_legal));
            record.equal(Kind::MoveKinds, SHAKMATY, kept, expected.clone(), || {
                format!("the legal moves among the pseudo-legal {stage:?}")
            });
            let allowed = |mv: &Move| generator.allows(*mv);
            let kept = sorted(pseudo_legal.iter().copied().filter(allowed));
            record.equal(Kind::MoveKinds, SHAKMATY, kept, expected, || {
                format!("the allowed moves among the pseudo-legal {stage:?}")
            });
        }
    }
}

/// The properties of a move according to shakmaty.
struct Described {
    /// Is it among the captures? These include promotions to a queen, and no other promotions.
    is_capture: bool,
    /// Is it among the quiet checks if it gives check? Promotions are not, except to a knight that
    /// gives check itself.
    can_be_quiet_check: bool,
    gives_check: bool,
}

fn sorted(moves: impl Iterator<Item = Move>) -> Vec<Move> {
    let mut moves: Vec<Move> = moves.collect();
    moves.sort_unstable_by_key(|mv| mv.bits());
    moves
}
