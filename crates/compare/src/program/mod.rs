//! A program under test in a separate process.

mod script;
mod uci;

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::generator::{Divide, Generator, Query, Trouble};
use crate::pace::Pace;
use crate::process::{Log, Running};
use crate::protocol::Protocol;
use crate::reading::{
    Line, counts_apart, is_refusal, read_answer, read_divide, read_line, uncounted_line,
};
use crate::truth;

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
    running: RefCell<Option<Running>>,
    /// The perft command of a UCI engine, such as `go perft`.
    perft: Cell<&'static str>,
    /// Does the engine answer `isready`?
    is_ready: Cell<bool>,
    /// Does a process answer only one question? If so, its input is closed after the question.
    one_shot: Cell<bool>,
    chess960: Cell<bool>,
    /// The number of answers without a total, even after `readyok`.
    without_total: Cell<u32>,
    /// Has a total come after `readyok`? If so, the engine counts while it reads commands.
    is_parallel: Cell<bool>,
    /// The time to wait for more lines of an answer that may be complete.
    grace: Cell<Duration>,
    /// Does the engine print only the total?
    total_only: Cell<bool>,
    /// Does the script play moves? `None` if this is not known yet.
    plays: Cell<Option<bool>>,
    /// The number of answers with a total.
    totals: Cell<u32>,
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
fn first_question(depth: u32) -> Query {
    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let leaves = if depth == 1 { 20 } else { 400 };
    Query { leaves, ..Query::of_fen(START, depth) }
}

/// A function that says whether to stop.
#[derive(Clone)]
struct Stop(Rc<dyn Fn() -> bool>);

/// The time to wait for more lines of an answer that may be complete, unless a program needs more.
const GRACE: Duration = Duration::from_millis(300);

impl Program {
    /// Starts a program and detects its protocol, unless it is given. `limit` is the time limit for
    /// an answer without counting; deep questions get more time.
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
        let stop = Stop(Rc::new(stop));
        let has_places = command.iter().any(|it| it.contains("{fen}") || it.contains("{depth}"));
        let new = |protocol| Self {
            command: command.to_vec(),
            protocol,
            pace: Pace::new(limit),
            log: log.clone(),
            stop: stop.clone(),
            running: RefCell::new(None),
            perft: Cell::new("go perft"),
            is_ready: Cell::new(false),
            one_shot: Cell::new(false),
            chess960: Cell::new(false),
            without_total: Cell::new(0),
            is_parallel: Cell::new(false),
            grace: Cell::new(GRACE),
            total_only: Cell::new(false),
            plays: Cell::new(None),
            totals: Cell::new(0),
            repeated: Cell::new(0),
        };
        let mut of_uci = None;
        if protocol.map_or(!has_places, |it| it == Protocol::Uci) {
            let program = new(Protocol::Uci);
            match program.find_uci() {
                Ok(()) => return Ok(program),
                Err(trouble) if protocol.is_some() || matches!(trouble, Trouble::Start(_)) => {
                    return Err(trouble);
                }
                Err(trouble) => of_uci = Some(trouble),
            }
        }
        let program = match protocol {
            Some(protocol) => {
                let program = new(protocol);
                program.prints_moves()?;
                program
            }
            None => {
                let answer = new(Protocol::Perftree).script(&first_question(1));
                let text = match (answer, of_uci.take()) {
                    // It speaks UCI, so its failure as a script says nothing.
                    (Err(_), Some(garbage @ Trouble::Garbage(_))) => return Err(garbage),
                    (answer, trouble) => {
                        of_uci = trouble;
                        answer?
                    }
                };
                let divide = read_divide(&text);
                if let Some(line) = counts_apart(&text, &divide) {
                    let line: String = line.chars().take(80).collect();
                    return Err(Trouble::Garbage(format!(
                        "the numbers in lines of their own, such as `{line}`, may be counts, and are not \
                         understood; to compare only the moves, use --protocol moves"
                    )));
                }
                let counted = divide.moves.iter().filter(|(_, count)| count.is_some()).count();
                new(match (divide.moves.len(), counted, divide.total) {
                    (1.., 1.., _) => Protocol::Perftree,
                    (1.., 0, _) => Protocol::Moves,
                    (0, _, Some(_)) => Protocol::Total,
                    _ => {
                        let trouble = number_that_is_no_count(&text, &divide);
                        return Err(trouble.unwrap_or_else(|| not_understood(&text, of_uci)));
                    }
                })
            }
        };
        program.heeds_its_arguments()?;
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

