//! The tables of `ALGORITHM.md`: what *sharp* means, and what is corrected, in the terms of the
//! library.
//!
//! Both are compared with the replies that the library counts after each move. The comparison also
//! shows that each row is needed: without it, some move comes out wrong.

use tabiya::{Bitboard, Board, Move, Position, Role, Square, attacks};

use super::{
    MOVER, REPLIER, STEPS, Truth, en_passant_replies, is_ordinary, positions, slides, squares, walk,
};

/// A move of one piece that keeps its role, and the board after it.
struct Asked<'a> {
    truth: &'a Truth,
    from: Square,
    to: Square,
    role: Role,
    after: Board,
    en_passant: i64,
}

/// A kind of sharp move: its name and its lemma in `ALGORITHM.md`.
type SharpRow = (&'static str, u32, fn(&Asked<'_>) -> bool);

const SHARP: [SharpRow; 16] = [
    ("check", 1, |asked| asked.checks()),
    ("line of a pin", 2, |asked| asked.enters_pin()),
    ("pinner", 2, |asked| asked.is_pinner()),
    ("new pin", 3, |asked| asked.pins()),
    ("king leaves an effect", 4, |asked| asked.king_leaves_effect()),
    ("king guards alone", 4, |asked| asked.king_guards()),
    ("next to the king", 5, |asked| asked.comes_next_to_king()),
    ("line opened", 6, |asked| asked.opens_line()),
    ("line closed", 6, |asked| asked.closes_line()),
    ("queen guards alone", 6, |asked| asked.queen_guards()),
    ("castling squares", 7, |asked| asked.touches_castling()),
    ("castling path", 7, |asked| asked.changes_castling_path()),
    ("two pushes", 8, |asked| asked.in_both_pushes()),
    ("takes the pawn behind", 8, |asked| asked.takes_from_the_front()),
    ("takes its attacker", 8, |asked| asked.slider_takes_its_attacker()),
    ("pawn along an attack", 10, |asked| asked.pawn_along_attack()),
];

/// A part of what is added to `null + v(f) - v(t)`.
type Correction = (&'static str, u32, fn(&Asked<'_>) -> i64);

const CORRECTIONS: [Correction; 6] = [
    ("away", 10, |asked| asked.away()),
    ("toward", 10, |asked| asked.toward()),
    ("pawn takes pawn", 11, |asked| asked.pawn_takes_pawn()),
    ("en passant", 12, |asked| asked.en_passant),
    ("guards that slide", 14, |asked| asked.sliding_guard()),
    ("lost escapes", 15, |asked| -asked.lost_escapes()),
];

impl<'a> Asked<'a> {
    fn of(truth: &'a Truth, mv: Move) -> Self {
        Self {
            truth,
            from: mv.from(),
            to: mv.to(),
            role: truth.board.role_on(mv.from()).unwrap(),
            after: truth.after(mv),
            en_passant: en_passant_replies(&truth.position.play(mv)) as i64,
        }
    }

    fn king(&self) -> Square {
        self.truth.position.king(REPLIER)
    }

    fn checks(&self) -> bool {
        self.after.attackers_to(self.king()).meets(self.after.color(MOVER))
    }

    /// The pins: the squares from the king to the pinner, without the king's, and the pinner.
    fn lines_of_pins(&self) -> impl Iterator<Item = (Bitboard, Square)> {
        squares(self.truth.pinned).map(|shield| {
            let toward = |lane: &usize| walk(self.king(), STEPS[*lane]).any(|s| s == shield);
            let lane = (0..8).find(toward).expect("a pinned piece stands on a line with its king");
            let is_pinner = |s: &Square| self.truth.board.occupied().has(*s) && *s != shield;
            let pinner =
                walk(self.king(), STEPS[lane]).find(is_pinner).expect("a pin has a pinner");
            (attacks::between(self.king(), pinner) | pinner.bitboard(), pinner)
        })
    }

    fn enters_pin(&self) -> bool {
        self.lines_of_pins().any(|(line, _)| line.has(self.to))
    }

    fn is_pinner(&self) -> bool {
        self.lines_of_pins().any(|(_, pinner)| pinner == self.from)
    }

