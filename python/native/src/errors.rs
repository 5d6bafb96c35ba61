//! Raising errors. The exceptions are classes of the Python module `tabiya.errors`, so that they
//! have typed attributes and can be pickled.

use std::io;
use std::ops::Range;
use std::path::Path;

use pyo3::exceptions::{
    PyOSError, PyOverflowError, PyTypeError, PyUnicodeEncodeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;
use tabiya::san::SanCause;
use tabiya::{FenError, NotationError, Position, UciMoveError};
use tabiya_views::InputError;
use tabiya_views::explain::MoveTextError;

/// The exceptions.
pub(crate) mod classes {
    #![expect(non_upper_case_globals, reason = "they have the names of their classes")]

    use pyo3::prelude::*;
    use pyo3::sync::PyOnceLock;
    use pyo3::types::PyType;

    /// A class of `tabiya.errors`. `pyo3::import_exception!` would panic if it cannot be imported.
    pub(crate) struct Exception {
        name: &'static str,
        class: PyOnceLock<Py<PyType>>,
    }

    impl Exception {
        const fn new(name: &'static str) -> Self {
            Self { name, class: PyOnceLock::new() }
        }

        pub(crate) fn class<'py>(&self, py: Python<'py>) -> PyResult<&Bound<'py, PyType>> {
            self.class.import(py, "tabiya.errors", self.name)
        }
    }

    pub(crate) static AmbiguousMoveError: Exception = Exception::new("AmbiguousMoveError");
    pub(crate) static BatchError: Exception = Exception::new("BatchError");
    pub(crate) static CheckpointError: Exception = Exception::new("CheckpointError");
    pub(crate) static DataError: Exception = Exception::new("DataError");
    pub(crate) static DamagedTableError: Exception = Exception::new("DamagedTableError");
    pub(crate) static FenError: Exception = Exception::new("FenError");
    pub(crate) static IllegalMoveError: Exception = Exception::new("IllegalMoveError");
    pub(crate) static InvalidMoveError: Exception = Exception::new("InvalidMoveError");
    pub(crate) static MissingTableError: Exception = Exception::new("MissingTableError");
    pub(crate) static PgnError: Exception = Exception::new("PgnError");
    pub(crate) static TableError: Exception = Exception::new("TableError");
    pub(crate) static UnplayableError: Exception = Exception::new("UnplayableError");

    /// Imports the exceptions. Otherwise the first of a kind would, which lets other threads run: they
    /// may want the same board.
    pub(crate) fn import(py: Python<'_>) -> PyResult<()> {
        let all = [
            &AmbiguousMoveError,
            &BatchError,
            &CheckpointError,
            &DamagedTableError,
            &DataError,
            &FenError,
            &IllegalMoveError,
            &InvalidMoveError,
            &MissingTableError,
            &PgnError,
            &TableError,
            &UnplayableError,
        ];
        all.into_iter().try_for_each(|exception| exception.class(py).map(drop))
    }
}

/// An exception of `tabiya.errors`, with these arguments of its class.
///
/// The class is called only when the exception is raised. Here a board may still be
/// borrowed, and that runs Python code, which lets other threads run, which may want the same board.
macro_rules! raise {
    ($py:expr, $class:ident, $arguments:expr) => {
        match (
            $crate::errors::classes::$class.class($py),
            pyo3::IntoPyObject::into_pyobject($arguments, $py),
        ) {
            (Ok(class), Ok(arguments)) => pyo3::PyErr::from_type(class.clone(), arguments.unbind()),
            (Err(error), _) | (_, Err(error)) => error,
        }
    };
}
pub(crate) use raise;

/// The system's refusal to use a file or a folder, as Python's own functions raise it.
pub(crate) fn file(path: &Path, error: &io::Error) -> PyErr {
    let text = error.to_string();
    let reason = text.split(" (os error").next().unwrap_or_default().to_owned();
    match error.raw_os_error() {
        // With these arguments, Python makes a `FileNotFoundError` and so on.
        Some(number) => PyOSError::new_err((number, reason, path.as_os_str().to_owned())),
        None => io::Error::new(error.kind(), format!("{reason}: {}", path.display())).into(),
    }
}

