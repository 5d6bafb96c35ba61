//! A search from `go` to `bestmove`.

use std::str::SplitWhitespace;

use tabiya::{Move, Position};

use crate::engine::Deadline;
use crate::error::Error;
use crate::info::Info;
use crate::score::Bound;

/// The result of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move to play; `None` only if there's no legal move.
    pub best: Option<Move>,
    /// The reply that the engine expects; `None` if it names none, or one that isn't legal.
    pub ponder: Option<Move>,
    /// The last [`Info`] with a score of each line, the best line first. It is one with an exact score
    /// if there was one. An engine that plays from a book has said nothing.
    pub lines: Vec<Info>,
}

/// What came of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A line about the search.
    Info(Info),
    /// Its end.
    Done(Found),
}

/// A search that goes on.
#[derive(Debug)]
pub(crate) struct Search {
    position: Position,
    /// The last info of each line.
    lines: Vec<Option<Info>>,
    pub(crate) deadline: Deadline,
    pub(crate) is_stopped: bool,
}

impl Search {
    pub(crate) fn new(position: Position, lines: usize, deadline: Deadline) -> Self {
        Self { position, lines: vec![None; lines], deadline, is_stopped: false }
    }

    /// What a line says; `None` if it isn't about the search.
    pub(crate) fn read(&mut self, line: &str) -> Result<Option<Step>, Error> {
        let mut words = line.split_whitespace();
        match words.next() {
            Some("info") => {
                let info = Info::parse(line, &self.position);
                let most = self.lines.len();
                let place = info.multipv.checked_sub(1).and_then(|at| self.lines.get_mut(at));
                let place = place.ok_or_else(|| {
                    Error::protocol(line, format!("multipv is not from 1 to {most}, as we asked"))
                })?;
                let is_known = place.as_ref().is_some_and(|old| old.bound == Bound::Exact);
                if info.score.is_some() && (info.bound == Bound::Exact || !is_known) {
                    *place = Some(info.clone());
                }
                Ok(Some(Step::Info(info)))
            }
            Some("bestmove") => {
                let [best, ponder] = self.moves(words).map_err(|it| Error::protocol(line, it))?;
                let lines = self.lines.drain(..).flatten().collect();
                Ok(Some(Step::Done(Found { best, ponder, lines })))
            }
            _ => Ok(None),
        }
    }

    /// The moves after `bestmove`. Where there is none, each engine has its own word for that.
    fn moves(&self, mut words: SplitWhitespace<'_>) -> Result<[Option<Move>; 2], String> {
        if !self.position.has_legal_move() {
            return Ok([None; 2]);
        }
        let best = self.position.parse_uci(words.next().unwrap_or_default());
        let best = best.map_err(|error| error.to_string())?;
        let after = self.position.play(best);
        let ponder = match words.next() {
            // Here too the end of a line may come from a table, so that it isn't legal.
            Some("ponder") => words.next().and_then(|word| after.parse_uci(word).ok()),
            _ => None,
        };
        Ok([Some(best), ponder])
    }
}
