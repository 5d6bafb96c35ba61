//! A game between two players, under the eyes of the referee.

use std::fmt;
use std::time::{Duration, Instant};

use tabiya::{Color, Game, Outcome};

/// What a player may use up.
#[derive(Clone, Copy)]
pub(crate) enum Control {
    /// Time for the whole game, and more after each move.
    Clock { clock: Duration, increment: Duration },
    /// Nodes for each move.
    Nodes(u64),
}

/// What a player knows when it chooses a move.
pub(crate) struct Situation<'a> {
    pub(crate) game: &'a Game,
    pub(crate) control: Control,
    /// What is left on the clocks of White and Black.
    pub(crate) clocks: [Duration; 2],
}

/// Whoever chooses moves.
pub(crate) trait Player {
    /// Gets ready for a game.
    fn prepare(&mut self, game: &Game) -> Result<(), Offence>;

    /// The move, as a text of UCI.
    fn choose(&mut self, situation: &Situation<'_>) -> Result<String, Offence>;
}

/// Why a player has lost without being mated.
pub(crate) enum Offence {
    /// The text is no legal move, for this reason.
    IllegalMove(String),
    /// The program has ended.
    Crash,
    /// So much time was used up too much; or no move has come at all.
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

/// How a game ended.
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

/// Plays until the rules end the game or allow a claim, or until a player breaks them.
pub(crate) fn play(mut game: Game, players: [&mut dyn Player; 2], control: Control) -> End {
    let mut clocks = match control {
        Control::Clock { clock, .. } => [clock; 2],
        Control::Nodes(_) => [Duration::MAX; 2],
    };
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
        let left = clocks[turn as usize].checked_sub(begin.elapsed());
        let over = begin.elapsed().saturating_sub(clocks[turn as usize]);
        let offence = match (choice, left) {
            (Err(offence), _) => offence,
            (Ok(_), None) => Offence::Time(Some(over)),
            (Ok(text), Some(left)) => {
                if let Control::Clock { increment, .. } = control {
                    clocks[turn as usize] = left + increment;
                }
                let played = game.position().parse_uci(&text).map(|mv| game.push(mv));
                match played {
                    Ok(Ok(())) => continue,
                    Ok(Err(error)) => Offence::IllegalMove(error.to_string()),
                    Err(error) => Offence::IllegalMove(error.to_string()),
                }
            }
        };
        return End::Forfeit { loser: turn, offence };
    }
}
