//! Explanations agree with the generator on every move of many positions. The pieces that they name
//! are those that an independent search of the board finds.

use std::collections::HashSet;

use tabiya::attacks::{Sliders, StepByStep};
use tabiya::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, Explanation, File, Move,
    MoveKind, PlacedPiece, Position, Reason, Role, Setup, Square, UciError, UciMove, UciMoveError,
};

mod common;
use common::{Random, SUITES, games, least, rounds, suite};

/// Every text of two squares with or without a promotion: 4096 x 5.
fn every_text() -> impl Iterator<Item = UciMove> {
    let promotions =
        [None, Some(Role::Knight), Some(Role::Bishop), Some(Role::Rook), Some(Role::Queen)];
    Square::ALL.into_iter().flat_map(move |from| {
        Square::ALL.into_iter().flat_map(move |to| {
            promotions.into_iter().map(move |promotion| UciMove { from, to, promotion })
        })
    })
}

/// The reasons found so far, to check that the positions cover all of them.
#[derive(Default)]
struct SeenReasons {
    names: HashSet<&'static str>,
}

impl SeenReasons {
    fn add(&mut self, reason: &Reason) {
        if self.names.insert(reason.name()) {
            check_names(reason);
        }
    }

    fn assert_all(&self, names: &[&str]) {
        for &name in names {
            assert!(
                common::is_short() || self.names.contains(name),
                "no move had the reason {name}"
            );
        }
    }
}

/// Checks the names of a reason and of its details against the names in the source, as `Debug`
/// prints them.
fn check_names(reason: &Reason) {
    let debug = format!("{reason:?}");
    let mut words = debug.split([' ', '{', '(']);
    let variant = words.next().unwrap();
    let kebab: String = variant
        .char_indices()
        .map(|(at, letter)| match letter.is_uppercase() && at > 0 {
            true => format!("-{}", letter.to_ascii_lowercase()),
            false => letter.to_ascii_lowercase().to_string(),
        })
        .collect();
    assert_eq!(reason.name(), kebab);
    // Outside of inner structures, a word that ends in a colon is a field.
    let mut depth = 0;
    let mut fields = Vec::new();
    for word in debug.split(' ') {
        if depth == 1 && word.ends_with(':') {
            fields.push(word.trim_end_matches(':'));
        }
        depth += word.matches('{').count();
        depth -= word.matches('}').count();
    }
    let named: Vec<&str> =
        reason.details().map(|(name, _)| name).filter(|&name| name != "line").collect();
    assert_eq!(named, fields, "{debug}");
    let has_line = ["pinned", "castling-rook-pinned", "en-passant-uncovers"];
    let lines = reason.details().filter(|(name, _)| *name == "line").count();
    assert_eq!(lines == 1, has_line.contains(&reason.name()), "{debug}");
}

/// The attackers of the king after a move, including en passant. It does not use the library's
/// rules, and works for moves that are pseudo-legal or nearly so.
fn attackers_after(position: &Position, text: UciMove) -> Bitboard {
    let us = position.turn();
    let mut board = *position.board();
    let piece = board.piece_on(text.from).expect("a piece to move");
    let captures = piece.role == Role::Pawn && text.from.file() != text.to.file();
    if captures && board.piece_on(text.to).is_none() {
        board.set(Square::new(text.to.file(), text.from.rank()), None);
    }
    board.set(text.from, None);
    board.set(text.to, Some(piece));
    let king = board.king(us).expect("each side has one king");
    attackers(&board, king, !us)
}

fn attackers(board: &Board, square: Square, by: Color) -> Bitboard {
    board.attackers_with(StepByStep, by, square, board.occupied())
}

