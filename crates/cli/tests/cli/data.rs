//! `tabiya data`: what it does with whole files, compared with slow plain ways.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use tabiya::{Position, SplitMix64};
use tabiya_data::{GameResult, Record, Writer};

use crate::program::{Run, directory, fine, json, mistaken, run};

const HEADER: &str = "fen,move,score,result,ply\n";

/// Random games that often begin alike, as lines of CSV: more than two blocks of a file.
static LINES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut random = SplitMix64::new(65);
    let mut writer = Writer::new(Vec::new(), "csv".parse().unwrap()).unwrap();
    for _ in 0..500 {
        let mut position = Position::START;
        let results = [GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];
        let result = results.get(random.below(4)).copied();
        for ply in 0..70 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // The first moves are few, so positions repeat.
            let end = if ply < 6 { 3 } else { moves.len() };
            let mv = moves[random.below(end.min(moves.len()))];
            let score = random.below(400) as i16 - 200;
            let record = Record { position, mv: Some(mv), score: Some(score), result, ply };
            writer.write(&record).unwrap();
            position = record.position.play(mv);
        }
    }
    let text = String::from_utf8(writer.finish().unwrap()).unwrap();
    text.strip_prefix(HEADER).unwrap().lines().map(str::to_owned).collect()
});

fn text_of<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    lines.into_iter().fold(HEADER.to_owned(), |text, line| text + line + "\n")
}

/// A folder with all lines in `all.csv`.
fn folder(name: &str) -> PathBuf {
    let folder = directory(name);
    fs::write(folder.join("all.csv"), text_of(LINES.iter())).unwrap();
    folder
}

/// Runs `tabiya data` with these words, in which `@` is the folder. A filter comes last.
fn data(folder: &Path, words: &str) -> Run {
    let at = format!("{}/", folder.display());
    let (words, filter) = match words.split_once(" --filter ") {
        Some((words, filter)) => (words, Some(format!("--filter={filter}"))),
        None => (words, None),
    };
    let words: Vec<String> =
        words.split(' ').map(|word| word.replace('@', &at)).chain(filter).collect();
    let words = std::iter::once("data").chain(words.iter().map(String::as_str));
    run(&words.collect::<Vec<_>>())
}

/// The lines of CSV that a call prints, which must succeed without a word on stderr.
fn lines(folder: &Path, words: &str) -> Vec<String> {
    let end = data(folder, words);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{words}");
    end.out.strip_prefix(HEADER).unwrap().lines().map(str::to_owned).collect()
}

fn field(line: &str, number: usize) -> &str {
    line.split(',').nth(number).unwrap()
}

fn position(line: &str) -> Position {
    Position::from_fen(field(line, 0)).unwrap()
}

#[test]
fn conversions_there_and_back_change_nothing() {
    let folder = folder("data-convert");
    assert!(text_of(LINES.iter()).len() > 2 << 20, "several blocks");
    let count = format!("{:?} of", LINES.len());
    for threads in [1, 7] {
        let end = data(&folder, &format!("convert @all.csv @there.packed --threads {threads}"));
        assert_eq!(end.code, Some(0), "{end:?}");
        assert!(end.out.replace(',', "").starts_with(&count), "{end:?}");
        assert_eq!(lines(&folder, "convert @there.packed - --to csv"), *LINES);
    }
    // This format has no records without a result.
    let decided: Vec<String> =
        LINES.iter().filter(|line| !field(line, 3).is_empty()).cloned().collect();
    let end = data(&folder, "convert @all.csv @there.plain --threads 2 --filter has_result");
    assert_eq!(end.code, Some(0), "{end:?}");
    assert_eq!(lines(&folder, "convert @there.plain - --to csv"), decided);
    // Several inputs, some packed with gzip, one after another.
    let packed = std::process::Command::new("gzip").arg("-k").arg(folder.join("all.csv")).status();
    if packed.is_ok_and(|status| status.success()) {
        let found = lines(&folder, "convert @all.csv.gz @there.packed - --to csv");
        assert_eq!(found, [&LINES[..], &LINES[..]].concat());
    }
}

