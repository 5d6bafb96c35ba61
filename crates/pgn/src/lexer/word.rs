//! Words: moves, signs of glyphs, odd results, and remarks.

use super::class::{Class, class, is_in_word};
use super::found::Found;
use super::{RawToken, window};
use crate::error::ErrorKind;
use crate::token::RemarkKind;
use crate::{MAX_TOKEN, Nag, Termination};

/// The length of a character at the start of a text that isn't ASCII and is white space, has no width, or
/// is the dots of a number. 0 if there is none.
pub(super) const fn space_len(text: &[u8]) -> usize {
    match text {
        // U+2000 to U+200F, the ends of lines and paragraphs, and the ellipsis.
        [0xe2, 0x80, 0x80..=0x8f | 0xa6 | 0xa8 | 0xa9 | 0xaf, ..] => 3,
        [0xe2, 0x81, 0x9f | 0xa0, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        [0xc2, 0xa0, ..] => 2,
        // A space in Latin-1.
        [0xa0, ..] => 1,
        _ => 0,
    }
}

/// Hyphens, dashes and the sign for minus, as word processors write them.
pub(crate) const DASHES: [&str; 7] = ["‐", "‑", "‒", "–", "—", "―", "−"];

/// The word at an offset, which begins nothing else.
#[cfg_attr(not(target_arch = "wasm32"), inline(always))]
pub(super) fn word(buffer: &[u8], pos: usize, is_end: bool) -> Found {
    let text = window(buffer, pos);
    let may_grow = !is_end && text.len() <= MAX_TOKEN;
    if text[0] >= 0x80 {
        if text.len() < 3 && may_grow {
            return Found::More;
        }
        if space_len(text) > 0 {
            return Found::Space(pos + space_len(text));
        }
    }
    let end = end_of_all(text);
    if let Some(mv) = MoveSpan::at_start(text) {
        // What comes after the letters of a move may belong to it, so it must be there.
        let is_whole = match text.get(mv.word_end) {
            None => false,
            // Up to five bytes, such as `(Q)+#`, and the one after them.
            Some(b'(') => text.len() >= mv.word_end + 6,
            Some(b'.' | 0x80..) => end < text.len(),
            Some(_) => true,
        };
        return if mv.end > MAX_TOKEN {
            Found::Error(ErrorKind::TooLong)
        } else if !is_whole && may_grow {
            Found::More
        } else {
            let after = pos + mv.end;
            Found::Token(RawToken::Move { whole: (pos, after), at: 0 }, after)
        };
    }
    if end > MAX_TOKEN {
        return Found::Error(ErrorKind::TooLong);
    }
    if may_grow && (end == text.len() || Termination::may_go_on(text)) {
        return Found::More;
    }
    if let Some((result, len)) = Termination::at_start(text) {
        return Found::Token(RawToken::Result(result), pos + len);
    }
    if let Some((nag, len)) = Nag::at_start(text, |len| len == end) {
        return Found::Token(RawToken::Nag(nag), pos + len);
    }
    match text[0] {
        b'}' => Found::remark(RemarkKind::Brace, (pos, pos + 1)),
        b']' => Found::remark(RemarkKind::Bracket, (pos, pos + 1)),
        // `e.p.` after a space adds nothing.
        b'e' if en_passant(text) == Some(end) => Found::Nothing(pos + end),
        _ => Found::remark(RemarkKind::Word, (pos, pos + end)),
    }
}

/// Does a word that is not a move go on with this byte?
pub(crate) fn goes_on(byte: u8) -> bool {
    is_in_word(byte) || byte >= 0x80
}

/// The end of a word of any kind: white space, or a sign that begins something else.
fn end_of_all(text: &[u8]) -> usize {
    let ends = |byte: u8| match class(byte) {
        Class::Letter | Class::Digit => false,
        Class::Space => byte != b'.',
        Class::Other => byte == b'}',
        _ => true,
    };
    1 + text[1..].iter().take_while(|&&byte| !ends(byte)).count()
}

/// A move at the start of a text.
struct MoveSpan {
    /// The end of its letters.
    word_end: usize,
    /// Its own end, with a promotion in parentheses or without a sign such as `+-`.
    end: usize,
}

impl MoveSpan {
    #[inline(always)]
    fn at_start(text: &[u8]) -> Option<Self> {
        // A figurine, or a letter of another alphabet.
        let head = text.iter().take_while(|&&byte| byte >= 0x80).count();
        let mut word_end = head + word_len(&text[head..]);
        while let Some(dash) = DASHES.iter().find(|it| text[word_end..].starts_with(it.as_bytes()))
        {
            let more = word_len(&text[word_end + dash.len()..]);
            if word_end == 0 || more == 0 {
                break;
            }
            word_end += dash.len() + more;
        }
        // A promotion to a figurine, or to a letter of another alphabet.
        let role = match text[word_end..] {
            [0xe2, 0x99, 0x94..=0x9f, ..] => 3,
            [0xc3..=0xdf, 0x80..=0xbf, ..] => 2,
            _ => 0,
        };
        if role > 0 && matches!(text[..word_end], [b'a'..=b'h', .., b'1' | b'8' | b'=']) {
            word_end += role + word_len(&text[word_end + role..]);
        }
        let word = &text[..word_end];
        if !(has_square(&word[head..]) || (head == 0 && is_special(word))) {
            return None;
        }
        let end = match Nag::sign_at_end(word) {
            Some(sign) => word_end - sign,
            None => odd_end(text, word_end),
        };
        Some(Self { word_end, end })
    }
}

/// The length of the part that consists of the letters and signs of moves.
#[inline(always)]
fn word_len(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| is_in_word(byte)).count()
}

