//! Values for fuzzing, made from the bytes of a fuzzer.

use arbitrary::{Arbitrary, Result, Unstructured};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, CastlingSide};
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::packed::PackedPosition;
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::rules::Game;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};
use crate::text::uci::UciMove;

/// Implements `Arbitrary` for types that have a list of all values.
macro_rules! choose {
    ($($type:ty: $all:expr;)*) => {$(
        impl<'a> Arbitrary<'a> for $type {
            fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
                bytes.choose(&$all).copied()
            }

            fn size_hint(_: usize) -> (usize, Option<usize>) {
                (1, Some(1))
            }
        }
    )*};
}

choose! {
    Color: Color::ALL;
    Role: Role::ALL;
    File: File::ALL;
    Rank: Rank::ALL;
    Square: Square::ALL;
    MoveKind: MoveKind::ALL;
    CastlingSide: CastlingSide::ALL;
    CastlingMode: [CastlingMode::Standard, CastlingMode::Chess960];
}

impl<'a> Arbitrary<'a> for Piece {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Role::arbitrary(bytes)?.of(Color::arbitrary(bytes)?))
    }
}

impl<'a> Arbitrary<'a> for Bitboard {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        u64::arbitrary(bytes).map(Self)
    }
}

impl<'a> Arbitrary<'a> for CastlingRights {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Bitboard::arbitrary(bytes)?.iter().collect())
    }
}

/// Any move, whether or not it makes sense.
impl<'a> Arbitrary<'a> for Move {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let (from, to) = (Square::arbitrary(bytes)?, Square::arbitrary(bytes)?);
        Ok(Self::new(from, to, MoveKind::arbitrary(bytes)?))
    }
}

impl<'a> Arbitrary<'a> for UciMove {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let (from, to) = (Square::arbitrary(bytes)?, Square::arbitrary(bytes)?);
        let promotion = match bool::arbitrary(bytes)? {
            true => Some(*bytes.choose(&Role::PROMOTIONS)?),
            false => None,
        };
        Ok(Self { from, to, promotion })
    }
}

/// Any pieces on any squares.
impl<'a> Arbitrary<'a> for Board {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut board = Self::EMPTY;
        for square in Bitboard::arbitrary(bytes)? {
            board.set(square, Some(Piece::arbitrary(bytes)?));
        }
        Ok(board)
    }
}

/// Any setup, playable or not.
impl<'a> Arbitrary<'a> for Setup {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Ok(Self {
            board: Arbitrary::arbitrary(bytes)?,
            turn: Arbitrary::arbitrary(bytes)?,
            castling: Arbitrary::arbitrary(bytes)?,
            castling_mode: Arbitrary::arbitrary(bytes)?,
            en_passant: Arbitrary::arbitrary(bytes)?,
            halfmove_clock: Arbitrary::arbitrary(bytes)?,
            fullmove_number: Arbitrary::arbitrary(bytes)?,
        })
    }
}

/// A playable position: one after some moves from a start position of Chess960, in which each side
/// may have its own arrangement, or a board with few pieces.
impl<'a> Arbitrary<'a> for Position {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut position = start(bytes)?;
        for _ in 0..bytes.int_in_range(0..=200u8)? {
            let moves = position.legal_moves();
            if bytes.is_empty() || moves.is_empty() {
                break;
            }
            position = position.play(*bytes.choose(&moves)?);
        }
        Ok(position)
    }
}

/// A game of some moves.
impl<'a> Arbitrary<'a> for Game {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut game = Self::from_position(start(bytes)?);
        while !bytes.is_empty() {
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let legal = game.push(*bytes.choose(&moves)?);
            debug_assert!(legal.is_ok(), "the move is from the list of legal moves");
        }
        Ok(game)
    }
}

/// The packed form of a playable position.
impl<'a> Arbitrary<'a> for PackedPosition {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        Position::arbitrary(bytes).map(|position| Self::of(&position))
    }
}

/// A position from which a game may begin, with all pieces or with few of them.
fn start(bytes: &mut Unstructured<'_>) -> Result<Position> {
    let setup = match bytes.int_in_range(0..=3u8)? {
        0 => return Ok(Position::START),
        1 => few_pieces(bytes)?,
        _ => arranged(bytes)?,
    };
    // Few pieces may happen to give check to the side that is not to move.
    Ok(Position::from_setup(&setup).unwrap_or(Position::START))
}

/// A back rank with the king between its rooks; other pieces may stand anywhere.
fn arranged(bytes: &mut Unstructured<'_>) -> Result<Setup> {
    let mut setup = Setup { castling_mode: CastlingMode::Chess960, ..Setup::EMPTY };
    for color in Color::ALL {
        use Role::{Bishop, King, Knight, Queen, Rook};
        let mut files = File::ALL;
        for last in (1..files.len()).rev() {
            files.swap(last, bytes.int_in_range(0..=last)?);
        }
        files[..3].sort_unstable();
        let roles = [Rook, King, Rook, Queen, Bishop, Bishop, Knight, Knight];
        for (file, role) in files.into_iter().zip(roles) {
            setup.board.set(Square::new(file, color.back_rank()), Some(role.of(color)));
            let pawn = Square::new(file, color.pawn_rank());
            setup.board.set(pawn, Some(Role::Pawn.of(color)));
            if role == Rook {
                setup.castling.add(Square::new(file, color.back_rank()));
            }
        }
    }
    Ok(setup)
}

/// Two kings and up to ten other pieces.
fn few_pieces(bytes: &mut Unstructured<'_>) -> Result<Setup> {
    let mut setup = Setup { turn: Color::arbitrary(bytes)?, ..Setup::EMPTY };
    for _ in 0..bytes.int_in_range(0..=10u8)? {
        let piece =
            Piece { role: *bytes.choose(&Role::ALL[..5])?, color: Color::arbitrary(bytes)? };
        let square = Square::arbitrary(bytes)?;
        let is_end = matches!(square.rank(), Rank::First | Rank::Eighth);
        if piece.role != Role::Pawn || !is_end {
            setup.board.set(square, Some(piece));
        }
    }
    for color in Color::ALL {
        // The piece may not stand on the square of the other king.
        let own: Bitboard = setup.board.pieces(!color, Role::King);
        let square = Square::arbitrary(bytes)?;
        let square = if own.has(square) { square.flip_ranks() } else { square };
        setup.board.set(square, Some(Role::King.of(color)));
    }
    Ok(setup)
}
