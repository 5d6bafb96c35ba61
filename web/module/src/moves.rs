//! Legal moves, with all that one needs to draw them.

use serde::Serialize;
use tabiya::{Move, MoveKind, Position, Square};
use tsify::Tsify;
use wasm_bindgen::prelude::*;

use crate::error::Failure;

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** A square, from `a1` to `h8`. */
export type Square = `${"a" | "b" | "c" | "d" | "e" | "f" | "g" | "h"}${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`;
export type Color = "white" | "black";
export type Role = "pawn" | "knight" | "bishop" | "rook" | "queen" | "king";
/** The kinds of staged move generation. `captures` and `quiets` have no move in common. */
export type Kind = "captures" | "quiets" | "quiet-checks" | "evasions";
"#;

const KINDS: [&str; 4] = ["captures", "quiets", "quiet-checks", "evasions"];

/// A legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct LegalMove {
    /// The move in UCI.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The square that the piece leaves.
    #[tsify(type = "Square")]
    pub from: String,
    /// The square that it moves to; for castling, the king's target.
    #[tsify(type = "Square")]
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
    #[tsify(optional, type = "Square")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rook: Option<String>,
}

/// The kind of this name.
#[cfg(feature = "games")]
pub(crate) fn kind_of(name: &str) -> Result<&'static str, Failure> {
    let found = KINDS.into_iter().find(|kind| *kind == name);
    let kinds = "the kinds of moves are captures, quiets, quiet-checks and evasions";
    found.ok_or_else(|| Failure::of(name, kinds))
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
        let kinds = [is_capture, !is_capture, !is_capture && gives_check, position.is_check()];
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
            kinds: std::iter::zip(KINDS, kinds).filter_map(|(it, has)| has.then_some(it)).collect(),
            gives_check,
            rook: rook_of(position, mv).map(|square| square.to_string()),
        }
    }
}

/// The square of the rook, if the move castles.
pub(crate) fn rook_of(position: &Position, mv: Move) -> Option<Square> {
    let king = position.king(position.turn());
    position.castling_rights().rook(position.turn(), mv.castling()?, king)
}

/// The letters of chess.js for a move.
pub(crate) const fn flags(mv: Move) -> &'static str {
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

#[cfg(test)]
mod tests {
    use tabiya_views::StandardPosition;

    use super::*;

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
}
