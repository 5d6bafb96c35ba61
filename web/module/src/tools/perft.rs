//! Counting: splits a count into parts, which workers count.

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{
    Categories, Category, CategoryTable, Engine, MAX_DEPTH, Options, Seed, Split, categories,
    categories_with_table,
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::{position, position_of};
use crate::error::{Failure, js, list};

/// The approximate number of leaf nodes in a part: a few tenths of a second of work.
const LEAVES_PER_PART: f64 = 1e8;
/// The same for a count by category, which takes longer.
const LEAVES_PER_PART_BY_CATEGORY: f64 = 2e7;

/// A move at the root of a count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct RootMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
}

/// A part of a count, for a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PerftPart {
    /// The index of the root move that leads here; missing if the part is the whole count.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<u32>,
    /// The position at the top of the part.
    pub fen: String,
    /// Plies from this position to the leaf nodes.
    pub depth: u32,
    /// The estimated share of the part in the whole work, from 0 to 1.
    pub share: f64,
}

/// A count split into parts.
#[derive(Clone, Debug, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PerftSplit {
    /// The legal moves of the root.
    pub moves: Vec<RootMove>,
    /// The parts in the order of the moves.
    pub parts: Vec<PerftPart>,
}

/// A category of leaf nodes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PerftCategory {
    /// The name for programs, such as `en_passant`.
    pub key: &'static str,
    /// The heading in tables.
    pub title: &'static str,
    /// The condition for a leaf node to belong to the category.
    pub definition: &'static str,
}

/// A legal move with the leaf nodes below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct DividedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The leaf nodes below it.
    pub nodes: u128,
}

/// The leaf nodes of a category.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct CategoryCount {
    /// The name for programs, such as `en_passant`.
    pub key: &'static str,
    /// The heading in tables.
    pub title: &'static str,
    /// The leaf nodes in the category.
    pub nodes: u128,
}

/// The number of leaf nodes at a depth from 1 to 255. The time grows with the depth.
#[wasm_bindgen(js_name = perft)]
pub fn perft_to(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
) -> Result<u128, Failure> {
    perft(&position_of(position)?, depth_of(depth)?)
}

/// The leaf nodes below each legal move.
#[wasm_bindgen]
pub fn divide(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
) -> Result<Vec<Ts<DividedMove>>, Failure> {
    list(divided(&position_of(position)?, depth_of(depth)?)?)
}

/// The leaf nodes of each category: captures, checks, mates and others.
#[wasm_bindgen(js_name = categories)]
pub fn by_category(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    #[wasm_bindgen(unchecked_param_type = "number")] depth: &JsValue,
) -> Result<Vec<Ts<CategoryCount>>, Failure> {
    let (position, depth) = (position_of(position)?, depth_of(depth)?);
    let total = categories(&position, depth, &Options::default(), &()).categories;
    list(Category::ALL.map(|category| {
        let (key, title) = (category.key(), category.title());
        CategoryCount { key, title, nodes: total[category] }
    }))
}

fn perft(position: &Position, depth: u32) -> Result<u128, Failure> {
    count(&Engine::new(Options::default()), position, depth)
}

pub(crate) fn divided(position: &Position, depth: u32) -> Result<Vec<DividedMove>, Failure> {
    let engine = Engine::new(Options::default());
    let divided = |mv| {
        let (uci, san) = (position.uci(mv).to_string(), position.san(mv).to_string());
        let nodes = count(&engine, &position.play(mv), depth - 1)?;
        Ok(DividedMove { uci, san, nodes })
    };
    position.legal_moves().into_iter().map(divided).collect()
}

/// Splits a count below the position after some moves into parts for workers.
#[wasm_bindgen(js_name = splitPerft)]
pub fn split_perft(
    start: &str,
    moves: &str,
    depth: u32,
    by_category: bool,
) -> Result<Ts<PerftSplit>, Failure> {
    js(split(&position(start, moves)?, checked(depth)?, by_category))
}

/// The known numbers of leaf nodes of a position, for the depths 1, 2, 3 …; empty for all but the
/// standard positions.
#[wasm_bindgen(js_name = knownCounts)]
pub fn known_counts(start: &str, moves: &str) -> Result<Vec<u64>, Failure> {
    Ok(known(&position(start, moves)?))
}

