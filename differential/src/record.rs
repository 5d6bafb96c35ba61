//! The record of comparisons, features and differences.

use std::fmt;
use std::ops::AddAssign;

use crate::distinct::Distinct;
use crate::kind::Kind;

/// Two answers that should be equal.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The kind of comparison.
    pub kind: Kind,
    /// The question: a move, a text, a depth.
    pub question: String,
    /// The answer of tabiya.
    pub ours: String,
    /// The peer that answered differently.
    pub peer: &'static str,
    /// The other answer.
    pub theirs: String,
    /// The positions that were compared, the one in question last.
    pub fens: Vec<String>,
    /// The arguments that repeat all positions of the batch in which it was found.
    pub origin: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "difference in {}: {}", self.kind.name(), self.question)?;
        writeln!(f, "  {:10} {}", "tabiya:", self.ours)?;
        writeln!(f, "  {:10} {}", format!("{}:", self.peer), self.theirs)?;
        const COMMAND: &str = "cargo run --release --manifest-path differential/Cargo.toml --";
        write!(f, "  repeat:    {COMMAND}")?;
        self.fens.iter().try_for_each(|fen| write!(f, " --fen '{fen}'"))?;
        if self.origin.is_empty() {
            return Ok(());
        }
        write!(f, "\n  the batch: {COMMAND} {}", self.origin)
    }
}

macro_rules! features {
    ($($variant:ident, $name:literal;)*) => {
        /// A feature that occurs in positions, to check that the sources reach it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Feature {
            $(#[doc = $name] $variant,)*
        }

        impl Feature {
            /// All features.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name in tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

features! {
    Check, "check";
    DoubleCheck, "two checkers";
    TripleCheck, "three or more checkers";
    Pin, "a pinned piece";
    EnPassant, "en passant is legal";
    EnPassantIllegal, "en passant is only pseudo-legal";
    Castling, "castling is legal";
    CastlingDenied, "castling rights, but castling is not legal";
    Chess960, "castling rights only of Chess960";
    Promotion, "promotion is legal";
    CheckingMove, "a move gives check";
    Checkmate, "checkmate";
    Stalemate, "stalemate";
    Insufficient, "insufficient material";
    OverOneHundred, "more than 100 legal moves";
    CozyRefuses, "not asked of cozy-chess (rule)";
    ShakmatyRefuses, "not asked of shakmaty (rule)";
}

/// The comparisons of one thread.
#[derive(Clone, Debug)]
pub struct Record {
    /// The number of positions.
    pub positions: u64,
    /// The number of their legal moves.
    pub moves: u64,
    /// The number of comparisons of each kind.
    pub comparisons: [u64; Kind::ALL.len()],
    /// The number of differences of each kind.
    pub differing: [u64; Kind::ALL.len()],
    /// The number of positions with each feature.
    pub features: [u64; Feature::ALL.len()],
    /// An estimate of the number of distinct positions.
    pub distinct: Distinct,
    /// The first differences.
    pub differences: Vec<Difference>,
    /// The comparison in progress, in case it panics.
    pub current: Kind,
}

impl Record {
    /// The most differences that are kept; others are only counted.
    pub const KEPT: usize = 20;

    /// A record without comparisons.
    pub fn new() -> Self {
        Self {
            positions: 0,
            moves: 0,
            comparisons: [0; Kind::ALL.len()],
            differing: [0; Kind::ALL.len()],
            features: [0; Feature::ALL.len()],
            distinct: Distinct::new(),
            differences: Vec::new(),
            current: Kind::Setup,
        }
    }

    /// The number of all comparisons.
    pub fn all_comparisons(&self) -> u64 {
        self.comparisons.iter().sum()
    }

    /// The number of all differences.
    pub fn all_differences(&self) -> u64 {
        self.differing.iter().sum()
    }

    /// Compares an answer of tabiya with another answer.
    #[inline(always)]
    pub fn equal<T: PartialEq + fmt::Debug>(
        &mut self,
        kind: Kind,
        peer: &'static str,
        ours: T,
        theirs: T,
        question: impl FnOnce() -> String,
    ) {
        self.comparisons[kind as usize] += 1;
        if ours != theirs {
            self.differ(kind, peer, format!("{ours:?}"), format!("{theirs:?}"), question());
        }
    }

    /// Notes a difference.
    #[cold]
    pub fn differ(
        &mut self,
        kind: Kind,
        peer: &'static str,
        ours: String,
        theirs: String,
        question: String,
    ) {
        self.differing[kind as usize] += 1;
        if self.differences.len() < Self::KEPT {
            let (fens, origin) = (Vec::new(), String::new());
            self.differences.push(Difference { kind, question, ours, peer, theirs, fens, origin });
        }
    }

    /// Notes that a position has a feature.
    #[inline(always)]
    pub fn note(&mut self, feature: Feature, has: bool) {
        self.features[feature as usize] += u64::from(has);
    }
}

impl Default for Record {
    fn default() -> Self {
        Self::new()
    }
}

impl AddAssign for Record {
    fn add_assign(&mut self, other: Self) {
        fn add(sums: &mut [u64], others: &[u64]) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
        self.positions += other.positions;
        self.moves += other.moves;
        add(&mut self.comparisons, &other.comparisons);
        add(&mut self.differing, &other.differing);
        add(&mut self.features, &other.features);
        self.distinct.merge(&other.distinct);
        let room = Self::KEPT.saturating_sub(self.differences.len());
        self.differences.extend(other.differences.into_iter().take(room));
    }
}
