//! Interleaved runs and their medians.

use crate::clock::Clock;
use crate::engine::Engine;
use crate::position::Position;

/// An engine and what it counts.
pub type Task = (Box<dyn Engine>, Vec<Position>);

/// The result of one engine for one position.
#[derive(Debug)]
pub struct Measurement {
    pub engine: &'static str,
    pub position: String,
    pub depth: u32,
    pub nodes: u64,
    /// The median of all rounds.
    pub seconds: f64,
}

/// The result of one engine for all positions.
#[derive(Debug)]
pub struct Aggregate {
    pub engine: &'static str,
    pub nodes: u64,
    /// The sum of the medians.
    pub seconds: f64,
}

impl Aggregate {
    /// Millions of leaf nodes per second.
    pub fn mnps(&self) -> f64 {
        mnps(self.nodes, self.seconds)
    }
}

/// All results, sorted by engine and then by position.
#[derive(Debug, Default)]
pub struct Measurements {
    rows: Vec<Measurement>,
    mismatches: Vec<String>,
}

impl Measurements {
    /// Runs every engine on each of its positions, `rounds` times. All have the same positions, but
    /// perhaps at different depths.
    ///
    /// Within a round the engines take turns at each position. So the figures that are compared
    /// are measured shortly after each other.
    pub fn take(tasks: &mut [Task], rounds: u32, clock: Clock) -> Result<Self, String> {
        let positions = tasks.first().map_or(0, |(_, positions)| positions.len());
        let mut seconds = vec![vec![Vec::new(); positions]; tasks.len()];
        let mut mismatches = Vec::new();
        for _ in 0..rounds {
            for p in 0..positions {
                for ((engine, positions), seconds) in tasks.iter_mut().zip(&mut seconds) {
                    let position = &positions[p];
                    let start = engine.now(clock);
                    let nodes = engine.perft(&position.fen, position.depth).map_err(|error| {
                        format!("{} on {}: {error}", engine.name(), position.name)
                    })?;
                    seconds[p].push((engine.now(clock) - start).as_secs_f64());
                    if nodes != position.nodes {
                        let text = mismatch(engine.name(), position, nodes);
                        if !mismatches.contains(&text) {
                            mismatches.push(text);
                        }
                    }
                }
            }
        }

        let mut rows = Vec::new();
        for ((engine, positions), times) in tasks.iter().zip(seconds) {
            for (position, times) in positions.iter().zip(times) {
                rows.push(Measurement {
                    engine: engine.name(),
                    position: position.name.clone(),
                    depth: position.depth,
                    nodes: position.nodes,
                    seconds: median(times),
                });
            }
        }
        Ok(Self { rows, mismatches })
    }

    /// One row per engine and position.
    pub fn rows(&self) -> &[Measurement] {
        &self.rows
    }

    /// The wrong counts, each reported once.
    pub fn mismatches(&self) -> &[String] {
        &self.mismatches
    }

    /// One total per engine, in the order of the rows.
    pub fn aggregates(&self) -> Vec<Aggregate> {
        self.rows
            .chunk_by(|a, b| a.engine == b.engine)
            .map(|rows| Aggregate {
                engine: rows[0].engine,
                nodes: rows.iter().map(|row| row.nodes).sum(),
                seconds: rows.iter().map(|row| row.seconds).sum(),
            })
            .collect()
    }
}

/// Millions of leaf nodes per second.
pub fn mnps(nodes: u64, seconds: f64) -> f64 {
    nodes as f64 / seconds / 1e6
}

fn mismatch(engine: &str, position: &Position, nodes: u64) -> String {
    format!(
        "{engine} counts {nodes} leaf nodes on {} at depth {}, expected {}",
        position.name, position.depth, position.nodes
    )
}

/// The median of at least one value.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An engine that always returns the same count.
    struct Fixed(u64);

    impl Engine for Fixed {
        fn name(&self) -> &'static str {
            "fixed"
        }

        fn perft(&mut self, _: &str, _: u32) -> Result<u64, String> {
            Ok(self.0)
        }
    }

    fn position() -> Position {
        Position { name: "p".to_owned(), fen: String::new(), depth: 1, nodes: 20 }
    }

    #[test]
    fn median_of_odd_and_even_numbers_of_values() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
    }

    #[test]
    fn a_wrong_count_is_reported_once() {
        let mut tasks: [Task; 1] = [(Box::new(Fixed(21)), vec![position()])];
        let taken = Measurements::take(&mut tasks, 3, Clock::Wall).unwrap();
        assert_eq!(taken.mismatches(), ["fixed counts 21 leaf nodes on p at depth 1, expected 20"]);
    }

    #[test]
    fn a_correct_count_is_not_reported() {
        let mut tasks: [Task; 1] = [(Box::new(Fixed(20)), vec![position(), position()])];
        let taken = Measurements::take(&mut tasks, 2, Clock::Wall).unwrap();
        assert!(taken.mismatches().is_empty());
        assert_eq!(taken.aggregates()[0].nodes, 40);
    }
}
