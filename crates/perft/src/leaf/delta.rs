//! Counting the replies to most moves without playing them.
//!
//! Count the replies to a null move once. A move from `f` to `t` that leaves the safety of the
//! replier's king alone then changes that count by sums over squares:
//!
//! - `f` is vacated: a slider that could take there now runs on; pawn captures there are lost, pawn
//!   pushes through there gained;
//! - `t` is filled: a slider that passed there stops, and loses what lay beyond; pawn pushes
//!   through there are lost, pawn captures there gained;
//! - if a man of the replier stood on `t`, its moves are gone, and those who guarded it may now
//!   take.
//!
//! Each of these depends on one square of the node, not on the move. So let `n(s)` be the number
//! of moves that leave or enter the square `s`. Kept as binary digits, bitboard by bitboard, `n` is
//! built by adding whole target sets; the change of a square is kept likewise ("how many squares
//! lie beyond", three bitboards to a direction); and the sum over all moves of all changes is a sum
//! of population counts of intersections, taken in all directions at once.
//!
//! And if the man attacks squares from `t` to which the replier's king could go, the king loses
//! those moves: again their number depends on `t` alone, for each role.
//!
//! A move is sent to the lanes instead when it is *sharp*, that is when it
//!
//! - gives check, or makes, breaks or meets a pin;
//! - takes an attack from a square around the replier's king, or enters such a square, or attacks two of
//!   them along one line;
//! - changes which squares of an open castling path are attacked;
//! - runs along a line on which a slider of the replier attacks it, so that what it vacates and
//!   what it fills are not independent (and some like cases with pawns);
//! - allows an en-passant capture that may expose the king, castles, promotes, or captures en passant.
//!
//! All tests are masks of squares made once a node, a little pessimistic where that is cheaper.

use super::moves::{Legality, Sink, knight_attacks, up_attacks};
use super::node::Node;
use super::queue::Queue;
use super::rules;
use super::star::{KNIGHT_LANDING, KNIGHT_STEP, Star};
use super::tables::{KING, KNIGHT, PAWN_DOWN, PAWN_UP};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const RANK_1: u64 = 0xff;
const RANK_2: u64 = 0xff << 8;
const RANK_3: u64 = 0xff << 16;
const RANK_7: u64 = 0xff << 48;
const RANK_8: u64 = 0xff << 56;

/// A number below 32 for each square, in binary digits.
#[derive(Clone, Copy)]
struct Digits {
    /// From whole sets.
    sums: [u64; 5],
    /// From numbers put on single squares, which no set holds. Kept apart because the compiler
    /// makes vectors of these and would move the others back and forth.
    numbers: [u64; 5],
}

impl Digits {
    const ZERO: Self = Self { sums: [0; 5], numbers: [0; 5] };

    /// Adds one on each square of a set.
    #[inline(always)]
    fn add(&mut self, set: u64) {
        let mut carry = set;
        for digit in &mut self.sums {
            let sum = *digit ^ carry;
            carry &= *digit;
            *digit = sum;
        }
    }

    /// The digits, in an array of their own: whoever picks one by a variable number does not keep the
    /// others in memory while they are summed.
    #[inline(always)]
    fn all(&self) -> [u64; 5] {
        let (s, n) = (&self.sums, &self.numbers);
        [s[0] | n[0], s[1] | n[1], s[2] | n[2], s[3] | n[3], s[4] | n[4]]
    }

    /// Adds `n` on one square, which has nothing yet.
    #[inline(always)]
    fn put(&mut self, square: u32, n: u32) {
        for (i, digit) in self.numbers.iter_mut().enumerate() {
            *digit |= u64::from(n >> i & 1) << square;
        }
    }
}

/// The squares that make a move sharp.
struct Sharp<S> {
    /// For men that leave them.
    from: u64,
    /// For men that enter them.
    to: u64,
    to_knight: u64,
    to_pawn: u64,
    to_king: u64,
    to_orthogonal: u64,
    to_diagonal: u64,
    /// Men attacked by a slider.
    met: u64,
    /// Men attacked along this lane's line, from one side or the other.
    along: S,
    /// The same for pawns: on files, on lines that rise to the east, on lines that fall.
    along_file: u64,
    along_rise: u64,
    along_fall: u64,
    /// The squares in front of unmoved pawns, one and two on.
    third: u64,
    fourth: u64,
    /// Pawns of the replier.
    pawns: u64,
    /// What the replier's king sees.
    near: S,
}

