//! A program under test in a separate process.

mod script;
mod uci;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use tabiya_uci::process::{Event, Log, MAX_ANSWER, Process};

use crate::divide::Divide;
use crate::generator::{Generator, Query, Trouble};
use crate::pace::Pace;
use crate::protocol::Protocol;
use crate::reading::read_divide;
use crate::truth;

use self::uci::Habits;

/// A program under test: a command, its protocol, and its time limits.
///
/// ```no_run
/// use std::time::Duration;
/// use tabiya_compare::{Log, Program};
/// let command = ["stockfish".to_owned()];
/// let program = Program::connect(&command, None, Duration::from_secs(10), Log::default()).unwrap();
/// assert_eq!(program.protocol().name(), "uci");
/// ```
pub struct Program {
    command: Vec<String>,
    protocol: Protocol,
    pace: Pace,
    log: Log,
    /// Should the hunt stop? Called while a question waits for its answer.
    stop: Stop,
    /// The present process of an engine. Is it in the Chess960 mode?
    running: RefCell<Option<(Process, bool)>>,
    habits: Cell<Habits>,
    /// Does the script play moves? `None` if this is not known yet.
    plays: Cell<Option<bool>>,
    /// Has the script printed a total below moves?
    has_totals: Cell<bool>,
    /// The number of questions that only a second process has answered.
    repeated: Cell<u64>,
}

impl fmt::Debug for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Program");
        out.field("command", &self.command)
            .field("protocol", &self.protocol)
            .finish_non_exhaustive()
    }
}

/// The first question.
fn first_question() -> Query {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    Query { leaves: 20, ..Query::of_fen(START, 1) }
}

/// A function that says whether to stop.
#[derive(Clone)]
struct Stop(Rc<dyn Fn() -> bool>);

impl Program {
    /// Starts a program and detects its protocol, unless it is given. `limit` is the time limit for
    /// an answer without counting, and for the start of the program, which has ten seconds at
    /// least. Deep questions get more time.
    ///
    /// # Errors
    /// [`Trouble`] if the program cannot be started, or speaks none of the protocols.
    pub fn connect(
        command: &[String],
        protocol: Option<Protocol>,
        limit: Duration,
        log: Log,
    ) -> Result<Self, Trouble> {
        Self::connect_until(command, protocol, limit, log, || false)
    }

    /// Connects like [`connect`](Self::connect), but `stop` can end the hunt while a question
    /// waits.
    ///
    /// # Errors
    /// [`Trouble`] if the program cannot be started, or speaks none of the protocols.
    pub fn connect_until(
        command: &[String],
        protocol: Option<Protocol>,
        limit: Duration,
        log: Log,
        stop: impl Fn() -> bool + 'static,
    ) -> Result<Self, Trouble> {
        let mut program = Self {
            command: command.to_vec(),
            protocol: protocol.unwrap_or(Protocol::Uci),
            pace: Pace::new(limit),
            log,
            stop: Stop(Rc::new(stop)),
            running: RefCell::new(None),
            habits: Cell::new(Habits::UNKNOWN),
            plays: Cell::new(None),
            has_totals: Cell::new(false),
            repeated: Cell::new(0),
        };
        let mut of_uci = None;
        if program.protocol == Protocol::Uci && (protocol.is_some() || !program.has_places()) {
            match program.find_uci() {
                Ok(()) => return Ok(program),
                // It answers nothing, or ends without arguments: it may be a script.
                Err(trouble @ (Trouble::Hang | Trouble::Crash(_) | Trouble::EarlyExit))
                    if protocol.is_none() =>
                {
                    of_uci = Some(trouble);
                }
                Err(trouble) => return Err(trouble),
            }
        }
        if protocol.is_none() {
            program.protocol = program.script_protocol().map_err(|trouble| match trouble {
                // It says nothing as a script, either.
                Trouble::EarlyExit | Trouble::Hang => of_uci.unwrap_or(trouble),
                trouble => trouble,
            })?;
        }
        program.check_script()?;
        Ok(program)
    }

