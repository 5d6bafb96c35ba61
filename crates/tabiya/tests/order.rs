//! Lists with values, scores and the picker, each compared with a slow and simple implementation.

use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::BTreeSet;

use tabiya::movegen::{Captures, Kind, Legal, PseudoLegal, QuietChecks, Quiets};
use tabiya::order::{
    MoveHeap, MoveKindCounts, MvvLva, Picker, PieceSquare, PieceValues, ScoredList, ScoredMove,
    Scorer, See, Stage, see,
};
use tabiya::{Move, MoveKind, MoveList, Position, Role, Square};

mod common;
use common::{Random, SUITES, games};

/// Visits positions of random games of standard chess and Chess960, random boards from two kings to
/// full ones, and the suites.
fn each_position(share: usize, mut visit: impl FnMut(&Position)) {
    let mut random = Random::new(0x6f72_6465);
    for name in SUITES {
        for line in common::suite(name) {
            games::play(&line.position, 6, &mut random, &mut visit);
        }
    }
    games::many(share, &mut random, &mut visit);
}

/// A scorer with few distinct values, so that there are many ties.
fn coarse(seed: u64) -> impl Fn(&Position, Role, Move) -> i32 {
    move |_, _, mv| (Random::new(seed ^ u64::from(mv.bits())).next() % 7) as i32 - 3
}

/// The moves of a position with their values, in the order of generation.
fn plainly_scored<K: Kind>(position: &Position, scorer: &impl Scorer) -> Vec<ScoredMove> {
    MoveList::of::<K>(position)
        .into_iter()
        .map(|mv| {
            let role = position.piece_on(mv.from()).unwrap().role;
            ScoredMove { mv, value: scorer.score(position, role, mv) }
        })
        .collect()
}

#[test]
fn every_way_of_sorting_is_stable() {
    let mut seed = 0;
    each_position(3, |position| {
        seed += 1;
        let scorer = coarse(seed);
        let listed = plainly_scored::<Legal>(position, &scorer);
        let list = ScoredList::of::<Legal>(position, &scorer);
        assert_eq!(list.iter().collect::<Vec<_>>(), listed);
        assert_eq!((list.len(), list.is_empty()), (listed.len(), listed.is_empty()));
        // The standard library's sort is stable.
        let mut sorted = listed.clone();
        sorted.sort_by_key(|scored| Reverse(scored.value));

        let mut by_sorting = list.clone();
        by_sorting.sort();
        assert_eq!(by_sorting.iter().collect::<Vec<_>>(), sorted);

        let mut by_selecting = list.clone();
        let selected: Vec<_> = (0..).map_while(|index| by_selecting.select(index)).collect();
        assert_eq!(selected, sorted);
        assert_eq!(by_selecting.iter().collect::<Vec<_>>(), sorted);

        let mut popping = list.clone();
        let popped: Vec<_> = std::iter::from_fn(|| popping.pop_best()).collect();
        assert_eq!(popped, sorted);
        assert!(popping.is_empty());

        let heap = MoveHeap::of::<Legal>(position, &scorer);
        assert_eq!((heap.len(), heap.peek()), (sorted.len(), sorted.first().copied()));
        assert_eq!(heap.collect::<Vec<_>>(), sorted);

        for limit in -4..=4 {
            let mut partly = list.clone();
            let count = partly.sort_from(limit);
            let (good, rest): (Vec<_>, Vec<_>) =
                sorted.iter().partition(|scored| scored.value >= limit);
            assert_eq!(partly.iter().take(count).collect::<Vec<_>>(), good);
            let mut others: Vec<_> = partly.iter().skip(count).collect();
            assert_eq!(others.len(), rest.len());
            others.sort_by_key(|scored| rest.iter().position(|other| other == scored));
            assert_eq!(others, rest);
        }
    });
}

