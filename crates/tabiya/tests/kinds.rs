//! The relations between the kinds of moves, checked on many positions.

use std::collections::BTreeSet;

use tabiya::fen::EnPassantMode;
use tabiya::movegen::{
    Captures, CheckFacts, Count, Evasions, Generator, Kind, Legal, NonEvasions, PawnMoves,
    PseudoLegal, QuietChecks, Quiets, Restriction, Sink,
};
use tabiya::order::{MvvLva, ScoredList};
use tabiya::{Bitboard, Move, MoveKind, MoveList, Position, Role, Square};

mod common;
use common::{Random, SUITES, games, least};

/// Visits every position within `depth` plies of `position`.
fn visit_tree(position: &Position, depth: u32, visit: &mut impl FnMut(&Position)) {
    visit(position);
    if depth > 0 {
        for mv in position.legal_moves() {
            visit_tree(&position.play(mv), depth - 1, visit);
        }
    }
}

/// Visits the suites, random games of standard chess and Chess960, and random boards.
fn each_position(share: usize, mut visit: impl FnMut(&Position)) {
    for name in SUITES {
        for line in common::suite(name) {
            // The rule suites are large enough without their children.
            let depth = u32::from(!name.starts_with("rules") && !common::is_short());
            visit_tree(&line.position, depth, &mut visit);
            visit_tree(&line.position.mirrored(), depth, &mut visit);
        }
    }
    let mut random = Random::new(0x6b69_6e64);
    games::many(share, &mut random, &mut visit);
    for index in 0..10 * share {
        let position = loop {
            let position = games::random_board(4 + index % 12, &mut random);
            if position.en_passant().is_some() {
                break position;
            }
        };
        visit(&position);
    }
}

/// The moves of a kind as a set; fails if a move comes twice.
fn set<K: Kind>(position: &Position) -> BTreeSet<Move> {
    let list = MoveList::of::<K>(position);
    let set: BTreeSet<Move> = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "a move comes twice in {position:?}");
    set
}

fn kept(moves: &BTreeSet<Move>, keep: impl Fn(Move) -> bool) -> BTreeSet<Move> {
    moves.iter().copied().filter(|&mv| keep(mv)).collect()
}

/// Does the move belong to the kind `Captures`?
fn is_of_captures(mv: Move) -> bool {
    match mv.promotion() {
        Some(role) => role == Role::Queen,
        None => mv.is_capture(),
    }
}

#[test]
fn captures_and_quiets_together_are_all_moves() {
    each_position(40, |position| {
        let legal = set::<Legal>(position);
        assert_eq!(set::<NonEvasions>(position), legal, "{position:?}");
        assert_eq!(set::<Captures>(position), kept(&legal, is_of_captures), "{position:?}");
        assert_eq!(set::<Quiets>(position), kept(&legal, |mv| !is_of_captures(mv)), "{position:?}");
    });
}

/// Does the moved piece itself give check after the move?
fn checks_directly(position: &Position, mv: Move) -> bool {
    position.play(mv).checkers().has(mv.to())
}

#[test]
fn gives_check_agrees_with_playing_the_move() {
    let mut castling_checks = 0;
    let mut en_passant_checks = 0;
    each_position(40, |position| {
        let legal = set::<Legal>(position);
        let facts = CheckFacts::of(position);
        let checks = kept(&legal, |mv| position.play(mv).is_check());
        for &mv in &legal {
            assert_eq!(position.gives_check(mv), checks.contains(&mv), "{position:?} {mv:?}");
            assert_eq!(
                facts.gives_check(position, mv),
                checks.contains(&mv),
                "{position:?} {mv:?}"
            );
        }
        let quiet_checks = kept(&checks, |mv| match mv.promotion() {
            Some(role) => role == Role::Knight && checks_directly(position, mv),
            None => !is_of_captures(mv),
        });
        assert_eq!(set::<QuietChecks>(position), quiet_checks, "{position:?}");
        castling_checks += checks.iter().filter(|mv| mv.castling().is_some()).count();
        en_passant_checks += checks.iter().filter(|mv| mv.is_en_passant()).count();
    });
    assert!(castling_checks >= least(10), "{castling_checks} castling moves gave check");
    assert!(en_passant_checks >= least(10), "{en_passant_checks} en-passant captures gave check");
}