/// A node, ready to have its moves' replies counted.
pub(super) struct Delta<'a, S: Star, Q> {
    node: &'a Node,
    sharp: Sharp<S>,
    /// How many quiet moves there are, and how many leave or enter each square.
    moves: u64,
    touches: Digits,
    /// Captures of pawns by pawns: each attacked the other, which is one attack fewer to lose.
    pawn_trades: u64,
    /// The replies to the null move.
    null: u64,
    effects: Effects<S>,
    /// The squares where a man of the mover leaving changes something.
    touchy: u64,
    refuges: Refuges<S>,
    /// The moves that the replier's king loses to quiet moves.
    lost: S::Sums,
    /// Receives the sharp moves.
    queue: &'a mut Q,
}

/// From where a man of each role attacks a square to which the replier's king could go, a
/// direction to a lane.
struct Refuges<S> {
    /// Is there such a square?
    any: bool,
    slider: S,
    knight: S,
    king: S,
    pawn: [u64; 2],
}

/// The effects of pawns that may end on the last rank. A pawn's own captures stand where the pawn
/// stands, and so does what steps ahead of it, which is among other effects.
const LAST: [u64; 8] = [RANK_8, RANK_8, RANK_8, RANK_8, RANK_7, RANK_7, 0, 0];
const LAST_STEP: [u64; 8] = [0, 0, RANK_7, 0, 0, 0, 0, 0];

/// What vacating or filling a square changes.
struct Effects<S> {
    own: u64,
    theirs: u64,
    /// Squares beyond, in binary digits: gained when a man of the mover leaves, lost when one comes.
    beyond: [S; 3],
    /// Guards of the replier's men.
    guards: S,
    knight_guards: S,
    /// Moves of the replier's knights, on the squares they stand on.
    knight_moves: S,
    /// Pawn effects: two sets of gains, then four of losses.
    pawns: [u64; 8],
    /// Those of them that count four times: is there any, and which pawns may step to the last rank.
    promotions: bool,
    last_step: u64,
}

