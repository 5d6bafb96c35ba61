//! Small counters in the manner of the articles. All play by copying, but for the first, and look up
//! sliders by magics where nothing else is said.

use tabiya::attacks::{Magic, MethodVisitor, Sliders};
use tabiya::movegen::{Captures, Count, Evasions, Legal, PseudoLegal, Quiets};
use tabiya::{Color, Position};

/// Is the king of the side that has just moved attacked?
fn is_illegal<S: Sliders>(position: &Position, us: Color, sliders: S) -> bool {
    let board = position.board();
    let attackers = |king| board.attackers_with(sliders, !us, king, board.occupied());
    board.king(us).is_some_and(|king| attackers(king).any())
}

/// Make each pseudo-legal move, test whether it was legal, undo it.
pub(crate) fn make_and_undo<S: Sliders>(position: &mut Position, depth: u32, sliders: S) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (us, mut leaves) = (position.turn(), 0);
    for mv in position.generator().with_sliders(sliders).list::<PseudoLegal<Legal>>() {
        let undo = position.make(mv);
        if !is_illegal(position, us, sliders) {
            leaves += make_and_undo(position, depth - 1, sliders);
        }
        position.unmake(mv, undo);
    }
    leaves
}

/// The same with a copy for each move, and nothing to undo.
pub(crate) fn copy<S: Sliders>(position: &Position, depth: u32, sliders: S) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (us, mut leaves) = (position.turn(), 0);
    for mv in position.generator().with_sliders(sliders).list::<PseudoLegal<Legal>>() {
        let child = position.play(mv);
        if !is_illegal(&child, us, sliders) {
            leaves += copy(&child, depth - 1, sliders);
        }
    }
    leaves
}

/// Only legal moves, each of them made.
pub(crate) fn legal(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => children(position, |child| legal(child, depth - 1)),
    }
}

/// The same, but what's found at depth 1 is only counted.
pub(crate) fn bulk(position: &Position, depth: u32, count: fn(&Position) -> usize) -> u64 {
    match depth {
        0 => 1,
        1 => count(position) as u64,
        _ => children(position, |child| bulk(child, depth - 1, count)),
    }
}

fn children(position: &Position, mut visit: impl FnMut(&Position) -> u64) -> u64 {
    let moves = position.generator().with_sliders(Magic).list::<Legal>();
    moves.into_iter().map(|mv| visit(&position.play(mv))).sum()
}

/// The length of the list of legal moves.
pub(crate) fn list(position: &Position) -> usize {
    position.generator().with_sliders(Magic).list::<Legal>().len()
}

/// Captures, then quiet moves; in check, evasions. The stages share what was found about the king.
pub(crate) fn staged(position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let generator = position.generator().with_sliders(Magic);
    let mut leaves = 0;
    let mut stage = |moves: tabiya::MoveList| match depth {
        1 => leaves += moves.len() as u64,
        _ => moves.iter().for_each(|&mv| leaves += staged(&position.play(mv), depth - 1)),
    };
    if generator.facts().is_check() {
        stage(generator.list::<Evasions>());
    } else {
        stage(generator.list::<Captures>());
        stage(generator.list::<Quiets>());
    }
    leaves
}

/// Moves as sets within the masks, whose sizes are added up, with the slider method of a name.
#[derive(Debug)]
pub(crate) struct Sets {
    method: &'static str,
    node: Node,
}

#[derive(Clone, Debug)]
struct Node {
    position: Position,
    depth: u32,
    leaves: u64,
}

impl Sets {
    pub(crate) fn count(method: &'static str, position: &Position, depth: u32) -> u64 {
        let node = Node { position: position.clone(), depth, leaves: 0 };
        let mut sets = Self { method, node };
        tabiya::attacks::visit_methods(&mut sets);
        sets.node.leaves
    }
}

impl MethodVisitor for Sets {
    fn visit<S: Sliders>(&mut self, sliders: S) {
        if S::NAME == self.method {
            sliders.enter(&mut self.node);
        }
    }
}

/// The method is entered anew at each node above the last: recursion isn't inlined, and only code
/// that's inlined into `enter` is compiled for the method's CPU features.
impl MethodVisitor for Node {
    #[inline(always)]
    fn visit<S: Sliders>(&mut self, sliders: S) {
        if self.depth <= 1 {
            self.leaves = if self.depth == 0 { 1 } else { sizes(&self.position, sliders) };
            return;
        }
        for mv in self.position.generator().with_sliders(sliders).list::<Legal>() {
            let position = self.position.play(mv);
            if self.depth == 2 {
                self.leaves += sizes(&position, sliders);
            } else {
                let mut child = Self { position, depth: self.depth - 1, leaves: 0 };
                sliders.enter(&mut child);
                self.leaves += child.leaves;
            }
        }
    }
}

#[inline(always)]
fn sizes<S: Sliders>(position: &Position, sliders: S) -> u64 {
    let mut count = Count::default();
    position.generator().with_sliders(sliders).generate::<Legal>(&mut count);
    u64::from(count.0)
}

/// The names of the slider methods that this CPU has, the simplest first.
pub(crate) fn methods() -> Vec<&'static str> {
    struct Names(Vec<&'static str>);
    impl MethodVisitor for Names {
        fn visit<S: Sliders>(&mut self, _: S) {
            self.0.push(S::NAME);
        }
    }
    let mut names = Names(Vec::new());
    tabiya::attacks::visit_methods(&mut names);
    names.0
}
