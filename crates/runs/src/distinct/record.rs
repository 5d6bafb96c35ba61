//! Records to be sorted: positions, each with the number of move sequences that lead to it.

use tabiya::packed::{PackedIdentity, UnpackError};
use tabiya::{Color, Position};

use super::DistinctError;

/// A position and its multiplicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CountedPosition {
    pub(crate) packed: PackedIdentity,
    pub(crate) multiplicity: u64,
}

impl CountedPosition {
    /// The number of bytes of a record in a file.
    pub(crate) const BYTES: usize = PackedIdentity::BYTES + 8;

    /// The record of the root.
    pub(crate) fn root(packed: PackedIdentity) -> Self {
        Self { packed, multiplicity: 1 }
    }

    /// The record of a position after one more move.
    pub(crate) fn child(&self, packed: PackedIdentity) -> Self {
        Self { packed, multiplicity: self.multiplicity }
    }

    /// Adds another record of the same position.
    pub(crate) fn absorb(&mut self, same: &Self) -> Result<(), DistinctError> {
        let sum = self.multiplicity.checked_add(same.multiplicity);
        self.multiplicity = sum.ok_or(DistinctError::Multiplicity)?;
        Ok(())
    }

    /// The position, which is the given number of plies below a root, with its fullmove number.
    pub(crate) fn unpack(&self, root: &Position, plies: u32) -> Result<Position, UnpackError> {
        let moves = plies.saturating_add(u32::from(root.turn() == Color::Black)) / 2;
        let number = u32::from(root.fullmove_number()).saturating_add(moves);
        self.packed.unpack(root.castling_mode(), u16::try_from(number).unwrap_or(u16::MAX))
    }

    /// The bytes in a file. They sort in the same order as the records.
    pub(crate) fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        let (packed, multiplicity) = bytes.split_at_mut(PackedIdentity::BYTES);
        packed.copy_from_slice(&self.packed.to_bytes());
        multiplicity.copy_from_slice(&self.multiplicity.to_be_bytes());
        bytes
    }

    /// The record of these bytes.
    pub(crate) fn from_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let (packed, multiplicity) = bytes.split_at(PackedIdentity::BYTES);
        let multiplicity =
            multiplicity.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let mut identity = [0; PackedIdentity::BYTES];
        identity.copy_from_slice(packed);
        Self { packed: PackedIdentity::from_bytes(identity), multiplicity }
    }
}
