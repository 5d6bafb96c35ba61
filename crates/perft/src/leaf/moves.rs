//! The mover's legal moves, handed out in sets.
//!
//! All eight directions are looked at at once: one vector holds the king's rays, another each
//! slider's. Single pieces come out as a set of targets, pawns as one set of targets to a
//! direction, and what moves two men or changes its role as a finished child.

use super::node::{Node, Side};
use super::rules;
use super::star::{LINES, Star};
use super::tables::{KING, KNIGHT, PAWN_DOWN};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const RANK_1: u64 = 0xff;
const RANK_6: u64 = 0xff << 40;

/// Where the moves of a node go.
pub(super) trait Sink<S: Star> {
    /// The moves of the king.
    fn king(&mut self, from: u32, targets: u64);
    /// The moves of a knight.
    fn knight(&mut self, from: u32, targets: u64);
    /// The moves of a slider: those of `targets` that it can reach, a direction to a lane. `lines` is
    /// full in the lanes in which it moves.
    fn slider(&mut self, from: u32, reach: S, targets: u64, lines: &'static [u64; 8]);
    /// Where pawns go, off the last rank: by single and double pushes, by captures to the west and
    /// to the east.
    fn pawns(&mut self, single: u64, double: u64, west: u64, east: u64);
    /// Where children of another kind go.
    type Odd: Odd;
    /// Takes children of another kind. A part of the sink, so that the functions that find those
    /// children, which are not inlined, do not see the rest: what a function elsewhere may see has to
    /// be in memory, and the sink's state had better be in registers.
    fn odd(&mut self) -> &mut Self::Odd;
}

/// Takes children that are not made by moving one man: promotions, castlings, captures en passant.
pub(super) trait Odd {
    /// Takes one of them.
    fn take(&mut self, child: Node);
}

/// What the mover must respect.
pub(super) struct Legality<S> {
    pub occupied: u64,
    pub own: u64,
    /// What the replier's sliders reach.
    pub reach: S,
    /// The replier's attacks, through the king.
    pub danger: u64,
    /// Where men other than the king may go.
    pub targets: u64,
    pub pinned: u64,
    /// The king's rays up to a pinner, empty in lanes without one.
    pub pin_rays: S,
    pub in_check: bool,
    pub double_check: bool,
}

/// All squares attacked by knights.
#[inline(always)]
pub(super) fn knight_attacks(knights: u64) -> u64 {
    let near = knights << 1 & NOT_A | knights >> 1 & NOT_H;
    let far = knights << 2 & NOT_A & NOT_A << 1 | knights >> 2 & NOT_H & NOT_H >> 1;
    near << 16 | near >> 16 | far << 8 | far >> 8
}

/// All squares attacked by pawns that go up.
#[inline(always)]
pub(super) fn up_attacks(pawns: u64) -> u64 {
    pawns << 7 & NOT_H | pawns << 9 & NOT_A
}

/// All squares attacked by pawns that go down.
#[inline(always)]
pub(super) fn down_attacks(pawns: u64) -> u64 {
    pawns >> 9 & NOT_H | pawns >> 7 & NOT_A
}

impl<S: Star> Legality<S> {
    #[inline(always)]
    pub(super) fn of(node: &Node) -> Self {
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
        Self { occupied, own, reach, danger, targets, pinned, pin_rays, in_check, double_check }
    }

