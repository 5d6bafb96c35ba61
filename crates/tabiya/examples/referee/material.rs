//! A player that looks one ply ahead and counts the pieces.

use std::time::Instant;

use tabiya::order::PieceValues;
use tabiya::{Game, Move, SplitMix64};

use crate::game::{Offence, Player, Situation};

/// Mates if it can. Otherwise it wins as much material as one move can, without looking at the
/// reply, and chooses among equal moves at random.
pub(crate) struct Material(pub(crate) SplitMix64);

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
