//! The positions as texts and arrays.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya::{PackedPosition, Position};

use crate::batch::encoding::{Encoding, Orientation};
use crate::batch::{PyBatch, features, layers, mask, planes, rows, write};
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The FENs, as a list.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START]).fens() == [tabiya.START]
    /// True
    #[pyo3(signature = (*, threads=None))]
    fn fens<'py>(&self, py: Python<'py>, threads: ThreadsArg) -> PyResult<Bound<'py, PyList>> {
        write::list(py, &write::fens(py, self.positions(), threads)?)
    }

    /// The FENs in one array of bytes (dtype ``uint8``), and where each begins in it: N + 1 offsets
    /// of dtype ``int64``, as ``from_fen_bytes`` and Arrow take them.
    ///
    /// >>> import tabiya
    /// >>> data, offsets = tabiya.Batch.from_fens([tabiya.START] * 2).fen_bytes()
    /// >>> offsets.tolist()
    /// [0, 56, 112]
    /// >>> data[:8].tobytes()
    /// b'rnbqkbnr'
    #[pyo3(signature = (*, threads=None))]
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn fen_bytes<'py>(
        &self,
        py: Python<'py>,
        threads: ThreadsArg,
    ) -> PyResult<(Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>)> {
        write::bytes(py, &write::fens(py, self.positions(), threads)?)
    }

    /// The positions in packed form: shape (N, 32), dtype ``uint8``.
    ///
    /// Equal positions have equal bytes 0 to 23. The other bytes hold the clocks, the notation of
    /// castling and the last double push.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START]).packed().shape
    /// (1, 32)
    #[pyo3(signature = (*, out=None, threads=None))]
    fn packed<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[PackedPosition::BYTES], threads, write::pack)
    }

    /// The squares of the pieces as sets: shape (N, 12), dtype ``uint64``.
    ///
    /// Bit 0 is a1, bit 7 is h1, bit 63 is h8. The columns are White's pawns, knights, bishops,
    /// rooks, queens and king, then Black's. With ``orientation="side"`` they are those of the side
    /// to move, then the opponent's, and the ranks are reversed if Black is to move, so that bit 0
    /// is a8.
    ///
    /// >>> import tabiya
    /// >>> hex(tabiya.Batch.from_fens([tabiya.START]).bitboards()[0, 0])
    /// '0xff00'
    #[pyo3(
        signature = (*, orientation=Orientation::White, out=None, threads=None),
        text_signature = "($self, *, orientation='white', out=None, threads=None)"
    )]
    fn bitboards<'py>(
        &self,
        py: Python<'py>,
        orientation: Orientation,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[12], threads, planes::bitboards(orientation))
    }

    /// The boards as planes: shape (N, 12, 8, 8), dtype ``uint8``, ``float32`` or ``float16``.
    ///
    /// ``planes[i, channel, rank, file]`` is 1 if a piece of the channel's kind is there, else 0.
    /// Rank 0 is rank 1, file 0 is the a-file: a plane as 64 numbers is in the order of the
    /// squares. The channels are White's pawns, knights, bishops, rooks, queens and king, then
    /// Black's. With ``orientation="side"`` they are those of the side to move, then the
    /// opponent's, and if Black is to move, rank 0 is rank 8, so that the own pawns always move
    /// towards higher ranks.
    ///
    /// With ``extra`` there are eight more channels, each a number on all squares, except for en
    /// passant:
    ///
    /// ======= ==============================================================================
    /// channel meaning
    /// ======= ==============================================================================
    /// 12      1 if Black is to move
    /// 13, 14  castling rights of the first colour on the king side and on the queen side
    /// 15, 16  those of the second colour
    /// 17      1 on the square of a legal capture en passant
    /// 18      halfmove clock: plies since a capture or a pawn move, at most 255
    /// 19      number of the move, at most 255
    /// ======= ==============================================================================
    ///
    /// The dtype is that of ``out`` if only ``out`` is given.
    ///
    /// >>> import numpy as np, tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> batch.planes()[0, 0].sum(axis=1).tolist()
    /// [0, 8, 0, 0, 0, 0, 0, 0]
    /// >>> batch.planes(np.float32, extra=True).shape
    /// (1, 20, 8, 8)
    #[pyo3(
        signature = (dtype=None, *, orientation=Orientation::White, extra=false, out=None, threads=None),
        text_signature = "($self, dtype='uint8', *, orientation='white', extra=False, out=None, threads=None)"
    )]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        orientation: Orientation,
        extra: bool,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        planes::Planes { orientation, extra }.of(py, self.positions(), dtype, out, threads)
    }

    /// Sets of squares by name: shape (N, k), dtype ``uint64``, bit 0 is a1.
    ///
    /// The k names are those of ``tabiya.layers()``, which ``svg`` and the explorer draw: ``"checkers"``,
    /// ``"attacks:white"``, ``"xray:c3"``. Where a name needs a piece on a square that's empty, the set
    /// is empty.
    ///
    /// ``ValueError`` if there is no layer of this name.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens(["4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1"])
    /// >>> [tabiya.Bitboard(squares) for squares in batch.layers(["checkers", "pinned"])[0].tolist()]
    /// [Bitboard(0x0000000000080000), Bitboard(0x0000000000001000)]
    #[pyo3(signature = (names, *, out=None, threads=None))]
    fn layers<'py>(
        &self,
        py: Python<'py>,
        names: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let layers = layers::named(names)?;
        let tail = [layers.len()];
        rows::fill_blocks(py, self.positions(), out, &tail, threads, |positions, rows| {
            layers::fill(&layers, positions, rows);
        })
    }

    /// The 768 features of both sides as indices: shape (N, 2, 32), dtype ``int32``.
    ///
    /// A feature is a piece on a square: ``384 * theirs + 64 * role + square``. ``theirs`` is 1 for a
    /// piece of the other side, ``role`` is from 0 (pawn) to 5 (king), and ``square`` is from 0 (a1) to
    /// 63 (h8), with the ranks reversed for Black. Row ``[i, 0]`` is White's view and ``[i, 1]`` Black's;
    /// with ``orientation="side"``, that of the side to move comes first. Both have the pieces in the
    /// order of their squares, and ``padding`` in the places that are left.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens(["4k3/8/8/8/8/8/P7/4K3 b - - 0 1"])
    /// >>> batch.features()[0, :, :4].tolist()
    /// [[324, 8, 764, -1], [764, 432, 324, -1]]
    /// >>> batch.features(orientation="side", padding=768)[0, :, :4].tolist()
    /// [[764, 432, 324, 768], [324, 8, 764, 768]]
    #[pyo3(
        signature = (*, orientation=Orientation::White, padding=-1, out=None, threads=None),
        text_signature = "($self, *, orientation='white', padding=-1, out=None, threads=None)"
    )]
    fn features<'py>(
        &self,
        py: Python<'py>,
        orientation: Orientation,
        padding: i32,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let fill = |position: &Position, row: &mut [i32]| {
            features::fill(position, orientation, padding, row);
        };
        rows::fill(py, self.positions(), out, &[2, features::MOST], threads, fill)
    }

    /// The legal moves as flags: shape (N, 1968) for ``encoding="uci"``, (N, 4672) for ``"az"`` or
    /// (N, 1858) for ``"lc0"``, dtype ``bool`` or ``uint8``.
    ///
    /// The order of the moves is that of ``tabiya.encodings``. With ``orientation="side"``, moves
    /// of Black are written with the ranks reversed, as the planes of that orientation show them;
    /// ``"lc0"`` has no other.
    ///
    /// The dtype is that of ``out`` if only ``out`` is given.
    ///
    /// >>> import tabiya
    /// >>> mask = tabiya.Batch.from_fens([tabiya.START]).legal_mask()
    /// >>> mask.shape, int(mask.sum())
    /// ((1, 1968), 20)
    /// >>> tabiya.encodings.UCI_MOVES[mask[0].argmax()]
    /// 'b1a3'
    #[pyo3(
        signature = (encoding=Encoding::Uci, *, dtype=None, orientation=Orientation::White, out=None, threads=None),
        text_signature = "($self, encoding='uci', *, dtype='bool', orientation='white', out=None, threads=None)"
    )]
    fn legal_mask<'py>(
        &self,
        py: Python<'py>,
        encoding: Encoding,
        dtype: Option<&Bound<'py, PyAny>>,
        orientation: Orientation,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        mask::Mask { encoding, orientation }.of(py, self.positions(), dtype, out, threads)
    }
}
