//! The class of a bug that shows only after moves: a move is played wrongly.

use tabiya::{CastlingRights, CastlingSide, Move, Position, Role, Square, UciMove};

use super::extra::extra;
use crate::case::Diff;
use crate::class::Class;
use crate::models::MOST_LEAVES;
use crate::truth::{self, double_push_square};

/// The class of a move list that is wrong only after moves. `line` has the positions from the start
/// to the one with the wrong list, and `moves` has the moves between them.
pub(crate) fn after_moves(
    line: &[Position],
    moves: &[Move],
    extra_moves: &[UciMove],
    missing_moves: &[Move],
) -> Class {
    let position = line.last().expect("a line has a position");
    for &uci in extra_moves {
        match extra(position, uci) {
            Class::CastlingWithoutRight => {
                let us = position.turn();
                let side = CastlingSide::of(uci.from, uci.to);
                return lost_right(line, moves, us, side).unwrap_or(Class::CastlingRightCreated);
            }
            Class::EnPassantStale => return Class::EnPassantStale,
            Class::PawnCaptureEmpty | Class::EnPassantPin if stale_target(line, uci.to) => {
                return Class::EnPassantStale;
            }
            Class::EnPassantWrap => return Class::EnPassantWrap,
            _ => {}
        }
    }
    if missing_moves.iter().any(|mv| mv.castling().is_some()) && extra_moves.is_empty() {
        return Class::CastlingRightLost;
    }
    // The first move is the suspect: without it, the rest of the line is right.
    let other_piece = || {
        let mut later = moves.iter().enumerate().skip(1);
        let found = later.find_map(|(index, &mv)| special(&line[index], mv));
        found.filter(|it| *it == Class::EnPassantOtherPiece)
    };
    special(&line[0], moves[0])
        .or_else(|| right_lost_by(&line[0], &line[1], moves[0]))
        .or_else(other_piece)
        .unwrap_or(Class::StatePlay)
}

/// Do all wrong moves of a list go to the square that a double push has just crossed, and is none a
/// pawn's? Then other pieces capture en passant.
pub(crate) fn others_capture_en_passant(position: &Position, diff: &Diff) -> bool {
    let Some(square) = double_push_square(position) else { return false };
    let extra = diff.extra.iter().map(|told| told.uci().map(|uci| (uci.from, uci.to)));
    let moves = extra.chain(diff.duplicated.iter().map(|mv| Some((mv.from(), mv.to()))));
    let is_such = |(from, to)| to == square && position.board().role_on(from) != Some(Role::Pawn);
    diff.is_wrong()
        && diff.missing.is_empty()
        && moves.into_iter().all(|it| it.is_some_and(is_such))
}

/// The class of the bug that the nearest special move on a line may show.
pub(crate) fn special_in(line: &[Position], moves: &[Move]) -> Option<Class> {
    moves.iter().enumerate().rev().find_map(|(index, &mv)| special(&line[index], mv))
}

/// The class of the bug that playing a move of a special kind may show.
pub(super) fn special(before: &Position, mv: Move) -> Option<Class> {
    if mv.is_en_passant() {
        return Some(Class::EnPassantPawnStays);
    }
    if mv.castling().is_some() {
        return Some(Class::CastlingRookMisplaced);
    }
    if double_push_square(before) == Some(mv.to()) && before.role_of(mv) != Role::Pawn {
        return Some(Class::EnPassantOtherPiece);
    }
    if mv.is_promotion() {
        return Some(Class::PromotionRole);
    }
    None
}

/// The class of a count that is wrong below one move. Everything below the position after the move
/// is right if the program gets that position as a FEN.
pub(crate) fn after_play(
    before: &Position,
    mv: Move,
    depth: u32,
    expected: u128,
    got: u128,
) -> Class {
    let after = before.play(mv);
    if let Some(class) = special(before, mv) {
        return class;
    }
    if got > expected
        && let Some(class) = right_lost_by(before, &after, mv)
    {
        return class;
    }
    if got > expected && double_push_square(before).is_some() {
        return Class::EnPassantStale;
    }
    // Larger counts would take too long.
    let is_small = expected <= MOST_LEAVES;
    if is_small && got < expected && before.castling_rights() == after.castling_rights() {
        let rights = after.castling_rights();
        if !rights.is_empty()
            && without_rights(&after).is_some_and(|it| truth::perft(&it, depth) == got)
        {
            return Class::CastlingRightLost;
        }
    }
    Class::StatePlay
}

fn without_rights(position: &Position) -> Option<Position> {
    let mut setup = position.to_setup();
    setup.castling = CastlingRights::NONE;
    Position::from_setup(&setup).ok()
}

/// The class of the move that should have removed the right to castle, searched backwards.
fn lost_right(
    line: &[Position],
    moves: &[Move],
    us: tabiya::Color,
    side: CastlingSide,
) -> Option<Class> {
    moves.iter().enumerate().rev().find_map(|(index, &mv)| {
        let (before, after) = (&line[index], &line[index + 1]);
        let king = before.king(us);
        let had = before.castling_rights().rook(us, side, king)?;
        if after.castling_rights().rooks().has(had) {
            return None;
        }
        Some(right_lost(before, mv, had))
    })
}

/// The class of a move that has removed castling rights.
pub(crate) fn right_lost_by(before: &Position, after: &Position, mv: Move) -> Option<Class> {
    let lost = before.castling_rights().rooks() & !after.castling_rights().rooks();
    let captured = lost.has(mv.to()) && before.role_of(mv) != Role::King;
    let rook = if captured { mv.to() } else { lost.into_iter().next()? };
    Some(right_lost(before, mv, rook))
}

/// The class of a move that has removed the right to castle with this rook.
fn right_lost(before: &Position, mv: Move, rook: Square) -> Class {
    let is_captured = rook == mv.to() && mv.is_capture();
    match before.role_of(mv) {
        _ if is_captured && mv.is_promotion() => Class::CastlingRightAfterPromotionCapture,
        _ if is_captured => Class::CastlingRightAfterRookCapture,
        Role::King => Class::CastlingRightAfterKingMove,
        _ => Class::CastlingRightAfterRookMove,
    }
}

/// Was this square crossed by a double push before the last move?
fn stale_target(line: &[Position], to: Square) -> bool {
    line.iter().rev().skip(1).any(|it| double_push_square(it) == Some(to))
}
