//! The methods that find the attacks of a piece, step by step.
//!
//! [`steps`] runs a [`Method`] for a piece, a square and the occupied squares, and returns its
//! steps as plain data: each [`Step`] has the sets that it takes and makes, a line of arithmetic
//! and a sentence. A page shows them one after another. The masks, multipliers and table entries
//! are those of the library, and the last step ends with the attacks that the library's default
//! method finds.
//!
//! ```
//! use tabiya::{Bitboard, Color, Role, Square, attacks};
//! use tabiya_views::methods::{self, Method};
//!
//! let occupied = Square::D6.bitboard();
//! let rook = Role::Rook.of(Color::White);
//! let steps = methods::steps(Method::Classical, rook, Square::D4, occupied).unwrap();
//! assert_eq!(steps[2].arithmetic, "first = trailing_zeros(blockers | h8) = 43");
//! assert_eq!(steps[2].caption, "The blocker nearest to the north is on d6, square number 43.");
//! assert_eq!(steps.last().unwrap().result(), Some(attacks::rook(Square::D4, occupied)));
//! ```

mod classical;
mod hyperbola;
mod kogge_stone;
mod magic;
mod pext;
mod shifts;
mod step;

use std::fmt;
use std::str::FromStr;

use tabiya::{Bitboard, Piece, Role, Square};

pub use step::{NamedSet, SetRole, Step, Trace};

use step::Recorder;

/// A way to find attacks.
///
/// ```
/// use tabiya::Role;
/// use tabiya_views::methods::Method;
/// assert_eq!(Method::parse("kogge-stone"), Ok(Method::KoggeStone));
/// assert!(Method::Shifts.applies_to(Role::Knight) && !Method::Pext.applies_to(Role::Knight));
/// for method in Method::ALL {
///     assert_eq!(Method::parse(method.name()), Ok(method));
///     assert!(!method.title().is_empty() && !method.source().is_empty());
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Method {
    /// Shifts by one square, with masks against wrapping round an edge.
    Shifts,
    /// Rays that end with their first blocker.
    Classical,
    /// Subtraction on a line, o^(o-2r), with a byte swap for the way down.
    Hyperbola,
    /// Fills that double their length in each round.
    KoggeStone,
    /// A multiplication that gathers the blockers into an index.
    Magic,
    /// The instructions `pext` and `pdep`.
    Pext,
}

const SLIDERS: &[Role] = &[Role::Bishop, Role::Rook, Role::Queen];

impl Method {
    /// All methods, the simplest first.
    pub const ALL: [Self; 6] =
        [Self::Shifts, Self::Classical, Self::Hyperbola, Self::KoggeStone, Self::Magic, Self::Pext];

    /// The name for programs, such as `kogge-stone`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shifts => "shifts",
            Self::Classical => "classical",
            Self::Hyperbola => "hyperbola",
            Self::KoggeStone => "kogge-stone",
            Self::Magic => "magic",
            Self::Pext => "pext",
        }
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Shifts => "Shifts",
            Self::Classical => "Classical rays",
            Self::Hyperbola => "Hyperbola quintessence: o^(o-2r)",
            Self::KoggeStone => "Kogge-Stone fills",
            Self::Magic => "Magic multiplication",
            Self::Pext => "PEXT and PDEP",
        }
    }

    /// The source that describes the method.
    pub const fn source(self) -> &'static str {
        match self {
            Self::Shifts => "\"General Setwise Operations\", Chess Programming Wiki",
            Self::Classical => "\"Classical Approach\", Chess Programming Wiki",
            Self::Hyperbola => {
                "Gerd Isenberg and Aleks Peshkov, \"Hyperbola Quintessence\", and \"First Rank \
                 Attacks\", Chess Programming Wiki"
            }
            Self::KoggeStone => {
                "Steffan Westcott, \"Kogge-Stone Algorithm\", Chess Programming Wiki"
            }
            Self::Magic => {
                "Lasse Hansen and Pradu Kannan, \"Magic Move-Bitboard Generation in Computer Chess\""
            }
            Self::Pext => "\"BMI2\", Chess Programming Wiki",
        }
    }

    /// The roles whose attacks the method finds.
    pub const fn roles(self) -> &'static [Role] {
        match self {
            Self::Shifts => &Role::ALL,
            _ => SLIDERS,
        }
    }

    /// Does the method find the attacks of the role?
    pub fn applies_to(self, role: Role) -> bool {
        self.roles().contains(&role)
    }

    /// Reads the [name](Self::name) of a method.
    ///
    /// # Errors
    /// [`MethodError::Name`] if there is no method of this name.
    pub fn parse(text: &str) -> Result<Self, MethodError> {
        let found = Self::ALL.into_iter().find(|method| method.name() == text);
        found.ok_or_else(|| MethodError::Name(text.to_owned()))
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        Self::parse(text)
    }
}

/// The reason why a method has no steps.
///
/// ```
/// use tabiya::{Bitboard, Color, Role, Square};
/// use tabiya_views::methods::{self, Method};
/// let knight = Role::Knight.of(Color::White);
/// let error = methods::steps(Method::Magic, knight, Square::D4, Bitboard::EMPTY).unwrap_err();
/// assert_eq!(error.to_string(), "the method magic finds no attacks of a knight");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MethodError {
    /// There is no method of this name.
    #[error("there is no method {0:?}")]
    Name(String),
    /// The method does not find the attacks of pieces of this role.
    #[error("the method {} finds no attacks of a {}", .0.name(), .1)]
    Role(Method, Role),
}

/// The steps of a method for a piece on a square, if exactly the given squares are occupied.
///
/// Each step is small enough for one picture. A queen's lines are those of a rook and then those of
/// a bishop. It does not matter whether `occupied` contains the piece's own square.
///
/// # Errors
/// [`MethodError::Role`] if the method is for sliders and the piece is not one.
///
/// ```
/// use tabiya::{Bitboard, Color, Role, Square};
/// use tabiya_views::methods::{self, Method};
/// let knight = Role::Knight.of(Color::White);
/// let steps = methods::steps(Method::Shifts, knight, Square::H4, Bitboard::EMPTY).unwrap();
/// assert_eq!(steps[1].arithmetic, "east = (knight & ~file-h) << 1 = 0x0000000000000000");
/// assert_eq!(steps[1].caption, "Nothing arrives to the east: the mask drops what would wrap round to a5.");
/// assert_eq!(steps.last().unwrap().result().unwrap().len(), 4);
/// ```
pub fn steps(
    method: Method,
    piece: Piece,
    square: Square,
    occupied: Bitboard,
) -> Result<Vec<Step>, MethodError> {
    if !method.applies_to(piece.role) {
        return Err(MethodError::Role(method, piece.role));
    }
    let mut recorder = Recorder::new(square, occupied);
    match method {
        Method::Shifts => shifts::record(&mut recorder, piece),
        Method::Classical => classical::record(&mut recorder, piece.role),
        Method::Hyperbola => hyperbola::record(&mut recorder, piece.role),
        Method::KoggeStone => kogge_stone::record(&mut recorder, piece.role),
        Method::Magic => magic::record(&mut recorder, piece.role),
        Method::Pext => pext::record(&mut recorder, piece.role),
    }
    Ok(recorder.finish())
}
