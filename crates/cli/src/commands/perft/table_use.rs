//! `tabiya perft --hash`: the use of the table.

use std::io::Write;

use serde::Serialize;
use tabiya_perft::table::Table;
use tabiya_perft::{Engine, Seed};

use crate::failure::Failure;
use crate::output::json;
use crate::output::number::thousands;

/// The use of the table.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct TableUse {
    /// The seed of the keys, in hexadecimal.
    #[serde(serialize_with = "json::display")]
    #[cfg_attr(feature = "schema", schemars(with = "crate::output::schema::Hexadecimal"))]
    seed: Seed,
    /// The size of the table in bytes.
    bytes: u64,
    /// The part of it that was used, in bytes: the table grows as needed.
    bytes_in_use: u64,
    /// The share of the entries in use that are filled, from 0 to 1.
    load: f64,
    /// The number of look-ups.
    look_ups: u64,
    /// An upper bound for the probability of a wrong count.
    risk: f64,
}

impl TableUse {
    /// The use of an engine's table in all counts since it was created.
    pub(super) fn of(engine: &Engine, seed: Seed, look_ups: u64) -> Option<Self> {
        let table = engine.table()?;
        Some(Self {
            seed,
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
        write_risk(self.risk, self.seed, out)
    }
}

/// Writes the upper bound for the probability of a wrong count, and the seed that gives the same
/// keys again.
pub(super) fn write_risk(risk: f64, seed: Seed, out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "probability of a wrong count: at most {risk:.1e}")?;
    Ok(writeln!(out, "seed of the keys: {seed}")?)
}
