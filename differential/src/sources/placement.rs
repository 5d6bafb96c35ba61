//! Pieces anywhere.

use tabiya::{
    Bitboard, Board, CastlingMode, CastlingRights, Color, Piece, Rank, Role, Setup, Square, attacks,
};

use super::Found;
use tabiya::SplitMix64;

/// A board to which pieces are added.
pub(super) struct Placement<'a> {
    pub(super) random: &'a mut SplitMix64,
    pub(super) board: Board,
}

impl<'a> Placement<'a> {
    pub(super) fn new(random: &'a mut SplitMix64) -> Self {
        Self { random, board: Board::EMPTY }
    }

    /// An empty square among these, if there is one.
    pub(super) fn empty(&mut self, among: Bitboard) -> Option<Square> {
        let squares = among - self.board.occupied();
        let number = self.random.below(squares.len().max(1) as usize);
        squares.into_iter().nth(number)
    }

    /// Puts a piece on an empty square among these, if there is one.
    pub(super) fn put(&mut self, color: Color, role: Role, among: Bitboard) -> Option<Square> {
        let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let square = self.empty(if role == Role::Pawn { among - back_ranks } else { among })?;
        self.board.set(square, Some(Piece { color, role }));
        Some(square)
    }

    /// Puts both kings anywhere, unless they stand there already.
    pub(super) fn put_kings(&mut self) {
        for color in Color::ALL {
            if self.board.king(color).is_none() {
                self.put(color, Role::King, Bitboard::FULL);
            }
        }
    }

    /// Adds up to `most` pieces anywhere.
    pub(super) fn scatter(&mut self, most: usize) {
        for _ in 0..self.random.below(most + 1) {
            let color = self.color();
            if self.board.color(color).len() < 16 {
                let role = self.role();
                self.put(color, role, Bitboard::FULL);
            }
        }
    }

    pub(super) fn color(&mut self) -> Color {
        self.random.pick(&Color::ALL)
    }

    /// A role other than the king.
    pub(super) fn role(&mut self) -> Role {
        const ROLES: [Role; 8] = [
            Role::Pawn,
            Role::Pawn,
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Rook,
            Role::Queen,
        ];
        self.random.pick(&ROLES)
    }

    /// The setup with this side to move, usually with the castling rights and the en-passant square
    /// that fit. Sometimes a right or a square is added that does not fit.
    pub(super) fn finish(self, turn: Color) -> Setup {
        let Self { random, board } = self;
        let mut setup =
            Setup { board, turn, castling_mode: CastlingMode::Chess960, ..Setup::EMPTY };
        setup.halfmove_clock = match random.below(8) {
            0 => random.below(160) as u16,
            _ => random.below(40) as u16,
        };
        let most = if random.below(64) == 0 { 65_535 } else { 200 };
        setup.fullmove_number = 1 + random.below(most) as u16;
        setup.castling = rights(&board, random);
        if setup.has_standard_castling() && random.below(4) != 0 {
            setup.castling_mode = CastlingMode::Standard;
        }
        setup.en_passant = match random.below(64) {
            0 => Some(random.pick(&Square::ALL)),
            1..24 => double_push(&board, turn, random),
            _ => None,
        };
        setup
    }
}

/// Rights of rooks on the back rank beside their king, and sometimes of others.
fn rights(board: &Board, random: &mut SplitMix64) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        let back_rank = color.back_rank().bitboard();
        let Some(king) = board.king(color) else { continue };
        let rooks = board.pieces(color, Role::Rook) & back_rank;
        if back_rank.has(king) && random.below(4) != 0 {
            // Any rook may have the right, not only the outermost.
            let (left, right): (Vec<Square>, Vec<Square>) =
                rooks.into_iter().partition(|&rook| rook < king);
            for side in [left, right] {
                if !side.is_empty() && random.below(4) != 0 {
                    rights.add(random.pick(&side));
                }
            }
        }
        if random.below(256) == 0 {
            rights.add(random.pick(&Square::ALL));
        }
    }
    rights
}

