//! Arguments about counting.

use std::num::NonZeroUsize;
use std::thread;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{Engine, Isa, Options, Seed};

use crate::failure::{Diagnostic, Failure};

/// The number of threads.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThreadsArg {
    /// Number of threads [default: all that the machine has]
    #[arg(long, value_name = "N", value_parser = crate::values::threads)]
    #[arg(allow_negative_numbers = true)]
    threads: Option<NonZeroUsize>,
}

impl ThreadsArg {
    /// The given number, or the number of hardware threads.
    pub(crate) fn count(self) -> NonZeroUsize {
        self.threads.unwrap_or_else(all_threads)
    }
}

/// The number of threads and the instruction set.
#[derive(Clone, Debug, Args)]
pub(crate) struct CountingArgs {
    #[command(flatten)]
    threads: ThreadsArg,

    /// Instruction set to count with [default: TABIYA_ISA in the environment, else auto]
    #[arg(long, value_name = "ISA", value_parser = isa_parser())]
    isa: Option<IsaArg>,
}

impl CountingArgs {
    /// The options of an engine.
    pub(crate) fn options(&self) -> Result<Options, Failure> {
        Ok(Options { threads: self.threads.count(), isa: isa(self.isa)? })
    }
}

/// An instruction set, or the fastest one.
#[derive(Clone, Copy, Debug)]
enum IsaArg {
    Auto,
    Named(Isa),
}

/// Reads the name of an instruction set, or "auto".
fn isa_parser() -> impl TypedValueParser<Value = IsaArg> {
    let meaning = |isa| match isa {
        Isa::Avx512 => "Eight bitboards at a time",
        Isa::Bmi2 => "One bitboard at a time, with instructions for bits; four for categories",
        _ => "For every CPU",
    };
    let named = Isa::ALL.into_iter().rev();
    let named =
        named.map(|isa| PossibleValue::new(isa.name()).aliases(isa.alias()).help(meaning(isa)));
    let auto = PossibleValue::new("auto").help("The fastest that this CPU has");
    PossibleValuesParser::new(std::iter::once(auto).chain(named)).try_map(|name| {
        if name == "auto" {
            return Ok(IsaArg::Auto);
        }
        name.parse::<Isa>().and_then(Isa::checked).map(IsaArg::Named)
    })
}

/// The instruction set: from the argument, otherwise from the environment, otherwise the fastest
/// one.
fn isa(argument: Option<IsaArg>) -> Result<Isa, Diagnostic> {
    match argument {
        Some(IsaArg::Named(isa)) => Ok(isa),
        Some(IsaArg::Auto) => Ok(Isa::best()),
        None => Isa::from_environment()
            .map_err(|error| Diagnostic::new(format_args!("{}: {error}", Isa::VARIABLE))),
    }
}

/// The number of hardware threads.
pub(crate) fn all_threads() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The table of subtree counts.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct TableArgs {
    /// Keep subtree counts in a table of this size: MiB, a number with K, M, G or T, or auto for
    /// half of the available memory
    #[arg(long, value_name = "SIZE", value_parser = crate::values::hash_size)]
    #[arg(allow_negative_numbers = true, group = "keyed")]
    hash: Option<HashSize>,

    /// Derive the keys from this seed [default: a random one, which is printed]
    #[arg(long, value_name = "SEED", requires = "keyed", value_parser = crate::values::seed)]
    #[arg(allow_negative_numbers = true)]
    seed: Option<Seed>,
}

impl TableArgs {
    /// The size and the seed of the table, if one is requested.
    pub(crate) fn table(self) -> Result<Option<TableChoice>, Failure> {
        let Some(size) = self.hash else { return Ok(None) };
        Ok(Some(TableChoice { size, seed: self.seed.map_or_else(random_seed, Ok)? }))
    }

    /// The seed of the keys, if it is given.
    pub(crate) const fn seed(&self) -> Option<Seed> {
        self.seed
    }
}

/// A table to be created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableChoice {
    pub(crate) size: HashSize,
    /// Determines the keys of the table.
    pub(crate) seed: Seed,
}

/// A seed from the operating system.
pub(crate) fn random_seed() -> Result<Seed, Failure> {
    let failed = |error| {
        Diagnostic::new(format_args!("cannot get a random seed for the table: {error}"))
            .hint("pass a seed with --seed")
    };
    Ok(Seed::random().map_err(failed)?)
}

/// Creates an engine, with a table if one is requested. This allocates the table's memory.
pub(crate) fn engine(options: Options, table: Option<TableChoice>) -> Result<Engine, Failure> {
    let engine = Engine::new(options);
    Ok(match table {
        Some(TableChoice { size, seed }) => {
            engine.with_table(Table::new(size, seed).map_err(Diagnostic::new)?)
        }
        None => engine,
    })
}
