//! Counts and laws on the positions of the suites, to small depths.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::common::{Line, Random, SUITES, games, suite};
use tabiya::fen::{CastlingNotation, EnPassantMode, FenConvention, FenField};
use tabiya::movegen::{
    Captures, CheckFacts, Evasions, Kind, Legal, PawnMoves, PseudoLegal, QuietChecks, Restriction,
};
use tabiya::san::{Leniencies, Leniency, San};
use tabiya::{
    Color, Game, GameResult, History, HistoryFull, Move, MoveList, Position, Rank, Role, Setup,
    Square,
};

/// Counts the nodes by making and unmaking.
fn in_place(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if depth == 1 {
        return position.count_legal() as u64;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let undo = position.make(mv);
        nodes += in_place(position, depth - 1);
        position.unmake(mv, undo);
    }
    nodes
}

/// Every position of the suites has its counts, as far as they are small, and so does its mirror.
#[test]
fn counts() {
    for name in SUITES {
        for Line { position, counts } in suite(name) {
            for mut at in [position.mirrored(), position] {
                let before = at.clone();
                let small = counts.iter().rfind(|&&(depth, nodes)| depth == 1 || nodes < 2000);
                for &(depth, nodes) in counts.first().into_iter().chain(small) {
                    assert_eq!(in_place(&mut at, depth), nodes, "{at:?} depth {depth}");
                }
                assert_eq!(at, before);
            }
        }
    }
}

/// A move gives check exactly if the position after it is one, also two plies deep, where pawns can
/// capture en passant.
#[test]
fn checks() {
    for name in SUITES {
        for Line { position, .. } in suite(name) {
            for mv in position.legal_moves() {
                let child = position.play(mv);
                assert_eq!(position.gives_check(mv), child.is_check(), "{position:?} {mv}");
                for reply in child.legal_moves() {
                    let is_check = child.play(reply).is_check();
                    assert_eq!(child.gives_check(reply), is_check, "{child:?} {reply}");
                }
            }
        }
    }
}

/// Laws of `tests/kinds.rs` and `tests/playing.rs`, and the name of each move.
#[test]
fn laws() {
    let mut random = Random::new(5);
    for name in SUITES {
        for Line { position, .. } in suite(name).iter().step_by(4) {
            look(position, &mut random);
        }
    }
    for index in 0..100 {
        look(&games::random_board(2 + index % 14, &mut random), &mut random);
    }
}

/// The moves as a set; fails if a move comes twice.
fn set<K: Kind>(position: &Position) -> BTreeSet<Move> {
    let list = MoveList::of::<K>(position);
    let set: BTreeSet<Move> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move comes twice in {position:?}");
    set
}

