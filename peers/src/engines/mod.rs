//! The engines, one file each, and the table of all engines.
//!
//! To add an engine, write a file with a `build` function and add a line to [`ENGINES`]. `build`
//! reads options for one engine (threads, table size) from [`Args`]. An engine with several
//! variants (instruction sets) has one line for each variant.

mod chess;
pub mod cozy;
pub mod qperft;
mod shakmaty;
pub mod stockfish;
#[cfg(feature = "tabiya")]
pub mod tabiya;
#[cfg(feature = "tabiya")]
mod tabiya_perft;

use crate::args::Args;
use crate::engine::Engine;

/// Builds an engine; `None` if the arguments do not select it.
type Build = fn(&Args) -> Result<Option<Box<dyn Engine>>, String>;

/// All engines with their `build` functions, in the order of the report.
const ENGINES: &[(&str, Build)] = &[
    #[cfg(feature = "tabiya")]
    (tabiya_perft::AVX512, tabiya_perft::avx512),
    #[cfg(feature = "tabiya")]
    (tabiya_perft::BMI2, tabiya_perft::bmi2),
    #[cfg(feature = "tabiya")]
    (tabiya_perft::PORTABLE, tabiya_perft::portable),
    #[cfg(feature = "tabiya")]
    (tabiya::NAME, tabiya::build),
    (cozy::NAME, cozy::build),
    (chess::NAME, chess::build),
    (shakmaty::NAME, shakmaty::build),
    (stockfish::NAME, stockfish::build),
];

/// The engine to which the ratios in the report refer.
pub const BASELINE: &str = cozy::NAME;

/// The engines that the arguments select; an unknown name is an error.
pub fn select(args: &Args) -> Result<Vec<Box<dyn Engine>>, String> {
    for wanted in &args.engines {
        if !ENGINES.iter().any(|(name, _)| name == wanted) {
            let known: Vec<&str> = ENGINES.iter().map(|(name, _)| *name).collect();
            return Err(format!("unknown engine {wanted:?}; the engines are {}", known.join(", ")));
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
