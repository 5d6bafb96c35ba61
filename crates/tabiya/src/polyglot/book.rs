//! Looking up moves in the bytes of a book.
//!
//! ```text
//! bytes 0..8     the key, the highest byte first, as all numbers
//! bytes 8..10    the move
//! bytes 10..12   its weight
//! bytes 12..16   for learning; most programs write 0
//!
//! bits of the move
//!  0..3   file of the target          9..12  rank of the origin
//!  3..6   rank of the target         12..15  promotion: 0 none, 1 knight, 2 bishop, 3 rook, 4 queen
//!  6..9   file of the origin         15      0
//! ```
//!
//! Castling is written as the king's capture of its own rook. The move 0, from a1 to a1, stands for
//! no move.

use core::fmt;
use core::ops::Range;

use crate::castling::CastlingMode;
use crate::movegen::Restriction;
use crate::moves::Move;
use crate::position::Position;
use crate::role::Role;
use crate::square::Square;

/// One line of a book: a move of the position with a key.
///
/// ```
/// use tabiya::{Position, polyglot::Entry};
/// let mv = Position::START.parse_uci("e2e4").unwrap();
/// let entry = Entry::new(&Position::START, mv, 10);
/// assert_eq!(entry.mv, 0x031c);
/// assert_eq!(Entry::from_bytes(entry.to_bytes()), entry);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The [key](Position::polyglot_key) of the position.
    pub key: u64,
    /// The move in the bits of the format.
    pub mv: u16,
    /// The quality or the frequency of the move.
    pub weight: u16,
    /// A number for programs that learn.
    pub learn: u32,
}

impl Entry {
    /// The number of bytes of an entry.
    pub const BYTES: usize = 16;

    /// The entry of a legal move of a position.
    pub fn new(position: &Position, mv: Move, weight: u16) -> Self {
        let rook = mv
            .castling()
            .and_then(|side| position.castling_rights().rook(position.turn(), side, mv.from()));
        let to = rook.unwrap_or(mv.to()) as u16;
        // Roles count from the pawn, so a knight is 1.
        let promotion = mv.promotion().map_or(0, |role| role as u16);
        let mv = to | (mv.from() as u16) << 6 | promotion << 12;
        Self { key: position.polyglot_key(), mv, weight, learn: 0 }
    }

    /// Reads the bytes of an entry. Any bytes are valid.
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        let number = u128::from_be_bytes(bytes);
        Self {
            key: (number >> 64) as u64,
            mv: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// The bytes of the entry.
    pub const fn to_bytes(self) -> [u8; Self::BYTES] {
        let Self { key, mv, weight, learn } = self;
        let number =
            (key as u128) << 64 | (mv as u128) << 48 | (weight as u128) << 32 | learn as u128;
        number.to_be_bytes()
    }

    /// The legal move of a position that the bits of the entry describe.
    fn find(self, position: &Position) -> Result<Move, BookMoveCause> {
        let (from, to) =
            (Square::from_low_bits((self.mv >> 6) as u8), Square::from_low_bits(self.mv as u8));
        let promotion = match self.mv >> 12 {
            0 => None,
            number @ 1..=4 => Some(Role::PROMOTIONS[usize::from(number - 1)]),
            _ => return Err(BookMoveCause::Bits),
        };
        let rights = position.castling_rights();
        let is_it = |&mv: &Move| match mv.castling() {
            Some(side) => {
                let rook = rights.rook(position.turn(), side, mv.from());
                // Some books write e1g1. In standard chess, it can be nothing else.
                let by_target = position.castling_mode() == CastlingMode::Standard && mv.to() == to;
                promotion.is_none() && (rook == Some(to) || by_target)
            }
            None => mv.to() == to && mv.promotion() == promotion,
        };
        let moves = position.legal_moves_within(Restriction::UNRESTRICTED.from(from));
        moves.into_iter().find(is_it).ok_or(BookMoveCause::Illegal)
    }
}

/// An opening book in memory: read from a file, or mapped.
///
/// Look-up is a binary search, and nothing is copied. Bytes that are not a book are refused.
///
/// ```
/// use tabiya::{Position, polyglot::{Book, Entry}};
/// // A book with two moves for one position.
/// let start = Position::START;
/// let mut bytes = Vec::new();
/// for (text, weight) in [("e2e4", 30), ("d2d4", 10)] {
///     let mv = start.parse_uci(text).unwrap();
///     bytes.extend(Entry::new(&start, mv, weight).to_bytes());
/// }
/// let book = Book::new(&bytes).unwrap();
/// let moves: Vec<String> = book.moves(&start).map(|found| found.unwrap().mv.to_string()).collect();
/// assert_eq!(moves, ["e2e4", "d2d4"]);
/// assert_eq!(book.best(&start), start.parse_uci("e2e4").ok());
/// ```
#[doc(alias("opening book", "bin"))]
#[derive(Clone, Copy)]
pub struct Book<'a> {
    entries: &'a [[u8; Entry::BYTES]],
}

