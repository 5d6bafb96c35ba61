//! Scripts: a process for each question, which is in its arguments.

use std::time::Duration;

use super::{Program, ended, first_question, hear_all, start};
use crate::generator::{Generator, Query, Trouble};
use crate::protocol::Protocol;
use crate::reading::read_divide;

impl Program {
    /// Finds out which of the protocols of scripts a program speaks, from what it prints.
    pub(super) fn script_protocol(&self) -> Result<Protocol, Trouble> {
        let question = first_question();
        let text = self.run_script(&question, self.pace.limit_of(question.leaves))?;
        let divide = read_divide(&text).map_err(Trouble::Unreadable)?;
        let has_counts = divide.moves.iter().any(|(_, count)| count.is_some());
        match (divide.moves.is_empty(), divide.total) {
            (false, _) if has_counts => Ok(Protocol::Perftree),
            (false, _) => Ok(Protocol::Moves),
            (true, Some(_)) => Ok(Protocol::Total),
            (true, None) => Err(super::garbage(&text).unwrap_or(Trouble::EarlyExit)),
        }
    }

    /// Can a script be tested by what it prints?
    pub(super) fn check_script(&self) -> Result<(), Trouble> {
        match self.protocol {
            // An empty list is a list. A script that prints one in the starting position doesn't
            // answer.
            Protocol::Moves => match self.moves(&first_question()) {
                Ok(moves) if moves.is_empty() => Err(Trouble::EarlyExit),
                answer => answer.map(drop),
            },
            // A total says nothing about the position that was counted, so a script that prints
            // totals must play the moves in its arguments, unless its command has no place for them.
            Protocol::Total if !self.has_places() && !self.takes_moves() => {
                self.perft(&first_question())?;
                let why = "it ignores the moves in its third argument, and counts the position \
                           before them; if it plays no moves, name its arguments: {depth} {fen}";
                Err(Trouble::Garbage(why.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The command of a script, with the question in its arguments.
    pub(super) fn arguments(&self, query: &Query) -> Vec<String> {
        let (depth, moves) = (query.depth.to_string(), query.moves.join(" "));
        let fill = |it: &String| {
            it.replace("{depth}", &depth).replace("{fen}", &query.fen).replace("{moves}", &moves)
        };
        let mut command: Vec<String> = self.command.iter().map(fill).collect();
        if !self.has_places() {
            command.extend([depth, query.fen.clone()]);
            command.extend((!query.moves.is_empty()).then_some(moves));
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

    /// Does the command say where the question belongs?
    pub(super) fn has_places(&self) -> bool {
        let places = ["{depth}", "{fen}", "{moves}"];
        self.command.iter().any(|it| places.iter().any(|place| it.contains(place)))
    }

    /// What the script prints.
    pub(super) fn script(&self, query: &Query) -> Result<String, Trouble> {
        self.timed(query, |limit| self.run_script(query, limit))
    }

    fn run_script(&self, query: &Query, limit: Duration) -> Result<String, Trouble> {
        let mut running = start(&self.arguments(query), &self.log)?;
        running.close();
        let text = hear_all(&mut running, limit, &*self.stop.0)?;
        match ended(&mut running) {
            crash @ Trouble::Crash(_) => Err(crash),
            _ => Ok(text),
        }
    }
}
