//! The module that the explorer starts with: it exports what the library does with the feature
//! `explorer`.

pub use tabiya_wasm::*;
