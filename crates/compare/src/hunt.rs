//! The hunt: asks along the ladder, and descends to the position whose move list is wrong.

use std::collections::BTreeMap;
use std::fmt;

use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::{Move, MoveKind, Position, Role, UciMove};

use crate::class::Class;
use crate::generator::{Divide, Generator, Query, Trouble};
use crate::ladder::{self, Step};
use crate::reading::wrong_promotion;
use crate::report::{self, Finding, Report, Verdict};
use crate::truth::{self, Told};
use crate::{classify, shrink};

/// How to hunt.
///
/// ```
/// use tabiya_compare::Options;
/// let options = Options { first: true, ..Options::default() };
/// assert_eq!(options.seed, 1);
/// ```
pub struct Options<'a> {
    /// The positions to ask about. Empty: the ladder.
    pub positions: Vec<Position>,
    /// The greatest depth. `None`: as the number of leaf nodes allows.
    pub depth: Option<u32>,
    /// End with the first finding.
    pub first: bool,
    /// Hunt in Chess960.
    pub chess960: bool,
    /// Ask also about positions that no game can reach.
    pub impossible: bool,
    /// The seed of the random games and placements.
    pub seed: u64,
    /// The number of questions after which the ladder ends. `None`: at its end.
    pub questions: Option<u64>,
    /// Is the budget spent? It is asked before each question.
    pub stop: &'a dyn Fn() -> bool,
    /// Hears what the hunt is doing: the number of questions, of findings, and what comes next.
    pub progress: &'a dyn Fn(u64, usize, &str),
    /// A second generator that is asked about each finding.
    pub oracle: Option<&'a dyn Generator>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            depth: None,
            first: false,
            chess960: false,
            impossible: false,
            seed: 1,
            questions: None,
            stop: &|| false,
            progress: &|_, _, _| {},
            oracle: None,
        }
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Options")
            .field("positions", &self.positions.len())
            .field("depth", &self.depth)
            .field("first", &self.first)
            .field("chess960", &self.chess960)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// A wrong answer, with the position as such.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) class: Class,
    pub(crate) start: Position,
    pub(crate) path: Vec<Move>,
    pub(crate) depth: u32,
    pub(crate) expected: u128,
    pub(crate) got: Option<u128>,
    pub(crate) extra: Vec<String>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
    /// What the program did instead of answering, or another fact.
    pub(crate) note: Option<String>,
    /// Was the class guessed from a count?
    pub(crate) guessed: bool,
}

impl Case {
    pub(crate) fn position(&self) -> Position {
        self.path.iter().fold(self.start.clone(), |position, &mv| position.play(mv))
    }

    /// The smaller, the simpler to understand.
    fn size(&self) -> (usize, u32, u32) {
        (self.path.len(), self.depth, self.start.board().occupied().len())
    }
}

/// How a list differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Diff {
    pub(crate) got: u128,
    pub(crate) extra: Vec<Told>,
    pub(crate) missing: Vec<Move>,
    pub(crate) duplicated: Vec<Move>,
}

impl Diff {
    fn of(position: &Position, listed: &[&str]) -> Self {
        let mut diff = Self { got: listed.len() as u128, ..Self::default() };
        let mut seen: Vec<Move> = Vec::new();
        for text in listed {
            match truth::resolve(position, text) {
                Told::Legal(mv) if seen.contains(&mv) => diff.duplicated.push(mv),
                Told::Legal(mv) => seen.push(mv),
                other => diff.extra.push(other),
            }
        }
        diff.missing = position.legal_moves().into_iter().filter(|mv| !seen.contains(mv)).collect();
        diff
    }

    fn is_wrong(&self) -> bool {
        !(self.extra.is_empty() && self.missing.is_empty() && self.duplicated.is_empty())
    }
}

/// A hunt for bugs in one generator.
///
/// ```
/// use tabiya_compare::{Divide, Generator, Hunt, Options, Query, Trouble, Verdict};
///
/// /// Lists nothing at all.
/// struct Silent;
/// impl Generator for Silent {
///     fn moves(&self, _: &Query) -> Result<Vec<String>, Trouble> {
///         Ok(Vec::new())
///     }
/// }
///
/// let options = Options { first: true, ..Options::default() };
/// let report = Hunt::new(&Silent, options).run("moves");
/// assert_eq!(report.verdict, Verdict::Differs);
/// ```
pub struct Hunt<'a> {
    generator: &'a dyn Generator,
    options: Options<'a>,
    asked: u64,
    cases: BTreeMap<Class, Case>,
    /// The number of answers that were compared.
    answered: u64,
    first_trouble: Option<Trouble>,
    /// Counts at depth 1 without lists: the position and what the program says.
    counted: Vec<(Position, u128)>,
    probes: BTreeMap<(&'static str, &'static str), bool>,
}

