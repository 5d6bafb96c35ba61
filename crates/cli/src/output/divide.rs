//! The leaf nodes below each root move (*divide*).

use std::io::{self, Write};

use serde::Serialize;
use tabiya::Position;
use tabiya_perft::PerftTotal;

use super::json;
use super::number::thousands;
use super::table::{Column, Table};

/// The leaf nodes below one root move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Share {
    /// The root move, in UCI.
    #[serde(rename = "move")]
    pub(crate) mv: String,
    /// Leaf nodes below it; those found so far if `complete` is false.
    #[serde(serialize_with = "json::digits")]
    #[cfg_attr(feature = "schema", schemars(with = "super::schema::Digits"))]
    pub(crate) nodes: u128,
    /// Were all leaf nodes below it counted? If not, the count was stopped.
    pub(crate) complete: bool,
}

/// The shares of all root moves, sorted by the text of the move.
pub(crate) fn shares(position: &Position, total: &PerftTotal) -> Vec<Share> {
    let share = |root: &tabiya_perft::RootCount| Share {
        mv: position.uci(root.mv).to_string(),
        nodes: root.nodes,
        complete: root.complete,
    };
    let mut shares: Vec<Share> = total.moves.iter().map(share).collect();
    shares.sort_unstable_by(|a, b| a.mv.cmp(&b.mv));
    shares
}

/// Writes the shares as a table. Incomplete ones are marked.
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
