//! Tables of attacks, as python-chess has them.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya::{Bitboard, Color, Square, attacks};

/// A number for each square.
fn by_square(set: impl Fn(Square) -> Bitboard) -> Vec<u64> {
    Square::ALL.iter().map(|&square| set(square).0).collect()
}

/// Adds the squares where a blocker shortens the lines of a slider, and its attacks for each set of
/// such blockers.
fn add_sliders(
    module: &Bound<'_, PyModule>,
    name: &str,
    attacks: impl Fn(Square, Bitboard) -> Bitboard,
) -> PyResult<()> {
    let mask = |from| {
        let all = attacks(from, Bitboard::EMPTY);
        all.iter().filter(|blocker| attacks(from, blocker.bitboard()) != all).collect::<Bitboard>()
    };
    let table = |&from: &Square| {
        let found = PyDict::new(module.py());
        for blockers in mask(from).subsets() {
            found.set_item(blockers.0, attacks(from, blockers).0)?;
        }
        Ok(found)
    };
    module.add(format!("BB_{name}_MASKS"), by_square(mask))?;
    let tables = Square::ALL.iter().map(table).collect::<PyResult<Vec<_>>>()?;
    module.add(format!("BB_{name}_ATTACKS"), tables)
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let pawns = |color| by_square(|square| attacks::pawn(color, square));
    module.add("BB_KNIGHT_ATTACKS", by_square(attacks::knight))?;
    module.add("BB_KING_ATTACKS", by_square(attacks::king))?;
    module.add("BB_PAWN_ATTACKS", vec![pawns(Color::Black), pawns(Color::White)])?;
    let rays = Square::ALL.map(|from| by_square(|to| attacks::line(from, to)));
    module.add("BB_RAYS", rays.to_vec())?;
    let of_rook = |line: fn(Square) -> Bitboard| {
        move |from, occupied| attacks::rook(from, occupied) & line(from)
    };
    add_sliders(module, "RANK", of_rook(|square| square.rank().bitboard()))?;
    add_sliders(module, "FILE", of_rook(|square| square.file().bitboard()))?;
    add_sliders(module, "DIAG", attacks::bishop)
}
