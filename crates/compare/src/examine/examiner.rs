//! The examiner: a conversation with a program, and the results of earlier answers.
//!
//! Each of the other files adds one way of asking.

use std::collections::BTreeMap;

use tabiya::{Position, UciMove};

use crate::class::Class;
use crate::generator::{Divide, Query, Trouble};
use crate::session::Session;

/// Asks a program about positions.
pub(crate) struct Examiner<'a> {
    pub(crate) session: Session<'a>,
    pub(super) memory: Memory,
}

/// Facts from earlier answers that help to interpret later ones.
#[derive(Default)]
pub(super) struct Memory {
    /// Counts at depth 1 without lists: the position and the program's count.
    pub(super) counted: Vec<(Position, u128)>,
    /// Does the program list the move of this position?
    pub(super) probes: BTreeMap<(&'static str, &'static str), bool>,
    /// The classes of missing moves, with the king elsewhere: by class, position and move.
    pub(super) elsewhere: BTreeMap<(Class, bool, String), Class>,
    /// Illegal moves in the lists of positions that decide between classes.
    pub(super) lists: BTreeMap<&'static str, Vec<UciMove>>,
    /// Does the program refuse a line with an illegal move? `None` if this is not known yet.
    pub(super) refuses: Option<bool>,
    /// Moves that were wrong before. They are asked about first.
    pub(super) suspects: Vec<String>,
    /// The classes that elementary positions show, and whether their counts are too large.
    pub(super) elements: Option<Vec<(Class, bool)>>,
    /// Were moves listed twice, according to the totals?
    pub(super) has_doubles: bool,
    /// Counts of standard positions that confirm a guess.
    pub(super) others: BTreeMap<(&'static str, u32), u128>,
    /// Does the program play every legal move, but count fewer?
    pub(super) miscounts: bool,
    /// The last count at depth 1.
    pub(super) last_count: Option<(Query, u128)>,
}

impl<'a> Examiner<'a> {
    pub(crate) fn new(session: Session<'a>) -> Self {
        Self { session, memory: Memory::default() }
    }

    /// The list of moves, printed by the program or deduced from counts.
    pub(super) fn list(&mut self, query: &Query) -> Result<Divide, Trouble> {
        match self.session.list(query) {
            Err(Trouble::Unsupported) => self.list_by_lines(query),
            answer => answer,
        }
    }

    /// Forgets the last count, so that it is asked again.
    pub(crate) fn forget_count(&mut self) {
        self.memory.last_count = None;
    }
}
