//! Reading records with all threads, and saying which are bad.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::AddAssign;
use std::path::PathBuf;

use clap::ValueEnum;
use tabiya_data::{Bad, Filter, Format, Pipeline, Record};
use tabiya_perft::Watch;

use super::input::{Input, Job, Jobs, format_parser};
use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::file_progress::ProgressLine;
use crate::interrupt::Interrupt;
use crate::output::number::{quantity, thousands};
use crate::output::printable;

/// The number of bad records that are printed, before they're only counted.
const NAMED: u64 = 20;

/// How files are read.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ReadArgs {
    /// The format of the input [default: from its extension]
    #[arg(long, value_name = "NAME", value_parser = format_parser())]
    pub(super) from: Option<Format>,

    /// What becomes of bad records
    #[arg(long, value_enum, value_name = "HOW", default_value = "skip")]
    errors: OnError,

    /// Take only the records for which this holds, such as 'not check and abs(score) < 3000'. The
    /// names are check, capture, promotion, castling, chess960, has_move, has_score, has_result; the
    /// numbers score, ply, clock, pieces, material, compared with ==, !=, <, <=, >, >=; and result
    /// (white, draw, black) and turn (white, black). The score is for the side to move. and, or, not,
    /// parentheses and abs(…) combine them
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    filter: Option<String>,

    #[command(flatten)]
    pub(super) threads: ThreadsArg,
}

/// What becomes of bad records.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum OnError {
    /// Those with a bad score or result are kept without it, others are left out
    Keep,
    /// They're left out
    Skip,
    /// The first one ends the work
    Stop,
}

/// Which records are taken.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) errors: OnError,
    pub(super) filter: Option<Filter>,
}

impl ReadArgs {
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let parse = |text: &String| {
            let place = |error: tabiya_data::FilterError| {
                let line = format!("--filter {text}");
                let shift = line.len() - text.len();
                let span = error.span();
                Diagnostic::new(&error).at(&line, span.start + shift..span.end + shift)
            };
            text.parse().map_err(place)
        };
        Ok(Plan { errors: self.errors, filter: self.filter.as_ref().map(parse).transpose()? })
    }
}

/// What was found in a part of a file.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The records that can be used.
    pub(super) records: u64,
    /// Those of them that pass the filter.
    pub(super) selected: u64,
    pub(super) bad: BadRecords,
    /// A bad record ends the work.
    is_last: bool,
}

/// Bad records.
#[derive(Debug, Default)]
pub(super) struct BadRecords {
    /// The number of each kind, and the first of them.
    pub(super) kinds: BTreeMap<&'static str, (u64, Bad)>,
    /// The first of all.
    first: Vec<Bad>,
}

impl BadRecords {
    pub(super) fn count(&self) -> u64 {
        self.kinds.values().map(|(count, _)| count).sum()
    }

    fn add(&mut self, bad: Bad) {
        match self.kinds.get_mut(bad.reason.kind()) {
            Some((count, _)) => *count += 1,
            None => drop(self.kinds.insert(bad.reason.kind(), (1, bad.clone()))),
        }
        if (self.first.len() as u64) < NAMED {
            self.first.push(bad);
        }
    }
}

impl AddAssign for Found {
    fn add_assign(&mut self, more: Self) {
        self.records += more.records;
        self.selected += more.selected;
        for (kind, (count, first)) in more.bad.kinds {
            self.bad.kinds.entry(kind).or_insert((0, first)).0 += count;
        }
    }
}

impl Plan {
    /// Visits the records of a block that are taken.
    pub(super) fn visit(&self, job: &Job, mut visit: impl FnMut(&Record)) -> Found {
        let (mut found, mut record) = (Found::default(), Record::default());
        let mut decoder = job.format.decoder(&job.block);
        loop {
            match decoder.next(&mut record) {
                Ok(false) => return found,
                Ok(true) => {}
                Err(bad) => {
                    let kept = bad.record.clone().filter(|_| self.errors == OnError::Keep);
                    found.bad.add(bad);
                    found.is_last = self.errors == OnError::Stop;
                    match kept {
                        Some(kept) => record = *kept,
                        None if found.is_last => return found,
                        None => continue,
                    }
                }
            }
            found.records += 1;
            if self.filter.as_ref().is_none_or(|filter| filter.accepts(&record)) {
                found.selected += 1;
                visit(&record);
            }
        }
    }
}

