//! Errors about values of arguments, printed like all other errors: the expected value, the
//! argument as given, and carets below the wrong part.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::failure::Diagnostic;
use crate::output::printable;

/// The error in a value; `None` for other errors, which clap prints well.
pub(crate) fn of(error: &Error) -> Option<Diagnostic> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let value = text(ContextKind::InvalidValue).filter(|value| !value.is_empty());
    let (argument, value) = (text(ContextKind::InvalidArg)?, value.unwrap_or_default());
    // clap writes an option as `--depth <DEPTH>`, and a positional argument as `<DEPTH>`.
    let option = argument.split_once(' ').map(|(option, _)| option);
    let shown = |diagnostic: Diagnostic| {
        let before = option.map_or(String::new(), |option| format!("{option} "));
        let (begin, line) = (before.len(), before + value);
        let end = line.len();
        diagnostic.at(&line, begin..end)
    };
    match error.kind() {
        ErrorKind::ValueValidation => {
            let why = std::error::Error::source(error)?;
            Some(shown(Diagnostic::new(why)))
        }
        ErrorKind::InvalidValue => {
            let Some(ContextValue::Strings(values)) = error.get(ContextKind::ValidValue) else {
                return None;
            };
            if values.is_empty() {
                // The value is missing.
                return None;
            }
            let name = option.unwrap_or(argument);
            let one_of = values.join(", ");
            let diagnostic = Diagnostic::new(format_args!(
                "{value:?} is not a valid value for {name}: expected one of {one_of}"
            ));
            let diagnostic = match text(ContextKind::SuggestedValue) {
                Some(near) => diagnostic.hint(format_args!("did you mean {near}?")),
                None => diagnostic,
            };
            Some(shown(diagnostic))
        }
        // A program is followed by its own arguments, so only `--` tells where ours end.
        ErrorKind::UnknownArgument if takes_a_program(error) && !argument.starts_with('-') => {
            let diagnostic = Diagnostic::new(format_args!("unexpected argument {argument:?}"));
            Some(diagnostic.hint(format_args!("a program comes after \"--\": -- {argument}")))
        }
        _ => None,
    }
}

/// Puts a space in place of each control character of the arguments that the error shows. clap
/// passes them on to the terminal.
pub(crate) fn make_printable(error: &mut Error) {
    let context: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    let is_printable = |text: &str| !text.contains(char::is_control);
    if context
        .iter()
        .all(|(_, value)| !matches!(value, ContextValue::String(text) if !is_printable(text)))
    {
        return;
    }
    for (kind, value) in context {
        let value = match value {
            ContextValue::String(text) => ContextValue::String(printable(&text)),
            // A tip may repeat an argument. Its colours cannot be told from what is in that.
            ContextValue::StyledStrs(tips) => ContextValue::StyledStrs(
                tips.iter().map(|tip| printable(&tip.to_string()).into()).collect(),
            ),
            other => other,
        };
        error.insert(kind, value);
    }
}

/// Is the error about a command that runs a program?
fn takes_a_program(error: &Error) -> bool {
    let usage = error.get(ContextKind::Usage);
    usage.is_some_and(|usage| usage.to_string().contains("-- <CMD>"))
}