impl<'a> Book<'a> {
    /// The book with these bytes. All keys are read, to check their order; for a large mapped book
    /// that was checked before, [`trusted`](Self::trusted) saves that.
    ///
    /// # Errors
    /// [`BookError`] if the bytes do not end with an entry, or if the entries are not sorted by
    /// key. No bytes at all are a book without moves.
    ///
    /// ```
    /// use tabiya::polyglot::{Book, BookError};
    /// assert_eq!(Book::new(&[0; 17]).unwrap_err(), BookError::Length { bytes: 17 });
    /// ```
    pub fn new(bytes: &'a [u8]) -> Result<Self, BookError> {
        let book = Self::trusted(bytes)?;
        let keys = book.entries().map(|entry| entry.key);
        match keys.clone().zip(keys.skip(1)).position(|(key, next)| key > next) {
            Some(index) => Err(BookError::Order { index: index + 1 }),
            None => Ok(book),
        }
    }

    /// The same without checking the order. If the entries are not sorted, moves are not found, but
    /// nothing worse happens.
    ///
    /// # Errors
    /// [`BookError::Length`].
    pub const fn trusted(bytes: &'a [u8]) -> Result<Self, BookError> {
        match bytes.as_chunks() {
            (entries, []) => Ok(Self { entries }),
            _ => Err(BookError::Length { bytes: bytes.len() }),
        }
    }

    /// The number of entries.
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there no entries?
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// All entries, in the order of their keys.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = Entry> + Clone + use<'a> {
        self.entries.iter().map(|&bytes| Entry::from_bytes(bytes))
    }

    /// The indices of the entries with a key.
    ///
    /// ```
    /// use tabiya::polyglot::Book;
    /// assert!(Book::new(&[]).unwrap().find(0x463b_9618_1691_fc9c).is_empty());
    /// ```
    pub fn find(&self, key: u64) -> Range<usize> {
        let wanted = key.to_be_bytes();
        // Bytes with the highest first compare like the numbers.
        let start = self.entries.partition_point(|entry| entry[..8] < wanted[..]);
        let len = self.entries[start..].partition_point(|entry| entry[..8] == wanted[..]);
        start..start + len
    }

    /// The moves for a position, in the order of the book.
    ///
    /// A move that is not legal is an error, since the book is damaged or another position has the
    /// same key. Entries without a move are left out. In standard chess, castling has two
    /// spellings, `e1h1` and `e1g1`; if a book has both, they are one move with the sum of their
    /// weights.
    pub fn moves<'p>(&self, position: &'p Position) -> BookMoves<'a, 'p> {
        let indices = self.find(position.polyglot_key());
        BookMoves { book: *self, start: indices.start, indices, position }
    }

    /// The legal move with the greatest weight; of several, the first one.
    pub fn best(&self, position: &Position) -> Option<Move> {
        let mut best: Option<BookMove> = None;
        for found in self.moves(position).flatten() {
            if best.is_none_or(|best| found.weight > best.weight) {
                best = Some(found);
            }
        }
        best.map(|best| best.mv)
    }

    /// A legal move chosen by weight with a random number: one with twice the weight is chosen
    /// twice as often. If all weights are 0, `None`.
    ///
    /// ```
    /// use tabiya::{Position, polyglot::{Book, Entry}};
    /// let start = Position::START;
    /// let bytes = Entry::new(&start, start.parse_uci("e2e4").unwrap(), 7).to_bytes();
    /// let book = Book::new(&bytes).unwrap();
    /// assert_eq!(book.pick(&start, 0x1234_5678), start.parse_uci("e2e4").ok());
    /// ```
    #[doc(alias("weighted_choice", "random move"))]
    pub fn pick(&self, position: &Position, random: u64) -> Option<Move> {
        let moves = || self.moves(position).flatten();
        let total: u64 = moves().map(|found| u64::from(found.weight)).sum();
        // The high half of the product is below the total, and nearly uniform.
        let mut rest = ((u128::from(random) * u128::from(total)) >> 64) as u64;
        for found in moves() {
            match rest.checked_sub(u64::from(found.weight)) {
                Some(less) => rest = less,
                None => return Some(found.mv),
            }
        }
        None
    }
}

