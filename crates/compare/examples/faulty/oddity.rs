//! The formats in which real programs print the same right answer. The last ones are no formats that
//! `docs/compare.md` promises to read.

macro_rules! oddities {
    ($($variant:ident $name:literal $protocols:literal,)*) => {
        /// A habit of output.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Oddity {
            $(#[doc = $name] $variant,)*
        }

        /// Every oddity: its name on the command line, and the protocols in which it shows.
        pub(crate) const ODDITIES: &[(Oddity, &str, &str)] = &[$((Oddity::$variant, $name, $protocols),)*];
    };
}

oddities! {
    Reversed "reversed" "uci,perftree,moves",
    Sorted "sorted" "uci,perftree,moves",
    UpperPromotion "upper-promotion" "uci,perftree,moves",
    CastlingTakesRook "castling-takes-rook" "uci,perftree,moves",
    CastlingLetters "castling-letters" "uci,perftree,moves",
    CastlingZeros "castling-zeros" "uci,perftree,moves",
    San "san" "uci,perftree,moves",
    ExtraLines "extra-lines" "uci,perftree",
    InfoString "info-string" "uci,perftree,total",
    WindowsLines "windows-lines" "uci,perftree,total,moves",
    NoTotal "no-total" "uci,perftree",
    Numbered "numbered" "uci,perftree,moves",
    Tabs "tabs" "uci,perftree",
    Space "space" "uci",
    TotalWord "total-word" "uci,perftree,total",
    Times "times" "uci,perftree,total",
    PerftCommand "perft-command" "uci",
    FlushAtExit "flush-at-exit" "uci,perftree,total,moves",
    Slow "slow" "uci,perftree,total,moves",
    LateReady "late-ready" "uci",
    Parallel "parallel" "uci",
    ParallelQuiet "parallel-quiet" "uci",
    RookSpelling "rook-spelling" "uci,perftree,total,moves",
    Echo "echo" "uci",
    // Moves are collected in a dict, and the total is the sum of what it holds.
    ListsOnce "lists-once" "uci,perftree",
    // These can't be read.
    Thousands "thousands" "uci",
    Labels "labels" "perftree",
    OneLine "one-line" "moves",
}

impl Oddity {
    /// The oddity of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        ODDITIES.iter().find(|(_, each, _)| *each == name).map(|(oddity, ..)| *oddity)
    }
}
