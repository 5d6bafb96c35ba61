//! The kernel for nodes two plies above leaves, one node at a time.
//!
//! The same lemmas as in [`pair`](super::pair), but by look-ups for each piece: its price follows the number
//! of pieces, and it needs no vectors. What depends on a square is kept as a number for each square
//! instead of a set for each digit.

use tabiya::{Bitboard, Square, attacks};

use super::direction::{NOT_A, NOT_H};
use super::node::{Node, Side};
use super::rows::Children;
use super::rules;
use super::tables::{KING, KNIGHT, PAWN_DOWN, PAWN_UP, RAYS};

const RANK_1: u64 = 0xff;
const RANK_2: u64 = 0xff << 8;
const RANK_3: u64 = 0xff << 16;
const RANK_6: u64 = 0xff << 40;
const RANK_7: u64 = 0xff << 48;
const RANK_8: u64 = 0xff << 56;

/// What one node adds up to.
pub(super) struct Found {
    /// The replies to all quiet moves, modulo 2^64.
    pub leaves: u64,
    /// The squares that the replier attacks.
    pub danger: u64,
    pub in_check: bool,
    /// Where pawns are promoted, by pushes and by captures to the west and to the east.
    pub promotions: [u64; 3],
    /// Double pushes that may be answered en passant.
    pub passing: u64,
}

fn square(bits: u64) -> Square {
    Square::from_index((bits.trailing_zeros() & 63) as u8).unwrap_or(Square::A1)
}

fn rook(bits: u64, occupied: u64) -> u64 {
    attacks::rook(square(bits), Bitboard(occupied)).0
}

fn bishop(bits: u64, occupied: u64) -> u64 {
    attacks::bishop(square(bits), Bitboard(occupied)).0
}

fn between(a: u64, b: u64) -> u64 {
    attacks::between(square(a), square(b)).0
}

fn line(a: u64, b: u64) -> u64 {
    attacks::line(square(a), square(b)).0
}

fn index(bits: u64) -> usize {
    bits.trailing_zeros() as usize & 63
}

fn count(set: u64) -> u64 {
    set.count_ones().into()
}

/// Hands out the members of a set, each as a set.
fn each(set: u64) -> impl Iterator<Item = u64> {
    let mut rest = set;
    std::iter::from_fn(move || {
        let one = rest & rest.wrapping_neg();
        rest ^= one;
        (one != 0).then_some(one)
    })
}

fn knight_attacks(knights: u64) -> u64 {
    attacks::knights(Bitboard(knights)).0
}

fn up_attacks(pawns: u64) -> u64 {
    pawns << 7 & NOT_H | pawns << 9 & NOT_A
}

fn king_zone(set: u64) -> u64 {
    let row = set | set << 1 & NOT_A | set >> 1 & NOT_H;
    row | row << 8 | row >> 8
}

/// What a slider reaches, as a rook and as a bishop.
fn reach(side: &Side, slider: u64, occupied: u64) -> (u64, u64) {
    let straight = if side.orthogonal & slider != 0 { rook(slider, occupied) } else { 0 };
    let slanting = if side.diagonal & slider != 0 { bishop(slider, occupied) } else { 0 };
    (straight, slanting)
}

/// A slider of the mover.
#[derive(Clone, Copy, Default)]
struct Slider {
    from: u64,
    /// What it reaches as a rook and as a bishop.
    straight: u64,
    slanting: u64,
}

/// A square to which the replier's king could go, seen backwards: from where each piece would attack it.
#[derive(Clone, Copy, Default)]
struct Escape {
    straight: u64,
    slanting: u64,
    knight: u64,
    pawn: u64,
}

/// One node.
struct Scalar<'a> {
    node: &'a Node,
    own: u64,
    theirs: u64,
    occupied: u64,
    sliders: [Slider; 16],
    slider_count: usize,
    /// What the mover attacks, and what it attacks at least twice.
    once: u64,
    twice: u64,
    /// Pieces whose every move is sharp, and squares that are sharp to enter: for all, for knights, for pawns, for
    /// the king, for what moves like a rook, like a bishop.
    from: u64,
    to: u64,
    to_knight: u64,
    to_pawn: u64,
    to_king: u64,
    to_straight: u64,
    to_slanting: u64,
    /// Squares that one piece alone guards.
    sole: u64,
    escapes: [Escape; 8],
    escape_count: usize,
    pinned: u64,
    /// What the replier's king sees.
    near: u64,
    null: u64,
    /// The replies gained when a piece of the mover leaves a square, lost when one comes.
    value: [i8; 64],
    /// The squares with a value.
    touched: u64,
    /// The mover's pieces that sliders attack, by the line: files and ranks, diagonals.
    met: [u64; 8],
}

