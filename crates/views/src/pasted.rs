//! Recognises the text that a user has written or pasted: a position, moves, a game, an address.

use std::ops::Range;

use tabiya::San;

use crate::{InputError, StandardPosition, Start, moves, spelling};

/// No browser passes longer addresses on.
const LONGEST_ADDRESS: usize = 8_000;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PastedKind {
    /// The name of a standard position.
    Name,
    /// The number of a start position of Chess960.
    Chess960,
    /// A position in FEN.
    Fen,
    /// A position in EPD; its operations are left out.
    Epd,
    /// A position of UCI: `position startpos moves e2e4`, with or without the first word.
    Uci,
    /// A FEN that is part of an address.
    Address,
    /// Moves that begin at the position on the board.
    Moves,
    /// A game in PGN, which a reader of PGN must read.
    Pgn,
}

impl PastedKind {
    /// The name for programs, such as `fen`.
    ///
    /// ```
    /// use tabiya_views::PastedKind;
    /// assert_eq!(PastedKind::Chess960.name(), "chess960");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Chess960 => "chess960",
            Self::Fen => "fen",
            Self::Epd => "epd",
            Self::Uci => "uci",
            Self::Address => "address",
            Self::Moves => "moves",
            Self::Pgn => "pgn",
        }
    }
}

/// The meaning of a text. The position and the moves in it are not read yet:
/// [`PositionText`](crate::PositionText) reads them.
///
/// ```
/// use tabiya_views::{Pasted, PastedKind};
/// let pasted = Pasted::read("position startpos moves e2e4 e7e5").unwrap();
/// assert_eq!(pasted.kind, PastedKind::Uci);
/// assert_eq!((pasted.start.as_deref(), pasted.moves.as_str()), (Some("startpos"), "e2e4 e7e5"));
///
/// let pasted = Pasted::read("https://lichess.org/analysis/standard/4k3/8/8/8/8/8/8/4K3_w_-_-_0_1").unwrap();
/// assert_eq!(pasted.start.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
///
/// assert_eq!(Pasted::read("Nf3").unwrap().kind, PastedKind::Moves);
/// assert_eq!(Pasted::read("1. e4 e5 {the open game}").unwrap().kind, PastedKind::Pgn);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pasted {
    /// The kind of the text.
    pub kind: PastedKind,
    /// The position: a FEN, a name or a number of Chess960. `None` for moves from the position on
    /// the board, and for PGN.
    pub start: Option<String>,
    /// The moves, in any notation, or the text of a PGN.
    pub moves: String,
}

impl Pasted {
    /// Recognises a text.
    ///
    /// # Errors
    /// [`PastedError`] if it is empty, an address without a position, or a misspelt name.
    ///
    /// ```
    /// use tabiya_views::{InputError, Pasted};
    /// let error = Pasted::read("kiwipet").unwrap_err();
    /// assert_eq!(error.hint().as_deref(), Some("did you mean kiwipete?"));
    /// ```
    pub fn read(text: &str) -> Result<Self, PastedError> {
        let trimmed = text.trim().trim_start_matches('\u{feff}').trim();
        let wrong = |kind| PastedError { input: text.to_owned(), kind };
        if trimmed.is_empty() {
            return Err(wrong(PastedErrorKind::Empty));
        }
        let at_start = |kind, start: &str| Self::from(kind, Some(start), "");
        match Start::read(trimmed) {
            Start::Standard(named) => return Ok(at_start(PastedKind::Name, named.name())),
            Start::Chess960(number) => return Ok(at_start(PastedKind::Chess960, number)),
            Start::Fen(_) => {}
        }
        if is_address(trimmed) {
            let fen = fen_of_address(trimmed).ok_or_else(|| wrong(PastedErrorKind::Address))?;
            return Ok(at_start(PastedKind::Address, &fen));
        }
        if let Some(position) = uci_position(trimmed) {
            return Ok(position);
        }
        if is_pgn(trimmed) {
            return Ok(Self::from(PastedKind::Pgn, None, trimmed));
        }
        if trimmed.split_whitespace().next().is_some_and(is_board) {
            return Ok(fen_or_epd(trimmed));
        }
        let names = StandardPosition::ALL.map(StandardPosition::name);
        let lower = trimmed.to_ascii_lowercase();
        let nearest = spelling::nearest(&lower, names.into_iter());
        match nearest.filter(|_| San::from_ascii(trimmed.as_bytes()).is_err()) {
            Some(name) => Err(wrong(PastedErrorKind::Name(name))),
            None => Ok(Self::from(PastedKind::Moves, None, trimmed)),
        }
    }

