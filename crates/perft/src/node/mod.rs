//! A position as the fast counter sees it: the sets of two sides, always the same way up.
//!
//! Two plies above the leaves one side is to move (the *mover*, Black here) and the other will
//! reply (the *replier*, White here). The leaf counter cares about no other difference between the
//! colours, so whichever colour really is to move, the board is turned until the replier's pawns
//! go up the board. Then every shift in the counter has one direction, and there is one copy of
//! the machine code. Turning costs a byte swap for each set, once for some thirty children.

pub(crate) mod rules;
pub(crate) mod sets;
pub(crate) mod tables;

use tabiya::{Color, Position, Role};

/// The pieces of one side. A queen is in both `diagonal` and `orthogonal`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Side {
    pub pawns: u64,
    pub knights: u64,
    pub diagonal: u64,
    pub orthogonal: u64,
    pub king: u64,
}

impl Side {
    /// Every square this side stands on.
    #[inline(always)]
    pub(crate) fn all(&self) -> u64 {
        self.pawns | self.knights | self.diagonal | self.orthogonal | self.king
    }

    #[inline(always)]
    fn turned(self) -> Self {
        Self {
            pawns: self.pawns.swap_bytes(),
            knights: self.knights.swap_bytes(),
            diagonal: self.diagonal.swap_bytes(),
            orthogonal: self.orthogonal.swap_bytes(),
            king: self.king.swap_bytes(),
        }
    }

    /// Takes away whatever stands on `squares`.
    #[inline(always)]
    pub(crate) fn without(self, squares: u64) -> Self {
        Self {
            pawns: self.pawns & !squares,
            knights: self.knights & !squares,
            diagonal: self.diagonal & !squares,
            orthogonal: self.orthogonal & !squares,
            king: self.king,
        }
    }
}

/// A position, turned so that the mover's pawns go down the board and the replier's go up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Node {
    /// The side to move; its pawns go down.
    pub mover: Side,
    /// The side that replies; its pawns go up.
    pub replier: Side,
    /// Rooks that may still castle: the mover's on the eighth rank, the replier's on the first.
    pub castling: u64,
    /// The square behind a pawn that has just made a double push, or nothing.
    pub en_passant: u64,
}

impl Node {
    /// The position as the counter sees it.
    pub(crate) fn of(position: &Position) -> Self {
        let board = position.board();
        let side = |color| Side {
            pawns: board.pieces(color, Role::Pawn).0,
            knights: board.pieces(color, Role::Knight).0,
            diagonal: board.diagonal_sliders(color).0,
            orthogonal: board.orthogonal_sliders(color).0,
            king: board.pieces(color, Role::King).0,
        };
        let turn = position.turn();
        let node = Self {
            mover: side(turn),
            replier: side(!turn),
            castling: position.castling_rights().rooks().0,
            en_passant: position.en_passant().map_or(0, |square| square.bitboard().0),
        };
        match turn {
            Color::Black => node,
            // The right way up for White to move is the wrong way up for the counter.
            Color::White => {
                let turned = node.turned();
                Self { mover: turned.replier, replier: turned.mover, ..turned }
            }
        }
    }

