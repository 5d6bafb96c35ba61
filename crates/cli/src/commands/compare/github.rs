//! Annotations of GitHub Actions: lines that a workflow shows next to the job.

use std::io::{self, Write};

use tabiya_compare::{Finding, Report, Trouble, Verdict};

use crate::output::number::quantity;

/// Writes an annotation for each finding, and one for the ladder.
pub(super) fn annotate(out: &mut dyn Write, report: &Report) -> io::Result<()> {
    for finding in &report.findings {
        let title = property(&format!("tabiya: {}", finding.class));
        writeln!(out, "::error title={title}::{}", message(&text(finding)))?;
    }
    let what = match report.verdict {
        Verdict::Untestable => {
            let text = message(&report.to_string());
            return writeln!(out, "::error title=tabiya::{text}");
        }
        Verdict::Agrees => {
            let asked = quantity(report.asked.into(), "question", "questions");
            format!("No difference in {asked}. ")
        }
        Verdict::Differs => String::new(),
    };
    writeln!(out, "::notice title=tabiya::{}", message(&format!("{what}{}", report.ladder)))
}

/// Writes the annotation for a program that could not be tested.
pub(super) fn could_not_be_tested(out: &mut dyn Write, trouble: &Trouble) -> io::Result<()> {
    let text = message(&format!("the program could not be tested: {trouble}"));
    writeln!(out, "::error title=tabiya::{text}")
}

/// The facts about a finding that fit into an annotation.
fn text(finding: &Finding) -> String {
    let mut lines = vec![finding.class.description().to_owned()];
    lines.extend(finding.reasons.values().take(2).cloned());
    lines.extend(finding.note.clone());
    if let Some(shrunk) = &finding.shrunk {
        lines.push(shrunk.fen.clone());
        if !shrunk.moves.is_empty() {
            lines.push(format!("moves {}", shrunk.moves.join(" ")));
        }
        lines.push(shrunk.command.clone());
    }
    lines.push(finding.class.hint().to_owned());
    lines.join("\n")
}

/// The text as a message, which is a single line.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// The text as a property, in which commas and colons are signs.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_escaped() {
        assert_eq!(message("50 %\nof: all"), "50 %25%0Aof: all");
        assert_eq!(property("tabiya: a, b"), "tabiya%3A a%2C b");
    }
}
