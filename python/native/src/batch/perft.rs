//! Counting the leaf nodes of many positions.

use std::iter;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use tabiya::Position;
use tabiya_perft::{Engine, MAX_DEPTH, Options};

use crate::arrays::{self, Output};
use crate::threads::{Interrupt, ThreadsArg, Work};

/// The number of rows that a thread takes at a time.
const ROWS: usize = 16;
/// From this depth on, a thread takes one row at a time.
const DEEP: u32 = 4;

/// The depths that a caller gives: one for all rows, or one for each.
pub(super) enum Depths {
    All(u32),
    Each(Vec<u32>),
}

impl Depths {
    /// One depth for all rows.
    pub(super) fn all(depth: i64) -> PyResult<Self> {
        checked(depth).map(Self::All)
    }

    /// A depth for each row.
    pub(super) fn each(depths: &Bound<'_, PyAny>, rows: usize) -> PyResult<Self> {
        let depths = arrays::input::<i64>("depths", depths)?;
        let depths = depths.as_slice()?;
        if depths.len() != rows {
            let found = depths.len();
            return Err(PyValueError::new_err(format!(
                "depths: expected one for each of {rows} positions, not {found}"
            )));
        }
        depths.iter().map(|&depth| checked(depth)).collect::<PyResult<_>>().map(Self::Each)
    }

    fn most(&self) -> u32 {
        match self {
            Self::All(depth) => *depth,
            Self::Each(depths) => depths.iter().copied().max().unwrap_or(0),
        }
    }

    fn iter(&self) -> Box<dyn Iterator<Item = u32> + Send + '_> {
        match self {
            Self::All(depth) => Box::new(iter::repeat(*depth)),
            Self::Each(depths) => Box::new(depths.iter().copied()),
        }
    }
}

fn checked(depth: i64) -> PyResult<u32> {
    u32::try_from(depth).ok().filter(|&depth| depth <= MAX_DEPTH).ok_or_else(|| {
        PyValueError::new_err(format!("expected a depth from 0 to {MAX_DEPTH}, not {depth}"))
    })
}

/// The leaf nodes of each position at its depth.
///
/// # Errors
/// `OverflowError`: a count does not fit into 64 bits.
pub(super) fn counts<'py>(
    py: Python<'py>,
    positions: &[Position],
    depths: &Depths,
    out: Option<&Bound<'py, PyAny>>,
    threads: ThreadsArg,
) -> PyResult<Bound<'py, PyAny>> {
    let mut output = Output::<u64>::new(py, out, &[positions.len()])?;
    let work = Work::on_long(positions.len(), threads)?;
    let rows = if depths.most() >= DEEP { 1 } else { ROWS };
    let mut jobs = positions.iter().zip(depths.iter()).zip(output.values()?).enumerate();
    let jobs = iter::from_fn(|| {
        let job: Vec<_> = jobs.by_ref().take(rows).collect();
        (!job.is_empty()).then_some(job)
    });
    let engine = Engine::new(Options::default());
    let interrupt = Interrupt::new();
    let overflow = std::sync::Mutex::new(None);
    work.run_with(
        py,
        jobs,
        &interrupt,
        || engine.counter(&interrupt),
        |counter, job| {
            for (row, ((position, depth), place)) in job {
                // The caller never sees the result of a cancelled count.
                let Ok(count) = counter.count(position, depth).map_or_else(
                    |error| if error == tabiya_perft::NoCount::Cancelled { Ok(0) } else { Err(()) },
                    |count| u64::try_from(count).map_err(|_| ()),
                ) else {
                    let mut first =
                        overflow.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                    *first = Some(first.map_or(row, |other: usize| other.min(row)));
                    continue;
                };
                *place = count;
            }
        },
    )?;
    match overflow.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        None => Ok(output.finish()),
        Some(row) => Err(PyOverflowError::new_err(format!(
            "row {row}: there are 2^64 leaf nodes or more; tabiya.perft counts further"
        ))),
    }
}
