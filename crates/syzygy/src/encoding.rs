//! The index of a position in its table.
//!
//! A table lists its pieces in an order of its own, in *groups*: like pieces form a group, and the
//! first, *leading* group has the pieces that use up the board's symmetry:
//!
//! * without pawns, and with at least three pieces that are single of their kind: three of them.
//!   Rotating and mirroring the board moves the first to the triangle a1-d1-d4, and mirroring at the
//!   long diagonal moves the first piece off that diagonal below it. That leaves 31,332 ways;
//! * without pawns, otherwise: the two kings, in 462 ways, since they can't touch;
//! * with pawns: the pawns of the side that has fewer. Only files can be mirrored. The *leading
//!   pawn*, the one nearest to the edge and then nearest to its first rank, goes to the files a to
//!   d, and each of these files has a subtable.
//!
//! Like pieces can be exchanged, so a group of n on m free squares has "m choose n" ways; the
//! sum of binomials below numbers them without gaps. The group's number counts only squares that no
//! earlier group takes. The whole index is a number with mixed radix, whose digits are the numbers
//! of the groups, in the order that compresses best.

use tabiya::{Bitboard, Board, Color, Role};

use crate::error::Damage;
use crate::material::Material;
use crate::pairs::Reader;

/// The most groups, and the most pieces.
const MOST: usize = 7;

/// `BINOMIAL[k][n]` is "n choose k".
const BINOMIAL: [[u64; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut n = 0;
    while n < 64 {
        table[0][n] = 1;
        let mut k = 1;
        while k < 7 && n > 0 {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            k += 1;
        }
        n += 1;
    }
    table
};

/// The ten squares a1-d1-d4, those below the diagonal first.
const TRIANGLE: [u8; 10] = [1, 2, 3, 10, 11, 19, 0, 9, 18, 27];

/// The number of each square of the triangle.
const IN_TRIANGLE: [u8; 64] = {
    let mut numbers = [0; 64];
    let mut number = 0;
    while number < 10 {
        numbers[TRIANGLE[number] as usize] = number as u8;
        number += 1;
    }
    numbers
};

/// The ways of two kings: the first in the triangle; if it's on the diagonal, the second not above.
/// The ways with both on the diagonal come last.
const KINGS: [[u16; 64]; 10] = {
    let mut numbers = [[0; 64]; 10];
    let mut next = 0;
    let mut pass = 0;
    while pass < 2 {
        let mut first = 0;
        while first < 10 {
            let mut second = 0;
            while second < 64 {
                let (files, ranks) = (TRIANGLE[first] & 7, TRIANGLE[first] >> 3);
                let (file, rank) = (second as u8 & 7, second as u8 >> 3);
                let apart = files.abs_diff(file) > 1 || ranks.abs_diff(rank) > 1;
                let on_diagonal = first >= 6 && file == rank;
                let above = first >= 6 && rank > file;
                if apart && !above && on_diagonal == (pass == 1) {
                    numbers[first][second] = next;
                    next += 1;
                }
                second += 1;
            }
            first += 1;
        }
        pass += 1;
    }
    assert!(next == 462);
    numbers
};

/// The ways of two kings, and those of three different pieces.
const KING_WAYS: u64 = 462;
const TRIPLE_WAYS: u64 = 31_332;

/// The order of squares for leading pawns: the leading pawn has the highest number. They fall from
/// the edge to the middle, and from the second to the seventh rank.
const fn pawn_order(square: u8) -> u8 {
    let (file, rank) = (square & 7, square >> 3);
    let from_edge = if file > 3 { 7 - file } else { file };
    47 - 12 * from_edge - 2 * (rank - 1) - (file > 3) as u8
}

/// The number of ways in which leading pawns can be placed if the leading one is on a file: the
/// first without those in which it's on a rank below `rank`, all with `rank` 7.
fn pawn_ways(pawns: usize, file: u8, rank: u8) -> u64 {
    let order = |rank| usize::from(pawn_order(rank << 3 | file));
    (1..rank).map(|rank| BINOMIAL[pawns - 1][order(rank)]).sum()
}

/// How to compute indices.
#[derive(Debug)]
pub(crate) struct Encoding {
    lead: Lead,
    /// The leading group, without pawns of the other colour.
    leading: Group,
    /// The number of ways of leading pawns before those whose first is on this rank.
    before: [u64; 8],
    /// The other groups.
    groups: Vec<Group>,
    /// The pieces in the table's order: like ones once. Their colours are those of the table.
    pieces: Vec<(Color, Role)>,
    /// The number of indices.
    len: u64,
}

/// The leading group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lead {
    /// The kings.
    Kings,
    /// Three different pieces.
    Triple,
    /// These pawns.
    Pawns(Color),
}