#[test]
fn filters_unique_positions_and_limits_are_those_of_a_plain_loop() {
    let folder = folder("data-select");
    let mut seen = HashSet::new();
    let unique: Vec<String> =
        LINES.iter().filter(|line| seen.insert(position(line))).cloned().collect();
    assert!(unique.len() + 1000 < LINES.len());
    let quiet = |line: &&String| {
        let (position, mv) = (position(line), field(line, 1));
        let captures = position.captured_by(position.parse_uci(mv).unwrap()).is_some();
        !position.is_check() && !captures && field(line, 2).parse::<i16>().unwrap().abs() <= 50
    };
    for threads in [1, 3] {
        let convert = format!("convert @all.csv - --to csv --threads {threads}");
        assert_eq!(lines(&folder, &format!("{convert} --unique")), unique);
        let call = format!("{convert} --filter not check and not capture and abs(score) <= 50");
        let expected: Vec<String> = LINES.iter().filter(quiet).cloned().collect();
        assert_eq!(lines(&folder, &call), expected);
        for limit in [0, 1, 15_000, 1_000_000] {
            let found = lines(&folder, &format!("{convert} --unique --limit {limit}"));
            assert_eq!(found, unique[..limit.min(unique.len())]);
        }
    }
}

#[test]
fn samples_depend_on_the_seed_and_not_on_the_threads() {
    let folder = folder("data-sample");
    let sample =
        |rest: &str| lines(&folder, &format!("convert @all.csv - --to csv --sample {rest}"));
    let tenth = sample("1/10 --threads 1");
    assert_eq!(tenth, sample("10% --threads 4"));
    assert_ne!(tenth, sample("0.1 --seed 2"));
    let share = tenth.len() as f64 / LINES.len() as f64;
    assert!((0.09..0.11).contains(&share), "{share}");
    let mut all = LINES.iter();
    assert!(tenth.iter().all(|line| all.any(|other| other == line)), "in the order of the file");
    assert_eq!((sample("1"), sample("0")), (LINES.clone(), Vec::new()));
}

#[test]
fn shuffled_records_are_the_same_records() {
    let folder = folder("data-shuffle");
    let shuffled = lines(&folder, "shuffle @all.csv - --to csv --threads 1 --seed 4");
    assert_eq!(
        lines(&folder, "shuffle @all.csv - --to csv --threads 5 --memory 64M --seed 4"),
        shuffled
    );
    assert_ne!(lines(&folder, "shuffle @all.csv - --to csv"), shuffled);
    let sorted = |lines: &[String]| {
        let mut lines = lines.to_vec();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&shuffled), sorted(&LINES));
    let at = |lines: &[String]| lines.iter().take(1000).filter(|it| field(it, 4) == "0").count();
    assert!(at(&shuffled) < 50, "few of the first are beginnings of games");
}

#[test]
fn interleaved_files_keep_their_orders_and_their_games() {
    let folder = folder("data-interleave");
    let small = &LINES[..LINES.len() / 4];
    // The plies tell the files apart.
    let shift = |line: &String| {
        let (rest, ply) = line.rsplit_once(',').unwrap();
        format!("{rest},{}", ply.parse::<u16>().unwrap() + 1000)
    };
    let large: Vec<String> = LINES.iter().map(shift).collect();
    fs::write(folder.join("large.csv"), text_of(&large)).unwrap();
    fs::write(folder.join("small.csv"), text_of(small)).unwrap();
    let mixed = lines(&folder, "interleave @large.csv @small.csv - --to csv --seed 1");
    assert_eq!(
        lines(&folder, "interleave @large.csv @small.csv - --to csv --seed 1 --threads 3"),
        mixed
    );
    let is_large = |line: &&String| field(line, 4).parse::<u16>().unwrap() >= 1000;
    assert!(mixed.iter().filter(is_large).eq(&large));
    assert!(mixed.iter().filter(|it| !is_large(it)).eq(small));
    // Games stay together, but where a block of the file ends.
    let changes = mixed.windows(2).filter(|it| is_large(&&it[0]) != is_large(&&it[1]));
    let games = small.iter().filter(|it| field(it, 4) == "0").count();
    let changes = changes.count();
    assert!((games / 2..2 * games + 10).contains(&changes), "{changes} for {games} games");
    // The small file is spread over all.
    let halves = mixed.len() / 2;
    let first = mixed[..halves].iter().filter(|it| !is_large(it)).count() as f64;
    let share = first / small.len() as f64;
    assert!((0.3..0.7).contains(&share), "{share}");
    let end = data(&folder, "interleave - @small.csv @x.csv --from csv");
    assert!(end.code == Some(2) && end.err.contains("read twice"), "{end:?}");
}

/// Two bad values and two records that can't be used, among good ones.
fn damaged(name: &str) -> PathBuf {
    let folder = directory(name);
    let mut bad: Vec<String> = LINES[..40].to_vec();
    let change = |line: &mut String, number: usize, to: &str| {
        let mut fields: Vec<&str> = line.split(',').collect();
        fields[number] = to;
        *line = fields.join(",");
    };
    change(&mut bad[3], 2, "99999");
    change(&mut bad[5], 3, "2-0");
    change(&mut bad[8], 1, "a1a1");
    change(&mut bad[9], 0, "8/8/8/8/8/8/8/8 w - - 0 1");
    fs::write(folder.join("bad.csv"), text_of(&bad)).unwrap();
    folder
}

