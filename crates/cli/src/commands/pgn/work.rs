//! Work on one file with all threads: parts of whole games, whose results come back in order.
//!
//! A thread reads parts and gives each of them to a thread that works on it. The results come in
//! pieces through a channel of the part, so the output of a part may be of any size.

use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabiya_machine::affordable_threads;
use tabiya_perft::Watch;
use tabiya_pgn::{Chunk, Chunks, Reader};

use super::filter::Filter;
use super::format::{self, Format};
use super::game::{Next, Played, Problem};
use super::input::{self, Passed};
use super::merge::Merged;
use super::statistics::Statistics;
use crate::interrupt::Interrupt;

/// The size of a part in bytes.
const CHUNK: usize = 1 << 20;
/// The number of parts for each thread that may be read before the first of them is printed. A long
/// part counts as several.
const AHEAD: usize = 4;
/// The size of a piece of output in bytes, unless a game is longer.
pub(super) const PIECE: usize = 1 << 20;
/// The number of errors in a piece.
const PIECE_PROBLEMS: usize = 1 << 10;
/// The number of pieces of a part that are written after the program was stopped. Then the output is
/// cut off at the end of a game.
const PIECES_AFTER_STOP: usize = 2;
/// The number of pieces of a part that wait to be printed. Then the work on the part waits as well.
const WAITING: usize = 8;
/// The interval at which the caller may stop the work or show its progress.
const TICK: Duration = Duration::from_millis(100);
/// The time after which a stopped program no longer waits for the games that have been read.
const GRACE: Duration = Duration::from_secs(10);

/// The work to do on each game.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) filter: Filter,
    pub(super) format: Option<Format>,
    /// Are the games merged, to be written when all are read?
    pub(super) merge: bool,
    /// Are games counted by named opening?
    pub(super) openings: bool,
    /// Are variations and results checked?
    pub(super) check: bool,
    pub(super) threads: NonZeroUsize,
}

/// The results of a part of a file, or a piece of them.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) statistics: Statistics,
    pub(super) output: Vec<u8>,
    pub(super) merged: Merged,
    pub(super) problems: Vec<Problem>,
    /// An error that concerns the whole file.
    pub(super) failure: Option<String>,
    /// Has Ctrl-C cut off the output here? The games that follow are not printed.
    pub(super) is_cut: bool,
}

/// The end of the work on a file.
pub(super) enum End {
    All,
    Stopped,
    /// The file cannot be read, or not completely.
    Unreadable(io::Error),
}

/// The parts of a file.
type Source = Box<Chunks<Box<dyn io::Read + Send>>>;

/// A part of a file, and where the pieces of its results go.
struct Job {
    chunk: Chunk,
    pieces: SyncSender<Part>,
}

/// The pieces of the results of a part, and the permits that it holds.
struct Results {
    pieces: Receiver<Part>,
    permits: usize,
}

/// Works on a file. The pieces of the results are taken in order.
pub(super) fn run<E>(
    path: &Path,
    plan: &Arc<Plan>,
    passed: &Passed,
    watch: &Interrupt,
    take: impl FnMut(Option<Part>) -> Result<(), E>,
) -> Result<End, E> {
    let end = match input::open(path, passed, watch) {
        Ok(input) => {
            let source = Box::new(Chunks::new(input, CHUNK));
            match Team::start(source, plan, watch) {
                Ok(team) => team.take_all(watch, take)?,
                Err(mut source) => alone(&mut source, plan, watch, take)?,
            }
        }
        Err(error) => End::Unreadable(error),
    };
    // A stopped program does not read on, which looks like an error of the file.
    Ok(match end {
        End::Unreadable(_) if watch.is_cancelled() => End::Stopped,
        end => end,
    })
}

/// The threads that work on a file.
struct Team {
    results: Receiver<Results>,
    permits: Sender<()>,
    workers: Vec<JoinHandle<()>>,
    reading: JoinHandle<io::Result<()>>,
}

