//! Reading a move in standard algebraic notation, without a position.

use core::hint::select_unpredictable;

use super::error::{SanCause, SanError};
use super::leniency::{Leniencies, Leniency};
use super::{San, SanAction, SanMark, SanPiece};
use crate::bitboard::Bitboard;
use crate::castling::CastlingSide;
use crate::role::Role;
use crate::square::{File, Rank, Square};

#[inline]
pub(super) fn read(text: &[u8]) -> Result<(San, Leniencies), SanError> {
    match read_plain(text) {
        Some(san) => Ok((san, Leniencies::NONE)),
        None => Reader::new(text).read(),
    }
}

/// Most moves of most files: a piece or a pawn, a sign of capture or none, and the target, followed
/// by a sign of check or nothing. Other moves may be valid as well.
///
/// No CPU can predict which piece moves and how long its text is. So this computes with the bytes
/// instead of branching on them, and nearly all texts take the same path.
#[inline(always)]
pub(super) fn read_plain(text: &[u8]) -> Option<San> {
    let [first, .., last] = *text else { return None };
    let is_marked = matches!(last, b'+' | b'#');
    let len = text.len() - usize::from(is_marked);
    if !(2..=4).contains(&len) {
        return None;
    }
    let (file, rank) = (text[len - 2].wrapping_sub(b'a'), text[len - 1].wrapping_sub(b'1'));
    let letter = LETTERS[usize::from(first & 127)];
    let is_pawn = letter == Role::Pawn as u8;
    let is_capture = len == 4 && text[1] == b'x';
    // `e4` has two bytes and begins with a file, `Nf3` has three and does not.
    let is_plain = (len == 2) & is_pawn | (len == 3) & !is_pawn | is_capture;
    if !is_plain | (file > 7) | (rank > 7) | (letter == NO_PIECE) | (first > 127) {
        return None;
    }
    let mark = if last == b'#' { SanMark::Checkmate } else { SanMark::Check };
    let from = File::ALL[usize::from(first.wrapping_sub(b'a') & 7)];
    let piece = SanPiece {
        role: Role::ALL[usize::from(letter)],
        file: (is_pawn & is_capture).then_some(from),
        rank: None,
        is_capture,
        to: Square::from_low_bits(rank << 3 | file),
        promotion: None,
    };
    Some(San { action: SanAction::Piece(piece), mark: is_marked.then_some(mark) })
}

/// The contents of the text of a plain move: one that [`read_plain`] reads, or one that also gives
/// the file or the rank of its origin.
pub(super) struct PlainText {
    pub(super) role: Role,
    /// The squares that the text allows for the origin. It is empty if the text is wrong.
    pub(super) origins: Bitboard,
    pub(super) to: Square,
}

impl PlainText {
    /// Reads a text, with look-ups in place of branches as far as possible.
    #[inline(always)]
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        /// The forms of a pawn's move and of a piece's, one bit for each number of bytes before the
        /// target and, in the lowest bit of the form, a sign of capture.
        const FORMS: [u16; 6] = {
            const PAWN: u16 = 1 << form(0, false) | 1 << form(2, true);
            const PLAIN: u16 = 1 << form(1, false) | 1 << form(2, true);
            const PIECE: u16 = PLAIN | 1 << form(2, false) | 1 << form(3, true);
            [PAWN, PIECE, PIECE, PIECE, PIECE, PIECE]
        };
        const fn form(before: usize, is_capture: bool) -> usize {
            2 * before + is_capture as usize
        }

        let [first, second, ..] = *text else { return None };
        let is_marked = matches!(text[text.len() - 1], b'+' | b'#');
        let len = text.len() - usize::from(is_marked);
        if !(2..=5).contains(&len) {
            return None;
        }
        let target = u16::from_le_bytes([text[len - 2], text[len - 1]]);
        // In both bytes, three bits count.
        let target = target.wrapping_sub(u16::from_le_bytes(*b"a1"));
        let before = len - 2;
        let is_capture = text[before.saturating_sub(1)] == b'x';
        let role = FIRST_LETTERS[usize::from(first)]?;
        let is_plain = FORMS[role as usize] >> form(before, is_capture) & 1 != 0;
        if target & 0xf8f8 != 0 || !is_plain {
            return None;
        }
        let is_given = before - usize::from(is_capture) == 2;
        let origin = select_unpredictable(is_given, usize::from(second), ANYWHERE);
        let origin = select_unpredictable(role == Role::Pawn, usize::from(first), origin);
        Some(Self {
            role,
            origins: ORIGINS[origin],
            to: Square::from_low_bits((target | target >> 5) as u8),
        })
    }
}

