//! The reason why a row is bad.

use std::borrow::Cow;

use pyo3::prelude::*;

/// Why a row is bad. Millions of rows may be bad, but only one of them is reported. So the words
/// about an object are found when it is.
pub(super) enum Reason<'a> {
    Words(Cow<'static, str>),
    /// An object that is no text and no move, and the function that says so.
    Object(&'a Py<PyAny>, fn(&Bound<'_, PyAny>) -> String),
}

impl Reason<'_> {
    /// The reason in words.
    pub(super) fn words(self, py: Python<'_>) -> String {
        match self {
            Self::Words(words) => words.into_owned(),
            Self::Object(object, describe) => describe(object.bind(py)),
        }
    }
}

impl From<&'static str> for Reason<'_> {
    fn from(words: &'static str) -> Self {
        Self::Words(words.into())
    }
}

impl From<String> for Reason<'_> {
    fn from(words: String) -> Self {
        Self::Words(words.into())
    }
}
