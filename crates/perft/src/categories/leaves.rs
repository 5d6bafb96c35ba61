//! Counting the moves of a position by category without making them.
//!
//! The generator yields sets of targets. The numbers of captures, castling moves and promotions are
//! the sizes of sets. Direct and discovered checks are intersections with the [`CheckFacts`], which
//! are found once per node. A move is made only if [`Escape`] cannot exclude that it mates or
//! stalemates, or if it gives check by castling or en passant, where several pieces leave or arrive
//! at once.

use tabiya::movegen::{Any, CheckFacts, Legal, PawnMoves, Sink};
use tabiya::{Bitboard, Direction, Move, MoveKind, Position, Role, Square, attacks};

use super::category::Category;
use super::counts::Counts;
use super::escape::Escape;
use crate::machine::cpu::{Cpu, Work};

/// Counts the leaf nodes one ply below a position.
///
/// This is a separate function for each kind of CPU, because it is too large to be inlined into its
/// callers.
#[inline(always)]
pub(super) fn count<C: Cpu>(cpu: C, position: &Position, counts: &mut Counts) {
    cpu.enter(CountByCategory { position, counts });
}

struct CountByCategory<'a> {
    position: &'a Position,
    counts: &'a mut Counts,
}

impl Work for CountByCategory<'_> {
    type Output = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { position, counts } = self;
        let sliders = cpu.sliders();
        let checks = CheckFacts::of_with(position, sliders);
        let escape = Escape::of(position, checks.king);
        let mut sink = Leaves { cpu, position, checks, escape, counts };
        position.generator().with_sliders(sliders).generate::<Legal>(&mut sink);
    }
}

/// Does a position have a legal move?
struct HasLegalMove<'a>(&'a Position);

impl Work for HasLegalMove<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let mut any = Any::default();
        self.0.generator().with_sliders(cpu.sliders()).generate::<Legal>(&mut any);
        any.0
    }
}

/// Does an ordinary move end the game? It is made only if nothing else decides.
///
/// Few moves give check or may stalemate, so this is a separate function as well.
struct EndsGame<'a> {
    position: &'a Position,
    escape: &'a Escape,
    mv: Move,
    role: Role,
    checks_alone: bool,
}

impl Work for EndsGame<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) -> bool {
        let Self { position, escape, mv, role, checks_alone } = self;
        let moved = (role, mv.from(), mv.to());
        !escape.has_certain_reply(position, cpu.sliders(), moved, checks_alone)
            && !cpu.enter(HasLegalMove(&position.play(mv)))
    }
}

/// Takes the moves that lead to leaf nodes.
struct Leaves<'a, C> {
    cpu: C,
    position: &'a Position,
    checks: CheckFacts,
    escape: Escape,
    counts: &'a mut Counts,
}

impl<C: Cpu> Sink for Leaves<'_, C> {
    /// Takes castling or a capture en passant. All other moves come as sets.
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
        self.special_move(mv, arrived);
    }

    // A separate function keeps the WebAssembly module small.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
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
        self.stalemates(targets - (direct | discovered), role, mv);
    }

    // A separate function keeps the WebAssembly module small.
    #[cfg_attr(target_family = "wasm", inline(never))]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn pawns(&mut self, moves: PawnMoves, kind: MoveKind) {
        let targets = moves.targets;
        if targets.is_empty() {
            return;
        }
        self.counts.nodes += u64::from(targets.len());
        if kind.is_capture() {
            self.counts.add(Category::Captures, targets.len());
        }
        let discovered = moves.targets_from(self.pawns_that_discover(moves.offset));
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
        self.stalemates(targets - (direct | discovered), role, mv);
    }
}

impl<C: Cpu> Leaves<'_, C> {
    /// The pawns that discover a check when they move by this offset, because they leave the line
    /// of the king.
    #[inline(always)]
    fn pawns_that_discover(&self, offset: i8) -> Bitboard {
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

    /// The targets where the promotion piece gives check.
    fn promotions_that_check(&self, moves: PawnMoves, role: Role) -> Bitboard {
        let checks = |&to: &Square| self.checks.promotion_checks(moves.origin(to), to, role);
        moves.targets.into_iter().filter(checks).collect()
    }

    /// Counts direct checks, discovered checks, and those that are both.
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
            if self.ends_game(mv(to), role, !discovered.has(to)) {
                self.mate(match (direct.has(to), discovered.has(to)) {
                    (false, true) => Some(Category::DiscoveredMates),
                    (true, true) => Some(Category::DirectDiscoveredMates),
                    (_, false) => None,
                });
            }
        }
    }

    /// Counts a checkmate and also its kind, unless the check is only direct.
    #[cold]
    fn mate(&mut self, kind: Option<Category>) {
        self.counts.add(Category::Checkmates, 1u32);
        if let Some(kind) = kind {
            self.counts.add(kind, 1u32);
        }
    }

    /// Counts stalemates among moves that give no check.
    #[inline(always)]
    fn stalemates(&mut self, targets: Bitboard, role: Role, mv: impl Fn(Square) -> Move) {
        for to in targets & self.escape.doubtful {
            if self.ends_game(mv(to), role, false) {
                self.counts.add(Category::Stalemates, 1u32);
            }
        }
    }

    /// Does this move leave the opponent without a legal move? The move is neither castling nor en
    /// passant. `role` is the role of the moved piece after the move, and `checks_alone` says that
    /// no other piece gives check.
    fn ends_game(&self, mv: Move, role: Role, checks_alone: bool) -> bool {
        let Self { position, escape, .. } = self;
        self.cpu.enter(EndsGame { position, escape, mv, role, checks_alone })
    }

    /// Counts castling or a capture en passant in the categories that concern the opponent. The
    /// pieces that moved stand on `arrived`. The move is made only if it gives check or may
    /// stalemate.
    fn special_move(&mut self, mv: Move, arrived: Bitboard) {
        let check = self.checks.gives_check(self.position, mv);
        if !check && !self.escape.special_doubtful {
            return;
        }
        let after = self.position.play(mv);
        let ends_game = !self.cpu.enter(HasLegalMove(&after));
        if !check {
            self.counts.add(Category::Stalemates, u32::from(ends_game));
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
        if ends_game {
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