/// Like pieces, or the leading group.
#[derive(Clone, Copy, Debug)]
struct Group {
    len: u8,
    /// Are they pawns after leading pawns? Those have only 48 squares.
    are_pawns: bool,
    /// The weight of its digit.
    factor: u64,
}

/// How the colours of a position become those of its table.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flip(pub(crate) bool);

impl Flip {
    fn color(self, color: Color) -> Color {
        if self.0 { !color } else { color }
    }
}

impl Lead {
    /// The leading group of a material, in the colours of its table.
    pub(crate) fn of(material: Material) -> Self {
        let [white, black] = Color::ALL.map(|color| material.count(color, Role::Pawn));
        if white + black > 0 {
            let is_white = white > 0 && (black == 0 || white <= black);
            return Self::Pawns(if is_white { Color::White } else { Color::Black });
        }
        let pieces = Color::ALL
            .into_iter()
            .flat_map(|color| Role::ALL.into_iter().map(move |role| material.count(color, role)));
        if pieces.filter(|&count| count == 1).count() > 2 { Self::Triple } else { Self::Kings }
    }

    /// The leading pawn's file, from 0 to 3; 0 without pawns.
    #[inline]
    pub(crate) fn file(self, board: &Board, flip: Flip) -> usize {
        let Self::Pawns(color) = self else { return 0 };
        let pawns = board.pieces(flip.color(color), Role::Pawn).0;
        // The file doesn't depend on which way up the board is.
        let files = |file: u32| 0x0101_0101_0101_0101 << file | 0x0101_0101_0101_0101 << (7 - file);
        (0..3).find(|&file| pawns & files(file) != 0).unwrap_or(3) as usize
    }
}

impl Encoding {
    /// Reads the order of pieces for a side to move, which is in the low or high four bits.
    pub(crate) fn read(
        header: &mut Reader<'_>,
        high: bool,
        material: Material,
        file: u8,
    ) -> Result<Self, Damage> {
        let start = header.offset();
        let wrong = Damage::new(start, "the order of pieces is impossible");
        let lead = Lead::of(material);
        let has_two_pawn_groups =
            Color::ALL.into_iter().all(|color| material.count(color, Role::Pawn) > 0);
        let total = material.pieces() as usize;
        let header = header.take(1 + usize::from(has_two_pawn_groups) + total)?;
        let half = |byte: u8| if high { byte >> 4 } else { byte & 15 };
        let order = half(header[0]);
        let second_order = has_two_pawn_groups.then(|| half(header[1]));
        let listed = header[header.len() - total..].iter().map(|&byte| half(byte));

        // Like pieces follow each other, and they are those of the material.
        let mut pieces: Vec<(Color, Role)> = Vec::with_capacity(MOST);
        let mut counts = Vec::with_capacity(MOST);
        for code in listed {
            let piece = piece(code).ok_or(wrong)?;
            if pieces.last() == Some(&piece) {
                *counts.last_mut().ok_or(wrong)? += 1;
            } else if pieces.contains(&piece) {
                return Err(wrong);
            } else {
                pieces.push(piece);
                counts.push(1u8);
            }
        }
        let matches = |(&(color, role), &count): (&(Color, Role), &u8)| {
            material.count(color, role) == u32::from(count)
        };
        if !pieces.iter().zip(&counts).all(matches) {
            return Err(wrong);
        }

        // The leading group comes first. It joins several pieces unless they are pawns.
        let leading = match lead {
            Lead::Kings => 2,
            Lead::Triple => 3,
            Lead::Pawns(_) => 1,
        };
        let is_lead = match (lead, pieces.get(..leading).ok_or(wrong)?) {
            (Lead::Pawns(color), leading) => leading == [(color, Role::Pawn)],
            (Lead::Kings, leading) => leading.iter().all(|piece| piece.1 == Role::King),
            (Lead::Triple, _) => counts[..leading] == [1, 1, 1],
        };
        let second_is_pawns = pieces.get(leading).is_some_and(|piece| piece.1 == Role::Pawn);
        if !is_lead || second_is_pawns != has_two_pawn_groups {
            return Err(wrong);
        }
        let mut groups = vec![Group::new(counts[..leading].iter().sum(), false)];
        groups.extend(counts[leading..].iter().map(|&count| Group::new(count, false)));
        if has_two_pawn_groups {
            groups[1].are_pawns = true;
        }
        let places = (usize::from(order), second_order.map(usize::from));
        let len = weigh(lead, &mut groups, places, file).ok_or(wrong)?;
        let mut before = [0; 8];
        if let Lead::Pawns(_) = lead {
            for rank in 1..7 {
                before[usize::from(rank)] = pawn_ways(usize::from(groups[0].len), file, rank);
            }
        }
        Ok(Self { lead, leading: groups[0], before, groups: groups.split_off(1), pieces, len })
    }

