//! Records in another order: what `shuffle` and `interleave` have in common.

use std::io::{self, Write};

use tabiya_data::{Block, Format, OnBad, Pipeline, Plan};
use tabiya_perft::Watch;

use super::output::{Encoded, FileArgs, Output, Written};
use super::reading::{ReadArgs, Stop, no_threads};
use crate::interrupt::Interrupt;

/// The files, and the seed.
#[derive(Debug, clap::Args)]
pub(super) struct OrderArgs {
    #[command(flatten)]
    pub(super) files: FileArgs,

    #[command(flatten)]
    pub(super) read: ReadArgs,

    /// The seed of the order
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = crate::values::number)]
    pub(super) seed: u64,
}

impl OrderArgs {
    /// Writes packed rows, in the format of the output.
    pub(super) fn write(
        &self,
        rows: impl Iterator<Item = io::Result<Vec<u8>>> + Send + 'static,
        output: Output,
        watch: &Interrupt,
        out: &mut dyn Write,
    ) -> Result<Written, Stop> {
        let (to, stopped) = (output.format, watch.clone());
        let rows = rows.map(move |rows| match stopped.is_cancelled() {
            true => Err(io::Error::other("stopped")),
            false => rows,
        });
        let plan = Plan { on_bad: OnBad::Skip, filter: None };
        let parts = Pipeline::start(rows, self.read.threads.count(), move |_, bytes| {
            let block = Block { offset: 0, bytes };
            Encoded::of(to, |encode| plan.visit(Format::Packed, &block, encode)).1
        });
        let parts = parts.map_err(|error| Stop::Failed(no_threads(error)))?;
        output.write(&mut parts.map(|part| part.map_err(|error| Stop::new(error, watch))), out)
    }
}
