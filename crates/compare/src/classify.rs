//! Names the class of a bug from one wrong move, or from one wrong count.
//!
//! The rules of chess are asked, not written again: the class of an extra move follows from the reasons
//! why it is illegal, the class of a missing one from the facts of the position.

use std::collections::BTreeMap;

use tabiya::{
    CastlingRights, CastlingSide, File, Move, MoveKind, Position, Reason, Role, Square, UciMove,
};

use crate::class::Class;
use crate::models::Model;
use crate::truth;

/// The class of an illegal move that a program lists.
pub(crate) fn extra(position: &Position, uci: UciMove) -> Class {
    let explanation = position.explain(uci);
    let reasons = explanation.reasons();
    let board = position.board();
    let has = |name: &str| reasons.iter().any(|reason| reason.name() == name);
    let Some(role) = board.role_on(uci.from) else { return Class::MoveExtra };
    if has("opponents-piece") {
        return Class::WrongSide;
    }
    if let Some(class) = reasons.iter().find_map(|reason| castling(position, uci, reason)) {
        return class;
    }
    match role {
        Role::Pawn => pawn(position, uci, reasons),
        Role::King => king(position, uci, reasons),
        _ => officer(position, uci, role, reasons),
    }
}

fn castling(position: &Position, uci: UciMove, reason: &Reason) -> Option<Class> {
    let is_chess960 = truth::is_chess960(position) && !position.to_setup().has_standard_castling();
    Some(match *reason {
        Reason::CastlingRight { .. } | Reason::CastlingRook { .. } => Class::CastlingWithoutRight,
        Reason::CastlingBlocked { by } => {
            let is_queen_side = uci.to < uci.from;
            if is_chess960 {
                Class::CastlingChess960
            } else if is_queen_side && by.square.file() == File::B {
                Class::CastlingBFileOccupied
            } else {
                Class::CastlingThroughPieces
            }
        }
        Reason::CastlingInCheck { .. } => Class::CastlingOutOfCheck,
        Reason::CastlingInto { .. } => Class::CastlingIntoCheck,
        Reason::CastlingThrough { .. } => Class::CastlingThroughCheck,
        Reason::CastlingRookPinned { .. } => Class::CastlingChess960,
        _ => return None,
    })
}

fn pawn(position: &Position, uci: UciMove, reasons: &[Reason]) -> Class {
    let (from, to) = (uci.from, uci.to);
    let has = |name: &str| reasons.iter().any(|reason| reason.name() == name);
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
    if is_double && (is_occupied || has("blocked") || has("own-piece")) {
        return Class::PawnDoublePushJumps;
    }
    if has("own-piece") && is_diagonal {
        return Class::CaptureOwnPiece;
    }
    if !is_diagonal && is_occupied {
        return Class::PawnPushBlocked;
    }
    if has("nothing-to-capture") {
        return if is_on_en_passant { Class::EnPassantPin } else { Class::PawnCaptureEmpty };
    }
    if has("cannot-reach") {
        return Class::MoveExtra;
    }
    if has("double-check") {
        return Class::CheckDouble;
    }
    if has("pinned") {
        return if is_on_en_passant && is_diagonal {
            Class::EnPassantPin
        } else {
            Class::PinIgnored
        };
    }
    if has("check-remains") {
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
                let is_capture = position.board().occupied().has(to);
                return if is_capture {
                    Class::KingTakesProtected
                } else if position.checkers().has(by.square) && is_slider(by.role) {
                    Class::KingXRay
                } else {
                    Class::KingIntoCheck
                };
            }
            _ => {}
        }
    }
    Class::MoveExtra
}

