//! What a hunt has found, for people and for programs.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use tabiya::{Bitboard, Move, Position, Reason, Role, UciMove, attacks};
use tabiya_frontend::layer::LayerSquares;
use tabiya_frontend::{Diagram, text};

use crate::class::Class;
use crate::generator::Generator;
use crate::hunt::{Case, DISAGREES, Hunt, Options};
use crate::reading::{plain_uci, wrong_promotion};

/// What a hunt says about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// All answers are right.
    Agrees,
    /// Some answers are wrong.
    Differs,
    /// The program gave no answers.
    Untestable,
}

impl Verdict {
    /// The exit code of `tabiya compare`.
    ///
    /// ```
    /// assert_eq!(tabiya_compare::Verdict::Differs.exit_code(), 1);
    /// ```
    pub const fn exit_code(self) -> u8 {
        match self {
            Self::Agrees => 0,
            Self::Differs => 1,
            Self::Untestable => 2,
        }
    }

    /// The name for programs.
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
    /// The leaf nodes of the questions of depth 2 and more: how long a slow program takes.
    #[serde(skip)]
    pub leaves: u64,
    /// The time that it took.
    pub seconds: f64,
    /// What is wrong: the smallest example of each class, the simplest first.
    pub findings: Vec<Finding>,
    /// The first question that was not answered, and why.
    #[serde(skip)]
    pub trouble: Option<String>,
}

/// A bug.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// The kind of the bug.
    #[serde(serialize_with = "class_name")]
    pub class: Class,
    /// The position in which the moves begin, in FEN.
    pub start: String,
    /// The moves to the position that goes wrong.
    pub moves: Vec<String>,
    /// The position that goes wrong, in FEN.
    pub fen: String,
    /// The depth of the question.
    pub depth: u32,
    /// The right number of leaf nodes.
    pub expected: u64,
    /// The number that the program gives; null if it gives none.
    pub got: Option<u64>,
    /// The illegal moves that it lists.
    pub extra: Vec<String>,
    /// The legal moves that it does not list.
    pub missing: Vec<String>,
    /// The moves that it lists more than once.
    pub duplicated: Vec<String>,
    /// Why a move is illegal, or what makes it legal.
    pub reasons: BTreeMap<String, String>,
    /// The smallest position with the same bug.
    pub shrunk: Option<Shrunk>,
    /// A further fact about the answer.
    pub note: Option<String>,
    /// A command that asks the question.
    pub command: String,
    /// What the second opinion says.
    pub oracle: Option<String>,
    /// The board, with the line that matters marked.
    #[serde(skip)]
    pub diagram: Diagram,
}

/// The smallest example of a bug.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shrunk {
    /// The position.
    pub fen: String,
    /// Moves to play from it, for bugs that show only after moves.
    pub moves: Vec<String>,
    /// The depth.
    pub depth: u32,
    /// A command that shows the bug.
    pub command: String,
    /// A line for a suite.
    pub suite: String,
}

fn class_name<S: serde::Serializer>(class: &Class, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(class.name())
}

pub(crate) fn finding(case: &Case, shrunk: Option<Shrunk>) -> Finding {
    let position = case.position();
    let question = case.question();
    let uci = |mv: &Move| position.uci(*mv).to_string();
    let mut reasons = BTreeMap::new();
    let mut line = Bitboard::EMPTY;
    for text in &case.extra {
        let Some(uci) = plain_uci(text) else {
            let why = match position.parse_move(text) {
                _ if wrong_promotion(text) => {
                    "a pawn promotes to a knight, a bishop, a rook or a queen".to_owned()
                }
                Err(error) => {
                    let sentence = error.to_string();
                    // What is only the reason: that the move is illegal is said below.
                    match sentence.split_once(" is not legal: ") {
                        Some((_, reasons)) => reasons.to_owned(),
                        None => sentence,
                    }
                }
                Ok(_) => continue,
            };
            reasons.insert(text.clone(), format!("{text} is illegal: {why}"));
            continue;
        };
        let explanation = position.explain(uci);
        let sentences: Vec<String> = explanation.reasons().iter().map(Reason::to_string).collect();
        reasons.insert(text.clone(), format!("{uci} is illegal: {}", sentences.join("; ")));
        line |= explanation.reasons().iter().fold(Bitboard::EMPTY, |all, it| all | shown(it, uci));
    }
    for mv in &case.missing {
        reasons.insert(uci(mv), format!("{} is legal: {}", uci(mv), facts(&position, *mv)));
        line |= attacks::between(mv.from(), mv.to()).with(mv.from()).with(mv.to());
    }
    let mut diagram = Diagram::new(*position.board());
    diagram.title = Some(case.class.name().to_owned());
    if line.any() {
        diagram.layers.push(LayerSquares { name: "line".to_owned(), squares: line, note: None });
    }
    let count = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    Finding {
        class: case.class,
        start: question.fen,
        moves: question.moves,
        fen: crate::hunt::fen_in(&position, case.en_passant),
        depth: case.depth,
        expected: count(case.expected),
        got: case.got.map(count),
        extra: case.extra.clone(),
        missing: case.missing.iter().map(uci).collect(),
        duplicated: case.duplicated.iter().map(uci).collect(),
        reasons,
        shrunk,
        note: case.note.clone(),
        command: String::new(),
        oracle: None,
        diagram,
    }
}

