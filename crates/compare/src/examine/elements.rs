//! Elementary positions for programs that print totals and play no moves. Each position shows one
//! rule, and so tells the class of a bug. The general rules come first.

use std::collections::BTreeMap;

use tabiya::Position;

use super::examiner::Examiner;
use crate::class::Class;
use crate::question::query;
use crate::truth;

/// A position for one rule, with the class of the bug if moves are missing, and the class if there
/// are extra moves.
struct Element {
    fen: &'static str,
    missing: Option<Class>,
    extra: Option<Class>,
}

macro_rules! elements {
    ($($fen:literal - $missing:ident + $extra:ident;)*) => {
        &[$(Element { fen: $fen, missing: class!($missing), extra: class!($extra) },)*]
    };
}

macro_rules! class {
    (None) => {
        None
    };
    ($class:ident) => {
        Some(Class::$class)
    };
}

/// The positions, with the class for too few moves and the class for too many.
const ELEMENTS: &[Element] = elements! {
    // A single piece.
    "7k/8/8/8/3K4/8/8/8 w - - 0 1" - KingMissing + LeaperWrong;
    "7k/8/8/8/8/8/8/K7 w - - 0 1" - KingMissing + KnightWrap;
    "7k/8/8/8/3N4/8/8/K7 w - - 0 1" - KnightMissing + LeaperWrong;
    "7k/8/8/8/7N/8/8/K7 w - - 0 1" - KnightMissing + KnightWrap;
    "7k/8/8/N7/8/8/8/6K1 w - - 0 1" - KnightMissing + KnightWrap;
    "7k/8/8/8/3R4/8/8/K7 w - - 0 1" - SliderShort + SliderDirection;
    "8/8/k7/8/7R/8/8/K7 w - - 0 1" - SliderShort + SliderWrap;
    "k7/8/8/8/8/8/K7/7R w - - 0 1" - SliderShort + SliderWrap;
    "8/7k/8/8/3B4/8/8/1K6 w - - 0 1" - SliderShort + SliderDirection;
    "8/k7/8/7B/8/8/K7/8 w - - 0 1" - SliderShort + SliderWrap;
    "8/k7/8/8/8/8/K7/7B w - - 0 1" - SliderShort + SliderWrap;
    "8/8/7k/8/3Q4/8/8/K7 w - - 0 1" - SliderShort + DuplicatedMove;
    // Blockers.
    "7k/8/8/3n4/3R4/8/8/K7 w - - 0 1" - SliderShort + SliderPassesThrough;
    "8/7k/8/4n3/3B4/8/8/1K6 w - - 0 1" - SliderShort + SliderPassesThrough;
    "7k/8/8/3N4/3R4/8/8/K7 w - - 0 1" - SliderShort + CaptureOwnPiece;
    "7k/8/4N3/8/3N4/8/8/K7 w - - 0 1" - KnightMissing + CaptureOwnPiece;
    // Pawns.
    "7k/8/8/3K4/3P4/8/8/8 w - - 0 1" - KingMissing + PawnCaptureEmpty;
    "7k/8/8/8/3P4/8/8/K7 w - - 0 1" - PawnMissing + PawnDoublePushRank;
    "7k/8/8/8/8/3P4/8/K7 w - - 0 1" - PawnMissing + PawnDoublePushRank;
    "7k/8/8/3p4/3P4/8/8/K7 w - - 0 1" - KingMissing + PawnPushBlocked;
    "7k/8/8/8/8/8/3P4/K7 w - - 0 1" - PawnDoublePushMissing + PawnCaptureEmpty;
    "7k/3p4/8/8/8/8/8/K7 b - - 0 1" - PawnDoublePushMissing + PawnCaptureEmpty;
    "7k/8/8/8/8/3n4/3P4/7K w - - 0 1" - KingMissing + PawnDoublePushJumps;
    "7k/8/8/2n1n3/3P4/8/8/K7 w - - 0 1" - PawnMissing + PawnWrap;
    "7k/8/8/7n/6P1/8/8/K7 w - - 0 1" - PawnMissing + PawnWrap;
    "7k/8/8/n7/1P6/8/8/7K w - - 0 1" - PawnMissing + PawnWrap;
    "7k/8/n7/8/7P/8/8/K7 w - - 0 1" - PawnMissing + PawnWrap;
    "7k/8/8/8/P6n/8/8/K7 w - - 0 1" - PawnMissing + PawnWrap;
    // Promotions. Wrong roles are told apart below.
    "8/3P4/7k/8/8/8/8/K7 w - - 0 1" - PromotionMissing + PromotionDuplicated;
    "2nn4/3P4/7k/8/8/8/8/K7 w - - 0 1" - PromotionCapture + PromotionDuplicated;
    "3r3K/4P3/8/8/8/8/8/k7 w - - 0 1" - PromotionEvasion + CheckIgnored;
    // The safety of the king.
    "3r3k/8/8/8/8/8/8/4K3 w - - 0 1" - KingMissing + KingIntoCheck;
    "7k/8/b7/8/8/8/8/4K3 w - - 0 1" - KingMissing + KingIntoCheck;
    "7k/8/8/8/2n5/8/8/4K3 w - - 0 1" - KingMissing + KingIntoCheck;
    "7k/8/8/8/8/3p4/8/4K3 w - - 0 1" - KingMissing + KingIntoCheck;
    "8/8/8/3k4/8/3K4/8/8 w - - 0 1" - KingMissing + KingAdjacent;
    "7k/8/8/8/1b6/8/3n4/4K3 w - - 0 1" - KingMissing + KingTakesProtected;
    "4k3/8/8/8/8/8/8/4K2r w - - 0 1" - KingMissing + KingXRay;
    // Pins.
    "4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1" - PinTooStrict + PinIgnored;
    "6k1/8/8/b7/8/2B5/8/4K3 w - - 0 1" - PinTooStrict + PinIgnored;
    "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1" - KingMissing + PinKnight;
    // Checks.
    "4r2k/8/8/8/8/8/8/N3K3 w - - 0 1" - KingMissing + CheckIgnored;
    "4r2k/8/8/8/8/8/8/4K1N1 w - - 0 1" - CheckEvasionMissing + CheckIgnored;
    "R3r2k/8/8/8/8/8/8/4K3 w - - 0 1" - CheckEvasionMissing + CheckIgnored;
    "7k/8/8/8/K6r/8/2P5/8 w - - 0 1" - CheckPush + CheckIgnored;
    "4r2k/8/8/8/8/3n4/1N6/4K3 w - - 0 1" - KingMissing + CheckDouble;
    // Castling.
    "k7/8/8/8/8/8/8/4K2R w K - 0 1" - CastlingMissing + None;
    "7k/8/8/8/8/8/8/R3K3 w Q - 0 1" - CastlingMissing + None;
    "k7/8/8/8/8/8/8/4K2R w - - 0 1" - None + CastlingWithoutRight;
    "7k/8/8/8/8/8/8/R3K3 w - - 0 1" - None + CastlingWithoutRight;
    "k3r3/8/8/8/8/8/8/4K2R w K - 0 1" - None + CastlingOutOfCheck;
    "k4r2/8/8/8/8/8/8/4K2R w K - 0 1" - None + CastlingThroughCheck;
    "k5r1/8/8/8/8/8/8/4K2R w K - 0 1" - None + CastlingIntoCheck;
    "k7/8/8/8/8/8/8/4KB1R w K - 0 1" - None + CastlingThroughPieces;
    "k7/8/8/8/8/8/8/4K1NR w K - 0 1" - None + CastlingThroughPieces;
    "7k/8/8/8/8/8/8/R2NK3 w Q - 0 1" - None + CastlingThroughPieces;
    "7k/8/8/8/8/8/8/RN2K3 w Q - 0 1" - None + CastlingBFileOccupied;
    "1r5k/8/8/8/8/8/8/R3K3 w Q - 0 1" - CastlingBFileAttacked + None;
    "r6k/8/8/8/8/8/8/R3K3 w Q - 0 1" - CastlingRookAttacked + None;
    "k6r/8/8/8/8/8/8/4K2R w K - 0 1" - CastlingRookAttacked + None;
    // En passant.
    "7k/8/8/3pP3/8/8/8/K7 w - d6 0 1" - EnPassantMissing + None;
    "7k/8/8/pP6/8/8/8/K7 w - a6 0 1" - EnPassantEdge + None;
    "7k/8/8/6Pp/8/8/8/K7 w - h6 0 1" - EnPassantEdge + None;
    "7k/8/8/3pP3/4K3/8/8/8 w - d6 0 1" - EnPassantEvasion + None;
    "8/8/8/KPp4r/8/8/8/7k w - c6 0 1" - None + EnPassantPinRank;
    "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1" - None + EnPassantPin;
    "6kb/8/8/3pP3/8/2K5/8/8 w - d6 0 1" - None + EnPassantPin;
};

