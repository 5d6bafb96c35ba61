//! Work on all threads whose results come in order.

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// The results of jobs, in the jobs' order.
///
/// One thread makes the jobs, such as the [blocks](crate::Blocks) of a file; others work on them. Only so many
/// are under way that memory is bounded. Dropping it ends the work.
#[derive(Debug)]
pub struct Pipeline<T> {
    /// The results. Each has a channel of its own, and these are in the jobs' order.
    results: Receiver<Receiver<T>>,
    making: Option<JoinHandle<io::Result<()>>>,
}

/// The number of jobs for each thread that are begun before the first result is taken.
const AHEAD: usize = 3;

impl<T: Send + 'static> Pipeline<T> {
    /// Starts the work. `work` gets the number of a job, from 0 on, and the job.
    ///
    /// ```
    /// use std::num::NonZeroUsize;
    /// use tabiya_data::Pipeline;
    ///
    /// let jobs = (0..100).map(Ok);
    /// let results = Pipeline::start(jobs, NonZeroUsize::MIN, |_, job: u64| job * job)?;
    /// assert!(results.map(Result::unwrap).eq((0..100).map(|job| job * job)));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// The system gives too few threads.
    pub fn start<J: Send + 'static>(
        jobs: impl Iterator<Item = io::Result<J>> + Send + 'static,
        threads: NonZeroUsize,
        work: impl Fn(u64, J) -> T + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let threads = threads.get();
        let (job_sender, queue) = mpsc::sync_channel(threads);
        let (sender, results) = mpsc::sync_channel(AHEAD * threads);
        let (queue, work) = (Arc::new(Mutex::new(queue)), Arc::new(work));
        for _ in 0..threads {
            let (queue, work) = (Arc::clone(&queue), Arc::clone(&work));
            thread::Builder::new().spawn(move || {
                loop {
                    let job = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((number, job, result)) = job else { return };
                    let result: mpsc::SyncSender<T> = result;
                    // It's refused if the results aren't wanted any more.
                    let _ = result.send(work(number, job));
                }
            })?;
        }
        let making = thread::Builder::new().spawn(move || {
            for (number, job) in (0..).zip(jobs) {
                let job = job?;
                let (result, receiver) = mpsc::sync_channel(1);
                if sender.send(receiver).is_err() || job_sender.send((number, job, result)).is_err()
                {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(Self { results, making: Some(making) })
    }
}

impl<T> Iterator for Pipeline<T> {
    type Item = io::Result<T>;

    /// The next result; after the last one, the error that ended the jobs.
    ///
    /// # Panics
    /// The work on this job panicked.
    fn next(&mut self) -> Option<io::Result<T>> {
        if let Ok(result) = self.results.recv() {
            return Some(Ok(result.recv().expect("the work on a job doesn't panic")));
        }
        match self.making.take()?.join() {
            Ok(end) => end.err().map(Err),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    }
}

/// Parts of jobs that are done in the jobs' order, by whichever threads have them: what depends on all jobs before.
#[derive(Debug, Default)]
pub struct InOrder<S> {
    turn: Mutex<(u64, S)>,
    changed: Condvar,
}

impl<S> InOrder<S> {
    /// Begins with this state, and job 0.
    pub const fn new(state: S) -> Self {
        Self { turn: Mutex::new((0, state)), changed: Condvar::new() }
    }

    /// Does the part of this job, after those of all jobs before it. Each job has to call it once.
    pub fn run<T>(&self, job: u64, part: impl FnOnce(&mut S) -> T) -> T {
        let turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let turn = self.changed.wait_while(turn, |(next, _)| *next < job);
        let mut turn = turn.unwrap_or_else(PoisonError::into_inner);
        let result = part(&mut turn.1);
        turn.0 += 1;
        self.changed.notify_all();
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    #[test]
    fn results_and_parts_are_in_the_order_of_the_jobs() {
        for count in [1, 2, 7] {
            let order = Arc::new(InOrder::new(Vec::new()));
            let (seen, jobs) = (Arc::clone(&order), (0..500u64).map(|job| Ok(job * 7 % 31)));
            let pipeline = Pipeline::start(jobs, threads(count), move |number, job| {
                // The first jobs take longest.
                thread::sleep(std::time::Duration::from_micros(200 * (job % 3)));
                seen.run(number, |all| all.push(number));
                job
            });
            let results: io::Result<Vec<u64>> = pipeline.unwrap().collect();
            assert!(results.unwrap().into_iter().eq((0..500).map(|job| job * 7 % 31)));
            order.run(500, |all| assert!(all.iter().copied().eq(0..500)));
        }
    }

    #[test]
    fn an_error_comes_after_the_results_before_it() {
        let jobs = (0..5).map(|job| if job < 3 { Ok(job) } else { Err(io::Error::other("end")) });
        let mut pipeline = Pipeline::start(jobs, threads(2), |_, job: i32| job).unwrap();
        let results: Vec<_> = pipeline.by_ref().map_while(Result::ok).collect();
        assert_eq!(results, [0, 1, 2]);
        assert!(pipeline.next().is_none(), "the error was the last");
    }

    #[test]
    fn work_without_end_ends_when_it_is_dropped() {
        let mut pipeline = Pipeline::start((0u64..).map(Ok), threads(2), |_, job| job).unwrap();
        assert_eq!(pipeline.next().unwrap().unwrap(), 0);
    }
}
