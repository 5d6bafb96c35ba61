//! A number for each square, in binary digits, in every lane.

use super::Lanes;

/// A number below 32 for each square.
#[derive(Clone, Copy)]
pub(crate) struct Digits<L>(pub [L; 5]);

impl<L: Lanes> Digits<L> {
    #[inline(always)]
    pub(crate) fn zero() -> Self {
        Self([L::splat(0); 5])
    }

    /// Adds one on each square of a set.
    #[inline(always)]
    pub(crate) fn add(&mut self, a: L) {
        self.carry(a, 0);
    }

    /// Adds one on each square of two sets.
    #[inline(always)]
    pub(crate) fn add_two(&mut self, a: L, b: L) {
        let d = self.0[0];
        self.0[0] = L::parity(d, a, b);
        self.carry(L::majority(d, a, b), 1);
    }

    /// Adds one on each square of eight sets, by a tree of full adders.
    #[inline(always)]
    pub(crate) fn add_eight(&mut self, sets: [L; 8]) {
        let [a, b, c, d, e, f, g, h] = sets;
        let [ones, twos, fours, ..] = self.0;
        let (p, q, r) = (L::parity(a, b, c), L::parity(d, e, f), L::parity(g, h, ones));
        self.0[0] = L::parity(p, q, r);
        let (s, t) = (L::majority(a, b, c), L::majority(d, e, f));
        let (u, v) = (L::majority(g, h, ones), L::majority(p, q, r));
        let w = L::parity(s, t, u);
        self.0[1] = L::parity(w, v, twos);
        let (x, y) = (L::majority(s, t, u), L::majority(w, v, twos));
        self.0[2] = L::parity(x, y, fours);
        self.carry(L::majority(x, y, fours), 3);
    }

    /// Adds three on each square of a set.
    #[inline(always)]
    pub(crate) fn add_three(&mut self, a: L) {
        self.add_number([a, a, L::splat(0)]);
    }

    /// Adds a number below eight on each square.
    #[inline(always)]
    pub(crate) fn add_number(&mut self, n: [L; 3]) {
        let d = self.0;
        let carry = d[0] & n[0];
        self.0[0] = d[0] ^ n[0];
        self.0[1] = L::parity(d[1], n[1], carry);
        let carry = L::majority(d[1], n[1], carry);
        self.0[2] = L::parity(d[2], n[2], carry);
        self.carry(L::majority(d[2], n[2], carry), 3);
    }

    #[inline(always)]
    fn carry(&mut self, mut carry: L, from: usize) {
        let mut i = from;
        while i < 5 {
            let d = self.0[i];
            self.0[i] = d ^ carry;
            carry = d & carry;
            i += 1;
        }
        debug_assert!(!carry.any(), "no number is above 31");
    }

    /// The sum over the squares of a set.
    #[inline(always)]
    pub(crate) fn sum(&self, over: L) -> L {
        let mut sum = L::splat(0);
        let mut i = 5;
        while i > 0 {
            i -= 1;
            sum = sum.shl(1).plus((self.0[i] & over).size());
        }
        sum
    }

    /// The difference, in two's complement.
    #[inline(always)]
    pub(crate) fn minus(&self, less: &Self) -> [L; 6] {
        let mut out = [L::splat(0); 6];
        let mut borrow = L::splat(0);
        let mut i = 0;
        while i < 5 {
            let (a, b) = (self.0[i], less.0[i]);
            out[i] = L::parity(a, b, borrow);
            borrow = L::majority(!a, b, borrow);
            i += 1;
        }
        out[5] = borrow;
        out
    }
}
