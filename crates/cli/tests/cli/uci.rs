//! `tabiya uci`.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{Run, command, directory, missing};
#[cfg(unix)]
use crate::shell;

/// Pipes in all commands at once, as scripts do.
fn piped(program: &mut Command, input: &str) -> Run {
    let mut child = program
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().unwrap();
    // The program may end before it has read everything.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap().into()
}

/// The program's answers after its greeting.
fn uci(input: &str) -> String {
    let run = piped(command().arg("uci"), input);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""), "{input:?}");
    let (greeting, rest) = run.out.split_once('\n').expect("a greeting");
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(greeting, format!("tabiya {version} by the tabiya authors"));
    rest.to_owned()
}

/// perftree reads a line before it sends anything.
#[test]
fn the_greeting_comes_before_any_input() {
    let mut child =
        command().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.next().unwrap().unwrap().starts_with("tabiya "));
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn uci_is_answered_with_the_name_and_the_options() {
    let text = uci("uci\nisready\nquit\n");
    assert!(text.starts_with("id name tabiya "), "{text}");
    for option in ["Threads type spin", "Hash type spin", "UCI_Chess960 type check"] {
        assert!(text.contains(&format!("option name {option}")), "{option}: {text}");
    }
    assert!(text.ends_with("uciok\nreadyok\n"), "{text}");
}

#[test]
fn go_perft_prints_a_line_for_each_move_and_the_sum() {
    let text = uci("position startpos moves e2e4 e7e5\ngo perft 3\n");
    assert_eq!(text.lines().filter(|line| line.contains(": ")).count(), 30);
    assert!(text.contains("d1h5: 999\n"), "{text}");
    assert!(text.ends_with("\n\nNodes searched: 24825\n\n"), "{text}");
    assert_eq!(uci("go perft 0\n"), "\nNodes searched: 1\n\n");
}

#[test]
fn the_count_before_quit_or_the_end_of_the_input_is_finished() {
    let ends = ["go perft 5\nquit\n", "go perft 5\n", "go perft 5", "go perft 5\r\nquit\r\n"];
    for input in ends {
        assert!(uci(input).ends_with("\n\nNodes searched: 4865609\n\n"), "{input:?}");
    }
    assert_eq!(uci("quit\ngo perft 5\n"), "");
}

#[test]
fn options_do_not_change_the_count() {
    for options in [
        "setoption name Threads value 3",
        "setoption name Hash value 1",
        "setoption name Hash value 0",
        "setoption name threads value 2\nucinewgame",
    ] {
        let text = uci(&format!("go perft 4\n{options}\ngo perft 4\nucinewgame\ngo perft 4\n"));
        assert_eq!(text.matches("Nodes searched: 197281\n").count(), 3, "{options}: {text}");
    }
}

#[test]
fn castling_is_written_as_the_option_says() {
    let position = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let text = uci(&format!(
        "{position}\ngo perft 1\nsetoption name UCI_Chess960 value true\n{position} moves e1h1\n\
         go perft 1\nsetoption name UCI_Chess960 value false\n{position}\ngo perft 1\n"
    ));
    let parts: Vec<&str> = text.split("Nodes searched").collect();
    assert!(parts[0].contains("e1g1: 1\n") && parts[0].contains("e1c1: 1\n"), "{text}");
    assert!(parts[1].contains("e8a8: 1\n") && !parts[1].contains("e8c8"), "{text}");
    assert!(parts[2].contains("e1g1: 1\n"), "{text}");
}

#[test]
fn errors_are_printed_and_the_session_goes_on() {
    let cases = [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "info string White has no king"),
        ("position fen", "info string the board is missing"),
        ("position", "info string expected startpos, or fen and a FEN"),
        (
            "position startpos e2e4",
            "info string expected the word moves after startpos, and not e2e4",
        ),
        ("position startpos moves e2e5", "info string e2e5 is not legal"),
        ("position startpos moves e2e4 x", "info string expected an origin square"),
        ("go perft", "info string expected a number of plies from 0 to 255, such as 6"),
        ("go perft -1", "info string expected a number of plies"),
        ("go perft 256", "info string expected a number of plies"),
        ("go perft 99999999999", "info string expected a number of plies"),
        ("go infinite", "info string tabiya does not play; use go perft N"),
        ("setoption name Threads value 0", "info string \"0\" is not a valid value"),
        ("setoption name Hash value x", "info string \"x\" is not a valid value"),
        ("setoption name UCI_Chess960 value maybe", "info string \"maybe\" is not a valid value"),
        ("setoption name Style value wild", "info string there is no option \"style\""),
        ("setoption", "info string there is no option"),
        ("setoption value name", "info string there is no option"),
    ];
    for (line, answer) in cases {
        let text = uci(&format!("{line}\nisready\nposition startpos\ngo perft 2\n"));
        assert!(text.starts_with(answer), "{line}: {text}");
        assert!(text.ends_with("Nodes searched: 400\n\n"), "{line}: {text}");
    }
    for ignored in ["", "   ", "hello", "stop", "ponderhit", "debug on", "\u{0}\u{1}", "♔"] {
        assert_eq!(uci(&format!("{ignored}\nisready\n")), "readyok\n", "{ignored:?}");
    }
}

