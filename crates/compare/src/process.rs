//! Programs as processes: pipes, time limits, and the end of every child.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::iter::Peekable;
use std::ops::RangeInclusive;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::str::Chars;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::generator::Trouble;
use crate::patience::Patience;

/// An answer longer than this is not read.
pub(crate) const MAX_ANSWER: usize = 1 << 20;

/// An answer that is longer than this, and incomplete at its time limit, is endless and not silent.
pub(crate) const MUCH: usize = 1 << 16;

/// The most bytes of a line that a program writes to its standard error.
const MAX_COMPLAINT: u64 = 4 << 10;

/// The most bytes of the standard error of all processes that a log keeps.
const MAX_COMPLAINTS: usize = 1 << 20;

/// The interval at which a waiting question checks whether to stop.
const SLICE: Duration = Duration::from_millis(50);

/// The least time to wait for output. If tabiya was suspended, or waited for a processor, all time
/// may have passed, while an answer lies in the pipe.
const LATE: Duration = Duration::from_millis(20);

/// How long a program that has ended must be silent until its output is over, if a process that it
/// has started keeps the output open. On a busy machine, the last lines may be read late.
const AFTER_THE_END: Duration = Duration::from_secs(1);

/// The time in which output that has waited is still read, after the time of a question or of the
/// hunt is over. A program that always prints is never silent.
const OVERTIME: Duration = Duration::from_millis(300);

/// The time that a program has to end by itself if it cannot be killed, and that one has to end
/// when it is killed. One that a debugger holds does not.
const PARTING: Duration = Duration::from_secs(1);

/// The running processes, which are killed at the end of this one.
static CHILDREN: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Kills all running programs. Call it if the process is about to end in any way except returning
/// from `main`, for example on a signal.
pub fn kill_all() {
    let children =
        CHILDREN.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |it| it.clone());
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

/// A log of the dialogue with programs: every line, and their standard error.
#[derive(Clone, Default)]
pub struct Log(Option<Arc<Mutex<Out>>>);

/// The destination of a log.
struct Out {
    writer: Box<dyn Write + Send>,
    /// The error after which nothing more is written.
    failure: Option<io::Error>,
    /// The bytes of standard error that still have room.
    room: usize,
}

impl std::fmt::Debug for Log {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_tuple("Log").field(&self.0.is_some()).finish()
    }
}

impl Log {
    /// Writes the dialogue to this writer.
    pub fn to(out: impl Write + Send + 'static) -> Self {
        let out = Out { writer: Box::new(out), failure: None, room: MAX_COMPLAINTS };
        Self(Some(Arc::new(Mutex::new(out))))
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

    pub(crate) fn line(&self, sign: &str, text: &str) {
        if let Some(out) = &self.0 {
            out.lock().unwrap_or_else(PoisonError::into_inner).write(sign, text);
        }
    }

    /// Writes a line of standard error, as long as there is room.
    fn complaint(&self, text: &str) {
        let Some(out) = &self.0 else { return };
        let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
        if out.room == 0 {
            return;
        }
        out.room = out.room.saturating_sub(text.len());
        out.write("!", text);
        if out.room == 0 {
            let mebibytes = MAX_COMPLAINTS >> 20;
            out.write("!", &format!("… (standard error beyond {mebibytes} MiB is left out)"));
        }
    }
}

impl Out {
    fn write(&mut self, sign: &str, text: &str) {
        let Self { writer, failure, .. } = self;
        if failure.is_none() {
            let mut lines = text.lines();
            let written = lines.try_for_each(|line| writeln!(writer, "{sign} {line}"));
            *failure = written.and_then(|()| writer.flush()).err();
        }
    }
}

/// A running program.
pub(crate) struct Running {
    // Its input is closed first, then it is killed.
    input: Input,
    process: Process,
    output: Receiver<Vec<u8>>,
    partial: VecDeque<u8>,
    /// When it was noticed that the hunt should stop.
    stopped: Option<Instant>,
    complaints: Complaints,
    log: Log,
}

/// A child that is killed, with its own children, when it is dropped.
struct Process(Child);

/// The standard input of a program.
enum Input {
    /// Nothing has been written.
    Unused(ChildStdin),
    /// A thread writes what it is sent, because a program that does not read would block this one.
    Written(Sender<String>),
    Closed,
}

/// The text that a program writes to its standard error.
struct Complaints {
    /// The last line that is a message.
    last: Arc<Mutex<String>>,
    /// Disconnects when the standard error is closed.
    end: Receiver<()>,
}

impl Complaints {
    fn listen(pipe: ChildStderr, log: &Log) -> Result<Self, Trouble> {
        let last = Arc::new(Mutex::new(String::new()));
        let (sender, end) = sync_channel(1);
        let (latest, log) = (Arc::clone(&last), log.clone());
        spawn(move || {
            let _end = sender;
            let mut pipe = BufReader::new(pipe);
            let mut line = Vec::new();
            loop {
                line.clear();
                match (&mut pipe).take(MAX_COMPLAINT).read_until(b'\n', &mut line) {
                    Ok(1..) => {}
                    _ => break,
                }
                let text = String::from_utf8_lossy(&line);
                log.complaint(&text);
                // A report must not set the colours of a terminal, or erase it.
                let text = without_controls(&text);
                let text = text.trim();
                if says_why(text) {
                    let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
                    *latest = text.chars().take(160).collect();
                }
            }
        })?;
        Ok(Self { last, end })
    }

