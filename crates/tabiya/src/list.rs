//! A list of fixed capacity on the stack: the only place that handles uninitialised memory.

use core::mem::MaybeUninit;

/// Up to `N` items, without a heap. Only the first [`len`](Self::len) places hold items.
#[derive(Clone)]
pub(crate) struct FixedList<T: Copy, const N: usize> {
    len: usize,
    places: [MaybeUninit<T>; N],
}

impl<T: Copy, const N: usize> FixedList<T, N> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self { len: 0, places: [const { MaybeUninit::uninit() }; N] }
    }

    #[inline(always)]
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Adds an item at the end, or returns it if the list is full.
    #[inline(always)]
    pub(crate) const fn push(&mut self, item: T) -> Result<(), T> {
        // With `>=` instead of `==`, the compiler knows that the index is in bounds.
        if self.len >= N {
            return Err(item);
        }
        self.places[self.len].write(item);
        self.len += 1;
        Ok(())
    }

    /// Adds items at the end. While it adds them, the number of items is kept outside the list,
    /// where it can stay in a register.
    #[inline(always)]
    pub(crate) const fn appender(&mut self) -> Appender<'_, T, N> {
        Appender { len: self.len, list: self }
    }

    /// Removes an item and puts the last one in its place.
    ///
    /// # Panics
    /// If there is no item at the index.
    #[inline(always)]
    pub(crate) const fn swap_remove(&mut self, index: usize) -> T {
        let removed = self.as_slice()[index];
        self.len -= 1;
        if index < self.len {
            self.places[index] = self.places[self.len];
        }
        removed
    }

    /// Removes all items from an index on.
    #[inline(always)]
    pub(crate) const fn truncate(&mut self, len: usize) {
        if len < self.len {
            self.len = len;
        }
    }

    #[inline(always)]
    pub(crate) const fn as_slice(&self) -> &[T] {
        let items: *const T = self.places.as_ptr().cast();
        // SAFETY: the first `len` places hold items: `len` only grows past a place that has just
        // been written, and nothing takes an item out of its place.
        unsafe { core::slice::from_raw_parts(items, self.len) }
    }

    #[inline(always)]
    pub(crate) const fn as_mut_slice(&mut self) -> &mut [T] {
        let items: *mut T = self.places.as_mut_ptr().cast();
        // SAFETY: as in `as_slice`.
        unsafe { core::slice::from_raw_parts_mut(items, self.len) }
    }
}

/// See [`FixedList::appender`].
pub(crate) struct Appender<'a, T: Copy, const N: usize> {
    list: &'a mut FixedList<T, N>,
    len: usize,
}

impl<T: Copy, const N: usize> Appender<'_, T, N> {
    /// Adds an item at the end, or gives it back if the list is full.
    #[inline(always)]
    pub(crate) const fn push(&mut self, item: T) -> Result<(), T> {
        if self.len >= N {
            return Err(item);
        }
        self.list.places[self.len].write(item);
        self.len += 1;
        Ok(())
    }

    /// Adds an item at the end without checking that there is room.
    ///
    /// # Safety
    /// The list has fewer than `N` items.
    #[inline(always)]
    pub(crate) unsafe fn push_unchecked(&mut self, item: T) {
        // SAFETY: by the contract of this function `len` is an index of the array.
        unsafe { self.list.places.get_unchecked_mut(self.len) }.write(item);
        self.len += 1;
    }
}

impl<T: Copy, const N: usize> Drop for Appender<'_, T, N> {
    #[inline(always)]
    fn drop(&mut self) {
        // The places up to `len` hold items: it only grows past a place that has been written.
        self.list.len = self.len;
    }
}
