//! Signals: Ctrl-C asks the work to stop, and a second Ctrl-C ends the program at once.

use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tabiya_perft::Watch;

use crate::failure::{Diagnostic, Failure};
use crate::outcome::Outcome;

/// The time within which signals count as one. Programs that stop others often send two signals:
/// one to the program and one to its group.
const ONE_SIGNAL: Duration = Duration::from_millis(500);

/// A flag that is set when the user asks to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C from now on. Call it once, before the work begins.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::listen_and(|| {})
    }

    /// Listens for Ctrl-C. A second Ctrl-C calls the function before it ends the program.
    pub(crate) fn listen_and(before_exit: fn()) -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            asked.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
                before_exit();
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

/// Makes writes beyond the file size limit (`ulimit -f`) fail like other writes. By default, the
/// system would end the program with the signal SIGXFSZ, and nothing would be printed.
pub(crate) fn report_writes_over_the_limit() {
    // SAFETY: the signal is ignored, so no handler of ours runs. Nothing else in this program
    // changes the handling of this signal.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
