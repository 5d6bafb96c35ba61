//! Arguments that say how to count.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use clap::Args;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Isa, Options};

use crate::failure::{Diagnostic, Failure};

/// How many threads count, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct CountingArgs {
    /// How many threads count; all that the machine has, unless given
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,

    /// The instruction set to count with: auto, avx512, avx2 or portable
    #[arg(long, value_name = "ISA")]
    isa: Option<IsaArg>,
}

impl CountingArgs {
    /// The options of an engine.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let threads = self.threads.unwrap_or_else(all_threads);
        Ok(Options { threads, isa: isa(self.isa)? })
    }
}

/// More threads than this help nobody, and each costs memory.
const MOST_THREADS: usize = 1024;

/// A number of threads from an argument.
pub(crate) fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    let count = text.parse().ok().filter(|count: &NonZeroUsize| count.get() <= MOST_THREADS);
    count.ok_or_else(|| format!("a number of threads is a whole number from 1 to {MOST_THREADS}"))
}

/// The name of an instruction set, or "auto".
#[derive(Clone, Copy, Debug)]
pub(crate) struct IsaArg(Option<Isa>);

impl FromStr for IsaArg {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if name == "auto" {
            return Ok(Self(None));
        }
        let isa = name.parse::<Isa>().and_then(Isa::checked);
        isa.map(|isa| Self(Some(isa))).map_err(|error| error.to_string())
    }
}

/// The instruction set asked for, by an argument or the environment.
pub(crate) fn isa(argument: Option<IsaArg>) -> Result<Isa, Diagnostic> {
    match argument {
        Some(IsaArg(isa)) => Ok(isa.unwrap_or_else(Isa::best)),
        None => Isa::from_environment()
            .map_err(|error| Diagnostic::new(format_args!("{}: {error}", Isa::VARIABLE))),
    }
}

/// As many threads as the machine runs at a time.
pub(crate) fn all_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// An engine with a table, if one is asked for.
pub(crate) fn engine(
    options: Options,
    hash: Option<HashSize>,
    seed: u64,
) -> Result<Engine, Failure> {
    let engine = Engine::new(options);
    Ok(match hash {
        Some(size) => engine.with_table(Table::new(size, seed).map_err(Diagnostic::new)?),
        None => engine,
    })
}
