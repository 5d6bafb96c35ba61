//! Faults outside the program: files with other contents than expected, full disks, little memory,
//! signals at any moment. An error explains what is wrong, nothing is lost, and memory is bounded.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, command, directory, fine, run, skipped};
use crate::shell;

/// Longer than any wait except a hang, on any machine.
const HANG: Duration = Duration::from_secs(300);

/// The commands that write a file, without its name. The name ends in `.svg`, as one of them
/// requires.
const WRITERS: [&str; 2] = ["frontier 2 --output", "show --svg"];

/// The commands that keep a count in a file, without its name.
const KEEPERS: [&str; 2] =
    ["perft 3 --checkpoint", "perft 4 --position kiwipete --distinct --memory 64M --checkpoint"];

/// The commands that read a file, with `FILE` in place of its name.
const READERS: [&str; 7] = [
    "book FILE",
    "suite FILE",
    "frontier --read FILE",
    "status FILE",
    "compare --suite FILE -- true",
    "pgn FILE",
    "data check --from packed FILE",
];

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

/// Runs a line that must end with this code. Unless the code is 0, it must print an error.
#[track_caller]
fn ends(line: &str, folder: &Path, code: i32) -> Run {
    let end = shell::run(line, folder);
    assert_eq!(end.code, Some(code), "$ {line}\n{end:?}");
    assert!(code == 0 || end.err.contains("error: "), "$ {line}\n{end:?}");
    end
}

#[test]
fn a_file_keeps_its_mode_and_a_link_its_target() {
    let folder = directory("faults-links");
    for (number, writer) in WRITERS.into_iter().chain(KEEPERS).enumerate() {
        let at = |name: &str| folder.join(format!("{name}{number}.svg"));
        symlink(format!("target{number}.svg"), at("link")).unwrap();
        symlink(format!("link{number}.svg"), at("outer")).unwrap();
        // The target of an output does not exist at first.
        if KEEPERS.contains(&writer) {
            ends(&format!("tabiya {writer} target{number}.svg"), &folder, 0);
        }
        for _ in 0..2 {
            ends(&format!("tabiya {writer} outer{number}.svg"), &folder, 0);
            assert!(is_link(&at("outer")) && is_link(&at("link")), "{writer}");
            let target = fs::symlink_metadata(at("target")).unwrap();
            assert!(target.is_file() && target.len() > 0, "{writer}");
            fs::set_permissions(at("target"), fs::Permissions::from_mode(0o640)).unwrap();
        }
        ends(&format!("tabiya {writer} target{number}.svg"), &folder, 0);
        assert_eq!(mode(&at("target")), 0o640, "{writer}");
    }
    // No other file remains: three for each command, and the folder with the program.
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3 * 4 + 1);
    // Every name of a checkpoint means the same file.
    ends(
        "for name in outer link target; do tabiya status ${name}2.svg || exit 9; done",
        &folder,
        0,
    );
}

#[test]
fn manual_pages_are_written_like_other_files() {
    let folder = directory("faults-man");
    fs::create_dir(folder.join("pages")).unwrap();
    symlink("../page", folder.join("pages/tabiya.1")).unwrap();
    ends("tabiya man --dir pages", &folder, 0);
    assert!(is_link(&folder.join("pages/tabiya.1")));
    assert!(fs::read_to_string(folder.join("page")).unwrap().contains("tabiya"));
    fs::set_permissions(folder.join("page"), fs::Permissions::from_mode(0o444)).unwrap();
    let end = ends("tabiya man --dir pages", &folder, 2);
    assert!(end.err.contains("pages/tabiya.1 cannot be written: it is read-only"), "{end:?}");
    let end = ends("tabiya man --dir page", &folder, 2);
    assert!(end.err.contains("error: page cannot be written"), "{end:?}");
}

