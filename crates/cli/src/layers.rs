//! Layers as values of arguments.

use std::ffi::OsStr;
use std::sync::OnceLock;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use tabiya_views::layer::{self, Completion, LayerKind};

use crate::output::definitions;

/// Accepts any text, which is parsed later together with the position. Shells complete the names.
#[derive(Clone, Debug)]
pub(crate) struct LayerValues;

impl TypedValueParser for LayerValues {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |it: &'static Completion| PossibleValue::new(&*it.text).help(it.description);
        Some(Box::new(names().iter().map(value)))
    }
}

/// The words that a shell completes: names, followed by a colon if they need an argument.
fn names() -> &'static [Completion] {
    static NAMES: OnceLock<Vec<Completion>> = OnceLock::new();
    NAMES.get_or_init(|| layer::completions(""))
}

/// The list of layers for the help text.
pub(crate) fn help() -> String {
    const HEADING: &str =
        "Layers (SQ: a square; COLOR: white or black; DIR: n, ne, e, se, s, sw, w or nw):\n";
    let definition = |kind: &LayerKind| (kind.to_string(), kind.description());
    HEADING.to_owned() + &definitions(&LayerKind::ALL.iter().map(definition).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_fits_into_the_width_of_the_help_text() {
        for line in help().lines() {
            assert!(line.len() <= 100, "{line}");
        }
    }

    #[test]
    fn shells_complete_every_name_once() {
        let names: Vec<&str> = names().iter().map(|it| it.text.as_str()).collect();
        for kind in LayerKind::ALL {
            let begins = names.iter().filter(|name| {
                name.strip_prefix(kind.name())
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with(':'))
            });
            assert!(begins.count() > 0, "{kind}");
        }
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), names.len());
    }
}