#[test]
fn bad_records_are_named_counted_and_kept_or_left_out() {
    let folder = damaged("data-errors");
    let count = |how: &str| {
        let end = data(&folder, &format!("convert @bad.csv - --to csv --errors {how}"));
        assert_eq!(end.code, Some(1), "{end:?}");
        (end.out.lines().count() - 1, end.err)
    };
    let (kept, err) = count("keep");
    assert_eq!(kept, 38);
    assert!(err.contains("bad.csv: offset "), "{err}");
    assert!(err.contains("the score 99999 is out of range\n"), "{err}");
    assert!(
        err.contains("\n4 bad records, 2 kept without their bad values, 2 left out: move 1, "),
        "{err}"
    );
    let (taken, err) = count("skip");
    assert_eq!(taken, 36);
    assert!(
        err.contains("\n4 bad records, left out: move 1, position 1, score 1, value 1\n"),
        "{err}"
    );
    let line = LINES[..3].iter().map(|line| line.len() + 1).sum::<usize>() + HEADER.len();
    assert!(err.contains(&format!("bad.csv: offset {line}: the score")), "{err}");
    fs::write(folder.join("old.csv"), "old").unwrap();
    let end = data(&folder, "convert @bad.csv @old.csv --errors stop");
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(end.err.ends_with("stopped at the first bad record: no file was written\n"), "{end:?}");
    assert_eq!(fs::read_to_string(folder.join("old.csv")).unwrap(), "old");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 2);
    // A stream has the records before the bad one.
    let (before, err) = count("stop");
    assert_eq!(before, 3);
    assert!(err.ends_with("bad record: only what came before is written\n"), "{err}");
}

#[test]
fn what_was_read_before_a_stop_is_counted() {
    let folder = damaged("data-stop");
    let object = |words: &str| -> Value {
        let end = data(&folder, words);
        assert_eq!(end.code, Some(1), "{end:?}");
        serde_json::from_str(&end.out).unwrap()
    };
    let stopped = object("statistics @bad.csv --json --errors stop");
    assert_eq!((&stopped["records"], &stopped["bad"]), (&"3".into(), &"1".into()));
    assert_eq!(stopped["complete"], false);
    let kept = object("statistics @bad.csv --json --errors keep");
    assert_eq!((&kept["records"], &kept["bad"]), (&"38".into(), &"4".into()));
    assert_eq!(kept["complete"], true);
    let end = data(&folder, "statistics @bad.csv --errors stop");
    assert!(end.out.starts_with("records    3\nscored     3, 100.0 %\n"), "{end:?}");
    let line = "stopped at the first bad record: only what was read by then is counted\n";
    assert!(end.err.ends_with(line) && end.err.contains("the score 99999"), "{end:?}");
    // The same rule where a file can't be read on: a table of what was, and the reason.
    for command in ["check", "statistics"] {
        let end = data(&folder, &format!("{command} @bad.csv @missing.csv"));
        assert_eq!(end.code, Some(2), "{end:?}");
        assert!(end.out.contains("36"), "{end:?}");
        assert!(end.err.contains("missing.csv: No such file"), "{end:?}");
    }
}

#[test]
fn a_check_prints_a_table_and_fails_if_anything_is_bad() {
    let folder = damaged("data-check");
    let end = data(&folder, "check @bad.csv");
    assert_eq!(end.code, Some(1), "{end:?}");
    let rows: Vec<Vec<&str>> =
        end.out.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..4], ["file", "format", "records", "chains"]);
    assert_eq!((rows[1][1], rows[1][2], rows[1].last()), ("csv", "36", Some(&"4")));
    assert_eq!(rows[3], ["kind", "bad", "first"]);
    assert!(end.out.contains("bad.csv: offset "), "{end:?}");
    let at = folder.join("bad.csv");
    let object: Value =
        serde_json::from_str(&run(&["data", "check", at.to_str().unwrap(), "--json"]).out).unwrap();
    let file = &object["files"][0];
    assert_eq!((&file["records"], &file["bad"].as_array().unwrap().len()), (&"36".into(), &4));
    assert_eq!(object["complete"], true);
    // The chains of whole files, over the ends of blocks.
    let folder = self::folder("data-check-fine");
    let at = folder.join("all.csv");
    let object = json(&["data", "check", at.to_str().unwrap(), "--json", "--threads", "3"]);
    let games = LINES.iter().filter(|line| field(line, 4) == "0").count();
    assert_eq!(object["files"][0]["chains"], games.to_string());
    let scores = LINES.iter().map(|line| field(line, 2).parse::<i64>().unwrap());
    assert_eq!(object["files"][0]["max_score"], scores.max().unwrap());
}

