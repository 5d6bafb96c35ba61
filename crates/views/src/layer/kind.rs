//! A row of the table of layers.

use std::fmt;

use super::function::{ArgumentForm, Function};

/// A row of the table of layers.
///
/// ```
/// use tabiya_views::layer::{ArgumentForm, LayerKind};
/// let checkers = LayerKind::ALL.iter().find(|kind| kind.name() == "checkers").unwrap();
/// assert_eq!(checkers.form(), ArgumentForm::Nothing);
/// assert_eq!(checkers.description(), "the pieces that give check");
/// assert!(checkers.needs_position());
/// ```
#[derive(Clone, Copy)]
pub struct LayerKind {
    pub(super) name: &'static str,
    pub(super) function: Function,
    pub(super) description: &'static str,
}

impl LayerKind {
    /// The name, such as `checkers`.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// The form of the argument after the colon.
    pub const fn form(&self) -> ArgumentForm {
        self.function.form()
    }

    /// A description of the layer, in a few words.
    pub const fn description(&self) -> &'static str {
        self.description
    }

    /// Does the layer need a playable position? The others need only a board.
    pub const fn needs_position(&self) -> bool {
        self.function.needs_position()
    }
}

impl fmt::Debug for LayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LayerKind")
            .field("name", &self.name)
            .field("form", &self.form())
            .field("description", &self.description)
            .finish_non_exhaustive()
    }
}

/// The name and the form of the argument, such as `attacks:COLOR`.
impl fmt::Display for LayerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}{}", self.name, self.form()))
    }
}
