//! Signals: Ctrl-C, SIGTERM and SIGHUP ask the work to stop, and a second signal ends the program at
//! once.

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
pub(crate) struct Interrupt(Arc<Flags>);

#[derive(Debug, Default)]
struct Flags {
    is_asked: AtomicBool,
    /// Does the first signal end the program?
    ends_at_once: AtomicBool,
}

impl Interrupt {
    /// Listens for Ctrl-C from now on. Call it once, before the work begins.
    pub(crate) fn listen() -> Result<Self, Failure> {
        Self::listen_and(|| {})
    }

    /// Listens for signals. A second one calls the function before it ends the program.
    pub(crate) fn listen_and(before_exit: fn()) -> Result<Self, Failure> {
        let interrupt = Self::default();
        let flags = Arc::clone(&interrupt.0);
        let survives_hangups = ignores_hangups();
        let mut first: Option<Instant> = None;
        ctrlc::set_handler(move || {
            flags.is_asked.store(true, Ordering::SeqCst);
            let is_second = first.get_or_insert_with(Instant::now).elapsed() > ONE_SIGNAL;
            if is_second || flags.ends_at_once.load(Ordering::SeqCst) {
                before_exit();
                process::exit(Outcome::Interrupted.code().into());
            }
        })
        .map_err(|error| match error {
            ctrlc::Error::System(error) => {
                Diagnostic::new(format_args!("cannot start the thread for Ctrl-C: {error}"))
            }
            error => Diagnostic::new(format_args!("cannot listen for Ctrl-C: {error}")),
        })?;
        if survives_hangups {
            ignore_hangups();
        }
        Ok(interrupt)
    }

    /// Lets the first signal end the program from now on. Call it before work that cannot be stopped
    /// otherwise, such as writing to a pipe that nobody reads.
    pub(crate) fn end_at_once(&self) {
        self.0.ends_at_once.store(true, Ordering::SeqCst);
        if self.0.is_asked.load(Ordering::SeqCst) {
            process::exit(Outcome::Interrupted.code().into());
        }
    }
}

impl Watch for Interrupt {
    fn is_cancelled(&self) -> bool {
        self.0.is_asked.load(Ordering::Relaxed)
    }
}

/// Is SIGHUP ignored, as for a program that `nohup` has started?
fn ignores_hangups() -> bool {
    #[cfg(unix)]
    {
        let mut action = std::mem::MaybeUninit::<libc::sigaction>::uninit();
        // SAFETY: without a new action, the call only writes the present one, to memory that is
        // large enough for it.
        let code = unsafe { libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr()) };
        // SAFETY: the call has succeeded, so it has written the action.
        code == 0 && unsafe { action.assume_init() }.sa_sigaction == libc::SIG_IGN
    }
    #[cfg(not(unix))]
    false
}

fn ignore_hangups() {
    // SAFETY: the signal is ignored, so no handler runs.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGHUP, libc::SIG_IGN);
    }
}

/// Lets the system keep the exit codes of child processes, as it does by default. A service that
/// ignores the ends of its children starts programs in a state in which the system forgets them.
pub(crate) fn learn_of_the_ends_of_children() {
    // SAFETY: the default action runs no handler, and does not end this program.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGCHLD, libc::SIG_DFL);
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