impl Team {
    /// Starts the threads, fewer than wanted if the system gives no more. If it does not give
    /// two, the source is returned.
    fn start(source: Source, plan: &Arc<Plan>, watch: &Interrupt) -> Result<Self, Source> {
        let threads = affordable_threads(plan.threads).get();
        let (jobs, queue) = mpsc::sync_channel(threads);
        let queue = Arc::new(Mutex::new(queue));
        let mut workers = Vec::new();
        for _ in 0..threads {
            let (queue, plan, watch) = (Arc::clone(&queue), Arc::clone(plan), watch.clone());
            match thread::Builder::new().spawn(move || work(&queue, &plan, &watch)) {
                Ok(worker) => workers.push(worker),
                Err(_) => break,
            }
        }
        if workers.is_empty() {
            return Err(source);
        }
        // A part is read only with a permit, so memory is bounded.
        let (permits, permitted) = mpsc::channel();
        let all = AHEAD * workers.len();
        for _ in 0..all {
            let _ = permits.send(());
        }
        let (sender, results) = mpsc::channel();
        // The source is handed over when the thread runs: a thread that cannot be started would
        // drop it.
        let (give, given) = mpsc::channel::<Source>();
        let reading = thread::Builder::new().spawn(move || match given.recv() {
            Ok(mut source) => read(&mut source, &jobs, &sender, &permitted, all),
            Err(_) => Ok(()),
        });
        let Ok(reading) = reading else { return Err(source) };
        if let Err(mpsc::SendError(source)) = give.send(source) {
            return Err(source);
        }
        Ok(Self { results, permits, workers, reading })
    }

