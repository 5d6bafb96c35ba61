//! Legal moves, and moves that a caller gives.

use pyo3::prelude::*;
use pyo3::types::PyList;
use tabiya::{Notation, order};

use crate::batch::PyBatch;
use crate::batch::encoding::{Encoding, Orientation};
use crate::batch::moves::{self, Moves, Ragged, Request};
use crate::batch::read::OnError;
use crate::threads::ThreadsArg;

#[pymethods]
impl PyBatch {
    /// The legal moves of all positions: a pair of arrays ``(moves, offsets)``.
    ///
    /// The moves of position ``i`` are ``moves[offsets[i]:offsets[i + 1]]``, so there are N + 1
    /// offsets, of dtype ``int64``. A move has 16 bits (dtype ``uint16``): the origin in the lowest
    /// six, the target in the next six, the kind of move in the top four. The target of castling is
    /// the square on which the king lands. ``out=(moves, offsets)`` are arrays to write to, of
    /// which the first may be longer than needed; then only the used part of it is returned.
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
    /// ``moves`` is one move for each position or, with ``offsets``, any number for each (see
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
    /// There is one move for each position or, with ``offsets``, any number for each: N + 1
    /// ascending integers, as in ``legal_moves()``.
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
        encoding.check(orientation)?;
        let moves = Moves::new(moves, None, orientation)?;
        let offsets = moves::offsets(offsets)?;
        let request = Request::new(self.positions(), &moves, offsets.as_ref())?;
        request.values(py, out, threads, |position, mv| {
            let index = encoding.number(position, mv, orientation);
            index.map(i64::from).ok_or_else(|| format!("{mv} has no number in this encoding"))
        })
    }

    /// The positions after one move each, as a new batch.
    ///
    /// ``moves``, ``encoding`` and ``orientation`` as for ``find_moves``. The null move
    /// ``Move.null()`` passes the turn.
    ///
    /// Raises ``BatchError`` for the first move that is not legal. With ``errors="mask"`` it
    /// returns a pair instead: the batch of the rows whose moves are legal, in their order, and an
    /// array of N flags that are ``True`` for the others.
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

    /// The material that moves win in the exchange on their target squares (static exchange
    /// evaluation), in centipawns; negative if they lose material: dtype ``int32``.
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