/// Checks the reasons of an illegal move one by one.
fn check_reasons(position: &Position, explanation: &Explanation) {
    let context = || format!("{position:?}: {explanation}");
    let text = explanation.uci_move();
    let board = position.board();
    let reasons = explanation.reasons();
    assert!(!reasons.is_empty(), "{}", context());
    let complete = explanation.omitted() == 0;
    for (number, reason) in reasons.iter().enumerate() {
        assert!(!reasons[..number].contains(reason), "a reason comes twice: {}", context());
        if let Reason::Blocked { by } = *reason {
            // On the way to the target this is the first piece.
            let reached = StepByStep.queen(text.from, board.occupied());
            assert!(reached.has(by.square), "{}", context());
            assert_eq!(board.role_on(by.square), Some(by.role), "{}", context());
        }
    }

    // If all reasons concern the king's safety, play the move and find the king's attackers.
    let mut named = Bitboard::EMPTY;
    let mut double = false;
    for reason in reasons {
        let by = match *reason {
            Reason::Pinned { by, .. }
            | Reason::CheckRemains { checker: by }
            | Reason::KingAttacked { by, .. }
            | Reason::EnPassantUncovers { by, .. } => by.square,
            Reason::KingsAdjacent { king, .. } => king,
            Reason::DoubleCheck { first, second } => {
                double = true;
                named = named.with(first.square);
                second.square
            }
            _ => return,
        };
        named = named.with(by);
    }
    let found = attackers_after(position, text);
    assert!(complete, "{}", context());
    if double {
        // The move may capture one of the two; the other still attacks.
        assert!(found.meets(named), "{} {found:?} {named:?}", context());
    } else {
        assert_eq!(found, named, "{}", context());
    }
}

/// Checks all 20,480 texts in a position.
fn check_every_text(position: &Position, seen: &mut SeenReasons) {
    let legal: HashSet<UciMove> =
        position.legal_moves().iter().map(|&mv| position.uci(mv)).collect();
    let mut found = 0;
    for text in every_text() {
        let explanation = position.explain(text);
        assert_eq!(explanation.uci_move(), text);
        assert_eq!(explanation.is_legal(), legal.contains(&text), "{position:?}: {explanation}");
        if let Some(mv) = explanation.legal() {
            found += 1;
            assert_eq!(position.uci(mv), text);
            assert!(explanation.reasons().is_empty());
        } else {
            check_reasons(position, &explanation);
            explanation.reasons().iter().for_each(|reason| seen.add(reason));
        }
    }
    assert_eq!(found, legal.len(), "{position:?}");
}

#[test]
fn agrees_with_the_generator_on_the_suites() {
    let mut seen = SeenReasons::default();
    for name in SUITES {
        for line in suite(name) {
            check_every_text(&line.position, &mut seen);
            // The same position with the other notation of castling.
            let other = match line.position.castling_mode() {
                CastlingMode::Standard => CastlingMode::Chess960,
                CastlingMode::Chess960 => CastlingMode::Standard,
            };
            if let Ok(position) = line.position.with_castling_mode(other) {
                check_every_text(&position, &mut seen);
            }
        }
    }
    seen.assert_all(&["en-passant-uncovers", "not-en-passant", "double-check", "castling-through"]);
}

#[test]
fn agrees_with_the_generator_in_random_games() {
    let mut random = Random::new(1);
    let mut seen = SeenReasons::default();
    for game in 0..if common::is_short() { 3 } else { 12 } {
        let start =
            if game % 3 == 2 { games::chess960_start(&mut random) } else { Position::START };
        games::play(&start, rounds(50), &mut random, |position| {
            check_every_text(position, &mut seen);
        });
    }
}

