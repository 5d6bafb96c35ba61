//! `tabiya perft --verify-seed`: a second count with other keys.

use std::io::Write;

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::Seed;

use super::count::Count;
use crate::failure::Failure;
use crate::outcome::Outcome;
use crate::output::divide::{Share, shares};
use crate::output::json;
use crate::output::number::{thousands, time};

/// A second count, compared with the first.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Verification {
    /// The seed of the keys of its table, in hexadecimal.
    #[serde(serialize_with = "json::display")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Hexadecimal"))]
    seed: Seed,
    /// Leaf nodes that it found.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Digits"))]
    nodes: u128,
    /// Its time, in seconds.
    seconds: f64,
    /// Are both counts the same for each root move?
    agrees: bool,
    /// Was everything counted a second time? If not, the second count was stopped.
    complete: bool,
}

impl Verification {
    /// Compares a second count with the first.
    pub(super) fn new(seed: Seed, first: &Count, second: &Count) -> Self {
        let (here, there) = (&first.total, &second.total);
        let complete = there.complete;
        let agrees = complete && there.nodes == here.nodes && there.moves == here.moves;
        Self { seed, nodes: there.nodes, seconds: second.time.as_secs_f64(), agrees, complete }
    }

    /// Writes the result, with each root move for which the counts differ.
    pub(super) fn write(
        &self,
        position: &Position,
        counts: [&Count; 2],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if !self.complete {
            return Ok(writeln!(out, "verification with seed {}: stopped", self.seed)?);
        }
        let (nodes, time) = (thousands(self.nodes), time(counts[1].time));
        let verdict = if self.agrees { "the counts agree" } else { "the counts differ" };
        writeln!(out, "verified with seed {}: {nodes} leaf nodes in {time}, {verdict}", self.seed)?;
        let [first, second] = counts.map(|count| shares(position, &count.total));
        for (Share { mv, nodes, .. }, there) in first.iter().zip(&second) {
            if *nodes != there.nodes {
                writeln!(out, "{mv}: {} and {}", thousands(*nodes), thousands(there.nodes))?;
            }
        }
        Ok(())
    }

    pub(super) const fn outcome(&self) -> Outcome {
        match (self.complete, self.agrees) {
            (false, _) => Outcome::Interrupted,
            (true, true) => Outcome::Fine,
            (true, false) => Outcome::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use tabiya_perft::{PerftTotal, RootCount};

    fn count(nodes: [u128; 2]) -> Count {
        let moves = Position::START.legal_moves();
        let share = |(&mv, nodes)| RootCount { mv, nodes, complete: true };
        let total = PerftTotal {
            moves: moves.iter().zip(nodes).map(share).collect(),
            nodes: nodes.iter().sum(),
            complete: true,
            overflow: false,
            look_ups: 0,
        };
        Count { depth: 2, total, time: Duration::from_millis(20) }
    }

    /// No table is known to give a wrong count, so this tests only the comparison.
    #[test]
    fn both_counts_are_printed_where_they_differ() {
        let (right, wrong) = (count([20, 1300]), count([20, 1301]));
        let verified = Verification::new(Seed::from(7), &right, &wrong);
        assert_eq!(verified.outcome(), Outcome::Failed);
        let mut text = Vec::new();
        verified.write(&Position::START, [&right, &wrong], &mut text).unwrap();
        let mv = Position::START.uci(right.total.moves[1].mv);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            format!(
                "verified with seed {}: 1,321 leaf nodes in 0.020 s, the counts differ\n\
                 {mv}: 1,300 and 1,301\n",
                Seed::from(7)
            )
        );
        // Errors that cancel out in the sum are found.
        let moved = count([21, 1299]);
        assert_eq!(Verification::new(Seed::from(7), &right, &moved).outcome(), Outcome::Failed);
        assert_eq!(Verification::new(Seed::from(7), &right, &right).outcome(), Outcome::Fine);
    }
}
