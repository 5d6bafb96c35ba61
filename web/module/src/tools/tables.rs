//! Syzygy's endgame tables, from bytes.

use serde::Serialize;
use tabiya::Position;
use tabiya_syzygy::{FiftyMoves, Material, Memory, TableError};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::position_of;
use crate::error::{Failure, list};
use crate::moves::LegalMove;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A result with best play. The fifty-move rule makes draws of cursed wins and blessed losses. */
export type Wdl = "loss" | "blessed-loss" | "draw" | "cursed-win" | "win";
/** How the fifty-move rule bears on a game: it applies; it applies and a position has been repeated
    since the last capture or pawn move; or it doesn't apply. */
export type FiftyMoves = "apply" | "repeated" | "ignore";
"#;

/// A legal move with what it leads to, for the side that moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RankedMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: LegalMove,
    /// The result, with the halfmove clock as it is.
    #[tsify(type = "Wdl")]
    pub wdl: &'static str,
    /// The distance to zeroing with this move counted, as `dtz` gives it.
    pub dtz: i32,
    /// How good the move is: higher is better. 1000 surely wins, -1000 surely loses.
    pub rank: i32,
}

/// Syzygy's endgame tables, for look-ups.
///
/// Look-ups throw an `InputError` if a table is missing or damaged, and for positions that no table
/// has: with castling rights, or with more than seven pieces.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Tables {
    memory: Memory,
    inner: tabiya_syzygy::Tables<Memory>,
}

#[wasm_bindgen]
impl Tables {
    /// No tables yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        let memory = Memory::default();
        Self { inner: tabiya_syzygy::Tables::new(memory.clone()), memory }
    }

    /// Adds a file by its name, such as `KRPvKR.rtbw`, in place of another one with this name.
    ///
    /// Throws an `InputError` if this is not the name of a table.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), Failure> {
        self.memory.add(name, bytes).map_err(|error| Failure::of(name, error))?;
        self.inner = tabiya_syzygy::Tables::new(self.memory.clone());
        Ok(())
    }

    /// The names of the files.
    #[wasm_bindgen(getter)]
    pub fn files(&self) -> Vec<String> {
        self.inner.files().iter().map(ToString::to_string).collect()
    }

    /// The names of the files, in one text.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.files().join(" ")
    }

    /// The number of pieces, kings included, of the largest table `.rtbw`; 0 without tables.
    #[wasm_bindgen(getter)]
    pub fn pieces(&self) -> u32 {
        self.inner.pieces()
    }

    /// The names of the files that play from here to the end can need, and that were not added.
    ///
    /// Throws an `InputError` if there are more than seven pieces.
    pub fn missing(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    ) -> Result<Vec<String>, Failure> {
        let position = position_of(position)?;
        let missing = self.inner.missing(Material::of(position.board()));
        let missing = missing.map_err(|error| refused(&position, error))?;
        Ok(missing.iter().map(ToString::to_string).collect())
    }

    /// The result for the side to move, if the halfmove clock is 0.
    #[wasm_bindgen(unchecked_return_type = "Wdl")]
    pub fn wdl(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    ) -> Result<String, Failure> {
        let position = position_of(position)?;
        let wdl = self.inner.wdl(&position);
        wdl.map(|wdl| wdl.name().to_owned()).map_err(|error| refused(&position, error))
    }

    /// The distance to the next capture, pawn move or mate in plies: positive if the side to move
    /// wins, negative if it loses, 0 in a draw. It may be one ply more than the number. Beyond 100
    /// the fifty-move rule comes first.
    pub fn dtz(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    ) -> Result<i32, Failure> {
        let position = position_of(position)?;
        let dtz = self.inner.dtz(&position);
        dtz.map(|dtz| dtz.plies()).map_err(|error| refused(&position, error))
    }

    /// The legal moves, the best ones first. An engine keeps those of the highest rank.
    #[wasm_bindgen(js_name = rootMoves)]
    pub fn root_moves(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
        #[wasm_bindgen(js_name = fiftyMoves, unchecked_optional_param_type = "FiftyMoves")]
        fifty_moves: Option<String>,
    ) -> Result<Vec<Ts<RankedMove>>, Failure> {
        let position = position_of(position)?;
        let moves = self.inner.root_moves(&position, rule_of(fifty_moves.as_deref())?);
        let moves = moves.map_err(|error| refused(&position, error))?;
        list(moves.into_iter().map(|it| RankedMove {
            mv: LegalMove::new(&position, it.mv),
            wdl: it.wdl.name(),
            dtz: it.dtz.plies(),
            rank: it.rank,
        }))
    }

    /// Both sides' best play up to the first capture, pawn move or mate. Empty in a draw.
    pub fn line(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
        #[wasm_bindgen(js_name = fiftyMoves, unchecked_optional_param_type = "FiftyMoves")]
        fifty_moves: Option<String>,
    ) -> Result<Vec<Ts<LegalMove>>, Failure> {
        let position = position_of(position)?;
        let line = self.inner.line(&position, rule_of(fifty_moves.as_deref())?);
        let line = line.map_err(|error| refused(&position, error))?;
        let mut now = position.clone();
        list(line.into_iter().map(|mv| {
            let shown = LegalMove::new(&now, mv);
            now = now.play(mv);
            shown
        }))
    }

    /// Reads a file whole, and compares its checksum.
    ///
    /// Throws an `InputError` if any byte has changed.
    pub fn verify(&self, name: &str) -> Result<(), Failure> {
        let file =
            name.parse().map_err(|error: tabiya_syzygy::NameError| Failure::of(name, error))?;
        self.inner.verify(file).map_err(|error| Failure::of(name, error))
    }
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

fn refused(position: &Position, error: TableError) -> Failure {
    Failure::of(&position.fen().to_string(), error)
}

fn rule_of(name: Option<&str>) -> Result<FiftyMoves, Failure> {
    match name {
        None | Some("apply") => Ok(FiftyMoves::Apply),
        Some("repeated") => Ok(FiftyMoves::ApplyAfterRepetition),
        Some("ignore") => Ok(FiftyMoves::Ignore),
        Some(name) => Err(Failure::of(name, "the fifty-move rule: apply, repeated or ignore")),
    }
}
