//! Random games, move by move, replayed by an independent implementation.
//!
//! The games are played here, and a line for each ply has everything that the library finds: the
//! move in three notations, the position in two forms of FEN and packed, the end of the game, a
//! draw that may be claimed, the number of times the position has occurred, and the Polyglot key.
//! `agreement/replay.py` replays them with python-chess, which only this test uses, and compares.
//! The lines go through a pipe, and nothing is kept.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use tabiya::fen::CastlingNotation;
use tabiya::{CastlingMode, Game, Move, MoveList, PackedPosition, Position, Role, SplitMix64};

use super::{Failure, Form};
use crate::environment::Environment;
use crate::output::say;

/// The version that the games are compared with.
const PEER: &str = "chess==1.11.2";
/// In a Chess960 game, each side may have its own arrangement of 960.
const ARRANGEMENTS: usize = 960;
/// Games end after this number of plies at the latest.
const MAX_PLIES: usize = 160;

/// Positions from which games reach the rules about material and about moves without progress.
const ENDINGS: [&str; 8] = [
    "8/8/4k3/8/8/3K4/8/R7 w - - 90 80",
    "8/8/4k3/8/2n5/3K4/8/1B6 b - - 40 80",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 93 60",
    "r3k2r/8/8/8/8/8/8/4K3 b kq - 130 90",
    "8/2p5/4k3/8/8/3K4/5P2/8 w - - 0 50",
    "8/1k6/8/3b4/8/2B5/6K1/8 w - - 145 99",
    "8/1k6/2q5/8/8/2N5/6K1/8 w - - 138 99",
    "7k/P7/8/8/8/8/p7/7K w - - 20 40",
];

pub(super) fn with_python_chess(form: &Form) -> Result<(), Failure> {
    let python = environment()?;
    let games = if form.long { 10_000 } else { 300 };
    let workers = thread::available_parallelism().map_or(1, |count| count.get().min(8));
    say(&format!("   {games} games in {workers} processes"));
    let results: Vec<Result<(), String>> = thread::scope(|scope| {
        let start = |worker| {
            let python = &python;
            scope.spawn(move || replay(python, (worker..games).step_by(workers)))
        };
        let started: Vec<_> = (0..workers).map(start).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, _>| {
            worker.join().unwrap_or_else(|_| Err("playing the games panicked".to_owned()))
        };
        started.into_iter().map(join).collect()
    });
    results.into_iter().collect::<Result<(), String>>().map_err(Failure::Failed)
}

/// The Python of a virtual environment with python-chess, which is made if it is not there.
fn environment() -> Result<PathBuf, Failure> {
    let environment = Environment::new("agreement", (3, 8));
    let made = environment.and_then(|environment| environment.with(&[PEER]));
    Ok(made.map_err(Failure::Missing)?.python())
}

/// Plays the games with these numbers and lets Python replay them.
fn replay(python: &PathBuf, games: impl Iterator<Item = usize>) -> Result<(), String> {
    let repository = crate::repository();
    let mut child = Command::new(python)
        .arg(repository.join("xtask/agreement/replay.py"))
        .arg(repository.join("crates/tabiya/docs/packed.md"))
        .stdin(Stdio::piped())
        .spawn()
        .map_err(|error| format!("{} cannot be started: {error}", python.display()))?;
    let mut lines = BufWriter::new(child.stdin.take().ok_or("there is no pipe")?);
    let mut written: io::Result<()> = Ok(());
    for number in games {
        written = written.and_then(|()| play(number, &mut lines));
    }
    let written = written.and_then(|()| lines.flush());
    drop(lines);
    let status = child.wait().map_err(|error| format!("python cannot be waited for: {error}"))?;
    if !status.success() {
        // The script has printed the reason. It has also closed the pipe.
        return Err(format!("the replay ended with {status}"));
    }
    written.map_err(|error| format!("the games cannot be passed on: {error}"))
}

