//! Counts and laws on the positions of the suites, to small depths.

use std::collections::BTreeSet;

use super::common::{Line, Random, SUITES, games, suite};
use tabiya::fen::{EnPassantMode, FenConvention};
use tabiya::movegen::{CheckFacts, Kind, Legal, PseudoLegal, QuietChecks, Restriction};
use tabiya::{Move, MoveList, Position, Role, Square};

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
    let facts = position.legality();
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
    allowed.retain(|&mv| facts.allows(position, mv));
    assert_eq!(allowed, legal, "{position:?}");
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
