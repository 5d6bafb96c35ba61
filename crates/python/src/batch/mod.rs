//! `Batch`: many positions at once, to and from arrays.
//!
//! One topic per file: where positions come from (`texts`, `read`, `random`), what they become
//! (`planes`, `mask`, `encoding`, `facts`, `write`), what is done with them (`moves`, `perft`,
//! `select`), and how threads share their rows (`rows`).

mod cpu;
mod encoding;
mod facts;
mod mask;
mod moves;
mod perft;
mod planes;
mod random;
mod read;
mod rows;
mod select;
mod texts;
mod uci;
mod write;

use std::ops::Range;
use std::sync::Arc;

use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};
use tabiya::{Color, Notation, PackedPosition, Position, order};

use self::encoding::{Encoding, Orientation};
use self::moves::{Moves, Ragged, Request};
use self::read::OnError;
use self::texts::Texts;
use crate::position::PyPosition;
use crate::threads::ThreadsArg;

/// Many positions, to and from NumPy arrays.
///
/// A batch never changes. Slices share its memory. It is made by one of the methods ``from_fens``,
/// ``from_fen_bytes``, ``from_packed``, ``from_positions``, ``random`` and ``concat``.
///
/// Below, N is the number of positions. Methods that make an array take ``out=``, an array of that
/// shape and dtype to write to; it must be C-contiguous, and it is returned. They take ``threads=``:
/// the number of threads, by default that of the CPUs that the process may use; a small batch is done
/// by the calling thread alone. Other Python threads run meanwhile, and Ctrl-C interrupts. All of
/// them raise ``TypeError`` or ``ValueError`` if an argument is not what it should be.
///
/// >>> import tabiya
/// >>> batch = tabiya.Batch.from_fens([tabiya.START, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
/// >>> batch
/// <tabiya.Batch of 2 positions>
/// >>> batch.planes().shape, batch.legal_mask().sum(axis=1).tolist()
/// ((2, 12, 8, 8), [20, 0])
/// >>> batch[1]
/// 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1
/// >>> len(batch[:1])
/// 1
#[pyclass(name = "Batch", module = "tabiya", frozen, sequence)]
pub(crate) struct PyBatch {
    positions: Arc<Vec<Position>>,
    /// The part of them that belongs to this batch.
    range: Range<usize>,
}

impl PyBatch {
    /// A batch of these positions.
    pub(crate) fn new(positions: Vec<Position>) -> Self {
        let range = 0..positions.len();
        Self { positions: Arc::new(positions), range }
    }

    /// The positions.
    pub(crate) fn positions(&self) -> &[Position] {
        &self.positions[self.range.clone()]
    }

    /// A part of this batch, which shares its memory.
    fn part(&self, start: usize, len: usize) -> Self {
        let start = (self.range.start + start).min(self.range.end);
        let end = (start + len).min(self.range.end);
        Self { positions: Arc::clone(&self.positions), range: start..end }
    }

    fn whole(&self) -> Self {
        self.part(0, self.range.len())
    }
}

/// The positions of a batch, one after the other.
#[pyclass(module = "tabiya._tabiya")]
struct BatchIterator {
    batch: PyBatch,
    next: usize,
}

#[pymethods]
impl BatchIterator {
    const fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&mut self) -> Option<PyPosition> {
        let position = self.batch.positions().get(self.next)?.clone();
        self.next += 1;
        Some(PyPosition::from(position))
    }

    fn __length_hint__(&self) -> usize {
        self.batch.positions().len() - self.next
    }
}

/// Where positions come from.
#[pymethods]
impl PyBatch {
    /// The positions of FENs.
    ///
    /// ``fens`` is a list or another iterable of ``str`` or ``bytes``, a NumPy array of texts (dtype
    /// ``U``, ``S``, ``object`` or ``StringDType``), or an Arrow array of texts, such as those of
    /// pyarrow, polars and pandas. Arrow arrays and arrays of dtype ``S`` are read where they lie
    /// (those of Arrow if pyarrow is installed). With ``chess960``, castling is written as the king
    /// taking its own rook; rights that exist only in Chess960 are written so anyway.
    ///
    /// Raises ``BatchError`` for the first row that is not the FEN of a playable position, or that is
    /// missing. With ``errors="mask"`` it returns a pair instead: the batch of the good rows, in their
    /// order, and an array of N flags that are ``True`` for the bad rows.
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

