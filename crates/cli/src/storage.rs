//! The memory that a command may use, and the folder for data that does not fit.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::ValueHint;
use tabiya_perft::internal::available_memory;
use tabiya_runs::{DistinctError, DistinctOptions, MIN_MEMORY};

use crate::failure::{Diagnostic, Failure};

const MEBIBYTE: u64 = 1 << 20;

/// A hint for [`DistinctError::OutOfMemory`].
pub(crate) const LESS_MEMORY: &str = "a smaller --memory (at least 64) takes longer, but fits";

/// Memory and temporary files.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct StorageArgs {
    /// Maximum memory for sorting positions: MiB, or a number with K, M, G or T [default: 1G, or
    /// three quarters of the available memory if that is less]
    #[arg(long, value_name = "SIZE", value_parser = crate::values::bytes)]
    memory: Option<u64>,

    /// Directory for temporary files, used when the memory is full [default: the system's]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    temp: Option<PathBuf>,
}

impl StorageArgs {
    /// Is any of these arguments given?
    pub(crate) const fn is_given(&self) -> bool {
        self.memory.is_some() || self.temp.is_some()
    }

    /// The arguments, with defaults for those that are not given.
    pub(crate) fn options(&self, threads: NonZeroUsize) -> Result<DistinctOptions, Diagnostic> {
        let standard = DistinctOptions::default();
        let available = available_memory().map(|bytes| (bytes / 4 * 3).max(MIN_MEMORY));
        let least = standard.memory.min(available.unwrap_or(u64::MAX));
        let memory = self.memory.unwrap_or(least);
        if memory < MIN_MEMORY {
            return Err(Diagnostic::new(DistinctError::TooLittleMemory { granted: memory }));
        }
        let temp = self.temp.clone().unwrap_or(standard.temp);
        if !temp.is_dir() {
            let name = temp.display();
            let what = if temp.exists() { "is not a directory" } else { "does not exist" };
            let diagnostic = Diagnostic::new(format_args!("--temp: {name} {what}"));
            return Err(diagnostic.hint("--temp takes an existing directory for temporary files"));
        }
        Ok(DistinctOptions { memory, temp, threads })
    }
}

/// Announces in advance how much memory will be used. With JSON, the text goes to standard error.
pub(crate) fn announce(
    options: &DistinctOptions,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (memory, temp) = (options.memory / MEBIBYTE, options.temp.display());
    let mut text = format!("memory: at most {memory} MiB; what does not fit goes to {temp}");
    // The kernel kills a program that exceeds the limit of its container, without a message.
    if let Some(available) = available_memory().filter(|&bytes| bytes < options.memory) {
        text += &format!("\nmemory: only {} MiB are available", available / MEBIBYTE);
    }
    if as_json {
        // If standard error is closed, the text is not wanted.
        let _ = writeln!(anstream::stderr(), "{text}");
        return Ok(());
    }
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