/// This also applies to an administrator, whom the system does not stop.
#[test]
fn read_only_files_and_folders_are_refused() {
    let folder = directory("faults-read-only");
    fs::create_dir(folder.join("folder.svg")).unwrap();
    for (number, writer) in WRITERS.into_iter().chain(KEEPERS).enumerate() {
        let name = format!("file{number}.svg");
        let path = folder.join(&name);
        ends(&format!("tabiya {writer} {name}"), &folder, 0);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        let before = fs::read(&path).unwrap();
        let end = ends(&format!("tabiya {writer} {name}"), &folder, 2);
        assert!(end.err.contains("it is read-only"), "{writer}: {end:?}");
        assert!(end.err.contains(&name), "{writer}: {end:?}");
        assert_eq!((fs::read(&path).unwrap(), mode(&path)), (before, 0o444), "{writer}");
        let end = ends(&format!("tabiya {writer} folder.svg"), &folder, 2);
        assert!(end.err.contains("is a directory"), "{writer}: {end:?}");
    }
    assert_eq!(fs::read_dir(folder.join("folder.svg")).unwrap().count(), 0);
    // A read-only checkpoint can still be shown.
    ends("tabiya status file2.svg", &folder, 0);
    let end = ends("tabiya status file3.svg", &folder, 0);
    assert!(end.out.contains("\n  4  1,374,152\n"), "{end:?}");
    let end = ends("tabiya status file3.svg --json", &folder, 0);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["schema"], "tabiya-distinct-status/1");
    assert_eq!(object["by_ply"][4], "1374152");
}

/// Reading the status of a checkpoint does not change the file, even if its process was killed.
#[test]
fn the_status_of_a_killed_run_changes_nothing() {
    let folder = directory("faults-killed-status");
    let file = folder.join("start");
    let name = file.to_str().unwrap();
    let call = ["perft", "8", "--checkpoint", name, "--isa", "portable", "--threads", "1"];
    let mut child = command().args(call).args(["--split", "4"]).spawn().unwrap();
    wait_until(&mut child, || {
        let run = run(&["status", name, "--json"]);
        let value = serde_json::from_str::<Value>(&run.out);
        value.is_ok_and(|value| value["done"].as_u64() > Some(0))
    });
    child.kill().unwrap();
    child.wait().unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&file).unwrap();
    let status: Value = serde_json::from_str(&fine(&["status", name, "--json"])).unwrap();
    assert!(status["done"].as_u64() > Some(0), "{status}");
    assert_eq!(status["running"], Value::Null);
    assert_eq!(fs::read(&file).unwrap(), before);
}

#[test]
fn pipes_are_written_to_and_stay() {
    let folder = directory("faults-pipes");
    ends("mkfifo pipe.svg", &folder, 0);
    let is_pipe = || fs::symlink_metadata(folder.join("pipe.svg")).unwrap().file_type().is_fifo();
    for writer in WRITERS {
        ends(&format!("tabiya {writer} expected.svg && rm -f copy"), &folder, 0);
        ends(&format!("cat pipe.svg > copy & tabiya {writer} pipe.svg && wait"), &folder, 0);
        assert!(is_pipe(), "{writer}");
        let read = |name: &str| fs::read(folder.join(name)).unwrap();
        assert_eq!(read("copy"), read("expected.svg"), "{writer}");
    }
    // A count cannot be kept in a pipe. Opening the pipe would wait forever.
    for keeper in KEEPERS {
        let end = ends(&format!("tabiya {keeper} pipe.svg"), &folder, 2);
        assert!(end.err.contains("not a checkpoint"), "{keeper}: {end:?}");
    }
    ends("tabiya status pipe.svg", &folder, 2);
    assert!(is_pipe());
}

/// Creates a copy of the device that is always full.
fn full_device(folder: &Path) -> bool {
    let made = Command::new("mknod").arg(folder.join("full.svg")).args(["c", "1", "7"]).output();
    let probe = || fs::write(folder.join("full.svg"), "x").err().and_then(|it| it.raw_os_error());
    if made.is_ok_and(|made| made.status.success()) && probe() == Some(libc::ENOSPC) {
        return true;
    }
    skipped("a user who may make a device");
    false
}

#[test]
fn devices_are_written_to_and_stay() {
    let folder = directory("faults-devices");
    if !full_device(&folder) {
        return;
    }
    let is_device =
        || fs::symlink_metadata(folder.join("full.svg")).unwrap().file_type().is_char_device();
    for writer in WRITERS {
        let end = ends(&format!("tabiya {writer} full.svg"), &folder, 2);
        assert!(end.err.contains("full.svg cannot be written: No space left"), "{writer}: {end:?}");
        assert!(is_device(), "{writer}");
    }
    for keeper in KEEPERS {
        let end = ends(&format!("tabiya {keeper} full.svg"), &folder, 2);
        assert!(end.err.contains("not a checkpoint"), "{keeper}: {end:?}");
        assert!(is_device(), "{keeper}");
    }
}