/// The categories, in the order of a [`Counter`]'s numbers.
#[wasm_bindgen(js_name = perftCategories)]
pub fn perft_categories() -> Result<Vec<Ts<PerftCategory>>, Failure> {
    list(Category::ALL.map(|category| PerftCategory {
        key: category.key(),
        title: category.title(),
        definition: category.definition(),
    }))
}

/// Counts parts, one after the other. The table is kept between them.
#[derive(Debug)]
#[wasm_bindgen]
pub struct Counter {
    engine: Engine,
    categories: Option<CategoryTable>,
}

#[wasm_bindgen]
impl Counter {
    /// Creates a counter with a table of this many MiB, or without one for 0. The seed is 32 random
    /// bytes. If nobody could guess the seed, the chance of a wrong count is bounded.
    #[wasm_bindgen(constructor)]
    pub fn new(mebibytes: u32, by_category: bool, seed: &[u8]) -> Result<Self, Failure> {
        let mut engine = Engine::new(Options::default());
        let mut categories = None;
        if mebibytes > 0 {
            let size = HashSize::mebibytes(mebibytes.into());
            let seed =
                <[u8; 32]>::try_from(seed).map_err(|_| Failure::of("", "a seed is 32 bytes"))?;
            let seed = Seed::from_bytes(seed);
            let failed = |error| Failure::of(&mebibytes.to_string(), error);
            if by_category {
                categories = Some(CategoryTable::new(size, seed).map_err(failed)?);
            } else {
                engine = engine.with_table(Table::new(size, seed).map_err(failed)?);
            }
        }
        Ok(Self { engine, categories })
    }

    /// The number of leaf nodes below a position.
    pub fn count(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
        depth: u32,
    ) -> Result<u128, Failure> {
        self.counted(&position_of(position)?, depth)
    }

    /// The number of leaf nodes below a position, followed by the number in each category.
    #[wasm_bindgen(unchecked_return_type = "[bigint, ...bigint[]]")]
    pub fn categories(
        &self,
        #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
        depth: u32,
    ) -> Result<Vec<JsValue>, Failure> {
        let found = self.by_category(&position_of(position)?, below(depth)?);
        let numbers = Category::ALL.map(|category| found[category]);
        Ok([found.nodes].into_iter().chain(numbers).map(JsValue::from).collect())
    }
}

impl Counter {
    fn counted(&self, position: &Position, depth: u32) -> Result<u128, Failure> {
        count(&self.engine, position, below(depth)?)
    }

    fn by_category(&self, position: &Position, depth: u32) -> Categories {
        let options = self.engine.options();
        let total = match &self.categories {
            Some(table) => categories_with_table(position, depth, options, table, &()),
            None => categories(position, depth, options, &()),
        };
        total.categories
    }
}

/// Reads a depth from JavaScript. If it were declared as a number of Rust, the text `"2"` and the
/// number 2.9 would also be accepted.
fn depth_of(value: &JsValue) -> Result<u32, Failure> {
    let number = value.as_f64().ok_or_else(|| Failure::of_type("the depth is not a number"))?;
    whole(number)
}

fn whole(number: f64) -> Result<u32, Failure> {
    let depth = number as u32;
    if f64::from(depth) == number {
        checked(depth)
    } else {
        let message = format!("the depth is a whole number from 1 to {MAX_DEPTH}");
        Err(Failure::of(&number.to_string(), message))
    }
}

fn checked(depth: u32) -> Result<u32, Failure> {
    if (1..=MAX_DEPTH).contains(&depth) {
        Ok(depth)
    } else {
        let message = format!("the depth is a number from 1 to {MAX_DEPTH}");
        Err(Failure::of(&depth.to_string(), message))
    }
}

/// Checks the depth of a part, which is 0 in a count of depth 1.
fn below(depth: u32) -> Result<u32, Failure> {
    if depth == 0 { Ok(0) } else { checked(depth) }
}

fn count(engine: &Engine, position: &Position, depth: u32) -> Result<u128, Failure> {
    let fen = || position.fen().to_string();
    engine.count(position, depth).map_err(|error| Failure::of(&fen(), error))
}

