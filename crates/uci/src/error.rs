//! What can go wrong.

use std::time::Duration;

use crate::process::Exit;

/// Why an engine did not do what it was asked.
///
/// After [`Ended`](Self::Ended), [`TimedOut`](Self::TimedOut) and [`Protocol`](Self::Protocol) the engine
/// is killed, since what it says next can't be told from what it owes; every later call is
/// [`Gone`](Self::Gone). After the others it goes on.
///
/// ```
/// use tabiya_uci::{Engine, Error};
/// let error = Engine::start(&["no-such-engine".to_owned()]).unwrap_err();
/// assert!(matches!(error, Error::Start(_)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The program can't be started.
    #[error("the engine can't be started: {0}")]
    Start(String),
    /// The program ended, or closed its output.
    #[error("the engine ended before {awaited} came: {exit}")]
    Ended {
        /// What we waited for.
        awaited: &'static str,
        /// Its status, and the last line of its stderr.
        exit: Exit,
    },
    /// The program did not answer in time.
    #[error(
        "the engine gave no {awaited} within {limit:?}{}",
        if last.is_empty() { "; it has said nothing".to_owned() } else { format!("; its last line was {last:?}") }
    )]
    TimedOut {
        /// What we waited for.
        awaited: &'static str,
        /// How long.
        limit: Duration,
        /// The last line that came, cut if it is long.
        last: String,
    },
    /// The program said something that UCI doesn't allow.
    #[error("the engine broke the protocol: {reason}: {line:?}")]
    Protocol {
        /// The line, cut if it is long.
        line: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The caller asked for something that isn't possible. Nothing was said to the engine.
    #[error("{0}")]
    Argument(String),
    /// The function [`Settings::interrupt`](crate::Settings::interrupt) ended the wait. A search goes on
    /// until [`Engine::stop`](crate::Engine::stop).
    #[error("the wait was interrupted")]
    Interrupted,
    /// The engine was ended after an earlier error, which is this one.
    #[error("the engine was ended, because {0}")]
    Gone(String),
}

/// The most characters of an engine's line in an error.
const LONGEST: usize = 200;

/// A line in an error.
pub(crate) fn cut(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}

impl Error {
    pub(crate) fn protocol(line: &str, reason: impl Into<String>) -> Self {
        Self::Protocol { line: cut(line), reason: reason.into() }
    }
}