    fn from(kind: PastedKind, start: Option<&str>, moves: &str) -> Self {
        Self { kind, start: start.map(str::to_owned), moves: moves.to_owned() }
    }
}

/// The reason why a text has no meaning.
///
/// ```
/// use tabiya_views::Pasted;
/// let error = Pasted::read("https://lichess.org/study/JDTyWAf7").unwrap_err();
/// assert_eq!(error.to_string(), "this address contains no position");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", kind.message())]
pub struct PastedError {
    input: String,
    kind: PastedErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PastedErrorKind {
    Empty,
    /// The address of something else than a position.
    Address,
    /// There is a name that is written almost like this.
    Name(&'static str),
}

impl PastedErrorKind {
    const fn message(self) -> &'static str {
        match self {
            Self::Empty => "there is no text",
            Self::Address => "this address contains no position",
            Self::Name(_) => "there is no position of this name",
        }
    }
}

impl InputError for PastedError {
    fn input(&self) -> &str {
        &self.input
    }

    fn span(&self) -> Range<usize> {
        0..self.input.len()
    }

    fn hint(&self) -> Option<String> {
        match self.kind {
            PastedErrorKind::Empty => None,
            PastedErrorKind::Address => {
                Some("nothing is loaded from other sites: copy the FEN or the PGN there".to_owned())
            }
            PastedErrorKind::Name(name) => Some(format!("did you mean {name}?")),
        }
    }
}

/// The number of characters of a board that a text begins with: at least three ranks, separated by
/// slashes. A wrong board is one as well, so that the error is about the FEN.
fn board_len(text: &str) -> Option<usize> {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let board = &text[..end];
    (board.matches('/').count() >= 2).then_some(end)
}

fn is_board(word: &str) -> bool {
    board_len(word).is_some()
}

/// A FEN has a number in its fifth field. An EPD has operations there, or nothing.
fn fen_or_epd(text: &str) -> Pasted {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_operations = fields.get(4).is_some_and(|field| !is_number(field.trim_end_matches(';')))
        || text.contains(';');
    if !has_operations {
        return Pasted::from(PastedKind::Fen, Some(text), "");
    }
    // Suites of perft counts have the counters of FEN before their operations.
    let is_counter = |field: &&str| field.bytes().all(|byte| byte.is_ascii_digit());
    let counters = fields.iter().skip(4).take(2).take_while(|field| is_counter(field)).count();
    let start = fields[..fields.len().min(4 + counters)].join(" ");
    Pasted::from(PastedKind::Epd, Some(&start), "")
}

/// Reads `position startpos moves …`, `startpos moves …`, `fen … moves …` and `FEN moves …`.
fn uci_position(text: &str) -> Option<Pasted> {
    let lower = text.to_ascii_lowercase();
    let rest = if lower.starts_with("position ") { &text["position ".len()..] } else { text };
    let (start, moves) = match rest.to_ascii_lowercase().find(" moves") {
        Some(at) if rest[at + " moves".len()..].starts_with(char::is_whitespace) => {
            (&rest[..at], &rest[at + " moves".len()..])
        }
        Some(at) if at + " moves".len() == rest.len() => (&rest[..at], ""),
        _ => (rest, ""),
    };
    let start = start.trim();
    let is_fen = start.get(..4).is_some_and(|word| word.eq_ignore_ascii_case("fen "));
    let fen = if is_fen { start[4..].trim() } else { start };
    let is_uci = rest.len() < text.len() || is_fen || !moves.is_empty() || rest.ends_with(" moves");
    let has_start = matches!(Start::read(fen), Start::Standard(_) | Start::Chess960(_))
        || fen.split_whitespace().next().is_some_and(is_board);
    (is_uci && has_start).then(|| Pasted::from(PastedKind::Uci, Some(fen), moves.trim()))
}

/// Has the text tags, comments, variations or glyphs, or does it begin with the number of the first
/// move?
fn is_pgn(text: &str) -> bool {
    let tag = |line: &str| {
        let name = line.strip_prefix('[').unwrap_or_default();
        name.starts_with(|letter: char| letter.is_ascii_alphabetic()) && name.contains('"')
    };
    if text.lines().next().is_some_and(|line| tag(line.trim_start())) {
        return true;
    }
    let begins_with_move = moves::places(text).first().is_some_and(|place| {
        San::from_ascii(text[place.clone()].trim_end_matches(['!', '?']).as_bytes()).is_ok()
    });
    let has_first_number = text.strip_prefix('1').is_some_and(|rest| rest.starts_with(['.', ' ']));
    let is_annotated = text.contains(['{', '(', '$', ';']);
    begins_with_move && (has_first_number || is_annotated) || text.starts_with('{')
}

fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has_scheme = lower.starts_with("http://") || lower.starts_with("https://");
    let has_host = ["lichess.org", "www.", "chess.com"].iter().any(|host| lower.starts_with(host));
    (has_scheme || has_host) && text.len() <= LONGEST_ADDRESS && !text.contains(char::is_whitespace)
}

