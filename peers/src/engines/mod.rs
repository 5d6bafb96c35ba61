//! The engines, one file each, and the table of them.
//!
//! To add one: write its file with a `build` function, and add a line to [`ENGINES`]. An engine
//! with options of its own (threads, table size) takes them from [`Args`] in `build`; one that
//! comes in several forms (instruction sets) has a line for each form.

mod chess;
mod cozy;
mod shakmaty;
mod stockfish;
#[cfg(feature = "tabiya")]
mod tabiya;
#[cfg(feature = "tabiya")]
mod tabiya_perft;

use crate::args::Args;
use crate::engine::Engine;

/// Makes an engine, or `None` where the arguments do not ask for it.
type Build = fn(&Args) -> Result<Option<Box<dyn Engine>>, String>;

/// Every engine: its name and how to make it. The order is that of the report.
const ENGINES: &[(&str, Build)] = &[
    #[cfg(feature = "tabiya")]
    (tabiya_perft::AVX512, tabiya_perft::avx512),
    #[cfg(feature = "tabiya")]
    (tabiya_perft::AVX2, tabiya_perft::avx2),
    #[cfg(feature = "tabiya")]
    (tabiya_perft::PORTABLE, tabiya_perft::portable),
    #[cfg(feature = "tabiya")]
    (tabiya::NAME, tabiya::build),
    (cozy::NAME, cozy::build),
    (chess::NAME, chess::build),
    (shakmaty::NAME, shakmaty::build),
    (stockfish::NAME, stockfish::build),
];

/// The engine that the ratios in the report refer to.
pub(crate) const BASELINE: &str = cozy::NAME;

/// The engines that the arguments ask for; an unknown name is an error.
pub(crate) fn select(args: &Args) -> Result<Vec<Box<dyn Engine>>, String> {
    for wanted in &args.engines {
        if !ENGINES.iter().any(|(name, _)| name == wanted) {
            let known: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
            return Err(format!("no engine {wanted:?}; there are {}", known.join(", ")));
        }
    }
    let mut chosen = Vec::new();
    for (name, build) in ENGINES {
        if args.engines.is_empty() || args.engines.iter().any(|wanted| wanted == name) {
            chosen.extend(build(args)?);
        }
    }
    if chosen.is_empty() {
        return Err("no engine to run".to_owned());
    }
    Ok(chosen)
}
