//! A player that looks one ply ahead and counts the pieces.

use std::time::Instant;

use tabiya::order::PieceValues;
use tabiya::{Game, Move};

use crate::game::{Offence, Player, Situation};
use crate::random::Random;

/// Mates if it can. Otherwise it wins as much material as one move can, without a thought of what
/// comes next, and chooses among equals at random.
pub(crate) struct Material(pub(crate) Random);

impl Player for Material {
    fn prepare(&mut self, _: &Game) -> Result<(), Offence> {
        Ok(())
    }

    fn choose(&mut self, situation: &Situation<'_>) -> Result<(String, Instant), Offence> {
        let position = situation.game.position();
        let gain = |mv: Move| {
            let captured = position.captured_by(mv).map_or(0, |role| PieceValues::DEFAULT.of(role));
            let promoted = mv.promotion().map_or(0, |role| PieceValues::DEFAULT.of(role));
            let mates = position.play(mv).is_checkmate();
            (mates, captured + promoted)
        };
        let moves = position.legal_moves();
        let most = moves.iter().map(|&mv| gain(mv)).max();
        let best: Vec<Move> = moves.into_iter().filter(|&mv| Some(gain(mv)) == most).collect();
        Ok((position.uci(self.0.pick(&best)).to_string(), Instant::now()))
    }
}