    /// The positions of FENs that lie in one buffer, such as ``bytes`` or a memory map.
    ///
    /// ``offsets`` are N + 1 ascending integers: FEN ``i`` begins at byte ``offsets[i]`` and ends
    /// before byte ``offsets[i + 1]``. White space around a FEN is ignored, so lines of a file may
    /// contain their ends. The buffer is not copied; nor are offsets of dtype ``int32`` or ``int64``.
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

    /// The positions of packed bytes, 32 for each: an array of shape (N, 32) and dtype ``uint8``, or
    /// a buffer such as ``bytes``.
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

    /// The positions of an iterable of ``Position``.
    ///
    /// >>> import tabiya
    /// >>> start = tabiya.Position()
    /// >>> tabiya.Batch.from_positions([start, start.play("e4")])
    /// <tabiya.Batch of 2 positions>
    #[staticmethod]
    fn from_positions(positions: &Bound<'_, PyAny>) -> PyResult<Self> {
        moves::collect(positions)
    }

    /// ``n`` positions from random play.
    ///
    /// Each is the end of a game of its own, in which every legal move is as likely as the others.
    /// ``plies`` is the number of plies, at most 10,000, or a pair: the least and the greatest, with
    /// every number between them as likely. A game that ends earlier is replaced by another one; the
    /// last move may end it. With ``chess960`` each game begins with one of the 960 start positions.
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
        let batches: Vec<Bound<'_, Self>> =
            batches.try_iter()?.map(|it| Ok(it?.cast_into()?)).collect::<PyResult<_>>()?;
        let parts: Vec<_> = batches.iter().map(|batch| batch.get().positions()).collect();
        Ok(Self::new(parts.concat()))
    }

    fn __len__(&self) -> usize {
        self.range.len()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        select::item(self, key)
    }

    fn __iter__(&self) -> BatchIterator {
        BatchIterator { batch: self.whole(), next: 0 }
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.positions() == other.positions()
    }

    fn __repr__(&self) -> String {
        match self.range.len() {
            1 => "<tabiya.Batch of 1 position>".to_owned(),
            len => format!("<tabiya.Batch of {len} positions>"),
        }
    }

    const fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let positions = self.positions();
        let len = PackedPosition::BYTES * positions.len();
        let bytes = PyBytes::new_with(py, len, |bytes| {
            for (position, row) in positions.iter().zip(bytes.chunks_exact_mut(32)) {
                write::pack(position, row);
            }
            Ok(())
        })?;
        Ok((py.get_type::<Self>().getattr("from_packed")?, (bytes,)))
    }

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
        Ok(write::bytes(py, &write::fens(py, self.positions(), threads)?))
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
    /// to move, then the opponent's, and the ranks are turned round if Black is to move, so that
    /// bit 0 is a8.
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

    /// The boards as planes: shape (N, 12, 8, 8), dtype ``uint8`` or ``float32``.
    ///
    /// ``planes[i, channel, rank, file]`` is 1 if the channel's kind of piece stands there, else 0.
    /// Rank 0 is rank 1, file 0 is the a-file: a plane as 64 numbers is in the order of the squares.
    /// The channels are White's pawns, knights, bishops, rooks, queens and king, then Black's. With
    /// ``orientation="side"`` they are those of the side to move, then the opponent's, and if Black is
    /// to move, rank 0 is rank 8, so that the own pawns always move towards higher ranks.
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

    /// Which moves are legal: shape (N, 1968) for ``encoding="uci"`` or (N, 4672) for ``"az"``, dtype
    /// ``bool`` or ``uint8``.
    ///
    /// The order of the moves is that of ``tabiya.encodings``. With ``orientation="side"``, moves of
    /// Black are written with the ranks turned round, as the planes of that orientation show them.
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

    /// The legal moves of all positions: a pair of arrays ``(moves, offsets)``.
    ///
    /// The moves of position ``i`` are ``moves[offsets[i]:offsets[i + 1]]``, so there are N + 1
    /// offsets, of dtype ``int64``. A move has 16 bits (dtype ``uint16``): the origin in the lowest
    /// six, the target in the next six, the kind of move in the top four. The target of castling is
    /// the square on which the king lands. ``out=(moves, offsets)`` are arrays to write to, of which
    /// the first may be longer than needed; then the used part of it is returned.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START, "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])
    /// >>> moves, offsets = batch.legal_moves()
    /// >>> len(moves), offsets.tolist()
    /// (20, [0, 20, 20])
    #[pyo3(signature = (*, out=None, threads=None))]
    fn legal_moves<'py>(
        &self,
        py: Python<'py>,
        out: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
        threads: ThreadsArg,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        Ragged::of(py, self.positions(), threads)?.into_arrays(py, out)
    }

    /// The moves as texts in UCI, as a list.
    ///
    /// ``moves`` is one move for each position, or with ``offsets`` as many as these say (see
    /// ``find_moves``). Without moves, the texts are those of ``legal_moves()``.
    ///
    /// ``BatchError`` if a move is not legal.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> batch.ucis(["Nf3"]), len(batch.ucis())
    /// (['g1f3'], 20)
    #[pyo3(signature = (moves=None, offsets=None, *, threads=None))]
    fn ucis<'py>(
        &self,
        py: Python<'py>,
        moves: Option<&Bound<'py, PyAny>>,
        offsets: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyList>> {
        self.move_texts(py, moves, offsets, Notation::Uci, threads)
    }

    /// The moves as texts in standard algebraic notation, as a list; otherwise as ``ucis``.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> batch.sans(["g1f3"])
    /// ['Nf3']
    #[pyo3(signature = (moves=None, offsets=None, *, threads=None))]
    fn sans<'py>(
        &self,
        py: Python<'py>,
        moves: Option<&Bound<'py, PyAny>>,
        offsets: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyList>> {
        self.move_texts(py, moves, offsets, Notation::San, threads)
    }

    /// Moves in the form of ``legal_moves()``: dtype ``uint16``.
    ///
    /// ``moves`` is one of these:
    ///
    /// * an array of dtype ``uint16`` in that form;
    /// * a list of ``Move`` objects or texts in any notation;
    /// * with ``encoding``, numbers of moves in this encoding and orientation.
    ///
    /// There is one move for each position, or with ``offsets`` as many as these say: N + 1 ascending
    /// integers, as in ``legal_moves()``.
    ///
    /// Raises ``BatchError`` if a move is not legal. Its ``row`` is that of the position.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> batch.find_moves(["e4"]).tolist()
    /// [5900]
    /// >>> batch.find_moves([tabiya.encodings.move_index("e2e4")], encoding="uci").tolist()
    /// [5900]
    #[pyo3(
        signature = (moves, encoding=None, *, orientation=Orientation::White, offsets=None, out=None, threads=None),
        text_signature = "($self, moves, encoding=None, *, orientation='white', offsets=None, out=None, threads=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn find_moves<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        encoding: Option<Encoding>,
        orientation: Orientation,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = Moves::new(moves, encoding, orientation)?;
        let offsets = moves::offsets(offsets)?;
        let request = Request::new(self.positions(), &moves, offsets.as_ref())?;
        request.values(py, out, threads, |_, mv| Ok(mv.bits()))
    }

    /// The numbers of moves in an encoding, such as targets for training: dtype ``int64``.
    ///
    /// ``moves`` and ``offsets`` as for ``find_moves``; the numbers are those of ``legal_mask``.
    ///
    /// ``BatchError`` if a move is not legal.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> index = batch.move_indices(["e4"], "az")
    /// >>> index.tolist(), batch.legal_mask("az")[0, index].tolist()
    /// ([877], [True])
    #[pyo3(
        signature = (moves, encoding=Encoding::Uci, *, orientation=Orientation::White, offsets=None, out=None, threads=None),
        text_signature = "($self, moves, encoding='uci', *, orientation='white', offsets=None, out=None, threads=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn move_indices<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        encoding: Encoding,
        orientation: Orientation,
        offsets: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = Moves::new(moves, None, orientation)?;
        let offsets = moves::offsets(offsets)?;
        let request = Request::new(self.positions(), &moves, offsets.as_ref())?;
        request.values(py, out, threads, |position, mv| {
            let index = encoding.index(position.uci(mv), orientation.flip(position.turn()));
            index.map(i64::from).ok_or_else(|| format!("{mv} has no number in this encoding"))
        })
    }

    /// The positions after one move each, as a new batch.
    ///
    /// ``moves``, ``encoding`` and ``orientation`` as for ``find_moves``. The null move
    /// ``Move.null()`` passes the turn.
    ///
    /// Raises ``BatchError`` for the first move that is not legal. With ``errors="mask"`` it returns a
    /// pair instead: the batch of the rows whose moves are legal, in their order, and an array of N
    /// flags that are ``True`` for the others.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START] * 2)
    /// >>> batch.play_many(["e4", "g1f3"]).turns().tolist()
    /// [False, False]
    /// >>> batch.play_many(["e4", "e5"])
    /// Traceback (most recent call last):
    ///   ...
    /// tabiya.errors.BatchError: row 1: e5 is not legal: a pawn on e2 cannot reach e5
    ///   'e5'
    #[pyo3(
        signature = (moves, encoding=None, *, orientation=Orientation::White, threads=None, errors=OnError::Raise),
        text_signature = "($self, moves, encoding=None, *, orientation='white', threads=None, errors='raise')"
    )]
    fn play_many<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        encoding: Option<Encoding>,
        orientation: Orientation,
        threads: ThreadsArg,
        errors: OnError,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = Moves::new(moves, encoding, orientation)?;
        Request::new(self.positions(), &moves, None)?.play(py, threads, errors)
    }

    /// What moves win in the exchange on their target squares (static exchange evaluation), in
    /// centipawns; negative if they lose material: dtype ``int32``.
    ///
    /// ``moves``, ``encoding``, ``orientation`` and ``offsets`` as for ``find_moves``. Pins are
    /// ignored, or with ``pins`` only legal captures are counted.
    ///
    /// ``BatchError`` if a move is not legal.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens(["4k3/8/2n5/4p3/8/8/8/4RK2 w - - 0 1"])
    /// >>> batch.see_many(["Rxe5"]).tolist()
    /// [-400]
    /// >>> moves, offsets = batch.legal_moves()
    /// >>> batch.see_many(moves, offsets=offsets).shape == moves.shape
    /// True
    #[pyo3(
        signature = (moves, encoding=None, *, orientation=Orientation::White, offsets=None, pins=false, out=None, threads=None),
        text_signature = "($self, moves, encoding=None, *, orientation='white', offsets=None, pins=False, out=None, threads=None)"
    )]
    #[expect(clippy::too_many_arguments, reason = "they have names in Python")]
    fn see_many<'py>(
        &self,
        py: Python<'py>,
        moves: &Bound<'py, PyAny>,
        encoding: Option<Encoding>,
        orientation: Orientation,
        offsets: Option<&Bound<'py, PyAny>>,
        pins: bool,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let moves = Moves::new(moves, encoding, orientation)?;
        let offsets = moves::offsets(offsets)?;
        let request = Request::new(self.positions(), &moves, offsets.as_ref())?;
        let see = order::See::DEFAULT;
        let see = if pins { see.respecting_pins() } else { see };
        request.values(py, out, threads, |position, mv| Ok(see.value(position, mv)))
    }

    /// The number of leaf nodes of each position at a depth in plies: shape (N,), dtype ``uint64``.
    ///
    /// Each position is counted by one thread. To count one position on all threads, with a table
    /// or further than 2^64, use ``tabiya.perft``.
    ///
    /// ``OverflowError`` if there are 2^64 leaf nodes or more.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START]).perft(4).tolist()
    /// [197281]
    #[pyo3(signature = (depth, *, out=None, threads=None))]
    fn perft<'py>(
        &self,
        py: Python<'py>,
        depth: i64,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        perft::counts(py, self.positions(), &perft::Depths::all(depth)?, out, threads)
    }

    /// The number of leaf nodes of each position at a depth of its own; otherwise as ``perft``.
    ///
    /// ``depths`` are N integers.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens([tabiya.START] * 3).perft_many([0, 1, 2]).tolist()
    /// [1, 20, 400]
    #[pyo3(signature = (depths, *, out=None, threads=None))]
    fn perft_many<'py>(
        &self,
        py: Python<'py>,
        depths: &Bound<'py, PyAny>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        let positions = self.positions();
        let depths = perft::Depths::each(depths, positions.len())?;
        perft::counts(py, positions, &depths, out, threads)
    }

    /// The keys, by which equal positions can be found: shape (N,), dtype ``uint64``.
    ///
    /// >>> import tabiya
    /// >>> batch = tabiya.Batch.from_fens([tabiya.START])
    /// >>> int(batch.keys()[0]) == batch[0].key
    /// True
    #[pyo3(signature = (*, out=None, threads=None))]
    fn keys<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::key)
    }

    /// Is White to move? Shape (N,), dtype ``bool``: ``tabiya.WHITE`` or ``tabiya.BLACK``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn turns<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, |it| it.turn() == Color::White)
    }

    /// The castling rights: shape (N, 4), dtype ``bool``. The columns are White's right on the king
    /// side and on the queen side, then Black's.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn castling<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[4], threads, facts::castling)
    }

    /// The squares on which a capture en passant is legal, or -1: shape (N,), dtype ``int8``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn en_passant<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, facts::en_passant)
    }

    /// The clocks: shape (N, 2), dtype ``uint16``. The columns are the halfmove clock, which is the
    /// number of plies since a capture or a pawn move, and the number of the move.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn clocks<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::fill(py, self.positions(), out, &[2], threads, facts::clocks)
    }

    /// Is the side to move in check? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_check<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_check)
    }

    /// Is it checkmate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_checkmate<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_checkmate)
    }

    /// Is it stalemate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_stalemate<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_stalemate)
    }

    /// Has neither side enough material for a mate? Shape (N,), dtype ``bool``.
    #[pyo3(signature = (*, out=None, threads=None))]
    fn is_insufficient_material<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, Position::is_insufficient_material)
    }

    /// How the games have ended, as far as single positions tell: shape (N,), dtype ``int8``.
    ///
    /// 0: the game goes on; 1: White has won by checkmate; -1: Black has; 2: stalemate;
    /// 3: insufficient material; 4: 75 moves of each side without a capture or a pawn move. So all
    /// draws are above 1. ``tabiya.encodings.OUTCOMES`` has the values of ``Position.outcome()``.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Batch.from_fens(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]).outcomes().tolist()
    /// [1]
    #[pyo3(signature = (*, out=None, threads=None))]
    fn outcomes<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyAny>> {
        rows::values(py, self.positions(), out, threads, facts::outcome)
    }
}

