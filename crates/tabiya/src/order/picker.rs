//! Staged move picking: one move at a time, the most promising first. Each stage is generated when
//! it is reached.

use super::list::{ScoredList, ScoredMove};
use super::piece_square::PieceSquare;
use super::score::{MvvLva, Scorer};
use super::see::See;
use crate::movegen::{Captures, Evasions, Generator, Kind, Legal, Legality, QuietChecks, Quiets};
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;

/// The stage from which a move comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The move passed to [`Picker::hash_move`].
    HashMove,
    /// [`Captures`] that do not lose material, the most valuable victim first.
    GoodCaptures,
    /// The moves passed to [`Picker::killers`].
    Killers,
    /// [`Quiets`], the best by the scorer first.
    Quiets,
    /// [`QuietChecks`], in a quiescence search with checks.
    QuietChecks,
    /// [`Captures`] that lose material.
    BadCaptures,
    /// [`Evasions`], in check: captures by victim, then the others by the scorer's values.
    Evasions,
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    HashMove,
    Begin,
    GoodCaptures,
    Killers,
    ListQuiets,
    Quiets,
    BadCaptures,
    Evasions,
    Done,
}

/// The moves to yield.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Selection {
    All,
    Captures,
    CapturesAndChecks,
}

/// The number of killers that the picker accepts.
const KILLERS: usize = 4;

/// Yields the legal moves of a position, the most promising first.
///
/// The order is: the hash move, captures that do not lose material, killers, quiet moves, captures
/// that lose material. In check, it is the hash move and the evasions. Each legal move comes
/// exactly once. A hash move or killer that is not legal here is skipped. A stage is generated when
/// it is reached, so if a capture causes a cutoff, the quiet moves are never generated.
///
/// The hash move, the killers and the scorer are optional; they improve the order:
///
/// ```
/// use tabiya::order::{Picker, Stage};
/// use tabiya::{Move, Position, Role};
///
/// let position = Position::from_fen("4k3/8/2q1r3/3P4/8/2R5/8/6K1 w - - 0 1").unwrap();
/// let from_table = position.parse_uci("g1h2").unwrap();
/// let killer = position.parse_uci("c3c1").unwrap();
/// let mut picker = Picker::new(&position).hash_move(Some(from_table)).killers([killer]);
///
/// // Your own history scores for the quiet moves; they may change between two calls.
/// let history = |_: &Position, _: Role, mv: Move| i32::from(mv.to().rank() as u8);
/// assert_eq!(picker.next_by(&history), Some(from_table));
/// assert_eq!(picker.stage(), Some(Stage::HashMove));
/// assert_eq!(picker.next_by(&history).unwrap().to_string(), "d5c6");
/// assert_eq!(picker.next_by(&history).unwrap().to_string(), "c3c6");
/// assert_eq!(picker.next_by(&history).unwrap().to_string(), "d5e6");
/// assert_eq!(picker.next_by(&history), Some(killer));
///
/// // As an iterator it uses `PieceSquare::DEFAULT`.
/// assert_eq!(picker.count(), position.count_legal() - 5);
/// ```
#[doc(alias("MovePicker", "move ordering", "staged move generation", "killers", "hash move"))]
#[derive(Clone, Debug)]
pub struct Picker {
    /// A copy, so the caller can make and unmake moves on its own position.
    position: Position,
    /// Found once for all stages.
    facts: Legality,
    selection: Selection,
    /// Are quiet moves and quiet checks yielded, too?
    quiets: bool,
    see: See,
    hash: Option<Move>,
    killers: [Option<Move>; KILLERS],
    step: Step,
    stage: Option<Stage>,
    /// First the bad captures that were put back, then the moves of the current stage.
    list: ScoredList,
    /// The number of bad captures that were put back.
    bad: usize,
    /// The index of the next move in the list, or of the next killer.
    next: usize,
}

impl Picker {
    /// All legal moves.
    #[inline(always)]
    pub fn new(position: &Position) -> Self {
        Self::with_selection(position, Selection::All)
    }

    /// For a quiescence search: the [`Captures`]; in check, every evasion.
    ///
    /// Captures that lose material come last, in [`Stage::BadCaptures`]; most searches stop
    /// there.
    ///
    /// ```
    /// use tabiya::{order::Picker, Position};
    /// assert_eq!(Picker::quiescence(&Position::START).next(), None);
    /// ```
    #[inline(always)]
    pub fn quiescence(position: &Position) -> Self {
        Self::with_selection(position, Selection::Captures)
    }

