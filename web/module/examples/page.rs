//! The module that the explorer starts with, which exports what the library does without the feature
//! `counting`.

pub use tabiya_wasm::*;
