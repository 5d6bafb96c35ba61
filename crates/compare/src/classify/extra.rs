//! The class of an illegal move. It follows from the reasons why the move is illegal.

use tabiya::{File, Position, Reason, Role, Square, UciMove};

use crate::class::Class;
use crate::truth::{self, double_push_square};

/// Is one of these among the reasons?
macro_rules! has {
    ($reasons:ident, $($reason:ident)|+) => {
        $reasons.iter().any(|reason| matches!(reason, $(Reason::$reason { .. })|+))
    };
}

/// The class of an illegal move that a program lists.
pub(crate) fn extra(position: &Position, uci: UciMove) -> Class {
    let explanation = position.explain(uci);
    let reasons = explanation.reasons();
    let board = position.board();
    let Some(role) = board.role_on(uci.from) else { return Class::MoveExtra };
    if has!(reasons, OpponentsPiece) {
        return Class::WrongSide;
    }
    if let Some(class) = reasons.iter().find_map(|reason| castling(position, uci, reason)) {
        return class;
    }
    match role {
        Role::Pawn => pawn(position, uci, reasons),
        Role::King => king(position, uci, reasons),
        _ => knight_or_slider(uci, role, reasons),
    }
}

fn castling(position: &Position, uci: UciMove, reason: &Reason) -> Option<Class> {
    let is_chess960 = truth::is_chess960(position) && !position.to_setup().has_standard_castling();
    Some(match *reason {
        Reason::CastlingRight { .. } | Reason::CastlingRook { .. } => Class::CastlingWithoutRight,
        Reason::CastlingBlocked { by } => {
            let is_queen_side = uci.to < uci.from;
            if is_chess960 {
                Class::CastlingChess960Path
            } else if is_queen_side && by.square.file() == File::B {
                Class::CastlingBFileOccupied
            } else {
                Class::CastlingThroughPieces
            }
        }
        Reason::CastlingInCheck { .. } => Class::CastlingOutOfCheck,
        Reason::CastlingInto { .. } => Class::CastlingIntoCheck,
        Reason::CastlingThrough { .. } => Class::CastlingThroughCheck,
        Reason::CastlingRookPinned { .. } => Class::CastlingChess960Shield,
        _ => return None,
    })
}

fn pawn(position: &Position, uci: UciMove, reasons: &[Reason]) -> Class {
    let (from, to) = (uci.from, uci.to);
    let is_occupied = position.board().occupied().has(to);
    let is_double = from.file() == to.file() && rank_distance(from, to) == 2;
    let is_on_en_passant = double_push_square(position) == Some(to);
    let is_diagonal = from.file() != to.file();
    for reason in reasons {
        match *reason {
            Reason::EnPassantUncovers { king, by } => {
                return if king.rank() == by.square.rank() {
                    Class::EnPassantPinRank
                } else {
                    Class::EnPassantPin
                };
            }
            Reason::DoublePush { .. } => return Class::PawnDoublePushRank,
            Reason::PromotionMissing { .. } if is_diagonal => return Class::PromotionCapture,
            Reason::PromotionMissing { .. } => return Class::PromotionMissing,
            Reason::PromotionRole { .. } | Reason::NoPromotion { .. } => {
                return Class::PromotionRole;
            }
            Reason::NotEnPassant { .. } => return Class::EnPassantStale,
            _ => {}
        }
    }
    if file_distance(from, to) > 1 {
        return if is_on_en_passant { Class::EnPassantWrap } else { Class::PawnWrap };
    }
    if is_double && (is_occupied || has!(reasons, Blocked | OwnPiece)) {
        return Class::PawnDoublePushJumps;
    }
    if has!(reasons, OwnPiece) && is_diagonal {
        return Class::CaptureOwnPiece;
    }
    if !is_diagonal && is_occupied {
        return Class::PawnPushBlocked;
    }
    if has!(reasons, NothingToCapture) {
        return if is_on_en_passant { Class::EnPassantPin } else { Class::PawnCaptureEmpty };
    }
    if has!(reasons, CannotReach) {
        return Class::MoveExtra;
    }
    if has!(reasons, DoubleCheck) {
        return Class::CheckDouble;
    }
    if has!(reasons, Pinned) {
        return if is_on_en_passant && is_diagonal {
            Class::EnPassantPin
        } else {
            Class::PinIgnored
        };
    }
    if has!(reasons, CheckRemains) {
        return Class::CheckIgnored;
    }
    Class::MoveExtra
}

