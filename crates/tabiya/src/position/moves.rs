//! Generating the moves of a position.

use core::ops::ControlFlow;

use super::Position;
use crate::attacks::{DefaultSliders, Sliders};
use crate::bitboard::Bitboard;
use crate::movegen::safety::en_passant_is_legal;
use crate::movegen::{
    Any, CheckFacts, Generator, Kind, Legal, Legality, Restriction, Sink, Visitor,
};
use crate::moves::{Move, MoveList};
use crate::role::Role;

/// In WebAssembly one copy of the generator serves lists, tests of single moves and of mate: a page
/// loads a quarter less code, and none of them is what counts moves there.
const SHARES_GENERATOR: bool = cfg!(target_arch = "wasm32");

impl Position {
    /// The facts that decide which moves are legal.
    #[inline(always)]
    pub fn legality(&self) -> Legality {
        Legality::find(&self.board, self.turn)
    }

    /// The pieces of the side to move that are pinned to their king.
    #[doc(alias("pins", "blockers"))]
    pub fn pinned(&self) -> Bitboard {
        self.legality().pinned
    }

    /// Passes the moves of a kind to a sink.
    ///
    /// All other ways of generating moves use the same generator; see
    /// [`Sink`](crate::movegen::Sink) for an example.
    #[doc(alias("generate_moves", "movegen"))]
    pub fn generate<K: Kind>(&self, sink: &mut impl Sink) {
        self.generator().generate::<K>(sink);
    }

    /// The generator, for several uses of the same facts, a slider method or a restriction.
    ///
    /// ```
    /// use tabiya::{movegen::Legal, movegen::Restriction, Position, Role};
    /// let knights = Restriction::UNRESTRICTED.roles(&[Role::Knight]);
    /// let start = Position::START;
    /// assert_eq!(start.generator().with_restriction(knights).list::<Legal>().len(), 4);
    /// ```
    #[doc(alias = "generate_moves_for")]
    #[inline(always)]
    pub fn generator(&self) -> Generator<'_> {
        Generator::new(self)
    }

    /// All legal moves.
    ///
    /// This is a call. [`MoveList::of`] is inlined, so it is compiled for the CPU features of its
    /// caller.
    #[doc(alias(
        "generate_moves",
        "legals",
        "legal moves",
        "moves",
        "movegen",
        "move generation",
        "generate_legal",
        "new_legal"
    ))]
    // A call takes almost no time, and a copy of the generator 10 kB.
    #[inline(never)]
    pub fn legal_moves(&self) -> MoveList {
        match SHARES_GENERATOR {
            true => self.legal_moves_within(Restriction::UNRESTRICTED),
            false => MoveList::of::<Legal>(self),
        }
    }

    /// The number of legal moves, without listing them.
    #[doc(alias("number of moves", "bulk counting", "mobility", "perft", "len"))]
    #[inline]
    pub fn count_legal(&self) -> usize {
        // Without the `popcnt` instruction, counting the squares of the sets is a third of the
        // work. The standard library caches what it has found out about the CPU.
        #[cfg(all(feature = "std", target_arch = "x86_64", not(target_feature = "popcnt")))]
        {
            #[target_feature(enable = "popcnt")]
            fn with_popcnt(position: &Position) -> usize {
                position.generator().count_legal()
            }
            if std::arch::is_x86_feature_detected!("popcnt") {
                // SAFETY: the CPU has the instruction.
                return unsafe { with_popcnt(self) };
            }
        }
        self.count_legal_for_any_cpu()
    }

    /// The same, compiled for every CPU that the build is for.
    #[inline(never)]
    fn count_legal_for_any_cpu(&self) -> usize {
        self.generator().count_legal()
    }

    /// Is there a legal move?
    #[doc(alias("any moves", "has_moves"))]
    pub fn has_legal_move(&self) -> bool {
        if SHARES_GENERATOR {
            return !self.legal_moves_within(Restriction::UNRESTRICTED).is_empty();
        }
        let mut any = Any::default();
        self.generate::<Legal>(&mut any);
        any.0
    }

    /// Passes each move of a kind to a function, which may stop early.
    ///
    /// ```
    /// use core::ops::ControlFlow;
    /// use tabiya::{movegen::Legal, Position};
    /// let first_push = Position::START.visit::<Legal, _>(|m| match m.to().rank() {
    ///     tabiya::Rank::Fourth => ControlFlow::Break(m),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// assert!(first_push.is_break());
    /// ```
    #[doc(alias("for_each", "for each move"))]
    pub fn visit<K: Kind, B>(&self, visit: impl FnMut(Move) -> ControlFlow<B>) -> ControlFlow<B> {
        let mut visitor = Visitor::new(visit);
        self.generate::<K>(&mut visitor);
        visitor.finish()
    }

    /// Is this move legal here? It may come from any source: a hash table, another position, a
    /// file.
    ///
    /// The generator looks for it among the moves between the two squares, so there is no second
    /// implementation of the rules. For pseudo-legal moves of this position,
    /// [`Generator::allows`] is faster.
    #[doc(alias = "legal")]
    pub fn is_legal(&self, mv: Move) -> bool {
        if SHARES_GENERATOR {
            let between = Restriction::UNRESTRICTED.from(mv.from()).to(mv.to());
            return self.legal_moves_within(between).contains(&mv);
        }
        self.is_kind::<Legal>(mv)
    }

    /// Is a pseudo-legal move of this position legal?
    ///
    /// For one move this is faster than finding the facts for [`Generator::allows`]. For moves from
    /// other sources use [`is_legal`](Self::is_legal).
    ///
    /// ```
    /// use tabiya::{Move, MoveKind, Position, Square};
    /// // The knight is pinned.
    /// let position = Position::from_fen("4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1").unwrap();
    /// assert!(!position.allows(Move::new(Square::E2, Square::C3, MoveKind::Quiet)));
    /// assert!(position.allows(Move::new(Square::E1, Square::F2, MoveKind::Quiet)));
    /// ```
    #[inline]
    pub fn allows(&self, mv: Move) -> bool {
        self.allows_with(DefaultSliders::default(), mv)
    }

    /// The same with the given slider method: one with small tables is faster for positions of which
    /// each is another one, as in a file, because look-ups in large tables wait for memory.
    #[inline(always)]
    pub fn allows_with<L: Sliders>(&self, sliders: L, mv: Move) -> bool {
        if mv.castling().is_some() {
            return self.is_legal(mv);
        }
        if mv.is_en_passant() {
            return en_passant_is_legal(&self.board, self.turn, mv.from(), mv.to());
        }
        self.allows_simple(sliders, mv)
    }

    /// Is this move, from any source, among the moves of a kind?
    ///
    /// ```
    /// use tabiya::{movegen::{Captures, Quiets}, Position};
    /// let mv = Position::START.parse_uci("e2e4").unwrap();
    /// assert!(Position::START.is_kind::<Quiets>(mv));
    /// assert!(!Position::START.is_kind::<Captures>(mv));
    /// ```
    #[doc(alias("is_capture", "is_quiet"))]
    pub fn is_kind<K: Kind>(&self, mv: Move) -> bool {
        self.generator().contains::<K>(mv)
    }

    /// The legal moves that a restriction allows. One copy of the generator serves all readers of
    /// text.
    #[inline(never)]
    pub(crate) fn legal_moves_within(&self, restriction: Restriction) -> MoveList {
        self.generator().with_restriction(restriction).list::<Legal>()
    }

    /// The role of the piece that a legal or pseudo-legal move moves.
    ///
    /// ```
    /// use tabiya::{Position, Role};
    /// let mv = Position::START.parse_uci("g1f3").unwrap();
    /// assert_eq!(Position::START.role_of(mv), Role::Knight);
    /// ```
    #[doc(alias("moved_piece", "moving_piece", "piece_moved", "role"))]
    #[inline(always)]
    pub const fn role_of(&self, mv: Move) -> Role {
        self.board.role_on_occupied(mv.from())
    }

    /// The role of the piece that a legal or pseudo-legal move captures.
    ///
    /// ```
    /// use tabiya::{Position, Role};
    /// let position = Position::from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").unwrap();
    /// let mv = position.parse_uci("e5d6").unwrap();
    /// assert!(mv.is_en_passant());
    /// assert_eq!(position.captured_by(mv), Some(Role::Pawn));
    /// assert_eq!(position.captured_by(position.parse_uci("e5e6").unwrap()), None);
    /// ```
    #[doc(alias("captured_piece", "victim", "capture"))]
    #[inline(always)]
    pub const fn captured_by(&self, mv: Move) -> Option<Role> {
        if !mv.is_capture() {
            return None;
        }
        // The target of an en-passant capture is empty, and an empty square reads as a pawn.
        Some(self.board.role_on_occupied(mv.to()))
    }

    /// Does a legal or pseudo-legal move give check? For many moves of one position, compute
    /// [`CheckFacts`] once and use it instead.
    #[doc(alias = "is_checking_move")]
    pub fn gives_check(&self, mv: Move) -> bool {
        CheckFacts::of(self).gives_check(self, mv)
    }
}

