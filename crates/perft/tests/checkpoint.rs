//! Long runs: cancelled, killed, damaged, misused.

use std::cell::Cell;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use redb::{Database, ReadableDatabase, TableDefinition};
use tabiya::{CastlingMode, Position};
use tabiya_perft::checkpoint::{
    Checkpoint, CheckpointError, Job, Ledger, LedgerOptions, ReferenceCounter, RunOptions, Status,
    Task, UnitCounter, UnitResult, WorkUnit, status_of,
};
use tabiya_perft::table::{HashSize, Table};
use tabiya_perft::{CountLeaves, Engine, NoCount, Options, Watch, perft, reference_perft};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn threads(number: usize) -> NonZeroUsize {
    NonZeroUsize::new(number).unwrap()
}

fn start(depth: u32, split: u32) -> Job {
    Job::new(Position::START, depth).unwrap().with_split(split).unwrap()
}

fn run(path: &Path, job: &Job, options: &RunOptions<'_>) -> Result<Status, CheckpointError> {
    Checkpoint::open_or_create(path, job, &())?.run(options, &())
}

/// The count and that of every root move are those of perft, with any split.
#[test]
fn the_count_and_its_divide_are_exact() {
    let folder = tempfile::tempdir().unwrap();
    let promotions = "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1";
    let chess960 = "1rk3r1/8/8/8/8/8/8/R3K1R1 w AG - 0 1";
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    let en_passant = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let mut file = 0;
    let table = Table::new(HashSize::mebibytes(1), 7.into()).unwrap();
    let engine = Engine::new(Options::default()).with_table(table);
    for (fen, depth) in [(KIWIPETE, 3), (promotions, 4), (chess960, 4), (mate, 3), (en_passant, 5)]
    {
        let root = Position::from_fen(fen).unwrap();
        let tally = perft(&root, depth, &Options::default(), &());
        for split in 1..=depth {
            let job = Job::new(root.clone(), depth).unwrap().with_split(split).unwrap();
            if job.units(&()).unwrap().len() > 3000 {
                // Too many writes for a test.
                continue;
            }
            file += 1;
            let path = folder.path().join(file.to_string());
            let counter: &dyn UnitCounter = if file % 2 == 0 { &ReferenceCounter } else { &engine };
            let options =
                RunOptions { threads: threads(1 + file % 3), counter, ..RunOptions::default() };
            let status = run(&path, &job, &options).unwrap();
            assert_eq!(status.total(), Some(tally.nodes), "{fen} {depth} {split}");
            let expected: Vec<_> = tally
                .moves
                .iter()
                .map(|count| (root.uci(count.mv).to_string(), count.nodes))
                .collect();
            let found: Vec<_> = status.moves.iter().map(|mv| (mv.mv.clone(), mv.nodes)).collect();
            assert_eq!(found, expected, "{fen} {depth} {split}");
            assert!(status.moves.iter().all(|mv| mv.games == mv.games_done));
            let opened = Checkpoint::open(&path).unwrap();
            assert_eq!(opened.status().unwrap().nodes, tally.nodes);
            assert_eq!(opened.job().root().castling_mode(), root.castling_mode());
        }
    }
}

/// Units are distinct positions, and their multiplicities add up to the perft of the split.
#[test]
fn units_are_the_frontier_of_the_split() {
    let units = start(9, 4).units(&()).unwrap();
    assert_eq!(units.len(), 72_078);
    assert_eq!(units.iter().map(|unit| unit.multiplicity()).sum::<u64>(), 197_281);
    // Unless a split is given, a deep count is split into units of a second or less.
    let units = Job::new(Position::START, 9).unwrap().units(&()).unwrap();
    assert_eq!(units[0].depth, 5);
}

/// Two kings have few positions, but more move sequences than a number can hold.
#[test]
fn multiplicities_do_not_overflow() {
    let kings = Position::from_fen("k7/8/8/8/8/8/8/7K w - - 0 1").unwrap();
    let deep = Job::new(kings, 60).unwrap();
    let units = deep.units(&()).unwrap();
    let games: u128 = units.iter().map(|unit| u128::from(unit.multiplicity())).sum();
    assert!(units.len() < 10_000 && games > 1 << 50 && units[0].depth > 30);
    let error = deep.with_split(40).unwrap().units(&()).unwrap_err();
    assert!(matches!(error, CheckpointError::Multiplicity), "{error:?}");
}

/// An engine for very deep counts of two kings.
fn engine_with_table() -> Engine {
    let table = Table::new(HashSize::mebibytes(64), 1.into()).unwrap();
    Engine::new(Options::default()).with_table(table)
}

/// The results of the units, counted by an engine.
fn results(units: &[WorkUnit], engine: &Engine) -> Vec<(u64, UnitResult)> {
    let result = |(number, unit): (u64, &WorkUnit)| {
        let nodes = engine.count(&unit.position, unit.depth).unwrap().try_into().unwrap();
        (number, UnitResult { nodes, micros: 1, counter: "engine".to_owned(), categories: None })
    };
    (0..).zip(units).map(result).collect()
}

