//! A pasted divide, compared with the right counts. No program is started: the user takes the place
//! of the hunt, asks their program the next question, and pastes the answer.

mod counts;
mod list;
mod origin;
mod remarks;
mod rows;

use std::cmp::Reverse;

use serde::Serialize;
use tabiya::{Move, Position};

use crate::case::{Case, Diff};
use crate::class::Class;
use crate::describe;
use crate::divide::Divide;
use crate::examine::Cause;
use crate::finding::Finding;
use crate::question::{Question, fen};
use crate::reading::{ReadError, read_divide};
use crate::truth::{self, Told};

pub use remarks::{Remark, RemarkKind};
pub use rows::{ComparedMove, MoveState};

/// The most moves of a text that are compared. No position has more than 218.
const MOST_MOVES: usize = 2_000;
/// The most illegal moves that are named one by one.
const MOST_ILLEGAL: usize = 100;

/// A question that a user has asked a program by hand.
///
/// ```
/// use tabiya::Position;
/// use tabiya_compare::Asked;
///
/// let asked = Asked::of_fen(Position::START, 3);
/// assert_eq!(asked.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
/// ```
#[derive(Clone, Debug)]
pub struct Asked {
    /// The position whose FEN the program was given.
    pub start: Position,
    /// The moves that the program was told to play from there.
    pub moves: Vec<Move>,
    /// The depth.
    pub depth: u32,
    /// The program's answer one ply above, if this question examines one of its counts.
    pub above: Option<Above>,
}

/// A count that looked wrong one ply above.
#[derive(Clone, Debug)]
pub struct Above {
    /// The position one ply above.
    pub position: Position,
    /// The move that leads from there to the position of the question.
    pub mv: Move,
    /// The program's count for this move.
    pub count: u128,
    /// Were most of the counts in that position wrong? See [`Comparison::most_wrong`].
    pub most_wrong: bool,
}

impl Asked {
    /// Creates a question about a position, asked by its FEN.
    pub const fn of_fen(start: Position, depth: u32) -> Self {
        Self { start, moves: Vec::new(), depth, above: None }
    }

    /// The position after the moves.
    pub fn position(&self) -> Position {
        self.moves.iter().fold(self.start.clone(), |position, &mv| position.play(mv))
    }

    /// The FEN for the program. It has the en-passant square if a pawn could capture there, legally
    /// or not.
    pub fn fen(&self) -> String {
        fen(&self.start)
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Outcome {
    /// Everything that can be compared is right.
    Agrees,
    /// Something is wrong.
    Differs,
    /// A line can't be read, or no line has a count or a move.
    Unreadable,
}

/// A pasted divide compared with the right one.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// The result in a word.
    pub outcome: Outcome,
    /// The legal moves in the order of the generator, followed by the other listed moves.
    pub moves: Vec<ComparedMove>,
    /// The right total; missing while the count of a move is unknown.
    pub right_total: Option<u128>,
    /// The total that the text gives.
    pub printed_total: Option<u128>,
    /// The sum of the counts in the text; missing if the text has none, or only some of the lines.
    pub sum: Option<u128>,
    /// The classes of the bug, if the answer shows them. Each has its moves and their reasons.
    pub diagnoses: Vec<Diagnosis>,
    /// The moves to examine one ply deeper, the smallest difference first.
    pub descend: Vec<String>,
    /// Are most of the counts wrong?
    pub most_wrong: bool,
    /// Remarks about the text as a whole.
    pub remarks: Vec<Remark>,
    /// The number of unread lines.
    pub unread_count: u32,
    /// The line that can't be read, if there is one. Then nothing is compared.
    pub unread: Vec<UnreadLine>,
    /// The number of moves that are left out because the text has too many.
    pub left_out: u32,
}

/// A line that can't be read, although it looks like a part of the answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnreadLine {
    /// The number of the line in the text, from 1.
    pub number: u32,
    /// The text of the line, or the beginning of it.
    pub text: String,
    /// What was expected in its place.
    pub expected: &'static str,
}

