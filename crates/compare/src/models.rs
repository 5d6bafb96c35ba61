//! Models of counting errors: each predicts what a program with this error would print.

use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{Board, Move, MoveKind, MoveList, Position, Role};

use crate::class::Class;
use crate::truth;

/// The most leaf nodes of a count that is explained by counting its tree again in many wrong ways,
/// which nothing ends. Larger counts are wrong for a reason that smaller ones show as well.
pub(crate) const MOST_LEAVES: u128 = 300_000;

/// A wrong way to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Model {
    /// Some positions end the count.
    Ending(Ending),
    /// Positions from this ply on count in addition to the leaf nodes.
    InteriorFrom(u32),
    /// The last ply but one counts in addition to the last.
    LastTwo,
    /// One ply too few, or too many.
    Depth(i8),
    /// The last ply counts pseudo-legal moves.
    PseudoLeaves,
    /// Counts have this number of bits.
    Bits(u32),
    /// Some moves are generated twice.
    Twice(Group),
}

/// A group of moves that programs generate in two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Of(Role),
    StraightOf(Role),
    DiagonalOf(Role),
    DoublePushes,
    EnPassant,
    Castling,
    Promotions,
    PromotionsTo(Role),
    Captures,
    All,
}

impl Group {
    const ALL: [Self; 18] = [
        Self::Promotions,
        Self::PromotionsTo(Role::Queen),
        Self::PromotionsTo(Role::Rook),
        Self::PromotionsTo(Role::Bishop),
        Self::PromotionsTo(Role::Knight),
        Self::EnPassant,
        Self::Castling,
        Self::DoublePushes,
        Self::StraightOf(Role::Queen),
        Self::DiagonalOf(Role::Queen),
        Self::Of(Role::Queen),
        Self::Of(Role::Rook),
        Self::Of(Role::Bishop),
        Self::Of(Role::Knight),
        Self::Of(Role::Pawn),
        Self::Of(Role::King),
        Self::Captures,
        Self::All,
    ];

    fn has(self, position: &Position, mv: Move) -> bool {
        let is_straight = mv.from().file() == mv.to().file() || mv.from().rank() == mv.to().rank();
        match self {
            Self::Of(role) => position.role_of(mv) == role,
            Self::StraightOf(role) => position.role_of(mv) == role && is_straight,
            Self::DiagonalOf(role) => position.role_of(mv) == role && !is_straight,
            Self::DoublePushes => mv.kind() == MoveKind::DoublePush,
            Self::EnPassant => mv.is_en_passant(),
            Self::Castling => mv.castling().is_some(),
            Self::Promotions => mv.is_promotion(),
            Self::PromotionsTo(role) => mv.promotion() == Some(role),
            Self::Captures => mv.is_capture(),
            Self::All => true,
        }
    }

    /// The count of a program that generates the moves of this group twice.
    fn perft(self, position: &Position, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        let moves = position.legal_moves();
        let count = |mv| {
            let times = if self.has(position, mv) { 2 } else { 1 };
            times * if depth == 1 { 1 } else { self.perft(&position.play(mv), depth - 1) }
        };
        moves.into_iter().map(count).sum()
    }
}

/// A condition that ends a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ending {
    class: Class,
    end: End,
    /// The count of such a position.
    leaf: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Stuck,
    Stalemate,
    Checkmate,
    FiftyMoves,
    Bare,
}

impl End {
    fn is_at(self, position: &Position) -> bool {
        match self {
            Self::Stuck => !position.has_legal_move(),
            Self::Stalemate => position.is_stalemate(),
            Self::Checkmate => position.is_checkmate(),
            Self::FiftyMoves => position.halfmove_clock() >= 100,
            Self::Bare => is_bare(position.board()),
        }
    }
}

impl Model {
    /// The models that may explain a wrong count with this right one, the special models first.
    pub(crate) fn all(right: u128) -> impl Iterator<Item = Self> {
        let ends = [
            (Class::EndStalemate, End::Stuck, 1),
            (Class::EndStalemate, End::Stalemate, 1),
            (Class::EndStalemate, End::Checkmate, 1),
            (Class::EndFiftyMoves, End::FiftyMoves, 0),
            (Class::EndFiftyMoves, End::FiftyMoves, 1),
            (Class::EndBareKings, End::Bare, 0),
            (Class::EndBareKings, End::Bare, 1),
        ];
        let endings =
            ends.into_iter().map(|(class, end, leaf)| Self::Ending(Ending { class, end, leaf }));
        let models = endings.chain([
            Self::InteriorFrom(1),
            Self::InteriorFrom(0),
            Self::InteriorFrom(2),
            Self::LastTwo,
            Self::Depth(-1),
            Self::Depth(1),
            Self::Bits(32),
            Self::Bits(31),
            Self::Bits(16),
            Self::Bits(15),
            Self::Bits(8),
            Self::PseudoLeaves,
        ]);
        models.filter(move |model| right <= MOST_LEAVES || matches!(model, Self::Bits(_)))
    }

    /// The models of programs that generate some moves twice.
    pub(crate) fn all_twice() -> impl Iterator<Item = Self> {
        Group::ALL.into_iter().map(Self::Twice)
    }

