//! Answers about moves as plain data: legal, or not legal with the reasons.
//!
//! [`MoveAnswer`] has everything that a program needs to show or to pass on: names, sentences, and
//! the pieces and squares of a reason. It has no types of the generator, so a front end can write
//! it as JSON or pass it to another language without knowing each reason.
//!
//! ```
//! use tabiya::Position;
//! use tabiya_views::explain::{DetailValue, answer};
//! let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
//! let answer = answer(&position, "Bd3").unwrap();
//! assert!(!answer.legal);
//! let reason = &answer.reasons[0];
//! assert_eq!(reason.name, "pinned");
//! assert_eq!(reason.sentence, "the bishop on e2 is pinned on the e-file by the rook on e8");
//! assert_eq!(reason.details[1], ("king", DetailValue::Text("e1".to_owned())));
//! ```

use tabiya::{Board, CastlingSide, Detail, PlacedPiece, Position, Reason, Role, UciMove};

use crate::moves;

pub use crate::moves::{Clause, ExplainedMove, MoveTextError};

/// Reads a move in any notation: UCI, standard or long algebraic notation, as people write them.
/// Says whether it is legal, and if not, why. The number of the move before it and the sign of an
/// evaluation after it are skipped.
///
/// # Errors
/// [`MoveTextError`] if the text is not a move, or if several pieces can make it.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::explain::explain;
/// for text in ["e2e4", "e4", "e2-e4", "1.e4", "e4+-"] {
///     assert!(explain(&Position::START, text).unwrap().is_legal());
/// }
/// assert!(explain(&Position::START, "e9").is_err());
/// ```
pub fn explain(position: &Position, text: &str) -> Result<ExplainedMove, MoveTextError> {
    let explained = moves::explain(position, text);
    let place = moves::without_extras(text);
    let mv = &text[place.clone()];
    if mv == text.trim() || explained.as_ref().is_ok_and(ExplainedMove::is_legal) {
        return explained;
    }
    moves::explain(position, mv).map_err(|error| error.within(text, place.start))
}

/// The same as [`explain`], as plain data.
///
/// # Errors
/// [`MoveTextError`] if the text is not a move, or if several pieces can make it.
pub fn answer(position: &Position, text: &str) -> Result<MoveAnswer, MoveTextError> {
    explain(position, text).map(|explanation| MoveAnswer::new(position, &explanation))
}

/// The name of a move that isn't legal, as players write it: in standard algebraic notation, with
/// both squares where a legal move has that name already. `None` if the side to move has no piece
/// on its first square, or if the text writes castling in the other notation.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::explain::refused_name;
/// let name = |fen: &str, uci: &str| {
///     let position = Position::from_fen(fen).unwrap();
///     refused_name(&position, uci.parse().unwrap())
/// };
/// let pinned = "4k3/4p3/3N4/8/8/8/4Q3/4K3 b - - 0 1";
/// assert_eq!(name(pinned, "e7d6").as_deref(), Some("exd6"));
/// assert_eq!(name(pinned, "e2e3"), None);
/// let knights = "4r2k/8/8/8/8/5N2/4N3/4K3 w - - 0 1";
/// assert_eq!(name(knights, "e2d4").as_deref(), Some("Ne2d4"));
/// let castling = "4k3/8/8/8/8/5b2/8/R3K3 w Q - 0 1";
/// assert_eq!(name(castling, "e1c1").as_deref(), Some("O-O-O"));
/// ```
pub fn refused_name(position: &Position, uci: UciMove) -> Option<String> {
    let (board, UciMove { from, to, promotion }) = (position.board(), uci);
    let role = board.role_on(from)?;
    let explanation = position.explain(uci);
    let has = |name: &str| explanation.reasons().iter().any(|it| it.name().starts_with(name));
    if board.color_on(from) != Some(position.turn()) || has("castling-notation") {
        return None;
    }
    // A king that isn't at home doesn't castle.
    if has("castling-") && !has("castling-place") {
        return Some(if from < to { "O-O" } else { "O-O-O" }.to_owned());
    }
    let is_pawn = role == Role::Pawn;
    let takes = match is_pawn {
        true => from.file() != to.file(),
        false => board.color_on(to).is_some_and(|color| color != position.turn()),
    };
    let letter = match is_pawn {
        true if takes => from.file().to_string(),
        true => String::new(),
        false => role.letter().to_ascii_uppercase().to_string(),
    };
    let mut end = format!("{}{to}", if takes { "x" } else { "" });
    if let Some(role) = promotion {
        end += &format!("={}", role.letter().to_ascii_uppercase());
    }
    let name = format!("{letter}{end}");
    let is_name = |san: String| san.trim_end_matches(['+', '#']) == name;
    // Another piece may be able to do it.
    match position.legal_moves().into_iter().any(|mv| is_name(position.san(mv).to_string())) {
        true if is_pawn => Some(format!("{from}{end}")),
        true => Some(format!("{letter}{from}{end}")),
        false => Some(name),
    }
}

