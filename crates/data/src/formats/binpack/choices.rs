//! The number of a move.
//!
//! First comes the number of the piece among all of the side to move, from a1 to h8. Then, among the places where it
//! could go if kings couldn't be taken, the number of the target from a1 to h8; a captured pawn's en-passant square is
//! one of them only if some capture there is legal. A promotion has four numbers, from knight to queen. Castling comes
//! after the king's other moves, queen side first, one number for each right, whether or not it's legal now.

use std::hint::select_unpredictable;

use tabiya::attacks::{self, Obstruction, Sliders};
use tabiya::{Bitboard, CastlingSide, Color, Move, MoveKind, Position, Rank, Role, Square};

use super::bits::{Bits, Window, width};

/// Where the piece on a square could go.
///
/// No CPU can predict its role, so there's no branch on it. Each position is another one, so look-ups in large tables
/// would wait for memory.
#[inline(always)]
fn targets(position: &Position, from: Square) -> Bitboard {
    let (board, us) = (position.board(), position.turn());
    let (own, occupied) = (board.color(us), board.occupied());
    // Without the hint, the compiler makes branches around the look-ups.
    let of =
        |roles: Bitboard, squares| select_unpredictable(roles.has(from), squares, Bitboard::EMPTY);
    let [pawns, knights, bishops, rooks, queens, kings] = Role::ALL.map(|role| board.role(role));
    let pieces = of(knights, attacks::knight(from))
        | of(bishops | queens, Obstruction.bishop(from, occupied))
        | of(rooks | queens, Obstruction.rook(from, occupied))
        | of(kings, attacks::king(from));
    let (forward, third) = match us {
        Color::White => (8, Rank::Third),
        Color::Black => (56, Rank::Sixth),
    };
    let next = |set: Bitboard| Bitboard(set.0.rotate_left(forward)) - occupied;
    let one = next(from.bitboard());
    let two = next(one & third.bitboard());
    let en_passant = position.en_passant().map_or(Bitboard::EMPTY, Square::bitboard);
    let captures = attacks::pawn(us, from) & (board.color(!us) | en_passant);
    (pieces - own) | of(pawns, one | two | captures)
}

/// The sides on which the side to move may still castle, in the order of their numbers.
fn castlings(position: &Position) -> impl Iterator<Item = CastlingSide> {
    let (us, rights) = (position.turn(), position.castling_rights());
    let king = position.king(us);
    let sides = [CastlingSide::Queen, CastlingSide::King].into_iter();
    sides.filter(move |&side| rights.rook(us, side, king).is_some())
}