impl fmt::Debug for Hunt<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Hunt").field("asked", &self.asked).finish_non_exhaustive()
    }
}

/// The FEN of a position: with the en-passant square if a pawn could capture there, legal or not, so
/// that a test for pins is asked.
pub(crate) fn fen(position: &Position) -> String {
    fen_with(position, EnPassantMode::PseudoLegal)
}

fn fen_with(position: &Position, en_passant: EnPassantMode) -> String {
    position.fen_in(FenConvention { en_passant, ..FenConvention::DEFAULT }).to_string()
}

pub(crate) fn query(start: &Position, path: &[Move], depth: u32) -> Query {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for &mv in path {
        moves.push(position.uci(mv).to_string());
        position = position.play(mv);
    }
    Query { fen: fen(start), moves, depth, chess960: truth::is_chess960(start) }
}

fn line(start: &Position, path: &[Move]) -> Vec<Position> {
    let mut line = vec![start.clone()];
    for &mv in path {
        line.push(line[line.len() - 1].play(mv));
    }
    line
}

impl<'a> Hunt<'a> {
    /// A hunt that has not begun.
    pub fn new(generator: &'a dyn Generator, options: Options<'a>) -> Self {
        Self {
            generator,
            options,
            asked: 0,
            cases: BTreeMap::new(),
            answered: 0,
            first_trouble: None,
            counted: Vec::new(),
            probes: BTreeMap::new(),
        }
    }

    /// Hunts to the end of the ladder or of the budget, and shrinks what was found. `protocol` is the
    /// name that the report gives.
    pub fn run(mut self, protocol: &str) -> Report {
        self.climb();
        self.name_counted();
        let mut cases: Vec<Case> = self.cases.values().cloned().collect();
        cases.sort_by_key(Case::size);
        if self.options.first {
            cases.truncate(1);
        }
        let mut findings = Vec::new();
        for case in cases {
            (self.options.progress)(self.asked, self.cases.len(), "shrinking");
            let shrunk = shrink::shrink(&mut self, &case);
            findings.push(self.finding(&case, shrunk));
        }
        let verdict = match (findings.is_empty(), self.answered) {
            (true, 0) => Verdict::Untestable,
            (true, _) => Verdict::Agrees,
            (false, _) => Verdict::Differs,
        };
        Report {
            verdict,
            protocol: protocol.to_owned(),
            asked: self.asked,
            seconds: 0.0,
            findings,
            trouble: self.first_trouble.map(|it| it.to_string()),
        }
    }

    fn climb(&mut self) {
        let takes_moves = self.generator.takes_moves();
        let ladder = ladder::steps(&self.options, takes_moves);
        for step in ladder {
            if self.is_over() {
                return;
            }
            self.step(&step);
        }
    }

    fn is_over(&self) -> bool {
        let all = self.options.questions.is_some_and(|most| self.asked >= most);
        let first = self.options.first && !self.cases.is_empty();
        // A program that never answers is not asked for ever.
        let dead = self.answered == 0 && self.asked >= 5;
        all || first || dead || (self.options.stop)()
    }

    fn step(&mut self, step: &Step) {
        let possible = truth::is_reachable(&step.start);
        if !possible && !self.options.impossible {
            return;
        }
        (self.options.progress)(self.asked, self.cases.len(), step.phase);
        let cases = self.examine(&step.start, &step.path, step.depth);
        if cases.is_empty() && step.depth == 1 && step.path.is_empty() {
            self.check_convention(&step.start);
        }
        for case in cases {
            self.add(case);
        }
    }

    fn add(&mut self, case: Case) {
        match self.cases.get(&case.class) {
            Some(known) if known.size() <= case.size() => {}
            _ => {
                self.cases.insert(case.class, case);
            }
        }
    }

    /// Asks with the questions counted.
    fn ask<T>(
        &mut self,
        ask: impl FnOnce(&dyn Generator) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        if (self.options.stop)() {
            return Err(Trouble::Stopped);
        }
        let answer = ask(self.generator);
        match &answer {
            Err(Trouble::Unsupported) => {}
            Err(trouble) => {
                self.asked += 1;
                self.first_trouble.get_or_insert_with(|| trouble.clone());
            }
            Ok(_) => {
                self.asked += 1;
                self.answered += 1;
            }
        }
        answer
    }

    fn divide(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.ask(|generator| generator.divide(query)) {
            // Nothing to list, and nothing printed.
            Err(Trouble::EarlyExit) if expected == 0 => Ok(Divide::default()),
            answer => answer,
        }
    }