/// The answer about a move: legal, or not legal with the reasons.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::explain::answer;
/// let answer = answer(&Position::START, "E2-E4").unwrap();
/// assert_eq!((answer.text.as_str(), answer.legal), ("e2e4", true));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveAnswer {
    /// The move in question.
    pub text: String,
    /// Is it legal?
    pub legal: bool,
    /// The legal move in the position's own notation. The text may write castling in the other
    /// notation.
    pub uci: Option<String>,
    /// The legal move in standard algebraic notation.
    pub san: Option<String>,
    /// Every reason why the move is not legal; none if it is.
    pub reasons: Vec<ReasonAnswer>,
    /// The number of further reasons that are left out.
    pub omitted: usize,
    /// Legal moves that may have been meant, in standard algebraic notation.
    pub instead: Vec<String>,
}

impl MoveAnswer {
    /// The answer for an explained move of the position.
    pub fn new(position: &Position, explained: &ExplainedMove) -> Self {
        let clauses = explained.clauses();
        Self {
            text: explained.text().to_owned(),
            legal: explained.is_legal(),
            uci: explained.legal().map(|mv| position.uci(mv).to_string()),
            san: explained.legal().map(|mv| position.san(mv).to_string()),
            reasons: clauses.iter().map(|it| ReasonAnswer::of(it, position.board())).collect(),
            omitted: explained.omitted(),
            instead: explained.instead(),
        }
    }
}

/// A reason why a move is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReasonAnswer {
    /// The name for programs, such as `pinned`. It keeps its meaning.
    pub name: &'static str,
    /// The reason as a clause, for people.
    pub sentence: String,
    /// The piece that would move. `None` if the text gives its square.
    pub piece: Option<DetailValue>,
    /// The details of the reason by name, in an order that depends on the reason.
    pub details: Vec<(&'static str, DetailValue)>,
}

impl ReasonAnswer {
    /// A reason on a board, from which the colours of pieces are taken.
    ///
    /// ```
    /// use tabiya::{Position, Reason, Role};
    /// use tabiya_views::explain::ReasonAnswer;
    /// let reason = Reason::PromotionRole { role: Role::King };
    /// assert_eq!(ReasonAnswer::new(&reason, Position::START.board()).name, "promotion-role");
    /// ```
    pub fn new(reason: &Reason, board: &Board) -> Self {
        Self {
            name: reason.name(),
            sentence: reason.to_string(),
            piece: None,
            details: reason
                .details()
                .map(|(name, detail)| (name, DetailValue::new(detail, board)))
                .collect(),
        }
    }

    fn of(clause: &Clause, board: &Board) -> Self {
        let details = clause.reason.map_or_else(Vec::new, |it| Self::new(&it, board).details);
        Self {
            name: clause.name,
            sentence: clause.sentence.clone(),
            piece: clause.piece.map(|piece| DetailValue::piece(piece, board)),
            details,
        }
    }
}

/// The value of a detail.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::explain::{DetailValue, answer};
/// let blocked = answer(&Position::START, "a1a5").unwrap().reasons.remove(0);
/// let pawn = DetailValue::Piece { role: "pawn", color: Some("white"), square: "a2".to_owned() };
/// assert_eq!(blocked.details, [("by", pawn)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DetailValue {
    /// A square, a colour, a role, a side of castling, a line, a move or a kind of move.
    Text(String),
    /// A rank, from 1 to 8.
    Number(u8),
    /// A piece on the board.
    Piece {
        /// Its role, such as `rook`.
        role: &'static str,
        /// Its colour, `white` or `black`.
        color: Option<&'static str>,
        /// Its square.
        square: String,
    },
}

impl DetailValue {
    fn piece(piece: PlacedPiece, board: &Board) -> Self {
        Self::Piece {
            role: piece.role.name(),
            color: board.color_on(piece.square).map(|color| color.name()),
            square: piece.square.to_string(),
        }
    }

    fn new(detail: Detail, board: &Board) -> Self {
        let text = |text: &dyn ToString| Self::Text(text.to_string());
        match detail {
            Detail::Square(square) => text(&square),
            Detail::Piece(piece) => Self::piece(piece, board),
            Detail::Color(color) => text(&color.name()),
            Detail::Role(role) => text(&role.name()),
            Detail::Rank(rank) => Self::Number(rank as u8 + 1),
            Detail::CastlingSide(CastlingSide::King) => text(&"king"),
            Detail::CastlingSide(CastlingSide::Queen) => text(&"queen"),
            Detail::Line(line) => text(&line),
            Detail::Move(mv) => text(&mv),
            Detail::Kind(kind) => text(&kind.name()),
        }
    }
}