    /// The last line, after the program has ended.
    fn last(&self) -> String {
        let _ = self.end.recv_timeout(Duration::from_millis(100));
        self.last.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Is the line a message? Notes and the frames of a stack trace only add to the message before
/// them.
fn says_why(line: &str) -> bool {
    let frame = line.trim_start_matches(|it: char| it.is_ascii_digit());
    let is_frame = frame.len() < line.len() && frame.starts_with(": ") || line.starts_with("at ");
    // Node.js ends with its version.
    let notes = ["note:", "stack backtrace", "Node.js v"];
    let is_note = notes.iter().any(|note| line.starts_with(note));
    !line.is_empty() && !is_frame && !is_note
}

/// The line without a byte-order mark, which the first one may have.
fn without_mark(line: &[u8]) -> &[u8] {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    marks.into_iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
}

/// The line without its end, without the text that a terminal overwrites after a carriage return, and
/// without control characters: NUL bytes, or sequences that set colours, erase a line or name the
/// window of a terminal.
fn without_controls(line: &str) -> String {
    let mut text = String::with_capacity(line.len());
    // The length of the text in letters and, after a carriage return, the number that blanks have
    // overwritten.
    let (mut len, mut overwritten) = (0, None);
    let mut letters = line.trim_end_matches(['\r', '\n']).chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '\u{1b}' => {
                let is_erased = overwritten.is_some() && erases_line(letters.clone());
                skip_escape(&mut letters);
                if is_erased {
                    text.clear();
                    (len, overwritten) = (0, None);
                }
            }
            '\u{9b}' => skip_signs(&mut letters, ' '..='?', '@'..='~'),
            '\r' => overwritten = overwritten.or(Some(0)),
            letter if letter.is_control() && letter != '\t' => {}
            ' ' | '\t' if overwritten.is_some_and(|it| it + 1 < len) => {
                overwritten = overwritten.map(|it| it + 1);
            }
            letter => {
                if overwritten.take().is_some() {
                    text.clear();
                    len = 0;
                }
                text.push(letter);
                len += 1;
            }
        }
    }
    text.truncate(text.trim_end().len());
    text
}

/// Is the rest of a sequence one that erases the line from its start?
fn erases_line(mut letters: impl Iterator<Item = char>) -> bool {
    letters.next() == Some('[') && letters.find(|it| !matches!(it, '0' | '2')) == Some('K')
}

/// Skips the rest of a sequence that begins with an escape (ECMA-48 and ECMA-35).
fn skip_escape(letters: &mut Peekable<Chars<'_>>) {
    match letters.next_if(|it| "[]PX^_".contains(*it)) {
        Some('[') => skip_signs(letters, ' '..='?', '@'..='~'),
        None => skip_signs(letters, ' '..='/', '0'..='~'),
        // A text that ends with a bell, or with an escape and a backslash.
        Some(_) => {
            let end = letters.find(|it| matches!(it, '\u{7}' | '\u{1b}'));
            letters.next_if(|it| end == Some('\u{1b}') && *it == '\\');
        }
    }
}

/// Skips the signs in the middle of a sequence, and the one that ends it.
fn skip_signs(
    letters: &mut Peekable<Chars<'_>>,
    middle: RangeInclusive<char>,
    last: RangeInclusive<char>,
) {
    while letters.next_if(|it| middle.contains(it)).is_some() {}
    letters.next_if(|it| last.contains(it));
}

/// The trouble with output that does not end, of which this number of bytes has been heard.
pub(crate) fn no_end(heard: usize) -> Trouble {
    Trouble::Garbage(match heard > MAX_ANSWER {
        true => format!("it is longer than {} MiB", MAX_ANSWER >> 20),
        false => "it has no end".to_owned(),
    })
}

/// The trouble with a line that is too long.
pub(crate) fn long_line() -> Trouble {
    Trouble::Garbage(format!("a line is longer than {} MiB", MAX_ANSWER >> 20))
}

/// Why a program does not start, with advice for the usual mistakes.
fn why_not_started(command: &[String], error: &io::Error) -> String {
    let program = &command[0];
    let advice = match error.kind() {
        io::ErrorKind::NotFound if command.len() == 1 && program.contains(' ') => {
            format!(": write the command without quotes: -- {program}")
        }
        io::ErrorKind::PermissionDenied => {
            let interpreter = match program.rsplit_once('.').map(|(_, ending)| ending) {
                Some("py") => "python3",
                Some("js" | "mjs") => "node",
                Some("sh") => "sh",
                _ => return format!("{program}: {error}; `chmod +x` makes a file executable"),
            };
            format!("; name its interpreter: -- {interpreter} {program}")
        }
        _ => String::new(),
    };
    format!("{program}: {error}{advice}")
}

/// An event from a program.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// A line without its end.
    Line(String),
    /// A line is too long to be a part of an answer.
    LongLine,
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
            builder.spawn().map_err(|error| Trouble::Start(why_not_started(command, &error)))?;
        let mut process = Process::of(child);
        let input = process.0.stdin.take().map_or(Input::Closed, Input::Unused);
        let mut pipe = process.0.stdout.take().expect("the output is a pipe");
        // The channel is bounded, so a program that prints without end has to wait.
        let (sender, output) = sync_channel(64);
        spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(length @ 1..) = pipe.read(&mut buffer) {
                if sender.send(buffer[..length].to_vec()).is_err() {
                    break;
                }
            }
        })?;
        let complaints = process.0.stderr.take().expect("the standard error is a pipe");
        let complaints = Complaints::listen(complaints, log)?;
        let (partial, log) = (VecDeque::new(), log.clone());
        Ok(Self { input, process, output, partial, stopped: None, complaints, log })
    }

    /// Writes a line, without waiting for the program to read it. If it does not, its answer will
    /// show that.
    pub(crate) fn say(&mut self, line: &str) {
        self.log.line(">", line);
        self.input = match std::mem::replace(&mut self.input, Input::Closed) {
            Input::Unused(pipe) => Input::written(pipe),
            other => other,
        };
        if let Input::Written(sender) = &self.input {
            let _ = sender.send(format!("{line}\n"));
        }
    }

    /// Closes the standard input of the program, after what has been written.
    pub(crate) fn close(&mut self) {
        self.input = Input::Closed;
    }

    /// Waits for the next line until a point in time, or until it should stop.
    pub(crate) fn hear(&mut self, until: Instant, stop: &dyn Fn() -> bool) -> Event {
        let (mut late, mut ended) = (None, None);
        loop {
            if is_over(&mut self.stopped, stop()) {
                return Event::Stop;
            }
            if let Some(end) = self.partial.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.partial.drain(..=end).collect();
                if line.len() > MAX_ANSWER {
                    return self.long_line();
                }
                let line = without_controls(&String::from_utf8_lossy(without_mark(&line)));
                self.log.line("<", &line);
                return Event::Line(line);
            }
            if self.partial.len() > MAX_ANSWER {
                return self.long_line();
            }
            let left = until.saturating_duration_since(Instant::now());
            if is_over(&mut late, left.is_zero()) {
                return Event::Silence;
            }
            match self.output.recv_timeout(left.clamp(LATE, SLICE)) {
                Ok(bytes) => {
                    self.partial.extend(bytes);
                    ended = None;
                    continue;
                }
                Err(RecvTimeoutError::Timeout) if stop() => return Event::Stop,
                Err(RecvTimeoutError::Timeout) => {
                    let since = self.has_ended().then(|| ended.unwrap_or_else(Instant::now));
                    ended = since;
                    if since.is_none_or(|since| since.elapsed() < AFTER_THE_END) {
                        match left > SLICE {
                            true => continue,
                            false => return Event::Silence,
                        }
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {}
            }
            if self.partial.is_empty() {
                return Event::End;
            }
            // Without a line feed behind them, carriage returns may end lines.
            self.partial.iter_mut().filter(|it| **it == b'\r').for_each(|it| *it = b'\n');
            self.partial.push_back(b'\n');
        }
    }

    /// Has the process ended? A process that it has started may still keep its output open.
    fn has_ended(&mut self) -> bool {
        matches!(self.process.0.try_wait(), Ok(Some(_)))
    }

    fn long_line(&self) -> Event {
        self.log.line("<", &format!("… ({})", long_line()));
        Event::LongLine
    }

    /// Returns all output until the program closes it.
    pub(crate) fn hear_all(
        &mut self,
        until: Instant,
        stop: &dyn Fn() -> bool,
    ) -> Result<String, (String, Trouble)> {
        let mut text = String::new();
        let mut patience = Patience::new(until);
        loop {
            match self.hear(until, stop) {
                Event::Line(line) => {
                    let _ = writeln!(text, "{line}");
                    let heard = text.len();
                    if patience.ends(heard) {
                        return Err((text, no_end(heard)));
                    }
                }
                Event::End => return Ok(text),
                Event::LongLine => return Err((text, long_line())),
                Event::Silence if text.len() > MUCH => {
                    let heard = text.len();
                    return Err((text, no_end(heard)));
                }
                Event::Silence => return Err((text, Trouble::Hang)),
                Event::Stop => return Err((text, Trouble::Stopped)),
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
                    let last = self.complaints.last();
                    let after = if last.is_empty() { "" } else { ", after " };
                    return Trouble::Crash(format!("{status}{after}{last}"));
                }
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
                _ => return Trouble::EarlyExit,
            }
        }
    }

    /// Did the program end with an error? Waits a moment for it to end.
    pub(crate) fn crashed(&mut self) -> Option<Trouble> {
        Some(self.ended()).filter(|it| matches!(it, Trouble::Crash(_)))
    }
}

