//! What is sorted: positions, each with the number of move sequences that lead to it.

use tabiya::packed::PackedIdentity;

use super::DistinctError;

/// A position that is sorted and merged.
pub(crate) trait Record: Copy + Ord + Send + Sync {
    /// How many bytes it has in a file.
    const BYTES: usize;

    /// The record of the root.
    fn root(packed: PackedIdentity) -> Self;

    /// The position.
    fn packed(&self) -> PackedIdentity;

    /// The record of a position after one more move.
    fn child(&self, packed: PackedIdentity) -> Self;

    /// Adds another record of the same position.
    fn absorb(&mut self, same: &Self) -> Result<(), DistinctError>;

    /// Writes the bytes in a file, whose order is that of the records.
    fn write(&self, bytes: &mut [u8]);

    /// Reads what was written.
    fn read(bytes: &[u8]) -> Self;
}

/// A position and its multiplicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CountedPosition {
    pub(crate) packed: PackedIdentity,
    pub(crate) multiplicity: u64,
}

impl Record for CountedPosition {
    const BYTES: usize = PackedIdentity::BYTES + 8;

    fn root(packed: PackedIdentity) -> Self {
        Self { packed, multiplicity: 1 }
    }

    fn packed(&self) -> PackedIdentity {
        self.packed
    }

    fn child(&self, packed: PackedIdentity) -> Self {
        Self { packed, multiplicity: self.multiplicity }
    }

    fn absorb(&mut self, same: &Self) -> Result<(), DistinctError> {
        let sum = self.multiplicity.checked_add(same.multiplicity);
        self.multiplicity = sum.ok_or(DistinctError::Multiplicity)?;
        Ok(())
    }

    fn write(&self, bytes: &mut [u8]) {
        let (packed, multiplicity) = bytes.split_at_mut(PackedIdentity::BYTES);
        packed.copy_from_slice(&self.packed.to_bytes());
        multiplicity.copy_from_slice(&self.multiplicity.to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (packed, multiplicity) = bytes.split_at(PackedIdentity::BYTES);
        let multiplicity =
            multiplicity.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        let mut identity = [0; PackedIdentity::BYTES];
        identity.copy_from_slice(packed);
        Self { packed: PackedIdentity::from_bytes(identity), multiplicity }
    }
}