impl fmt::Debug for Book<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Book").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// The quality or the frequency of the move; the book defines the meaning.
    pub weight: u16,
    /// A number for programs that learn.
    pub learn: u32,
}

/// The moves that a [`Book`] has for a position: see [`Book::moves`].
#[derive(Clone, Debug)]
pub struct BookMoves<'a, 'p> {
    book: Book<'a>,
    /// The first entry for the position.
    start: usize,
    indices: Range<usize>,
    position: &'p Position,
}

impl Iterator for BookMoves<'_, '_> {
    type Item = Result<BookMove, BookMoveError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let index = self.indices.next()?;
            let entry = Entry::from_bytes(self.book.entries[index]);
            let mv = match entry.find(self.position) {
                _ if entry.mv == 0 => continue,
                Ok(mv) => mv,
                Err(cause) => return Some(Err(BookMoveError { index, entry, cause })),
            };
            let mut found = BookMove { mv, weight: entry.weight, learn: entry.learn };
            if mv.castling().is_some() {
                let entry = |index: usize| Entry::from_bytes(self.book.entries[index]);
                let is_same = |index: &usize| entry(*index).find(self.position) == Ok(mv);
                if (self.start..index).any(|before| is_same(&before)) {
                    continue;
                }
                for after in self.indices.clone().filter(is_same) {
                    found.weight = found.weight.saturating_add(entry(after).weight);
                }
            }
            return Some(Ok(found));
        }
    }
}

/// The reason why bytes are not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BookError {
    /// The last entry is not complete.
    Length {
        /// The number of bytes.
        bytes: usize,
    },
    /// The entries are not sorted by their keys.
    Order {
        /// The index of the first entry with a smaller key than the entry before it.
        index: usize,
    },
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length { bytes } => {
                let size = Entry::BYTES;
                write!(f, "the book has {bytes} bytes, which is not a multiple of {size}")
            }
            Self::Order { index } => {
                let byte = index * Entry::BYTES;
                write!(
                    f,
                    "the keys of the book are not sorted: the key of entry {index} (at byte {byte}) is less than the one before it"
                )
            }
        }
    }
}

impl core::error::Error for BookError {}

/// The reason why a move of a book cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BookMoveCause {
    /// The bits are not a move.
    Bits,
    /// The move is not legal in the position.
    Illegal,
}

/// An entry of a book whose move cannot be played in the position that was looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMoveError {
    /// The index of the entry.
    pub index: usize,
    /// The entry.
    pub entry: Entry,
    /// The reason.
    pub cause: BookMoveCause,
}

impl fmt::Display for BookMoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { index, entry: Entry { mv, .. }, cause } = self;
        let byte = index * Entry::BYTES;
        match cause {
            BookMoveCause::Bits => {
                write!(f, "the bits {mv:#06x} of entry {index} (at byte {byte}) are not a move")
            }
            BookMoveCause::Illegal => {
                let square = |bits: u16| Square::from_low_bits(bits as u8);
                let (from, to) = (square(mv >> 6), square(*mv));
                write!(
                    f,
                    "entry {index} (at byte {byte}) has the move {from}{to}, which is not legal in the position"
                )
            }
        }
    }
}

impl core::error::Error for BookMoveError {}