    /// The protocol that the program speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The speed in leaf nodes per second, if a question was answered.
    ///
    /// It includes the time that a process takes to start, if there is one for each question.
    pub fn speed(&self) -> Option<f64> {
        self.pace.rate()
    }

    /// The expected time for an answer with this many leaf nodes, if the speed is known.
    pub fn expected(&self, leaves: u64) -> Duration {
        self.pace.expected(leaves)
    }

    /// The number of questions that had no answer in time, and had one when they were asked again in
    /// a new process: the program may be slow, or hang after a number of questions.
    pub const fn repeated(&self) -> u64 {
        self.repeated.get()
    }

    /// Asks with a time limit, and learns from the time that the answer took. A question without an
    /// answer is asked again in a new process, and has more time there: a right program may be slow,
    /// or late now and then on a busy machine.
    fn timed<T>(
        &self,
        query: &Query,
        ask: impl Fn(Duration) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut begin = Instant::now();
        let mut answer = ask(self.pace.limit_of(query.leaves));
        if matches!(answer, Err(Trouble::Hang)) {
            self.forget();
            begin = Instant::now();
            answer = ask(self.pace.second_limit_of(query.leaves));
            match answer {
                Ok(_) => self.repeated.set(self.repeated.get() + 1),
                Err(Trouble::Hang) => self.pace.hung(),
                Err(_) => {}
            }
        }
        if answer.is_ok() {
            self.pace.answered(query.leaves, begin.elapsed());
        }
        answer
    }

    /// Ends the present process of an engine.
    fn forget(&self) {
        *self.running.borrow_mut() = None;
    }
}

/// Starts a program with pipes.
fn start(command: &[String], log: &Log) -> Result<Process, Trouble> {
    Process::start(command, log).map_err(|error| Trouble::Start(error.to_string()))
}

/// All output of a process until it closes it.
fn hear_all(
    process: &mut Process,
    mut left: Duration,
    stop: &dyn Fn() -> bool,
) -> Result<String, Trouble> {
    let mut text = String::new();
    loop {
        match process.hear(&mut left, stop) {
            Event::Line(line) => {
                text += &line;
                text.push('\n');
                check_length(text.len())?;
            }
            Event::End => return Ok(text),
            Event::Silence => return Err(Trouble::Hang),
            Event::Stop => return Err(Trouble::Stopped),
        }
    }
}

/// The way in which a process ended, if it has ended or ends soon.
fn ended(process: &mut Process) -> Trouble {
    let exit = process.ended();
    match exit.status {
        Some(status) if !status.success() => Trouble::Crash(exit.to_string()),
        _ => Trouble::EarlyExit,
    }
}

/// An answer of more than this many bytes won't end.
fn check_length(heard: usize) -> Result<(), Trouble> {
    match heard > MAX_ANSWER {
        true => Err(Trouble::Garbage(format!("it is longer than {} MiB", MAX_ANSWER >> 20))),
        false => Ok(()),
    }
}

/// Reads an answer. It has moves or a total, unless there is nothing to list.
fn complete(text: &str, query: &Query) -> Result<Divide, Trouble> {
    let divide = read_divide(text).map_err(Trouble::Unreadable)?;
    // A program may say in words that there are no moves. After an illegal move, words refuse it.
    let may_be_empty = query.leaves == 0 && truth::position_of(query).is_some();
    if divide.moves.is_empty() && divide.total.is_none() && !may_be_empty {
        return garbage(text).map_or(Ok(divide), Err);
    }
    Ok(divide)
}

/// The trouble with a text that has neither a move nor a number. `None` if it has nothing but what
/// UCI engines print on their own.
fn garbage(text: &str) -> Option<Trouble> {
    const OF_UCI: [&str; 6] = ["info", "id", "option", "uciok", "readyok", "bestmove"];
    let is_noise = |line: &str| line.split(' ').next().is_none_or(|it| OF_UCI.contains(&it));
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines.find(|line| !is_noise(line))?;
    Some(Trouble::Garbage(line.chars().take(80).collect()))
}

