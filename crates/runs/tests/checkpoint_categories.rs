//! Long runs by category.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use redb::{Database, ReadableDatabase, TableDefinition};
use tabiya::Position;
use tabiya_perft::CategoryCounter;
use tabiya_perft::table::HashSize;
use tabiya_perft::{
    Categories, Category, CategoryTable, Convention, CountLeaves, Engine, NoCount, Options, Watch,
    categories, reference_categories, reference_perft,
};
use tabiya_runs::checkpoint::{
    Checkpoint, CheckpointError, CountCategories, Job, Ledger, LedgerOptions, ReferenceCounter,
    RunOptions, Status, Task, UnitCategories, UnitCounter, UnitResult, status_of,
};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

const JOB: TableDefinition<'_, &str, &str> = TableDefinition::new("job");
const RESULTS: TableDefinition<'_, u64, (u64, u64, &str, u32)> = TableDefinition::new("results");

fn start(depth: u32, split: u32) -> Job {
    Job::new(Position::START, depth).unwrap().with_split(split).unwrap().by_category().unwrap()
}

fn run(path: &Path, job: &Job, options: &RunOptions<'_>) -> Result<Status, CheckpointError> {
    Checkpoint::open_or_create(path, job, &())?.run(options, &())
}

fn with_table(seed: u64) -> CategoryCounter {
    let table = CategoryTable::new(HashSize::mebibytes(1), seed.into()).unwrap();
    CategoryCounter::default().with_table(table)
}

/// The counts are right with any split and counter, on any number of threads.
#[test]
fn categories_of_a_long_run_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
    let chess960 = "1rk3r1/8/8/8/8/8/8/R3K1R1 w AG - 0 1";
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let en_passant = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let (plain, table) = (CategoryCounter::default(), with_table(7));
    let counters: [&dyn UnitCounter; 3] = [&ReferenceCounter, &plain, &table];
    let (mut file, mut verified) = (0, 0);
    for (fen, depth) in [(KIWIPETE, 3), (promotions, 4), (chess960, 4), (mate, 3), (en_passant, 5)]
    {
        let root = Position::from_fen(fen).unwrap();
        let expected = categories(&root, depth, &Options::default(), &()).categories;
        for split in 1..depth {
            let job = Job::new(root.clone(), depth).unwrap().with_split(split).unwrap();
            if job.units(&()).unwrap().len() > 3000 {
                // This split would need too many writes for a test.
                continue;
            }
            file += 1;
            let path = folder.path().join(file.to_string());
            let options = RunOptions {
                threads: NonZeroUsize::new(1 + file % 3).unwrap(),
                counter: counters[file % 3],
                verify_share: 0.3,
                ..RunOptions::default()
            };
            let status = run(&path, &job.by_category().unwrap(), &options).unwrap();
            assert_eq!(status.categories(), Some(expected), "{fen} {depth} {split}");
            assert_eq!(status.total(), Some(expected.nodes));
            verified += status.verified;
            let opened = Checkpoint::open(&path).unwrap();
            assert!(opened.job().is_by_category());
            assert_eq!(opened.status().unwrap().categories(), Some(expected));
        }
    }
    assert!(file >= 10 && verified > 300, "{file} files, {verified} units verified");
}

