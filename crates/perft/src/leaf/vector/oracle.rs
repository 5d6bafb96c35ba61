//! The kernel against the library, fact by fact, square by square and move by move.
//!
//! The oracle does not know which moves must be sharp: a quiet move is right if the sums predict
//! the number of its replies, so a missing condition shows itself as a wrong prediction.

use std::collections::BTreeSet;

use tabiya::{Bitboard, Move, MoveKind, Position, Rank, Role, Square, attacks};

use super::board::{Attacked, Board as Lanewise, NodeLegality, Rays};
use super::kernel::{EightNodes, count_eight};
use super::king_view::KingView;
use super::moves::Moves;
use super::need_take::NeedTake;
use super::rows::Rows;
use crate::lanes::kinds::{DOUBLE, EAST, KINDS, KING, KNIGHT, SINGLE, WEST};
use crate::lanes::words::Words;
use crate::lanes::{Lanes, Zmm};
use crate::leaf::oracle::{
    MOVER, REPLIER, STEPS, Truth, en_passant_replies, is_ordinary, positions, slides, squares, walk,
};
use crate::node::Node;

/// Files and ranks of a knight's steps, in the order of the kernel.
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (-1, 2), (2, 1), (-2, 1), (-1, -2), (1, -2), (-2, -1), (2, -1)];

// ---------------------------------------------------------------------------------------------
// What the kernel finds.

/// The facts about one lane, as words.
#[derive(Clone, Debug, Default)]
struct LaneFacts {
    danger: u64,
    targets: u64,
    on_axis: [u64; 4],
    in_check: u64,
    castling: u64,
    once: u64,
    twice: u64,
    escapes: u64,
    alone: u64,
    guards: u64,
    pins: [u64; 4],
    null: u64,
    effect: [u64; 6],
    met: [u64; 8],
    runs: [[u64; 3]; 8],
    visits: [u64; 5],
    extra: u64,
    leaves: u64,
    sharp: [u64; KINDS],
    passing: u64,
    promotions: [u64; 3],
    special: bool,
}

/// All lanes of the first eight rows.
#[inline(always)]
fn find<L: Lanes>(rows: &Rows) -> [LaneFacts; 8] {
    let b = Lanewise::<L>::load(rows, 0);
    let rays = Rays::of(&b);
    let attacked = Attacked::of(&b, &rays);
    let legal = NodeLegality::of(&b, &rays);
    let king = KingView::of(&b, &rays, &attacked);
    let replies = NeedTake::of(&b, &rays, &king);
    let moves = Moves { b: &b, rays: &rays, legal: &legal, king: &king, replies: &replies };
    let mut out = EightNodes::default();
    let quiet = moves.all(&mut out);
    let castling = legal.castling(&b);
    // The kernel's memory holds the facts of the nodes before.
    let mut whole =
        EightNodes { castling: 0xff, special: 0xff, other: 0xff, ..EightNodes::default() };
    for kind in 0..KINDS {
        whole.sharp.put(kind, L::splat(!0));
    }
    count_eight::<L>(rows, 0, &mut whole);
    for kind in (0..KINDS).step_by(8) {
        let (found, expected) = (whole.sharp.present(kind), out.sharp.present(kind));
        assert_eq!(found, expected, "kinds of nodes that were there before");
    }
    let mut all: [LaneFacts; 8] = Default::default();
    macro_rules! put {
        ($value:expr, $($place:tt)+) => {{
            let mut words = [0; 8];
            $value.put(&mut words);
            for (found, word) in all.iter_mut().zip(words) {
                found.$($place)+ = word;
            }
        }};
    }
    put!(legal.danger, danger);
    put!(legal.targets, targets);
    put!(legal.in_check, in_check);
    put!(castling, castling);
    put!(attacked.once, once);
    put!(attacked.twice, twice);
    put!(king.escapes, escapes);
    put!(king.guarded_alone, alone);
    put!(king.guards, guards);
    put!(replies.null, null);
    put!(quiet.extra, extra);
    for i in 0..4 {
        put!(legal.on_axis[i], on_axis[i]);
        put!(king.pins.on_axis[i], pins[i]);
    }
    for i in 0..5 {
        put!(quiet.visits.0[i], visits[i]);
    }
    for i in 0..6 {
        put!(replies.effect[i], effect[i]);
    }
    for i in 0..8 {
        put!(replies.met[i], met[i]);
        for j in 0..3 {
            put!(replies.runs[i][j], runs[i][j]);
        }
    }
    for (lane, found) in all.iter_mut().enumerate() {
        for kind in 0..KINDS {
            found.sharp[kind] = out.sharp.get(kind, lane);
        }
        found.passing = out.passing[lane];
        for i in 0..3 {
            found.promotions[i] = out.promotions[i][lane];
        }
        found.special = whole.special >> lane & 1 != 0;
        found.leaves = whole.leaves[lane];
    }
    all
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512cd,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")]
#[target_feature(enable = "avx512vbmi,avx512vbmi2")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn find_by_avx512(rows: &Rows) -> [LaneFacts; 8] {
    find::<Zmm>(rows)
}