    fn pins(&self) -> bool {
        squares(self.truth.theirs & !self.truth.pinned)
            .filter(|&s| s != self.king() && s != self.to)
            .any(|s| {
                let mut without = self.after;
                without.set(s, None);
                let new = without.attackers_to(self.king()) & !self.after.attackers_to(self.king());
                new.meets(self.after.color(MOVER))
            })
    }

    fn king_leaves_effect(&self) -> bool {
        let s = self.from as usize;
        self.role == Role::King && (self.truth.need[s] != 0 || self.truth.take[s] != 0)
    }

    /// The squares next to the replier's king that this piece alone guards.
    fn guarded(&self) -> Bitboard {
        self.truth.board.attacks_from(self.from) & Bitboard(self.truth.alone)
    }

    fn king_guards(&self) -> bool {
        self.role == Role::King && self.guarded().any()
    }

    fn queen_guards(&self) -> bool {
        self.role == Role::Queen && self.guarded().any()
    }

    fn comes_next_to_king(&self) -> bool {
        let near = attacks::king(self.king()).has(self.to);
        near && self.truth.attackers[self.to as usize] < 2
    }

    /// The mover's other pieces that attack a square before and after.
    fn others(&self, square: Square) -> [Bitboard; 2] {
        let other = |board: &Board, moved: Square| {
            board.attackers_to(square) & board.color(MOVER) & !moved.bitboard()
        };
        [other(&self.truth.board, self.from), other(&self.after, self.to)]
    }

    fn opens_line(&self) -> bool {
        squares(self.truth.escapes | self.truth.alone).any(|s| {
            let [before, after] = self.others(s);
            (after & !before).any()
        })
    }

    fn closes_line(&self) -> bool {
        let zone = attacks::king(self.king()).0 & !self.truth.theirs & !self.truth.path;
        squares(zone).any(|s| {
            let [before, after] = self.others(s);
            (before & !after).any()
        })
    }

    fn touches_castling(&self) -> bool {
        let Truth { between, corners, .. } = *self.truth;
        Truth::has(between, self.from) || Truth::has(between | corners, self.to)
    }

    fn changes_castling_path(&self) -> bool {
        let attacked = |board: &Board, s| board.attackers_to(s).meets(board.color(MOVER));
        squares(self.truth.path).any(|s| attacked(&self.truth.board, s) != attacked(&self.after, s))
    }

    /// The replier's pawns that are not pinned.
    fn pawns(&self) -> impl Iterator<Item = Square> {
        let pawns = self.truth.board.pieces(REPLIER, Role::Pawn).0 & !self.truth.pinned;
        squares(pawns)
    }

    fn in_both_pushes(&self) -> bool {
        self.pawns().filter(|&pawn| Truth::has(0xff00, pawn)).any(|pawn| {
            let pushes: Vec<_> = walk(pawn, (0, 1)).take(2).collect();
            pushes.contains(&self.from) && pushes.contains(&self.to)
        })
    }

    fn takes_from_the_front(&self) -> bool {
        self.pawns().any(|pawn| {
            pawn == self.to && walk(pawn, (0, 1)).take(2).any(|ahead| ahead == self.from)
        })
    }

    fn slider_takes_its_attacker(&self) -> bool {
        let slides = slides(self.role, 0) || slides(self.role, 2);
        slides
            && self
                .pawns()
                .any(|pawn| pawn == self.to && attacks::pawn(REPLIER, pawn).has(self.from))
    }

    /// The direction of a move along a line.
    fn lane(&self) -> Option<usize> {
        (0..8).find(|&lane| walk(self.from, STEPS[lane]).any(|s| s == self.to))
    }

    fn slider_lane(&self) -> Option<usize> {
        self.lane().filter(|&lane| slides(self.role, lane))
    }

    fn attacker_along(&self, lane: usize) -> bool {
        self.truth.attacker_along(self.from, lane)
    }

    fn pawn_along_attack(&self) -> bool {
        self.role == Role::Pawn
            && self
                .lane()
                .is_some_and(|lane| self.attacker_along(lane) || self.attacker_along(lane ^ 4))
    }

