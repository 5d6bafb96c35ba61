//! Conditions on tags. They are checked before the moves of a game are parsed.

use std::cmp::Ordering;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyMapping;

/// What a tag of the wanted games must be.
#[derive(Debug)]
pub(super) struct Condition {
    pub(super) tag: String,
    wanted: Wanted,
}

#[derive(Debug)]
enum Wanted {
    Text(String),
    // The bounds are included.
    Numbers(f64, f64),
    Texts(Option<String>, Option<String>),
}

impl Condition {
    pub(super) fn holds(&self, value: &str) -> bool {
        match &self.wanted {
            Wanted::Text(text) => value == text,
            Wanted::Numbers(from, to) => {
                value.trim().parse().is_ok_and(|number| (*from..=*to).contains(&number))
            }
            // These are written for a value that is not known.
            Wanted::Texts(..) if value.is_empty() || value == "-" || value.starts_with('?') => {
                false
            }
            Wanted::Texts(from, to) => {
                let fits = |bound: &Option<String>, is: fn(Ordering) -> bool| {
                    bound.as_ref().is_none_or(|bound| compare(value, bound).is_some_and(is))
                };
                fits(from, Ordering::is_ge) && fits(to, Ordering::is_le)
            }
        }
    }
}

/// Compares a text as far as the bound goes: all dates of 1999 are equal to `1999`. `None` if a part
/// is unknown that the bound gives, as in `1999.??.??`.
fn compare(value: &str, bound: &str) -> Option<Ordering> {
    match value.chars().zip(bound.chars()).find(|(one, other)| one != other) {
        Some((one, other)) if other.is_ascii_digit() && !one.is_ascii_digit() => None,
        Some((one, other)) => Some(one.cmp(&other)),
        None => Some(value.len().cmp(&bound.len()).min(Ordering::Equal)),
    }
}

/// All of them have to hold.
#[derive(Debug)]
pub(super) struct Conditions(pub(super) Vec<Condition>);

impl<'py> FromPyObject<'_, 'py> for Conditions {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let conditions = object.cast::<PyMapping>()?.items()?.iter().map(|item| {
            let (tag, wanted): (String, Bound<'_, PyAny>) = item.extract()?;
            let wanted = if let Ok(text) = wanted.extract() {
                Wanted::Text(text)
            } else if let Ok((from, to)) = wanted.extract::<(Option<String>, Option<String>)>() {
                Wanted::Texts(from, to)
            } else if let Ok((from, to)) = wanted.extract::<(Option<f64>, Option<f64>)>() {
                Wanted::Numbers(from.unwrap_or(f64::NEG_INFINITY), to.unwrap_or(f64::INFINITY))
            } else {
                let expected = "expected a str, or a pair of numbers or of str";
                let message = format!("{expected}, for the tag {tag}, not {wanted}");
                return Err(PyTypeError::new_err(message));
            };
            Ok(Condition { tag, wanted })
        });
        conditions.collect::<PyResult<_>>().map(Self)
    }
}
