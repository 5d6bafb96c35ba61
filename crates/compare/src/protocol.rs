//! Protocols: UCI, and scripts that get depth, FEN and moves as arguments.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

use crate::generator::{Divide, Generator, Query, Trouble};
use crate::process::{Event, Log, Running};
use crate::reading::{Line, read_divide, read_line};

/// How a program is talked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// UCI with a perft command.
    Uci,
    /// `CMD DEPTH FEN "MOVES"` prints a count for each move, an empty line and the total.
    Perftree,
    /// `CMD DEPTH FEN "MOVES"` prints the total.
    Total,
    /// `CMD DEPTH FEN "MOVES"` lists the legal moves.
    Moves,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Self; 4] = [Self::Uci, Self::Perftree, Self::Total, Self::Moves];

    /// The name on the command line and in reports.
    ///
    /// ```
    /// use tabiya_compare::Protocol;
    /// assert_eq!(Protocol::Uci.name(), "uci");
    /// assert_eq!("perftree".parse(), Ok(Protocol::Perftree));
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Perftree => "perftree",
            Self::Total => "total",
            Self::Moves => "moves",
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A text is not the name of a [`Protocol`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the protocols are uci, perftree, total and moves")]
pub struct ProtocolNameError;

impl FromStr for Protocol {
    type Err = ProtocolNameError;

    fn from_str(name: &str) -> Result<Self, ProtocolNameError> {
        Self::ALL.into_iter().find(|it| it.name() == name).ok_or(ProtocolNameError)
    }
}

/// A program under test: a command, the protocol that it speaks, and how long it may take.
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
    limit: Duration,
    log: Log,
    running: RefCell<Option<Running>>,
    /// The perft command of a UCI engine, such as `go perft`.
    perft: Cell<&'static str>,
    /// Does the engine answer `isready`?
    is_ready: Cell<bool>,
    /// Does a process answer only one question? Then its input is closed after it.
    one_shot: Cell<bool>,
    chess960: Cell<bool>,
    /// The number of answers without a total after whose `readyok` nothing came.
    quiet: Cell<u32>,
    /// The number of questions that were not answered in time.
    hangs: Cell<u32>,
}

impl fmt::Debug for Program {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = out.debug_struct("Program");
        out.field("command", &self.command)
            .field("protocol", &self.protocol)
            .finish_non_exhaustive()
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// How long to wait for more lines of an answer that may be complete.
const GRACE: Duration = Duration::from_millis(300);

/// After so many answers without a total, `readyok` is taken for the end of an answer.
const QUIET: u32 = 4;

impl Program {
    /// Starts a program and finds out which protocol it speaks, unless it is named.
    ///
    /// # Errors
    /// [`Trouble`] if the program cannot be started, or speaks no protocol.
    pub fn connect(
        command: &[String],
        protocol: Option<Protocol>,
        limit: Duration,
        log: Log,
    ) -> Result<Self, Trouble> {
        let has_places = command.iter().any(|it| it.contains("{fen}") || it.contains("{depth}"));
        let new = |protocol| Self {
            command: command.to_vec(),
            protocol,
            limit,
            log: log.clone(),
            running: RefCell::new(None),
            perft: Cell::new("go perft"),
            is_ready: Cell::new(false),
            one_shot: Cell::new(false),
            chess960: Cell::new(false),
            quiet: Cell::new(0),
            hangs: Cell::new(0),
        };
        let mut first = Trouble::Garbage("no protocol is understood".to_owned());
        if protocol.map_or(!has_places, |it| it == Protocol::Uci) {
            let program = new(Protocol::Uci);
            match program.find_uci() {
                Ok(()) => return Ok(program),
                Err(trouble) if protocol.is_some() || matches!(trouble, Trouble::Start(_)) => {
                    return Err(trouble);
                }
                Err(trouble) => first = trouble,
            }
        }
        if let Some(protocol) = protocol {
            return Ok(new(protocol));
        }
        let program = new(Protocol::Perftree);
        let text = program.script(&Query::of_fen(START, 1))?;
        let divide = read_divide(&text);
        let counted = divide.moves.iter().filter(|(_, count)| count.is_some()).count();
        match (divide.moves.len(), counted, divide.total) {
            (1.., 1.., _) => Ok(new(Protocol::Perftree)),
            (1.., 0, _) => Ok(new(Protocol::Moves)),
            (0, _, Some(_)) => Ok(new(Protocol::Total)),
            _ => Err(first),
        }
    }

