//! An engine that speaks UCI. `tabiya.uci` has the classes for users, which are made of this.

use std::cell::RefCell;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tabiya::{Game, Position};
use tabiya_uci::{
    Bound as ScoreBound, Engine, EngineOption, Error, Found, Info, Limit, OptionKind, Score,
    Settings, Step,
};

use crate::board::PyBoard;
use crate::classes;
use crate::color;
use crate::data::make;
use crate::moves::PyMove;
use crate::position_arg::{PositionArg, position_of};

thread_local! {
    /// The exception of a signal handler that ran while this thread waited for an engine.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Has a signal handler raised an exception? In other threads than the main one, none does.
fn is_interrupted() -> bool {
    let error = Python::attach(|py| py.check_signals()).err();
    RAISED.with_borrow_mut(|raised| {
        *raised = raised.take().or(error);
        raised.is_some()
    })
}

/// The result of work that may have waited for an engine.
fn finish<T>(py: Python<'_>, result: Result<T, Error>) -> PyResult<T> {
    match RAISED.take() {
        Some(error) => Err(error),
        None => result.map_err(|error| exception(py, &error)),
    }
}

/// A running engine, for one thread at a time. Only ``stop`` may come from another.
#[pyclass(name = "UciEngine", module = "tabiya._tabiya", frozen)]
struct PyEngine {
    /// The engine, and the position that it searches. Python doesn't align objects as far as a position
    /// needs.
    state: Box<Mutex<(Engine, Position)>>,
    /// The number of the search that began last. None is 0, that of one that hasn't begun.
    search: AtomicU64,
    /// The number of a search that somebody wants to stop.
    stopped: AtomicU64,
}

/// A number of seconds.
///
/// # Errors
/// `ValueError`: there's no such time.
fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let text = format!("{name}: expected a finite number of seconds from 0 on, not {seconds}");
        PyValueError::new_err(text)
    })
}

/// Name, type, default, least and greatest value, choices.
type OptionParts = (String, &'static str, Py<PyAny>, Option<i64>, Option<i64>, Vec<String>);

fn parts(py: Python<'_>, EngineOption { name, kind }: EngineOption) -> PyResult<OptionParts> {
    let (kind, default, range, choices) = match kind {
        OptionKind::Check { default } => ("check", default.into_py_any(py)?, None, Vec::new()),
        OptionKind::Spin { default, min, max } => {
            ("spin", default.into_py_any(py)?, Some((min, max)), Vec::new())
        }
        OptionKind::Combo { default, choices } => {
            ("combo", default.into_py_any(py)?, None, choices)
        }
        OptionKind::Button => ("button", py.None(), None, Vec::new()),
        OptionKind::String { default } => ("string", default.into_py_any(py)?, None, Vec::new()),
        OptionKind::Unreadable { .. } => ("unreadable", py.None(), None, Vec::new()),
    };
    Ok((name, kind, default, range.map(|it| it.0), range.map(|it| it.1), choices))
}

impl PyEngine {
    /// Does something with the engine, while other Python threads run.
    fn call<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Engine, &mut Position) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let result = py.detach(|| {
            let mut state = self.state.try_lock().ok()?;
            let (engine, position) = &mut *state;
            Some(work(engine, position))
        });
        self.heed();
        let busy = "another thread waits for this engine";
        finish(py, result.ok_or_else(|| PyRuntimeError::new_err(busy))?)
    }

    /// Stops the search if somebody wants that, unless a call goes on, which will do it at its end.
    fn heed(&self) {
        let is_wanted =
            || self.stopped.load(Ordering::SeqCst) == self.search.load(Ordering::SeqCst);
        if is_wanted()
            && let Ok(mut state) = self.state.try_lock()
            // Another search may have begun, but none can now.
            && is_wanted()
        {
            state.0.stop();
        }
    }
}

#[pymethods]
impl PyEngine {
    #[new]
    fn new(
        py: Python<'_>,
        command: Vec<String>,
        timeout: f64,
        search_timeout: f64,
    ) -> PyResult<Self> {
        let settings = Settings {
            timeout: seconds("timeout", timeout)?,
            search_timeout: seconds("search_timeout", search_timeout)?,
            interrupt: is_interrupted,
            ..Settings::default()
        };
        let engine = finish(py, py.detach(|| settings.start(&command)))?;
        let state = Box::new(Mutex::new((engine, Position::START)));
        Ok(Self { state, search: AtomicU64::new(1), stopped: AtomicU64::new(0) })
    }

    /// The name and the options.
    fn identity(&self, py: Python<'_>) -> PyResult<(String, Vec<OptionParts>)> {
        let (name, options) =
            self.call(py, |engine, _| Ok((engine.name().to_owned(), engine.options().to_vec())))?;
        let options = options.into_iter().map(|option| parts(py, option));
        Ok((name, options.collect::<PyResult<_>>()?))
    }

    fn set_option(&self, py: Python<'_>, name: &str, value: &str) -> PyResult<()> {
        self.call(py, |engine, _| engine.set_option(name, value))
    }