    /// For a quiescence search: the [`Captures`] that do not lose material, then the
    /// [`QuietChecks`], then the other captures; in check, every evasion.
    ///
    /// ```
    /// use tabiya::{order::Picker, Position};
    /// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    /// let checks = Picker::quiescence_with_checks(&position).map(|mv| mv.to_string());
    /// assert!(checks.eq(["a1a8"]));
    /// ```
    #[inline(always)]
    pub fn quiescence_with_checks(position: &Position) -> Self {
        Self::with_selection(position, Selection::CapturesAndChecks)
    }

    #[inline(always)]
    fn with_selection(position: &Position, selection: Selection) -> Self {
        Self {
            position: position.clone(),
            facts: position.legality(),
            selection,
            quiets: true,
            see: See::DEFAULT,
            hash: None,
            killers: [None; KILLERS],
            step: Step::HashMove,
            stage: None,
            list: ScoredList::new(),
            bad: 0,
            next: 0,
        }
    }

    /// The move to try first, for example from a transposition table. It is skipped if it is not
    /// among the moves of this picker.
    #[inline(always)]
    #[must_use]
    pub const fn hash_move(mut self, mv: Option<Move>) -> Self {
        self.hash = mv;
        self
    }

    /// Quiet moves to try before the others: killers and a counter-move, the best first. The first
    /// four are used; those that are not quiet and legal here are skipped.
    #[inline(always)]
    #[must_use]
    pub fn killers(mut self, moves: impl IntoIterator<Item = Move>) -> Self {
        self.killers = [None; KILLERS];
        for (place, mv) in self.killers.iter_mut().zip(moves) {
            *place = Some(mv);
        }
        self
    }

    /// The exchange evaluation that separates good captures from bad ones.
    #[inline(always)]
    #[must_use]
    pub const fn see(mut self, see: See) -> Self {
        self.see = see;
        self
    }

    /// The facts about the position, for example whether the side to move is in check.
    #[inline(always)]
    pub const fn facts(&self) -> &Legality {
        &self.facts
    }

    /// The stage of the last move that was yielded; `None` before the first.
    #[inline(always)]
    pub const fn stage(&self) -> Option<Stage> {
        self.stage
    }

    /// Skips killers, quiet moves and quiet checks from now on. The hash move and bad captures
    /// still come, and so do all evasions.
    pub const fn skip_quiets(&mut self) {
        self.quiets = false;
        if matches!(self.step, Step::Killers | Step::ListQuiets | Step::Quiets) {
            self.begin_bad_captures();
        }
    }

    /// The next move; quiet moves are ordered by the scorer.
    ///
    /// The scorer is called when a stage begins, once for each of its moves. Two calls of `next_by`
    /// may pass different scorers, so a closure need not outlive one call. It can borrow the tables
    /// of the search, which may change them between two calls:
    ///
    /// ```
    /// use tabiya::{order::Picker, Move, Position, Role};
    ///
    /// struct Search {
    ///     history: [[i32; 64]; 6],
    /// }
    ///
    /// impl Search {
    ///     fn node(&mut self, position: &Position) {
    ///         let mut picker = Picker::new(position);
    ///         while let Some(mv) = picker.next_by(&|_: &Position, role: Role, mv: Move| {
    ///             self.history[role as usize][mv.to() as usize]
    ///         }) {
    ///             // Search the move here.
    ///             self.history[position.role_of(mv) as usize][mv.to() as usize] += 1;
    ///         }
    ///     }
    /// }
    ///
    /// let mut search = Search { history: [[0; 64]; 6] };
    /// search.node(&Position::START);
    /// assert_eq!(search.history.iter().flatten().sum::<i32>(), 20);
    /// ```
    pub fn next_by(&mut self, scorer: &impl Scorer) -> Option<Move> {
        loop {
            match self.step {
                Step::HashMove => {
                    self.step = Step::Begin;
                    if let Some(mv) = self.hash {
                        if self.includes(mv) {
                            return self.yielding(mv, Stage::HashMove);
                        }
                        self.hash = None;
                    }
                }
                Step::Begin => {
                    if self.facts.is_check() {
                        self.list_evasions(scorer);
                        self.step = Step::Evasions;
                    } else {
                        self.list_more::<Captures>(&self.capture_order());
                        self.step = Step::GoodCaptures;
                    }
                }
                Step::GoodCaptures => match self.next_good_capture() {
                    Some(mv) => return self.yielding(mv, Stage::GoodCaptures),
                    None => {
                        self.next = 0;
                        match self.selection {
                            Selection::All if self.quiets => self.step = Step::Killers,
                            Selection::CapturesAndChecks if self.quiets => {
                                self.step = Step::ListQuiets;
                            }
                            _ => self.begin_bad_captures(),
                        }
                    }
                },
                Step::Killers => match self.next_killer() {
                    Some(mv) => return self.yielding(mv, Stage::Killers),
                    None => self.step = Step::ListQuiets,
                },
                Step::ListQuiets => {
                    // Remove the remaining good captures; the bad ones stay in front.
                    self.list.truncate(self.bad);
                    self.next = self.bad;
                    if self.selection == Selection::CapturesAndChecks {
                        self.list_more::<QuietChecks>(scorer);
                    } else {
                        self.list_more::<Quiets>(scorer);
                    }
                    self.step = Step::Quiets;
                }
                Step::Quiets => {
                    let checks = self.selection == Selection::CapturesAndChecks;
                    match self.next_listed() {
                        Some(mv) if !checks && self.killers.contains(&Some(mv)) => {}
                        Some(mv) => {
                            let stage = if checks { Stage::QuietChecks } else { Stage::Quiets };
                            return self.yielding(mv, stage);
                        }
                        None => self.begin_bad_captures(),
                    }
                }
                Step::BadCaptures => match self.list.get(self.next) {
                    Some(ScoredMove { mv, .. }) => {
                        self.next += 1;
                        return self.yielding(mv, Stage::BadCaptures);
                    }
                    None => self.step = Step::Done,
                },
                Step::Evasions => match self.next_listed() {
                    Some(mv) => return self.yielding(mv, Stage::Evasions),
                    None => self.step = Step::Done,
                },
                Step::Done => return None,
            }
        }
    }

