//! An instance of the vector kernels.

use super::rows::{Children, ROWS, Rows};
use super::waiting::Waiting;
use crate::leaf::machine::Machine;
use crate::leaf::sums::Sums;

/// The kernels of one instance.
pub(in crate::leaf) trait Vectors: Machine<Waiting = Waiting> {
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
macro_rules! machine {
    ($(#[$doc:meta])* $name:ident, $star:ty, $lanes:ty, [$($feature:tt),+]) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        const _: () = {
            use $crate::leaf::counter::Counter;
            use $crate::leaf::machine::Machine;
            use $crate::leaf::node::Node;
            use $crate::leaf::vector::instance::Vectors;
            use $crate::leaf::vector::nodes::{self, Sharp};
            use $crate::leaf::vector::replies;
            use $crate::leaf::vector::rows::{Children, ROWS, Rows};
            use $crate::leaf::sums::Sums;
            use $crate::leaf::vector::siblings::{self, Found, Siblings, Space};
            use $crate::leaf::vector::waiting::Waiting;
            use $crate::leaf::walk;

            impl $name {
                /// The instance, if this CPU has what it needs: the same features as each driver
                /// enables. There is no other way to get one, because the field is private.
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
                    nodes::count_eight::<$lanes>(rows, first, sharp);
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

                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn siblings_driver(siblings: &mut Siblings, space: &mut Space, found: &mut Found) {
                    siblings::count::<$lanes>(siblings, space, found);
                }

                /// Counts the moves of siblings by category.
                #[inline(always)]
                pub(crate) fn count_siblings(
                    self,
                    siblings: &mut Siblings,
                    space: &mut Space,
                    found: &mut Found,
                ) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { Self::siblings_driver(siblings, space, found) }
                }
            }

            impl Machine for $name {
                type Star = $star;
                type Waiting = Waiting;

                #[inline(always)]
                fn walk(self, counter: &mut Counter<'_, Self>, node: &Node, depth: u32) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { Self::walk_driver(counter, node, depth) }
                }

                #[inline(always)]
                fn take(self, waiting: &mut Waiting, sums: &mut Sums, node: &Node, slot: usize) {
                    if waiting.add(node, slot) {
                        self.count_waiting(waiting, sums);
                    }
                }

                #[inline(always)]
                fn count_waiting(self, waiting: &mut Waiting, sums: &mut Sums) {
                    // SAFETY: `self` comes from `detect`, which found every feature of the driver.
                    unsafe { self.waiting_driver(waiting, sums) }
                }
            }

            impl Vectors for $name {
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

pub(super) use machine;