    /// The number of indices.
    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// The index of a position with this table's material.
    #[inline]
    pub(crate) fn index(&self, board: &Board, flip: Flip) -> u64 {
        let mut squares = [0u8; 8];
        let mut count = 0;
        for &(color, role) in &self.pieces {
            let mut set: Bitboard = board.pieces(flip.color(color), role);
            while let Some(square) = set.pop_first() {
                squares[count & 7] = square as u8;
                count += 1;
            }
        }
        let lead = self.leading;
        let mut index = match self.lead {
            Lead::Kings => kings(self.turn(&mut squares, 2)),
            Lead::Triple => triple(self.turn(&mut squares, 3)),
            Lead::Pawns(_) => {
                // Pawns of Black go the other way. In the table White's lead.
                let mut mirror = if flip.0 { 0x38 } else { 0 };
                let pawns = usize::from(lead.len);
                leading_pawn_first(&mut squares[..pawns], mirror);
                mirror |= if squares[0] & 4 != 0 { 7 } else { 0 };
                xor(&mut squares, mirror);
                self.before[usize::from(squares[0] >> 3 & 7)] + other_pawns(&mut squares[1..pawns])
            }
        } * lead.factor;
        let mut done = usize::from(lead.len) & 7;
        for group in &self.groups {
            let end = done + usize::from(group.len);
            let (earlier, rest) = squares.split_at_mut(done & 7);
            let Some(own) = rest.get_mut(..usize::from(group.len)) else { break };
            let number = combination(own, earlier, if group.are_pawns { 8 } else { 0 });
            index += number * group.factor;
            done = end;
        }
        index
    }

    /// Turns the board so that the first square is in the triangle a1-d1-d4, and the first of the
    /// leading ones that isn't on the diagonal is below it.
    #[inline]
    fn turn<'a>(&self, squares: &'a mut [u8; 8], leading: usize) -> &'a [u8; 8] {
        let files = if squares[0] & 4 != 0 { 7 } else { 0 };
        let ranks = if squares[0] & 32 != 0 { 0x38 } else { 0 };
        xor(squares, files | ranks);
        for at in 0..leading {
            let (file, rank) = (squares[at] & 7, squares[at] >> 3);
            if file != rank {
                if rank > file {
                    let word = u64::from_le_bytes(*squares);
                    let low = 0x0707_0707_0707_0707;
                    *squares = ((word & low) << 3 | word >> 3 & low).to_le_bytes();
                }
                break;
            }
        }
        squares
    }
}

impl Group {
    const fn new(len: u8, are_pawns: bool) -> Self {
        Self { len, are_pawns, factor: 0 }
    }
}

/// Gives the digits their weights, and returns the number of indices. The first place is that of the
/// leading group among the digits, the second that of the other pawns; the other groups follow each
/// other in the places between.
fn weigh(
    lead: Lead,
    groups: &mut [Group],
    (first, second): (usize, Option<usize>),
    file: u8,
) -> Option<u64> {
    let count = groups.len();
    if first >= count || second.is_some_and(|second| second >= count || second == first) {
        return None;
    }
    let pawns = usize::from(groups[0].len);
    let mut free = 64 - pawns;
    if second.is_some() {
        free -= usize::from(groups[1].len);
    }
    let mut others = 1 + usize::from(second.is_some())..count;
    let mut factor = 1;
    for place in 0..count {
        let (at, ways) = if place == first {
            let ways = match lead {
                Lead::Kings => KING_WAYS,
                Lead::Triple => TRIPLE_WAYS,
                Lead::Pawns(_) => pawn_ways(pawns, file, 7),
            };
            (0, ways)
        } else if Some(place) == second {
            (1, BINOMIAL[usize::from(groups[1].len)][48 - pawns])
        } else {
            let at = others.next()?;
            let len = usize::from(groups[at].len);
            free -= len;
            (at, BINOMIAL[len][free + len])
        };
        groups[at].factor = factor;
        factor *= ways;
    }
    Some(factor)
}

