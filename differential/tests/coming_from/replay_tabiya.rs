use std::error::Error;
use std::fmt::Write;

use tabiya::{Position, Role};

/// Replays moves like `1. e4 e5 2. Nf3`, and says what happened.
pub fn replay(text: &str) -> Result<String, Box<dyn Error>> {
    let mut position = Position::START;
    let mut report = String::new();
    for word in text.split_whitespace().filter(|word| !word.ends_with('.')) {
        let mv = position.parse_san(word)?;
        let san = position.san(mv);
        let captured = position.captured_by(mv).map_or("nothing", |role| match role {
            Role::Pawn => "a pawn",
            _ => "a piece",
        });
        let uci = position.uci(mv);
        position = position.play(mv);
        let replies = position.count_legal();
        writeln!(report, "{uci} {san} takes {captured}, {replies} replies")?;
    }
    if position.is_checkmate() {
        writeln!(report, "{} is mated", position.turn().fen())?;
    }
    writeln!(report, "{}", position.fen())?;
    Ok(report)
}
