//! A conversation with the program under test, which counts its questions and leaf nodes.

use std::time::{Duration, Instant};

use crate::divide::Divide;
use crate::evidence::Answer;
use crate::generator::{Generator, Query, Trouble};
use crate::question::Question;
use crate::spelling::{self, Castling};
use crate::truth;

/// How long answers take.
#[derive(Clone, Copy, Debug)]
struct AnswerTimes {
    slowest: Duration,
    most_leaves: u64,
}

impl AnswerTimes {
    /// An answer comes after this many times the expected time at the latest.
    const PATIENCE: u32 = 10;
    /// A busy machine may keep any program waiting for so long.
    const BUSY: Duration = Duration::from_secs(2);

    fn learn(&mut self, took: Duration, leaves: u64) {
        self.slowest = self.slowest.max(took);
        self.most_leaves = self.most_leaves.max(leaves);
    }

    /// Has a question with this many leaf nodes waited for too long?
    fn is_late(self, waited: Duration, leaves: u64) -> bool {
        let larger = u32::try_from(leaves.div_ceil(self.most_leaves)).unwrap_or(u32::MAX);
        let expected = self.slowest.saturating_mul(larger.max(1));
        waited > Self::BUSY && waited > expected.saturating_mul(Self::PATIENCE)
    }
}

/// The time, where there is a clock: a web page has none of this kind.
fn now() -> Option<Instant> {
    let has_clock = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    has_clock.then(Instant::now)
}

fn since(begin: Option<Instant>) -> Duration {
    begin.map_or(Duration::ZERO, |begin| begin.elapsed())
}

/// A conversation with one program.
pub(crate) struct Session<'a> {
    generator: &'a dyn Generator,
    /// Is the budget spent? Called before each question.
    stop: &'a dyn Fn() -> bool,
    asked: u64,
    leaves: u64,
    answered: u64,
    first_trouble: Option<Trouble>,
    /// Why the program can no longer be started.
    lost: Option<Trouble>,
    /// Was a question not asked, or not answered, because the budget is spent or the program lost?
    is_cut_off: bool,
    /// Did the budget end long after the time that an answer takes?
    is_left_waiting: bool,
    times: AnswerTimes,
    /// The way in which the program writes castling, if it is known: in standard chess, and in
    /// Chess960, for which it may have a mode of its own.
    castling: [Option<Castling>; 2],
}

impl<'a> Session<'a> {
    /// Creates a conversation that has not begun.
    pub(crate) const fn new(generator: &'a dyn Generator, stop: &'a dyn Fn() -> bool) -> Self {
        Self {
            generator,
            stop,
            asked: 0,
            leaves: 0,
            answered: 0,
            first_trouble: None,
            lost: None,
            is_cut_off: false,
            is_left_waiting: false,
            times: AnswerTimes { slowest: Duration::ZERO, most_leaves: 1 },
            castling: [None; 2],
        }
    }

    /// The number of questions.
    pub(crate) const fn asked(&self) -> u64 {
        self.asked
    }

    /// The leaf nodes of all questions of depth 2 and more.
    pub(crate) const fn leaves(&self) -> u64 {
        self.leaves
    }

    /// The number of answers that were compared.
    pub(crate) const fn answered(&self) -> u64 {
        self.answered
    }

    /// The reason why the first unanswered question has no answer.
    pub(crate) const fn first_trouble(&self) -> Option<&Trouble> {
        self.first_trouble.as_ref()
    }

    /// Why the program can no longer be started, so that there are no more answers.
    pub(crate) const fn lost(&self) -> Option<&Trouble> {
        self.lost.as_ref()
    }

    /// Is the budget spent, or the program lost?
    pub(crate) fn is_stopped(&self) -> bool {
        self.lost.is_some() || (self.stop)()
    }

    /// Has the end left a question without an answer? Then nothing may be concluded
    /// from missing answers.
    pub(crate) const fn is_cut_off(&self) -> bool {
        self.is_cut_off
    }

    /// Did the budget end long after the time that an answer takes? Then the program may hang.
    pub(crate) const fn is_left_waiting(&self) -> bool {
        self.is_left_waiting
    }

    /// Can the question include moves to play from the FEN?
    pub(crate) fn takes_moves(&self) -> bool {
        self.generator.takes_moves()
    }

    /// Makes the program forget everything, as a new process does.
    pub(crate) fn restart(&self) {
        self.generator.restart();
    }

    /// A command that asks this question.
    pub(crate) fn command(&self, question: &Query) -> String {
        self.generator.command(&self.spelled(question))
    }

    /// The question in the spelling of the program.
    fn spelled(&self, question: &Query) -> Query {
        match self.castling[usize::from(question.chess960)] {
            Some(castling) if castling != Castling::usual(question.chess960) => {
                castling.write(question)
            }
            _ => question.clone(),
        }
    }

