//! The legal moves, as a row of flags for each position.

use numpy::Element;
use pyo3::prelude::*;
use tabiya::Position;
use tabiya::attacks::{MethodVisitor, Sliders};
use tabiya::movegen::Legal;

use super::cpu::{self, Cpu, CpuVisitor, Flag};
use super::encoding::{Az, Code, Encoding, IndexSink, Lc0, Orientation, Uci};
use super::{rows, uci};
use crate::arrays;
use crate::threads::ThreadsArg;

/// The options of a mask.
#[derive(Clone, Copy)]
pub(super) struct Mask {
    pub(super) encoding: Encoding,
    pub(super) orientation: Orientation,
}

impl Mask {
    /// The mask of the positions.
    ///
    /// # Errors
    /// The data type is neither `bool` nor `uint8`; or as [`Encoding::check`] or [`rows::fill`].
    pub(super) fn of<'py>(
        self,
        py: Python<'py>,
        positions: &[Position],
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.encoding.check(self.orientation)?;
        match arrays::choice(dtype, out, "masks", &[bool::get_dtype(py), u8::get_dtype(py)])? {
            0 => self.with_flags::<bool>(py, positions, out, threads),
            _ => self.with_flags::<u8>(py, positions, out, threads),
        }
    }

    fn with_flags<'py, T: Flag + Element + Send>(
        self,
        py: Python<'py>,
        positions: &[Position],
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Self { encoding, orientation } = self;
        let tail = [encoding.moves()];
        rows::fill_blocks(py, positions, out, &tail, threads, |positions, flags: &mut [T]| {
            match encoding {
                Encoding::Uci => cpu::enter(&mut UciBlock { positions, flags, orientation }),
                Encoding::Az => {
                    rows::with_sliders(&mut Block { positions, flags, orientation, code: Az });
                }
                Encoding::Lc0 => {
                    rows::with_sliders(&mut Block { positions, flags, orientation, code: Lc0 });
                }
            }
        })
    }
}

/// A block of rows, for any CPU.
struct UciBlock<'a, T> {
    positions: &'a [Position],
    flags: &'a mut [T],
    orientation: Orientation,
}

impl<T: Flag> CpuVisitor for UciBlock<'_, T> {
    #[inline(always)]
    fn visit<C: Cpu>(&mut self, cpu: C) {
        /// Several rows of bits are written before they are read: if each were read at once, the
        /// CPU would have to wait for it.
        const ROWS: usize = 8;
        let blocks = self.positions.chunks(ROWS).zip(self.flags.chunks_mut(ROWS * Uci::MOVES));
        for (positions, flags) in blocks {
            let mut bits = [[0; uci::WORDS]; ROWS];
            for (position, bits) in positions.iter().zip(&mut bits) {
                uci::legal_moves(position, self.orientation, cpu, bits);
            }
            for (bits, flags) in bits.iter().zip(flags.chunks_exact_mut(Uci::MOVES)) {
                cpu.spread_all(bits, flags);
            }
        }
    }
}

/// The flags of the positions as bytes, once for each kind of CPU to which this one belongs. Other
/// functions use the last kind only.
pub(super) fn by_each_cpu(positions: &[Position], orientation: Orientation) -> Vec<Vec<u8>> {
    struct Each<'a> {
        positions: &'a [Position],
        orientation: Orientation,
        found: Vec<Vec<u8>>,
    }

    impl CpuVisitor for Each<'_> {
        #[inline(always)]
        fn visit<C: Cpu>(&mut self, cpu: C) {
            let mut flags = vec![u8::MAX; Uci::MOVES * self.positions.len()];
            let (positions, orientation) = (self.positions, self.orientation);
            UciBlock { positions, flags: &mut flags, orientation }.visit(cpu);
            self.found.push(flags);
        }
    }

    let mut each = Each { positions, orientation, found: Vec::new() };
    cpu::enter_each(&mut each);
    each.found
}

/// A block of rows, for any slider method.
struct Block<'a, C, T> {
    positions: &'a [Position],
    flags: &'a mut [T],
    orientation: Orientation,
    code: C,
}

impl<C: Code, T: Flag> MethodVisitor for Block<'_, C, T> {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        for (position, row) in self.positions.iter().zip(self.flags.chunks_exact_mut(C::MOVES)) {
            row.fill(T::NO);
            let mut sink = IndexSink::new(position, self.orientation, self.code, |index| {
                if let Some(flag) = row.get_mut(index) {
                    *flag = T::YES;
                }
            });
            position.generator().with_sliders(sliders).generate::<Legal>(&mut sink);
        }
    }
}
