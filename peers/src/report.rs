//! The results as a table for people or as JSON lines for programs.

use comfy_table::{Cell, CellAlignment, Table};
use serde_json::json;

use crate::clock::Clock;
use crate::engines::BASELINE;
use crate::measure::{Measurements, mnps};

/// Prints a table in millions of leaf nodes per second: one row per engine, one column per
/// position.
pub fn print_table(measurements: &Measurements, rounds: u32, clock: Clock) {
    let aggregates = measurements.aggregates();
    let base = baseline(measurements);
    let mut table = Table::new();

    let mut header = vec![Cell::new("Mnps")];
    let first = aggregates.first().map_or("", |aggregate| aggregate.engine);
    for row in measurements.rows().iter().filter(|row| row.engine == first) {
        header.push(right(format!("{} D{}", row.position, row.depth)));
    }
    header.push(right("aggregate".to_owned()));
    header.push(right(format!("/ {BASELINE}")));
    table.set_header(header);

    for aggregate in &aggregates {
        let mut cells = vec![Cell::new(aggregate.engine)];
        for row in measurements.rows().iter().filter(|row| row.engine == aggregate.engine) {
            cells.push(right(format!("{:.1}", mnps(row.nodes, row.seconds))));
        }
        cells.push(right(format!("{:.1}", aggregate.mnps())));
        cells.push(right(
            base.map_or("-".to_owned(), |base| format!("{:.3}", aggregate.mnps() / base)),
        ));
        table.add_row(cells);
    }

    println!("{table}");
    let time = match clock {
        Clock::Wall => "wall-clock time",
        Clock::Cpu => "processor time of the thread",
    };
    println!(
        "Medians of {rounds} interleaved rounds, {time}, one thread, bulk counting, no table; \
         aggregate = all leaf nodes / sum of the medians."
    );
}

/// Prints one line per engine and position, then one line per engine with its total and ratio.
pub fn print_json(measurements: &Measurements, clock: Clock) {
    for row in measurements.rows() {
        println!(
            "{}",
            json!({
                "engine": row.engine,
                "position": row.position,
                "depth": row.depth,
                "nodes": row.nodes,
                "seconds": row.seconds,
                "clock": clock.name(),
            })
        );
    }
    let base = baseline(measurements);
    for aggregate in measurements.aggregates() {
        println!(
            "{}",
            json!({
                "engine": aggregate.engine,
                "aggregate": true,
                "nodes": aggregate.nodes,
                "seconds": aggregate.seconds,
                "clock": clock.name(),
                "mnps": aggregate.mnps(),
                "baseline": BASELINE,
                "ratio": base.map(|base| aggregate.mnps() / base),
            })
        );
    }
}

/// The speed of the baseline engine, if it was run.
fn baseline(measurements: &Measurements) -> Option<f64> {
    let aggregates = measurements.aggregates();
    aggregates.iter().find(|aggregate| aggregate.engine == BASELINE).map(|base| base.mnps())
}

/// A right-aligned cell.
fn right(text: String) -> Cell {
    Cell::new(text).set_alignment(CellAlignment::Right)
}