#[test]
fn a_total_of_nearly_128_bits_is_right_and_a_larger_one_is_an_error() {
    let kings = || Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let engine = engine_with_table();
    let folder = tempfile::tempdir().unwrap();
    let open = |depth: u32, split| {
        let job = Job::new(kings(), depth).unwrap().with_split(split).unwrap();
        let path = folder.path().join(depth.to_string());
        (Checkpoint::open_or_create(&path, &job, &()).unwrap(), job.units(&()).unwrap(), path)
    };
    let (checkpoint, units, _) = open(47, 25);
    checkpoint.record_results(&results(&units, &engine)).unwrap();
    let total = checkpoint.status().unwrap().total();
    assert_eq!(total, Some(100_727_381_831_559_211_234_519_394_812_894_753_591));
    assert_eq!(total, Some(engine.perft(&kings(), 47, &()).nodes));

    let (checkpoint, units, path) = open(48, 26);
    let mut results = results(&units, &engine);
    // As many as fit. The next one is too many.
    let mut sum = 0u128;
    let fit = results.iter().zip(&units).take_while(|((_, result), unit)| {
        let more = u128::from(result.nodes) * u128::from(unit.multiplicity());
        sum.checked_add(more).map(|larger| sum = larger).is_some()
    });
    let fit = fit.count();
    assert!(0 < fit && fit < units.len());
    results.truncate(fit);
    checkpoint.record_results(&results).unwrap();
    assert_eq!(checkpoint.status().unwrap().nodes, sum);
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    let error = checkpoint.run(&options, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
    assert!(error.to_string().contains("2^128"), "{error}");
    // The file says so from now on.
    drop(checkpoint);
    let error = Checkpoint::open(&path).unwrap().status().unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
    let error = Checkpoint::open(&path).unwrap().run(&options, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::TotalTooLarge), "{error:?}");
}

#[test]
fn a_unit_whose_result_has_more_than_64_bits_is_an_error() {
    let kings = Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let (folder, engine) = (tempfile::tempdir().unwrap(), engine_with_table());
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    for (depth, split) in [(47, 10), (200, 10)] {
        let job = Job::new(kings.clone(), depth).unwrap().with_split(split).unwrap();
        let path = folder.path().join(depth.to_string());
        let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
        let error = checkpoint.run(&options, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::UnitTooLarge { .. }), "{error:?}");
        assert!(error.to_string().contains("split after more plies"), "{error}");
        // Nothing wrong was written.
        assert_eq!(checkpoint.status().unwrap().done, 0);
    }
}

/// A counter made of a function.
struct ByFunction<F>(F);

impl<F: Fn(&Position, u32) -> u64 + Sync> UnitCounter for ByFunction<F> {
    fn name(&self) -> String {
        std::env::var("COUNTER_NAME").unwrap_or("function".to_owned())
    }

    fn worker<'a>(&'a self, _: &'a dyn Watch) -> Box<dyn CountLeaves + 'a> {
        Box::new(Worker(&self.0))
    }
}

struct Worker<'a, F>(&'a F);

impl<F: Fn(&Position, u32) -> u64 + Sync> CountLeaves for Worker<'_, F> {
    fn count(&mut self, position: &Position, depth: u32) -> Result<u128, NoCount> {
        Ok(self.0(position, depth).into())
    }

    fn look_ups(&self) -> u64 {
        0
    }
}

/// Counts slowly, and prints a line on standard error when a unit is counted.
fn slowly(position: &Position, depth: u32) -> u64 {
    let nodes = reference_perft(position, depth);
    thread::sleep(Duration::from_micros(300));
    if std::env::var_os("CHECKPOINT").is_some() {
        // One write without a buffer: it is not lost if the process is killed now.
        let _ = std::io::stderr().write_all(b"+\n");
    }
    nodes
}

/// The process that the tests below kill. By itself, it does nothing.
#[test]
#[ignore = "is started by other tests"]
fn worker() {
    let Ok(path) = std::env::var("CHECKPOINT") else { return };
    let number = std::env::var("COUNT_THREADS").unwrap().parse().unwrap();
    let slow = ByFunction(slowly);
    let options = RunOptions { threads: threads(number), counter: &slow, ..RunOptions::default() };
    match run(Path::new(&path), &start(6, 3), &options) {
        Ok(status) => println!("total {}", status.nodes),
        Err(error) => println!("error {error}"),
    }
}

fn worker_command(path: &Path, threads: usize) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--ignored", "--exact", "worker", "--nocapture"])
        .env("CHECKPOINT", path)
        .env("COUNT_THREADS", threads.to_string())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Waits for the end of a process. Returns how many units it counted, and its output.
fn counted(child: Child) -> (u64, String) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).lines().filter(|line| *line == "+").count();
    (said as u64, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Kills a process after it has counted this many units. Returns how many it counted.
fn kill_after(mut child: Child, units: u64, pause: Duration) -> u64 {
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let units_said = |line: &std::io::Result<String>| matches!(line, Ok(line) if line == "+");
    let mut count = 0;
    while count < units {
        count += u64::from(units_said(&said.next().expect("it ended too early")));
    }
    // It is counting the next unit by now, or writing the last result.
    thread::sleep(pause);
    child.kill().unwrap();
    child.wait().unwrap();
    count + said.filter(units_said).count() as u64
}

#[test]
fn a_killed_run_loses_one_unit_for_each_thread_and_ends_with_the_right_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    // First kill it at once, before or after the file exists.
    let mut child = worker_command(&path, 2).spawn().unwrap();
    thread::sleep(Duration::from_millis(30));
    child.kill().unwrap();
    counted(child);
    let mut done = 0;
    for (threads, units, micros) in
        [(1, 300, 0), (4, 900, 150), (2, 2, 700), (3, 701, 333), (5, 90, 50), (2, 1100, 499)]
    {
        let child = worker_command(&path, threads).spawn().unwrap();
        let said = kill_after(child, units, Duration::from_micros(micros));
        let now = Checkpoint::open(&path).unwrap().status().unwrap().done;
        assert!(now >= done);
        let lost = (done + said).saturating_sub(now);
        assert!(lost <= threads as u64, "{lost} units lost by {threads} threads");
        done = now;
    }
    assert!(done > 3000, "{done}");
    let (said, text) = counted(worker_command(&path, 3).spawn().unwrap());
    assert!(text.contains("total 119060324"), "{text}");
    assert_eq!(said + done, 5362, "written results are not counted again");
}