impl MoveList {
    /// The moves of one kind.
    ///
    /// ```
    /// use tabiya::{movegen::Captures, MoveList, Position};
    /// assert!(MoveList::of::<Captures>(&Position::START).is_empty());
    /// ```
    // A list is large. Inlining often avoids copying it to the caller's place.
    #[doc(alias(
        "generate",
        "captures",
        "quiet moves",
        "capture_moves",
        "generate_captures",
        "quiets"
    ))]
    #[inline(always)]
    pub fn of<K: Kind>(position: &Position) -> Self {
        let mut list = Self::new();
        list.refill::<K>(position);
        list
    }

    /// Replaces the contents of the list with the moves of one kind.
    ///
    /// ```
    /// use tabiya::{movegen::Quiets, MoveList, Position};
    /// let mut list = MoveList::new();
    /// list.refill::<Quiets>(&Position::START);
    /// assert_eq!(list.len(), 20);
    /// ```
    pub fn refill<K: Kind>(&mut self, position: &Position) {
        position.generator().refill::<K>(self);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Other tests compare `count_legal` as this CPU runs it, and the list with other ways.
    #[test]
    fn every_cpu_counts_the_moves_of_the_list() {
        for suite in [tabiya_suites::STANDARD, tabiya_suites::RULES, tabiya_suites::REGRESSION] {
            let lines = suite.text.lines().filter(|line| !line.starts_with('#'));
            for (fen, _) in lines.filter_map(|line| line.split_once(" ;")) {
                let position = Position::from_fen(fen).expect("a playable position");
                position.for_each_child(|_, child| {
                    assert_eq!(child.count_legal_for_any_cpu(), child.legal_moves().len());
                });
            }
        }
    }
}
