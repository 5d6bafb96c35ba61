//! `tabiya perft --expect`: the expected count.

use std::io::Write;

use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::output::number::thousands;

/// The expected count, if there is one, and the stream for a message that the count differs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Expectation {
    count: Option<u128>,
    stream: Stream,
}

#[derive(Clone, Copy, Debug)]
enum Stream {
    Output,
    Error,
    None,
}

impl Expectation {
    /// For reports as text.
    pub(super) const fn on_standard_output(count: Option<u128>) -> Self {
        Self { count, stream: Stream::Output }
    }

    /// For text that other programs read.
    pub(super) const fn on_standard_error(count: Option<u128>) -> Self {
        Self { count, stream: Stream::Error }
    }

    /// For JSON, where the exit code alone says whether the count differs.
    pub(super) const fn silent(count: Option<u128>) -> Self {
        Self { count, stream: Stream::None }
    }

    /// The outcome of a count that found this number of `things`.
    pub(super) fn outcome(
        self,
        found: u128,
        things: &str,
        out: &mut dyn Write,
    ) -> Result<Outcome, Failure> {
        let Some(expected) = self.count.filter(|&expected| expected != found) else {
            return Ok(Outcome::Fine);
        };
        let (found, expected) = (thousands(found), thousands(expected));
        let text = format!("expected {expected} {things}, found {found}");
        match self.stream {
            Stream::Output => writeln!(out, "{text}")?,
            // If standard error is closed, the text is not wanted.
            Stream::Error => drop(writeln!(anstream::stderr(), "{text}")),
            Stream::None => {}
        }
        Ok(Outcome::Failed)
    }
}
