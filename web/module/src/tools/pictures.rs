//! What the generator sees: sets of squares by name, and pictures of them.

use std::num::NonZeroU32;

use serde::{Deserialize, Deserializer};
use tabiya_views::{
    Arrow, Diagram, Layer, PositionText, Scene, squares_of_move,
    svg::{Coordinates, Picture},
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::{has_only, position_text};
use crate::error::{Failure, rust};

/// A set of squares of the generator, such as `checkers`, `pinned` or `attacks:e4`. Bit 0 is a1, bit
/// 63 is h8. `layerKinds()` lists all of them.
#[wasm_bindgen]
pub fn layer(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    name: &str,
) -> Result<u64, Failure> {
    let scene = PositionText::new(&position_text(position)?).scene()?;
    Ok(Layer::parse(name)?.squares(&scene)?.0)
}

/// The board as an SVG picture. It need not be playable.
#[wasm_bindgen]
pub fn svg(
    #[wasm_bindgen(unchecked_param_type = "PositionLike")] position: &JsValue,
    #[wasm_bindgen(unchecked_optional_param_type = "SvgOptions")] options: Option<Ts<SvgOptions>>,
) -> Result<String, Failure> {
    let scene = PositionText::new(&position_text(position)?).scene()?;
    drawn(&scene, options.as_ref().map(SvgOptions::read).transpose()?.unwrap_or_default())
}

/// Options for drawing a position.
#[derive(Clone, Debug, Default, Deserialize, Tsify)]
#[serde(rename_all = "camelCase", default)]
pub struct SvgOptions {
    /// The title of the picture, for people who cannot see it. The default is the FEN.
    #[tsify(optional)]
    pub title: Option<String>,
    /// Layers to mark, such as `checkers` or `attacks:e4`; at most 8.
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub layers: Vec<String>,
    /// Arrows, such as `e2e4` or `g1f3:blue`.
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub arrows: Vec<String>,
    /// The last move, such as `e2e4`.
    #[tsify(optional)]
    pub last_move: Option<String>,
    /// Is Black at the bottom?
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub flipped: bool,
    /// Is the background transparent?
    #[tsify(optional)]
    #[serde(deserialize_with = "or_default")]
    pub transparent: bool,
    /// The place of the names of ranks and files; the default is `outside`.
    #[tsify(optional, type = "\"outside\" | \"inside\" | \"none\"")]
    pub coordinates: Option<String>,
    /// The width of the picture in pixels; the height follows from it.
    #[tsify(optional, type = "number")]
    pub size: Option<NonZeroU32>,
}

/// Also accepts a key whose value is `undefined`.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(
    value: D,
) -> Result<T, D::Error> {
    Ok(Option::deserialize(value)?.unwrap_or_default())
}

impl SvgOptions {
    const KEYS: [&'static str; 8] =
        ["title", "layers", "arrows", "lastMove", "flipped", "transparent", "coordinates", "size"];

    /// Reads an object of JavaScript.
    fn read(object: &Ts<Self>) -> Result<Self, Failure> {
        let options = rust(object)?;
        has_only(&object.js_value(), "svg", &Self::KEYS)?;
        Ok(options)
    }
}

fn drawn(scene: &Scene, options: SvgOptions) -> Result<String, Failure> {
    if options.layers.len() > Diagram::MAX_LAYERS {
        let most = format!("a picture shows at most {} layers", Diagram::MAX_LAYERS);
        return Err(Failure::of(&options.layers.join(","), most));
    }
    let mut diagram = Diagram { is_flipped: options.flipped, ..Diagram::new(scene.setup.board) };
    for name in &options.layers {
        diagram.layers.push(Layer::parse(name)?.evaluate(scene)?);
    }
    for arrow in &options.arrows {
        diagram.arrows.push(Arrow::parse(arrow)?);
    }
    diagram.last_move = options.last_move.as_deref().map(squares_of_move).transpose()?;
    let title = options.title.unwrap_or_else(|| scene.setup.fen().to_string());
    let mut picture = Picture::new(vec![diagram], title);
    picture.is_transparent = options.transparent;
    picture.width = options.size.map(NonZeroU32::get);
    if let Some(name) = &options.coordinates {
        let mut places = Coordinates::ALL.into_iter();
        picture.coordinates = places.find(|place| place.name() == name).ok_or_else(|| {
            let names = Coordinates::ALL.map(Coordinates::name).join(", ");
            Failure::of(name, format_args!("expected one of {names}"))
        })?;
    }
    Ok(picture.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_show_what_is_asked_for() {
        let picture = |options| drawn(&tabiya::Setup::START.into(), options);
        let options = SvgOptions { layers: vec!["pawns".to_owned()], ..SvgOptions::default() };
        assert!(picture(options).unwrap().contains("pawns"));
        let wrong = SvgOptions { arrows: vec!["e2".to_owned()], ..SvgOptions::default() };
        assert!(picture(wrong).is_err());
    }
}