/// Is there a square whose file is one of the first four characters?
#[inline(always)]
fn has_square(word: &[u8]) -> bool {
    let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    word.windows(2).take(4).any(is_square)
}

/// Is it castling, a null move, or a move in the digits of correspondence chess?
fn is_special(word: &[u8]) -> bool {
    let marks = word.iter().rev().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    let plain = &word[..word.len() - marks];
    matches!(plain, b"--" | b"Z0" | b"@@@@" | b"OO" | b"OOO")
        || is_move_in_digits(plain)
        || is_castling(word)
}

/// Does it begin like castling, `O-O`?
fn is_castling(word: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| matches!(byte, Some(b'O' | b'o' | b'0'));
    let dash = |rest: &[u8]| {
        let dash = DASHES.iter().chain(&["-"]).find(|it| rest.starts_with(it.as_bytes()));
        dash.map(|it| it.len())
    };
    is_letter(word.first()) && dash(&word[1..]).is_some_and(|len| is_letter(word.get(1 + len)))
}

/// Is the word castling or a null move in zeros, or a move in the digits of correspondence chess,
/// where `5254` is e2e4, and `17281` is a promotion?
pub(super) fn is_move_in_digits(word: &[u8]) -> bool {
    let (squares, role) = word.split_at_checked(4).unwrap_or_default();
    let is_between_squares = !squares.is_empty()
        && squares.iter().all(|digit| matches!(digit, b'1'..=b'8'))
        && matches!(role, [] | [b'1'..=b'4']);
    is_between_squares || matches!(word, b"00" | b"000" | b"0000")
}

/// The end of a move that may go on with a promotion in parentheses, as in `e8(Q)`, or with `e.p.`.
fn odd_end(text: &[u8], end: usize) -> usize {
    let marks =
        |text: &[u8]| text.iter().take_while(|byte| matches!(byte, b'+' | b'#')).take(2).count();
    match &text[end..] {
        [b'(', b'A'..=b'Z' | b'n' | b'b' | b'r' | b'q', b')', rest @ ..] => end + 3 + marks(rest),
        [b'.', b'p', b'.', rest @ ..] if text[..end].ends_with(b"e") => end + 3 + marks(rest),
        _ => end,
    }
}

/// The length of `e.p.` and the marks of check.
fn en_passant(text: &[u8]) -> Option<usize> {
    let rest = text.strip_prefix(b"e.p.").or_else(|| text.strip_prefix(b"ep"))?;
    let marks = rest.iter().take_while(|byte| matches!(byte, b'+' | b'#')).count();
    Some(text.len() - rest.len() + marks)
}
