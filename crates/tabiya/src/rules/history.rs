//! The keys of earlier positions, for a search: repetition without a heap.

use core::fmt;

use crate::castling::CastlingRights;
use crate::list::FixedList;
use crate::position::Position;

/// The data of a position of the line, in sixteen bytes.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    /// The castling rights in two bytes: the first and the last rank.
    rights: u16,
    /// The number of plies since the last irreversible move. No position before that move can be
    /// the same.
    reversible: u32,
}

/// The keys of the positions before the current one, in a fixed array of `N` places.
///
/// Three kinds of moves lead to a position:
///
/// * [`advance`](Self::advance) for moves of the game. They are not taken back. The keys before an
///   irreversible move (a capture, a pawn move, or one that loses castling rights) are dropped,
///   because none of these positions can occur again.
/// * [`push`](Self::push) and [`pop`](Self::pop) for moves inside a search, which starts from the
///   *root*, the last position of the game. A push drops nothing, so that a pop always restores.
/// * [`push_null`](Self::push_null) for null moves inside a search. No position before a null move
///   counts as repeated after it.
///
/// `N` places hold the root, the keys before it since the last irreversible move, and one key for
/// each ply of the search. The seventy-five-move rule ends a game after 150 such plies, so `N` =
/// 151 + the deepest ply is always enough. If a game continues anyway, `advance` forgets the oldest
/// key, and a repetition of that position is no longer found. If the array is full, `push` changes
/// nothing and returns [`HistoryFull`]: the search cannot go deeper and should evaluate the
/// position.
///
/// Positions are compared by their [keys](Position::key), which include castling rights and *legal*
/// captures en passant, as the rules require. Different positions can have equal keys, with a
/// chance of about 2^-64. [`Game`](crate::Game) compares the positions.
///
/// # How an engine uses it
///
/// ```
/// use tabiya::{History, Position};
///
/// /// Counts the nodes that a search would visit: it does not continue after a draw.
/// fn search(position: &Position, history: &mut History<256>, depth: u32) -> u64 {
///     if history.is_repetition() || position.halfmove_clock() >= 100 || depth == 0 {
///         return 1;
///     }
///     let mut nodes = 1;
///     for mv in position.legal_moves() {
///         let child = position.play(mv);
///         if history.push(&child).is_err() {
///             return nodes; // As deep as it can be.
///         }
///         nodes += search(&child, history, depth - 1);
///         history.pop();
///     }
///     nodes
/// }
///
/// // `position startpos moves g1f3 g8f6 f3g1 f6g8`
/// let mut root = Position::START;
/// let mut history = History::new(&root);
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     root = root.play(root.parse_uci(text).unwrap());
///     history.advance(&root);
/// }
/// assert_eq!(history.occurrences(), 2);
/// // Twice in the game is no draw yet.
/// assert!(!history.is_repetition());
/// assert_eq!(search(&root, &mut history, 2), 1 + 20 + 400);
/// ```
#[doc(alias("repetition", "threefold", "draw by repetition", "rep table", "key stack"))]
#[derive(Clone)]
pub struct History<const N: usize> {
    entries: FixedList<Entry, N>,
    /// The number of entries up to and including the root.
    root: usize,
}

impl<const N: usize> History<N> {
    /// The history of a game that begins here.
    ///
    /// `N` must not be 0; this is checked at compile time.
    pub fn new(position: &Position) -> Self {
        const { assert!(N > 0, "a history holds at least the current position") };
        let mut entries = FixedList::new();
        let full = entries.push(Entry::first(position));
        debug_assert!(full.is_ok(), "there is room for one");
        Self { entries, root: 1 }
    }

    /// Adds the position after a move of the game. It becomes the root; the moves up to it cannot
    /// be taken back. Keys before an irreversible move are dropped, and the oldest one if there is
    /// no room.
    ///
    /// ```
    /// use tabiya::{History, Position};
    /// let mut position = Position::START;
    /// let mut history = History::<16>::new(&position);
    /// for text in ["g1f3", "g8f6", "e2e4"] {
    ///     position = position.play(position.parse_uci(text).unwrap());
    ///     history.advance(&position);
    /// }
    /// // Nothing before the pawn move can occur again.
    /// assert_eq!(history.len(), 1);
    /// ```
    pub fn advance(&mut self, after: &Position) {
        let entry = self.entry(after);
        if entry.reversible == 0 {
            self.entries.truncate(0);
        } else if self.entries.len() == N {
            let list = self.entries.as_mut_slice();
            list.copy_within(1.., 0);
            self.entries.truncate(N - 1);
        }
        let full = self.entries.push(entry);
        debug_assert!(full.is_ok(), "room has been made");
        self.root = self.entries.len();
    }

    /// Adds the position after a move inside a search. [`pop`](Self::pop) removes it again.
    ///
    /// # Errors
    /// [`HistoryFull`] if it already holds `N` keys. The history is then unchanged.
    #[inline]
    pub fn push(&mut self, after: &Position) -> Result<(), HistoryFull> {
        let entry = self.entry(after);
        self.entries.push(entry).map_err(|_| HistoryFull)
    }

