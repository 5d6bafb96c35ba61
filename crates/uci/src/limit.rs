//! Where a search ends.

use std::time::Duration;

use tabiya::Color;

use crate::error::Error;

/// Where a search ends: at the first of these that it reaches. Without any it ends when it's stopped,
/// which only [`Engine::begin`](crate::Engine::begin) allows.
///
/// The time is at least a millisecond, and numbers at least 1: engines take 0 for "no limit". A clock that
/// has run out is sent as a millisecond.
///
/// ```
/// use std::time::Duration;
/// use tabiya_uci::Limit;
/// let limit = Limit { nodes: Some(1_000_000), ..Limit::time(Duration::from_secs(1)) };
/// assert_eq!(limit.depth, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limit {
    /// The time for this move.
    pub time: Option<Duration>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The number of nodes.
    pub nodes: Option<u64>,
    /// Find a mate in this many moves.
    pub mate: Option<u32>,
    /// White's clock, from which the engine chooses the time. There's nothing about clocks without that
    /// of the side to move.
    pub white_clock: Option<Duration>,
    /// Black's clock.
    pub black_clock: Option<Duration>,
    /// What each move adds to White's clock.
    pub white_inc: Option<Duration>,
    /// What each move adds to Black's clock.
    pub black_inc: Option<Duration>,
    /// The moves to the next time control; `None` if the time is for all of the game.
    pub remaining_moves: Option<u32>,
}

impl Limit {
    /// A search of this time.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// A search to this depth.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// A search of this many nodes.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// The most time that a search may take; `None` if no time limits it.
    pub(crate) fn longest(&self, turn: Color) -> Option<Duration> {
        let (clock, inc) = match turn {
            Color::White => (self.white_clock, self.white_inc),
            Color::Black => (self.black_clock, self.black_inc),
        };
        self.time.or_else(|| Some(clock?.saturating_add(inc.unwrap_or_default())))
    }

    /// The command that begins the search.
    ///
    /// # Errors
    /// [`Error::Argument`]: a number is 0, or the clock is missing.
    pub(crate) fn command(&self, turn: Color) -> Result<String, Error> {
        let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis());
        let values = [
            ("movetime", milliseconds(self.time)),
            ("depth", self.depth.map(u128::from)),
            ("nodes", self.nodes.map(u128::from)),
            ("mate", self.mate.map(u128::from)),
            ("wtime", milliseconds(self.white_clock).map(|left| left.max(1))),
            ("btime", milliseconds(self.black_clock).map(|left| left.max(1))),
            ("winc", milliseconds(self.white_inc)),
            ("binc", milliseconds(self.black_inc)),
            ("movestogo", self.remaining_moves.map(u128::from)),
        ];
        let clock = if turn == Color::White { 4 } else { 5 };
        let is_timed = values[4..].iter().any(|(_, value)| value.is_some());
        if is_timed && values[clock].1.is_none() {
            let reason = "the clock of the side to move is missing, so the others say nothing";
            return Err(Error::Argument(reason.to_owned()));
        }
        let mut text = "go".to_owned();
        for (name, value) in values {
            let Some(value) = value else { continue };
            if value == 0 && !["winc", "binc"].contains(&name) {
                let reason = format!("the limit {name} is 0; it must be 1 (millisecond) at least");
                return Err(Error::Argument(reason));
            }
            text += &format!(" {name} {value}");
        }
        if *self == Self::default() {
            text += " infinite";
        }
        Ok(text)
    }
}