impl<'a, S: Star, Q: Queue> Delta<'a, S, Q> {
    #[inline(always)]
    pub(super) fn new(node: &'a Node, legal: &Legality<S>, queue: &'a mut Q) -> Self {
        let (mover, replier) = (&node.mover, &node.replier);
        let own = legal.own;
        let occupied = legal.occupied;
        let theirs = occupied & !own;
        let empty = !occupied;
        let king = replier.king.trailing_zeros() & 63;
        let ring = KING[king as usize];
        let open = S::splat(empty);
        let own_star = S::splat(own);
        let their_star = S::splat(theirs);

        // What the mover attacks, and what it attacks twice.
        let sliders = S::sliders(mover.orthogonal, mover.diagonal);
        let attacks = sliders.slide(open);
        let leaps = S::splat(mover.knights).rotate(&KNIGHT_STEP) & S::load(&KNIGHT_LANDING);
        let (mut once, mut twice) = S::overlap(attacks | leaps, attacks & leaps);
        let mover_king = (mover.king.trailing_zeros() & 63) as usize;
        for set in [mover.pawns >> 9 & NOT_H, mover.pawns >> 7 & NOT_A, KING[mover_king]] {
            twice |= once & set;
            once |= set;
        }

        // The squares that matter to the replier's king.
        let mut sharp_from = 0;
        let mut sharp_to = ring;
        // Squares of castling paths: an attack there may take more than a step from the king.
        let mut path_zone = 0;
        let mut castling_replies = 0;
        let rights = node.castling & RANK_1;
        if rights != 0 {
            if rules::orthodox(node) {
                for (rook, between, path) in [(0x80, 0x60, 0x70), (0x01, 0x0e, 0x1c)] {
                    if rights & rook != 0 {
                        sharp_from |= between;
                        sharp_to |= between | rook;
                        if between & occupied == 0 {
                            path_zone |= path;
                            castling_replies += u64::from(path & once == 0);
                        }
                    }
                }
            } else {
                path_zone |= RANK_1;
                sharp_from |= RANK_1;
                sharp_to |= RANK_1;
                castling_replies = rules::castling_replies(node);
            }
        }
        let zone = ring & !theirs | path_zone;
        let unsafe_ = zone & once;
        // Where a new attacker costs one king move.
        let refuge = zone & !once & !path_zone;

        // The king's lines: up to the first man, and from there to the second.
        let near = S::look(king, S::splat(occupied));
        let far = (near & !open).slide(open);
        let shield = near & their_star;

        // From where a slider would attack a safe square, and from where it is sharp to do so: when
        // the square is the king's or on a castling path, or when there are two in a row.
        let mut to_safe = near;
        let mut to_star = near | far.if_any(shield);
        let mut to_knight = KNIGHT[king as usize];
        let mut to_pawn = PAWN_UP[king as usize];
        let mut to_king = 0;
        let refuge_star = S::splat(refuge);
        let mut to_refuge = S::splat(0);
        if refuge != 0 {
            to_refuge = refuge_star.slide(open);
            to_safe = to_safe | to_refuge;
            to_star = to_star | (to_refuge & refuge_star & open).slide(open);
        }
        let path = path_zone & !once;
        if path != 0 {
            let to_path = S::splat(path).slide(open);
            to_safe = to_safe | to_path;
            to_star = to_star | to_path;
            to_knight |= knight_attacks(path);
            to_pawn |= up_attacks(path);
            to_king = ring_of(path);
        }
        let inward = attacks.opposite();
        let mut from_star = inward & to_safe & own_star;
        if unsafe_ != 0 {
            let alone = unsafe_ & !twice;
            // Sliders that alone attack a square, and the squares where they could be stopped.
            from_star = from_star | S::splat(alone).slide(open) & sliders;
            sharp_to |= (S::splat(unsafe_).slide(open) & inward & open).union();
            sharp_from |= knight_attacks(alone) & mover.knights
                | up_attacks(alone) & mover.pawns
                | if KING[mover_king] & alone != 0 { mover.king } else { 0 };
        }

        let pinner = (far & sliders).if_any(shield);
        let pins = shield.if_any(pinner);
        from_star = from_star
            | pinner
            | (far & own_star & inward).if_any(shield)
            | (near & own_star).if_any(far & their_star & inward);
        let (to_orthogonal, to_diagonal) = to_star.lines();
        sharp_from |= from_star.union();
        let mut pinned = 0;
        let mut their_sliders = S::sliders(replier.orthogonal, replier.diagonal);
        let mut reach = legal.reach;
        let mut null = castling_replies;
        let (mut pin_file, mut pin_rise, mut pin_fall) = (0, 0, 0);
        if pins.any() {
            pinned = pins.union();
            let line = (near | far).if_any(pins);
            sharp_to |= line.union();
            let movable = pins & their_sliders;
            their_sliders = S::sliders(replier.orthogonal & !pinned, replier.diagonal & !pinned);
            reach = their_sliders.slide(open);
            let mut sums = S::sums();
            S::add(&mut sums, (line & !pins).if_any(movable));
            null += S::total(sums);
            let lanes = pins.store();
            pin_file = lanes[0] | lanes[4];
            pin_rise = lanes[2] | lanes[6];
            pin_fall = lanes[3] | lanes[7];
        }
        let free = !pinned;

        // The replier's sliders: where they go, and where they would go if what they meet were away.
        let go = reach & !their_star;
        let met = go & own_star;
        let further = met.slide(open) & !their_star;
        // Where one step more can be taken, and where two can: not past a man that is met.
        let step = ((go | their_sliders) & !own_star & go.back())
            | ((met | further & !own_star) & further.back());
        let onward = step & S::splat(!own).back();
        let u1 = step;
        let u2 = onward & u1.rotate_back();
        let u3 = onward & u2.rotate_back();
        let u4 = onward & u3.rotate_back();
        let u5 = onward & u4.rotate_back();
        let u6 = onward & u5.rotate_back();
        let u7 = onward & u6.rotate_back();
        let here = go | their_sliders;
        let beyond = [(u1 ^ u2 ^ u3 ^ u4 ^ u5 ^ u6 ^ u7) & here, (u2 ^ u4 ^ u6) & here, u4 & here];

        // Its knights.
        let knights = S::splat(replier.knights & free);
        let leaps = knights.rotate(&KNIGHT_STEP) & S::load(&KNIGHT_LANDING);
        let landings = (!their_star).rotate(&KNIGHT_STEP) & S::load(&KNIGHT_LANDING);
        let mut sums = S::sums();
        S::add(&mut sums, go);
        S::add(&mut sums, leaps & !their_star);
        null += S::total(sums);
        null += u64::from((ring & !theirs & !once).count_ones());

        // Its pawns, in the null move with the pinned ones.
        {
            let walkers = replier.pawns & (free | pin_file);
            let single = walkers << 8 & empty;
            let double = (single & RANK_3) << 8 & empty;
            let west = replier.pawns << 7 & NOT_H & own;
            let east = replier.pawns << 9 & NOT_A & own;
            let (west, east) = if pinned == 0 {
                (west, east)
            } else {
                let west = (replier.pawns & (free | pin_fall)) << 7 & NOT_H & own;
                let east = (replier.pawns & (free | pin_rise)) << 9 & NOT_A & own;
                // A pinned pawn takes nothing but its pinner.
                let tied_west = (replier.pawns & pin_fall) << 7 & NOT_H & !pinner.union();
                let tied_east = (replier.pawns & pin_rise) << 9 & NOT_A & !pinner.union();
                (west & !tied_west, east & !tied_east)
            };
            null += u64::from((single | double).count_ones())
                + u64::from(west.count_ones() + east.count_ones());
            if replier.pawns & RANK_7 != 0 {
                null += 3 * u64::from(
                    (single & RANK_8).count_ones()
                        + (west & RANK_8).count_ones()
                        + (east & RANK_8).count_ones(),
                );
            }
        }
        let pawns = replier.pawns & free;
        let push = pawns << 8;
        let double = push & RANK_3 & empty >> 8 | (push & empty & RANK_3) << 8;
        let west = pawns << 7 & NOT_H;
        let east = pawns << 9 & NOT_A;
        let ahead = pawns & empty >> 8;
        let pawn_effects = [
            push & own | west & !own,
            double & own | east & !own,
            push & empty | west & own | ahead,
            double & empty | east & own | ahead & RANK_2 & empty >> 16,
            pawns & (own & NOT_H) >> 7,
            pawns & (own & NOT_A) >> 9,
            0,
            0,
        ];
        let met_union = met.union();
        let along = met | met.opposite();
        let lanes = if met_union != 0 { along.store() } else { [0; 8] };
        let sharp = Sharp {
            from: sharp_from,
            to: sharp_to,
            to_knight,
            to_pawn,
            to_king,
            to_orthogonal,
            to_diagonal,
            met: met_union,
            along,
            along_file: lanes[0],
            along_rise: lanes[2],
            along_fall: lanes[3],
            third: (pawns & RANK_2) << 8,
            fourth: (pawns & RANK_2) << 16,
            pawns: replier.pawns,
            near,
        };
        let effects = Effects {
            own,
            theirs,
            beyond,
            guards: reach & their_star,
            knight_guards: leaps & their_star,
            knight_moves: knights & landings,
            pawns: pawn_effects,
            promotions: pawns & RANK_7 != 0,
            last_step: ahead & RANK_7,
        };
        let refuges = Refuges {
            any: refuge != 0,
            slider: to_refuge,
            knight: refuge_star.rotate(&KNIGHT_STEP) & S::load(&KNIGHT_LANDING),
            king: refuge_star.step(),
            pawn: [refuge << 7 & NOT_H, refuge << 9 & NOT_A],
        };
        let touchy = met_union | (push | double | west | east) & own;
        Delta {
            node,
            sharp,
            moves: 0,
            touches: Digits::ZERO,
            pawn_trades: 0,
            null,
            effects,
            touchy,
            refuges,
            lost: S::sums(),
            queue,
        }
    }