/// For each first letter of a move, the role: a file is a pawn's.
static FIRST_LETTERS: [Option<Role>; 256] = {
    let mut roles = [None; 256];
    let mut byte = 0;
    while byte < 128 {
        let role = LETTERS[byte];
        if role != NO_PIECE {
            roles[byte] = Some(Role::ALL[role as usize]);
        }
        byte += 1;
    }
    roles
};

/// The place in [`ORIGINS`] of a text without information about the origin.
const ANYWHERE: usize = 256;

/// For each byte that limits the origin, the squares that it allows.
static ORIGINS: [Bitboard; 257] = {
    let mut origins = [Bitboard::EMPTY; 257];
    origins[ANYWHERE] = Bitboard::FULL;
    let mut index = 0;
    while index < 8 {
        origins[b'a' as usize + index] = File::ALL[index].bitboard();
        origins[b'1' as usize + index] = Rank::ALL[index].bitboard();
        index += 1;
    }
    origins
};

/// The entry of a byte that no move begins with.
const NO_PIECE: u8 = 6;

/// For each first letter of a move, the role as a number: a file is a pawn's.
static LETTERS: [u8; 128] = {
    let mut roles = [NO_PIECE; 128];
    let mut file = b'a';
    while file <= b'h' {
        roles[file as usize] = Role::Pawn as u8;
        file += 1;
    }
    roles[b'N' as usize] = Role::Knight as u8;
    roles[b'B' as usize] = Role::Bishop as u8;
    roles[b'R' as usize] = Role::Rook as u8;
    roles[b'Q' as usize] = Role::Queen as u8;
    roles[b'K' as usize] = Role::King as u8;
    roles
};

/// The role of a capital letter, except for a pawn.
#[inline(always)]
fn letter(byte: u8) -> Option<Role> {
    match *LETTERS.get(usize::from(byte))? {
        NO_PIECE => None,
        role => Some(Role::ALL[usize::from(role)]).filter(|&role| role != Role::Pawn),
    }
}

#[inline(always)]
const fn file(byte: u8) -> Option<File> {
    match byte {
        b'a'..=b'h' => Some(File::ALL[(byte - b'a') as usize]),
        _ => None,
    }
}

#[inline(always)]
const fn rank(byte: u8) -> Option<Rank> {
    match byte {
        b'1'..=b'8' => Some(Rank::ALL[(byte - b'1') as usize]),
        _ => None,
    }
}

/// The meaning of a sign at the end of a move.
enum Ending {
    Mark(SanMark, Option<Leniency>),
    EnPassant,
    Annotation,
    Space,
}

/// The signs at the end of a move, each with its text.
const ENDINGS: [(&[u8], Ending); 15] = [
    (b"++", Ending::Mark(SanMark::Check, Some(Leniency::MarkSign))),
    (b"+", Ending::Mark(SanMark::Check, None)),
    (b"#", Ending::Mark(SanMark::Checkmate, None)),
    // A dagger and a double dagger.
    (b"\xe2\x80\xa0", Ending::Mark(SanMark::Check, Some(Leniency::MarkSign))),
    (b"\xe2\x80\xa1", Ending::Mark(SanMark::Checkmate, Some(Leniency::MarkSign))),
    (b"e.p.", Ending::EnPassant),
    (b"e.p", Ending::EnPassant),
    (b"ep.", Ending::EnPassant),
    (b"ep", Ending::EnPassant),
    (b"!", Ending::Annotation),
    (b"?", Ending::Annotation),
    (b" ", Ending::Space),
    (b"\t", Ending::Space),
    (b"\r", Ending::Space),
    (b"\n", Ending::Space),
];