impl Input {
    /// Starts the thread that writes. Without a thread the input is closed, which the program's
    /// answer will show.
    fn written(mut pipe: ChildStdin) -> Self {
        let (sender, lines) = channel::<String>();
        let write = move || {
            while let Ok(line) = lines.recv() {
                if pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush()).is_err() {
                    break;
                }
            }
        };
        spawn(write).map_or(Self::Closed, |()| Self::Written(sender))
    }
}

/// Has a time been over for longer than waiting output needs? `since` keeps when it was first seen.
fn is_over(since: &mut Option<Instant>, is_late: bool) -> bool {
    *since = is_late.then(|| since.unwrap_or_else(Instant::now));
    since.is_some_and(|since| since.elapsed() > OVERTIME)
}

/// Starts a thread, which ends with the program.
fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Trouble> {
    let thread = thread::Builder::new().spawn(work);
    thread.map(drop).map_err(|error| Trouble::Start(format!("no thread can be started: {error}")))
}

impl Process {
    fn of(child: Child) -> Self {
        if let Ok(mut children) = CHILDREN.lock() {
            children.push(child.id());
        }
        Self(child)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let id = self.0.id();
        kill_group(id);
        // One that runs as another user, for example behind `sudo`, cannot be killed.
        let _ = self.0.kill();
        if let (true, Ok(mut children)) = (ends_in(&mut self.0, PARTING), CHILDREN.lock()) {
            children.retain(|it| *it != id);
        }
    }
}

