//! From what tables store to the value of a position.
//!
//! Tables leave out what a look at the position's captures tells: a value may be lower than that of
//! the best capture, whichever compresses best. And they know nothing of captures en passant. So the
//! value of a position is the best of its captures' values, which come from smaller tables, and the
//! stored one.

use std::ops::ControlFlow;

use tabiya::movegen::{Captures, Legal};
use tabiya::{Move, MoveKind, Position, Role};

use crate::error::TableError;
use crate::material::MOST_PIECES;
use crate::source::Source;
use crate::table::Distance;
use crate::tables::Tables;
use crate::value::{Dtz, Wdl};

/// The value of a position.
#[derive(Clone, Copy)]
struct Value {
    wdl: Wdl,
    /// Is a capture among the best moves, and does the table not know the distance for that reason?
    is_capture: bool,
}

impl<S: Source> Tables<S> {
    /// The result with best play, for the side to move, as if the halfmove clock were zero.
    ///
    /// An engine asks for it after captures and pawn moves, when the clock *is* zero; at the root,
    /// [`root_moves`](Self::root_moves) takes the clock into account.
    ///
    /// # Errors
    /// [`TableError`] if a side may castle, there are more than seven pieces, or a file that's needed
    /// is missing or damaged: that of the position's material, and of those after captures.
    #[doc(alias("tb_probe_wdl", "probe_wdl"))]
    pub fn wdl(&self, position: &Position) -> Result<Wdl, TableError> {
        Self::check(position)?;
        Ok(self.value(position)?.wdl)
    }

    /// The distance to zeroing with best play, for the side to move, from a clock of zero.
    ///
    /// # Errors
    /// As [`wdl`](Self::wdl); unless the position is drawn it needs the `.rtbz` of its material, too,
    /// and a pawn's promotions need the `.rtbw` of theirs.
    #[doc(alias("tb_probe_dtz", "probe_dtz"))]
    pub fn dtz(&self, position: &Position) -> Result<Dtz, TableError> {
        Self::check(position)?;
        self.distance(position)
    }

    /// Can there be tables for a position?
    pub(crate) fn check(position: &Position) -> Result<(), TableError> {
        let found = position.board().occupied().len();
        if found > MOST_PIECES {
            return Err(TableError::TooManyPieces { found });
        }
        if !position.castling_rights().is_empty() {
            return Err(TableError::CastlingRights);
        }
        Ok(())
    }

    /// The value of a position without captures en passant, if it's between two bounds; at the
    /// bounds it may lie beyond.
    fn bounded(&self, position: &Position, mut low: Wdl, high: Wdl) -> Result<Wdl, TableError> {
        let early = captures(position, |mv| {
            let value = match self.bounded(&position.play(mv), -high, -low) {
                Ok(value) => -value,
                Err(error) => return ControlFlow::Break(Err(error)),
            };
            if value >= high {
                return ControlFlow::Break(Ok(value));
            }
            low = low.max(value);
            ControlFlow::Continue(())
        });
        match early {
            ControlFlow::Break(result) => result,
            ControlFlow::Continue(()) => {
                Ok(low.max(self.stored_wdl(position.board(), position.turn())?))
            }
        }
    }

    /// The value of a position.
    fn value(&self, position: &Position) -> Result<Value, TableError> {
        // The best capture, and the best one en passant if that's better.
        let (mut best, mut best_en_passant) = (None, None);
        let early = captures(position, |mv| {
            let low = best.unwrap_or(Wdl::Loss);
            let value = match self.bounded(&position.play(mv), Wdl::Loss, -low) {
                Ok(value) => -value,
                Err(error) => return ControlFlow::Break(Err(error)),
            };
            if value == Wdl::Win {
                return ControlFlow::Break(Ok(()));
            }
            if mv.is_en_passant() {
                best_en_passant = best_en_passant.max(Some(value));
            } else {
                best = best.max(Some(value));
            }
            ControlFlow::Continue(())
        });
        if let ControlFlow::Break(result) = early {
            return result.map(|()| Value { wdl: Wdl::Win, is_capture: true });
        }
        let stored = self.stored_wdl(position.board(), position.turn())?;
        if let Some(en_passant) = best_en_passant
            && Some(en_passant) > best
        {
            // Without the capture en passant a stalemate is a draw, but the rules force the capture.
            if en_passant > stored || (stored == Wdl::Draw && only_en_passant(position)) {
                return Ok(Value { wdl: en_passant, is_capture: true });
            }
            best = Some(en_passant);
        }
        Ok(match best {
            Some(best) if best >= stored => Value { wdl: best, is_capture: best > Wdl::Draw },
            _ => Value { wdl: stored, is_capture: false },
        })
    }