/// A random board with castling rights and an en-passant square where possible.
fn random_placement(random: &mut Random) -> Option<Position> {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    setup.castling_mode = CastlingMode::Chess960;
    for color in Color::ALL {
        // Half of the kings stand where they can castle.
        let king = match random.below(2) {
            0 => random.pick(&Square::ALL),
            _ => Square::new(random.pick(&Square::ALL).file(), color.back_rank()),
        };
        setup.board.set(king, Some(Role::King.of(color)));
        for _ in 0..2 {
            let rook = Square::new(random.pick(&Square::ALL).file(), color.back_rank());
            setup.board.set(rook, Some(Role::Rook.of(color)));
        }
        for _ in 0..random.below(10) {
            // Half of them are pawns.
            let role = Role::ALL[random.below(10).saturating_sub(5)];
            let square = random.pick(&Square::ALL);
            if setup.board.piece_on(square).is_none() {
                setup.board.set(square, Some(role.of(color)));
            }
        }
    }
    setup.castling = CastlingRights::NONE;
    for color in Color::ALL {
        for rook in setup.board.pieces(color, Role::Rook) {
            let mut with = setup.clone();
            with.castling.add(rook);
            if random.below(3) > 0 && Position::from_setup(&with).is_ok() {
                setup = with;
            }
        }
    }
    for square in Square::ALL {
        let with = Setup { en_passant: Some(square), ..setup.clone() };
        if random.below(2) == 0 && Position::from_setup(&with).is_ok() {
            setup = with;
        }
    }
    Position::from_setup(&setup).ok()
}

