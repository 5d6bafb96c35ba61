//! The meanings of names in expressions.

use std::collections::BTreeMap;

use tabiya::{Bitboard, File, Rank, Square};

use super::error::{CalculatorErrorKind, Problem};
use super::function::Function;
use crate::layer::LayerErrorKind;
use crate::{InputError, Layer, LayerKind, Scene, spelling};

/// The meaning of a name: the kind of thing that it names, and its squares.
pub(super) type Meaning = (&'static str, Bitboard);

/// The longest name of a user's set.
const MAX_NAME: usize = 32;

/// More than the length of any layer with its argument, and of any constant.
const MAX_KNOWN: usize = 64;

/// The reason why a set may not have a name.
///
/// ```
/// use tabiya_views::calculator::{NameError, check_name};
/// assert_eq!(check_name("blockers_2"), Ok(()));
/// assert_eq!(check_name("2r"), Err(NameError::Form));
/// assert_eq!(check_name("pinned").unwrap_err().to_string(), "pinned already means something");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// The name has no letter at its beginning, or other characters than letters, digits and
    /// underscores, or more than 32 of them.
    #[error("a name is a letter and up to {} letters, digits and underscores", MAX_NAME - 1)]
    Form,
    /// A square, a constant, a layer or a function has this name.
    #[error("{0} already means something")]
    Taken(String),
}

/// Can a set have this name? The calculator itself accepts sets of any name; a name that fails here
/// cannot be written, or hides something else.
///
/// # Errors
/// [`NameError`] gives the reason if not.
pub fn check_name(name: &str) -> Result<(), NameError> {
    let is_word = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if !is_word || name.len() > MAX_NAME || !name.starts_with(|it: char| it.is_ascii_alphabetic()) {
        return Err(NameError::Form);
    }
    let is_layer = LayerKind::ALL.iter().any(|kind| kind.name() == name);
    if is_layer || constant(name).is_some() || Function::find(name).is_some() {
        return Err(NameError::Taken(name.to_owned()));
    }
    Ok(())
}

/// Squares, files, ranks and the sets with names of their own.
fn constant(name: &str) -> Option<Meaning> {
    if let Ok(square) = name.parse::<Square>() {
        return Some(("square", square.bitboard()));
    }
    let one = |text: &str| {
        let mut characters = text.chars();
        characters.next().filter(|it| !it.is_ascii_uppercase() && characters.next().is_none())
    };
    let squares = match name {
        "all" => Bitboard::FULL,
        "none" => Bitboard::EMPTY,
        "light" => Bitboard::LIGHT,
        "dark" => Bitboard::DARK,
        _ => match name.split_once('-')? {
            ("file", file) => File::from_letter(one(file)?)?.bitboard(),
            ("rank", rank) => Rank::from_digit(one(rank)?)?.bitboard(),
            _ => return None,
        },
    };
    Some(("constant", squares))
}

const CONSTANTS: [&str; 6] = ["all", "none", "light", "dark", "file-e", "rank-4"];

/// The longest name with which the text begins, and its meaning. The text consists of characters
/// that names contain.
pub(super) fn find<'t>(
    text: &'t str,
    start: usize,
    names: &BTreeMap<String, Bitboard>,
    scene: &Scene,
) -> Result<(&'t str, Meaning), Problem> {
    // A name ends before a hyphen or at the end. A thousand names with hyphens between them are not
    // tried as a whole: that would take time in the cube of their number.
    let longest = names.keys().map(String::len).fold(MAX_KNOWN, usize::max);
    let ends = text.match_indices('-').map(|(end, _)| end).chain([text.len()]);
    let ends: Vec<usize> =
        ends.skip_while(|end| *end == 0).take_while(|end| *end <= longest).collect();
    for name in ends.into_iter().rev().map(|end| &text[..end]) {
        let own = names.get(name).map(|squares| ("name", *squares));
        if let Some(meaning) = own.or_else(|| constant(name)) {
            return Ok((name, meaning));
        }
        // The error of `parse` would say which layer has the most similar name.
        let kind = name.split_once(':').map_or(name, |(kind, _)| kind);
        if LayerKind::ALL.iter().any(|known| known.name() == kind)
            && let Ok(layer) = Layer::parse(name)
        {
            let problem = |error| layer_problem(&error, start);
            return Ok((name, ("layer", layer.squares(scene).map_err(problem)?)));
        }
    }
    Err(unknown(text, start, names))
}

/// A hint for the name of a layer that is written as a function, such as `between(e1, e8)`.
pub(super) fn layer_form(name: &str) -> Option<String> {
    let kind = LayerKind::ALL.iter().find(|kind| kind.name() == name)?;
    let example = match kind.form().to_string().as_str() {
        "" => String::new(),
        form => form
            .replace("SQ-SQ", "e1-e8")
            .replace("SQ-DIR", "e1-n")
            .replace("SQ", "e4")
            .replace("COLOR", "white"),
    };
    Some(format!("{name} is a layer, which is written {name}{example}"))
}

fn layer_problem(error: &crate::layer::LayerError, start: usize) -> Problem {
    let span = error.span();
    Problem {
        kind: CalculatorErrorKind::Layer(error.to_string()),
        span: start + span.start..start + span.end,
        hint: error.hint(),
    }
}

/// The error for a text that does not begin with a name. A guess at the whole text comes before one
/// at the part before its first hyphen.
fn unknown(text: &str, start: usize, names: &BTreeMap<String, Bitboard>) -> Problem {
    let mut known: Vec<&str> = names.keys().map(String::as_str).collect();
    known.extend(CONSTANTS.iter().map(|name| -> &str { name }));
    known.extend(LayerKind::ALL.iter().map(|kind| -> &str { kind.name() }));
    known.extend(Function::ALL.iter().map(|function| -> &str { function.name() }));

    let first = &text[..text.find('-').filter(|end| *end > 0).unwrap_or(text.len())];
    let guess = |part: &str| {
        if let Err(error) = Layer::parse(part)
            && matches!(error.kind(), LayerErrorKind::Argument { .. })
        {
            return Some(layer_problem(&error, start));
        }
        let nearest = spelling::nearest(part, known.iter().copied())?;
        let hint = match Function::find(nearest) {
            Some(function) => format!("there is a function: {}", function.form()),
            None => format!("did you mean {nearest}?"),
        };
        Some(Problem { hint: Some(hint), ..no_name(part, start) })
    };
    guess(text).or_else(|| guess(first)).unwrap_or_else(|| no_name(first, start))
}

fn no_name(name: &str, start: usize) -> Problem {
    Problem::new(CalculatorErrorKind::Name(name.to_owned()), start..start + name.len())
}
