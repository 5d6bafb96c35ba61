//! A list of reasons that is never empty.

use core::fmt;
use core::num::NonZeroU8;

/// One or more reasons, of which the first `N` are kept. It cannot be empty, so a refusal always
/// says why.
///
/// ```
/// use tabiya::Position;
/// let refusal = Position::START.explain("e2e5".parse().unwrap()).verdict().unwrap_err();
/// assert_eq!(refusal.reasons.first().name(), "cannot-reach");
/// assert_eq!((refusal.reasons.as_slice().len(), refusal.reasons.omitted()), (1, 0));
/// ```
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Reasons<T, const N: usize> {
    /// The number of reasons, including those that did not fit.
    found: NonZeroU8,
    items: [T; N],
}

impl<T: Copy, const N: usize> Reasons<T, N> {
    pub(crate) const fn new(first: T) -> Self {
        const { assert!(N > 0) };
        Self { found: NonZeroU8::MIN, items: [first; N] }
    }

    /// Adds a reason, if it fits.
    pub(crate) const fn push(&mut self, reason: T) {
        if (self.found.get() as usize) < N {
            self.items[self.found.get() as usize] = reason;
        }
        self.found = self.found.saturating_add(1);
    }

    /// The first reason.
    pub const fn first(&self) -> T {
        self.items[0]
    }

    /// The reasons that fit.
    pub fn as_slice(&self) -> &[T] {
        &self.items[..N.min(self.found.get().into())]
    }

    /// The number of reasons that did not fit.
    pub const fn omitted(&self) -> usize {
        (self.found.get() as usize).saturating_sub(N)
    }
}

impl<T: Copy + fmt::Debug, const N: usize> fmt::Debug for Reasons<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_slice().fmt(f)
    }
}

/// Clauses, separated by semicolons.
impl<T: Copy + fmt::Display, const N: usize> fmt::Display for Reasons<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, reason) in self.as_slice().iter().enumerate() {
            write!(f, "{}{reason}", if number == 0 { "" } else { "; " })?;
        }
        match self.omitted() {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