fn look(position: &Position, random: &mut Random) {
    let legal = set::<Legal>(position);
    assert_eq!(position.has_legal_move(), !legal.is_empty(), "{position:?}");
    let generator = position.generator();
    let facts = generator.facts();
    let mut allowed = set::<PseudoLegal<Legal>>(position);
    for &mv in &allowed {
        // Without an origin, it may be ambiguous or not legal.
        let role = position.piece_on(mv.from()).unwrap().role;
        let text = match role {
            Role::Pawn => mv.to().to_string(),
            _ => format!("{}{}", role.letter().to_ascii_uppercase(), mv.to()),
        };
        let mut after = Position::START;
        let played = position.play_san(text.as_bytes(), &mut after).ok();
        assert_eq!(played, position.parse_san(&text).ok(), "{position:?} {text}");
        if let Some(mv) = played {
            assert!(legal.contains(&mv), "{position:?} {text}");
            let expected = position.play(mv);
            assert_eq!(after.key(), expected.key(), "{position:?} {text}");
            let written = |it: &Position| it.fen_with(FenConvention::PGN).to_string();
            assert_eq!(written(&after), written(&expected), "{position:?} {text}");
        }
    }
    allowed.retain(|&mv| generator.allows(mv));
    assert_eq!(allowed, legal, "{position:?}");
    look_at_danger(position);
    let mut children = 0;
    position.for_each_child(|mv, child| {
        children += 1;
        assert_eq!(child, &position.play(mv), "{position:?} {mv}");
    });
    assert_eq!(children, legal.len(), "{position:?}");
    for stop in 0..legal.len() {
        let mut visited = 0;
        let flow = position.visit::<Legal, ()>(|_| {
            visited += 1;
            if visited > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((visited, flow), (stop + 1, ControlFlow::Break(())), "{position:?}");
    }
    let (from, to) = (random.set(), random.set());
    let within = Restriction::UNRESTRICTED.from(from).to(to).roles(&[Role::Pawn, Role::King]);
    let within: BTreeSet<Move> =
        position.generator().with_restriction(within).list::<Legal>().into_iter().collect();
    let mut expected = legal.clone();
    expected.retain(|mv| {
        let role = position.piece_on(mv.from()).unwrap().role;
        let is_able = matches!(role, Role::Pawn | Role::King);
        is_able && from.has(mv.from()) && to.has(mv.to())
    });
    assert_eq!(within, expected, "{position:?}");
    let checks = CheckFacts::of(position);
    let mut quiet_checks = BTreeSet::new();
    for &mv in &legal {
        let after = position.play(mv);
        assert_eq!(position.gives_check(mv), after.is_check(), "{position:?} {mv}");
        assert_eq!(checks.gives_check(position, mv), after.is_check(), "{position:?} {mv}");
        assert_eq!(position.key_after(mv), after.key(), "{position:?} {mv}");
        assert_eq!(after.key_from_scratch(), after.key(), "{position:?} {mv}");
        assert!(position.is_legal(mv), "{position:?} {mv}");
        let setup = after.to_setup_with(EnPassantMode::Always);
        assert_eq!(Position::from_setup(&setup).as_ref(), Ok(&after), "{position:?} {mv}");
        let fen = after.fen().to_string();
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(&after), "{fen}");
        let san = position.san(mv).to_string();
        assert_eq!(position.parse_san_strict(&san).as_ref(), Ok(&mv), "{position:?} {san}");
        assert_eq!(position.parse_san(&san).as_ref(), Ok(&mv), "{position:?} {san}");
        let is_quiet = match mv.promotion() {
            Some(role) => role == Role::Knight && after.checkers().has(mv.to()),
            None => !mv.is_capture(),
        };
        if after.is_check() && is_quiet {
            quiet_checks.insert(mv);
        }
    }
    assert_eq!(set::<QuietChecks>(position), quiet_checks, "{position:?}");
    let mut evasions = set::<PseudoLegal<Evasions>>(position);
    assert!(facts.is_check() || evasions.is_empty(), "{position:?}");
    evasions.retain(|&mv| generator.allows(mv));
    for &mv in &legal {
        assert_eq!(evasions.contains(&mv), facts.is_check(), "{position:?} {mv}");
        assert_eq!(position.is_kind::<Evasions>(mv), facts.is_check(), "{position:?} {mv}");
        assert_eq!(position.is_kind::<QuietChecks>(mv), quiet_checks.contains(&mv), "{mv}");
        let is_capture = mv.promotion().map_or(mv.is_capture(), |role| role == Role::Queen);
        assert_eq!(position.is_kind::<Captures>(mv), is_capture, "{position:?} {mv}");
    }
}

/// A capture en passant is an evasion only if it captures the checker or blocks the check.
#[test]
fn captures_en_passant_in_check() {
    for (fen, stops) in
        [("2b4k/8/8/2Pp4/6K1/8/8/8 w - d6 0 1", false), ("4k3/8/8/2Pp4/4K3/8/8/8 w - d6 0 1", true)]
    {
        let position = Position::from_fen(fen).unwrap();
        let evasions = set::<PseudoLegal<Evasions>>(&position);
        assert_eq!(evasions.iter().any(|mv| mv.is_en_passant()), stops, "{fen}");
        assert!(set::<PseudoLegal<Legal>>(&position).iter().any(|mv| mv.is_en_passant()));
    }
}

/// A role that is named twice is one role.
#[test]
fn roles_named_twice() {
    let roles = |roles| Restriction::UNRESTRICTED.roles(roles);
    assert_eq!(roles(&[Role::Rook, Role::Rook]), roles(&[Role::Rook]));
}

/// The squares that are attacked once the king has been lifted.
fn look_at_danger(position: &Position) {
    let (generator, us) = (position.generator(), position.turn());
    assert_eq!(generator.facts().is_check(), position.checkers().any(), "{position:?}");
    let mut lifted = *position.board();
    lifted.set(position.king(us), None);
    for square in Square::ALL {
        let attackers = lifted.attackers_to(square) & lifted.color(!us);
        assert_eq!(generator.king_attackers(square), attackers, "{position:?} {square}");
        assert_eq!(generator.king_danger().has(square), attackers.any(), "{position:?}");
    }
}

/// Exchanges on one square, against a minimax that plays every capture.
#[test]
fn exchanges() {
    super::exchange::crowded_boards(80);
}

/// What a position says of itself.
#[test]
fn answers() {
    let read = |fen: &str| Position::from_fen(fen).unwrap();
    let mate = read("R5k1/5ppp/8/8/8/8/8/6K1 b - - 7 31");
    let stalemate = read("7k/5Q2/8/8/8/8/8/6K1 b - - 0 1");
    let check = read("R5k1/5pp1/8/8/8/8/8/6K1 b - - 0 1");
    let ends = |position: &Position| (position.is_checkmate(), position.is_stalemate());
    assert_eq!(ends(&mate), (true, false));
    assert_eq!(ends(&stalemate), (false, true));
    assert_eq!(ends(&check), (false, false));
    assert_eq!(ends(&Position::START), (false, false));

    assert_eq!((mate.halfmove_clock(), mate.fullmove_number()), (7, 31));
    assert_eq!(mate.attackers_to(Square::G8), Square::A8.bitboard());
    assert!(format!("{mate:?}").contains("R5k1/5ppp/8/8/8/8/8/6K1 b - - 7 31"));

    // Positions are equal if the rest of the game can be the same. The clocks do not count.
    let same = ["r3k3/8/8/8/3pP3/8/8/4K3 b q e3 0 1", "r3k3/8/8/8/3pP3/8/8/4K3 b q e3 9 40"];
    let others = [
        "r3k3/8/8/8/3pP3/8/8/4K3 w q - 0 1",
        "r3k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "r3k3/8/8/8/3pP3/8/8/4K3 b q - 0 1",
        "r3k3/8/8/8/3pP3/8/8/5K2 b q e3 0 1",
    ];
    assert_eq!(read(same[0]), read(same[1]));
    let distinct: std::collections::HashSet<Position> =
        same.iter().chain(&others).map(|fen| read(fen)).collect();
    assert_eq!(distinct.len(), 1 + others.len());
}

/// Sets of pawn moves, forward and back, by their origins.
#[test]
fn pawn_moves() {
    let targets = Rank::Third.bitboard();
    for (offset, origin) in [(8, Square::E2), (9, Square::D2), (-8, Square::E4), (-7, Square::D4)] {
        let moves = PawnMoves { targets, offset };
        assert_eq!(moves.targets_from(origin.bitboard()), Square::E3.bitboard(), "{offset}");
        assert_eq!(moves.origin(Square::E3), origin, "{offset}");
        assert!(moves.targets_from(Square::A8.bitboard()).is_empty(), "{offset}");
    }
}

/// What the library says in words.
#[test]
fn words() {
    let read = |fen: &str| Position::from_fen(fen).unwrap();
    assert_eq!(GameResult::Draw.figure(), "½-½");
    assert_eq!(GameResult::WhiteWins.figure(), "1-0");
    assert!(!HistoryFull.to_string().is_empty());
    assert!(format!("{:?}", Game::new()).contains("moves: []"));
    assert!(format!("{:?}", History::<8>::new(&Position::START)).contains("search: 0"));
    let mv = Position::START.parse_uci("e2e4").unwrap();
    let error = Position::START.play(mv).try_play(mv).unwrap_err();
    assert_eq!(error.to_string(), error.refusal.to_string());
    assert!(!error.to_string().is_empty());
    assert!("--".parse::<San>().unwrap().is_null());
    assert_eq!("Nf3".parse::<San>().unwrap().figurines().to_string(), "♘f3");
    assert!(!"e4".parse::<San>().unwrap().is_null());

    for (text, meant) in [("nd4", "Nd4"), ("rd4", "Rd4"), ("qd4", "Qd4"), ("kd4", "Kd4")] {
        assert_eq!(text.parse::<San>(), meant.parse::<San>());
    }
    for text in ["Pxe4", "P3e4", "Nf3=Q", "N"] {
        assert!(text.parse::<San>().is_err(), "{text}");
    }
    assert_eq!("Nf3=Q".parse::<San>().unwrap_err().span(), 3..5);
    assert!(format!("{:?}", "N".parse::<San>().unwrap_err()).starts_with("SanError {"));
    let mut found = Leniencies::NONE;
    assert!(found.is_empty() && found.to_string().is_empty());
    found.add(Leniency::Zeros);
    assert!(!found.is_empty() && found.to_string().contains("zeros"));
    assert_eq!(format!("{found:?}"), "{Zeros}");

    let text = Position::START.fen().text();
    assert!(text.starts_with("rnbqkbnr/") && text.to_string().ends_with(" 0 1"));
    assert_eq!(format!("{text:?}"), format!("{:?}", text.as_str()));
    // The longest text of all.
    let mut full = Setup { en_passant: Some(Square::E6), ..Setup::START };
    (full.halfmove_clock, full.fullmove_number) = (u16::MAX, u16::MAX);
    Square::ALL
        .into_iter()
        .for_each(|square| full.board.set(square, Some(Role::Rook.of(Color::Black))));
    (Rank::First.bitboard() | Rank::Eighth.bitboard())
        .iter()
        .for_each(|rook| full.castling.add(rook));
    assert_eq!(full.fen().to_string().len(), 105, "{}", full.fen());

    let start = Position::START.to_setup();
    assert_eq!(Setup::START, start);
    assert_eq!(Setup::chess960(518).unwrap().board, start.board);
    assert!(Setup::chess960(960).is_none());
    let shredder = start.fen().castling(CastlingNotation::Shredder);
    assert!(shredder.to_string().contains(" HAha "), "{shredder}");
    assert!(start.fen().without_counters().to_string().ends_with(" KQkq -"));
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(fen.parse::<Position>().unwrap(), read(fen));

    // The field that an error is about, and its cause.
    for (fen, field) in [
        ("4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1", FenField::Castling),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", FenField::EnPassant),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", FenField::Board),
    ] {
        let error = Position::from_fen(fen).unwrap_err();
        assert_eq!(error.field(), field, "{fen}");
        assert!(std::error::Error::source(&error).is_some(), "{fen}");
    }
    let error = Position::from_fen("4k3/8/8/8/8/8/8/4K3 x - - 0 1").unwrap_err();
    assert!(std::error::Error::source(&error).is_none());
}

/// A capture is known by what undoes it. A null move and castling end the right to capture en
/// passant.
#[test]
fn undoing() {
    let fen = "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3";
    let mut position = Position::from_fen(fen).unwrap();
    let before = position.clone();
    let mv = position.parse_uci("d4e3").unwrap();
    let undo = position.make(mv);
    assert_eq!(undo.captured(), Some(Role::Pawn));
    position.unmake(mv, undo);
    let undo = position.make_null().unwrap();
    assert_eq!(position.en_passant(), None);
    let setup = position.to_setup_with(EnPassantMode::Always);
    assert_eq!(setup.en_passant, None);
    assert_eq!(position.key(), position.key_from_scratch());
    position.unmake_null(undo);
    assert_eq!(position, before);

    let position = Position::from_fen("r3k3/8/8/8/3pP3/8/8/4K3 b q e3 0 1").unwrap();
    let castled = position.play(position.parse_uci("e8c8").unwrap());
    let setup = castled.to_setup_with(EnPassantMode::Always);
    assert_eq!((castled.en_passant(), setup.en_passant), (None, None));
    assert_eq!(castled.key(), castled.key_from_scratch());
}