/// Checks the published numbers and their JSON form.
#[test]
fn the_status_has_the_categories_so_far() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(5, 2), &()).unwrap();
    let nothing = checkpoint.status().unwrap().categories().unwrap();
    assert_eq!(nothing, Categories::default());
    let counter = CategoryCounter::default();
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    let mut expected = Categories::default();
    let mut results = Vec::new();
    for task in std::iter::from_fn(|| ledger.next_task()).take(250) {
        let unit = checkpoint.unit(task.unit()).unwrap();
        let found = counter.count(&unit.position, unit.depth, &()).categories;
        // Each of these units can be reached in one way only.
        assert_eq!(unit.multiplicity(), 1);
        expected += found;
        let result = UnitResult {
            nodes: found.nodes.try_into().unwrap(),
            micros: 3,
            counter: "elsewhere".to_owned(),
            categories: UnitCategories::of(&found),
        };
        results.push((task, result));
    }
    ledger.record(results).unwrap();
    assert_eq!(ledger.status().categories(), Some(expected));
    // The published status is the same.
    ledger.publish().unwrap();
    assert_eq!(&status_of(&path).unwrap(), ledger.status());
    drop(ledger);
    let status = checkpoint.run(&RunOptions { counter: &counter, ..RunOptions::default() }, &());
    let status = status.unwrap();
    let found = status.categories().unwrap();
    assert_eq!((found.nodes, found[Category::Captures]), (4_865_609, 82_719));
    assert_eq!((found[Category::EnPassant], found[Category::Checkmates]), (258, 347));
    assert_eq!(found[Category::Checks], 27_351);
    let json = |status: &Status| serde_json::to_value(status).unwrap()["categories"].clone();
    assert_eq!(json(&status).as_object().unwrap().len(), Category::ALL.len());
    assert_eq!(json(&status)["checks"], "27351");
    let excluded = status.with_convention(Convention::MatesExcluded);
    assert_eq!(json(&excluded)["checks"], "27004");
    assert_eq!(json(&excluded)["checkmates"], "347");
    // Other jobs have no property `categories`.
    let plain = Job::new(Position::START, 3).unwrap();
    let path = folder.path().join("plain");
    let status = run(&path, &plain, &RunOptions::default()).unwrap();
    assert_eq!(status.categories(), None);
    assert!(!serde_json::to_string(&status).unwrap().contains("categories"));
}

#[test]
fn a_file_of_the_other_kind_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let plain = || Job::new(Position::START, 4).unwrap().with_split(2).unwrap();
    drop(Checkpoint::open_or_create(&path("plain"), &plain(), &()).unwrap());
    drop(Checkpoint::open_or_create(&path("categories"), &start(4, 2), &()).unwrap());
    let refused = |name: &str, job: &Job, text: &str| {
        let error = Checkpoint::open_or_create(&path(name), job, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherJob { .. }), "{error:?}");
        assert!(error.to_string().ends_with(text), "{error}");
    };
    refused("plain", &start(4, 2), "its count is of leaf nodes, not by category");
    refused("categories", &plain(), "its count is by category, not of leaf nodes");
    assert!(Checkpoint::open_or_create(&path("categories"), &start(4, 2), &()).is_ok());
}

#[test]
fn the_last_ply_is_in_the_units() {
    let job = |depth| Job::new(Position::START, depth).unwrap();
    assert!(matches!(job(1).by_category(), Err(CheckpointError::CategoryDepth)));
    for outcome in [
        job(3).with_split(3).and_then(Job::by_category),
        job(3).by_category().and_then(|job| job.with_split(3)),
    ] {
        let error = outcome.unwrap_err();
        assert!(matches!(error, CheckpointError::Split { split: 3, depth: 3, last: 2 }));
        assert!(error.to_string().ends_with("only after 1 to 2"), "{error}");
    }
    let units = job(2).by_category().unwrap().units(&()).unwrap();
    assert!(units.iter().all(|unit| unit.depth == 1));
}

#[test]
fn a_counter_without_categories_is_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint =
        Checkpoint::open_or_create(&folder.path().join("run"), &start(4, 2), &()).unwrap();
    let engine = Engine::new(Options::default());
    let as_counter = RunOptions { counter: &engine, ..RunOptions::default() };
    let as_verifier =
        RunOptions { verifier: &engine, verify_share: 0.001, ..RunOptions::default() };
    for options in [as_counter, as_verifier] {
        let error = checkpoint.run(&options, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::NoCategories { .. }), "{error:?}");
    }
    assert_eq!(checkpoint.status().unwrap().done, 0);
    // A verifier that is not used need not count by category.
    let idle = RunOptions { verifier: &engine, ..RunOptions::default() };
    assert_eq!(checkpoint.run(&idle, &()).unwrap().total(), Some(197_281));
}