/// A small file system in the folder `disk`, visible only to the commands of the line.
fn on_a_small_disk(line: &str, size: &str) -> String {
    format!("unshare -m sh -c 'mount -t tmpfs -o size={size} none disk && cd disk && {line}'")
}

#[test]
fn a_full_disk_is_an_error_and_the_old_file_stays() {
    let folder = directory("faults-full-disk");
    fs::create_dir(folder.join("disk")).unwrap();
    if shell::run(&on_a_small_disk("true", "64k"), &folder).code != Some(0) {
        skipped("a user who may mount a file system");
        return;
    }
    for writer in ["frontier 3 --json --output", "show --svg", "perft 4 --checkpoint"] {
        let line = format!(
            "echo old > old.svg; dd if=/dev/zero of=filler bs=1k 2>/dev/null; \
             tabiya {writer} new.svg; echo $? ; tabiya {writer} old.svg; echo $?; cat old.svg; ls"
        );
        let end = shell::run(&on_a_small_disk(&line, "64k"), &folder);
        assert_eq!(end.out, "2\n2\nold\nfiller\nold.svg\n", "{writer}: {end:?}");
        assert!(!end.err.contains(".tmp"), "{writer}: {end:?}");
        let full = ["No space left on device", "there is no room for a new checkpoint"];
        assert!(full.iter().any(|full| end.err.contains(full)), "{writer}: {end:?}");
    }
    // Earlier counts are safe, and the count continues on a disk with room.
    let call = "perft 4 --position kiwipete --distinct --memory 64M --checkpoint";
    let line = format!("tabiya {call} count; echo $?; cp count ../kept");
    let end = shell::run(&on_a_small_disk(&line, "4k"), &folder);
    assert!(end.out.ends_with("2\n"), "{end:?}");
    assert!(end.err.contains("there is no room left for the checkpoint"), "{end:?}");
    // What could not be written is printed.
    assert!(end.out.contains("\n  3    57,548\n"), "{end:?}");
    assert!(end.out.contains("\nstopped: ply 4 is not finished\n"), "{end:?}");
    ends(&format!("tabiya {call} kept --expect 1374152"), &folder, 0);
}

/// A part of a line would be another position.
#[test]
fn a_suite_is_saved_as_a_whole_or_not_at_all() {
    let folder = directory("faults-full-suite");
    fs::create_dir(folder.join("disk")).unwrap();
    if shell::run(&on_a_small_disk("true", "64k"), &folder).code != Some(0) {
        skipped("a user who may mount a file system");
        return;
    }
    let engine = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; \
                  go*) echo total 7;; esac; done\n";
    fs::write(folder.join("engine"), engine).unwrap();
    // Thirty bytes are left in the last page of the suite.
    let line = "head -c 4066 /dev/zero | tr \"\\0\" \"#\" >suite; cp suite ../before; \
                dd if=/dev/zero of=filler bs=1k 2>/dev/null; \
                tabiya compare --position startpos --depth 1 --save suite -- sh ../engine >/dev/null; \
                echo $?; cmp suite ../before && echo same";
    let end = shell::run(&on_a_small_disk(line, "64k"), &folder);
    assert_eq!(end.out, "2\nsame\n", "{end:?}");
    assert!(end.err.contains("No space left on device"), "{end:?}");
}

/// A message uses the user's name for a file, and gives the reason in plain words.
#[test]
fn messages_have_no_internal_names() {
    let folder = directory("faults-names");
    let end = ends("tabiya show --svg missing/a.svg", &folder, 2);
    let expected =
        "error: missing/a.svg cannot be written: No such file or directory (os error 2)\n";
    assert_eq!(end.err, expected);
    fs::write(folder.join("magic"), b"\x28\xb5\x2f\xfd\x04\x00\x01\x00\x00\x99\xe9\xd8\x51more")
        .unwrap();
    let end = ends("tabiya pgn magic", &folder, 2);
    assert_eq!(end.err, "error: magic: the zstd data is damaged: what follows is not zstd\n");
    fs::write(folder.join("dictionary"), b"\x28\xb5\x2f\xfdgarbage garbage garbage").unwrap();
    let end = ends("tabiya pgn dictionary", &folder, 2);
    let expected = "error: dictionary: the zstd data is damaged: it needs a dictionary, which is not supported\n";
    assert_eq!(end.err, expected);
}