    fn new_game(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |engine, _| engine.new_game())
    }

    /// Begins a search and returns its number.
    fn begin(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        limit: &Bound<'_, PyAny>,
        lines: usize,
    ) -> PyResult<u64> {
        let game = if let Ok(board) = position.cast::<PyBoard>() {
            board.try_borrow()?.game(py)?
        } else {
            let position = position.extract::<PositionArg<'_>>()?;
            Game::from_position(position_of(py, Some(&position), false)?)
        };
        let time = |name| -> PyResult<Option<Duration>> {
            let time = limit.getattr(name)?.extract::<Option<f64>>()?;
            time.map(|time| seconds(name, time)).transpose()
        };
        let limit = Limit {
            time: time("time")?,
            depth: limit.getattr("depth")?.extract()?,
            nodes: limit.getattr("nodes")?.extract()?,
            mate: limit.getattr("mate")?.extract()?,
            white_clock: time("white_clock")?,
            black_clock: time("black_clock")?,
            white_inc: time("white_inc")?,
            black_inc: time("black_inc")?,
            remaining_moves: limit.getattr("remaining_moves")?.extract()?,
        };
        self.call(py, |engine, position| {
            // From here on nobody can stop this search who means the one before.
            let number = self.search.fetch_add(1, Ordering::SeqCst) + 1;
            engine.begin(&game, &limit, lines)?;
            game.position().clone_into(position);
            Ok(number)
        })
    }

    /// The next info as a dictionary, or the end as a tuple of the best move, the expected reply and
    /// the last info of each line; ``None`` if nothing came in so many seconds.
    fn poll(&self, py: Python<'_>, search: u64, wait: f64) -> PyResult<Option<Py<PyAny>>> {
        if search != self.search.load(Ordering::SeqCst) {
            let reason = "this search has not begun by `with`, or another has begun since";
            return Err(PyRuntimeError::new_err(reason));
        }
        let wait = seconds("wait", wait)?;
        let poll = |engine: &mut Engine, position: &mut Position| {
            engine.poll(wait).map(|step| (step, position.clone()))
        };
        let (step, position) = self.call(py, poll)?;
        Ok(match step {
            None => None,
            Some(Step::Info(it)) => Some(info(py, &position, &it)?.into_py_any(py)?),
            Some(Step::Done(found)) => Some(end(py, &position, &found)?),
        })
    }

    /// Asks the engine to stop this search, or any. It ends by ``poll``, or when the next one begins.
    fn stop(&self, search: Option<u64>) {
        let search = search.unwrap_or_else(|| self.search.load(Ordering::SeqCst));
        self.stopped.store(search, Ordering::SeqCst);
        self.heed();
    }

    /// Ends the engine.
    fn quit(&self, py: Python<'_>) -> PyResult<()> {
        self.call(py, |engine, _| {
            engine.quit();
            Ok(())
        })
    }
}

/// The exception for an error.
fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    let made = match error {
        Error::Argument(reason) => return PyValueError::new_err(reason.clone()),
        Error::Ended { exit, .. } => {
            let arguments = (text, exit.code(), &exit.message);
            make!(py, "tabiya.uci", "EngineTerminatedError", arguments)
        }
        Error::Gone(_) => make!(py, "tabiya.uci", "EngineTerminatedError", (text, py.None(), "")),
        Error::TimedOut { awaited, .. } => {
            make!(py, "tabiya.uci", "EngineTimeoutError", (text, awaited))
        }
        Error::Protocol { line, .. } => {
            make!(py, "tabiya.uci", "EngineProtocolError", (text, line))
        }
        _ => make!(py, "tabiya.uci", "EngineError", (text,)),
    };
    made.map_or_else(|error| error, PyErr::from_value)
}

fn score(py: Python<'_>, score: Score) -> PyResult<Bound<'_, PyAny>> {
    match score {
        Score::Cp(value) => make!(py, "tabiya.uci", "Score", ("cp", value)),
        Score::Wins(moves) => make!(py, "tabiya.uci", "Score", ("wins", moves)),
        Score::Loses(moves) => make!(py, "tabiya.uci", "Score", ("loses", moves)),
    }
}

/// The fields of a `tabiya.uci.Info`.
fn info<'py>(py: Python<'py>, position: &Position, info: &Info) -> PyResult<Bound<'py, PyDict>> {
    let bound = match info.bound {
        ScoreBound::Exact => "exact",
        ScoreBound::Lower => "lower",
        ScoreBound::Upper => "upper",
    };
    let mut pv = Vec::new();
    let mut position = position.clone();
    for &mv in &info.pv {
        pv.push(PyMove::of(py, &position, mv)?);
        position = position.play(mv);
    }
    let fields = PyDict::new(py);
    fields.set_item("turn", color::to_bool(info.turn))?;
    fields.set_item("multipv", info.multipv)?;
    fields.set_item("score", info.score.map(|it| score(py, it)).transpose()?)?;
    fields.set_item("bound", bound)?;
    fields.set_item("wdl", info.wdl.map(<(u32, u32, u32)>::from))?;
    fields.set_item("depth", info.depth)?;
    fields.set_item("seldepth", info.seldepth)?;
    fields.set_item("nodes", info.nodes)?;
    fields.set_item("nps", info.nps)?;
    fields.set_item("tbhits", info.tbhits)?;
    fields.set_item("hashfull", info.hashfull)?;
    fields.set_item("time", info.time.map(|it| it.as_secs_f64()))?;
    fields.set_item("pv", pv)?;
    let rest = info.pv_rest.iter().map(|&uci| PyMove { uci: Some(uci) }.object(py));
    fields.set_item("pv_rest", rest.collect::<PyResult<Vec<_>>>()?)?;
    fields.set_item("string", &info.string)?;
    Ok(fields)
}

fn end(py: Python<'_>, position: &Position, found: &Found) -> PyResult<Py<PyAny>> {
    let best = found.best.map(|mv| PyMove::of(py, position, mv)).transpose()?;
    let ponder = found.best.zip(found.ponder);
    let ponder = ponder.map(|(best, reply)| PyMove::of(py, &position.play(best), reply));
    let lines =
        found.lines.iter().map(|it| info(py, position, it)).collect::<PyResult<Vec<_>>>()?;
    (best, ponder.transpose()?, lines).into_py_any(py)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<PyEngine>(module)
}