    /// Adds the position after a [null move](Position::play_null) inside a search.
    ///
    /// A null move is not a chess move, so no position before it counts as repeated after it. With
    /// [`push`](Self::push) some would: if White plays a knight out and back while Black passes
    /// twice, the position is the same as before.
    ///
    /// # Errors
    /// [`HistoryFull`] as for `push`.
    ///
    /// ```
    /// use tabiya::{History, Position};
    /// let mut history = History::<8>::new(&Position::START);
    /// let mut position = Position::START;
    /// for knight in ["b1c3", "c3b1"] {
    ///     position = position.play(position.parse_uci(knight).unwrap());
    ///     history.push(&position).unwrap();
    ///     position = position.play_null().unwrap();
    ///     history.push_null(&position).unwrap();
    /// }
    /// assert_eq!(position.key(), Position::START.key());
    /// assert!(!history.is_repetition());
    /// assert!(history.pop());
    /// ```
    #[inline]
    pub fn push_null(&mut self, after: &Position) -> Result<(), HistoryFull> {
        self.entries.push(Entry::first(after)).map_err(|_| HistoryFull)
    }

    /// Takes back the last `push` or `push_null`. At the root, it changes nothing and returns
    /// `false`.
    ///
    /// ```
    /// use tabiya::{History, Position};
    /// let mut history = History::<8>::new(&Position::START);
    /// assert!(!history.pop());
    /// ```
    #[inline]
    pub fn pop(&mut self) -> bool {
        let deeper = self.entries.len() > self.root;
        if deeper {
            self.entries.truncate(self.entries.len() - 1);
        }
        deeper
    }

    /// The number of times the current position has occurred since the last irreversible move, in
    /// the game and in the search, including now.
    ///
    /// [`Position::outcome_with`] and [`Position::claim_with`] use this number.
    #[inline]
    pub fn occurrences(&self) -> usize {
        1 + self.earlier().count()
    }

    /// Is the current position a draw by repetition for a search?
    ///
    /// It is if the position has occurred before inside the search, or twice before in the game up
    /// to the root. One repetition inside the search is enough: if a side profits from repeating
    /// once, it profits from repeating again. The first repetition of a position of the game is not
    /// a draw, because the opponent may still deviate.
    #[doc(alias("is_draw", "twofold", "repetition detection"))]
    #[inline]
    pub fn is_repetition(&self) -> bool {
        let mut in_game = 0;
        for index in self.earlier() {
            if index >= self.root {
                return true;
            }
            in_game += 1;
            if in_game == 2 {
                return true;
            }
        }
        false
    }

    /// The number of plies between the root and the current position.
    ///
    /// ```
    /// use tabiya::{History, Position};
    /// let mut history = History::<8>::new(&Position::START);
    /// let mv = Position::START.parse_uci("e2e4").unwrap();
    /// history.push(&Position::START.play(mv)).unwrap();
    /// assert_eq!((history.ply(), history.len(), history.capacity()), (1, 2, 8));
    /// ```
    #[doc(alias("height", "depth"))]
    #[inline]
    pub const fn ply(&self) -> usize {
        self.entries.len() - self.root
    }

    /// The number of keys, including that of the current position.
    #[allow(clippy::len_without_is_empty, reason = "it is never empty")]
    #[inline]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of keys for which there is room: `N`.
    #[inline]
    pub const fn capacity(&self) -> usize {
        N
    }

    /// The entry of a position after a move.
    #[inline]
    fn entry(&self, after: &Position) -> Entry {
        let entry = Entry::first(after);
        let reversible = match self.entries.as_slice() {
            [.., last] if after.halfmove_clock() > 0 && last.rights == entry.rights => {
                last.reversible + 1
            }
            _ => 0,
        };
        Entry { reversible, ..entry }
    }

    /// The indices of the earlier entries with the key of the last one, newest first.
    #[inline]
    fn earlier(&self) -> impl Iterator<Item = usize> + '_ {
        let list = self.entries.as_slice();
        let last = list.len() - 1;
        let Entry { key, reversible, .. } = list[last];
        let first = last.saturating_sub(reversible as usize);
        // A position occurs again after four plies at the earliest, and with the same side to move.
        (first..(last + 1).saturating_sub(4))
            .rev()
            .filter(move |index| (last - index).is_multiple_of(2) && list[*index].key == key)
    }
}

impl Entry {
    /// An entry before which no position counts.
    #[inline]
    fn first(position: &Position) -> Self {
        Self { key: position.key(), rights: squeezed(position.castling_rights()), reversible: 0 }
    }
}

/// The rights in two bytes: rooks that may castle stand on the first and on the last rank.
#[inline]
const fn squeezed(rights: CastlingRights) -> u16 {
    let rooks = rights.rooks().0;
    (rooks >> 48) as u16 & 0xff00 | rooks as u16 & 0xff
}

impl<const N: usize> fmt::Debug for History<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (game, search) = self.entries.as_slice().split_at(self.root);
        let mut text = f.debug_struct("History");
        text.field("game", &game.len()).field("search", &search.len()).finish()
    }
}

/// The error for a [`History`] without room for another key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryFull;

impl fmt::Display for HistoryFull {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the history has no room for another position")
    }
}

impl core::error::Error for HistoryFull {}
