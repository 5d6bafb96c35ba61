//! Arguments that say how to count.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::thread;

use clap::Args;
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Isa, Options};

use crate::failure::{Diagnostic, Failure};

/// How many threads work.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadsArg {
    /// How many threads work at once; all that the machine has, unless given
    #[arg(long, value_name = "N", value_parser = crate::values::threads)]
    #[arg(allow_negative_numbers = true)]
    threads: Option<NonZeroUsize>,
}

impl ThreadsArg {
    /// The number given, or as many as the machine runs at a time.
    pub(crate) fn count(self) -> NonZeroUsize {
        self.threads.unwrap_or_else(all_threads)
    }
}

/// How many threads count, and how.
#[derive(Clone, Debug, Args)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    threads: ThreadsArg,

    /// The instruction set to count with: auto, avx512, avx2 or portable
    #[arg(long, value_name = "ISA")]
    isa: Option<IsaArg>,
}

impl CountingArgs {
    /// The options of an engine.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        Ok(Options { threads: self.threads.count(), isa: isa(self.isa)? })
    }
}

/// The name of an instruction set, or "auto".
#[derive(Clone, Copy, Debug)]
struct IsaArg(Option<Isa>);

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
fn isa(argument: Option<IsaArg>) -> Result<Isa, Diagnostic> {
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

/// An engine with a table, if one is asked for. Memory for it is asked for here.
pub(crate) fn engine(
    options: Options,
    hash: Option<HashSize>,
    seed: u64,
) -> Result<Engine, Failure> {
    let engine = Engine::new(options);
    Ok(match hash {
        Some(size) => engine.with_table(Table::new(size, seed.into()).map_err(Diagnostic::new)?),
        None => engine,
    })
}