/// A limit to the size of files stands for a full disk.
#[cfg(unix)]
#[test]
fn a_full_disk_is_reported_and_the_run_continues_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    drop(Checkpoint::open_or_create(&path, &start(6, 3), &()).unwrap());
    let before = fs::metadata(&path).unwrap().len();
    let blocks = before / 512;
    let mut plain = worker_command(&path, 2);
    // Long rows, so that the results need more room than the file has.
    plain.env("COUNTER_NAME", "function".repeat(200));
    let mut limited = Command::new("sh");
    limited
        .args(["-c", &format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(plain.get_program())
        .args(plain.get_args())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (_, text) = counted(limited.spawn().unwrap());
    assert!(text.contains("error there is no room left for the checkpoint"), "{text}");
    let checkpoint = Checkpoint::open(&path).unwrap();
    let done = checkpoint.status().unwrap().done;
    assert!(0 < done && done < 5362, "{done}");
    assert!(text.contains(&format!("the results of {done} units are safe in it")), "{text}");
    let status = checkpoint.run(&RunOptions::default(), &()).unwrap();
    assert_eq!(status.total(), Some(119_060_324));
}

#[test]
fn the_checkpoint_of_another_job_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(5, 2), &()).unwrap());
    let refused = |job: Job, what: &str| {
        let error = Checkpoint::open_or_create(&path, &job, &()).unwrap_err();
        assert!(matches!(error, CheckpointError::OtherJob { .. }), "{error:?}");
        assert!(error.to_string().contains(what), "{error}");
    };
    refused(start(6, 2), "its depth is 5, not 6");
    refused(start(5, 3), "its split is 2, not 3");
    let kiwipete = Position::from_fen(KIWIPETE).unwrap();
    refused(Job::new(kiwipete, 5).unwrap(), "its root is rnbqkbnr");
    let chess960 = Position::START.with_castling_mode(CastlingMode::Chess960).unwrap();
    refused(Job::new(chess960, 5).unwrap(), "castling notation");
    // The move counters do not matter, and the split need not be given again.
    let later = Position::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 9 30");
    assert!(Checkpoint::open_or_create(&path, &Job::new(later.unwrap(), 5).unwrap(), &()).is_ok());
    assert!(matches!(Job::new(Position::START, 0), Err(CheckpointError::Depth)));
    let split = Job::new(Position::START, 3).unwrap().with_split(4);
    assert!(matches!(split, Err(CheckpointError::Split { split: 4, depth: 3, last: 3 })));
}

#[test]
fn a_checkpoint_of_another_format_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap());
    let job: TableDefinition<'_, &str, &str> = TableDefinition::new("job");
    let database = Database::open(&path).unwrap();
    assert!(database.begin_read().unwrap().open_table(job).is_ok());
    let write = database.begin_write().unwrap();
    write.open_table(job).unwrap().insert("format", "3").unwrap();
    write.commit().unwrap();
    drop(database);
    let error = Checkpoint::open(&path).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the checkpoint has format 3, but this version reads formats 1 and 2"
    );
}

#[test]
fn files_that_are_not_checkpoints_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let long = "not a checkpoint, but long enough to be one\n".repeat(1000);
    for text in ["", "short", &long] {
        fs::write(&path, text).unwrap();
        let error = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap_err();
        assert!(matches!(error, CheckpointError::Foreign), "{error:?}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text, "the file is not changed");
    }
    drop(Database::create(folder.path().join("other")).unwrap());
    let error = Checkpoint::open(&folder.path().join("other")).unwrap_err();
    assert!(matches!(error, CheckpointError::Foreign), "{error:?}");
    assert!(matches!(Checkpoint::open(folder.path()), Err(CheckpointError::Io(_))));
    assert!(matches!(status_of(&folder.path().join("none")), Err(CheckpointError::Io(_))));
    let nowhere = folder.path().join("no").join("where");
    let error = Checkpoint::open_or_create(&nowhere, &start(4, 2), &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Create(_)), "{error:?}");
}

