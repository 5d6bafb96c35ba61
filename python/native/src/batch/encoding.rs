//! Moves as numbers: the two usual encodings for networks.
//!
//! * `uci`: the 1968 texts of moves in UCI. First the moves of a queen or a knight from each
//!   square: by origin, the queen's targets before the knight's, each in ascending order. Then the
//!   promotions: Black's before White's; by file; straight on, then the capture towards the a-file,
//!   then the capture towards the h-file; to queen, rook, bishop, knight.
//! * `az`: 8x8x73 as in AlphaZero: the origin times 73, plus the plane. Planes 0 to 55 are a
//!   direction (N, NE, E, SE, S, SW, W, NW) times 7, plus the distance minus 1; 56 to 63 are the
//!   knight's moves, clockwise from two up and one to the right; 64 to 72 are underpromotions: the
//!   direction (to the a-file side, straight on, to the h-file side) times 3, plus knight, bishop
//!   or rook.
//!
//! Castling is the move that UCI writes: the king to its target in the notation of standard chess,
//! and onto its own rook in that of Chess960. No other legal move is written like this.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya::movegen::{PawnMoves, Sink};
use tabiya::{Bitboard, Color, Move, MoveKind, Position, Role, Square, UciMove};

/// A way to write moves as numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Uci,
    Az,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Encoding {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<&str>() {
            Ok("uci") => Ok(Self::Uci),
            Ok("az") => Ok(Self::Az),
            _ => {
                let found = object.repr()?;
                let text = format!("encoding: expected \"uci\" or \"az\", not {found}");
                Err(PyValueError::new_err(text))
            }
        }
    }
}

/// The side from which the board is seen.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Orientation {
    /// White is always at the bottom.
    White,
    /// The side to move is at the bottom.
    Side,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Orientation {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<&str>() {
            Ok("white") => Ok(Self::White),
            Ok("side") => Ok(Self::Side),
            _ => {
                let found = object.repr()?;
                let text = format!("orientation: expected \"white\" or \"side\", not {found}");
                Err(PyValueError::new_err(text))
            }
        }
    }
}

impl Orientation {
    /// The colour at the bottom.
    #[inline(always)]
    pub(crate) const fn bottom(self, turn: Color) -> Color {
        match self {
            Self::White => Color::White,
            Self::Side => turn,
        }
    }

    /// The number to XOR squares with: 56 reverses the ranks.
    #[inline(always)]
    pub(crate) const fn flip(self, turn: Color) -> u8 {
        match self.bottom(turn) {
            Color::White => 0,
            Color::Black => 56,
        }
    }
}

/// The number of a move that does not exist.
const NONE: u16 = u16::MAX;

/// An encoding as a type.
pub(super) trait Code: Copy + Send + Sync {
    /// The number of moves.
    const MOVES: usize;
    /// The numbers of moves that are not promotions, by origin and target.
    const PLAIN: &'static [[u16; 64]; 64];

    /// The number of a promotion.
    fn promotion(from: u8, to: u8, role: Role) -> u16;

    /// The number of a move; `None` if it has none.
    #[inline(always)]
    fn index(from: u8, to: u8, promotion: Option<Role>) -> Option<u16> {
        let index = match promotion {
            None => Self::PLAIN[usize::from(from & 63)][usize::from(to & 63)],
            Some(role) => Self::promotion(from, to, role),
        };
        (index != NONE).then_some(index)
    }
}

/// The encoding by the 1968 moves of UCI.
#[derive(Clone, Copy)]
pub(super) struct Uci;

/// The encoding by 8x8x73 moves, as in AlphaZero.
#[derive(Clone, Copy)]
pub(super) struct Az;

/// The number of moves of a queen or a knight on an empty board.
const QUEEN_AND_KNIGHT: u16 = 1792;
/// The number of promotions of each colour.
const PROMOTIONS: u16 = 88;
/// The number of planes of AlphaZero's encoding.
const PLANES: u16 = 73;
/// The first plane of underpromotions.
const UNDERPROMOTIONS: u16 = 64;

/// The files and ranks from one square to another.
const fn steps(from: u8, to: u8) -> (i8, i8) {
    ((to & 7) as i8 - (from & 7) as i8, (to >> 3) as i8 - (from >> 3) as i8)
}

