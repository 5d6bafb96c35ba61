//! A game between two players, watched by the referee.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tabiya::{Color, Game, Outcome};

/// The time or nodes that a player may use.
#[derive(Clone, Copy)]
pub(crate) enum Control {
    /// Time for the whole game, and more after each move. A move may be late by `margin`, since the
    /// machine also delays programs.
    Clock { clock: Duration, increment: Duration, margin: Duration },
    /// Nodes for each move.
    Nodes(u64),
}

/// The information that a player has when it chooses a move.
pub(crate) struct Situation<'a> {
    pub(crate) game: &'a Game,
    pub(crate) control: Control,
    /// The time left on the clocks of White and Black.
    pub(crate) clocks: [Duration; 2],
}

/// A player: it chooses moves.
pub(crate) trait Player {
    /// Gets ready for a game.
    fn prepare(&mut self, game: &Game) -> Result<(), Offence>;

    /// The move as UCI text, and the time of its arrival.
    fn choose(&mut self, situation: &Situation<'_>) -> Result<(String, Instant), Offence>;
}

/// The reason why a player has lost without being mated.
pub(crate) enum Offence {
    /// The text is not a legal move, for this reason.
    IllegalMove(String),
    /// The program has ended.
    Crash,
    /// The clock was exceeded by this time; `None` if no move came at all.
    Time(Option<Duration>),
}

impl Offence {
    pub(crate) const fn name(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) => "illegal move",
            Self::Crash => "crash",
            Self::Time(_) => "time",
        }
    }
}

/// The end of a game.
pub(crate) enum End {
    Regular(Outcome),
    Forfeit { loser: Color, offence: Offence },
}

impl End {
    pub(crate) const fn kind(&self) -> &'static str {
        match self {
            Self::Regular(outcome) => outcome.reason(),
            Self::Forfeit { offence, .. } => offence.name(),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Regular(outcome) => write!(f, "{outcome}"),
            Self::Forfeit { loser, offence } => {
                write!(f, "{} forfeits by {}", loser.name(), offence.name())?;
                match offence {
                    Offence::IllegalMove(why) => write!(f, ": {why}"),
                    Offence::Crash => f.write_str(": the program has ended"),
                    Offence::Time(Some(over)) => write!(f, ": {over:.1?} too late"),
                    Offence::Time(None) => f.write_str(": no move has come"),
                }
            }
        }
    }
}

/// The largest delay of a move in any game after its clock had run out, in microseconds.
pub(crate) static LATEST: AtomicU64 = AtomicU64::new(0);

/// Plays until the rules end the game or allow a claim, or until a player breaks them.
pub(crate) fn play(mut game: Game, players: [&mut dyn Player; 2], control: Control) -> End {
    let [clock, increment, margin] = match control {
        Control::Clock { clock, increment, margin } => [clock, increment, margin],
        Control::Nodes(_) => [Duration::MAX / 2, Duration::ZERO, Duration::ZERO],
    };
    let mut clocks = [clock; 2];
    for loser in Color::ALL {
        if let Err(offence) = players[loser as usize].prepare(&game) {
            return End::Forfeit { loser, offence };
        }
    }
    loop {
        if let Some(outcome) = game.outcome().or_else(|| game.claim()) {
            return End::Regular(outcome);
        }
        let turn = game.position().turn();
        let begin = Instant::now();
        let choice = players[turn as usize].choose(&Situation { game: &game, control, clocks });
        let offence = match choice {
            Err(offence) => offence,
            Ok((text, end)) => {
                let used = end - begin;
                let late = used.saturating_sub(clocks[turn as usize]);
                LATEST.fetch_max(late.as_micros() as u64, Ordering::Relaxed);
                clocks[turn as usize] = clocks[turn as usize].saturating_sub(used) + increment;
                let played = game.position().parse_uci(&text).map(|mv| game.push(mv));
                match played {
                    _ if late > margin => Offence::Time(Some(late)),
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => Offence::IllegalMove(error.to_string()),
                    Err(error) => Offence::IllegalMove(error.to_string()),
                }
            }
        };
        return End::Forfeit { loser: turn, offence };
    }
}
