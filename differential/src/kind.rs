//! The kinds of comparisons, and the share of positions for each.

macro_rules! kinds {
    ($($variant:ident, $name:literal, $every:literal, $about:literal;)*) => {
        /// A kind of comparison.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kind {
            $(#[doc = $about] $variant,)*
        }

        impl Kind {
            /// All kinds.
            pub const ALL: [Self; [$($every),*].len()] = [$(Self::$variant),*];

            /// The name in tables.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// Compared at one position in this many, chosen at random.
            pub const fn every(self) -> u64 {
                match self { $(Self::$variant => $every,)* }
            }

            /// A description of the comparison.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }
        }
    };
}

// Cheap kinds are compared at every position. The others together take about as much time.
kinds! {
    Setup, "setup", 1, "Which setups are playable, and that peers take each playable one.";
    Moves, "moves", 1, "The set of legal moves; role, captured role and kind of each move.";
    Checks, "checks", 1, "Which moves give check; the checkers and the pinned pieces.";
    Play, "play", 1, "The position after each move.";
    Outcome, "outcome", 1, "Checkmate, stalemate, insufficient material, which side can mate.";
    Count, "count", 1, "The number of legal moves, and whether there is one.";
    Key, "key", 1, "The key against the key from scratch; at one position in 16 after each move.";
    Polyglot, "polyglot", 4, "The key of Polyglot's books.";
    InPlace, "in place", 8, "Make each move in place, then unmake it.";
    Packed, "packed", 4, "Packing and unpacking; equal identities for equal positions only.";
    Equal, "equal", 16, "Equality, keys and identities against equality, for pairs of positions.";
    Mirror, "mirror", 16, "The mirrored position, and that it has the mirrored moves.";
    MoveKinds, "kinds", 16, "The kinds of moves, legal and pseudo-legal, against their definitions.";
    Fen, "fen", 32, "X-FEN and Shredder-FEN, written and read.";
    Uci, "uci", 64, "Moves in UCI, standard and Chess960, written and read.";
    San, "san", 64, "Moves in SAN, written and read, strictly and leniently.";
    Perft, "perft", 128, "Perft of two plies by each counter; of three at one in 16 of them.";
    Categories, "categories", 256, "Categories of one ply by each counter; of two at one in 16 of them.";
}