    /// The squares a man on `from` may go to without leaving its pin ray.
    #[inline(always)]
    fn leash(&self, from: u64) -> u64 {
        if self.pinned & from == 0 {
            return !0;
        }
        self.pin_rays.if_any(self.pin_rays & S::splat(from)).union()
    }
}

/// Hands all legal moves of the mover to `sink`.
#[inline(always)]
pub(super) fn generate<S: Star>(node: &Node, legal: &Legality<S>, sink: &mut impl Sink<S>) {
    let Side { pawns, knights, diagonal, orthogonal, king } = node.mover;
    let from = king.trailing_zeros();
    sink.king(from, KING[(from & 63) as usize] & !legal.own & !legal.danger);
    if legal.double_check {
        return;
    }
    if node.castling >> 56 != 0 && !legal.in_check {
        let odd = sink.odd();
        rules::castlings(node, legal.danger, |child| odd.take(child));
    }

    let mut rest = knights & !legal.pinned;
    while rest != 0 {
        let from = rest.trailing_zeros();
        rest &= rest - 1;
        sink.knight(from, KNIGHT[from as usize] & legal.targets);
    }

    let mut rest = diagonal | orthogonal;
    while rest != 0 {
        let from = rest.trailing_zeros();
        rest &= rest - 1;
        let bit = 1u64 << from;
        let lines = &LINES[(orthogonal >> from & 1 | (diagonal >> from & 1) << 1) as usize];
        let targets = legal.targets & legal.leash(bit);
        let reach = S::look(from, S::splat(legal.occupied)) & S::load(lines);
        sink.slider(from, reach, targets, lines);
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
        sink.pawns(single & !RANK_1, double, west & !RANK_1, east & !RANK_1);
        if (single | west | east) & RANK_1 != 0 {
            promotions(node, [(8, single), (9, west), (7, east)], sink.odd());
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
        let odd = sink.odd();
        rules::en_passants(node, |child| odd.take(child));
    }
}

#[inline(never)]
pub(super) fn promotions(node: &Node, sets: [(u32, u64); 3], odd: &mut impl Odd) {
    for (back, targets) in sets {
        let mut rest = targets & RANK_1;
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            let mut child = *node;
            child.replier = child.replier.without(to);
            child.mover.pawns ^= to << back;
            child.castling &= !to;
            child.en_passant = 0;
            for (knight, diagonal, orthogonal) in [(to, 0, 0), (0, to, 0), (0, 0, to), (0, to, to)]
            {
                let mut child = child;
                child.mover.knights |= knight;
                child.mover.diagonal |= diagonal;
                child.mover.orthogonal |= orthogonal;
                odd.take(child);
            }
        }
    }
}

/// The position after a move of one man that keeps its role.
#[inline(always)]
pub(super) fn play(node: &Node, from: u64, to: u64) -> Node {
    let moved = |set: u64| set ^ if set & from != 0 { from | to } else { 0 };
    let m = &node.mover;
    let mover = Side {
        pawns: moved(m.pawns),
        knights: moved(m.knights),
        diagonal: moved(m.diagonal),
        orthogonal: moved(m.orthogonal),
        king: moved(m.king),
    };
    let stay = if m.king == from { !0 >> 8 } else { !0 };
    Node {
        mover,
        replier: node.replier.without(to),
        castling: node.castling & stay & !(from | to),
        en_passant: 0,
    }
}

/// Makes every child and hands it to a closure, turned so that the side to move is the mover.
pub(super) struct Children<'a, F> {
    pub node: &'a Node,
    pub found: F,
}

impl<F: FnMut(Node)> Children<'_, F> {
    /// Hands out the children of the moves from `from` to each of `targets`.
    #[inline(always)]
    pub(super) fn each(&mut self, from: u32, targets: u64) {
        let mut rest = targets;
        while rest != 0 {
            let to = rest & rest.wrapping_neg();
            rest ^= to;
            (self.found)(play(self.node, 1 << from, to).turned());
        }
    }
}

impl<S: Star, F: FnMut(Node)> Sink<S> for Children<'_, F> {
    #[inline(always)]
    fn king(&mut self, from: u32, targets: u64) {
        self.each(from, targets);
    }
    #[inline(always)]
    fn knight(&mut self, from: u32, targets: u64) {
        self.each(from, targets);
    }
    #[inline(always)]
    fn slider(&mut self, from: u32, reach: S, targets: u64, _lines: &'static [u64; 8]) {
        self.each(from, reach.union() & targets);
    }
    #[inline(always)]
    fn pawns(&mut self, single: u64, double: u64, west: u64, east: u64) {
        for (back, targets) in [(8, single), (16, double), (9, west), (7, east)] {
            let mut rest = targets;
            while rest != 0 {
                let to = rest & rest.wrapping_neg();
                rest ^= to;
                let mut child = play(self.node, to << back, to);
                if back == 16 && down_attacks(to << 8) & self.node.replier.pawns != 0 {
                    child.en_passant = to << 8;
                }
                (self.found)(child.turned());
            }
        }
    }
    type Odd = Self;
    #[inline(always)]
    fn odd(&mut self) -> &mut Self {
        self
    }
}

impl<F: FnMut(Node)> Odd for Children<'_, F> {
    #[inline(always)]
    fn take(&mut self, child: Node) {
        (self.found)(child.turned());
    }
}
