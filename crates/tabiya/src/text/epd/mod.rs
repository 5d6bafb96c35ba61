//! Extended Position Description: a position, and operations with operands.
//!
//! ```text
//! 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";
//! the first four fields of FEN                            | |    operation
//!                                                     opcode operand
//! ```
//!
//! Reading borrows from the text and needs no heap. Lines of perft suites are read as well:
//! `FEN ;D1 20 ;D2 400`.

mod error;
mod operation;
mod read;
mod text;
mod write;

pub use error::{EpdCause, EpdError};
pub use operation::{EpdMove, Moves, Operand, Operands, Operation};
pub use read::{Epd, Operations};
pub use text::{Characters, Text};
pub use write::EpdWriter;