const fn is_knight_move(from: u8, to: u8) -> bool {
    let (files, ranks) = steps(from, to);
    (files * ranks).abs() == 2
}

const fn is_queen_move(from: u8, to: u8) -> bool {
    let (files, ranks) = steps(from, to);
    from != to && (files == 0 || ranks == 0 || files.abs() == ranks.abs())
}

static UCI_PLAIN: [[u16; 64]; 64] = {
    let mut table = [[NONE; 64]; 64];
    let mut index = 0;
    let mut from = 0;
    while from < 64 {
        let mut knight = 0;
        while knight < 2 {
            let mut to = 0;
            while to < 64 {
                let is_move =
                    if knight == 1 { is_knight_move(from, to) } else { is_queen_move(from, to) };
                if is_move {
                    table[from as usize][to as usize] = index;
                    index += 1;
                }
                to += 1;
            }
            knight += 1;
        }
        from += 1;
    }
    assert!(index == QUEEN_AND_KNIGHT);
    table
};

impl Code for Uci {
    const MOVES: usize = (QUEEN_AND_KNIGHT + 2 * PROMOTIONS) as usize;
    const PLAIN: &'static [[u16; 64]; 64] = &UCI_PLAIN;

    #[inline]
    fn promotion(from: u8, to: u8, role: Role) -> u16 {
        let (files, ranks) = steps(from, to);
        let color = match (from >> 3, ranks) {
            (1, -1) => 0,
            (6, 1) => 1,
            _ => return NONE,
        };
        // Three directions on each file but the first and the last, which have two.
        let before = match from & 7 {
            0 => 0,
            file => 3 * u16::from(file) - 1,
        };
        let direction = match (files, from & 7) {
            (0, _) => 0,
            (-1, _) | (1, 0) => 1,
            (1, _) => 2,
            _ => return NONE,
        };
        let role = match role {
            Role::Queen => 0,
            Role::Rook => 1,
            Role::Bishop => 2,
            Role::Knight => 3,
            Role::Pawn | Role::King => return NONE,
        };
        QUEEN_AND_KNIGHT + color * PROMOTIONS + (before + direction) * 4 + role
    }
}

/// The squares that a piece reaches from a square on an empty board, and the number of the move to
/// the first of them. The numbers of the others follow.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub(super) squares: u64,
    pub(super) first: u16,
}

/// The moves of a queen or a knight from each square.
const fn reach(is_knight: bool) -> [Reach; 64] {
    let mut table = [Reach { squares: 0, first: NONE }; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 64;
        while to > 0 {
            to -= 1;
            if if is_knight { is_knight_move(from, to) } else { is_queen_move(from, to) } {
                let squares = table[from as usize].squares | 1 << to;
                table[from as usize] =
                    Reach { squares, first: UCI_PLAIN[from as usize][to as usize] };
            }
        }
        from += 1;
    }
    table
}

impl Uci {
    /// The moves of a queen, which include those of any piece but a knight.
    pub(super) const QUEEN: &[Reach; 64] = {
        static TABLE: [Reach; 64] = reach(false);
        &TABLE
    };
    /// The moves of a knight.
    pub(super) const KNIGHT: &[Reach; 64] = {
        static TABLE: [Reach; 64] = reach(true);
        &TABLE
    };
}

/// The plane of a move that is not an underpromotion.
const fn az_plane(from: u8, to: u8) -> u16 {
    let (files, ranks) = steps(from, to);
    if is_knight_move(from, to) {
        return match (files, ranks) {
            (1, 2) => 56,
            (2, 1) => 57,
            (2, -1) => 58,
            (1, -2) => 59,
            (-1, -2) => 60,
            (-2, -1) => 61,
            (-2, 1) => 62,
            _ => 63,
        };
    }
    let direction = match (files.signum(), ranks.signum()) {
        (0, 1) => 0,
        (1, 1) => 1,
        (1, 0) => 2,
        (1, -1) => 3,
        (0, -1) => 4,
        (-1, -1) => 5,
        (-1, 0) => 6,
        _ => 7,
    };
    let distance = if files == 0 { ranks.abs() } else { files.abs() };
    direction * 7 + distance as u16 - 1
}

static AZ_PLAIN: [[u16; 64]; 64] = {
    let mut table = [[NONE; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if is_knight_move(from, to) || is_queen_move(from, to) {
                table[from as usize][to as usize] = from as u16 * PLANES + az_plane(from, to);
            }
            to += 1;
        }
        from += 1;
    }
    table
};

