//! `tabiya pgn`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::program::{Run, command, directory, fine, json, missing, mistaken, run};

/// Three games: one correct, one with an error, and one with a wrong result.
const GAMES: &str = "\u{feff}[Event \"One\"]\r\n[White \"Kübler\"]\r\n[Result \"1/2-1/2\"]\r\n\r\n\
    1. e4! {[%clk 0:01:00] best} e5 (1... c5 2. Nf3 {x}) 2. Nf3 1/2-1/2\r\n\r\n\
    [Event \"Two\"]\n\n1. e4 e5 2. Ke3 *\n\n\
    [Event \"Three\"]\n[Result \"1-0\"]\n\n1. f3 e5 2. g4 Qh4# 1-0\n";

/// Writes a file with this text, and returns its path as an argument.
fn file(folder: &str, text: &str) -> String {
    let path = directory(folder).join("games.pgn");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

fn piped(arguments: &[&str], input: &[u8]) -> Run {
    let mut command = command();
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    Run::from(child.wait_with_output().unwrap())
}

#[test]
fn check_finds_errors_and_reads_the_rest() {
    let path = file("pgn-check", GAMES);
    let checked = run(&["pgn", "--check", &path]);
    assert_eq!(checked.code, Some(1), "{checked:?}");
    let expected = format!(
        "error: {path}:9:13: game 2: ply 3 (2. Ke3): Ke3 is not legal: a king on e1 cannot reach e3\n\
         remark: {path}:14:21: game 3: the result is 1-0, but the last position is checkmate: 0-1\n",
    );
    assert_eq!(checked.err, expected);
    let rows: Vec<String> = checked
        .out
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(rows[0], "file games broken errors remarks");
    assert_eq!(rows[1], format!("{path} 3 1 1 1"));
    assert_eq!(rows[3..6], ["kind number", "error: move 1", "remark: wrong result 1"]);

    let good = file("pgn-good", "1. e4 (1. d4 d5 (1... Nf6)) e5 1/2-1/2\n");
    assert!(fine(&["pgn", "--check", &good]).lines().count() >= 2);
    // Only --check looks into variations.
    let variation = file("pgn-variation", "1. e4 (1. Ke2) e5 *\n");
    assert_eq!(run(&["pgn", "--check", &variation]).code, Some(1));
    assert_eq!(fine(&["pgn", &variation, "--to", "uci"]), "e2e4 e7e5\n");
}

/// Without a file that can be read, there is no result, and so no table of zeros.
#[test]
fn only_files_that_are_read_have_results() {
    let missing = directory("pgn-missing").join("games.pgn");
    let missing = missing.to_str().unwrap();
    let good = file("pgn-not-missing", "1. e4 e5 *\n");
    for how in [&[][..], &["--check"], &["--openings"], &["--to", "san"], &["--merge"]] {
        let none = run(&[&["pgn", missing], how].concat());
        assert_eq!((none.code, none.out.as_str()), (Some(2), ""), "{how:?}: {none:?}");
        assert!(none.err.starts_with(&format!("error: {missing}: ")), "{how:?}: {none:?}");
        assert_eq!(none.err.lines().count(), 1, "{how:?}: {none:?}");
        let one = run(&[&["pgn", missing, &good], how].concat());
        assert_eq!((one.code, &one.err), (Some(2), &none.err), "{how:?}: {one:?}");
        assert!(!one.out.is_empty() && !one.out.contains(missing), "{how:?}: {one:?}");
    }
    // A script gets the error in its object.
    let none = run(&["pgn", missing, "--json"]);
    let answer: Value = serde_json::from_str(&none.out).unwrap();
    assert_eq!((none.code, &answer["games"]), (Some(2), &"0".into()), "{answer}");
    assert!(answer["files"][0]["error"].is_string(), "{answer}");
}

#[test]
fn a_file_that_cannot_be_read_has_its_own_exit_code() {
    let path = file("pgn-unreadable", "1. e4 e5 *\n");
    let both = run(&["pgn", "--to", "san", "no-such-file.pgn", &path]);
    assert_eq!(both.code, Some(2), "{both:?}");
    assert_eq!(both.out, "e4 e5\n");
    assert!(both.err.starts_with("error: no-such-file.pgn: "), "{}", both.err);
    // The file is damaged in the middle.
    let damaged = directory("pgn-damaged").join("games.pgn.gz");
    std::fs::write(&damaged, b"\x1f\x8b\x08\0\0\0\0\0\0\xffnonsense").unwrap();
    assert_eq!(run(&["pgn", damaged.to_str().unwrap()]).code, Some(2));
    let utf_16 = directory("pgn-utf-16").join("games.pgn");
    std::fs::write(&utf_16, b"\xff\xfe[\0").unwrap();
    let wrong = run(&["pgn", "--check", utf_16.to_str().unwrap()]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("the file is written in UTF-16"), "{}", wrong.err);
    assert!(wrong.err.contains("iconv"), "{}", wrong.err);
    let wrong = run(&["pgn", "--json", utf_16.to_str().unwrap()]);
    let answer: Value = serde_json::from_str(&wrong.out).unwrap();
    // The error is about the file, not about a game.
    assert_eq!(answer["games"], "0");
    assert!(answer["files"][0]["error"].as_str().unwrap().contains("UTF-16"), "{answer}");
    assert_eq!(answer["files"][0]["errors"], serde_json::json!([]));
    let archive = directory("pgn-zip").join("games.pgn");
    std::fs::write(&archive, b"PK\x03\x04\x14\0").unwrap();
    let wrong = run(&["pgn", archive.to_str().unwrap()]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.contains("zip archive"), "{}", wrong.err);
}

/// Files that contain no games, or are unusual.
/// As in `tabiya pgn --to san games | head`, where an error came before the end of `head`.
#[test]
fn errors_are_not_forgotten_when_the_reader_goes_away() {
    let good = file("pgn-abandoned-good", "1. e4 e5 *\n");
    let broken = file("pgn-abandoned", "1. Ke3 *\n\n1. e4 e5 *\n");
    let missing = directory("pgn-abandoned-missing").join("games");
    let missing = missing.to_str().unwrap();
    let calls: [(&[&str], i32); 7] = [
        (&["--to", "san", &good], 0),
        (&["--to", "san", &broken], 1),
        (&["--merge", "--to", "tree", &broken], 1),
        (&["--to", "san", missing, &good], 2),
        (&["--to", "san", missing, &broken], 2),
        (&[missing, &good], 2),
        (&[&broken], 1),
    ];
    for (arguments, code) in calls {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let output = command().arg("pgn").args(arguments).stdout(writer).output().unwrap();
        let end = Run::from(output);
        assert_eq!(end.code, Some(code), "{arguments:?}: {end:?}");
        let has_error = arguments.iter().any(|it| [broken.as_str(), missing].contains(it));
        assert_eq!(end.err.contains("error: "), has_error, "{arguments:?}: {end:?}");
    }
}

#[test]
fn strange_files_are_read_as_far_as_they_can_be() {
    // A word is reported only once, even if it's long.
    let zeros = vec![0; 80_000_000];
    let wrong = piped(&["pgn", "--check", "-"], &zeros);
    assert_eq!(wrong.code, Some(1));
    assert_eq!(wrong.err, "error: -:1:1: game 1: a token is longer than 65536 bytes\n");
    // One line of 200,000 characters.
    let moves = "Nf3 Nc6 Ng1 Nb8 ".repeat(12_500);
    let read = piped(&["pgn", "--to", "uci", "-"], format!("1. e4 e5 {moves}*").as_bytes());
    assert_eq!((read.code, read.out.split_whitespace().count()), (Some(0), 50_002), "{}", read.err);
    // A carriage return alone is white space.
    let read =
        piped(&["pgn", "--to", "uci", "-"], b"\xef\xbb\xbf[White \"a\"]\r\r1. e4\re5\r\r*\r");
    assert_eq!((read.code, read.out.as_str()), (Some(0), "e2e4 e7e5\n"), "{}", read.err);
}

#[test]
fn a_marker_without_meaning_leaves_the_result_to_the_tag() {
    let path = file("pgn-marker", "[Result \"1-0\"]\n\n1. e4 *\n\n[Result \"1-0\"]\n\n1. e4 0-1\n");
    assert_eq!(fine(&["pgn", "--to", "san", "--result", "1-0", &path]), "e4\n");
    assert_eq!(fine(&["pgn", "--to", "san", "--result", "0-1", &path]), "e4\n");
    let checked = run(&["pgn", "--check", &path]);
    let remark = "game 2: the tag Result says 1-0, but the moves end with 0-1\n";
    assert!(checked.err.ends_with(remark) && checked.err.lines().count() == 1, "{checked:?}");
}

/// A truncated file gives its complete games, and an error about the truncation.
#[test]
fn a_packed_file_that_is_cut_short_is_read_up_to_there() {
    let games: String =
        (1..=2000).map(|game| format!("[Event \"{game}\"]\n\n1. e4 *\n\n")).collect();
    let path = directory("pgn-cut").join("games.pgn");
    std::fs::write(&path, games).unwrap();
    for (program, end) in [("gzip", ".gz"), ("bzip2", ".bz2"), ("zstd", ".zst")] {
        let Some(path) = packed(program, &path, end) else { continue };
        let bytes = std::fs::read(&path).unwrap();
        std::fs::write(&path, &bytes[..bytes.len() - 3]).unwrap();
        let path = path.to_str().unwrap();
        let cut = run(&["pgn", "--to", "san", path]);
        assert_eq!(cut.code, Some(2), "{program}");
        let expected =
            format!("error: {path}: the file is cut short: its {program} data has no end\n");
        assert_eq!(cut.err, expected);
        let games = cut.out.lines().count();
        assert!(games == 2000 || program == "bzip2", "{program}: {games}");
    }
}

#[test]
fn the_forms_for_scripts_are_fixed() {
    let text = "1. e4 e5 (1... c5) 2. Nf3 *\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n\n40... Kd7 *\n\n*\n";
    let path = file("pgn-forms", text);
    let to = |form: &str| fine(&["pgn", "--to", form, &path]);
    assert_eq!(
        to("fen"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
         rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\n\
         rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2\n\
         \n\
         4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\n\
         8/3k4/8/8/8/8/4P3/4K3 w - - 6 41\n\
         \n\
         rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
    );
    assert_eq!(to("uci"), "e2e4 e7e5 g1f3\ne8d7\n\n");
    assert_eq!(to("san"), "e4 e5 Nf3\nKd7\n\n");
    let epd = to("epd");
    assert!(epd.starts_with(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 1; sm e4;\n"
    ));
    assert_eq!(epd.lines().count(), 7);
    let pgn = to("pgn");
    assert!(pgn.contains("\n\n1. e4 e5 (1... c5) 2. Nf3 *\n\n[Event"), "{pgn}");
    assert!(pgn.contains("\n40... Kd7 *\n"), "{pgn}");
    // Read the output again.
    let again = file("pgn-forms-again", &pgn);
    assert_eq!(fine(&["pgn", "--to", "pgn", &again]), pgn);
    let objects: Vec<Value> =
        to("json").lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(objects.len(), 3);
    assert_eq!(objects[0]["moves"][1]["variations"][0]["moves"][0]["san"], "c5");
    assert_eq!(objects[1]["fen"], "4k3/8/8/8/8/8/4P3/4K3 b - - 5 40");
}

#[test]
fn filters_select_games() {
    let text = "[White \"Anna\"]\n[Event \"Open A\"]\n\n1. e4 e5 2. Nf3 1-0\n\n\
        [White \"Berta\"]\n[Event \"Open B\"]\n\n1. Nf3 e5 2. e4 0-1\n\n[White \"Anna\"]\n\n1. d4 *\n";
    let path = file("pgn-filters", text);
    let games = |filter: &[&str]| -> usize {
        let arguments = [&["pgn", "--to", "san", &path], filter].concat();
        fine(&arguments).lines().count()
    };
    assert_eq!(games(&[]), 3);
    assert_eq!(games(&["--tag", "White=Anna"]), 2);
    assert_eq!(games(&["--tag", "White=anna"]), 0);
    assert_eq!(games(&["--tag", "Event~open"]), 2);
    assert_eq!(games(&["--tag", "Event~open", "--tag", "White=Anna"]), 1);
    // Of two tags with one name, the first counts.
    let twice = file("pgn-filters-twice", "[White \"Anna\"]\n[White \"Berta\"]\n\n1. e4 *\n");
    for (test, is_found) in [("White=Anna", true), ("White=Berta", false), ("White~ert", false)] {
        let found = fine(&["pgn", "--to", "san", &twice, "--tag", test]);
        assert_eq!(!found.is_empty(), is_found, "{test}");
    }
    assert_eq!(games(&["--result", "1-0"]), 1);
    assert_eq!(games(&["--result", "0-1,*"]), 2);
    assert_eq!(games(&["--plies", "3"]), 2);
    assert_eq!(games(&["--plies", "..2"]), 1);
    // Two games reach this position, by different moves.
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 7 9";
    assert_eq!(games(&["--reaches", fen]), 2);
    assert_eq!([games(&["--reaches", "startpos"]), games(&["--reaches", "kiwipete"])], [3, 0]);
    for wrong in [
        &["--tag", "White"][..],
        &["--tag", "=x"],
        &["--tag", "Elo!2000"],
        &["--result", "2-0"],
        &["--plies", "a..b"],
        &["--plies", "5..3"],
        &["--plies", ""],
        &["--reaches", "8/8 w - -"],
        &["--to", "xml"],
        &["--to", "fen", "--check"],
    ] {
        mistaken(&[&["pgn", &path], wrong].concat());
    }
}

#[test]
fn tags_are_compared_as_numbers_or_as_text() {
    let game = |(elo, date): (&str, &str)| {
        format!("[White \"{elo}\"]\n[WhiteElo \"{elo}\"]\n[Date \"{date}\"]\n\n1. e4 *\n\n")
    };
    let games = [("950", "1999.12.31"), ("2500", "2000.01.01"), ("2500.5", "2000.??.??")];
    let unknown = [("?", "????.??.??"), ("", ""), ("-", "2001"), ("unrated", "today")];
    let text: String = games.into_iter().chain(unknown).map(game).collect();
    let path = file("pgn-comparisons", &(text + "[White \"none\"]\n\n1. e4 *\n"));
    for (test, expected) in [
        ("WhiteElo>=2500", &["2500", "2500.5"][..]),
        ("WhiteElo>2500", &["2500.5"]),
        ("WhiteElo<2500", &["950"]),
        ("WhiteElo<=2500", &["950", "2500"]),
        ("WhiteElo!=2500", &["950", "2500.5", "?", "", "-", "unrated", "none"]),
        ("WhiteElo=2500", &["2500"]),
        ("Date>=2000", &["2500", "2500.5", "-"]),
        ("Date<=2000", &["950", "2500", "2500.5"]),
        ("Date>2000", &["-"]),
        ("Date>=2000.01.01", &["2500", "-"]),
        ("Date<2000.01", &["950"]),
    ] {
        let found = fine(&["pgn", "--to", "pgn", &path, "--tag", test]);
        let names: Vec<&str> =
            found.lines().filter_map(|line| line.strip_prefix("[White \"")).collect();
        let names: Vec<&str> = names.iter().map(|name| name.trim_end_matches("\"]")).collect();
        assert_eq!(names, expected, "{test}");
    }
    // Games with other tags aren't read, so their errors don't matter.
    let broken = file("pgn-comparisons-broken", "[White \"a\"]\n\n1. e5 *\n\n1. d4 *\n");
    assert_eq!(fine(&["pgn", "--to", "san", &broken, "--tag", "White!=a"]), "d4\n");
}

#[test]
fn statistics_are_the_default() {
    let path = file("pgn-statistics", GAMES);
    let shown = run(&["pgn", &path]);
    assert_eq!(shown.code, Some(1), "{shown:?}");
    assert!(shown.out.starts_with("games       3 in "), "{}", shown.out);
    assert!(
        shown.out.contains("\nbroken      1\n") && shown.out.contains("\n1-0         1, 33.3 %\n")
    );
    assert!(shown.out.contains("\nf3 e5 g4 Qh4#  "), "{}", shown.out);

    let two = file("pgn-json", "1. e4 e5 2. Nf3 Nc6 1-0\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 0-1\n");
    let object = json(&["pgn", "--json", &two]);
    assert_eq!(object["schema"], "tabiya-pgn/1");
    assert_eq!((&object["games"], &object["plies"]), (&"2".into(), &"9".into()));
    assert_eq!((&object["shortest"], &object["longest"]), (&4.into(), &5.into()));
    assert_eq!(object["openings"][0]["moves"], serde_json::json!(["e4", "e5", "Nf3", "Nc6"]));
    assert_eq!(object["openings"][0]["results"]["black_wins"], "1");
}

#[test]
fn threads_do_not_change_what_is_printed() {
    // The text has more than one part.
    let text: String = (0..20_000)
        .map(|number| {
            let moves =
                if number % 1000 == 7 { "1. e4 Ke2" } else { "1. e4 e5 2. Nf3 {a comment} Nc6" };
            format!("[Event \"{number}\"]\n[White \"somebody with a name\"]\n\n{moves} *\n\n")
        })
        .collect();
    assert!(text.len() > 1 << 20);
    let path = file("pgn-threads", &text);
    let with = |threads: &str| run(&["pgn", "--to", "json", "--threads", threads, &path]);
    let one = with("1");
    assert_eq!(one.code, Some(1));
    assert_eq!(one.out.lines().count(), 20_000);
    assert_eq!(one.err.lines().count(), 21);
    for threads in ["2", "7"] {
        let many = with(threads);
        assert_eq!((many.code, many.out, many.err), (one.code, one.out.clone(), one.err.clone()));
    }
}

#[test]
fn only_the_first_of_equal_games_counts() {
    let first = "[White \"a\"]\n\n1. e4 e5 {x} (1... c5) 2. Nf3 1-0\n\n";
    let same = "[White \"b\"]\n\n1. e2e4 e7-e5 Ng1f3 0-1\n\n";
    let others = "1. e4 e5 *\n\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kkq - 0 1\"]\n\n\
        1. e4 e5 2. Nf3 *\n\n";
    let one = file("pgn-unique", &[first, others, same].concat());
    let two = file("pgn-unique-other", &[same, "1. d4 *\n\n", same].concat());
    let calls = ["pgn", &one, &two, "--unique"];
    let end = run(&[&calls[..], &["--to", "san"]].concat());
    assert_eq!(end.out, "e4 e5 Nf3\ne4 e5\ne4 e5 Nf3\nd4\n");
    assert_eq!((end.code, end.err.as_str()), (Some(0), "3 duplicates, left out\n"));
    let end = run(&[&calls[..], &["--to", "fen"]].concat());
    assert_eq!(end.out.matches("\n\n").count(), 3, "{}", end.out);
    assert!(fine(&calls).contains("\nduplicates  3\nselected    4\n1-0         1, 25.0 %\n"));
    let answer = json(&[&calls[..], &["--json"]].concat());
    assert_eq!(
        ["games", "duplicates", "selected"].map(|name| answer[name].as_str().unwrap()),
        ["7", "3", "4"]
    );
    let merged = run(&[&calls[..], &["--merge"]].concat());
    assert!(!merged.out.contains("b - ?"), "{}", merged.out);

    // Any number of threads keeps the same ones, also of games that are longer than a piece.
    let number = |game: usize| game * game % 1009;
    let wide: String = (0..2500).map(|number| format!("(1. d4 {{{number:0500}}}) ")).collect();
    let game = |game: usize| {
        let a = ["e4", "b4", "c4", "Nf3", "a3", "b3", "h4"][number(game) % 7];
        let b = ["e5", "b5", "c5", "Nf6", "a6", "b6", "h5"][number(game) / 7 % 7];
        let wide = if game.is_multiple_of(300) { wide.as_str() } else { "" };
        format!("[White \"{game}\"]\n\n1. {a} {wide} {b} {{{}}} *\n\n", "x".repeat(500))
    };
    let path = file("pgn-unique-threads", &(0..4000).map(game).collect::<String>());
    let with = |threads: &str, format: &str| {
        let end = run(&["pgn", &path, "--unique", "--threads", threads, "--to", format]);
        (end.out, end.err)
    };
    for format in ["pgn", "lines"] {
        let [one, many] = ["1", "7"].map(|threads| with(threads, format));
        assert_eq!(one.1, "3,951 duplicates, left out\n");
        assert!(one == many, "{format}: {} and {} bytes", one.0.len(), many.0.len());
    }
}

/// Compresses a file with a program of the system.
fn packed(program: &str, path: &Path, end: &str) -> Option<PathBuf> {
    let Ok(status) = Command::new(program).args(["-k", "-f", "-q"]).arg(path).status() else {
        missing(program);
        return None;
    };
    assert!(status.success());
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    Some(name.into())
}

#[cfg(unix)]
#[test]
fn packed_files_are_recognised_by_what_they_contain() {
    let plain = PathBuf::from(file("pgn-packed", "1. e4 e5 *\n"));
    for (program, end) in [("gzip", ".gz"), ("bzip2", ".bz2"), ("zstd", ".zst")] {
        let Some(path) = packed(program, &plain, end) else { continue };
        let bytes = std::fs::read(&path).unwrap();
        // The name does not matter, and compressed data may be concatenated.
        let both = [&bytes[..], &bytes].concat();
        let read = piped(&["pgn", "--to", "uci", "-"], &both);
        assert_eq!(
            (read.code, read.out.as_str()),
            (Some(0), "e2e4 e7e5\ne2e4 e7e5\n"),
            "{program}"
        );
        let half = piped(&["pgn", "--to", "uci", "-"], &bytes[..bytes.len() - 3]);
        assert_eq!(half.code, Some(2), "{program}: {half:?}");
    }
    // A skippable frame of zstd.
    let skipped = [&b"\x50\x2a\x4d\x18\x03\0\0\0abc"[..]].concat();
    assert_eq!(piped(&["pgn", "--to", "uci", "-"], &skipped).code, Some(0));
}

#[test]
fn null_moves_are_kept_in_every_format() {
    for null in ["--", "0000", "Z0"] {
        let game = format!("1. e4 {null} 2. d4 {{x}} d5 (2... {null}) *\n");
        let to = |format: &str| {
            let end = piped(&["pgn", "--to", format, "-"], game.as_bytes());
            assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{null}");
            end.out
        };
        assert_eq!(to("san"), "e4 -- d4 d5\n");
        assert_eq!(to("uci"), "e2e4 0000 d2d4 d7d5\n");
        assert_eq!(to("tree"), "1. e4 -- 2. d4 {x} d5\n| 2... --\n\n");
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        assert!(to("fen").contains(&format!("{start} w KQkq - 1 2\n")), "{}", to("fen"));
        assert_eq!(to("epd").matches(" sm ").count(), 3, "{}", to("epd"));
        assert!(to("json").contains(r#""san":"--","uci":"0000""#));
        assert!(to("lines").contains("1. e4 -- 2. d4 {x} 2... d5 *"));
        assert!(to("pgn").contains(&format!("1. e4 {null} 2. d4 {{x}} 2... d5 (2... {null}) *")));
        let end = piped(&["pgn", "--merge", "-"], game.as_bytes());
        assert!(end.out.ends_with("1. e4 -- 2. d4 {x} 2... d5 (2... --) *\n\n"), "{}", end.out);
    }
    let in_check = piped(&["pgn", "--to", "san", "-"], b"1. e4 f5 2. Qh5+ -- 3. a3 *\n");
    assert_eq!((in_check.code, in_check.out.as_str()), (Some(1), "e4 f5 Qh5+\n"));
}

/// A game with an error in the main line, one in a variation, a start that can't be played, and two
/// games without errors.
const ERRORS: &str = "[Event \"1\"]\n\n1. e4 e5 $1 2. Ke3 {x} Nc6 1-0\n\n\
    [Event \"2\"]\n\n1. d4 (1. c4 Ke3 2. b3) d5 0-0\n\n\
    [Event \"3\"]\n[FEN \"8/8\"]\n\n1. c4 {y} *\n\n\
    [Event \"4\"]\n[Result \"0-0\"]\n\n1. b3 0-0\n\n\
    [Event \"5\"]\n\n1. e4 e5 1-0\n";

#[test]
fn games_with_errors_are_kept_or_skipped_or_the_end() {
    let path = file("pgn-errors", ERRORS);
    let messages = [
        "3:16: game 1: ply 3 (2. Ke3): Ke3 is not legal: a king on e1 cannot reach e3",
        "7:14: game 2: ply 2 (1... Ke3): Ke3 is not legal: a king on e8 cannot reach e3",
        "7:28: game 2: ply 3 (2. 0-0): ",
        "12:4: game 3: the tag FEN: the board has 2 ranks, not 8",
    ];
    let check = |end: &Run, seen: &[usize], summary: &str| {
        assert_eq!(end.code, Some(1), "{end:?}");
        let mut lines = end.err.lines();
        for &message in seen {
            let start = format!("error: {path}:{}", messages[message]);
            let line = lines.next().unwrap();
            assert!(line.starts_with(&start), "{line} instead of {start}");
        }
        assert_eq!(lines.collect::<Vec<_>>().join("\n"), summary);
    };
    let kept = "3 games with errors, kept as far as they're right";
    let to = |format: &str, arguments: &[&str]| {
        run(&[&["pgn", &path, "--to", format], arguments].concat())
    };
    // Formats without variations don't look into them.
    let end = to("san", &[]);
    check(&end, &[0, 2, 3], kept);
    assert_eq!(end.out, "e4 e5\nd4 d5\n\nb3\ne4 e5\n");
    let end = to("pgn", &[]);
    check(&end, &[0, 1, 2, 3], kept);
    let comments = [
        "1. e4 e5 $1 {ply 3 (2. Ke3): ",
        "1. d4 (1. c4 {ply 2 (1... Ke3): ",
        "{the tag FEN: the board has 2 ranks, not 8; not read: 1. c4 (y)} *",
    ];
    let out = end.out.replace('\n', " ");
    assert!(comments.iter().all(|comment| out.contains(comment)), "{out}");
    for format in ["tree", "lines", "json"] {
        let out = to(format, &[]).out.replace('\n', " ").replace("| ", "");
        assert!(out.contains("Ke3 is not legal: a king on e1 cannot reach e3; not read:"), "{out}");
        assert!(out.contains("ply 2 (1... Ke3): Ke3 is not legal"), "{out}");
    }
    // Where a line isn't whole is said even without comments.
    let stripped = to("pgn", &["--strip", "comments,variations"]).out.replace('\n', " ");
    assert!(
        stripped.contains("{ply 3 (2. Ke3): Ke3 is not legal: a king on e1 cannot reach e3} 1-0")
    );
    assert!(!stripped.contains("Nc6") && !stripped.contains("1... Ke3"), "{stripped}");

    let end = to("lines", &["--errors", "skip"]);
    check(&end, &[0, 1, 2, 3], "3 games with errors, left out");
    assert_eq!(end.out.matches("[Event ").count(), 2);
    let end = run(&["pgn", &path, "--merge", "--errors", "skip"]);
    assert!(end.out.ends_with("1. b3 (1. e4 e5) *\n\n"), "{}", end.out);
    for threads in ["1", "4"] {
        let end = to("san", &["--errors", "stop", "--threads", threads]);
        check(&end, &[0], "1 game with errors, left out\nstopped at the first error");
        assert_eq!(end.out, "");
    }
    let good = file("pgn-errors-good", "1. a4 *\n");
    let end = run(&["pgn", &good, &path, &good, "--to", "uci", "--errors", "stop"]);
    assert_eq!((end.code, end.out.as_str()), (Some(1), "a2a4\n"));

    // Statistics.
    let answer = |how: &str| -> Value {
        let end = run(&["pgn", &path, "--json", "--errors", how]);
        assert_eq!(end.code, Some(1));
        serde_json::from_str(&end.out).unwrap()
    };
    let keep = answer("keep");
    let [games, broken, selected] = ["games", "broken", "selected"];
    assert_eq!([&keep[games], &keep[broken], &keep[selected]], ["5", "3", "5"]);
    let kinds = serde_json::json!([
        {"kind": "move", "count": "2"}, {"kind": "start position", "count": "1"}
    ]);
    assert_eq!((&keep["errors"], &keep["complete"]), (&kinds, &true.into()));
    assert_eq!((&keep["results"]["both_lose"], &keep["plies"]), (&"1".into(), &"7".into()));
    let skip = answer("skip");
    assert_eq!([&skip[games], &skip[broken], &skip[selected]], ["5", "3", "2"]);
    let stop = answer("stop");
    assert_eq!([&stop[games], &stop[broken], &stop[selected]], ["1", "1", "0"]);
    assert_eq!(stop["complete"], false);
    let table = run(&["pgn", &path]).out;
    assert!(table.contains("\n0-0         1, 20.0 %\nplies "), "{table}");
    // A game that ends early may be another one than a whole game.
    let end = run(&["pgn", &path, "--unique", "--to", "san"]);
    assert!(!end.err.contains("duplicate"), "{}", end.err);
    // Filters apply to what is right, and tags come first.
    assert_eq!(to("san", &["--plies", "2"]).out, "e4 e5\nd4 d5\ne4 e5\n");
    assert_eq!(fine(&["pgn", &path, "--to", "san", "--tag", "Event>=4"]), "b3\ne4 e5\n");
    assert_eq!(to("san", &["--reaches", "startpos"]).out.lines().count(), 4);
}

#[test]
fn remarks_are_counted_by_kind() {
    let games = "some words\n\n[Result \"won\"]\n\n1. e4 N? 3. e5 $999 [Diagram] 2. Nf3 } 1-0 0-1\n\n\
        [Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n[Result \"?\"]\n\n1. e4 1-0\n";
    let path = file("pgn-remarks-kinds", games);
    let checked = run(&["pgn", "--check", &path]);
    assert_eq!(checked.code, Some(0), "{checked:?}");
    assert_eq!(run(&["pgn", "--check", "--strict", &path]).code, Some(1));
    let remark = |text: &str| format!("remark: {path}:{text}");
    let lines: Vec<&str> = checked.err.lines().collect();
    assert!(lines[0].starts_with(&remark("1:1: word \"some")), "{lines:?}");
    for text in [
        "5:13: game 1: move number 3 before \"e5\"",
        "5:16: game 1: glyph \"$999\"",
        "5:21: game 1: bracket \"[Diagram]\"",
        "5:38: game 1: closing brace \"}\"",
        "5:40: game 1: the tag Result is \"won\", no result",
        "5:44: game 1: second result \"0-1\"",
    ] {
        assert!(lines.contains(&remark(text).as_str()), "{text}: {}", checked.err);
    }
    assert!(!checked.err.contains("game 2") && !checked.err.contains("game 3"), "{lines:#?}");
    // Only --check looks for them.
    let statistics = json(&["pgn", "--json", &path]);
    assert_eq!(statistics["remarks"], serde_json::json!([]));
    let answer: Value =
        serde_json::from_str(&run(&["pgn", "--json", "--check", &path]).out).unwrap();
    let remarks = answer["remarks"].as_array().unwrap();
    assert_eq!(remarks[0], serde_json::json!({"kind": "bracket", "count": "1"}));
    let list = answer["files"][0]["remarks"].as_array().unwrap();
    assert_eq!((list.len(), &list[0]["game"]), (lines.len(), &Value::Null));
    mistaken(&["pgn", "--strict", &path]);
}

#[test]
fn comments_between_tags_change_nothing() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for tags in [
        format!("{{a}}\n[FEN \"{fen}\"]"),
        format!("[FEN \"{fen}\"]\n{{a}}\n[Site \"b\"]"),
        format!("[Site \"b\"]\n{{a}}\n[FEN \"{fen}\"]"),
    ] {
        let game = format!("{tags}\n\n1. e4 *\n");
        let end = piped(&["pgn", "--to", "fen", "-"], game.as_bytes());
        assert_eq!(end.out, format!("{fen}\n4k3/8/8/8/4P3/8/8/4K3 b - - 0 1\n"), "{tags}");
        let end = piped(&["pgn", "--to", "pgn", "-"], game.as_bytes());
        let again = piped(&["pgn", "--to", "fen", "-"], end.out.as_bytes());
        assert_eq!(again.out.lines().count(), 2, "{tags}: {}", end.out);
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_waiting_for_input() {
    let mut command = command();
    command.args(["pgn", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"1. e4 *\n").unwrap();
    crate::program::wait_until_it_works(&child, std::time::Duration::ZERO);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let end = Run::from(child.wait_with_output().unwrap());
    assert_eq!(end.code, Some(130), "{end:?}");
    assert!(end.out.starts_with("games  "), "{}", end.out);
    drop(input);
}

#[test]
fn bytes_that_are_not_utf_8_are_written_as_they_are() {
    let file = directory("pgn-latin-1").join("games.pgn");
    let game =
        b"[White \"M\xfcller, J\xf6rg\"]\n\n1. e4 {sch\xf6n \xfcber \x1b[31mred \x01 \x80a} *\n";
    std::fs::write(&file, game).unwrap();
    let output = command().args(["pgn", "--to", "pgn"]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    for wanted in [&b"\"M\xfcller, J\xf6rg\""[..], b"{sch\xf6n \xfcber \x1b[31mred \x01 \x80a}"] {
        let found = output.stdout.windows(wanted.len()).any(|bytes| bytes == wanted);
        assert!(found, "{}", output.stdout.escape_ascii());
    }
}

/// Two games with variations, a diagram, a comment, and a line in common.
const STUDY: &str = "[White \"A\"]\n[Black \"B\"]\n[Event \"X\"]\n[Date \"1994.??.??\"]\n\n\
    {start} 1. e4 {[%clk 0:01:00] best} e5 (1... c5 2. Nf3 (2. c3 $16) d6) 2. Nf3 $220 Nc6 1-0\n\n\
    [White \"C\"]\n[Event \"X\"]\n\n1. e4 {[%clk 0:00:59] best} e5 2. f4 1/2-1/2\n";

#[test]
fn trees_are_printed_as_text() {
    let path = file("pgn-tree", STUDY);
    assert_eq!(
        fine(&["pgn", &path, "--to", "tree", "--result", "1-0"]),
        "A - B, X, 1994.??.??\n\
         {start}\n\
         1. e4 {[%clk 0:01:00] best} e5\n\
         | 1... c5 2. Nf3\n\
         | | 2. c3 ±\n\
         | 2... d6\n\
         2. Nf3\n\
         8  r n b q k b n r\n\
         7  p p p p . p p p\n\
         6  . . . . . . . .\n\
         5  . . . . p . . .\n\
         4  . . . . P . . .\n\
         3  . . . . . N . .\n\
         2  P P P P . P P P\n\
         1  R N B Q K B . R\n   \
            a b c d e f g h\n\
         2... Nc6\n\
         1-0\n\n"
    );
}

#[test]
fn variations_become_games() {
    let path = file("pgn-lines", STUDY);
    let lines = fine(&["pgn", &path, "--to", "lines"]);
    let split = file("pgn-lines-split", &lines);
    assert_eq!(
        fine(&["pgn", &split, "--to", "san"]),
        "e4 e5 Nf3 Nc6\ne4 c5 Nf3 d6\ne4 c5 c3\ne4 e5 f4\n"
    );
    // All lines together are the tree again.
    let merged = fine(&["pgn", &split, "--merge", "--to", "lines"]);
    let merged = file("pgn-lines-merged", &merged);
    let sorted = |path: &str| {
        let text = fine(&["pgn", path, "--to", "san"]);
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&merged), sorted(&split));
}

#[test]
fn a_line_that_cannot_be_written_leaves_the_others() {
    // In UTF-8, a comment in Latin-1 is too long.
    let path = directory("pgn-lines-latin-1").join("games.pgn");
    let long = [&b"{"[..], &b"\xe9".repeat(60_000), b"}"].concat();
    let game = [&b"1. e4 (1. d4 "[..], &long, b") (1. c4) *\n\n1. b4 *\n"].concat();
    std::fs::write(&path, game).unwrap();
    let lines = run(&["pgn", path.to_str().unwrap(), "--to", "lines"]);
    assert_eq!(lines.code, Some(1), "{lines:?}");
    assert!(lines.err.contains("game 1: line 2: a token is longer than 65536 bytes"), "{lines:?}");
    let ends = ["1. e4", "1. c4", "1. b4"].map(|line| lines.out.find(&format!("{line} *\n\n")));
    assert!(ends[0].is_some() && ends.is_sorted(), "{lines:?}");
    assert!(!lines.out.contains("d4"), "{lines:?}");

    // The comments of two games together are longer than a game may be.
    let comments = |game: u32| -> String {
        (0..300).map(|number| format!("{{{game} {number} {}}} ", "x".repeat(60_000))).collect()
    };
    let games =
        format!("1. d4 d5 *\n\n1. e4 {}*\n\n1. e4 {}*\n\n1. c4 c5 *\n", comments(1), comments(2));
    let lines = run(&["pgn", &file("pgn-lines-long", &games), "--merge", "--to", "lines"]);
    assert_eq!(lines.code, Some(1), "{}", lines.err);
    assert!(lines.err.contains("the games that begin with rnbqkbnr/"), "{}", lines.err);
    assert!(lines.err.contains("written: line 2: the game is longer"), "{}", lines.err);
    assert!(lines.out.contains("1. d4 d5 *") && lines.out.contains("1. c4 c5 *"), "{}", lines.err);
}

#[test]
fn long_tags_are_cut_in_messages() {
    let long = "x".repeat(60_000);
    let games = format!("[Variant \"{long}\"]\n\n1. e4 *\n");
    let checked = run(&["pgn", "--check", &file("pgn-long-tags", &games)]);
    assert_eq!(checked.code, Some(1));
    assert!(checked.err.contains("unknown variant \"xxx"), "{}", checked.err);
    assert!(checked.err.len() < 1000, "{}", checked.err);
}

#[test]
fn games_are_merged_into_one_tree() {
    let path = file("pgn-merge", STUDY);
    let merged = fine(&["pgn", &path, "--merge"]);
    assert!(merged.starts_with("[Event \"X\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n"), "{merged}");
    // A comment may contain anything, even signs that would colour a terminal.
    let escape = file("pgn-merge-escape", "1. e4 {a\u{1b}[31mb} *\n");
    assert!(fine(&["pgn", &escape, "--merge"]).contains("{a\u{1b}[31mb}"));
    let moves = merged.split_once("\n\n").unwrap().1.replace('\n', " ");
    assert_eq!(
        moves.trim(),
        "{start} 1. e4 {best} 1... e5 (1... c5 2. Nf3 (2. c3 $16) 2... d6) 2. Nf3 $220 \
         (2. f4 {C - ?, X, 1/2-1/2}) 2... Nc6 {A - B, X, 1994, 1-0} *"
    );
    // Any number of threads gives the same, and so does another start position a tree of its own.
    let many = file(
        "pgn-merge-many",
        &(0..3000)
            .map(|number| {
                let first = ["a3", "e4", "d4", "c4", "Nf3"][number % 5];
                let fen = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n";
                let (tags, first) = if number % 7 == 0 { (fen, "e4") } else { ("", first) };
                format!(
                    "[White \"{number}\"]\n{tags}\n1. {first} {{[%clk 0:00:{:02}]}} *\n\n",
                    number % 60
                )
            })
            .collect::<String>(),
    );
    let one = fine(&["pgn", &many, "--merge", "--threads", "1"]);
    assert_eq!(one, fine(&["pgn", &many, "--merge", "--threads", "4"]));
    assert_eq!(one.matches("[Event ").count(), 2);
    assert!(!one.contains("clk"));
    assert!(one.contains("{2999 - ?, *}"));
    let text = "1. e4 e5 ({[%clk 0:00:50] sharp} 1... c5 {[%emt 5] x [%eval 1]}) 2. d4 *\n";
    let merged = fine(&["pgn", &file("pgn-merge-before", text), "--merge"]);
    assert!(merged.contains("\n1. e4 e5 ({sharp} 1... c5 {x [%eval 1]}) 2. d4 *\n"), "{merged}");

    missing_tree_format(&path);
}

/// One game must not keep the others from being printed.
#[test]
fn empty_variations_hide_no_moves_in_json() {
    for (number, text) in ["() (1. e4 c5) *", "1. e4 e5 (() (1... c5 2. Nf3)) *"].iter().enumerate()
    {
        let path = file(&format!("pgn-empty-variation-{number}"), text);
        let json = fine(&["pgn", &path, "--to", "json"]);
        assert!(json.contains(r#""san":"c5""#), "{json}");
    }
}

#[test]
fn games_that_cannot_be_merged_are_named_and_the_others_are_printed() {
    // Each game leaves the one before in a variation, so the tree would be deeper than PGN allows.
    let deep: String = (0..260)
        .map(|turns| format!("{}Nf3 Nf6 Ng1 Ng8 *\n\n", "Nc3 Nc6 Nb1 Nb8 ".repeat(turns)))
        .collect();
    let other = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n";
    let path = file("pgn-merge-deep", &format!("{deep}{other}"));
    let merged = run(&["pgn", &path, "--merge"]);
    assert_eq!(merged.code, Some(1), "{merged:?}");
    assert!(merged.err.contains("begin with rnbqkbnr/"), "{merged:?}");
    assert!(merged.err.contains("nested deeper than 255; --to tree and --to lines"), "{merged:?}");
    assert!(merged.out.contains("1. e4 *"), "{merged:?}");
    assert!(fine(&["pgn", &path, "--merge", "--to", "lines"]).contains("Nf3 Nf6"));

    let tags: String = (0..4095).map(|tag| format!("[T{tag} \"x\"]\n")).collect();
    let path = file("pgn-merge-tags", &format!("{tags}\n1. e4 *\n\n{other}"));
    let merged = run(&["pgn", &path, "--merge", "--to", "lines"]);
    assert_eq!(merged.code, Some(1), "{merged:?}");
    assert!(merged.err.contains("written: line 1: the game has more than 4096 tags"), "{merged:?}");
    assert!(merged.out.contains("[FEN \"4k3/") && merged.out.contains("1. e4 *"), "{merged:?}");
}

/// Without an index, they would take minutes.
#[test]
fn many_notes_and_variations_at_one_place_take_little_time() {
    const MANY: usize = 40_000;
    let named = |number| format!("[White \"{number}\"]\n\n{{{number}}} 1. e4 *\n\n");
    let games: String = (0..MANY).map(named).collect();
    let path = file("pgn-merge-one-place", &games);
    let begin = std::time::Instant::now();
    let merged = fine(&["pgn", &path, "--merge", "--to", "tree"]);
    assert!(merged.contains("39999 - ?"));
    let wide: String = (0..MANY).map(|number| format!("(1. d4 {{{number}}}) ")).collect();
    let path = file("pgn-tree-wide", &format!("1. e4 {wide} *\n\n").repeat(4));
    assert_eq!(fine(&["pgn", &path, "--to", "tree"]).matches("d4 {39999}").count(), 4);
    assert!(begin.elapsed() < std::time::Duration::from_secs(240), "{:?}", begin.elapsed());
}

/// They belong to that game, in every format.
#[test]
fn comments_after_the_result_are_kept() {
    let path = file(
        "pgn-remarks",
        "1. e4 e5 1-0 {Black resigned} $1 \n\n[Event \"b\"]\n\n1. d4 *\n{end}\n",
    );
    for (format, texts) in [
        ("pgn", ["1. e4 e5 {Black resigned} $1 1-0", "1. d4 {end} *"]),
        ("lines", ["1. e4 e5 $1 {Black resigned} 1-0", "1. d4 {end} *"]),
        ("tree", ["1. e4 e5! {Black resigned}\n1-0", "1. d4 {end}"]),
        ("json", ["\"comments\":[\"Black resigned\"]", "\"comments\":[\"end\"]"]),
    ] {
        let text = fine(&["pgn", &path, "--to", format]);
        assert!(texts.iter().all(|part| text.contains(part)), "{text}");
    }
    let merged = fine(&["pgn", &path, "--merge"]);
    assert!(merged.contains("1. e4 (1. d4 {end}) 1... e5 $1 {Black resigned} *"), "{merged}");
    assert_eq!(json(&["pgn", &path, "--json"])["games"], "2");
}

/// Each of many games would be compared with all of them.
#[test]
fn equal_variations_become_one_when_another_game_comes() {
    let game = "1. e4 {a} (1. d4 {b} d5) (1. d4 {c} d5 2. c4) e5 *\n";
    let path = file("pgn-merge-alone", game);
    let alone = fine(&["pgn", &path, "--merge"]);
    assert!(
        alone.contains("1. e4 {a} (1. d4 {b} 1... d5) (1. d4 {c} 1... d5 2. c4) 1... e5 *"),
        "{alone}"
    );
    let path = file("pgn-merge-equal", &format!("{game}\n1. d4 *\n"));
    for threads in ["1", "2"] {
        let merged = fine(&["pgn", &path, "--merge", "--threads", threads]);
        assert!(merged.contains("1. e4 {a} (1. d4 {b} {c} 1... d5 2. c4) 1... e5 *"), "{merged}");
    }
}

/// The standard forbids them in tags, but some files have them.
#[test]
fn control_characters_in_tags_become_spaces() {
    let path = file("pgn-tab", "[White \"Ann\tLee\"]\n[Black \"\u{7f}\"]\n\n1. e4 *\n");
    for format in ["pgn", "lines"] {
        let written = fine(&["pgn", &path, "--to", format]);
        assert!(written.contains("[White \"Ann Lee\"]\n[Black \" \"]\n"), "{written}");
    }
}

fn missing_tree_format(path: &str) {
    let wrong = run(&["pgn", path, "--merge", "--to", "fen"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.err.contains("--to pgn, tree or lines"), "{wrong:?}");
    assert_eq!(run(&["pgn", path, "--merge", "--check"]).code, Some(2));
}

/// Several positions have the same code and name.
#[test]
fn an_opening_has_one_row() {
    let path = file(
        "pgn-openings-one",
        "1. f3 d5 2. e4 g6 3. d4 dxe4 4. c3 1-0\n\n1. f3 f5 2. e4 fxe4 3. Nc3 0-1\n",
    );
    let object = json(&["pgn", &path, "--openings", "--json"]);
    let rows = object["named_openings"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{rows:?}");
    assert_eq!(rows[0]["name"], "Barnes Opening: Gedult Gambit");
    assert_eq!([&rows[0]["results"]["white_wins"], &rows[0]["results"]["black_wins"]], ["1", "1"]);
    let table = fine(&["pgn", &path, "--openings"]);
    assert_eq!(table.matches("Gedult").count(), 1, "{table}");
}

#[test]
fn games_are_counted_and_selected_by_opening() {
    let path = file(
        "pgn-openings",
        "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. h4 h5 1-0\n\n\
         1. Nf3 c5 2. e4 d6 3. Nc3 Nf6 4. d4 cxd4 5. Nxd4 a6 0-1\n\n\
         1. d4 Nf6 2. c4 g6 3. Nc3 d5 1/2-1/2\n\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n",
    );
    let table = fine(&["pgn", &path, "--openings"]);
    let rows: Vec<String> =
        table.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert!(rows[0].contains("eco opening games 1-0 0-1 1/2-1/2"), "{}", rows[0]);
    assert_eq!(
        rows[1..],
        [
            "B90 Sicilian Defense: Najdorf Variation 2 50.0 % 50.0 % 0.0 %",
            "(no named position) 1 0.0 % 0.0 % 0.0 %",
            "D80 Grünfeld Defense 1 0.0 % 0.0 % 100.0 %",
        ]
    );
    let selected =
        |text: &str| fine(&["pgn", &path, "--to", "uci", "--opening", text]).lines().count();
    assert_eq!(
        [selected("b9"), selected("B90"), selected("grünfeld"), selected("Bongcloud")],
        [2, 2, 1, 0]
    );
    let object = json(&["pgn", &path, "--openings", "--json"]);
    let rows: Vec<_> = object["named_openings"].as_array().unwrap().iter().collect();
    assert_eq!(rows.len(), 3);
    assert_eq!(rows[0]["eco"], "B90");
    assert_eq!(rows[0]["name"], "Sicilian Defense: Najdorf Variation");
    assert_eq!(rows[0]["results"]["black_wins"], "1");
    assert_eq!(rows[1]["eco"], Value::Null);
    assert_eq!(rows[1]["name"], Value::Null);
    assert_eq!(rows[1]["results"]["unknown"], "1");
    assert_eq!(object["openings"].as_array().unwrap().len(), 3);
    assert!(json(&["pgn", &path, "--json"])["named_openings"].is_null());
    assert_eq!(run(&["pgn", &path, "--openings", "--check"]).code, Some(2));
}

/// A line of JSON with all its notes, in short.
fn shown(line: &Value) -> String {
    let list = |value: &Value| value.as_array().unwrap().clone();
    let comments = |of: &Value| -> String {
        list(&of["comments"])
            .iter()
            .map(|text| format!(" {{{}}}", text.as_str().unwrap()))
            .collect()
    };
    let mut out = comments(line);
    for node in list(&line["moves"]) {
        out += &format!(" {}", node["san"].as_str().unwrap());
        out.extend(list(&node["nags"]).iter().map(|nag| format!(" ${nag}")));
        out += &comments(&node);
        out.extend(list(&node["variations"]).iter().map(|inner| format!(" ({} )", shown(inner))));
    }
    out
}

#[test]
fn parts_of_games_are_stripped() {
    let game = "{a} 1. e4! {[%clk 0:01:00]} e5 (1... c5 {b} $16) ({c} 1... d5) *\n";
    let path = file("pgn-strip", game);
    let text = |parts: &str, format: &str| {
        let text = fine(&["pgn", &path, "--to", format, "--strip", parts]);
        text.rsplit_once("\n\n1.").map_or(text.clone(), |(_, moves)| format!("1.{moves}"))
    };
    for (parts, expected) in [
        ("comments", "1. e4 $1 e5 (1... c5 $16) (1... d5) *\n\n"),
        ("comments,variations,glyphs", "1. e4 e5 *\n\n"),
    ] {
        assert_eq!(text(parts, "pgn"), expected);
    }
    let pgn = text("glyphs,variations", "pgn");
    assert!(pgn.ends_with("{a} 1. e4 {[%clk 0:01:00]} 1... e5 *\n\n"), "{pgn}");
    assert_eq!(text("comments,glyphs", "tree"), "1. e4 e5\n| 1... c5\n| 1... d5\n\n");
    assert_eq!(text("variations,comments", "lines"), "1. e4 $1 e5 *\n\n");
    let object: Value = serde_json::from_str(&text("variations", "json")).unwrap();
    assert_eq!(shown(&object), " {a} e4 $1 {[%clk 0:01:00]} e5");
    let merged = fine(&["pgn", &path, &path, "--merge", "--strip", "comments,variations"]);
    assert!(merged.ends_with("1. e4 $1 e5 *\n\n"), "{merged}");
    for wrong in [&["--to", "fen", "--strip", "glyphs"][..], &["--strip", "glyphs"]] {
        mistaken(&[&["pgn", &path], wrong].concat());
    }
}

#[test]
fn moves_are_read_in_letters_of_other_languages() {
    let path = file("pgn-letters", "1. e4 e5 2. Sf3 (2. Lc4 Dh4) Sc6 {x} *\n");
    for letters in ["KDTLS", "KDTLSB"] {
        let to = |format: &str| fine(&["pgn", &path, "--letters", letters, "--to", format]);
        assert_eq!(to("san"), "e4 e5 Nf3 Nc6\n");
        assert!(to("pgn").ends_with("1. e4 e5 2. Nf3 (2. Bc4 Qh4) 2... Nc6 {x} *\n\n"));
        assert!(to("lines").contains("1. e4 e5 2. Bc4 Qh4 *"));
        assert!(to("json").contains(r#""san":"Qh4""#));
        fine(&["pgn", &path, "--letters", letters, "--check"]);
    }
    let english = run(&["pgn", &path, "--to", "san"]);
    assert_eq!((english.code, english.out.as_str()), (Some(1), "e4 e5\n"));
    assert!(mistaken(&["pgn", &path, "--letters", "KD"]).contains("such as KDTLS"));
}

#[test]
fn games_are_written_with_their_openings() {
    let game = "[ECO \"A00\"]\n[White \"a\"]\n\n1. e4 c5 *\n\n[ECO \"?\"]\n\n1. a4 h5 2. h4 *\n\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n[ECO \"x\"]\n\n1. e4 *\n";
    let path = file("pgn-add-opening", game);
    let pgn = fine(&["pgn", &path, "--to", "pgn", "--add-opening"]);
    let tags: Vec<&str> =
        pgn.lines().filter(|line| line.starts_with("[ECO") || line.starts_with("[Op")).collect();
    let expected = ["[ECO \"B20\"]", "[Opening \"Sicilian Defense\"]", "[ECO \"A00\"]"];
    assert_eq!(tags[..3], expected);
    assert_eq!(tags[3..], ["[Opening \"Ware Opening\"]", "[ECO \"x\"]"]);
    let json = fine(&["pgn", &path, "--to", "json"]);
    let openings: Vec<Value> = json
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["opening"].clone())
        .collect();
    assert_eq!(openings[0], serde_json::json!({"eco": "B20", "name": "Sicilian Defense"}));
    assert_eq!(openings[2], Value::Null);
    for wrong in [&["--add-opening"][..], &["--to", "san", "--add-opening"]] {
        mistaken(&[&["pgn", &path], wrong].concat());
    }
}

#[test]
fn json_loses_no_note() {
    for (game, nags, expected) in [
        ("{a} $10 {b} 1. e4 $1 {c} e5", "[10]", " {a} {b} e4 $1 {c} e5"),
        ("1. e4 ($2 {a} $3 1. d4 $4 {b}) e5", "[]", " e4 ( {a} d4 $2 $3 $4 {b} ) e5"),
        ("1. e4 ((1. c4 $5) 1. d4) e5", "[]", " e4 ( c4 $5 ) ( d4 ) e5"),
        ("1. e4 ($7 {only}) e5", "[]", " e4 $7 {only} e5"),
        ("1. e4 ({a} (1. d4 {b} d5)) e5", "[]", " e4 {a} ( d4 {b} d5 ) e5"),
    ] {
        let end = piped(&["pgn", "-", "--to", "json"], format!("{game} *\n").as_bytes());
        assert_eq!(end.code, Some(0), "{end:?}");
        let object: Value = serde_json::from_str(&end.out).unwrap();
        assert_eq!(object["nags"].to_string(), nags, "{game}");
        assert_eq!(shown(&object), expected, "{game}");
    }
}
