//! Moves as text: UCI, SAN, and castling in other spellings.

use crate::board::{Board, Kind, Move, Role, castling_targets, name};
use crate::oddity::Oddity;

/// A move in UCI notation. In Chess960, castling is written as king takes rook.
pub(crate) fn uci(mv: Move, chess960: bool) -> String {
    let to = if mv.kind == Kind::Castle && !chess960 { castling_targets(mv).0 } else { mv.to };
    let promotion = mv.promotion.map_or(String::new(), |role| role.letter().to_string());
    format!("{}{}{promotion}", name(mv.from), name(to))
}

/// A move as a program with this oddity writes it.
pub(crate) fn written(board: &Board, mv: Move, chess960: bool, oddity: Option<Oddity>) -> String {
    let plain = uci(mv, chess960);
    let king_side = mv.to > mv.from;
    match oddity {
        Some(Oddity::San) => san(board, mv),
        Some(Oddity::UpperPromotion) => plain[..4].to_string() + &plain[4..].to_uppercase(),
        Some(Oddity::CastlingTakesRook | Oddity::RookSpelling) => uci(mv, true),
        Some(Oddity::CastlingLetters) if mv.kind == Kind::Castle => {
            if king_side { "O-O" } else { "O-O-O" }.into()
        }
        Some(Oddity::CastlingZeros) if mv.kind == Kind::Castle => {
            if king_side { "0-0" } else { "0-0-0" }.into()
        }
        _ => plain,
    }
}

fn castling(mv: Move) -> Option<String> {
    (mv.kind == Kind::Castle).then(|| if mv.to > mv.from { "O-O" } else { "O-O-O" }.to_string())
}

fn promotion(mv: Move) -> String {
    mv.promotion.map_or(String::new(), |role| format!("={}", role.letter().to_ascii_uppercase()))
}

/// `+` or `#`, as far as this program can tell.
fn check(board: &Board, mv: Move) -> &'static str {
    let mut after = board.clone();
    after.make(mv);
    match (after.checkers().is_empty(), after.legal_moves().is_empty()) {
        (true, _) => "",
        (false, true) => "#",
        (false, false) => "+",
    }
}

fn san(board: &Board, mv: Move) -> String {
    let suffix = check(board, mv);
    if let Some(text) = castling(mv) {
        return text + suffix;
    }
    let role = board.squares[mv.from].map_or(Role::Pawn, |piece| piece.role);
    let captures = board.squares[mv.to].is_some() || mv.kind == Kind::EnPassant;
    let from = name(mv.from);
    let cross = if captures { "x" } else { "" };
    let origin = if role == Role::Pawn {
        if captures { from[..1].to_string() } else { String::new() }
    } else {
        let rivals: Vec<usize> = board
            .legal_moves()
            .into_iter()
            .filter(|other| {
                other.to == mv.to && other.from != mv.from && other.kind != Kind::Castle
            })
            .filter(|other| board.squares[other.from] == board.squares[mv.from])
            .map(|other| other.from)
            .collect();
        let letter = role.letter().to_ascii_uppercase().to_string();
        if rivals.is_empty() {
            letter
        } else if rivals.iter().all(|rival| rival % 8 != mv.from % 8) {
            letter + &from[..1]
        } else if rivals.iter().all(|rival| rival / 8 != mv.from / 8) {
            letter + &from[1..]
        } else {
            letter + &from
        }
    };
    format!("{origin}{cross}{}{}{suffix}", name(mv.to), promotion(mv))
}
