//! An author's generator, called in a test.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use tabiya::{Move, Position, Reason, Role};
use tabiya_compare::{
    Class, Divide, Generator, Hunt, Options, Query, Report, Trouble, Verdict, assert_agrees,
};

/// tabiya itself, with or without castling, and with counts or without.
struct Mine {
    castles: bool,
    counts: bool,
}

impl Mine {
    fn list(&self, position: &Position) -> Vec<Move> {
        let moves = position.legal_moves().into_iter();
        moves.filter(|mv| self.castles || mv.castling().is_none()).collect()
    }

    fn count(&self, position: &Position, depth: u32) -> u128 {
        match depth {
            0 => 1,
            _ => self
                .list(position)
                .iter()
                .map(|&mv| self.count(&position.play(mv), depth - 1))
                .sum(),
        }
    }

    fn position(query: &Query) -> Position {
        let start = Position::from_fen(&query.fen).expect("a FEN");
        query.moves.iter().fold(start, |position, text| {
            position.play(position.parse_uci(text).expect("a legal move"))
        })
    }
}

impl Generator for Mine {
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        let position = Self::position(query);
        Ok(self.list(&position).iter().map(|&mv| position.uci(mv).to_string()).collect())
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        if !self.counts {
            return Err(Trouble::Unsupported);
        }
        let position = Self::position(query);
        let moves = self.list(&position).into_iter().map(|mv| {
            let count = self.count(&position.play(mv), query.depth - 1);
            (position.uci(mv).to_string(), Some(count))
        });
        Ok(Divide { moves: moves.collect(), total: None })
    }
}

#[test]
fn a_right_generator_agrees() {
    for counts in [false, true] {
        assert_agrees(&Mine { castles: true, counts });
    }
}

#[test]
fn a_wrong_generator_fails_its_test_with_the_report() {
    for counts in [false, true] {
        let mine = Mine { castles: false, counts };
        let panic =
            catch_unwind(AssertUnwindSafe(|| assert_agrees(&mine))).expect_err("it differs");
        let text = panic.downcast_ref::<String>().expect("a text");
        assert!(text.contains("castling-missing"), "{text}");
        assert!(text.contains("king and rook have not moved"), "{text}");
    }
}

/// A generator that panics fails the test by itself, with its own message.
#[test]
fn a_panic_is_not_swallowed() {
    struct Broken;
    impl Generator for Broken {
        fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
            let position = Position::from_fen(&query.fen).expect("a FEN");
            let knights = position.board().role(Role::Knight).len();
            assert!(knights < 2, "too many knights");
            Ok(position.legal_moves().into_iter().map(|mv| position.uci(mv).to_string()).collect())
        }
    }
    let panic = catch_unwind(|| assert_agrees(&Broken)).expect_err("it panics");
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"too many knights"));
}

/// A generator whose answers are made of the right ones.
struct Altered {
    alter: fn(u128, u32) -> u128,
    was_wrong: Cell<bool>,
    /// Does it end at an illegal move?
    refuses: bool,
}

impl Generator for Altered {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        let right = u128::from(query.leaves);
        if self.refuses && right == 0 && !query.moves.is_empty() {
            return Err(Trouble::EarlyExit);
        }
        let told = (self.alter)(right, query.depth);
        // Without leaf nodes, the question may be about an illegal move.
        self.was_wrong.set(self.was_wrong.get() || told != right && right > 0);
        Ok(told)
    }
}

#[test]
fn a_wrong_count_is_reported_whenever_the_time_is_over() {
    let alterations: [fn(u128, u32) -> u128; 5] = [
        |_, _| 7,
        |right, _| 2 * right,
        |right, depth| right + u128::from(depth),
        |right, _| right - right / 20,
        |right, depth| if depth > 1 { right + 1 } else { right },
    ];
    for (number, alter) in alterations.into_iter().enumerate() {
        let times = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144];
        for (answers, refuses) in times.into_iter().flat_map(|it| [(it, false), (it, true)]) {
            let asked = Cell::new(0);
            // The budget is asked once before each question, and once at each step.
            let stop = || asked.replace(asked.get() + 1) > answers;
            let generator = Altered { alter, was_wrong: Cell::new(false), refuses };
            let options = Options { stop: &stop, ..Options::default() };
            let report = Hunt::new(&generator, options).run("total");
            let differs = report.verdict == Verdict::Differs;
            assert_eq!(
                differs,
                generator.was_wrong.get(),
                "{number} {answers} {refuses}: {report}"
            );
        }
    }
}

