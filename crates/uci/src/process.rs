//! Programs as processes: pipes, time limits, and the end of every child.
//!
//! [`Engine`](crate::Engine) needs nothing of it. It's public for programs that talk to others by lines
//! in a protocol of their own, as `tabiya-compare` does.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// An answer of more bytes than this is endless.
pub const MAX_ANSWER: usize = 1 << 20;

/// A line of more bytes than this is read in parts.
pub const MAX_LINE: usize = 1 << 16;

/// The interval at which we check whether to stop.
const SLICE: Duration = Duration::from_millis(50);

/// How long a program that has ended must be silent until its output is over, if a process that it
/// started keeps the pipe open, as build servers do.
const AFTER_THE_END: Duration = Duration::from_secs(1);

/// The running processes, which are killed at the end of this one.
static CHILDREN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills all running programs. Call it if the process is about to end in any way except returning
/// from `main`, for example on a signal.
pub fn kill_all() {
    let children = CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    children.into_iter().for_each(kill_group);
}

/// Kills a process and the processes that it started.
fn kill_group(id: u32) {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(id) {
        // SAFETY: `kill` touches no memory of this process. The group belongs to a child that has
        // not been waited for, so the number is still valid.
        unsafe {
            libc::kill(-id, libc::SIGKILL);
        }
    }
    #[cfg(not(unix))]
    let _ = id;
}

/// A log of the dialogue with programs: every line, and their stderr. A line begins with `>` if we
/// wrote it, `<` if the program did, `!` if it comes from its stderr, and `$` if it's the command.
///
/// ```
/// use tabiya_uci::process::Log;
/// let log = Log::to(std::io::stderr());
/// assert!(log.failure().is_none());
/// ```
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Mutex<Out>>>);

/// The destination of a log.
struct Out {
    writer: Box<dyn Write + Send>,
    /// The error after which nothing more is written.
    failure: Option<io::Error>,
}

impl fmt::Debug for Log {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Log").field(&self.0.is_some()).finish()
    }
}

impl Log {
    /// Writes the dialogue to this writer.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        Self(Some(Arc::new(Mutex::new(Out { writer: Box::new(out), failure: None }))))
    }

    /// The error that ended the log, if there was one. After the first error, nothing more is
    /// written to the log.
    pub fn failure(&self) -> Option<io::Error> {
        let out = self.0.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let failure = out.failure.as_ref()?;
        Some(match failure.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(failure.kind(), failure.to_string()),
        })
    }

    fn line(&self, sign: &str, text: &str) {
        let Some(out) = &self.0 else { return };
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        let Out { writer, failure } = &mut *out;
        if failure.is_none() {
            let written = writeln!(writer, "{sign} {text}").and_then(|()| writer.flush());
            *failure = written.err();
        }
    }
}

/// A running program, which is killed, with its own children, when this is dropped.
///
/// ```no_run
/// use std::time::Duration;
/// use tabiya_uci::process::{Event, Log, Process};
/// let mut process = Process::start(&["stockfish".to_owned()], &Log::default())?;
/// process.say("isready");
/// let event = process.hear(&mut Duration::from_secs(10), &|| false);
/// assert!(matches!(event, Event::Line(_)));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Process {
    // Its stdin is closed first, then it is killed.
    input: Option<Sender<String>>,
    child: Owned,
    output: Receiver<String>,
    /// The last line of its stderr.
    complaint: Arc<Mutex<String>>,
    /// Disconnects when its stderr is closed.
    complaints: Receiver<()>,
    log: Log,
    /// How long it has been silent since it ended.
    after_end: Duration,
    /// Ends the thread that started it.
    _keeper: SyncSender<()>,
}

impl fmt::Debug for Process {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Process").field("id", &self.child.0.id()).finish_non_exhaustive()
    }
}

/// A child that is killed, with its own children, when it is dropped, but not in a process that was
/// forked from the one that started it, whose number is this.
struct Owned(Child, u32);

/// An event from a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line without its end.
    Line(String),
    /// The program has closed its output.
    End,
    /// No line came in time.
    Silence,
    /// The wait should stop.
    Stop,
}

/// The way in which a program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Its status; `None` if it still runs, and has only closed its output.
    pub status: Option<ExitStatus>,
    /// The last message on its stderr, or nothing.
    pub message: String,
}

impl Exit {
    /// The exit code, or minus the number of the signal that ended it.
    pub fn code(&self) -> Option<i32> {
        let status = self.status?;
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Some(-signal);
        }
        status.code()
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            Some(status) => status.fmt(out)?,
            None => out.write_str("it closed its output")?,
        }
        if self.message.is_empty() { Ok(()) } else { write!(out, ", after {}", self.message) }
    }
}

