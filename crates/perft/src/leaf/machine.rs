//! An instance of the fast counter: which vectors it uses, and its entry points.
//!
//! The generic bodies are `#[inline(always)]`; each instance wraps them in functions with its own
//! `#[target_feature]`, so the whole is built without compiler flags, and dispatch happens once, at
//! the root.

use super::batch::Batch;
use super::counter::Counter;
use super::node::Node;
use super::pair::{Nodes, Output};
use super::star::Star;

/// One way to run the fast counter.
pub(crate) trait Machine: Sized {
    /// The vector of eight directions.
    type Star: Star;

    /// The number of replies in each lane of a batch.
    fn replies(batch: &Batch, king: u32) -> [u64; 8];

    /// Counts the leaves `depth` plies below `node`, three or more.
    fn walk(counter: &mut Counter<'_, Self>, node: &Node, depth: u32);

    /// Counts the replies to quiet moves, and finds the sharp ones.
    fn pairs(nodes: &Nodes, out: &mut Output);

    /// Counts the leaves two plies below the nodes that wait.
    fn settle_pairs(counter: &mut Counter<'_, Self>);

    /// Counts the replies to one child, sooner or later.
    fn child(counter: &mut Counter<'_, Self>, child: &Node);
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
            fn replies_driver(batch: &super::batch::Batch, king: u32) -> [u64; 8] {
                let mut out = [0; 8];
                for at in (0..8).step_by($width) {
                    super::count::replies::<$lanes>(batch, king, at, &mut out);
                }
                out
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn walk_driver(counter: &mut super::counter::Counter<'_, Self>, node: &super::node::Node, depth: u32) {
                super::walk::walk(counter, node, depth);
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn pairs_driver(nodes: &super::pair::Nodes, out: &mut super::pair::Output) {
                out.clear();
                for at in (0..8).step_by($width) {
                    super::pair::pair::<$lanes>(nodes, at, out);
                }
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn settle_driver(counter: &mut super::counter::Counter<'_, Self>) {
                super::counter::settle_pairs(counter);
            }

            $(#[target_feature(enable = $feature)])+
            #[inline(never)]
            fn child_driver(counter: &mut super::counter::Counter<'_, Self>, child: &super::node::Node) {
                counter.push(child);
            }
        }

        impl super::machine::Machine for $name {
            type Star = $star;

            #[inline(always)]
            fn replies(batch: &super::batch::Batch, king: u32) -> [u64; 8] {
                // SAFETY: a counter of this instance is only made after `available` said yes.
                unsafe { Self::replies_driver(batch, king) }
            }

            #[inline(always)]
            fn walk(counter: &mut super::counter::Counter<'_, Self>, node: &super::node::Node, depth: u32) {
                // SAFETY: as above.
                unsafe { Self::walk_driver(counter, node, depth) }
            }

            #[inline(always)]
            fn pairs(nodes: &super::pair::Nodes, out: &mut super::pair::Output) {
                // SAFETY: as above.
                unsafe { Self::pairs_driver(nodes, out) }
            }

            #[inline(always)]
            fn settle_pairs(counter: &mut super::counter::Counter<'_, Self>) {
                // SAFETY: as above.
                unsafe { Self::settle_driver(counter) }
            }

            #[inline(always)]
            fn child(counter: &mut super::counter::Counter<'_, Self>, child: &super::node::Node) {
                // SAFETY: as above.
                unsafe { Self::child_driver(counter, child) }
            }
        }
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use machine;
