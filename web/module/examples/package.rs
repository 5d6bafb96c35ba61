//! The module of the npm package, which exports what the library does.

pub use tabiya_wasm::*;