/// The result of a unit in a job to depth 4.
fn result(checkpoint: &Checkpoint, unit: u64) -> UnitResult {
    let found = checkpoint.unit(unit).unwrap();
    let found = reference_categories(&found.position, found.depth);
    UnitResult {
        nodes: found.nodes.try_into().unwrap(),
        micros: 7,
        counter: "reference".to_owned(),
        categories: UnitCategories::of(&found),
    }
}

#[test]
fn results_of_the_other_kind_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let by_category = Checkpoint::open_or_create(&path("categories"), &start(4, 2), &()).unwrap();
    let plain = Job::new(Position::START, 4).unwrap().with_split(2).unwrap();
    let plain = Checkpoint::open_or_create(&path("plain"), &plain, &()).unwrap();
    let with = result(&by_category, 0);
    let without = UnitResult { categories: None, ..with.clone() };
    for (checkpoint, wrong, right) in [(&by_category, &without, &with), (&plain, &with, &without)] {
        let error = checkpoint.record_results(&[(0, wrong.clone())]).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherKind { unit: 0, .. }), "{error:?}");
        let mut ledger = Ledger::new(checkpoint, &LedgerOptions::default()).unwrap();
        let batch = vec![
            (Task::Count { unit: 1 }, right.clone()),
            (Task::Count { unit: 0 }, wrong.clone()),
        ];
        let error = ledger.record(batch).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherKind { unit: 0, .. }), "{error:?}");
        assert!(error.to_string().contains("categories"), "{error}");
        assert_eq!((ledger.status().done, checkpoint.status().unwrap().done), (0, 0));
        checkpoint.record_results(&[(0, right.clone())]).unwrap();
        assert_eq!(checkpoint.result(0).unwrap().as_ref(), Some(right));
    }
}

/// A counter made of a function.
struct ByFunction<F>(F);

struct Worker<'a, F>(&'a F);

impl<F: Fn(&Position, u32) -> Categories + Sync> UnitCounter for ByFunction<F> {
    fn name(&self) -> String {
        "function".to_owned()
    }

    fn worker<'a>(&'a self, watch: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        ReferenceCounter.worker(watch)
    }

    fn category_worker<'a>(&'a self, _: &'a dyn Watch) -> Option<Box<dyn CountCategories + 'a>> {
        Some(Box::new(Worker(&self.0)))
    }
}

impl<F: Fn(&Position, u32) -> Categories + Sync> CountCategories for Worker<'_, F> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<Categories, NoCount> {
        Ok(self.0(position, depth))
    }
}

/// The verification compares every category, not only the total.
#[test]
fn a_second_count_finds_a_wrong_category() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let right = result(&checkpoint, 5);
    let mut counts = *right.categories.as_ref().unwrap().counts();
    counts[Category::Stalemates as usize] += 1;
    let wrong = UnitResult {
        categories: Some(UnitCategories::new(counts)),
        counter: "broken".to_owned(),
        ..right.clone()
    };
    checkpoint.record_results(&[(5, wrong)]).unwrap();
    let error = checkpoint.record_results(&[(5, right)]).unwrap_err();
    assert!(matches!(error, CheckpointError::Disputed { unit: 5, .. }), "{error:?}");
    let counter = CategoryCounter::default();
    let options = RunOptions { verify_share: 1.0, counter: &counter, ..RunOptions::default() };
    let error = checkpoint.run(&options, &()).unwrap_err();
    let CheckpointError::Disputed { unit: 5, category, first, second, .. } = error else {
        panic!("{error:?}")
    };
    assert_eq!((category, first, second), (Some(Category::Stalemates), 1, 0));
    assert!(error.to_string().contains("has 1 or 0 leaf nodes in stalemates: "), "{error}");
    assert_eq!(checkpoint.result(5).unwrap(), None, "neither result is kept");
    let status = checkpoint.run(&options, &()).unwrap();
    assert_eq!(status.disputes, ["unit 5: stalemates 1 by broken, 0 by reference"]);
    let expected = reference_categories(&Position::START, 4);
    assert_eq!((status.categories(), status.verified), (Some(expected), 400));
    drop(checkpoint);
    assert_eq!(Checkpoint::open(&path).unwrap().status().unwrap().categories(), Some(expected));
}

