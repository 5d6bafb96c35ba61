//! One file: what its header says, and a look-up.
//!
//! A file begins with four bytes that tell its kind, and flags. Then come, for each leading file of
//! pawns (or once without pawns) and in files `.rtbw` for each side to move: the order of its pieces;
//! then for each the description of its sequence; in `.rtbz` the maps; then for each its sparse
//! index; for each the sizes of its blocks; for each its blocks, from a multiple of 64 bytes on. A
//! checksum of sixteen bytes ends the file.

use tabiya::{Board, Color};

use crate::checksum::checksum;
use crate::encoding::{Encoding, Flip, Lead};
use crate::error::Damage;
use crate::material::{Kind, Material, TableFile};
use crate::pairs::{Pairs, Reader};
use crate::value::Wdl;

/// The first bytes.
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// The length of the checksum.
const CHECKSUM: usize = 16;

/// Flags of a sequence of distances.
mod flag {
    /// It's for Black to move, in the table's colours.
    pub(super) const BLACK: u8 = 1;
    /// Its values are places in lists of distances.
    pub(super) const MAPPED: u8 = 2;
    /// Distances of wins are in plies, not in moves of two plies.
    pub(super) const WIN_IN_PLIES: u8 = 4;
    /// The same for losses.
    pub(super) const LOSS_IN_PLIES: u8 = 8;
    /// The lists have distances of 16 bits.
    pub(super) const WIDE: u8 = 16;
}

/// What a file's header says.
#[derive(Debug)]
pub(crate) struct Table {
    material: Material,
    lead: Lead,
    /// For each leading file, for each side to move that the file distinguishes.
    sequences: Vec<Sequence>,
    sides: usize,
}

/// The values for one leading file and side to move.
#[derive(Debug)]
struct Sequence {
    encoding: Encoding,
    pairs: Pairs,
    flags: u8,
    /// Where lists of distances begin in the file: those of wins, losses, cursed wins and blessed
    /// losses.
    lists: [List; 4],
}

/// A list of distances in the file.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    start: usize,
    len: usize,
}

/// The distance in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Distance {
    /// To the best zeroing move, in plies; the real one may be one ply more.
    Known { plies: i16, rounded: bool },
    /// The file has distances only for the other side to move.
    OtherSide,
}

impl Table {
    /// Reads the header. All parts of the file are checked to be there.
    pub(crate) fn read(file: TableFile, bytes: &[u8]) -> Result<Self, Damage> {
        let material = file.material;
        if bytes.len() % 64 != CHECKSUM {
            return Err(Damage::new(bytes.len(), "the length isn't one that a table has"));
        }
        let mut reader = Reader::new(&bytes[..bytes.len() - CHECKSUM], 0);
        let magic = if file.kind == Kind::Wdl { WDL_MAGIC } else { DTZ_MAGIC };
        if reader.take(4)? != magic {
            return Err(Damage::new(0, "this isn't a table of its kind"));
        }
        let flags = reader.byte()?;
        let lead = Lead::of(material);
        let has_pawns = matches!(lead, Lead::Pawns(_));
        let sides = if file.kind == Kind::Wdl && !material.is_symmetric() { 2 } else { 1 };
        // The lowest bit: are there two sides to move? The next: are there pawns?
        let expected = u8::from(!material.is_symmetric()) | u8::from(has_pawns) << 1;
        if flags & 3 != expected {
            return Err(Damage::new(4, "the flags don't fit the name"));
        }
        let files = if has_pawns { 4 } else { 1 };
        let mut encodings = Vec::new();
        for leading_file in 0..files {
            // Both sides to move share the bytes.
            let start = reader.offset();
            for side in 0..sides {
                reader = Reader::new(&bytes[..bytes.len() - CHECKSUM], start);
                encodings.push(Encoding::read(&mut reader, side == 1, material, leading_file)?);
            }
        }
        reader.align(2);
        let mut sequences = Vec::new();
        for encoding in encodings {
            let flags = reader.byte()?;
            let pairs = Pairs::read(&mut reader, flags, encoding.len())?;
            sequences.push(Sequence { encoding, pairs, flags, lists: [List::default(); 4] });
        }
        if file.kind == Kind::Dtz {
            read_lists(&mut reader, &mut sequences)?;
        }
        for sequence in &mut sequences {
            sequence.pairs.take_index(&mut reader)?;
        }
        for sequence in &mut sequences {
            sequence.pairs.take_sizes(&mut reader)?;
        }
        for sequence in &mut sequences {
            sequence.pairs.take_blocks(&mut reader)?;
        }
        Ok(Self { material, lead, sequences, sides })
    }