#[test]
fn lists_and_heaps_agree_with_a_model() {
    let mut random = Random::new(7);
    let mut list = ScoredList::new();
    let mut heap = MoveHeap::new();
    let mut model: Vec<ScoredMove> = Vec::new();
    for _ in 0..common::rounds(50_000) {
        if random.below(100) < 55 {
            let mv = Move::new(
                random.pick(&Square::ALL),
                random.pick(&Square::ALL),
                random.pick(&MoveKind::ALL),
            );
            let value = match random.below(8) {
                0 => i32::MIN,
                1 => i32::MAX,
                _ => random.below(20) as i32 - 10,
            };
            let has_room = model.len() < ScoredList::CAPACITY;
            assert_eq!(list.push(mv, value), if has_room { Ok(()) } else { Err(mv) });
            assert_eq!(heap.push(mv, value), if has_room { Ok(()) } else { Err(mv) });
            if has_room {
                model.push(ScoredMove { mv, value });
            }
        } else {
            let best = list.pop_best();
            let first = model.iter().map(|scored| scored.value).max();
            assert_eq!(best.map(|scored| scored.value), first);
            assert_eq!(heap.pop().map(|scored| scored.value), first);
            if let Some(first) = first {
                let place = model.iter().position(|scored| scored.value == first).unwrap();
                model.remove(place);
            }
        }
        if random.below(2000) == 0 {
            list.clear();
            heap.clear();
            model.clear();
        }
        if let Some(scored) = model.last() {
            assert!(heap.contains(scored.mv) || list.contains(scored.mv));
        }
        assert_eq!((list.len(), heap.len()), (model.len(), model.len()));
    }
    let absent = Move::new(Square::A1, Square::A1, MoveKind::Quiet);
    list.clear();
    assert!(!list.contains(absent));
    list.push(absent, 0).unwrap();
    assert!(list.contains(absent));
    list.truncate(0);
    assert_eq!(list.select(0), None);
}

#[test]
fn move_kind_counts_agree_with_the_list() {
    let mut total = MoveKindCounts::default();
    each_position(10, |position| {
        let mut counts = MoveKindCounts::default();
        position.generate::<Legal>(&mut counts);
        let moves = position.legal_moves();
        let count =
            |belongs: &dyn Fn(Move) -> bool| moves.iter().filter(|&&mv| belongs(mv)).count() as u64;
        for kind in MoveKind::ALL {
            assert_eq!(counts.of(kind), count(&|mv| mv.kind() == kind), "{position:?} {kind:?}");
        }
        assert_eq!(counts.total(), moves.len() as u64);
        assert_eq!(counts.captures(), count(&|mv| mv.is_capture()));
        assert_eq!(counts.en_passant(), count(&|mv| mv.is_en_passant()));
        assert_eq!(counts.castles(), count(&|mv| mv.castling().is_some()));
        assert_eq!(counts.promotions(), count(&|mv| mv.is_promotion()));
        assert_eq!(counts.double_pushes(), count(&|mv| mv.kind() == MoveKind::DoublePush));
        for role in Role::ALL {
            assert_eq!(counts.promotions_to(role), count(&|mv| mv.promotion() == Some(role)));
        }
        total += counts;
    });
    for kind in MoveKind::ALL {
        assert!(common::is_short() || total.of(kind) > 0, "no move of kind {kind:?} was seen");
    }
}

#[test]
fn a_piece_square_score_is_the_change_of_the_balance() {
    // A random value for every square of every role.
    let mut random_tables =
        PieceSquare { values: PieceValues::new([95, 310, 335, 520, 1010]), ..PieceSquare::DEFAULT };
    let mut random = Random::new(5);
    for number in random_tables.tables.iter_mut().flatten() {
        *number = random.below(2000) as i16 - 1000;
    }
    each_position(10, |position| {
        let us = position.turn();
        for scorer in [&PieceSquare::DEFAULT, &random_tables] {
            let before = scorer.balance(position.board(), us);
            for ScoredMove { mv, value } in plainly_scored::<Legal>(position, scorer) {
                let after = scorer.balance(position.play(mv).board(), us);
                assert_eq!(value, after - before, "{position:?} {mv:?}");
            }
        }
    });
}

#[test]
fn victims_come_before_attackers() {
    let values = PieceValues::new([100, 300, 300, 500, 900]);
    each_position(10, |position| {
        let victim = |mv: Move| match position.piece_on(mv.to()) {
            _ if mv.is_en_passant() => 100,
            Some(piece) => values.of(piece.role),
            None => 0,
        };
        let captures = plainly_scored::<Captures>(position, &MvvLva::DEFAULT);
        for a in captures.iter().filter(|scored| !scored.mv.is_promotion()) {
            assert!((-5..100_000).contains(&a.value));
            for b in captures.iter().filter(|scored| !scored.mv.is_promotion()) {
                let role = |scored: &ScoredMove| position.piece_on(scored.mv.from()).unwrap().role;
                let expected = victim(a.mv).cmp(&victim(b.mv)).then(role(b).cmp(&role(a)));
                assert_eq!(a.value.cmp(&b.value), expected, "{position:?} {a:?} {b:?}");
            }
        }
        for quiet in plainly_scored::<Quiets>(position, &MvvLva::DEFAULT) {
            assert!(quiet.value == 0 || quiet.mv.is_promotion(), "{position:?} {quiet:?}");
        }
    });
}

