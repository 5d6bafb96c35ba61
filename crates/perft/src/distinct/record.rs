//! What is sorted: positions, with or without the number of games that lead to them.

use super::Error;
use crate::packed::PackedPosition;

/// A position on its way through sorting and merging.
pub(crate) trait Record: Copy + Ord + Send + Sync {
    /// How many bytes it has in a file.
    const BYTES: usize;

    /// The record of the position before the first ply.
    fn root(packed: PackedPosition) -> Self;

    /// The position.
    fn packed(&self) -> PackedPosition;

    /// A position one ply on.
    fn child(&self, packed: PackedPosition) -> Self;

    /// Takes in another record of the same position.
    fn absorb(&mut self, same: &Self) -> Result<(), Error>;

    /// Appends the bytes in a file, which are in the order of the records.
    fn write(&self, bytes: &mut Vec<u8>);

    /// Reads what was written.
    fn read(bytes: &[u8]) -> Self;
}

/// A position alone.
impl Record for PackedPosition {
    const BYTES: usize = Self::BYTES;

    fn root(packed: PackedPosition) -> Self {
        packed
    }

    fn packed(&self) -> PackedPosition {
        *self
    }

    fn child(&self, packed: PackedPosition) -> Self {
        packed
    }

    fn absorb(&mut self, _: &Self) -> Result<(), Error> {
        Ok(())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let mut packed = [0; Self::BYTES];
        packed.copy_from_slice(bytes);
        Self::from_bytes(packed)
    }
}

/// A position and its multiplicity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Counted {
    pub(crate) packed: PackedPosition,
    pub(crate) games: u64,
}

impl Record for Counted {
    const BYTES: usize = PackedPosition::BYTES + 8;

    fn root(packed: PackedPosition) -> Self {
        Self { packed, games: 1 }
    }

    fn packed(&self) -> PackedPosition {
        self.packed
    }

    fn child(&self, packed: PackedPosition) -> Self {
        Self { packed, games: self.games }
    }

    fn absorb(&mut self, same: &Self) -> Result<(), Error> {
        self.games = self.games.checked_add(same.games).ok_or(Error::Multiplicity)?;
        Ok(())
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.packed.write(bytes);
        bytes.extend_from_slice(&self.games.to_be_bytes());
    }

    fn read(bytes: &[u8]) -> Self {
        let (packed, games) = bytes.split_at(PackedPosition::BYTES);
        let games = games.iter().fold(0, |number, &byte| number << 8 | u64::from(byte));
        Self { packed: PackedPosition::read(packed), games }
    }
}
