//! Programs as processes: pipes, time limits, and the end of every child.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::generator::Trouble;

/// An answer longer than this is endless.
pub(crate) const MAX_ANSWER: usize = 1 << 20;

/// A longer line is read in parts.
const MAX_LINE: u64 = 1 << 16;

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

/// A log of the dialogue with programs: every line, and their stderr.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Mutex<Out>>>);

/// The destination of a log.
struct Out {
    writer: Box<dyn Write + Send>,
    /// The error after which nothing more is written.
    failure: Option<io::Error>,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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

/// A running program.
pub(crate) struct Running {
    // Its stdin is closed first, then it is killed.
    input: Option<Sender<String>>,
    process: Process,
    output: Receiver<String>,
    /// The last line of its stderr.
    complaint: Arc<Mutex<String>>,
    /// Disconnects when its stderr is closed.
    complaints: Receiver<()>,
    log: Log,
}

/// A child that is killed, with its own children, when it is dropped.
struct Process(Child);

/// An event from a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A line without its end.
    Line(String),
    /// The program has closed its output.
    End,
    /// No line came in time.
    Silence,
    /// The hunt should stop.
    Stop,
}

impl Running {
    /// Starts a program with pipes.
    pub(crate) fn start(command: &[String], log: &Log) -> Result<Self, Trouble> {
        let (program, arguments) =
            command.split_first().ok_or_else(|| Trouble::Start("no command".to_owned()))?;
        let mut builder = Command::new(program);
        builder.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        own_group(&mut builder);
        log.line("$", &command.join(" "));
        let child =
            builder.spawn().map_err(|error| Trouble::Start(format!("{program}: {error}")))?;
        let mut process = Process::of(child);
        let pipes = (process.0.stdin.take(), process.0.stdout.take(), process.0.stderr.take());
        let (Some(mut stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(Trouble::Start("it has no pipes".to_owned()));
        };
        // A program that doesn't read would block us, so a thread writes.
        let (input, lines) = channel::<String>();
        spawn(move || {
            while let Ok(line) = lines.recv() {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        })?;
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
        let log = log.clone();
        Ok(Self { input: Some(input), process, output, complaint, complaints, log })
    }

    /// Writes a line, without waiting for the program to read it. If it doesn't, its answer will
    /// show that.
    pub(crate) fn say(&mut self, line: &str) {
        self.log.line(">", line);
        if let Some(input) = &self.input {
            let _ = input.send(format!("{line}\n"));
        }
    }

    /// Closes the stdin of the program, after what has been written.
    pub(crate) fn close(&mut self) {
        self.input = None;
    }

    /// Waits for the next line, as long as there is time `left`, from which the wait is taken.
    ///
    /// A line that has already come is read even if there is no time left. Where tabiya is suspended
    /// or starved for a while, the program loses no time.
    pub(crate) fn hear(&mut self, left: &mut Duration, stop: &dyn Fn() -> bool) -> Event {
        let mut after_end = Duration::ZERO;
        loop {
            let wait = if stop() { Duration::ZERO } else { SLICE.min(*left) };
            let begin = Instant::now();
            let heard = self.output.recv_timeout(wait);
            *left = left.saturating_sub(begin.elapsed().min(wait));
            match heard {
                Ok(line) => {
                    self.log.line("<", &line);
                    return Event::Line(line);
                }
                Err(RecvTimeoutError::Disconnected) => return Event::End,
                Err(RecvTimeoutError::Timeout) if stop() => return Event::Stop,
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Event::Silence,
                Err(RecvTimeoutError::Timeout) => {
                    let has_ended = matches!(self.process.0.try_wait(), Ok(Some(_)));
                    after_end = if has_ended { after_end + wait } else { Duration::ZERO };
                    if after_end >= AFTER_THE_END {
                        return Event::End;
                    }
                }
            }
        }
    }

    /// All output until the program closes it.
    pub(crate) fn hear_all(
        &mut self,
        mut left: Duration,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, Trouble> {
        let mut text = String::new();
        loop {
            match self.hear(&mut left, stop) {
                Event::Line(line) => {
                    text += &line;
                    text.push('\n');
                    check_length(text.len())?;
                }
                Event::End => return Ok(text),
                Event::Silence => return Err(Trouble::Hang),
                Event::Stop => return Err(Trouble::Stopped),
            }
        }
    }

    /// The way in which the program ended, if it has ended or ends soon.
    pub(crate) fn ended(&mut self) -> Trouble {
        let until = Instant::now() + Duration::from_millis(500);
        loop {
            match self.process.0.try_wait() {
                Ok(Some(status)) if status.success() => return Trouble::EarlyExit,
                Ok(Some(status)) => {
                    let _ = self.complaints.recv_timeout(Duration::from_millis(100));
                    let last = self.complaint.lock().unwrap_or_else(PoisonError::into_inner);
                    let after = if last.is_empty() { "" } else { ", after " };
                    return Trouble::Crash(format!("{status}{after}{last}"));
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return Trouble::EarlyExit,
            }
        }
    }
}

/// An answer of more than this many bytes won't end.
pub(crate) fn check_length(heard: usize) -> Result<(), Trouble> {
    match heard > MAX_ANSWER {
        true => Err(Trouble::Garbage(format!("it is longer than {} MiB", MAX_ANSWER >> 20))),
        false => Ok(()),
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
    while let Ok(1..) = pipe.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
        let text = String::from_utf8_lossy(&line);
        if !take(text.trim_start_matches('\u{feff}').trim_end_matches(['\r', '\n'])) {
            break;
        }
        line.clear();
    }
}

/// Starts a thread, which ends with the program.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Trouble> {
    let thread = thread::Builder::new().spawn(work);
    thread.map(drop).map_err(|error| Trouble::Start(format!("no thread can be started: {error}")))
}

impl Process {
    fn of(child: Child) -> Self {
        CHILDREN.lock().unwrap_or_else(PoisonError::into_inner).push(child.id());
        Self(child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
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
        work: impl FnOnce(&mut Running) -> T + Send + 'static,
    ) -> T {
        let command = ["sh", "-c", script].map(str::to_owned);
        let (sender, done) = sync_channel(1);
        thread::spawn(move || {
            let mut running = Running::start(&command, &Log::default()).expect("it starts");
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
    fn a_program_that_always_prints_does_not_outlast_the_time() {
        let endless = with_script("exec yes", |running| running.hear_all(LONG, &|| false));
        assert_eq!(endless, Err(Trouble::Garbage("it is longer than 1 MiB".to_owned())));
        let dots = "while :; do echo .; sleep 0.005; done";
        let short = Duration::from_millis(100);
        assert_eq!(with_script(dots, move |it| it.hear_all(short, &|| false)), Err(Trouble::Hang));
        assert_eq!(with_script(dots, |it| it.hear_all(LONG, &|| true)), Err(Trouble::Stopped));
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
            assert!(matches!(running.ended(), Trouble::Crash(_)));
        });
    }

    #[test]
    fn a_crash_ends_with_its_last_message() {
        let script = "echo boom >&2; echo 'note: run with' >&2; exec >&-; exec 2>&-; exit 3";
        let trouble = with_script(script, |running| {
            assert_eq!(running.hear(&mut LONG.clone(), &|| false), Event::End);
            loop {
                if let crash @ Trouble::Crash(_) = running.ended() {
                    return crash;
                }
            }
        });
        assert!(trouble.to_string().ends_with(", after boom"), "{trouble}");
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
