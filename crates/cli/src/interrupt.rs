//! Signals: Ctrl-C and SIGTERM ask the work to stop, and a second signal ends the program at once.

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

/// Has the user asked to stop?
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for signals from now on. Call it once, before the work begins.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::listen_and(|| {})
    }

    /// Listens for signals. A second one calls the function before it ends the program.
    pub(crate) fn listen_and(before_exit: fn()) -> Result<Self, Failure> {
        let interrupt = Self::default();
        let asked = Arc::clone(&interrupt.0);
        let mut first: Option<Instant> = None;
        // `ctrlc` catches SIGHUP too. We restore its disposition, so `nohup` still works.
        // SAFETY: the signal is ignored for a moment, so no handler of ours runs.
        #[cfg(unix)]
        let hangup = unsafe { libc::signal(libc::SIGHUP, libc::SIG_IGN) };
        let outcome = ctrlc::set_handler(move || {
            asked.store(true, Ordering::Relaxed);
            // At the first signal, `elapsed` is about 0.
            if first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL {
                before_exit();
                process::exit(Outcome::Interrupted.code().into());
            }
        });
        // SAFETY: this is what the program was started with, so it's no handler of ours.
        #[cfg(unix)]
        unsafe {
            libc::signal(libc::SIGHUP, hangup);
        }
        outcome.map_err(|error| match error {
            ctrlc::Error::System(error) => {
                Diagnostic::new(format_args!("cannot start the thread for Ctrl-C: {error}"))
            }
            error => Diagnostic::new(format_args!("cannot listen for Ctrl-C: {error}")),
        })?;
        Ok(interrupt)
    }
}

impl Watch for Interrupt {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
