//! tabiya's fast counter, one engine for each instruction set: one thread, no table.

use ::tabiya::Position;
use ::tabiya_perft::{Isa, Options};

use crate::args::Args;
use crate::engine::Engine;

pub const AVX512: &str = "tabiya-avx512";
pub const BMI2: &str = "tabiya-bmi2";
pub const PORTABLE: &str = "tabiya-portable";

pub fn avx512(args: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    build(AVX512, Isa::Avx512, args)
}

pub fn bmi2(args: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    build(BMI2, Isa::Bmi2, args)
}

pub fn portable(args: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    build(PORTABLE, Isa::Portable, args)
}

/// The engine, if the CPU has the instruction set. Without it, selecting the engine by name is an
/// error.
fn build(name: &'static str, isa: Isa, args: &Args) -> Result<Option<Box<dyn Engine>>, String> {
    if !isa.is_available() {
        return match args.engines.iter().any(|wanted| wanted == name) {
            true => Err(format!("{name}: this CPU does not have {isa}")),
            false => Ok(None),
        };
    }
    let engine = ::tabiya_perft::Engine::new(Options { isa, ..Options::default() });
    Ok(Some(Box::new(FastCounter { name, engine })))
}

struct FastCounter {
    name: &'static str,
    engine: ::tabiya_perft::Engine,
}

impl Engine for FastCounter {
    fn name(&self) -> &'static str {
        self.name
    }

    fn perft(&mut self, fen: &str, depth: u32) -> Result<u64, String> {
        let position = Position::from_fen(fen).map_err(|error| error.to_string())?;
        let nodes = self.engine.perft(&position, depth, &()).nodes;
        u64::try_from(nodes).map_err(|error| error.to_string())
    }
}
