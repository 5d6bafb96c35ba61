//! Games as objects.

use tabiya::Color;
use tsify::Ts;
use wasm_bindgen::prelude::*;

use crate::error::{Failure, js, list};
use crate::position::{Position, legal, optional};
use crate::view::{Ending, PlayedMove};

/// A game: moves from a start. It knows repetitions and the draws that players may claim.
#[derive(Clone, Debug)]
#[wasm_bindgen]
pub struct Game {
    inner: tabiya::Game,
}

#[wasm_bindgen]
impl Game {
    /// Creates a game from a position: a FEN, a name such as `kiwipete`, or `chess960:518`. The
    /// default is the usual start.
    #[wasm_bindgen(constructor)]
    pub fn new(start: Option<String>) -> Result<Self, Failure> {
        Ok(Self::from_position(&Position::new(start)?))
    }

    /// A game from a position.
    pub fn from(position: &Position) -> Self {
        Self::from_position(position)
    }

    /// The start of the game.
    #[wasm_bindgen(getter)]
    pub fn start(&self) -> Position {
        self.inner.start().clone().into()
    }

    /// The current position.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> Position {
        self.inner.position().clone().into()
    }

    /// The current position, in FEN.
    #[wasm_bindgen(getter)]
    pub fn fen(&self) -> String {
        self.inner.position().fen().to_string()
    }

    /// Plays a move in any notation. A drawn game may continue.
    ///
    /// Throws an `InputError` with every reason if the move is not legal; the game is then
    /// unchanged.
    pub fn play(&mut self, text: &str) -> Result<Ts<PlayedMove>, Failure> {
        let before = self.inner.position();
        let mv = legal(before, text)?;
        let played = PlayedMove::new(before, mv);
        self.inner.push(mv).map_err(|error| Failure::of(text, error))?;
        js(played)
    }

    /// Takes back the last move and returns it; `undefined` at the start.
    #[wasm_bindgen(unchecked_return_type = "PlayedMove | undefined")]
    pub fn undo(&mut self) -> Result<JsValue, Failure> {
        let mv = self.inner.pop();
        optional(mv.map(|mv| PlayedMove::new(self.inner.position(), mv)))
    }

    /// The moves that were played, in both notations.
    #[wasm_bindgen(getter)]
    pub fn history(&self) -> Result<Vec<Ts<PlayedMove>>, Failure> {
        list(self.played())
    }

    /// How often the current position has occurred, including now.
    #[wasm_bindgen(getter)]
    pub fn occurrences(&self) -> usize {
        self.inner.occurrences()
    }

    /// The end of the game without a claim; `undefined` if it continues. Mate, stalemate,
    /// insufficient material, fivefold repetition and 75 moves end a game.
    #[wasm_bindgen(getter, unchecked_return_type = "Ending | undefined")]
    pub fn outcome(&self) -> Result<JsValue, Failure> {
        optional(self.inner.outcome().map(Ending::from))
    }

    /// The draw that the side to move may claim now, by threefold repetition or fifty moves.
    #[wasm_bindgen(getter, unchecked_return_type = "Ending | undefined")]
    pub fn claim(&self) -> Result<JsValue, Failure> {
        optional(self.inner.claim().map(Ending::from))
    }

    /// The draw that the side to move may claim by announcing this move.
    #[wasm_bindgen(js_name = claimBy, unchecked_return_type = "Ending | undefined")]
    pub fn claim_by(&self, text: &str) -> Result<JsValue, Failure> {
        let mv = legal(self.inner.position(), text)?;
        let claim = self.inner.claim_by(mv).map_err(|error| Failure::of(text, error))?;
        optional(claim.map(Ending::from))
    }

    /// The moves as in PGN, with their numbers and the result, on one line: `1. e4 e5 2. Nf3 *`.
    #[wasm_bindgen(getter)]
    pub fn movetext(&self) -> String {
        let mut text = String::new();
        for (index, played) in self.played().enumerate() {
            let number = played.number;
            if played.color == Color::White.name() {
                text.push_str(&format!("{number}. "));
            } else if index == 0 {
                text.push_str(&format!("{number}... "));
            }
            text.push_str(&played.san);
            text.push(' ');
        }
        text.push_str(self.inner.outcome().map_or("*", |outcome| outcome.result().name()));
        text
    }

    /// The moves as in PGN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.movetext()
    }
}

impl Game {
    fn from_position(position: &Position) -> Self {
        Self { inner: tabiya::Game::from_position(position.inner().clone()) }
    }

    fn played(&self) -> impl Iterator<Item = PlayedMove> {
        let before = self.inner.positions().iter();
        before.zip(self.inner.moves()).map(|(position, &mv)| PlayedMove::new(position, mv))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_written_with_their_numbers() {
        let start = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7";
        let mut game = tabiya::Game::from_position(tabiya::Position::from_fen(start).unwrap());
        for text in ["e5", "e4", "Ke7"] {
            game.push(legal(game.position(), text).unwrap()).unwrap();
        }
        assert_eq!(Game { inner: game }.movetext(), "7... e5 8. e4 Ke7 *");
    }
}
