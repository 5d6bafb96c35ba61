//! The start positions of Chess960 by number, by the scheme of Reinhard Scharnagl.
//!
//! Repeated division of the number gives the squares of the pieces on the back rank:
//!
//! ```text
//! number = light bishop + 4 * (dark bishop + 4 * (queen + 6 * knights))
//!
//! light bishop  0..4   b, d, f or h
//! dark bishop   0..4   a, c, e or g
//! queen         0..6   which of the six free squares
//! knights       0..10  which pair of the five free squares
//! ```
//!
//! Rook, king and rook take the three squares that remain. Number 518 is the start of standard
//! chess.

use super::Setup;
use crate::castling::CastlingMode;
use crate::color::Color;
use crate::position::Position;
use crate::role::Role;
use crate::square::{File, Square};

/// The number of start positions.
pub const START_POSITIONS: u16 = 960;

/// The number of the start of standard chess.
pub const STANDARD_NUMBER: u16 = 518;

/// The two squares of the knights, counted among five.
const KNIGHTS: [[usize; 2]; 10] =
    [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];

/// The back rank of a start position of Chess960, from the a-file to the h-file; `None` if the
/// number is not below 960.
///
/// ```
/// use tabiya::chess960::back_rank;
/// use tabiya::Role::{Bishop, King, Knight, Queen, Rook};
/// assert_eq!(back_rank(518), Some([Rook, Knight, Bishop, Queen, King, Bishop, Knight, Rook]));
/// assert_eq!(back_rank(0), Some([Bishop, Bishop, Queen, Knight, Knight, Rook, King, Rook]));
/// assert_eq!(back_rank(960), None);
/// ```
pub const fn back_rank(number: u16) -> Option<[Role; 8]> {
    if number >= START_POSITIONS {
        return None;
    }
    let number = number as usize;
    let mut places = [None; 8];
    places[2 * (number % 4) + 1] = Some(Role::Bishop);
    places[2 * (number / 4 % 4)] = Some(Role::Bishop);
    put(&mut places, number / 16 % 6, Role::Queen);
    let [first, second] = KNIGHTS[number / 96];
    put(&mut places, first, Role::Knight);
    // The first knight has taken one of the squares before the second.
    put(&mut places, second - 1, Role::Knight);
    put(&mut places, 0, Role::Rook);
    put(&mut places, 0, Role::King);
    put(&mut places, 0, Role::Rook);
    let mut roles = [Role::Rook; 8];
    let mut file = 0;
    while file < 8 {
        if let Some(role) = places[file] {
            roles[file] = role;
        }
        file += 1;
    }
    Some(roles)
}

/// Puts a piece on one of the free squares.
const fn put(places: &mut [Option<Role>; 8], free: usize, role: Role) {
    let mut before = 0;
    let mut file = 0;
    while file < 8 {
        if places[file].is_none() {
            if before == free {
                places[file] = Some(role);
                return;
            }
            before += 1;
        }
        file += 1;
    }
}

/// The number of a back rank of Chess960, from the a-file to the h-file; `None` if no start
/// position has it.
///
/// ```
/// use tabiya::chess960::{back_rank, number_of};
/// assert!((0..960).all(|number| back_rank(number).and_then(number_of) == Some(number)));
/// assert_eq!(number_of([tabiya::Role::Rook; 8]), None);
/// ```
pub fn number_of(back_rank: [Role; 8]) -> Option<u16> {
    let place =
        |wanted: Role, skip: usize| (0..8).filter(|&file| back_rank[file] == wanted).nth(skip);
    // The number of squares before a piece that others have left free.
    let free = |file: usize, taken: &[Role]| {
        (0..file).filter(|&before| !taken.contains(&back_rank[before])).count()
    };
    let (one, other) = (place(Role::Bishop, 0)?, place(Role::Bishop, 1)?);
    let (light, dark) = if one % 2 == 1 { (one, other) } else { (other, one) };
    let queen = free(place(Role::Queen, 0)?, &[Role::Bishop]);
    let knight = |skip| Some(free(place(Role::Knight, skip)?, &[Role::Bishop, Role::Queen]));
    let pair = [knight(0)?, knight(1)?];
    let knights = KNIGHTS.iter().position(|&known| known == pair)?;
    let number = light / 2 + 4 * (dark / 2 + 4 * (queen + 6 * knights));
    let number = u16::try_from(number).ok()?;
    // This finds every other error, such as a king that is not between its rooks.
    (self::back_rank(number) == Some(back_rank)).then_some(number)
}