#[test]
fn agrees_with_the_generator_on_random_placements() {
    let mut random = Random::new(2);
    let mut seen = SeenReasons::default();
    let mut tried = 0;
    while tried < if common::is_short() { 60 } else { 600 } {
        if let Some(position) = random_placement(&mut random) {
            check_every_text(&position, &mut seen);
            tried += 1;
            if let Ok(standard) = position.with_castling_mode(CastlingMode::Standard) {
                check_every_text(&standard, &mut seen);
            }
        }
    }
    // The other four need a promotion that no text has, a move with a wrong kind, a rare position, or
    // algebraic notation. Other tests cover them.
    let rare = ["promotion-role", "wrong-kind", "en-passant-uncovers", "castling-letters"];
    let common = Reason::NAMES.iter().copied().filter(|name| !rare.contains(name));
    let common: Vec<&str> = common.collect();
    assert_eq!(common.len(), 25);
    seen.assert_all(&common);
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// A position, a move, and why it is not legal.
const SENTENCES: &[(&str, &str, &str)] = &[
    (START, "e4e5", "there is no piece on e4"),
    (START, "g8f6", "the knight on g8 is Black's, and White is to move"),
    (START, "e2e2", "the move ends on the square where it begins"),
    (START, "d1d2", "a pawn of the same side stands on d2"),
    (START, "g1g3", "a knight on g1 cannot reach g3"),
    (START, "a1a5", "the pawn on a2 is in the way"),
    (START, "a1a2", "a pawn of the same side stands on a2"),
    (START, "c1f4", "the pawn on d2 is in the way"),
    (START, "e2d3", "there is nothing on d3 for the pawn to capture"),
    (START, "e2e4q", "a pawn promotes only on the eighth rank"),
    (START, "g1f3n", "a knight does not promote"),
    (
        START,
        "e1g1",
        "the bishop on f1 is in the way of castling; the knight on g1 is in the way of castling",
    ),
    // Two reasons at once; the first piece in the way.
    (
        "4r2k/8/8/8/8/8/4B3/4K1N1 w - - 0 1",
        "e2h5",
        "the bishop on e2 is pinned on the e-file by the rook on e8",
    ),
    (
        "q3r2k/8/8/8/3n2N1/8/4Q3/4K3 w - - 0 1",
        "e2h5",
        "the knight on g4 is in the way; the queen on e2 is pinned on the e-file by the rook \
             on e8",
    ),
    // Pins on a rank and on diagonals.
    (
        "7k/8/8/8/8/8/8/K1R4r w - - 0 1",
        "c1c4",
        "the rook on c1 is pinned on the first rank by the rook on h1",
    ),
    (
        "6bk/8/8/3N4/8/1K6/8/8 w - - 0 1",
        "d5e7",
        "the knight on d5 is pinned on the diagonal a2-g8 by the bishop on g8",
    ),
    // Checks.
    ("4r2k/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4", "it leaves the king in check from the rook on e8"),
    (
        "4r2k/8/8/8/8/3n4/6R1/4K3 w - - 0 1",
        "g2e2",
        "the knight on d3 and the rook on e8 both give check, so only the king may move",
    ),
    (
        "4r2k/8/8/8/8/8/3P4/4K3 w - - 0 1",
        "e1e2",
        "the king would be in check on e2 from the rook on e8",
    ),
    (
        "4r2k/8/8/8/8/8/3PK3/8 w - - 0 1",
        "e2e1",
        "the king would be in check on e1 from the rook on e8",
    ),
    ("8/8/8/4k3/8/4K3/8/7r w - - 0 1", "e3e4", "the king on e4 would stand next to the king on e5"),
    (
        "4r2k/8/8/4b3/8/8/8/K7 w - - 0 1",
        "a1b2",
        "the king would be in check on b2 from the bishop on e5",
    ),
    // Castling.
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "e1g1",
        "White has no right to castle on the king side",
    ),
    (
        "4k3/8/b7/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "the king would pass through f1, which the bishop on a6 attacks",
    ),
    (
        "4k1r1/8/8/8/8/8/8/4K2R w K - 0 1",
        "e1g1",
        "the king would land on g1, which the rook on g8 attacks",
    ),
    (
        "4kr2/8/8/8/7b/8/8/4K2R w K - 0 1",
        "e1g1",
        "the king is in check from the bishop on h4 and may not castle; the king would pass through \
             f1, which the rook on f8 attacks",
    ),
    ("4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "e1c1", "the knight on b1 is in the way of castling"),
    ("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "d1f1", "a king moves one square, and castles only from e1"),
    ("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1c1", "White has no right to castle on the queen side"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1", "castling is written e1g1 here"),
    // Pawns.
    ("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "the pawn on e5 is in the way"),
    (
        "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1",
        "e4e6",
        "a pawn advances two squares only from the second rank",
    ),
    (
        "4k3/8/8/4p3/8/8/8/4K3 b - - 0 1",
        "e5e3",
        "a pawn advances two squares only from the seventh rank",
    ),
    ("4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", "e2e4", "the knight on e3 is in the way"),
    (
        "7k/P7/8/8/8/8/8/4K3 w - - 0 1",
        "a7a8",
        "a pawn that reaches a8 must promote to a knight, bishop, rook or queen",
    ),
    ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "h1h8q", "a rook does not promote"),
    // En passant.
    (
        "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
        "e5d6",
        "the pawn on d5 cannot be captured en passant, because the last move was not its double \
             push",
    ),
    (
        "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
        "e5d6",
        "capturing en passant would open the fifth rank to the rook on h5, and the king on a5 \
             would be in check",
    ),
    (
        "6bk/8/8/3pP3/8/1K6/8/8 w - d6 0 1",
        "e5d6",
        "capturing en passant would open the diagonal a2-g8 to the bishop on g8, and the king \
             on b3 would be in check",
    ),
    (
        "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "e5d6",
        "the pawn on e5 is pinned on the e-file by the rook on e8",
    ),
    (
        "7k/8/8/3pP3/8/8/8/r3K3 w - d6 0 1",
        "e5d6",
        "it leaves the king in check from the rook on a1",
    ),
];

#[test]
fn sentences_in_standard_chess() {
    for &(fen, mv, reasons) in SENTENCES {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let text: UciMove = mv.parse().unwrap();
        assert_eq!(
            position.explain(text).to_string(),
            format!("{mv} is not legal: {reasons}"),
            "{fen}"
        );
        // The mirrored move has as many reasons.
        let mirror = UciMove { from: text.from.flip_ranks(), to: text.to.flip_ranks(), ..text };
        assert_eq!(
            position.mirrored().explain(mirror).reasons().len(),
            position.explain(text).reasons().len(),
            "{fen}"
        );
    }
}

#[test]
fn sentences_in_chess960() {
    for (fen, mv, reasons) in [
        (
            "4k3/8/8/8/8/8/8/rR2K3 w B - 0 1",
            "e1b1",
            "the castling rook on b1 is pinned by the rook on a1",
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1",
            "e1a1",
            "the rook on b1 has the right to castle on this side, not the rook on a1",
        ),
        (
            "3k4/8/8/8/8/8/8/4KR1R w F - 0 1",
            "e1h1",
            "the rook on f1 has the right to castle on this side, not the rook on h1",
        ),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1c1", "castling is written e1b1 here"),
        (
            "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1",
            "e1b1",
            "White has no right to castle on the queen side",
        ),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1g1", "White has no right to castle on the king side"),
        (
            "4kr2/8/8/8/8/8/8/KR6 w B - 0 1",
            "a1b1",
            "the king would pass through f1, which the rook on f8 attacks",
        ),
    ] {
        let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        let position = position.with_castling_mode(CastlingMode::Chess960).unwrap();
        assert_eq!(
            position.explain(mv.parse().unwrap()).to_string(),
            format!("{mv} is not legal: {reasons}"),
            "{fen}"
        );
    }
}

/// Every reason against castling with the rook on `to`, or to `to`, found on the board square by
/// square. The king is on its back rank.
fn castling_reasons(position: &Position, king: Square, to: Square) -> Vec<Reason> {
    let (board, us) = (position.board(), position.turn());
    let on_rank = |file: u8| Square::new(File::ALL[usize::from(file)], king.rank());
    let piece = |square| PlacedPiece { role: board.role_on(square).unwrap(), square };
    let (side, king_to, rook_to) = match to.file() > king.file() {
        true => (CastlingSide::King, on_rank(6), on_rank(5)),
        false => (CastlingSide::Queen, on_rank(2), on_rank(3)),
    };
    let able = Square::ALL.into_iter().find(|&square| {
        position.castling_rights().has(square)
            && square.rank() == king.rank()
            && (square.file() > king.file()) == (side == CastlingSide::King)
    });
    let is_rook = board.pieces(us, Role::Rook).has(to);
    let mut reasons = Vec::new();
    let rook = match (position.castling_mode(), able) {
        (CastlingMode::Chess960, Some(castles)) if is_rook && castles != to => {
            return vec![Reason::CastlingRook { rook: to, castles }];
        }
        (mode, Some(rook)) => {
            let instead = if mode == CastlingMode::Standard { king_to } else { rook };
            if instead != to {
                let instead = UciMove { from: king, to: instead, promotion: None };
                reasons.push(Reason::CastlingNotation { instead });
            }
            rook
        }
        (mode, None) => {
            reasons.push(Reason::CastlingRight { color: us, side });
            let corner = on_rank(if side == CastlingSide::King { 7 } else { 0 });
            let rook = if mode == CastlingMode::Standard { corner } else { to };
            if !board.pieces(us, Role::Rook).has(rook) {
                return reasons;
            }
            rook
        }
    };
    let from_to = |a: Square, b: Square| a.min(b) as u8..=a.max(b) as u8;
    for square in Square::ALL {
        let is_crossed = from_to(king, king_to).contains(&(square as u8))
            || from_to(rook, rook_to).contains(&(square as u8));
        if is_crossed && square != king && square != rook && board.piece_on(square).is_some() {
            reasons.push(Reason::CastlingBlocked { by: piece(square) });
        }
    }
    for attacker in attackers(board, king, !us) {
        reasons.push(Reason::CastlingInCheck { checker: piece(attacker) });
    }
    for square in Square::ALL {
        if square == king || !from_to(king, king_to).contains(&(square as u8)) {
            continue;
        }
        for by in attackers(board, square, !us).iter().map(piece) {
            reasons.push(match square == king_to {
                true => Reason::CastlingInto { to: square, by },
                false => Reason::CastlingThrough { through: square, by },
            });
        }
    }
    // Without the rook, something new attacks the king where it stands.
    let mut without = *board;
    without.set(rook, None);
    let uncovered = attackers(&without, king, !us) - attackers(board, king, !us);
    for by in uncovered.iter().map(piece) {
        reasons.push(Reason::CastlingRookPinned { rook, by });
    }
    reasons
}

/// Compares the reasons against each castling move of the king with those found square by square.
/// Returns the number of moves.
fn check_castling(position: &Position) -> usize {
    let us = position.turn();
    let king = position.king(us);
    if king.rank() != us.back_rank() {
        return 0;
    }
    let is_chess960 = position.castling_mode() == CastlingMode::Chess960;
    let rooks = position.board().pieces(us, Role::Rook);
    let rights = position.castling_rights().rooks();
    let mut tried = 0;
    for to in king.rank().bitboard().without(king) {
        let distance = (king as u8).abs_diff(to as u8);
        let castles = match is_chess960 {
            true if rooks.has(to) => true,
            true => distance > 1 && matches!(to.file(), File::C | File::G),
            false => king.file() == File::E && distance == 2 || rights.has(to),
        };
        // The target belongs to the side on which the king moves there.
        let is_target = to.file() == if to > king { File::G } else { File::C };
        if !castles || is_chess960 && !rooks.has(to) && !is_target {
            continue;
        }
        tried += 1;
        let explanation = position.explain(UciMove { from: king, to, promotion: None });
        let expected = castling_reasons(position, king, to);
        assert_eq!(explanation.is_legal(), expected.is_empty(), "{position:?} {explanation}");
        let found = explanation.reasons();
        assert_eq!(
            found.len() + explanation.omitted(),
            expected.len(),
            "{position:?} {expected:?}"
        );
        for reason in found {
            assert!(expected.contains(reason), "{position:?} {explanation} {expected:?}");
        }
    }
    tried
}

#[test]
fn reasons_against_castling_are_true_and_complete() {
    let mut random = Random::new(11);
    let mut tried = 0;
    let mut check = |position: &Position| {
        for mode in [CastlingMode::Chess960, CastlingMode::Standard] {
            let position = position.clone().with_castling_mode(mode);
            tried += position.map_or(0, |it| check_castling(&it));
        }
    };
    games::many(10, &mut random, &mut check);
    for name in SUITES {
        suite(name).iter().for_each(|line| check(&line.position));
    }
    for _ in 0..rounds(10_000) {
        random_placement(&mut random).iter().for_each(&mut check);
    }
    assert!(tried > least(5000), "{tried}");
}

/// No text has such a promotion, but a value of `UciMove` can have it.
#[test]
fn promotion_to_a_pawn_or_king_has_a_reason() {
    let position = Position::from_fen("7k/P7/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    for role in [Role::Pawn, Role::King] {
        let text = UciMove { from: Square::A7, to: Square::A8, promotion: Some(role) };
        let explanation = position.explain(text);
        assert_eq!(explanation.reasons(), [Reason::PromotionRole { role }]);
        check_names(&explanation.reasons()[0]);
        assert!(explanation.to_string().ends_with(&format!("a pawn cannot promote to a {role}")));
    }
}

/// All values of 16 bits, compared with the list of legal moves.
#[test]
fn explain_move_agrees_with_the_list() {
    let mut seen = SeenReasons::default();
    for line in
        suite("standard.epd").iter().chain(&suite("regression-chess960.epd")).take(rounds(30))
    {
        let position = &line.position;
        let legal = position.legal_moves();
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let explanation = position.explain_move(mv);
            assert_eq!(explanation.is_legal(), legal.contains(&mv), "{position:?} {mv:?}");
            assert_eq!(explanation.is_legal(), explanation.reasons().is_empty());
            explanation.reasons().iter().for_each(|reason| seen.add(reason));
        }
    }
    seen.assert_all(&["wrong-kind"]);
    let illegal = Move::new(Square::E1, Square::G1, MoveKind::CastleKing);
    let error = Position::START.try_play(illegal).unwrap_err();
    assert_eq!((error.mv, error.refusal.reasons.omitted()), (illegal, 0));
    assert_eq!(
        error.to_string(),
        "e1g1 is not legal: the bishop on f1 is in the way of castling; the knight on g1 is in \
         the way of castling",
    );
}

#[test]
fn reasons_that_do_not_fit_are_counted() {
    let fen = "4k3/8/8/8/8/nqqqqqqn/1n1q1q1n/1K5R w K - 0 1";
    let position =
        Position::from_fen(fen).unwrap().with_castling_mode(CastlingMode::Chess960).unwrap();
    let explanation = position.explain("b1h1".parse().unwrap());
    assert_eq!(explanation.reasons().len(), Explanation::CAPACITY);
    // The king crosses c1 to f1, lands on g1 and is in check.
    let board = position.board();
    let attackers: usize = [Square::B1, Square::C1, Square::D1, Square::E1, Square::F1, Square::G1]
        .into_iter()
        .map(|square| attackers(board, square, Color::Black).len() as usize)
        .sum();
    assert_eq!(explanation.omitted(), attackers - Explanation::CAPACITY);
    let end = format!("; and {} more", explanation.omitted());
    assert!(explanation.to_string().ends_with(&end), "{explanation}");
}

#[test]
fn errors_of_illegal_moves_contain_the_explanation() {
    let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
    match position.parse_uci("e2d3") {
        Err(UciError::Illegal { refusal, len: 4 }) => {
            assert!(matches!(refusal.reasons.as_slice(), [Reason::Pinned { .. }]));
        }
        other => panic!("{other:?}"),
    }
    // Errors should be small enough to return.
    assert!(size_of::<UciError>() <= 112, "{}", size_of::<UciError>());
}

#[test]
fn castling_is_read_in_the_notation_of_either_mode() {
    let mut other_notation = 0;
    for name in SUITES {
        for line in suite(name) {
            for mode in [CastlingMode::Standard, CastlingMode::Chess960] {
                let Ok(position) = line.position.clone().with_castling_mode(mode) else { continue };
                let legal = position.legal_moves();
                for text in every_text().filter(|text| text.from == position.king(position.turn()))
                {
                    let explanation = position.explain_uci(&text.to_string()).unwrap();
                    assert_eq!(
                        position.parse_uci(&text.to_string()).ok(),
                        explanation.legal(),
                        "{position:?} {text}"
                    );
                    assert_eq!(explanation.uci_move(), text);
                    assert!(explanation.reasons().iter().all(|reason| {
                        text.promotion.is_some() || reason.name() != "castling-notation"
                    }));
                    // Read strictly, or as castling to the king's target or to the rook's square.
                    let strict = legal.iter().find(|&&mv| position.uci(mv) == text);
                    let rights = position.castling_rights();
                    let castles = legal.iter().find(|mv| {
                        mv.castling().is_some_and(|side| {
                            let rook = rights.rook(position.turn(), side, mv.from());
                            [Some(mv.to()), rook].contains(&Some(text.to))
                        }) && text.promotion.is_none()
                            && text.from != text.to
                    });
                    assert_eq!(explanation.legal().as_ref(), strict.or(castles), "{text}");
                    other_notation += usize::from(strict.is_none() && castles.is_some());
                }
            }
        }
    }
    assert!(other_notation > least(100), "{other_notation}");
    // For castling that is not legal, the notation is not among the reasons.
    let position = Position::from_fen("4k3/8/b7/8/8/8/8/4K2R w K - 0 1").unwrap();
    let error = position.parse_uci("e1h1").unwrap_err().to_string();
    assert_eq!(
        error,
        "e1h1 is not legal: the king would pass through f1, which the bishop on a6 attacks"
    );
}

#[test]
fn lenient_texts_are_read_and_others_refused() {
    let position = Position::from_fen("4k3/P7/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    let read = |text| position.parse_uci(text).map(|mv| mv.to_string());
    for text in ["a7a8q", "A7A8Q", "a7-a8=Q", " a7a8=q\n"] {
        assert_eq!(read(text).as_deref(), Ok("a7a8q"), "{text}");
    }
    for (text, offset) in [
        ("", 0),
        ("e", 0),
        ("e2", 2),
        ("e2--e4", 2),
        ("a7a8x", 4),
        ("a7a8qq", 5),
        ("é2e4", 0),
        ("e2éé", 2),
    ] {
        let Err(UciError::Text(error)) = read(text) else { panic!("{text} is not a move") };
        assert_eq!(error.span(), offset..text.len(), "{text}");
        let explained: Result<Explanation, UciMoveError> = position.explain_uci(text);
        assert_eq!(explained, Err(error), "{text}");
    }
}

/// A move of random parts in algebraic notation. Half of them are the king's.
fn random_san(random: &mut Random) -> String {
    let square = random.pick(&Square::ALL).to_string();
    let from = random.pick(&Square::ALL).to_string();
    let role = random.pick(&["K", "K", "K", "K", "K", "N", "B", "R", "Q", ""]);
    let origin = random.pick(&["", "", &from[..1], &from[1..], &from]);
    let sign = random.pick(&["", "", "x", "-"]);
    let promotion = random.pick(&["", "", "", "=Q"]);
    match random.below(20) {
        0 => random.pick(&["O-O", "O-O-O"]).to_owned(),
        _ => format!("{role}{origin}{sign}{square}{promotion}"),
    }
}

#[test]
fn no_algebraic_text_is_refused_without_a_reason() {
    use tabiya::san::SanCause;
    let mut random = Random::new(7);
    let mut names = HashSet::new();
    for _ in 0..if common::is_short() { 200 } else { 4000 } {
        let Some(placed) = random_placement(&mut random) else { continue };
        let standard = placed.clone().with_castling_mode(CastlingMode::Standard);
        for position in [Ok(placed), standard].into_iter().flatten() {
            for _ in 0..100 {
                let text = random_san(&mut random);
                let Err(error) = position.parse_san(&text) else { continue };
                let sentence = error.to_string();
                match error.cause() {
                    SanCause::Illegal { san, candidates } => {
                        let piece = candidates.first().piece;
                        assert_eq!(position.board().role_on(piece.square), Some(piece.role));
                        let reason = candidates.first().to_string();
                        let begin = format!("{san} is not legal: {reason}");
                        assert!(sentence.starts_with(&begin), "{sentence} in {position:?}");
                        names.extend(candidates.as_slice().iter().map(|it| it.reason.name()));
                    }
                    SanCause::NoPiece { piece, .. } => {
                        assert!(sentence.contains(&piece.to_string()));
                    }
                    SanCause::Ambiguous { .. } => assert!(error.choices().len() > 1, "{sentence}"),
                    _ => assert!(error.is_about_text(), "{text}: {sentence}"),
                }
            }
        }
    }
    // What UCI calls castling is said in algebraic notation.
    assert!(common::is_short() || names.contains("castling-letters"));
    assert!(!names.contains("castling-notation") && !names.contains("castling-rook"), "{names:?}");
}

#[test]
fn castling_is_explained_as_it_is_written() {
    let open = "r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    let both = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let other_rook = "r4rk1/8/8/8/8/8/8/4K3 b q - 0 1";
    for (fen, text, expected) in [
        (open, "Kg1", "Kg1 is not legal: castling is written O-O"),
        (open, "Ke1-g1", "Ke1g1 is not legal: castling is written O-O"),
        (open, "Kxg1", "Kxg1 is not legal: castling is written O-O"),
        (open, "K1g1", "K1g1 is not legal: castling is written O-O"),
        (open, "Kh1", "Kh1 is not legal: castling is written O-O"),
        (both, "Kc1", "Kc1 is not legal: castling is written O-O-O"),
        (
            open,
            "Kc1",
            "Kc1 is not legal: castling is written O-O-O; the knight on b1 is in the way of \
             castling; the bishop on c1 is in the way of castling; the queen on d1 is in the way \
             of castling",
        ),
        (other_rook, "Kf8", "Kf8 is not legal: a rook of the same side stands on f8"),
        (other_rook, "O-O-O", "O-O-O is not legal: the rook on f8 is in the way of castling"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position.parse_san(text).unwrap_err().to_string(), expected);
    }
    let position = Position::from_fen(both).unwrap();
    assert_eq!(
        position.explain("e1h1".parse().unwrap()).to_string(),
        "e1h1 is not legal: castling is written e1g1 here"
    );
}
