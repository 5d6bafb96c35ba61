//! The values of the pieces.

use crate::role::Role;

/// The value of each role. The king is never exchanged and has the value 0.
///
/// ```
/// use tabiya::{order::PieceValues, Role};
/// assert_eq!(PieceValues::DEFAULT.of(Role::Rook), 500);
/// assert_eq!(PieceValues::new([1, 3, 3, 5, 9]).of(Role::King), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceValues {
    values: [i16; 6],
    ascending: [Role; 5],
    /// Each role's index in `ascending`; the king's is after all of them.
    places: [u8; 6],
}

impl PieceValues {
    /// In centipawns: pawn 100, knight and bishop 300, rook 500, queen 900.
    pub const DEFAULT: Self = Self::new([100, 300, 300, 500, 900]);

    /// The values of pawn, knight, bishop, rook and queen.
    pub const fn new([pawn, knight, bishop, rook, queen]: [i16; 5]) -> Self {
        let values = [pawn, knight, bishop, rook, queen, 0];
        // Insertion sort, which keeps roles of the same value in their order.
        let mut ascending = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        let mut next = 1;
        while next < ascending.len() {
            let mut at = next;
            while at > 0 && values[ascending[at - 1] as usize] > values[ascending[at] as usize] {
                (ascending[at - 1], ascending[at]) = (ascending[at], ascending[at - 1]);
                at -= 1;
            }
            next += 1;
        }
        let mut places = [5; 6];
        let mut place = 0;
        while place < ascending.len() {
            places[ascending[place] as usize] = place as u8;
            place += 1;
        }
        Self { values, ascending, places }
    }

    /// The value of a role; 0 for a king.
    #[inline(always)]
    pub const fn of(&self, role: Role) -> i32 {
        self.values[role as usize] as i32
    }

    /// All roles except the king, the least valuable first.
    #[inline(always)]
    pub const fn ascending(&self) -> [Role; 5] {
        self.ascending
    }

    /// A role's index in [`ascending`](Self::ascending); 5 for a king.
    #[inline(always)]
    pub(super) const fn place(&self, role: Role) -> i32 {
        self.places[role as usize] as i32
    }

    /// The most valuable role to which a pawn can promote.
    #[inline]
    pub(crate) fn best_promotion(&self) -> Role {
        let [.., fourth, last] = self.ascending;
        if last == Role::Pawn { fourth } else { last }
    }
}

impl Default for PieceValues {
    fn default() -> Self {
        Self::DEFAULT
    }
}
