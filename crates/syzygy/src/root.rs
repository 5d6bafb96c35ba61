//! The moves of a position, ranked, and the best line.

use std::cmp::Reverse;

use tabiya::{Move, Position};

use crate::error::TableError;
use crate::source::Source;
use crate::tables::Tables;
use crate::value::{Dtz, Wdl};

/// The rank of moves that surely win, and that of moves that surely lose is its negative.
const SURE: i32 = 1000;

/// A line is never longer. The longest distance of any table with seven pieces is 517 moves.
const LONGEST_LINE: usize = 1100;

/// How the fifty-move rule bears on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FiftyMoves {
    /// It applies, and no position has been repeated since the last capture or pawn move.
    Apply,
    /// It applies, and a position has been repeated. Now all moves that win aren't equally good: a
    /// program that keeps choosing among equal ones might repeat for a third time.
    ApplyAfterRepetition,
    /// It doesn't apply, as in correspondence chess.
    Ignore,
}

/// A move with what it leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// The distance to zeroing for the side that moves, with this move counted. The clock isn't.
    pub dtz: Dtz,
    /// The result with best play, for the side that moves, with the clock as it is. If the distance
    /// is rounded it's the cautious one: a win that may come a ply late is cursed.
    pub wdl: Wdl,
    /// How good the move is: higher is better. See [`Tables::root_moves`].
    pub rank: i32,
}

impl<S: Source> Tables<S> {
    /// All legal moves, the best ones first.
    ///
    /// Ranks are those of Fathom. Moves that surely win have 1000, moves that surely lose -1000: an
    /// engine keeps those of the highest rank, and searches as it likes. Under the fifty-move rule,
    /// other wins have 1000 less the distance and the clock, so those from 900 down may be cursed, and
    /// losses that may end in a draw have ranks above -1000. After a repetition, every win is ranked
    /// by its distance.
    ///
    /// Moves of equal rank are ordered by distance: a winner takes the shortest way, a loser the
    /// longest.
    ///
    /// # Errors
    /// [`TableError`] if any move can't be looked up. Then [`root_moves_by_wdl`](Self::root_moves_by_wdl)
    /// may still rank them, since it needs no `.rtbz`.
    #[doc(alias("tb_probe_root_dtz", "tb_probe_root"))]
    pub fn root_moves(
        &self,
        position: &Position,
        rule: FiftyMoves,
    ) -> Result<Vec<RootMove>, TableError> {
        Self::check(position)?;
        let clock = i32::from(position.halfmove_clock());
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let child = position.play(mv);
            let dtz = if child.halfmove_clock() == 0 {
                Dtz::zeroing(-self.wdl(&child)?)
            } else {
                self.distance_after(&child)?
            };
            moves.push(RootMove {
                mv,
                dtz,
                wdl: wdl(dtz, clock, rule),
                rank: rank(dtz, clock, rule),
            });
        }
        sort(&mut moves);
        Ok(moves)
    }

    /// All legal moves, the best ones first, from the results alone: for those who have no files
    /// `.rtbz`. Ranks are 1000, 899, 0, -899 and -1000, and distances those of zeroing moves. Clock
    /// and repetitions count for nothing, so a won game may end in a draw.
    ///
    /// # Errors
    /// [`TableError`] if any move can't be looked up.
    #[doc(alias = "tb_probe_root_wdl")]
    pub fn root_moves_by_wdl(
        &self,
        position: &Position,
        rule: FiftyMoves,
    ) -> Result<Vec<RootMove>, TableError> {
        Self::check(position)?;
        let mut moves = Vec::new();
        for mv in position.legal_moves() {
            let wdl = -self.wdl(&position.play(mv))?;
            let counted = match rule {
                FiftyMoves::Ignore => Wdl::of(2 * wdl.signum()),
                _ => wdl,
            };
            let rank = match counted {
                Wdl::Loss => -SURE,
                Wdl::BlessedLoss => -899,
                Wdl::Draw => 0,
                Wdl::CursedWin => 899,
                Wdl::Win => SURE,
            };
            moves.push(RootMove { mv, dtz: Dtz::zeroing(wdl), wdl: counted, rank });
        }
        sort(&mut moves);
        Ok(moves)
    }

    /// Best play from a position up to the first capture, pawn move or mate; nothing in a draw.
    ///
    /// # Errors
    /// [`TableError`] if a position on the way can't be looked up.
    pub fn line(&self, position: &Position, rule: FiftyMoves) -> Result<Vec<Move>, TableError> {
        let mut line = Vec::new();
        let mut position = position.clone();
        while line.len() < LONGEST_LINE {
            let Some(best) = self.root_moves(&position, rule)?.first().copied() else { break };
            if best.dtz == Dtz::DRAW {
                break;
            }
            line.push(best.mv);
            position = position.play(best.mv);
            if position.halfmove_clock() == 0 {
                break;
            }
        }
        Ok(line)
    }
}

/// The result of a move.
fn wdl(dtz: Dtz, clock: i32, rule: FiftyMoves) -> Wdl {
    let in_time = rule == FiftyMoves::Ignore || dtz.at_most() + clock <= 100;
    match (dtz.plies().signum(), in_time) {
        (1, true) => Wdl::Win,
        (1, false) => Wdl::CursedWin,
        (-1, true) => Wdl::Loss,
        (-1, false) => Wdl::BlessedLoss,
        _ => Wdl::Draw,
    }
}

/// The rank of a move.
fn rank(dtz: Dtz, clock: i32, rule: FiftyMoves) -> i32 {
    let plies = dtz.plies();
    let sign = plies.signum();
    let distance = plies.abs() + clock;
    match (sign, rule) {
        (0, _) => 0,
        (_, FiftyMoves::Ignore) => sign * SURE,
        (1, FiftyMoves::Apply) if distance <= 99 => SURE,
        (1, _) => SURE - distance,
        // A loser who needs luck for a draw has lost.
        (_, _) if 2 * plies.abs() + clock < 100 => -SURE,
        (_, _) => -SURE + distance,
    }
}

/// Sorts moves, the best first. Moves that are equally good stay in the generator's order.
fn sort(moves: &mut [RootMove]) {
    let shortest = |dtz: Dtz| match dtz.plies() {
        0 => 0,
        plies => dtz.at_most() + plies.abs(),
    };
    moves.sort_by_key(|mv| {
        let way = shortest(mv.dtz);
        (Reverse(mv.rank), if mv.dtz.plies() > 0 { way } else { -way })
    });
}
