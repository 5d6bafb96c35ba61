//! Names the class of a bug from one wrong move, or from one wrong count.
//!
//! The rules of chess are not implemented again. The class of an extra move follows from the
//! reasons that the library gives for its illegality, and the class of a missing move from the
//! facts of the position.

mod after;
mod candidates;
mod cases;
mod divide;
mod extra;
mod labels;
mod missing;

pub(crate) use after::{
    after_moves, after_play, others_capture_en_passant, right_lost_by, special_in,
};
pub(crate) use candidates::{extra_candidates, missing_candidates};
pub(crate) use cases::{Wrong, cases};
pub(crate) use divide::{by_count, overflows, total_class, wrong_ones};
pub(crate) use extra::extra;
pub(crate) use labels::labels;
pub(crate) use missing::missing;
