//! A position in the explorer: everything that follows from a start and some moves.

use serde::Serialize;
use tabiya::{CastlingSide, Move, MoveKind, Position, Setup};
use tabiya_views::Scene;
use tabiya_views::explain::refused_name;
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::arguments::role_of;
use crate::board::explain::{Reason, reasons};
use crate::board::parts::{BoardMove, Ending, Placed, board_moves, pieces};
use crate::error::Failure;
use crate::moves::{LegalMove, rook_of};

/// A pseudo-legal move that is not legal, or castling that the side to move has a right to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct RefusedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move as players write it.
    pub name: String,
    /// The square that the piece would leave.
    #[tsify(type = "Square")]
    pub from: String,
    /// The square that it would move to.
    #[tsify(type = "Square")]
    pub to: String,
    /// The rook's square, if the king would castle.
    #[tsify(optional, type = "Square")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rook: Option<String>,
    /// Why the move is not legal.
    pub reasons: Vec<Reason>,
}

/// Everything about a position that does not depend on the rest of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct View {
    /// The position in FEN.
    pub fen: String,
    /// The pieces, from a1 to h8.
    pub pieces: Vec<Placed>,
    /// The side to move.
    #[tsify(type = "Color")]
    pub turn: &'static str,
    /// The en-passant square as in FEN.
    #[tsify(optional, type = "Square")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub en_passant: Option<String>,
    /// The reason why the position cannot be played, if it cannot.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The reasons why no game can reach the position, although it can be played.
    pub remarks: Vec<String>,
    /// The square of the king in check.
    #[tsify(optional, type = "Square")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// The end of the game, as far as the position shows it.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ending: Option<Ending>,
    /// The draw that the side to move may claim, such as `threefold repetition`.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<&'static str>,
    /// The legal moves.
    pub moves: Vec<LegalMove>,
    /// The pseudo-legal moves that are not legal, and castling that isn't possible now.
    pub refused: Vec<RefusedMove>,
    /// If the position cannot be played, the legal moves of its board; if the side to move has
    /// several kings, the pseudo-legal ones.
    pub board_moves: Vec<BoardMove>,
    /// All moves of the game, also those after the position.
    pub line: Vec<PlayedMove>,
}

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PlayedMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The square that the piece left.
    #[tsify(type = "Square")]
    pub from: String,
    /// The square that it moved to.
    #[tsify(type = "Square")]
    pub to: String,
    /// The number of the move.
    pub number: u16,
    /// The side that moved.
    #[tsify(type = "Color")]
    pub color: &'static str,
}

impl PlayedMove {
    fn new(position: &Position, mv: Move) -> Self {
        Self {
            uci: position.uci(mv).to_string(),
            san: position.san(mv).to_string(),
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            number: position.fullmove_number(),
            color: position.turn().name(),
        }
    }
}

/// The outline of a piece as elements of SVG, in a square with a side of 45.
#[wasm_bindgen(js_name = pieceShape)]
pub fn piece_shape(
    #[wasm_bindgen(unchecked_param_type = "Role")] role: &str,
) -> Result<String, Failure> {
    Ok(tabiya_views::svg::shape(role_of(role)?).to_owned())
}

impl View {
    pub(crate) fn new(
        scene: &Scene,
        claim: Option<&'static str>,
        line: &[(Position, Move)],
    ) -> Self {
        let setup = &scene.setup;
        let position = scene.position.as_ref();
        Self {
            fen: setup.fen().to_string(),
            pieces: pieces(setup.board.iter()),
            turn: setup.turn.name(),
            en_passant: setup.en_passant.map(|square| square.to_string()),
            error: position.err().map(|error| error.to_string()),
            remarks: match position {
                Ok(_) => setup.impossibilities().map(|it| it.to_string()).collect(),
                Err(_) => Vec::new(),
            },
            check: position
                .ok()
                .and_then(|it| it.is_check().then(|| it.king(it.turn()).to_string())),
            ending: scene.outcome.map(Ending::from),
            claim,
            moves: position.map_or_else(|_| Vec::new(), legal_moves),
            refused: position.map_or_else(|_| Vec::new(), |it| refused_moves(setup, it)),
            board_moves: match position {
                Ok(_) => Vec::new(),
                Err(_) => board_moves(
                    setup,
                    setup.legal_moves().unwrap_or_else(|_| setup.pseudo_legal_moves()),
                ),
            },
            line: line.iter().map(|(before, mv)| PlayedMove::new(before, *mv)).collect(),
        }
    }
}

