//! Describes errors in words: turns a case into a finding.

use std::collections::BTreeMap;

use tabiya::{Bitboard, CastlingSide, Move, Position, Reason, Role, UciMove, attacks};
use tabiya_views::Diagram;
use tabiya_views::layer::LayerSquares;

use tabiya::fen::EnPassantMode;

use crate::case::Case;
use crate::class::Class;
use crate::examine::{Cause, Root};
use crate::finding::{Finding, Shrunk};
use crate::question::fen_in;
use crate::truth::{Told, double_push_square};

/// Turns a case, and the smallest one, into a finding, with the reasons of their moves and a board.
pub(crate) fn finding(case: &Case, cause: &Cause, smallest: Option<&Case>) -> Finding {
    let question = &case.question;
    let position = question.position();
    let query = question.query();
    let (mut reasons, mut line) = reasons_of(case, &position);
    let shown = smallest.map_or_else(|| position.clone(), |it| it.question.position());
    if let Some(smallest) = smallest {
        let (of_smallest, squares) = reasons_of(smallest, &shown);
        reasons.extend(of_smallest);
        line = squares;
    }
    let mut diagram = Diagram::new(*shown.board());
    if line.any() {
        diagram.layers.push(LayerSquares { name: "line".to_owned(), squares: line, note: None });
    }
    let uci = |mv: &Move| position.uci(*mv).to_string();
    Finding {
        class: cause.class,
        start: query.fen,
        moves: query.moves,
        fen: fen_in(&position, question.en_passant),
        depth: question.depth,
        expected: case.expected,
        got: case.got,
        extra: case.extra.iter().map(Told::text).collect(),
        missing: case.missing.iter().map(uci).collect(),
        duplicated: case.duplicated.iter().map(uci).collect(),
        reasons,
        shrunk: None,
        note: note(smallest.unwrap_or(case), cause),
        proven: cause.is_proven,
        proof: cause.is_proven.then(|| proof(cause)),
        explained: BTreeMap::new(),
        consequences: Vec::new(),
        command: String::new(),
        oracle: None,
        diagram,
    }
}

/// Why a cause is proven.
fn proof(cause: &Cause) -> String {
    let touched = |times| if times == 1 { "question" } else { "questions" };
    match (&cause.root, cause.class) {
        (Root::Faults(_), _) => format!(
            "the rules with this one change give exactly its answers to the {} {} where they matter",
            cause.times,
            touched(cause.times)
        ),
        (_, Class::StatePlay) => {
            "a new process is wrong after the moves, and another right by FEN".to_owned()
        }
        (_, Class::StateOrder | Class::StateKey) => {
            "a new process is right, and one that was asked other questions before is wrong"
                .to_owned()
        }
        (_, Class::EnPassantConvention) => {
            "a new process is wrong with this FEN, and right with the usual one".to_owned()
        }
        _ => "it was seen in two new processes".to_owned(),
    }
}

/// The wrong moves of a case.
pub(crate) fn wrong_moves(case: &Case) -> Vec<String> {
    let position = case.question.position();
    let legal = case.missing.iter().chain(&case.duplicated);
    let legal = legal.map(|&mv| position.uci(mv).to_string());
    case.extra.iter().map(Told::text).chain(legal).collect()
}

/// Why each extra move is illegal and each missing one legal, and the squares that matter.
fn reasons_of(case: &Case, position: &Position) -> (BTreeMap<String, String>, Bitboard) {
    let mut reasons = BTreeMap::new();
    let mut line = Bitboard::EMPTY;
    for told in &case.extra {
        let text = told.text();
        let Some(uci) = told.uci() else {
            let why = match position.parse_move(&text) {
                _ if told.listed(position).is_some() => {
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
        reasons.insert(text, format!("{uci} is illegal: {}", sentences.join("; ")));
        line |= explanation.reasons().iter().fold(Bitboard::EMPTY, |all, it| all | shown(it, uci));
    }
    for &mv in &case.missing {
        let uci = position.uci(mv).to_string();
        reasons.insert(uci.clone(), format!("{uci} is legal: {}", facts(position, mv)));
        line |= attacks::between(mv.from(), mv.to()).with(mv.from()).with(mv.to());
    }
    (reasons, line)
}

/// The facts about a case. For a line of moves, they say what should have changed.
fn note(case: &Case, cause: &Cause) -> Option<String> {
    let count = case.wrong_count.map(|(mv, told, right)| {
        let mv = case.question.position().uci(mv);
        format!("{mv} has {told} instead of {right} leaf nodes")
    });
    let is_doubled = matches!(cause.class, Class::DuplicatedMove | Class::PromotionDuplicated);
    let once = (is_doubled && case.duplicated.is_empty() && case.extra.is_empty()).then(|| {
        "the list shows each move once, but the counts contain some moves twice: an adapter that \
         collects moves in a dict or a set hides the second"
            .to_owned()
    });
    let convention = (case.question.en_passant != EnPassantMode::PseudoLegal).then(|| {
        format!("only with the en-passant field in this convention: {}", case.question.query().fen)
    });
    let facts: Vec<String> = [cause.note.clone(), count, once, convention, Some(changes(case))]
        .into_iter()
        .flatten()
        .filter(|fact| !fact.is_empty())
        .collect();
    (!facts.is_empty()).then(|| facts.join("; "))
}

/// What the first move of a line must change besides the squares of the moving piece: rights, the
/// en-passant square, other pieces. Empty if there is nothing.
fn changes(case: &Case) -> String {
    let Some(&mv) = case.question.path.first() else { return String::new() };
    let before = &case.question.start;
    let after = before.play(mv);
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

/// The smallest example for a report, with a command that shows the bug. `is_fresh` says whether
/// a new process shows it.
pub(crate) fn smallest(case: &Case, command: String, is_fresh: bool) -> Shrunk {
    let question = &case.question;
    let query = question.query();
    let position = question.position();
    let uci = |mv: &Move| position.uci(*mv).to_string();
    let moves = if query.moves.is_empty() {
        String::new()
    } else {
        format!(" moves {}", query.moves.join(" "))
    };
    Shrunk {
        command,
        reproduces: Some(is_fresh),
        expected: case.expected,
        got: case.got,
        extra: case.extra.iter().map(Told::text).collect(),
        missing: case.missing.iter().map(uci).collect(),
        duplicated: case.duplicated.iter().map(uci).collect(),
        suite: format!("{}{moves} ;D{} {}", query.fen, question.depth, case.expected),
        fen: query.fen,
        moves: query.moves,
        depth: question.depth,
    }
}