    /// Asks with a time limit, and learns from the time that the answer took. The first question
    /// without an answer is asked again in a new process, and has more time there: a right program
    /// may be slow, or late now and then on a busy machine. If new processes answer at once again and
    /// again, the program hangs after a number of questions.
    fn timed<T>(
        &self,
        query: &Query,
        ask: impl Fn(Duration) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        let mut begin = Instant::now();
        let mut answer = ask(self.pace.limit_of(query.leaves));
        if matches!(answer, Err(Trouble::Hang)) && !self.pace.has_hung() {
            *self.running.borrow_mut() = None;
            begin = Instant::now();
            let limit = self.pace.limit_of(query.leaves);
            answer = ask(self.pace.second_limit_of(query.leaves));
            self.repeated.set(self.repeated.get() + u64::from(answer.is_ok()));
            // A slow program would be slow again.
            if answer.is_ok() && begin.elapsed() < limit / 4 && self.pace.has_recovered() {
                *self.running.borrow_mut() = None;
                answer = Err(Trouble::Hang);
            }
        }
        match &answer {
            Ok(_) => self.pace.answered(query.leaves, begin.elapsed()),
            Err(Trouble::Hang) => self.pace.hung(),
            Err(_) => {}
        }
        answer
    }
}

/// Why a program is not understood: the reason why it speaks no UCI, or what it prints as a script.
fn not_understood(text: &str, of_uci: Option<Trouble>) -> Trouble {
    match (text.trim().lines().next(), of_uci) {
        // It needs arguments, so it says nothing that it fails without them.
        (Some(line), None | Some(Trouble::Crash(_) | Trouble::EarlyExit)) => {
            Trouble::Garbage(line.chars().take(80).collect())
        }
        (_, Some(trouble)) => trouble,
        (None, None) => Trouble::Garbage("no protocol is understood".to_owned()),
    }
}

/// Reads a divide. A move whose count cannot be read is an error: the sum would not be the total.
fn complete_divide(text: &str, query: &Query) -> Result<Divide, Trouble> {
    let divide = complete(text, query)?;
    match uncounted_line(text, &divide).filter(|_| query.depth > 1) {
        Some(line) => {
            let line: String = line.chars().take(80).collect();
            Err(Trouble::Garbage(format!("no count can be read in the line `{line}`")))
        }
        None => Ok(divide),
    }
}

/// Reads an answer, which must have moves or a total, or be empty.
fn complete(text: &str, query: &Query) -> Result<Divide, Trouble> {
    let right = (query.leaves > 0).then(|| u128::from(query.leaves));
    let divide = read_answer(text, right);
    // After a refusal, a number is a part of the refused command.
    if let (true, Some(refusal)) = (divide.moves.is_empty(), text.lines().find(|it| is_refusal(it)))
    {
        return Err(Trouble::Garbage(refusal.trim().chars().take(80).collect()));
    }
    if let Some(trouble) = number_that_is_no_count(text, &divide) {
        return Err(trouble);
    }
    let is_empty = divide.moves.is_empty() && divide.total.is_none();
    let letters = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && matches!(read_line(line), Line::Noise | Line::Other)
    });
    match letters {
        Some(line) if is_empty && !is_noise(line) && !is_nothing(text, query) => {
            Err(Trouble::Garbage(line.chars().take(80).collect()))
        }
        _ => Ok(divide),
    }
}

/// Is there nothing to count, and does the answer say so: with the number 0, an empty list, or
/// words? Then it is right, even if its form is not known.
fn is_nothing(text: &str, query: &Query) -> bool {
    const EMPTY: [&str; 11] = [
        "none",
        "null",
        "nil",
        "set",
        "no",
        "legal",
        "moves",
        "move",
        "mate",
        "checkmate",
        "stalemate",
    ];
    let mut words =
        text.split(|it: char| !it.is_alphanumeric() && it != '.').filter(|word| !word.is_empty());
    // After an illegal move there is nothing to count either, but that is a refusal.
    query.leaves == 0
        && truth::position_of(query).is_some()
        && (words.clone().any(|word| word == "0")
            || words.all(|word| EMPTY.contains(&&*word.to_lowercase())))
}

/// The first line that is neither read nor usual around a divide.
fn first_unread(text: &str) -> Option<String> {
    let line = text.lines().find(|line| read_line(line) == Line::Other)?;
    Some(line.trim().chars().take(80).collect())
}