#[test]
fn numbers_that_are_too_large_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut huge = reference_categories(&Position::START, 3);
    while huge.nodes < 1 << 64 {
        huge += huge;
    }
    let too_large = ByFunction(|_: &Position, _| huge);
    let options = RunOptions { counter: &too_large, ..RunOptions::default() };
    let error = run(&folder.path().join("unit"), &start(4, 2), &options).unwrap_err();
    assert!(matches!(error, CheckpointError::UnitTooLarge { .. }), "{error:?}");

    // Two kings can reach a position in so many ways that a total may be too large.
    let kings = Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let job = Job::new(kings, 30).unwrap().with_split(26).unwrap().by_category().unwrap();
    let path = folder.path().join("total");
    let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
    let result = |nodes, counts| UnitResult {
        nodes,
        micros: 1,
        counter: "wrong".to_owned(),
        categories: Some(UnitCategories::new(counts)),
    };
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    let tasks: Vec<Task> = std::iter::from_fn(|| ledger.next_task()).collect();
    let most = [u64::MAX; Category::ALL.len()];
    let results = tasks.into_iter().map(|task| (task, result(1, most)));
    let error = ledger.record(results.collect()).unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
    drop(ledger);
    let error = checkpoint.status().unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
}

/// Files of plain counts equal those of the first release, down to the checksum of a row.
#[test]
fn only_a_job_by_category_has_the_new_format() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let plain = Job::new(Position::START, 3).unwrap().with_split(2).unwrap();
    run(&path("plain"), &plain, &RunOptions::default()).unwrap();
    run(&path("categories"), &start(3, 2), &RunOptions::default()).unwrap();
    let format = |name: &str| {
        let database = Database::open(path(name)).unwrap();
        let read = database.begin_read().unwrap();
        read.open_table(JOB).unwrap().get("format").unwrap().unwrap().value().to_owned()
    };
    assert_eq!([format("plain"), format("categories")], ["1", "2"]);
    let database = Database::open(path("plain")).unwrap();
    let read = database.begin_read().unwrap();
    let job = read.open_table(JOB).unwrap();
    let mut text = String::new();
    for name in ["root", "castling", "depth", "split", "moves", "units", "games"] {
        text += &format!("{name} {}\n", job.get(name).unwrap().unwrap().value());
    }
    let checksum = crc32fast::hash(text.as_bytes()).to_string();
    assert_eq!(job.get("checksum").unwrap().unwrap().value(), checksum);
    let results = read.open_table(RESULTS).unwrap();
    let row = results.get(11).unwrap().unwrap();
    let (nodes, micros, counter, checksum) = row.value();
    let text = format!("results 11 {nodes} {micros} {counter}");
    assert_eq!((counter, checksum), ("reference", crc32fast::hash(text.as_bytes())));
}

/// Changes the row of unit 3, and the format in the fields of the job.
fn change(path: &Path, row: (u64, u64, &str, u32), format: &str) {
    let database = Database::open(path).unwrap();
    let write = database.begin_write().unwrap();
    write.open_table(RESULTS).unwrap().insert(3, row).unwrap();
    write.open_table(JOB).unwrap().insert("format", format).unwrap();
    write.commit().unwrap();
}