    #[inline(always)]
    fn yielding(&mut self, mv: Move, stage: Stage) -> Option<Move> {
        self.stage = Some(stage);
        Some(mv)
    }

    /// Most valuable victim first, by the values of the exchange evaluation.
    const fn capture_order(&self) -> MvvLva {
        MvvLva { values: self.see.values() }
    }

    /// Adds the moves of a kind to the list.
    fn list_more<K: Kind>(&mut self, scorer: &impl Scorer) {
        let generator = Generator::with_facts(&self.position, self.facts);
        self.list.append::<K>(&generator, scorer);
    }

    /// Lists the evasions, every capture above every other move.
    fn list_evasions(&mut self, scorer: &impl Scorer) {
        const ABOVE: i32 = 1 << 30;
        let captures = self.capture_order();
        let evasions = |position: &Position, role: Role, mv: Move| {
            if mv.is_capture() || mv.is_promotion() {
                ABOVE + captures.score(position, role, mv)
            } else {
                scorer.score(position, role, mv).clamp(-ABOVE / 2, ABOVE / 2)
            }
        };
        self.list_more::<Evasions>(&evasions);
    }

    /// The best remaining move of the list, without the hash move.
    #[inline(always)]
    fn next_listed(&mut self) -> Option<Move> {
        loop {
            let mv = self.list.select(self.next)?.mv;
            self.next += 1;
            if self.hash != Some(mv) {
                return Some(mv);
            }
        }
    }

    /// The best remaining capture that does not lose material; captures that lose material are put
    /// back.
    fn next_good_capture(&mut self) -> Option<Move> {
        loop {
            let mv = self.next_listed()?;
            if self.see.is_at_least(&self.position, mv, 0) {
                return Some(mv);
            }
            self.list.swap(self.bad, self.next - 1);
            self.bad += 1;
        }
    }

    /// The next killer that is quiet and legal here and has not been yielded.
    fn next_killer(&mut self) -> Option<Move> {
        while let Some(&killer) = self.killers.get(self.next) {
            let earlier = &self.killers[..self.next];
            let is_new = killer != self.hash && !earlier.contains(&killer);
            self.next += 1;
            if let Some(mv) = killer.filter(|_| is_new)
                && self.is_kind::<Quiets>(mv)
            {
                return Some(mv);
            }
        }
        None
    }

    #[inline(always)]
    const fn begin_bad_captures(&mut self) {
        self.list.truncate(self.bad);
        self.next = 0;
        self.step = Step::BadCaptures;
    }

    /// Is the move among those to yield?
    fn includes(&self, mv: Move) -> bool {
        match self.selection {
            Selection::All => self.is_kind::<Legal>(mv),
            _ if self.facts.is_check() => self.is_kind::<Legal>(mv),
            Selection::Captures => self.is_kind::<Captures>(mv),
            Selection::CapturesAndChecks => {
                self.is_kind::<Captures>(mv) || self.is_kind::<QuietChecks>(mv)
            }
        }
    }

    #[inline(always)]
    fn is_kind<K: Kind>(&self, mv: Move) -> bool {
        Generator::with_facts(&self.position, self.facts).contains::<K>(mv)
    }
}

/// Yields the moves with [`PieceSquare::DEFAULT`] as the scorer of quiet moves.
impl Iterator for Picker {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        static DEFAULT: PieceSquare = PieceSquare::DEFAULT;
        self.next_by(&DEFAULT)
    }
}

impl core::iter::FusedIterator for Picker {}