impl Process {
    /// Starts a program with pipes: its path or name, and its arguments.
    ///
    /// # Errors
    /// It can't be started.
    pub fn start(command: &[String], log: &Log) -> io::Result<Self> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| io::Error::other("no command"))?;
        let mut builder = Command::new(program);
        builder.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut builder);
        log.line("$", &command.join(" "));
        let (input, lines) = channel::<String>();
        let (sender, started) = sync_channel(1);
        let (keeper, dropped) = sync_channel::<()>(0);
        // A program that doesn't read would block us, so a thread writes. Linux kills a child when the
        // thread ends that started it, so this one starts it, and lives as long.
        spawn(move || {
            let mut child = builder.spawn();
            let stdin = child.as_mut().ok().and_then(|child| child.stdin.take());
            let _ = sender.send(child.map(Owned::of));
            if let Some(mut stdin) = stdin {
                while let Ok(line) = lines.recv() {
                    if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            }
            let _ = dropped.recv();
        })?;
        let child = started.recv().map_err(io::Error::other)?;
        let mut child =
            child.map_err(|error| io::Error::new(error.kind(), format!("{program}: {error}")))?;
        let pipes = (child.0.stdout.take(), child.0.stderr.take());
        let (Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("it has no pipes"));
        };
        // The channel is bounded, so a program that prints for ever has to wait.
        let (sender, output) = sync_channel(64);
        spawn(move || each_line(stdout, |line| sender.send(line.to_owned()).is_ok()))?;
        let complaint = Arc::new(Mutex::new(String::new()));
        let (sender, complaints) = sync_channel::<()>(0);
        let (last, copy) = (Arc::clone(&complaint), log.clone());
        spawn(move || {
            let _ends_with_the_thread = sender;
            each_line(stderr, |line| {
                copy.line("!", line);
                if is_message(line) {
                    let line = line.trim().chars().filter(|it| !it.is_control());
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = line.take(160).collect();
                }
                true
            });
        })?;
        let (log, after_end) = (log.clone(), Duration::ZERO);
        let input = Some(input);
        Ok(Self { input, child, output, complaint, complaints, log, after_end, _keeper: keeper })
    }

    /// Writes a line, without waiting for the program to read it. If it doesn't, its answer will
    /// show that.
    pub fn say(&mut self, line: &str) {
        self.log.line(">", line);
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Closes the stdin of the program, after what has been written.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the next line, as long as there is time `left`, from which the wait is taken. `stop` is
    /// asked every 50 ms whether to give up.
    ///
    /// A line that has already come is read even if there is no time left. Where this process is suspended
    /// or starved for a while, the program loses no time.
    pub fn hear(&mut self, left: &mut Duration, stop: &dyn Fn() -> bool) -> Event {
        let mut wait = Duration::ZERO;
        loop {
            let begin = Instant::now();
            let heard = self.output.recv_timeout(wait);
            *left = left.saturating_sub(begin.elapsed().min(wait));
            match heard {
                Ok(line) => {
                    self.after_end = Duration::ZERO;
                    self.log.line("<", &line);
                    return Event::Line(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Event::End,
                Err(RecvTimeoutError::Timeout) if stop() => return Event::Stop,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Event::Silence,
                Err(RecvTimeoutError::Timeout) => {
                    if matches!(self.child.0.try_wait(), Ok(Some(_))) {
                        self.after_end += wait;
                    }
                    if self.after_end >= AFTER_THE_END {
                        return Event::End;
                    }
                    wait = SLICE.min(*left);
                }
            }
        }
    }

    /// The way in which the program ended, if it has ended or ends soon.
    pub fn ended(&mut self) -> Exit {
        let until = Instant::now() + Duration::from_millis(500);
        let status = loop {
            match self.child.0.try_wait() {
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                Ok(status) => break status,
                Err(_) => break None,
            }
        };
        if status.is_some() {
            let _ = self.complaints.recv_timeout(Duration::from_millis(500));
        }
        let message = self.complaint.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Exit { status, message }
    }
}

/// Does the line say why a program crashed? Some runtimes add notes to the message before them.
fn is_message(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !["note:", "Node.js v"].iter().any(|note| line.starts_with(note))
}

/// Reads lines, without their ends, until the pipe is closed or nobody wants more.
fn each_line(pipe: impl Read, mut take: impl FnMut(&str) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    while let Ok(1..) = pipe.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line);
        if !take(text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n'])) {
            break;
        }
        line.clear();
    }
}