/// Two pawns leave their lines and one comes to another, so each of the three squares matters.
#[test]
fn checks_by_en_passant() {
    for (fen, gives_check) in [
        // The capturing pawn leaves the file, the captured one the diagonal, both the rank.
        ("4k3/8/8/3pP3/8/8/8/4RK2 w - d6 0 1", true),
        ("6k1/8/8/3pP3/8/8/B7/5K2 w - d6 0 1", true),
        ("8/8/8/R2pP2k/8/8/8/5K2 w - d6 0 1", true),
        // The pawn itself gives check.
        ("8/2k5/8/3pP3/8/8/8/5K2 w - d6 0 1", true),
        // The pawn comes between king and rook.
        ("3k4/8/8/3pP3/8/8/8/3R1K2 w - d6 0 1", false),
        ("6k1/8/8/3pP3/8/8/8/5K2 w - d6 0 1", false),
    ] {
        for mut position in
            [Position::from_fen(fen).unwrap()].map(|it| [it.mirrored(), it]).concat()
        {
            let mut moves = position.legal_moves().into_iter();
            let mv = moves.find(|mv| mv.is_en_passant()).unwrap();
            assert_eq!(position.gives_check(mv), gives_check, "{fen}");
            assert_eq!(CheckFacts::of(&position).gives_check(&position, mv), gives_check, "{fen}");
            position.make(mv);
            assert_eq!(position.is_check(), gives_check, "{fen}");
        }
    }
}

/// The squares between which pieces move if the safety of the king is ignored, without castling.
fn steps(position: &Position) -> BTreeSet<(Square, Square)> {
    let (board, us) = (position.board(), position.turn());
    let (own, enemies) = (board.color(us), board.color(!us));
    let en_passant = position.to_setup_with(EnPassantMode::Always).en_passant;
    let mut steps = BTreeSet::new();
    for (from, piece) in board.iter().filter(|(_, piece)| piece.color == us) {
        let mut targets = board.attacks_from(from) - own;
        if piece.role == Role::Pawn {
            targets &= enemies | en_passant.map_or(Bitboard::EMPTY, Square::bitboard);
            let distance = if from.rank() == us.pawn_rank() { 2 } else { 1 };
            let ahead = std::iter::successors(Some(from), |at| at.step(us.forward()));
            let free = ahead.skip(1).take_while(|&at| board.piece_on(at).is_none());
            targets |= free.take(distance).collect::<Bitboard>();
        }
        steps.extend(targets.iter().map(|to| (from, to)));
    }
    steps
}

#[test]
fn pseudo_legal_moves_ignore_pins_and_checks() {
    each_position(10, |position| {
        let moves = set::<PseudoLegal<Legal>>(position);
        let moves = kept(&moves, |mv| mv.castling().is_none());
        let found: BTreeSet<_> = moves.iter().map(|mv| (mv.from(), mv.to())).collect();
        assert_eq!(found, steps(position), "{position:?}");
    });
}

/// Pseudo-legal evasions are the pseudo-legal moves after which no piece that gave check still
/// does; the king's moves are not examined.
#[test]
fn pseudo_legal_evasions_answer_the_check() {
    let mut en_passant = 0;
    each_position(10, |position| {
        if !position.is_check() {
            return;
        }
        let king = position.king(position.turn());
        let expected = kept(&set::<PseudoLegal<Legal>>(position), |mv| {
            let after = position.play(mv);
            let left = position.checkers() & after.board().color(after.turn());
            mv.from() == king
                || !position.checkers().has_many() && !after.attackers_to(king).meets(left)
        });
        en_passant += expected.iter().filter(|mv| mv.is_en_passant()).count();
        assert_eq!(set::<PseudoLegal<Evasions>>(position), expected, "{position:?}");
    });
    assert!(en_passant > least(10), "{en_passant}");
}

/// Checks each set of pawn moves against its moves one by one.
struct PawnSets {
    origins: Bitboard,
    looked_at: u32,
}

impl Sink for PawnSets {
    fn add(&mut self, _: Role, _: Move) {}

    fn pawns(&mut self, moves: PawnMoves, _: MoveKind) {
        let from_origins = moves.targets.iter().filter(|&to| self.origins.has(moves.origin(to)));
        let from_origins: Bitboard = from_origins.collect();
        assert_eq!(moves.targets_from(self.origins), from_origins, "{moves:?} {}", self.origins);
        self.looked_at += moves.targets.len();
    }
}

