//! The sources of the positions of a batch.

use pyo3::prelude::*;

use crate::batch::lines::{self, Columns, Grammar};
use crate::batch::read::{self, OnError};
use crate::batch::texts::Texts;
use crate::batch::{PyBatch, moves, random};
use crate::signals::{self, STEP};
use crate::sizes;
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The positions of FENs.
    ///
    /// ``fens`` is a list or another iterable of ``str`` or ``bytes``, a NumPy array of texts
    /// (dtype ``U``, ``S``, ``object`` or ``StringDType``), or an Arrow array of texts, such as
    /// those of pyarrow, polars and pandas, if pyarrow is installed. Arrow arrays of ``large_string``
    /// and arrays of dtype ``S`` are read without a copy. With ``chess960``, castling is written as the king
    /// taking its own rook; rights that exist only in Chess960 are written like this in any case.
    ///
    /// Raises ``BatchError`` for the first row that is not the FEN of a playable position, or that
    /// is missing. With ``errors="mask"`` it returns a pair instead: the batch of the good rows, in
    /// their order, and an array of N flags that are ``True`` for the bad rows.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START, "8/8/8/8/8/8/8/8 w - - 0 1"])
    /// Traceback (most recent call last):
    ///   ...
    /// tabiya.errors.BatchError: row 1: White has no king
    ///   '8/8/8/8/8/8/8/8 w - - 0 1'
    /// >>> batch, bad = tabiya.Batch.from_fens([tabiya.START, "nonsense"], errors="mask")
    /// >>> len(batch), bad.tolist()
    /// (1, [False, True])
    #[staticmethod]
    #[pyo3(
        signature = (fens, *, chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(fens, *, chess960=False, threads=None, errors='raise')"
    )]
    fn from_fens<'py>(
        fens: &Bound<'py, PyAny>,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::fens(fens.py(), &Texts::new(fens)?, chess960, threads, errors)
    }

    /// The positions of FENs in one buffer, such as ``bytes`` or a memory map.
    ///
    /// ``offsets`` are N + 1 ascending integers: FEN ``i`` begins at byte ``offsets[i]`` and ends
    /// before byte ``offsets[i + 1]``. White space around a FEN is ignored, so lines of a file may
    /// contain their ends. Neither the buffer nor offsets of dtype ``int64`` are copied.
    ///
    /// Otherwise as ``from_fens``. ``ValueError`` if the offsets do not ascend or lead out of the
    /// buffer.
    ///
    /// >>> import numpy as np, tabiya
    /// >>> lines = b"4k3/8/8/8/8/8/8/4K2R w K - 0 1\n4k3/8/8/8/8/8/8/4K3 b - - 0 1\n"
    /// >>> offsets = [0, *(np.flatnonzero(np.frombuffer(lines, np.uint8) == ord("\n")) + 1)]
    /// >>> len(tabiya.Batch.from_fen_bytes(lines, offsets))
    /// 2
    #[staticmethod]
    #[pyo3(
        signature = (data, offsets, *, chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(data, offsets, *, chess960=False, threads=None, errors='raise')"
    )]
    fn from_fen_bytes<'py>(
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::fens(data.py(), &Texts::in_bytes(data, offsets)?, chess960, threads, errors)
    }

    /// The positions of lines with more than a FEN, and the rest as columns.
    ///
    /// A line has a FEN and a field for each column, with the character ``separator`` between them; white space
    /// around a field is ignored. ``columns`` are the names of the fields after the FEN, with
    /// ``float`` or ``str`` for each. Returns the batch and a ``dict`` of the columns: an array of
    /// dtype ``float64``, or a list of ``str``.
    ///
    /// ``lines`` are what ``from_fens`` takes, or an open file, since its lines are iterated over.
    /// Raises ``BatchError`` for the first line that has another number of fields, that is not
    /// playable, or in which a number is not one. With ``errors="mask"``, an array of flags that are
    /// ``True`` for the bad lines comes third, and batch and columns have the good ones.
    ///
    /// >>> import tabiya
    /// >>> lines = ["4k3/8/8/8/8/8/8/4K2R w K - 0 1 | 480 | 1.0", "4k3/8/8/8/8/8/8/4K3 b - - 0 1|0|0.5"]
    /// >>> batch, columns = tabiya.Batch.from_lines(lines, {"score": float, "result": str})
    /// >>> len(batch), columns["score"], columns["result"]
    /// (2, array([480.,   0.]), ['1.0', '0.5'])
    #[staticmethod]
    #[pyo3(
        signature = (lines, columns, *, separator='|', chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(lines, columns, *, separator='|', chess960=False, threads=None, errors='raise')"
    )]
    fn from_lines<'py>(
        lines: &Bound<'py, PyAny>,
        columns: Columns,
        separator: char,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        let grammar = Grammar::Fields { separator };
        lines::read(lines, &columns, grammar, chess960, threads, errors)
    }

    /// The positions of lines of EPD, and operations as columns.
    ///
    /// A line has the first four fields of a FEN, or all six, and operations: a name, operands and a
    /// semicolon, such as ``bm Nf3; id "first";``. ``columns`` are names of operations, with
    /// ``float`` or ``str`` for each. Where a line has no such operation, the value is NaN or ``""``;
    /// if it has several, the first counts. Texts have no quotation marks around them, and moves are
    /// as written, with a space between several. The operations ``hmvc`` and ``fmvn`` set the clocks.
    ///
    /// Otherwise as ``from_lines``.
    ///
    /// >>> import tabiya
    /// >>> epds = ['4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8; id "castle"; ce 480;']
    /// >>> batch, columns = tabiya.Batch.from_epds(epds, {"bm": str, "id": str, "ce": float})
    /// >>> columns["bm"], columns["id"], columns["ce"]
    /// (['O-O Rh8'], ['castle'], array([480.]))
    #[staticmethod]
    #[pyo3(
        signature = (epds, columns, *, chess960=false, threads=None, errors=OnError::Raise),
        text_signature = "(epds, columns, *, chess960=False, threads=None, errors='raise')"
    )]
    fn from_epds<'py>(
        epds: &Bound<'py, PyAny>,
        columns: Columns,
        chess960: bool,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        lines::read(epds, &columns, Grammar::Epd, chess960, threads, errors)
    }

    /// The positions of packed bytes, 32 for each: an array of dtype ``uint8`` and shape (N, 32) or
    /// (32 * N,), a buffer such as ``bytes``, or, if pyarrow is installed, an Arrow array with 32
    /// bytes in each value, such as a column of ``fixed_size_binary(32)``.
    ///
    /// ``BatchError`` and ``errors`` as for ``from_fens``; its ``text`` is the row in hexadecimal
    /// digits.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.random(3, plies=10)
    /// >>> tabiya.Batch.from_packed(batch.packed()) == batch
    /// True
    #[staticmethod]
    #[pyo3(
        signature = (data, *, threads=None, errors=OnError::Raise),
        text_signature = "(data, *, threads=None, errors='raise')"
    )]
    fn from_packed<'py>(
        data: &Bound<'py, PyAny>,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        read::packed(data.py(), data, threads, errors)
    }

    /// The positions of an iterable of ``Position`` and ``Board``.
    ///
    /// Raises ``BatchError`` for the first board that is not playable.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_positions([tabiya.Board(), tabiya.Position().play("e4")])
    /// <tabiya.Batch of 2 positions>
    #[staticmethod]
    fn from_positions(positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        moves::collect(positions)
    }

    /// ``n`` positions from random play.
    ///
    /// Each is the end of a separate game, in which all legal moves are equally likely. ``plies``
    /// is the number of plies, at most 10,000, or a pair: the least and the greatest, with all
    /// numbers between them equally likely. A game that ends earlier is replaced by another one;
    /// the last move may end it. With ``chess960`` each game begins with one of the 960 start
    /// positions.
    ///
    /// A position depends on ``seed`` (from 0 to 2^64 - 1), on its row and on the other arguments,
    /// but not on ``n`` or the number of threads.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.random(1000, plies=(4, 60), seed=1)
    /// >>> batch == tabiya.Batch.random(1000, plies=(4, 60), seed=1, threads=1)
    /// True
    #[staticmethod]
    #[pyo3(
        signature = (n, *, plies=random::DEFAULT, seed=0, chess960=false, threads=None),
        text_signature = "(n, *, plies=(0, 80), seed=0, chess960=False, threads=None)"
    )]
    fn random(
        py: Python<'_>,
        n: i64,
        plies: random::Plies,
        seed: u64,
        chess960: bool,
        threads: ThreadsArg,
    ) -> PyResult<Self> {
        random::play(py, n, plies, seed, chess960, threads).map(Self::new)
    }

    /// The positions of several batches, one after the other.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> len(tabiya.Batch.concat([batch, batch]))
    /// 2
    #[staticmethod]
    fn concat(batches: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = batches.py();
        let batches = batches.try_iter()?.map(|it| PyResult::Ok(it?.cast_into::<Self>()?));
        let batches = sizes::collect(py, batches)?;
        let parts = || batches.iter().map(|batch| batch.get().positions());
        let rows = parts().fold(0_usize, |sum, part| sum.saturating_add(part.len()));
        let mut positions = sizes::room(rows)?;
        for step in parts().flat_map(|part| part.chunks(STEP)) {
            positions.extend_from_slice(step);
            signals::pause(py)?;
        }
        Ok(Self::new(positions))
    }
}
