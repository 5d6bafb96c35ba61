//! The eight directions of one position side by side.
//!
//! The counting kernel puts eight positions in a vector and takes the directions in turn. For the
//! node above them there is one position, so here the vector holds the eight directions instead:
//! a fill of all sliders in all directions is then some dozen instructions. Lanes 0 to 3 are the
//! rising directions north, east, north-east and north-west; lane `i ^ 4` is opposite to lane `i`.
//! Steps are rotations, so that one instruction serves rising and falling lanes; `LANDING` clears
//! what came round the edge.

use core::ops::{BitAnd, BitOr, BitXor, Not};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const NOT_1: u64 = !0xff;
const NOT_8: u64 = !0 >> 8;

/// How far each lane's step rotates to the left.
pub(super) const STEP: [u64; 8] = [8, 1, 9, 7, 56, 63, 55, 57];
/// Two steps.
pub(super) const STEP_2: [u64; 8] = [16, 2, 18, 14, 48, 62, 46, 50];
/// Four steps.
pub(super) const STEP_4: [u64; 8] = [32, 4, 36, 28, 32, 60, 28, 36];
/// Where each lane's step may land.
pub(super) const LANDING: [u64; 8] =
    [NOT_1, NOT_A, NOT_A & NOT_1, NOT_H & NOT_1, NOT_8, NOT_H, NOT_H & NOT_8, NOT_A & NOT_8];
/// Where each lane's step backwards may land.
pub(super) const LANDING_BACK: [u64; 8] =
    [NOT_8, NOT_H, NOT_H & NOT_8, NOT_A & NOT_8, NOT_1, NOT_A, NOT_A & NOT_1, NOT_H & NOT_1];
/// How far each lane's step backwards rotates to the left.
const BACK: [u64; 8] = [56, 63, 55, 57, 8, 1, 9, 7];
/// All ones in the lanes of rooks.
pub(super) const ORTHOGONAL: [u64; 8] = [!0, !0, 0, 0, !0, !0, 0, 0];
/// All ones in the lanes of bishops.
pub(super) const DIAGONAL: [u64; 8] = [0, 0, !0, !0, 0, 0, !0, !0];
/// All ones in the lanes of a slider: of nobody, of rooks, of bishops, of queens.
pub(super) static LINES: [[u64; 8]; 4] = [[0; 8], ORTHOGONAL, DIAGONAL, [!0; 8]];
/// The rotations of the eight knight steps, and where they may land.
pub(super) const KNIGHT_STEP: [u64; 8] = [17, 15, 10, 6, 47, 49, 54, 58];
const NOT_AB: u64 = NOT_A & (NOT_A << 1);
const NOT_GH: u64 = NOT_H & (NOT_H >> 1);
const NOT_12: u64 = !0xffff;
const NOT_78: u64 = !0 >> 16;
/// Where each knight step may land.
pub(super) const KNIGHT_LANDING: [u64; 8] = [
    NOT_A & NOT_12,
    NOT_H & NOT_12,
    NOT_AB & NOT_1,
    NOT_GH & NOT_1,
    NOT_H & NOT_78,
    NOT_A & NOT_78,
    NOT_GH & NOT_8,
    NOT_AB & NOT_8,
];

/// The eight rays from every square.
pub(super) static RAYS: [[u64; 8]; 64] = {
    let mut rays = [[0; 8]; 64];
    let mut square = 0;
    while square < 64 {
        let mut lane = 0;
        while lane < 8 {
            let mut at = 1u64 << square;
            loop {
                at = at.rotate_left(STEP[lane] as u32) & LANDING[lane];
                if at == 0 {
                    break;
                }
                rays[square][lane] |= at;
            }
            lane += 1;
        }
        square += 1;
    }
    rays
};

/// Eight bitboards, one for each direction.
pub(crate) trait Star:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    fn splat(x: u64) -> Self;
    fn load(from: &[u64; 8]) -> Self;
    fn store(self) -> [u64; 8];
    /// Each lane rotated left by its own amount. Bits that come round the edge may be lost.
    fn rotate(self, by: &[u64; 8]) -> Self;
    /// Each lane's value in the lane of the opposite direction.
    fn opposite(self) -> Self;
    /// This value in the lanes where `condition` is not empty, nothing elsewhere.
    fn if_any(self, condition: Self) -> Self;
    /// What is in some lane, and what is in two: those of `twice`, and those of two lanes of `once`.
    fn overlap(once: Self, twice: Self) -> (u64, u64);
    /// Each ray up to and with the first of the `blockers`, which lie on it.
    fn up_to(ray: Self, blockers: Self) -> Self;
    /// The union of the lanes.
    fn union(self) -> u64;
    /// The union of the rooks' lanes, and of the bishops'.
    fn lines(self) -> (u64, u64);
    /// Is any lane not empty?
    fn any(self) -> bool;

    /// A sum of population counts.
    type Sums: Copy;
    fn sums() -> Self::Sums;
    /// Adds the number of members.
    fn add(sums: &mut Self::Sums, x: Self);
    /// Adds the number of members times two to the `weight`, a constant.
    fn add_weighted(sums: &mut Self::Sums, x: Self, weight: u32);
    /// Doubles what is summed so far.
    fn double(sums: &mut Self::Sums);
    /// The first sums less the second; a negative number stands as its two's complement.
    fn difference(sums: Self::Sums, less: Self::Sums) -> Self::Sums;
    /// The sums, lane by lane.
    fn lanes(sums: Self::Sums) -> [u64; 8];
    /// The sum over all lanes, wrapping round.
    fn total(sums: Self::Sums) -> u64;

    /// Every member one step on in its lane's direction.
    #[inline(always)]
    fn step(self) -> Self {
        self.rotate(&STEP) & Self::load(&LANDING)
    }
    /// Every member one step back.
    #[inline(always)]
    fn back(self) -> Self {
        self.rotate(&BACK) & Self::load(&LANDING_BACK)
    }
    /// As [`Star::back`] for a set whose image is going to be masked.
    #[inline(always)]
    fn rotate_back(self) -> Self {
        self.rotate(&BACK)
    }
    /// Rook-like men in the rooks' lanes, bishop-like men in the bishops'.
    #[inline(always)]
    fn sliders(orthogonal: u64, diagonal: u64) -> Self {
        (Self::splat(orthogonal) & Self::load(&ORTHOGONAL))
            | (Self::splat(diagonal) & Self::load(&DIAGONAL))
    }
    /// The squares reached from `self` through `empty`, the first that is not empty with them.
    #[inline(always)]
    fn slide(self, empty: Self) -> Self {
        let p = empty & Self::load(&LANDING);
        let g = self | (p & self.rotate(&STEP));
        let p2 = p & p.rotate(&STEP);
        let g = g | (p2 & g.rotate(&STEP_2));
        let p4 = p2 & p2.rotate(&STEP_2);
        let g = g | (p4 & g.rotate(&STEP_4));
        g.step()
    }
    /// The rays from one square, each up to and with its first blocker.
    #[inline(always)]
    fn look(square: u32, occupied: Self) -> Self {
        let ray = Self::load(&RAYS[(square & 63) as usize]);
        Self::up_to(ray, ray & occupied)
    }
}
