//! Several positions side by side, and what their pieces attack.

use super::rows::Rows;
use crate::lanes::Lanes;
use crate::lanes::direction::{Direction, Lines, each, each_leap, king_attacks, knight_attacks};
use crate::lanes::pieces::Pieces;
use crate::node::rules;
use crate::node::sets::{NOT_A, NOT_H, RANK_8};

/// Several positions, a position to a lane.
#[derive(Clone, Copy)]
pub(super) struct Board<L> {
    /// The side to move; its pawns go down.
    pub mover: Pieces<L>,
    /// The side that replies; its pawns go up.
    pub replier: Pieces<L>,
    pub own: L,
    pub theirs: L,
    pub occupied: L,
    pub empty: L,
    /// All rooks that may castle, and the square behind a pawn that has just made a double push.
    pub rooks: L,
    pub en_passant: L,
    /// The replier's corner rooks that may castle with a king on e1.
    pub castling: L,
    /// All of the first rank where the replier may castle from other squares, and how many castlings
    /// it has there.
    pub unorthodox: L,
    pub unorthodox_castlings: L,
}

impl<L: Lanes> Board<L> {
    #[inline(always)]
    pub(super) fn load(rows: &Rows, first: usize) -> Self {
        let f = first as u8;
        let index = [f, f + 1, f + 2, f + 3, f + 4, f + 5, f + 6, f + 7];
        let [rp, rn, rd, ro, mp, mn, md, mo] = L::columns(&rows.pieces, &index);
        let [mk, rk, rooks, en_passant, castling, unorthodox, unorthodox_castlings, _] =
            L::columns(&rows.rest, &index);
        let mover = Pieces { pawns: mp, knights: mn, diagonal: md, orthogonal: mo, king: mk };
        let replier = Pieces { pawns: rp, knights: rn, diagonal: rd, orthogonal: ro, king: rk };
        let own = mover.all();
        let theirs = replier.all();
        let occupied = own | theirs;
        Self {
            mover,
            replier,
            own,
            theirs,
            occupied,
            empty: !occupied,
            rooks,
            en_passant,
            castling,
            unorthodox,
            unorthodox_castlings,
        }
    }
}

/// What the sliders reach and the kings see, direction by direction.
pub(super) struct Rays<L> {
    /// The directions in which some lane has sliders of the mover, of the replier.
    pub mover_lines: Lines,
    pub replier_lines: Lines,
    pub spread: [[L; 3]; 8],
    /// What the mover's sliders reach.
    pub mover: [L; 8],
    /// What the replier's sliders reach.
    pub replier: [L; 8],
    /// What the replier's king sees, where the mover has sliders that could look back.
    pub king: [L; 8],
    /// What the mover's king sees, where the replier has sliders that could look back.
    pub mover_king: [L; 8],
}

impl<L: Lanes> Rays<L> {
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    pub(super) fn of(b: &Board<L>) -> Self {
        let (mover, replier) = (&b.mover, &b.replier);
        let lines_of = |side: &Pieces<L>| Lines {
            orthogonal: side.orthogonal.any(),
            diagonal: side.diagonal.any(),
        };
        let (mover_lines, replier_lines) = (lines_of(mover), lines_of(replier));
        let none = L::splat(0);
        let mut rays = Self {
            mover_lines,
            replier_lines,
            spread: [[none; 3]; 8],
            mover: [none; 8],
            replier: [none; 8],
            king: [none; 8],
            mover_king: [none; 8],
        };
        each!(Lines::ALL, d => {
            let spread = d.spread(b.empty);
            rays.spread[d.lane] = spread;
            rays.mover[d.lane] = d.slide(mover.sliders(d), &spread);
            rays.king[d.lane] = d.slide(replier.king, &spread);
            rays.replier[d.lane] = d.slide(replier.sliders(d), &spread);
            rays.mover_king[d.lane] = d.slide(mover.king, &spread);
        });
        rays
    }
}

/// The squares that the mover attacks, and those that it attacks at least twice.
pub(super) struct Attacked<L> {
    pub once: L,
    pub twice: L,
}

