//! The generator of a position, and the data that its parts share.

use core::marker::PhantomData;
use core::ops::ControlFlow;

use super::checks::CheckFacts;
use super::kinds::{Kind, Legal};
use super::legality::Legality;
use super::restriction::Restriction;
use super::safety::en_passant_victim;
use super::sink::{Count, ListSink, Sink, Visitor};
use crate::attacks::{DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::color::{Black, Color, Side, White};
use crate::direction::Direction;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// The generator of a position, from [`Position::generator`]: it borrows the position, and owns the
/// [facts](Self::facts) about it, a slider method and a restriction.
///
/// The facts are found once, when the generator is made, and all its uses share them: the stages of
/// a search, tests of single moves. Its methods that generate are inlined, so they are compiled for
/// the CPU features of the function that calls them.
///
/// ```
/// use tabiya::attacks::Hyperbola;
/// use tabiya::movegen::{Captures, Quiets, Restriction};
/// use tabiya::{Position, Square};
/// let position = Position::START;
/// let generator = position.generator().with_sliders(Hyperbola);
/// if !generator.facts().is_check() {
///     assert!(generator.list::<Captures>().is_empty());
///     assert_eq!(generator.list::<Quiets>().len(), 20);
///     let from_e2 = Restriction::UNRESTRICTED.from(Square::E2);
///     assert_eq!(generator.with_restriction(from_e2).list::<Quiets>().len(), 2);
/// }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Generator<'a, L = DefaultSliders> {
    pub(super) position: &'a Position,
    /// The position's facts.
    pub(super) facts: Legality,
    pub(super) sliders: L,
    restriction: Restriction,
}

impl<'a> Generator<'a> {
    #[inline(always)]
    pub(crate) fn new(position: &'a Position) -> Self {
        Self::with_facts(position, position.legality())
    }

    /// The same for an owner of a position and of its facts.
    #[inline(always)]
    pub(crate) fn with_facts(position: &'a Position, facts: Legality) -> Self {
        let (sliders, restriction) = (DefaultSliders::default(), Restriction::UNRESTRICTED);
        Self { position, facts, sliders, restriction }
    }
}

