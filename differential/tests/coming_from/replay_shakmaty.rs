use std::error::Error;
use std::fmt::Write;

use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, Role};

/// Replays moves like `1. e4 e5 2. Nf3`, and says what happened.
pub fn replay(text: &str) -> Result<String, Box<dyn Error>> {
    let mut position = Chess::new();
    let mut report = String::new();
    for word in text.split_whitespace().filter(|word| !word.ends_with('.')) {
        let mv = word.parse::<San>()?.to_move(&position)?;
        let san = SanPlus::from_move(position.clone(), mv);
        let captured = mv.capture().map_or("nothing", |role| match role {
            Role::Pawn => "a pawn",
            _ => "a piece",
        });
        let uci = UciMove::from_move(mv, CastlingMode::Standard);
        position = position.play(mv)?;
        let replies = position.legal_moves().len();
        writeln!(report, "{uci} {san} takes {captured}, {replies} replies")?;
    }
    if position.is_checkmate() {
        writeln!(report, "{} is mated", position.turn().char())?;
    }
    let fen = Fen::from_position(&position, EnPassantMode::Legal);
    writeln!(report, "{fen}")?;
    Ok(report)
}