/// After damage to any byte, the file is refused or still leads to the right count.
#[test]
fn a_damaged_file_never_leads_to_a_wrong_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(3, 2), &()).unwrap();
    // All but a few units are done, so that each trial has little to write.
    let known: Vec<_> = (0..390)
        .map(|number| {
            let unit = checkpoint.unit(number).unwrap();
            let nodes = reference_perft(&unit.position, unit.depth);
            (
                number,
                UnitResult { nodes, micros: 7, counter: "reference".to_owned(), categories: None },
            )
        })
        .collect();
    checkpoint.record_results(&known).unwrap();
    let fens = [0, 17, 399].map(|unit| checkpoint.unit(unit).unwrap().position.fen().to_string());
    drop(checkpoint);
    // Damage rows that are in use: every place with the FEN of a unit.
    let intact = fs::read(&path).unwrap();
    for fen in fens {
        let mut bytes = intact.clone();
        let starts: Vec<usize> = bytes
            .windows(fen.len())
            .enumerate()
            .filter_map(|(at, window)| (window == fen.as_bytes()).then_some(at))
            .collect();
        assert!(!starts.is_empty(), "{fen}");
        for start in starts {
            bytes[start] ^= 1;
        }
        fs::write(&path, bytes).unwrap();
        let error = Checkpoint::open(&path).unwrap_err();
        assert!(matches!(error, CheckpointError::Damaged(_)), "{error:?}");
    }
    let used = intact.iter().rposition(|&byte| byte != 0).unwrap();
    let (mut refused, mut harmless) = (0, 0);
    let mut expect_refused_or_right = |bytes: &[u8], what: &str| {
        fs::write(&path, bytes).unwrap();
        match run(&path, &start(3, 2), &RunOptions::default()) {
            Ok(status) => {
                harmless += 1;
                assert_eq!(status.total(), Some(8902), "{what}");
            }
            Err(CheckpointError::Damaged(_) | CheckpointError::Foreign) => refused += 1,
            Err(CheckpointError::Format { .. }) => refused += 1,
            Err(error) => panic!("{what}: {error:?}"),
        }
    };
    for at in (0..400).step_by(3).chain((400..=used).step_by(used / 120)) {
        let mut bytes = intact.clone();
        bytes[at] ^= 1 << (at % 8);
        expect_refused_or_right(&bytes, &format!("byte {at}"));
    }
    for length in [1, 100, 4096, used / 2, used] {
        expect_refused_or_right(&intact[..length], &format!("cut after {length}"));
    }
    eprintln!("{refused} refused, {harmless} harmless");
    assert!(refused > 20, "{refused} refused, {harmless} harmless");
}

#[test]
fn one_process_works_at_a_time_and_others_can_read_its_status() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(6, 3), &()).unwrap();
    assert!(matches!(Checkpoint::open(&path), Err(CheckpointError::InUse)));
    assert!(matches!(status_of(&path), Err(CheckpointError::InUse)), "nothing published yet");

    struct Until(AtomicBool);
    impl Watch for Until {
        fn is_cancelled(&self) -> bool {
            self.0.load(Ordering::Relaxed)
        }
    }
    let until = Until(AtomicBool::new(false));
    let slow = ByFunction(slowly);
    let options = RunOptions { counter: &slow, ..RunOptions::default() };
    let seen = thread::scope(|scope| {
        let running = scope.spawn(|| checkpoint.run(&options, &until).unwrap());
        thread::sleep(Duration::from_millis(1600));
        let seen = status_of(&path).unwrap();
        until.0.store(true, Ordering::Relaxed);
        assert!(running.join().unwrap().done >= seen.done);
        seen
    });
    assert!(0 < seen.done && seen.done < seen.units, "{seen:?}");
    assert!(seen.nodes_per_second().unwrap() > 0.0 && seen.seconds_left().unwrap() > 0.0);
    let session = seen.session.as_ref().unwrap();
    assert_eq!((session.process, session.threads), (std::process::id(), 1));
    assert_eq!(seen.moves.iter().map(|mv| mv.nodes).sum::<u128>(), seen.nodes);
    assert_eq!(seen.moves.iter().map(|mv| mv.games).sum::<u128>(), 8902);
    // The counted units are a fair sample.
    let error = seen.projected().unwrap() / 119_060_324.0 - 1.0;
    assert!(error.abs() < 0.1, "{error}");
    drop(checkpoint);
    let status = status_of(&path).unwrap();
    assert_eq!(status.session, None);
    assert!(status.done >= seen.done && status.thread_seconds_left().unwrap() > 0.0);
    assert!(!Checkpoint::status_path(&path).exists());
}

/// A counter that is wrong in some of its calls.
fn wrong_counter(wrong: std::ops::Range<u64>) -> impl UnitCounter {
    let calls = AtomicU64::new(0);
    ByFunction(move |position: &Position, depth| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        reference_perft(position, depth) + u64::from(wrong.contains(&call))
    })
}

#[test]
fn a_second_count_finds_a_wrong_first_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let once = wrong_counter(100..101);
    let options = RunOptions { counter: &once, verify_share: 1.0, ..RunOptions::default() };
    let error = run(&path, &start(4, 2), &options).unwrap_err();
    let CheckpointError::Disputed { unit, first, second, .. } = error else { panic!("{error:?}") };
    assert_eq!(first, second + 1);
    let checkpoint = Checkpoint::open(&path).unwrap();
    assert_eq!(checkpoint.result(unit).unwrap(), None, "neither result is kept");
    let status = checkpoint.run(&options, &()).unwrap();
    assert_eq!(status.total(), Some(197_281));
    assert_eq!(status.verified, 400);
    assert_eq!(status.disputes.len(), 1);
    assert_eq!(checkpoint.status().unwrap().disputes, status.disputes);

    // A counter that is always wrong fails at every verification.
    let path = folder.path().join("always");
    let always = wrong_counter(0..u64::MAX);
    let options = RunOptions { counter: &always, verify_share: 0.1, ..RunOptions::default() };
    for _ in 0..3 {
        let error = run(&path, &start(4, 2), &options).unwrap_err();
        assert!(matches!(error, CheckpointError::Disputed { .. }), "{error:?}");
    }
}

