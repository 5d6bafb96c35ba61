//! Tables, opened when they're needed.

use std::fmt;
use std::sync::OnceLock;

use tabiya::{Board, Color};

use crate::error::TableError;
use crate::material::{Kind, MOST_PIECES, Material, TableFile};
use crate::source::Source;
use crate::table::{Distance, Table};
use crate::value::Wdl;

/// The number of places of the hash table of materials. There are 1511, most in two colours.
const PLACES: usize = 1 << 12;

/// Syzygy tables.
///
/// Look-ups need no exclusive access, so threads share one value. A file is opened, and its header
/// checked, when a position first needs it; later look-ups neither allocate nor lock.
///
/// ```no_run
/// # #[cfg(feature = "folder")] {
/// use tabiya::Position;
/// use tabiya_syzygy::{Folder, Tables, Wdl};
///
/// let tables = Tables::new(Folder::open("3-4-5")?.and("6-wdl")?);
/// let position = Position::from_fen("8/8/8/8/B7/N7/K2k4/8 b - - 0 1")?;
/// assert_eq!(tables.wdl(&position)?, Wdl::Loss);
/// assert_eq!(tables.dtz(&position)?.plies(), -59);
/// # }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Tables<S: Source> {
    source: S,
    /// For each hash, the number of a material among `slots`, plus one; zero if there's none.
    places: Box<[u16; PLACES]>,
    slots: Vec<Slot<S::Bytes>>,
    /// The number of pieces of the largest material that has a `.rtbw`.
    pieces: u32,
}

/// The two files of a material.
struct Slot<B> {
    material: Material,
    has: [bool; 2],
    files: [OnceLock<Result<Opened<B>, TableError>>; 2],
}

/// A file that has been opened.
struct Opened<B> {
    table: Table,
    bytes: B,
}

impl<S: Source> Tables<S> {
    /// The tables of a source. This only asks for their names.
    pub fn new(source: S) -> Self {
        let mut slots: Vec<Slot<S::Bytes>> = Vec::new();
        let mut files = source.files();
        files.retain(|file| file.is_published());
        files.sort_unstable();
        for file in files {
            if slots.last().is_none_or(|slot| slot.material != file.material) {
                let files = [OnceLock::new(), OnceLock::new()];
                slots.push(Slot { material: file.material, has: [false; 2], files });
            }
            if let Some(slot) = slots.last_mut() {
                slot.has[file.kind as usize] = true;
            }
        }
        let mut places = Box::new([0; PLACES]);
        for (number, slot) in (1..).zip(&slots) {
            for material in [slot.material, slot.material.swapped()] {
                let mut place = hash(material);
                while places[place] != 0 {
                    place = (place + 1) % PLACES;
                }
                places[place] = number;
            }
        }
        let with_wdl = slots.iter().filter(|slot| slot.has[Kind::Wdl as usize]);
        let pieces = with_wdl.map(|slot| slot.material.pieces()).max().unwrap_or(0);
        Self { source, places, slots, pieces }
    }

    /// The number of pieces, kings included, of the largest table `.rtbw`; zero without tables.
    ///
    /// An engine asks for no position with more. Smaller tables may still be missing.
    #[doc(alias("TB_LARGEST", "max_pieces"))]
    pub const fn pieces(&self) -> u32 {
        self.pieces
    }

    /// The files that there are, by name.
    pub fn files(&self) -> Vec<TableFile> {
        let all = self.slots.iter().flat_map(|slot| {
            let has = |kind: &Kind| slot.has[*kind as usize];
            let file = |kind| TableFile { material: slot.material, kind };
            [Kind::Wdl, Kind::Dtz].into_iter().filter(has).map(file)
        });
        let mut files: Vec<TableFile> = all.collect();
        files.sort_unstable_by_key(|file| (file.material.pieces(), file.to_string()));
        files
    }