/// The facts about eight rows, by each instance that this CPU has.
fn find_with_all(rows: &Rows) -> Vec<(&'static str, [LaneFacts; 8])> {
    let mut all = vec![("words", find::<Words>(rows))];
    #[cfg(target_arch = "x86_64")]
    if crate::leaf::Avx512::detect().is_some() {
        // SAFETY: `detect` has found the features that `find_by_avx512` enables.
        all.push(("AVX-512", unsafe { find_by_avx512(rows) }));
    }
    all
}

fn number<const N: usize>(digits: &[u64; N], square: Square) -> i64 {
    let bit = |i: usize| (digits[i] >> square as u8 & 1) as i64;
    (0..N).map(|i| bit(i) << i).sum()
}

/// How often each correction was needed.
#[derive(Clone, Copy, Debug, Default)]
struct Coverage {
    positions: usize,
    quiet: usize,
    sharp: usize,
    by_role: [usize; 6],
    away: usize,
    toward: usize,
    guards: usize,
    pawns: usize,
    escapes: usize,
    passing: usize,
    exposing: usize,
    checks: usize,
    pins: usize,
    their_pins: usize,
    castlings: usize,
    unorthodox: usize,
    promotions: usize,
    passed: usize,
}

/// The corrections for a move, by the lemmas.
fn besides(truth: &Truth, mv: Move, seen: &mut Coverage) -> i64 {
    let (from, to) = (mv.from(), mv.to());
    let role = truth.board.role_on(from).unwrap();
    let mut sum = 0;
    if let Some(lane) = (0..8).find(|&d| walk(from, STEPS[d]).any(|s| s == to)) {
        if truth.attacker_along(from, lane ^ 4) {
            seen.away += 1;
            sum += if Truth::has(truth.theirs, to) { 1 } else { -truth.run(to, lane) };
        }
        if truth.attacker_along(from, lane) {
            seen.toward += 1;
            sum -= truth.run(from, lane ^ 4);
        }
    }
    if slides(role, 0) || slides(role, 2) {
        let alone = truth.board.attacks_from(from) & Bitboard(truth.alone);
        if alone.any() {
            seen.guards += 1;
            assert_ne!(role, Role::Queen, "queens that guard squares alone are sharp");
            let line = attacks::line(from, to) & !to.bitboard();
            sum += i64::from((alone & !line).len());
        }
    }
    let pawn = |s: Square| {
        truth.board.piece_on(s) == Some(Role::Pawn.of(REPLIER)) && !Truth::has(truth.pinned, s)
    };
    if pawn(to) && attacks::pawn(REPLIER, to).has(from) {
        seen.pawns += 1;
        sum += if to.rank() == Rank::Seventh { 4 } else { 1 };
    }
    if role == Role::Pawn && to.rank() == Rank::Third && from.offset(0, -1) == Some(to) {
        sum -= i64::from(to.offset(0, -1).is_some_and(pawn));
    }
    let lost = i64::from((truth.after(mv).attacks_from(to) & Bitboard(truth.escapes)).len());
    seen.escapes += usize::from(lost != 0);
    sum - lost
}