    /// The distance of a position.
    pub(crate) fn distance(&self, position: &Position) -> Result<Dtz, TableError> {
        let Value { wdl, is_capture } = self.value(position)?;
        if wdl == Wdl::Draw {
            return Ok(Dtz::DRAW);
        }
        if is_capture || (wdl > Wdl::Draw && self.has_winning_pawn_move(position, wdl)?) {
            return Ok(Dtz::zeroing(wdl));
        }
        // The best move is neither a capture en passant nor a winning zeroing move, so the table has
        // the distance.
        match self.stored_dtz(position.board(), position.turn(), wdl)? {
            Distance::Known { plies, rounded } => {
                let start = Dtz::zeroing(wdl).plies() as i16;
                Ok(Dtz::new(start + start.signum() * plies, rounded))
            }
            Distance::OtherSide => self.distance_by_moves(position, wdl),
        }
    }

    /// Does a pawn move that isn't a capture keep the win?
    fn has_winning_pawn_move(&self, position: &Position, wdl: Wdl) -> Result<bool, TableError> {
        let found = position.visit::<Legal, _>(|mv| {
            if mv.is_capture() || position.role_of(mv) != Role::Pawn {
                return ControlFlow::Continue(());
            }
            match self.value(&position.play(mv)) {
                Ok(value) if -value.wdl == wdl => ControlFlow::Break(Ok(())),
                Ok(_) => ControlFlow::Continue(()),
                Err(error) => ControlFlow::Break(Err(error)),
            }
        });
        match found {
            ControlFlow::Break(result) => result.map(|()| true),
            ControlFlow::Continue(()) => Ok(false),
        }
    }

    /// The distance if the table knows only that of the other side to move: one ply more than that
    /// after the best move.
    fn distance_by_moves(&self, position: &Position, wdl: Wdl) -> Result<Dtz, TableError> {
        // At worst a loser has nothing but zeroing moves. If mated, it has none.
        let mut best = (wdl < Wdl::Draw).then(|| Dtz::zeroing(wdl));
        for mv in position.legal_moves() {
            // A winner's zeroing moves don't win, or we wouldn't be here.
            if mv.is_capture() || position.role_of(mv) == Role::Pawn {
                continue;
            }
            let child = position.play(mv);
            let dtz = self.distance_after(&child)?;
            // The winner takes the shortest way that wins, the loser the longest.
            let is_better = |best: Dtz| {
                let ends = |dtz: Dtz| (dtz.plies(), dtz.plies().signum() * dtz.at_most());
                ends(dtz) < ends(best)
            };
            if (wdl < Wdl::Draw || dtz.plies() > 0) && best.is_none_or(is_better) {
                best = Some(dtz);
            }
        }
        // A win without a move that keeps it: only a damaged table has that.
        Ok(best.unwrap_or(Dtz::zeroing(wdl)))
    }

    /// The distance before a move that isn't zeroing, from the position after it.
    pub(crate) fn distance_after(&self, child: &Position) -> Result<Dtz, TableError> {
        let dtz = self.distance(child)?;
        // A mated side is at -1, and mate is one ply away.
        if dtz.plies() == -1 && child.is_checkmate() {
            return Ok(Dtz::zeroing(Wdl::Win));
        }
        Ok(dtz.before())
    }
}

/// Visits all legal captures. The generator has promotions to other pieces than a queen among the
/// quiet moves.
fn captures<B>(
    position: &Position,
    mut visit: impl FnMut(Move) -> ControlFlow<B>,
) -> ControlFlow<B> {
    // Nothing but a king can't be captured.
    if !position.board().color(!position.turn()).has_many() {
        return ControlFlow::Continue(());
    }
    position.visit::<Captures, _>(|mv| {
        if !mv.is_capture() {
            return ControlFlow::Continue(());
        }
        visit(mv)?;
        if mv.is_promotion() {
            for role in [Role::Knight, Role::Rook, Role::Bishop] {
                if let Some(kind) = MoveKind::promotion(role, true) {
                    visit(Move::new(mv.from(), mv.to(), kind))?;
                }
            }
        }
        ControlFlow::Continue(())
    })
}

/// Is every legal move a capture en passant, with the king not in check?
fn only_en_passant(position: &Position) -> bool {
    !position.is_check() && position.legal_moves().into_iter().all(Move::is_en_passant)
}
