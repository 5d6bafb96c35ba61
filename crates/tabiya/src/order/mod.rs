//! Move ordering: lists with scores, static exchange evaluation, and a picker that generates in
//! stages.
//!
//! A search is fast if it tries the best move first, and faster if it never generates the moves
//! that it does not reach. Each part can be used alone:
//!
//! * a [`Scorer`] assigns a value to a move: [`MvvLva`], [`PieceSquare`] or your own function;
//! * a [`ScoredList`] holds moves with values and selects the best one next, a [`MoveHeap`] orders
//!   them while they are generated, and [`MoveKindCounts`] counts them by kind;
//! * [`See`] computes the material that a capture wins or loses after all recaptures;
//! * a [`Picker`] combines them.
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
//! // The pawn captures a queen and is recaptured.
//! let takes_queen = position.parse_uci("d5c6").unwrap();
//! assert_eq!(order::see(&position, takes_queen), 800);
//!
//! // The picker also begins with this move, and it yields every legal move.
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