fn split(here: &Position, depth: u32, by_category: bool) -> PerftSplit {
    let moves = here
        .legal_moves()
        .into_iter()
        .map(|mv| RootMove { uci: here.uci(mv).to_string(), san: here.san(mv).to_string() });
    let moves = moves.collect();
    // A category depends on the last move, so the part must contain that move.
    if by_category && depth == 1 {
        let whole = PerftPart { root: None, fen: here.fen().to_string(), depth, share: 1.0 };
        return PerftSplit { moves, parts: vec![whole] };
    }
    let leaves = if by_category { LEAVES_PER_PART_BY_CATEGORY } else { LEAVES_PER_PART };
    let split = Split::new(here, depth, leaves);
    let parts = split.parts().map(|part| PerftPart {
        root: u32::try_from(part.root).ok(),
        fen: part.position.fen().to_string(),
        depth: part.depth,
        share: part.share,
    });
    PerftSplit { moves, parts: parts.collect() }
}

fn known(position: &Position) -> Vec<u64> {
    let lines = tabiya_suites::STANDARD.text.lines().filter(|line| !line.starts_with('#'));
    for line in lines {
        let mut fields = line.split(';');
        let fen = fields.next().unwrap_or_default().trim();
        if Position::from_fen(fen).is_ok_and(|standard| standard == *position) {
            // The counts are listed depth by depth, without a gap: `D1 20 ;D2 400`.
            let count = |(field, depth): (&str, u32)| {
                let (name, count) = field.trim().split_once(' ')?;
                (name.strip_prefix('D')?.parse() == Ok(depth)).then_some(count.parse().ok()?)
            };
            return fields.zip(1..).map_while(count).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "kiwipete";

    #[test]
    fn depths_are_whole_numbers() {
        assert_eq!((whole(1.0), whole(255.0)), (Ok(1), Ok(255)));
        for wrong in [0.0, -1.0, 2.9, 256.0, 4_294_967_298.0, f64::NAN, f64::INFINITY] {
            assert!(whole(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn parts_add_up_with_and_without_a_table() {
        let here = position(KIWIPETE, "").unwrap();
        for (mebibytes, by_category) in [(0, false), (1, false), (0, true), (1, true)] {
            let counter = Counter::new(mebibytes, by_category, &[7; 32]).unwrap();
            for depth in 1..=4 {
                let split = split(&here, depth, by_category);
                let numbers = split.parts.iter().map(|part| {
                    let below = position(&part.fen, "").unwrap();
                    if by_category {
                        counter.by_category(&below, part.depth).nodes
                    } else {
                        count(&counter.engine, &below, part.depth).unwrap()
                    }
                });
                let expected = known(&here)[depth as usize - 1];
                assert_eq!(numbers.sum::<u128>(), expected.into(), "{depth} {by_category}");
                assert_eq!(split.moves.len(), 48);
            }
        }
    }

    #[test]
    fn a_counter_refuses_depths_that_cannot_be_counted() {
        let kings = position("k7/8/8/8/8/8/8/K7 w - - 0 1", "").unwrap();
        for (mebibytes, by_category) in [(0, false), (1, false), (0, true), (1, true)] {
            let counter = Counter::new(mebibytes, by_category, &[7; 32]).unwrap();
            for depth in [MAX_DEPTH + 1, 1000, u32::MAX] {
                assert!(counter.counted(&kings, depth).is_err(), "{depth}");
            }
            assert_eq!((counter.counted(&kings, 0), counter.counted(&kings, 1)), (Ok(1), Ok(3)));
        }
    }

    #[test]
    fn counts_are_known_for_the_standard_positions_alone() {
        assert_eq!(known(&Position::START)[..3], [20, 400, 8902]);
        assert!(known(&position("startpos", "e2e4").unwrap()).is_empty());
        for standard in tabiya_views::StandardPosition::ALL {
            let here = position(standard.name(), "").unwrap();
            let counts = known(&here);
            assert!(counts.len() >= 4, "{}", standard.name());
            assert_eq!(perft(&here, 3), Ok(counts[2].into()));
            let divided = divided(&here, 3).unwrap();
            assert_eq!(divided.iter().map(|it| it.nodes).sum::<u128>(), counts[2].into());
        }
    }
}
