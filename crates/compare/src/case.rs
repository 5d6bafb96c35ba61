//! A wrong answer: the question, the right answer, and the difference between the lists.

use tabiya::fen::EnPassantMode;
use tabiya::{Move, Position};

use crate::class::Class;
use crate::generator::{Query, Trouble};
use crate::question::{fen_in, query};
use crate::session::WrongAnswer;
use crate::truth::{self, Told};

/// A wrong answer about a position.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) class: Class,
    pub(crate) start: Position,
    pub(crate) path: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) expected: u128,
    pub(crate) got: Option<u128>,
    pub(crate) extra: Vec<String>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
    /// A note on the program's behaviour, or another fact.
    pub(crate) note: Option<String>,
    /// Was the class guessed from a count?
    pub(crate) guessed: bool,
    /// Does a new process make the error as well?
    pub(crate) is_fresh: bool,
    /// The convention for the en-passant square of the FEN.
    pub(crate) en_passant: EnPassantMode,
}

impl Case {
    /// A case without moves: a wrong count, or a failed dialogue.
    pub(crate) fn of_count(
        class: Class,
        (start, path, depth): (&Position, &[Move], u32),
        expected: u128,
        got: Option<u128>,
    ) -> Self {
        Self {
            class,
            start: start.clone(),
            path: path.to_vec(),
            depth,
            expected,
            got,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            note: None,
            guessed: false,
            is_fresh: true,
            en_passant: EnPassantMode::PseudoLegal,
        }
    }

    /// Adds a further fact.
    pub(crate) fn with_note(self, note: impl Into<String>) -> Self {
        Self { note: Some(note.into()), ..self }
    }

    /// Does the error consist of moves, and not only of a number or a failed dialogue?
    pub(crate) fn has_wrong_moves(&self) -> bool {
        !(self.extra.is_empty() && self.missing.is_empty() && self.duplicated.is_empty())
    }

    /// Is the number of moves or leaf nodes wrong?
    pub(crate) fn has_wrong_count(&self) -> bool {
        self.got.is_some_and(|got| got != self.expected)
    }

    /// A wrong answer that was not examined to the end. `None` if its position cannot be read.
    pub(crate) fn of_wrong(answer: &WrongAnswer) -> Option<Self> {
        let start = truth::start_of(&answer.question)?;
        let mut here = start.clone();
        let mut path = Vec::new();
        for text in &answer.question.moves {
            let mv = here.parse_uci(text).ok()?;
            path.push(mv);
            here = here.play(mv);
        }
        let asked = (&start, &path[..], answer.question.depth);
        Some(Self::of_count(Class::MoveMissing, asked, answer.expected, Some(answer.got)))
    }

    /// The wrong count of a case whose cause was not found.
    pub(crate) fn without_cause(self) -> Self {
        let is_more = self.got.is_some_and(|got| got > self.expected);
        let (class, note) = match (self.depth, is_more) {
            (2.., _) => {
                let note = "the hunt ended before the cause was found, which may be a wrong list";
                (Class::CountingLeaf, note)
            }
            (_, true) => (Class::MoveExtra, "the hunt ended before the cause was found"),
            (_, false) => (Class::MoveMissing, "the hunt ended before the cause was found"),
        };
        Self { class, guessed: true, ..self }.with_note(note)
    }

    pub(crate) fn position(&self) -> Position {
        self.path.iter().fold(self.start.clone(), |position, &mv| position.play(mv))
    }

    /// The question that shows the error.
    pub(crate) fn question(&self) -> Query {
        Query {
            fen: fen_in(&self.start, self.en_passant),
            ..query(&self.start, &self.path, self.depth)
        }
    }

    /// The size of the example: a smaller one is easier to understand.
    pub(crate) fn size(&self) -> (usize, u32, u32) {
        (self.path.len(), self.depth, self.start.board().occupied().len())
    }
}

/// The differences between a list and the right one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff {
    pub(crate) got: u128,
    pub(crate) extra: Vec<Told>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
}

impl Diff {
    pub(crate) fn of(position: &Position, listed: &[&str]) -> Self {
        let mut diff = Self { got: listed.len() as u128, ..Self::default() };
        let mut seen: Vec<Move> = Vec::new();
        for text in listed {
            match truth::resolve(position, text) {
                Told::Legal(mv) if diff.duplicated.contains(&mv) => {}
                Told::Legal(mv) if seen.contains(&mv) => diff.duplicated.push(mv),
                Told::Legal(mv) => seen.push(mv),
                other => diff.extra.push(other),
            }
        }
        diff.missing = position.legal_moves().into_iter().filter(|mv| !seen.contains(mv)).collect();
        diff
    }

    pub(crate) fn is_wrong(&self) -> bool {
        !(self.extra.is_empty() && self.missing.is_empty() && self.duplicated.is_empty())
    }
}

/// The class of a failed dialogue. `None` if the hunt was stopped.
pub(crate) fn dialogue(trouble: &Trouble) -> Option<Class> {
    Some(match trouble {
        Trouble::Crash(_) => Class::DialogueCrash,
        Trouble::Hang => Class::DialogueHang,
        Trouble::Garbage(_) => Class::DialogueGarbage,
        Trouble::EarlyExit => Class::DialogueEarlyExit,
        Trouble::Unsupported | Trouble::Start(_) | Trouble::Stopped => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A report must not be as long as the answer.
    #[test]
    fn a_move_that_is_listed_often_is_named_once() {
        let listed = ["e2e4", "g1f3", "e2e4", "g1f3", "e2e4", "e2e4"];
        let diff = Diff::of(&Position::START, &listed);
        let texts: Vec<String> = diff.duplicated.iter().map(ToString::to_string).collect();
        assert_eq!((texts, diff.got), (vec!["e2e4".to_owned(), "g1f3".to_owned()], 6));
    }
}
