//! The class of a legal move that is not listed. It follows from the facts of the position.

use tabiya::{CastlingSide, File, Move, MoveKind, Position, Role, Square};

use crate::class::Class;
use crate::truth;

/// The class of a legal move that a program does not list.
pub(crate) fn missing(position: &Position, mv: Move, all: &[Move]) -> Class {
    let role = position.role_of(mv);
    let is_check = position.is_check();
    let (from, to) = (mv.from(), mv.to());
    if let Some(side) = mv.castling() {
        return missing_castling(position, side);
    }
    if mv.is_en_passant() {
        let is_edge = [from, to].iter().any(|it| matches!(it.file(), File::A | File::H));
        return if is_check {
            Class::EnPassantEvasion
        } else if position.pinned().has(from) {
            Class::PinTooStrict
        } else if is_edge {
            Class::EnPassantEdge
        } else {
            Class::EnPassantMissing
        };
    }
    if mv.is_promotion() {
        let lost = all.iter().filter(|it| it.is_promotion() && it.from() == from && it.to() == to);
        return if lost.count() < 4 {
            Class::PromotionRole
        } else if is_check {
            Class::PromotionEvasion
        } else if position.pinned().has(from) {
            Class::PinTooStrict
        } else if mv.is_capture() {
            Class::PromotionCapture
        } else {
            Class::PromotionMissing
        };
    }
    if role == Role::King {
        return Class::KingMissing;
    }
    if is_check {
        let is_push = role == Role::Pawn && !mv.is_capture();
        return if is_push { Class::CheckPush } else { Class::CheckEvasionMissing };
    }
    if position.pinned().has(from) {
        return Class::PinTooStrict;
    }
    match role {
        Role::Pawn if mv.kind() == MoveKind::DoublePush => Class::PawnDoublePushMissing,
        Role::Pawn => Class::PawnMissing,
        Role::Knight => Class::KnightMissing,
        _ => Class::SliderShort,
    }
}

fn missing_castling(position: &Position, side: CastlingSide) -> Class {
    let us = position.turn();
    let king = position.king(us);
    let attacked =
        |square: Square| position.board().attackers_to(square).meets(position.board().color(!us));
    if truth::is_chess960(position) && !position.to_setup().has_standard_castling() {
        return Class::CastlingChess960Crossing;
    }
    let Some(rook) = position.castling_rights().rook(us, side, king) else {
        return Class::CastlingMissing;
    };
    let b_file = Square::new(File::B, king.rank());
    if side == CastlingSide::Queen && attacked(b_file) {
        Class::CastlingBFileAttacked
    } else if attacked(rook) {
        Class::CastlingRookAttacked
    } else {
        Class::CastlingMissing
    }
}
