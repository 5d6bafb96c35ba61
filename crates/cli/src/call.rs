//! The command line as it was typed, for printing it again.

use std::ffi::{OsStr, OsString};
use std::fmt;

/// All arguments, starting with the name of the program.
///
/// Its text can be typed into a shell to repeat the call.
#[derive(Clone, Debug)]
pub(crate) struct Call(Vec<OsString>);

impl Call {
    pub(crate) fn new(arguments: impl IntoIterator<Item = OsString>) -> Self {
        Self(arguments.into_iter().collect())
    }

    pub(crate) fn arguments(&self) -> &[OsString] {
        &self.0
    }

    /// The call with this position where it says that it is on standard input.
    pub(crate) fn with_position(&self, position: &str) -> Self {
        let arguments = self.0.iter();
        Self(arguments.map(|it| if it == "-" { position.into() } else { it.clone() }).collect())
    }
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, argument) in self.0.iter().enumerate() {
            let space = if index > 0 { " " } else { "" };
            write!(f, "{space}{}", quoted(argument))?;
        }
        Ok(())
    }
}

/// The argument in shell syntax: in quotes if it needs them.
fn quoted(argument: &OsStr) -> String {
    let text = argument.to_string_lossy();
    let is_plain = |letter: char| letter.is_alphanumeric() || "_-./:=,%+@".contains(letter);
    if !text.is_empty() && text.chars().all(|letter| is_plain(letter) || is_path(letter)) {
        return text.into_owned();
    }
    if cfg!(windows) { format!("\"{text}\"") } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Is this a letter that may occur in paths, and that the shells of this system do not interpret?
const fn is_path(letter: char) -> bool {
    cfg!(windows) && letter == '\\'
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_shown_as_a_shell_reads_it() {
        let fen = "8/8/8/8/8/k7/p7/K7 b - - 0 1";
        let call = Call::new(
            ["tabiya", "perft", "6", "--fen", fen, "a$b", "it's", ""].map(OsString::from),
        );
        assert_eq!(call.to_string(), format!("tabiya perft 6 --fen '{fen}' 'a$b' 'it'\\''s' ''"));
        let call = Call::new(["tabiya", "perft", "6", "-"].map(OsString::from));
        assert_eq!(call.with_position(fen).to_string(), format!("tabiya perft 6 '{fen}'"));
    }
}