    fn away(&self) -> i64 {
        match self.slider_lane() {
            Some(lane) if self.attacker_along(lane ^ 4) => {
                let takes = Truth::has(self.truth.theirs, self.to);
                if takes { 1 } else { -self.truth.run(self.to, lane) }
            }
            _ => 0,
        }
    }

    fn toward(&self) -> i64 {
        match self.slider_lane() {
            Some(lane) if self.attacker_along(lane) => -self.truth.run(self.from, lane ^ 4),
            _ => 0,
        }
    }

    fn pawn_takes_pawn(&self) -> i64 {
        let taken = self.truth.board.role_on(self.to);
        i64::from(self.role == Role::Pawn && taken == Some(Role::Pawn))
    }

    fn sliding_guard(&self) -> i64 {
        if !matches!(self.role, Role::Rook | Role::Bishop) {
            return 0;
        }
        (self.guarded() & !attacks::line(self.from, self.to)).len().into()
    }

    /// The number `k(t)`.
    fn lost_escapes(&self) -> i64 {
        (self.after.attacks_from(self.to) & Bitboard(self.truth.escapes)).len().into()
    }

    /// The rows that call the move sharp.
    fn reasons(&self) -> Vec<usize> {
        (0..SHARP.len()).filter(|&row| SHARP[row].2(self)).collect()
    }

    /// `null`, `v(f)`, `v(t)`, `k(t)`, the other corrections, and what follows from them.
    fn numbers(&self) -> [i64; 6] {
        let null = (self.truth.null + self.truth.unorthodox) as i64;
        let (left, entered) = (self.truth.value(self.from), self.truth.value(self.to));
        let (lost, predicted) = (self.lost_escapes(), self.predicted());
        [null, left, entered, lost, predicted - null - left + entered + lost, predicted]
    }

    /// The theorem, for moves that are not sharp.
    fn predicted(&self) -> i64 {
        let truth = self.truth;
        let corrections: i64 = CORRECTIONS.iter().map(|(.., value)| value(self)).sum();
        (truth.null + truth.unorthodox) as i64 + truth.value(self.from) - truth.value(self.to)
            + corrections
    }
}

/// How often each row alone made a difference.
#[derive(Debug, Default)]
struct Needed {
    quiet: usize,
    sharp: [usize; SHARP.len()],
    corrections: [usize; CORRECTIONS.len()],
    /// The last item of `need`: squares that knights and pawns guard alone.
    guards: usize,
}

fn compare(position: &Position, needed: &mut Needed) {
    let truth = Truth::of(position);
    for &mv in truth.position.legal_moves().iter().filter(|mv| is_ordinary(**mv)) {
        let asked = Asked::of(&truth, mv);
        let replies = truth.position.play(mv).count_legal() as i64;
        match asked.reasons()[..] {
            [] => {
                assert_eq!(asked.predicted(), replies, "{mv} in {}", truth.position.fen());
                needed.quiet += 1;
                for (at, (.., value)) in CORRECTIONS.iter().enumerate() {
                    needed.corrections[at] += usize::from(value(&asked) != 0);
                }
                let leaps = matches!(asked.role, Role::Knight | Role::Pawn);
                needed.guards += usize::from(leaps && asked.guarded().any());
            }
            [row] => needed.sharp[row] += usize::from(asked.predicted() != replies),
            _ => {}
        }
    }
}

/// The tables hold, and each row without exception is needed: a fault in it would be found.
#[test]
fn the_tables_hold_and_each_row_is_needed() {
    let mut needed = Needed::default();
    for position in positions::of_suites() {
        compare(&position, &mut needed);
    }
    for position in positions::of_games(4_000) {
        compare(&position, &mut needed);
    }
    for position in positions::placed(0x5eed_0015).take(positions::share(12_000)) {
        compare(&position, &mut needed);
    }
    println!("{needed:?}");
    if positions::are_few() {
        return;
    }
    for ((name, lemma, _), n) in SHARP.iter().zip(needed.sharp) {
        assert!(n > 0, "no move is wrong without the row {name:?} of lemma {lemma}");
    }
    for ((name, lemma, _), n) in CORRECTIONS.iter().zip(needed.corrections) {
        assert!(n > 0, "no move is wrong without the correction {name:?} of lemma {lemma}");
    }
    assert!(needed.guards > 0, "no move is wrong without what knights and pawns guard");
    assert!(needed.quiet > 100_000, "{needed:?}");
}