/// The share includes units that were counted in an earlier session.
#[test]
fn the_given_share_of_units_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let verified = |share: f64| {
        let options = RunOptions { verify_share: share, ..RunOptions::default() };
        run(&path, &start(5, 3), &options).unwrap().verified
    };
    assert_eq!(verified(0.0), 0);
    let some = verified(0.01);
    assert!((30..80).contains(&some), "{some} of 5362");
    assert_eq!(verified(0.01), some);
    assert_eq!(verified(1.0), 5362);
}

/// Any process can count units.
#[test]
fn results_from_elsewhere_can_be_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let calls = Cell::new(0);
    let result = |unit: u64| {
        calls.set(calls.get() + 1);
        let unit = checkpoint.unit(unit).unwrap();
        // Another process would know the FEN only.
        let position = Position::from_fen(&unit.position.fen().to_string()).unwrap();
        UnitResult {
            nodes: reference_perft(&position, unit.depth),
            micros: 7,
            counter: "elsewhere".into(),
            categories: None,
        }
    };
    let batch: Vec<_> = (0..300).map(|unit| (unit, result(unit))).collect();
    checkpoint.record_results(&batch).unwrap();
    checkpoint.record_results(&batch[..10]).unwrap();
    assert_eq!(checkpoint.status().unwrap().done, 300);
    assert_eq!(checkpoint.result(299).unwrap().unwrap().counter, "elsewhere");
    assert!(matches!(checkpoint.unit(400), Err(CheckpointError::NoUnit(400))));
    let stray = [(400, batch[0].1.clone())];
    assert!(matches!(checkpoint.record_results(&stray), Err(CheckpointError::NoUnit(400))));
    let wrong = [(0, UnitResult { nodes: 1, ..batch[0].1.clone() })];
    assert!(matches!(
        checkpoint.record_results(&wrong),
        Err(CheckpointError::Disputed { unit: 0, .. })
    ));
    let options = RunOptions { counter: &ReferenceCounter, ..RunOptions::default() };
    assert_eq!(checkpoint.run(&options, &()).unwrap().total(), Some(197_281));
    assert_eq!(calls.get(), 300);
}

/// Cancels the work after a number of questions.
struct CancelAfter(AtomicU64);

impl CancelAfter {
    fn questions(number: u64) -> Self {
        Self(AtomicU64::new(number))
    }
}

impl Watch for CancelAfter {
    fn is_cancelled(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
            .is_err()
    }
}

/// At every moment of planning, creating and opening.
#[test]
fn a_cancelled_creation_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let job = start(5, 3);
    let mut cancelled = 0;
    for questions in 0.. {
        let watch = CancelAfter::questions(questions);
        match Checkpoint::open_or_create(&path, &job, &watch) {
            Ok(checkpoint) => {
                assert_eq!(checkpoint.status().unwrap().done, 0);
                break;
            }
            Err(CheckpointError::Cancelled) => cancelled += 1,
            Err(error) => panic!("{error:?}"),
        }
        // What is complete may stay: then only opening it was cancelled.
        if !path.exists() {
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "after {questions}");
        }
    }
    assert!(cancelled > 8, "{cancelled}");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path()).collect();
    assert_eq!(names, [path]);
}

#[test]
fn a_failed_creation_says_that_nothing_was_written_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("missing").join("run");
    let error = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Create(_)), "{error:?}");
    let kings = Position::from_fen("k7/8/8/8/8/8/8/7K w - - 0 1").unwrap();
    let too_many = Job::new(kings, 60).unwrap().with_split(40).unwrap();
    let error = Checkpoint::open_or_create(&folder.path().join("run"), &too_many, &()).unwrap_err();
    assert!(matches!(error, CheckpointError::Multiplicity), "{error:?}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// Creates a checkpoint in another process, whose files may have no bytes.
#[cfg(unix)]
#[test]
fn a_disk_without_any_room_is_reported_with_no_word_of_safe_results() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    let plain = worker_command(&path, 1);
    let mut limited = Command::new("sh");
    limited
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$0\" \"$@\""])
        .arg(plain.get_program())
        .args(plain.get_args())
        .envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let (_, text) = counted(limited.spawn().unwrap());
    assert!(text.contains("error there is no room for a new checkpoint"), "{text}");
    assert!(text.contains("; nothing was written") && !text.contains("safe"), "{text}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

/// A panic of a counter is the program's own and says nothing about the file.
#[test]
fn the_panic_of_a_counter_reaches_the_caller_and_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let calls = AtomicU64::new(0);
    let panicking = ByFunction(|position: &Position, depth| {
        let call = calls.fetch_add(1, Ordering::Relaxed);
        // Without the message of the test's panic hook.
        if call == 20 {
            std::panic::resume_unwind(Box::new("the counter is broken"));
        }
        reference_perft(position, depth)
    });
    let options = RunOptions { threads: threads(3), counter: &panicking, ..RunOptions::default() };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&path, &start(4, 2), &options)
    }));
    let payload = outcome.expect_err("the counter panicked");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the counter is broken"));
    let calls = calls.into_inner();
    assert!(calls < 40, "{calls} of 400 units were counted");
    // The results before are there, and the run can continue.
    let checkpoint = Checkpoint::open(&path).unwrap();
    assert!(checkpoint.status().unwrap().done >= 18);
    let status = checkpoint.run(&RunOptions::default(), &()).unwrap();
    assert_eq!(status.total(), Some(197_281));
}

