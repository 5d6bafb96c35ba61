//! FEN in its usual form, read without branches that depend on the pieces.
//!
//! Each branch that the CPU mispredicts costs as much as ten letters. So look-ups put the letters
//! of the board on their squares, the sets are gathered from all squares at once, and each of the
//! other fields is examined as one machine word.
//!
//! `read` handles everything that this does not understand; it knows every form and every error. A
//! test compares the two.

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights};
use crate::color::Color;
use crate::role::{Piece, Role};
use crate::setup::Setup;
use crate::square::Square;
use crate::zobrist;

/// The value that a byte of the board field puts on its square: the code of a piece, which has five
/// bits, or one of three other bits.
const DIGIT: u8 = 32;
const SLASH: u8 = 64;
const OTHER: u8 = 128;

const fn cell(byte: u8) -> u8 {
    match (byte, Piece::from_fen(byte as char)) {
        (_, Some(Piece { color, role })) => zobrist::code(color, role) as u8,
        (b'1'..=b'8', None) => DIGIT,
        (b'/', None) => SLASH,
        _ => OTHER,
    }
}

/// For each byte, the value that it puts on its square.
static CELLS: [u8; 256] = {
    let mut cells = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        cells[byte] = cell(byte as u8);
        byte += 1;
    }
    cells
};

/// For each byte, the number of squares that it fills. The end of a rank counts as one.
static WIDTHS: [u8; 256] = {
    let mut widths = [1; 256];
    let mut digit = 1;
    while digit <= 8 {
        widths[(b'0' + digit) as usize] = digit;
        digit += 1;
    }
    widths
};

/// A rank and the slash after it.
const STRIDE: usize = 9;
const LEN: usize = 8 * STRIDE - 1;

/// The pieces on the squares, in the order of FEN: ranks from the eighth to the first, with a place
/// for the slash after each.
struct Cells([u8; 128]);

impl Cells {
    /// Reads up to the first space, and returns its place. `None` if the number of squares is
    /// wrong.
    #[inline(always)]
    fn read(text: &[u8]) -> Option<(Self, usize)> {
        let mut cells = Self([0; 128]);
        let (mut place, mut end) = (0, 0);
        loop {
            let byte = *text.get(end)?;
            if byte == b' ' {
                break;
            }
            *cells.0.get_mut(place)? = CELLS[byte as usize];
            place += WIDTHS[byte as usize] as usize;
            end += 1;
        }
        (place == LEN).then_some((cells, end))
    }

    /// The eight places of a rank.
    #[inline(always)]
    fn rank(&self, rank: usize) -> [u8; 8] {
        let mut squares = [0; 8];
        squares.copy_from_slice(&self.0[rank * STRIDE..rank * STRIDE + 8]);
        squares
    }

    /// The key of the pieces.
    #[inline(always)]
    fn key(&self) -> u64 {
        let mut key = 0;
        for rank in 0..8 {
            for (file, code) in self.rank(rank).into_iter().enumerate() {
                key ^= zobrist::of_code(code, Square::ALL[(56 - 8 * rank) + file]);
            }
        }
        key
    }

    /// The board; `None` if something is wrong with it.
    #[inline(always)]
    fn board(&self) -> Option<Board> {
        let ranks = [0, 1, 2, 3, 4, 5, 6, 7].map(|rank| u64::from_le_bytes(self.rank(rank)));
        let [one, two, four, white, black, digits, slash, other] = planes(ranks);
        let slashes = (1..8).all(|rank| self.0[rank * STRIDE - 1] == SLASH);
        // A digit begins a rank or follows a piece.
        let allowed = (white | black) << 1 | u64::from_le_bytes([1; 8]);
        let set = |bits: u64| Bitboard(bits.swap_bytes());
        (slashes && slash | other | (digits & !allowed) == 0)
            .then(|| Board::from_bits([set(one), set(two), set(four)], [set(white), set(black)]))
    }
}

/// A board, the key of its pieces, and its end in the text.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    pub(super) board: Board,
    pub(super) key: u64,
    pub(super) end: usize,
}