    /// The replies to all moves that were not sent.
    #[inline(always)]
    pub(super) fn total(&self) -> u64 {
        let e = &self.effects;
        // What is lost is counted as what would be lost by `all` moves less what is lost by the others,
        // so that one population count serves the gains on the mover's squares and the losses on
        // the rest.
        let elsewhere = S::splat(!e.own);
        let losses = [e.beyond[0] | e.knight_moves, e.beyond[1], e.beyond[2]];
        let mut signed_sum = S::sums();
        let mut pawns = S::sums();
        let mut last = S::sums();
        let pawn_star = S::load(&e.pawns);
        let mut last_star = S::splat(0);
        if e.promotions {
            last_star = pawn_star & S::load(&LAST) | S::splat(e.last_step) & S::load(&LAST_STEP);
        }
        let mut all = 0;
        let takes = self.touches.sums.iter().fold(0, |all, digit| all | digit) & e.theirs != 0;
        let digits = self.touches.all();
        let mut high = 5;
        while high > 3 && digits[high - 1] == 0 {
            high -= 1;
        }
        for digit in (0..high).rev() {
            S::double(&mut signed_sum);
            S::double(&mut pawns);
            all = 2 * all + 1;
            let n = S::splat(digits[digit]);
            let either = n ^ elsewhere;
            S::add(&mut signed_sum, losses[0] & either);
            S::add_weighted(&mut signed_sum, losses[1] & either, 1);
            S::add_weighted(&mut signed_sum, losses[2] & either, 2);
            if takes {
                S::add(&mut signed_sum, e.guards & n);
                S::add(&mut signed_sum, e.knight_guards & n);
            }
            S::add(&mut pawns, pawn_star & n);
            if e.promotions {
                S::double(&mut last);
                S::add(&mut last, last_star & n);
            }
        }
        let mut surplus = S::sums();
        S::add(&mut surplus, losses[0] & elsewhere);
        S::add_weighted(&mut surplus, losses[1] & elsewhere, 1);
        S::add_weighted(&mut surplus, losses[2] & elsewhere, 2);
        let surplus = S::total(surplus).wrapping_mul(all);
        let signed = |lanes: [u64; 8]| {
            (lanes[0] + lanes[1]).wrapping_sub(lanes[2] + lanes[3] + lanes[4] + lanes[5])
        };
        let mut sum = self.null.wrapping_mul(self.moves).wrapping_add(self.pawn_trades);
        let signed_sum = S::difference(signed_sum, self.lost);
        sum = sum.wrapping_add(S::total(signed_sum)).wrapping_sub(surplus);
        sum = sum.wrapping_add(signed(S::lanes(pawns)));
        if e.promotions {
            sum = sum.wrapping_add(signed(S::lanes(last)).wrapping_mul(3));
        }
        sum
    }

