//! Games of PGN files as arrays, chunk by chunk.
//!
//! `source` reads, `work` distributes the parts of the source over threads, `record` plays the
//! games of a part that fit every `condition` and fills the columns of a `part`, `reader` is the
//! iterator of chunks, and `games` is a chunk. `tree` reads games of text files for `tabiya.pgn`.

mod condition;
mod games;
mod part;
mod reader;
mod record;
mod source;
mod tree;
mod work;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    games::register(module)?;
    reader::register(module)?;
    tree::register(module)
}
