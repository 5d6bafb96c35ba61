//! A hunt without the command: `cargo run --example hunt -- [--first] [--protocol NAME] CMD ARGS…`.

use std::time::{Duration, Instant};

use tabiya_compare::{Hunt, Log, Options, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut command: Vec<String> = std::env::args().skip(1).collect();
    let first = command.first().is_some_and(|it| it == "--first");
    if first {
        command.remove(0);
    }
    let mut protocol = None;
    if command.first().is_some_and(|it| it == "--protocol") && command.len() > 2 {
        protocol = Some(command[1].parse()?);
        command.drain(..2);
    }
    let chess960 = command.first().is_some_and(|it| it == "--chess960");
    if chess960 {
        command.remove(0);
    }
    let program = Program::connect(&command, protocol, Duration::from_secs(5), Log::default())?;
    let begin = Instant::now();
    let stop = || begin.elapsed() > Duration::from_secs(60);
    let options = Options { first, chess960, stop: &stop, ..Options::default() };
    let report = Hunt::new(&program, options).run(program.protocol().name());
    for finding in &report.findings {
        let shrunk = finding.shrunk.as_ref();
        let fen = shrunk.map_or("", |it| it.fen.as_str());
        let board = fen.split(' ').next().unwrap_or_default();
        let pieces = board.chars().filter(char::is_ascii_alphabetic).count();
        println!("{} ({pieces}) {fen}", finding.class);
        finding.consequences.iter().for_each(|class| println!("   explains {class}"));
    }
    println!(
        "{} leaves in {} questions, {:.1} s",
        report.leaves,
        report.asked,
        begin.elapsed().as_secs_f64()
    );
    Ok(())
}