    /// The files that play from a material to the end can need, and that aren't there: its own, and
    /// those of all that captures and promotions can make of it.
    ///
    /// ```
    /// use tabiya_syzygy::{Memory, Tables};
    /// let tables = Tables::new(Memory::default());
    /// let missing = tables.missing("KRvKR".parse()?)?;
    /// let names: Vec<String> = missing.iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["KRvK.rtbw", "KRvK.rtbz", "KRvKR.rtbw", "KRvKR.rtbz"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`TableError::TooManyPieces`] if no tables have as many.
    pub fn missing(&self, material: Material) -> Result<Vec<TableFile>, TableError> {
        let found = material.pieces();
        if found > MOST_PIECES {
            return Err(TableError::TooManyPieces { found });
        }
        let files = material
            .closure()
            .into_iter()
            .flat_map(|material| [Kind::Wdl, Kind::Dtz].map(|kind| TableFile { material, kind }));
        Ok(files.filter(|file| self.find(file.material, file.kind).is_none()).collect())
    }

    /// Reads the whole of a file, and compares its checksum of 128 bits, which finds any accident. It
    /// isn't a cryptographic one: whoever wants to can make another file for it.
    ///
    /// # Errors
    /// [`TableError`] if the file is missing, unreadable or damaged.
    pub fn verify(&self, file: TableFile) -> Result<(), TableError> {
        let opened = self.open(file.material, file.kind)?;
        Table::verify(opened.bytes.as_ref()).map_err(|damage| TableError::Damaged(file, damage))
    }

    /// The place of a material, in any colours, if it has this file.
    #[inline]
    fn find(&self, material: Material, kind: Kind) -> Option<&Slot<S::Bytes>> {
        let mut place = hash(material);
        loop {
            let number = usize::from(self.places[place]).checked_sub(1)?;
            let slot = self.slots.get(number)?;
            if slot.material == material || slot.material == material.swapped() {
                return slot.has[kind as usize].then_some(slot);
            }
            place = (place + 1) % PLACES;
        }
    }

    /// A file, opened now or before.
    #[inline]
    fn open(&self, material: Material, kind: Kind) -> Result<&Opened<S::Bytes>, TableError> {
        let Some(slot) = self.find(material, kind) else {
            return Err(TableError::Missing(TableFile { material: material.canonical(), kind }));
        };
        let opened = slot.files[kind as usize]
            .get_or_init(|| self.read(TableFile { material: slot.material, kind }));
        opened.as_ref().map_err(|error| *error)
    }

    #[cold]
    fn read(&self, file: TableFile) -> Result<Opened<S::Bytes>, TableError> {
        let unreadable = |error: std::io::Error| TableError::Unreadable(file, error.kind());
        let bytes = self.source.read(file).map_err(unreadable)?;
        let table = Table::read(file, bytes.as_ref());
        let table = table.map_err(|damage| TableError::Damaged(file, damage))?;
        Ok(Opened { table, bytes })
    }

    /// The value in the table of a board, see [`Table::wdl`].
    #[inline]
    pub(crate) fn stored_wdl(&self, board: &Board, turn: Color) -> Result<Wdl, TableError> {
        let material = Material::of(board);
        if material == Material::KINGS {
            return Ok(Wdl::Draw);
        }
        let Opened { table, bytes } = self.open(material, Kind::Wdl)?;
        let wdl = table.wdl(bytes.as_ref(), material, board, turn);
        wdl.map_err(|damage| damaged(material, Kind::Wdl, damage))
    }

    /// The distance in the table of a board, see [`Table::dtz`].
    pub(crate) fn stored_dtz(
        &self,
        board: &Board,
        turn: Color,
        wdl: Wdl,
    ) -> Result<Distance, TableError> {
        let material = Material::of(board);
        let Opened { table, bytes } = self.open(material, Kind::Dtz)?;
        let distance = table.dtz(bytes.as_ref(), material, board, turn, wdl);
        distance.map_err(|damage| damaged(material, Kind::Dtz, damage))
    }
}

#[cold]
fn damaged(material: Material, kind: Kind, damage: crate::error::Damage) -> TableError {
    TableError::Damaged(TableFile { material: material.canonical(), kind }, damage)
}

/// Where to look for a material first.
#[inline]
fn hash(material: Material) -> usize {
    // Fibonacci's hash: the top bits of the product.
    (material.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - PLACES.ilog2())) as usize
}

impl<S: Source + fmt::Debug> fmt::Debug for Tables<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("source", &self.source).finish_non_exhaustive()
    }
}
