//! Training files read and written, by tabiya-data and by the crates of the formats.
//!
//! The README describes the comparison.

mod binpack;
mod bulletformat;
mod viriformat;

use std::path::PathBuf;

use clap::Parser;
use tabiya::{Position, SplitMix64};
use tabiya_data::{Format, GameResult, Reader, Record, Writer};
use tabiya_peers::clock::Clock;
use tabiya_peers::group::{Contestant, Group};

/// Compares reading and writing training files.
#[derive(Debug, Parser)]
struct Args {
    /// Number of records of random games.
    #[arg(long, default_value_t = 1_000_000)]
    records: usize,
    /// The records of this binpack file instead.
    #[arg(long, value_name = "FILE", conflicts_with = "records")]
    file: Option<PathBuf>,
    /// Number of times that everything is measured; the median counts.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// Measure only groups whose title contains this text.
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Measure processor time of the thread instead of wall-clock time.
    #[arg(long)]
    cpu_time: bool,
}

fn main() {
    let args = Args::parse();
    if let Err(error) = compare(&args) {
        eprintln!("error: {error}");
        std::process::exit(2);
    }
}

fn compare(args: &Args) -> Result<(), String> {
    let clock = Clock::of(args.cpu_time)?;
    let records = match &args.file {
        Some(path) => {
            let file =
                std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            let mut records = Vec::new();
            let reader = Reader::new(&file[..], Format::Binpack);
            let read = reader.for_each(|record| records.push(record.clone()), Err);
            read.map_err(|error| error.to_string())?;
            records
        }
        None => games(args.records, &mut SplitMix64::new(65)),
    };
    println!("{} records, {} time", records.len(), clock.name());
    // Only binpack can do without scores.
    let scored: Vec<_> = records.iter().filter(|it| it.score.is_some()).cloned().collect();
    let groups = binpack::groups(&records).into_iter().chain(viriformat::groups(&scored));
    let groups = groups.chain(bulletformat::groups(&scored));
    for mut group in groups.filter(|group| group.title.contains(&args.only)) {
        group.measure(args.rounds, clock)?;
    }
    Ok(())
}

/// Random games with scores that go up and down.
fn games(count: usize, random: &mut SplitMix64) -> Vec<Record> {
    let mut records: Vec<Record> = Vec::with_capacity(count);
    while records.len() < count {
        let result = random.pick(&[GameResult::BlackWins, GameResult::Draw, GameResult::WhiteWins]);
        let (mut position, mut score) = (Position::START, 0);
        for ply in 0..20 + random.below(180) as u16 {
            let moves = position.legal_moves();
            if moves.is_empty() || records.len() == count {
                break;
            }
            let mv = random.pick(&moves);
            score = random.below(60) as i16 - 30 - score;
            let after = position.play(mv);
            let (mv, score, result) = (Some(mv), Some(score), Some(result));
            records.push(Record { position, mv, score, result, ply });
            position = after;
        }
    }
    records
}

/// The file with these records.
fn write(records: &[Record], format: Format) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), format).expect("a format that's written");
    records.iter().for_each(|record| writer.write(record).expect("a record of standard chess"));
    writer.finish().expect("memory can be written to")
}

/// Our contestant that reads.
fn reads<'a>(
    file: &'a [u8],
    format: Format,
    fields: impl Fn(&Record) -> u64 + 'a,
) -> Contestant<'a> {
    Contestant::new("tabiya-data, checked", move || {
        let mut sum = 0;
        let visit = |record: &Record| sum = mix(sum, fields(record));
        Reader::new(file, format).for_each(visit, Err).expect("a good file");
        sum
    })
}

/// Our contestant that writes.
fn writes(records: &[Record], format: Format) -> Contestant<'_> {
    Contestant::new("tabiya-data, records", move || sum_of(&write(records, format)))
}

/// A number on which all must agree.
fn mix(sum: u64, fields: u64) -> u64 {
    (sum ^ fields).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// The same for a written file, from some of its bytes.
fn sum_of(file: &[u8]) -> u64 {
    file.iter().step_by(997).fold(file.len() as u64, |sum, &byte| mix(sum, byte.into()))
}
