//! A move generator with a switch for every mistake that authors make, for tests of `tabiya
//! compare`.
//!
//! It shares no code with tabiya: the board is an array of 64 squares, and it has its own
//! implementation of the rules. Without a fault it is right, as the tests prove with published
//! counts.
//!
//! ```text
//! faulty [--fault NAME,…] [--oddity NAME] [--hash] [--chess960] [--protocol uci]
//!        [--delay MILLISECONDS] [--speed LEAF_NODES_A_SECOND]
//! faulty … --protocol perftree|total|moves DEPTH FEN [MOVES]
//! faulty --list            every fault with the class that must be reported
//! faulty --list-oddities   every oddity of output with the protocols in which it shows
//! ```

mod answer;
mod board;
mod faults;
mod movegen;
mod notation;
mod oddity;
mod perft;
mod program;

use std::process::ExitCode;
use std::time::Duration;

use answer::Style;
use faults::{FAULTS, Faults};
use oddity::{ODDITIES, Oddity};
use program::{Pace, Program};

fn main() -> ExitCode {
    match run(std::env::args().skip(1)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("faulty: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(mut arguments: impl Iterator<Item = String>) -> Result<(), String> {
    let (mut faults, mut oddity, mut style) = (Faults::default(), None, Style::Uci);
    let (mut hash, mut chess960, mut pace) = (false, false, Pace::default());
    let mut question = Vec::new();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or_else(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--list" => return list(FAULTS),
            "--list-oddities" => return list(ODDITIES),
            "--fault" => faults = Faults::named(&value()?)?,
            "--oddity" => {
                let name = value()?;
                oddity = Some(Oddity::named(&name).ok_or_else(|| format!("no oddity '{name}'"))?);
            }
            "--protocol" => {
                style = match value()?.as_str() {
                    "uci" => Style::Uci,
                    "perftree" => Style::Perftree,
                    "total" => Style::Total,
                    "moves" => Style::Moves,
                    other => return Err(format!("no protocol '{other}'")),
                };
            }
            "--delay" => {
                pace.delay = Duration::from_millis(number(&value()?)?);
            }
            "--speed" => pace.speed = Some(number(&value()?)?),
            "--hash" => hash = true,
            "--chess960" => chess960 = true,
            _ => question.push(argument),
        }
    }
    let program = Program::new(faults, oddity, style, hash, chess960, pace);
    if style == Style::Uci { program.uci() } else { program.answer_arguments(&question) }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("'{text}' is no number"))
}

fn list<T>(names: &[(T, &str, &str)]) -> Result<(), String> {
    for (_, name, class) in names {
        println!("{name} {class}");
    }
    Ok(())
}
