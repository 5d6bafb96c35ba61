//! Engines that speak UCI: how they are asked, and where an answer ends.

use std::time::{Duration, Instant};

use super::{GRACE, Program, complete_divide, first_question, unread_total};
use crate::generator::{Divide, Query, Trouble};
use crate::patience::Patience;
use crate::process::{Event, MUCH, Running, long_line, no_end};
use crate::reading::{Kind, Line, read_divide, read_line};

/// The time to wait after `readyok`, if other answers had a total.
const GRACE_FOR_TOTAL: Duration = Duration::from_secs(5);

/// After this many answers without a total, `readyok` is taken for the end of an answer.
const QUIET: u32 = 4;

impl Program {
    /// Finds out whether the program speaks UCI, and in which way.
    ///
    /// The answers are compared with nothing, so that the hunt begins with a new process: its first
    /// answer may be wrong where later ones are right.
    pub(super) fn find_uci(&self) -> Result<(), Trouble> {
        let found = self.probe_uci();
        *self.running.borrow_mut() = None;
        found
    }

    fn probe_uci(&self) -> Result<(), Trouble> {
        let mut running = Running::start(&self.command, &self.log)?;
        running.say("uci");
        running.say("isready");
        let until = Instant::now() + self.pace.limit().min(Duration::from_secs(3));
        let mut is_uci = false;
        let (mut heard, mut patience) = (0, Patience::new(until));
        loop {
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) if line.trim() == "readyok" && is_uci => {
                    self.is_ready.set(true);
                    break;
                }
                Event::Line(line) => {
                    is_uci |= line.trim() == "uciok";
                    heard += line.len() + 1;
                    if patience.ends(heard) {
                        return Err(no_end(heard));
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
        let mut why = String::new();
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
                answer => {
                    *self.running.borrow_mut() = None;
                    if let (Err(Trouble::Garbage(text)), true) = (answer, why.is_empty()) {
                        why = format!(": {text}");
                    }
                }
            }
        }
        Err(Trouble::Garbage(format!("it speaks UCI but does not answer `go perft`{why}")))
    }

    /// Is the total only the depth of the question, at two depths? Then the engine repeats its
    /// commands, and has not counted.
    fn echoes_the_depth(&self, of_depth_1: &Divide) -> bool {
        of_depth_1.total == Some(1)
            && self.uci(&first_question(2)).is_ok_and(|divide| divide.total == Some(2))
    }

    /// The lines that ask a question.
    pub(super) fn lines(&self, query: &Query) -> Vec<String> {
        let mut position = format!("position fen {}", query.fen);
        if !query.moves.is_empty() {
            position += " moves ";
            position += &query.moves.join(" ");
        }
        vec![position, format!("{} {}", self.perft.get(), query.depth)]
    }

    pub(super) fn uci(&self, query: &Query) -> Result<Divide, Trouble> {
        let result = self.timed(query, |limit| self.ask_uci(query, limit));
        if result.is_err() {
            *self.running.borrow_mut() = None;
        }
        match result {
            // There is nothing to list, so a process that answers one question prints nothing.
            Err(Trouble::EarlyExit) if self.one_shot.get() && query.leaves == 0 => {
                Ok(Divide::default())
            }
            result => result,
        }
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
            return complete_divide(&text, query);
        }
        if self.is_ready.get() {
            running.say("isready");
        }
        let (text, is_over) = self.hear_answer(running, limit)?;
        if !is_over {
            // Later lines must not be read as the answer to the next question.
            *slot = None;
        }
        complete_divide(&text, query)
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
        let (mut heard, mut patience) = (0, Patience::new(until));
        loop {
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) if line.trim() == "readyok" => return Ok(running),
                Event::Line(line) => {
                    heard += line.len() + 1;
                    if patience.ends(heard) {
                        return Err(no_end(heard));
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
        let mut patience = Patience::new(limit);
        let mut has_total = false;
        // A number of moves may come before the total or after it, or be the total.
        let mut has_moves = false;
        let mut is_ready = false;
        // Has something come after `readyok`?
        let mut has_begun = false;
        // Was `isready` said once more, after the total?
        let mut is_ending = false;
        loop {
            let has_part = has_total || is_ready || !self.is_ready.get() && text.contains('\n');
            let until = match has_part {
                // `readyok` is still to come. If it were not read now, it would look like the end
                // of the next answer.
                _ if has_total && self.is_ready.get() => limit,
                true if is_ready && self.is_parallel.get() && self.totals.get() > 0 => limit,
                true if is_ready && self.totals.get() > 0
                    || self.is_parallel.get() && !has_begun =>
                {
                    limit.min(Instant::now() + GRACE_FOR_TOTAL)
                }
                true => limit.min(Instant::now() + self.grace.get()),
                false => limit,
            };
            match running.hear(until, &*self.stop.0) {
                Event::Line(line) => {
                    let is_readyok = line.trim() == "readyok";
                    if is_readyok {
                        is_ready = true;
                        let has_all = has_moves || self.without_total.get() >= QUIET;
                        if !has_total && has_all && !self.is_parallel.get() {
                            return Ok((text, true));
                        }
                    } else {
                        let meaning = read_line(&line);
                        has_begun |= is_ready && is_move(&meaning);
                        let totals = totals(meaning);
                        has_total |= totals.iter().any(|kind| kind.ends_an_answer());
                        has_moves |= totals.contains(&Kind::Moves);
                        if has_total && is_ready || has_begun {
                            self.is_parallel.set(true);
                        }
                        text += &line;
                        text.push('\n');
                    }
                    // Without `isready`, the total is taken for the end of the answer.
                    if has_total && (is_readyok || !self.is_ready.get()) {
                        self.totals.set(self.totals.get() + 1);
                        return Ok((text, true));
                    }
                    // The engine counts while it reads commands. Lines after the total must not be
                    // read as the answer to the next question.
                    if has_total && is_ready && !is_ending {
                        running.say("isready");
                        is_ending = true;
                    }
                    if patience.ends(text.len()) {
                        return Err(no_end(text.len()));
                    }
                }
                Event::End => return Err(running.ended()),
                Event::LongLine => return Err(long_line()),
                // An answer that may go on is not over at the limit.
                Event::Silence if has_part && (has_total || is_ready || Instant::now() < limit) => {
                    if is_ready && !has_total {
                        let had_totals = self.totals.get() >= 2 && self.without_total.get() == 0;
                        if had_totals && !read_divide(&text).moves.is_empty() {
                            // All answers so far had a total, so the end of this one is missing, or
                            // is not understood.
                            return Err(unread_total(&text).map_or(Trouble::Hang, Trouble::Garbage));
                        }
                        self.without_total.set(self.without_total.get() + u32::from(!has_moves));
                    }
                    return Ok((text, false));
                }
                Event::Silence if text.len() > MUCH => {
                    return Err(no_end(text.len()));
                }
                Event::Silence => return Err(Trouble::Hang),
                Event::Stop => return Err(Trouble::Stopped),
            }
        }
    }
}

const fn is_move(line: &Line) -> bool {
    matches!(line, Line::Move(..) | Line::Moves(_) | Line::Numbered(..))
}

/// What the numbers of a line are that may be the total, or stand in its place.
fn totals(line: Line) -> Vec<Kind> {
    match line {
        Line::Totals(totals) => totals.iter().map(|it| it.kind).collect(),
        Line::NoCount => vec![Kind::Nodes],
        _ => Vec::new(),
    }
}
