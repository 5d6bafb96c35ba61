//! Errors about values of arguments, printed like all other errors: the expected value, the
//! argument as given, and carets below the wrong part.

use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::failure::Diagnostic;

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
            Some(
                diagnostic
                    .hint("a program comes after \"--\"; a FEN after --fen has to be in quotes"),
            )
        }
        _ => None,
    }
}

/// Is the error about a command that runs a program?
fn takes_a_program(error: &Error) -> bool {
    let usage = error.get(ContextKind::Usage);
    usage.is_some_and(|usage| usage.to_string().contains("-- <CMD>"))
}