    /// The protocol that the program speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn find_uci(&self) -> Result<(), Trouble> {
        let mut running = Running::start(&self.command, &self.log)?;
        running.say("uci");
        running.say("isready");
        let until = Instant::now() + self.limit.min(Duration::from_secs(3));
        let mut is_uci = false;
        loop {
            match running.hear(until) {
                Event::Line(line) if line.trim() == "uciok" => {
                    is_uci = true;
                }
                Event::Line(line) if line.trim() == "readyok" && is_uci => {
                    self.is_ready.set(true);
                    break;
                }
                Event::Line(_) => {}
                Event::End => return Err(running.ended()),
                Event::Silence if is_uci => break,
                Event::Silence => {
                    // It may flush its output only at the end.
                    running.say("quit");
                    running.close();
                    let until = Instant::now() + Duration::from_secs(3);
                    let text = running.hear_all(until).unwrap_or_else(|(text, _)| text);
                    if !text.lines().any(|line| line.trim() == "uciok") {
                        return Err(Trouble::Hang);
                    }
                    self.one_shot.set(true);
                    break;
                }
            }
        }
        drop(running);
        for perft in ["go perft", "perft"] {
            self.perft.set(perft);
            let answer = self.uci(&Query::of_fen(START, 1));
            match answer {
                // It fails at the question: that is a finding.
                Err(Trouble::EarlyExit | Trouble::Crash(_)) => return Ok(()),
                Ok(divide) if !divide.moves.is_empty() || divide.total.is_some() => return Ok(()),
                Err(Trouble::Hang) if perft == "perft" && !self.one_shot.get() => {
                    self.one_shot.set(true);
                    self.perft.set("go perft");
                    if self.uci(&Query::of_fen(START, 1)).is_ok_and(|it| !it.moves.is_empty()) {
                        return Ok(());
                    }
                }
                _ => *self.running.borrow_mut() = None,
            }
        }
        Err(Trouble::Garbage("it speaks UCI but does not answer `go perft`".to_owned()))
    }

    /// The lines that ask a question.
    fn lines(&self, query: &Query) -> Vec<String> {
        let mut position = format!("position fen {}", query.fen);
        if !query.moves.is_empty() {
            position += " moves ";
            position += &query.moves.join(" ");
        }
        vec![position, format!("{} {}", self.perft.get(), query.depth)]
    }

    /// The time for a question: more for a deep one, and less after the program has hung.
    fn limit_of(&self, query: &Query) -> Duration {
        let limit = if query.depth >= 4 { self.limit * 6 } else { self.limit };
        limit / (1 + self.hangs.get() * 4)
    }

    fn counted(&self, trouble: Trouble) -> Trouble {
        if trouble == Trouble::Hang {
            self.hangs.set(self.hangs.get().min(4) + 1);
        }
        trouble
    }

    fn uci(&self, query: &Query) -> Result<Divide, Trouble> {
        let result = self.ask_uci(query);
        if let Err(trouble) = &result {
            self.counted(trouble.clone());
            *self.running.borrow_mut() = None;
        }
        result
    }

    fn ask_uci(&self, query: &Query) -> Result<Divide, Trouble> {
        let mut slot = self.running.borrow_mut();
        if self.one_shot.get() || query.chess960 != self.chess960.get() {
            *slot = None;
        }
        if slot.is_none() {
            let mut running = Running::start(&self.command, &self.log)?;
            running.say("uci");
            if query.chess960 {
                running.say("setoption name UCI_Chess960 value true");
            }
            self.chess960.set(query.chess960);
            if self.is_ready.get() {
                running.say("isready");
                let until = Instant::now() + self.limit;
                loop {
                    match running.hear(until) {
                        Event::Line(line) if line.trim() == "readyok" => break,
                        Event::Line(_) => {}
                        Event::End => return Err(running.ended()),
                        Event::Silence => return Err(Trouble::Hang),
                    }
                }
            }
            *slot = Some(running);
        }
        let running = slot.as_mut().expect("it was just started");
        self.lines(query).iter().for_each(|line| running.say(line));
        let limit = Instant::now() + self.limit_of(query);
        if self.one_shot.get() {
            running.say("quit");
            running.close();
            let text = running.hear_all(limit).map_err(|(_, trouble)| trouble)?;
            *slot = None;
            return complete(text);
        }
        if self.is_ready.get() {
            running.say("isready");
        }
        let mut text = String::new();
        let mut has_total = false;
        let mut is_ready = false;
        loop {
            let has_part = has_total || is_ready || !self.is_ready.get() && text.contains('\n');
            let until = if has_part { limit.min(Instant::now() + GRACE) } else { limit };
            match running.hear(until) {
                Event::Line(line) => {
                    if line.trim() == "readyok" {
                        is_ready = true;
                        if !has_total && self.quiet.get() >= QUIET {
                            return complete(text);
                        }
                    } else {
                        has_total |= matches!(read_line(&line), Line::Total(_));
                        if has_total {
                            self.quiet.set(0);
                        }
                        text += &line;
                        text.push('\n');
                    }
                    // Without `isready` the total is taken for the end.
                    if has_total && (is_ready || !self.is_ready.get()) {
                        return complete(text);
                    }
                    if text.len() > 4 << 20 || Instant::now() > limit {
                        return Err(Trouble::Garbage("the answer has no end".to_owned()));
                    }
                }
                Event::End => return Err(running.ended()),
                Event::Silence if has_part => {
                    if is_ready && !has_total {
                        self.quiet.set(self.quiet.get() + 1);
                    }
                    return complete(text);
                }
                Event::Silence => return Err(Trouble::Hang),
            }
        }
    }