/// Start positions of Chess960.
impl Setup {
    /// The start position of Chess960 with a number from 0 to 959; 518 is that of standard chess.
    ///
    /// ```
    /// use tabiya::Setup;
    /// assert_eq!(
    ///     Setup::chess960(959).unwrap().fen().to_string(),
    ///     "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1",
    /// );
    /// assert_eq!(Setup::chess960(518).unwrap().board, Setup::START.board);
    /// ```
    #[doc(alias("fischer random", "fischerandom", "scharnagl"))]
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The start position of double Chess960, in which each side has its own arrangement.
    ///
    /// ```
    /// use tabiya::Setup;
    /// let setup = Setup::double_chess960(518, 0).unwrap();
    /// assert_eq!(
    ///     setup.fen().to_string(),
    ///     "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    /// );
    /// assert_eq!(setup.chess960_numbers(), Some([518, 0]));
    /// ```
    #[doc(alias("double fischer random", "dfrc"))]
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let mut setup = Self { castling_mode: CastlingMode::Chess960, ..Self::EMPTY };
        for (color, number) in Color::ALL.into_iter().zip([white, black]) {
            let rank = color.back_rank();
            for (file, role) in File::ALL.into_iter().zip(back_rank(number)?) {
                let square = Square::new(file, rank);
                setup.board.set(square, Some(role.of(color)));
                setup.board.set(Square::new(file, color.pawn_rank()), Some(Role::Pawn.of(color)));
                if role == Role::Rook {
                    setup.castling.add(square);
                }
            }
        }
        Some(setup)
    }

    /// The numbers of White's and Black's arrangements, if this is a start position of Chess960 or
    /// double Chess960. The counters and the notation of castling do not matter.
    ///
    /// ```
    /// use tabiya::Setup;
    /// assert_eq!(Setup::START.chess960_numbers(), Some([518, 518]));
    /// assert_eq!(Setup::EMPTY.chess960_numbers(), None);
    /// ```
    pub fn chess960_numbers(&self) -> Option<[u16; 2]> {
        let number = |color: Color| {
            let roles =
                File::ALL.map(|file| self.board.role_on(Square::new(file, color.back_rank())));
            let mut back_rank = [Role::Pawn; 8];
            for (place, role) in back_rank.iter_mut().zip(roles) {
                *place = role?;
            }
            number_of(back_rank)
        };
        let numbers = [number(Color::White)?, number(Color::Black)?];
        let start = Self::double_chess960(numbers[0], numbers[1])?;
        let is_start = self.board == start.board
            && self.castling == start.castling
            && self.turn == start.turn
            && self.en_passant.is_none();
        is_start.then_some(numbers)
    }
}

/// Start positions of Chess960.
impl Position {
    /// The start position of Chess960 with a number from 0 to 959; 518 is that of standard chess.
    ///
    /// ```
    /// use tabiya::Position;
    /// assert_eq!(Position::chess960(518).unwrap(), Position::START);
    /// assert!((0..960).all(|number| Position::chess960(number).is_some()));
    /// assert!(Position::chess960(960).is_none());
    /// ```
    #[doc(alias("fischer random", "fischerandom", "scharnagl", "chess960_startpos"))]
    pub fn chess960(number: u16) -> Option<Self> {
        Self::double_chess960(number, number)
    }

    /// The start position of double Chess960, in which each side has its own arrangement.
    ///
    /// ```
    /// use tabiya::Position;
    /// let position = Position::double_chess960(1, 958).unwrap();
    /// assert_eq!(position.to_setup().chess960_numbers(), Some([1, 958]));
    /// ```
    #[doc(alias("double fischer random", "dfrc", "double_chess960_startpos"))]
    pub fn double_chess960(white: u16, black: u16) -> Option<Self> {
        let setup = Setup::double_chess960(white, black)?;
        Some(Self::from_setup(&setup).expect("every start position is playable"))
    }
}
