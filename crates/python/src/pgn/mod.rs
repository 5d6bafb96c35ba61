//! Games of PGN files as arrays, chunk by chunk.
//!
//! `source` reads bytes, `work` distributes the parts of the source over threads, `part` plays the
//! games of a part, `reader` is the iterator of chunks, and `games` is a chunk.

mod games;
mod part;
mod reader;
mod source;
mod work;

use pyo3::prelude::*;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    games::register(module)?;
    reader::register(module)
}
