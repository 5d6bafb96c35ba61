//! Moves as numbers: the usual encodings for networks.
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
//! * `lc0`: the 1858 moves of Lc0, which sees the board as the side to move does. First the moves of a
//!   queen or a knight from each square, by origin and target. Then the promotions by pawn and target,
//!   each to queen, rook, bishop; that to a knight has the number of the move.
//!
//! Castling is the move that UCI writes: the king to its target in the notation of standard chess,
//! and onto its own rook in that of Chess960. No other legal move is written like this. In `lc0` it is
//! always the king onto its own rook.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya::movegen::{PawnMoves, Sink};
use tabiya::{
    Bitboard, CastlingMode, CastlingSide, Color, Move, MoveKind, Position, Role, Square, UciMove,
};

/// A way to write moves as numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encoding {
    Uci,
    Az,
    Lc0,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Encoding {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<&str>() {
            Ok("uci") => Ok(Self::Uci),
            Ok("az") => Ok(Self::Az),
            Ok("lc0") => Ok(Self::Lc0),
            _ => {
                let found = object.repr()?;
                let text = format!("encoding: expected \"uci\", \"az\" or \"lc0\", not {found}");
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

    /// The move as it is numbered.
    #[inline(always)]
    fn text(position: &Position, mv: Move) -> UciMove {
        position.uci(mv)
    }

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

/// The encoding by Lc0's 1858 moves.
#[derive(Clone, Copy)]
pub(super) struct Lc0;

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
        QUEEN_AND_KNIGHT + color * PROMOTIONS + pawn_move(from & 7, direction) * 4 + role
    }
}

/// The place of a pawn's move to the last rank among those of all pawns: three on each file but the
/// first and the last, which have two. `direction` is from 0 on.
const fn pawn_move(file: u8, direction: u16) -> u16 {
    let before = match file {
        0 => 0,
        file => 3 * file as u16 - 1,
    };
    before + direction
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

static LC0_PLAIN: [[u16; 64]; 64] = {
    let mut table = [[NONE; 64]; 64];
    let mut index = 0;
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            if is_knight_move(from, to) || is_queen_move(from, to) {
                table[from as usize][to as usize] = index;
                index += 1;
            }
            to += 1;
        }
        from += 1;
    }
    assert!(index == QUEEN_AND_KNIGHT);
    table
};

impl Code for Lc0 {
    /// 22 moves of pawns to the last rank, and three roles.
    const MOVES: usize = QUEEN_AND_KNIGHT as usize + 22 * 3;
    const PLAIN: &'static [[u16; 64]; 64] = &LC0_PLAIN;

    #[inline]
    fn promotion(from: u8, to: u8, role: Role) -> u16 {
        let (files, ranks) = steps(from, to);
        if (from >> 3, ranks) != (6, 1) || files.abs() > 1 {
            return NONE;
        }
        let role = match role {
            Role::Knight => return LC0_PLAIN[usize::from(from & 63)][usize::from(to & 63)],
            Role::Queen => 0,
            Role::Rook => 1,
            Role::Bishop => 2,
            Role::Pawn | Role::King => return NONE,
        };
        // From the left to the right. On the first file there is no left.
        let direction = (files + i8::from(from & 7 != 0)) as u16;
        QUEEN_AND_KNIGHT + pawn_move(from & 7, direction) * 3 + role
    }

    #[inline(always)]
    fn text(position: &Position, mv: Move) -> UciMove {
        let rook = mv
            .castling()
            .and_then(|side| position.castling_rights().rook(position.turn(), side, mv.from()));
        UciMove { from: mv.from(), to: rook.unwrap_or(mv.to()), promotion: mv.promotion() }
    }
}

impl Lc0 {
    /// The move of a position that is numbered like this.
    ///
    /// # Errors
    /// It is how another encoding numbers castling.
    pub(super) fn read(position: &Position, mut mv: UciMove) -> Result<UciMove, String> {
        let turn = position.turn();
        match position.board().role_on(mv.from) {
            Some(Role::Pawn) if mv.promotion.is_none() && mv.to.rank() == (!turn).back_rank() => {
                mv.promotion = Some(Role::Knight);
            }
            Some(Role::King) if position.castling_mode() == CastlingMode::Standard => {
                let rights = position.castling_rights();
                let rook = |&side: &CastlingSide| rights.rook(turn, side, mv.from) == Some(mv.to);
                match CastlingSide::ALL.iter().find(|&side| rook(side)) {
                    Some(side) => mv.to = side.king_target(turn),
                    None if steps(mv.from as u8, mv.to as u8).0.abs() > 1 => {
                        return Err(format!(
                            "{mv}: in lc0, the king castles by taking its own rook"
                        ));
                    }
                    None => {}
                }
            }
            _ => {}
        }
        Ok(mv)
    }
}

impl Encoding {
    /// Can the encoding be seen from this side?
    ///
    /// # Errors
    /// `ValueError`: Lc0 has no numbers for promotions of Black.
    pub(crate) fn check(self, orientation: Orientation) -> PyResult<()> {
        if self == Self::Lc0 && orientation == Orientation::White {
            let text = "encoding \"lc0\" sees the board as the side to move does: give \
                        orientation=\"side\"";
            return Err(PyValueError::new_err(text));
        }
        Ok(())
    }

    /// The number of moves.
    pub(crate) const fn moves(self) -> usize {
        match self {
            Self::Uci => Uci::MOVES,
            Self::Az => Az::MOVES,
            Self::Lc0 => Lc0::MOVES,
        }
    }

    /// The number of a move, if it has one.
    pub(crate) fn index(self, mv: UciMove, flip: u8) -> Option<u16> {
        let (from, to) = (mv.from as u8 ^ flip, mv.to as u8 ^ flip);
        match self {
            Self::Uci => Uci::index(from, to, mv.promotion),
            Self::Az => Az::index(from, to, mv.promotion),
            Self::Lc0 => Lc0::index(from, to, mv.promotion),
        }
    }

    /// The number of a move of a position, if it has one.
    pub(crate) fn number(
        self,
        position: &Position,
        mv: Move,
        orientation: Orientation,
    ) -> Option<u16> {
        let text = match self {
            Self::Uci | Self::Az => position.uci(mv),
            Self::Lc0 => Lc0::text(position, mv),
        };
        self.index(text, orientation.flip(position.turn()))
    }

    /// The moves by their numbers: origin, target and promotion. In `az`, some numbers lead off the
    /// board; and a pawn's move to the last rank that is encoded as a queen's move promotes to a
    /// queen, which only the position can tell; so it is with knights in `lc0`.
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
        let UciMove { from, to, promotion } = C::text(self.position, mv);
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