    /// The command of a script with the question in its arguments.
    fn arguments(&self, query: &Query) -> Vec<String> {
        let (depth, moves) = (query.depth.to_string(), query.moves.join(" "));
        let has_places = self.has_places();
        let mut command: Vec<String> = self
            .command
            .iter()
            .map(|it| {
                it.replace("{depth}", &depth)
                    .replace("{fen}", &query.fen)
                    .replace("{moves}", &moves)
            })
            .collect();
        if !has_places {
            command.extend([depth, query.fen.clone()]);
            if !query.moves.is_empty() {
                command.push(moves);
            }
        }
        command
    }

    fn has_places(&self) -> bool {
        let places = ["{depth}", "{fen}", "{moves}"];
        self.command.iter().any(|it| places.iter().any(|place| it.contains(place)))
    }

    fn script(&self, query: &Query) -> Result<String, Trouble> {
        let mut running = Running::start(&self.arguments(query), &self.log)?;
        running.close();
        let text = running
            .hear_all(Instant::now() + self.limit_of(query))
            .map_err(|(_, trouble)| self.counted(trouble))?;
        match running.crashed() {
            Some(trouble) => Err(trouble),
            None => Ok(text),
        }
    }
}

/// Reads an answer, which must have moves or a total, or be empty.
fn complete(text: String) -> Result<Divide, Trouble> {
    let divide = read_divide(&text);
    let letters = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && matches!(read_line(line), Line::Other)
    });
    match letters {
        Some(line) if divide.moves.is_empty() && divide.total.is_none() && !is_noise(line) => {
            Err(Trouble::Garbage(line.chars().take(80).collect()))
        }
        _ => Ok(divide),
    }
}

/// Lines that UCI engines print on their own.
fn is_noise(line: &str) -> bool {
    ["info", "id ", "option", "uciok", "readyok", "bestmove"].iter().any(|it| line.starts_with(it))
}

impl Generator for Program {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        match self.protocol {
            Protocol::Moves => Err(Trouble::Unsupported),
            Protocol::Total => {
                let text = self.script(query)?;
                let garbage = || Trouble::Garbage(text.chars().take(80).collect());
                read_divide(&text).total.ok_or_else(|| match text.trim() {
                    "" => Trouble::EarlyExit,
                    _ => garbage(),
                })
            }
            Protocol::Uci | Protocol::Perftree => self.divide(query).map(|divide| divide.count()),
        }
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        match self.protocol {
            Protocol::Uci => self.uci(query),
            Protocol::Perftree => {
                let text = self.script(query)?;
                match text.trim() {
                    "" => Err(Trouble::EarlyExit),
                    _ => complete(text),
                }
            }
            Protocol::Total | Protocol::Moves => Err(Trouble::Unsupported),
        }
    }

    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        match self.protocol {
            Protocol::Total => Err(Trouble::Unsupported),
            Protocol::Moves => {
                let divide = complete(self.script(query)?)?;
                Ok(divide.moves.into_iter().map(|(mv, _)| mv).collect())
            }
            Protocol::Uci | Protocol::Perftree => {
                let divide = self.divide(&Query { depth: 1, ..query.clone() })?;
                Ok(divide.moves.into_iter().map(|(mv, _)| mv).collect())
            }
        }
    }

    fn takes_moves(&self) -> bool {
        self.protocol == Protocol::Uci
            || !self.has_places()
            || self.command.iter().any(|it| it.contains("{moves}"))
    }

    fn restart(&self) {
        *self.running.borrow_mut() = None;
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

/// The command as a shell reads it.
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