#[test]
fn sets_of_pawn_moves_know_their_origins() {
    let mut random = Random::new(6);
    each_position(1, |position| {
        let mut sink = PawnSets { origins: random.set(), looked_at: 0 };
        position.generate::<Legal>(&mut sink);
        let pawn_moves = position
            .legal_moves()
            .into_iter()
            .filter(|&mv| position.role_of(mv) == Role::Pawn && !mv.is_en_passant());
        assert_eq!(sink.looked_at as usize, pawn_moves.count(), "{position:?}");
    });
}

/// A sink that is done after the first moves of a role.
struct Until {
    role: Role,
    seen: Vec<Role>,
}

impl Sink for Until {
    fn add(&mut self, role: Role, _: Move) {
        self.seen.push(role);
    }

    fn is_done(&self) -> bool {
        self.seen.contains(&self.role)
    }
}

/// The generator asks the sink after the moves of each piece, and after those of all pawns.
#[test]
fn the_generator_stops_when_the_sink_is_done() {
    each_position(2, |position| {
        for role in Role::ALL {
            let mut sink = Until { role, seen: Vec::new() };
            position.generate::<Legal>(&mut sink);
            let first = sink.seen.iter().position(|&seen| seen == role);
            let after = first.map_or(&[][..], |first| &sink.seen[first..]);
            assert!(after.iter().all(|&seen| seen == role), "{position:?} {role} {:?}", sink.seen);
            // For other roles, not even another piece of the role moves.
            if matches!(role, Role::King | Role::Pawn) {
                continue;
            }
            assert!(after.len() <= 1, "{position:?} {role} {:?}", sink.seen);
        }
    });
}

#[test]
fn pseudo_legal_moves_give_check_as_legal_ones_do() {
    // A pseudo-legal move may leave its own king in check. That does not matter here.
    each_position(10, |position| {
        let facts = CheckFacts::of(position);
        for mv in MoveList::of::<PseudoLegal<Legal>>(position) {
            // A king next to the other king attacks it, but that does not count as check.
            let after = position.play(mv);
            let checkers = after.checkers() - after.board().role(Role::King);
            assert_eq!(facts.gives_check(position, mv), checkers.any(), "{position:?} {mv:?}");
        }
    });
}

#[test]
fn evasions_are_the_legal_moves_in_check() {
    let mut double_checks = 0;
    each_position(40, |position| {
        let evasions = set::<Evasions>(position);
        if !position.is_check() {
            assert!(evasions.is_empty(), "{position:?}");
            assert!(set::<PseudoLegal<Evasions>>(position).is_empty(), "{position:?}");
            return;
        }
        assert_eq!(evasions, set::<Legal>(position), "{position:?}");
        if position.checkers().has_many() {
            double_checks += 1;
            let king = position.king(position.turn());
            for mv in set::<PseudoLegal<Evasions>>(position) {
                assert_eq!(mv.from(), king, "{position:?}");
            }
        }
    });
    assert!(double_checks > least(100), "{double_checks} double checks");
}

fn check_filter<K: Kind>(generator: Generator<'_>) {
    let position = generator.position();
    let pseudo_legal = set::<PseudoLegal<K>>(position);
    let allowed = kept(&pseudo_legal, |mv| generator.allows(mv));
    assert_eq!(allowed, set::<K>(position), "{position:?}");
}

#[test]
fn pseudo_legal_moves_filtered_are_the_legal_ones() {
    let mut filtered = 0;
    each_position(40, |position| {
        let generator = position.generator();
        check_filter::<Legal>(generator);
        check_filter::<Captures>(generator);
        check_filter::<Quiets>(generator);
        check_filter::<QuietChecks>(generator);
        check_filter::<Evasions>(generator);
        check_filter::<NonEvasions>(generator);
        let all = MoveList::of::<PseudoLegal<Legal>>(position).len();
        filtered += usize::from(all > position.legal_moves().len());
    });
    assert!(filtered > least(1000), "only {filtered} positions had illegal pseudo-legal moves");
}

fn check_restriction<K: Kind>(
    position: &Position,
    (from, to): (Bitboard, Bitboard),
    roles: &[Role],
) {
    let restriction = Restriction::UNRESTRICTED.from(from).to(to).roles(roles);
    let within: BTreeSet<Move> =
        position.generator().with_restriction(restriction).list::<K>().iter().copied().collect();
    let expected = kept(&set::<K>(position), |mv| {
        let role = position.piece_on(mv.from()).unwrap().role;
        from.has(mv.from()) && to.has(mv.to()) && roles.contains(&role)
    });
    assert_eq!(within, expected, "{position:?} {restriction:?}");
}