/// The last line, if it names a total in digits that are not understood.
fn unread_total(text: &str) -> Option<String> {
    let line = text.trim_end().lines().next_back()?.trim();
    let lower = line.to_lowercase();
    let names_total = ["node", "total", "leaves"].iter().any(|word| lower.contains(word));
    let is_unread =
        names_total && line.contains(char::is_numeric) && read_line(line) == Line::Other;
    is_unread.then(|| line.chars().take(80).collect())
}

/// The first number in the place of a count that is none. Without it, the other counts might be
/// right.
fn number_that_is_no_count(text: &str, divide: &Divide) -> Option<Trouble> {
    // If there is a total, a number with a point is a time.
    let may_be_time = |line: &str| divide.total.is_some() && line.contains('.');
    let is_meant = |line: &&str| read_line(line) == Line::NoCount && !may_be_time(line);
    let line: String = text.lines().find(is_meant)?.trim().chars().take(80).collect();
    Some(Trouble::Garbage(format!("{line} (a count is decimal digits, at most 39)")))
}

/// Is this a line that UCI engines print on their own?
fn is_noise(line: &str) -> bool {
    ["info", "id ", "option", "uciok", "readyok", "bestmove"].iter().any(|it| line.starts_with(it))
}

impl Generator for Program {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        match self.protocol {
            Protocol::Moves => Err(Trouble::Unsupported),
            Protocol::Total => {
                let text = self.script(query)?;
                let shown: String = text.trim().chars().take(80).collect();
                let total = complete(&text, query)?.total;
                let total = total.or_else(|| is_nothing(&text, query).then_some(0));
                total.ok_or_else(|| match &shown[..] {
                    "" => Trouble::EarlyExit,
                    _ => Trouble::Garbage(shown),
                })
            }
            Protocol::Uci => self.uci(query).map(|divide| divide.count()),
            Protocol::Perftree => self.divide(query).map(|divide| divide.count()),
        }
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        match self.protocol {
            Protocol::Uci if self.total_only.get() => Err(Trouble::Unsupported),
            Protocol::Uci => self.uci(query),
            Protocol::Perftree => {
                let text = self.script(query)?;
                if text.trim().is_empty() && query.leaves > 0 {
                    return Err(Trouble::EarlyExit);
                }
                let unread = first_unread(&text);
                let divide = complete_divide(&text, query)?;
                let counts = divide.total.is_some_and(|total| total > 0) && query.leaves > 0;
                if counts && divide.moves.is_empty() {
                    let why = unread.unwrap_or_else(|| "there is a total, but no move".to_owned());
                    return Err(Trouble::Garbage(why));
                }
                if divide.total.is_some() {
                    self.totals.set(self.totals.get() + 1);
                } else if self.totals.get() >= 2 && !divide.moves.is_empty() {
                    // All answers so far had a total.
                    return Err(Trouble::EarlyExit);
                }
                Ok(divide)
            }
            Protocol::Total | Protocol::Moves => Err(Trouble::Unsupported),
        }
    }

    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        match self.protocol {
            Protocol::Total => Err(Trouble::Unsupported),
            Protocol::Uci if self.total_only.get() => Err(Trouble::Unsupported),
            Protocol::Moves => {
                let divide = complete(&self.script(query)?, query)?;
                Ok(divide.moves.into_iter().map(|(mv, _)| mv).collect())
            }
            Protocol::Uci | Protocol::Perftree => {
                let divide = self.divide(&Query { depth: 1, ..query.clone() })?;
                Ok(divide.moves.into_iter().map(|(mv, _)| mv).collect())
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_total_in_unknown_digits_is_unread() {
        let unread = "Nodes searched: \u{661}\u{662}";
        assert_eq!(unread_total(&format!("a2a3: 20\n{unread}\n\n")).as_deref(), Some(unread));
        for text in ["", "a2a3: 20", "a2a3: 20\nthread 2 starts", "a2a3: 20\nNodes: 20"] {
            assert_eq!(unread_total(text), None, "{text}");
        }
    }

    #[test]
    fn an_empty_answer_to_an_illegal_move_is_no_count() {
        let stalemate = Query::of_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 1);
        let illegal = Query { moves: vec!["h8g8".to_owned()], ..stalemate.clone() };
        for text in ["", "no legal moves\n", "[]", "0 moves"] {
            assert!(is_nothing(text, &stalemate), "{text}");
            assert!(!is_nothing(text, &illegal), "{text}");
        }
        assert!(!is_nothing("", &first_question(1)) && !is_nothing("boom", &stalemate));
    }
}
