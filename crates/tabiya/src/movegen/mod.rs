//! The generator. It is written once for both sides, every kind of moves, every slider method and
//! every sink.
//!
//! ```text
//! Position ─▶ Generator ─▶ Legality ─▶ Generation: king · pawns · pieces ─▶ Sink
//! ```
//!
//! A [`Generator`] finds the facts of [`Legality`] once. Then the king, the pawns and the other
//! pieces pass their sets of targets to the [`Sink`], limited to the kind of moves and to a
//! [`Restriction`].
//!
//! Three letters stand for the same types in all files: `S` is the side to move, `K` the [`Kind`]
//! of moves, `L` the method that finds the attacks of sliders. A sink is an `impl Sink`.

mod checks;
mod generator;
mod kinds;
mod king;
mod legality;
mod pawns;
mod pieces;
mod restriction;
pub(crate) mod safety;
mod single;
mod sink;

pub use checks::CheckFacts;
pub use generator::Generator;
pub use kinds::{Captures, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets};
pub use legality::Legality;
pub use restriction::Restriction;
pub(crate) use sink::Visitor;
pub use sink::{Any, Count, PawnMoves, Sink};
