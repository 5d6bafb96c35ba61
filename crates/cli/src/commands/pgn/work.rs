//! Work on one file with all threads: parts of whole games, whose results come back in order.
//!
//! One thread reads parts and queues them. The other threads work on them. The results of a part come in
//! pieces through a channel of its own, and these channels are queued in the order of the file.

use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tabiya_perft::Watch;
use tabiya_pgn::{Chunk, Chunks};

use super::game::Played;
use super::part::{self, Part, Plan};
use crate::interrupt::Interrupt;

/// The size of a part in bytes.
const CHUNK: usize = 1 << 20;
/// The number of parts for each thread that may be read before the first of them is printed.
const AHEAD: usize = 4;
/// The number of pieces of a part that wait to be printed. Then the work on the part waits as well.
const WAITING: usize = 8;
/// The interval at which the caller may show its progress.
const TICK: Duration = Duration::from_millis(100);
/// The time after which a stopped program no longer waits for the games that have been read.
const GRACE: Duration = Duration::from_secs(10);

type Input = Box<dyn Read + Send>;

/// A part of a file, and where the pieces of its results go.
struct Job {
    chunk: Chunk,
    pieces: SyncSender<Vec<Part>>,
}

/// The threads that work on a file.
pub(super) struct Work {
    /// The pieces of each part, in the order of the file.
    parts: Receiver<Receiver<Vec<Part>>>,
    /// The pieces of the current part.
    pieces: Option<Receiver<Vec<Part>>>,
    workers: Vec<JoinHandle<()>>,
    reading: JoinHandle<io::Result<()>>,
    watch: Interrupt,
    /// When the user asked to stop.
    stopped: Option<Instant>,
}

impl Work {
    /// Begins to work on a file.
    ///
    /// # Errors
    /// The system gives too few threads.
    pub(super) fn start(
        input: Input,
        plan: &Arc<Plan>,
        threads: NonZeroUsize,
        watch: &Interrupt,
    ) -> io::Result<Self> {
        let threads = threads.get();
        let (jobs, queue) = mpsc::sync_channel(threads);
        // A part is read when there is room for its results, so memory is bounded.
        let (sender, parts) = mpsc::sync_channel(AHEAD * threads);
        let queue = Arc::new(Mutex::new(queue));
        let worker = |_| {
            let (queue, plan) = (Arc::clone(&queue), Arc::clone(plan));
            thread::Builder::new().spawn(move || work(&queue, &plan))
        };
        let workers = (0..threads).map(worker).collect::<io::Result<_>>()?;
        let reading = thread::Builder::new().spawn(move || read(input, &jobs, &sender))?;
        let watch = watch.clone();
        Ok(Self { parts, pieces: None, workers, reading, watch, stopped: None })
    }

    /// The next piece of the results, in the order of the file. `tick` is called while it is not
    /// there yet. `None` if there are no more, or if they take too long after Ctrl-C.
    pub(super) fn next(&mut self, mut tick: impl FnMut()) -> Option<Vec<Part>> {
        while !self.is_late() {
            let news = match &self.pieces {
                Some(pieces) => pieces.recv_timeout(TICK).map(Some),
                None => self.parts.recv_timeout(TICK).map(|pieces| {
                    self.pieces = Some(pieces);
                    None
                }),
            };
            match news {
                Ok(Some(piece)) => return Some(piece),
                Ok(None) => {}
                Err(RecvTimeoutError::Timeout) => tick(),
                // The end of the part; without a part, that of the file.
                Err(RecvTimeoutError::Disconnected) => drop(self.pieces.take()?),
            }
        }
        None
    }

    /// Ends the work after the last piece.
    ///
    /// # Errors
    /// The file cannot be read to its end, perhaps because the user asked to stop.
    pub(super) fn end(mut self) -> io::Result<()> {
        if self.is_late() {
            return Err(io::Error::other("stopped"));
        }
        for worker in self.workers {
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        }
        self.reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Games that were read before Ctrl-C are still worked on, but not for long.
    fn is_late(&mut self) -> bool {
        self.watch.is_cancelled() && self.stopped.get_or_insert_with(Instant::now).elapsed() > GRACE
    }
}

/// Reads the file, part by part.
fn read(
    input: Input,
    jobs: &SyncSender<Job>,
    parts: &SyncSender<Receiver<Vec<Part>>>,
) -> io::Result<()> {
    let mut chunks = Chunks::new(input, CHUNK);
    while let Some(chunk) = chunks.next_chunk()? {
        let (pieces, results) = mpsc::sync_channel(WAITING);
        // They are refused when the results are not wanted any more.
        if parts.send(results).is_err() || jobs.send(Job { chunk, pieces }).is_err() {
            break;
        }
    }
    Ok(())
}

/// Works on parts until there are no more.
fn work(queue: &Mutex<Receiver<Job>>, plan: &Plan) {
    let mut game = Played::new(plan.letters);
    loop {
        let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(Job { chunk, pieces }) = job else { return };
        part::work(&chunk, &mut game, plan, &mut |piece| pieces.send(piece).is_ok());
    }
}
