//! What tables say about a position.

use std::fmt;
use std::ops::Neg;

/// The result with best play, for the side to move, if the halfmove clock is zero.
///
/// The fifty-move rule splits wins: if the loser can hold out for a hundred plies without a
/// capture or a pawn move, the win is *cursed*, the loss *blessed*, and the game drawn.
///
/// ```
/// use tabiya_syzygy::Wdl;
/// assert!(Wdl::Win > Wdl::CursedWin && Wdl::CursedWin > Wdl::Draw);
/// assert_eq!(-Wdl::CursedWin, Wdl::BlessedLoss);
/// assert_eq!(Wdl::BlessedLoss.signum(), -1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
pub enum Wdl {
    /// The side to move loses.
    Loss = -2,
    /// It would lose, but the fifty-move rule saves it.
    BlessedLoss = -1,
    /// Draw, with or without the fifty-move rule.
    Draw = 0,
    /// It would win, but the fifty-move rule prevents it.
    CursedWin = 1,
    /// The side to move wins.
    Win = 2,
}

impl Wdl {
    /// All five, in ascending order.
    pub const ALL: [Self; 5] =
        [Self::Loss, Self::BlessedLoss, Self::Draw, Self::CursedWin, Self::Win];

    /// The value of a number as in `Wdl as i8`, for numbers outside that range the nearest one.
    pub(crate) const fn of(number: i8) -> Self {
        match number {
            ..=-2 => Self::Loss,
            -1 => Self::BlessedLoss,
            0 => Self::Draw,
            1 => Self::CursedWin,
            2.. => Self::Win,
        }
    }

    /// 1 for a win, cursed or not, 0 for a draw, -1 for a loss: the result without the fifty-move
    /// rule.
    pub const fn signum(self) -> i8 {
        (self as i8).signum()
    }

    /// The name: `loss`, `blessed-loss`, `draw`, `cursed-win` or `win`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Loss => "loss",
            Self::BlessedLoss => "blessed-loss",
            Self::Draw => "draw",
            Self::CursedWin => "cursed-win",
            Self::Win => "win",
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Neg for Wdl {
    type Output = Self;

    fn neg(self) -> Self {
        Self::of(-(self as i8))
    }
}

/// The distance to zeroing: in how many plies the winner forces a capture, a pawn move or mate
/// without giving the win away.
///
/// [`plies`](Self::plies) is positive if the side to move wins and negative if it loses. Beyond 100
/// the fifty-move rule comes first: 100 is added to the distances of cursed wins and blessed losses,
/// so that their first zeroing move is at 101. A mated side is at -1.
///
/// Most tables count whole moves. Then the real distance may be one ply more than the number; if so,
/// [`is_rounded`](Self::is_rounded) says it. Where it would matter to the fifty-move rule from a
/// clock of zero, tables count plies.
///
/// ```
/// use tabiya_syzygy::Dtz;
/// assert_eq!(Dtz::DRAW.plies(), 0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dtz {
    plies: i16,
    rounded: bool,
}

impl Dtz {
    /// The distance in a drawn position: zero.
    pub const DRAW: Self = Self { plies: 0, rounded: false };

    /// This number of plies, or perhaps one more.
    pub(crate) const fn new(plies: i16, rounded: bool) -> Self {
        Self { plies, rounded }
    }

    /// The distance if the best move is a zeroing one.
    pub(crate) const fn zeroing(wdl: Wdl) -> Self {
        Self::new(
            match wdl {
                Wdl::Loss => -1,
                Wdl::BlessedLoss => -101,
                Wdl::Draw => 0,
                Wdl::CursedWin => 101,
                Wdl::Win => 1,
            },
            false,
        )
    }

    /// The number of plies: positive in a win, negative in a loss, zero in a draw.
    pub const fn plies(self) -> i32 {
        self.plies as i32
    }

    /// May the real distance be one ply more than the number?
    pub const fn is_rounded(self) -> bool {
        self.rounded
    }

    /// The largest possible distance, without a sign.
    pub const fn at_most(self) -> i32 {
        self.plies().abs() + self.rounded as i32
    }

    /// The distance for the opponent, one ply earlier.
    pub(crate) const fn before(self) -> Self {
        Self::new(-(self.plies + self.plies.signum()), self.rounded)
    }
}

impl fmt::Display for Dtz {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plies.fmt(f)
    }
}
