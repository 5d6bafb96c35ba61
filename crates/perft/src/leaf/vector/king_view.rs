//! What the replier's king sees, and which moves change what it can do or what checks and pins it
//! faces.
//!
//! Such moves are *sharp*: the replies to them are counted exactly. Escapes and squares that one
//! piece alone guards need not make a move sharp: how many of them a move takes or gives is a sum
//! again. `ALGORITHM.md` has the lemmas.

use super::board::{Attacked, Board, Rays};
use crate::lanes::Lanes;
use crate::lanes::direction::{Direction, each, king_attacks, knight_attacks};
use crate::node::rules;
use crate::node::sets::{NOT_A, NOT_H};

/// What is known of the replier's king and the squares around it.
pub(super) struct KingView<L: Lanes> {
    pub sharp: Sharp<L>,
    pub pins: Pins<L>,
    /// The squares that the king sees, up to the first piece in each direction.
    pub seen: L,
    /// Squares to which the king could go.
    pub escapes: L,
    /// From where a slider would attack one, direction by direction.
    pub escape_rays: [L; 8],
    /// Squares to which it could go if one piece of the mover did not attack them, and the rooks and
    /// bishops that do.
    pub guarded_alone: L,
    pub guards: L,
    /// The number of moves of the king and of pinned sliders, and of castlings.
    pub replies: L,
}

/// The table of sharp moves, as sets.
pub(super) struct Sharp<L> {
    /// Pieces whose every move is sharp.
    pub from: L,
    /// Squares that are sharp to enter for every piece.
    pub to: L,
    /// The same for knights, for pawns, for the king.
    pub to_knight: L,
    pub to_pawn: L,
    pub to_king: L,
    /// The same for what moves like a rook, for what moves like a bishop.
    pub to_orthogonal: L,
    pub to_diagonal: L,
}

/// The pins that there are.
pub(super) struct Pins<L> {
    /// The replier's pinned pieces: on files, on ranks, on diagonals that rise to the east, on
    /// those that fall; and all of them.
    pub on_axis: [L; 4],
    pub pinned: L,
    /// Where pinned sliders can go.
    moves: L,
}

impl<L: Lanes> KingView<L> {
    /// Looks at the king and at the squares around it (Lemma 1, Lemma 5, Lemma 7).
    #[cfg_attr(not(any(debug_assertions, test)), inline(always))]
    #[cfg_attr(any(debug_assertions, test), inline(never))]
    pub(super) fn of(b: &Board<L>, rays: &Rays<L>, attacked: &Attacked<L>) -> Self {
        let none = L::splat(0);
        let (mover, replier) = (&b.mover, &b.replier);
        let ring = king_attacks(replier.king).without(replier.king);
        let mut from = none;
        // Where another piece still attacks the square, the king cannot take.
        let mut to = (ring & b.theirs).without(attacked.twice);
        let mut path_zone = none;
        let mut castlings = b.unorthodox_castlings;
        if (b.castling | b.unorthodox).any() {
            for [rook, between, path] in rules::CASTLINGS {
                let right = L::splat(!0).if_any(b.castling & L::splat(rook));
                from = from | right & L::splat(between);
                to = to | right & L::splat(between | rook);
                let open = right.if_none(b.occupied & L::splat(between));
                path_zone = path_zone | open & L::splat(path);
                castlings =
                    castlings.plus(open & L::splat(1).if_none(attacked.once & L::splat(path)));
            }
            path_zone = path_zone | b.unorthodox;
            from = from | b.unorthodox;
            to = to | b.unorthodox;
        }
        let zone = ring.without(b.theirs) | path_zone;
        let guarded = zone & attacked.once;
        let once = guarded.without(attacked.twice);
        let escapes = ring.without(b.theirs | attacked.once);
        let path = path_zone.without(attacked.once);
        let mut view = Self {
            sharp: Sharp {
                from,
                to,
                to_knight: knight_attacks(replier.king),
                to_pawn: replier.king.shl(7) & L::splat(NOT_H)
                    | replier.king.shl(9) & L::splat(NOT_A),
                to_king: none,
                to_orthogonal: none,
                to_diagonal: none,
            },
            pins: Pins { on_axis: [none; 4], pinned: none, moves: none },
            seen: none,
            escapes,
            escape_rays: [none; 8],
            guarded_alone: (once & ring).without(b.theirs),
            guards: none,
            replies: castlings,
        };
        let zones = Zones { guarded, path_once: once & path_zone, escapes, path };
        let any = Any { guarded: guarded.any(), escapes: escapes.any(), path: path.any() };
        let mut to_line = [none; 4];
        each!(rays.mover_lines, d => {
            let to = view.look(b, rays, &zones, any, d);
            to_line[d.lane & 3] = to_line[d.lane & 3] | to;
        });
        L::count(&mut view.replies, ring.without(b.theirs | attacked.once));
        L::count(&mut view.replies, view.pins.moves);
        let on_axis = &view.pins.on_axis;
        view.pins.pinned = on_axis[0] | on_axis[1] | on_axis[2] | on_axis[3];
        let sharp = &mut view.sharp;
        sharp.to_orthogonal = to_line[0] | to_line[1];
        sharp.to_diagonal = to_line[2] | to_line[3];
        if any.guarded {
            // Pawns that guard a castling path are promoted by every move they have.
            sharp.from = sharp.from
                | knight_attacks(once & path_zone) & mover.knights
                | mover.king & king_attacks(once);
        }
        if any.path {
            sharp.to_knight = sharp.to_knight | knight_attacks(path);
            sharp.to_pawn =
                sharp.to_pawn | path.shl(7) & L::splat(NOT_H) | path.shl(9) & L::splat(NOT_A);
        }
        sharp.to_king = king_attacks(path | escapes);
        view
    }

