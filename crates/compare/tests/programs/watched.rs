//! A hunt with a record of every question.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use tabiya_compare::{
    Divide, Generator, Hunt, Log, Options, Program, Protocol, Query, Report, Trouble,
};

use crate::program::faulty;
use crate::resident::Resident;

/// A program that records its questions.
struct Watched<'a> {
    program: &'a dyn Generator,
    queries: RefCell<Vec<Query>>,
    leaves: Cell<u128>,
}

impl Watched<'_> {
    fn note<T>(
        &self,
        query: &Query,
        answer: Result<T, Trouble>,
        count: impl FnOnce(&T) -> u128,
    ) -> Result<T, Trouble> {
        if !matches!(answer, Err(Trouble::Unsupported)) {
            self.queries.borrow_mut().push(query.clone());
        }
        self.leaves.set(self.leaves.get() + answer.as_ref().map_or(0, count));
        answer
    }
}

impl Generator for Watched<'_> {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        self.note(query, self.program.perft(query), |count| *count)
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        self.note(query, self.program.divide(query), Divide::sum)
    }

    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        self.note(query, self.program.moves(query), |moves| moves.len() as u128)
    }

    fn takes_moves(&self) -> bool {
        self.program.takes_moves()
    }

    fn restart(&self) {
        self.program.restart();
    }

    fn command(&self, query: &Query) -> String {
        self.program.command(query)
    }
}

/// A hunt that has ended.
#[derive(Debug)]
pub(crate) struct Hunted {
    pub(crate) report: Report,
    /// All questions, in order.
    pub(crate) queries: Vec<Query>,
    /// The leaf nodes that the program has counted, which determine the time for a slow program.
    pub(crate) leaves: u128,
}

/// Hunts in any program.
pub(crate) fn hunt_in(
    command: &[String],
    protocol: Option<Protocol>,
    options: Options<'_>,
) -> Hunted {
    // These are silent until their time is over. A late answer of theirs is asked for again, or has ten
    // seconds. The others answer, even on a busy machine.
    let has = |names: &[&str]| command.iter().any(|it| names.contains(&it.as_str()));
    let limit = match () {
        () if has(&["hang", "half-line"]) => 2,
        () if has(&["flush-at-exit", "parallel-quiet"]) => 5,
        () => 120,
    };
    let limit = Duration::from_secs(limit);
    let program = Program::connect(command, protocol, limit, Log::default())
        .unwrap_or_else(|trouble| panic!("{command:?}: {trouble}"));
    hunt_by(&program, program.protocol(), options)
}

/// Hunts in a generator that replaces a program of this protocol.
fn hunt_by(program: &dyn Generator, protocol: Protocol, options: Options<'_>) -> Hunted {
    let (queries, leaves) = (RefCell::default(), Cell::default());
    let watched = Watched { program, queries, leaves };
    let report = Hunt::new(&watched, options).run(protocol.name());
    Hunted { report, queries: watched.queries.into_inner(), leaves: watched.leaves.get() }
}

/// Hunts in the faulty program with these arguments.
pub(crate) fn hunt(arguments: &[&str], protocol: &str, options: Options<'_>) -> Hunted {
    let mut command = vec![faulty().display().to_string(), "--protocol".into(), protocol.into()];
    command.extend(arguments.iter().map(ToString::to_string));
    if options.chess960 {
        command.push("--chess960".into());
    }
    hunt_in(&command, Some(protocol.parse().expect("a protocol")), options)
}

/// Hunts in one process: the program forgets everything before each question.
pub(crate) fn hunt_in_resident(arguments: &[&str], protocol: &str, options: Options<'_>) -> Hunted {
    let mut arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    if options.chess960 {
        arguments.push("--chess960".into());
    }
    let protocol = protocol.parse().expect("a protocol");
    hunt_by(&Resident::start(&arguments, protocol), protocol, options)
}