    fn take_all<E>(
        self,
        watch: &Interrupt,
        mut take: impl FnMut(Option<Part>) -> Result<(), E>,
    ) -> Result<End, E> {
        let mut current: Option<Results> = None;
        let mut stopped: Option<Instant> = None;
        loop {
            let news = match &current {
                Some(results) => results.pieces.recv_timeout(TICK).map(Some),
                None => self.results.recv_timeout(TICK).map(|results| {
                    current = Some(results);
                    None
                }),
            };
            match news {
                Ok(None) => {}
                Ok(piece) => {
                    let is_cut = piece.as_ref().is_some_and(|piece| piece.is_cut);
                    take(piece)?;
                    if is_cut {
                        return Ok(End::Stopped);
                    }
                }
                Err(RecvTimeoutError::Timeout) => take(None)?,
                Err(RecvTimeoutError::Disconnected) => {
                    let Some(done) = current.take() else { break };
                    for _ in 0..done.permits {
                        let _ = self.permits.send(());
                    }
                }
            }
            // What has been read is still worked on, but not for long.
            if watch.is_cancelled() && stopped.get_or_insert_with(Instant::now).elapsed() > GRACE {
                return Ok(End::Stopped);
            }
        }
        for worker in self.workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        Ok(match self.reading.join() {
            Ok(Ok(())) => End::All,
            Ok(Err(error)) => End::Unreadable(error),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    }
}

/// Works on a file in the calling thread, because the system gives no others.
fn alone<E>(
    source: &mut Chunks<impl io::Read>,
    plan: &Plan,
    watch: &Interrupt,
    mut take: impl FnMut(Option<Part>) -> Result<(), E>,
) -> Result<End, E> {
    let mut game = Played::new();
    loop {
        let chunk = match source.next_chunk() {
            Ok(Some(chunk)) => chunk,
            Ok(None) => return Ok(End::All),
            Err(error) => return Ok(End::Unreadable(error)),
        };
        let (mut failure, mut is_cut) = (None, false);
        part(&chunk, &mut game, plan, watch, &mut |piece| {
            is_cut |= piece.is_cut;
            match take(Some(piece)) {
                Ok(()) => true,
                Err(error) => {
                    failure = Some(error);
                    false
                }
            }
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if is_cut {
            return Ok(End::Stopped);
        }
    }
}

/// Reads the file, part by part. `all` is the total number of permits.
fn read(
    source: &mut Chunks<impl io::Read>,
    jobs: &SyncSender<Job>,
    results: &Sender<Results>,
    permitted: &Receiver<()>,
    all: usize,
) -> io::Result<()> {
    loop {
        let is_wanted = permitted.recv().is_ok();
        let Some(chunk) = source.next_chunk()?.filter(|_| is_wanted) else { break };
        // The length of the part is known only after reading it.
        let permits = chunk.bytes.len().div_ceil(2 * CHUNK).clamp(1, all);
        if permitted.iter().take(permits - 1).count() < permits - 1 {
            break;
        }
        let (sender, pieces) = mpsc::sync_channel(WAITING);
        let is_taken = results.send(Results { pieces, permits }).is_ok();
        if !is_taken || jobs.send(Job { chunk, pieces: sender }).is_err() {
            break;
        }
    }
    Ok(())
}

/// Works on parts until there are no more.
fn work(queue: &Mutex<Receiver<Job>>, plan: &Plan, watch: &Interrupt) {
    let mut game = Played::new();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { chunk, pieces }) = job else { return };
        part(&chunk, &mut game, plan, watch, &mut |piece| pieces.send(piece).is_ok());
    }
}

/// Works on a part, and sends its results in pieces until one is refused.
fn part(
    chunk: &Chunk,
    game: &mut Played,
    plan: &Plan,
    watch: &Interrupt,
    send: &mut dyn FnMut(Part) -> bool,
) {
    let variations = plan.check || plan.format.is_some_and(Format::has_variations);
    let mut part = Part::default();
    let mut after_stop = 0;
    let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
    loop {
        if (part.output.len() >= PIECE || part.problems.len() >= PIECE_PROBLEMS)
            && !send(std::mem::take(&mut part))
        {
            return;
        }
        match game.read(&mut reader, chunk.start.byte, variations) {
            Next::End => break,
            Next::Unreadable(message) => {
                part.failure = Some(message);
                break;
            }
            Next::Broken(problem) => {
                part.statistics.games += 1;
                part.statistics.broken += 1;
                part.problems.push(problem);
            }
            Next::Game(problem) => {
                part.statistics.games += 1;
                if !plan.filter.passes(game) {
                    continue;
                }
                if let Some(problem) = problem.filter(|_| plan.check) {
                    part.statistics.broken += 1;
                    part.problems.push(problem);
                }
                part.statistics.add(game);
                if plan.openings {
                    part.statistics.add_opening(game);
                }
                let Some(format) = plan.format else { continue };
                let number = reader.game();
                let bytes = &chunk.bytes[game.bytes.clone()];
                let written = if plan.merge {
                    format::tree(bytes).and_then(|tree| part.merged.add(tree))
                } else {
                    part.output.extend_from_slice(format.separator().as_bytes());
                    let mut pieces =
                        Pieces { part: &mut part, watch, send, after_stop: &mut after_stop };
                    format::write(format, game, number, bytes, &mut pieces)
                };
                if part.is_cut {
                    break;
                }
                if let Err(message) = written {
                    part.statistics.broken += 1;
                    let place = reader.end();
                    part.problems.push(Problem { place, game: number, ply: None, message });
                }
                if after_stop >= PIECES_AFTER_STOP {
                    part.is_cut = true;
                    break;
                }
            }
        }
    }
    send(part);
}

/// The output of a game that may be much longer than the game, so it is sent in pieces.
pub(super) struct Pieces<'p> {
    part: &'p mut Part,
    watch: &'p Interrupt,
    send: &'p mut dyn FnMut(Part) -> bool,
    /// The number of pieces that were sent since Ctrl-C has stopped the work.
    after_stop: &'p mut usize,
}

impl Pieces<'_> {
    /// The end of the output, to write to.
    pub(super) const fn output(&mut self) -> &mut Vec<u8> {
        &mut self.part.output
    }

    /// Cuts the output off here if Ctrl-C has stopped the work. Returns whether it has.
    pub(super) fn cut_if_stopped(&mut self) -> bool {
        self.part.is_cut |= self.watch.is_cancelled();
        self.part.is_cut
    }

    /// Sends what was written, if that is enough. Is more wanted?
    pub(super) fn go_on(&mut self) -> bool {
        if self.part.output.len() < PIECE {
            return true;
        }
        *self.after_stop += usize::from(self.watch.is_cancelled());
        (self.send)(std::mem::take(self.part))
    }
}
