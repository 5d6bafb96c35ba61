//! All classes that could describe an error. The first class that fits gives the error its name; the
//! others say which more general bugs would show in the same way.

use std::collections::BTreeSet;

use tabiya::{CastlingSide, File, Move, MoveKind, Position, Reason, Role, UciMove};

use super::after::{right_lost_by, special};
use super::extra::extra;
use super::missing::missing;
use crate::case::Case;
use crate::class::Class;
use crate::question::line;
use crate::reading::plain_uci;
use crate::truth::double_push_square;

/// The classes that could describe all wrong moves of a case, its own class included.
pub(crate) fn labels(case: &Case) -> BTreeSet<Class> {
    let here = case.position();
    let of_extra = case.extra.iter().filter_map(|text| Some(of_extra(&here, plain_uci(text)?)));
    let of_missing = case.missing.iter().map(|&mv| of_missing(&here, mv, &case.missing));
    let of_duplicated = case.duplicated.iter().map(|&mv| of_duplicated(mv));
    let of_moves = of_extra.chain(of_missing).chain(of_duplicated);
    let common = of_moves.reduce(|all, one| &all & &one).unwrap_or_default();
    let mut labels = if case.path.is_empty() { common } else { BTreeSet::new() };
    labels.extend(of_path(case));
    labels.extend(of_state(case.class));
    labels.insert(case.class);
    labels
}

/// The classes that could describe an illegal move.
fn of_extra(position: &Position, uci: UciMove) -> BTreeSet<Class> {
    let mut labels = BTreeSet::from([extra(position, uci)]);
    let board = position.board();
    let role = board.role_on(uci.from);
    for reason in position.explain(uci).reasons() {
        labels.extend(match reason {
            Reason::Pinned { .. } => &[Class::PinIgnored][..],
            Reason::CheckRemains { .. } => &[Class::CheckIgnored],
            Reason::DoubleCheck { .. } => &[Class::CheckDouble, Class::CheckIgnored],
            Reason::KingAttacked { to, .. } if board.occupied().has(*to) => {
                &[Class::KingIntoCheck, Class::KingTakesProtected]
            }
            Reason::KingAttacked { .. } => &[Class::KingIntoCheck],
            Reason::KingsAdjacent { .. } => &[Class::KingAdjacent, Class::KingIntoCheck],
            Reason::OwnPiece { .. } => &[Class::CaptureOwnPiece],
            Reason::CastlingInCheck { .. } => &[Class::CastlingOutOfCheck, Class::CheckIgnored],
            Reason::CastlingInto { .. } => &[Class::CastlingIntoCheck, Class::KingIntoCheck],
            Reason::CastlingThrough { .. } => &[Class::CastlingThroughCheck],
            Reason::CastlingBlocked { .. } => &[Class::CastlingThroughPieces],
            Reason::CastlingRight { .. } => &[Class::CastlingWithoutRight],
            Reason::NotEnPassant { .. } => &[Class::EnPassantStale, Class::PawnCaptureEmpty],
            Reason::EnPassantUncovers { .. } => &[Class::EnPassantPin],
            Reason::NothingToCapture { .. } => &[Class::PawnCaptureEmpty],
            Reason::PromotionMissing { .. } => &[Class::PromotionMissing],
            Reason::Blocked { .. } if role != Some(Role::Pawn) => &[Class::SliderPassesThrough],
            _ => &[],
        });
    }
    labels
}

/// The classes that could describe a legal move that is not listed.
fn of_missing(position: &Position, mv: Move, all: &[Move]) -> BTreeSet<Class> {
    let mut labels = BTreeSet::from([missing(position, mv, all)]);
    let role = position.role_of(mv);
    if let Some(side) = mv.castling() {
        let us = position.turn();
        let attacked =
            |square| position.board().attackers_to(square).meets(position.board().color(!us));
        labels.insert(Class::CastlingMissing);
        let rook = position.castling_rights().rook(us, side, position.king(us));
        if rook.is_some_and(attacked) {
            labels.insert(Class::CastlingRookAttacked);
        }
        let b_file = tabiya::Square::new(File::B, us.back_rank());
        if side == CastlingSide::Queen && attacked(b_file) {
            labels.insert(Class::CastlingBFileAttacked);
        }
        return labels;
    }
    labels.insert(match role {
        Role::King => Class::KingMissing,
        Role::Knight => Class::KnightMissing,
        Role::Pawn if mv.is_en_passant() => Class::EnPassantMissing,
        Role::Pawn if mv.kind() == MoveKind::DoublePush => Class::PawnDoublePushMissing,
        Role::Pawn => Class::PawnMissing,
        _ => Class::SliderShort,
    });
    if mv.is_promotion() {
        labels.extend([Class::PromotionMissing, Class::PromotionRole]);
        if mv.is_capture() {
            labels.insert(Class::PromotionCapture);
        }
    }
    if mv.is_en_passant()
        && [mv.from(), mv.to()].iter().any(|it| matches!(it.file(), File::A | File::H))
    {
        labels.insert(Class::EnPassantEdge);
    }
    if position.is_check() && role != Role::King {
        labels.insert(Class::CheckEvasionMissing);
    }
    if position.pinned().has(mv.from()) {
        labels.insert(Class::PinTooStrict);
    }
    labels
}

/// The classes that could describe a move that is listed more than once.
fn of_duplicated(mv: Move) -> BTreeSet<Class> {
    let mut labels = BTreeSet::from([Class::DuplicatedMove]);
    if mv.is_promotion() {
        labels.insert(Class::PromotionDuplicated);
    }
    if mv.is_en_passant() {
        labels.extend([Class::PawnCaptureEmpty, Class::EnPassantOtherPiece]);
    }
    labels
}

/// The classes of the bugs that playing a move of the line could show.
fn of_path(case: &Case) -> BTreeSet<Class> {
    let line = line(&case.start, &case.path);
    let mut labels = BTreeSet::new();
    for (two, &mv) in line.windows(2).zip(&case.path) {
        labels.extend(special(&two[0], mv));
        let lost = right_lost_by(&two[0], &two[1], mv);
        labels.extend(lost);
        if lost == Some(Class::CastlingRightAfterPromotionCapture) {
            labels.insert(Class::CastlingRightAfterRookCapture);
        }
        if double_push_square(&two[0]).is_some() {
            labels.insert(Class::EnPassantStale);
        }
    }
    labels
}

/// The classes of bugs in the state that can look like this class. A damaged position can give any
/// count, and a wrong key shows only where two lines meet.
fn of_state(class: Class) -> &'static [Class] {
    match class {
        Class::CountingLeaf | Class::CountingInteriorNodes | Class::CountingDepth => {
            &[Class::StateUndo, Class::StateKey]
        }
        Class::StateKey | Class::StatePlay => &[Class::StateUndo],
        Class::StateOrder => &[Class::StateKey],
        // The move may be played wrongly only when it is a part of the question.
        Class::EnPassantPawnStays | Class::CastlingRookMisplaced => &[Class::StatePlay],
        _ => &[],
    }
}
