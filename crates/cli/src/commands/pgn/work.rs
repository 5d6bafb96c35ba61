//! Work on one file with all threads: parts of whole games, whose results come back in order.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

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
/// The interval at which the caller may stop the work or show its progress.
const TICK: Duration = Duration::from_millis(100);

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

/// The results of a part of a file.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) statistics: Statistics,
    pub(super) output: Vec<u8>,
    pub(super) merged: Merged,
    pub(super) problems: Vec<Problem>,
    /// An error that concerns the whole file.
    pub(super) failure: Option<String>,
}

/// The end of the work on a file.
pub(super) enum End {
    All,
    Stopped,
    /// The file cannot be read, or not completely.
    Unreadable(io::Error),
}

/// A part of a file with its number, and the permits that it holds.
struct Job {
    number: usize,
    permits: usize,
    chunk: Chunk,
}

/// A message from a thread: the number of the part, its permits and its results.
type Numbered = (usize, usize, Part);

/// Works on a file. The parts are taken in order.
pub(super) fn run<E>(
    path: &Path,
    plan: &Arc<Plan>,
    passed: &Passed,
    watch: &Interrupt,
    mut take: impl FnMut(Option<Part>) -> Result<(), E>,
) -> Result<End, E> {
    let input = match input::open(path, passed) {
        Ok(input) => input,
        Err(error) => return Ok(End::Unreadable(error)),
    };
    let threads = plan.threads.get();
    let (jobs, queue) = mpsc::sync_channel(threads);
    let (results, done) = mpsc::channel();
    // A part is read only with a permit, so memory is bounded.
    let (permits, permitted) = mpsc::channel();
    let all = AHEAD * threads;
    for _ in 0..all {
        let _ = permits.send(());
    }
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..threads {
        let (queue, results, plan) = (Arc::clone(&queue), results.clone(), Arc::clone(plan));
        thread::spawn(move || work(&queue, &results, &plan));
    }
    drop(results);
    // If the work is stopped, this thread may wait for input until the program ends.
    let reading = thread::spawn(move || read(Chunks::new(input, CHUNK), &jobs, &permitted, all));

    let mut early = BTreeMap::new();
    let mut next = 0;
    loop {
        match done.recv_timeout(TICK) {
            Ok((number, used, part)) => {
                early.insert(number, (used, part));
            }
            Err(RecvTimeoutError::Timeout) => take(None)?,
            Err(RecvTimeoutError::Disconnected) => break,
        }
        while let Some((used, part)) = early.remove(&next) {
            take(Some(part))?;
            next += 1;
            for _ in 0..used {
                let _ = permits.send(());
            }
        }
        if watch.is_cancelled() {
            return Ok(End::Stopped);
        }
    }
    Ok(match reading.join() {
        Ok(Ok(())) => End::All,
        Ok(Err(error)) => End::Unreadable(error),
        Err(panic) => std::panic::resume_unwind(panic),
    })
}

/// Reads the file, part by part. `all` is the total number of permits.
fn read(
    mut chunks: Chunks<impl io::Read>,
    jobs: &SyncSender<Job>,
    permitted: &Receiver<()>,
    all: usize,
) -> io::Result<()> {
    for number in 0.. {
        let is_wanted = permitted.recv().is_ok();
        let Some(chunk) = chunks.next_chunk()?.filter(|_| is_wanted) else { break };
        // The length of the part is known only after reading it.
        let permits = chunk.bytes.len().div_ceil(2 * CHUNK).clamp(1, all);
        let is_wanted = permitted.iter().take(permits - 1).count() == permits - 1;
        if !is_wanted || jobs.send(Job { number, permits, chunk }).is_err() {
            break;
        }
    }
    Ok(())
}

/// Works on parts until there are no more.
fn work(queue: &Mutex<Receiver<Job>>, results: &Sender<Numbered>, plan: &Plan) {
    let mut game = Played::new();
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { number, permits, chunk }) = job else { return };
        if results.send((number, permits, part(&chunk, &mut game, plan))).is_err() {
            return;
        }
    }
}

fn part(chunk: &Chunk, game: &mut Played, plan: &Plan) -> Part {
    let variations = plan.check || plan.format.is_some_and(Format::has_variations);
    let mut part = Part::default();
    let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
    loop {
        match game.read(&mut reader, chunk.start.byte, variations) {
            Next::End => return part,
            Next::Unreadable(message) => {
                part.failure = Some(message);
                return part;
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
                let separator = format.separator();
                let before = part.output.len();
                part.output.extend_from_slice(separator.as_bytes());
                let number = reader.game();
                let written = if plan.merge {
                    let tree = format::tree(&chunk.bytes[game.bytes.clone()]);
                    tree.and_then(|tree| part.merged.add(tree))
                } else {
                    format::write(format, game, number, &chunk.bytes, &mut part.output)
                };
                if let Err(message) = written {
                    part.output.truncate(before);
                    part.statistics.broken += 1;
                    let place = reader.end();
                    part.problems.push(Problem { place, game: number, ply: None, message });
                }
            }
        }
    }
}