/// A generator whose divides have no counts, and whose totals are too large by this number.
struct Uncounted(u128);

impl Generator for Uncounted {
    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        let mut position = Position::from_fen(&query.fen).expect("a FEN");
        for text in &query.moves {
            position = position.play(position.parse_uci(text).map_err(|_| Trouble::EarlyExit)?);
        }
        let moves = position.legal_moves();
        let moves = moves.into_iter().map(|mv| (position.uci(mv).to_string(), None)).collect();
        let more = if query.depth == 3 { self.0 } else { 0 };
        Ok(Divide { moves, total: Some(u128::from(query.leaves) + more) })
    }

    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        self.divide(query).map(|divide| divide.count())
    }
}

/// The sum of such a divide would be the number of its moves.
#[test]
fn a_total_above_moves_without_counts_is_compared_by_itself() {
    for (more, verdict) in [(0, Verdict::Agrees), (5, Verdict::Differs)] {
        let options =
            Options { positions: vec![Position::START], depth: Some(3), ..Options::default() };
        let report = Hunt::new(&Uncounted(more), options).run("uci");
        assert_eq!(report.verdict, verdict, "{report}");
    }
}

/// A generator with two bugs: it ignores the en-passant field, and castles to attacked squares.
struct TwoBugs;

impl Generator for TwoBugs {
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        let mut fields: Vec<&str> = query.fen.split(' ').collect();
        fields[3] = "-";
        let mut position = Position::from_fen(&fields.join(" ")).expect("a FEN");
        for text in &query.moves {
            position = position.play(position.parse_uci(text).map_err(|_| Trouble::EarlyExit)?);
        }
        let castles = ["e1g1", "e1c1", "e8g8", "e8c8"].into_iter().filter(|text| {
            let explanation = position.explain_uci(text).expect("a move");
            let reasons = explanation.reasons();
            let is_into = |it: &Reason| matches!(it, Reason::CastlingInto { .. });
            !reasons.is_empty() && reasons.iter().all(is_into)
        });
        let legal = position.legal_moves().into_iter().map(|mv| position.uci(mv).to_string());
        Ok(legal.chain(castles.map(str::to_owned)).collect())
    }
}

#[test]
fn the_first_finding_is_the_first_one_of_a_full_run() {
    // The second bug has the smaller example.
    let both = [Class::EnPassantFieldIgnored, Class::CastlingIntoCheck];
    for (first, expected) in [(false, &both[..]), (true, &both[..1])] {
        let options = Options { first, questions: Some(1_500), ..Options::default() };
        let report = Hunt::new(&TwoBugs, options).run("moves");
        let classes: Vec<Class> = report.findings.iter().map(|finding| finding.class).collect();
        assert_eq!(classes, expected, "{report}");
    }
}

/// A program that is there for some questions only.
struct Vanishing {
    mine: Mine,
    answers: Cell<u64>,
}

impl Generator for Vanishing {
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        let left = self.answers.get().checked_sub(1);
        self.answers.set(left.ok_or_else(|| Trouble::Start("no such file".to_owned()))?);
        self.mine.moves(query)
    }
}

#[test]
fn a_program_that_can_no_longer_be_started_does_not_agree() {
    let hunt = |castles, answers| {
        let mine = Mine { castles, counts: false };
        let program = Vanishing { mine, answers: Cell::new(answers) };
        let options = Options { questions: Some(300), ..Options::default() };
        Hunt::new(&program, options).run("in-process")
    };
    let report = hunt(true, 12);
    assert_eq!((report.verdict, report.asked), (Verdict::Untestable, 12), "{report}");
    let reason = "the program cannot be started: no such file, after 12 answers";
    assert_eq!(report.trouble.as_deref(), Some(reason));
    // A bug that was found before remains one.
    assert_eq!(hunt(false, 100).verdict, Verdict::Differs);
    let report = hunt(true, 0);
    assert_eq!((report.verdict, report.asked), (Verdict::Untestable, 0), "{report}");
    assert_eq!(hunt(true, 10_000).verdict, Verdict::Agrees);
}