/// A terminal does not take a part of a command for a command of its own.
#[test]
fn control_characters_of_a_command_are_not_printed() {
    let odd = "\u{1b}]0;x\u{7}\u{1b}[2J\u{9b}2J";
    for line in [
        &format!("position startpos {odd}\nd\ngo perft 1"),
        &format!("position fen {odd}\nposition fen 8/8/8/8/8/8/8/8 {odd} - - 0 1\nd"),
        &format!("position startpos moves {odd}\nposition startpos moves e2{odd}"),
        &format!("go perft {odd}\nsetoption name {odd} value x\nsetoption name Hash value {odd}"),
    ] {
        let text = uci(line);
        assert!(text.starts_with("info string "), "{line:?}: {text:?}");
        let is_plain = |letter: char| letter == '\n' || !letter.is_control();
        assert!(text.chars().all(is_plain), "{line:?}: {text:?}");
    }
    let text = uci(&format!("position startpos {odd}\n"));
    assert!(text.ends_with("and not  ]0;x  [2J 2J\n"), "{text:?}");
}

/// If a position has been refused, there is nothing to count: any number would be wrong.
#[test]
fn nothing_is_counted_after_a_refused_position() {
    let text = uci("position fen nonsense\ngo perft 3\nd\nposition startpos\ngo perft 1\n");
    assert_eq!(text.matches("Nodes searched").count(), 1, "{text}");
    assert!(text.ends_with("Nodes searched: 20\n\n"), "{text}");
}

/// An endless line does not fill the memory, and what comes after it is not counted.
#[test]
fn a_line_that_is_too_long_is_an_error() {
    let long = format!("position startpos moves {}\n", "g1f3 g8f6 f3g1 f6g8 ".repeat(4_000));
    let end = piped(command().arg("uci"), &format!("go perft 1\n{long}go perft 2\n"));
    assert_eq!(end.code, Some(2), "{end:?}");
    let expected = "error: the commands cannot be read: line 2 is longer than 64 KiB, so the rest \
                    was not read\n";
    assert_eq!(end.err, expected);
    assert!(end.out.ends_with("Nodes searched: 20\n\n"), "{end:?}");
}

/// The count would take years. After it is stopped, the next count is right.
#[test]
fn stop_ends_a_count() {
    let mut child = command()
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    stdin.write_all(b"setoption name Threads value 2\nisready\ngo perft 14\n").unwrap();
    assert!(lines.next().unwrap().unwrap().starts_with("tabiya "));
    assert_eq!(lines.next().unwrap().unwrap(), "readyok");
    std::thread::sleep(Duration::from_millis(300));
    let begin = Instant::now();
    stdin.write_all(b"stop\ngo perft 3\nquit\n").unwrap();
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert!(begin.elapsed() < Duration::from_secs(120), "{:?}", begin.elapsed());
    assert_eq!(rest[0], "info string stopped: the count is not complete");
    assert_eq!(rest[rest.len() - 2], "Nodes searched: 8902");
    assert!(child.wait().unwrap().success());
    // This also works if `stop` comes before the count begins.
    let text = uci("go perft 14\ngo perft 13\nstop\ngo perft 2\nquit\n");
    assert_eq!(text.matches("stopped").count(), 2, "{text}");
    assert!(text.ends_with("Nodes searched: 400\n\n"), "{text}");
}