/// What the threads made of the files, part by part, in the files' order.
pub(super) struct Reading<T> {
    parts: Pipeline<(usize, Found, T)>,
    pub(super) line: ProgressLine,
    errors: OnError,
    names: Vec<String>,
    /// What was found in each file so far.
    pub(super) found: Vec<Found>,
    named: u64,
    watch: Interrupt,
    pub(super) end: End,
}

/// Where reading ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// After the last file, or where something can't be read.
    OfFiles,
    /// At the first bad record, as the user has asked.
    FirstBad,
    /// At Ctrl-C.
    Interrupt,
}

impl<T: Send + 'static> Reading<T> {
    /// Begins. `work` gets each block, with its number.
    pub(super) fn start(
        inputs: &[Input],
        plan: &Plan,
        threads: ThreadsArg,
        watch: &Interrupt,
        work: impl Fn(u64, &Job, &Plan) -> (Found, T) + Send + Sync + 'static,
    ) -> Result<Self, Failure> {
        let paths: Vec<PathBuf> = inputs.iter().map(|it| it.path.clone()).collect();
        let line = ProgressLine::new("records", &paths, false);
        let jobs = Jobs::new(inputs, &line.passed, watch);
        let own = plan.clone();
        let parts = Pipeline::start(jobs, threads.count(), move |number, job| {
            let (found, result) = work(number, &job, &own);
            (job.file, found, result)
        });
        Ok(Self {
            parts: parts.map_err(no_threads)?,
            line,
            errors: plan.errors,
            names: inputs.iter().map(Input::name).collect(),
            found: inputs.iter().map(|_| Found::default()).collect(),
            named: 0,
            watch: watch.clone(),
            end: End::OfFiles,
        })
    }

    /// The next part and the number of its file.
    pub(super) fn next_part(&mut self) -> Option<io::Result<(usize, T)>> {
        if self.end != End::OfFiles {
            return None;
        }
        let (file, found, result) = match self.parts.next()? {
            Ok(part) => part,
            // A stopped program doesn't read on, which looks like an error of the file.
            Err(error) => {
                self.end = if self.watch.is_cancelled() { End::Interrupt } else { End::OfFiles };
                return Some(Err(error));
            }
        };
        for bad in &found.bad.first {
            self.named += 1;
            if self.named <= NAMED {
                self.line.clear();
                let _ = write!(
                    anstream::stderr(),
                    "{}",
                    Diagnostic::new(format_args!("{}: {bad}", self.names[file]))
                );
            }
        }
        let is_last = found.is_last;
        self.found[file] += found;
        if is_last {
            self.end = End::FirstBad;
            return Some(Err(io::Error::other("stopped at the first bad record")));
        }
        self.line.draw(self.found.iter().map(|it| it.records).sum());
        Some(Ok((file, result)))
    }

    /// Says how many records were bad. Were there any?
    pub(super) fn report_bad(&self) -> bool {
        let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
        for (kind, (count, _)) in self.found.iter().flat_map(|it| &it.bad.kinds) {
            *kinds.entry(kind).or_default() += count;
        }
        let count: u64 = kinds.values().sum();
        if count > 0 {
            let kinds: Vec<_> = kinds
                .iter()
                .map(|(kind, &count)| format!("{kind} {}", thousands(count.into())))
                .collect();
            let becomes = match self.errors {
                OnError::Keep => "kept without bad values, if only values are bad",
                OnError::Skip | OnError::Stop => "left out",
            };
            let count = quantity(count.into(), "bad record", "bad records");
            note(&format!("{count}, {becomes}: {}", kinds.join(", ")));
        }
        count > 0
    }
}

pub(super) fn no_threads(error: io::Error) -> Diagnostic {
    Diagnostic::new(format_args!("cannot start the threads: {error}"))
}

/// Prints what isn't an error of the call.
pub(super) fn note(message: &str) {
    // If standard error is closed, the text isn't wanted.
    let _ = writeln!(anstream::stderr(), "{}", printable(message));
}
