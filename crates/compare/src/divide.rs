//! What a program answers: moves and counts.

/// The moves that a program lists, with the count below each, and the total.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Divide {
    /// Each move as the program writes it, with its count if there is one.
    pub moves: Vec<(String, Option<u128>)>,
    /// The total, if it is printed.
    pub total: Option<u128>,
}

impl Divide {
    /// A list of moves without counts.
    pub(crate) fn of_moves(moves: Vec<String>) -> Self {
        Self { moves: moves.into_iter().map(|mv| (mv, None)).collect(), total: None }
    }

    /// The moves as the program writes them.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.moves.iter().map(|(text, _)| text.as_str()).collect()
    }

    /// Are there moves, each with a count? Otherwise, the total need not be the sum.
    pub(crate) fn is_counted(&self) -> bool {
        !self.moves.is_empty() && self.moves.iter().all(|(_, count)| count.is_some())
    }

    /// The total if it is printed, otherwise the sum of the counts.
    ///
    /// ```
    /// use tabiya_compare::Divide;
    /// let divide = Divide { moves: vec![("e2e4".to_owned(), Some(20))], total: None };
    /// assert_eq!(divide.count(), 20);
    /// ```
    pub fn count(&self) -> u128 {
        self.total.unwrap_or_else(|| self.sum())
    }

    /// The sum of the counts. A move without a count counts as one.
    pub fn sum(&self) -> u128 {
        self.moves.iter().map(|(_, count)| count.unwrap_or(1)).fold(0, u128::saturating_add)
    }
}
