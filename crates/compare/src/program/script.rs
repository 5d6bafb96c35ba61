//! Scripts: a process for each question, which is in its arguments.

use std::time::{Duration, Instant};

use super::{Program, first_question};
use crate::generator::{Generator, Query, Trouble};
use crate::process::Running;
use crate::protocol::Protocol;
use crate::reading::read_divide;

impl Program {
    /// A total says nothing about the position that was counted, so a script that prints totals
    /// must play the moves in its arguments, unless its command has no place for them.
    pub(super) fn heeds_its_arguments(&self) -> Result<(), Trouble> {
        if self.protocol != Protocol::Total || self.has_places() || self.takes_moves() {
            return Ok(());
        }
        // Without a total, nothing tells whether the moves were played.
        self.perft(&first_question(1))?;
        let why = "it ignores the moves in its third argument, and counts the position before \
                   them; if it plays no moves, name its arguments: {depth} {fen}";
        Err(Trouble::Garbage(why.to_owned()))
    }

    /// An empty list is a list. A script that prints one in the starting position does not answer.
    pub(super) fn prints_moves(&self) -> Result<(), Trouble> {
        let is_list = self.protocol == Protocol::Moves;
        let is_silent = |text: String| text.trim().is_empty();
        match is_list && self.script(&first_question(1)).is_ok_and(is_silent) {
            true => Err(Trouble::EarlyExit),
            false => Ok(()),
        }
    }

    /// The command of a script, with the question in its arguments.
    pub(super) fn arguments(&self, query: &Query) -> Vec<String> {
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
    pub(super) fn plays_moves(&self) -> bool {
        let before = Query::of_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 1);
        let after = Query { moves: vec!["e2e4".to_owned()], ..before.clone() };
        match (self.script(&before), self.script(&after)) {
            (Ok(before), Ok(after)) => read_divide(&before) != read_divide(&after),
            (before, after) => before.is_err() || after.is_ok(),
        }
    }

    pub(super) fn has_places(&self) -> bool {
        let places = ["{depth}", "{fen}", "{moves}"];
        self.command.iter().any(|it| places.iter().any(|place| it.contains(place)))
    }

    pub(super) fn script(&self, query: &Query) -> Result<String, Trouble> {
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
