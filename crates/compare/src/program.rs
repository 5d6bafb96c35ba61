//! A program under test in a separate process.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::generator::{Divide, Generator, Query, Trouble};
use crate::pace::Pace;
use crate::process::{Event, Log, MAX_ANSWER, MUCH, Running, long_line};
use crate::protocol::Protocol;
use crate::reading::{Line, is_refusal, read_divide, read_line};

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

/// The time to wait after `readyok`, if other answers had a total.
const GRACE_FOR_TOTAL: Duration = Duration::from_secs(5);

/// After this many answers without a total, `readyok` is taken for the end of an answer.
const QUIET: u32 = 4;

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
        let program = match protocol {
            Some(protocol) => new(protocol),
            None => {
                let text = new(Protocol::Perftree).script(&first_question(1))?;
                let divide = read_divide(&text);
                let counted = divide.moves.iter().filter(|(_, count)| count.is_some()).count();
                new(match (divide.moves.len(), counted, divide.total) {
                    (1.., 1.., _) => Protocol::Perftree,
                    (1.., 0, _) => Protocol::Moves,
                    (0, _, Some(_)) => Protocol::Total,
                    _ => return Err(first),
                })
            }
        };
        program.heeds_its_arguments()?;
        Ok(program)
    }

    /// A total says nothing about the position that was counted, so a script that prints totals
    /// must play the moves in its arguments, unless its command has no place for them.
    fn heeds_its_arguments(&self) -> Result<(), Trouble> {
        if self.protocol != Protocol::Total || self.has_places() || self.takes_moves() {
            return Ok(());
        }
        let why = "it ignores the moves in its third argument, and counts the position before \
                   them; if it plays no moves, name its arguments: {depth} {fen}";
        Err(Trouble::Garbage(why.to_owned()))
    }

    /// The protocol that the program speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    fn find_uci(&self) -> Result<(), Trouble> {
        let mut running = Running::start(&self.command, &self.log)?;
        running.say("uci");
        running.say("isready");
        let until = Instant::now() + self.pace.limit().min(Duration::from_secs(3));
        let mut is_uci = false;
        let mut heard = 0;
        loop {
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) if line.trim() == "readyok" && is_uci => {
                    self.is_ready.set(true);
                    break;
                }
                Event::Line(line) => {
                    is_uci |= line.trim() == "uciok";
                    heard += line.len() + 1;
                    if is_endless(heard, until) {
                        return Err(no_end());
                    }
                }
                Event::End => return Err(running.ended()),
                Event::LongLine => return Err(long_line()),
                Event::Stop => return Err(Trouble::Stopped),
                Event::Silence if is_uci => break,
                Event::Silence => {
                    // The program may flush its output only at the end.
                    running.say("quit");
                    running.close();
                    let until = Instant::now() + Duration::from_secs(3);
                    let text =
                        running.hear_all(until, &*self.stop.0).unwrap_or_else(|(text, _)| text);
                    if !text.lines().any(|line| line.trim() == "uciok") {
                        return Err(Trouble::Hang);
                    }
                    self.one_shot.set(true);
                    break;
                }
            }
        }
        drop(running);
        // The last try is patient: on a busy machine, an engine that counts on a separate thread
        // may answer `isready` long before it prints anything.
        for (perft, grace) in
            [("go perft", GRACE), ("perft", GRACE), ("go perft", self.pace.limit())]
        {
            self.perft.set(perft);
            self.grace.set(grace);
            let answer = self.uci(&first_question(1));
            match answer {
                // The program fails at the question, which is a finding.
                Err(Trouble::EarlyExit | Trouble::Crash(_)) => return Ok(()),
                Ok(divide) if !divide.moves.is_empty() => return Ok(()),
                Ok(divide) if divide.total.is_some() && !self.echoes_the_depth(&divide) => {
                    self.total_only.set(true);
                    return Ok(());
                }
                Err(trouble @ (Trouble::Start(_) | Trouble::Stopped)) => return Err(trouble),
                Err(Trouble::Hang) if perft == "perft" && !self.one_shot.get() => {
                    self.one_shot.set(true);
                    self.perft.set("go perft");
                    if self.uci(&first_question(1)).is_ok_and(|it| !it.moves.is_empty()) {
                        return Ok(());
                    }
                }
                _ => *self.running.borrow_mut() = None,
            }
        }
        Err(Trouble::Garbage("it speaks UCI but does not answer `go perft`".to_owned()))
    }

    /// Is the total only the depth of the question, at two depths? Then the engine repeats its
    /// commands, and has not counted.
    fn echoes_the_depth(&self, of_depth_1: &Divide) -> bool {
        of_depth_1.total == Some(1)
            && self.uci(&first_question(2)).is_ok_and(|divide| divide.total == Some(2))
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

    /// Asks with a time limit, and learns from the time that the answer took. The first question
    /// without an answer is asked again in a new process, and has more time there: a right program
    /// may be slow, or late once on a busy machine.
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
            answer = ask(self.pace.second_limit_of(query.leaves));
        }
        match &answer {
            Ok(_) => self.pace.answered(query.leaves, begin.elapsed()),
            Err(Trouble::Hang) => self.pace.hung(),
            Err(_) => {}
        }
        answer
    }

    fn uci(&self, query: &Query) -> Result<Divide, Trouble> {
        let result = self.timed(query, |limit| self.ask_uci(query, limit));
        if result.is_err() {
            *self.running.borrow_mut() = None;
        }
        result
    }

    fn ask_uci(&self, query: &Query, limit: Duration) -> Result<Divide, Trouble> {
        let mut slot = self.running.borrow_mut();
        if self.one_shot.get() || query.chess960 != self.chess960.get() {
            *slot = None;
        }
        let running = match &mut *slot {
            Some(running) => running,
            none => none.insert(self.start_engine(query.chess960)?),
        };
        self.lines(query).iter().for_each(|line| running.say(line));
        let limit = Instant::now() + limit;
        if self.one_shot.get() {
            running.say("quit");
            running.close();
            let text = running.hear_all(limit, &*self.stop.0).map_err(|(_, trouble)| trouble)?;
            *slot = None;
            return complete(text);
        }
        if self.is_ready.get() {
            running.say("isready");
        }
        let (text, is_over) = self.hear_answer(running, limit)?;
        if !is_over {
            // Later lines must not be read as the answer to the next question.
            *slot = None;
        }
        complete(text)
    }

    /// Starts an engine, and waits until it is ready.
    fn start_engine(&self, chess960: bool) -> Result<Running, Trouble> {
        let mut running = Running::start(&self.command, &self.log)?;
        running.say("uci");
        if chess960 {
            running.say("setoption name UCI_Chess960 value true");
        }
        self.chess960.set(chess960);
        if !self.is_ready.get() {
            return Ok(running);
        }
        running.say("isready");
        let until = Instant::now() + self.pace.limit();
        let mut heard = 0;
        loop {
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) if line.trim() == "readyok" => return Ok(running),
                Event::Line(line) => {
                    heard += line.len() + 1;
                    if is_endless(heard, until) {
                        return Err(no_end());
                    }
                }
                Event::End => return Err(running.ended()),
                Event::LongLine => return Err(long_line()),
                Event::Silence => return Err(Trouble::Hang),
                Event::Stop => return Err(Trouble::Stopped),
            }
        }
    }

    /// Reads the lines of an answer. Returns whether the answer is complete.
    fn hear_answer(
        &self,
        running: &mut Running,
        limit: Instant,
    ) -> Result<(String, bool), Trouble> {
        let mut text = String::new();
        let mut has_total = false;
        let mut is_ready = false;
        loop {
            let has_part = has_total || is_ready || !self.is_ready.get() && text.contains('\n');
            let until = match has_part {
                // `readyok` is still to come. If it were not read now, it would look like the end
                // of the next answer.
                _ if has_total && self.is_ready.get() => limit,
                true if is_ready && self.is_parallel.get() => limit,
                true if is_ready && self.totals.get() > 0 => {
                    limit.min(Instant::now() + GRACE_FOR_TOTAL)
                }
                true => limit.min(Instant::now() + self.grace.get()),
                false => limit,
            };
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) => {
                    if line.trim() == "readyok" {
                        is_ready = true;
                        if !has_total
                            && self.without_total.get() >= QUIET
                            && !self.is_parallel.get()
                        {
                            return Ok((text, true));
                        }
                    } else {
                        has_total |= matches!(read_line(&line), Line::Total(_));
                        if has_total && is_ready {
                            self.is_parallel.set(true);
                        }
                        text += &line;
                        text.push('\n');
                    }
                    // Without `isready`, the total is taken for the end of the answer.
                    if has_total && (is_ready || !self.is_ready.get()) {
                        self.totals.set(self.totals.get() + 1);
                        return Ok((text, true));
                    }
                    if text.len() > 1 << 18 || Instant::now() > limit {
                        return Err(Trouble::Garbage("the answer has no end".to_owned()));
                    }
                }
                Event::End => return Err(running.ended()),
                Event::LongLine => return Err(long_line()),
                Event::Silence if has_part => {
                    if is_ready && !has_total {
                        self.without_total.set(self.without_total.get() + 1);
                    }
                    return Ok((text, false));
                }
                Event::Silence if text.len() > MUCH => {
                    return Err(Trouble::Garbage("the answer has no end".to_owned()));
                }
                Event::Silence => return Err(Trouble::Hang),
                Event::Stop => return Err(Trouble::Stopped),
            }
        }
    }

    /// The command of a script, with the question in its arguments.
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

    /// Does the script play the moves in its arguments? If it ignores them, its answer is the same
    /// as without them.
    fn plays_moves(&self) -> bool {
        let before = Query::of_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1);
        let after = Query { moves: vec!["e2e4".to_owned()], ..before.clone() };
        match (self.script(&before), self.script(&after)) {
            (Ok(before), Ok(after)) => read_divide(&before) != read_divide(&after),
            (before, after) => before.is_err() || after.is_ok(),
        }
    }

    fn has_places(&self) -> bool {
        let places = ["{depth}", "{fen}", "{moves}"];
        self.command.iter().any(|it| places.iter().any(|place| it.contains(place)))
    }

    fn script(&self, query: &Query) -> Result<String, Trouble> {
        self.timed(query, |limit| self.run_script(query, limit))
    }

    fn run_script(&self, query: &Query, limit: Duration) -> Result<String, Trouble> {
        let mut running = Running::start(&self.arguments(query), &self.log)?;
        running.close();
        let until = Instant::now() + limit;
        let text = running.hear_all(until, &*self.stop.0).map_err(|(_, trouble)| trouble)?;
        match running.crashed() {
            Some(trouble) => Err(trouble),
            None => Ok(text),
        }
    }
}