#[test]
fn a_damaged_row_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    run(&path, &start(3, 2), &RunOptions::default()).unwrap();
    let row = |unit: u64| {
        let database = Database::open(&path).unwrap();
        let read = database.begin_read().unwrap();
        let row = read.open_table(RESULTS).unwrap().get(unit).unwrap().unwrap();
        let (nodes, micros, text, checksum) = row.value();
        (nodes, micros, text.to_owned(), checksum)
    };
    let (nodes, micros, text, checksum) = row(3);
    let other = row(4);
    let (counts, counter) = text.split_once('\n').unwrap();
    let counts: Vec<&str> = counts.split(' ').collect();
    assert_eq!((counts.len(), counter), (Category::ALL.len(), "reference"));
    let expect_damaged = |row: (u64, u64, &str, u32), format: &str| {
        change(&path, row, format);
        let error = Checkpoint::open(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Damaged(_)), "{row:?} {format}: {error:?}");
    };
    // The checksum covers each number, and also the name and the number of the unit.
    for place in 0..counts.len() {
        let mut changed = counts.clone();
        changed[place] = "12345";
        let changed = format!("{}\n{counter}", changed.join(" "));
        expect_damaged((nodes, micros, &changed, checksum), "2");
    }
    expect_damaged((nodes + 1, micros, &text, checksum), "2");
    expect_damaged((nodes, micros, &text.replace("reference", "another"), checksum), "2");
    expect_damaged((other.0, other.1, &other.2, other.3), "2");
    // Rows with the right checksum that are not results.
    let all = counts.join(" ");
    for text in [
        String::new(),
        counter.to_owned(),
        all.clone(),
        format!("\n{counter}"),
        format!("{}\n{counter}", counts[1..].join(" ")),
        format!("{all} 0\n{counter}"),
        format!("-1 {}\n{counter}", counts[1..].join(" ")),
        format!("18446744073709551616 {}\n{counter}", counts[1..].join(" ")),
    ] {
        let line = format!("results 3 {nodes} {micros} {text}");
        expect_damaged((nodes, micros, &text, crc32fast::hash(line.as_bytes())), "2");
    }
    // If the format were changed to that of a plain job, the job would look complete.
    expect_damaged((nodes, micros, &text, checksum), "1");
    change(&path, (nodes, micros, &text, checksum), "2");
    let status = Checkpoint::open(&path).unwrap().status().unwrap();
    assert_eq!(status.categories(), Some(reference_categories(&Position::START, 3)));
    // A file of a plain count cannot become one by category.
    let path = folder.path().join("plain");
    run(&path, &Job::new(Position::START, 3).unwrap(), &RunOptions::default()).unwrap();
    let database = Database::open(&path).unwrap();
    let write = database.begin_write().unwrap();
    write.open_table(JOB).unwrap().insert("format", "2").unwrap();
    write.commit().unwrap();
    drop(database);
    let error = Checkpoint::open(&path).unwrap_err();
    assert!(matches!(error, CheckpointError::Damaged(_)), "{error:?}");
}

/// A cancelled unit leaves nothing behind, with any counter.
#[test]
fn a_cancelled_run_by_category_continues() {
    struct After(AtomicU64);
    impl Watch for After {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_err()
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let job = start(5, 1);
    let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
    let (plain, table) = (CategoryCounter::default(), with_table(3));
    let counters: [&dyn UnitCounter; 3] = [&ReferenceCounter, &plain, &table];
    let mut done = 0;
    for (number, counter) in counters.into_iter().cycle().enumerate() {
        let options = RunOptions { counter, ..RunOptions::default() };
        let status = checkpoint.run(&options, &After(AtomicU64::new(12))).unwrap();
        assert!(status.done >= done && number < 100);
        done = status.done;
        if status.is_complete() {
            assert!(number >= 3, "it was cancelled {number} times");
            let expected = categories(&Position::START, 5, &Options::default(), &()).categories;
            assert_eq!(status.categories(), Some(expected));
            break;
        }
    }
}

/// A category counter also counts plain jobs.
#[test]
fn a_category_counter_counts_a_plain_job() {
    let folder = tempfile::tempdir().unwrap();
    let kiwipete = Position::from_fen(KIWIPETE).unwrap();
    let expected = reference_perft(&kiwipete, 4);
    let job = Job::new(kiwipete, 4).unwrap().with_split(2).unwrap();
    let counter = with_table(5);
    let options = RunOptions { counter: &counter, ..RunOptions::default() };
    let status = run(&folder.path().join("run"), &job, &options).unwrap();
    assert_eq!((status.total(), status.categories()), (Some(expected.into()), None));
}
