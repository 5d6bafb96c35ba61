//! Moves in a good order: lists with values, scores, static exchange evaluation, and a picker
//! that generates in stages.
//!
//! A search is fast if it looks at the best move first, and faster if it never generates the
//! moves that it does not come to. The parts can be used alone:
//!
//! * a [`Scorer`] gives a move a value: [`MvvLva`], [`PieceSquare`] or a function of your own;
//! * a [`ScoredList`] holds moves with values and hands out the best next, a [`MoveHeap`] keeps
//!   them sorted while they are generated, a [`MoveKindCounts`] counts them by class;
//! * [`See`] says what a capture wins or loses once everybody has captured back;
//! * a [`Picker`] puts all of it together.
//!
//! ```
//! use tabiya::movegen::Captures;
//! use tabiya::order::{self, MvvLva, Picker, ScoredList};
//! use tabiya::Position;
//!
//! let position = Position::from_fen("4k3/3p4/2q1r3/3P4/8/8/8/6K1 w - - 0 1").unwrap();
//! let mut captures = ScoredList::of::<Captures>(&position, &MvvLva::DEFAULT);
//! assert_eq!(captures.pop_best().unwrap().mv.to_string(), "d5c6");
//!
//! // The pawn wins a queen and is lost.
//! let takes_queen = position.parse_uci("d5c6").unwrap();
//! assert_eq!(order::see(&position, takes_queen), 800);
//!
//! // The picker begins with it, too, and forgets nothing.
//! let picker = Picker::new(&position);
//! assert_eq!(picker.clone().next(), Some(takes_queen));
//! assert_eq!(picker.count(), position.count_legal());
//! ```

mod counts;
mod heap;
mod list;
mod picker;
mod piece_square;
mod score;
mod see;
mod values;

pub use counts::MoveKindCounts;
pub use heap::MoveHeap;
pub use list::{ScoredList, ScoredMove};
pub use picker::{Picker, Stage};
pub use piece_square::PieceSquare;
pub use score::{MvvLva, Scorer, Scoring};
pub use see::{See, see, see_ge};
pub use values::PieceValues;