/// Has the program printed too much, or for too long, without the expected line? A program that
/// always prints is never silent, so a time limit alone is not enough. A program that is late, but
/// has said little, only starts slowly.
fn is_endless(heard: usize, until: Instant) -> bool {
    const MOST_LATE: usize = 1 << 12;
    const LATEST: Duration = Duration::from_secs(60);
    let late = Instant::now().saturating_duration_since(until);
    heard > MAX_ANSWER || late > Duration::ZERO && heard > MOST_LATE || late > LATEST
}

fn no_end() -> Trouble {
    Trouble::Garbage("what it prints has no end".to_owned())
}

/// Reads an answer, which must have moves or a total, or be empty.
fn complete(text: String) -> Result<Divide, Trouble> {
    let divide = read_divide(&text);
    // After a refusal, a number is a part of the refused command.
    if let (true, Some(refusal)) = (divide.moves.is_empty(), text.lines().find(|it| is_refusal(it)))
    {
        return Err(Trouble::Garbage(refusal.trim().chars().take(80).collect()));
    }
    let letters = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && matches!(read_line(line), Line::Noise | Line::Other)
    });
    match letters {
        Some(line) if divide.moves.is_empty() && divide.total.is_none() && !is_noise(line) => {
            Err(Trouble::Garbage(line.chars().take(80).collect()))
        }
        _ => Ok(divide),
    }
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
                let garbage = || Trouble::Garbage(text.chars().take(80).collect());
                read_divide(&text).total.ok_or_else(|| match text.trim() {
                    "" => Trouble::EarlyExit,
                    _ => garbage(),
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
                if text.trim().is_empty() {
                    return Err(Trouble::EarlyExit);
                }
                let divide = complete(text)?;
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
    fn a_late_line_is_not_endless_output() {
        let now = Instant::now();
        let hour = Duration::from_secs(3600);
        assert!(!is_endless(5000, now + hour));
        assert!(is_endless(MAX_ANSWER + 1, now + hour));
        std::thread::sleep(Duration::from_millis(5));
        assert!(!is_endless(20, now));
        assert!(is_endless(5000, now));
        // On a machine that has just started, an earlier point in time may not exist.
        if let Some(before) = now.checked_sub(Duration::from_secs(61)) {
            assert!(is_endless(20, before));
        }
    }
}
