//! Suites: positions with known counts. This module reads them in several formats and checks them.
//!
//! ```
//! use tabiya_perft::suite::{self, CheckOptions, ReadOptions};
//!
//! let text = "# the start position\n\
//!     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n";
//! let suite = suite::read(text.as_bytes(), &ReadOptions::default());
//! assert!(suite.errors.is_empty());
//! let reports = suite::check(&suite.cases, &CheckOptions::default(), &());
//! assert_eq!(reports[0].right, 3);
//! ```

mod check;
mod read;

pub use check::{CaseReport, CheckOptions, Mismatch, check};
pub use read::{Case, LineError, LineErrorCause, ReadOptions, Reader, Suite, read};