fn king(position: &Position, uci: UciMove, reasons: &[Reason]) -> Class {
    let (from, to) = (uci.from, uci.to);
    if file_distance(from, to) > 1 || rank_distance(from, to) > 1 {
        return if wraps(from, to, &[1, 7, 8, 9]) { Class::KnightWrap } else { Class::LeaperWrong };
    }
    for reason in reasons {
        match *reason {
            Reason::OwnPiece { .. } => return Class::CaptureOwnPiece,
            Reason::KingsAdjacent { .. } => return Class::KingAdjacent,
            Reason::KingAttacked { to, by } => {
                // The king hides the square from the slider.
                let is_hidden = !position.board().attacks_from(by.square).has(to);
                return if is_hidden {
                    Class::KingXRay
                } else if position.board().occupied().has(to) {
                    Class::KingTakesProtected
                } else {
                    Class::KingIntoCheck
                };
            }
            _ => {}
        }
    }
    Class::MoveExtra
}

fn knight_or_slider(uci: UciMove, role: Role, reasons: &[Reason]) -> Class {
    let (from, to) = (uci.from, uci.to);
    if uci.promotion.is_some() {
        return Class::PromotionRole;
    }
    if has!(reasons, CannotReach) {
        let is_aligned = from.file() == to.file()
            || from.rank() == to.rank()
            || file_distance(from, to) == rank_distance(from, to);
        return match role {
            Role::Knight if wraps(from, to, &[6, 10, 15, 17]) => Class::KnightWrap,
            Role::Knight => Class::LeaperWrong,
            _ if is_aligned => Class::SliderDirection,
            _ => Class::SliderWrap,
        };
    }
    if has!(reasons, OwnPiece) && !has!(reasons, Blocked) {
        return Class::CaptureOwnPiece;
    }
    if has!(reasons, Blocked) {
        return Class::SliderPassesThrough;
    }
    if has!(reasons, DoubleCheck) {
        return Class::CheckDouble;
    }
    if has!(reasons, Pinned) {
        return if role == Role::Knight { Class::PinKnight } else { Class::PinIgnored };
    }
    if has!(reasons, CheckRemains) {
        return Class::CheckIgnored;
    }
    Class::MoveExtra
}

fn file_distance(a: Square, b: Square) -> u8 {
    (a.file() as u8).abs_diff(b.file() as u8)
}

fn rank_distance(a: Square, b: Square) -> u8 {
    (a.rank() as u8).abs_diff(b.rank() as u8)
}

/// Do the numbers of the squares differ by a single step, although the squares are not one step
/// apart?
fn wraps(from: Square, to: Square, steps: &[u8]) -> bool {
    file_distance(from, to) > 2 && steps.contains(&(from as u8).abs_diff(to as u8))
}

#[cfg(test)]
mod tests {
    use tabiya::Reason;

    /// The reasons that have no rule here. A move that is illegal only for one of these reasons
    /// belongs to no special class.
    const WITHOUT_RULE: [&str; 6] = [
        "empty-square",
        "same-square",
        "castling-place",
        "castling-notation",
        "castling-letters",
        "wrong-kind",
    ];

    /// Each reason needs a rule, or a place in the list.
    #[test]
    fn every_reason_has_a_rule() {
        let source = include_str!("extra.rs");
        let rules = source.split("mod tests").next().unwrap_or_default();
        for name in Reason::NAMES {
            let variant: String = name.split('-').map(capitalised).collect();
            let has_rule =
                rules.split(|letter: char| !letter.is_alphanumeric()).any(|word| word == variant);
            assert_ne!(
                has_rule,
                WITHOUT_RULE.contains(name),
                "{name}: a rule, or a place in the list"
            );
        }
    }

    fn capitalised(word: &str) -> String {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    }
}
