//! The calculator of bitboards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tabiya::Bitboard;
use tabiya_views::calculator::{self, Function, check_name};
use tabiya_views::{PositionText, Scene};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::position_text;
use crate::error::{Failure, list, rust};

/// A part of an expression and its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct CalculatedStep {
    /// The text of the part.
    pub text: String,
    /// The operation: an operator, the name of a function, or `name`, `square`, `constant`, `layer`
    /// or `number`.
    pub operation: &'static str,
    /// The operands, as indices of earlier steps.
    #[tsify(type = "number[]")]
    pub operands: Vec<u32>,
    /// The value: 64 bits.
    pub value: u64,
    /// The best way to show the value. For `square`, the value is the number of a square.
    #[tsify(type = "\"set\" | \"number\" | \"square\"")]
    pub kind: &'static str,
}

/// A function of expressions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct FunctionInfo {
    /// Its name, such as `north_east`.
    pub name: &'static str,
    /// Its form, such as `pext(a, b)`.
    pub form: String,
    /// Its result.
    pub description: &'static str,
}

/// Sets of squares by the names that an expression has for them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Tsify)]
pub struct NamedSets(#[tsify(type = "Readonly<Record<string, bigint>>")] BTreeMap<String, u64>);

/// The values of all parts of an expression, ending with the whole expression. Layers are those of
/// the position, which need not be playable.
#[wasm_bindgen]
pub fn calculate(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    expression: &str,
    sets: Option<Ts<NamedSets>>,
) -> Result<Vec<Ts<CalculatedStep>>, Failure> {
    let scene = PositionText::new(&position_text(position)?).scene()?;
    let sets = sets.as_ref().map(rust).transpose()?.unwrap_or_default();
    list(calculated(&scene, sets, expression)?)
}

fn calculated(
    scene: &Scene,
    NamedSets(sets): NamedSets,
    expression: &str,
) -> Result<Vec<CalculatedStep>, Failure> {
    let sets = sets.into_iter().map(|(name, set)| (name, Bitboard(set))).collect();
    let steps = calculator::calculate(expression, &sets, scene)?;
    let step = |step: calculator::CalculatedStep| CalculatedStep {
        text: step.text,
        operation: step.operation,
        // An expression is too short to have more parts.
        operands: step.operands.into_iter().map(|operand| operand as u32).collect(),
        value: step.value,
        kind: step.kind.name(),
    };
    Ok(steps.into_iter().map(step).collect())
}

/// Every function of expressions.
#[wasm_bindgen(js_name = calculatorFunctions)]
pub fn calculator_functions() -> Result<Vec<Ts<FunctionInfo>>, Failure> {
    list(Function::ALL.iter().map(|function| FunctionInfo {
        name: function.name(),
        form: function.form(),
        description: function.description(),
    }))
}

/// The reason why a set may not have a name, or nothing if it may.
#[wasm_bindgen(js_name = nameProblem)]
pub fn name_problem(name: &str) -> Option<String> {
    check_name(name).err().map(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(expression: &str) -> Result<Vec<CalculatedStep>, Failure> {
        let scene = tabiya::Setup::START.into();
        calculated(&scene, NamedSets([("A".to_owned(), 0xff)].into()), expression)
    }

    #[test]
    fn names_layers_and_functions() {
        let steps = run("popcount(A & white)").unwrap();
        let last = steps.last().unwrap();
        assert_eq!((last.value, last.kind, &last.operands[..]), (8, "number", &[2][..]));
        let error = run("A & nothing").unwrap_err();
        assert_eq!((error.start, error.end), (4, 11));
    }

    #[test]
    fn names_are_checked() {
        assert_eq!(name_problem("A"), None);
        assert_eq!(name_problem("e4").as_deref(), Some("e4 already means something"));
    }
}