/// The FEN in an address. Spaces are written as `_`, `+` or `%20` there.
fn fen_of_address(address: &str) -> Option<String> {
    let plain = decode(address).replace(['_', '+'], " ");
    let starts = plain.char_indices().filter(|(at, _)| {
        *at == 0 || plain[..*at].ends_with(|before: char| "/=#&? ".contains(before))
    });
    let found = starts.map(|(at, _)| &plain[at..]).find(|rest| is_full_board(rest))?;
    let end = found.find(['&', '#', '?']).unwrap_or(found.len());
    let fen = found[..end].trim();
    // The address of an editor may end with the board.
    Some(if fen.contains(' ') { fen.to_owned() } else { format!("{fen} w - - 0 1") })
}

/// Does the text begin with exactly eight ranks?
fn is_full_board(text: &str) -> bool {
    let end = text.find([' ', '&', '#', '?']).unwrap_or(text.len());
    let ranks: Vec<&str> = text[..end].split('/').collect();
    let is_rank = |rank: &&str| {
        !rank.is_empty() && rank.chars().all(|letter| "pnbrqkPNBRQK12345678~".contains(letter))
    };
    ranks.len() == 8 && ranks.iter().all(is_rank)
}

/// Replaces `%20` and its like. What is not well-formed stays.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut plain = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = bytes.get(at + 1..at + 3).and_then(|it| std::str::from_utf8(it).ok());
        let byte = hex.filter(|_| bytes[at] == b'%').and_then(|it| u8::from_str_radix(it, 16).ok());
        plain.push(byte.unwrap_or(bytes[at]));
        at += if byte.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use PastedKind::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn read(text: &str) -> (PastedKind, Option<String>, String) {
        let Pasted { kind, start, moves } = Pasted::read(text).unwrap();
        (kind, start, moves)
    }

    #[test]
    fn each_kind_is_recognised() {
        for (text, kind, start, moves) in [
            ("kiwipete", Name, "kiwipete", ""),
            (" KiwiPete \n", Name, "kiwipete", ""),
            ("chess960:518", Chess960, "chess960:518", ""),
            (KIWIPETE, Fen, KIWIPETE, ""),
            ("8/8/8/8/8/8/8/8 w - -", Fen, "8/8/8/8/8/8/8/8 w - -", ""),
            ("8/8/9/8/8/8/8/8 w - - 0 1", Fen, "8/8/9/8/8/8/8/8 w - - 0 1", ""),
            ("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"x\";", Epd, "4k3/8/8/8/8/8/8/4K2R w K -", ""),
            ("8/8/8/8/8/8/8/8 w - - 3 9 ;D1 20", Epd, "8/8/8/8/8/8/8/8 w - - 3 9", ""),
            ("position startpos", Uci, "startpos", ""),
            ("position startpos moves e2e4", Uci, "startpos", "e2e4"),
            ("startpos moves e2e4 e7e5", Uci, "startpos", "e2e4 e7e5"),
            ("startpos moves", Uci, "startpos", ""),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", Uci, "8/8/8/8/8/8/8/8 w - - 0 1", ""),
            ("fen 8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2", Uci, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 moves a1a2", Uci, "8/8/8/8/8/8/8/8 w - - 0 1", "a1a2"),
        ] {
            assert_eq!(read(text), (kind, Some(start.to_owned()), moves.to_owned()), "{text}");
        }
    }

    #[test]
    fn moves_begin_at_the_board_and_games_at_their_start() {
        for text in
            ["e4", "Nf3", "e2e4 e7e5", "O-O", "12. Nf3 Nc6", "e9", "<img src=x>", "hello", "b4"]
        {
            assert_eq!(read(text), (Moves, None, text.to_owned()), "{text}");
        }
        for text in [
            "1. e4 e5",
            "1.e4",
            "1 e4 e5",
            "[Event \"x\"]\n\n1. e4 *",
            "12. Nf3 {good} Nc6",
            "e4 (d4)",
            "{first} 1. e4",
        ] {
            assert_eq!(read(text), (Pgn, None, text.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_address_contains_its_fen() {
        for address in [
            "https://lichess.org/analysis/standard/r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1",
            "https://lichess.org/analysis/r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1?color=white#4",
            "lichess.org/editor/r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1",
            "https://example.org/?fen=r3k2r%2Fp1ppqpb1%2Fbn2pnp1%2F3PN3%2F1p2P3%2F2N2Q1p%2FPPPBBPPP%2FR3K2R%20w%20KQkq%20-%200%201&x=1",
            "https://www.chess.com/analysis?fen=r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R+w+KQkq+-+0+1",
        ] {
            assert_eq!(
                read(address),
                (Address, Some(KIWIPETE.to_owned()), String::new()),
                "{address}"
            );
        }
        let editor = "https://lichess.org/editor/4k3/8/8/8/8/8/8/4K3";
        assert_eq!(read(editor).1.unwrap(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    }

    #[test]
    fn what_has_no_meaning_gets_a_suggestion() {
        for (text, message, hint) in [
            ("", "there is no text", None),
            (" \n ", "there is no text", None),
            ("kiwipet", "there is no position of this name", Some("did you mean kiwipete?")),
            ("starpos", "there is no position of this name", Some("did you mean startpos?")),
            ("cpw33", "there is no position of this name", Some("did you mean cpw3?")),
            (
                "https://lichess.org/study/JDTyWAf7",
                "this address contains no position",
                Some("nothing is loaded from other sites: copy the FEN or the PGN there"),
            ),
            ("https://example.org/%zz%", "this address contains no position", None),
        ] {
            let error = Pasted::read(text).unwrap_err();
            assert_eq!(error.to_string(), message, "{text}");
            assert!(hint.is_none() || error.hint().as_deref() == hint, "{text}");
            assert_eq!(error.span(), 0..text.len());
        }
    }

    #[test]
    fn any_text_has_an_answer() {
        let parts =
            ["é", "[", "{", "1.", "/", "//", " moves", "position ", "fen ", "%", "e4", "\u{feff}"];
        for a in parts {
            for b in parts {
                for c in parts {
                    let _ = Pasted::read(&format!("{a}{b}{c}"));
                }
            }
        }
    }
}
