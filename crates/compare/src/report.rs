//! The result of a hunt.

use std::fmt;

use serde::Serialize;

use crate::coverage::Ladder;
use crate::finding::{Finding, Opinion};

/// The verdict of a hunt on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All answers are right.
    Agrees,
    /// Some answers are wrong.
    Differs,
    /// The program gave no answers, or the hunt ended while it was late with one.
    Untestable,
}

impl Verdict {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agrees => "agrees",
            Self::Differs => "differs",
            Self::Untestable => "untestable",
        }
    }
}

/// The result of a hunt.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Does the program agree with tabiya?
    pub verdict: Verdict,
    /// The protocol that the program speaks.
    pub protocol: String,
    /// The number of questions.
    pub asked: u64,
    /// The leaf nodes of all questions of depth 2 and more, which determine the time for a slow
    /// program.
    #[serde(skip)]
    pub leaves: u64,
    /// The duration of the hunt in seconds.
    pub seconds: f64,
    /// The bugs, each under its likeliest cause, in the order in which the ladder shows them.
    pub findings: Vec<Finding>,
    /// How much was asked.
    pub ladder: Ladder,
    /// The reason why the first unanswered question has no answer.
    #[serde(skip)]
    pub trouble: Option<String>,
    /// Why the program could not be started any more, which ended the hunt.
    #[serde(skip)]
    pub lost: Option<String>,
    /// What makes a program testable whose answer could not be read.
    #[serde(skip)]
    pub advice: Option<&'static str>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.findings.iter().enumerate() {
            writeln!(out, "{}. {finding}", index + 1)?;
        }
        let (asked, noun) = (self.asked, if self.asked == 1 { "question" } else { "questions" });
        match self.verdict {
            Verdict::Agrees => write!(out, "No difference in {asked} {noun}.\n{}", self.ladder),
            Verdict::Differs => {
                let kinds = self.findings.len();
                let bugs = if kinds == 1 { "kind of bug" } else { "kinds of bugs" };
                write!(out, "{kinds} {bugs} in {asked} {noun}.\n{}", self.ladder)?;
                if let Some(why) = &self.lost {
                    write!(out, "\nThe program could not be tested to the end: {why}.")?;
                }
                let others = self
                    .findings
                    .iter()
                    .filter(|it| matches!(it.oracle, Some(Opinion::Disagrees(_))));
                match others.count() {
                    0 => Ok(()),
                    some => write!(
                        out,
                        "\nThe second opinion DISAGREES with tabiya about {some} of {kinds} findings: there tabiya \
                         may be wrong."
                    ),
                }
            }
            Verdict::Untestable => {
                let why = self.trouble.as_deref().unwrap_or("it gave no answer");
                write!(out, "The program could not be tested: {why}.")?;
                self.advice.map_or(Ok(()), |advice| write!(out, "\n{advice}"))
            }
        }
    }
}