/// The moves of all sets of sharp moves.
fn sharp_moves(truth: &Truth, found: &LaneFacts) -> Vec<(usize, Square, Square)> {
    let mut all = Vec::new();
    for (kind, &targets) in found.sharp.iter().enumerate() {
        for to in squares(targets) {
            let from = match kind {
                0..8 => walk(to, STEPS[kind ^ 4])
                    .find(|&s| truth.board.piece_on(s).is_some())
                    .unwrap_or_else(|| panic!("no piece comes to {to} in direction {kind}")),
                KNIGHT..KING => {
                    let (files, ranks) = LEAPS[kind - KNIGHT];
                    to.offset(-files, -ranks).unwrap()
                }
                KING => truth.position.king(MOVER),
                SINGLE => to.offset(0, 1).unwrap(),
                DOUBLE => to.offset(0, 2).unwrap(),
                WEST => to.offset(1, 1).unwrap(),
                EAST => to.offset(-1, 1).unwrap(),
                _ => unreachable!(),
            };
            all.push((kind, from, to));
        }
    }
    all
}

fn check(truth: &Truth, found: &LaneFacts, seen: &mut Coverage) {
    check_legality(truth, found);
    check_king(truth, found);
    check_replies(truth, found);
    check_moves(truth, found, seen);
}

fn check_legality(truth: &Truth, found: &LaneFacts) {
    let facts = truth.position.legality();
    let targets = (facts.capture_mask | facts.push_mask).0 & !truth.own;
    assert_eq!(found.targets, targets, "targets");
    let pinned = found.on_axis.iter().fold(0, |all, axis| all | axis);
    assert_eq!(pinned, facts.pinned.0, "pinned");
    for (axis, set) in found.on_axis.iter().enumerate() {
        for square in squares(*set) {
            assert!(
                walk(facts.king, STEPS[axis])
                    .chain(walk(facts.king, STEPS[axis + 4]))
                    .any(|s| s == square),
                "axis {axis} of {square}"
            );
        }
    }
    let in_check = if facts.is_check() { facts.king.bitboard().0 } else { 0 };
    assert_eq!(found.in_check, in_check, "in check");
    truth.expect_danger(&facts, found.danger);
    truth.expect_attacked(!0, found.once, found.twice);
}

fn check_king(truth: &Truth, found: &LaneFacts) {
    assert_eq!(found.escapes, truth.escapes, "escapes");
    assert_eq!(found.alone, truth.alone, "squares that one piece guards");
    assert_eq!(
        found.pins.iter().fold(0, |all, axis| all | axis),
        truth.pinned,
        "the replier's pins"
    );
    let king = truth.position.king(REPLIER);
    for (axis, set) in found.pins.iter().enumerate() {
        for square in squares(*set) {
            let mut line = walk(king, STEPS[axis]).chain(walk(king, STEPS[axis + 4]));
            assert!(line.any(|s| s == square), "axis {axis} of {square}");
        }
    }
    let guards = squares(truth.own).filter(|&s| {
        matches!(truth.board.role_on(s), Some(Role::Rook | Role::Bishop))
            && truth.board.attacks_from(s).0 & truth.alone != 0
    });
    let guards = guards.fold(0, |set, s| set | s.bitboard().0);
    assert_eq!(found.guards, guards, "rooks and bishops that guard squares alone");
}

