//! `tabiya perft --hash`: what the table did, and a second count with other keys.

use std::io::Write;

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::Engine;
use tabiya_perft::table::Table;

use super::leaves::Count;
use crate::Outcome;
use crate::failure::Failure;
use crate::output::divide::{Share, shares};
use crate::output::json;
use crate::output::number::{seconds, thousands};

/// What the table did.
#[derive(Serialize)]
pub(super) struct TableUse {
    bytes: u64,
    bytes_in_use: u64,
    /// The share of the entries in use that are filled.
    load: f64,
    look_ups: u64,
    /// An upper bound for the chance of a wrong count.
    risk: f64,
}

impl TableUse {
    /// What the table of an engine did, in all counts since it was made.
    pub(super) fn of(engine: &Engine, look_ups: u64) -> Option<Self> {
        let table = engine.table()?;
        Some(Self {
            bytes: table.bytes(),
            bytes_in_use: table.bytes_in_use(),
            load: table.load(),
            look_ups,
            risk: Table::risk(look_ups),
        })
    }

    pub(super) fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let mebibytes = |bytes: u64| thousands(u128::from(bytes >> 20));
        writeln!(
            out,
            "\ntable: {} look-ups; {} of {} MiB in use, {:.1} % of their entries filled",
            thousands(self.look_ups.into()),
            mebibytes(self.bytes_in_use),
            mebibytes(self.bytes),
            100.0 * self.load
        )?;
        write_risk(self.risk, out)
    }
}

/// Says how likely a count is wrong, at most.
pub(super) fn write_risk(risk: f64, out: &mut dyn Write) -> Result<(), Failure> {
    Ok(writeln!(out, "chance of a wrong count: at most {risk:.1e}")?)
}

/// A second count with other keys.
#[derive(Serialize)]
pub(super) struct Verification {
    seed: u64,
    #[serde(serialize_with = "json::digits")]
    nodes: u128,
    seconds: f64,
    agrees: bool,
    complete: bool,
}

impl Verification {
    /// Compares a second count with the first.
    pub(super) fn new(seed: u64, first: &Count, second: &Count) -> Self {
        let (here, there) = (&first.tally, &second.tally);
        let complete = there.complete;
        let agrees = complete && there.nodes == here.nodes && there.moves == here.moves;
        Self { seed, nodes: there.nodes, seconds: second.time.as_secs_f64(), agrees, complete }
    }

    /// Says what came out, in full if the counts differ.
    pub(super) fn write(
        &self,
        position: &Position,
        counts: [&Count; 2],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if !self.complete {
            return Ok(writeln!(out, "verification with seed {}: stopped", self.seed)?);
        }
        let (nodes, time) = (thousands(self.nodes), seconds(counts[1].time));
        let verdict = if self.agrees { "the same" } else { "another count" };
        writeln!(out, "verified with seed {}: {nodes} leaves in {time}, {verdict}", self.seed)?;
        let [first, second] = counts.map(|count| shares(position, &count.tally));
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
        let tally = PerftTotal {
            moves: moves.iter().zip(nodes).map(share).collect(),
            nodes: nodes.iter().sum(),
            complete: true,
            look_ups: 0,
        };
        Count { depth: 2, tally, time: Duration::from_millis(20) }
    }

    /// No table is known that gives a wrong count, so the comparison is tested alone.
    #[test]
    fn counts_that_differ_are_both_told() {
        let (right, wrong) = (count([20, 1300]), count([20, 1301]));
        let verified = Verification::new(7, &right, &wrong);
        assert_eq!(verified.outcome(), Outcome::Failed);
        let mut text = Vec::new();
        verified.write(&Position::START, [&right, &wrong], &mut text).unwrap();
        let mv = Position::START.uci(right.tally.moves[1].mv);
        assert_eq!(
            String::from_utf8(text).unwrap(),
            format!(
                "verified with seed 7: 1,321 leaves in 0.020 s, another count\n\
                 {mv}: 1,300 and 1,301\n"
            )
        );
        // Errors that cancel out are errors.
        let moved = count([21, 1299]);
        assert_eq!(Verification::new(7, &right, &moved).outcome(), Outcome::Failed);
        assert_eq!(Verification::new(7, &right, &right).outcome(), Outcome::Fine);
    }
}
