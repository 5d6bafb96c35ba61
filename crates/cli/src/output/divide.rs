//! The share of each first move in a count.

use std::io::{self, Write};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::PerftTotal;

use super::json;
use super::number::thousands;
use super::table::{Column, Table};

/// The leaves after a first move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Share {
    #[serde(rename = "move")]
    pub(crate) mv: String,
    #[serde(serialize_with = "json::digits")]
    pub(crate) nodes: u128,
    /// Are these all, or only those that were found before the count was stopped?
    pub(crate) complete: bool,
}

/// The shares in the order of the generator.
pub(crate) fn shares(position: &Position, tally: &PerftTotal) -> Vec<Share> {
    let share = |root: &tabiya_perft::RootCount| Share {
        mv: position.uci(root.mv).to_string(),
        nodes: root.nodes,
        complete: root.complete,
    };
    tally.moves.iter().map(share).collect()
}

/// Writes a table of them; what is not complete is marked.
pub(crate) fn write(shares: &[Share], out: &mut dyn Write) -> io::Result<()> {
    let widest = shares.iter().map(|share| thousands(share.nodes).len()).max().unwrap_or(0);
    let columns = [Column::left("move", 5), Column::right("nodes", widest), Column::left("", 0)];
    let table = Table(columns);
    table.head(out)?;
    for Share { mv, nodes, complete } in shares {
        table.row(out, [mv, &thousands(*nodes), if *complete { "" } else { "so far" }])?;
    }
    Ok(())
}