/// A panic in a function that the run calls is no error of the file either.
#[test]
fn the_panic_of_a_report_reaches_the_caller() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let report = |status: &Status| {
        if status.done > 0 {
            std::panic::resume_unwind(Box::new("the report is broken"));
        }
    };
    let options = RunOptions { report: Some(&report), ..RunOptions::default() };
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        run(&path, &start(4, 2), &options)
    }));
    let payload = outcome.expect_err("the report panicked");
    assert_eq!(payload.downcast_ref::<&str>(), Some(&"the report is broken"));
}

#[test]
fn a_damaged_file_is_an_error_that_prints_nothing_if_the_hook_asks() {
    use std::panic;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    drop(Checkpoint::open_or_create(&path, &start(3, 2), &()).unwrap());
    let intact = fs::read(&path).unwrap();
    static CAUGHT: AtomicU64 = AtomicU64::new(0);
    static UNEXPECTED: AtomicU64 = AtomicU64::new(0);
    let standard = panic::take_hook();
    let mine = thread::current().id();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() != mine {
            standard(info);
        } else if tabiya_perft::checkpoint::panic_is_caught() {
            CAUGHT.fetch_add(1, Ordering::Relaxed);
        } else {
            UNEXPECTED.fetch_add(1, Ordering::Relaxed);
        }
    }));
    let mut refused = 0;
    // Places that are in use, in the header and in every page.
    let header = (12..320).step_by(14);
    let pages = (4096..intact.len()).step_by(4096 / 2);
    let in_use = |&at: &usize| intact[at..at + 64].iter().any(|&byte| byte != 0);
    for at in header.chain(pages.filter(in_use)) {
        let mut bytes = intact.clone();
        bytes[at..at + 64].fill(0xa5);
        fs::write(&path, bytes).unwrap();
        match Checkpoint::open(&path) {
            Ok(checkpoint) => assert_eq!(checkpoint.units(), 400),
            Err(CheckpointError::Damaged(_) | CheckpointError::Format { .. }) => refused += 1,
            Err(error) => panic!("byte {at}: {error:?}"),
        }
    }
    let _ = panic::take_hook();
    eprintln!("{refused} refused, {} of them by panics", CAUGHT.load(Ordering::Relaxed));
    assert!(refused > 20, "{refused}");
    assert_eq!(UNEXPECTED.load(Ordering::Relaxed), 0);
}

