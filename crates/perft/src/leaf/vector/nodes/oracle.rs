//! The kernel against the library, fact by fact, square by square and move by move.
//!
//! The oracle knows what each fact *means* and finds it with boards, loops and legal moves of the
//! library. It does not know which moves must be sharp: a quiet move is right if the sums predict the
//! number of its replies, so a missing condition shows itself as a wrong prediction.

use std::collections::BTreeSet;

use tabiya::{
    Bitboard, Board, CastlingMode, Color, Legality as Facts, Move, MoveKind, Position, Role, Setup,
    Square, attacks,
};

use super::digits::Digits;
use super::*;
use crate::leaf::node::Node;
use crate::leaf::rules;
use crate::leaf::vector::word::Word;
use crate::random::SplitMix;
use crate::suite::{self, ReadOptions};

/// Files and ranks of a step in each direction, in the order of the kernel.
const STEPS: [(i8, i8); 8] = [(0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1)];
/// The same for knights.
const LEAPS: [(i8, i8); 8] =
    [(1, 2), (-1, 2), (2, 1), (-2, 1), (-1, -2), (1, -2), (-2, -1), (2, -1)];
/// The mover's pawns go down.
const MOVER: Color = Color::Black;
const REPLIER: Color = Color::White;

// ---------------------------------------------------------------------------------------------
// What the kernel finds.

/// The facts about one lane, as words.
#[derive(Clone, Debug, Default)]
struct Found {
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
    touches: [u64; 5],
    extra: u64,
    leaves: u64,
    sharp: [u64; KINDS],
    promotions: [u64; 3],
    special: bool,
}