/// A dash is standard output if a stream makes sense, and is refused otherwise.
#[test]
fn a_dash_is_never_the_name_of_a_file() {
    let folder = directory("faults-dash");
    for call in [
        "perft 3 --checkpoint -",
        "perft 3 --distinct --checkpoint -",
        "perft 3 --categories --checkpoint=-",
        "compare --log - -- true",
        "compare --save - -- true",
    ] {
        let end = ends(&format!("tabiya {call}"), &folder, 2);
        let expected = "error: expected the name of a file, and - is a stream; ./- names a file\n";
        assert!(end.err.starts_with(expected), "{call}: {end:?}");
        assert!(!folder.join("-").exists() && !folder.join("-.new").exists(), "{call}");
    }
    ends("tabiya perft 3 --checkpoint ./- && rm ./-", &folder, 0);
    assert!(ends("tabiya show --svg -", &folder, 0).out.starts_with("<svg "));
    assert!(!folder.join("-").exists());
}

/// A log replaces an earlier log, but not the program under test.
#[test]
fn only_a_log_is_replaced_by_a_log() {
    let folder = directory("faults-program");
    let text = "#!/bin/sh\nexec tabiya uci\n";
    fs::write(folder.join("engine"), text).unwrap();
    for (call, why) in [
        ("--log engine -- sh engine", "--log would overwrite engine, which isn't a log of tabiya"),
        (
            "--save engine -- sh engine",
            "engine cannot be written: it is not a suite: no line of it is a position",
        ),
    ] {
        let end = ends(&format!("tabiya compare {call}"), &folder, 2);
        assert_eq!(end.err, format!("error: {why}\n"), "{call}");
        assert_eq!(fs::read_to_string(folder.join("engine")).unwrap(), text, "{call}");
    }
    for _ in 0..2 {
        let line = "tabiya compare --position startpos --depth 1 --log log -- tabiya uci";
        ends(line, &folder, 0);
        assert!(fs::read_to_string(folder.join("log")).unwrap().contains("uciok"));
    }
}

/// A sandbox may have no `/proc`, which tells how much memory there is.
#[test]
fn the_size_of_the_memory_need_not_be_known() {
    let folder = directory("faults-no-proc");
    fs::create_dir(folder.join("empty")).unwrap();
    let without_proc =
        |line: &str| format!("unshare -m sh -c 'mount --bind empty /proc && {line}'");
    if shell::run(&without_proc("true"), &folder).code != Some(0) {
        skipped("a user who may hide /proc");
        return;
    }
    for call in [
        "perft 4 --hash 16",
        "perft 4 --hash auto",
        "perft 3 --distinct",
        "perft 3 --distinct --memory 64M",
        "bench --seconds 0.1",
    ] {
        let end = shell::run(&without_proc(&format!("tabiya {call}")), &folder);
        assert!(matches!(end.code, Some(0 | 2)), "{call}: {end:?}");
        assert!(end.code == Some(0) || end.err.starts_with("error: "), "{call}: {end:?}");
    }
    let line = "printf \"go perft 3\\n\" | tabiya uci";
    let end = ends(&without_proc(line), &folder, 0);
    assert!(end.out.contains("Nodes searched: 8902\n"), "{end:?}");
}

#[test]
fn a_folder_is_no_file() {
    let folder = directory("faults-folders");
    fs::create_dir(folder.join("folder")).unwrap();
    for reader in READERS {
        let on = |name: &str| format!("tabiya {}", reader.replace("FILE", name));
        let end = ends(&on("folder"), &folder, 2);
        assert!(end.err.contains("directory"), "{reader}: {end:?}");
        let end = ends(&on("missing"), &folder, 2);
        let says = |part| end.err.contains(part);
        assert!(says("missing") && says("No such file"), "{reader}: {end:?}");
    }
}