/// A file of version 0.1.0, which was killed when 12 of 20 units were done and 4 verified.
#[test]
fn a_checkpoint_of_the_first_release_is_opened_and_finished() {
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/start-6.checkpoint-1.zst");
    let mut bytes = Vec::new();
    let fixture = fs::File::open(fixture).expect("the fixture is part of the crate");
    ruzstd::decoding::StreamingDecoder::new(fixture).unwrap().read_to_end(&mut bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start-6");
    fs::write(&path, bytes).unwrap();
    let checkpoint = Checkpoint::open_or_create(&path, &start(6, 1), &()).unwrap();
    let status = checkpoint.status().unwrap();
    assert_eq!((status.done, status.units, status.verified), (12, 20, 4));
    assert_eq!(status.nodes, 70_568_499);
    let engine = Engine::new(Options::default());
    let options = RunOptions { counter: &engine, ..RunOptions::default() };
    let status = checkpoint.run(&options, &()).unwrap();
    assert_eq!(status.total(), Some(119_060_324));
}

/// Progress and status agree: leaf nodes of this session, with multiplicities, by its time.
#[test]
fn the_rate_is_that_of_the_session() {
    struct Progresses(Mutex<Vec<tabiya_perft::Progress>>);
    impl Watch for Progresses {
        fn wants_progress(&self) -> bool {
            true
        }
        fn progress(&self, progress: tabiya_perft::Progress) {
            self.0.lock().unwrap().push(progress);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let job = start(5, 3);
    let checkpoint = Checkpoint::open_or_create(&path, &job, &()).unwrap();
    // The first session counts a part.
    let first: Vec<_> = (0..3000)
        .map(|number| {
            let unit = checkpoint.unit(number).unwrap();
            let nodes = reference_perft(&unit.position, unit.depth);
            (
                number,
                UnitResult { nodes, micros: 1000, counter: "first".to_owned(), categories: None },
            )
        })
        .collect();
    checkpoint.record_results(&first).unwrap();
    let before = checkpoint.status().unwrap();
    assert_eq!((before.done, before.nodes_per_second()), (3000, None));
    assert!((before.thread_seconds - 3.0).abs() < 1e-9);
    let average = before.nodes_per_thread_second().unwrap();
    assert!((average - before.nodes as f64 / 3.0).abs() < 1e-6 * average);

    let seen = Mutex::new(Vec::new());
    let report = |status: &Status| seen.lock().unwrap().push(status.clone());
    let watch = Progresses(Mutex::new(Vec::new()));
    let options = RunOptions { report: Some(&report), ..RunOptions::default() };
    let end = checkpoint.run(&options, &watch).unwrap();
    assert_eq!(end.nodes, 4_865_609);
    let seen = seen.into_inner().unwrap();
    assert!(seen.len() > 1000, "{}", seen.len());
    for status in &seen {
        let session = status.session.as_ref().unwrap();
        assert_eq!(session.nodes, status.nodes - before.nodes);
        assert_eq!(session.visited, status.visited - before.visited);
        assert_eq!(session.units, status.done - before.done);
        if session.seconds > 0.0 {
            let rate = session.nodes as f64 / session.seconds;
            assert_eq!(status.nodes_per_second(), Some(rate));
        }
    }
    let last = seen.last().unwrap().session.clone().unwrap();
    assert_eq!(last.nodes, end.nodes - before.nodes);
    assert!(last.visited < last.nodes, "transpositions are counted once");
    let progress = *watch.0.lock().unwrap().last().unwrap();
    assert_eq!((progress.nodes, progress.share), (last.nodes, 1.0));
}

/// The result of a task, as a worker elsewhere finds it.
fn result_of(checkpoint: &Checkpoint, task: &Task, counter: &str) -> UnitResult {
    let unit = checkpoint.unit(task.unit()).unwrap();
    let nodes = reference_perft(&unit.position, unit.depth);
    UnitResult { nodes, micros: 5, counter: counter.to_owned(), categories: None }
}

/// The tasks that are open now.
fn open_tasks(ledger: &mut Ledger<&Checkpoint>) -> Vec<Task> {
    std::iter::from_fn(|| ledger.next_task()).collect()
}

#[test]
fn a_ledger_hands_out_each_unit_once_and_its_verification_when_it_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint =
        Checkpoint::open_or_create(&folder.path().join("run"), &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 3 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    assert_eq!(ledger.status().session.as_ref().unwrap().threads, 3);
    let tasks = open_tasks(&mut ledger);
    let expected: Vec<Task> = (0..400).map(|unit| Task::Count { unit }).collect();
    assert_eq!(tasks, expected);
    let result = result_of(&checkpoint, &tasks[7], "one");
    ledger.record(vec![(tasks[7].clone(), result.clone())]).unwrap();
    let verify = Task::Verify { unit: 7, first: result.clone() };
    assert_eq!(open_tasks(&mut ledger), std::slice::from_ref(&verify));
    // The worker of unit 3 was lost, and that of unit 7 too late.
    ledger.put_back(tasks[7].clone());
    ledger.put_back(tasks[3].clone());
    ledger.put_back(Task::Count { unit: 400 });
    assert_eq!(ledger.next_task().as_ref(), Some(&tasks[3]));
    assert_eq!(ledger.next_task(), None);
    // A task that was put back is not handed out if its result comes after all.
    ledger.put_back(tasks[4].clone());
    ledger.put_back(verify.clone());
    let late = result_of(&checkpoint, &tasks[4], "late");
    ledger.record(vec![(tasks[4].clone(), late.clone()), (verify, result)]).unwrap();
    assert_eq!(open_tasks(&mut ledger), [Task::Verify { unit: 4, first: late }]);
    assert_eq!((ledger.status().done, ledger.status().verified), (2, 1));
    // What nobody did is open in the next session.
    let status = ledger.finish();
    assert_eq!((status.session, status.done), (None, 2));
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let again = open_tasks(&mut ledger);
    assert_eq!(again.len(), 399);
    assert!(matches!(again[4], Task::Verify { unit: 4, .. }), "{:?}", again[4]);
    assert_eq!(
        again.iter().map(Task::unit).collect::<Vec<_>>(),
        [(0..7).collect::<Vec<_>>(), (8..400).collect()].concat()
    );
}

#[test]
fn late_and_double_results_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let task = ledger.next_task().unwrap();
    let result = |counter: &str| result_of(&checkpoint, &Task::Count { unit: 0 }, counter);
    // A verification without a first result.
    let early = Task::Verify { unit: 0, first: result("early") };
    ledger.record(vec![(early, result("early"))]).unwrap();
    assert_eq!(ledger.status().done, 0);
    ledger.record(vec![(task.clone(), result("a")), (task.clone(), result("b"))]).unwrap();
    ledger.record(vec![(task.clone(), result("c"))]).unwrap();
    ledger.record(Vec::new()).unwrap();
    let verify = ledger.next_task().unwrap();
    let Task::Verify { first, .. } = &verify else { panic!("{verify:?}") };
    assert_eq!(first.counter, "a");
    ledger.record(vec![(verify.clone(), result("d")), (verify.clone(), result("e"))]).unwrap();
    // Nobody counts this unit a third time, so it would not matter what came out.
    ledger.record(vec![(verify, UnitResult { nodes: 1, ..result("f") })]).unwrap();
    let status = ledger.status().clone();
    assert_eq!((status.done, status.verified), (1, 1));
    assert_eq!(status.nodes, result("a").nodes.into());
    assert_eq!(status.session.unwrap().units, 1);
    let stray = Task::Count { unit: 400 };
    let batch = vec![(Task::Count { unit: 1 }, result("g")), (stray, result("g"))];
    let error = ledger.record(batch).unwrap_err();
    assert!(matches!(error, CheckpointError::NoUnit(400)), "{error:?}");
    drop(ledger);
    // The file agrees with the ledger.
    drop(checkpoint);
    let found = Checkpoint::open(&path).unwrap();
    assert_eq!(found.result(0).unwrap().unwrap().counter, "a");
    assert_eq!(found.result(1).unwrap(), None);
    let found = found.status().unwrap();
    assert_eq!((found.done, found.verified, found.nodes), (1, 1, status.nodes));
}

#[test]
fn results_that_differ_are_all_kept_as_evidence_and_counted_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let options = LedgerOptions { verify_share: 1.0, workers: 1 };
    let mut ledger = Ledger::new(&checkpoint, &options).unwrap();
    let counts: Vec<Task> = open_tasks(&mut ledger);
    let batch = counts[..4].iter().map(|task| {
        let mut result = result_of(&checkpoint, task, "first");
        result.nodes += u64::from(task.unit() < 2);
        (task.clone(), result)
    });
    ledger.record(batch.collect()).unwrap();
    let verifications = open_tasks(&mut ledger);
    assert_eq!(verifications.len(), 4);
    let fifth = (counts[4].clone(), result_of(&checkpoint, &counts[4], "first"));
    let batch =
        verifications.iter().map(|task| (task.clone(), result_of(&checkpoint, task, "second")));
    let error = ledger.record(batch.chain([fifth]).collect()).unwrap_err();
    let CheckpointError::Disputed { unit, first, second, .. } = error else { panic!("{error:?}") };
    assert!(unit < 2 && first == second + 1, "unit {unit}: {first} {second}");
    let status = ledger.status().clone();
    assert_eq!((status.done, status.verified, status.disputes.len()), (3, 2, 2));
    for text in &status.disputes {
        assert!(text.contains(" by first, ") && text.ends_with(" by second"), "{text}");
    }
    // The units are open again, also for a coordinator that goes on.
    let open = open_tasks(&mut ledger);
    for unit in [0, 1] {
        assert!(open.contains(&Task::Count { unit }), "{open:?}");
        // A late verification of the removed result says nothing.
        let late = verifications.iter().find(|task| task.unit() == unit).unwrap();
        ledger.record(vec![(late.clone(), result_of(&checkpoint, late, "late"))]).unwrap();
    }
    let (now, nodes) = (ledger.status(), status.nodes);
    assert_eq!((now.done, now.verified, now.nodes), (3, 2, nodes));
    assert_eq!((&now.moves, &now.disputes), (&status.moves, &status.disputes));
    drop(ledger);
    drop(checkpoint);
    let found = Checkpoint::open(&path).unwrap();
    let status = found.status().unwrap();
    assert_eq!((status.done, status.verified, status.nodes), (3, 2, nodes));
    assert_eq!(status.disputes.len(), 2);
    let options = RunOptions { verify_share: 1.0, ..RunOptions::default() };
    let status = found.run(&options, &()).unwrap();
    assert_eq!((status.total(), status.verified), (Some(197_281), 400));
}

/// Workers of a cluster that are lost, late, or wrong once.
#[test]
fn a_ledger_of_unreliable_workers_ends_with_the_right_count() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Arc::new(Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap());
    let options = LedgerOptions { verify_share: 0.5, workers: 8 };
    let mut ledger = Ledger::new(Arc::clone(&checkpoint), &options).unwrap();
    // A generator of numbers that look random.
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let (mut late, mut disputes, mut recorded) = (Vec::new(), 0, 0);
    loop {
        let batch: Vec<Task> = std::iter::from_fn(|| ledger.next_task()).take(7).collect();
        if batch.is_empty() {
            break;
        }
        let mut results = Vec::new();
        for task in batch {
            let mut result = result_of(&checkpoint, &task, "worker");
            match random(10) {
                0 => ledger.put_back(task),
                1 => {
                    ledger.put_back(task.clone());
                    late.push((task, result));
                }
                2 if matches!(task, Task::Verify { .. }) => {
                    result.nodes ^= 1;
                    results.push((task, result));
                }
                3 => results.extend([(task.clone(), result.clone()), (task, result)]),
                _ => results.push((task, result)),
            }
        }
        if random(3) == 0 {
            results.append(&mut late);
        }
        recorded += results.len();
        match ledger.record(results) {
            Ok(()) => {}
            Err(CheckpointError::Disputed { first, second, .. }) => {
                assert_eq!(first ^ 1, second);
                disputes += 1;
            }
            Err(error) => panic!("{error:?}"),
        }
    }
    let status = ledger.finish();
    assert!(disputes > 5 && recorded > 700, "{disputes} of {recorded}");
    assert!(status.disputes.len() >= disputes);
    assert_eq!(status.total(), Some(197_281));
    assert!((170..230).contains(&status.verified), "{}", status.verified);
    let found = checkpoint.status().unwrap();
    assert_eq!((found.nodes, found.verified), (status.nodes, status.verified));
    assert_eq!((found.moves, found.disputes), (status.moves, status.disputes));
}

