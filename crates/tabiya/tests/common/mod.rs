//! What the tests share: the suites of positions with known counts.
#![allow(dead_code, reason = "each test uses a part")]

use std::path::Path;

use tabiya::Position;

/// A position and its counts by depth.
pub(crate) struct Line {
    pub(crate) position: Position,
    pub(crate) counts: Vec<(u32, u64)>,
}

/// The text of a file in `suites/`.
pub(crate) fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suites").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines of a suite, as `FEN ;D1 20 ;D2 400`.
pub(crate) fn suite(name: &str) -> Vec<Line> {
    file(name)
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut parts = line.split(';').map(str::trim);
            let fen = parts.next().unwrap();
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            let counts = parts
                .map(|part| {
                    let (depth, nodes) = part.strip_prefix('D').unwrap().split_once(' ').unwrap();
                    (depth.parse().unwrap(), nodes.trim().parse().unwrap())
                })
                .collect();
            Line { position, counts }
        })
        .collect()
}

/// A small random generator (xorshift64*), so that tests repeat exactly.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) const fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `limit`.
    pub(crate) const fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 11) as usize % limit
    }
}
