//! Layers: sets of the generator by name.

use serde::Serialize;
use tabiya_views::layer::why;
use tabiya_views::{InputError, Layer, LayerKind};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::scene;
use crate::error::{Failure, list};

/// A kind of layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LayerInfo {
    /// The name, such as `king-danger`.
    pub name: &'static str,
    /// The form of the argument, such as `:COLOR`; empty if there is none.
    pub form: String,
    /// The meaning of the layer.
    pub description: &'static str,
    /// Does the layer need a playable position?
    pub needs_position: bool,
}

/// The squares of a layer, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct LayerSquares {
    /// The layer in the caller's text.
    pub name: String,
    /// Its squares.
    pub squares: u64,
    /// The reason why the set is empty, if that needs an explanation.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The reason why the layer cannot be shown.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Every kind of layer.
#[wasm_bindgen(js_name = layerKinds)]
pub fn layer_kinds() -> Result<Vec<Ts<LayerInfo>>, Failure> {
    list(kinds())
}

fn kinds() -> impl Iterator<Item = LayerInfo> {
    let info = |kind: &LayerKind| LayerInfo {
        name: kind.name(),
        form: kind.form().to_string(),
        description: kind.description(),
        needs_position: kind.needs_position(),
    };
    LayerKind::ALL.iter().map(info)
}

/// The squares of layers in the position after some moves, one answer for each name.
///
/// A layer that cannot be shown has an `error`. The other layers are still shown.
#[wasm_bindgen]
pub fn layers(
    start: &str,
    moves: &str,
    names: Vec<String>,
) -> Result<Vec<Ts<LayerSquares>>, Failure> {
    list(evaluated(start, moves, names)?)
}

fn evaluated(start: &str, moves: &str, names: Vec<String>) -> Result<Vec<LayerSquares>, Failure> {
    let scene = scene(start, moves)?;
    let found = names.into_iter().map(|name| {
        let found = Layer::parse(&name).and_then(|layer| layer.evaluate(&scene));
        match found {
            Ok(found) => {
                LayerSquares { name, squares: found.squares.0, note: found.note, error: None }
            }
            Err(error) => {
                let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
                let error = Some(format!("{error}{hint}"));
                LayerSquares { name, squares: 0, note: None, error }
            }
        }
    });
    Ok(found.collect())
}

/// A layer that holds a square.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LayerReason {
    /// The layer in the caller's text.
    pub name: String,
    /// The reason why it holds the square, if it says more than the layer's description.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The layers, among those named, that hold a square in the position after some moves, with the
/// reasons. Layers that cannot be shown are left out.
#[wasm_bindgen(js_name = layerReasons)]
pub fn layer_reasons(
    start: &str,
    moves: &str,
    names: Vec<String>,
    square: &str,
) -> Result<Vec<Ts<LayerReason>>, Failure> {
    list(holding(start, moves, &names, square)?)
}

fn holding(
    start: &str,
    moves: &str,
    names: &[String],
    square: &str,
) -> Result<Vec<LayerReason>, Failure> {
    let scene = scene(start, moves)?;
    let square = square.parse().map_err(|error| Failure::of(square, error))?;
    let layers = names.iter().filter_map(|name| Layer::parse(name).ok());
    let held =
        layers.filter(|layer| layer.squares(&scene).is_ok_and(|squares| squares.has(square)));
    Ok(held
        .map(|layer| LayerReason {
            name: layer.text().to_owned(),
            reason: why(&scene, &layer, square),
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(list: &str) -> Vec<String> {
        list.split(',').map(str::to_owned).collect()
    }

    #[test]
    fn a_square_has_the_reasons_of_its_layers() {
        let fen = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";
        let held =
            holding(fen, "", &listed("checkers,bishops,pinned,nothing,targets"), "e2").unwrap();
        let names: Vec<_> = held.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["bishops", "pinned"]);
        let pinned = "the bishop on e2 is pinned on the e-file by the rook on e8";
        assert_eq!((held[0].reason.as_deref(), held[1].reason.as_deref()), (None, Some(pinned)));
        assert_eq!(holding(fen, "", &listed("pinned"), "e9").unwrap_err().input, "e9");
    }

    #[test]
    fn a_wrong_layer_does_not_hide_the_others() {
        let found = evaluated("startpos", "", listed("pawns,nothing,attacks:e4")).unwrap();
        assert_eq!(found[0].squares, 0x00ff_0000_0000_ff00);
        assert!(found[1].error.as_ref().unwrap().contains("no layer"));
        assert_eq!(found[2].error.as_deref(), Some("e4 is empty"));
    }

    #[test]
    fn every_kind_has_a_description() {
        assert!(kinds().all(|kind| !kind.description.is_empty()));
    }
}