/// The moves that the picker yields, with their stages.
fn picked(mut picker: Picker, scorer: &impl Scorer) -> Vec<(Stage, Move)> {
    assert_eq!(picker.stage(), None);
    let mut yielded = Vec::new();
    while let Some(mv) = picker.next_by(scorer) {
        yielded.push((picker.stage().unwrap(), mv));
    }
    assert_eq!(picker.next_by(scorer), None, "an exhausted picker yields nothing more");
    yielded
}

fn moves_of(yielded: &[(Stage, Move)]) -> BTreeSet<Move> {
    let moves: BTreeSet<Move> = yielded.iter().map(|&(_, mv)| mv).collect();
    assert_eq!(moves.len(), yielded.len(), "a move came twice: {yielded:?}");
    moves
}

fn set<K: Kind>(position: &Position) -> BTreeSet<Move> {
    MoveList::of::<K>(position).into_iter().collect()
}

/// A random move, often a legal one.
fn some_move(position: &Position, random: &mut Random) -> Move {
    let legal = position.legal_moves();
    let pseudo_legal = MoveList::of::<PseudoLegal<Legal>>(position);
    match random.below(3) {
        0 if !legal.is_empty() => random.pick(&legal),
        1 if !pseudo_legal.is_empty() => random.pick(&pseudo_legal),
        _ => Move::new(
            random.pick(&Square::ALL),
            random.pick(&Square::ALL),
            random.pick(&MoveKind::ALL),
        ),
    }
}

#[test]
fn the_picker_yields_each_legal_move_once_in_order() {
    let mut random = Random::new(11);
    let mut seed = 0;
    each_position(10, |position| {
        seed += 1;
        let scorer = coarse(seed);
        let hash = (random.below(3) > 0).then(|| some_move(position, &mut random));
        let killers: Vec<Move> =
            (0..random.below(6)).map(|_| some_move(position, &mut random)).collect();
        let picker = Picker::new(position).hash_move(hash).killers(killers.iter().copied());
        let yielded = picked(picker, &scorer);
        assert_eq!(moves_of(&yielded), set::<Legal>(position), "{position:?}");

        // The stages come in order.
        let stages: Vec<Stage> = yielded.iter().map(|&(stage, _)| stage).collect();
        assert!(stages.is_sorted(), "{position:?} {stages:?}");
        let of = |stage| yielded.iter().filter(move |one| one.0 == stage).map(|one| one.1);

        let legal_hash = hash.filter(|&mv| position.is_legal(mv));
        assert!(of(Stage::HashMove).eq(legal_hash), "{position:?} {hash:?}");
        if position.is_check() {
            assert_eq!(yielded.len(), of(Stage::Evasions).count() + of(Stage::HashMove).count());
            let quiet: Vec<bool> =
                of(Stage::Evasions).map(|mv| !mv.is_capture() && !mv.is_promotion()).collect();
            assert!(quiet.is_sorted(), "{position:?} captures come first");
            return;
        }
        let captures = set::<Captures>(position);
        for mv in of(Stage::GoodCaptures) {
            assert!(captures.contains(&mv) && see(position, mv) >= 0, "{position:?} {mv:?}");
        }
        for mv in of(Stage::BadCaptures) {
            assert!(captures.contains(&mv) && see(position, mv) < 0, "{position:?} {mv:?}");
        }
        let value = |mv: Move, scorer: &dyn Scorer| {
            scorer.score(position, position.piece_on(mv.from()).unwrap().role, mv)
        };
        for stage in [Stage::GoodCaptures, Stage::BadCaptures] {
            assert!(of(stage).map(|mv| value(mv, &MvvLva::DEFAULT)).is_sorted_by(|a, b| a >= b));
        }
        assert!(of(Stage::Quiets).map(|mv| value(mv, &scorer)).is_sorted_by(|a, b| a >= b));

        let quiets = set::<Quiets>(position);
        let mut expected = Vec::new();
        for &mv in killers.iter().take(4) {
            if quiets.contains(&mv) && Some(mv) != hash && !expected.contains(&mv) {
                expected.push(mv);
            }
        }
        assert!(of(Stage::Killers).eq(expected), "{position:?} {killers:?}");
    });
}