/// The text of a Python object.
///
/// # Errors
/// `ValueError`: it is not a valid text: half of a surrogate pair is missing.
pub(crate) fn unicode(text: &Bound<'_, PyString>) -> PyResult<PyBackedStr> {
    let py = text.py();
    text.extract::<PyBackedStr>().map_err(|error| {
        if !error.is_instance_of::<PyUnicodeEncodeError>(py) {
            return error;
        }
        let start = error.value(py).getattr("start").and_then(|start| text.get_item(start));
        match start.and_then(|half| half.repr()) {
            Err(error) => error,
            Ok(half) => PyValueError::new_err(format!(
                "the text of the games cannot be read: {half} is half of a character (a lone \
                 surrogate); give bytes, or decode them with errors=\"replace\""
            )),
        }
    })
}

/// The most characters of a caller's text in a message.
const LONGEST: usize = 200;

/// A text in a message, which is cut if it is long.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// A caller's text in a message: in quotation marks, without control characters, and cut if it is
/// long.
pub(crate) fn quoted(text: &str) -> String {
    format!("{:?}", cut(text))
}

/// The place of an error, in characters, as Python counts them.
pub(crate) fn characters(text: &str, span: &Range<usize>) -> (usize, usize) {
    let count = |end: usize| text.get(..end).map_or(text.len(), |part| part.chars().count());
    (count(span.start), count(span.end))
}

/// The text is not the FEN of a playable position.
pub(crate) fn fen(py: Python<'_>, text: &str, error: &FenError) -> PyErr {
    let (start, end) = characters(text, &error.span());
    raise!(py, FenError, (error.to_string(), text, start, end))
}

/// The text is not a legal move.
pub(crate) fn notation(
    py: Python<'_>,
    position: &Position,
    text: &str,
    error: &NotationError,
) -> PyErr {
    let (start, end) = characters(text, &error.span());
    let is_ambiguous = match error {
        NotationError::San(error) => matches!(error.cause(), SanCause::Ambiguous { .. }),
        _ => false,
    };
    let fen = position.fen().to_string();
    if is_ambiguous {
        raise!(py, AmbiguousMoveError, (error.to_string(), text, start, end, fen))
    } else if error.is_about_text() {
        raise!(py, InvalidMoveError, (error.to_string(), text, start, end, fen))
    } else {
        raise!(py, IllegalMoveError, (error.to_string(), text, start, end, fen))
    }
}

/// The side to move is in check, so it cannot pass.
pub(crate) fn null_in_check(py: Python<'_>, position: &Position) -> PyErr {
    let reason = "the side to move is in check, so it cannot pass";
    raise!(py, IllegalMoveError, (reason, "0000", 0, 4, position.fen().to_string()))
}

/// The text cannot be explained, because it is not a move or is ambiguous.
pub(crate) fn move_text(
    py: Python<'_>,
    position: &Position,
    text: &str,
    error: &MoveTextError,
) -> PyErr {
    let (start, end) = characters(text, &error.span());
    let fen = position.fen().to_string();
    raise!(py, InvalidMoveError, (error.to_string(), text, start, end, fen))
}

/// The text is not a move in UCI.
pub(crate) fn uci(py: Python<'_>, text: &str, error: &UciMoveError) -> PyErr {
    let (start, end) = characters(text, &error.span());
    raise!(py, InvalidMoveError, (error.to_string(), text, start, end, ""))
}

/// The exception for an argument that cannot be read: `wrong` if its type or size is, else the one
/// that a method of the argument raised, such as that of Ctrl-C.
pub(crate) fn of_argument(py: Python<'_>, error: PyErr, wrong: impl FnOnce() -> PyErr) -> PyErr {
    let is_wrong =
        error.is_instance_of::<PyTypeError>(py) || error.is_instance_of::<PyOverflowError>(py);
    if is_wrong { wrong() } else { error }
}
