//! The sources of positions. Each source yields the same positions for the same random numbers.

mod games;
mod placement;
mod themes;

use tabiya::{Position, Setup};

use tabiya::SplitMix64;

/// An item that a source yields.
#[derive(Debug)]
pub enum Found {
    /// A setup, which may be unplayable. If it is playable, some moves are played from it.
    Setup(Setup),
    /// The start of a game, and the most plies to play.
    Game(Position, usize),
}

macro_rules! sources {
    ($($variant:ident, $name:literal, $about:literal, $find:path;)*) => {
        /// A source of positions.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Source {
            $(#[doc = $about] $variant,)*
        }

        impl Source {
            /// All sources.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$variant),*];

            /// The name on the command line.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// A description of its positions.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }

            /// The next setup or game.
            pub fn find(self, random: &mut SplitMix64) -> Found {
                match self { $(Self::$variant => $find(random),)* }
            }
        }
    };
}

sources! {
    Games, "games", "Random games from the start position.", games::standard;
    Chess960, "chess960", "Random games from the start positions of Chess960.", games::chess960;
    Double960, "double960", "Random games in which each side has its own start position of Chess960.",
        games::double960;
    Placements, "placements", "All material anywhere, with castling rights and en passant.",
        placement::any;
    Few, "few", "The kings and up to four pieces.", placement::few;
    Extreme, "extreme", "More material than a game has: nine queens, twelve pawns.", placement::extreme;
    Pins, "pins", "Sliders that aim at a king through one piece of either side.", themes::pins;
    DoubleChecks, "double-checks", "Two or more pieces that attack the king.", themes::checks;
    EnPassant, "en-passant",
        "A double push just played, with sliders on the lines that a capture opens.",
        themes::en_passant;
    Promotions, "promotions", "Pawns before the last rank, with targets and pins.", themes::promotions;
    Castling, "castling", "Kings and rooks that may castle, standard and Chess960, under attack.",
        themes::castling;
}

impl Source {
    /// Passes positions to a function until it returns false. It is asked first about each setup.
    pub fn walk(
        self,
        random: &mut SplitMix64,
        mut accept: impl FnMut(&Setup) -> Option<Position>,
        mut visit: impl FnMut(&Position) -> bool,
    ) {
        loop {
            let (start, plies) = match self.find(random) {
                Found::Setup(setup) => {
                    let Some(position) = accept(&setup) else { continue };
                    // Half of the positions are followed by one of their moves, half of those by
                    // another.
                    (position, random.number().trailing_zeros() as usize)
                }
                Found::Game(start, plies) => (start, plies),
            };
            if !games::play(start, plies, random, &mut visit) {
                return;
            }
        }
    }
}