    /// Asks a question, and adds it and its leaf nodes to the totals.
    fn ask<T>(
        &mut self,
        query: &Query,
        ask: impl Fn(&dyn Generator, &Query) -> Result<T, Trouble>,
        count: impl Fn(&T) -> Option<u128>,
    ) -> Result<T, Trouble> {
        if self.is_stopped() {
            self.is_cut_off = true;
            return Err(Trouble::Stopped);
        }
        let goes_on = |_| !self.is_stopped();
        let expected = match truth::position_of(query) {
            Some(here) => match truth::perft_while(&here, query.depth, &goes_on) {
                None => {
                    self.is_cut_off = true;
                    return Err(Trouble::Stopped);
                }
                expected => expected,
            },
            None => None,
        };
        let leaves = u64::try_from(expected.unwrap_or(0)).unwrap_or(u64::MAX);
        let query = Query { leaves, ..query.clone() };
        let begin = now();
        let mut answer = ask(self.generator, &self.spelled(&query));
        if self.may_be_spelled_otherwise(&query, answer.as_ref().err()) {
            let castling = Castling::usual(query.chess960).other();
            let again = ask(self.generator, &castling.write(&query));
            // Some programs pass over a move that they do not know: their answer is about another
            // position.
            if again.as_ref().is_ok_and(|it| expected.is_some() && count(it) == expected) {
                self.castling[usize::from(query.chess960)] = Some(castling);
                answer = again;
            }
        }
        match &answer {
            Err(Trouble::Unsupported) => return answer,
            // That says nothing about the answers, and the next attempts would fail as well.
            Err(trouble @ (Trouble::Start(_) | Trouble::Unreadable(_))) => {
                self.is_cut_off = true;
                self.lost = Some(trouble.clone());
                return answer;
            }
            Err(trouble) => {
                let is_late = self.answered > 0 && self.times.is_late(since(begin), leaves);
                self.is_left_waiting |= is_late && *trouble == Trouble::Stopped;
                self.is_cut_off |= *trouble == Trouble::Stopped;
                self.first_trouble.get_or_insert_with(|| trouble.clone());
            }
            Ok(_) => {
                self.answered += 1;
                self.times.learn(since(begin), leaves);
            }
        }
        self.asked += 1;
        if query.depth > 1 {
            self.leaves = self.leaves.saturating_add(leaves);
        }
        answer
    }

    /// Could the program have failed because it writes castling in the other way? A program that
    /// lists no moves never shows how it writes it.
    fn may_be_spelled_otherwise(&self, query: &Query, trouble: Option<&Trouble>) -> bool {
        use Trouble::{Crash, EarlyExit, Garbage};
        let refuses = matches!(trouble, Some(Crash(_) | EarlyExit | Garbage(_)));
        let castling = self.castling[usize::from(query.chess960)];
        refuses && castling.is_none() && spelling::castles(query)
    }

    /// Learns from a list how the program writes castling.
    fn learn_spelling(&mut self, query: &Query, answer: &Result<Divide, Trouble>) {
        let castling = &mut self.castling[usize::from(query.chess960)];
        if let (None, Ok(divide)) = (*castling, answer)
            && let Some(position) = truth::position_of(query)
        {
            *castling = Castling::of_list(&position, &divide.texts());
        }
    }

    /// The answer to a question: a list or a divide, or only a count.
    pub(crate) fn answer(&mut self, question: &Question) -> Result<Answer, Trouble> {
        let query = question.query();
        let divide = if query.depth == 1 { self.list(&query) } else { self.divide(&query) };
        match divide {
            Ok(divide) => Ok(Answer::of_divide(&question.position(), &divide)),
            Err(Trouble::Unsupported) => self.count(&query).map(Answer::of_count),
            Err(trouble) => Err(trouble),
        }
    }

    /// The number of leaf nodes.
    pub(crate) fn count(&mut self, query: &Query) -> Result<u128, Trouble> {
        self.ask(query, |generator, query| generator.perft(query), |count| Some(*count))
    }

    /// The number of leaf nodes below each move.
    pub(crate) fn divide(&mut self, query: &Query) -> Result<Divide, Trouble> {
        let answer = self.ask(
            query,
            |generator, query| generator.divide(query),
            |divide| {
                let is_list = query.depth <= 1 && !divide.moves.is_empty();
                match divide.total {
                    _ if is_list => Some(divide.moves.len() as u128),
                    None if !divide.is_counted() && !divide.moves.is_empty() => None,
                    _ => Some(divide.count()),
                }
            },
        );
        self.learn_spelling(query, &answer);
        answer
    }

    /// The list of moves: from a divide at depth 1, or a plain list.
    pub(crate) fn list(&mut self, query: &Query) -> Result<Divide, Trouble> {
        match self.divide(query) {
            Err(Trouble::Unsupported) => {}
            answer => return answer,
        }
        let answer = self.ask(
            query,
            |generator, query| generator.moves(query),
            |moves| Some(moves.len() as u128),
        );
        let answer = answer.map(Divide::of_moves);
        self.learn_spelling(query, &answer);
        answer
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tabiya::Position;

    use super::*;

    /// The right count would take years.
    #[test]
    fn counting_for_a_question_ends_when_the_hunt_should_stop() {
        struct Unasked;
        impl Generator for Unasked {}
        let calls = Cell::new(0);
        let stop = || calls.replace(calls.get() + 1) > 0;
        let mut session = Session::new(&Unasked, &stop);
        let answer = session.count(&Question::new(&Position::START, &[], 12).query());
        assert_eq!((answer, session.is_cut_off()), (Err(Trouble::Stopped), true));
    }

    #[test]
    fn a_late_answer_is_told_from_a_large_question() {
        let seconds = Duration::from_secs;
        let mut times = AnswerTimes { slowest: Duration::ZERO, most_leaves: 1 };
        times.learn(Duration::from_millis(300), 20);
        times.learn(Duration::from_millis(100), 8);
        for (waited, leaves, is_late) in
            [(14, 20, true), (14, 3, true), (3, 20, false), (14, 400, false), (61, 400, true)]
        {
            assert_eq!(times.is_late(seconds(waited), leaves), is_late, "{waited} {leaves}");
        }
        times.learn(Duration::from_millis(1), 100_000);
        assert!(!times.is_late(seconds(1), 1) && times.is_late(seconds(4), 1));
        assert!(!times.is_late(seconds(1 << 30), u64::MAX));
    }
}
