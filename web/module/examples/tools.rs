//! The module of the package's other entries: it exports what the library does with the feature
//! `tools`.

pub use tabiya_wasm::*;
