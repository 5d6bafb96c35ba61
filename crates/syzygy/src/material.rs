//! The pieces of both sides, and the names of tables.

use std::fmt;
use std::str::FromStr;

use tabiya::{Board, Color, Role};

/// The number of pieces, kings included, for which there are tables.
pub const MOST_PIECES: u32 = 7;

/// The roles that have a count, in the order in which names of tables list them.
const LISTED: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// The number of bits of a count.
const COUNT: u32 = 4;

/// The number of bits of a side's counts.
const SIDE: u32 = 5 * COUNT;

/// The pieces of both sides, in any number and place. Both have a king.
///
/// It's written like the name of its table, with the stronger side first: more pieces, or else the
/// better piece where the two differ.
///
/// ```
/// use tabiya::{Color, Position, Role};
/// use tabiya_syzygy::Material;
///
/// let position = Position::from_fen("8/8/1k6/3r4/8/4KP2/5R2/8 w - - 0 1").unwrap();
/// let material = Material::of(position.board());
/// assert_eq!(material.to_string(), "KRPvKR");
/// assert_eq!(material.count(Color::Black, Role::Pawn), 0);
/// assert_eq!(material.pieces(), 5);
/// assert_eq!("KRPvKR".parse(), Ok(material));
/// ```
// Four bits for each role but the king, pawns lowest, White's below Black's. The order of these
// numbers is the order of strength for sides with as many pieces.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material(u64);

impl Material {
    /// Two kings.
    pub const KINGS: Self = Self(0);

    /// The pieces of a board.
    #[inline]
    pub fn of(board: &Board) -> Self {
        let mut counts = 0;
        for color in Color::ALL {
            for role in LISTED {
                // No table has more than five, so a board with more than fifteen may lie.
                let count = board.pieces(color, role).len().min(15);
                counts |= u64::from(count) << place(color, role);
            }
        }
        Self(counts)
    }

    /// The number of one side's pieces of a role. It's one for the king.
    pub const fn count(self, color: Color, role: Role) -> u32 {
        if matches!(role, Role::King) { 1 } else { (self.0 >> place(color, role)) as u32 & 15 }
    }

    /// The number of pieces of both sides, kings included.
    pub fn pieces(self) -> u32 {
        Color::ALL.into_iter().map(|color| self.pieces_of(color)).sum()
    }

    /// The number of one side's pieces, with its king.
    fn pieces_of(self, color: Color) -> u32 {
        Role::ALL.into_iter().map(|role| self.count(color, role)).sum()
    }

    /// The same pieces in the other colours.
    #[must_use]
    pub const fn swapped(self) -> Self {
        Self(self.0 >> SIDE | (self.0 & ((1 << SIDE) - 1)) << SIDE)
    }

    /// The same pieces, in the colours that their table has: White is the stronger side.
    #[must_use]
    pub fn canonical(self) -> Self {
        let strength = |color| (self.pieces_of(color), self.side(color));
        if strength(Color::White) < strength(Color::Black) { self.swapped() } else { self }
    }

    /// Do both sides have the same pieces?
    pub const fn is_symmetric(self) -> bool {
        self.side(Color::White) == self.side(Color::Black)
    }

    /// The counts of one side.
    const fn side(self, color: Color) -> u64 {
        self.0 >> (color as u32 * SIDE) & ((1 << SIDE) - 1)
    }

    /// All counts as one number.
    #[inline]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    /// The same with one piece more, or with one less.
    fn with(self, color: Color, role: Role) -> Self {
        Self(self.0 + (1 << place(color, role)))
    }

    fn without(self, color: Color, role: Role) -> Self {
        Self(self.0 - (1 << place(color, role)))
    }

    /// Every material that has a table: three to seven pieces, each in its table's colours, small
    /// ones first.
    ///
    /// ```
    /// use tabiya_syzygy::Material;
    /// let names: Vec<String> = Material::all().map(|material| material.to_string()).collect();
    /// assert_eq!(names[..6], ["KPvK", "KNvK", "KBvK", "KRvK", "KQvK", "KPPvK"]);
    /// assert_eq!(names.len(), 1511);
    /// ```
    pub fn all() -> impl Iterator<Item = Self> {
        let mut level = vec![Self::KINGS];
        let mut all = Vec::new();
        for _ in 2..MOST_PIECES {
            level = level.into_iter().flat_map(Self::with_one_more).collect();
            level.sort_unstable();
            level.dedup();
            all.extend_from_slice(&level);
        }
        all.into_iter()
    }

