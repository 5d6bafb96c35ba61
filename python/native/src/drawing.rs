//! The text of a picture, which may be long.

use std::fmt::{self, Write};

use pyo3::prelude::*;
use tabiya_views::svg::Picture;

use crate::signals;

/// The text of a picture. Other Python threads run meanwhile.
///
/// # Errors
/// The exception of a signal handler.
pub(crate) fn text(py: Python<'_>, picture: &Picture) -> PyResult<String> {
    let mut drawing = Drawing { py, text: String::new(), paused_at: 0, error: None };
    // It fails with the error that the drawing keeps.
    let _ = write!(drawing, "{picture}");
    drawing.error.map_or(Ok(drawing.text), Err)
}

/// The text so far.
struct Drawing<'py> {
    py: Python<'py>,
    text: String,
    /// The length of the text at the last check for Ctrl-C.
    paused_at: usize,
    /// The exception that ended the drawing.
    error: Option<PyErr>,
}

impl Drawing<'_> {
    fn add(&mut self, part: &str) -> PyResult<()> {
        self.text += part;
        if self.text.len() - self.paused_at >= signals::STEP {
            self.paused_at = self.text.len();
            signals::pause(self.py)?;
        }
        Ok(())
    }
}

impl Write for Drawing<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.add(part).map_err(|error| {
            self.error = Some(error);
            fmt::Error
        })
    }
}