/// All lanes of the rows from `at` on.
#[inline(always)]
fn find<L: Lanes>(rows: &Rows, at: usize) -> Vec<Found> {
    let b = Boards::<L>::load(rows, 0, at);
    let rays = Rays::of(&b);
    let attacked = Attacked::of(&b, &rays);
    let legal = Legality::of(&b, &rays);
    let king = KingFacts::of(&b, &rays, &attacked);
    let mobility = Mobility::of(&b, &rays, &king);
    let moves =
        Moves { b: &b, rays: &rays, legal: &legal, king: &king, mobility: &mobility, at: 0 };
    let mut out = Sharp::default();
    let quiet = moves.all(&mut out);
    let castling = legal.castling(&b);
    let mut whole = Sharp::default();
    lanes::<L>(rows, 0, at, &mut whole);
    let mut all = vec![Found::default(); L::WIDTH];
    macro_rules! put {
        ($value:expr, $($place:tt)+) => {{
            let mut words = [0; 8];
            $value.put(&mut words, 0);
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
    put!(king.alone, alone);
    put!(king.guards, guards);
    put!(mobility.null, null);
    put!(quiet.extra, extra);
    for i in 0..4 {
        put!(legal.on_axis[i], on_axis[i]);
        put!(king.pins[i], pins[i]);
    }
    for i in 0..5 {
        put!(quiet.touches.0[i], touches[i]);
    }
    for i in 0..6 {
        put!(mobility.effect[i], effect[i]);
    }
    for i in 0..8 {
        put!(mobility.met[i], met[i]);
        for j in 0..3 {
            put!(mobility.runs[i][j], runs[i][j]);
        }
    }
    for (lane, found) in all.iter_mut().enumerate() {
        for kind in 0..KINDS {
            if out.present[kind] >> lane & 1 != 0 {
                found.sharp[kind] = out.sets[kind][lane];
            }
        }
        for i in 0..3 {
            found.promotions[i] = out.promotions[i][lane];
        }
        found.special = whole.special >> (at + lane) & 1 != 0;
        found.leaves = whole.leaves[at + lane];
    }
    all
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn find_four(rows: &Rows, at: usize) -> Vec<Found> {
    find::<crate::leaf::vector::avx2::Ymm>(rows, at)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512cd,avx512bw,avx512vl,avx512dq,avx512vpopcntdq")]
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
fn find_eight(rows: &Rows, at: usize) -> Vec<Found> {
    find::<crate::leaf::vector::avx512::Zmm>(rows, at)
}

/// The facts about eight rows, by each instance that this CPU has.
fn find_with_all(rows: &Rows) -> Vec<(&'static str, Vec<Found>)> {
    let mut all = vec![("one", (0..8).flat_map(|at| find::<Word>(rows, at)).collect())];
    #[cfg(target_arch = "x86_64")]
    {
        if crate::leaf::Avx2::detect().is_some() {
            // SAFETY: `detect` has found the features that `find_four` enables.
            let four = |at| unsafe { find_four(rows, at) };
            all.push(("four", [0, 4].into_iter().flat_map(four).collect()));
        }
        if crate::leaf::Avx512::detect().is_some() {
            // SAFETY: `detect` has found the features that `find_eight` enables.
            all.push(("eight", unsafe { find_eight(rows, 0) }));
        }
    }
    all
}

// ---------------------------------------------------------------------------------------------
// What is true.

fn squares(set: u64) -> impl Iterator<Item = Square> {
    Bitboard(set).iter()
}

/// The squares from `square` on in one direction, `square` without.
fn walk(square: Square, (files, ranks): (i8, i8)) -> impl Iterator<Item = Square> {
    std::iter::successors(square.offset(files, ranks), move |at| at.offset(files, ranks))
}

fn slides(role: Role, lane: usize) -> bool {
    match role {
        Role::Rook => lane & 2 == 0,
        Role::Bishop => lane & 2 != 0,
        Role::Queen => true,
        _ => false,
    }
}

fn number<const N: usize>(digits: &[u64; N], square: Square) -> i64 {
    let bit = |i: usize| (digits[i] >> square as u8 & 1) as i64;
    (0..N).map(|i| bit(i) << i).sum()
}

/// What is true about a position in which Black, the mover, is to move.
struct Truth {
    position: Position,
    board: Board,
    own: u64,
    theirs: u64,
    /// How many of the mover's pieces attack each square.
    attackers: [u32; 64],
    escapes: u64,
    alone: u64,
    pinned: u64,
    /// The castlings that reply to a null move, if the replier's king or rooks are not at home.
    wild: u64,
    /// The replies to a null move; the mover's king may be taken.
    null: u64,
    need: [i64; 64],
    take: [i64; 64],
}

impl Truth {
    fn of(position: &Position) -> Self {
        let board = *position.board();
        let (own, theirs) = (board.color(MOVER).0, board.color(REPLIER).0);
        let king = position.king(REPLIER);
        let attackers = std::array::from_fn(|s| {
            (board.attackers_to(Square::ALL[s]) & board.color(MOVER)).len()
        });
        let mut pinned = 0;
        for square in squares(theirs).filter(|&s| s != king) {
            let mut without = board;
            without.set(square, None);
            let pinner = without.attackers_to(king) & without.color(MOVER);
            if pinner.any() {
                pinned |= square.bitboard().0;
            }
        }
        let rights = position.castling_rights().of(REPLIER).0;
        let at_home = rights & !0x81 == 0 && king == Square::E1;
        let mut path = 0;
        let mut castlings = 0;
        let mut wild = 0;
        if rights != 0 && at_home {
            for (rook, between, king_path) in [(0x80, 0x60, 0x70_u64), (0x01, 0x0e, 0x1c)] {
                if rights & rook != 0 && between & (own | theirs) == 0 {
                    path |= king_path;
                    let safe = squares(king_path).all(|s| attackers[s as usize] == 0);
                    castlings += u64::from(safe);
                }
            }
        } else if rights != 0 {
            path = 0xff;
            wild = rules::castling_replies(&Node::of(position));
        }
        let zone = attacks::king(king).0 & !theirs & !path;
        let with = |n: u32| {
            squares(zone)
                .filter(|&s| attackers[s as usize] == n)
                .fold(0, |set, s| set | s.bitboard().0)
        };
        let mut truth = Self {
            position: position.clone(),
            own,
            theirs,
            attackers,
            escapes: with(0),
            alone: with(1),
            pinned,
            wild,
            null: castlings,
            need: [0; 64],
            take: [0; 64],
            board,
        };
        truth.null += truth.replies_to_a_null_move();
        truth.fill_need_and_take();
        truth
    }

    fn has(set: u64, square: Square) -> bool {
        Bitboard(set).has(square)
    }

    /// By trying every one on the board; castlings excepted.
    fn replies_to_a_null_move(&self) -> u64 {
        let mut n = 0;
        for from in squares(self.theirs) {
            let piece = self.board.piece_on(from).unwrap();
            let targets = if piece.role == Role::Pawn {
                self.pushes(from) | attacks::pawn(REPLIER, from).0 & self.own
            } else {
                self.board.attacks_from(from).0 & !self.theirs
            };
            for to in squares(targets) {
                let mut after = self.board;
                after.set(from, None);
                after.set(to, Some(piece));
                let king = after.king(REPLIER).unwrap();
                if !after.attackers_to(king).meets(after.color(MOVER)) {
                    let promotes = piece.role == Role::Pawn && Self::has(0xff << 56, to);
                    n += if promotes { 4 } else { 1 };
                }
            }
        }
        n
    }

    /// Where a pawn of the replier can be pushed.
    fn pushes(&self, from: Square) -> u64 {
        let empty = |s: &Square| !Self::has(self.own | self.theirs, *s);
        let one = walk(from, (0, 1)).take(if Self::has(0xff00, from) { 2 } else { 1 });
        one.take_while(empty).fold(0, |set, s| set | s.bitboard().0)
    }

    /// How many squares beyond `square` a slider of the replier could go to.
    fn run(&self, square: Square, lane: usize) -> i64 {
        let mut n = 0;
        for at in walk(square, STEPS[lane]) {
            if Self::has(self.theirs, at) {
                break;
            }
            n += 1;
            if Self::has(self.own, at) {
                break;
            }
        }
        n
    }

    /// The first piece that is seen from a square in one direction, if it slides back and is an unpinned
    /// one of the replier's.
    fn attacker_along(&self, square: Square, lane: usize) -> bool {
        let first = walk(square, STEPS[lane]).find(|&s| self.board.piece_on(s).is_some());
        first.is_some_and(|s| {
            Self::has(self.theirs & !self.pinned, s) && slides(self.board.role_on(s).unwrap(), lane)
        })
    }

    fn fill_need_and_take(&mut self) {
        let (mut need, mut take) = ([0; 64], [0; 64]);
        for from in squares(self.theirs & !self.pinned) {
            let role = self.board.role_on(from).unwrap();
            for lane in (0..8).filter(|&lane| slides(role, lane)) {
                // Who takes the slider takes all its moves.
                need[from as usize] += self.run(from, lane);
                for at in walk(from, STEPS[lane]) {
                    if Self::has(self.theirs, at) {
                        take[at as usize] += 1;
                        break;
                    }
                    need[at as usize] += self.run(at, lane);
                    if Self::has(self.own, at) {
                        break;
                    }
                }
            }
            if role == Role::Knight {
                for to in attacks::knight(from) {
                    if Self::has(self.theirs, to) {
                        take[to as usize] += 1;
                    } else {
                        need[from as usize] += 1;
                    }
                }
            }
            if role == Role::Pawn {
                let kinds = if Self::has(0xff << 48, from) { 4 } else { 1 };
                need[from as usize] += kinds * i64::from(Bitboard(self.pushes(from)).len());
                for to in attacks::pawn(REPLIER, from) {
                    take[to as usize] += kinds;
                    if Self::has(self.own, to) {
                        need[from as usize] += kinds;
                    }
                }
                let one = from.offset(0, 1).unwrap();
                let empty = |s| !Self::has(self.own | self.theirs, s);
                if !Self::has(self.theirs, one) {
                    need[one as usize] += kinds;
                }
                if Self::has(0xff00, from) {
                    let two = one.offset(0, 1).unwrap();
                    // The double push needs both squares, and each counts if the other is empty.
                    if empty(two) && !Self::has(self.theirs, one) {
                        need[one as usize] += 1;
                    }
                    if empty(one) && !Self::has(self.theirs, two) {
                        need[two as usize] += 1;
                    }
                }
            }
        }
        for from in squares(self.own) {
            let guarded = match self.board.role_on(from).unwrap() {
                Role::Knight => attacks::knight(from),
                Role::Pawn => attacks::pawn(MOVER, from),
                _ => continue,
            };
            need[from as usize] += i64::from((guarded & Bitboard(self.alone)).len());
        }
        (self.need, self.take) = (need, take);
    }

    /// The board after an ordinary move.
    fn after(&self, mv: Move) -> Board {
        let mut after = self.board;
        after.set(mv.to(), after.piece_on(mv.from()));
        after.set(mv.from(), None);
        after
    }

    fn value(&self, square: Square) -> i64 {
        self.need[square as usize] - self.take[square as usize]
    }

    /// What a move changes beside leaving and entering squares, by the lemmas.
    fn besides(&self, mv: Move, seen: &mut Seen) -> i64 {
        let (from, to) = (mv.from(), mv.to());
        let role = self.board.role_on(from).unwrap();
        let mut sum = 0;
        if slides(role, 0) || slides(role, 2) {
            let lane = (0..8).find(|&d| walk(from, STEPS[d]).any(|s| s == to)).unwrap();
            if self.attacker_along(from, lane ^ 4) {
                seen.away += 1;
                sum += if Self::has(self.theirs, to) { 1 } else { -self.run(to, lane) };
            }
            if self.attacker_along(from, lane) {
                seen.toward += 1;
                sum -= self.run(from, lane ^ 4);
            }
            let alone = self.board.attacks_from(from) & Bitboard(self.alone);
            if alone.any() {
                seen.guards += 1;
                assert_ne!(role, Role::Queen, "queens that guard squares alone are sharp");
                let line = attacks::line(from, to);
                sum += i64::from((alone & !line).len());
            }
        }
        if role == Role::Pawn && self.board.role_on(to) == Some(Role::Pawn) {
            seen.pawns += 1;
            sum += 1;
        }
        let lost = i64::from((self.after(mv).attacks_from(to) & Bitboard(self.escapes)).len());
        seen.escapes += usize::from(lost != 0);
        sum - lost
    }
}

/// How often each correction was needed.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
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
    wild: usize,
    promotions: usize,
    passed: usize,
}

/// The moves of all sets of sharp moves.
fn sharp_moves(truth: &Truth, found: &Found) -> Vec<(usize, Square, Square)> {
    let mut all = Vec::new();
    for (kind, &targets) in found.sharp.iter().enumerate() {
        for to in squares(targets) {
            let from = match kind {
                0..8 => walk(to, STEPS[kind ^ 4])
                    .find(|&s| truth.board.piece_on(s).is_some())
                    .unwrap_or_else(|| panic!("nobody comes to {to} in direction {kind}")),
                KNIGHT..KING => {
                    let (files, ranks) = LEAPS[kind - KNIGHT];
                    to.offset(-files, -ranks).unwrap()
                }
                KING => truth.position.king(MOVER),
                SINGLE => to.offset(0, 1).unwrap(),
                DOUBLE | PASSING => to.offset(0, 2).unwrap(),
                WEST => to.offset(1, 1).unwrap(),
                EAST => to.offset(-1, 1).unwrap(),
                _ => unreachable!(),
            };
            all.push((kind, from, to));
        }
    }
    all
}

fn check(truth: &Truth, found: &Found, seen: &mut Seen) {
    check_legality(truth, found);
    check_king(truth, found);
    check_mobility(truth, found);
    check_moves(truth, found, seen);
}

fn check_legality(truth: &Truth, found: &Found) {
    let (position, board) = (&truth.position, &truth.board);
    let facts = Facts::of(position);
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
    // Through the king, where it could go.
    let mut without = *board;
    without.set(facts.king, None);
    let attacked = |board: &Board, s: Square| board.attackers_to(s).meets(board.color(REPLIER));
    let ring = attacks::king(facts.king);
    for square in Square::ALL {
        let is = Truth::has(found.danger, square);
        if square == position.king(REPLIER) {
            // The kernel may say that a king attacks its own square.
        } else if ring.has(square) {
            assert_eq!(is, attacked(&without, square), "danger on {square}");
        } else if !facts.is_check() {
            assert_eq!(is, attacked(board, square), "danger on {square}");
        }
        let n = truth.attackers[square as usize];
        assert_eq!(Truth::has(found.once, square), n >= 1, "attacked: {square}");
        assert_eq!(Truth::has(found.twice, square), n >= 2, "attacked twice: {square}");
    }
}

fn check_king(truth: &Truth, found: &Found) {
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

fn check_mobility(truth: &Truth, found: &Found) {
    assert_eq!(found.null, truth.null, "replies to a null move");
    if let Some(passed) = truth.position.play_null() {
        assert_eq!(truth.null + truth.wild, passed.count_legal() as u64, "the oracle itself");
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

fn is_ordinary(mv: Move) -> bool {
    matches!(mv.kind(), MoveKind::Quiet | MoveKind::Capture | MoveKind::DoublePush)
}

fn check_moves(truth: &Truth, found: &Found, seen: &mut Seen) {
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
    let passing: BTreeSet<_> =
        list.iter().filter(|mv| mv.0 == PASSING).map(|&(_, from, to)| (from, to)).collect();

    let mut entered = [0; 64];
    let mut left = [0; 64];
    let (mut extra, mut leaves) = (0i64, 0u64);
    for &mv in legal.iter().filter(|mv| is_ordinary(**mv)) {
        let (from, to) = (mv.from(), mv.to());
        let child = position.play(mv);
        let mut en_passant = 0;
        if mv.kind() == MoveKind::DoublePush && !passing.contains(&(from, to)) {
            en_passant =
                child.legal_moves().iter().filter(|reply| reply.is_en_passant()).count() as i64;
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
        let besides = truth.besides(mv, seen);
        let predicted = (truth.null + truth.wild) as i64 + truth.value(from) - truth.value(to)
            + besides
            + en_passant;
        assert_eq!(predicted, child.count_legal() as i64, "replies to the quiet move {mv}");
        leaves += predicted as u64;
        extra += besides;
        entered[to as usize] += 1;
        match role {
            Role::Knight | Role::Pawn => left[from as usize] += 1,
            Role::King => assert_eq!(truth.value(from), 0, "a king whose square matters is sharp"),
            // What sliders leave is not in the sum over squares.
            _ => extra += truth.value(from),
        }
    }
    for square in Square::ALL {
        let n = number(&found.touches, square);
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
    let special = legal.iter().any(|mv| !is_ordinary(*mv)) || !passing.is_empty();
    assert!(!special || found.special, "a special move is overlooked");

    seen.positions += 1;
    seen.sharp += sharp.len();
    seen.exposing += passing.len();
    seen.checks += usize::from(found.in_check != 0);
    seen.pins += usize::from(found.on_axis != [0; 4]);
    seen.their_pins += usize::from(truth.pinned != 0);
    seen.castlings += usize::from(castles);
    seen.wild += usize::from(truth.wild != 0);
    seen.promotions += usize::from(promotions != 0);
    seen.passed += usize::from(position.en_passant().is_some());
}

// ---------------------------------------------------------------------------------------------
// Positions.

/// Compares eight positions at a time, in all lanes of every instance.
fn compare(positions: &[Position]) -> Seen {
    let mut seen = Seen::default();
    for eight in positions.chunks(8) {
        let mut rows = Rows::default();
        let mut truths = Vec::new();
        for (at, position) in eight.iter().enumerate() {
            let node = Node::of(position);
            // The oracle wants Black to move; the node must be the same.
            let turned =
                if position.turn() == MOVER { position.clone() } else { position.mirrored() };
            assert_eq!(node, Node::of(&turned));
            rows.put(at, &node);
            truths.push(Truth::of(&turned));
        }
        for (instance, found) in find_with_all(&rows) {
            for (truth, found) in truths.iter().zip(&found) {
                let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    check(truth, found, &mut seen);
                }));
                if let Err(panic) = result {
                    eprintln!("in {}, {instance} lanes", truth.position.fen());
                    std::panic::resume_unwind(panic);
                }
            }
        }
    }
    seen
}

fn suite(name: &str) -> Vec<Position> {
    let text = tabiya_suites::file(name).unwrap_or_else(|| panic!("there is no suite {name}")).text;
    let suite = suite::read(text.as_bytes(), &ReadOptions::default());
    suite.cases.into_iter().map(|case| case.position).collect()
}

fn one_of<T: Clone>(random: &mut SplitMix, list: &[T]) -> T {
    list[random.below(list.len())].clone()
}

#[test]
fn suites() {
    let names = [
        "standard.epd",
        "rules.epd",
        "rules-chess960.epd",
        "regression.epd",
        "regression-chess960.epd",
    ];
    let mut positions: Vec<_> = names.into_iter().flat_map(suite).collect();
    let children: Vec<_> = positions
        .iter()
        .flat_map(|p| p.legal_moves().iter().map(|&mv| p.play(mv)).collect::<Vec<_>>())
        .step_by(3)
        .collect();
    positions.extend(children);
    let seen = compare(&positions);
    println!("{seen:?}");
    assert!(seen.passed > 50 && seen.castlings > 50 && seen.wild > 20 && seen.promotions > 50);
    assert!(seen.exposing > 0);
}

#[test]
fn random_games() {
    let mut random = SplitMix::new(0x5eed_0011);
    let starts = [suite("standard.epd"), suite("rules-chess960.epd")].concat();
    let mut positions = Vec::new();
    while positions.len() < 12_000 {
        let mut game = one_of(&mut random, &starts);
        for _ in 0..random.below(150) {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            game = game.play(one_of(&mut random, &moves));
            if random.below(8) == 0 {
                positions.push(game.clone());
            }
        }
    }
    let seen = compare(&positions);
    println!("{seen:?}");
    let all = [seen.away, seen.toward, seen.guards, seen.pawns, seen.escapes, seen.passing];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    let all = [seen.checks, seen.pins, seen.their_pins, seen.castlings, seen.promotions];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    assert!(seen.by_role.into_iter().all(|n| n > 1000), "{seen:?}");
    // Not so many sharp moves that nothing is tested.
    assert!(seen.quiet > seen.sharp, "{seen:?}");
}

/// A playable position of few or many pieces, placed at random.
fn placement(random: &mut SplitMix) -> Position {
    use Role::{Bishop, King, Knight, Pawn, Queen, Rook};
    loop {
        let mut setup = Setup { board: Board::EMPTY, ..Setup::EMPTY };
        setup.turn = one_of(random, &Color::ALL);
        let home = random.below(3) == 0;
        for color in Color::ALL {
            let roles: &[Role] = if home { &[King, Rook, Rook] } else { &[King] };
            for &role in roles {
                let file = one_of(random, &tabiya::File::ALL);
                let square = if home {
                    Square::new(file, color.back_rank())
                } else {
                    one_of(random, &Square::ALL)
                };
                setup.board.set(square, Some(role.of(color)));
            }
        }
        let heavy = [Queen, Queen, Rook, Bishop, Pawn];
        let mixed = [Pawn, Pawn, Pawn, Pawn, Knight, Knight, Bishop, Rook, Queen];
        let roles: &[Role] = if random.below(4) == 0 { &heavy } else { &mixed };
        for _ in 0..random.below(26) {
            let square = one_of(random, &Square::ALL);
            let piece = one_of(random, roles).of(one_of(random, &Color::ALL));
            if setup.board.piece_on(square).is_none() {
                setup.board.set(square, Some(piece));
            }
        }
        for color in Color::ALL {
            let rank = color.back_rank().bitboard();
            if setup.board.king(color).is_some_and(|king| rank.has(king)) {
                for rook in setup.board.pieces(color, Rook) & rank {
                    if random.below(2) == 0 {
                        setup.castling.add(rook);
                        setup.castling_mode = CastlingMode::Chess960;
                    }
                }
            }
        }
        if random.below(3) == 0 {
            // A pawn before its double push, or after it, and pawns that may take it.
            let pushed = random.below(2) == 0;
            let us = if pushed { !setup.turn } else { setup.turn };
            let third = Square::new(one_of(random, &tabiya::File::ALL), us.double_push_rank());
            let from = third.step((!us).forward()).unwrap();
            let to = third.step(us.forward()).unwrap();
            setup.board.set(third, None);
            setup.board.set(if pushed { from } else { to }, None);
            setup.board.set(if pushed { to } else { from }, Some(Pawn.of(us)));
            for files in [-1, 1] {
                if let Some(beside) = to.offset(files, 0)
                    && random.below(3) != 0
                {
                    setup.board.set(beside, Some(Pawn.of(!us)));
                }
            }
            setup.en_passant = pushed.then_some(third);
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

#[test]
fn random_placements() {
    let mut random = SplitMix::new(0x5eed_0012);
    let positions: Vec<_> = (0..12_000).map(|_| placement(&mut random)).collect();
    let seen = compare(&positions);
    println!("{seen:?}");
    let all = [seen.away, seen.toward, seen.guards, seen.pawns, seen.escapes, seen.passing];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    let all = [seen.checks, seen.pins, seen.their_pins, seen.castlings, seen.promotions, seen.wild];
    assert!(all.into_iter().all(|n| n > 100), "{seen:?}");
    assert!(seen.exposing > 100 && seen.passed > 100, "{seen:?}");
}

/// Takes minutes.
#[test]
#[ignore = "a longer search for a wrong lemma"]
fn many_random_placements() {
    let mut random = SplitMix::new(0x5eed_0013);
    for _ in 0..100 {
        let positions: Vec<_> = (0..20_000).map(|_| placement(&mut random)).collect();
        println!("{:?}", compare(&positions));
    }
}

// ---------------------------------------------------------------------------------------------
// Digits.

/// The square `s` has the number `of(s)`.
fn digits(of: impl Fn(u64) -> u64) -> Digits<Word> {
    let mut digits = Digits::<Word>::zero();
    for s in 0..64 {
        for (i, digit) in digits.0.iter_mut().enumerate() {
            digit.0 |= (of(s) >> i & 1) << s;
        }
    }
    digits
}

fn value(digits: &[Word], s: u64) -> u64 {
    digits.iter().enumerate().map(|(i, digit)| (digit.0 >> s & 1) << i).sum()
}

fn set(of: impl Fn(u64) -> bool) -> Word {
    Word((0..64).filter(|&s| of(s)).fold(0, |set, s| set | 1 << s))
}

#[test]
fn digits_are_added_and_subtracted() {
    // The number before is the square's rest by 32, so each sum up to 31 is tried with each addend.
    for more in 0..8 {
        let mut sum = digits(|s| s % 32);
        sum.add_number(std::array::from_fn(|i| set(|s| more >> i & 1 != 0 && s % 32 + more < 32)));
        for s in 0..64 {
            let expected = if s % 32 + more < 32 { s % 32 + more } else { s % 32 };
            assert_eq!(value(&sum.0, s), expected);
        }
    }
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        let fits = |s: u64| s % 32 + a + b < 32;
        let mut sum = digits(|s| s % 32);
        sum.add_two(set(|s| fits(s) && a == 1), set(|s| fits(s) && b == 1));
        let mut twice = digits(|s| s % 32);
        twice.add(set(|s| fits(s) && a == 1));
        twice.add(set(|s| fits(s) && b == 1));
        for s in 0..64 {
            let expected = if fits(s) { s % 32 + a + b } else { s % 32 };
            assert_eq!(value(&sum.0, s), expected);
            assert_eq!(value(&twice.0, s), expected);
        }
    }
    let mut sum = digits(|s| s % 29);
    sum.add_three(set(|s| s % 2 == 0));
    for s in 0..64 {
        assert_eq!(value(&sum.0, s), s % 29 + if s % 2 == 0 { 3 } else { 0 });
    }
    for less in 0..32 {
        let difference = digits(|s| s % 32).minus(&digits(|_| less));
        for s in 0..64 {
            // Two's complement of six digits.
            assert_eq!(value(&difference, s), (s % 32 + 64 - less) % 64);
        }
    }
}

/// The table of the proof: `| name | position | move | null | v(f) | v(t) | k(t) | more | replies |`.
#[test]
fn boards_of_the_proof() {
    let rows =
        include_str!("../../ALGORITHM.md").lines().filter(|line| line.contains(" b - - 0 1` |"));
    let mut n = 0;
    for row in rows {
        let cells: Vec<&str> = row.split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let position = Position::from_fen(cells[2]).unwrap();
        let mv = position.parse_uci(cells[3]).unwrap();
        let expected: Vec<i64> = cells[4..10].iter().map(|cell| cell.parse().unwrap()).collect();
        let truth = Truth::of(&position);
        let after = truth.after(mv);
        let lost = i64::from((after.attacks_from(mv.to()) & Bitboard(truth.escapes)).len());
        let child = position.play(mv);
        let en_passant = child.legal_moves().iter().filter(|reply| reply.is_en_passant()).count();
        let found = vec![
            truth.null as i64,
            truth.value(mv.from()),
            truth.value(mv.to()),
            lost,
            truth.besides(mv, &mut Seen::default()) + lost + en_passant as i64,
            child.count_legal() as i64,
        ];
        assert_eq!(found, expected, "{row}");
        let sum = found[0] + found[1] - found[2] - found[3] + found[4];
        assert_eq!(sum, found[5], "{row}");
        compare(&[position]);
        n += 1;
    }
    assert_eq!(n, 9);
}