fn check_replies(truth: &Truth, found: &LaneFacts) {
    assert_eq!(found.null, truth.null, "replies to a null move");
    if let Some(passed) = truth.position.play_null() {
        assert_eq!(truth.null, passed.count_legal() as u64, "the oracle itself");
    }
    for square in Square::ALL {
        // Where a piece comes, the negative less one.
        let value = truth.value(square);
        assert!((0..32).contains(&truth.need[square as usize]), "need of {square}");
        assert!((0..32).contains(&truth.take[square as usize]), "take of {square}");
        let expected = if Truth::has(truth.own, square) { value } else { -value - 1 };
        let digits = number(&found.effect, square);
        assert_eq!(if digits < 32 { digits } else { digits - 64 }, expected, "effect of {square}");
        for lane in 0..8 {
            let met = Truth::has(truth.own, square) && truth.attacker_along(square, lane ^ 4);
            assert_eq!(Truth::has(found.met[lane], square), met, "met {lane} on {square}");
            if met {
                let run = number(&found.runs[lane], square);
                assert_eq!(run, truth.run(square, lane), "run {lane} beyond {square}");
            }
        }
    }
}

fn check_moves(truth: &Truth, found: &LaneFacts, seen: &mut Coverage) {
    let position = &truth.position;
    let legal = position.legal_moves();
    let ordinary: BTreeSet<(Square, Square)> =
        legal.iter().filter(|mv| is_ordinary(**mv)).map(|mv| (mv.from(), mv.to())).collect();
    let list = sharp_moves(truth, found);
    let sharp: BTreeSet<_> = list.iter().map(|&(_, from, to)| (from, to)).collect();
    assert_eq!(sharp.len(), list.len(), "a sharp move is handed out twice");
    for pair in &sharp {
        assert!(ordinary.contains(pair), "{pair:?} is sharp and not legal");
    }
    for to in squares(found.passing) {
        let from = to.offset(0, 2).unwrap();
        assert!(ordinary.contains(&(from, to)), "no double push to {to}");
    }

    let mut entered = [0; 64];
    let mut left = [0; 64];
    let (mut extra, mut leaves) = (0i64, 0u64);
    for &mv in legal.iter().filter(|mv| is_ordinary(**mv)) {
        let (from, to) = (mv.from(), mv.to());
        let child = position.play(mv);
        let mut en_passant = 0;
        if mv.kind() == MoveKind::DoublePush && !Truth::has(found.passing, to) {
            en_passant = en_passant_replies(&child) as i64;
            extra += en_passant;
            seen.passing += usize::from(en_passant != 0);
        }
        if sharp.contains(&(from, to)) {
            leaves += en_passant as u64;
            continue;
        }
        let role = truth.board.role_on(from).unwrap();
        seen.quiet += 1;
        seen.by_role[role as usize] += 1;
        let besides = besides(truth, mv, seen);
        let predicted =
            truth.null as i64 + truth.value(from) - truth.value(to) + besides + en_passant;
        let mut replies = child.count_legal() as i64;
        if Truth::has(found.passing, to) && mv.kind() == MoveKind::DoublePush {
            // These are counted apart.
            replies -= en_passant_replies(&child) as i64;
        }
        assert_eq!(predicted, replies, "replies to the quiet move {mv}");
        leaves += predicted as u64;
        extra += besides;
        entered[to as usize] += 1;
        match role {
            Role::Knight | Role::Pawn => left[from as usize] += 1,
            // What sliders and the king leave is not in the sum over squares.
            _ => extra += truth.value(from),
        }
    }
    for square in Square::ALL {
        let n = number(&found.visits, square);
        if Truth::has(truth.own, square) {
            let nothing = n == 0 && truth.value(square) == 0;
            assert!(nothing || n == left[square as usize], "{n} quiet moves leave {square}");
        } else {
            assert_eq!(n, entered[square as usize], "quiet moves that enter {square}");
        }
    }
    assert_eq!(found.extra as i64, extra, "what is gained and lost besides");
    assert_eq!(found.leaves, leaves, "the replies to all quiet moves");

    for (set, files) in found.promotions.iter().zip([0, 1, -1]) {
        for to in squares(*set) {
            let from = to.offset(files, 1).unwrap();
            let n =
                legal.iter().filter(|mv| mv.is_promotion() && (mv.from(), mv.to()) == (from, to));
            assert_eq!(n.count(), 4, "promotions on {to}");
        }
    }
    let promotions: u32 = found.promotions.iter().map(|set| set.count_ones()).sum();
    assert_eq!(4 * promotions as usize, legal.iter().filter(|mv| mv.is_promotion()).count());
    let castles = legal.iter().any(|mv| mv.castling().is_some());
    assert!(!castles || found.castling != 0, "a castling is overlooked");
    let special = legal.iter().any(|mv| !is_ordinary(*mv)) || found.passing != 0;
    assert!(!special || found.special, "a special move is overlooked");

    seen.positions += 1;
    seen.sharp += sharp.len();
    seen.exposing += found.passing.count_ones() as usize;
    seen.checks += usize::from(found.in_check != 0);
    seen.pins += usize::from(found.on_axis != [0; 4]);
    seen.their_pins += usize::from(truth.pinned != 0);
    seen.castlings += usize::from(castles);
    seen.unorthodox += usize::from(truth.unorthodox != 0);
    seen.promotions += usize::from(promotions != 0);
    seen.passed += usize::from(position.en_passant().is_some());
}