    /// Takes the quiet moves of one man into the sum and sends the sharp ones.
    #[inline(always)]
    fn split(
        &mut self,
        from: u32,
        targets: u64,
        sharp: u64,
        attackers: impl FnOnce() -> S,
        along: impl FnOnce(&Self) -> u64,
    ) {
        let mut sharp = targets & (sharp | self.leaving(from));
        if self.touchy >> from & 1 != 0 {
            sharp |= targets
                & (self.tangled(from)
                    | if self.sharp.met >> from & 1 != 0 { along(self) } else { 0 });
            self.touches.put(from, (targets ^ sharp).count_ones());
        }
        let quiet = targets ^ sharp;
        self.moves += u64::from(quiet.count_ones());
        if self.refuges.any {
            S::add(&mut self.lost, attackers() & S::splat(quiet));
        }
        self.touches.add(quiet);
        self.queue.piece(from, sharp);
    }

    /// The targets that make a man on `from` and a pawn of the replier touch one another twice.
    #[inline(always)]
    fn tangled(&self, from: u32) -> u64 {
        let bit = 1u64 << from;
        let s = &self.sharp;
        (bit & s.third) << 8
            | (bit & s.fourth) >> 8
            | s.pawns & (PAWN_DOWN[(from & 63) as usize] | bit >> 8 | bit >> 16)
    }

