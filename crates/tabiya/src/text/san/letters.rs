//! The letters of pieces in other languages.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// The letters that a language has for the pieces, to read its moves.
///
/// They are given in the order of king, queen, rook, bishop, knight, and perhaps pawn, such as
/// `KDTLS` in German or `RDTFC` in French. A small letter belongs to the capital before it, as in
/// Russian: `КрФЛСК`.
///
/// ```
/// use tabiya::{Position, san::PieceLetters};
/// let german: PieceLetters = "KDTLS".parse().unwrap();
/// assert_eq!(german.translate("Sf3"), "Nf3");
/// assert_eq!(german.translate("exd8=D+"), "exd8=Q+");
/// let russian: PieceLetters = "КрФЛСК".parse().unwrap();
/// assert_eq!(russian.translate("Крf1"), "Kf1");
/// let mv = Position::START.parse_san(&russian.translate("Кf3")).unwrap();
/// assert_eq!(mv.to_string(), "g1f3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PieceLetters([(char, Option<char>); 6]);

const ENGLISH: [char; 6] = ['K', 'Q', 'R', 'B', 'N', 'P'];

impl PieceLetters {
    /// The text of a move with the letters of English. Others are kept, so figurines and castling
    /// are too.
    pub fn translate<'a>(&self, text: &'a str) -> Cow<'a, str> {
        // In Estonian, O is a bishop.
        if text.starts_with("O-O") || text.starts_with("OO") {
            return text.into();
        }
        let english = |letter, small| {
            let at = self.0.iter().position(|&letters| letters == (letter, small))?;
            Some(ENGLISH[at])
        };
        let mut translated = String::new();
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let longer = letters.peek().and_then(|&small| english(letter, Some(small)));
            if longer.is_some() {
                letters.next();
            }
            translated.push(longer.or_else(|| english(letter, None)).unwrap_or(letter));
        }
        if translated == text { text.into() } else { translated.into() }
    }
}

/// The error for a string that is not the letters of five or six pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLettersError;

impl fmt::Display for PieceLettersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected the letters of king, queen, rook, bishop, knight and perhaps pawn, such as \
             KDTLS",
        )
    }
}

impl core::error::Error for PieceLettersError {}

impl FromStr for PieceLetters {
    type Err = PieceLettersError;

    fn from_str(text: &str) -> Result<Self, PieceLettersError> {
        let mut pieces = [('P', None); 6];
        let mut count = 0;
        for letter in text.chars() {
            match pieces.get_mut(count) {
                _ if !letter.is_alphabetic() => return Err(PieceLettersError),
                _ if letter.is_lowercase() => match pieces[..count].last_mut() {
                    Some((_, small @ None)) => *small = Some(letter),
                    _ => return Err(PieceLettersError),
                },
                Some(piece) => {
                    piece.0 = letter;
                    count += 1;
                }
                None => return Err(PieceLettersError),
            }
        }
        let is_twice = |at: usize| pieces[..at].contains(&pieces[at]);
        if count < 5 || (0..count).any(is_twice) {
            Err(PieceLettersError)
        } else {
            Ok(Self(pieces))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_other_languages_are_translated() {
        for (letters, text, english) in [
            ("KDTLS", "Lg5", "Bg5"),
            ("KDTLSB", "Be4", "Pe4"),
            ("KDTLS", "Be4", "Be4"),
            ("RDTFC", "Rxe2", "Kxe2"),
            ("RDTFC", "Tae1#", "Rae1#"),
            ("RDTAC", "Ce2-g3", "Ne2-g3"),
            ("KDTLP", "Pf3", "Nf3"),
            ("KVBFH", "b8(V)", "b8(Q)"),
            ("KLVOR", "Of4", "Bf4"),
            ("KLVOR", "O-O-O+", "O-O-O+"),
            ("КрФЛСК", "Кр:e2", "K:e2"),
            ("КрФЛСК", "e8=К", "e8=N"),
            ("КрФЛСК", "♘f3", "♘f3"),
            ("KDTLS", "", ""),
        ] {
            let read: PieceLetters = letters.parse().unwrap();
            assert_eq!(read.translate(text), english, "{letters}");
        }
        let german: PieceLetters = "KDTLS".parse().unwrap();
        assert!(matches!(german.translate("e4"), Cow::Borrowed("e4")));
    }

    #[test]
    fn letters_are_five_or_six_different_ones() {
        for wrong in ["", "KDTL", "KDTLSBX", "KDTLK", "kdtls", "K,D,T,L,S", "КФЛСК", "KrrDTLS"]
        {
            assert_eq!(wrong.parse::<PieceLetters>(), Err(PieceLettersError), "{wrong}");
        }
    }
}
