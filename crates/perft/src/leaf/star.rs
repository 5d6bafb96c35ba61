//! The eight directions of one position side by side.
//!
//! The kernels put several positions in a vector and take the directions in turn. An interior node is
//! one position, so here the vector holds the eight directions instead: a fill of all sliders in all
//! directions is then some dozen instructions. Lanes 0 to 3 are the
//! rising directions north, east, north-east and north-west; lane `i ^ 4` is opposite to lane `i`.
//! Steps are rotations, so that one instruction serves rising and falling lanes; `LANDING` clears
//! what came round the edge.

use core::ops::{BitAnd, BitOr, BitXor, Not};

use super::sets::{NOT_A, NOT_H};
use super::tables::RAYS;

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
/// All ones in the lanes of rooks.
pub(super) const ORTHOGONAL: [u64; 8] = [!0, !0, 0, 0, !0, !0, 0, 0];
/// All ones in the lanes of bishops.
pub(super) const DIAGONAL: [u64; 8] = [0, 0, !0, !0, 0, 0, !0, !0];
/// All ones in the lanes of a slider: of nobody, of rooks, of bishops, of queens.
pub(super) static LINES: [[u64; 8]; 4] = [[0; 8], ORTHOGONAL, DIAGONAL, [!0; 8]];
/// Eight bitboards, one for each direction.
pub(crate) trait Star:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    fn splat(x: u64) -> Self;
    fn load(from: &[u64; 8]) -> Self;
    /// Each lane rotated left by its own amount. Bits that come round the edge may be lost.
    fn rotate(self, by: &[u64; 8]) -> Self;
    /// This value in the lanes where `condition` is not empty, nothing elsewhere.
    fn if_any(self, condition: Self) -> Self;
    /// Each ray up to and with the first of the `blockers`, which lie on it.
    fn up_to(ray: Self, blockers: Self) -> Self;
    /// The union of the lanes.
    fn union(self) -> u64;
    /// Is any lane not empty?
    fn any(self) -> bool;

    /// Every member one step on in its lane's direction.
    #[inline(always)]
    fn step(self) -> Self {
        self.rotate(&STEP) & Self::load(&LANDING)
    }
    /// Rooks and queens in the rooks' lanes, bishops and queens in the bishops'.
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