    /// All squares if leaving `from` is sharp.
    #[inline(always)]
    fn leaving(&self, from: u32) -> u64 {
        (self.sharp.from >> from & 1).wrapping_neg()
    }
}

/// All squares a king's step from a set.
#[inline(always)]
fn ring_of(set: u64) -> u64 {
    let row = set | set << 1 & NOT_A | set >> 1 & NOT_H;
    row | row << 8 | row >> 8
}

impl<S: Star, Q: Queue> Sink<S> for Delta<'_, S, Q> {
    #[inline(always)]
    fn king(&mut self, from: u32, targets: u64) {
        let sharp = self.sharp.to | self.sharp.to_king;
        let attackers = self.refuges.king;
        self.split(from, targets, sharp, || attackers, |_| !0);
    }

    #[inline(always)]
    fn knight(&mut self, from: u32, targets: u64) {
        let sharp = self.sharp.to | self.sharp.to_knight;
        let attackers = self.refuges.knight;
        self.split(from, targets, sharp, || attackers, |_| 0);
    }

    #[inline(always)]
    fn slider(&mut self, from: u32, reach: S, targets: u64, lines: &'static [u64; 8]) {
        let bit = 1u64 << from;
        let mut sharp = self.sharp.to;
        if self.node.mover.orthogonal & bit != 0 {
            sharp |= self.sharp.to_orthogonal;
        }
        if self.node.mover.diagonal & bit != 0 {
            sharp |= self.sharp.to_diagonal;
        }
        let along = |this: &Self| reach.if_any(this.sharp.along & S::splat(bit)).union();
        let attackers = self.refuges.slider;
        let attackers = || attackers & S::load(lines);
        self.split(from, reach.union() & targets, sharp, attackers, along);
    }

    #[inline(always)]
    fn pawns(&mut self, single: u64, double: u64, west: u64, east: u64) {
        let s = &self.sharp;
        let to = s.to | s.to_pawn;
        let mut passing = double & (s.pawns << 1 & NOT_A | s.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & s.pawns, passing << 1 & NOT_A & s.pawns);
            if (west | east | passing << 16) & s.near.union() == 0 {
                // No capture en passant exposes the king, for neither who moved nor who takes is on
                // its lines: so these are like other pushes, but each capture is one more reply.
                passing = 0;
                self.pawn_trades =
                    self.pawn_trades.wrapping_add(u64::from(west.count_ones() + east.count_ones()));
            }
        }
        let [single_sharp, double_sharp, west_sharp, east_sharp] = [
            single & (to | s.third | (s.from | s.along_file) >> 8),
            double & (to | passing | (s.from | s.along_file) >> 16),
            west & (to | (s.from | s.along_rise) >> 9),
            east & (to | (s.from | s.along_fall) >> 7),
        ];
        self.queue.pawns(8, single_sharp);
        self.queue.pawns(16, double_sharp & !passing);
        self.queue.passing(passing);
        self.queue.pawns(9, west_sharp);
        self.queue.pawns(7, east_sharp);
        let (single, double) = (single ^ single_sharp, double ^ double_sharp);
        let (west, east) = (west ^ west_sharp, east ^ east_sharp);
        // No two of the first three can end on one square.
        let first = single | double | west;
        self.moves += u64::from(first.count_ones() + east.count_ones());
        self.touches.add(first);
        if east != 0 {
            self.touches.add(east);
        }
        self.pawn_trades = self
            .pawn_trades
            .wrapping_add(u64::from((west & s.pawns).count_ones() + (east & s.pawns).count_ones()));
        if self.refuges.any {
            for attackers in self.refuges.pawn {
                self.pawn_trades = self.pawn_trades.wrapping_sub(u64::from(
                    (first & attackers).count_ones() + (east & attackers).count_ones(),
                ));
            }
        }
        let begun = [single << 8, double << 16, west << 9, east << 7];
        if (begun[0] | begun[1] | begun[2] | begun[3]) & self.touchy != 0 {
            for set in begun {
                self.touches.add(set);
            }
        }
    }

    type Odd = Q::Odd;
    #[inline(always)]
    fn odd(&mut self) -> &mut Q::Odd {
        self.queue.odd()
    }
}
