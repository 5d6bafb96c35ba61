//! Engines that speak UCI: how they are asked, and where an answer ends.

use std::time::Duration;

use tabiya_uci::process::{Event, Process};

use super::{Program, check_length, complete, ended, first_question, garbage, hear_all, start};
use crate::divide::Divide;
use crate::generator::{Foreign, Query, Trouble};
use crate::reading::{Line, read_line};

/// An answer without a total is over after this silence, if `readyok` has come.
const SILENCE: Duration = Duration::from_millis(150);

/// The same for an engine that is ready while it counts.
const LONG_SILENCE: Duration = Duration::from_millis(600);

/// After this many such silences in answers with moves, `readyok` ends them by itself.
const ENOUGH: u32 = 4;

/// An engine without perft is ready at once. One that is ready while it counts prints something in this
/// time.
const FIRST_LINE: Duration = Duration::from_secs(5);

/// How an engine answers, which its first answer shows.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    /// The perft command, such as `go perft`.
    perft: &'static str,
    /// Does it flush its output only at the end? Then a process answers one question, and its input
    /// is closed after it.
    one_shot: bool,
    /// Does it list moves?
    pub(super) lists: bool,
    /// Does it print a total? `None` if it hasn't answered yet.
    total: Option<bool>,
    /// Is it ready while it counts?
    parallel: bool,
    /// The number of answers behind whose `readyok` nothing came.
    silences: u32,
}

impl Habits {
    pub(super) const UNKNOWN: Self = Self {
        perft: "go perft",
        one_shot: false,
        lists: true,
        total: None,
        parallel: false,
        silences: 0,
    };
}

impl Program {
    /// Finds out whether the program speaks UCI, and in which way.
    ///
    /// The hunt begins with a new process: the first answer of a program may be wrong where later
    /// ones are right.
    pub(super) fn find_uci(&self) -> Result<(), Trouble> {
        let found = self.probe_uci();
        self.forget();
        found
    }

    fn probe_uci(&self) -> Result<(), Trouble> {
        let one_shot = self.shake_hands()?;
        let (mut of_total, mut why) = (None, Trouble::Foreign(Foreign::WithoutPerft));
        for perft in ["go perft", "perft"] {
            let habits = Habits { perft, one_shot, ..Habits::UNKNOWN };
            self.habits.set(habits);
            let query = first_question();
            let answer = self.ask_uci(&query, self.pace.limit_of(query.leaves));
            let lists = answer.as_ref().is_ok_and(|divide| !divide.moves.is_empty());
            match answer {
                Ok(divide) => {
                    let total = Some(divide.total.is_some());
                    let habits = Habits { lists, total, ..self.habits.get() };
                    if lists {
                        self.habits.set(habits);
                        return Ok(());
                    }
                    of_total = of_total.or(divide.total.map(|_| habits));
                }
                // The program fails at the question, which is a finding.
                Err(Trouble::EarlyExit | Trouble::Crash(_)) => return Ok(()),
                Err(Trouble::Hang | Trouble::Foreign(_)) => {}
                Err(trouble @ Trouble::Garbage(_)) => why = trouble,
                Err(trouble) => return Err(trouble),
            }
            self.forget();
        }
        self.habits.set(of_total.ok_or(why)?);
        Ok(())
    }

    /// Says `uci`, and returns whether the program flushes its output only at the end.
    fn shake_hands(&self) -> Result<bool, Trouble> {
        let mut running = start(&self.command, &self.log)?;
        running.say("uci");
        running.say("isready");
        let (mut left, mut heard) = (self.pace.start(), 0);
        let (mut is_uci, mut is_closed, mut is_strange) = (false, false, false);
        loop {
            let event = match is_strange && !is_closed {
                true => Event::Silence,
                false => running.hear(&mut left, &*self.stop.0),
            };
            match event {
                Event::Line(line) => {
                    heard += line.len() + 1;
                    check_length(heard)?;
                    match line.trim() {
                        "uciok" => is_uci = true,
                        "readyok" if is_uci && !is_closed => {
                            *self.running.borrow_mut() = Some((running, false));
                            return Ok(false);
                        }
                        // The answer to `protover`.
                        line if line.starts_with("feature ") => {
                            return Err(Trouble::Foreign(Foreign::XBoard));
                        }
                        // It repeats or refuses what it doesn't know.
                        line => is_strange |= !is_uci && line.contains("isready"),
                    }
                }
                Event::End if is_uci && is_closed => return Ok(true),
                Event::End => return Err(ended(&mut running)),
                Event::Stop => return Err(Trouble::Stopped),
                Event::Silence if is_uci && !is_closed => {
                    return Err(Trouble::Foreign(Foreign::WithoutIsready));
                }
                Event::Silence if is_closed => return Err(Trouble::Hang),
                Event::Silence => {
                    // It may speak XBoard, or flush its output only at the end.
                    ["xboard", "protover 2", "quit"].iter().for_each(|line| running.say(line));
                    running.close();
                    (left, is_closed) = (Duration::from_secs(3), true);
                }
            }
        }
    }

    /// The lines that ask a question.
    pub(super) fn lines(&self, query: &Query) -> Vec<String> {
        let mut position = format!("position fen {}", query.fen);
        if !query.moves.is_empty() {
            position += " moves ";
            position += &query.moves.join(" ");
        }
        vec![position, format!("{} {}", self.habits.get().perft, query.depth)]
    }

    pub(super) fn uci(&self, query: &Query) -> Result<Divide, Trouble> {
        let answer = self.timed(query, |limit| self.ask_uci(query, limit));
        if answer.is_err() {
            self.forget();
        }
        answer
    }