impl<L: Lanes> Attacked<L> {
    #[inline(always)]
    pub(super) fn of(b: &Board<L>, rays: &Rays<L>) -> Self {
        let mut all = Self { once: L::splat(0), twice: L::splat(0) };
        each!(rays.mover_lines, d => { all.add(rays.mover[d.lane]); });
        if b.mover.knights.any() {
            each_leap!(d => { all.add(d.step(b.mover.knights)); });
        }
        all.add(b.mover.pawns.shr(9) & L::splat(NOT_H));
        all.add(b.mover.pawns.shr(7) & L::splat(NOT_A));
        all.add(king_attacks(b.mover.king).without(b.mover.king));
        all
    }

    #[inline(always)]
    fn add(&mut self, set: L) {
        self.twice = self.twice | (self.once & set);
        self.once = self.once | set;
    }
}

/// What the mover must respect.
pub(super) struct NodeLegality<L> {
    /// The squares the replier attacks, through the king.
    pub danger: L,
    /// Where pieces other than the king may go.
    pub targets: L,
    /// The pinned pieces, by the axis of the pin.
    pub on_axis: [L; 4],
    pub pinned: L,
    /// The king, if it is in check.
    pub in_check: L,
}

impl<L: Lanes> NodeLegality<L> {
    #[inline(always)]
    pub(super) fn of(b: &Board<L>, rays: &Rays<L>) -> Self {
        let none = L::splat(0);
        let (mover, replier) = (&b.mover, &b.replier);
        let king = mover.king;
        let west = replier.pawns.shl(7) & L::splat(NOT_H);
        let east = replier.pawns.shl(9) & L::splat(NOT_A);
        let pawns_of_check = king.shr(9) & L::splat(NOT_H) | king.shr(7) & L::splat(NOT_A);
        let mut lines = KingLines {
            danger: knight_attacks(replier.knights) | west | east | king_attacks(replier.king),
            checkers: knight_attacks(king) & replier.knights | pawns_of_check & replier.pawns,
            block: none,
            pins: [none; 4],
        };
        each!(rays.replier_lines, d => { lines.look(b, rays, d); });
        let KingLines { mut danger, checkers, block, pins } = lines;
        let in_check = danger & king;
        if in_check.any() {
            // No escape behind the king from a slider in front of it.
            each!(rays.replier_lines, d => { danger = danger | d.step(rays.replier[d.lane] & king); });
        }
        let targets = (checkers | block | L::splat(!0).if_none(checkers)).without(b.own);
        let targets = targets.if_none(checkers & checkers.decrement());
        let pinned = pins[0] | pins[1] | pins[2] | pins[3];
        Self { danger, targets, on_axis: pins, pinned, in_check }
    }
}

impl<L: Lanes> NodeLegality<L> {
    /// Not empty where the mover may castle. Elsewhere it certainly cannot.
    #[inline(always)]
    pub(super) fn castling(&self, b: &Board<L>) -> L {
        let rooks = b.rooks & L::splat(RANK_8);
        let mut all = L::splat(0);
        if rooks.any() {
            // King and rooks on squares that are not those of the usual setup.
            let unorthodox = b.mover.king.without(L::splat(E8)) | rooks.without(L::splat(A8 | H8));
            all = rooks.if_any(unorthodox);
            for [rook, between, path] in rules::CASTLINGS {
                let (between, path) = (L::splat(between << 56), L::splat(path << 56));
                let obstacle = between & b.occupied | path & self.danger;
                all = all | (rooks & L::splat(rook << 56)).if_none(obstacle);
            }
            all = all.if_none(self.in_check);
        }
        all
    }
}

const A8: u64 = 1 << 56;
const E8: u64 = 1 << 60;
const H8: u64 = 1 << 63;

/// What is found along the lines of the mover's king.
struct KingLines<L> {
    danger: L,
    checkers: L,
    block: L,
    pins: [L; 4],
}

impl<L: Lanes> KingLines<L> {
    /// Along the king's ray in direction `d`, whose sliders come the other way.
    #[inline(always)]
    fn look<const UP: bool>(&mut self, b: &Board<L>, rays: &Rays<L>, d: Direction<UP>) {
        let seen = rays.mover_king[d.lane];
        let coming = rays.replier[d.lane ^ 4];
        let checker = seen & b.replier.sliders(d);
        self.checkers = self.checkers | checker;
        self.block = self.block | seen.if_any(checker);
        self.pins[d.lane & 3] = self.pins[d.lane & 3] | (seen & coming & b.own);
        self.danger = self.danger | coming;
    }
}