impl Generator for Program {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        match self.protocol {
            Protocol::Moves => Err(Trouble::Unsupported),
            Protocol::Total => match complete(&self.script(query)?, query)? {
                Divide { total: Some(total), .. } => Ok(total),
                divide if !divide.moves.is_empty() => {
                    Err(Trouble::Garbage("there are moves, but no total".to_owned()))
                }
                _ if query.leaves == 0 && truth::position_of(query).is_some() => Ok(0),
                _ => Err(Trouble::EarlyExit),
            },
            Protocol::Uci => self.uci(query).map(|divide| divide.count()),
            Protocol::Perftree => self.divide(query).map(|divide| divide.count()),
        }
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        match self.protocol {
            Protocol::Uci if !self.habits.get().lists => Err(Trouble::Unsupported),
            Protocol::Uci => self.uci(query),
            Protocol::Perftree => {
                let divide = complete(&self.script(query)?, query)?;
                match (divide.moves.is_empty(), divide.total) {
                    (true, Some(1..)) if query.leaves > 0 => {
                        Err(Trouble::Garbage("there is a total, but no move".to_owned()))
                    }
                    (true, None) if query.leaves > 0 => Err(Trouble::EarlyExit),
                    // The answers before had a total.
                    (false, None) if self.has_totals.get() => Err(Trouble::EarlyExit),
                    (is_empty, total) => {
                        let has_total = !is_empty && total.is_some();
                        self.has_totals.set(self.has_totals.get() || has_total);
                        Ok(divide)
                    }
                }
            }
            Protocol::Total | Protocol::Moves => Err(Trouble::Unsupported),
        }
    }

    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        let divide = match self.protocol {
            Protocol::Moves => complete(&self.script(query)?, query),
            _ => self.divide(&Query { depth: 1, ..query.clone() }),
        };
        Ok(divide?.moves.into_iter().map(|(mv, _)| mv).collect())
    }

    fn takes_moves(&self) -> bool {
        if self.protocol == Protocol::Uci {
            return true;
        }
        if let Some(known) = self.plays.get() {
            return known;
        }
        let has_place = self.command.iter().any(|it| it.contains("{moves}"));
        let plays = (has_place || !self.has_places()) && self.plays_moves();
        self.plays.set(Some(plays));
        plays
    }

    fn restart(&self) {
        self.forget();
    }

    fn command(&self, query: &Query) -> String {
        match self.protocol {
            Protocol::Uci => {
                let mut lines = self.lines(query);
                if query.chess960 {
                    lines.insert(0, "setoption name UCI_Chess960 value true".to_owned());
                }
                lines.push("quit".to_owned());
                format!("printf '{}\\n' | {}", lines.join("\\n"), shell(&self.command))
            }
            _ => shell(&self.arguments(query)),
        }
    }
}

/// The command in shell syntax.
fn shell(command: &[String]) -> String {
    let quoted = command.iter().map(|it| {
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || "_-./:=,+@".contains(letter);
        if !it.is_empty() && it.chars().all(is_plain) {
            it.clone()
        } else {
            format!("'{}'", it.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    fn hear(script: &str, left: Duration, stop: bool) -> Result<String, Trouble> {
        let command = ["sh", "-c", script].map(str::to_owned);
        let mut process = start(&command, &Log::default()).expect("it starts");
        hear_all(&mut process, left, &|| stop)
    }

    #[test]
    fn a_program_that_always_prints_does_not_outlast_the_time() {
        let endless = Trouble::Garbage("it is longer than 1 MiB".to_owned());
        assert_eq!(hear("exec yes", LONG, false), Err(endless));
        let dots = "while :; do echo .; sleep 0.005; done";
        assert_eq!(hear(dots, Duration::from_millis(100), false), Err(Trouble::Hang));
        assert_eq!(hear(dots, LONG, true), Err(Trouble::Stopped));
    }
}