/// The number of members of the lowest bytes of a set, byte by byte: one, two and so on, so all in the highest.
fn sums(set: Bitboard) -> u64 {
    let mut sums = set.0 - (set.0 >> 1 & 0x5555_5555_5555_5555);
    sums = (sums & 0x3333_3333_3333_3333) + (sums >> 2 & 0x3333_3333_3333_3333);
    sums = (sums + (sums >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    sums.wrapping_mul(0x0101_0101_0101_0101)
}

/// The sums of the pieces of the side to move. They're known before the position is: each record waits for the one
/// before it, so this saves a part of the wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sums(u64);

impl Sums {
    /// In a position that isn't the next one of a chain.
    pub(super) fn of(position: &Position) -> Self {
        Self(sums(position.board().color(position.turn())))
    }

    /// After a move in a position: the other side has what isn't captured.
    #[inline(always)]
    pub(super) fn after(position: &Position, mv: Move) -> Self {
        let theirs = sums(position.board().color(!position.turn()));
        // A captured pawn's rank is the next one to the target's, towards the middle.
        let to = mv.to() as u8 ^ u8::from(mv.is_en_passant()) << 3;
        let captured = u64::from(mv.is_capture()) * 0x0101_0101_0101_0101;
        Self(theirs.wrapping_sub(captured << (to & 56)))
    }
}

/// The number of all members.
fn total(sums: u64) -> u32 {
    (sums >> 56) as u32
}

/// The member of a set with this number, given its sums. No CPU can predict the number, so there's no loop.
fn nth(set: Bitboard, sums: u64, number: u32) -> Option<Square> {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    if u64::from(number) >= sums >> 56 {
        return None;
    }
    // The bytes whose sum is larger than the number: all from the member's byte on.
    let least = u64::from(number + 1) * 0x0101_0101_0101_0101;
    let byte = (((sums | HIGH) - least) & HIGH).trailing_zeros() & !7;
    let before = (sums << 8 >> byte) as u8;
    let place = PLACES[(set.0 >> byte) as usize & 255][(number as usize - usize::from(before)) & 7];
    Square::from_index(byte as u8 + place)
}

/// The places of the members of each set of eight.
static PLACES: [[u8; 8]; 256] = {
    let mut places = [[0; 8]; 256];
    let mut set = 0;
    while set < 256 {
        let (mut left, mut number) = (set, 0);
        while left != 0 {
            places[set][number] = left.trailing_zeros() as u8;
            left &= left - 1;
            number += 1;
        }
        set += 1;
    }
    places
};

/// How many members come before a square.
fn number_of(set: Bitboard, square: Square) -> u32 {
    Bitboard(set.0 & (square.bitboard().0 - 1)).len()
}

fn is_before_promotion(position: &Position, from: Square) -> bool {
    from.rank() == if position.turn() == Color::White { Rank::Seventh } else { Rank::Second }
}

/// Reads a move. `None` if the bits are none of the numbers, or the move isn't legal. Unless `CHECKED`, it may leave the
/// king in check, but it doesn't capture one.
#[inline(always)]
pub(super) fn read<const CHECKED: bool>(
    position: &Position,
    of_own: Sums,
    bits: &mut Window,
) -> Option<Move> {
    let (board, us) = (position.board(), position.turn());
    let allows = |&mv: &Move| {
        if CHECKED {
            position.allows_with(Obstruction, mv)
        } else {
            !board.role(Role::King).has(mv.to())
        }
    };
    let own = board.color(us);
    let from = nth(own, of_own.0, bits.take(width(total(of_own.0))))?;
    let targets = targets(position, from);
    let of_targets = sums(targets);
    let count = total(of_targets);
    let is_pawn = board.role(Role::Pawn).has(from);
    if is_pawn & is_before_promotion(position, from) {
        let number = bits.take(width(4 * count));
        let to = nth(targets, of_targets, number / 4)?;
        let role = Role::PROMOTIONS[number as usize % 4];
        let kind = MoveKind::promotion(role, board.color(!us).has(to))?;
        return Some(Move::new(from, to, kind)).filter(allows);
    }
    let rooks = position.castling_rights().of(us);
    let castlings = u32::from(rooks.any()) + u32::from(rooks.has_many());
    let is_king = board.role(Role::King).has(from);
    let number = bits.take(width(count + castlings * u32::from(is_king)));
    let Some(to) = nth(targets, of_targets, number) else {
        let side = self::castlings(position).nth((number - count) as usize).filter(|_| is_king)?;
        let mv = Move::new(from, side.king_target(us), MoveKind::castle(side));
        return position.allows(mv).then_some(mv);
    };
    let is_capture = board.color(!us).has(to);
    let is_double = is_pawn & (from as u8 ^ to as u8 == 16);
    let mut kind = if is_capture { MoveKind::Capture } else { MoveKind::Quiet };
    kind = if is_double { MoveKind::DoublePush } else { kind };
    if is_pawn & (Some(to) == position.en_passant()) {
        kind = MoveKind::EnPassant;
    }
    Some(Move::new(from, to, kind)).filter(allows)
}

/// Writes a legal move.
pub(super) fn write(position: &Position, mv: Move, bits: &mut Bits) {
    let (from, to) = (mv.from(), mv.to());
    let own = position.board().color(position.turn());
    let role = position.role_of(mv);
    let targets = targets(position, from);
    let (mut number, mut count) = (number_of(targets, to), targets.len());
    if let Some(promoted) = mv.promotion() {
        let of_role = Role::PROMOTIONS.iter().position(|&role| role == promoted);
        (number, count) = (4 * number + of_role.unwrap_or(0) as u32, 4 * count);
    }
    if role == Role::King {
        if let Some(castling) = mv.castling() {
            number =
                count + castlings(position).take_while(|&side| side != castling).count() as u32;
        }
        count += castlings(position).count() as u32;
    }
    bits.put(number_of(own, from), width(own.len()));
    bits.put(number, width(count));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_by_their_number() {
        let mut random = tabiya::SplitMix64::new(65);
        for density in 0..1000 {
            let set =
                Bitboard((0..density % 5).fold(random.number(), |set, _| set & random.number()));
            let members = set.iter().map(Some).chain([None; 2]);
            for (number, member) in members.enumerate() {
                assert_eq!(nth(set, sums(set), number as u32), member, "{set:?}");
            }
        }
    }
}