/// A program that does not answer, just before the time ends.
struct Hanging {
    mine: Mine,
    left: Cell<u64>,
}

impl Generator for Hanging {
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        self.left.set(self.left.get().checked_sub(1).ok_or(Trouble::Hang)?);
        if self.left.get() == 0 { Err(Trouble::Hang) } else { self.mine.moves(query) }
    }
}

#[test]
fn a_failure_that_is_not_examined_is_no_agreement() {
    // So many answers would be enough to say that it agrees.
    let program = Hanging { mine: Mine { castles: true, counts: false }, left: Cell::new(900) };
    let stop = || program.left.get() == 0;
    let report = Hunt::new(&program, Options { stop: &stop, ..Options::default() }).run("moves");
    assert_eq!(report.verdict, Verdict::Untestable, "{report}");
    let trouble = report.trouble.unwrap_or_default();
    assert!(trouble.starts_with("the program did not answer in time, and the hunt"), "{trouble}");
}

#[test]
fn positions_that_no_game_can_reach_are_told() {
    let mine = Mine { castles: true, counts: false };
    let position = |fen| Position::from_fen(fen).expect("a playable position");
    // Two rooks on the last rank give check, one on each side of the king.
    let impossible = position("3RkR2/8/8/8/8/8/8/4K3 b - - 0 1");
    let hunt = |positions, impossible| {
        let options = Options { positions, impossible, depth: Some(1), ..Options::default() };
        Hunt::new(&mine, options).run("moves")
    };
    let report = hunt(vec![impossible.clone()], false);
    assert_eq!(report.verdict, Verdict::Untestable, "{report}");
    assert!(report.to_string().contains("--impossible is not given"), "{report}");
    let report = hunt(vec![Position::START, impossible.clone()], false);
    assert_eq!((report.verdict, report.ladder.complete), (Verdict::Agrees, false), "{report}");
    assert_eq!(hunt(vec![impossible], true).verdict, Verdict::Agrees);
}

/// A program without castling that passes over moves that it does not know.
struct PassesOver {
    /// Does it list moves? Otherwise, it prints totals.
    lists: bool,
    /// The number of questions that it answers in time.
    answers: Cell<u64>,
}

impl PassesOver {
    fn answer(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        self.answers.set(self.answers.get().checked_sub(1).ok_or(Trouble::Stopped)?);
        let mine = Mine { castles: false, counts: false };
        let mut position = Position::from_fen(&query.fen).expect("a FEN");
        for text in &query.moves {
            let known =
                position.parse_uci(text).ok().filter(|mv| mine.list(&position).contains(mv));
            position = known.map_or(position.clone(), |mv| position.play(mv));
        }
        Ok(mine.list(&position).iter().map(|&mv| position.uci(mv).to_string()).collect())
    }
}

impl Generator for PassesOver {
    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        if self.lists { self.answer(query) } else { Err(Trouble::Unsupported) }
    }

    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        let is_asked = !self.lists && query.depth == 1;
        if is_asked { Ok(self.answer(query)?.len() as u128) } else { Err(Trouble::Unsupported) }
    }
}

#[test]
fn a_move_that_is_passed_over_is_missing_before() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a FEN");
    let castling = start.parse_uci("e1g1").expect("a legal move");
    let step = start.play(castling).parse_uci("e8e7").expect("a legal move");
    let hunt = |lists, answers: u64, path: &[Move]| {
        let program = PassesOver { lists, answers: Cell::new(answers) };
        let stop = || program.answers.get() == 0;
        let lines = vec![(start.clone(), path.to_vec())];
        let options = Options { lines, depth: Some(1), stop: &stop, ..Options::default() };
        Hunt::new(&program, options).run("moves")
    };
    for lists in [true, false] {
        for path in [&[castling][..], &[castling, step]] {
            let report = hunt(lists, 100_000, path);
            let classes: Vec<Class> = report.findings.iter().map(|it| it.class).collect();
            assert_eq!(classes, [Class::CastlingMissing], "{lists} {path:?}: {report}");
        }
    }
    // Whenever the hunt ends, the wrong list remains one.
    for answers in 1..20 {
        let report = hunt(true, answers, &[castling]);
        assert_eq!(report.verdict, Verdict::Differs, "{answers}: {report}");
    }
}

