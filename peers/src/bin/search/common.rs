//! What both searches share: the evaluation, the order of moves, the table, and the rules of the tree.
//! Squares are numbers from a1 = 0 to h8 = 63, roles from pawn = 0 to king = 5, colours white = 0.

/// A score that no evaluation reaches.
pub(crate) const MATE: i32 = 30_000;
pub(crate) const INFINITE: i32 = 32_000;
/// No line is longer.
pub(crate) const MAX_PLY: usize = 64;

const VALUES: [i32; 6] = [100, 320, 330, 500, 900, 0];

/// What a piece is worth on a square, from White's side of the board.
static TABLES: [[i32; 64]; 6] = tables();

const fn tables() -> [[i32; 64]; 6] {
    let mut tables = [[0; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (file, rank) = (square % 8, square / 8);
            let from_edge = |n: i32| if n < 4 { n } else { 7 - n };
            let file_centre = if file < 4 { file } else { 7 - file };
            let rank_centre = if rank < 4 { rank } else { 7 - rank };
            let bonus = match role {
                0 => rank * 4 + file_centre * rank,
                1 => (file_centre + rank_centre) * 8,
                2 => (file_centre + rank_centre) * 5,
                3 => file_centre * 2 + if rank == 6 { 15 } else { 0 },
                4 => file_centre + rank_centre,
                _ => if rank == 0 { 12 - 6 * file_centre } else { -10 * rank },
            };
            let _ = from_edge;
            tables[role][square as usize] = VALUES[role] + bonus;
            square += 1;
        }
        role += 1;
    }
    tables
}

/// The worth of a piece on a square for its owner.
#[inline(always)]
pub(crate) fn worth(color: usize, role: usize, square: usize) -> i32 {
    TABLES[role][square ^ (56 * color)]
}

/// How promising a capture or queen promotion is: the most valuable victim, then the least valuable
/// attacker.
#[inline(always)]
pub(crate) fn mvv_lva(victim: Option<usize>, attacker: usize, promotes: bool) -> i32 {
    let victim = match victim { Some(role) => role as i32 + 1, None => 0 };
    victim * 8 - attacker as i32 + if promotes { 64 } else { 0 }
}

/// A value that orders moves: the more promising first, of equals the one with the smaller squares.
#[inline(always)]
pub(crate) fn order(value: i32, from: usize, to: usize, promotion: usize) -> i32 {
    value << 16 | (0x7fff - (promotion << 12 | from << 6 | to) as i32) & 0xffff
}

pub(crate) const CAPTURE: i32 = 8000;
pub(crate) const KILLER: i32 = 4000;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound { Lower, Upper, Exact }

#[derive(Clone, Copy)]
pub(crate) struct Entry<M> {
    key: u64,
    pub(crate) mv: Option<M>,
    pub(crate) score: i16,
    pub(crate) depth: u8,
    pub(crate) bound: Bound,
}

/// A table by key that never evicts: the tree must not depend on which keys share a place.
pub(crate) struct Table<M> {
    places: Vec<Option<Entry<M>>>,
    len: usize,
}

impl<M: Copy> Table<M> {
    const BITS: u32 = 18;

    pub(crate) fn new() -> Self {
        Self { places: vec![None; 1 << Self::BITS], len: 0 }
    }

    pub(crate) fn clear(&mut self) {
        self.places.fill(None);
        self.len = 0;
    }

    /// The place of a key, or the empty place where it belongs.
    #[inline(always)]
    fn place(&self, key: u64) -> usize {
        let mut place = (key >> (64 - Self::BITS)) as usize;
        while self.places[place].as_ref().is_some_and(|entry| entry.key != key) {
            place = (place + 1) % (1 << Self::BITS);
        }
        place
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Entry<M>> {
        self.places[self.place(key)]
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, key: u64, mv: Option<M>, score: i32, depth: i32, bound: Bound) {
        let place = self.place(key);
        if self.places[place].is_none() {
            self.len += 1;
            assert!(self.len < 1 << (Self::BITS - 1), "the table is half full: search less deep");
        }
        self.places[place] = Some(Entry { key, mv, score: score as i16, depth: depth as u8, bound });
    }
}
