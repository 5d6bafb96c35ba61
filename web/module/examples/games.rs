//! The module that the package starts with: it exports what the library does with the feature `games`.

pub use tabiya_wasm::*;
