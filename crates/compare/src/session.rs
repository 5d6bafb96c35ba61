//! A conversation with the program under test, which counts its questions and leaf nodes.

use tabiya::Position;

use crate::generator::{Divide, Generator, Query, Trouble};
use crate::question::query;
use crate::truth;

/// A conversation with one program.
pub(crate) struct Session<'a> {
    generator: &'a dyn Generator,
    /// Is the budget spent? Called before each question.
    stop: &'a dyn Fn() -> bool,
    asked: u64,
    leaves: u64,
    answered: u64,
    first_trouble: Option<Trouble>,
}

impl<'a> Session<'a> {
    /// Creates a conversation that has not begun.
    pub(crate) const fn new(generator: &'a dyn Generator, stop: &'a dyn Fn() -> bool) -> Self {
        Self { generator, stop, asked: 0, leaves: 0, answered: 0, first_trouble: None }
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

    pub(crate) fn is_stopped(&self) -> bool {
        (self.stop)()
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
        self.generator.command(question)
    }

    /// Asks a question, and adds it and its leaf nodes to the totals.
    fn ask<T>(
        &mut self,
        query: &Query,
        ask: impl FnOnce(&dyn Generator, &Query) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        if (self.stop)() {
            return Err(Trouble::Stopped);
        }
        let leaves = match query.depth {
            0 | 1 => 0,
            depth => truth::position_of(query).map_or(0, |here| truth::perft(&here, depth)),
        };
        let leaves = u64::try_from(leaves).unwrap_or(u64::MAX);
        let answer = ask(self.generator, &Query { leaves, ..query.clone() });
        match &answer {
            Err(Trouble::Unsupported) => return answer,
            Err(trouble) => {
                self.first_trouble.get_or_insert_with(|| trouble.clone());
            }
            Ok(_) => self.answered += 1,
        }
        self.asked += 1;
        self.leaves = self.leaves.saturating_add(leaves);
        answer
    }

    /// The number of leaf nodes.
    pub(crate) fn count(&mut self, query: &Query) -> Result<u128, Trouble> {
        self.ask(query, |generator, query| generator.perft(query))
    }

    /// The number of leaf nodes below each move.
    pub(crate) fn divide(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.ask(query, |generator, query| generator.divide(query)) {
            // There is nothing to list, so the program prints nothing.
            Err(Trouble::EarlyExit) if expected == 0 => Ok(Divide::default()),
            answer => answer,
        }
    }

    /// The list of moves: from a divide at depth 1, or a plain list.
    pub(crate) fn list(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.divide(query, expected) {
            Err(Trouble::Unsupported) => {}
            answer => return answer,
        }
        match self.ask(query, |generator, query| generator.moves(query)) {
            // There is nothing to list, so the program prints nothing.
            Err(Trouble::EarlyExit) if expected == 0 => Ok(Divide::default()),
            answer => Ok(Divide::of_moves(answer?)),
        }
    }

    /// Does a new process give the right count?
    pub(crate) fn is_right_when_fresh(&mut self, question: &Query, expected: u128) -> bool {
        self.generator.restart();
        let answer = self.divide(question, expected);
        answer.is_ok_and(|it| it.total.unwrap_or_else(|| it.sum()) == expected)
    }

    /// Are the counts of a few plies right?
    pub(crate) fn counts_right(&mut self, position: &Position, depth: usize) -> bool {
        let Ok(depth @ 0..=5) = u32::try_from(depth) else { return false };
        let expected = truth::perft(position, depth);
        expected < 300_000
            && self.count(&query(position, &[], depth)).is_ok_and(|it| it == expected)
    }
}