    fn with_one_more(self) -> impl Iterator<Item = Self> {
        Color::ALL
            .into_iter()
            .flat_map(move |color| LISTED.map(|role| self.with(color, role).canonical()))
    }

    /// This material and all that captures and promotions can make of it, except bare kings, in
    /// their tables' colours and sorted.
    pub(crate) fn closure(self) -> Vec<Self> {
        let mut all = vec![self.canonical()];
        let mut done = 0;
        while let Some(&material) = all.get(done) {
            done += 1;
            let next = Color::ALL.into_iter().flat_map(|color| {
                LISTED.into_iter().filter(move |&role| material.count(color, role) > 0).flat_map(
                    move |role| {
                        let rest = material.without(color, role);
                        let promotes = role == Role::Pawn;
                        let promoted = Role::PROMOTIONS.map(move |role| rest.with(color, role));
                        [rest].into_iter().chain(promoted.into_iter().filter(move |_| promotes))
                    },
                )
            });
            for material in next.map(Self::canonical) {
                if !all.contains(&material) {
                    all.push(material);
                }
            }
        }
        all.retain(|&material| material != Self::KINGS);
        all.sort_unstable_by_key(|material| (material.pieces(), material.to_string()));
        all
    }
}

/// The place of a count in [`Material`].
const fn place(color: Color, role: Role) -> u32 {
    color as u32 * SIDE + role as u32 * COUNT
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let material = self.canonical();
        let mut text = String::new();
        for (color, start) in [(Color::White, "K"), (Color::Black, "vK")] {
            text.push_str(start);
            for role in LISTED {
                let letter = role.letter().to_ascii_uppercase();
                text.extend((0..material.count(color, role)).map(|_| letter));
            }
        }
        f.pad(&text)
    }
}

impl fmt::Debug for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Material({self})")
    }
}

/// A text isn't the name of a table: `KRPvKR`, or `KRPvKR.rtbw` for a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameError;

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a table's name is like KRPvKR, with the stronger side first, and 3 to 7 pieces",
        )
    }
}

impl std::error::Error for NameError {}

impl FromStr for Material {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        if name.len() > MOST_PIECES as usize + 1 {
            return Err(NameError);
        }
        let (white, black) = name.split_once('v').ok_or(NameError)?;
        let mut material = Self::KINGS;
        for (color, letters) in [(Color::White, white), (Color::Black, black)] {
            for letter in letters.strip_prefix('K').ok_or(NameError)?.chars() {
                match Role::from_letter(letter) {
                    Some(Role::King) | None => return Err(NameError),
                    Some(role) => material = material.with(color, role),
                }
            }
        }
        // One name for each table: other orders of the letters are other names.
        if material == Self::KINGS || material.to_string() != name {
            return Err(NameError);
        }
        Ok(material)
    }
}

/// The two files of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Win, draw or loss, `.rtbw`.
    Wdl,
    /// The distance to zeroing, `.rtbz`.
    Dtz,
}

/// One file with a table.
///
/// ```
/// use tabiya_syzygy::{Kind, TableFile};
/// let file: TableFile = "KRPvKR.rtbw".parse().unwrap();
/// assert_eq!(file.kind, Kind::Wdl);
/// assert_eq!(file.to_string(), "KRPvKR.rtbw");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableFile {
    /// The material, in the colours of the table.
    pub material: Material,
    /// What it tells.
    pub kind: Kind,
}

impl TableFile {
    /// Is it one of the tables that there can be, with the stronger side as White?
    pub(crate) fn is_published(self) -> bool {
        let pieces = 3..=MOST_PIECES;
        pieces.contains(&self.material.pieces()) && self.material == self.material.canonical()
    }
}

impl fmt::Display for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.kind {
            Kind::Wdl => "rtbw",
            Kind::Dtz => "rtbz",
        };
        write!(f, "{}.{suffix}", self.material)
    }
}

impl FromStr for TableFile {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let (material, suffix) = name.split_once('.').ok_or(NameError)?;
        let kind = match suffix {
            "rtbw" => Kind::Wdl,
            "rtbz" => Kind::Dtz,
            _ => return Err(NameError),
        };
        Ok(Self { material: material.parse()?, kind })
    }
}
