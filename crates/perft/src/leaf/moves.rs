//! The children of an interior node, made one by one.
//!
//! All eight directions are looked at at once: one vector holds the king's rays, another each
//! slider's.

use super::node::{Node, Side};
use super::rules;
use super::sets::{NOT_A, NOT_H, RANK_1, RANK_6, down_attacks, knight_attacks, up_attacks};
use super::star::{LINES, Star};
use super::tables::{KING, KNIGHT, PAWN_DOWN};

/// What the mover must respect.
struct Legality<S> {
    occupied: u64,
    own: u64,
    /// The replier's attacks, through the king.
    danger: u64,
    /// Where pieces other than the king may go.
    targets: u64,
    pinned: u64,
    /// The king's rays up to a pinner, empty in lanes without one.
    pin_rays: S,
    in_check: bool,
    double_check: bool,
}

impl<S: Star> Legality<S> {
    #[inline(always)]
    fn of(node: &Node) -> Self {
        let (mover, replier) = (&node.mover, &node.replier);
        let own = mover.all();
        let occupied = own | replier.all();
        let king = mover.king.trailing_zeros();
        let sliders = S::sliders(replier.orthogonal, replier.diagonal);

        let reach = sliders.slide(S::splat(!occupied));
        let mut danger = reach.union()
            | knight_attacks(replier.knights)
            | up_attacks(replier.pawns)
            | KING[(replier.king.trailing_zeros() & 63) as usize];

        let first = S::look(king, S::splat(occupied));
        let checking = first & sliders;
        let shield = first & S::splat(own);
        let second = S::look(king, S::splat(occupied) ^ shield);
        let pin_rays = second.if_any(shield).if_any(second & sliders);
        let k = (king & 63) as usize;
        let leapers = KNIGHT[k] & replier.knights | PAWN_DOWN[k] & replier.pawns;

        let mut targets = !own;
        let mut pinned = 0;
        if pin_rays.any() {
            pinned = (pin_rays & shield).union();
        }
        let in_check = danger & mover.king != 0;
        let mut double_check = false;
        if in_check {
            let checkers = checking.union() | leapers;
            targets &= first.if_any(checking).union() | checkers;
            double_check = checkers & (checkers - 1) != 0;
            // No refuge behind the king from a slider in front of it.
            danger |= (reach & S::splat(mover.king)).step().union();
        }
        Self { occupied, own, danger, targets, pinned, pin_rays, in_check, double_check }
    }

    /// The squares a piece on `from` may go to without leaving its pin ray.
    #[inline(always)]
    fn leash(&self, from: u64) -> u64 {
        if self.pinned & from == 0 {
            return !0;
        }
        self.pin_rays.if_any(self.pin_rays & S::splat(from)).union()
    }
}

/// Makes every child of a node and hands it out, turned so that the side to move is the mover.
#[inline(always)]
pub(super) fn each_child<S: Star>(node: &Node, found: impl FnMut(Node)) {
    let legal = Legality::<S>::of(node);
    let mut children = Children { node, found };
    let Side { pawns, knights, diagonal, orthogonal, king } = node.mover;
    let from = king.trailing_zeros();
    children.piece(from, KING[(from & 63) as usize] & !legal.own & !legal.danger);
    if legal.double_check {
        return;
    }
    if node.castling >> 56 != 0 && !legal.in_check {
        rules::castlings(node, legal.occupied, legal.danger, |child| children.other(child));
    }

    let mut rest = knights & !legal.pinned;
    while rest != 0 {
        let from = rest.trailing_zeros();
        rest &= rest - 1;
        children.piece(from, KNIGHT[from as usize] & legal.targets);
    }

    let mut rest = diagonal | orthogonal;
    while rest != 0 {
        let from = rest.trailing_zeros();
        rest &= rest - 1;
        let lines = &LINES[(orthogonal >> from & 1 | (diagonal >> from & 1) << 1) as usize];
        let reach = S::look(from, S::splat(legal.occupied)) & S::load(lines);
        children.piece(from, reach.union() & legal.targets & legal.leash(1 << from));
    }

    let empty = !legal.occupied;
    let enemy = legal.occupied & !legal.own;
    let mut free = pawns & !legal.pinned;
    let mut leash = !0;
    let mut tied = pawns & legal.pinned;
    loop {
        let single = free >> 8 & empty & leash;
        let double = (free >> 8 & empty & RANK_6) >> 8 & empty & legal.targets & leash;
        let single = single & legal.targets;
        let west = free >> 9 & NOT_H & enemy & legal.targets & leash;
        let east = free >> 7 & NOT_A & enemy & legal.targets & leash;
        children.pawns(single & !RANK_1, double, west & !RANK_1, east & !RANK_1);
        if (single | west | east) & RANK_1 != 0 {
            rules::promotions(node, [(8, single), (9, west), (7, east)], |child| {
                children.other(child);
            });
        }
        // Pinned pawns follow one by one, each on its leash.
        if tied == 0 {
            break;
        }
        free = tied & tied.wrapping_neg();
        tied ^= free;
        leash = legal.leash(free);
    }
    if node.en_passant != 0 {
        rules::en_passants(node, |child| children.other(child));
    }
}

/// Makes the children of a node.
struct Children<'a, F> {
    node: &'a Node,
    found: F,
}

impl<F: FnMut(Node)> Children<'_, F> {
    /// Those of the moves of one piece to each of `targets`.
    #[inline(always)]
    fn piece(&mut self, from: u32, targets: u64) {
        let mut rest = targets;
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            (self.found)(self.node.after(1 << from, to).turned());
        }
    }

    /// Those of pawns, by where they go: single and double pushes, captures to the west and to the
    /// east.
    #[inline(always)]
    fn pawns(&mut self, single: u64, double: u64, west: u64, east: u64) {
        for (back, targets) in [(8, single), (16, double), (9, west), (7, east)] {
            let mut rest = targets;
            while rest != 0 {
                let to = rest & rest.wrapping_neg();
                rest ^= to;
                let mut child = self.node.after(to << back, to);
                if back == 16 && down_attacks(to << 8) & self.node.replier.pawns != 0 {
                    child.en_passant = to << 8;
                }
                (self.found)(child.turned());
            }
        }
    }

    /// One that is not made by moving one piece.
    #[inline(always)]
    fn other(&mut self, child: Node) {
        (self.found)(child.turned());
    }
}
