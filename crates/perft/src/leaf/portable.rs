//! The instance that needs nothing: arrays of words. It is the reference and the fallback.

use super::counter::Counter;
use super::lanes::Lanes;
use super::machine::Machine;
use super::node::Node;
use super::pair::{self, Sharp};
use super::replies;
use super::rows::{Children, ROWS, Row, Rows};
use super::star::Star;
use super::sums::Sums;
use super::waiting::Waiting;
use super::walk;
use core::ops::{BitAnd, BitOr, BitXor, Not};

/// An array of one word for each index. The function of this name in `core` is not always compiled
/// into its caller, and each call costs more than the loop.
#[inline(always)]
fn from_fn<const N: usize>(word: impl Fn(usize) -> u64) -> [u64; N] {
    let mut words = [0; N];
    let mut index = 0;
    while index < N {
        words[index] = word(index);
        index += 1;
    }
    words
}

/// `N` bitboards in an array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> BitAnd for Words<N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] & other.0[i]))
    }
}

impl<const N: usize> BitOr for Words<N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] | other.0[i]))
    }
}

impl<const N: usize> BitXor for Words<N> {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i] ^ other.0[i]))
    }
}

impl<const N: usize> Not for Words<N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(from_fn(|i| !self.0[i]))
    }
}

impl<const N: usize> Lanes for Words<N> {
    const WIDTH: usize = N;
    type Tally = [u64; N];

    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self([x; N])
    }
    #[inline(always)]
    fn columns(rows: &[Row; ROWS], index: &[u8; 8], at: usize) -> [Self; 8] {
        core::array::from_fn(|column| {
            Self(from_fn(|i| rows[index[at + i] as usize % ROWS][column]))
        })
    }
    #[inline(always)]
    fn squares(square: &[u8; 8], at: usize) -> Self {
        Self(from_fn(|i| 1u64.checked_shl(square[at + i].into()).unwrap_or(0)))
    }
    #[inline(always)]
    fn shl(self, n: u32) -> Self {
        Self(from_fn(|i| self.0[i] << n))
    }
    #[inline(always)]
    fn shr(self, n: u32) -> Self {
        Self(from_fn(|i| self.0[i] >> n))
    }
    #[inline(always)]
    fn decrement(self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_sub(1)))
    }
    #[inline(always)]
    fn without(self, other: Self) -> Self {
        self & !other
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        Self(from_fn(|i| if condition.0[i] != 0 { self.0[i] } else { 0 }))
    }
    #[inline(always)]
    fn if_none(self, condition: Self) -> Self {
        Self(from_fn(|i| if condition.0[i] == 0 { self.0[i] } else { 0 }))
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0.iter().any(|&x| x != 0)
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_add(other.0[i])))
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_sub(other.0[i])))
    }
    #[inline(always)]
    fn times(self, other: Self) -> Self {
        Self(from_fn(|i| self.0[i].wrapping_mul(other.0[i])))
    }
    #[inline(always)]
    fn put(self, to: &mut [u64; 8], at: usize) {
        to[at..at + N].copy_from_slice(&self.0);
    }
    #[inline(always)]
    fn occupied(self) -> u32 {
        let mut lanes = 0;
        for (i, x) in self.0.into_iter().enumerate() {
            lanes |= u32::from(x != 0) << i;
        }
        lanes
    }
    #[inline(always)]
    fn sum(tally: [u64; N]) -> Self {
        Self(tally)
    }
    #[inline(always)]
    fn tally() -> [u64; N] {
        [0; N]
    }
    #[inline(always)]
    fn count(tally: &mut [u64; N], x: Self) {
        for (sum, x) in tally.iter_mut().zip(x.0) {
            *sum += u64::from(x.count_ones());
        }
    }
}

impl Star for Words<8> {
    #[inline(always)]
    fn splat(x: u64) -> Self {
        Self([x; 8])
    }
    #[inline(always)]
    fn load(from: &[u64; 8]) -> Self {
        Self(*from)
    }
    #[inline(always)]
    fn rotate(self, by: &[u64; 8]) -> Self {
        Self(from_fn(|i| self.0[i].rotate_left(by[i] as u32)))
    }
    #[inline(always)]
    fn if_any(self, condition: Self) -> Self {
        <Self as Lanes>::if_any(self, condition)
    }
    #[inline(always)]
    fn up_to(ray: Self, blockers: Self) -> Self {
        Self(from_fn(|i| {
            let b = blockers.0[i];
            if i < 4 {
                ray.0[i] & (b ^ b.wrapping_sub(1))
            } else {
                ray.0[i] & (1u64 << 63 >> (b | 1).leading_zeros()).wrapping_neg()
            }
        }))
    }
    #[inline(always)]
    fn union(self) -> u64 {
        self.0.iter().fold(0, |all, x| all | x)
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.union() != 0
    }
}

/// The plain instance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Machine for Portable {
    type Star = Words<8>;

    fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
        walk::walk(counter, node, depth);
    }

    #[inline(never)]
    fn count_waiting(self, waiting: &mut Waiting, sums: &mut Sums) {
        waiting.count(self, sums);
    }

    fn pairs(self, rows: &Rows, first: usize, sharp: &mut Sharp) {
        pair::count_eight::<Words<1>>(rows, first, sharp);
    }

    fn all_replies(self, rows: &Rows, children: &Children) -> u64 {
        replies::of_all::<Words<1>>(rows, children)
    }

    fn replies(self, rows: &Rows, children: &Children, sums: &mut Sums, slots: &[usize; ROWS]) {
        replies::of_each::<Words<1>>(rows, children, sums, slots);
    }
}