/// A square that a double push can just have crossed.
fn double_push(board: &Board, turn: Color, random: &mut SplitMix64) -> Option<Square> {
    let pusher = !turn;
    let forward = if pusher == Color::White { 1 } else { -1 };
    let crossed = (board.pieces(pusher, Role::Pawn)).into_iter().filter_map(|pawn| {
        let to = pawn.offset(0, -forward)?;
        let origin = to.offset(0, -forward)?;
        let is_double = origin.rank() == pusher.pawn_rank();
        let is_open = !board.occupied().has(to) && !board.occupied().has(origin);
        (is_double && is_open).then_some(to)
    });
    let crossed: Vec<Square> = crossed.collect();
    if crossed.is_empty() { None } else { Some(random.pick(&crossed)) }
}

pub(super) fn any(random: &mut SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    if placement.random.below(3) == 0 {
        // On the back ranks, where castling may be possible.
        for color in Color::ALL {
            let back_rank = color.back_rank().bitboard();
            placement.put(color, Role::King, back_rank);
            for _ in 0..placement.random.below(3) {
                placement.put(color, Role::Rook, back_rank);
            }
        }
    }
    placement.put_kings();
    let most = placement.random.pick(&[6, 12, 20, 30]);
    placement.scatter(most);
    let turn = placement.color();
    Found::Setup(placement.finish(turn))
}

pub(super) fn few(random: &mut SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    // A king on the edge is mated and stalemated more often.
    if placement.random.below(2) == 0 {
        let color = placement.color();
        let edge = Bitboard(0xff81_8181_8181_81ff);
        placement.put(color, Role::King, edge);
    }
    placement.put_kings();
    for _ in 0..placement.random.below(5) {
        let color = placement.color();
        let role = placement.random.pick(&[
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
        ]);
        placement.put(color, role, Bitboard::FULL);
    }
    let turn = placement.color();
    Found::Setup(placement.finish(turn))
}

/// Queens against a king that its own pieces shield in a corner: the most moves of all.
fn queens(mut placement: Placement<'_>) -> Found {
    let turn = placement.color();
    let corner = placement.random.pick(&[Square::A1, Square::H1, Square::A8, Square::H8]);
    placement.board.set(corner, Some(Role::King.of(!turn)));
    for square in attacks::king(corner) {
        let role = placement.random.pick(&[Role::Knight, Role::Bishop, Role::Rook]);
        placement.board.set(square, Some(role.of(!turn)));
    }
    placement.put(turn, Role::King, Bitboard::FULL);
    for _ in 0..6 + placement.random.below(10) {
        placement.put(turn, Role::Queen, Bitboard::FULL);
    }
    Found::Setup(placement.finish(turn))
}

pub(super) fn extreme(random: &mut SplitMix64) -> Found {
    let mut placement = Placement::new(random);
    if placement.random.below(8) == 0 {
        return queens(placement);
    }
    placement.put_kings();
    for color in Color::ALL {
        let role = if placement.random.below(3) == 0 { Role::Queen } else { placement.role() };
        let is_mixed = placement.random.below(2) == 0;
        // Sometimes one piece too many.
        for _ in 0..placement.random.below(17) {
            let is_other = is_mixed && placement.random.below(4) == 0;
            let role = if is_other { placement.role() } else { role };
            placement.put(color, role, Bitboard::FULL);
        }
    }
    if placement.random.below(32) == 0 {
        let color = placement.color();
        placement.put(color, Role::King, Bitboard::FULL);
    }
    if placement.random.below(32) == 0 {
        let (color, square) = (placement.color(), placement.random.pick(&Square::ALL));
        if !placement.board.occupied().has(square) {
            placement.board.set(square, Some(Piece { color, role: Role::Pawn }));
        }
    }
    let turn = placement.color();
    Found::Setup(placement.finish(turn))
}