impl<'a, L: Sliders> Generator<'a, L> {
    /// The position.
    #[inline(always)]
    pub const fn position(&self) -> &'a Position {
        self.position
    }

    /// The facts about the position's king.
    #[inline(always)]
    pub const fn facts(&self) -> &Legality {
        &self.facts
    }

    /// The same with another slider method.
    #[inline(always)]
    #[must_use]
    pub fn with_sliders<M: Sliders>(self, sliders: M) -> Generator<'a, M> {
        let Self { position, facts, restriction, .. } = self;
        Generator { position, facts, sliders, restriction }
    }

    /// The same, limited to the moves that a restriction allows.
    #[inline(always)]
    #[must_use]
    pub fn with_restriction(self, restriction: Restriction) -> Self {
        Self { restriction, ..self }
    }

    /// Passes the moves of a kind to a sink.
    #[inline(always)]
    pub fn generate<K: Kind>(self, sink: &mut impl Sink) {
        match self.position.turn() {
            Color::White => Generation::<White, K, L>::new(self).generate(sink),
            Color::Black => Generation::<Black, K, L>::new(self).generate(sink),
        }
    }

    /// The moves of a kind.
    #[inline(always)]
    pub fn list<K: Kind>(self) -> MoveList {
        let mut list = MoveList::new();
        self.refill::<K>(&mut list);
        list
    }

    /// Replaces the contents of a list with the moves of a kind.
    #[inline(always)]
    pub fn refill<K: Kind>(self, list: &mut MoveList) {
        let own = self.position.board().color(self.position.turn());
        self.generate::<K>(&mut ListSink::new(list, own));
    }

    /// Is this move, from any source, among the moves of a kind?
    ///
    /// ```
    /// use tabiya::{movegen::{Captures, Quiets}, Position};
    /// let start = Position::START;
    /// let generator = start.generator();
    /// let mv = start.parse_uci("e2e4").unwrap();
    /// assert!(generator.contains::<Quiets>(mv) && !generator.contains::<Captures>(mv));
    /// ```
    pub fn contains<K: Kind>(&self, mv: Move) -> bool {
        if !K::includes(mv.kind()) {
            return false;
        }
        // Most kinds are legal moves selected by that test alone, so they can share one generator.
        if K::LEGAL && !K::CHECKS && !K::EVASIONS {
            self.yields::<Legal>(mv)
        } else {
            self.yields::<K>(mv)
        }
    }

    /// Is the move among those that the generator yields?
    fn yields<K: Kind>(&self, mv: Move) -> bool {
        let mut found = Visitor::new(|candidate| {
            if candidate == mv { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let between = self.restriction.from(mv.from()).to(mv.to());
        self.with_restriction(between).generate::<K>(&mut found);
        found.finish().is_break()
    }

    /// The number of legal moves.
    #[inline(always)]
    pub(crate) fn count_legal(self) -> usize {
        match self.position.turn() {
            Color::White => self.count_legal_of::<White>(),
            Color::Black => self.count_legal_of::<Black>(),
        }
    }

    /// The generator is compiled twice: in most positions there is neither a check nor a pin, and
    /// then all masks are constants.
    #[inline(always)]
    fn count_legal_of<S: Side>(self) -> usize {
        let mut count = Count::default();
        if self.facts.checkers.is_empty() && self.facts.pinned.is_empty() {
            let facts = Legality::unrestricted(self.facts.king);
            Generation::<S, Legal, L>::new(Self { facts, ..self }).generate(&mut count);
        } else {
            Generation::<S, Legal, L>::new(self).generate(&mut count);
        }
        count.0 as usize
    }
}

/// The data of a position that the parts of the generator share. `S` is the side to move.
pub(super) struct Generation<'a, S, K, L> {
    pub(super) position: &'a Position,
    pub(super) board: &'a Board,
    pub(super) own: Bitboard,
    pub(super) enemies: Bitboard,
    pub(super) occupied: Bitboard,
    pub(super) facts: Legality,
    pub(super) sliders: L,
    restriction: Restriction,
    /// The facts about checks, if the kind consists only of checks.
    checks: Option<CheckFacts>,
    types: PhantomData<(S, K)>,
}

impl<'a, S: Side, K: Kind, L: Sliders> Generation<'a, S, K, L> {
    #[inline(always)]
    fn new(generator: Generator<'a, L>) -> Self {
        let Generator { position, facts, sliders, restriction } = generator;
        let board = position.board();
        let (own, enemies) = (board.color(S::COLOR), board.color(S::Them::COLOR));
        Self {
            position,
            board,
            own,
            enemies,
            occupied: own | enemies,
            facts: if K::LEGAL { facts } else { facts.pseudo_legal(K::EVASIONS) },
            sliders,
            restriction,
            checks: K::CHECKS.then(|| CheckFacts::find(board, S::COLOR, sliders)),
            types: PhantomData,
        }
    }

    #[inline(always)]
    fn generate(&self, sink: &mut impl Sink) {
        let facts = &self.facts;
        if K::EVASIONS && !facts.is_check() {
            return;
        }
        // The targets of this kind: captures, moves to empty squares, or both.
        let targets = match (K::CAPTURES, K::QUIETS) {
            (true, true) => !self.own,
            (true, false) => self.enemies,
            (false, _) => !self.occupied,
        };
        let safety = self.king_steps(targets, sink);
        let in_double_check = facts.checkers.has_many() && facts.check_mask().is_empty();
        if in_double_check || sink.is_done() {
            return;
        }
        self.pawns(sink);
        if sink.is_done() {
            return;
        }
        self.pieces(targets & facts.check_mask(), sink);
        if K::QUIETS && facts.checkers.is_empty() && !sink.is_done() {
            self.castling(safety, sink);
        }
    }

    /// The square of an en-passant capture. Legal: set only if a capture is legal. Pseudo-legal: the
    /// square that any double push crossed, and a capture there may expose its own king.
    #[inline(always)]
    pub(super) fn en_passant(&self) -> Option<Square> {
        if K::LEGAL { self.position.en_passant() } else { self.position.double_push_square() }
    }

    /// Does an en-passant capture on `to` capture the checker or block the check?
    pub(super) fn en_passant_stops_check(&self, to: Square) -> bool {
        self.facts.capture_mask.has(en_passant_victim(to)) || self.facts.push_mask.has(to)
    }
}

/// Filters by the kind of moves and by the restriction.
impl<S: Side, K: Kind, L: Sliders> Generation<'_, S, K, L> {
    /// The pieces of a role that may move.
    #[inline(always)]
    pub(super) fn movers(&self, role: Role) -> Bitboard {
        self.own & self.board.role(role) & self.restriction.origins(role)
    }

    /// May a piece of a role move from this square?
    #[inline(always)]
    pub(super) fn may_move(&self, role: Role, from: Square) -> bool {
        self.restriction.origins(role).has(from)
    }

    /// The remaining targets of a piece other than a pawn.
    #[inline(always)]
    pub(super) fn kept(&self, role: Role, from: Square, targets: Bitboard) -> Bitboard {
        let targets = targets & self.restriction.targets();
        self.checks.as_ref().map_or(targets, |checks| checks.checking(role, from, targets))
    }

    /// The remaining targets of pawns that move `steps` squares in a direction without promoting.
    #[inline(always)]
    pub(super) fn kept_pawns(
        &self,
        targets: Bitboard,
        direction: Direction,
        steps: u8,
    ) -> Bitboard {
        let targets = targets & self.restriction.targets();
        self.checks
            .as_ref()
            .map_or(targets, |checks| checks.checking_pawns(targets, direction, steps))
    }

    /// The remaining targets of pawns that promote to a role.
    #[inline(always)]
    pub(super) fn kept_promotions(&self, targets: Bitboard, role: Role) -> Bitboard {
        let targets = targets & self.restriction.targets();
        // The only promotions in kinds of checks are those to a knight that gives check directly.
        self.checks.as_ref().map_or(targets, |checks| targets & checks.squares(role))
    }

    /// Does an en-passant capture or castling remain?
    #[inline(always)]
    pub(super) fn keeps(&self, role: Role, mv: Move) -> bool {
        self.checks.as_ref().is_none_or(|checks| checks.gives_check(self.position, mv))
            && self.restriction.allows(role, mv)
    }
}