/// Does the program end in this time? Most do when their input is closed, even if they cannot be
/// killed.
fn ends_in(child: &mut Child, time: Duration) -> bool {
    let until = Instant::now() + time;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(2)),
            Ok(None) => return false,
            _ => return true,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_crash_says() {
        for line in
            ["ValueError: no king", "called `Option::unwrap()` on a `None` value", "4 moves"]
        {
            assert!(says_why(line), "{line}");
        }
        for line in [
            "",
            "note: run with",
            "stack backtrace:",
            "4: faulty::main",
            "at src/main.rs:1:2",
            "Node.js v20.19.2",
        ] {
            assert!(!says_why(line), "{line}");
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_does_not_read_blocks_nothing() {
        let command = ["sleep", "600"].map(str::to_owned);
        let (sender, done) = sync_channel(1);
        thread::spawn(move || {
            let mut running = Running::start(&command, &Log::default()).expect("it starts");
            // More than a pipe holds.
            for _ in 0..10_000 {
                running.say("position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1");
            }
            running.close();
            let event = running.hear(Instant::now(), &|| false);
            sender.send(event).expect("somebody waits");
        });
        assert_eq!(done.recv_timeout(Duration::from_secs(300)), Ok(Event::Silence));
    }

    /// Starts a shell script, and does this with it. A script that prints without end must not keep
    /// the hunt for ever.
    #[cfg(unix)]
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
    #[cfg(unix)]
    fn a_program_that_always_prints_does_not_outlast_the_time() {
        let of_lines = with_script("exec yes", |running| {
            loop {
                let event = running.hear(Instant::now(), &|| true);
                if !matches!(event, Event::Line(_)) {
                    return event;
                }
            }
        });
        assert_eq!(of_lines, Event::Stop);
        let dots = "while :; do printf .; sleep 0.005; done";
        assert_eq!(with_script(dots, |it| it.hear(Instant::now(), &|| false)), Event::Silence);
        let until = Instant::now() + Duration::from_secs(3600);
        assert_eq!(with_script(dots, move |it| it.hear(until, &|| true)), Event::Stop);
    }

    #[test]
    #[cfg(unix)]
    fn an_answer_that_has_waited_is_read_when_the_time_is_over() {
        let script = "echo a; echo b; exec sleep 600";
        let until = Instant::now() + Duration::from_secs(3600);
        with_script(script, move |running| {
            assert_eq!(running.hear(until, &|| false), Event::Line("a".to_owned()));
            thread::sleep(Duration::from_millis(500));
            assert_eq!(running.hear(Instant::now(), &|| true), Event::Line("b".to_owned()));
        });
    }

    /// As build tools do that start a server.
    #[test]
    #[cfg(unix)]
    fn a_program_that_leaves_its_output_open_ends_nevertheless() {
        with_script("sleep 600 & echo a; printf b; exit 3", |running| {
            let until = Instant::now() + Duration::from_secs(3600);
            for expected in ["a", "b"] {
                assert_eq!(running.hear(until, &|| false), Event::Line(expected.to_owned()));
            }
            assert_eq!(running.hear(until, &|| false), Event::End);
            assert!(running.crashed().is_some());
        });
    }

    #[test]
    #[cfg(unix)]
    fn the_signs_of_a_terminal_are_left_out_of_a_crash() {
        let script = r"printf '\033[2J\033[31mboom\033[0m\n' >&2; exit 3";
        let text = with_script(script, |running| {
            loop {
                // On a busy machine, the end or the message may come late.
                if let Some(Trouble::Crash(text)) = running.crashed()
                    && text.contains("boom")
                {
                    return text;
                }
            }
        });
        assert!(text.ends_with(", after boom"), "{text:?}");
    }

    /// A killed process stays until its debugger has taken note of it.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_program_that_a_debugger_holds_is_left_after_a_while() {
        use std::os::unix::process::CommandExt;
        let mut sleeps = Command::new("sleep");
        sleeps.arg("600");
        let held = sleeps.spawn().expect("it starts");
        let id = libc::pid_t::try_from(held.id()).expect("a number of a process");
        let attach = move || {
            let nothing = std::ptr::null_mut::<libc::c_void>();
            // SAFETY: this request uses neither of its pointers.
            match unsafe { libc::ptrace(libc::PTRACE_SEIZE, id, nothing, nothing) } {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            }
        };
        // SAFETY: the closure makes a system call, allocates nothing and takes no lock.
        let debugger = unsafe { sleeps.pre_exec(attach) }.spawn();
        let (sender, done) = sync_channel(1);
        thread::spawn(move || {
            drop(Process::of(held));
            sender.send(()).expect("somebody waits");
        });
        let end = done.recv_timeout(Duration::from_secs(300));
        // Some systems let only ancestors attach. Then nothing held the process.
        if let Ok(mut debugger) = debugger {
            debugger.kill().expect("it is ours");
            debugger.wait().expect("it is ours");
        }
        assert_eq!(end, Ok(()));
    }

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(without_controls("\0\0a2a3: 1\0\r\n"), "a2a3: 1");
        for mark in [&b"\xef\xbb\xbf"[..], b"\xff\xfe", b"\xfe\xff", b""] {
            assert_eq!(without_mark(&[mark, b"uciok\n"].concat()), b"uciok\n");
        }
        assert_eq!(without_controls("a2a3\t1\r"), "a2a3\t1");
        assert_eq!(without_controls("\r\x1b[Kg1h3: 1\r\n"), "g1h3: 1");
        // A progress in one line, which a terminal overwrites.
        assert_eq!(without_controls("\rnodes 20 \rnodes 40 \rg1h3: 1 \r\r\n"), "g1h3: 1");
        assert_eq!(without_controls("nodes 20\r        \r\n"), "");
        assert_eq!(without_controls("nodes 20\r\x1b[K\r\n"), "");
        assert_eq!(without_controls("nodes 20\r\x1b[2Kg1h3: 1\n"), "g1h3: 1");
        // Nothing is overwritten by what cannot be seen.
        for end in ["\r\x1b[0m\n", "\r \n", "\r\0\n\0", "\r\r\n", "\x1b[0m\r\n", "\r\t\n"] {
            assert_eq!(without_controls(&format!("g1h3: 1{end}")), "g1h3: 1", "{end:?}");
        }
        assert_eq!(without_controls("\x1b[1;32mg1h3\x1b[0m: 1\x1b[2 q\x1b"), "g1h3: 1");
        assert_eq!(without_controls("\x1b[12"), "");
        assert_eq!(without_controls("[g1h3, a2a3]"), "[g1h3, a2a3]");
        // As `tput sgr0` ends colours, a sequence that begins with one sign, and titles of windows.
        assert_eq!(without_controls("\x1b(B\x1b[mg1h3\x1b(B: 1\x1b="), "g1h3: 1");
        assert_eq!(without_controls("\u{9b}1mg1h3\u{9b}m: 1"), "g1h3: 1");
        assert_eq!(without_controls("\x1b]0;a2a3\x07g1h3: \x1b]2;b2\x1b\\1"), "g1h3: 1");
        assert_eq!(without_controls("g1h3: 1\x1b]0;a2a3"), "g1h3: 1");
    }

    #[test]
    #[cfg(unix)]
    fn a_program_that_cannot_be_killed_is_left_after_a_while() {
        let start = |program: &str| {
            let mut command = Command::new(program);
            command.args((program == "sleep").then_some("600")).stdin(Stdio::piped());
            command.stdout(Stdio::null()).spawn().expect("it starts")
        };
        let mut sleeps = start("sleep");
        assert!(!ends_in(&mut sleeps, Duration::from_millis(30)));
        sleeps.kill().expect("it is ours");
        assert!(ends_in(&mut sleeps, Duration::from_secs(300)));
        // This one ends with its input.
        let mut reads = start("cat");
        drop(reads.stdin.take());
        assert!(ends_in(&mut reads, Duration::from_secs(300)));
    }

    #[test]
    fn a_program_that_does_not_start() {
        let why = |command: &[&str], kind: io::ErrorKind| {
            let command: Vec<String> = command.iter().map(ToString::to_string).collect();
            why_not_started(&command, &kind.into())
        };
        let not_found = io::ErrorKind::NotFound;
        assert!(why(&["python3 a.py"], not_found).ends_with("without quotes: -- python3 a.py"));
        assert!(!why(&["python3", "a.py"], not_found).contains("quotes"));
        let denied = io::ErrorKind::PermissionDenied;
        assert!(why(&["./a.py"], denied).ends_with("name its interpreter: -- python3 ./a.py"));
        assert!(why(&["./engine"], denied).contains("chmod +x"));
    }
}
