//! The kinds of layers: sets of the generator by name.

use serde::Serialize;
use tabiya_views::LayerKind;
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_description() {
        assert!(kinds().all(|kind| !kind.description.is_empty()));
    }
}
