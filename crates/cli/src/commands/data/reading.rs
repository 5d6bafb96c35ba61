//! Reading records with all threads, and saying which are bad.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use tabiya_data::{FilterError, Format, Found, OnBad, Pipeline, Plan};
use tabiya_perft::Watch;

use super::input::{FROM, Input, Job, jobs};
use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::file_progress::ProgressLine;
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::number::{quantity, thousands};
use crate::output::printable;

/// How files are read.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct ReadArgs {
    /// The format of the input [default: from its extension]
    #[arg(long, value_name = "NAME", value_parser = FROM.parser())]
    pub(super) from: Option<Format>,

    /// What becomes of bad records
    #[arg(long, value_name = "HOW", default_value = "skip", value_parser = errors_parser())]
    errors: OnBad,

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

fn errors_parser() -> impl TypedValueParser<Value = OnBad> {
    let values = [
        ("keep", "Those with a bad score or result are kept without it, others are left out"),
        ("skip", "They're left out"),
        ("stop", "The first one ends the work"),
    ];
    PossibleValuesParser::new(values.map(|(name, help)| PossibleValue::new(name).help(help)))
        .try_map(|name| name.parse::<OnBad>())
}

impl ReadArgs {
    pub(super) fn plan(&self) -> Result<Plan, Failure> {
        let parse = |text: &String| {
            text.parse().map_err(|error: FilterError| {
                let line = format!("--filter {text}");
                let shift = line.len() - text.len();
                let span = error.span();
                Diagnostic::new(&error).at(&line, span.start + shift..span.end + shift)
            })
        };
        Ok(Plan { on_bad: self.errors, filter: self.filter.as_ref().map(parse).transpose()? })
    }
}

/// What the threads made of the files, part by part, in the files' order.
pub(super) struct Reading<T> {
    parts: Pipeline<(usize, Found, T)>,
    pub(super) line: ProgressLine,
    on_bad: OnBad,
    names: Vec<String>,
    /// What was found so far: in each file, and in all.
    pub(super) found: Vec<Found>,
    pub(super) all: Found,
    pub(super) watch: Interrupt,
}

/// Why work ends before all files are read.
pub(super) enum Stop {
    /// A bad record, at which the user wants to stop.
    Bad,
    /// Ctrl-C.
    Interrupt,
    /// A file can't be read, or written.
    Failed(Failure),
}

impl Stop {
    /// A stopped program doesn't read on, which looks like an error of the file.
    pub(super) fn new(error: io::Error, watch: &Interrupt) -> Self {
        if watch.is_cancelled() {
            return Self::Interrupt;
        }
        Self::Failed(Diagnostic::new(error).into())
    }

    /// Says that the work has ended, and what there is of it.
    pub(super) fn outcome(self, left: &str) -> Result<Outcome, Failure> {
        let (why, outcome) = match self {
            Self::Bad => ("stopped at the first bad record", Outcome::Failed),
            Self::Interrupt => ("stopped", Outcome::Interrupted),
            Self::Failed(failure) => return Err(failure),
        };
        note(&format!("{why}: {left}"));
        Ok(outcome)
    }
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
        let own = plan.clone();
        let jobs = jobs(inputs.to_vec(), &line.passed, watch);
        let parts = Pipeline::start(jobs, threads.count(), move |number, job| {
            let (found, result) = work(number, &job, &own);
            (job.file, found, result)
        });
        Ok(Self {
            parts: parts.map_err(no_threads)?,
            line,
            on_bad: plan.on_bad,
            names: inputs.iter().map(Input::name).collect(),
            found: vec![Found::default(); inputs.len()],
            all: Found::default(),
            watch: watch.clone(),
        })
    }

    /// Reads all parts.
    pub(super) fn read_all(
        &mut self,
        mut add: impl FnMut(usize, T) -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        let end = self.try_for_each(|part| part.and_then(|(file, part)| add(file, part)));
        self.line.clear();
        end
    }

    /// Says how many records were bad, unless the first one is an error. Were there any?
    pub(super) fn report_bad(&mut self) -> bool {
        self.line.clear();
        let count = self.all.bad();
        if count > 0 && self.on_bad != OnBad::Stop {
            let kind =
                |(kind, (it, _)): (_, &(u64, _))| format!("{kind} {}", thousands((*it).into()));
            let kinds = self.all.kinds.iter().map(kind).collect::<Vec<_>>().join(", ");
            let becomes = match self.all.kept {
                0 => "left out".to_owned(),
                kept => {
                    let [kept, lost] = [kept, count - kept].map(|it| thousands(it.into()));
                    format!("{kept} kept without their bad values, {lost} left out")
                }
            };
            let count = quantity(count.into(), "bad record", "bad records");
            note(&format!("{count}, {becomes}: {kinds}"));
        }
        count > 0
    }
}

impl<T: Send + 'static> Iterator for Reading<T> {
    type Item = Result<(usize, T), Stop>;

    /// The next part and the number of its file. All records before a bad one come before the end.
    fn next(&mut self) -> Option<Self::Item> {
        if self.all.is_stopped {
            return Some(Err(Stop::Bad));
        }
        let (file, found, result) = match self.parts.next()? {
            Ok(part) => part,
            Err(error) => return Some(Err(Stop::new(error, &self.watch))),
        };
        for bad in found.first.iter().take(Found::DESCRIBED - self.all.first.len()) {
            self.line.clear();
            let error = Diagnostic::new(format_args!("{}: {bad}", self.names[file]));
            let _ = write!(anstream::stderr(), "{error}");
        }
        self.found[file] += found.clone();
        self.all += found;
        self.line.draw(self.all.records);
        Some(Ok((file, result)))
    }
}

pub(super) fn no_threads(error: io::Error) -> Failure {
    Diagnostic::new(format_args!("cannot start the threads: {error}")).into()
}

/// Prints what isn't an error of the call.
pub(super) fn note(message: &str) {
    // If standard error is closed, the text isn't wanted.
    let _ = writeln!(anstream::stderr(), "{}", printable(message));
}