#[test]
fn statistics_are_those_of_a_plain_loop() {
    let folder = folder("data-statistics");
    let at = folder.join("all.csv");
    let at = at.to_str().unwrap();
    let object = json(&["data", "statistics", at, "--json", "--threads", "3"]);
    let count = |test: &dyn Fn(&String) -> bool| {
        Value::from(LINES.iter().filter(|it| test(it)).count().to_string())
    };
    assert_eq!(object["records"], count(&|_| true));
    assert_eq!(object["draws"], count(&|line| field(line, 3) == "1/2-1/2"));
    assert_eq!(object["check"], count(&|line| !position(line).checkers().is_empty()));
    let pieces = |line: &String| {
        field(line, 0).split(' ').next().unwrap().chars().filter(|it| it.is_alphabetic()).count()
            as i64
    };
    let within = |group: &Value, number: i64| {
        group["min"].as_i64().is_none_or(|min| min <= number)
            && group["max"].as_i64().is_none_or(|max| number <= max)
    };
    let wins: HashMap<_, _> = [("w", "1-0"), ("b", "0-1")].into();
    for (name, number) in [
        ("pieces", &pieces as &dyn Fn(&String) -> i64),
        ("scores", &|line| field(line, 2).parse().unwrap()),
        ("plies", &|line| field(line, 4).parse().unwrap()),
    ] {
        for group in object[name].as_array().unwrap() {
            assert_eq!(group["records"], count(&|line| within(group, number(line))), "{name}");
            let won =
                |line: &String| field(line, 3) == wins[field(line, 0).split(' ').nth(1).unwrap()];
            assert_eq!(
                group["wins"],
                count(&|line| within(group, number(line)) && won(line)),
                "{name}"
            );
        }
    }
    assert!(fine(&["data", "statistics", at]).starts_with("records    "));
}

#[test]
fn what_a_format_cannot_hold_is_said_and_counted() {
    let folder = folder("data-lost");
    let end = data(&folder, "convert @all.csv @all.bulletformat --limit 10");
    assert!(
        end.err.starts_with("bulletformat doesn't hold these, so they're lost: moves, plies, "),
        "{end:?}"
    );
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    fs::write(folder.join("few.csv"), format!("{HEADER}{start},,5,1-0,0\n{start},e2e4,5,1-0,0\n"))
        .unwrap();
    let end = data(&folder, "convert @few.csv @few.binpack");
    assert_eq!(end.code, Some(1), "{end:?}");
    assert!(
        end.err.ends_with("1 record without a move left out: binpack can't hold them\n"),
        "{end:?}"
    );
    assert!(end.out.starts_with("1 of 2 records written, "), "{end:?}");
    let end = data(&folder, "convert @few.csv @few.binpack --filter has_move");
    assert_eq!(end.code, Some(0), "{end:?}");
}

#[test]
fn mistakes_are_shown_with_their_place_and_a_cure() {
    let folder = folder("data-mistakes");
    let at = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let all = at("all.csv");
    assert_eq!(
        mistaken(&["data", "convert", &all, "-", "--to", "csv", "--filter", "score > 3 and chekc"])
            .split_once('\n')
            .unwrap()
            .1,
        "  --filter score > 3 and chekc\n                         ^^^^^\n"
    );
    let error = mistaken(&["data", "convert", &all, &at("x.foo")]);
    assert!(error.contains("x.foo doesn't tell the format\nhint: name it with --to: "), "{error}");
    assert!(error.contains("plain, text, csv, epd\n") && !error.contains("pgn"), "{error}");
    let error = mistaken(&["data", "convert", "-", &at("x.csv")]);
    assert!(error.contains("hint: name it with --from: "), "{error}");
    fs::create_dir(folder.join("sub")).unwrap();
    let error = mistaken(&["data", "convert", &all, &at("sub/../all.csv")]);
    assert!(error.contains("is the input and the output"), "{error}");
    assert!(mistaken(&["data", "convert", &all, &at("x.pgn")]).contains("pgn can only be read"));
    assert!(mistaken(&["data", "convert", &all, &at("x.csv.gz")]).contains("hint: only input"));
    let error = mistaken(&["data", "shuffle", &at("missing.csv"), &at("x.csv")]);
    assert!(error.contains("missing.csv: No such file"), "{error}");
    assert!(!folder.join("x.csv").exists());
}