    /// The list of moves: a divide at depth 1, or the moves alone.
    fn list(&mut self, query: &Query, expected: u128) -> Result<Divide, Trouble> {
        match self.divide(query, expected) {
            Err(Trouble::Unsupported) => {
                let moves = self.ask(|generator| generator.moves(query))?;
                Ok(Divide { moves: moves.into_iter().map(|mv| (mv, None)).collect(), total: None })
            }
            answer => answer,
        }
    }

    /// Everything that is wrong in the answers about one position at one depth.
    pub(crate) fn examine(&mut self, start: &Position, path: &[Move], depth: u32) -> Vec<Case> {
        if depth <= 1 {
            return self.examine_list(start, path);
        }
        let positions = line(start, path);
        let here = &positions[path.len()];
        let question = query(start, path, depth);
        let case = |class, depth, expected, got| Case {
            class,
            start: start.clone(),
            path: path.to_vec(),
            depth,
            expected,
            got,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            note: None,
            guessed: false,
        };
        let counts: Vec<(Move, u128)> = here
            .legal_moves()
            .into_iter()
            .map(|mv| (mv, truth::perft(&here.play(mv), depth - 1)))
            .collect();
        let expected: u128 = counts.iter().map(|(_, count)| count).sum();
        let divide = match self.divide(&question, expected) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => return self.examine_total(start, path, depth),
            Err(trouble) => {
                let found = dialogue(&trouble).map(|class| case(class, depth, expected, None));
                return found
                    .map(|it| Case { note: Some(trouble.to_string()), ..it })
                    .into_iter()
                    .collect();
            }
        };
        let got = Some(divide.count());
        let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
        if Diff::of(here, &listed).is_wrong() {
            let cases = self.examine_list(start, path);
            if !cases.is_empty() {
                return cases;
            }
            return self.name(start, path, &Diff::of(here, &listed), depth, expected);
        }
        if listed.is_empty() {
            let total = divide.total.unwrap_or(0);
            if total == 0 {
                return Vec::new();
            }
            let class = if self.is_right_when_fresh(&question, 0) {
                Class::StateOrder
            } else {
                Class::EndStalemate
            };
            return vec![case(class, depth, 0, Some(total))];
        }
        let told = |mv: Move| {
            divide.moves.iter().find_map(|(text, count)| {
                (truth::resolve(here, text) == Told::Legal(mv)).then_some((*count)?)
            })
        };
        let wrong: Vec<(Move, u128, u128)> = counts
            .iter()
            .filter_map(|&(mv, right)| told(mv).filter(|it| *it != right).map(|it| (mv, right, it)))
            .collect();
        let mut cases = Vec::new();
        if divide.total.is_some_and(|total| total != divide.sum()) {
            let class = self.name_total(&question, &divide, wrong.is_empty());
            cases.push(case(class, depth, expected, got));
            if wrong.is_empty() {
                return cases;
            }
        }
        let all_wrong = wrong.len() * 2 > counts.len();
        let mut unexplained = None;
        for &(mv, right, told) in wrong.iter().take(4) {
            let below = self.examine_child(start, path, here, mv, depth);
            if below.is_empty() && unexplained.is_none() {
                unexplained = Some((mv, right, told));
            }
            cases.extend(below);
        }
        let Some((mv, right, told_count)) = unexplained else { return cases };
        // Every child alone is right, but the count that the divide gives for it is wrong.
        self.generator.restart();
        if let Ok(again) = self.divide(&question, expected)
            && again.count() == expected
            && self.sums_match(here, &again, &counts)
        {
            let key = self.shares_counts(here, mv, depth, &question, right, told_count);
            let class = if key { Class::StateKey } else { Class::StateOrder };
            cases.push(Case {
                note: Some("a new process gives the right count for the same question".to_owned()),
                ..case(class, depth, expected, got)
            });
            return cases;
        }
        // A model of a wrong recursion must explain every wrong count.
        let model = |right: u128, told: u128, mv: Move| {
            classify::by_count(&here.play(mv), depth - 1, right, told).filter(|class| {
                let is_general =
                    matches!(class, Class::CountingInteriorNodes | Class::CountingDepth);
                !is_general || all_wrong
            })
        };
        let by_count = model(right, told_count, mv).filter(|class| {
            wrong.iter().all(|&(mv, right, told)| model(right, told, mv) == Some(*class))
        });
        let is_pseudo = wrong
            .iter()
            .all(|&(mv, _, told)| classify::pseudo_leaves(&here.play(mv), depth - 1) == told);
        let class = by_count.unwrap_or_else(|| {
            if is_pseudo {
                Class::CountingLeaf
            } else if !self.generator.takes_moves() {
                classify::after_move(here, mv, depth - 1, right, told_count)
            } else if depth == 2 {
                Class::StateUndo
            } else {
                Class::StateKey
            }
        });
        let note = format!("{} has {told_count} instead of {right} leaf nodes", here.uci(mv));
        cases.push(Case { note: Some(note), ..case(class, depth, expected, got) });
        cases
    }

    /// Does the count of a child change when the same placement, with the other side to move, was
    /// counted before? Then the key of a hash table misses the side.
    fn shares_counts(
        &mut self,
        here: &Position,
        mv: Move,
        depth: u32,
        question: &Query,
        right: u128,
        told: u128,
    ) -> bool {
        let child = here.play(mv);
        for back in
            child.legal_moves().into_iter().filter(|it| it.kind() == MoveKind::Quiet).take(6)
        {
            if child.role_of(back) == Role::Pawn {
                continue;
            }
            let mut setup = child.to_setup();
            setup.en_passant = None;
            let piece = setup.board.piece_on(back.from());
            setup.castling.remove(back.from().bitboard());
            setup.board.set(back.from(), None);
            setup.board.set(back.to(), piece);
            let Ok(before) = Position::from_setup(&setup) else { continue };
            self.generator.restart();
            let _ = self.ask(|it| it.perft(&query(&before, &[], depth)));
            let Ok(again) = self.divide(question, 0) else { return false };
            let count = again.moves.iter().find_map(|(text, count)| {
                (truth::resolve(here, text) == Told::Legal(mv)).then_some((*count)?)
            });
            if count.is_some_and(|it| it != right) {
                let _ = told;
                return true;
            }
        }
        false
    }

    /// Does a new process give the right count?
    fn is_right_when_fresh(&mut self, question: &Query, expected: u128) -> bool {
        self.generator.restart();
        let answer = self.divide(question, expected);
        answer.is_ok_and(|it| it.total.unwrap_or_else(|| it.sum()) == expected)
    }

    /// The class of a total that is not the sum of the divide.
    fn name_total(&mut self, question: &Query, divide: &Divide, entries_are_right: bool) -> Class {
        let (sum, total) = (divide.sum(), divide.total.unwrap_or(0));
        if [8, 16, 31, 32].iter().any(|bits| sum >> bits > 0 && total == sum & ((1 << bits) - 1)) {
            Class::CountingOverflow
        } else if entries_are_right && self.is_right_when_fresh(question, sum) {
            Class::StateOrder
        } else if entries_are_right && total == sum + 1 {
            Class::CountingInteriorNodes
        } else {
            Class::CountingTotal
        }
    }

    fn sums_match(&self, here: &Position, divide: &Divide, counts: &[(Move, u128)]) -> bool {
        divide.moves.iter().all(|(text, count)| match (truth::resolve(here, text), count) {
            (Told::Legal(mv), Some(count)) => counts.contains(&(mv, *count)),
            _ => false,
        })
    }

    /// What is wrong below a move: asked with the moves played, and by FEN.
    fn examine_child(
        &mut self,
        start: &Position,
        path: &[Move],
        here: &Position,
        mv: Move,
        depth: u32,
    ) -> Vec<Case> {
        if self.generator.takes_moves() {
            let longer: Vec<Move> = path.iter().copied().chain([mv]).collect();
            let cases = self.examine(start, &longer, depth - 1);
            if !cases.is_empty() {
                return cases;
            }
        }
        self.examine(&here.play(mv), &[], depth - 1)
    }

    /// The same for programs that only print the total.
    fn examine_total(&mut self, start: &Position, path: &[Move], depth: u32) -> Vec<Case> {
        let positions = line(start, path);
        let here = &positions[path.len()];
        let expected = truth::perft(here, depth);
        let question = query(start, path, depth);
        let case = |class, got, note| Case {
            class,
            start: start.clone(),
            path: path.to_vec(),
            depth,
            expected,
            got,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            note,
            guessed: false,
        };
        let got = match self.ask(|generator| generator.perft(&question)) {
            Ok(got) => got,
            Err(trouble) => {
                let class = dialogue(&trouble);
                return class
                    .map(|it| case(it, None, Some(trouble.to_string())))
                    .into_iter()
                    .collect();
            }
        };
        if got == expected {
            return Vec::new();
        }
        // The position's own list first, then those of its children.
        let own = self.examine_list(start, path);
        if !own.is_empty() {
            return own;
        }
        let by_count = classify::by_count(here, depth, expected, got);
        for mv in here.legal_moves() {
            let below = self.examine_child(start, path, here, mv, depth);
            if !below.is_empty() {
                return below;
            }
        }
        if let Some(class) = by_count {
            return vec![case(class, Some(got), None)];
        }
        if self.generator.takes_moves() {
            self.generator.restart();
            let class = if depth == 2 { Class::StateUndo } else { Class::StateKey };
            return vec![case(class, Some(got), None)];
        }
        let class = here
            .legal_moves()
            .into_iter()
            .map(|mv| classify::after_move(here, mv, 0, 0, 2 * u128::from(got > expected)))
            .find(|class| *class != Class::StatePlay)
            .unwrap_or(Class::StatePlay);
        vec![Case { guessed: true, ..case(class, Some(got), None) }]
    }

    /// What is wrong in one list of moves.
    fn examine_list(&mut self, start: &Position, path: &[Move]) -> Vec<Case> {
        let positions = line(start, path);
        let here = &positions[path.len()];
        let expected = here.count_legal() as u128;
        let question = query(start, path, 1);
        let case = |class, got, note| Case {
            class,
            start: start.clone(),
            path: path.to_vec(),
            depth: 1,
            expected,
            got,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            note,
            guessed: false,
        };
        let divide = match self.list(&question, expected) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => return self.examine_count(start, path),
            Err(trouble) => {
                let class = dialogue(&trouble);
                return class
                    .map(|it| case(it, None, Some(trouble.to_string())))
                    .into_iter()
                    .collect();
            }
        };
        let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
        let diff = Diff::of(here, &listed);
        if !diff.is_wrong() {
            if expected == 0 && divide.total.is_some_and(|it| it != 0) {
                let class = if self.is_right_when_fresh(&question, 0) {
                    Class::StateOrder
                } else {
                    Class::EndStalemate
                };
                return vec![case(class, divide.total, None)];
            }
            let is_counted = divide.moves.iter().any(|(_, count)| count.is_some());
            if is_counted && divide.moves.iter().any(|(_, count)| count.is_some_and(|it| it != 1)) {
                let class = if divide.sum() == truth::perft(here, 2) {
                    Class::CountingDepth
                } else {
                    Class::CountingInteriorNodes
                };
                return vec![case(class, Some(divide.sum()), None)];
            }
            if is_counted && divide.total.is_some_and(|total| total != divide.sum()) {
                let class = self.name_total(&question, &divide, true);
                return vec![case(class, divide.total, None)];
            }
            return Vec::new();
        }
        if path.is_empty() {
            return self.name(start, path, &diff, 1, expected);
        }
        // Does the position go wrong by itself, or only along the line?
        let question = query(here, &[], 1);
        let alone = match self.list(&question, expected) {
            Ok(divide) => {
                let listed: Vec<&str> =
                    divide.moves.iter().map(|(text, _)| text.as_str()).collect();
                Diff::of(here, &listed)
            }
            Err(_) => Diff::default(),
        };
        if alone.is_wrong() {
            return self.name(here, &[], &alone, 1, expected);
        }
        let repeats = positions[..path.len()].iter().any(|it| it.key() == here.key());
        // The shortest end of the line that goes wrong begins with the guilty move.
        let (mut guilty, mut diff) = (0, diff);
        for first in (1..path.len()).rev() {
            let Ok(divide) = self.list(&query(&positions[first], &path[first..], 1), expected)
            else {
                break;
            };
            let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
            let shorter = Diff::of(here, &listed);
            if shorter.is_wrong() {
                (guilty, diff) = (first, shorter);
                break;
            }
        }
        // A move that the program does not know is not played either; its own list shows that.
        let first_list = self.list(&query(&positions[guilty], &[], 1), 0);
        let is_known = first_list.is_ok_and(|divide| {
            divide.moves.iter().any(|(text, _)| {
                truth::resolve(&positions[guilty], text) == Told::Legal(path[guilty])
            })
        });
        if !is_known {
            return Vec::new();
        }
        let class = if diff.got == 0 && repeats {
            Class::EndRepetition
        } else if diff.got == 0 && here.halfmove_clock() >= 100 {
            Class::EndFiftyMoves
        } else if self.counts_right(&positions[guilty], path.len() - guilty + 1) {
            // What the counting plays is right: only the moves of the question are played wrongly.
            Class::StatePlay
        } else {
            let extra: Vec<UciMove> = diff.extra.iter().filter_map(Told::uci).collect();
            classify::after_moves(&positions[guilty..], &path[guilty..], &extra, &diff.missing)
        };
        let note = "the same position by FEN has the right moves".to_owned();
        vec![Case {
            start: positions[guilty].clone(),
            path: path[guilty..].to_vec(),
            extra: diff.extra.iter().map(Told::text).collect(),
            missing: diff.missing,
            duplicated: diff.duplicated,
            ..case(class, Some(diff.got), Some(note))
        }]
    }

    /// Is the count of a few plies right?
    fn counts_right(&mut self, position: &Position, depth: usize) -> bool {
        let Ok(depth @ 0..=5) = u32::try_from(depth) else { return false };
        let expected = truth::perft(position, depth);
        expected < 300_000
            && self.ask(|it| it.perft(&query(position, &[], depth))).is_ok_and(|it| it == expected)
    }

    /// Names what is wrong in a list: one case for each class.
    fn name(
        &mut self,
        start: &Position,
        path: &[Move],
        diff: &Diff,
        depth: u32,
        expected: u128,
    ) -> Vec<Case> {
        let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
        /// Moves of one class: extra, missing, duplicated.
        type Moves = (Vec<String>, Vec<Move>, Vec<Move>);
        let mut by_class: BTreeMap<Class, Moves> = BTreeMap::new();
        let ends = diff.got == 0 && expected > 0;
        if ends && (here.halfmove_clock() >= 100 || classify::is_bare(here.board())) {
            let class = if classify::is_bare(here.board()) {
                Class::EndBareKings
            } else {
                Class::EndFiftyMoves
            };
            by_class.insert(class, (Vec::new(), diff.missing.clone(), Vec::new()));
        } else {
            for told in &diff.extra {
                let class = match told.uci() {
                    Some(uci) => classify::extra(&here, uci),
                    None if wrong_promotion(&told.text()) => Class::PromotionRole,
                    None => Class::MoveExtra,
                };
                by_class.entry(class).or_default().0.push(told.text());
            }
            for &mv in &diff.missing {
                let class = self.refine(classify::missing(&here, mv, &diff.missing), mv);
                // A pawn on the last rank explains the promotions that it replaces.
                by_class.entry(class).or_default().1.push(mv);
            }
            for &mv in &diff.duplicated {
                let class = if mv.is_promotion() {
                    Class::PromotionDuplicated
                } else {
                    Class::DuplicatedMove
                };
                by_class.entry(class).or_default().2.push(mv);
            }
        }
        by_class
            .into_iter()
            .map(|(class, (extra, missing, duplicated))| Case {
                class,
                start: start.clone(),
                path: path.to_vec(),
                depth,
                expected,
                got: Some(diff.got),
                extra,
                missing,
                duplicated,
                note: None,
                guessed: false,
            })
            .collect()
    }

    /// Asks about a simpler position: does the special class hold, or the general one?
    fn refine(&mut self, class: Class, mv: Move) -> Class {
        const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        const KING_SIDE: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        const QUEEN_SIDE: &str = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        const PROMOTION: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
        match class {
            Class::EnPassantMissing | Class::EnPassantEdge | Class::EnPassantEvasion => {
                if self.probe(EN_PASSANT, "e5d6") {
                    class
                } else if self.probe_line() {
                    Class::EnPassantFieldIgnored
                } else {
                    Class::EnPassantMissing
                }
            }
            Class::CastlingBFileAttacked
            | Class::CastlingRookAttacked
            | Class::CastlingChess960 => {
                let is_queen_side = mv.castling() == Some(tabiya::CastlingSide::Queen);
                let is_fine = if is_queen_side {
                    self.probe(QUEEN_SIDE, "e1c1")
                } else {
                    self.probe(KING_SIDE, "e1g1")
                };
                if is_fine { class } else { Class::CastlingMissing }
            }
            Class::PinTooStrict if mv.is_promotion() && !self.probe(PROMOTION, "a7a8q") => {
                Class::PromotionMissing
            }
            Class::PinTooStrict if mv.is_en_passant() && !self.probe(EN_PASSANT, "e5d6") => {
                self.refine(Class::EnPassantMissing, mv)
            }
            Class::PromotionRole if mv.is_capture() => {
                let others = ["a7a8n", "a7a8b", "a7a8r", "a7a8q"];
                let pushes = others.into_iter().all(|it| self.probe(PROMOTION, it));
                if pushes { Class::PromotionCapture } else { class }
            }
            Class::PromotionEvasion | Class::PromotionCapture
                if !self.probe(PROMOTION, "a7a8q") =>
            {
                Class::PromotionMissing
            }
            _ => class,
        }
    }

    /// Does the program list this move?
    fn probe(&mut self, fen: &'static str, mv: &'static str) -> bool {
        if let Some(known) = self.probes.get(&(fen, mv)) {
            return *known;
        }
        let position = Position::from_fen(fen).expect("the position is playable");
        let right = position.parse_uci(mv).expect("the move is legal");
        let listed = self.list(&Query::of_fen(fen, 1), 1);
        let is_listed = listed.is_ok_and(|divide| {
            divide
                .moves
                .iter()
                .any(|(text, _)| truth::resolve(&position, text) == Told::Legal(right))
        });
        self.probes.insert((fen, mv), is_listed);
        is_listed
    }

    /// Is an en-passant capture listed, or counted, after the double push is played?
    fn probe_line(&mut self) -> bool {
        const BEFORE: &str = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        if let Some(known) = self.probes.get(&(BEFORE, "")) {
            return *known;
        }
        let before = Position::from_fen(BEFORE).expect("the position is playable");
        let push = before.parse_uci("d7d5").expect("the move is legal");
        let after = before.play(push);
        let capture = after.parse_uci("e5d6").expect("the move is legal");
        let mut is_listed = false;
        if self.generator.takes_moves()
            && let Ok(divide) = self.list(&query(&before, &[push], 1), 1)
        {
            is_listed = divide
                .moves
                .iter()
                .any(|(text, _)| truth::resolve(&after, text) == Told::Legal(capture));
        }
        if !is_listed {
            let right = truth::perft(&before, 2);
            is_listed =
                self.ask(|it| it.perft(&query(&before, &[], 2))).is_ok_and(|it| it == right);
        }
        self.probes.insert((BEFORE, ""), is_listed);
        is_listed
    }

    /// A count at depth 1 without a list.
    fn examine_count(&mut self, start: &Position, path: &[Move]) -> Vec<Case> {
        let positions = line(start, path);
        let here = &positions[path.len()];
        let expected = here.count_legal() as u128;
        let case = |class, start: &Position, path: &[Move], got, note| Case {
            class,
            start: start.clone(),
            path: path.to_vec(),
            depth: 1,
            expected,
            got,
            extra: Vec::new(),
            missing: Vec::new(),
            duplicated: Vec::new(),
            note,
            guessed: true,
        };
        let got = match self.ask(|generator| generator.perft(&query(start, path, 1))) {
            Ok(got) => got,
            Err(trouble) => {
                let class = dialogue(&trouble);
                let note = Some(trouble.to_string());
                return class.map(|it| case(it, start, path, None, note)).into_iter().collect();
            }
        };
        if path.is_empty() {
            self.counted.push((here.clone(), got));
        }
        if got == expected {
            return Vec::new();
        }
        if path.is_empty() {
            let class = self.guess(here, got);
            return vec![case(class, start, path, Some(got), None)];
        }
        let alone = self.examine_count(here, &[]);
        if !alone.is_empty() {
            return alone;
        }
        let before = &positions[path.len() - 1];
        let repeats = positions[..path.len()].iter().any(|it| it.key() == here.key());
        let mut class = classify::after_move(before, path[path.len() - 1], 1, expected, got);
        if got == 0 && repeats {
            class = Class::EndRepetition;
        } else if class == Class::StatePlay {
            let stale = got > expected
                && positions[..path.len()]
                    .iter()
                    .any(|it| classify::double_push_square(it).is_some());
            let lost = positions.windows(2).zip(path).rev().find_map(|(pair, &mv)| {
                (got > expected).then(|| classify::right_lost_by(&pair[0], &pair[1], mv))?
            });
            class = match lost {
                Some(class) => class,
                None if stale => Class::EnPassantStale,
                None => classify::special_in(&positions, path).unwrap_or(class),
            };
        }
        let note = "the same position by FEN has the right count".to_owned();
        vec![case(class, start, path, Some(got), Some(note))]
    }

    /// The class that explains the counts at depth 1 best.
    fn guess(&self, here: &Position, got: u128) -> Class {
        let expected = here.count_legal() as u128;
        if expected == 0 && got == 1 {
            return Class::EndStalemate;
        }
        if let Some(class) = classify::by_count(here, 1, expected, got) {
            let is_general = matches!(class, Class::CountingInteriorNodes | Class::CountingDepth);
            let holds = self.counted.iter().filter(|(it, got)| {
                let right = it.count_legal() as u128;
                classify::by_count(it, 1, right, *got) == Some(class)
            });
            if !is_general || holds.count() * 2 > self.counted.len() && self.counted.len() > 2 {
                return class;
            }
        }
        let candidates = if got > expected {
            classify::extra_candidates(here)
        } else {
            classify::missing_candidates(here)
        };
        let delta = got.abs_diff(expected);
        // What each class predicts for the positions that were counted, against what was counted.
        let more = got > expected;
        let evidence: Vec<(BTreeMap<Class, u128>, u128)> = self
            .counted
            .iter()
            .take(150)
            .map(|(position, count)| {
                let right = position.count_legal() as u128;
                if more {
                    (classify::extra_candidates(position), count.saturating_sub(right))
                } else {
                    (classify::missing_candidates(position), right.saturating_sub(*count))
                }
            })
            .collect();
        let score = |class: Class, size: u128| {
            let points = evidence.iter().map(|(groups, delta)| {
                let predicted = groups.get(&class).copied().unwrap_or(0);
                if predicted == *delta { 3 } else { u32::from((predicted > 0) == (*delta > 0)) }
            });
            (points.sum::<u32>(), u32::from(size == delta))
        };
        let best = candidates
            .iter()
            .filter(|(_, size)| **size >= delta)
            .map(|(&class, &size)| (score(class, size), class))
            .max_by_key(|&(score, class)| (score, std::cmp::Reverse(class)));
        best.map_or(
            if got > expected { Class::MoveExtra } else { Class::MoveMissing },
            |(_, class)| class,
        )
    }

    /// Names the guessed cases again, now that all counts are known.
    fn name_counted(&mut self) {
        let guessed: Vec<Case> =
            self.cases.values().filter(|it| it.guessed && it.depth == 1).cloned().collect();
        for mut case in guessed {
            if let (true, Some(got)) = (case.path.is_empty(), case.got) {
                let class = self.guess(&case.start, got);
                if class != case.class {
                    self.cases.remove(&case.class);
                    case.class = class;
                    self.add(case);
                }
            }
        }
    }

    /// The en-passant square after every double push, also where no pawn can capture: programs should
    /// take it.
    fn check_convention(&mut self, position: &Position) {
        let always = fen_with(position, EnPassantMode::Always);
        if always == fen(position) {
            return;
        }
        let expected = position.count_legal() as u128;
        let chess960 = truth::is_chess960(position);
        let question = Query { chess960, ..Query::of_fen(always.clone(), 1) };
        let Ok(divide) = self.list(&question, expected) else { return };
        let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
        let diff = Diff::of(position, &listed);
        if diff.is_wrong() {
            let wrap = diff
                .extra
                .iter()
                .filter_map(Told::uci)
                .any(|uci| classify::extra(position, uci) == Class::EnPassantWrap);
            let class = if wrap { Class::EnPassantWrap } else { Class::EnPassantConvention };
            self.add(Case {
                class,
                start: position.clone(),
                path: Vec::new(),
                depth: 1,
                expected,
                got: Some(diff.got),
                extra: diff.extra.iter().map(Told::text).collect(),
                missing: diff.missing,
                duplicated: diff.duplicated,
                note: Some(format!("with the en-passant square in the FEN: {always}")),
                guessed: false,
            });
        }
    }

    fn finding(&mut self, case: &Case, shrunk: Option<report::Shrunk>) -> Finding {
        let oracle = self.options.oracle.map(|oracle| second_opinion(oracle, case));
        let mut finding = report::finding(case, shrunk);
        finding.oracle = oracle;
        finding.command = self.generator.command(&query(&case.start, &case.path, case.depth));
        finding
    }

    pub(crate) fn command(&self, start: &Position, path: &[Move], depth: u32) -> String {
        self.generator.command(&query(start, path, depth))
    }

    pub(crate) const fn asked(&self) -> u64 {
        self.asked
    }

    pub(crate) const fn allows_impossible(&self) -> bool {
        self.options.impossible
    }
}

/// The class of a failed dialogue. `None` if the hunt was stopped.
fn dialogue(trouble: &Trouble) -> Option<Class> {
    Some(match trouble {
        Trouble::Crash(_) => Class::DialogueCrash,
        Trouble::Hang => Class::DialogueHang,
        Trouble::Garbage(_) => Class::DialogueGarbage,
        Trouble::EarlyExit => Class::DialogueEarlyExit,
        Trouble::Unsupported | Trouble::Start(_) | Trouble::Stopped => return None,
    })
}

/// What another engine says about a finding.
fn second_opinion(oracle: &dyn Generator, case: &Case) -> String {
    let question = query(&case.position(), &[], case.depth);
    match oracle.perft(&question) {
        Ok(count) if count == truth::perft(&case.position(), case.depth) => "agrees".to_owned(),
        Ok(count) => format!("DISAGREES with tabiya: {count} leaf nodes"),
        Err(trouble) => format!("no answer: {trouble}"),
    }
}
