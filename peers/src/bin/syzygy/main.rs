//! Look-ups in Syzygy tables, by tabiya-syzygy, shakmaty-syzygy and pyrrhic-rs.
//!
//! The README describes the comparison.

mod readers;

use std::path::PathBuf;

use clap::Parser;
use tabiya::{Position, Role, Setup, Square};
use tabiya_peers::clock::Clock;
use tabiya_syzygy::{Folder, Material, Source};

use readers::Answers;

/// Compares look-ups of values and distances.
#[derive(Debug, Parser)]
struct Args {
    /// A folder with all tables of up to four pieces.
    folder: PathBuf,
    /// Number of positions of each table.
    #[arg(long, default_value_t = 2000)]
    positions: usize,
    /// Number of times that each reader goes through all positions; the median counts.
    #[arg(long, default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
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

/// What is measured.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Values, with all tables open.
    Wdl,
    /// Distances, with all tables open.
    Dtz,
    /// Opening the tables, and one value of each.
    ColdWdl,
    /// Opening the tables, and one distance of each.
    ColdDtz,
}

fn compare(args: &Args) -> Result<(), String> {
    let clock = Clock::of(args.cpu_time)?;
    let folder = Folder::open(&args.folder).map_err(|error| error.to_string())?;
    let mut random = Random(64);
    let mut materials: Vec<Material> = folder.files().iter().map(|file| file.material).collect();
    materials.sort_unstable();
    materials.dedup();
    materials.retain(|material| material.pieces() <= 4);
    let of_each = |count, random: &mut Random| -> Vec<Position> {
        let of = |material: &Material| {
            (0..count).map(|_| random.position(*material)).collect::<Vec<_>>()
        };
        materials.iter().flat_map(of).collect()
    };
    let few = of_each(1, &mut random);
    let mut many = of_each(args.positions, &mut random);
    // In no order of tables.
    for at in (1..many.len()).rev() {
        many.swap(at, random.below(at + 1));
    }
    for task in [Task::Wdl, Task::Dtz, Task::ColdWdl, Task::ColdDtz] {
        let is_cold = matches!(task, Task::ColdWdl | Task::ColdDtz);
        let positions = if is_cold { &few } else { &many };
        let mut readers = readers::all(&args.folder, positions)?;
        if matches!(task, Task::Dtz | Task::ColdDtz) {
            readers.retain(|reader| reader.has_distances());
        }
        let mut times = vec![Vec::new(); readers.len()];
        let mut found = vec![Answers::default(); readers.len()];
        for round in 0..=args.rounds {
            for (at, reader) in readers.iter_mut().enumerate() {
                if is_cold {
                    reader.close();
                }
                let begin = clock.now();
                if is_cold {
                    reader.open()?;
                }
                found[at] = match task {
                    Task::Wdl | Task::ColdWdl => reader.wdl(),
                    Task::Dtz | Task::ColdDtz => reader.dtz(),
                };
                // The first round brings the files into memory.
                if round > 0 {
                    times[at].push((clock.now() - begin).as_secs_f64());
                }
            }
        }
        println!("{task:?}: {} positions, {} time", positions.len(), clock.name());
        let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
        for (reader, seconds) in readers.iter().zip(&medians) {
            let nanoseconds = seconds / positions.len() as f64 * 1e9;
            let ratio = seconds / medians[0];
            println!("{:16} {nanoseconds:8.0} ns a position, tabiya {ratio:.2} x", reader.name());
        }
        if found.iter().any(|answers| *answers != found[0]) {
            return Err("the readers find different values".to_owned());
        }
    }
    Ok(())
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (self.0 >> 33) as usize % end
    }

    /// A position with this material in either colours.
    fn position(&mut self, material: Material) -> Position {
        loop {
            let mut setup = Setup::EMPTY;
            let material = if self.below(2) == 0 { material } else { material.swapped() };
            if self.below(2) == 0 {
                setup.turn = !setup.turn;
            }
            for color in tabiya::Color::ALL {
                for role in Role::ALL {
                    for _ in 0..material.count(color, role) {
                        let square = Square::ALL[self.below(64)];
                        setup.board.set(square, Some(role.of(color)));
                    }
                }
            }
            if Material::of(&setup.board) == material
                && let Ok(position) = Position::from_setup(&setup)
            {
                return position;
            }
        }
    }
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
