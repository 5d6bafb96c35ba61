//! An instance of the fast counter: which vectors it uses, and its entry points.
//!
//! The generic bodies are `#[inline(always)]`; each instance wraps them in functions with its own
//! `#[target_feature]`, so the whole is built without compiler flags, and dispatch happens once, at
//! the root. A value of an instance is the proof that the CPU has the features.

use super::counter::Counter;
use super::node::Node;
use super::rows::{Children, ROWS, Rows};
use super::star::Star;
use super::sums::Sums;
use super::waiting::Waiting;

/// One way to run the fast counter.
pub(crate) trait Machine: Copy + Send {
    /// The vector of eight directions.
    type Star: Star;

    /// Counts the leaves `depth` plies below `node`, three or more.
    fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32);

    /// Counts the leaves below all nodes that wait.
    fn count_waiting(self, waiting: &mut Waiting, sums: &mut Sums);

    /// Counts the replies to the quiet moves of up to eight nodes that wait, and notes their other children.
    fn count_nodes(self, waiting: &mut Waiting, sums: &mut Sums, first: usize, len: usize);

    /// The number of replies to all children together.
    fn all_replies(self, rows: &Rows, children: &Children) -> u64;

    /// Adds the replies to each child to the slot of its row.
    fn replies(self, rows: &Rows, children: &Children, sums: &mut Sums, slots: &[usize; ROWS]);
}

/// Declares an instance for CPUs with certain features.
///
/// The bodies are the same for all of them; what differs are the features for which they are
/// compiled, and the vectors: `$lanes` for several positions side by side, `$star` for the directions
/// of one.
#[cfg(target_arch = "x86_64")]
macro_rules! machine {
    ($(#[$doc:meta])* $name:ident, $star:ty, $lanes:ty, [$($feature:tt),+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        const _: () = {
            use $crate::leaf::counter::Counter;
            use $crate::leaf::machine::Machine;
            use $crate::leaf::node::Node;
            use $crate::leaf::vector::{self, Sharp};
            use $crate::leaf::replies;
            use $crate::leaf::rows::{Children, ROWS, Rows};
            use $crate::leaf::sums::Sums;
            use $crate::leaf::waiting::Waiting;
            use $crate::leaf::walk;

            impl $name {
                /// The instance, if this CPU has what it needs.
                pub(crate) fn detect() -> Option<Self> {
                    ($(is_x86_feature_detected!($feature))&&+).then_some(Self(()))
                }

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn walk_driver(counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
                    walk::walk(counter, node, depth);
                }

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn waiting_driver(self, waiting: &mut Waiting, sums: &mut Sums) {
                    waiting.count(self, sums);
                }

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn nodes_driver(rows: &Rows, first: usize, sharp: &mut Sharp) {
                    vector::count_eight::<$lanes>(rows, first, sharp);
                }

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn all_replies_driver(rows: &Rows, children: &Children) -> u64 {
                    replies::of_all::<$lanes>(rows, children)
                }

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn replies_driver(
                    rows: &Rows,
                    children: &Children,
                    sums: &mut Sums,
                    slots: &[usize; ROWS],
                ) {
                    replies::of_each::<$lanes>(rows, children, sums, slots);
                }
            }

            impl Machine for $name {
                type Star = $star;

                #[inline(always)]
                fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { Self::walk_driver(counter, node, depth) }
                }

                #[inline(always)]
                fn count_waiting(self, waiting: &mut Waiting, sums: &mut Sums) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { self.waiting_driver(waiting, sums) }
                }

                #[inline(always)]
                fn count_nodes(self, waiting: &mut Waiting, sums: &mut Sums, first: usize, len: usize) {
                    waiting.count_eight(self, sums, first, len, |rows, first, sharp| {
                        // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                        unsafe { Self::nodes_driver(rows, first, sharp) }
                    });
                }

                #[inline(always)]
                fn all_replies(self, rows: &Rows, children: &Children) -> u64 {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { Self::all_replies_driver(rows, children) }
                }

                #[inline(always)]
                fn replies(
                    self,
                    rows: &Rows,
                    children: &Children,
                    sums: &mut Sums,
                    slots: &[usize; ROWS],
                ) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { Self::replies_driver(rows, children, sums, slots) }
                }
            }
        };
    };
}

#[cfg(target_arch = "x86_64")]
pub(super) use machine;