#[test]
fn a_file_that_may_not_be_read_is_an_error() {
    let folder = directory("faults-unreadable");
    fs::write(folder.join("file"), "x").unwrap();
    fs::set_permissions(folder.join("file"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(folder.join("file")).is_ok() {
        skipped("a user who may not read everything");
        return;
    }
    for reader in READERS {
        let end = ends(&format!("tabiya {}", reader.replace("FILE", "file")), &folder, 2);
        assert!(end.err.contains("Permission denied"), "{reader}: {end:?}");
    }
}

/// Readers stop as soon as they know that the file is not theirs, and need little memory to find
/// out.
#[test]
fn huge_files_that_are_something_else_are_refused_in_little_memory() {
    let folder = directory("faults-huge");
    ends("truncate -s 1G zeros", &folder, 0);
    for reader in READERS
        .into_iter()
        .filter(|reader| !reader.starts_with("pgn ") && !reader.starts_with("data "))
    {
        let line = format!("ulimit -v 400000; tabiya {}", reader.replace("FILE", "zeros"));
        let end = ends(&line, &folder, 2);
        assert!(end.err.contains("zeros"), "{reader}: {end:?}");
        assert!(end.err.len() < 2000, "{reader}: {}", end.err.len());
    }
    fs::remove_file(folder.join("zeros")).unwrap();
}

/// The inputs are much larger than the memory limit.
#[test]
fn long_suites_and_books_are_read_in_little_memory() {
    let folder = directory("faults-long");
    let fen = "k7/8/8/8/8/8/8/K7 w - - 0 1";
    // glibc reserves 64 MiB for each thread that has to wait for memory, so the limit would depend on
    // how busy the machine is.
    let tabiya = "(ulimit -v 150000; MALLOC_ARENA_MAX=1 tabiya suite --threads 1 - --json)";
    let line = format!("yes '{fen} ;D1 3' | head -n 400000 | {tabiya}");
    let object: Value = serde_json::from_str(&ends(&line, &folder, 0).out).unwrap();
    assert_eq!((&object["right"], &object["wrong"]), (&400_000.into(), &0.into()));
    let line = format!("yes 'nothing' | head -n 2000000 | {tabiya}");
    let end = ends(&line, &folder, 2);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["unreadable"], 2_000_000);
    assert_eq!(object["files"][0]["errors"].as_array().unwrap().len(), 1000);
    assert!(end.err.contains("-: 1999980 more lines cannot be read"), "{}", end.err);
    let line = format!("yes '{fen} ;D1 4' | head -n 20000 | {tabiya}");
    let end = shell::run(&line, &folder);
    assert_eq!(end.code, Some(1), "{}", end.err);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["wrong"], 20_000);
    assert_eq!(object["files"][0]["mismatches"].as_array().unwrap().len(), 1000);
    let line = "head -c 1G /dev/zero | (ulimit -v 400000; tabiya uci)";
    let end = ends(line, &folder, 2);
    assert!(end.err.contains("line 1 is longer than 64 KiB"), "{end:?}");
    // A thousand entries with one key, and a thousand with another.
    let line = "(head -c 16000 /dev/zero; head -c 16000 /dev/zero | tr '\\0' '\\377') > book; \
                tabiya book book";
    let end = ends(line, &folder, 0);
    assert_eq!(end.out, "the book has no move for this position\n");
    let line = "head -c 16400 /dev/zero | tabiya book -";
    let end = ends(line, &folder, 2);
    assert!(
        end.err.contains("-: it is not a book: more than 1024 entries have one key"),
        "{end:?}"
    );
}

#[test]
fn odd_texts_are_errors_or_mean_the_same() {
    let folder = directory("faults-texts");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // Windows line ends, and a byte-order mark.
    fs::write(folder.join("windows"), format!("\u{feff}# suite\r\n{start} ;D1 20 ;D2 400\r\n"))
        .unwrap();
    ends("tabiya suite windows", &folder, 0);
    fs::write(folder.join("nul"), format!("{start}\0 ;D1 20\n{start} ;D1 20\n")).unwrap();
    let end = ends("tabiya suite nul --json", &folder, 2);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!((&object["right"], &object["unreadable"]), (&1.into(), &1.into()));
    let long = "x".repeat(100_000);
    fs::write(folder.join("long"), format!("{start} ;D1 20\n{start} ;D1 20 ; {long}\n")).unwrap();
    let end = ends("tabiya suite long --json", &folder, 2);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["right"], 1, "{object}");
    let why = "long: line 2 is longer than 64 KiB, so the rest was not read\n";
    assert!(end.err.contains(why), "{end:?}");
    for call in ["moves --fen -", "show --fen -", "perft 1 -", "explain e2e4 --fen -"] {
        for text in ["long", "nul"] {
            let end = ends(&format!("tabiya {call} < {text}"), &folder, 2);
            assert!(end.err.len() < 2000, "{call}: {}", end.err.len());
        }
    }
    for call in [["moves", "--fen", &long], ["show", "--moves", &long], ["moves", "--from", &long]]
    {
        let end = run(&call);
        assert_eq!(end.code, Some(2), "{}", call[0]);
        assert!(end.err.starts_with("error: "), "{}", call[0]);
    }
}

