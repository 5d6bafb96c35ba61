//! Moves from text: moves in any notation with the reasons why they are not legal, and lists of
//! moves.

use std::fmt;
use std::ops::Range;

use tabiya::san::{MissingPiece, SanCandidate, SanCause};
use tabiya::{
    Move, NotationError, PlacedPiece, Position, Reason, Reasons, Refusal, SanError, UciError,
};

use crate::InputError;

/// The error for a string that is not a move in any notation, or that is ambiguous.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::{InputError, explain};
/// let error = explain::explain(&Position::START, "Nf9").unwrap_err();
/// assert_eq!(error.to_string(), "expected a rank from 1 to 8 after the file f");
/// assert_eq!(&error.input()[error.span()], "9");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct MoveTextError {
    input: String,
    span: Range<usize>,
    message: String,
    hint: Option<String>,
}

impl MoveTextError {
    /// The same error about a longer text, in which the move begins at `start`.
    pub(crate) fn within(self, input: &str, start: usize) -> Self {
        let span = start + self.span.start..start + self.span.end;
        Self { input: input.to_owned(), span, ..self }
    }
}

impl InputError for MoveTextError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }
}

/// A move with the answer: legal, or not legal with every reason.
///
/// `Display` writes it as a sentence without a full stop.
///
/// ```
/// use tabiya::Position;
/// use tabiya_views::explain::explain;
/// let explained = explain(&Position::START, "Nd4").unwrap();
/// assert_eq!(explained.reasons().len(), 2);
/// assert_eq!(
///     explained.to_string(),
///     "Nd4 is not legal: a knight on b1 cannot reach d4; a knight on g1 cannot reach d4",
/// );
/// assert_eq!(explain(&Position::START, "Nf3").unwrap().to_string(), "Nf3 is legal");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedMove {
    text: String,
    verdict: Verdict,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Legal(Move),
    /// A move in UCI.
    Uci(Box<Refusal>),
    /// A move in algebraic notation.
    San(Box<SanError>, Box<Reasons<SanCandidate, 8>>),
    /// A move in algebraic notation of a piece that is not there.
    NoPiece(Box<SanError>, MissingPiece),
    /// A null move.
    Null,
}

impl ExplainedMove {
    /// The text of the move in question: a move in UCI without capital letters or hyphens, any
    /// other as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The legal move, if it is legal.
    pub fn legal(&self) -> Option<Move> {
        match self.verdict {
            Verdict::Legal(mv) => Some(mv),
            _ => None,
        }
    }

    /// Is it legal?
    pub fn is_legal(&self) -> bool {
        self.legal().is_some()
    }

    /// The reasons why the move is not legal. A move in algebraic notation may mean several pieces;
    /// each has its reasons. There are none if the side to move has no such piece, or if it is a
    /// null move; [`clauses`](Self::clauses) says so.
    pub fn reasons(&self) -> Vec<Reason> {
        match &self.verdict {
            Verdict::Uci(refusal) => refusal.reasons.as_slice().to_vec(),
            Verdict::San(_, candidates) => {
                candidates.as_slice().iter().map(|it| it.reason).collect()
            }
            Verdict::Legal(_) | Verdict::NoPiece(..) | Verdict::Null => Vec::new(),
        }
    }

    /// Every reason as a clause; none if the move is legal.
    pub fn clauses(&self) -> Vec<Clause> {
        let clause = |name, sentence: String| Clause { name, sentence, reason: None, piece: None };
        match &self.verdict {
            Verdict::Legal(_) => Vec::new(),
            Verdict::Null => vec![clause("null-move", "it is a null move".to_owned())],
            Verdict::Uci(refusal) => {
                let reasons = refusal.reasons.as_slice().iter();
                reasons.map(|reason| Clause::new(*reason, reason, None)).collect()
            }
            Verdict::San(_, candidates) => {
                let candidates = candidates.as_slice().iter();
                candidates.map(|it| Clause::new(it.reason, it, Some(it.piece))).collect()
            }
            Verdict::NoPiece(_, piece) => vec![clause("no-piece", piece.to_string())],
        }
    }

    /// The number of further reasons that are left out.
    pub fn omitted(&self) -> usize {
        match &self.verdict {
            Verdict::Uci(refusal) => refusal.reasons.omitted(),
            Verdict::San(_, candidates) => candidates.omitted(),
            Verdict::Legal(_) | Verdict::NoPiece(..) | Verdict::Null => 0,
        }
    }

