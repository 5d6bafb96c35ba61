//! Layers: sets of the generator by name.

use serde::Serialize;
use tabiya_views::layer::why;
use tabiya_views::{InputError, Layer, Scene};
use tsify::Tsify;

use crate::arguments::square_of;
use crate::error::Failure;

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
    /// The reason why it holds the square of the question, if it does and if the reason says more
    /// than the layer's description.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The reason why the layer cannot be shown.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The squares of layers, one answer for each name, and why a square is among them.
pub(crate) fn evaluated(
    scene: &Scene,
    names: Vec<String>,
    square: Option<&str>,
) -> Result<Vec<LayerSquares>, Failure> {
    let square = square.map(square_of).transpose()?;
    let found = names.into_iter().map(|name| {
        let found = Layer::parse(&name).and_then(|layer| {
            let found = layer.evaluate(scene)?;
            let held = square.filter(|&square| found.squares.has(square));
            Ok((held.and_then(|square| why(scene, &layer, square)), found))
        });
        let none = LayerSquares { name, squares: 0, note: None, reason: None, error: None };
        match found {
            Ok((reason, found)) => {
                LayerSquares { squares: found.squares.0, note: found.note, reason, ..none }
            }
            Err(error) => {
                let hint = error.hint().map_or_else(String::new, |hint| format!("; {hint}"));
                LayerSquares { error: Some(format!("{error}{hint}")), ..none }
            }
        }
    });
    Ok(found.collect())
}

#[cfg(test)]
mod tests {
    use tabiya_views::PositionText;

    use super::*;

    fn asked(start: &str, list: &str, square: Option<&str>) -> Result<Vec<LayerSquares>, Failure> {
        let scene = PositionText::new(start).scene()?;
        evaluated(&scene, list.split(',').map(str::to_owned).collect(), square)
    }

    #[test]
    fn a_square_has_the_reasons_of_its_layers() {
        let fen = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";
        let found = asked(fen, "checkers,bishops,pinned,nothing,targets", Some("e2")).unwrap();
        let reasons: Vec<_> = found.iter().map(|it| it.reason.as_deref()).collect();
        let pinned = "the bishop on e2 is pinned on the e-file by the rook on e8";
        assert_eq!(reasons, [None, None, Some(pinned), None, None]);
        assert!(asked(fen, "pinned", None).unwrap()[0].reason.is_none());
        assert_eq!(asked(fen, "pinned", Some("e9")).unwrap_err().input, "e9");
    }

    #[test]
    fn a_wrong_layer_does_not_hide_the_others() {
        let found = asked("startpos", "pawns,nothing,attacks:e4", None).unwrap();
        assert_eq!(found[0].squares, 0x00ff_0000_0000_ff00);
        assert!(found[1].error.as_ref().unwrap().contains("no layer"));
        assert_eq!(found[2].error.as_deref(), Some("e4 is empty"));
    }
}