/// A terminal does not take a part of a file, or of its name, for a command.
#[test]
fn control_characters_of_a_file_are_not_printed() {
    let folder = directory("faults-control");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let odd = "a\u{1b}[2Jb\u{9b}c\u{7}";
    let line = format!("{start} D1 21; id \"{odd}\";\nwrong {odd}\n");
    for name in ["suite", odd] {
        fs::write(folder.join(name), &line).unwrap();
        let mut command = command();
        command.args(["suite", name, "--color", "always"]).current_dir(&folder);
        let end = Run::from(command.output().unwrap());
        assert_eq!(end.code, Some(2), "{end:?}");
        assert!(end.out.contains("a [2Jb c "), "{end:?}");
        for text in [&end.out, &end.err] {
            assert!(!text.contains("\u{1b}[2J") && !text.contains(['\u{9b}', '\u{7}']), "{end:?}");
        }
    }
}

/// A game without an end is kept up to its error, and the next game is read.
#[test]
fn games_without_an_end_are_broken_in_little_memory() {
    let folder = directory("faults-endless-games");
    let end = "printf '\\n\\n[Event \"b\"]\\n\\n1. d4 *\\n'";
    for (text, error) in [
        ("Nf3 Nf6 Ng1 Ng8", "-:32769:1: game 1: the line has more than 131072 moves"),
        ("[A \"b\"]", "-:4097:1: game 1: the game has more than 4096 tags"),
        ("{a}", "-:8388609:1: game 1: the game is longer than 33554432 bytes"),
        ("{", "-:1:1: game 1: the comment has no closing brace within 65536 bytes"),
        ("e4 (", "-:256:4: game 1: variations are nested deeper than 255"),
    ] {
        let all = ["--check", "--to json", "--to pgn"];
        let number = if text.starts_with(['N', '[']) { all.len() } else { 1 };
        for how in &all[..number] {
            let tabiya = format!("(ulimit -v 800000; tabiya pgn {how} --threads 2 - > out)");
            let line = format!("(yes '{text}' | head -c 40M; {end}) | {tabiya}");
            let end = ends(&line, &folder, 1);
            assert!(end.err.starts_with(&format!("error: {error}\n")), "{text} {how}: {}", end.err);
            let out = fs::read_to_string(folder.join("out")).unwrap();
            let is_last = match *how {
                "--check" => out.contains("\nkind "),
                "--to json" => out.lines().last().is_some_and(|last| last.contains("d4")),
                _ => out.ends_with("\n\n1. d4 *\n\n"),
            };
            assert!(is_last, "{text} {how}");
        }
    }
}

/// If the system refuses memory, the program reports an error instead of being killed.
#[test]
fn too_little_memory_is_an_error() {
    let folder = directory("faults-memory");
    let lines = [
        ("perft 4 --hash 1T", "memory"),
        ("perft 4 --categories --hash 1T", "memory"),
        ("perft 4 --hash 1T --checkpoint none", "memory"),
        ("perft 7 --distinct --memory 4G", "memory"),
    ];
    for (call, message) in lines {
        let line = format!("ulimit -v 400000; tabiya {call} --threads 1");
        let end = ends(&line, &folder, 2);
        assert!(end.err.contains(message), "{call}: {end:?}");
        // The plies before are known.
        assert_eq!(end.out.contains(" 5,362\n"), call.contains("--distinct"), "{call}: {end:?}");
    }
    assert!(!folder.join("none").exists());
}

/// If the reader of the output stops reading, the command neither fails nor hangs.
#[test]
fn closed_pipes_end_every_command() {
    let folder = directory("faults-closed-pipes");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    fs::write(folder.join("suite"), format!("{start} ;D1 20\n")).unwrap();
    fs::write(folder.join("game"), "1. e4 e5 *\n").unwrap();
    fs::write(folder.join("book"), crate::book_bytes::small()).unwrap();
    fs::write(folder.join("KNvK.rtbw"), crate::syzygy::knight()).unwrap();
    let prepare = "tabiya frontier 3 --output frontier && tabiya perft 3 --checkpoint count";
    ends(prepare, &folder, 0);
    for call in [
        "perft 4",
        "perft 4 --categories",
        "perft 4 --distinct",
        "perft 3 --checkpoint count",
        "moves",
        "show",
        "show --svg -",
        "explain e2e5",
        "book book",
        "tables --folder . 8/8/8/3k4/8/8/8/N3K3 w - - 0 1",
        "suite suite",
        "frontier --read frontier",
        "frontier 3 --output -",
        "pgn game",
        "status count",
        "estimate 4",
        "bench --seconds 0.01",
        "completions bash",
        "man",
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command();
        command.args(call.split(' ')).current_dir(&folder).stdout(writer);
        let end = Run::from(command.output().unwrap());
        let code = if call.starts_with("explain") { [0, 1] } else { [0, 0] };
        assert!(end.code.is_some_and(|it| code.contains(&it)), "{call}: {end:?}");
        assert!(!end.err.contains("error") && !end.err.contains("panic"), "{call}: {end:?}");
    }
}