impl PyBatch {
    fn move_texts<'py>(
        &self,
        py: Python<'py>,
        moves: Option<&Bound<'py, PyAny>>,
        offsets: Option<&Bound<'py, PyAny>>,
        notation: Notation,
        threads: ThreadsArg,
    ) -> PyResult<Bound<'py, PyList>> {
        let positions = self.positions();
        let Some(moves) = moves else {
            return Ragged::of(py, positions, threads)?.texts(py, positions, notation, threads);
        };
        let moves = Moves::new(moves, None, Orientation::White)?;
        let offsets = moves::offsets(offsets)?;
        Request::new(positions, &moves, offsets.as_ref())?.texts(py, notation, threads)
    }
}

/// The moves of an encoding by number: shape (1968, 3) or (4672, 3), dtype ``int8``. The columns are
/// origin, target and promotion (0 for none); all are -1 if the number leads off the board.
#[pyfunction]
#[pyo3(signature = (encoding))]
fn encoding_table(py: Python<'_>, encoding: Encoding) -> PyResult<Bound<'_, PyArray2<i8>>> {
    let rows = encoding.table().into_iter().map(|mv| match mv {
        None => vec![-1; 3],
        Some(mv) => {
            let promotion = mv.promotion.map_or(0, crate::piece::number);
            vec![mv.from as i8, mv.to as i8, promotion as i8]
        }
    });
    Ok(PyArray2::from_vec2(py, &rows.collect::<Vec<_>>())?)
}

/// For tests: the masks of a batch as bytes, once for each kind of CPU that this one is.
#[pyfunction]
fn _masks_by_each_cpu<'py>(
    py: Python<'py>,
    batch: &PyBatch,
    orientation: Orientation,
) -> Vec<Bound<'py, PyBytes>> {
    let masks = mask::by_each_cpu(batch.positions(), orientation);
    masks.iter().map(|mask| PyBytes::new(py, mask)).collect()
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_masks_by_each_cpu, module)?)?;
    module.add_class::<PyBatch>()?;
    module.add_function(wrap_pyfunction!(encoding_table, module)?)
}
