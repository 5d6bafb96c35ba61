//! The tables at the end.

use std::fmt::Write;

use crate::kind::Kind;
use crate::record::{Feature, Record};
use crate::run::Results;

/// The comparisons by source and by kind, and the features that occurred.
pub fn tables(results: &Results) -> String {
    let mut text = String::new();
    let sum = results.sum();
    let number = |number: u64| grouped(number);
    let mut line = |cells: [&str; 6]| {
        let [name, positions, distinct, moves, comparisons, differences] = cells;
        writeln!(
            text,
            "{name:14} {positions:>13} {distinct:>13} {moves:>15} {comparisons:>16} {differences:>11}"
        )
        .expect("a string takes everything");
    };
    line(["source", "positions", "distinct", "moves", "comparisons", "differences"]);
    let all = ("all", &sum);
    let sources = results.sources.iter().map(|(source, record)| (source.name(), record));
    for (name, record) in sources.chain((results.sources.len() != 1).then_some(all)) {
        line([
            name,
            &number(record.positions),
            &about(record.distinct.estimate().min(record.positions as f64)),
            &number(record.moves),
            &number(record.all_comparisons()),
            &number(record.all_differences()),
        ]);
    }
    text.push('\n');
    by_kind(&sum, &mut text);
    text.push('\n');
    features(&sum, &mut text);
    let seconds = results.time.as_secs_f64();
    let rate = sum.positions as f64 / seconds.max(1e-9);
    let rate = grouped(rate as u64);
    writeln!(text, "\n{} positions in {seconds:.1} s, {rate} a second", number(sum.positions))
        .expect("a string takes everything");
    text
}

fn by_kind(sum: &Record, text: &mut String) {
    let mut line = |cells: [&str; 4]| {
        let [kind, every, comparisons, differences] = cells;
        writeln!(text, "{kind:14} {every:>13} {comparisons:>16} {differences:>11}")
            .expect("a string takes everything");
    };
    line(["kind", "at one in", "comparisons", "differences"]);
    for kind in Kind::ALL {
        let (comparisons, differences) =
            (sum.comparisons[kind as usize], sum.differing[kind as usize]);
        line([
            kind.name(),
            &kind.every().to_string(),
            &grouped(comparisons),
            &grouped(differences),
        ]);
    }
}

fn features(sum: &Record, text: &mut String) {
    writeln!(text, "{:44} {:>13}", "positions with", "number").expect("a string takes everything");
    for feature in Feature::ALL {
        let number = grouped(sum.features[feature as usize]);
        writeln!(text, "{:44} {number:>13}", feature.name()).expect("a string takes everything");
    }
}

/// An estimate, to three digits.
fn about(number: f64) -> String {
    let unit = 10f64.powi((number.max(1.0).log10() as i32 - 2).max(0));
    format!("~{}", grouped(((number / unit).round() * unit) as u64))
}

/// The exit status: 1 if there is a difference, 130 if Ctrl-C ended the comparison before.
pub fn status(differences: u64, was_stopped: bool) -> u8 {
    match (differences > 0, was_stopped) {
        (true, _) => 1,
        (false, true) => 130,
        (false, false) => 0,
    }
}

/// A number with a comma after each group of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_matters_more_than_ctrl_c() {
        assert_eq!(
            [(0, false), (0, true)].map(|(count, stopped)| status(count, stopped)),
            [0, 130]
        );
        assert_eq!([(1, false), (9, true)].map(|(count, stopped)| status(count, stopped)), [1, 1]);
    }

    #[test]
    fn numbers_have_groups_of_three_digits() {
        let texts = [0, 999, 1000, 1_234_567].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 96.4, 123_456.0].map(about), ["~0", "~96", "~123,000"]);
    }
}