impl Code for Az {
    const MOVES: usize = 64 * PLANES as usize;
    const PLAIN: &'static [[u16; 64]; 64] = &AZ_PLAIN;

    #[inline]
    fn promotion(from: u8, to: u8, role: Role) -> u16 {
        let (files, ranks) = steps(from, to);
        if !matches!((from >> 3, ranks), (1, -1) | (6, 1)) || files.abs() > 1 {
            return NONE;
        }
        let role = match role {
            Role::Queen => return AZ_PLAIN[usize::from(from & 63)][usize::from(to & 63)],
            Role::Knight => 0,
            Role::Bishop => 1,
            Role::Rook => 2,
            Role::Pawn | Role::King => return NONE,
        };
        u16::from(from) * PLANES + UNDERPROMOTIONS + 3 * (files + 1) as u16 + role
    }
}

impl Encoding {
    /// The number of moves.
    pub(crate) const fn moves(self) -> usize {
        match self {
            Self::Uci => Uci::MOVES,
            Self::Az => Az::MOVES,
        }
    }

    /// The number of a move, if it has one.
    pub(crate) fn index(self, mv: UciMove, flip: u8) -> Option<u16> {
        let (from, to) = (mv.from as u8 ^ flip, mv.to as u8 ^ flip);
        match self {
            Self::Uci => Uci::index(from, to, mv.promotion),
            Self::Az => Az::index(from, to, mv.promotion),
        }
    }

    /// The moves by their numbers: origin, target and promotion. In `az`, some numbers lead off the
    /// board; and a pawn's move to the last rank that is encoded as a queen's move promotes to a
    /// queen, which only the position can tell.
    pub(crate) fn table(self) -> Vec<Option<UciMove>> {
        let mut table = vec![None; self.moves()];
        let promotions = [None].into_iter().chain(Role::PROMOTIONS.map(Some));
        for promotion in promotions.rev() {
            for from in Square::ALL {
                for to in Square::ALL {
                    let mv = UciMove { from, to, promotion };
                    if let Some(index) = self.index(mv, 0) {
                        table[usize::from(index)] = Some(mv);
                    }
                }
            }
        }
        table
    }
}

/// A sink that passes the numbers of moves to a function.
pub(super) struct IndexSink<'a, C, F> {
    position: &'a Position,
    flip: u8,
    code: C,
    add: F,
}

impl<'a, C: Code, F: FnMut(usize)> IndexSink<'a, C, F> {
    #[inline(always)]
    pub(super) fn new(position: &'a Position, orientation: Orientation, code: C, add: F) -> Self {
        Self { position, flip: orientation.flip(position.turn()), code, add }
    }

    #[inline(always)]
    fn numbers(&self, from: Square) -> &'static [u16; 64] {
        let _: C = self.code;
        &C::PLAIN[usize::from(from as u8 ^ self.flip)]
    }
}

impl<C: Code, F: FnMut(usize)> Sink for IndexSink<'_, C, F> {
    #[inline(always)]
    fn add(&mut self, _: Role, mv: Move) {
        let UciMove { from, to, promotion } = self.position.uci(mv);
        if let Some(index) = C::index(from as u8 ^ self.flip, to as u8 ^ self.flip, promotion) {
            (self.add)(usize::from(index));
        }
    }

    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, targets: Bitboard, _: Bitboard) {
        let numbers = self.numbers(from);
        let (mut left, mut count) = (targets.0, targets.len());
        while count > 0 {
            // Adding the last target several times is cheaper than a branch that depends on their
            // number.
            for _ in 0..4 {
                let to = left.trailing_zeros() as u8 & 63;
                (self.add)(usize::from(numbers[usize::from(to ^ self.flip)]));
                let others = left & left.wrapping_sub(1);
                left = if others == 0 { left } else { others };
            }
            count = count.saturating_sub(4);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        for to in moves.targets {
            let from = moves.origin(to);
            let index = match kind.promoted() {
                None => self.numbers(from)[usize::from(to as u8 ^ self.flip)],
                Some(role) => C::promotion(from as u8 ^ self.flip, to as u8 ^ self.flip, role),
            };
            (self.add)(usize::from(index));
        }
    }
}