    /// Legal moves of the same kind of piece to the same square, in algebraic notation. They may
    /// have been meant.
    ///
    /// ```
    /// use tabiya::Position;
    /// use tabiya_views::explain::explain;
    /// let explained = explain(&Position::START, "Nbf3").unwrap();
    /// assert_eq!(explained.instead(), ["Nf3"]);
    /// ```
    pub fn instead(&self) -> Vec<String> {
        match &self.verdict {
            Verdict::San(error, _) | Verdict::NoPiece(error, _) => {
                error.choices().iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for ExplainedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.verdict {
            Verdict::Legal(_) => write!(f, "{} is legal", self.text),
            Verdict::Uci(refusal) => refusal.fmt(f),
            Verdict::San(error, _) | Verdict::NoPiece(error, _) => error.fmt(f),
            Verdict::Null => write!(f, "{} is not legal: it is a null move", self.text),
        }
    }
}

/// A reason why a move is not legal, as a clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Clause {
    /// The name for programs, such as `pinned`; see [`Reason::name`]. Two more names are `no-piece`
    /// and `null-move`.
    pub name: &'static str,
    /// The clause.
    pub sentence: String,
    /// The reason, if it is one of the generator's.
    pub reason: Option<Reason>,
    /// The piece that would move, if the text does not give its square.
    pub piece: Option<PlacedPiece>,
}

impl Clause {
    fn new(reason: Reason, sentence: impl fmt::Display, piece: Option<PlacedPiece>) -> Self {
        let (name, sentence) = (reason.name(), sentence.to_string());
        Self { name, sentence, reason: Some(reason), piece }
    }
}

/// Reads a move in any notation and explains it.
pub(crate) fn explain(position: &Position, text: &str) -> Result<ExplainedMove, MoveTextError> {
    let plain = text.trim().to_owned();
    let explained = |text, verdict| Ok(ExplainedMove { text, verdict });
    let error = match position.parse_move(text) {
        Ok(mv) => {
            // Moves in UCI are shown as they are read.
            let read = position.explain_uci(text).ok().filter(|it| it.legal() == Some(mv));
            let text = read.map_or(plain, |it| it.uci_move().to_string());
            return explained(text, Verdict::Legal(mv));
        }
        Err(NotationError::Uci(UciError::Illegal { refusal, .. })) => {
            let text = refusal.text.to_string();
            return explained(text, Verdict::Uci(Box::new(refusal)));
        }
        Err(NotationError::San(error)) => match error.cause() {
            SanCause::Illegal { candidates, .. } => {
                return explained(plain, Verdict::San(Box::new(error), Box::new(candidates)));
            }
            SanCause::NoPiece { piece, .. } => {
                return explained(plain, Verdict::NoPiece(Box::new(error), piece));
            }
            SanCause::Null => return explained(plain, Verdict::Null),
            _ => NotationError::San(error),
        },
        Err(NotationError::Null { .. }) => return explained(plain, Verdict::Null),
        Err(error) => error,
    };
    let is_unknown = matches!(
        &error,
        NotationError::San(error) if matches!(error.cause(), SanCause::Empty | SanCause::Beginning)
    );
    let hint = is_unknown.then(|| {
        "moves are read in standard or long algebraic notation (Nf3, Ng1-f3) and in UCI (g1f3)"
            .to_owned()
    });
    let (input, span) = (text.to_owned(), error.span());
    Err(MoveTextError { input, span, message: error.to_string(), hint })
}

/// The places of the moves in a list, separated by commas or spaces. Move numbers, such as `1.` and
/// `1...`, and a result at the end are skipped; `e.p.` belongs to the move before it.
pub(crate) fn places(text: &str) -> Vec<Range<usize>> {
    let mut places: Vec<Range<usize>> = Vec::new();
    let mut result = None;
    for word in words(text) {
        let start = word.start + number_len(&text[word.clone()]);
        let (mv, place) = (&text[start..word.end], start..word.end);
        match mv {
            "" => {}
            "e.p." | "ep" if !places.is_empty() => {
                if let Some(last) = places.last_mut() {
                    last.end = word.end;
                }
            }
            "1-0" | "0-1" | "1/2-1/2" | "½-½" | "*" => {
                // More text follows, so the previous word is not the result.
                places.extend(result.replace(place));
            }
            _ => places.extend(result.take().into_iter().chain([place])),
        }
    }
    places
}

/// Evaluations as signs, as they stand after moves in books.
const EVALUATIONS: [&str; 20] = [
    "+/-", "+/−", "-/+", "−/+", "+/=", "=/+", "+-", "+−", "-+", "−+", "+=", "=+", "=∞", "=", "±",
    "∓", "⩲", "⩱", "∞", "~",
];

/// The place of the move in text such as `1.e4`, `2e4` or `e4+-`.
pub(crate) fn without_extras(text: &str) -> Range<usize> {
    let mut start = text.len() - text.trim_start().len();
    let word = text.trim();
    let rest = word.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start();
    start += match number_len(word) {
        0 if rest.starts_with(char::is_alphabetic) => word.len() - rest.len(),
        number => word[number..].len() - word[number..].trim_start().len() + number,
    };
    let mv = &text[start..].trim_end();
    let mv = EVALUATIONS.iter().find_map(|sign| mv.strip_suffix(sign)).unwrap_or(mv).trim_end();
    start..start + mv.len()
}

/// The length of the move number at the beginning of a word: digits and dots, or dots alone. A
/// number without dots is a word of its own, of at most three digits: four are a move in ICCF's
/// notation, which this does not read.
fn number_len(word: &str) -> usize {
    let digits = word.len() - word.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    let rest = &word[digits..];
    let dots = rest.len() - rest.trim_start_matches(['.', '…']).len();
    match (digits, dots) {
        (1..=3, 0) if rest.is_empty() && !word.starts_with('0') => digits,
        (_, 0) => 0,
        _ => digits + dots,
    }
}

/// The places of the words in the text, separated by commas or spaces.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let is_separator = |letter: char| letter == ',' || letter.is_whitespace();
    let mut end = 0;
    text.split_inclusive(is_separator)
        .map(move |word| {
            let start = end;
            end += word.len();
            start..start + word.trim_end_matches(is_separator).len()
        })
        .filter(|place| !place.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(text: &str) -> Vec<&str> {
        places(text).into_iter().map(|place| &text[place]).collect()
    }

    #[test]
    fn moves_are_separated_by_commas_and_spaces() {
        assert_eq!(listed(" e2e4, e7e5  g1f3,é\u{a0}e2e4,"), ["e2e4", "e7e5", "g1f3", "é", "e2e4"]);
        let starts: Vec<usize> = places("aa a,a aa").iter().map(|range| range.start).collect();
        assert_eq!(starts, [0, 3, 5, 7]);
    }

    #[test]
    fn move_numbers_and_results_are_skipped() {
        for text in [
            "1. e4 e5 2. Nf3 Nc6",
            "1.e4 e5 2.Nf3 Nc6 *",
            "1. e4 1... e5 2.Nf3 2...Nc6 1/2-1/2",
            "1 e4 e5 2 Nf3 Nc6",
            "1. e4 … e5, 10.... Nf3 … Nc6 1-0",
        ] {
            assert_eq!(listed(text), ["e4", "e5", "Nf3", "Nc6"], "{text}");
        }
        assert_eq!(listed("5. exd6 e.p. 0-0 0-0-0"), ["exd6 e.p.", "0-0", "0-0-0"]);
        assert_eq!(listed("0-1"), [""; 0]);
        // This is not a result, because a move follows.
        assert_eq!(listed("1-0 e4"), ["1-0", "e4"]);
        assert_eq!(listed("0000 e.p."), ["0000 e.p."]);
        assert_eq!(listed("5254 5755"), ["5254", "5755"]);
        assert_eq!(listed("1. 2. ... …"), [""; 0]);
    }

    #[test]
    fn numbers_and_evaluations_do_not_belong_to_the_move() {
        for text in ["e4", "1.e4", " 12... e4 ", "2e4", "3 e4", "…e4", "e4+-", "7. e4 ⩲", "1.e4="]
        {
            assert_eq!(&text[without_extras(text)], "e4", "{text}");
        }
        for text in ["0-0", "0000", "5254", "--", "O-O", "♘f3", "e8=Q", "Qh5+", "", "é"] {
            assert_eq!(&text[without_extras(text)], text);
        }
        assert_eq!("8.0-0-0+-".get(without_extras("8.0-0-0+-")), Some("0-0-0"));
    }

    #[test]
    fn every_notation_is_read() {
        for text in ["e2e4", "e4", "e2-e4", "E2-E4", "Pe4", " e4! "] {
            let explained = explain(&Position::START, text).unwrap();
            assert_eq!(explained.legal().unwrap().to_string(), "e2e4", "{text}");
        }
        let text = |text| explain(&Position::START, text).unwrap().text().to_owned();
        assert_eq!([text("E2-E4"), text(" e4 "), text("Ng1-f3")], ["e2e4", "e4", "Ng1-f3"]);
    }

    #[test]
    fn what_is_not_legal_has_clauses() {
        let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
        let names = |text| {
            let clauses = explain(&position, text).unwrap().clauses();
            clauses.iter().map(|clause| clause.name).collect::<Vec<_>>()
        };
        assert_eq!(names("e2d3"), ["pinned"]);
        assert_eq!(names("Bd3"), ["pinned"]);
        assert_eq!(names("Nd3"), ["no-piece"]);
        assert_eq!(names("--"), ["null-move"]);
        assert_eq!(names("0000"), ["null-move"]);
        assert_eq!(names("Kd1"), [""; 0]);
        let clause = explain(&position, "Nd3").unwrap().clauses().remove(0);
        assert_eq!(clause.sentence, "White has no knight");
        assert_eq!(
            explain(&position, "--").unwrap().to_string(),
            "-- is not legal: it is a null move"
        );
    }

    #[test]
    fn a_move_that_means_several_is_an_error() {
        let position = Position::from_fen("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1").unwrap();
        let error = explain(&position, "Nd2").unwrap_err();
        assert_eq!(error.to_string(), "two knights can reach d2: Nbd2 or Nfd2");
        assert_eq!(error.span(), 0..3);
    }

    #[test]
    fn spans_are_boundaries_of_characters() {
        for text in ["ééé", "aé", "e2éé", "e2e4é", "e7e8é", "e7e8qé", "", "e", "♘", "Né", "e8=é"]
        {
            let error = explain(&Position::START, text).unwrap_err();
            assert_eq!(error.input(), text);
            assert!(text.get(error.span()).is_some(), "{text}: {:?}", error.span());
        }
        assert!(explain(&Position::START, "castle").unwrap_err().hint().is_none());
        assert!(explain(&Position::START, "x").unwrap_err().hint().unwrap().contains("Nf3"));
    }
}
