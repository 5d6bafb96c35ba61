//! A bug that was found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};
use tabiya_views::{Diagram, text};

use crate::class::Class;

/// A bug.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of the bug.
    #[serde(serialize_with = "class_name")]
    pub class: Class,
    /// The position before the moves, in FEN.
    pub start: String,
    /// The moves to the wrong position.
    pub moves: Vec<String>,
    /// The wrong position, in FEN.
    pub fen: String,
    /// The depth of the question.
    pub depth: u32,
    /// The right number of leaf nodes.
    pub expected: u128,
    /// The number that the program gives, or null if it gives none.
    pub got: Option<u128>,
    /// The illegal moves that the program lists.
    pub extra: Vec<String>,
    /// The legal moves that the program does not list.
    pub missing: Vec<String>,
    /// The moves that the program lists more than once.
    pub duplicated: Vec<String>,
    /// Why a move is illegal, or why it is legal.
    pub reasons: BTreeMap<String, String>,
    /// The smallest position with the same bug.
    pub shrunk: Option<Shrunk>,
    /// A further fact about the answer.
    pub note: Option<String>,
    /// Is the class proven? A small change of the rules gives exactly the program's answers wherever
    /// it was asked, or an experiment in new processes has shown it.
    pub proven: bool,
    /// Why it is proven, in a line.
    #[serde(skip)]
    pub proof: Option<String>,
    /// The class that explains each wrong move, as far as one is known.
    pub explained: BTreeMap<String, String>,
    /// The classes of other errors that this bug explains.
    #[serde(serialize_with = "class_names")]
    pub consequences: Vec<Class>,
    /// A command that asks the question.
    pub command: String,
    /// The second opinion.
    pub oracle: Option<Opinion>,
    /// The board, with the line that matters marked.
    #[serde(skip)]
    pub diagram: Diagram,
}

/// The smallest example of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shrunk {
    /// The position.
    pub fen: String,
    /// Moves to play from the position, for bugs that show only after moves.
    pub moves: Vec<String>,
    /// The depth.
    pub depth: u32,
    /// The right number of leaf nodes.
    pub expected: u128,
    /// The number that the program gives, or null if it gives none.
    pub got: Option<u128>,
    /// The illegal moves that the program lists.
    pub extra: Vec<String>,
    /// The legal moves that the program does not list.
    pub missing: Vec<String>,
    /// The moves that the program lists more than once.
    pub duplicated: Vec<String>,
    /// Does a new process show the bug with the command? Null if there was no time to find out.
    pub reproduces: Option<bool>,
    /// A command that shows the bug.
    pub command: String,
    /// A line for a suite.
    pub suite: String,
}

fn class_names<S: Serializer>(classes: &[Class], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(classes.iter().map(|class| class.name()))
}

fn class_name<S: Serializer>(class: &Class, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(class.name())
}

/// The opinion of a second program about a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Opinion {
    /// The second program gives the same answer as tabiya.
    Agrees,
    /// The second program gives a different answer, which the text describes.
    Disagrees(String),
    /// The second program gives no answer. The text gives the reason.
    Silent(String),
}

impl fmt::Display for Opinion {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => out.write_str("agrees"),
            Self::Disagrees(how) => write!(out, "DISAGREES with tabiya: {how}"),
            Self::Silent(why) => write!(out, "no answer: {why}"),
        }
    }
}

impl Serialize for Opinion {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Writes the extra, missing and duplicated moves, if there are any.
fn write_moves(out: &mut fmt::Formatter<'_>, moves: [&Vec<String>; 3]) -> fmt::Result {
    for (name, moves) in ["extra:", "missing:", "twice:"].into_iter().zip(moves) {
        if !moves.is_empty() {
            writeln!(out, "   {name:<9} {}", moves.join(" "))?;
        }
    }
    Ok(())
}

/// Writes what is wrong with one answer.
fn write_answer(
    out: &mut fmt::Formatter<'_>,
    (depth, got, expected): (u32, Option<u128>, u128),
    moves: [&Vec<String>; 3],
) -> fmt::Result {
    let got = got.map_or_else(|| "no answer".to_owned(), |it| it.to_string());
    writeln!(out, "   depth {depth}:  {got} instead of {expected}")?;
    write_moves(out, moves)
}

impl fmt::Display for Finding {
    /// Shows the smallest position: the one in which the bug was found has more that doesn't matter.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.class, self.class.description())?;
        if let Some(proof) = &self.proof {
            writeln!(out, "   proven:   {proof}")?;
        }
        let (fen, moves) = match &self.shrunk {
            Some(shrunk) => (&shrunk.fen, &shrunk.moves),
            None => (&self.start, &self.moves),
        };
        writeln!(out, "   position: {fen}")?;
        if !moves.is_empty() {
            writeln!(out, "   moves:    {}", moves.join(" "))?;
        }
        let shown = match &self.shrunk {
            Some(it) => {
                let moves = [&it.extra, &it.missing, &it.duplicated];
                write_answer(out, (it.depth, it.got, it.expected), moves)?;
                moves
            }
            None => {
                let moves = [&self.extra, &self.missing, &self.duplicated];
                write_answer(out, (self.depth, self.got, self.expected), moves)?;
                moves
            }
        };
        const MOST: usize = 6;
        let reasons: Vec<&String> =
            shown.into_iter().flatten().filter_map(|mv| self.reasons.get(mv)).collect();
        for reason in reasons.iter().take(MOST) {
            writeln!(out, "   - {reason}")?;
        }
        if reasons.len() > MOST {
            writeln!(out, "   - and {} more", reasons.len() - MOST)?;
        }
        if let Some(note) = &self.note {
            writeln!(out, "   note:     {note}")?;
        }
        let board = text::lines(std::slice::from_ref(&self.diagram), text::Glyphs::Ascii, 80);
        for line in text::plain(&board).lines() {
            writeln!(out, "   {}", line.trim_end())?;
        }
        writeln!(out, "   hint:     {}", self.class.hint())?;
        if let Some(shrunk) = &self.shrunk {
            writeln!(out, "   suite:    {}", shrunk.suite)?;
            writeln!(out, "   run:      {}", shrunk.command)?;
            if shrunk.reproduces == Some(false) {
                writeln!(
                    out,
                    "   The command alone does not show it: a new process gives the right answer."
                )?;
            }
        }
        for class in &self.consequences {
            writeln!(out, "   explains: {class}: {}", class.description())?;
        }
        if let Some(oracle) = &self.oracle {
            writeln!(out, "   second opinion: {oracle}")?;
        }
        Ok(())
    }
}