impl Examiner<'_> {
    /// The class of the first elementary position that is counted wrongly, among the classes that
    /// could explain a wrong count here.
    pub(super) fn elementary_class(&mut self, here: &Position, got: u128) -> Option<Class> {
        let more = got > here.count_legal() as u128;
        if self.memory.elements.is_none() {
            let wrong = self.ask_elements();
            self.memory.elements = Some(wrong);
        }
        let possible: BTreeMap<Class, u128> = if more {
            crate::classify::extra_candidates(here)
        } else {
            crate::classify::missing_candidates(here)
        };
        let wrong = self.memory.elements.as_ref()?;
        let of_sign = || wrong.iter().filter(|(_, is_more)| *is_more == more).map(|it| it.0);
        let explains = of_sign().find(|class| possible.contains_key(class));
        let class = explains.or_else(|| of_sign().next())?;
        // If a general rule is broken, the special case is not named.
        let general = of_sign().find(|it| match class {
            Class::CheckDouble => *it == Class::CheckIgnored,
            Class::PinKnight => *it == Class::PinIgnored,
            Class::PromotionCapture | Class::PromotionEvasion | Class::PromotionDuplicated => {
                matches!(it, Class::PromotionMissing | Class::PromotionRole)
            }
            _ => matches!(it, Class::WrongSide | Class::CountingTotal),
        });
        general.or(Some(class))
    }

    /// The classes of the elementary positions that are counted wrongly. The flag says whether the
    /// count is too large.
    fn ask_elements(&mut self) -> Vec<(Class, bool)> {
        let mut wrong = Vec::new();
        for element in ELEMENTS {
            let position = Position::from_fen(element.fen).expect("the position is playable");
            let right = position.count_legal() as u128;
            let Ok(got) = self.session.count(&query(&position, &[], 1)) else { continue };
            let class = if got > right { element.extra } else { element.missing };
            let Some(class) = class.filter(|_| got != right) else { continue };
            let class = match class {
                Class::PromotionMissing | Class::PromotionDuplicated | Class::PromotionCapture => {
                    self.promotion_class(class, &position, right, got)
                }
                Class::EnPassantMissing if self.captures_after_push() => {
                    Class::EnPassantFieldIgnored
                }
                // The surplus equals the number of the opponent's moves.
                Class::LeaperWrong if got == right + 3 && wrong.is_empty() => Class::WrongSide,
                class => class,
            };
            wrong.push((class, got > right));
        }
        if wrong.len() * 5 > ELEMENTS.len() * 4 {
            // If nearly every count is wrong, the lists are not to blame.
            let is_more = wrong[0].1;
            wrong.insert(0, (Class::CountingTotal, is_more));
        }
        wrong
    }

    /// Tells a wrong role from missing and duplicated promotions: the counts one ply deeper differ.
    fn promotion_class(
        &mut self,
        class: Class,
        position: &Position,
        right: u128,
        got: u128,
    ) -> Class {
        let promotions: Vec<_> =
            position.legal_moves().into_iter().filter(|mv| mv.is_promotion()).collect();
        let Some(&queen) = promotions.iter().find(|mv| mv.promotion() == Some(tabiya::Role::Queen))
        else {
            return class;
        };
        let of_queen = truth::perft(&position.play(queen), 1);
        let of_all: u128 = promotions.iter().map(|&mv| truth::perft(&position.play(mv), 1)).sum();
        let Ok(deeper) = self.session.count(&query(position, &[], 2)) else { return class };
        let right_deeper = truth::perft(position, 2);
        match (class, right.checked_sub(got), got.checked_sub(right)) {
            (Class::PromotionMissing, Some(1..=3), _)
                if deeper == right_deeper - of_all + of_queen =>
            {
                Class::PromotionRole
            }
            (Class::PromotionDuplicated, _, Some(1)) if deeper != right_deeper + of_queen => {
                Class::PromotionRole
            }
            _ => class,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_can_be_asked() {
        for element in ELEMENTS {
            let position = Position::from_fen(element.fen);
            let position = position.unwrap_or_else(|error| panic!("{}: {error}", element.fen));
            assert!(truth::is_reachable(&position), "{}", element.fen);
        }
    }
}
