//! Counting the moves of a position by category without making them.
//!
//! The generator hands over sets of targets. Captures, castling and promotions are sizes of sets;
//! direct and discovered checks are intersections with what [`CheckFacts`] found once a node.
//! A move is made only if more has to be known about the position after it:
//!
//! * it gives check: is it mate?
//! * [`Escape`] cannot exclude that it stalemates;
//! * it is castling or en passant, where several men leave or arrive at once.

use tabiya::movegen::{CheckFacts, Legal, PawnMoves, Sink};
use tabiya::{Bitboard, Direction, Move, MoveKind, MoveList, Position, Role, Square, attacks};

use super::Category;
use super::cpu::Cpu;
use super::escape::Escape;

/// Leaves of one subtree by category. Sums of categories are left to the end.
#[derive(Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    pub(super) by_category: [u64; Category::ALL.len()],
}

impl Counts {
    #[inline(always)]
    fn add(&mut self, category: Category, leaves: u32) {
        self.by_category[category as usize] += u64::from(leaves);
    }
}

/// One step of counting the leaves `depth` half-moves, at least one, below a position: the body
/// of [`Cpu::walk`], which it calls for what is deeper.
#[inline(always)]
pub(super) fn step<C: Cpu>(cpu: C, position: &Position, depth: u32, counts: &mut Counts) {
    let sliders = cpu.sliders();
    if depth > 1 {
        for mv in MoveList::of_with::<Legal, _>(position, sliders) {
            cpu.walk(&position.play(mv), depth - 1, counts);
        }
        return;
    }
    let checks = CheckFacts::of_with(position, sliders);
    let escape = Escape::of(position, checks.king);
    let mut sink = Leaves { cpu, position, checks, escape, counts };
    position.generate_with::<Legal, _, _>(sliders, &mut sink);
}

/// Takes the moves that lead to leaves.
struct Leaves<'a, C> {
    cpu: C,
    position: &'a Position,
    checks: CheckFacts,
    escape: Escape,
    counts: &'a mut Counts,
}

impl<C: Cpu> Sink for Leaves<'_, C> {
    /// Castling or en passant; all others come as sets.
    fn add(&mut self, _: Role, mv: Move) {
        self.counts.nodes += 1;
        let mut arrived = mv.to().bitboard();
        if let Some(wing) = mv.castling() {
            self.counts.add(Category::Castles, 1);
            arrived = arrived.with(wing.rook_target(self.position.turn()));
        } else {
            self.counts.add(Category::Captures, 1);
            self.counts.add(Category::EnPassant, 1);
        }
        self.look_at(mv, arrived);
    }

    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        self.counts.nodes += u64::from(targets.len());
        let taken = targets & captures;
        if taken.any() {
            self.counts.add(Category::Captures, taken.len());
        }
        let direct = targets & self.checks.squares(role);
        let discovered = if self.checks.discoverers.has(from) {
            targets - attacks::line(self.checks.king, from)
        } else {
            Bitboard::EMPTY
        };
        let kind = |to| if captures.has(to) { MoveKind::Capture } else { MoveKind::Quiet };
        let mv = |to| Move::new(from, to, kind(to));
        self.checks(direct, discovered, mv);
        self.others(targets - (direct | discovered), mv);
    }

    #[inline(always)]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        let targets = moves.targets;
        if targets.is_empty() {
            return;
        }
        self.counts.nodes += u64::from(targets.len());
        if kind.is_capture() {
            self.counts.add(Category::Captures, targets.len());
        }
        let discovered = moves.targets_from(self.leaving(moves.offset));
        let mv = |to| Move::new(moves.origin(to), to, kind);
        let direct = match kind.promoted() {
            None => targets & self.checks.squares(Role::Pawn),
            Some(role) => {
                self.counts.add(promotions_to(role), targets.len());
                self.promotions_that_check(moves, role)
            }
        };
        self.checks(direct, discovered, mv);
        self.others(targets - (direct | discovered), mv);
    }
}

impl<C: Cpu> Leaves<'_, C> {
    /// Pawns that uncover a check when they move by an offset: those that leave their line.
    #[inline(always)]
    fn leaving(&self, offset: i8) -> Bitboard {
        let along = match offset.abs() {
            7 => Direction::NorthWest,
            9 => Direction::NorthEast,
            _ => Direction::North,
        };
        self.checks.discoverers - attacks::through(self.checks.king, along)
    }

    /// The targets on which the promoted piece gives check.
    fn promotions_that_check(&self, moves: PawnMoves, role: Role) -> Bitboard {
        let board = self.position.board();
        let checks = |&to: &Square| self.checks.promotion_checks(board, moves.origin(to), to, role);
        moves.targets.into_iter().filter(checks).collect()
    }

    /// Counts checks by the man that moves, by others, and by both at once.
    #[inline(always)]
    fn checks(&mut self, direct: Bitboard, discovered: Bitboard, mv: impl Fn(Square) -> Move) {
        let checks = direct | discovered;
        if checks.is_empty() {
            return;
        }
        self.counts.add(Category::Checks, checks.len());
        self.counts.add(Category::Discovered, (discovered - direct).len());
        self.counts.add(Category::DirectDiscovered, (discovered & direct).len());
        for to in checks {
            if !self.cpu.has_legal_move(&self.position.play(mv(to))) {
                self.counts.add(Category::Checkmates, 1);
            }
        }
    }

    /// Looks for stalemates among moves that give no check.
    #[inline(always)]
    fn others(&mut self, targets: Bitboard, mv: impl Fn(Square) -> Move) {
        for to in targets & self.escape.doubtful {
            if !self.cpu.has_legal_move(&self.position.play(mv(to))) {
                self.counts.add(Category::Stalemates, 1);
            }
        }
    }

    /// Makes a move to see whom it checks; the men that moved stand on `arrived`.
    fn look_at(&mut self, mv: Move, arrived: Bitboard) {
        let after = self.position.play(mv);
        let checkers = after.checkers();
        if checkers.any() {
            self.counts.add(Category::Checks, 1);
            match (checkers.has_many(), checkers.meets(arrived)) {
                (false, true) => {}
                (false, false) => self.counts.add(Category::Discovered, 1),
                (true, true) => self.counts.add(Category::DirectDiscovered, 1),
                (true, false) => self.counts.add(Category::DoubleDiscovered, 1),
            }
        }
        let may_end = checkers.any() || self.escape.special_doubtful;
        if may_end && !self.cpu.has_legal_move(&after) {
            let end = if checkers.any() { Category::Checkmates } else { Category::Stalemates };
            self.counts.add(end, 1);
        }
    }
}

/// The category of promotions to a role.
const fn promotions_to(role: Role) -> Category {
    match role {
        Role::Knight => Category::KnightPromotions,
        Role::Bishop => Category::BishopPromotions,
        Role::Rook => Category::RookPromotions,
        _ => Category::QueenPromotions,
    }
}