/// Counts the replies to a node's quiet moves, and notes the sharp ones under the number of its row.
pub(super) fn count_node(node: &Node, row: u8, children: &mut Children) -> Found {
    let own = node.mover.all();
    let theirs = node.replier.all();
    let mut scalar = Scalar {
        node,
        own,
        theirs,
        occupied: own | theirs,
        sliders: [Slider::default(); 16],
        slider_count: 0,
        once: 0,
        twice: 0,
        from: 0,
        to: 0,
        to_knight: 0,
        to_pawn: 0,
        to_king: 0,
        to_straight: 0,
        to_slanting: 0,
        sole: 0,
        escapes: [Escape::default(); 8],
        escape_count: 0,
        pinned: 0,
        near: 0,
        null: 0,
        value: [0; 64],
        touched: 0,
        met: [0; 8],
    };
    scalar.attack();
    scalar.look_at_king();
    scalar.look_at_replies();
    scalar.moves(row, children)
}

impl Scalar<'_> {
    /// Finds what the mover attacks.
    fn attack(&mut self) {
        let m = &self.node.mover;
        let mut add = |set: u64| {
            self.twice |= self.once & set;
            self.once |= set;
        };
        for from in each(m.orthogonal | m.diagonal) {
            let (straight, slanting) = reach(m, from, self.occupied);
            self.sliders[self.slider_count & 15] = Slider { from, straight, slanting };
            self.slider_count += 1;
            add(straight | slanting);
        }
        for from in each(m.knights) {
            add(KNIGHT[index(from)]);
        }
        add(m.pawns >> 9 & NOT_H);
        add(m.pawns >> 7 & NOT_A);
        add(KING[index(m.king)]);
    }

    /// Finds which moves concern the replier's king.
    fn look_at_king(&mut self) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let king = r.king;
        let ring = KING[index(king)];
        self.to = ring & !self.twice;
        self.to_knight = KNIGHT[index(king)];
        self.to_pawn = PAWN_UP[index(king)];

        let mut path_zone = 0;
        let rights = self.node.castling & RANK_1;
        if rights != 0 {
            if rules::orthodox(self.node) {
                for (rook, between, path) in [(0x80, 0x60, 0x70), (0x01, 0x0e, 0x1c)] {
                    if rights & rook != 0 {
                        self.from |= between;
                        self.to |= between | rook;
                        if between & self.occupied == 0 {
                            path_zone |= path;
                            self.null += u64::from(path & self.once == 0);
                        }
                    }
                }
            } else {
                path_zone = RANK_1;
                self.from |= RANK_1;
                self.to |= RANK_1;
                self.null += rules::castling_replies(self.node);
            }
        }
        let zone = ring & !self.theirs | path_zone;
        let guarded = zone & self.once;
        let alone = guarded & !self.twice;
        self.sole = alone & !path_zone;
        self.null += count(ring & !self.theirs & !self.once);

        // The king's lines.
        let (straight, slanting) = (rook(king, self.occupied), bishop(king, self.occupied));
        self.near = straight | slanting;
        let without_shields = self.occupied & !(self.near & self.theirs);
        self.to_straight = straight | rook(king, without_shields);
        self.to_slanting = slanting | bishop(king, without_shields);
        for slider in &self.sliders[..self.slider_count & 31] {
            let aligned = m.orthogonal & attacks::rook_rays(square(king)).0
                | m.diagonal & attacks::bishop_rays(square(king)).0;
            if aligned & slider.from == 0 {
                continue;
            }
            let path = between(king, slider.from);
            let shields = path & self.occupied;
            let first_of_two = shields & shields.wrapping_sub(1);
            if first_of_two == 0 {
                if shields & self.theirs != 0 {
                    self.from |= slider.from;
                    self.pinned |= shields;
                    self.to |= path | slider.from;
                    let straight = attacks::rook_rays(square(king)).0 & slider.from != 0;
                    let movable = if straight { r.orthogonal } else { r.diagonal };
                    if shields & movable != 0 {
                        self.null += count((path | slider.from) & !shields);
                    }
                } else {
                    self.from |= shields;
                }
            } else if first_of_two & first_of_two.wrapping_sub(1) == 0
                && shields & self.own != 0
                && shields & self.theirs != 0
            {
                self.from |= shields & self.own;
            }
        }

        // The squares around it.
        let path = path_zone & !self.once;
        for safe in each(zone & !self.once & !path_zone) {
            let i = index(safe);
            self.discover(safe);
            self.escapes[self.escape_count & 7] = Escape {
                straight: if m.orthogonal != 0 { rook(safe, self.occupied) } else { 0 },
                slanting: if m.diagonal != 0 { bishop(safe, self.occupied) } else { 0 },
                knight: KNIGHT[i],
                pawn: PAWN_UP[i],
            };
            self.escape_count += 1;
            self.to_king |= KING[i];
        }
        for safe in each(path) {
            self.discover(safe);
            self.to_straight |= rook(safe, self.occupied);
            self.to_slanting |= bishop(safe, self.occupied);
            self.to_knight |= KNIGHT[index(safe)];
            self.to_pawn |= PAWN_UP[index(safe)];
            self.to_king |= king_zone(safe);
        }
        if guarded != 0 {
            for at in each(self.sole) {
                self.discover(at);
            }
            let path = alone & path_zone;
            self.from |= knight_attacks(path) & m.knights | king_zone(alone) & m.king;
            for slider in &self.sliders[..self.slider_count & 31] {
                let attacks = slider.straight | slider.slanting;
                if attacks & path != 0 {
                    self.from |= slider.from;
                }
                let queen = m.orthogonal & m.diagonal & slider.from != 0;
                if queen && attacks & self.sole != 0 {
                    self.from |= slider.from;
                }
                for at in each(attacks & guarded) {
                    self.to |= between(slider.from, at);
                }
            }
        }
    }

    /// Notes the mover's pieces that a slider of its own would attack a square through.
    fn discover(&mut self, at: u64) {
        let m = &self.node.mover;
        let straight = attacks::rook_rays(square(at)).0 & m.orthogonal;
        let slanting = attacks::bishop_rays(square(at)).0 & m.diagonal;
        for slider in each(straight | slanting) {
            let shields = between(at, slider) & self.occupied;
            if shields & shields.wrapping_sub(1) == 0 {
                self.from |= shields & self.own;
            }
        }
    }

    /// Adds to the value of each square of a set.
    fn add(&mut self, set: u64, value: i8) {
        self.touched |= set;
        for at in each(set) {
            self.value[index(at)] += value;
        }
    }

    /// Counts the replies to a null move, and finds out what they depend on.
    fn look_at_replies(&mut self) {
        let r = &self.node.replier;
        let (own, theirs, empty) = (self.own, self.theirs, !self.occupied);
        for from in each((r.orthogonal | r.diagonal) & !self.pinned) {
            for lane in 0..8 {
                let lines = if lane & 2 == 0 { r.orthogonal } else { r.diagonal };
                if lines & from != 0 {
                    self.look_along(from, lane);
                }
            }
        }
        for from in each(r.knights & !self.pinned) {
            let reach = KNIGHT[index(from)];
            let go = count(reach & !theirs);
            self.null += go;
            self.add(from, go as i8);
            self.add(reach & theirs, -1);
        }

        // Pawns, in the null move with the pinned ones.
        let (file, rise, fall) = self.pawns_lines();
        let walkers = r.pawns & (!self.pinned | file);
        let single = walkers << 8 & empty;
        let double = (single & RANK_3) << 8 & empty;
        // On a pinned pawn's line there is nothing to take but its pinner.
        let west = (r.pawns & (!self.pinned | fall)) << 7 & NOT_H & own;
        let east = (r.pawns & (!self.pinned | rise)) << 9 & NOT_A & own;
        self.null += count(single | double) + count(west) + count(east);
        self.null += 3 * (count(single & RANK_8) + count(west & RANK_8) + count(east & RANK_8));

        let pawns = r.pawns & !self.pinned;
        let push = pawns << 8;
        let double = push & RANK_3 & empty >> 8 | (push & empty & RANK_3) << 8;
        let west = pawns << 7 & NOT_H;
        let east = pawns << 9 & NOT_A;
        let ahead = pawns & empty >> 8;
        let own_west = pawns & (own & NOT_H) >> 7;
        let own_east = pawns & (own & NOT_A) >> 9;
        self.add(push & !theirs | ahead, 1);
        self.add(double & !theirs | ahead & RANK_2 & empty >> 16, 1);
        self.add(own_west, 1);
        self.add(own_east, 1);
        self.add(west, -1);
        self.add(east, -1);
        if pawns & RANK_7 != 0 {
            self.add(push & !theirs & RANK_8 | ahead & RANK_7, 3);
            self.add(own_west & RANK_7, 3);
            self.add(own_east & RANK_7, 3);
            self.add(west & RANK_8, -3);
            self.add(east & RANK_8, -3);
        }

        // Squares that one piece alone guards are the king's when it leaves.
        if self.sole != 0 {
            let m = &self.node.mover;
            for from in each(m.knights & knight_attacks(self.sole)) {
                self.add(from, count(KNIGHT[index(from)] & self.sole) as i8);
            }
            let (west, east) = ((self.sole & NOT_H) << 9, (self.sole & NOT_A) << 7);
            self.add(m.pawns & west, 1);
            self.add(m.pawns & east, 1);
        }
    }

    /// The replier's pieces pinned on the file, and on the diagonals that rise and fall to the east.
    fn pawns_lines(&self) -> (u64, u64, u64) {
        let rays = &RAYS[index(self.node.replier.king)];
        let on = |lane: usize| self.pinned & (rays[lane] | rays[lane + 4]);
        (on(0), on(2), on(3))
    }

    /// The moves of a slider of the replier in one direction.
    fn look_along(&mut self, from: u64, lane: usize) {
        let ray = RAYS[index(from)][lane];
        let blockers = ray & self.occupied;
        let rising = lane < 4;
        let first = if rising {
            blockers & blockers.wrapping_neg()
        } else {
            (1 << 63) >> (blockers | 1).leading_zeros() & blockers
        };
        let passed = if first == 0 { ray } else { ray & !RAYS[index(first)][lane] & !first };
        let met = first & self.own;
        let mut rest = count(passed) + u64::from(met != 0);
        self.null += rest;
        self.add(from, rest as i8);
        self.touched |= passed | first;
        // The squares in turn: how many lie beyond each.
        let mut squares = passed;
        while squares != 0 {
            let at = if rising { squares.trailing_zeros() } else { 63 ^ squares.leading_zeros() };
            squares &= !(1 << at);
            rest -= 1;
            self.value[at as usize & 63] += rest as i8;
        }
        if met != 0 {
            self.met[lane & 7] |= met;
            self.value[index(met)] += self.run(met, lane) as i8;
        } else if first != 0 {
            self.value[index(first)] -= 1;
        }
    }

    /// How many squares lie ahead of one to which a slider of the replier could go.
    fn run(&self, from: u64, lane: usize) -> u64 {
        let ray = RAYS[index(from)][lane & 7];
        let blockers = ray & self.occupied;
        let first = if lane < 4 {
            blockers & blockers.wrapping_neg()
        } else {
            (1 << 63) >> (blockers | 1).leading_zeros() & blockers
        };
        let beyond = if first == 0 { 0 } else { RAYS[index(first)][lane & 7] };
        count(ray & !beyond & !(first & self.theirs))
    }

    /// The replies lost where pieces come to `squares`.
    fn sum(&self, squares: u64) -> i64 {
        each(squares & self.touched).map(|at| i64::from(self.value[index(at)])).sum()
    }

    /// Goes through all moves.
    fn moves(&self, row: u8, children: &mut Children) -> Found {
        let m = &self.node.mover;
        let legal = Legal::of(self);
        let mut found = Found {
            leaves: 0,
            danger: legal.danger,
            in_check: legal.in_check,
            promotions: [0; 3],
            passing: 0,
        };
        let mut total = 0i64;
        let mut quiet_moves = 0u64;

        // The king.
        let k = index(m.king);
        let targets = KING[k] & !self.own & !legal.danger;
        let noted = m.king & (self.from | self.touched) != 0;
        let sharp = if noted { targets } else { targets & (self.to | self.to_king) };
        note(children, row, m.king, sharp);
        quiet_moves += count(targets ^ sharp);
        total -= self.sum(targets ^ sharp);
        if !legal.double_check {
            for from in each(m.knights & !legal.pinned) {
                let targets = KNIGHT[index(from)] & legal.targets;
                let sharp = if from & self.from != 0 {
                    targets
                } else {
                    targets & (self.to | self.to_knight)
                };
                note(children, row, from, sharp);
                let quiet = targets ^ sharp;
                quiet_moves += count(quiet);
                total += i64::from(self.value[index(from)]) * count(quiet) as i64 - self.sum(quiet);
                for escape in &self.escapes[..self.escape_count & 15] {
                    total -= count(quiet & escape.knight) as i64;
                }
            }
            for slider in &self.sliders[..self.slider_count & 31] {
                let (sharp, quiet, value) = self.slider(slider, &legal);
                note(children, row, slider.from, sharp);
                quiet_moves += count(quiet);
                total += value;
            }
            let pawns = self.pawns(&legal, row, children, &mut found);
            quiet_moves += pawns.0;
            total += pawns.1;
        }
        found.leaves = self.null.wrapping_mul(quiet_moves).wrapping_add(total as u64);
        found
    }

    /// A slider's sharp and quiet moves, and what the quiet ones change.
    fn slider(&self, slider: &Slider, legal: &Legal) -> (u64, u64, i64) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let from = slider.from;
        let reach = slider.straight | slider.slanting;
        let targets = reach & legal.targets & legal.leash(m.king, from);
        if from & self.from != 0 {
            return (targets, 0, 0);
        }
        let mut to = self.to;
        if m.orthogonal & from != 0 {
            to |= self.to_straight;
        }
        if m.diagonal & from != 0 {
            to |= self.to_slanting;
        }
        if from & self.touched != 0 {
            // Piece and pawn that touch each other twice.
            let unmoved = r.pawns & !self.pinned & RANK_2;
            to |= (from & unmoved << 8) << 8
                | (from & unmoved << 16) >> 8
                | r.pawns & (PAWN_DOWN[index(from)] | from >> 8 | from >> 16);
        }
        let sharp = targets & to;
        let quiet = targets ^ sharp;
        let moves = count(quiet) as i64;
        let mut value = i64::from(self.value[index(from)]) * moves - self.sum(quiet);
        for lane in 0..8 {
            if self.met[lane] & from == 0 {
                continue;
            }
            // The attacker follows up to the piece that moves away, no further, and may take it there.
            for at in each(quiet & RAYS[index(from)][lane]) {
                if at & self.theirs != 0 {
                    value += 1;
                } else {
                    value -= self.run(at, lane) as i64;
                }
            }
            // It does not pass the piece that comes nearer.
            let nearer = count(quiet & RAYS[index(from)][lane ^ 4]);
            value -= (nearer * self.run(from, lane)) as i64;
        }
        for escape in &self.escapes[..self.escape_count & 15] {
            if m.orthogonal & from != 0 {
                value -= count(quiet & escape.straight) as i64;
            }
            if m.diagonal & from != 0 {
                value -= count(quiet & escape.slanting) as i64;
            }
        }
        let guarded = reach & self.sole;
        if guarded != 0 {
            // It goes on guarding squares on the line along which it moves.
            for at in each(guarded) {
                value += count(quiet & !line(from, at)) as i64;
            }
        }
        (sharp, quiet, value)
    }

    /// The number of quiet moves of pawns, and what they change.
    fn pawns(
        &self,
        legal: &Legal,
        row: u8,
        children: &mut Children,
        found: &mut Found,
    ) -> (u64, i64) {
        let (m, r) = (&self.node.mover, &self.node.replier);
        let empty = !self.occupied;
        let enemy = self.theirs;
        let mut sets = [0; 4];
        let mut free = m.pawns & !legal.pinned;
        let mut leash = legal.targets;
        let mut tied = m.pawns & legal.pinned;
        loop {
            let single = free >> 8 & empty;
            sets[0] |= single & leash;
            sets[1] |= (single & RANK_6) >> 8 & empty & leash;
            sets[2] |= free >> 9 & NOT_H & enemy & leash;
            sets[3] |= free >> 7 & NOT_A & enemy & leash;
            if tied == 0 {
                break;
            }
            // Pinned pawns follow one by one, each on its leash.
            free = tied & tied.wrapping_neg();
            tied ^= free;
            leash = legal.targets & legal.leash(m.king, free);
        }
        found.promotions = [sets[0] & RANK_1, sets[2] & RANK_1, sets[3] & RANK_1];
        for set in &mut sets {
            *set &= !RANK_1;
        }

        let mut value = 0i64;
        let to = self.to | self.to_pawn;
        let mut passing = sets[1] & (r.pawns << 1 & NOT_A | r.pawns >> 1 & NOT_H);
        if passing != 0 {
            let (west, east) = (passing >> 1 & NOT_H & r.pawns, passing << 1 & NOT_A & r.pawns);
            if (west | east | passing << 16) & self.near == 0 {
                value += (count(west) + count(east)) as i64;
                passing = 0;
            }
        }
        found.passing = passing;
        let along = |lane: usize| self.from | self.met[lane] | self.met[lane + 4];
        let third = (r.pawns & !self.pinned & RANK_2) << 8;
        let sharp = [
            sets[0] & (to | third | along(0) >> 8),
            sets[1] & (to | passing | along(0) >> 16),
            sets[2] & (to | along(2) >> 9),
            sets[3] & (to | along(3) >> 7),
        ];
        let mut moves = 0;
        for ((set, sharp), back) in sets.into_iter().zip(sharp).zip([8u8, 16, 9, 7]) {
            for at in each(sharp) {
                let at = index(at) as u8;
                children.push(row, at + back, at);
            }
            let quiet = set ^ sharp;
            moves += count(quiet);
            value += self.sum(quiet << back) - self.sum(quiet);
            // Of two pawns that attack each other both attacks go.
            value += count(quiet & r.pawns) as i64;
            for escape in &self.escapes[..self.escape_count & 15] {
                value -= count(quiet & escape.pawn) as i64;
            }
        }
        (moves, value)
    }
}

