//! A position in the explorer: everything that follows from a start and some moves.

use serde::Serialize;
use tabiya::movegen::{NonEvasions, PseudoLegal};
use tabiya::{Move, MoveKind, MoveList, Outcome, Position, Setup, Square};
use tabiya_views::{Scene, StandardPosition};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::arguments::role_of;
use crate::error::{Failure, list};
use crate::explain::{Reason, reasons};

/// A piece on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Placed {
    /// Its square, such as `e4`.
    pub square: String,
    /// `white` or `black`.
    #[tsify(type = "Color")]
    pub color: &'static str,
    /// Its role, such as `pawn`.
    #[tsify(type = "Role")]
    pub role: &'static str,
}

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The square that the piece leaves.
    pub from: String,
    /// The square that it moves to; for castling, the king's target.
    pub to: String,
    /// The role of the piece that moves.
    #[tsify(type = "Role")]
    pub role: &'static str,
    /// The role of the piece that is captured, also en passant.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<&'static str>,
    /// What the move does, in the letters of chess.js: `n` moves to an empty square, `b` pushes a
    /// pawn by two squares, `c` captures, `e` captures en passant, `p` promotes, `k` and `q`
    /// castle.
    pub flags: &'static str,
    /// The role that a pawn promotes to.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<&'static str>,
    /// The kind of move, such as `capture` or `double push`.
    pub name: &'static str,
    /// The kinds of staged generation that contain the move.
    #[tsify(type = "Kind[]")]
    pub kinds: Vec<&'static str>,
    /// Does the move give check?
    pub gives_check: bool,
    /// The square of the rook, if the move castles. A user may also drop the king there.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rook: Option<String>,
}

/// A move on a board that need not be playable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct BoardMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The square that the piece leaves.
    pub from: String,
    /// The square that it moves to; for castling, the king's target.
    pub to: String,
    /// The role that a pawn promotes to.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<&'static str>,
}

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
export type Color = "white" | "black";
export type Role = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";
/** The kinds of staged move generation. `captures` and `quiets` have no move in common. */
export type Kind = "captures" | "quiets" | "quiet-checks" | "evasions";
"#;

/// A pseudo-legal move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[tsify(large_number_types_as_bigints)]
#[serde(rename_all = "camelCase")]
pub struct RefusedMove {
    /// The move in UCI.
    pub uci: String,
    /// The square that the piece would leave.
    pub from: String,
    /// The square that it would move to.
    pub to: String,
    /// Why the move is not legal.
    pub reasons: Vec<Reason>,
}

/// The end of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct Ending {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: &'static str,
    /// The reason, such as `checkmate`.
    pub reason: &'static str,
}

impl From<Outcome> for Ending {
    fn from(outcome: Outcome) -> Self {
        Self { result: outcome.result().name(), reason: outcome.reason() }
    }
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
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub en_passant: Option<String>,
    /// The reason why the position cannot be played, if it cannot.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The reasons why no game can reach the position, although it can be played.
    pub remarks: Vec<String>,
    /// The square of the king in check.
    #[tsify(optional)]
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
    /// The pseudo-legal moves that are not legal.
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
    pub from: String,
    /// The square that it moved to.
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

/// A position with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct NamedPosition {
    /// The name, such as `kiwipete`.
    pub name: String,
    /// The purpose of the position.
    pub description: String,
    /// The position in FEN.
    pub fen: String,
}

