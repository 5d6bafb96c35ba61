//! Where the men stand, and nothing else.

use core::fmt;

use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::role::{Piece, Role};
use crate::square::{File, Rank, Square};

/// The placement of the men: one set a role and one a colour.
///
/// ```
/// use tabiya::{Board, Color, Piece, Role, Square};
/// let mut board = Board::EMPTY;
/// board.set(Square::E1, Some(Role::King.of(Color::White)));
/// assert_eq!(board.piece_on(Square::E1).map(Piece::fen), Some('K'));
/// assert_eq!(board.color(Color::White).len(), 1);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
}

impl Board {
    /// The board without a man on it.
    pub const EMPTY: Self = Self { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The men at the start of a game.
    pub const START: Self = Self {
        roles: [
            Bitboard(0x00ff_0000_0000_ff00),
            Bitboard(0x4200_0000_0000_0042),
            Bitboard(0x2400_0000_0000_0024),
            Bitboard(0x8100_0000_0000_0081),
            Bitboard(0x0800_0000_0000_0008),
            Bitboard(0x1000_0000_0000_0010),
        ],
        colors: [Bitboard(0xffff), Bitboard(0xffff << 48)],
    };

    /// Every man's square.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].union(self.colors[1])
    }

    /// The squares of one colour's men.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of one kind of men, both colours.
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one kind of men of one colour.
    #[inline(always)]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.color(color) & self.role(role)
    }

    /// The squares of a colour's rooks and queens.
    #[inline(always)]
    pub fn orthogonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Rook) | self.role(Role::Queen))
    }

    /// The squares of a colour's bishops and queens.
    #[inline(always)]
    pub fn diagonal_sliders(&self, color: Color) -> Bitboard {
        self.color(color) & (self.role(Role::Bishop) | self.role(Role::Queen))
    }

    /// The square of a colour's king, if it has exactly one.
    pub fn king(&self, color: Color) -> Option<Square> {
        let kings = self.pieces(color, Role::King);
        if kings.has_many() { None } else { kings.first() }
    }

    /// The kind of man on a square.
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.occupied().has(square).then(|| self.role_on_occupied(square))
    }

    /// The kind of man on a square that is not empty; a pawn's if it is empty.
    ///
    /// The bits of the role's number are looked up, so there is no branch for the CPU to guess
    /// wrong.
    #[inline(always)]
    pub(crate) fn role_on_occupied(&self, square: Square) -> Role {
        let [_, knights, bishops, rooks, queens, kings] = self.roles;
        let bit = |set: Bitboard| set.0 >> square as u8 & 1;
        let number =
            bit(knights | rooks | kings) | bit(bishops | rooks) << 1 | bit(queens | kings) << 2;
        match number {
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            5 => Role::King,
            _ => Role::Pawn,
        }
    }

    /// Whose man stands on a square.
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).has(square))
    }

    /// The man on a square.
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = self.color_on(square)?;
        Some(self.role_on_occupied(square).of(color))
    }

    /// Puts a man on a square, or clears it; whoever stood there goes.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let others = !square.bitboard();
        for set in self.roles.iter_mut().chain(&mut self.colors) {
            *set &= others;
        }
        if let Some(Piece { color, role }) = piece {
            self.roles[role as usize] |= square.bitboard();
            self.colors[color as usize] |= square.bitboard();
        }
    }

    /// The board after the man on one square went to another, while the one on `victim`, if any,
    /// left.
    ///
    /// All eight sets are made anew, and all in the same way, without looking up which of them
    /// change: that leaves nothing for the CPU to wait for or to guess, and vectors can do it.
    /// Whatever the squares, no two men share one afterwards.
    #[inline(always)]
    pub(crate) fn after(&self, from: Square, to: Square, victim: Bitboard) -> Self {
        let gone = from.bitboard() | to.bitboard() | victim;
        let set = |old: Bitboard| (old - gone) | Bitboard((old.0 >> from as u8 & 1) << to as u8);
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let [white, black] = self.colors;
        Self {
            roles: [set(pawns), set(knights), set(bishops), set(rooks), set(queens), set(kings)],
            colors: [set(white), set(black)],
        }
    }

    /// The same board with the man on a square, if any, turned into one of another role.
    #[inline(always)]
    pub(crate) fn turned_into(mut self, square: Square, role: Role) -> Self {
        let man = self.occupied() & square.bitboard();
        for set in &mut self.roles {
            *set -= man;
        }
        self.roles[role as usize] |= man;
        self
    }

    /// The board after king and rook of `us` went from two squares to two others. Either may stand
    /// on the other's target, or on its own already.
    #[inline]
    pub(crate) fn after_castling(&self, us: Color, from: [Square; 2], to: [Square; 2]) -> Self {
        let gone = from.into_iter().chain(to).fold(Bitboard::EMPTY, Bitboard::with);
        let [king, rook] = to;
        let mut board = Self {
            roles: self.roles.map(|set| set - gone),
            colors: self.colors.map(|set| set - gone),
        };
        board.roles[Role::King as usize] |= king.bitboard();
        board.roles[Role::Rook as usize] |= rook.bitboard();
        board.colors[us as usize] |= king.bitboard() | rook.bitboard();
        board
    }

    /// The men of both colours that attack a square.
    ///
    /// ```
    /// use tabiya::{Board, Square};
    /// let f3 = Board::START.attackers_to(Square::F3);
    /// assert!(f3.iter().eq([Square::G1, Square::E2, Square::G2]));
    /// ```
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.attackers_with(DefaultSliders::default(), square, self.occupied())
    }

    /// The men that attack a square if the board were occupied as given: men may be taken away
    /// or added as blockers. The attackers themselves are those of the board.
    #[inline(always)]
    pub fn attackers_with<S: Sliders>(
        &self,
        sliders: S,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.role(Role::Queen);
        let pawns = self.role(Role::Pawn);
        (attacks::king(square) & self.role(Role::King))
            | (attacks::knight(square) & self.role(Role::Knight))
            | (sliders.rook(square, occupied) & (self.role(Role::Rook) | queens))
            | (sliders.bishop(square, occupied) & (self.role(Role::Bishop) | queens))
            | (attacks::pawn(Color::White, square) & pawns & self.color(Color::Black))
            | (attacks::pawn(Color::Black, square) & pawns & self.color(Color::White))
    }

    /// The squares that the man on `square` attacks; none if it is empty.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.piece_on(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::piece(DefaultSliders::default(), piece, square, self.occupied())
        })
    }

    /// The squares that one colour's men attack together.
    pub fn attacks_by(&self, color: Color) -> Bitboard {
        self.color(color)
            .iter()
            .fold(Bitboard::EMPTY, |attacked, from| attacked | self.attacks_from(from))
    }

    /// Every man and its square, from a1 to h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The board seen from the other side, with the colours changed.
    ///
    /// A position and its mirror have the same moves, mirrored.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            roles: self.roles.map(Bitboard::flip_ranks),
            colors: [self.colors[1].flip_ranks(), self.colors[0].flip_ranks()],
        }
    }
}

/// Draws the board from White's side, a dot for an empty square.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let man = self.piece_on(Square::new(file, rank)).map_or('.', Piece::fen);
                write!(f, "{man}{}", if file == File::H { '\n' } else { ' ' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board(\n{self})")
    }
}