    fn ask_uci(&self, query: &Query, limit: Duration) -> Result<Divide, Trouble> {
        let one_shot = self.habits.get().one_shot;
        // What an error or the end of a process leaves is dropped.
        let process = self.running.borrow_mut().take();
        let known = process.filter(|(_, chess960)| !one_shot && *chess960 == query.chess960);
        let mut running = match known {
            Some((running, _)) => running,
            None => self.start_engine(query.chess960)?,
        };
        self.lines(query).iter().for_each(|line| running.say(line));
        if one_shot {
            running.say("quit");
            running.close();
            let text = hear_all(&mut running, limit, &*self.stop.0)?;
            return match ended(&mut running) {
                crash @ Trouble::Crash(_) => Err(crash),
                _ if text.trim().is_empty() && query.leaves > 0 => Err(Trouble::EarlyExit),
                _ => complete(&text, query),
            };
        }
        running.say("isready");
        let (text, goes_on) = self.hear_answer(&mut running, limit)?;
        if goes_on {
            *self.running.borrow_mut() = Some((running, query.chess960));
        }
        complete(&text, query)
    }

    /// Starts an engine, and waits until it is ready.
    fn start_engine(&self, chess960: bool) -> Result<Process, Trouble> {
        let mut running = start(&self.command, &self.log)?;
        running.say("uci");
        if chess960 {
            running.say("setoption name UCI_Chess960 value true");
        }
        if self.habits.get().one_shot {
            return Ok(running);
        }
        running.say("isready");
        let (mut left, mut heard) = (self.pace.start(), 0);
        loop {
            match running.hear(&mut left, &*self.stop.0) {
                Event::Line(line) if line.trim() == "readyok" => return Ok(running),
                Event::Line(line) => {
                    heard += line.len() + 1;
                    check_length(heard)?;
                }
                Event::End => return Err(ended(&mut running)),
                Event::Silence => return Err(Trouble::Hang),
                Event::Stop => return Err(Trouble::Stopped),
            }
        }
    }

    /// Hears the lines of an answer, behind which `isready` was said. It is over when a total and
    /// `readyok` have come, or `readyok` and then nothing for a while, if the engine prints no
    /// totals. Returns also whether the process goes on.
    fn hear_answer(
        &self,
        running: &mut Process,
        mut left: Duration,
    ) -> Result<(String, bool), Trouble> {
        let mut text = String::new();
        let (mut has_moves, mut has_total, mut is_ready) = (false, false, false);
        loop {
            let habits = self.habits.get();
            let may_be_over = is_ready
                && habits.total != Some(true)
                && (has_moves || !habits.parallel && habits.total.is_some());
            // Something stands where moves should be.
            let is_odd =
                is_ready && !has_moves && habits.total.is_some() && garbage(&text).is_some();
            let most = match habits.parallel {
                false if is_odd => left.min(LONG_SILENCE),
                true if may_be_over => left.min(LONG_SILENCE),
                false if may_be_over => left.min(SILENCE),
                _ if is_ready && habits.total.is_none() => left.min(FIRST_LINE),
                _ => left,
            };
            let mut rest = most;
            let event = running.hear(&mut rest, &*self.stop.0);
            left = left.saturating_sub(most - rest);
            match event {
                Event::Line(line) if line.trim() == "readyok" => is_ready = true,
                Event::Line(line) => {
                    let meaning = read_line(&line);
                    let is_part = !matches!(meaning, Line::Ignored);
                    if is_ready && is_part {
                        self.habits.set(Habits { parallel: true, ..habits });
                    }
                    // What can't be read ends the hunt, so nothing has to come after it.
                    if matches!(meaning, Line::Total(_) | Line::Number(_) | Line::Malformed(_)) {
                        has_total = true;
                        if is_ready {
                            // It counts while it reads commands. Lines after the total must not be
                            // read as the answer to the next question.
                            running.say("isready");
                            is_ready = false;
                        }
                    } else if is_part {
                        has_moves = true;
                    } else if habits.total.is_none() && !has_moves && is_search(&line) {
                        return Err(Trouble::Foreign(Foreign::WithoutPerft));
                    }
                    text += &line;
                    text.push('\n');
                    check_length(text.len())?;
                }
                Event::End => {
                    let is_whole = has_total || has_moves && habits.total != Some(true);
                    return match ended(running) {
                        Trouble::EarlyExit if is_whole => Ok((text, false)),
                        trouble => Err(trouble),
                    };
                }
                Event::Silence if may_be_over => {
                    let silences = habits.silences + u32::from(has_moves);
                    self.habits.set(Habits { silences, ..habits });
                    return Ok((text, true));
                }
                // An engine that is ready while it counts, and prints no total, has listed nothing.
                Event::Silence if is_ready && habits.total == Some(false) => {
                    return Ok((text, false));
                }
                Event::Silence => {
                    // Or where the total should be.
                    let last = text.trim_end().lines().next_back().unwrap_or_default();
                    let is_odd = is_odd || is_ready && has_moves && garbage(last).is_some();
                    let is_move = matches!(read_line(last), Line::Move(..));
                    return Err(garbage(last)
                        .filter(|_| is_odd && !is_move)
                        .unwrap_or(Trouble::Hang));
                }
                Event::Stop => return Err(Trouble::Stopped),
            }
            let has_usual = has_moves && habits.total == Some(false);
            if is_ready && (has_total || has_usual && habits.silences >= ENOUGH && !habits.parallel)
            {
                return Ok((text, true));
            }
        }
    }
}

/// Does the line belong to a search for the best move?
fn is_search(line: &str) -> bool {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => true,
        Some("info") => words.next() != Some("string") && words.any(|it| it == "pv"),
        _ => false,
    }
}
