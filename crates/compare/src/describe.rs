//! Describes errors in words: turns a case into a finding.

use std::collections::BTreeMap;

use tabiya::{Bitboard, CastlingSide, Move, Position, Reason, Role, UciMove, attacks};
use tabiya_views::Diagram;
use tabiya_views::layer::LayerSquares;

use crate::case::Case;
use crate::finding::{Finding, Shrunk};
use crate::question::fen_in;
use crate::reading::{plain_uci, wrong_promotion};
use crate::truth::double_push_square;

/// Turns a case into a finding, with the reasons of its moves and a board.
pub(crate) fn finding(case: &Case, shrunk: Option<Shrunk>) -> Finding {
    let position = case.position();
    let question = case.question();
    let uci = |mv: &Move| position.uci(*mv).to_string();
    let mut reasons = BTreeMap::new();
    let mut line = Bitboard::EMPTY;
    for text in &case.extra {
        let Some(uci) = plain_uci(text) else {
            let why = match position.parse_move(text) {
                _ if wrong_promotion(text) => {
                    "a pawn promotes to a knight, a bishop, a rook or a queen".to_owned()
                }
                Err(error) => {
                    let sentence = error.to_string();
                    // Keep only the reason: the text below says that the move is illegal.
                    match sentence.split_once(" is not legal: ") {
                        Some((_, reasons)) => reasons.to_owned(),
                        None => sentence,
                    }
                }
                Ok(_) => continue,
            };
            reasons.insert(text.clone(), format!("{text} is illegal: {why}"));
            continue;
        };
        let explanation = position.explain(uci);
        let sentences: Vec<String> = explanation.reasons().iter().map(Reason::to_string).collect();
        reasons.insert(text.clone(), format!("{uci} is illegal: {}", sentences.join("; ")));
        line |= explanation.reasons().iter().fold(Bitboard::EMPTY, |all, it| all | shown(it, uci));
    }
    for mv in &case.missing {
        reasons.insert(uci(mv), format!("{} is legal: {}", uci(mv), facts(&position, *mv)));
        line |= attacks::between(mv.from(), mv.to()).with(mv.from()).with(mv.to());
    }
    let mut diagram = Diagram::new(*position.board());
    diagram.title = Some(case.class.name().to_owned());
    if line.any() {
        diagram.layers.push(LayerSquares { name: "line".to_owned(), squares: line, note: None });
    }
    Finding {
        class: case.class,
        start: question.fen,
        moves: question.moves,
        fen: fen_in(&position, case.en_passant),
        depth: case.depth,
        expected: case.expected,
        got: case.got,
        extra: case.extra.clone(),
        missing: case.missing.iter().map(uci).collect(),
        duplicated: case.duplicated.iter().map(uci).collect(),
        reasons,
        shrunk,
        note: note(case),
        consequences: Vec::new(),
        command: String::new(),
        oracle: None,
        diagram,
    }
}

/// The facts about a case. For a line of moves, they say what should have changed.
fn note(case: &Case) -> Option<String> {
    let facts = case.note.iter().cloned().chain([changes(case)]).filter(|it| !it.is_empty());
    let facts: Vec<String> = facts.collect();
    (!facts.is_empty()).then(|| facts.join("; "))
}

/// What the first move of a line must change besides the squares of the moving piece: rights, the
/// en-passant square, other pieces. Empty if there is nothing.
fn changes(case: &Case) -> String {
    let Some(&mv) = case.path.first() else { return String::new() };
    let (before, after) = (&case.start, case.start.play(mv));
    let us = before.turn();
    let mut changes = Vec::new();
    let lost = before.castling_rights().rooks() & !after.castling_rights().rooks();
    for rook in lost {
        let color = if rook.rank() == us.back_rank() { us } else { !us };
        let side = CastlingSide::of(before.king(color), rook);
        changes.push(format!("{color}'s right to castle on the {side} is gone"));
    }
    if mv.castling().is_some() {
        let rooks = after.board().pieces(us, Role::Rook) & !before.board().pieces(us, Role::Rook);
        changes.extend(rooks.into_iter().map(|square| format!("the rook stands on {square}")));
    }
    if mv.is_en_passant() {
        let pawn = tabiya::Square::new(mv.to().file(), mv.from().rank());
        changes.push(format!("the pawn on {pawn} is gone"));
    }
    if let Some(role) = mv.promotion() {
        changes.push(format!("a {role} stands on {}", mv.to()));
    }
    match (double_push_square(before), double_push_square(&after)) {
        (_, Some(square)) => changes.push(format!("{square} is the en-passant square")),
        (Some(square), None) => changes.push(format!("{square} is no en-passant square any more")),
        (None, None) => {}
    }
    if changes.is_empty() {
        return String::new();
    }
    format!("after {}, {}", before.uci(mv), changes.join(", "))
}

/// The squares of a reason.
fn shown(reason: &Reason, uci: UciMove) -> Bitboard {
    let line = |a: tabiya::Square, b: tabiya::Square| attacks::between(a, b).with(a).with(b);
    match *reason {
        Reason::EnPassantUncovers { king, by } | Reason::Pinned { king, by, .. } => {
            line(king, by.square)
        }
        Reason::KingAttacked { to, by }
        | Reason::CastlingInto { to, by }
        | Reason::CastlingThrough { through: to, by } => line(to, by.square),
        _ => Bitboard::EMPTY.with(uci.from).with(uci.to),
    }
}

/// The facts that make a move legal.
fn facts(position: &Position, mv: Move) -> String {
    let role = position.role_of(mv);
    let (from, to) = (mv.from(), mv.to());
    let capture = position.captured_by(mv).map(|it| format!("takes the {it} on {to}"));
    if mv.is_en_passant() {
        let pawn = tabiya::Square::new(to.file(), from.rank());
        let home = to.step(position.turn().forward()).unwrap_or(to);
        return format!(
            "the pawn takes the pawn that has just played {home}{pawn}, and no line to the king opens"
        );
    }
    if mv.castling().is_some() {
        return "king and rook have not moved, the squares between them are empty, and the king \
                crosses no attacked square"
            .to_owned();
    }
    let does = capture.unwrap_or_else(|| format!("goes to {to}, which is empty"));
    let safe = if role == Role::King {
        format!("no piece attacks {to}")
    } else if position.is_check() {
        "it answers the check".to_owned()
    } else if position.pinned().has(from) {
        "it stays on the line of the pin".to_owned()
    } else {
        "no line to the king opens".to_owned()
    };
    let promotes = mv.promotion().map(|it| format!(", promotes to a {it}")).unwrap_or_default();
    format!("the {role} on {from} {does}{promotes}, and {safe}")
}

/// The smallest example for a report, with a command that shows the bug. `reproduces` says whether
/// a new process does.
pub(crate) fn smallest(case: &Case, command: String, reproduces: Option<bool>) -> Shrunk {
    let question = case.question();
    let position = case.position();
    let end = fen_in(&position, case.en_passant);
    let uci = |mv: &Move| position.uci(*mv).to_string();
    Shrunk {
        command,
        reproduces,
        expected: case.expected,
        got: case.got,
        extra: case.extra.clone(),
        missing: case.missing.iter().map(uci).collect(),
        duplicated: case.duplicated.iter().map(uci).collect(),
        fen: question.fen,
        moves: question.moves,
        depth: case.depth,
        suite: format!("{end} ;D{} {}", case.depth, case.expected),
    }
}