fn officer(position: &Position, uci: UciMove, role: Role, reasons: &[Reason]) -> Class {
    let (from, to) = (uci.from, uci.to);
    let has = |name: &str| reasons.iter().any(|reason| reason.name() == name);
    if uci.promotion.is_some() {
        return Class::PromotionRole;
    }
    if has("cannot-reach") {
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
    if has("own-piece") && !has("blocked") {
        return Class::CaptureOwnPiece;
    }
    if has("blocked") {
        return Class::SliderPassesThrough;
    }
    if has("double-check") {
        return Class::CheckDouble;
    }
    if has("pinned") {
        return if role == Role::Knight { Class::PinKnight } else { Class::PinIgnored };
    }
    if has("check-remains") {
        return Class::CheckIgnored;
    }
    let _ = position;
    Class::MoveExtra
}

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
        return Class::CastlingChess960;
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

/// The class of a move list that is wrong only after moves. `line` has the positions from the start to
/// the one with the wrong list, and `moves` the moves between them.
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
                if let Some(class) = lost_right(line, moves, us, side) {
                    return class;
                }
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
    // The nearest special move is the first suspect.
    // The first move is the guilty one: without it the rest of the line goes right.
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

/// The nearest move of a special kind on a line, and what may go wrong with it.
pub(crate) fn special_in(line: &[Position], moves: &[Move]) -> Option<Class> {
    moves.iter().enumerate().rev().find_map(|(index, &mv)| special(&line[index], mv))
}

/// The number of illegal moves of each class that a wrong generator could list.
pub(crate) fn extra_candidates(position: &Position) -> BTreeMap<Class, u128> {
    let mut found = BTreeMap::new();
    let last_rank = (!position.turn()).back_rank();
    for from in position.board().color(position.turn()) {
        for to in Square::ALL {
            let is_pawn = position.board().role_on(from) == Some(Role::Pawn);
            let promotion = (is_pawn && to.rank() == last_rank).then_some(Role::Queen);
            let uci = UciMove { from, to, promotion };
            if from == to || position.find_uci(uci).is_some() {
                continue;
            }
            let class = extra(position, uci);
            let count = if promotion.is_some() { 4 } else { 1 };
            *found.entry(class).or_insert(0) += count;
        }
    }
    let promotions = position.legal_moves().into_iter().filter(|mv| mv.is_promotion()).count();
    if promotions > 0 {
        found.insert(Class::PromotionDuplicated, promotions as u128);
    }
    found
}

/// The number of legal moves of each class that a wrong generator could leave out.
pub(crate) fn missing_candidates(position: &Position) -> BTreeMap<Class, u128> {
    let moves: Vec<Move> = position.legal_moves().into_iter().collect();
    let mut found = BTreeMap::new();
    for &mv in &moves {
        *found.entry(missing(position, mv, &moves)).or_insert(0) += 1;
    }
    let promotions = moves.iter().filter(|mv| mv.is_promotion()).count() as u128;
    if promotions > 0 {
        // All roles but the queen.
        found.insert(Class::PromotionRole, promotions / 4 * 3);
    }
    found
}

/// What may go wrong when a move of a special kind is played.
fn special(before: &Position, mv: Move) -> Option<Class> {
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

/// The class of a count that is wrong below one move, while everything below the position after it is
/// right when it is asked by FEN.
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
    if got < expected && before.castling_rights() == after.castling_rights() {
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

/// The class of the model of a wrong recursion that explains a count.
pub(crate) fn by_count(position: &Position, depth: u32, got: u128) -> Option<Class> {
    let model = Model::explaining(position, depth, got)?;
    // Pseudo-legal counts have a test of their own: every count below a position must fit.
    (model != Model::PseudoLeaves).then(|| model.class())
}

/// Why the right to castle was lost, searched backwards.
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
        right_lost_by(before, after, mv)
    })
}

/// How a move has removed rights.
pub(crate) fn right_lost_by(before: &Position, after: &Position, mv: Move) -> Option<Class> {
    let lost = before.castling_rights().rooks() & !after.castling_rights().rooks();
    if lost.is_empty() {
        return None;
    }
    Some(match before.role_of(mv) {
        _ if lost.has(mv.to()) && mv.is_capture() && mv.is_promotion() => {
            Class::CastlingRightAfterPromotionCapture
        }
        Role::King => Class::CastlingRightAfterKingMove,
        _ if lost.has(mv.to()) && mv.is_capture() => Class::CastlingRightAfterRookCapture,
        _ => Class::CastlingRightAfterRookMove,
    })
}

/// Was this square crossed by a double push before the last move?
fn stale_target(line: &[Position], to: Square) -> bool {
    line.iter().rev().skip(1).any(|it| double_push_square(it) == Some(to))
}

/// The square that the last move crossed with a double push.
pub(crate) fn double_push_square(position: &Position) -> Option<Square> {
    position.to_setup_with(tabiya::fen::EnPassantMode::Always).en_passant
}

const fn is_slider(role: Role) -> bool {
    matches!(role, Role::Bishop | Role::Rook | Role::Queen)
}

fn file_distance(a: Square, b: Square) -> u8 {
    (a.file() as u8).abs_diff(b.file() as u8)
}

fn rank_distance(a: Square, b: Square) -> u8 {
    (a.rank() as u8).abs_diff(b.rank() as u8)
}

/// Do the numbers of the squares differ as for one step, although the squares do not?
fn wraps(from: Square, to: Square, steps: &[u8]) -> bool {
    file_distance(from, to) > 2 && steps.contains(&(from as u8).abs_diff(to as u8))
}