/// Starts a thread, which ends with the program.
fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().spawn(work);
    thread.map(drop).map_err(|error| io::Error::other(format!("no thread can be started: {error}")))
}

impl Owned {
    fn of(child: Child) -> Self {
        CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).push(child.id());
        Self(child, std::process::id())
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        if std::process::id() != self.1 {
            return;
        }
        let id = self.0.id();
        kill_group(id);
        // One that runs as another user can't be killed, and isn't waited for.
        if self.0.kill().and_then(|()| self.0.wait()).is_ok() {
            CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).retain(|it| *it != id);
        }
    }
}

/// Makes the program the leader of a group, so that its own children are killed with it. On Linux,
/// it is also killed when this process ends.
fn own_group(builder: &mut Command) {
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        builder.process_group(0);
        #[cfg(target_os = "linux")]
        {
            let parent = std::process::id();
            let die_with_parent = move || {
                // SAFETY: the call takes no pointers, and may be made between `fork` and `exec`.
                unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
                // SAFETY: as above.
                let is_alive = unsafe { libc::getppid() };
                // The parent may have ended before the signal was requested.
                let is_alive = u32::try_from(is_alive).is_ok_and(|it| it == parent);
                if is_alive { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
            };
            // SAFETY: the closure makes two system calls, allocates nothing and takes no lock.
            unsafe { builder.pre_exec(die_with_parent) };
        }
    }
    #[cfg(not(unix))]
    let _ = builder;
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);
    const NONE: Duration = Duration::ZERO;

    /// Starts a shell script, and does this with it. What goes wrong must not wait for ever.
    fn with_script<T: Send + 'static>(
        script: &str,
        work: impl FnOnce(&mut Process) -> T + Send + 'static,
    ) -> T {
        let command = ["sh", "-c", script].map(str::to_owned);
        let (sender, done) = sync_channel(1);
        thread::spawn(move || {
            let mut running = Process::start(&command, &Log::default()).expect("it starts");
            sender.send(work(&mut running)).expect("somebody waits");
        });
        done.recv_timeout(Duration::from_secs(300)).expect("it ends")
    }

    #[test]
    fn a_program_that_does_not_read_blocks_nothing() {
        let event = with_script("exec sleep 600", |running| {
            // More than a pipe holds.
            for _ in 0..10_000 {
                running.say("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
            }
            running.close();
            running.hear(&mut NONE.clone(), &|| false)
        });
        assert_eq!(event, Event::Silence);
    }

    #[test]
    fn an_answer_that_has_waited_is_read_when_the_time_is_over() {
        with_script("echo a; echo b; exec sleep 600", |running| {
            assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::Line("a".to_owned()));
            thread::sleep(Duration::from_millis(500));
            let event = running.hear(&mut NONE.clone(), &|| true);
            assert_eq!(event, Event::Line("b".to_owned()));
        });
    }

    #[test]
    fn a_program_that_leaves_its_output_open_ends_nevertheless() {
        with_script("sleep 600 & echo a; exit 3", |running| {
            assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::Line("a".to_owned()));
            assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::End);
            assert_eq!(running.ended().status.and_then(|it| it.code()), Some(3));
        });
    }

    #[test]
    fn a_crash_ends_with_its_last_message() {
        let script = "echo boom >&2; echo 'note: run with' >&2; exec >&-; exec 2>&-; exit 3";
        let exit = with_script(script, |running| {
            assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::End);
            loop {
                let exit = running.ended();
                if exit.status.is_some() {
                    return exit.to_string();
                }
            }
        });
        assert!(exit.ends_with(", after boom"), "{exit}");
    }

    /// Linux kills what a thread has started when it ends.
    #[test]
    fn a_program_outlives_the_thread_that_started_it() {
        let command = ["sh", "-c", "read line; echo heard; exec sleep 600"].map(str::to_owned);
        let start = move || Process::start(&command, &Log::default()).expect("it starts");
        let mut running = thread::spawn(start).join().expect("the thread ends");
        thread::sleep(Duration::from_millis(100));
        running.say("hello");
        assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::Line("heard".to_owned()));
    }

    #[test]
    fn lines_end_in_any_way() {
        let mut lines = Vec::new();
        each_line(&b"\xef\xbb\xbfuciok\r\n\na2a3: 1"[..], |line| {
            lines.push(line.to_owned());
            true
        });
        assert_eq!(lines, ["uciok", "", "a2a3: 1"]);
    }
}