    /// The first model that explains a wrong count in place of the right one.
    pub(crate) fn explaining(
        position: &Position,
        depth: u32,
        right: u128,
        got: u128,
    ) -> Option<Self> {
        if got == right {
            return None;
        }
        Self::all(right).find(|it| it.count_for(right, position, depth) == got)
    }

    /// The count of a program with this mistake.
    pub(crate) fn count(self, position: &Position, depth: u32) -> u128 {
        self.count_for(truth::perft(position, depth), position, depth)
    }

    /// The count of a program with this mistake, in place of the right one.
    pub(crate) fn count_for(self, right_count: u128, position: &Position, depth: u32) -> u128 {
        let right = |depth| truth::perft(position, depth);
        match self {
            Self::Ending(ending) => ending.perft(position, depth),
            Self::InteriorFrom(ply) => {
                right_count + (ply.min(depth)..depth).map(right).sum::<u128>()
            }
            Self::LastTwo => right_count + depth.checked_sub(1).map_or(0, right),
            // One ply less than depth 1 gives a count of 1, which proves nothing.
            Self::Depth(-1) if depth > 0 && right_count > 1 => right(depth - 1),
            Self::Depth(1) => right(depth + 1),
            Self::Depth(_) => right_count,
            Self::PseudoLeaves => pseudo_leaves(position, depth),
            Self::Bits(bits) => right_count & ((1 << bits) - 1),
            Self::Twice(group) => group.perft(position, depth),
        }
    }

    /// The sum of the counts below each move of a position.
    pub(crate) fn sum_below(self, position: &Position, depth: u32) -> u128 {
        let moves = position.legal_moves();
        moves.into_iter().map(|mv| self.count(&position.play(mv), depth - 1)).sum()
    }

    /// The class of the bug.
    pub(crate) const fn class(self) -> Class {
        match self {
            Self::Ending(ending) => ending.class,
            Self::InteriorFrom(_) | Self::LastTwo => Class::CountingInteriorNodes,
            Self::Depth(_) => Class::CountingDepth,
            Self::PseudoLeaves => Class::CountingLeaf,
            Self::Bits(_) => Class::CountingOverflow,
            Self::Twice(Group::Promotions | Group::PromotionsTo(_)) => Class::PromotionDuplicated,
            Self::Twice(_) => Class::DuplicatedMove,
        }
    }

    /// Does the error affect only some positions? If so, those positions are searched first.
    pub(crate) const fn is_special(self) -> bool {
        matches!(self, Self::Ending(_))
    }

    /// Does the error change most counts, so that other positions must confirm it?
    pub(crate) const fn is_general(self) -> bool {
        !matches!(self, Self::Ending(_) | Self::Bits(_))
    }
}

impl Ending {
    fn perft(self, position: &Position, depth: u32) -> u128 {
        if depth == 0 {
            return 1;
        }
        if self.end.is_at(position) {
            return self.leaf;
        }
        if depth == 1 {
            return position.count_legal() as u128;
        }
        let moves = position.legal_moves();
        moves.into_iter().map(|mv| self.perft(&position.play(mv), depth - 1)).sum()
    }
}

/// The count of a recursion whose last ply counts pseudo-legal moves.
pub(crate) fn pseudo_leaves(position: &Position, depth: u32) -> u128 {
    if depth <= 1 {
        return MoveList::of::<PseudoLegal<Legal>>(position).len() as u128;
    }
    let moves = position.legal_moves();
    moves.into_iter().map(|mv| pseudo_leaves(&position.play(mv), depth - 1)).sum()
}

/// Is the material insufficient for both sides, according to simple tests?
pub(crate) fn is_bare(board: &Board) -> bool {
    let minor = board.role(Role::Knight).len() + board.role(Role::Bishop).len();
    let others = [Role::Pawn, Role::Rook, Role::Queen].into_iter().any(|it| board.role(it).any());
    !others && minor <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_counts_of_the_start_position() {
        // 1 + 20 + 400 + 8902, the same without the root, and one ply too many.
        for (got, class) in [
            (9323, Class::CountingInteriorNodes),
            (9322, Class::CountingInteriorNodes),
            (9302, Class::CountingInteriorNodes),
            (400, Class::CountingDepth),
            (197_281, Class::CountingDepth),
            (8902 & 255, Class::CountingOverflow),
        ] {
            let model = Model::explaining(&Position::START, 3, 8902, got);
            assert_eq!(model.map(Model::class), Some(class), "{got}");
        }
        assert_eq!(Model::explaining(&Position::START, 3, 8902, 8902), None);
        assert_eq!(Model::explaining(&Position::START, 3, 8902, 8000), None);
    }

    /// Other models than an overflow would count for years.
    #[test]
    fn a_large_wrong_count_is_explained_without_counting() {
        let right = 62_854_969_236_701_747;
        let model = |got| Model::explaining(&Position::START, 12, right, got);
        assert_eq!(model(right & 0xffff_ffff), Some(Model::Bits(32)));
        assert_eq!(model(right + 1), None);
    }
}
