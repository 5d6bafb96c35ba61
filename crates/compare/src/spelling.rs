//! The way in which a program writes castling. Its questions are written in the same way.

use tabiya::{CastlingSide, MoveKind, Position, Square, UciMove};

use crate::generator::Query;
use crate::reading::plain_uci;
use crate::truth::{self, Told};

/// The target of the king in a castling move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Castling {
    /// The square on which the king lands: `e1g1`.
    KingLands,
    /// The square of the rook: `e1h1`.
    TakesRook,
}

impl Castling {
    /// The spelling in which questions are written unless a program has shown another one.
    pub(crate) const fn usual(chess960: bool) -> Self {
        if chess960 { Self::TakesRook } else { Self::KingLands }
    }

    pub(crate) const fn other(self) -> Self {
        match self {
            Self::KingLands => Self::TakesRook,
            Self::TakesRook => Self::KingLands,
        }
    }

    /// The spelling in a list of moves. `None` if there is no castling move from square to square,
    /// or if both spellings are the same.
    pub(crate) fn of_list(position: &Position, texts: &[&str]) -> Option<Self> {
        if position.castling_rights().is_empty() {
            return None;
        }
        texts.iter().find_map(|text| {
            let uci = plain_uci(text)?;
            let Told::Legal(mv) = truth::resolve(position, text) else { return None };
            let (lands, rook) = targets(position, mv)?;
            match uci.to {
                _ if lands == rook => None,
                to if to == lands => Some(Self::KingLands),
                to if to == rook => Some(Self::TakesRook),
                _ => None,
            }
        })
    }

    /// The question with its moves in this spelling.
    pub(crate) fn write(self, query: &Query) -> Query {
        let Some(mut position) = truth::start_of(query) else { return query.clone() };
        let mut moves = Vec::new();
        for text in &query.moves {
            let Ok(mv) = position.parse_uci(text) else { return query.clone() };
            moves.push(match targets(&position, mv) {
                None => text.clone(),
                Some((lands, rook)) => {
                    let to = if self == Self::KingLands { lands } else { rook };
                    let uci = UciMove { from: mv.from(), to, promotion: None };
                    // In Chess960, the text may also be a move of the king alone.
                    let means = truth::resolve(&position, &uci.to_string());
                    if means == Told::Legal(mv) { uci.to_string() } else { text.clone() }
                }
            });
            position = position.play(mv);
        }
        Query { moves, ..query.clone() }
    }
}

/// Is there a castling move among the moves of a question?
pub(crate) fn castles(query: &Query) -> bool {
    let Some(mut position) = truth::start_of(query) else { return false };
    query.moves.iter().any(|text| {
        let Ok(mv) = position.parse_uci(text) else { return false };
        let castles = mv.castling().is_some();
        position = position.play(mv);
        castles
    })
}

/// The square on which the king lands, and that of the rook. `None` if the move is not castling.
fn targets(position: &Position, mv: tabiya::Move) -> Option<(Square, Square)> {
    let side = match mv.kind() {
        MoveKind::CastleKing => CastlingSide::King,
        MoveKind::CastleQueen => CastlingSide::Queen,
        _ => return None,
    };
    let us = position.turn();
    let rook = position.castling_rights().rook(us, side, position.king(us))?;
    Some((side.king_target(us), rook))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;

    #[test]
    fn castling_is_written_as_the_program_writes_it() {
        let start = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castle = start.parse_uci("e1g1").unwrap();
        let reply = start.play(castle).parse_uci("e8c8").unwrap();
        let usual = Question::new(&start, &[castle, reply], 1).query();
        assert!(castles(&usual) && !castles(&Question::new(&start, &[], 1).query()));
        assert_eq!(Castling::KingLands.write(&usual).moves, ["e1g1", "e8c8"]);
        assert_eq!(Castling::TakesRook.write(&usual).moves, ["e1h1", "e8a8"]);
        assert_eq!(Castling::of_list(&start, &["e1d1", "e1h1"]), Some(Castling::TakesRook));
        assert_eq!(Castling::of_list(&start, &["a1a8", "e1g1"]), Some(Castling::KingLands));
        assert_eq!(Castling::of_list(&start, &["O-O", "e1d1"]), None);
    }
}
