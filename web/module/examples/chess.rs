//! The module for `tabiya/chess.js`: it exports what the library does with the feature `chess`.

pub use tabiya_wasm::*;