/// The board at the start of a text, up to the first space; `None` if there is a mistake or other
/// white space.
#[inline(always)]
pub(super) fn board(text: &[u8]) -> Option<Placement> {
    let (cells, end) = Cells::read(text)?;
    Some(Placement { board: cells.board()?, key: cells.key(), end })
}

/// For each bit of a byte, the lowest first, the places of the bytes that have it.
#[inline(always)]
fn planes(ranks: [u64; 8]) -> [u64; 8] {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has SSE2.
    let planes = unsafe { planes_by_sse2(ranks) };
    #[cfg(not(target_arch = "x86_64"))]
    let planes = planes_by_words(ranks);
    planes
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "sse2")]
#[inline]
fn planes_by_sse2(ranks: [u64; 8]) -> [u64; 8] {
    use core::arch::x86_64::{_mm_add_epi8, _mm_movemask_epi8, _mm_set_epi64x};
    let mut planes = [0; 8];
    for pair in 0..4 {
        let mut bytes = _mm_set_epi64x(ranks[2 * pair + 1] as i64, ranks[2 * pair] as i64);
        // The highest bits first; adding the bytes to themselves moves the others up.
        for plane in planes.iter_mut().rev() {
            *plane |= u64::from(_mm_movemask_epi8(bytes) as u16) << (16 * pair);
            bytes = _mm_add_epi8(bytes, bytes);
        }
    }
    planes
}

/// The same for every CPU. On x86-64, tests compare both.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
fn planes_by_words(ranks: [u64; 8]) -> [u64; 8] {
    core::array::from_fn(|bit| {
        ranks.iter().rev().fold(0, |places, rank| {
            // The lowest bit of byte number i goes to bit 56 + i.
            let lowest = rank >> bit & u64::from_le_bytes([1; 8]);
            places << 8 | lowest.wrapping_mul(0x0102_0408_1020_4080) >> 56
        })
    })
}

// The fields after the board are examined in registers, with every byte XORed with a space. So a
// space is 0 there.

/// A byte as it is in a register.
const fn coded(byte: u8) -> u8 {
    byte ^ b' '
}

/// The number of bytes before the first space; 8 if there is none.
#[inline(always)]
const fn len_of_word(bytes: u64) -> u32 {
    const LOW: u64 = u64::from_le_bytes([1; 8]);
    // The lowest bit that is set belongs to the first byte that is 0.
    let zeros = bytes.wrapping_sub(LOW) & !bytes & LOW << 7;
    zeros.trailing_zeros() / 8
}

/// A number of at most four digits, and the bytes after the space that follows it.
#[inline(always)]
const fn number(bytes: u64) -> Option<(u16, u64)> {
    const ZEROS: u32 = u32::from_le_bytes([coded(b'0'); 4]);
    let len = len_of_word(bytes);
    if len == 0 || len > 4 {
        return None;
    }
    // Four digits, with zeros for those that were not written.
    let digits = ((bytes << 32 | ZEROS as u64) >> (8 * len)) as u32 ^ ZEROS;
    if (digits | digits.wrapping_add(0x0606_0606)) & 0xf0f0_f0f0 != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff;
    Some(((pairs * 100 + (pairs >> 16)) as u16, bytes >> (8 * len + 8)))
}

/// The meaning of each byte for castling: 1, 2, 4 and 8 are the rights `KQkq`, 16 says that there
/// are none, 32 is anything else, and 0 is a space.
static RIGHTS: [u8; 256] = {
    let mut rights = [32; 256];
    rights[coded(b'K') as usize] = 1;
    rights[coded(b'Q') as usize] = 2;
    rights[coded(b'k') as usize] = 4;
    rights[coded(b'q') as usize] = 8;
    rights[coded(b'-') as usize] = 16;
    rights[coded(b' ') as usize] = 0;
    rights
};