/// The squares that a reason is about.
fn shown(reason: &Reason, uci: UciMove) -> Bitboard {
    let line = |a: tabiya::Square, b: tabiya::Square| attacks::between(a, b).with(a).with(b);
    match *reason {
        Reason::EnPassantUncovers { king, by } | Reason::Pinned { king, by, .. } => {
            line(king, by.square)
        }
        Reason::KingAttacked { to, by }
        | Reason::CastlingInto { to, by }
        | Reason::CastlingThrough { through: to, by } => line(to, by.square),
        _ => Bitboard::EMPTY.with(uci.from).with(uci.to),
    }
}

/// What makes a move legal.
fn facts(position: &Position, mv: Move) -> String {
    let role = position.role_of(mv);
    let (from, to) = (mv.from(), mv.to());
    let capture = position.captured_by(mv).map(|it| format!("takes the {it} on {to}"));
    if mv.is_en_passant() {
        let pawn = tabiya::Square::new(to.file(), from.rank());
        let home = to.step(position.turn().forward()).unwrap_or(to);
        return format!(
            "the pawn takes the pawn that has just played {home}{pawn}, and no line to the king opens"
        );
    }
    if mv.castling().is_some() {
        return "king and rook have not moved, the squares between them are empty, and the king \
                crosses no attacked square"
            .to_owned();
    }
    let does = capture.unwrap_or_else(|| format!("goes to {to}, which is empty"));
    let safe = if role == Role::King {
        format!("no piece attacks {to}")
    } else if position.is_check() {
        "it answers the check".to_owned()
    } else if position.pinned().has(from) {
        "it stays on the line of the pin".to_owned()
    } else {
        "no line to the king opens".to_owned()
    };
    let promotes = mv.promotion().map(|it| format!(", promotes to a {it}")).unwrap_or_default();
    format!("the {role} on {from} {does}{promotes}, and {safe}")
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.findings.iter().enumerate() {
            writeln!(out, "{}. {finding}", index + 1)?;
        }
        match self.verdict {
            Verdict::Agrees => write!(out, "No difference in {} questions.", self.asked),
            Verdict::Differs => {
                let kinds = self.findings.len();
                let noun = if kinds == 1 { "kind of bug" } else { "kinds of bugs" };
                write!(out, "{kinds} {noun} in {} questions.", self.asked)?;
                let others = self.findings.iter().filter(|it| {
                    it.oracle.as_deref().is_some_and(|opinion| opinion.starts_with(DISAGREES))
                });
                match others.count() {
                    0 => Ok(()),
                    some => write!(
                        out,
                        "\nThe second opinion {DISAGREES} about {some} of {kinds} findings: there tabiya \
                         may be wrong."
                    ),
                }
            }
            Verdict::Untestable => {
                let why = self.trouble.as_deref().unwrap_or("it gave no answer");
                write!(out, "The program could not be tested: {why}.")
            }
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.class, self.class.description())?;
        if !self.moves.is_empty() {
            writeln!(out, "   start:    {}", self.start)?;
            writeln!(out, "   moves:    {}", self.moves.join(" "))?;
        }
        writeln!(out, "   position: {}", self.fen)?;
        let got = self.got.map_or_else(|| "no answer".to_owned(), |it| it.to_string());
        writeln!(out, "   depth {}:  {got} instead of {}", self.depth, self.expected)?;
        for (name, moves) in
            [("extra", &self.extra), ("missing", &self.missing), ("twice", &self.duplicated)]
        {
            if !moves.is_empty() {
                writeln!(out, "   {:<9} {}", format!("{name}:"), moves.join(" "))?;
            }
        }
        const MOST: usize = 6;
        for reason in self.reasons.values().take(MOST) {
            writeln!(out, "   - {reason}")?;
        }
        if self.reasons.len() > MOST {
            writeln!(out, "   - and {} more", self.reasons.len() - MOST)?;
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
            writeln!(out, "   smallest: {}", shrunk.fen)?;
            if !shrunk.moves.is_empty() {
                writeln!(out, "   moves:    {}", shrunk.moves.join(" "))?;
            }
            writeln!(out, "   suite:    {}", shrunk.suite)?;
            writeln!(out, "   run:      {}", shrunk.command)?;
        }
        if let Some(oracle) = &self.oracle {
            writeln!(out, "   second opinion: {oracle}")?;
        }
        Ok(())
    }
}

/// Panics with the report if a generator does not agree with tabiya. For tests.
///
/// The number of questions is limited, so that a test takes seconds. For more, see [`Hunt`].
///
/// # Panics
/// If the generator differs, or gives no answers.
///
/// ```should_panic
/// use tabiya_compare::{Generator, Query, Trouble, assert_agrees};
/// struct Wrong;
/// impl Generator for Wrong {
///     fn perft(&self, _: &Query) -> Result<u128, Trouble> {
///         Ok(20)
///     }
/// }
/// assert_agrees(&Wrong);
/// ```
#[track_caller]
pub fn assert_agrees(generator: &dyn Generator) {
    let options = Options { questions: Some(2_500), ..Options::default() };
    let report = Hunt::new(generator, options).run("in-process");
    assert!(report.verdict == Verdict::Agrees, "{report}");
}