/// The exit code of a check is the same without a reader, and a file is written to its end.
#[test]
fn a_check_without_a_reader_goes_on() {
    let folder = directory("faults-no-reader");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    fs::write(folder.join("right"), format!("{start} ;D1 20\n")).unwrap();
    fs::write(folder.join("wrong"), format!("{start} ;D1 20\n{start} ;D1 21\n")).unwrap();
    fs::write(folder.join("game"), "1. e4 e4 *\n").unwrap();
    let tabiya = env!("CARGO_BIN_EXE_tabiya");
    for (call, code) in [
        ("suite right", 0),
        ("suite wrong", 1),
        ("suite wrong --json", 1),
        ("suite missing right", 2),
        ("perft 3 --expect 8902", 0),
        ("perft 3 --expect 8903", 1),
        ("perft 3 --expect 8903 --json", 1),
        ("perft 3 --categories --expect 8903", 1),
        ("perft 3 --distinct --expect 5363", 1),
        ("perft 3 --distinct --checkpoint distinct", 0),
        ("perft 3 --hash 16 --verify-seed 1", 0),
        ("perft 3 --checkpoint count --expect 8903", 1),
        ("explain e2e5 --check", 1),
        ("explain e4 e9", 2),
        ("pgn --check game", 1),
        ("frontier 3 --output frontier", 0),
        (&format!("compare --suite right -- {tabiya} uci"), 0),
        ("compare -- true", 2),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = command();
        command.args(call.split(' ')).current_dir(&folder).stdout(writer);
        let end = Run::from(command.output().unwrap());
        assert_eq!(end.code, Some(code), "{call}: {end:?}");
        assert!(!end.err.contains("the output cannot be written"), "{call}: {end:?}");
    }
    ends("tabiya status count", &folder, 0);
    ends("tabiya frontier --read frontier --header", &folder, 0);
    // The report goes to standard error, and nobody reads it.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command();
    command.args(["frontier", "3", "--output", "-"]).stderr(writer);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(output.stdout, fs::read(folder.join("frontier")).unwrap());
}

#[test]
fn a_frontier_goes_through_standard_output_and_input() {
    let folder = directory("faults-streams");
    let line = "tabiya frontier 3 --output file; tabiya frontier 3 --output - > same 2>report; \
                cmp file same; cat file | tabiya frontier --read - --limit 1";
    let end = ends(line, &folder, 0);
    assert!(end.out.contains("5,362 positions"), "{end:?}");
    assert_eq!(end.out.lines().filter(|line| line.contains('\t')).count(), 1, "{end:?}");
    assert!(!folder.join("-").exists());
    let report = fs::read_to_string(folder.join("report")).unwrap();
    assert!(report.contains("5,362 positions, 8,902 games"), "{report}");
    for (call, error) in [
        ("3 --output new --limit 3", "'--limit <N>'"),
        ("3 --output new --header", "'--header'"),
        ("--read file --memory 1G", "'--memory <SIZE>'"),
    ] {
        let end = ends(&format!("tabiya frontier {call}"), &folder, 2);
        assert!(end.err.contains(" cannot be used with "), "{call}: {end:?}");
        assert!(end.err.contains(error), "{call}: {end:?}");
        assert!(!folder.join("new").exists(), "{call}");
    }
    let end = ends("tabiya frontier --read - --header < file", &folder, 0);
    let object: Value = serde_json::from_str(&end.out).unwrap();
    assert_eq!(object["bytes"], fs::metadata(folder.join("file")).unwrap().len());
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.into_string().unwrap()).collect()
}

/// Sends a signal.
fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    let _ = Command::new("kill").args(["-s", signal, &id]).stderr(Stdio::null()).status();
}