    /// Looks in one direction from the king and from the squares around it. Returns where it is
    /// sharp for a slider to arrive that moves along such lines
    /// (Lemma 1, Lemma 2, Lemma 3, Lemma 6, Lemma 16).
    #[inline(always)]
    fn look<const UP: bool>(
        &mut self,
        b: &Board<L>,
        rays: &Rays<L>,
        zones: &Zones<L>,
        any: Any,
        d: Direction<UP>,
    ) -> L {
        let spread = &rays.spread[d.lane];
        let seen = rays.king[d.lane];
        // What the mover's sliders reach as they come towards the king.
        let inward = rays.mover[d.lane ^ 4];
        let sliders = b.mover.sliders(d);
        let far = d.slide(seen & b.occupied, spread);
        let shield = seen & b.theirs;
        let behind = far.if_any(shield);
        let pinned = shield & inward;
        self.seen = self.seen | seen;
        let mut watched = seen;
        let mut line = seen | behind;
        if any.escapes {
            let rays = d.slide(zones.escapes, spread);
            watched = watched | rays;
            // Two in a row.
            line = line | d.slide(rays & zones.escapes, spread);
            self.escape_rays[d.lane] = rays;
        }
        if any.path {
            let rays = d.slide(zones.path, spread);
            watched = watched | rays;
            line = line | rays;
        }
        let mut guards = L::splat(0);
        if any.guarded {
            let rays = d.slide(self.guarded_alone, spread);
            guards = rays & sliders;
            watched = watched | rays;
            self.sharp.from = self.sharp.from | d.slide(zones.path_once, spread) & sliders;
            self.sharp.to = self.sharp.to | d.slide(zones.guarded, spread) & inward & b.empty;
        }
        // A queen that leaves may attack the square again.
        let queens = b.mover.orthogonal & b.mover.diagonal;
        let mut from = inward & watched & b.own | guards & queens;
        self.guards = self.guards | guards.without(queens);
        let pinner = behind & sliders;
        from = from | pinner | behind & b.own & inward;
        from = from | (seen & b.own).if_any(far & b.theirs & inward);
        self.sharp.from = self.sharp.from | from;
        // Between king and pinner.
        let line_of_pin = (seen | far).if_any(pinned);
        self.sharp.to = self.sharp.to | line_of_pin;
        self.pins.on_axis[d.lane & 3] = self.pins.on_axis[d.lane & 3] | pinned;
        // Lines of different pins have no square in common.
        let movable = pinned & b.replier.sliders(d);
        self.pins.moves = self.pins.moves | line_of_pin.without(pinned).if_any(movable);
        line
    }
}

/// Squares that matter to the king.
struct Zones<L> {
    /// Squares around the king that are attacked.
    guarded: L,
    /// Squares of castling paths that are attacked exactly once.
    path_once: L,
    escapes: L,
    /// Squares of castling paths that are not attacked.
    path: L,
}

/// Whether some lane has such squares.
#[derive(Clone, Copy)]
struct Any {
    guarded: bool,
    escapes: bool,
    path: bool,
}