#[test]
fn a_ledger_publishes_its_status_and_a_run_continues_its_job() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let checkpoint = Checkpoint::open_or_create(&path, &start(4, 2), &()).unwrap();
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    let tasks = open_tasks(&mut ledger);
    let results =
        tasks[..250].iter().map(|task| (task.clone(), result_of(&checkpoint, task, "elsewhere")));
    ledger.record(results.collect()).unwrap();
    ledger.set_workers(5);
    ledger.publish().unwrap();
    let seen = status_of(&path).unwrap();
    assert_eq!(&seen, ledger.status());
    assert_eq!((seen.done, seen.session.unwrap().threads), (250, 5));
    // It is also removed if the ledger is dropped.
    assert!(Checkpoint::status_path(&path).exists());
    drop(ledger);
    assert!(!Checkpoint::status_path(&path).exists());
    let calls = AtomicU64::new(0);
    let counter = ByFunction(|position: &Position, depth| {
        calls.fetch_add(1, Ordering::Relaxed);
        reference_perft(position, depth)
    });
    let options = RunOptions { counter: &counter, threads: threads(3), ..RunOptions::default() };
    assert_eq!(checkpoint.run(&options, &()).unwrap().total(), Some(197_281));
    assert_eq!(calls.into_inner(), 150);
    // And the other way round: nothing is left for a ledger.
    let mut ledger = Ledger::new(&checkpoint, &LedgerOptions::default()).unwrap();
    assert_eq!(ledger.next_task(), None);
    assert_eq!(ledger.finish().total(), Some(197_281));
}