#[test]
fn a_restriction_keeps_the_matching_moves() {
    let mut random = Random::new(1);
    each_position(15, |position| {
        let mut squares = || {
            let dense = Bitboard(random.next() | random.next());
            if random.below(4) == 0 { Bitboard::FULL } else { dense }
        };
        let squares = (squares(), squares());
        let roles: Vec<Role> = Role::ALL.into_iter().filter(|_| random.below(3) != 0).collect();
        check_restriction::<Legal>(position, squares, &roles);
        check_restriction::<Captures>(position, squares, &roles);
        check_restriction::<Quiets>(position, squares, &roles);
        check_restriction::<QuietChecks>(position, squares, &roles);
        check_restriction::<Evasions>(position, squares, &roles);
        check_restriction::<NonEvasions>(position, squares, &roles);
        check_restriction::<PseudoLegal<Legal>>(position, squares, &roles);
        check_restriction::<PseudoLegal<QuietChecks>>(position, squares, &roles);
        check_restriction::<PseudoLegal<Evasions>>(position, squares, &roles);
    });
}

#[test]
fn exactly_the_listed_moves_are_legal() {
    let mut count = 0;
    each_position(2, |position| {
        count += 1;
        if count % 12 != 0 {
            return;
        }
        let listed = set::<Legal>(position);
        for from in Square::ALL {
            for to in Square::ALL {
                for kind in MoveKind::ALL {
                    let mv = Move::new(from, to, kind);
                    assert_eq!(position.is_legal(mv), listed.contains(&mv), "{position:?} {mv:?}");
                }
            }
        }
    });
    assert!(count > least(4000), "{count} positions");
}

#[test]
fn counting_and_asking_agree_with_listing() {
    each_position(20, |position| {
        let legal = set::<Legal>(position).len();
        assert_eq!(position.count_legal(), legal, "{position:?}");
        assert_eq!(position.has_legal_move(), legal > 0, "{position:?}");
    });
}

/// Generation of a kind by a generator that has been used before.
fn check_generator<K: Kind>(generator: Generator<'_>, list: &mut MoveList) {
    let position = generator.position();
    let moves = MoveList::of::<K>(position);
    generator.refill::<K>(list);
    assert_eq!(*list, moves, "{position:?}");
    let mut count = Count::default();
    generator.generate::<K>(&mut count);
    assert_eq!(count.0 as usize, moves.len(), "{position:?}");
    let mut scored = ScoredList::new();
    scored.refill_with::<K>(&generator, &MvvLva::DEFAULT);
    assert!(scored.iter().map(|scored| scored.mv).eq(moves.iter().copied()), "{position:?}");
    for mv in &position.legal_moves() {
        let is_kind = generator.contains::<K>(*mv);
        assert_eq!(is_kind, moves.contains(mv), "{position:?} {mv}");
    }
}

#[test]
fn a_generator_gives_the_same_moves_each_time() {
    let mut list = MoveList::new();
    each_position(10, |position| {
        let generator = position.generator();
        assert_eq!(generator.facts().is_check(), position.is_check());
        check_generator::<Legal>(generator, &mut list);
        check_generator::<Captures>(generator, &mut list);
        check_generator::<Quiets>(generator, &mut list);
        check_generator::<QuietChecks>(generator, &mut list);
        check_generator::<Evasions>(generator, &mut list);
        check_generator::<PseudoLegal<Legal>>(generator, &mut list);
        check_generator::<PseudoLegal<Evasions>>(generator, &mut list);
    });
}

#[test]
fn the_bits_of_a_move_are_its_parts() {
    for kind in MoveKind::ALL {
        for from in Square::ALL {
            for to in Square::ALL {
                let bits = from as u16 | (to as u16) << 6 | (kind as u16) << 12;
                let mv = Move::new(from, to, kind);
                assert_eq!((mv.from(), mv.to(), mv.kind()), (from, to, kind));
                assert_eq!(mv.is_capture(), kind.is_capture());
                assert_eq!(mv.is_promotion(), kind.is_promotion());
                assert_eq!(mv.bits(), bits);
                assert_eq!(Move::from_bits(bits), Some(mv));
            }
        }
    }
    // Moves are ordered by their bits, and no other numbers are moves.
    let moves: Vec<Move> = (0..=u16::MAX).filter_map(Move::from_bits).collect();
    assert_eq!(moves.len(), 14 * 64 * 64);
    assert!(moves.is_sorted());
}
