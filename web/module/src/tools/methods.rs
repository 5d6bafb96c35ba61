//! Slider methods, step by step.

use serde::Serialize;
use tabiya::Bitboard;
use tabiya_views::methods::{self, Method, Step, Trace};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::{color_of, role_of, square_of};
use crate::error::{Failure, list};

/// A method of finding attacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct MethodInfo {
    /// The name for programs, such as `kogge-stone`.
    pub name: &'static str,
    /// The name for people.
    pub title: &'static str,
    /// The publication or page that describes the method.
    pub source: &'static str,
    /// The roles whose attacks it finds.
    #[tsify(type = "Role[]")]
    pub roles: Vec<&'static str>,
}

/// One step of a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct MethodStep {
    /// The kind of step, such as `blockers`.
    pub name: &'static str,
    /// The part of the method that the step belongs to, such as a direction.
    pub part: &'static str,
    /// One or two lines of arithmetic.
    pub arithmetic: String,
    /// The sets that the step takes and computes.
    pub sets: Vec<MethodSet>,
    /// The bits of the step that each blocker has made. Only magic multiplication traces bits.
    pub traces: Vec<MethodTrace>,
    /// The number that the step computes.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u64>,
    /// The explanation, in a sentence or two.
    pub caption: String,
}

/// A set of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct MethodSet {
    /// The name of the set in the arithmetic.
    pub name: &'static str,
    /// The squares.
    pub squares: u64,
    /// The role of the set in the step.
    #[tsify(type = "\"input\" | \"mask\" | \"intermediate\" | \"removed\" | \"result\"")]
    pub role: &'static str,
}

/// The bits that a blocker has made, alone or with others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct MethodTrace {
    /// The square of the blocker.
    #[tsify(type = "Square")]
    pub blocker: String,
    /// Its bits.
    pub squares: u64,
}

/// Every method, the simplest first.
#[wasm_bindgen(js_name = methodKinds)]
pub fn method_kinds() -> Result<Vec<Ts<MethodInfo>>, Failure> {
    list(Method::ALL.map(|method| MethodInfo {
        name: method.name(),
        title: method.title(),
        source: method.source(),
        roles: method.roles().iter().map(|role| role.name()).collect(),
    }))
}

/// The steps of a method for a piece on a square, if exactly the given squares are occupied. The
/// colour matters only for pawns.
#[wasm_bindgen(js_name = methodSteps)]
pub fn method_steps(
    method: &str,
    color: &str,
    role: &str,
    square: &str,
    occupied: u64,
) -> Result<Vec<Ts<MethodStep>>, Failure> {
    list(steps(method, color, role, square, occupied)?)
}

fn steps(
    method: &str,
    color: &str,
    role: &str,
    square: &str,
    occupied: u64,
) -> Result<Vec<MethodStep>, Failure> {
    let found = Method::parse(method).map_err(|error| Failure::of(method, error))?;
    let piece = role_of(role)?.of(color_of(color)?);
    let steps = methods::steps(found, piece, square_of(square)?, Bitboard(occupied))
        .map_err(|error| Failure::of(method, error))?;
    Ok(steps.into_iter().map(MethodStep::from).collect())
}

impl From<Step> for MethodStep {
    fn from(step: Step) -> Self {
        let Step { name, part, arithmetic, sets, traces, number, caption } = step;
        let sets = sets.iter().map(|set| MethodSet {
            name: set.name,
            squares: set.squares.0,
            role: set.role.name(),
        });
        let traces = traces.iter().map(|&Trace { blocker, squares }| MethodTrace {
            blocker: blocker.to_string(),
            squares: squares.0,
        });
        Self {
            name,
            part,
            arithmetic,
            sets: sets.collect(),
            traces: traces.collect(),
            number,
            caption,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_has_the_attacks() {
        let steps = steps("magic", "white", "rook", "a1", 1 << 16).unwrap();
        let result = steps.last().unwrap().sets.iter().find(|set| set.role == "result").unwrap();
        assert_eq!(result.squares, 0x0001_01fe);
    }

    #[test]
    fn wrong_words_are_errors() {
        for (words, wrong) in [
            (["magics", "white", "rook", "a1"], "magics"),
            (["magic", "red", "rook", "a1"], "red"),
            (["magic", "white", "tower", "a1"], "tower"),
            (["magic", "white", "rook", "a9"], "a9"),
            (["magic", "white", "king", "a1"], "magic"),
        ] {
            let [method, color, role, square] = words;
            let error = steps(method, color, role, square, 0).unwrap_err();
            assert_eq!(error.input, wrong, "{error:?}");
        }
    }
}
