//! How much memory a command may take, and where the rest goes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use tabiya_perft::{DistinctError, DistinctOptions, MIN_MEMORY};

use crate::failure::{Diagnostic, Failure};

const MEBIBYTE: u64 = 1 << 20;

/// Memory and temporary files.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct StorageArgs {
    /// Most memory to sort positions in: MiB, or a number with K, M, G or T; 1G unless given
    #[arg(long, value_name = "SIZE", value_parser = crate::values::bytes)]
    memory: Option<u64>,

    /// The directory for temporary files, needed when the memory is full; the system's unless given
    #[arg(long, value_name = "DIR")]
    temp: Option<PathBuf>,
}

impl StorageArgs {
    /// Is anything given?
    pub(crate) const fn is_given(&self) -> bool {
        self.memory.is_some() || self.temp.is_some()
    }

    /// The arguments with what is not given filled in.
    pub(crate) fn options(&self, threads: NonZeroUsize) -> Result<DistinctOptions, Diagnostic> {
        let standard = DistinctOptions::default();
        let memory = self.memory.unwrap_or(standard.memory);
        if memory < MIN_MEMORY {
            return Err(Diagnostic::new(DistinctError::TooLittleMemory { granted: memory }));
        }
        Ok(DistinctOptions { memory, temp: self.temp.clone().unwrap_or(standard.temp), threads })
    }
}

/// Says how much memory will be taken, before it is: beside a JSON object on standard error.
pub(crate) fn announce(
    options: &DistinctOptions,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (memory, temp) = (options.memory / MEBIBYTE, options.temp.display());
    let text = format!("memory: at most {memory} MiB; what does not fit goes to {temp}");
    if as_json {
        // Whoever closes standard error does not want to be told.
        let _ = writeln!(anstream::stderr(), "{text}");
        return Ok(());
    }
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