fn legal_moves(position: &Position) -> Vec<LegalMove> {
    position.legal_moves().into_iter().map(|mv| LegalMove::new(position, mv)).collect()
}

/// The pseudo-legal moves that are not legal, with the reasons. The generator knows no castling out
/// of check or past a piece, but users ask about it as long as there is a right to it.
fn refused_moves(setup: &Setup, position: &Position) -> Vec<RefusedMove> {
    let (turn, king) = (position.turn(), position.king(position.turn()));
    let castlings = CastlingSide::ALL
        .map(|side| Move::new(king, side.king_target(turn), MoveKind::castle(side)))
        .into_iter()
        .filter(|&mv| rook_of(position, mv).is_some());
    let moves = setup.pseudo_legal_moves().into_iter().filter(|mv| mv.castling().is_none());
    moves
        .chain(castlings)
        .filter(|&mv| !position.is_legal(mv))
        .map(|mv| {
            let (explanation, uci) = (position.explain_move(mv), position.uci(mv));
            RefusedMove {
                uci: uci.to_string(),
                name: refused_name(position, uci).unwrap_or_else(|| uci.to_string()),
                from: mv.from().to_string(),
                to: mv.to().to_string(),
                rook: rook_of(position, mv).map(|rook| rook.to_string()),
                reasons: reasons(position, &explanation),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tabiya::MoveList;
    use tabiya::movegen::{NonEvasions, PseudoLegal};
    use tabiya_views::{PositionText, StandardPosition};

    use super::*;

    fn shown(start: &str) -> View {
        View::new(&PositionText::new(start).scene().unwrap(), None, &[])
    }

    #[test]
    fn a_view_has_legal_and_refused_moves() {
        let view = shown("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1");
        assert_eq!(view.moves.len(), 4);
        let pinned: Vec<_> = view.refused.iter().filter(|it| it.from == "e2").collect();
        assert!(!pinned.is_empty());
        assert!(pinned.iter().all(|it| it.reasons[0].name == "pinned"));
    }

    #[test]
    fn castling_is_refused_while_there_is_a_right_to_it() {
        let refused = |fen| {
            let castling = shown(fen).refused.into_iter().filter(|it| it.rook.is_some());
            castling.map(|it| format!("{} {}", it.uci, it.reasons[0].name)).collect::<Vec<_>>()
        };
        // On the queen side, castling is legal.
        assert_eq!(refused("4k3/8/b7/8/8/8/8/R3K2R w KQ - 0 1"), ["e1g1 castling-through"]);
        assert_eq!(refused("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1"), ["e1g1 castling-in-check"]);
        assert_eq!(refused("4k3/8/8/8/8/8/8/4K1NR w K - 0 1"), ["e1g1 castling-blocked"]);
        assert!(refused("4k3/8/8/8/8/8/8/4K1NR w - - 0 1").is_empty());
        assert_eq!(refused("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1"), ["e1b1 castling-rook-pinned"]);
    }

    #[test]
    fn every_pseudo_legal_move_is_legal_or_refused() {
        for standard in StandardPosition::ALL {
            let position = Position::from_fen(standard.fen()).unwrap();
            let all = MoveList::of::<PseudoLegal<NonEvasions>>(&position).len();
            let view = shown(standard.name());
            assert_eq!(view.moves.len(), position.count_legal());
            let refused = view.refused.iter().filter(|it| it.rook.is_none()).count();
            assert_eq!(view.moves.len() + refused, all, "{}", standard.name());
            assert!(view.refused.iter().all(|it| !it.reasons.is_empty()));
        }
    }

    #[test]
    fn a_setup_that_cannot_be_played_is_shown_with_the_reason() {
        let view = shown("8/8/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(view.error.as_deref(), Some("Black has no king"));
        assert_eq!(view.pieces.len(), 1);
        assert!(view.moves.is_empty());
        let board_moves = |fen| shown(fen).board_moves.into_iter().map(|it| it.san).collect();
        let moves: Vec<String> = board_moves("8/8/8/8/8/8/1r6/K7 w - - 0 1");
        assert_eq!(moves, ["Kxb2"]);
        // Several kings are not in check.
        let moves: Vec<String> = board_moves("K7/8/8/8/8/8/1r6/K7 w - - 0 1");
        assert_eq!(moves.len(), 6);
        assert!(shown("startpos").board_moves.is_empty());
    }
}
