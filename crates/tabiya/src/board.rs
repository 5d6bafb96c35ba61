//! The placement of the pieces, and nothing else.

use core::fmt;

use crate::attacks::{self, DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::role::{Piece, Role};
use crate::square::{File, Rank, Square};

/// The placement of the pieces: one set for each role and one for each colour.
///
/// ```
/// use tabiya::{Board, Color, Piece, Role, Square};
/// let mut board = Board::EMPTY;
/// board.set(Square::E1, Some(Role::King.of(Color::White)));
/// assert_eq!(board.piece_on(Square::E1).map(Piece::fen), Some('K'));
/// assert_eq!(board.color(Color::White).len(), 1);
/// ```
#[doc(alias("bitboards", "placement", "mailbox"))]
// All eight sets are moved together, in vectors. With this alignment no vector crosses a cache
// line, which would delay every read that follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(align(32))]
pub struct Board {
    /// No two of them share a square.
    roles: [Bitboard; 6],
    /// They share no square, and together they are the squares of all roles.
    colors: [Bitboard; 2],
}

impl Board {
    /// The empty board.
    pub const EMPTY: Self = Self { roles: [Bitboard::EMPTY; 6], colors: [Bitboard::EMPTY; 2] };

    /// The pieces at the start of a game.
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

    /// The squares of all pieces.
    #[doc(alias("combined", "all pieces", "occupancy"))]
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        self.colors[0].union(self.colors[1])
    }

    /// The squares of one colour's pieces.
    #[doc(alias("colors", "by_color", "color_combined"))]
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// The squares of all pieces of a role, in both colours.
    #[doc(alias("by_role", "pieces"))]
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    /// The squares of one colour's pieces of a role.
    #[doc(alias("by_piece", "colored_pieces", "material_side"))]
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

    /// The role of the piece on a square.
    #[doc(alias("role_at", "piece_on"))]
    #[inline]
    pub fn role_on(&self, square: Square) -> Option<Role> {
        self.occupied().has(square).then(|| self.role_on_occupied(square))
    }

    /// The role of the piece on an occupied square; pawn if the square is empty.
    ///
    /// The bits of the role's number are read from the sets, so there is no branch for the CPU to
    /// mispredict.
    #[inline(always)]
    pub(crate) const fn role_on_occupied(&self, square: Square) -> Role {
        let [_, knights, bishops, rooks, queens, kings] = self.roles;
        let at = square as u8;
        let ones = (knights.0 | rooks.0 | kings.0) >> at & 1;
        let twos = (bishops.0 | rooks.0) >> at & 1;
        let fours = (queens.0 | kings.0) >> at & 1;
        let number = ones | twos << 1 | fours << 2;
        // The numbers 6 and 7 do not occur, because a piece has one role.
        const ROLES: [Role; 8] = {
            let [pawn, knight, bishop, rook, queen, king] = Role::ALL;
            [pawn, knight, bishop, rook, queen, king, pawn, pawn]
        };
        ROLES[number as usize & 7]
    }

    /// The colour of the piece on a square.
    #[doc(alias = "color_at")]
    #[inline]
    pub fn color_on(&self, square: Square) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.color(color).has(square))
    }

    /// The piece on a square.
    #[doc(alias = "piece_at")]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = self.color_on(square)?;
        Some(self.role_on_occupied(square).of(color))
    }

    /// Puts a piece on a square, or clears the square. A piece that stood there is removed.
    #[doc(alias("put", "remove", "set_piece", "clear_square", "edit"))]
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

    /// The board with these colours, and with the roles given by the bits of their numbers, the
    /// lowest bit first. No two pieces may share a square, and each role's number must be below 6.
    #[inline(always)]
    pub(crate) fn from_bits(roles: [Bitboard; 3], colors: [Bitboard; 2]) -> Self {
        let [ones, twos, fours] = roles;
        let occupied = colors[0] | colors[1];
        let roles = [
            occupied - ones - twos - fours,
            ones - twos - fours,
            twos - ones,
            ones & twos,
            fours - ones,
            fours & ones,
        ];
        Self { roles, colors }
    }

    /// Puts a piece on a square that is empty.
    #[inline(always)]
    pub(crate) fn put_on_empty(&mut self, square: Square, piece: Piece) {
        debug_assert!(!self.occupied().has(square));
        self.roles[piece.role as usize] |= square.bitboard();
        self.colors[piece.color as usize] |= square.bitboard();
    }

    /// The board after the piece on `from` has moved to `to` and the piece on `victim`, if any, has
    /// been removed.
    ///
    /// All eight sets are computed in the same way, without looking up which of them change. So
    /// there is no look-up to wait for and no branch to mispredict, and vector instructions can do
    /// the work. No two pieces share a square afterwards, even if the move is not legal.
    #[inline(always)]
    pub(crate) fn after(&self, from: Square, to: Square, victim: Bitboard) -> Self {
        let cleared = from.bitboard() | to.bitboard() | victim;
        let set = |old: Bitboard| (old - cleared) | Bitboard((old.0 >> from as u8 & 1) << to as u8);
        let [pawns, knights, bishops, rooks, queens, kings] = self.roles;
        let [white, black] = self.colors;
        Self {
            roles: [set(pawns), set(knights), set(bishops), set(rooks), set(queens), set(kings)],
            colors: [set(white), set(black)],
        }
    }

    /// The same board with another role for the piece on a square, if there is one.
    #[inline(always)]
    pub(crate) fn with_role(mut self, square: Square, role: Role) -> Self {
        let changed = self.occupied() & square.bitboard();
        for set in &mut self.roles {
            *set -= changed;
        }
        self.roles[role as usize] |= changed;
        self
    }

    /// The board after the king and a rook of `us` have castled. Before that, either may stand on
    /// the other's target or on its own.
    #[inline]
    pub(crate) fn after_castling(&self, us: Color, from: [Square; 2], to: [Square; 2]) -> Self {
        let cleared = from.into_iter().chain(to).fold(Bitboard::EMPTY, Bitboard::with);
        let [king, rook] = to;
        let mut board = Self {
            roles: self.roles.map(|set| set - cleared),
            colors: self.colors.map(|set| set - cleared),
        };
        board.roles[Role::King as usize] |= king.bitboard();
        board.roles[Role::Rook as usize] |= rook.bitboard();
        board.colors[us as usize] |= king.bitboard() | rook.bitboard();
        board
    }

    /// The pieces of both colours that attack a square.
    ///
    /// ```
    /// use tabiya::{Board, Square};
    /// let f3 = Board::START.attackers_to(Square::F3);
    /// assert!(f3.iter().eq([Square::G1, Square::E2, Square::G2]));
    /// ```
    #[doc(alias("attacks_to", "is_attacked"))]
    pub fn attackers_to(&self, square: Square) -> Bitboard {
        self.attackers_of(Color::White, square) | self.attackers_of(Color::Black, square)
    }

    /// The pieces of one colour that attack a square.
    pub(crate) fn attackers_of(&self, color: Color, square: Square) -> Bitboard {
        self.attackers_with(DefaultSliders::default(), color, square, self.occupied())
    }

    /// The pieces of one colour that would attack a square if exactly the squares of `occupied`
    /// were occupied. So blockers can be removed or added.
    ///
    /// ```
    /// use tabiya::{Board, Color, Square, attacks::Magic};
    /// let board = Board::START;
    /// let without_pawn = board.occupied().without(Square::E2);
    /// let attackers = board.attackers_with(Magic, Color::White, Square::E3, without_pawn);
    /// assert!(attackers.iter().eq([Square::D2, Square::F2]));
    /// ```
    #[inline(always)]
    pub fn attackers_with<S: Sliders>(
        &self,
        sliders: S,
        color: Color,
        square: Square,
        occupied: Bitboard,
    ) -> Bitboard {
        let queens = self.role(Role::Queen);
        let sliders = (sliders.rook(square, occupied) & (self.role(Role::Rook) | queens))
            | (sliders.bishop(square, occupied) & (self.role(Role::Bishop) | queens));
        let kings = attacks::king(square) & self.role(Role::King);
        self.pawns_and_knights_to(color, square) | ((kings | sliders) & self.color(color))
    }

    /// The pawns and knights of one colour that attack a square.
    #[inline(always)]
    pub(crate) fn pawns_and_knights_to(&self, color: Color, square: Square) -> Bitboard {
        (attacks::pawn(!color, square) & self.pieces(color, Role::Pawn))
            | (attacks::knight(square) & self.pieces(color, Role::Knight))
    }

    /// The slider, of either colour, that would attack a square without the piece on another: the
    /// pinner, if the square is that of a king and the piece is pinned.
    ///
    /// ```
    /// use tabiya::{Position, Square};
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
    /// let board = position.board();
    /// assert_eq!(board.slider_behind(Square::E1, Square::E2), Some(Square::E8));
    /// assert_eq!(board.slider_behind(Square::E1, Square::D2), None);
    /// ```
    #[doc(alias("pinner", "x-ray attacker"))]
    pub fn slider_behind(&self, square: Square, piece: Square) -> Option<Square> {
        let without_piece = self.occupied().without(piece);
        let behind = |color| {
            self.attackers_with(DefaultSliders::default(), color, square, without_piece)
                .iter()
                .find(|&attacker| attacks::between(square, attacker).has(piece))
        };
        Color::ALL.into_iter().find_map(behind)
    }

    /// The sliders of one colour that would attack a square on an empty board, each with its
    /// blockers. A slider without a blocker attacks the square. A single blocker is pinned or can
    /// discover an attack.
    #[inline(always)]
    pub(crate) fn snipers(
        &self,
        square: Square,
        color: Color,
    ) -> impl Iterator<Item = (Square, Bitboard)> {
        let occupied = self.occupied();
        let snipers = (attacks::rook_rays(square) & self.orthogonal_sliders(color))
            | (attacks::bishop_rays(square) & self.diagonal_sliders(color));
        snipers.iter().map(move |sniper| (sniper, attacks::between(square, sniper) & occupied))
    }

    /// The squares that the piece on `square` attacks; none if the square is empty.
    pub fn attacks_from(&self, square: Square) -> Bitboard {
        self.piece_on(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::piece(DefaultSliders::default(), piece, square, self.occupied())
        })
    }

    /// The squares that one colour's pieces attack.
    pub fn attacks_by(&self, color: Color) -> Bitboard {
        self.color(color)
            .iter()
            .fold(Bitboard::EMPTY, |attacked, from| attacked | self.attacks_from(from))
    }

    /// Every piece with its square, from a1 to h8.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().iter().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The board with ranks and colours exchanged.
    ///
    /// A position and its mirror have the same moves, mirrored.
    #[doc(alias = "flip")]
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            roles: self.roles.map(Bitboard::flip_ranks),
            colors: [self.colors[1].flip_ranks(), self.colors[0].flip_ranks()],
        }
    }
}

/// Draws the board with White at the bottom and a dot for each empty square.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let mark = self.piece_on(Square::new(file, rank)).map_or('.', Piece::fen);
                write!(f, "{mark}{}", if file == File::H { '\n' } else { ' ' })?;
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
