//! Ctrl-C: the first asks the work to stop, the second ends the program at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tabiya_perft::Watch;

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};

/// Whether the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C from now on; to be called once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        ctrlc::set_handler(move || {
            if asked.swap(true, Ordering::Relaxed) {
                process::exit(Outcome::Interrupted.code().into());
            }
        })
        .map_err(|error| Diagnostic::new(format_args!("cannot listen for Ctrl-C: {error}")))?;
        Ok(interrupt)
    }
}

impl Watch for Interrupt {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