const PROOF: &str = include_str!("../ALGORITHM.md");

/// The cells of the table rows of the proof that fulfil a condition.
fn rows(condition: impl Fn(&[&str]) -> bool) -> Vec<Vec<&'static str>> {
    let cells = |row: &'static str| -> Vec<&'static str> {
        row.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect()
    };
    let rows = PROOF.lines().filter(|line| line.starts_with('|')).map(cells);
    rows.filter(|row| condition(row)).collect()
}

/// `| name | position | move | null | v(f) | v(t) | k(t) | more | replies |`
#[test]
fn boards_of_the_proof() {
    let rows = rows(|row| row.len() == 9 && row[1].ends_with(" b - - 0 1"));
    assert_eq!(rows.len(), 12);
    let mut expected = Vec::new();
    for row in &rows {
        let position = Position::from_fen(row[1]).unwrap();
        let mv = position.parse_uci(row[2]).unwrap();
        let truth = Truth::of(&position);
        let asked = Asked::of(&truth, mv);
        assert!(asked.reasons().is_empty(), "{row:?} is sharp");
        let numbers = asked.numbers();
        assert_eq!(numbers[5], position.play(mv).count_legal() as i64, "{row:?}");
        let numbers = numbers.map(|number| number.to_string());
        expected.push([&row[..3], &numbers.each_ref().map(String::as_str)].concat().join(" | "));
    }
    let found: Vec<_> = rows.iter().map(|row| row.join(" | ")).collect();
    assert!(found == expected, "the rows are\n{}", expected.join("\n"));
}

/// `| move | sharp | v(f) | v(t) | k(t) | more | replies |`, for each child of one position.
#[test]
fn children_of_the_proof() {
    let position = Position::from_fen("4r2k/8/8/8/8/R1n5/4N3/4K3 b - - 0 1").unwrap();
    let truth = Truth::of(&position);
    let mut expected: Vec<String> = Vec::new();
    for &mv in &position.legal_moves() {
        let asked = Asked::of(&truth, mv);
        let replies = position.play(mv).count_legal();
        let name = position.uci(mv);
        let reasons: Vec<_> = asked.reasons().iter().map(|&row| SHARP[row].0).collect();
        expected.push(if reasons.is_empty() {
            let [_, left, entered, lost, more, predicted] = asked.numbers();
            assert_eq!(predicted, replies as i64, "{name}");
            format!("| `{name}` | | {left} | {entered} | {lost} | {more} | {replies} |")
        } else {
            format!("| `{name}` | {} | | | | | {replies} |", reasons.join(", "))
        });
    }
    expected.sort();
    let mut found: Vec<&str> = PROOF
        .lines()
        .filter(|line| line.starts_with("| `") && line.matches('|').count() == 8)
        .collect();
    found.sort_unstable();
    assert!(found == expected, "null is {}, and the rows are\n{}", truth.null, expected.join("\n"));
}

/// The tables of sharp moves and of corrections in the proof have these rows, with their lemmas. Lost
/// escapes are not a correction there, but `k(t)`.
#[test]
fn the_proof_names_every_row() {
    let found = rows(|row| row.len() == 4 && row[3].starts_with("Lemma "));
    let found: Vec<_> = found.iter().map(|row| (row[0].to_owned(), row[3].to_owned())).collect();
    let sharp = SHARP.iter().map(|(name, lemma, _)| (name, lemma));
    let corrections = CORRECTIONS.iter().map(|(name, lemma, _)| (name, lemma));
    let expected: Vec<_> = sharp
        .chain(corrections.filter(|(name, _)| **name != "lost escapes"))
        .map(|(name, lemma)| (name.to_string(), format!("Lemma {lemma}")))
        .collect();
    assert_eq!(found, expected);
}
