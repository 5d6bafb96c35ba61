//! An instance of the fast counter: which vectors it uses, and its entry points.
//!
//! The generic bodies are `#[inline(always)]`; each instance wraps them in functions with its own
//! `#[target_feature]`, so the whole is built without compiler flags, and dispatch happens once, at
//! the root.

use super::counter::{Counter, Slot};
use super::node::Node;
use super::pair::Output;
use super::rows::{Children, ROWS, Rows};
use super::star::Star;

/// One way to run the fast counter.
pub(crate) trait Machine: Sized {
    /// The vector of eight directions.
    type Star: Star;

    /// Adds the replies to each child to the slot of its row.
    fn replies(rows: &Rows, children: &Children, slots: &mut [Slot], of: &[usize; ROWS]);

    /// The replies to all children together.
    fn all_replies(rows: &Rows, children: &Children) -> u64;

    /// Counts the leaves `depth` plies below `node`, three or more.
    fn walk(counter: &mut Counter<'_, Self>, node: &Node, depth: u32);

    /// Counts the replies to quiet moves, and finds the sharp ones.
    fn pairs(rows: &Rows, first: usize, out: &mut Output);

    /// Counts the leaves two plies below the nodes that wait.
    fn settle_pairs(counter: &mut Counter<'_, Self>);
}

/// Declares an instance for CPUs with certain features.
///
/// The bodies are the same for all of them; what differs are the features for which they are
/// compiled, and the vectors: `$lanes` for the children of a batch, `$width` of them at a time,
/// `$star` for the directions.
#[cfg(target_arch = "x86_64")]
macro_rules! machine {
    ($(#[$doc:meta])* $name:ident, $star:ty, $lanes:ty, $width:literal, [$($feature:tt),+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name;

        impl $name {
            /// Has this machine what this instance needs?
            pub(crate) fn available() -> bool {
                $(is_x86_feature_detected!($feature))&&+
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn replies_driver(rows: &super::rows::Rows, children: &super::rows::Children, slots: &mut [super::counter::Slot], of: &[usize; super::rows::ROWS]) {
                super::count::replies_to_slots::<$lanes>(rows, children, slots, of);
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn all_replies_driver(rows: &super::rows::Rows, children: &super::rows::Children) -> u64 {
                super::count::all_replies::<$lanes>(rows, children)
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn walk_driver(counter: &mut super::counter::Counter<'_, Self>, node: &super::node::Node, depth: u32) {
                super::walk::walk(counter, node, depth);
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn pairs_driver(rows: &super::rows::Rows, first: usize, out: &mut super::pair::Output) {
                out.clear();
                for at in (0..8).step_by($width) {
                    super::pair::pair::<$lanes>(rows, first, at, out);
                }
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn settle_driver(counter: &mut super::counter::Counter<'_, Self>) {
                super::counter::settle_pairs(counter);
            }
        }

        impl super::machine::Machine for $name {
            type Star = $star;

            #[inline(always)]
            fn replies(rows: &super::rows::Rows, children: &super::rows::Children, slots: &mut [super::counter::Slot], of: &[usize; super::rows::ROWS]) {
                // SAFETY: a counter of this instance is only made after `available` said yes.
                unsafe { Self::replies_driver(rows, children, slots, of) }
            }

            #[inline(always)]
            fn all_replies(rows: &super::rows::Rows, children: &super::rows::Children) -> u64 {
                // SAFETY: as above.
                unsafe { Self::all_replies_driver(rows, children) }
            }

            #[inline(always)]
            fn walk(counter: &mut super::counter::Counter<'_, Self>, node: &super::node::Node, depth: u32) {
                // SAFETY: as above.
                unsafe { Self::walk_driver(counter, node, depth) }
            }

            #[inline(always)]
            fn pairs(rows: &super::rows::Rows, first: usize, out: &mut super::pair::Output) {
                // SAFETY: as above.
                unsafe { Self::pairs_driver(rows, first, out) }
            }

            #[inline(always)]
            fn settle_pairs(counter: &mut super::counter::Counter<'_, Self>) {
                // SAFETY: as above.
                unsafe { Self::settle_driver(counter) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use machine;