#[test]
fn the_picker_for_quiescence_yields_captures_and_checks() {
    let mut random = Random::new(12);
    let mut checks_seen = 0;
    each_position(10, |position| {
        let hash = (random.below(3) > 0).then(|| some_move(position, &mut random));
        let scorer = coarse(1);
        let captures = picked(Picker::quiescence(position).hash_move(hash), &scorer);
        let with_checks = picked(Picker::quiescence_with_checks(position).hash_move(hash), &scorer);
        for yielded in [&captures, &with_checks] {
            assert!(yielded.iter().map(|one| one.0).is_sorted(), "{position:?} {yielded:?}");
        }
        if position.is_check() {
            assert_eq!(moves_of(&captures), set::<Legal>(position), "{position:?}");
            assert_eq!(moves_of(&with_checks), set::<Legal>(position), "{position:?}");
            return;
        }
        let mut expected = set::<Captures>(position);
        assert_eq!(moves_of(&captures), expected, "{position:?} {hash:?}");
        expected.extend(set::<QuietChecks>(position));
        assert_eq!(moves_of(&with_checks), expected, "{position:?} {hash:?}");
        for &(stage, mv) in &with_checks {
            if stage == Stage::QuietChecks {
                checks_seen += 1;
                assert!(position.play(mv).is_check());
            }
        }
    });
    assert!(checks_seen > common::least(1000), "{checks_seen} quiet checks");
}

#[test]
fn skipping_quiets_leaves_the_bad_captures() {
    let mut random = Random::new(13);
    each_position(4, |position| {
        if position.is_check() {
            return;
        }
        let whole = picked(Picker::new(position), &PieceSquare::DEFAULT);
        let stop = random.below(whole.len() + 1);
        let mut picker = Picker::new(position);
        let mut yielded: Vec<Move> = picker.by_ref().take(stop).collect();
        picker.skip_quiets();
        yielded.extend(picker);
        let expected = whole.iter().enumerate().filter(|&(index, &(stage, _))| {
            index < stop || matches!(stage, Stage::GoodCaptures | Stage::BadCaptures)
        });
        assert!(expected.map(|(_, &(_, mv))| mv).eq(yielded), "{position:?} stop {stop}");
    });
}

#[test]
fn quiets_are_scored_only_when_reached() {
    let asked = Cell::new(0);
    let counting = |_: &Position, _: Role, _: Move| {
        asked.set(asked.get() + 1);
        0
    };
    each_position(2, |position| {
        if position.is_check() {
            return;
        }
        asked.set(0);
        let killer = MoveList::of::<Quiets>(position).first().copied();
        let mut picker = Picker::new(position).killers(killer);
        while let Some(mv) = picker.next_by(&counting) {
            let stage = picker.stage().unwrap();
            if matches!(stage, Stage::GoodCaptures | Stage::Killers) {
                assert_eq!(asked.get(), 0, "{position:?} {mv:?} {stage:?}");
            }
        }
        assert_eq!(
            asked.get(),
            MoveList::of::<Quiets>(position).len(),
            "each quiet move is scored once"
        );
    });
}

#[test]
fn a_picker_may_use_another_exchange_evaluation() {
    // The defender of e5 is pinned: only an evaluation that respects pins calls the capture good.
    let position = Position::from_fen("4k3/8/2n5/1B2p3/8/8/8/4RK2 w - - 0 1").unwrap();
    let capture = position.parse_uci("e1e5").unwrap();
    let stage_of = |picker: Picker| {
        picked(picker, &PieceSquare::DEFAULT).into_iter().find(|one| one.1 == capture).unwrap().0
    };
    assert_eq!(stage_of(Picker::new(&position)), Stage::BadCaptures);
    let see = See::DEFAULT.respecting_pins();
    assert_eq!(stage_of(Picker::new(&position).see(see)), Stage::GoodCaptures);
}
