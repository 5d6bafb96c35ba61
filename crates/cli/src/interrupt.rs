//! Ctrl-C: the first asks the work to stop, the second ends the program at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabiya_perft::Watch;

use crate::Outcome;
use crate::failure::{Diagnostic, Failure};

/// How long all signals count as one: programs that stop others often signal them twice, once
/// by themselves and once with their group.
const ONCE: Duration = Duration::from_millis(500);

/// Whether the user has asked to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C from now on; to be called once.
    pub(crate) fn listen() -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            asked.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > ONCE {
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