/// The piece of a code: 1 to 6 for White's pawn to king, 9 to 14 for Black's.
fn piece(code: u8) -> Option<(Color, Role)> {
    let color = if code & 8 == 0 { Color::White } else { Color::Black };
    Some((color, *Role::ALL.get(usize::from(code & 7).checked_sub(1)?)?))
}

/// Mirrors all squares.
#[inline]
fn xor(squares: &mut [u8; 8], mirror: u8) {
    let word = u64::from_le_bytes(*squares) ^ (u64::from(mirror) * 0x0101_0101_0101_0101);
    *squares = word.to_le_bytes();
}

/// The number of two kings.
#[inline]
fn kings(squares: &[u8; 8]) -> u64 {
    let first = usize::from(IN_TRIANGLE[usize::from(squares[0] & 63)]);
    u64::from(KINGS[first][usize::from(squares[1] & 63)])
}

/// The number of three different pieces. There are four cases, by how many of them are on the
/// diagonal before the first that isn't.
#[inline]
fn triple(squares: &[u8; 8]) -> u64 {
    let [a, b, c, ..] = squares.map(u64::from);
    // A piece's square among those that earlier pieces leave free.
    let free_b = b - u64::from(b > a);
    let free_c = c - u64::from(c > a) - u64::from(c > b);
    let on_diagonal = |square: u64| square & 7 == square >> 3;
    // Of the four squares of the diagonal in the triangle, of all eight, and of the 28 below it.
    let diagonal = |square: u64| square >> 3;
    let free_diagonal_b = diagonal(b).wrapping_sub(u64::from(b > a));
    let free_diagonal_c = diagonal(c).wrapping_sub(u64::from(c > a) + u64::from(c > b));
    let below = |square: u64| {
        let (file, rank) = (square & 7, square >> 3);
        // Ranks 1, 2, 3... have 7, 6, 5... of them.
        rank * (15 - rank) / 2 + (file - rank - 1)
    };
    if !on_diagonal(a) {
        u64::from(IN_TRIANGLE[a as usize & 63]) * 63 * 62 + free_b * 62 + free_c
    } else if !on_diagonal(b) {
        6 * 63 * 62 + diagonal(a) * 28 * 62 + below(b) * 62 + free_c
    } else if !on_diagonal(c) {
        6 * 63 * 62 + 4 * 28 * 62 + diagonal(a) * 7 * 28 + free_diagonal_b * 28 + below(c)
    } else {
        let start = 6 * 63 * 62 + 4 * 28 * 62 + 4 * 7 * 28;
        start + diagonal(a) * 7 * 6 + free_diagonal_b * 6 + free_diagonal_c
    }
}

/// Puts the leading pawn first.
#[inline]
fn leading_pawn_first(pawns: &mut [u8], mirror: u8) {
    // Mirrored pawns have the same number but for its lowest bit. The first one leads.
    for at in 1..pawns.len() {
        if pawn_order(pawns[at] ^ mirror) | 1 > pawn_order(pawns[0] ^ mirror) | 1 {
            pawns.swap(0, at);
        }
    }
}

/// The number of the pawns after the leading one, among those that can come after it.
#[inline]
fn other_pawns(pawns: &mut [u8]) -> u64 {
    if pawns.len() > 1 {
        pawns.sort_unstable_by_key(|&square| pawn_order(square));
    }
    let ways = |(at, &square): (usize, &u8)| BINOMIAL[at + 1][usize::from(pawn_order(square))];
    pawns.iter().enumerate().map(ways).sum()
}

/// The number of like pieces among the squares that earlier ones leave free.
#[inline]
fn combination(own: &mut [u8], earlier: &[u8], first: u8) -> u64 {
    if own.len() > 1 {
        own.sort_unstable();
    }
    let ways = |(at, &square): (usize, &u8)| {
        let taken: u8 = earlier.iter().map(|&other| u8::from(square > other)).sum();
        BINOMIAL[at + 1][usize::from((square - first).wrapping_sub(taken) & 63)]
    };
    own.iter().enumerate().map(ways).sum()
}
