//! Counting the moves of a position by category without making them.
//!
//! The generator hands over sets of targets. Captures, castling and promotions are sizes of sets;
//! direct and discovered checks are intersections with what [`CheckFacts`] found once a node.
//! A move is made only if [`Escape`] cannot exclude that it mates or stalemates, or if it gives
//! check by castling or en passant, where several men leave or arrive at once.

use std::ops::{AddAssign, Index};

use tabiya::movegen::{CheckFacts, Legal, PawnMoves, Sink};
use tabiya::{Bitboard, Direction, Move, MoveKind, Position, Role, Square, attacks};

use super::Category;
use super::cpu::Cpu;
use super::escape::Escape;

/// Leaves of one subtree by category. Sums of categories are left to the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) nodes: u64,
    /// How often the table was asked.
    pub(super) look_ups: u64,
    /// Is something missing, since counting was stopped?
    pub(super) stopped: bool,
    by_category: [u64; Category::ALL.len()],
}

impl Counts {
    #[inline(always)]
    pub(super) fn add(&mut self, category: Category, leaves: impl Into<u64>) {
        self.by_category[category as usize] += leaves.into();
    }
}

impl Index<Category> for Counts {
    type Output = u64;

    fn index(&self, category: Category) -> &u64 {
        &self.by_category[category as usize]
    }
}

impl AddAssign<&Self> for Counts {
    fn add_assign(&mut self, other: &Self) {
        self.nodes += other.nodes;
        self.look_ups += other.look_ups;
        self.stopped |= other.stopped;
        for (sum, count) in self.by_category.iter_mut().zip(other.by_category) {
            *sum += count;
        }
    }
}

/// Counts the leaves one half-move below a position.
#[inline(always)]
pub(super) fn count<C: Cpu>(cpu: C, position: &Position, counts: &mut Counts) {
    let sliders = cpu.sliders();
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
        if let Some(side) = mv.castling() {
            self.counts.add(Category::Castles, 1u32);
            arrived = arrived.with(side.rook_target(self.position.turn()));
        } else {
            self.counts.add(Category::Captures, 1u32);
            self.counts.add(Category::EnPassant, 1u32);
        }
        self.look_at(mv, arrived);
    }

    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard, captures: Bitboard) {
        self.counts.nodes += u64::from(targets.len());
        self.counts.add(Category::Captures, (targets & captures).len());
        let direct = targets & self.checks.squares(role);
        let discovered = if self.checks.discoverers.has(from) {
            targets - attacks::line(self.checks.king, from)
        } else {
            Bitboard::EMPTY
        };
        let kind = |to| if captures.has(to) { MoveKind::Capture } else { MoveKind::Quiet };
        let mv = |to| Move::new(from, to, kind(to));
        self.checks(direct, discovered, role, mv);
        self.others(targets - (direct | discovered), role, mv);
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
        let role = kind.promoted().unwrap_or(Role::Pawn);
        self.checks(direct, discovered, role, mv);
        self.others(targets - (direct | discovered), role, mv);
    }
}

impl<C: Cpu> Leaves<'_, C> {
    /// Pawns that uncover a check when they move by an offset: those that leave their line.
    #[inline(always)]
    fn leaving(&self, offset: i8) -> Bitboard {
        if self.checks.discoverers.is_empty() {
            return Bitboard::EMPTY;
        }
        let along = match offset.abs() {
            7 => Direction::NorthWest,
            9 => Direction::NorthEast,
            _ => Direction::North,
        };
        self.checks.discoverers - attacks::through(self.checks.king, along)
    }

    /// The targets on which the promoted piece gives check.
    fn promotions_that_check(&self, moves: PawnMoves, role: Role) -> Bitboard {
        let checks = |&to: &Square| self.checks.promotion_checks(moves.origin(to), to, role);
        moves.targets.into_iter().filter(checks).collect()
    }

    /// Counts checks by the man that moves, by others, and by both at once.
    #[inline(always)]
    fn checks(
        &mut self,
        direct: Bitboard,
        discovered: Bitboard,
        role: Role,
        mv: impl Fn(Square) -> Move,
    ) {
        let checks = direct | discovered;
        if checks.is_empty() {
            return;
        }
        self.counts.add(Category::Checks, checks.len());
        self.counts.add(Category::Discovered, (discovered - direct).len());
        self.counts.add(Category::DirectDiscovered, (discovered & direct).len());
        for to in checks {
            if self.ends(mv(to), role, !discovered.has(to)) {
                self.mate(match (direct.has(to), discovered.has(to)) {
                    (false, true) => Some(Category::DiscoveredMates),
                    (true, true) => Some(Category::DirectDiscoveredMates),
                    (_, false) => None,
                });
            }
        }
    }

    /// Counts a checkmate, and of what kind if it is not a direct check's.
    #[cold]
    fn mate(&mut self, kind: Option<Category>) {
        self.counts.add(Category::Checkmates, 1u32);
        if let Some(kind) = kind {
            self.counts.add(kind, 1u32);
        }
    }

    /// Looks for stalemates among moves that give no check.
    #[inline(always)]
    fn others(&mut self, targets: Bitboard, role: Role, mv: impl Fn(Square) -> Move) {
        for to in targets & self.escape.doubtful {
            if self.ends(mv(to), role, false) {
                self.counts.add(Category::Stalemates, 1u32);
            }
        }
    }

    /// Does an ordinary move by what is a `role` afterwards leave the opponent without a move?
    /// Moves are made only to be sure of that.
    #[inline(always)]
    fn ends(&self, mv: Move, role: Role, checks_alone: bool) -> bool {
        let moved = (role, mv.from(), mv.to());
        !self.escape.is_sure(self.position, self.cpu.sliders(), moved, checks_alone)
            && !self.cpu.has_legal_move(&self.position.play(mv))
    }

    /// Makes a move that checks or may stalemate; the men that moved stand on `arrived`.
    fn look_at(&mut self, mv: Move, arrived: Bitboard) {
        let check = self.checks.gives_check(self.position, mv);
        if !check && !self.escape.special_doubtful {
            return;
        }
        let after = self.position.play(mv);
        let ends = !self.cpu.has_legal_move(&after);
        if !check {
            self.counts.add(Category::Stalemates, u32::from(ends));
            return;
        }
        self.counts.add(Category::Checks, 1u32);
        let checkers = after.checkers();
        let kind = match (checkers.has_many(), checkers.meets(arrived)) {
            (false, true) => None,
            (false, false) => Some((Category::Discovered, Category::DiscoveredMates)),
            (true, true) => Some((Category::DirectDiscovered, Category::DirectDiscoveredMates)),
            (true, false) => Some((Category::DoubleDiscovered, Category::DoubleDiscoveredMates)),
        };
        if let Some((checks, _)) = kind {
            self.counts.add(checks, 1u32);
        }
        if ends {
            self.mate(kind.map(|(_, mates)| mates));
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