/// Waits for an event during the run of a child, which must not end first.
#[track_caller]
fn wait_until(child: &mut Child, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(child.try_wait().unwrap().is_none(), "it ended too early");
        assert!(begin.elapsed() < HANG);
        thread::sleep(Duration::from_millis(5));
    }
}

/// The count is first divided into units, and there is no file until that is done.
#[test]
fn a_run_that_is_stopped_at_once_says_what_is_known() {
    for (number, json) in [true, false, true, false].into_iter().enumerate() {
        let folder = directory(&format!("faults-at-once-{number}"));
        let file = folder.join("new");
        let mut command = command();
        command.args(["perft", "9", "--threads", "1", "--checkpoint"]).arg(&file);
        command.args(json.then_some("--json")).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program listens for signals by then.
        let is_unfinished = |name: &str| name.starts_with("new.") && name.ends_with(".new");
        let unfinished = || names(&folder).iter().any(|name| is_unfinished(name));
        wait_until(&mut child, || unfinished() || file.exists());
        send("INT", &child);
        let end = Run::from(child.wait_with_output().unwrap());
        assert_eq!(end.code, Some(130), "{end:?}");
        assert!(!unfinished(), "{end:?}");
        let said = if json { &end.err } else { &end.out };
        assert_eq!(said.contains("stopped; to continue, run: "), file.exists(), "{end:?}");
        assert_eq!(said.contains("stopped before there was anything"), !file.exists(), "{end:?}");
        if json {
            assert_eq!(end.out.lines().count(), 1, "{end:?}");
            let object: Value = serde_json::from_str(&end.out).unwrap();
            assert_eq!((&object["complete"], &object["depth"]), (&false.into(), &9.into()));
            assert_eq!(object["moves"].as_array().unwrap().len(), 20);
            assert_eq!(object["split"] == 0, !file.exists(), "{object}");
        } else {
            assert!(
                end.out.contains("\nposition     rnbqkbnr/") || end.out.starts_with("position")
            );
        }
    }
}

/// Sends signals at any moment: before the file exists, while it is written, and in between.
#[test]
fn counts_that_are_stopped_at_random_moments_end_with_the_right_number() {
    let folder = directory("faults-signals");
    let plain = ["perft", "6", "--split", "3", "--isa", "portable", "--expect", "119060324"];
    let distinct = ["perft", "6", "--distinct", "--memory", "64M", "--expect", "9417681"];
    for (name, call) in [("plain", &plain[..]), ("distinct", &distinct[..])] {
        let file = folder.join(name);
        let call = [call, &["--threads", "2", "--checkpoint", file.to_str().unwrap()]].concat();
        let mut random = 1u64;
        let mut last = String::new();
        for signal in ["KILL", "INT", "TERM", "KILL", "HUP", "INT", "KILL", "TERM"] {
            let mut start = command();
            start.args(&call).stdout(Stdio::null()).stderr(Stdio::null());
            let mut child = start.spawn().unwrap();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            // The right number does not depend on this delay.
            thread::sleep(Duration::from_millis(random >> 56));
            send(signal, &child);
            child.wait().unwrap();
            if file.exists() {
                last = fine(&["status", file.to_str().unwrap()]);
            }
        }
        let end = run(&call);
        assert_eq!(end.code, Some(0), "{name}: {end:?}, after {last}");
    }
}

/// The message names the file that cannot be written, and the results stay.
#[test]
fn a_status_that_cannot_be_written_is_told() {
    let folder = directory("faults-status");
    ends("tabiya perft 3 --split 1 --checkpoint count", &folder, 0);
    fs::create_dir(folder.join("count.status")).unwrap();
    // Without a second count, nothing is left to do, so the status is not needed.
    let call = "tabiya perft 3 --split 1 --verify-share 100% --checkpoint count";
    let end = ends(call, &folder, 2);
    let expected = "error: count: the checkpoint's status cannot be written to ";
    assert!(end.err.starts_with(expected), "{end:?}");
    assert!(end.err.contains("count.status: it is a directory; "), "{end:?}");
    assert!(end.err.contains("the checkpoint is safe with the results of 20 units\n"), "{end:?}");
    ends("tabiya status count", &folder, 0);
    fs::remove_dir(folder.join("count.status")).unwrap();
    ends("tabiya perft 3 --split 1 --checkpoint count --expect 8902", &folder, 0);
}
