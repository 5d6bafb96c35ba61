//! Answers as programs print them.

use crate::board::{Board, Move};
use crate::notation::written;
use crate::oddity::Oddity;

/// The kind of answer that is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    Uci,
    Perftree,
    Total,
    Moves,
}

/// The lines of an answer, as a program with this oddity prints them.
pub(crate) fn lines(
    board: &Board,
    counts: &[(Move, u64)],
    total: u64,
    style: Style,
    chess960: bool,
    oddity: Option<Oddity>,
) -> Vec<String> {
    let has = |one: Oddity| oddity == Some(one);
    let mut entries: Vec<(String, u64)> =
        counts.iter().map(|&(mv, count)| (written(board, mv, chess960, oddity), count)).collect();
    let mut total = total;
    if has(Oddity::ListsOnce) {
        let mut seen = std::collections::BTreeSet::new();
        entries.retain(|(text, _)| seen.insert(text.clone()));
        total = entries.iter().map(|(_, count)| count).sum();
    }
    if has(Oddity::Reversed) {
        entries.reverse();
    }
    if has(Oddity::Sorted) {
        entries.sort();
    }
    let number =
        |value: u64| if has(Oddity::Thousands) { thousands(value) } else { value.to_string() };
    let separator = match (oddity, style) {
        (Some(Oddity::Tabs), _) => "\t",
        (Some(Oddity::Space), _) | (_, Style::Perftree) => " ",
        _ => ": ",
    };
    let mut lines = Vec::new();
    let mut rest = entries.iter().zip(1..);
    match style {
        Style::Moves if has(Oddity::OneLine) => {
            lines.push(rest.map(|((text, _), _)| text.as_str()).collect::<Vec<_>>().join(" "));
        }
        Style::Moves if has(Oddity::Numbered) => {
            lines.extend(rest.map(|((text, _), index)| format!("{index}. {text}")));
        }
        Style::Moves => lines.extend(entries.iter().map(|(text, _)| text.clone())),
        Style::Total => {}
        Style::Uci | Style::Perftree => {
            if has(Oddity::ExtraLines) {
                lines.push("Perft of the position, one line a move".into());
                lines.push("+---+---+---+".into());
            }
            for ((text, count), index) in &mut rest {
                let head = if has(Oddity::Numbered) { format!("{index}. ") } else { String::new() };
                let count = number(*count);
                lines.push(match oddity {
                    Some(Oddity::Labels) => format!("move: {text} nodes: {count}"),
                    _ => format!("{head}{text}{separator}{count}"),
                });
                if has(Oddity::ExtraLines) && index % 5 == 0 {
                    lines.push(format!("DEBUG table 3% full, {index} moves done"));
                }
            }
        }
    }
    if has(Oddity::InfoString) {
        lines.insert(lines.len() / 2, "info string using 1 thread, 16 MB".into());
    }
    let sum = match (oddity, style) {
        (Some(Oddity::NoTotal | Oddity::ParallelQuiet), _) | (_, Style::Moves) => None,
        (Some(Oddity::TotalWord), _) => Some(format!("Total: {}", number(total))),
        (_, Style::Uci) => Some(format!("Nodes searched: {}", number(total))),
        _ => Some(number(total)),
    };
    if let Some(sum) = sum {
        if style != Style::Total {
            lines.push(String::new());
        }
        lines.push(sum);
    }
    if has(Oddity::Times) {
        lines.push("Time: 12 ms".into());
        lines.push("Speed: 1234567 nps".into());
    }
    if style == Style::Uci {
        lines.push(String::new());
    }
    lines
}

fn thousands(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