/// The standard positions of perft.
#[wasm_bindgen(js_name = standardPositions)]
pub fn standard_positions() -> Result<Vec<Ts<NamedPosition>>, Failure> {
    list(StandardPosition::ALL.map(|standard| NamedPosition {
        name: standard.name().to_owned(),
        description: standard.description().to_owned(),
        fen: standard.fen().to_owned(),
    }))
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
            refused: position.map_or_else(|_| Vec::new(), refused_moves),
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

pub(crate) fn pieces(board: impl Iterator<Item = (Square, tabiya::Piece)>) -> Vec<Placed> {
    board
        .map(|(square, piece)| Placed {
            square: square.to_string(),
            color: piece.color.name(),
            role: piece.role.name(),
        })
        .collect()
}

pub(crate) fn legal_moves(position: &Position) -> Vec<LegalMove> {
    position.legal_moves().into_iter().map(|mv| LegalMove::new(position, mv)).collect()
}

pub(crate) fn board_moves(setup: &Setup, moves: Vec<Move>) -> Vec<BoardMove> {
    let shown = |mv: Move| BoardMove {
        uci: setup.uci(mv).to_string(),
        san: setup.san(mv).to_string(),
        from: mv.from().to_string(),
        to: mv.to().to_string(),
        promotion: mv.promotion().map(|role| role.name()),
    };
    moves.into_iter().map(shown).collect()
}

impl LegalMove {
    pub(crate) fn new(position: &Position, mv: Move) -> Self {
        let gives_check = position.gives_check(mv);
        // This follows the documentation of the kinds. Asking the generator for each kind would add
        // a quarter to the code that a page loads. A test compares the answers.
        let is_capture = match mv.promotion() {
            Some(role) => role == tabiya::Role::Queen,
            None => mv.is_capture(),
        };
        let kinds = [
            ("captures", is_capture),
            ("quiets", !is_capture),
            ("quiet-checks", !is_capture && gives_check),
            ("evasions", position.is_check()),
        ];
        let rook = mv.castling().and_then(|side| {
            position.castling_rights().rook(position.turn(), side, position.king(position.turn()))
        });
        Self {
            uci: position.uci(mv).to_string(),
            san: position.san(mv).to_string(),
            from: mv.from().to_string(),
            to: mv.to().to_string(),
            role: position.piece_on(mv.from()).map_or("pawn", |piece| piece.role.name()),
            captured: position.captured_by(mv).map(|role| role.name()),
            flags: flags(mv),
            promotion: mv.promotion().map(|role| role.name()),
            name: mv.kind().name(),
            kinds: kinds.into_iter().filter_map(|(name, has)| has.then_some(name)).collect(),
            gives_check,
            rook: rook.map(|square| square.to_string()),
        }
    }
}

/// The letters of chess.js for a move.
const fn flags(mv: Move) -> &'static str {
    match mv.kind() {
        MoveKind::Quiet => "n",
        MoveKind::DoublePush => "b",
        MoveKind::CastleKing => "k",
        MoveKind::CastleQueen => "q",
        MoveKind::Capture => "c",
        MoveKind::EnPassant => "e",
        _ if mv.is_capture() => "cp",
        _ => "np",
    }
}

/// The pseudo-legal moves that are not legal, with the reasons.
fn refused_moves(position: &Position) -> Vec<RefusedMove> {
    let mut moves = MoveList::of::<PseudoLegal<NonEvasions>>(position).to_vec();
    moves.retain(|&mv| !position.is_legal(mv));
    moves
        .into_iter()
        .map(|mv| {
            let explanation = position.explain_move(mv);
            RefusedMove {
                uci: position.uci(mv).to_string(),
                from: mv.from().to_string(),
                to: mv.to().to_string(),
                reasons: reasons(position, &explanation),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use tabiya_views::PositionText;

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
    fn every_pseudo_legal_move_is_legal_or_refused() {
        for standard in StandardPosition::ALL {
            let position = Position::from_fen(standard.fen()).unwrap();
            let all = MoveList::of::<PseudoLegal<NonEvasions>>(&position).len();
            let view = shown(standard.name());
            assert_eq!(view.moves.len(), position.count_legal());
            assert_eq!(view.moves.len() + view.refused.len(), all, "{}", standard.name());
            assert!(view.refused.iter().all(|it| !it.reasons.is_empty()));
        }
    }

    #[test]
    fn kinds_are_those_of_the_generator() {
        use tabiya::movegen::{Captures, Evasions, QuietChecks, Quiets};
        let checked = "4k3/8/4N3/8/8/8/4R3/4K3 b - - 0 1";
        let starts = StandardPosition::ALL.map(StandardPosition::fen).into_iter().chain([checked]);
        for fen in starts {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                let shown = LegalMove::new(&position, mv).kinds;
                let has = |kind| shown.contains(&kind);
                assert_eq!(has("captures"), position.is_kind::<Captures>(mv), "{fen} {mv}");
                assert_eq!(has("quiets"), position.is_kind::<Quiets>(mv), "{fen} {mv}");
                assert_eq!(has("quiet-checks"), position.is_kind::<QuietChecks>(mv), "{fen} {mv}");
                let evades = position.is_check() && position.is_kind::<Evasions>(mv);
                assert_eq!(has("evasions"), evades, "{fen} {mv}");
            }
        }
    }

    #[test]
    fn a_move_says_what_it_does() {
        let fen = "r3k2r/1P6/8/3pP3/8/8/4P3/R3K2R w KQkq d6 0 1";
        let position = Position::from_fen(fen).unwrap();
        for (uci, role, captured, flags) in [
            ("e2e3", "pawn", None, "n"),
            ("e2e4", "pawn", None, "b"),
            ("e5d6", "pawn", Some("pawn"), "e"),
            ("b7b8q", "pawn", None, "np"),
            ("b7a8n", "pawn", Some("rook"), "cp"),
            ("a1a8", "rook", Some("rook"), "c"),
            ("e1g1", "king", None, "k"),
            ("e1c1", "king", None, "q"),
        ] {
            let found = LegalMove::new(&position, position.parse_uci(uci).unwrap());
            assert_eq!((found.role, found.captured, found.flags), (role, captured, flags), "{uci}");
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