    /// What turns the number of a square of a position into that of the same square here.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn turn(position: &Position) -> u8 {
        match position.turn() {
            Color::Black => 0,
            Color::White => 56,
        }
    }

    /// The position in four words, without loss: three planes that number what stands on each
    /// square, and one that says what is the mover's. A rook that may still castle has a number
    /// of its own, and an empty square of the mover's is the en-passant square.
    #[inline(always)]
    pub(crate) fn packed(&self) -> [u64; 4] {
        let (m, r) = (&self.mover, &self.replier);
        let pawns = m.pawns | r.pawns;
        let knights = m.knights | r.knights;
        let diagonal = m.diagonal | r.diagonal;
        let orthogonal = m.orthogonal | r.orthogonal;
        let kings = m.king | r.king;
        [
            pawns | diagonal | self.castling,
            knights | diagonal & !orthogonal | kings | self.castling,
            orthogonal | kings,
            m.all() | self.en_passant,
        ]
    }

    /// The position after a move of one piece that keeps its role.
    #[inline(always)]
    pub(crate) fn after(&self, from: u64, to: u64) -> Self {
        let moved = |set: u64| set ^ if set & from != 0 { from | to } else { 0 };
        let m = &self.mover;
        let mover = Side {
            pawns: moved(m.pawns),
            knights: moved(m.knights),
            diagonal: moved(m.diagonal),
            orthogonal: moved(m.orthogonal),
            king: moved(m.king),
        };
        Self {
            mover,
            replier: self.replier.without(to),
            castling: self.castling_without(from) & !to,
            en_passant: 0,
        }
    }

    /// The rooks that may still castle after a piece of the mover's has left its square.
    #[inline(always)]
    fn castling_without(&self, from: u64) -> u64 {
        let stay = if self.mover.king == from { !0 >> 8 } else { !0 };
        self.castling & stay & !from
    }

    /// Lifts a piece of the mover's that will keep its role. For many moves of one piece this is
    /// faster than [`after`](Self::after), for a single move slower.
    #[inline(always)]
    pub(crate) fn lift(&self, from: u64) -> Lifted {
        let is = |set: u64| if set & from != 0 { !0 } else { 0 };
        let m = &self.mover;
        let role = Side {
            pawns: is(m.pawns),
            knights: is(m.knights),
            diagonal: is(m.diagonal),
            orthogonal: is(m.orthogonal),
            king: is(m.king),
        };
        let mover = Side { king: m.king & !from, ..m.without(from) };
        let rest = Self {
            mover,
            replier: self.replier,
            castling: self.castling_without(from),
            en_passant: 0,
        };
        Lifted { role, rest }
    }

    /// The same position with the roles exchanged: what the replier sees when it is to move.
    #[inline(always)]
    pub(crate) fn turned(&self) -> Self {
        Self {
            mover: self.replier.turned(),
            replier: self.mover.turned(),
            castling: self.castling.swap_bytes(),
            en_passant: self.en_passant.swap_bytes(),
        }
    }
}

/// A position with one piece lifted off the board.
#[derive(Clone, Copy)]
pub(crate) struct Lifted {
    /// Every square in the sets that the piece belongs to, none in the others.
    role: Side,
    rest: Node,
}

impl Lifted {
    /// The position with the piece on another square.
    #[inline(always)]
    pub(crate) fn put(&self, to: u64) -> Node {
        let (m, role) = (&self.rest.mover, &self.role);
        Node {
            mover: Side {
                pawns: m.pawns | role.pawns & to,
                knights: m.knights | role.knights & to,
                diagonal: m.diagonal | role.diagonal & to,
                orthogonal: m.orthogonal | role.orthogonal & to,
                king: m.king | role.king & to,
            },
            replier: self.rest.replier.without(to),
            castling: self.rest.castling & !to,
            en_passant: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::leaf::oracle::positions;

    /// The four bits of a square tell what stands there.
    #[test]
    fn each_thing_on_a_square_has_a_number_of_its_own() {
        let (mut numbers, mut things) = (HashMap::new(), HashMap::new());
        for position in positions::of_suites() {
            let node = Node::of(&position);
            let words = node.packed();
            for square in 0..64 {
                let has = |set: u64| set >> square & 1 == 1;
                let piece = |side: &Side| {
                    [side.pawns, side.knights, side.diagonal, side.orthogonal, side.king].map(has)
                };
                let sides = [piece(&node.mover), piece(&node.replier)];
                let thing = (sides, has(node.castling), has(node.en_passant));
                let number = words.map(has);
                assert_eq!(*numbers.entry(thing).or_insert(number), number, "{thing:?}");
                assert_eq!(*things.entry(number).or_insert(thing), thing, "{number:?}");
            }
        }
        // Nothing, the en-passant square, and for each side six roles and a rook that may castle.
        assert!(numbers.len() == 2 + 2 * 7 || positions::are_few(), "{}", numbers.len());
    }
}
