//! How much memory a command may take, and where the rest goes.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::str::FromStr;

use tabiya_perft::{DistinctError, DistinctOptions, LEAST_MEMORY};

use crate::failure::{Diagnostic, Failure};

const MEBIBYTE: u64 = 1 << 20;

/// Memory and temporary files.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct StorageArgs {
    /// Most memory to sort positions in: MiB, or a number with K, M, G or T; 1G unless given
    #[arg(long, value_name = "SIZE")]
    memory: Option<Size>,

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
        let memory = self.memory.map_or(standard.memory, |size| size.0);
        if memory < LEAST_MEMORY {
            return Err(Diagnostic::new(DistinctError::TooLittleMemory { granted: memory }));
        }
        Ok(DistinctOptions { memory, temp: self.temp.clone().unwrap_or(standard.temp), threads })
    }
}

/// Says how much memory will be taken, before it is.
pub(crate) fn announce(options: &DistinctOptions, out: &mut dyn Write) -> Result<(), Failure> {
    let (memory, temp) = (options.memory / MEBIBYTE, options.temp.display());
    writeln!(out, "memory: at most {memory} MiB; what does not fit goes to {temp}")?;
    Ok(out.flush()?)
}

/// A number of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Size(u64);

impl FromStr for Size {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const WRONG: &str = "a size is a whole number of MiB, or one with K, M, G or T";
        let digits = text.trim_end_matches(|letter: char| !letter.is_ascii_digit());
        let unit = text[digits.len()..].trim().to_ascii_lowercase();
        let shift = match unit.trim_end_matches('b').trim_end_matches('i') {
            "k" => 10,
            "" | "m" => 20,
            "g" => 30,
            "t" => 40,
            _ => return Err(WRONG),
        };
        let count: u64 = digits.parse().map_err(|_| WRONG)?;
        count.checked_mul(1 << shift).map(Self).ok_or("more bytes than can be counted")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let sizes = [("512", 512 << 20), ("64M", 64 << 20), ("2GiB", 2 << 30), ("1 kb", 1 << 10)];
        for (text, bytes) in sizes {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
        }
        for text in ["", "M", "-1", "1.5G", "9999999999T", "1X"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