/// The rights in up to four letters, if all of them belong to kings and rooks on the squares where
/// they stand at the start of a game.
#[inline(always)]
fn castling(letters: u32, board: &Board) -> Option<CastlingRights> {
    let meanings = letters.to_le_bytes().map(|letter| u32::from(RIGHTS[letter as usize]));
    let rights: u32 = meanings.iter().sum();
    let each_once = meanings.iter().fold(0, |rights, meaning| rights | meaning) == rights;
    if !each_once || !matches!(rights, 1..=16) {
        return None;
    }
    let rook =
        |number: u32, square: Square| Bitboard(u64::from(rights >> number & 1) << square as u8);
    let white = rook(0, Square::H1) | rook(1, Square::A1);
    let black = rook(2, Square::H8) | rook(3, Square::A8);
    let may_castle = |color: Color, king: Square, rooks: Bitboard| {
        let king_is_there = board.pieces(color, Role::King) == king.bitboard();
        let rooks_are_there = rooks.is_subset(board.pieces(color, Role::Rook));
        rooks.is_empty() | (king_is_there & rooks_are_there)
    };
    (may_castle(Color::White, Square::E1, white) & may_castle(Color::Black, Square::E8, black))
        .then(|| CastlingRights::of_rooks(white | black))
}

/// Reads the fields after the board in their usual form: one space before each, castling rights of
/// standard chess, both counters or none, and not more than 16 bytes. `end` is the end of the
/// board.
#[inline(always)]
pub(super) fn others(text: &[u8], &Placement { ref board, end, .. }: &Placement) -> Option<Setup> {
    const WHITE: u16 = u16::from_le_bytes([coded(b'w'), 0]);
    const BLACK: u16 = u16::from_le_bytes([coded(b'b'), 0]);
    const NONE: u16 = u16::from_le_bytes([coded(b'-'), 0]);
    let (len, last) = (text.len() - end, text.last_chunk::<16>()?);
    if !matches!(len, 6..=16) {
        return None;
    }
    // The lowest byte is the space after the board.
    let bytes = (u128::from_le_bytes(*last) ^ u128::from_le_bytes([b' '; 16])) >> (8 * (16 - len));
    let turn = match (bytes >> 8) as u16 {
        WHITE => Color::White,
        BLACK => Color::Black,
        _ => return None,
    };
    let letters = (bytes >> 24) as u64;
    let count = len_of_word(letters);
    if count > 4 {
        return None;
    }
    let castling = castling((letters & ((1 << (8 * count)) - 1)) as u32, board)?;
    let bytes = bytes >> (32 + 8 * count);
    let (en_passant, bytes) = if bytes as u16 == NONE {
        (None, bytes >> 16)
    } else {
        let [file, rank, 0, _] = (bytes as u32).to_le_bytes() else { return None };
        let (file, rank) = (coded(file).wrapping_sub(b'a'), coded(rank).wrapping_sub(b'1'));
        if file > 7 || rank > 7 {
            return None;
        }
        (Some(Square::from_low_bits(8 * rank + file)), bytes >> 24)
    };
    let (mut halfmove_clock, mut fullmove_number) = (0, 1);
    if bytes != 0 {
        // No room for a ninth byte.
        let (clock, rest) = number(u64::try_from(bytes).ok()?)?;
        let (number, rest) = number(rest)?;
        if rest != 0 {
            return None;
        }
        (halfmove_clock, fullmove_number) = (clock, number.max(1));
    }
    Some(Setup {
        board: *board,
        turn,
        castling,
        castling_mode: CastlingMode::Standard,
        en_passant,
        halfmove_clock,
        fullmove_number,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    /// The planes, bit by bit.
    fn planes_one_by_one(ranks: [u64; 8]) -> [u64; 8] {
        let mut planes = [0; 8];
        for (plane, bit) in planes.iter_mut().zip(0..) {
            for place in 0..64 {
                // The first byte of a rank is the lowest.
                let byte = (ranks[place / 8] >> (8 * (place % 8))) as u8;
                *plane |= u64::from(byte >> bit & 1) << place;
            }
        }
        planes
    }

    fn compare(ranks: [u64; 8]) {
        let expected = planes_one_by_one(ranks);
        assert_eq!(planes(ranks), expected, "{ranks:x?}");
        assert_eq!(planes_by_words(ranks), expected, "by words: {ranks:x?}");
        #[cfg(target_arch = "x86_64")]
        // SAFETY: every x86-64 CPU has SSE2.
        let by_sse2 = unsafe { planes_by_sse2(ranks) };
        #[cfg(target_arch = "x86_64")]
        assert_eq!(by_sse2, expected, "by SSE2: {ranks:x?}");
    }

    #[test]
    fn every_way_to_gather_planes_agrees_on_single_bits_and_random_bytes() {
        for bit in (0..512).step_by(if cfg!(miri) { 37 } else { 1 }) {
            let mut ranks = [0; 8];
            ranks[bit / 64] = 1 << (bit % 64);
            compare(ranks);
            compare(ranks.map(|rank: u64| !rank));
        }
        let mut random = SplitMix64::new(0);
        for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
            compare([0; 8].map(|_| random.number()));
        }
    }

    #[test]
    fn every_way_to_gather_planes_agrees_on_the_boards_of_the_suites() {
        let mut boards = 0;
        for suite in [tabiya_suites::STANDARD, tabiya_suites::RULES, tabiya_suites::REGRESSION] {
            let lines = suite.text.lines().filter(|line| !line.starts_with('#'));
            for line in lines.take(if cfg!(miri) { 20 } else { usize::MAX }) {
                let (cells, _) = Cells::read(line.as_bytes()).expect("a board of 64 squares");
                compare([0, 1, 2, 3, 4, 5, 6, 7].map(|rank| u64::from_le_bytes(cells.rank(rank))));
                assert_eq!(
                    cells.board().map(|board| board.occupied()),
                    Some(occupied_by_letters(line))
                );
                boards += 1;
            }
        }
        assert!(boards >= 40, "{boards} boards");
    }

    /// The occupied squares, letter by letter.
    fn occupied_by_letters(line: &str) -> Bitboard {
        let (mut file, mut rank, mut occupied) = (0, 7, 0_u64);
        for letter in line.chars().take_while(|letter| *letter != ' ') {
            match letter {
                '/' => (file, rank) = (0, rank - 1),
                '1'..='8' => file += letter as u32 - '0' as u32,
                _ => {
                    occupied |= 1 << (8 * rank + file);
                    file += 1;
                }
            }
        }
        Bitboard(occupied)
    }

    #[test]
    fn counters_of_up_to_four_digits_are_read() {
        for (fen, expected) in [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", Some((0, 1))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 12 345", Some((12, 345))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 9876 543", Some((9876, 543))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 21 6543", Some((21, 6543))),
            ("4k3/8/8/8/8/8/8/4K3 w - - 12345 1", None),
            ("4k3/8/8/8/8/8/8/4K3 w - - 1 12345", None),
        ] {
            let found = board(fen.as_bytes()).expect("a board");
            let setup = others(fen.as_bytes(), &found);
            assert_eq!(setup.map(|it| (it.halfmove_clock, it.fullmove_number)), expected, "{fen}");
        }
    }

    /// Checks that the usual form of FEN is read here and not word by word. Both ways give the same
    /// result, so no other test would notice.
    #[test]
    fn usual_fens_are_read() {
        let suites = ["standard.epd", "regression.epd", "rules.epd"].map(tabiya_suites::file);
        let lines = suites.iter().flat_map(|suite| suite.as_ref().unwrap().text.lines());
        let fens =
            lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split(';').next());
        let mut read = 0;
        for fen in fens.map(|fen| fen.trim().as_bytes()).filter(|fen| !fen.is_empty()) {
            let found = board(fen).expect("the board is written as usual");
            assert_eq!(fen[found.end], b' ');
            // The fields that are read last fit into 16 bytes if the counters are not large.
            let is_short = fen.len() - found.end <= 16;
            assert_eq!(others(fen, &found).is_some(), is_short, "{}", fen.escape_ascii());
            // The same FEN without the counters.
            let mut spaces = (0..fen.len()).filter(|&at| fen[at] == b' ');
            let epd = &fen[..spaces.nth(3).unwrap_or(fen.len())];
            assert!(others(epd, &found).is_some(), "{}", epd.escape_ascii());
            read += 1;
        }
        assert!(read > 400, "{read}");
    }
}