fn note(children: &mut Children, row: u8, from: u64, targets: u64) {
    for to in each(targets) {
        children.push(row, index(from) as u8, index(to) as u8);
    }
}

/// What the mover must respect.
struct Legal {
    danger: u64,
    targets: u64,
    pinned: u64,
    in_check: bool,
    double_check: bool,
}

impl Legal {
    fn of(s: &Scalar<'_>) -> Self {
        let (m, r) = (&s.node.mover, &s.node.replier);
        let king = m.king;
        let k = index(king);
        let mut danger = knight_attacks(r.knights) | up_attacks(r.pawns) | KING[index(r.king)];
        let mut pinned = 0;
        let mut checkers = KNIGHT[k] & r.knights | PAWN_DOWN[k] & r.pawns;
        let mut block = 0;
        let straight = attacks::rook_rays(square(king)).0;
        let slanting = attacks::bishop_rays(square(king)).0;
        for from in each(r.orthogonal | r.diagonal) {
            // Through the king: there is no escape behind it.
            let (a, b) = reach(r, from, s.occupied ^ king);
            danger |= a | b;
            if straight & r.orthogonal & from != 0 || slanting & r.diagonal & from != 0 {
                let path = between(king, from);
                let shields = path & s.occupied;
                if shields == 0 {
                    checkers |= from;
                    block |= path;
                } else if shields & shields.wrapping_sub(1) == 0 {
                    pinned |= shields & s.own;
                }
            }
        }
        let in_check = checkers != 0;
        let double_check = checkers & checkers.wrapping_sub(1) != 0;
        let targets = if in_check { block | checkers } else { !s.own };
        Self { danger, targets, pinned, in_check, double_check }
    }

    /// Where a piece may go without leaving the line on which it is pinned.
    fn leash(&self, king: u64, from: u64) -> u64 {
        if self.pinned & from == 0 { !0 } else { line(king, from) }
    }
}