/// A program that crashes when it castles, and passes over moves that it does not know.
struct CrashesAtCastling;

impl Generator for CrashesAtCastling {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        let mut position = Position::from_fen(&query.fen).expect("a FEN");
        for text in &query.moves {
            match text.as_str() {
                "e1g1" => return Err(Trouble::Crash("exit status: 3".to_owned())),
                "e1h1" => {}
                text => position = position.play(position.parse_uci(text).expect("a legal move")),
            }
        }
        Ok(position.count_legal() as u128)
    }
}

#[test]
fn a_crash_is_no_other_spelling_of_castling() {
    let start = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a FEN");
    let castling = start.parse_uci("e1g1").expect("a legal move");
    let lines = vec![(start, vec![castling])];
    let options = Options { lines, depth: Some(1), ..Options::default() };
    let report = Hunt::new(&CrashesAtCastling, options).run("total");
    let classes: Vec<Class> = report.findings.iter().map(|it| it.class).collect();
    assert_eq!(classes, [Class::DialogueCrash], "{report}");
    assert_eq!(report.findings[0].moves, ["e1g1"], "{report}");
}

/// A generator that alters the right numbers of each divide at this depth.
struct AltersDivides {
    depth: u32,
    alter: fn(&mut Divide),
}

impl Generator for AltersDivides {
    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        let mine = Mine { castles: true, counts: true };
        let mut divide = mine.divide(query)?;
        divide.total = Some(divide.sum());
        if query.depth == self.depth {
            (self.alter)(&mut divide);
        }
        Ok(divide)
    }
}

fn hunt_in_altered(depth: u32, alter: fn(&mut Divide)) -> Report {
    let program = AltersDivides { depth, alter };
    let positions = vec![Position::START];
    let options = Options { positions, depth: Some(depth), first: true, ..Options::default() };
    Hunt::new(&program, options).run("uci")
}

#[test]
fn the_move_with_a_wrong_count_is_named() {
    let one_more: fn(&mut Divide) = |divide| divide.moves[0].1 = divide.moves[0].1.map(|it| it + 1);
    // The smallest position has two kings.
    for (depth, note) in [(1, " has 2 instead of 1 leaf node"), (2, " has 6 instead of 5 leaf")] {
        let report = hunt_in_altered(depth, one_more);
        let told = report.findings[0].note.as_deref().unwrap_or_default();
        assert!(told.contains(note), "{report}");
    }
    // The sum is right.
    let report = hunt_in_altered(2, |divide| {
        if let [(_, Some(one)), (_, Some(other)), ..] = &mut divide.moves[..] {
            (*one, *other) = (*one + 1, *other - 1);
        }
    });
    let shrunk = report.findings[0].shrunk.as_ref().expect("it is shrunk");
    assert_eq!(shrunk.reproduces, Some(true), "{report}");
}

#[test]
fn a_wrong_total_of_moves_without_counts_is_found() {
    fn uncounted(divide: &mut Divide) {
        divide.moves.iter_mut().for_each(|(_, count)| *count = None);
    }
    assert_eq!(hunt_in_altered(1, uncounted).verdict, Verdict::Agrees);
    let wrong: [fn(&mut Divide); 2] = [
        |divide| {
            uncounted(divide);
            divide.total = Some(0);
        },
        |divide| {
            uncounted(divide);
            divide.total = Some(22);
        },
    ];
    for alter in wrong {
        let report = hunt_in_altered(1, alter);
        let [finding] = &report.findings[..] else { panic!("{report}") };
        assert_eq!((finding.class, finding.proven), (Class::CountWrong, false), "{report}");
    }
}
