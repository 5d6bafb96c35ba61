//! Chess positions with perft counts that independent move generators agree on.
//!
//! The suites are plain text and compiled in, so a test needs no file. Other perft programs can
//! read the files of the same names.
//!
//! ```
//! let lines = tabiya_suites::STANDARD.text.lines().filter(|line| !line.starts_with('#'));
//! let (fen, counts) = lines.clone().next().unwrap().split_once(" ;").unwrap();
//! assert_eq!(fen, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
//! assert!(counts.starts_with("D1 20 ;D2 400 ;D3 8902"));
//! assert_eq!(lines.count(), 6);
//! ```
//!
//! A suite in EPD has lines `FEN ;D1 n ;D2 n …`. The number after `D3`, for example, is the number
//! of leaf nodes at depth 3. A line that begins with `#` is a comment on the position in the next
//! line.
#![no_std]

/// A file of this collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuiteFile {
    /// The name of the file, such as `standard.epd`.
    pub name: &'static str,
    /// The contents of the file.
    pub text: &'static str,
}

macro_rules! files {
    ($($(#[$doc:meta])* $constant:ident = $name:literal;)*) => {
        $(
            $(#[$doc])*
            pub const $constant: SuiteFile =
                SuiteFile { name: $name, text: include_str!(concat!("../", $name)) };
        )*

        /// Every file.
        pub const ALL: &[SuiteFile] = &[$($constant),*];
    };
}

files! {
    /// The six standard perft positions, to the usual depths of speed comparisons.
    STANDARD = "standard.epd";
    /// Positions that exercise every rule of movement, several for each rule.
    RULES = "rules.epd";
    /// Positions that exercise the rules of castling in Chess960.
    RULES_CHESS960 = "rules-chess960.epd";
    /// Positions from bug reports against other generators.
    REGRESSION = "regression.epd";
    /// Chess960 positions from bug reports against other generators.
    REGRESSION_CHESS960 = "regression-chess960.epd";
    /// FENs that must be refused, each followed by a tab and the reason.
    REJECT = "reject.tsv";
    /// Leaf nodes by category for some positions.
    CATEGORIES = "categories.csv";
    /// Leaf nodes by category for the start position.
    STARTPOS_CATEGORIES = "startpos-categories.csv";
    /// The number of distinct positions at each ply.
    DISTINCT_POSITIONS = "distinct-positions.csv";
    /// Counts at greater depths.
    KNOWN_COUNTS = "known-counts.csv";
    /// The tags in the comments of the rule suites, with their meanings.
    TAGS = "tags.tsv";
}

/// The file with this name, if there is one.
///
/// ```
/// assert!(tabiya_suites::file("rules.epd").is_some());
/// assert!(tabiya_suites::file("rules.pgn").is_none());
/// ```
pub fn file(name: &str) -> Option<SuiteFile> {
    ALL.iter().copied().find(|file| file.name == name)
}
