//! The scene of the explorer: a game that is played once, and a place in it.

use tabiya::{Move, Position};
use tabiya_views::explain::refused_name;
use tabiya_views::{self as views, PositionText};
use tsify::Ts;
use wasm_bindgen::prelude::*;

use super::layers::{LayerSquares, evaluated};
use super::view::View;
use crate::board::explain::{Answer, explained};
use crate::error::{Failure, js, list};

/// A game of which one position is shown. The moves are read and played once; every question about
/// the position comes later, and is answered from what is there.
#[derive(Clone, Debug)]
#[wasm_bindgen]
pub struct Scene {
    shown: views::Scene,
    /// All moves of the game, also those after the position, and the position before each.
    line: Vec<(Position, Move)>,
    claim: Option<&'static str>,
}

#[wasm_bindgen]
impl Scene {
    /// The position of a game after a number of its moves, by default after all. The start is a FEN,
    /// a name such as `kiwipete`, or `chess960:518`; the moves may be in any notation. Without moves,
    /// the position need not be playable.
    #[wasm_bindgen(constructor)]
    pub fn new(start: &str, moves: &str, ply: Option<u32>) -> Result<Self, Failure> {
        let text = PositionText { moves, ..PositionText::new(start) };
        if moves.trim().is_empty() {
            return Ok(Self { shown: text.scene()?, line: Vec::new(), claim: None });
        }
        let mut game = text.game()?;
        let line: Vec<_> =
            std::iter::zip(game.positions().to_vec(), game.moves().to_vec()).collect();
        for _ in ply.map_or(line.len(), |ply| ply as usize)..line.len() {
            game.pop();
        }
        let claim = game.claim().map(|claim| claim.reason());
        Ok(Self { shown: (&game).into(), line, claim })
    }

    /// Everything about the position that does not depend on the rest of the page.
    #[wasm_bindgen(getter)]
    pub fn view(&self) -> Result<Ts<View>, Failure> {
        js(View::new(&self.shown, self.claim, &self.line))
    }

    /// The squares of layers, one answer for each name. A layer that cannot be shown has an `error`.
    /// Layers that hold `square` say why.
    pub fn layers(
        &self,
        names: Vec<String>,
        square: Option<String>,
    ) -> Result<Vec<Ts<LayerSquares>>, Failure> {
        list(evaluated(&self.shown, names, square.as_deref())?)
    }

    /// Says whether a move is legal, and gives every reason if it is not. The move may be in any
    /// notation.
    pub fn explain(&self, text: &str) -> Result<Ts<Answer>, Failure> {
        let position = self.shown.position.as_ref().map_err(|error| Failure::of(text, error))?;
        explained(position, text)
    }

    /// The name of a move that isn't legal, as players write it: `exd6` for `e7d6`. Other texts stay.
    #[wasm_bindgen(js_name = nameOf)]
    pub fn name_of(&self, text: &str) -> String {
        let position = self.shown.position.as_ref().ok();
        let name = position.zip(text.parse().ok()).and_then(|(it, uci)| refused_name(it, uci));
        name.unwrap_or_else(|| text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetitions_end_the_game() {
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
        let at = |ply| Scene::new("startpos", &moves, Some(ply)).unwrap();
        assert_eq!((at(4).claim, at(4).shown.outcome), (None, None));
        assert_eq!((at(8).claim, at(8).shown.outcome), (Some("threefold repetition"), None));
        assert_eq!(at(16).shown.outcome.unwrap().reason(), "fivefold repetition");
    }

    #[test]
    fn a_scene_has_the_whole_line_in_both_notations() {
        let scene = Scene::new("startpos", "1. e4 e5 2. Ke2", Some(1)).unwrap();
        let view = View::new(&scene.shown, scene.claim, &scene.line);
        let written: Vec<_> = view.line.iter().map(|it| (it.san.as_str(), it.number)).collect();
        assert_eq!(written, [("e4", 1), ("e5", 1), ("Ke2", 2)]);
        assert_eq!(view.line[2].uci, "e1e2");
        assert_eq!(view.fen, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        let all = Scene::new("startpos", "1. e4 e5 2. Ke2", None).unwrap();
        assert_eq!(all.shown.setup.fullmove_number, 2);
    }
}
