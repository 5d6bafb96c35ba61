//! What the kernel for siblings finds.

/// How many blocks of eight siblings there are: enough for the moves of any position of a game,
/// which are at most 218.
pub(super) const BLOCKS: usize = 28;

/// How many moves all siblings have together, by kind.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub moves: u64,
    pub captures: u64,
    pub castlings: u64,
    /// Promotions to a queen. There are as many to each other piece.
    pub promotions: u64,
    /// Checks, by kind of [`Check`].
    pub checks: [u64; 3],
    /// The mates among them.
    pub mates: [u64; 3],
    /// Checks that are mate unless a capture en passant answers them.
    pub unsure: Vec<Unsure>,
    /// The numbers of siblings whose moves are not counted because something about them is unusual.
    left_out: [u8; 8 * BLOCKS],
    left_outs: usize,
}

impl Default for Found {
    fn default() -> Self {
        Self {
            moves: 0,
            captures: 0,
            castlings: 0,
            promotions: 0,
            checks: [0; 3],
            mates: [0; 3],
            unsure: Vec::new(),
            left_out: [0; 8 * BLOCKS],
            left_outs: 0,
        }
    }
}

impl Found {
    /// Forgets what the last call found, except the sums, which are overwritten at its end.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.checks = [0; 3];
        self.mates = [0; 3];
        self.unsure.clear();
        self.left_outs = 0;
    }

    /// Leaves out lanes of a block.
    #[inline(always)]
    pub(super) fn leave_out(&mut self, block: usize, lanes: u8) {
        let mut lanes = lanes;
        while lanes != 0 {
            self.left_out[self.left_outs % (8 * BLOCKS)] =
                (8 * block) as u8 + lanes.trailing_zeros() as u8;
            self.left_outs += 1;
            lanes &= lanes - 1;
        }
    }

    /// The numbers of the siblings that are left out.
    #[inline(always)]
    pub(crate) fn left_out(&self) -> &[u8] {
        &self.left_out[..self.left_outs.min(8 * BLOCKS)]
    }
}

/// A kind of check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Direct,
    Discovered,
    Both,
}

/// A check of a sibling that is mate unless a capture en passant answers it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unsure {
    /// The number of the sibling.
    pub(super) sibling: u8,
    pub(super) from: u8,
    pub(super) to: u8,
    pub check: Check,
}