const POSITIONS: [(&str, bool, u32); 8] = [
    ("startpos", false, 4),
    ("startpos moves e2e4 c7c5 g1f3 d7d6", false, 3),
    ("fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", false, 3),
    ("fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves e2e4", false, 4),
    ("fen n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", false, 4),
    ("fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true, 3),
    ("fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", true, 3),
    ("fen 2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9", true, 3),
];

/// The same commands give the same lines, except for the order of the moves.
#[test]
fn answers_are_those_of_stockfish() {
    let Some(stockfish) = ["stockfish", "/usr/games/stockfish"]
        .into_iter()
        .find(|name| Command::new(name).arg("quit").output().is_ok())
    else {
        return missing("stockfish");
    };
    for (position, chess960, depth) in POSITIONS {
        let input = format!(
            "setoption name UCI_Chess960 value {chess960}\nsetoption name Hash value 16\n\
             ucinewgame\nposition {position}\nd\ngo perft {depth}\nquit\n"
        );
        // The counts are sorted. Lines that may differ between engines are left out.
        let relevant = |text: &str| -> Vec<String> {
            let mut lines: Vec<String> = text
                .lines()
                .skip_while(|line| !line.starts_with(" +---"))
                .filter(|line| !line.starts_with("Key:"))
                .map(|line| match line.strip_prefix("Fen: ") {
                    // Engines write castling rights in Chess960, and en-passant squares without a
                    // legal capture, in different ways.
                    Some(fen) => fen.split(' ').take(2).collect::<Vec<_>>().join(" "),
                    None => line.trim_end().to_owned(),
                })
                .collect();
            lines.sort();
            lines
        };
        let theirs = piped(&mut Command::new(stockfish), &input);
        assert_eq!(relevant(&uci(&input)), relevant(&theirs.out), "{position}");
    }
}

const CLIENT: &str = r#"
import sys, chess, chess.engine

engine = chess.engine.SimpleEngine.popen_uci([sys.argv[1], "uci"])
assert engine.id["name"].startswith("tabiya"), engine.id
assert {"Threads", "Hash"} <= set(engine.options), engine.options
engine.configure({"Threads": 2, "Hash": 8})
engine.ping()

class Perft(chess.engine.BaseCommand):
    def __init__(self, protocol, board, depth):
        super().__init__(protocol)
        self.protocol, self.board, self.depth, self.moves = protocol, board, depth, {}

    def start(self):
        self.protocol._position(self.board)
        self.protocol.send_line(f"go perft {self.depth}")

    def line_received(self, line):
        if line.startswith("Nodes searched: "):
            self.result.set_result((int(line.split()[-1]), self.moves))
            self.set_finished()
        elif ": " in line:
            move, count = line.split(": ")
            self.moves[move] = int(count)

def perft(board, depth):
    async def ask():
        protocol = engine.protocol
        factory = lambda *args: Perft(args[0] if args else protocol, board, depth)
        return await protocol.communicate(factory)
    import asyncio
    return asyncio.run_coroutine_threadsafe(ask(), engine.protocol.loop).result(60)

def count(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total

boards = [chess.Board(), chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")]
played = chess.Board()
for move in ["e2e4", "c7c5", "g1f3"]:
    played.push_uci(move)
boards.append(played)
boards.append(chess.Board("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True))
for board in boards:
    nodes, moves = perft(board, 2)
    expected = {}
    for move in list(board.legal_moves):
        text = board.uci(move)
        board.push(move)
        expected[text] = count(board, 1)
        board.pop()
    assert moves == expected, (board.fen(), moves, expected)
    assert nodes == sum(expected.values())
engine.quit()
print("agreed on", len(boards))
"#;

#[test]
fn python_chess_can_use_it() {
    let folder = directory("python-chess");
    let script = folder.join("client.py");
    std::fs::write(&script, CLIENT).unwrap();
    let has_chess = |python: &str| {
        let output = Command::new(python).args(["-c", "import chess.engine"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let own = folder.join("venv");
    let own_python = own.join("bin").join("python").to_string_lossy().into_owned();
    let python = if has_chess("python3") {
        "python3".to_owned()
    } else {
        let made = Command::new("python3").args(["-m", "venv"]).arg(&own).output();
        if !made.is_ok_and(|output| output.status.success()) {
            return missing("python3 with venv");
        }
        let install = ["-m", "pip", "install", "--quiet", "chess"];
        let _ = Command::new(&own_python).args(install).output();
        if !has_chess(&own_python) {
            return missing("the chess package for Python");
        }
        own_python
    };
    let output =
        Command::new(python).arg(script).arg(env!("CARGO_BIN_EXE_tabiya")).output().unwrap();
    let run = Run::from(output);
    assert_eq!(run.out.trim(), "agreed on 4", "{}", run.err);
}

#[cfg(unix)]
#[test]
fn input_that_cannot_be_read_is_an_error() {
    let folder = directory("uci-unreadable");
    let end = shell::run("tabiya uci <.", &folder);
    assert_eq!(end.code, Some(2), "{end:?}");
    let expected = "error: the commands cannot be read: Is a directory (os error 21)\n";
    assert_eq!(end.err, expected);
    assert!(end.out.ends_with("by the tabiya authors\n"), "{end:?}");
    let end = shell::run("tabiya uci </dev/null", &folder);
    assert_eq!((end.code, end.err.as_str()), (Some(0), ""), "{end:?}");
}

#[cfg(unix)]
#[test]
fn a_count_ends_when_its_client_is_gone() {
    let mut child =
        command().arg("uci").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"isready\ngo perft 40\n").unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    // The greeting and the answer.
    lines.read_line(&mut String::new()).unwrap();
    lines.read_line(&mut String::new()).unwrap();
    drop((stdin, lines));
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begin.elapsed() > Duration::from_secs(120) {
            child.kill().unwrap();
            panic!("the count goes on");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_total_of_more_than_128_bits_is_not_printed() {
    let kings = "position fen k7/8/8/8/8/8/8/K7 w - - 0 1\n";
    let text = uci(&format!("setoption name Hash value 64\n{kings}go perft 47\n"));
    assert!(text.contains("Nodes searched: 100727381831559211234519394812894753591\n"), "{text}");
    let text = uci(&format!("setoption name Hash value 64\n{kings}go perft 48\n"));
    assert!(!text.contains("Nodes searched"), "{text}");
    assert!(text.contains("info string the total is 2^128 or more"), "{text}");
}