/// A kind of bug, and its evidence.
///
/// A change of the rules gives exactly what the text says, or a part of it. One answer proves no
/// more than this: where other changes do the same, the note names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The name of the [`Class`].
    pub class: &'static str,
    /// The bug, in one line.
    pub description: &'static str,
    /// A hint where to look in the code.
    pub hint: &'static str,
    /// The illegal moves that are listed.
    pub extra: Vec<String>,
    /// The legal moves that are not listed.
    pub missing: Vec<String>,
    /// The moves that are listed more than once.
    pub duplicated: Vec<String>,
    /// Why these moves are illegal, or why they are legal.
    pub reasons: Vec<String>,
    /// The relevant squares.
    pub squares: u64,
    /// A further fact, and the other classes that fit.
    pub note: Option<String>,
}

/// Compares the text that a program printed with the right count of each legal move. A count is
/// `None` if it is not known yet.
///
/// The answer is short even if the text is long. The length of the text matters only for the time
/// to read it.
///
/// ```
/// use tabiya::Position;
/// use tabiya_compare::{Asked, MoveState, Outcome, compare_divide};
///
/// let start = Position::START;
/// let right: Vec<_> = start.legal_moves().into_iter().map(|mv| (mv, 1)).collect();
/// let text = "a2a3: 1\na2a4: 1\ne2e5: 1\nTotal: 3\n";
/// let comparison = compare_divide(&Asked::of_fen(start, 1), &right, text);
/// assert_eq!(comparison.outcome, Outcome::Differs);
/// let state = |uci: &str| comparison.moves.iter().find(|it| it.uci == uci).unwrap().state;
/// assert_eq!(state("a2a4"), MoveState::Same);
/// assert_eq!(state("h2h4"), MoveState::Missing);
/// assert_eq!(state("e2e5"), MoveState::Illegal);
/// ```
pub fn compare_divide(asked: &Asked, right: &[(Move, u128)], text: &str) -> Comparison {
    let here = asked.position();
    let right_of = |mv: Move| right.iter().find(|(each, _)| *each == mv).map(|it| it.1);
    let right_total = match asked.depth {
        0 => Some(1),
        _ => here.legal_moves().into_iter().map(right_of).sum::<Option<u128>>(),
    };
    let (mut divide, unread) = match read_divide(text) {
        Ok(divide) => (divide, Vec::new()),
        Err(error) => (Divide::default(), vec![UnreadLine::of(error)]),
    };
    let left_out = divide.moves.len().saturating_sub(MOST_MOVES);
    divide.moves.truncate(MOST_MOVES);
    let (divide, illegal_left_out) = bounded(&here, &divide);
    let mut told: Vec<Told> =
        divide.moves.iter().map(|(text, _)| truth::resolve(&here, text)).collect();
    let mut diff = Diff::of(&here, &told);
    let mut moves = rows::rows(&here, &divide, &diff, &right_of);
    // A line that wasn't copied says nothing about the program.
    let is_partial = remarks::is_incomplete(&divide, right_total, &moves);
    if is_partial {
        told.extend(diff.missing.drain(..).map(Told::Legal));
    }
    let subject =
        Subject { asked, here: &here, divide: &divide, told: &told, diff: &diff, right_total };
    let is_empty = divide.moves.is_empty() && divide.total.is_none();
    let is_silent = is_empty && unread.is_empty() && right_total == Some(0);
    let is_unreadable = is_empty && !is_silent;
    // A total of 0 is a list without moves.
    let is_list = !divide.moves.is_empty() || divide.total == Some(0);
    let remarks = remarks::remarks(&subject, &moves, is_partial);
    let mut findings = if is_unreadable || origin::is_of_other_position(&subject) {
        Vec::new()
    } else if is_list && diff.is_wrong() {
        // The list says the same at each depth, so the depth comes first.
        subject.other_depth(&moves).map_or_else(|| subject.list(), |it| vec![it])
    } else if is_partial {
        Vec::new()
    } else {
        subject.counts(&moves).into_iter().collect()
    };
    // The diagnosis that explains the most moves comes first.
    findings.sort_by_key(|it| {
        let moves = it.extra.len() + it.missing.len() + it.duplicated.len();
        (it.class != Class::WrongSide, Reverse(moves))
    });
    rows::explain(&mut moves, &findings);
    let is_unknown = |it: &ComparedMove| !is_list || is_partial && it.is_missing();
    moves.iter_mut().filter(|it| is_unknown(it)).for_each(ComparedMove::forget);
    let is_other = |total| right_total.is_some_and(|right| total != right);
    let differs = !findings.is_empty()
        || moves.iter().any(|it| it.state.is_wrong())
        || divide.total.is_some_and(is_other);
    let outcome = match (is_unreadable, differs) {
        (true, _) => Outcome::Unreadable,
        (false, true) => Outcome::Differs,
        (false, false) => Outcome::Agrees,
    };
    let has_counts = divide.moves.iter().any(|(_, count)| count.is_some());
    Comparison {
        outcome,
        right_total,
        printed_total: divide.total,
        sum: (has_counts && !is_partial).then(|| divide.sum()),
        diagnoses: findings.iter().map(Diagnosis::of).collect(),
        descend: rows::descend(&moves, asked.depth),
        most_wrong: moves.iter().filter(|it| it.state == MoveState::Differs).count() * 2
            > moves.len(),
        remarks,
        unread_count: short(unread.len()),
        unread,
        left_out: short(left_out + illegal_left_out),
        moves,
    }
}

fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The divide with only the illegal moves that are named, and the number of the others.
fn bounded(here: &Position, divide: &Divide) -> (Divide, usize) {
    let (mut illegal, mut left_out) = (Vec::new(), 0);
    let mut kept = Divide { moves: Vec::new(), total: divide.total };
    let mut seen = Vec::new();
    for (text, count) in &divide.moves {
        let told = truth::resolve(here, text);
        let keep = if let Told::Legal(mv) = told {
            seen.push(mv);
            // Two occurrences are enough to report a duplicate.
            seen.iter().filter(|it| **it == mv).count() <= 2
        } else {
            let text = told.text();
            let is_new = illegal.len() < MOST_ILLEGAL && !illegal.contains(&text);
            if is_new {
                illegal.push(text);
            }
            is_new
        };
        if keep {
            kept.moves.push((text.clone(), *count));
        } else {
            left_out += 1;
        }
    }
    (kept, left_out)
}

/// The data that is compared.
pub(crate) struct Subject<'a> {
    asked: &'a Asked,
    here: &'a Position,
    divide: &'a Divide,
    told: &'a [Told],
    diff: &'a Diff,
    right_total: Option<u128>,
}

impl Subject<'_> {
    fn question(&self) -> Question {
        Question::new(&self.asked.start, &self.asked.moves, self.asked.depth)
    }

    /// A case without wrong moves.
    fn case(&self, question: &Question) -> Case {
        Case {
            question: question.clone(),
            expected: self.right_total.unwrap_or(0),
            got: None,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            wrong_count: None,
        }
    }
}

fn finding(case: &Case, class: Class, note: Option<String>) -> Finding {
    let cause = Cause { note, ..Cause::named(class, &case.question, false) };
    describe::finding(case, &cause, None)
}

impl Diagnosis {
    fn of(finding: &Finding) -> Self {
        let marked = finding.diagram.layers.first().map_or(0, |layer| layer.squares.0);
        Self {
            class: finding.class.name(),
            description: finding.class.description(),
            hint: finding.class.hint(),
            extra: finding.extra.clone(),
            missing: finding.missing.clone(),
            duplicated: finding.duplicated.clone(),
            reasons: finding.reasons.values().cloned().collect(),
            squares: marked,
            note: finding.note.clone(),
        }
    }
}

impl UnreadLine {
    fn of(ReadError { number, line, expected }: ReadError) -> Self {
        Self { number, text: line, expected }
    }
}
