//! Magic multiplication: a product of the relevant occupancy gives the index of the attack set.
//!
//! Multiplying the relevant occupancy by a well-chosen number moves its bits to the top, and the
//! top bits of the product are the index. Two occupancies may share an index only if their attacks
//! are the same. Each square has as many indices as relevant occupancies ("fancy" magics). The
//! multipliers in [`magic_numbers`](super::magic_numbers) were found by trial and error
//! (the test `magics`).
//!
//! Source: Lasse Hansen and Pradu Kannan, "Magic Move-Bitboard Generation in Computer Chess".

use super::table::{Half, Slider};
use super::{Sliders, magic_numbers, relevant};
use crate::bitboard::Bitboard;
use crate::square::Square;

/// The data of a square, looked up before the multiplication.
///
/// ```
/// use tabiya::attacks::Magic;
/// use tabiya::{Bitboard, Square};
/// let entry = Magic::rook_entry(Square::A1);
/// assert_eq!((entry.mask.len(), entry.shift, entry.start), (12, 52, 0));
/// // Blockers outside the mask, such as one in the corner, do not change the index.
/// let corner = Square::H1.bitboard();
/// assert_eq!(entry.index(corner), entry.index(Bitboard::EMPTY));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MagicEntry {
    /// The relevant squares.
    pub mask: Bitboard,
    /// The number with which the relevant occupancy is multiplied.
    pub multiplier: u64,
    /// The index in the table at which the square's attack sets begin.
    pub start: u32,
    /// The shift of the product: 64 minus the number of relevant squares.
    pub shift: u32,
}

impl MagicEntry {
    /// The place of an occupancy's attack set in the table.
    #[inline(always)]
    pub const fn index(self, occupied: Bitboard) -> usize {
        let product = (occupied.0 & self.mask.0).wrapping_mul(self.multiplier);
        self.start as usize + (product >> (self.shift & 63)) as usize
    }
}

/// The entries are kept apart from the table, so that a program that only shows them does not
/// contain the attack sets.
static ROOK_ENTRIES: [MagicEntry; 64] = entries(Slider::Rook, &magic_numbers::ROOK);
static BISHOP_ENTRIES: [MagicEntry; 64] = entries(Slider::Bishop, &magic_numbers::BISHOP);
static ROOK: [Bitboard; relevant::ROOK_OCCUPANCIES] =
    attack_sets(Slider::Rook, &magic_numbers::ROOK);
static BISHOP: [Bitboard; relevant::BISHOP_OCCUPANCIES] =
    attack_sets(Slider::Bishop, &magic_numbers::BISHOP);

const fn entries(slider: Slider, magics: &[u64; 64]) -> [MagicEntry; 64] {
    let starts = slider.starts();
    let empty = MagicEntry { mask: Bitboard::EMPTY, multiplier: 0, start: 0, shift: 0 };
    let mut entries = [empty; 64];
    let mut index = 0;
    while index < 64 {
        let mask = slider.mask(Square::ALL[index]);
        entries[index] = MagicEntry {
            mask,
            multiplier: magics[index],
            start: starts[index],
            shift: 64 - mask.len(),
        };
        index += 1;
    }
    entries
}

/// The products of a line's occupancies with the multiplier.
const fn products(half: &Half, magic: u64) -> [u128; 64] {
    let mut products = [0; 64];
    let mut case = 0;
    while case < half.cases {
        products[case] = half.occupancies[case].wrapping_mul(magic) as u128;
        case += 1;
    }
    products
}

/// The attack sets of all squares, each square's run in the order of its indices.
///
/// Compilation fails if the runs do not fill the table exactly, or if two occupancies with
/// different attacks get the same index.
const fn attack_sets<const CASES: usize>(slider: Slider, magics: &[u64; 64]) -> [Bitboard; CASES] {
    let mut sets = [Bitboard::EMPTY; CASES];
    let starts = slider.starts();
    let mut end = 0;
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let (magic, shift) = (magics[index], 64 - slider.mask(square).len());
        let [first, second] = slider.halves(square);
        let products = products(&second, magic);
        let (start, cases) = (starts[index] as usize, second.cases);
        let mut i = 0;
        while i < first.cases {
            let (product, attacks) = (first.occupancies[i].wrapping_mul(magic), first.attacks[i]);
            let mut j = 0;
            while j < cases {
                // A wrapping sum, without a call, which would slow down compile-time evaluation.
                let sum = (product as u128 + products[j]) as u64;
                let place = start + (sum >> shift) as usize;
                let set = attacks | second.attacks[j];
                let old = sets[place].0;
                // Every slider attacks some square, so an empty entry has not been filled in yet.
                assert!(old == 0 || old == set, "two sets with one index");
                sets[place].0 = set;
                j += 1;
            }
            i += 1;
        }
        end = start + first.cases * cases;
        index += 1;
    }
    assert!(end == CASES, "the runs fill the table");
    sets
}

#[inline(always)]
fn look_up(entry: MagicEntry, attacks: &[Bitboard], occupied: Bitboard) -> Bitboard {
    let index = entry.index(occupied);
    debug_assert!(index < attacks.len());
    // SAFETY: the shift leaves as many bits as the mask has squares, and the entries divide the
    // table into runs of exactly 2 to that power, as the assertions in `attack_sets` prove.
    unsafe { *attacks.get_unchecked(index) }
}

/// Sliders by magic multiplication: the default of builds that do not assume BMI2.
#[doc(alias = "magic bitboards")]
#[derive(Clone, Copy, Debug, Default)]
pub struct Magic;

impl Magic {
    /// The entry for a rook on a square.
    pub const fn rook_entry(square: Square) -> MagicEntry {
        ROOK_ENTRIES[square as usize]
    }

    /// The entry for a bishop on a square.
    pub const fn bishop_entry(square: Square) -> MagicEntry {
        BISHOP_ENTRIES[square as usize]
    }
}

impl Sliders for Magic {
    const NAME: &'static str = "magic";

    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(ROOK_ENTRIES[square as usize], &ROOK, occupied)
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        look_up(BISHOP_ENTRIES[square as usize], &BISHOP, occupied)
    }
}
