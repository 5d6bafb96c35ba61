//! Fingerprints: random numbers that stand for positions.
//!
//! The fingerprint of a position is the XOR of one random number for each piece on its square, each
//! rook that may castle, and the square on which a capture en passant is legal. Two different
//! positions with the same side to move differ in at least one of these. The XOR of the numbers in
//! which they differ is random. So if the numbers are truly random, any *n* bits of the
//! fingerprints of two different positions are equal with a chance of exactly 2^-n. This is a
//! theorem: it assumes nothing about the positions. The numbers are the output of ChaCha20 with a
//! 256-bit [seed](Seed) as its key.
//!
//! Source: Albert Zobrist, "A New Hashing Method with Application for Game Playing", 1970.

use chacha20::ChaCha20Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use tabiya::{Bitboard, Color, Piece, Position, Role, Square};

use tabiya_perft::Seed;

/// The fingerprint of a position.
///
/// The highest 32 bits select the pass in which a position is counted ([`share_of`]). The other
/// bits are compared.
pub(super) type Fingerprint = u128;

/// The number of bits of a fingerprint that are compared.
pub(super) const COMPARED_BITS: i32 = 96;
/// The number of shares into which all fingerprints are divided.
pub(super) const SHARES: u64 = 1 << 32;

/// The share that this fingerprint belongs to, from 0 to [`SHARES`] - 1.
#[inline(always)]
pub(super) const fn share_of(fingerprint: Fingerprint) -> u32 {
    (fingerprint >> COMPARED_BITS) as u32
}

/// The random numbers that fingerprints consist of.
#[derive(Debug)]
pub(super) struct FingerprintKeys {
    pieces: [[[u128; 64]; 6]; 2],
    castling: [u128; 64],
    en_passant: [u128; 64],
}

impl FingerprintKeys {
    /// The numbers that a seed determines.
    pub(super) fn new(seed: Seed) -> Box<Self> {
        let mut random = ChaCha20Rng::from_seed(seed.to_bytes());
        let mut next = || u128::from(random.next_u64()) << 64 | u128::from(random.next_u64());
        let mut keys =
            Box::new(Self { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], en_passant: [0; 64] });
        let Self { pieces, castling, en_passant } = &mut *keys;
        let tables = pieces.as_flattened_mut().iter_mut().chain([castling, en_passant]);
        tables.flatten().for_each(|number| *number = next());
        keys
    }

    /// The number of a piece on a square.
    #[inline(always)]
    pub(super) const fn piece(&self, color: Color, role: Role, square: Square) -> u128 {
        self.pieces[color as usize][role as usize][square as usize]
    }

    /// The numbers of all squares for one piece.
    #[inline(always)]
    pub(super) const fn squares(&self, color: Color, role: Role) -> &[u128; 64] {
        &self.pieces[color as usize][role as usize]
    }

    /// The number of a square on which a capture en passant is legal; 0 if there is none.
    #[inline(always)]
    pub(super) fn en_passant(&self, square: Option<Square>) -> u128 {
        square.map_or(0, |square| self.en_passant[square as usize])
    }

    /// The XOR of the numbers of rooks that may castle.
    #[inline(always)]
    pub(super) fn castling(&self, rooks: Bitboard) -> u128 {
        rooks.iter().fold(0, |sum, rook| sum ^ self.castling[rook as usize])
    }

    /// The fingerprint of a position.
    pub(super) fn fingerprint(&self, position: &Position) -> Fingerprint {
        let pieces = position
            .board()
            .iter()
            .fold(0, |sum, (square, Piece { color, role })| sum ^ self.piece(color, role, square));
        pieces
            ^ self.castling(position.castling_rights().rooks())
            ^ self.en_passant(position.en_passant())
    }
}