/// Plays a game of random moves and writes its lines.
fn play(number: usize, lines: &mut dyn Write) -> io::Result<()> {
    let mut random = SplitMix64::new(number as u64);
    let mut game = Game::from_position(start(number, &mut random));
    // Some players like to go back to where they came from.
    let returns = [0, 0, 30, 80][number / 2 % 4];
    let chess960 = game.start().castling_mode() == CastlingMode::Chess960;
    writeln!(lines, "game\t{number}\t{}\t{}", u8::from(chess960), fen(game.start()))?;
    writeln!(lines, "{}", facts(&game, None, &mut random))?;
    for _ in 0..MAX_PLIES {
        let moves = game.position().legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = match way_back(&game, &moves) {
            Some(back) if random.below(100) < returns => back,
            _ => moves[random.below(moves.len())],
        };
        let before = game.position().clone();
        game.push(mv).map_err(io::Error::other)?;
        writeln!(lines, "{}", facts(&game, Some((&before, mv)), &mut random))?;
        // Play continues after a draw by material, repetition or moves for a while, since the
        // claims must stay right.
        if game.outcome().is_some() && random.below(8) == 0 {
            break;
        }
    }
    Ok(())
}

fn start(number: usize, random: &mut SplitMix64) -> Position {
    let mut arrangement = || random.below(ARRANGEMENTS) as u16;
    if number % 10 == 9 {
        let fen = ENDINGS[number / 10 % ENDINGS.len()];
        Position::from_fen(fen).expect("the endings are playable")
    } else if number.is_multiple_of(2) {
        Position::START
    } else if number % 4 == 1 {
        Position::chess960(arrangement()).expect("the number is below 960")
    } else {
        Position::double_chess960(arrangement(), arrangement()).expect("the numbers are below 960")
    }
}

/// The move that takes back the last one of the same side, if it is legal.
fn way_back(game: &Game, moves: &MoveList) -> Option<Move> {
    let [.., last, _] = game.moves() else { return None };
    moves.iter().copied().find(|mv| mv.from() == last.to() && mv.to() == last.from())
}

/// All results of the library for the position that a game has reached.
fn facts(game: &Game, played: Option<(&Position, Move)>, random: &mut SplitMix64) -> String {
    let position = game.position();
    let mut line = String::from("ply");
    let mut add = |text: &dyn std::fmt::Display| {
        write!(line, "\t{text}").expect("a string can be written to");
    };
    match played {
        Some((before, mv)) => {
            let san = before.san(mv).to_string();
            assert_eq!(before.parse_san(&san), Ok(mv), "{before:?}");
            assert_eq!(before.parse_san_strict(&san), Ok(mv), "{before:?}");
            add(&before.uci(mv));
            add(&san);
            add(&before.lan(mv));
        }
        None => ["-"; 3].iter().for_each(|none| add(none)),
    }
    add(&fen(position));
    add(&position.fen().castling(CastlingNotation::XFen));
    match game.outcome() {
        Some(outcome) => add(&format_args!("{} {}", outcome.name(), outcome.result())),
        None => add(&"-"),
    }
    add(&game.claim().map_or("-", |claim| claim.name()));
    add(&game.occurrences());
    add(&format_args!("{:016x}", position.polyglot_key()));
    let bytes = PackedPosition::of(position).to_bytes();
    add(&bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>());
    add(&probe(position, random));
    // Checks that need many moves are made only now and then.
    if random.below(8) == 0 {
        let moves = position.legal_moves();
        let all = moves.iter().map(|&mv| format!("{}={}", position.uci(mv), position.san(mv)));
        add(&all.collect::<Vec<_>>().join(" "));
        let by_move = |&mv: &Move| game.claim_by(mv).is_ok_and(|claim| claim.is_some());
        let claims = game.claim().is_some() || moves.iter().any(by_move);
        add(&u8::from(claims));
    }
    line
}

/// Text such as `Nd2`, which may be ambiguous or not legal, and the move that it is read as.
fn probe(position: &Position, random: &mut SplitMix64) -> String {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return "-".to_owned();
    }
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let role = roles[random.below(4)];
    let to = moves[random.below(moves.len())].to();
    let text = format!("{}{to}", role.letter().to_ascii_uppercase());
    match position.parse_san(&text) {
        Ok(mv) => format!("{text}={}", position.uci(mv)),
        Err(_) => format!("{text}=-"),
    }
}

/// The FEN with the files of rooks in Chess960.
fn fen(position: &Position) -> String {
    let notation = match position.castling_mode() {
        CastlingMode::Standard => CastlingNotation::XFen,
        CastlingMode::Chess960 => CastlingNotation::Shredder,
    };
    position.fen().castling(notation).to_string()
}
