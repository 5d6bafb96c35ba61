//! The options of an engine.

use crate::error::Error;

/// An option that an engine has named.
///
/// ```
/// use tabiya_uci::{EngineOption, OptionKind};
/// let option = EngineOption::parse("option name Hash type spin default 16 min 1 max 1024")?;
/// assert_eq!(option.name, "Hash");
/// assert_eq!(option.kind, OptionKind::Spin { default: 16, min: 1, max: 1024 });
/// # Ok::<(), tabiya_uci::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    /// Its name, which may have spaces.
    pub name: String,
    /// Its type, with the default.
    pub kind: OptionKind,
}

/// The type of an option, with its value at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the fields are those of UCI")]
pub enum OptionKind {
    /// On or off.
    Check { default: bool },
    /// A number.
    Spin { default: i64, min: i64, max: i64 },
    /// One of some texts.
    Combo { default: String, choices: Vec<String> },
    /// An action.
    Button,
    /// Any text of one line.
    String { default: String },
    /// The engine's line about it isn't as UCI says, for this reason, so the option can't be set.
    Unreadable { reason: String },
}

/// UCI's word for an empty text.
const EMPTY: &str = "<empty>";

impl EngineOption {
    /// Reads a line that begins with `option name`.
    ///
    /// # Errors
    /// [`Error::Protocol`]: it has no name or no type.
    pub fn parse(line: &str) -> Result<Self, Error> {
        let parts = line.trim().strip_prefix("option name ").and_then(|it| it.split_once(" type "));
        let (name, rest) =
            parts.ok_or_else(|| Error::protocol(line, "an option has no name or no type"))?;
        let (kind, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let kind = OptionKind::parse(kind, rest.trim());
        let kind = kind.unwrap_or_else(|reason| OptionKind::Unreadable { reason });
        Ok(Self { name: name.trim().to_owned(), kind })
    }

    /// The command that sets the option.
    ///
    /// # Errors
    /// [`Error::Argument`]: the value doesn't fit.
    pub(crate) fn command(&self, value: &str) -> Result<String, Error> {
        let Self { name, kind } = self;
        let (fits, takes) = match kind {
            OptionKind::Check { .. } => {
                (["true", "false"].contains(&value), "true or false".to_owned())
            }
            OptionKind::Spin { min, max, .. } => {
                let fits = value.parse().is_ok_and(|it| (min..=max).contains(&&it));
                (fits, format!("a number from {min} to {max}"))
            }
            OptionKind::Combo { choices, .. } => {
                (choices.iter().any(|it| it == value), format!("one of {}", choices.join(", ")))
            }
            OptionKind::Button => (value.is_empty(), "no value".to_owned()),
            OptionKind::String { .. } => {
                (!value.contains(['\n', '\r']), "a text of one line".to_owned())
            }
            OptionKind::Unreadable { reason } => {
                (false, format!("nothing (its line isn't UCI: {reason})"))
            }
        };
        match value {
            _ if !fits => {
                Err(Error::Argument(format!("the option {name} takes {takes}, not {value:?}")))
            }
            "" if *kind == OptionKind::Button => Ok(format!("setoption name {name}")),
            "" => Ok(format!("setoption name {name} value {EMPTY}")),
            _ => Ok(format!("setoption name {name} value {value}")),
        }
    }
}

impl OptionKind {
    /// Reads what follows the word `type`: the name of the type, and the rest.
    ///
    /// # Errors
    /// What is wrong.
    fn parse(kind: &str, rest: &str) -> Result<Self, String> {
        // A default of a text may have any words.
        if kind == "string" {
            let default = rest.strip_prefix("default").unwrap_or_default().trim();
            let default = if default == EMPTY { "" } else { default }.to_owned();
            return Ok(Self::String { default });
        }
        // The default, the least and the greatest value, then the choices, word by word.
        let (mut fields, mut at) = (vec![Vec::new(); 3], None);
        for word in rest.split_whitespace() {
            match word {
                "default" => at = Some(0),
                "min" => at = Some(1),
                "max" => at = Some(2),
                "var" => {
                    at = Some(fields.len());
                    fields.push(Vec::new());
                }
                _ => fields[at.ok_or_else(|| format!("{word} follows no key"))?].push(word),
            }
        }
        let mut fields: Vec<_> = fields.into_iter().map(|words| words.join(" ")).collect();
        let choices = fields.split_off(3);
        let default = fields[0].clone();
        let number = |text: &str| text.parse().map_err(|_| format!("{text:?} is no number"));
        match (kind, &*default) {
            ("check", "true" | "false") => Ok(Self::Check { default: default == "true" }),
            ("spin", text) => {
                let (min, max) = (number(&fields[1])?, number(&fields[2])?);
                Ok(Self::Spin { default: number(text)?, min, max })
            }
            ("combo", _) if choices.contains(&default) => Ok(Self::Combo { default, choices }),
            ("button", _) => Ok(Self::Button),
            ("check" | "combo", _) => Err(format!("the default {default:?} is no value of it")),
            _ => Err(format!("{kind} is no type")),
        }
    }
}
