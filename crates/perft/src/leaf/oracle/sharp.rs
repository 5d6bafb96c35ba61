//! The tables of `ALGORITHM.md`: what *sharp* means, and what is corrected, in the terms of the
//! library.
//!
//! Both are compared with the replies that the library counts after each move. The comparison also
//! shows that each row is needed: without it, some move comes out wrong.

use std::collections::BTreeMap;

use tabiya::{Bitboard, Board, Move, Position, Role, Square, attacks};

use super::{
    Castling, MOVER, REPLIER, STEPS, Truth, en_passant_replies, is_ordinary, positions, squares,
    walk,
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

const SHARP: [SharpRow; 6] = [
    ("check", 1, |asked| asked.checks()),
    ("new pin", 3, |asked| asked.uncovers_pin()),
    ("line opened", 6, |asked| asked.opens_line()),
    ("line closed", 6, |asked| asked.closes_line()),
    ("castling squares", 7, |asked| asked.leaves_castling()),
    ("castling line", 7, |asked| asked.changes_castling_lines()),
];

/// A part of what is added to `null + v(f) - v(t)`.
type Correction = (&'static str, u32, fn(&Asked<'_>) -> i64);

const CORRECTIONS: [Correction; 10] = [
    ("taken by the king", 5, |asked| asked.taken_by_king()),
    ("castlings", 7, |asked| asked.castlings()),
    ("two pushes", 8, |asked| asked.two_pushes()),
    ("takes a pawn", 8, |asked| asked.takes_pawn()),
    ("away", 10, |asked| asked.away()),
    ("toward", 10, |asked| asked.toward()),
    ("en passant", 12, |asked| asked.en_passant),
    ("guard leaves", 14, |asked| asked.guard_leaves()),
    ("pins", 16, |asked| asked.pins()),
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

    /// The pieces of the replier's that are pinned on a board, each with its pinner.
    fn pins_on(&self, board: &Board) -> Vec<(Square, Square)> {
        let king = self.king();
        let checkers = |board: &Board| board.attackers_to(king) & board.color(MOVER);
        let mut pins = Vec::new();
        for shield in board.color(REPLIER).iter().filter(|&s| s != king) {
            let mut without = *board;
            without.set(shield, None);
            let pinners = checkers(&without) & !checkers(board);
            pins.extend(pinners.iter().map(|pinner| (shield, pinner)));
        }
        pins
    }

    /// Is a piece pinned that was not, by another piece than the one that moves?
    fn uncovers_pin(&self) -> bool {
        self.pins_on(&self.after)
            .iter()
            .any(|&(shield, pinner)| !Truth::has(self.truth.pinned, shield) && pinner != self.to)
    }

    /// The moves of one piece of the replier's on a board, along the line of its pin if it is pinned.
    fn moves_of(&self, board: &Board, shield: Square) -> i64 {
        let mut moves = 0;
        let piece = board.piece_on(shield).unwrap();
        let (own, theirs) = (board.color(MOVER).0, board.color(REPLIER).0);
        let targets = if piece.role == Role::Pawn {
            let one = walk(shield, (0, 1)).take(if Truth::has(0xff00, shield) { 2 } else { 1 });
            let pushes = one.take_while(|&s| !Truth::has(own | theirs, s));
            pushes.fold(attacks::pawn(REPLIER, shield).0 & own, |set, s| set | s.bitboard().0)
        } else {
            board.attacks_from(shield).0 & !theirs
        };
        for to in squares(targets) {
            let mut after = *board;
            after.set(shield, None);
            after.set(to, Some(piece));
            if !after.attackers_to(self.king()).meets(after.color(MOVER)) {
                let promotes = piece.role == Role::Pawn && Truth::has(0xff << 56, to);
                moves += if promotes { 4 } else { 1 };
            }
        }
        moves
    }

    /// The moves of pieces that were pinned and are not so or elsewhere, and of those that the moved
    /// piece pins, in place of those that the sum has.
    fn pins(&self) -> i64 {
        let before = self.pins_on(&self.truth.board);
        let after = self.pins_on(&self.after);
        let mut gained = 0;
        for &(shield, pinner) in &before {
            let line = attacks::between(self.king(), pinner) | pinner.bitboard();
            if pinner == self.from || line.has(self.to) {
                gained -= self.moves_of(&self.truth.board, shield);
                if shield != self.to {
                    gained += self.moves_of(&self.after, shield);
                }
            }
        }
        for &(shield, pinner) in &after {
            if pinner == self.to && before.iter().all(|&(pinned, _)| pinned != shield) {
                // As if it were free.
                let mut free = self.after;
                free.set(pinner, Some(Role::Pawn.of(MOVER)));
                gained += self.moves_of(&self.after, shield) - self.moves_of(&free, shield);
            }
        }
        gained
    }

    /// The squares next to the replier's king that this piece alone guards.
    fn guarded(&self) -> Bitboard {
        self.truth.board.attacks_from(self.from) & Bitboard(self.truth.alone)
    }

    /// The king takes a piece that has taken something next to it, if nothing guards it.
    fn taken_by_king(&self) -> i64 {
        let near = attacks::king(self.king()).has(self.to);
        let guarded = self.after.attackers_to(self.to).meets(self.after.color(MOVER));
        i64::from(near && Truth::has(self.truth.theirs, self.to) && !guarded)
    }

    /// The mover's other pieces that attack a square before and after.
    fn others(&self, square: Square) -> [Bitboard; 2] {
        self.others_on([&self.truth.board, &self.after], square)
    }

    /// The same on other boards.
    fn others_on(&self, [before, after]: [&Board; 2], square: Square) -> [Bitboard; 2] {
        let other = |board: &Board, moved: Square| {
            board.attackers_to(square) & board.color(MOVER) & !moved.bitboard()
        };
        [other(before, self.from), other(after, self.to)]
    }

    fn opens_line(&self) -> bool {
        squares(self.truth.escapes | self.truth.alone).any(|s| {
            let [before, after] = self.others(s);
            (after & !before).any()
        })
    }

    fn closes_line(&self) -> bool {
        let zone = attacks::king(self.king()).0 & !self.truth.theirs;
        squares(zone).any(|s| {
            let [before, after] = self.others(s);
            (before & !after).any()
        })
    }

    fn leaves_castling(&self) -> bool {
        self.truth.castlings.iter().any(|castling| Truth::has(castling.squares, self.from))
    }

    /// The castlings between whose king and rook nothing stands.
    fn open_castlings(&self) -> impl Iterator<Item = &Castling> {
        let occupied = self.truth.own | self.truth.theirs;
        self.truth.castlings.iter().filter(move |castling| castling.squares & occupied == 0)
    }

    fn changes_castling_lines(&self) -> bool {
        self.open_castlings()
            .filter(|castling| !Truth::has(castling.squares | castling.rook, self.to))
            .any(|castling| {
                let boards = [&self.truth.board, &self.after];
                let boards = boards.map(|board| castling.without_king_and_rook(board));
                squares(castling.path).any(|s| {
                    let [before, after] = self.others_on(boards.each_ref(), s);
                    before != after
                })
            })
    }

    /// The castlings gained or lost by what the moved piece forbids.
    fn castlings(&self) -> i64 {
        let mut gained = 0;
        for castling in self.open_castlings() {
            let forbids = |board: &Board| {
                let board = castling.without_king_and_rook(board);
                let attackers = squares(castling.path).map(|s| board.attackers_to(s));
                attackers.fold(Bitboard::EMPTY, |all, set| all | set) & board.color(MOVER)
            };
            let by = forbids(&self.truth.board);
            let shut = Truth::has(castling.squares | castling.rook, self.to);
            let forbidden = shut || forbids(&self.after).has(self.to);
            if by.is_empty() && forbidden {
                gained -= 1;
            } else if by == self.from.bitboard() && !forbidden {
                gained += 1;
            }
        }
        gained
    }

    /// The replier's pawns that are not pinned.
    fn pawns(&self) -> impl Iterator<Item = Square> {
        let pawns = self.truth.board.pieces(REPLIER, Role::Pawn).0 & !self.truth.pinned;
        squares(pawns)
    }

    /// From one of the squares in front of an unmoved pawn to the other, which is empty.
    fn two_pushes(&self) -> i64 {
        let both = self.pawns().filter(|&pawn| Truth::has(0xff00, pawn)).any(|pawn| {
            let pushes: Vec<_> = walk(pawn, (0, 1)).take(2).collect();
            pushes.contains(&self.from) && pushes.contains(&self.to)
        });
        -i64::from(both && !Truth::has(self.truth.theirs, self.to))
    }

    /// The need and the take of a pawn on the square from which a piece comes that takes it.
    fn takes_pawn(&self) -> i64 {
        if self.pawns().all(|pawn| pawn != self.to) {
            return 0;
        }
        let kinds = if Truth::has(0xff << 48, self.to) { 4 } else { 1 };
        if attacks::pawn(REPLIER, self.to).has(self.from) {
            return kinds;
        }
        let double = Truth::has(0xff00, self.to);
        let ahead: Vec<_> = walk(self.to, (0, 1)).take(if double { 2 } else { 1 }).collect();
        match ahead.iter().position(|&s| s == self.from) {
            None => 0,
            Some(0) => {
                let empty = |&s: &Square| self.truth.board.piece_on(s).is_none();
                -kinds - i64::from(ahead.get(1).is_some_and(empty))
            }
            Some(_) => -1,
        }
    }

    /// The direction of a move along a line.
    fn lane(&self) -> Option<usize> {
        (0..8).find(|&lane| walk(self.from, STEPS[lane]).any(|s| s == self.to))
    }

    fn attacker_along(&self, lane: usize) -> bool {
        self.truth.attacker_along(self.from, lane)
    }

    fn away(&self) -> i64 {
        match self.lane() {
            Some(lane) if self.attacker_along(lane ^ 4) => {
                let takes = Truth::has(self.truth.theirs, self.to);
                if takes { 1 } else { -self.truth.run(self.to, lane) }
            }
            _ => 0,
        }
    }

    fn toward(&self) -> i64 {
        match self.lane() {
            Some(lane) if self.attacker_along(lane) => -self.truth.run(self.from, lane ^ 4),
            _ => 0,
        }
    }

    /// The squares that only this piece guards, and no longer does. For knights and pawns they are in
    /// `need`.
    fn guard_leaves(&self) -> i64 {
        if matches!(self.role, Role::Knight | Role::Pawn) {
            return 0;
        }
        (self.guarded() & !self.after.attacks_from(self.to)).len().into()
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
        let null = self.truth.null as i64;
        let (left, entered) = (self.truth.value(self.from), self.truth.value(self.to));
        let (lost, predicted) = (self.lost_escapes(), self.predicted());
        [null, left, entered, lost, predicted - null - left + entered + lost, predicted]
    }

    /// The theorem, for moves that are not sharp.
    fn predicted(&self) -> i64 {
        let truth = self.truth;
        let corrections: i64 = CORRECTIONS.iter().map(|(.., value)| value(self)).sum();
        truth.null as i64 + truth.value(self.from) - truth.value(self.to) + corrections
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

/// Is there a position in this cell?
fn is_position(cell: &str) -> bool {
    cell.ends_with(" - 0 1")
}

/// `| name | position | move | null | v(f) | v(t) | k(t) | c | replies |`. Every correction has an
/// example, and what has the name of a correction is one.
#[test]
fn examples_of_the_proof() {
    let rows = rows(|row| row.len() == 9 && is_position(row[1]));
    assert_eq!(rows.len(), 18);
    let mut expected = Vec::new();
    let mut examples = [0; CORRECTIONS.len()];
    for row in &rows {
        let position = Position::from_fen(row[1]).unwrap();
        let mv = position.parse_uci(row[2]).unwrap();
        let truth = Truth::of(&position);
        let asked = Asked::of(&truth, mv);
        assert!(asked.reasons().is_empty(), "{row:?} is sharp");
        for ((name, _, value), examples) in CORRECTIONS.iter().zip(&mut examples) {
            let value = value(&asked);
            assert!(*name != row[0] || value != 0, "{row:?} is no example");
            *examples += usize::from(value != 0);
        }
        let numbers = asked.numbers();
        assert_eq!(numbers[5], position.play(mv).count_legal() as i64, "{row:?}");
        let numbers = numbers.map(|number| number.to_string());
        expected.push([&row[..3], &numbers.each_ref().map(String::as_str)].concat().join(" | "));
    }
    let found: Vec<_> = rows.iter().map(|row| row.join(" | ")).collect();
    assert!(found == expected, "the rows are\n{}", expected.join("\n"));
    assert!(examples.iter().all(|&n| n > 0), "{examples:?}");
}

/// `| row | position | move | sum | replies |`: sharp moves, each by one row alone, for which the sum
/// is wrong.
#[test]
fn sharp_moves_of_the_proof() {
    let rows = rows(|row| row.len() == 5 && is_position(row[1]));
    let names: Vec<_> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(names, SHARP.map(|(name, ..)| name));
    for row in &rows {
        let position = Position::from_fen(row[1]).unwrap();
        let mv = position.parse_uci(row[2]).unwrap();
        let truth = Truth::of(&position);
        let asked = Asked::of(&truth, mv);
        let reasons: Vec<_> = asked.reasons().iter().map(|&row| SHARP[row].0).collect();
        assert_eq!(reasons, [row[0]], "{row:?}");
        let (sum, replies) = (asked.predicted(), position.play(mv).count_legal() as i64);
        assert_ne!(sum, replies, "{row:?}");
        assert_eq!([row[3], row[4]], [sum, replies].map(|n| n.to_string()), "{row:?}");
    }
}

/// The table that has each move of a position, with the line above it.
fn every_move_of(fen: &str) -> String {
    let position = Position::from_fen(fen).unwrap();
    let truth = Truth::of(&position);
    let mut leaves = 0;
    // What is said about moves of one piece, and the moves.
    let mut groups: BTreeMap<(Square, String), Vec<String>> = BTreeMap::new();
    let all: Vec<Move> = position.legal_moves().iter().copied().collect();
    let asked: Vec<_> = all.iter().map(|&mv| Asked::of(&truth, mv)).collect();
    let plain = asked.iter().all(|asked| asked.reasons().is_empty() && asked.numbers()[4] == 0);
    for (&mv, asked) in all.iter().zip(&asked) {
        let replies = position.play(mv).count_legal();
        leaves += replies;
        let reasons: Vec<_> = asked.reasons().iter().map(|&row| SHARP[row].0).collect();
        let [_, left, entered, lost, more, predicted] = asked.numbers();
        let said = if reasons.is_empty() {
            assert_eq!(predicted, replies as i64, "{mv} in {fen}");
            let (sharp, more) =
                if plain { ("", String::new()) } else { ("| ", format!(" | {more}")) };
            format!("{sharp}| {left} | {entered} | {lost}{more} | {replies} |")
        } else {
            format!("| {} | | | | | {replies} |", reasons.join(", "))
        };
        groups.entry((mv.from(), said)).or_default().push(format!("`{}`", position.uci(mv)));
    }
    let mut rows = Vec::new();
    for ((_, said), moves) in &mut groups {
        moves.sort();
        rows.push(format!("| {} {said}\n", moves.join(" ")));
    }
    rows.sort();
    let head = if plain {
        "| moves | v(f) | v(t) | k(t) | replies |\n|---|---|---|---|---|"
    } else {
        "| moves | sharp | v(f) | v(t) | k(t) | c | replies |\n|---|---|---|---|---|---|---|"
    };
    let null = truth.null;
    format!("{BEGINNING}{fen}`: null {null}, leaves {leaves}.\n\n{head}\n{}\n", rows.concat())
}

/// How the line above such a table begins.
const BEGINNING: &str = "Every move of `";

#[test]
fn positions_worked_out_in_the_proof() {
    let tables: Vec<_> = PROOF.split(BEGINNING).skip(1).collect();
    assert_eq!(tables.len(), 2);
    for table in tables {
        let expected = every_move_of(table.split_once('`').unwrap().0);
        assert!(
            expected[BEGINNING.len()..] == table[..expected.len() - BEGINNING.len()],
            "{expected}"
        );
    }
}

/// The tables of sharp moves and of corrections in the proof have these rows, with their lemmas. Lost
/// escapes are not a correction there, but `k(t)`.
#[test]
fn the_proof_names_every_row() {
    let found = rows(|row| row.len() == 3 && row[2].starts_with("Lemma "));
    let found: Vec<_> = found.iter().map(|row| (row[0].to_owned(), row[2].to_owned())).collect();
    let sharp = SHARP.iter().map(|(name, lemma, _)| (name, lemma));
    let corrections = CORRECTIONS.iter().map(|(name, lemma, _)| (name, lemma));
    let expected: Vec<_> = sharp
        .chain(corrections.filter(|(name, _)| **name != "lost escapes"))
        .map(|(name, lemma)| (name.to_string(), format!("Lemma {lemma}")))
        .collect();
    assert_eq!(found, expected);
}

/// The text of each file.
macro_rules! sources {
    ($($file:literal),+) => { [$(($file, include_str!(concat!("../", $file)))),+] };
}

/// The files whose functions the proof names.
const SOURCES: [(&str, &str); 14] = sources![
    "scalar/castlings.rs",
    "scalar/corrections.rs",
    "scalar/digits.rs",
    "scalar/king_view.rs",
    "scalar/moves.rs",
    "scalar/need_take.rs",
    "scalar/pins.rs",
    "scalar/replies.rs",
    "vector/kernel.rs",
    "vector/king_view.rs",
    "vector/moves.rs",
    "vector/need_take.rs",
    "vector/replies.rs",
    "vector/waiting.rs"
];

/// The comments of a file's functions of this name.
fn comments(file: &str, function: &str) -> Vec<String> {
    let source = SOURCES.iter().find(|(name, _)| *name == file);
    let (_, text) = source.unwrap_or_else(|| panic!("{file} is not among the sources"));
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    let names = ["(", "<"].map(|after| format!("fn {function}{after}"));
    let is = |line: &str| names.iter().any(|name| line.contains(name.as_str()));
    let places = lines.iter().enumerate().filter(|(_, line)| is(line));
    places
        .map(|(at, _)| {
            let above = lines[..at].iter().rev();
            let above = above.take_while(|line| line.starts_with("///") || line.starts_with("#["));
            above.map(|line| format!("{line} ")).collect()
        })
        .collect()
}

/// `| Lemma n | files and functions in vector/ | the same in scalar/ |`: the functions exist, and
/// their comments name the lemma.
#[test]
fn the_proof_names_the_code() {
    let rows = rows(|row| row.len() == 3 && row[1].contains(".rs"));
    let mut lemmas = Vec::new();
    for row in &rows {
        let is_lemma = row[0].starts_with("Lemma");
        let numbers = row[0].split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
        let numbers: Vec<&str> = numbers.filter(|_| is_lemma).collect();
        lemmas.extend(numbers.iter().map(|n| n.parse::<u32>().unwrap()));
        for (folder, cell) in ["vector", "scalar"].into_iter().zip(&row[1..]) {
            let mut file = String::new();
            let words = cell.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
            for word in words.filter(|word| !word.is_empty()) {
                if word.ends_with(".rs") {
                    file = format!("{folder}/{word}");
                    continue;
                }
                let comments = comments(&file, word);
                assert!(!comments.is_empty(), "no function {word} in {file}");
                for n in &numbers {
                    let named = |comment: &String| {
                        comment
                            .split(|c: char| !c.is_alphanumeric())
                            .collect::<Vec<_>>()
                            .windows(2)
                            .any(|pair| pair == ["Lemma", *n])
                    };
                    assert!(comments.iter().any(named), "{word} in {file} doesn't name Lemma {n}");
                }
            }
        }
    }
    lemmas.sort_unstable();
    assert_eq!(lemmas, (1..=16).collect::<Vec<_>>());
}