    /// Does the checksum at the end fit the rest?
    pub(crate) fn verify(bytes: &[u8]) -> Result<(), Damage> {
        let (data, stored) = bytes.split_at(bytes.len().saturating_sub(CHECKSUM));
        if checksum(data) == stored {
            Ok(())
        } else {
            Err(Damage::new(data.len(), "the checksum differs"))
        }
    }

    /// How the colours of a board become those of the table, and whether Black is then to move.
    #[inline]
    fn orient(&self, material: Material, turn: Color) -> (Flip, bool) {
        if self.material.is_symmetric() {
            return (Flip(turn == Color::Black), false);
        }
        let flip = material != self.material;
        (Flip(flip), (turn == Color::Black) != flip)
    }

    /// The value in the table. If a capture is as good, it may be any lower one.
    #[inline]
    pub(crate) fn wdl(
        &self,
        bytes: &[u8],
        material: Material,
        board: &Board,
        turn: Color,
    ) -> Result<Wdl, Damage> {
        let (flip, is_black) = self.orient(material, turn);
        let sequence = self.lead.file(board, flip) * self.sides + usize::from(is_black);
        let sequence = &self.sequences[sequence];
        let value = sequence.pairs.value(bytes, sequence.encoding.index(board, flip))?;
        let wdl = Wdl::ALL.get(usize::from(value & 0xff)).copied();
        wdl.ok_or(Damage::new(0, "a value is none of the five results"))
    }

    /// The distance in the table, if the best move is neither a capture nor a pawn's winning move.
    pub(crate) fn dtz(
        &self,
        bytes: &[u8],
        material: Material,
        board: &Board,
        turn: Color,
        wdl: Wdl,
    ) -> Result<Distance, Damage> {
        let (flip, is_black) = self.orient(material, turn);
        let sequence = &self.sequences[self.lead.file(board, flip)];
        let flags = sequence.flags;
        if !self.material.is_symmetric() && (flags & flag::BLACK != 0) != is_black {
            return Ok(Distance::OtherSide);
        }
        let mut value = sequence.pairs.value(bytes, sequence.encoding.index(board, flip))?;
        if flags & flag::MAPPED != 0 {
            let list = match wdl {
                Wdl::Win | Wdl::Draw => 0,
                Wdl::Loss => 1,
                Wdl::CursedWin => 2,
                Wdl::BlessedLoss => 3,
            };
            let List { start, len } = sequence.lists[list];
            let wrong = Damage::new(start, "a distance isn't in its list");
            let at = usize::from(value);
            if at >= len {
                return Err(wrong);
            }
            value = if flags & flag::WIDE == 0 {
                u16::from(*bytes.get(start + at).ok_or(wrong)?)
            } else {
                Reader::new(bytes, start + 2 * at).u16()?
            };
        }
        let in_plies = match wdl {
            Wdl::Win => flags & flag::WIN_IN_PLIES != 0,
            Wdl::Loss => flags & flag::LOSS_IN_PLIES != 0,
            _ => false,
        };
        let plies = i16::try_from(u32::from(value) << u32::from(!in_plies)).ok();
        // Room for the 101 plies that are added.
        let plies = plies.filter(|&plies| plies < i16::MAX / 2);
        let plies = plies.ok_or(Damage::new(0, "a distance is longer than any"))?;
        Ok(Distance::Known { plies, rounded: !in_plies })
    }
}

/// Finds the lists of distances, four for each sequence that has some.
fn read_lists(reader: &mut Reader<'_>, sequences: &mut [Sequence]) -> Result<(), Damage> {
    for sequence in sequences {
        if sequence.flags & flag::MAPPED == 0 {
            continue;
        }
        let is_wide = sequence.flags & flag::WIDE != 0;
        if is_wide {
            reader.align(2);
        }
        for list in &mut sequence.lists {
            let len = if is_wide { reader.u16()? } else { u16::from(reader.byte()?) };
            let len = usize::from(len);
            *list = List { start: reader.offset(), len };
            reader.take(if is_wide { 2 * len } else { len })?;
        }
    }
    reader.align(2);
    Ok(())
}
