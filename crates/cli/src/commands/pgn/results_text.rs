//! The results as text.

use std::io::{self, Write};
use std::time::Duration;

use tabiya_openings::Opening;
use tabiya_pgn::Termination;

use super::game::Kind;
use super::statistics::{File, Results, Statistics};
use crate::output::number::{measured_rate, percent, thousands, time};
use crate::output::printable;
use crate::output::table::{Column, Table};

/// Writes what was found in each file that was read, and the kinds of all errors and remarks.
pub(super) fn write_check(
    files: &[File],
    sums: &Statistics,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let read = || files.iter().filter(|file| file.was_read());
    let widest = read().map(|file| file.name.chars().count()).max().unwrap_or(0);
    let counts =
        |of: &Statistics| [of.games, of.broken, of.problems(true), of.problems(false)].map(number);
    let [games, broken, errors, remarks] = counts(sums).map(|count| count.len());
    let table = Table([
        Column::left("file", widest),
        Column::right("games", games),
        Column::right("broken", broken),
        Column::right("errors", errors),
        Column::right("remarks", remarks),
    ]);
    let row = |name: &str, of: &Statistics, out: &mut dyn Write| {
        let [games, broken, errors, remarks] = counts(of);
        table.row(out, [&printable(name), &games, &broken, &errors, &remarks])
    };
    table.head(out)?;
    for file in read() {
        row(&file.name, &file.statistics, out)?;
    }
    if files.len() > 1 {
        row("all", sums, out)?;
    }
    if !sums.kinds.is_empty() {
        writeln!(out)?;
        let rows = sums.kinds.iter().map(|(&kind, &count)| match kind {
            Kind::Error(name) => (format!("error: {name}"), number(count)),
            Kind::Remark(name) => (format!("remark: {name}"), number(count)),
        });
        let rows: Vec<_> = rows.collect();
        let widest = |of: fn(&(String, String)) -> &String| {
            rows.iter().map(|row| of(row).len()).max().unwrap_or(0)
        };
        let table = Table([
            Column::left("kind", widest(|row| &row.0)),
            Column::right("number", widest(|row| &row.1)),
        ]);
        table.head(out)?;
        rows.iter().try_for_each(|(name, count)| table.row(out, [name, count]))?;
    }
    writeln!(out, "\n{}", time_and_rate(sums.games, elapsed, "games per second"))
}

/// Writes statistics, and the most frequent openings.
pub(super) fn write_statistics(
    sums: &Statistics,
    elapsed: Duration,
    out: &mut dyn Write,
) -> io::Result<()> {
    let pace = time_and_rate(sums.games, elapsed, "per second");
    writeln!(out, "games       {} in {pace}", number(sums.games))?;
    if sums.broken > 0 {
        writeln!(out, "broken      {}", number(sums.broken))?;
    }
    if sums.duplicates > 0 {
        writeln!(out, "duplicates  {}", number(sums.duplicates))?;
    }
    writeln!(out, "selected    {}", number(sums.selected))?;
    let all = sums.selected as f64;
    let rows = Termination::ALL.into_iter().zip(sums.results);
    // Forfeits without a winner are rare.
    for (result, count) in rows.filter(|&(result, count)| {
        count > 0 || result == Termination::Unknown || result.result().is_some()
    }) {
        writeln!(out, "{:10}  {}, {}", result.as_str(), number(count), percent(count as f64, all))?;
    }
    if let (Some(shortest), Some(longest)) = (sums.shortest, sums.longest) {
        let mean = sums.plies as f64 / all;
        writeln!(
            out,
            "plies       {} in total, {mean:.1} per game, from {shortest} to {longest}",
            number(sums.plies)
        )?;
    }
    let openings = sums.openings();
    if openings.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let rows = openings.into_iter().map(|(moves, results)| (moves.join(" "), results)).collect();
    write_openings("opening", rows, sums, out)
}

/// Writes a table of the named openings.
pub(super) fn write_named_openings(sums: &Statistics, out: &mut dyn Write) -> io::Result<()> {
    let row = |(opening, results): (Option<Opening>, _)| {
        let eco = opening.map_or("", Opening::eco);
        (format!("{eco:3}  {}", opening.map_or("(no named position)", Opening::name)), results)
    };
    let rows = sums.named_openings().into_iter().map(row).collect();
    write_openings("eco  opening", rows, sums, out)
}

/// A table of openings, with their shares of the results.
fn write_openings(
    head: &'static str,
    rows: Vec<(String, Results)>,
    sums: &Statistics,
    out: &mut dyn Write,
) -> io::Result<()> {
    let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let table = Table([
        Column::left(head, widest),
        Column::right("games", number(sums.selected).len()),
        Column::right("1-0", 7),
        Column::right("0-1", 7),
        Column::right("1/2-1/2", 7),
    ]);
    table.head(out)?;
    for (name, results) in rows {
        let games: u64 = results.iter().sum();
        let share = |result: Termination| percent(results[result as usize] as f64, games as f64);
        let [white, black, draw] =
            [Termination::WhiteWins, Termination::BlackWins, Termination::Draw].map(share);
        table.row(out, [&name, &number(games), &white, &black, &draw])?;
    }
    Ok(())
}

fn number(number: u64) -> String {
    thousands(number.into())
}

/// The time, and also the games per second unless the time is too short to measure.
fn time_and_rate(games: u64, elapsed: Duration, unit: &str) -> String {
    match measured_rate(games.into(), elapsed) {
        Some(rate) => format!("{}, {rate} {unit}", time(elapsed)),
        None => time(elapsed),
    }
}