// ---------------------------------------------------------------------------------------------
// Positions.

/// Compares eight positions at a time, in all lanes of every instance.
fn compare(positions: &[Position]) -> Coverage {
    let mut seen = Coverage::default();
    for eight in positions.chunks(8) {
        let mut rows = Rows::default();
        let mut truths = Vec::new();
        for (at, position) in eight.iter().enumerate() {
            rows.put(at, &Node::of(position));
            truths.push(Truth::of(position));
        }
        for (instance, found) in find_with_all(&rows) {
            for (truth, found) in truths.iter().zip(&found) {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    check(truth, found, &mut seen);
                }));
                if let Err(panic) = result {
                    eprintln!("in {}, {instance}", truth.position.fen());
                    std::panic::resume_unwind(panic);
                }
            }
        }
    }
    seen
}

#[test]
fn suites() {
    let positions = [positions::rare(), positions::of_suites()].concat();
    let seen = compare(&positions);
    println!("{seen:?}");
    if positions::are_few() {
        return;
    }
    assert!(
        seen.passed > 50 && seen.castlings > 50 && seen.unorthodox > 20 && seen.promotions > 50
    );
    assert!(seen.exposing > 0);
}

#[test]
fn random_games() {
    // Enough for a CPU without AVX-512, where one instance alone sees them.
    let positions = positions::of_games(20_000);
    let seen = compare(&positions);
    println!("{seen:?}");
    if positions::are_few() {
        return;
    }
    let all = [seen.away, seen.toward, seen.guards, seen.pawns, seen.escapes, seen.passing];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    let all = [seen.checks, seen.pins, seen.their_pins, seen.castlings, seen.promotions];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    assert!(seen.by_role.into_iter().all(|n| n > 1000), "{seen:?}");
    // Not so many sharp moves that nothing is tested.
    assert!(seen.quiet > seen.sharp, "{seen:?}");
}

#[test]
fn random_placements() {
    let positions: Vec<_> = positions::placed(0x5eed_0012).take(positions::share(12_000)).collect();
    let seen = compare(&positions);
    println!("{seen:?}");
    if positions::are_few() {
        return;
    }
    let all = [seen.away, seen.toward, seen.guards, seen.pawns, seen.escapes, seen.passing];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    let all =
        [seen.checks, seen.pins, seen.their_pins, seen.castlings, seen.promotions, seen.unorthodox];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    assert!(seen.exposing > 100 && seen.passed > 100, "{seen:?}");
}

/// Takes minutes.
#[test]
#[ignore = "a longer search for a wrong lemma"]
fn many_random_placements() {
    let mut placed = positions::placed(0x5eed_0013);
    for _ in 0..100 {
        let positions: Vec<_> = placed.by_ref().take(20_000).collect();
        println!("{:?}", compare(&positions));
    }
}
