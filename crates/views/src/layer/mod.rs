//! Bitboards of the generator by name.
//!
//! A *layer* is a set of squares to be drawn on a board. Its text is a name, and for many layers an
//! argument after a colon: `checkers`, `attacks:white`, `xray:c3`, `between:e1-e8`,
//! `ray-before:c3-ne`. [`LayerKind::ALL`] lists them with their meanings.
//!
//! ```
//! use tabiya_views::{Layer, PositionText};
//! let scene = PositionText::new("4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1").scene().unwrap();
//! let pinned = Layer::parse("pinned").unwrap().squares(&scene).unwrap();
//! assert_eq!(pinned, tabiya::Square::E2.bitboard());
//! ```

mod error;
mod function;
mod kind;
mod table;
mod why;

use std::fmt;

use tabiya::Bitboard;

pub use error::{LayerError, LayerErrorKind};
pub use function::ArgumentForm;
pub use kind::LayerKind;
pub use why::why;

use crate::Scene;
use function::Bound;

/// A layer that was read from text, ready for any scene.
#[derive(Clone)]
pub struct Layer {
    text: String,
    bound: Bound,
}

impl Layer {
    /// Reads `name` or `name:argument`.
    ///
    /// # Errors
    /// [`LayerError`] if there is no layer of this name, or if the argument is not of the form
    /// that the layer needs.
    ///
    /// ```
    /// use tabiya_views::{InputError, Layer};
    /// assert!(Layer::parse("attacks:white").is_ok());
    /// let error = Layer::parse("attcks:white").unwrap_err();
    /// assert_eq!(error.to_string(), "there is no layer \"attcks\"");
    /// assert_eq!(error.hint().as_deref(), Some("did you mean attacks?"));
    /// ```
    pub fn parse(text: &str) -> Result<Self, LayerError> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let rows = || LayerKind::ALL.iter().filter(|kind| kind.name == name);
        match rows().find_map(|kind| kind.function.bind(argument)) {
            Some(bound) => Ok(Self { text: text.to_owned(), bound }),
            None => {
                let forms = rows().map(LayerKind::form).collect();
                Err(LayerError::unreadable(text, name, forms))
            }
        }
    }

    /// Splits a list of layers at its commas. A comma between two squares of one layer, as in
    /// `between:e1,e8`, does not separate.
    ///
    /// ```
    /// use tabiya_views::Layer;
    /// let layers: Vec<_> = Layer::split("checkers,between:e1,e8,ray:c3,ne,pinned").collect();
    /// assert_eq!(layers, ["checkers", "between:e1,e8", "ray:c3,ne", "pinned"]);
    /// ```
    pub fn split(list: &str) -> impl Iterator<Item = &str> {
        let mut rest = Some(list);
        std::iter::from_fn(move || {
            let text = rest?;
            let commas = text.match_indices(',').map(|(place, _)| place);
            // The first comma, or the second if there is an argument with a comma.
            let mut ends = commas.chain([text.len()]);
            let first = ends.next()?;
            let second = ends.next().filter(|&end| {
                text[..first].contains(':')
                    && !text[..end].ends_with(',')
                    && Self::parse(&text[..end]).is_ok()
            });
            let end = second.unwrap_or(first);
            rest = text.get(end + 1..);
            Some(&text[..end])
        })
    }

    /// The layer as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The squares of the layer in a scene.
    ///
    /// # Errors
    /// [`LayerError`] if the layer needs a playable position and there is none, or if it needs a
    /// piece on a square that is empty.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_views::Layer;
    /// let start = Position::START.into();
    /// assert_eq!(Layer::parse("attacks:b1").unwrap().squares(&start).unwrap().len(), 3);
    /// let error = Layer::parse("attacks:e4").unwrap().squares(&start).unwrap_err();
    /// assert_eq!(error.to_string(), "e4 is empty");
    /// ```
    pub fn squares(&self, scene: &Scene) -> Result<Bitboard, LayerError> {
        Ok(self.found(scene)?.squares)
    }

    /// The squares, and the reason why there are none, if that needs an explanation.
    ///
    /// # Errors
    /// The same as those of [`squares`](Self::squares).
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_views::Layer;
    /// let start = Position::START.into();
    /// let between = Layer::parse("between:a1-b3").unwrap().evaluate(&start).unwrap();
    /// assert_eq!(between.note.as_deref(), Some("a1 and b3 do not share a line"));
    /// ```
    pub fn evaluate(&self, scene: &Scene) -> Result<LayerSquares, LayerError> {
        let function::Answer { squares, note } = self.found(scene)?;
        Ok(LayerSquares { name: self.text.clone(), squares, note })
    }

    fn found(&self, scene: &Scene) -> Result<function::Answer, LayerError> {
        (self.bound)(scene).map_err(|problem| LayerError::impossible(&self.text, problem))
    }
}

impl fmt::Debug for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Layer").field(&self.text).finish()
    }
}

/// Layers are equal if they are written in the same way.
impl PartialEq for Layer {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Layer {}

/// The result of a layer in a scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerSquares {
    /// The layer as it was written.
    pub name: String,
    /// The squares.
    pub squares: Bitboard,
    /// The reason why there are none, if that needs an explanation.
    pub note: Option<String>,
}

impl LayerSquares {
    /// The names of the squares, from a1 to h8.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_views::Layer;
    /// let knights = Layer::parse("knights").unwrap().evaluate(&Position::START.into()).unwrap();
    /// assert_eq!(knights.square_names(), ["b1", "g1", "b8", "g8"]);
    /// ```
    pub fn square_names(&self) -> Vec<String> {
        self.squares.iter().map(|square| square.to_string()).collect()
    }
}

/// A completion of the text of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The completed text: a whole layer, or a name and a colon.
    pub text: String,
    /// A description of the layer.
    pub description: &'static str,
}

/// The completions of the text of a layer: first the name, then the argument.
///
/// ```
/// use tabiya_views::layer::completions;
/// let texts = |typed| completions(typed).into_iter().map(|it| it.text).collect::<Vec<_>>();
/// assert_eq!(texts("pin"), ["pinned", "pinners", "pin-line:", "pin-lines"]);
/// assert_eq!(texts("attacks:w"), ["attacks:white"]);
/// assert_eq!(texts("attackers:e").len(), 8);
/// ```
pub fn completions(typed: &str) -> Vec<Completion> {
    let mut found: Vec<Completion> = Vec::new();
    for kind in LayerKind::ALL {
        let name = kind.name;
        let texts: Vec<String> = match (typed.contains(':'), kind.form()) {
            (false, ArgumentForm::Nothing) => vec![name.to_owned()],
            (false, ArgumentForm::Color) => kind
                .form()
                .arguments()
                .iter()
                .map(|argument| format!("{name}:{argument}"))
                .collect(),
            (false, _) => vec![format!("{name}:")],
            (true, form) if typed.starts_with(name) => {
                form.arguments().iter().map(|argument| format!("{name}:{argument}")).collect()
            }
            (true, _) => Vec::new(),
        };
        for text in texts.into_iter().filter(|text| text.starts_with(typed)) {
            // Two layers with the same name may have the same completion.
            if found.iter().all(|completion| completion.text != text) {
                found.push(Completion { text, description: kind.description });
            }
        }
    }
    found
}
