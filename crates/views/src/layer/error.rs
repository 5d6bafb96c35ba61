//! Errors of layers.

use std::ops::Range;

use tabiya::{PositionError, Role, Square};

use super::function::{ArgumentForm, Problem};
use super::kind::LayerKind;
use crate::{InputError, spelling};

/// The reason why a string is not a layer, or why the scene does not have the layer.
///
/// ```
/// use tabiya_views::{InputError, Layer, layer::{ArgumentForm, LayerErrorKind}};
/// let error = Layer::parse("ray:e2-up").unwrap_err();
/// assert_eq!(error.kind(), &LayerErrorKind::Argument { forms: vec![ArgumentForm::Ray] });
/// assert_eq!(error.span(), 4..9);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LayerError {
    input: String,
    span: Range<usize>,
    message: String,
    kind: LayerErrorKind,
}

/// The kind of an error of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LayerErrorKind {
    /// There is no layer of this name.
    Name,
    /// The text after the colon has none of these forms.
    Argument {
        /// The forms that the layer takes.
        forms: Vec<ArgumentForm>,
    },
    /// The layer needs a playable position.
    NotPlayable(PositionError),
    /// The layer needs a piece on the square.
    EmptySquare(Square),
    /// The layer needs a bishop, a rook or a queen on the square.
    NotASlider(Role, Square),
}

impl LayerError {
    /// The kind of the error.
    pub const fn kind(&self) -> &LayerErrorKind {
        &self.kind
    }

    /// Text that matches no row of the table. The forms are those of the rows with its name.
    pub(super) fn unreadable(text: &str, name: &str, forms: Vec<ArgumentForm>) -> Self {
        let after_colon = (name.len() + 1).min(text.len());
        let (message, span, kind) = if forms.is_empty() {
            (format!("there is no layer {name:?}"), 0..name.len(), LayerErrorKind::Name)
        } else if forms == [ArgumentForm::Nothing] {
            let message = format!("the layer {name} takes no argument");
            (message, name.len()..text.len(), LayerErrorKind::Argument { forms })
        } else {
            let wanted = forms.iter().filter(|form| **form != ArgumentForm::Nothing);
            let wanted: Vec<_> = wanted.map(|form| form.expectation()).collect();
            let message = format!("the layer {name} needs {}", wanted.join(", or "));
            (message, after_colon..text.len(), LayerErrorKind::Argument { forms })
        };
        Self { input: text.to_owned(), span, message, kind }
    }

    /// A layer that the scene does not have.
    pub(super) fn impossible(text: &str, problem: Problem) -> Self {
        let colon = text.find(':');
        let name = &text[..colon.unwrap_or(text.len())];
        let (message, kind) = match problem {
            Problem::NotPlayable(error) => (
                format!("the layer {name} needs a playable position: {error}"),
                LayerErrorKind::NotPlayable(error),
            ),
            Problem::EmptySquare(square) => {
                (format!("{square} is empty"), LayerErrorKind::EmptySquare(square))
            }
            Problem::NotASlider(role, square) => (
                format!("the {role} on {square} is not a bishop, rook or queen"),
                LayerErrorKind::NotASlider(role, square),
            ),
        };
        let span = match problem {
            Problem::NotPlayable(_) => 0..name.len(),
            _ => colon.map_or(0, |colon| colon + 1)..text.len(),
        };
        Self { input: text.to_owned(), span, message, kind }
    }
}

impl InputError for LayerError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    fn hint(&self) -> Option<String> {
        let wrong = match self.kind {
            LayerErrorKind::Name => &self.input[self.span()],
            _ => return None,
        };
        let names = LayerKind::ALL.iter().map(LayerKind::name);
        spelling::nearest(wrong, names).map(|name| format!("did you mean {name}?"))
    }
}