/// A text with the place up to which it has been read.
struct Reader<'a> {
    text: &'a [u8],
    at: usize,
    /// The start of the signs after the move.
    end: usize,
    mark: Option<SanMark>,
    found: Leniencies,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, end: text.len(), mark: None, found: Leniencies::NONE }
    }

    #[cold]
    fn error(&self, len: usize, cause: SanCause) -> SanError {
        // A character that is not ASCII is shown as a whole.
        let mut end = (self.at + len).min(self.text.len());
        while self.text.get(end).is_some_and(|byte| byte & 0xc0 == 0x80) {
            end += 1;
        }
        SanError::at(self.at..end, cause)
    }

    fn peek(&self) -> Option<u8> {
        self.text[self.at..self.end].first().copied()
    }

    fn read(mut self) -> Result<(San, Leniencies), SanError> {
        self.leading_spaces();
        self.endings();
        let action = match self.peek() {
            None => return Err(self.error(usize::from(self.end > 0), SanCause::Empty)),
            Some(b'O' | b'o' | b'0') => self.castling()?,
            Some(b'-' | b'Z') => self.null()?,
            Some(_) => SanAction::Piece(self.piece()?),
        };
        Ok((San { action, mark: self.mark }, self.found))
    }

    fn leading_spaces(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
            self.found.add(Leniency::Spaces);
        }
    }

    /// Cuts off the signs after the move.
    fn endings(&mut self) {
        'signs: loop {
            let body = &self.text[self.at..self.end];
            for (sign, ending) in &ENDINGS {
                if !body.ends_with(sign) {
                    continue;
                }
                self.end -= sign.len();
                match *ending {
                    Ending::Mark(mark, leniency) => {
                        if let Some(leniency) = leniency {
                            self.found.add(leniency);
                        }
                        // `+#` and the like.
                        if self.mark.is_some() {
                            self.found.add(Leniency::MarkSign);
                        }
                        self.mark = self.mark.max(Some(mark));
                    }
                    Ending::EnPassant => self.found.add(Leniency::EnPassantMark),
                    Ending::Annotation => self.found.add(Leniency::Annotation),
                    Ending::Space => self.found.add(Leniency::Spaces),
                }
                continue 'signs;
            }
            return;
        }
    }

    /// Takes a byte if it is one of these.
    fn take(&mut self, bytes: &[u8]) -> Option<u8> {
        let byte = self.peek().filter(|byte| bytes.contains(byte))?;
        self.at += 1;
        Some(byte)
    }

    /// Takes a text if it comes next.
    fn take_text(&mut self, text: &[u8]) -> bool {
        let is_next = self.text[self.at..self.end].starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next
    }

    /// Takes a hyphen or one of the dashes of Unicode, and returns `true` for a hyphen.
    fn take_dash(&mut self) -> Option<bool> {
        if self.take(b"-").is_some() {
            return Some(true);
        }
        let dashes = ["\u{2010}", "\u{2011}", "\u{2012}", "\u{2013}", "\u{2014}", "\u{2212}"];
        dashes.iter().any(|dash| self.take_text(dash.as_bytes())).then_some(false)
    }

    fn castling(&mut self) -> Result<SanAction, SanError> {
        let mut letters = 0;
        loop {
            let before = self.at;
            if letters > 0 && self.take_dash() != Some(true) && self.peek().is_some() {
                self.found.add(Leniency::CastlingForm);
            }
            match self.take(b"Oo0") {
                Some(b'0') => self.found.add(Leniency::Zeros),
                Some(b'o') => self.found.add(Leniency::CastlingForm),
                Some(_) => {}
                None => {
                    self.at = before;
                    break;
                }
            }
            letters += 1;
        }
        let side = match letters {
            2 => CastlingSide::King,
            3 => CastlingSide::Queen,
            _ => {
                self.at = 0;
                return Err(self.error(self.end, SanCause::Castling));
            }
        };
        self.end_of_move()?;
        Ok(SanAction::Castle(side))
    }

    fn null(&mut self) -> Result<SanAction, SanError> {
        if self.take_text(b"--") || self.take_text(b"Z0") {
            self.end_of_move()?;
            return Ok(SanAction::Null);
        }
        Err(self.error(1, SanCause::Beginning))
    }

    fn end_of_move(&self) -> Result<(), SanError> {
        match self.end - self.at {
            0 => Ok(()),
            more => Err(self.error(more, SanCause::Trailing)),
        }
    }

    fn piece(&mut self) -> Result<SanPiece, SanError> {
        let role = self.role()?;
        let (mut file, mut rank) = (self.file(), self.rank());
        let first_end = self.at;
        let mut is_capture = false;
        let to = match self.target(&mut is_capture) {
            Some(to) => to,
            // The first square is the only one.
            None => match (file, rank) {
                (Some(only_file), Some(only_rank))
                    if self.at == first_end && !self.begins_square() =>
                {
                    (file, rank) = (None, None);
                    Square::new(only_file, only_rank)
                }
                _ => return Err(self.no_target(file, rank)),
            },
        };
        let start = self.at;
        let promotion = self.promotion()?;
        if promotion.is_some() && role != Role::Pawn {
            let len = self.at - start;
            self.at = start;
            return Err(self.error(len, SanCause::PromotionOfPiece));
        }
        self.end_of_move()?;
        if role == Role::Pawn && file.is_none() && (is_capture || rank.is_some()) {
            self.at = 0;
            return Err(self.error(self.end, SanCause::PawnFile));
        }
        Ok(SanPiece { role, file, rank, is_capture, to, promotion })
    }

    /// The role at the beginning.
    fn role(&mut self) -> Result<Role, SanError> {
        let first = self.peek().unwrap_or(0);
        if let Some(role) = letter(first) {
            self.at += 1;
            return Ok(role);
        }
        if let Some(role) = self.figurine() {
            return Ok(role);
        }
        let (role, leniency) = match first {
            b'a'..=b'h' => return Ok(Role::Pawn),
            b'P' | b'p' => (Role::Pawn, Leniency::PawnLetter),
            // A small b is a file.
            b'n' => (Role::Knight, Leniency::PieceCase),
            b'r' => (Role::Rook, Leniency::PieceCase),
            b'q' => (Role::Queen, Leniency::PieceCase),
            b'k' => (Role::King, Leniency::PieceCase),
            _ => return Err(self.error(1, SanCause::Beginning)),
        };
        self.at += 1;
        self.found.add(leniency);
        Ok(role)
    }

    /// A chess symbol: six white ones from U+2654 on, and then six black ones.
    fn figurine(&mut self) -> Option<Role> {
        let &[0xe2, 0x99, last @ 0x94..=0x9f, ..] = &self.text[self.at..self.end] else {
            return None;
        };
        self.at += 3;
        self.found.add(Leniency::Figurine);
        Some(Role::ALL[5 - usize::from(last - 0x94) % 6])
    }

    fn file(&mut self) -> Option<File> {
        let found = file(self.peek()?)?;
        self.at += 1;
        Some(found)
    }

    fn rank(&mut self) -> Option<Rank> {
        let found = rank(self.peek()?)?;
        self.at += 1;
        Some(found)
    }

    /// Does the file of another square come next? A small b at the end is a bishop.
    fn begins_square(&self) -> bool {
        let rest = &self.text[self.at..self.end];
        rest != b"b" && rest.first().is_some_and(|&first| file(first).is_some())
    }

    /// The sign of capture or the hyphen, if there is one, and the square after it. If there is
    /// neither, nothing is read.
    fn target(&mut self, is_capture: &mut bool) -> Option<Square> {
        if self.take(b"x").is_some() {
            *is_capture = true;
        } else if self.take(b"X:").is_some() || self.take_text("×".as_bytes()) {
            *is_capture = true;
            self.found.add(Leniency::CaptureSign);
        } else if self.take_dash().is_some() {
            self.found.add(Leniency::Hyphen);
        }
        let (file, rank) = match self.text[self.at..self.end] {
            [file, rank, ..] => (self::file(file)?, self::rank(rank)?),
            _ => return None,
        };
        self.at += 2;
        Some(Square::new(file, rank))
    }

    /// The error for a move without a target.
    #[cold]
    fn no_target(&self, file: Option<File>, rank: Option<Rank>) -> SanError {
        let begins = self.peek().and_then(self::file);
        let after = Self { at: self.at + usize::from(begins.is_some()), ..*self };
        let len = usize::from(after.peek().is_some());
        let is_last = self.text[..self.at].last().is_some_and(u8::is_ascii_lowercase);
        match (begins, file, rank) {
            (Some(file), _, _) => after.error(len, SanCause::Rank { file }),
            // The file of the origin, with nothing after it.
            (None, Some(file), None) if is_last => self.error(len, SanCause::Rank { file }),
            _ => self.error(len, SanCause::NoTarget),
        }
    }

    fn promotion(&mut self) -> Result<Option<Role>, SanError> {
        let sign = self.take(b"=(/");
        let has_role = match self.peek() {
            Some(byte) => byte.is_ascii_alphabetic() || byte >= 0x80,
            None => false,
        };
        if !has_role {
            return match sign {
                Some(_) => Err(self.error(1, SanCause::Promotion)),
                None => Ok(None),
            };
        }
        let role = self.promotion_role()?;
        if sign != Some(b'=') {
            self.found.add(Leniency::PromotionSign);
        }
        if sign == Some(b'(') && self.take(b")").is_none() {
            return Err(self.error(1, SanCause::Parenthesis));
        }
        Ok(Some(role))
    }

    fn promotion_role(&mut self) -> Result<Role, SanError> {
        let start = self.at;
        let role = self.figurine().or_else(|| {
            let byte = self.peek()?;
            self.at += 1;
            if byte.is_ascii_lowercase() {
                self.found.add(Leniency::PromotionCase);
            }
            letter(byte.to_ascii_uppercase())
        });
        role.filter(|role| Role::PROMOTIONS.contains(role)).ok_or_else(|| {
            self.at = start;
            self.error(1, SanCause::Promotion)
        })
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::vec;
    use std::vec::Vec;

    use super::*;

    /// The texts of most moves, and texts that differ from them in one place. An interpreter reads a
    /// hundredth of them.
    fn texts(mut check: impl FnMut(&[u8])) {
        let mut middles = vec![vec![], vec![b'x']];
        for origin in b"abcdefghi0123456789".iter().copied() {
            middles.extend([vec![origin], vec![origin, b'x']]);
        }
        let (firsts, step): (&[u8], _) =
            if cfg!(miri) { (b"eN", 7) } else { (b"abcdefghiNBRQKPnX1x \xe4", 1) };
        for &first in firsts {
            for middle in middles.iter().step_by(step) {
                for file in b'`'..=b'i' {
                    for rank in b'0'..=b'9' {
                        for mark in ["", "+", "#"] {
                            let middle = middle.iter().copied();
                            let text = [first].into_iter().chain(middle).chain([file, rank]);
                            check(&text.chain(mark.bytes()).collect::<Vec<u8>>());
                        }
                        check(&[first, rank]);
                    }
                }
            }
        }
    }

    /// What the reader finds, if the text is exactly as the standard requires.
    fn standard(text: &[u8]) -> Option<(San, SanPiece)> {
        let (san, found) = Reader::new(text).read().ok()?;
        match san.action {
            // A pawn's file without a capture, as in `ed5`, is rare.
            SanAction::Piece(piece)
                if piece.role == Role::Pawn && piece.file.is_some() != piece.is_capture =>
            {
                None
            }
            SanAction::Piece(piece) if found.is_empty() => Some((san, piece)),
            _ => None,
        }
    }

    #[test]
    fn plain_texts_are_read_without_the_reader() {
        texts(|text| {
            let shown = text.escape_ascii();
            let expected = standard(text).filter(|(_, piece)| {
                let has_origin = piece.file.is_some() && piece.role != Role::Pawn;
                !has_origin && piece.rank.is_none() && piece.promotion.is_none()
            });
            assert_eq!(read_plain(text), expected.map(|(san, _)| san), "{shown}");
        });
    }

    #[test]
    fn texts_to_play_are_read_without_the_reader() {
        texts(|text| {
            let shown = text.escape_ascii();
            let read = PlainText::read(text).filter(|plain| plain.origins.any());
            let expected = standard(text).map(|(_, piece)| piece).filter(|piece| {
                let is_pawn_with_rank = piece.role == Role::Pawn && piece.rank.is_some();
                let has_square = piece.file.is_some() && piece.rank.is_some();
                !is_pawn_with_rank && !has_square && piece.promotion.is_none()
            });
            let expected = expected.map(|piece| {
                let file = match piece.role {
                    Role::Pawn => piece.file.or(Some(piece.to.file())),
                    _ => piece.file,
                };
                let files = file.map_or(Bitboard::FULL, File::bitboard);
                let ranks = piece.rank.map_or(Bitboard::FULL, Rank::bitboard);
                (piece.role, files & ranks, piece.to)
            });
            assert_eq!(read.map(|it| (it.role, it.origins, it.to)), expected, "{shown}");
        });
    }
}
