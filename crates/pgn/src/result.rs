//! Results of games, in every spelling that files have.

use std::fmt;

use tabiya::GameResult;

/// The end of a game according to the file: a result, or `*`.
///
/// Forfeits have values of their own where the points differ from those of a game: no side, or only
/// one side, gets some.
///
/// ```
/// use tabiya_pgn::Termination;
///
/// assert_eq!(Termination::from_bytes(b"1/2-1/2"), Some(Termination::Draw));
/// assert_eq!(Termination::from_bytes("½–½".as_bytes()), Some(Termination::Draw));
/// assert_eq!(Termination::from_bytes(b"0-0"), Some(Termination::BothLose));
/// assert_eq!(Termination::from_bytes(b"1:0F"), Some(Termination::WhiteWins));
/// assert_eq!(Termination::BlackWins.to_string(), "0-1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Termination {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: the game goes on, or the result is not known.
    Unknown,
    /// `0-0`: no side gets a point.
    BothLose,
    /// `1/2-0`: half a point for White alone.
    WhiteHalf,
    /// `0-1/2`: half a point for Black alone.
    BlackHalf,
}

impl Termination {
    /// All results.
    pub const ALL: [Self; 7] = [
        Self::WhiteWins,
        Self::BlackWins,
        Self::Draw,
        Self::Unknown,
        Self::BothLose,
        Self::WhiteHalf,
        Self::BlackHalf,
    ];

    /// The notation in PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
            Self::BothLose => "0-0",
            Self::WhiteHalf => "1/2-0",
            Self::BlackHalf => "0-1/2",
        }
    }

    /// The result of the game. `None` if it is not known, or a forfeit that is none.
    pub const fn result(self) -> Option<GameResult> {
        match self {
            Self::WhiteWins => Some(GameResult::WhiteWins),
            Self::BlackWins => Some(GameResult::BlackWins),
            Self::Draw => Some(GameResult::Draw),
            Self::Unknown | Self::BothLose | Self::WhiteHalf | Self::BlackHalf => None,
        }
    }

    /// The result of a game with this marker after the moves and this tag `Result`.
    ///
    /// The marker counts. The tag counts only if the marker is missing or `*`.
    ///
    /// ```
    /// use tabiya_pgn::Termination::{self, Draw, Unknown, WhiteWins};
    ///
    /// assert_eq!(Termination::of_game(Some(Draw), Some(WhiteWins)), Draw);
    /// assert_eq!(Termination::of_game(Some(Unknown), Some(WhiteWins)), WhiteWins);
    /// assert_eq!(Termination::of_game(None, None), Unknown);
    /// ```
    pub fn of_game(marker: Option<Self>, tag: Option<Self>) -> Self {
        marker.filter(|&it| it != Self::Unknown).or(tag).unwrap_or(Self::Unknown)
    }

    /// Reads a result, such as the value of a tag, in any spelling. The documents have a table of
    /// them.
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        if matches!(text, b"" | b"?" | b"*") {
            return Some(Self::Unknown);
        }
        let whole = |found: Option<(Self, usize)>| found.filter(|it| it.1 == text.len());
        whole(Self::at_start(text)).or_else(|| whole(Self::ambiguous(text))).map(|it| it.0)
    }

    /// The result at the start of a text that can be nothing else there, and its length.
    #[inline]
    pub(crate) fn at_start(text: &[u8]) -> Option<(Self, usize)> {
        if begins_result(text) { Self::plain(text) } else { None }
    }

    #[cold]
    fn plain(text: &[u8]) -> Option<(Self, usize)> {
        pair(text)
            .filter(|it| (it.0 != Self::BothLose || it.2) && ends_result(&text[it.1..]))
            .map(|(result, len, _)| (result, len))
            .or_else(|| match score(text)? {
                // A single score.
                (Score::Half, len) if matches!(text[0], b'1' | 0xc2 | 0xbd) => {
                    Some((Self::Draw, len))
                }
                _ => None,
            })
            .filter(|&(_, len)| ends_result(&text[len..]))
    }

    /// May more text after this one, which is all that is there, make a result of its start?
    #[inline]
    pub(crate) fn may_go_on(text: &[u8]) -> bool {
        if !begins_result(text) {
            return false;
        }
        let next = |(_, len): (Score, usize)| text.get(len).copied();
        let may_be_pair = |next| matches!(next, None | Some(b' ' | b'-' | b':' | b'/' | 0x80..));
        text.len() < LONGEST
            && memchr::memchr(b'\n', text).is_none()
            && score(text).map(next).is_some_and(may_be_pair)
    }

    /// The result at the start of a text that means something else among moves, and its length.
    #[inline]
    pub(crate) fn ambiguous(text: &[u8]) -> Option<(Self, usize)> {
        if begins_result(text) { Self::odd(text) } else { None }
    }

    #[cold]
    fn odd(text: &[u8]) -> Option<(Self, usize)> {
        const SIGNS: [(&str, Termination); 8] = [
            ("+/-", Termination::WhiteWins),
            ("+-", Termination::WhiteWins),
            ("+", Termination::WhiteWins),
            ("-/+", Termination::BlackWins),
            ("-+", Termination::BlackWins),
            ("-", Termination::BlackWins),
            ("=", Termination::Draw),
            ("1", Termination::WhiteWins),
        ];
        let sign = SIGNS.iter().find(|(sign, _)| text.starts_with(sign.as_bytes()));
        pair(text)
            .map(|(result, len, _)| (result, len))
            .or_else(|| sign.map(|&(sign, result)| (result, sign.len())))
            .or_else(|| match score(text)? {
                (Score::Zero, len) => Some((Self::BlackWins, len)),
                (Score::Half, len) => Some((Self::Draw, len)),
                (Score::One, _) => None,
            })
            .filter(|&(_, len)| ends_result(&text[len..]))
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The largest number of bytes of a result and of the sign after it.
const LONGEST: usize = 24;

/// Can a result begin like this? Most words and numbers of moves cannot.
#[inline(always)]
fn begins_result(text: &[u8]) -> bool {
    match text {
        [b'1', b'.' | b'0'..=b'9', ..] => false,
        [first, ..] => {
            matches!(first, b'0' | b'1' | b'O' | b'+' | b'-' | b'=' | 0xc2 | 0xbd)
        }
        [] => false,
    }
}

/// The points of one side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Score {
    Zero,
    Half,
    One,
}

/// The score at the start of a text, and its length.
fn score(text: &[u8]) -> Option<(Score, usize)> {
    const SCORES: [(&[u8], Score); 11] = [
        (b"1/2", Score::Half),
        (b"0.5", Score::Half),
        (b"0,5", Score::Half),
        ("½".as_bytes(), Score::Half),
        // In Latin-1.
        (b"\xbd", Score::Half),
        (b"=", Score::Half),
        (b"1", Score::One),
        (b"+", Score::One),
        (b"0", Score::Zero),
        (b"O", Score::Zero),
        (b"-", Score::Zero),
    ];
    let found = SCORES.iter().find(|(word, _)| text.starts_with(word));
    found.map(|&(word, score)| (score, word.len()))
}

/// Two scores with a hyphen, a dash or a colon between them, perhaps after one space each, and
/// perhaps the mark of a forfeit: the result, the length, and whether it can be no castling.
fn pair(text: &[u8]) -> Option<(Termination, usize, bool)> {
    const SEPARATORS: [&str; 8] = ["-", ":", "–", "—", "−", "‐", "‑", "―"];
    let is_sign = |at: usize| matches!(text.get(at), Some(b'+' | b'-' | b'='));
    let space = |at: usize| usize::from(text.get(at) == Some(&b' '));
    let (white, mut at) = score(text)?;
    at += space(at);
    let separator = SEPARATORS.iter().find(|it| text[at..].starts_with(it.as_bytes()))?;
    if separator != &":" && is_sign(0) {
        return None;
    }
    at += separator.len();
    at += space(at);
    if is_sign(0) != is_sign(at) {
        return None;
    }
    let (black, len) = score(&text[at..])?;
    at += len;
    const FORFEITS: [&str; 6] = ["ff", "FF", "wo", "WO", "f", "F"];
    let forfeit = FORFEITS.iter().find(|it| text[at..].starts_with(it.as_bytes()));
    at += forfeit.map_or(0, |it| it.len());
    let result = match (white, black) {
        (Score::One, Score::Zero) => Termination::WhiteWins,
        (Score::Zero, Score::One) => Termination::BlackWins,
        (Score::Half, Score::Half) => Termination::Draw,
        (Score::Zero, Score::Zero) => Termination::BothLose,
        (Score::Half, Score::Zero) => Termination::WhiteHalf,
        (Score::Zero, Score::Half) => Termination::BlackHalf,
        _ => Termination::Unknown,
    };
    Some((result, at, separator == &":" || forfeit.is_some()))
}

/// Does a result end before this text?
fn ends_result(rest: &[u8]) -> bool {
    !rest.first().is_some_and(|&byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'-' | b'/' | b':' | b'=' | b'+' | b'#' | 0x80..)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_means_one_result() {
        use Termination::{BlackHalf, BlackWins, BothLose, Draw, Unknown, WhiteHalf, WhiteWins};
        let table: [(Termination, &[&str]); 7] = [
            (WhiteWins, &["1-0", "1:0", "1–0", "1 - 0", "1-O", "1-0F", "1-0ff", "+:-", "1", "+/-"]),
            (BlackWins, &["0-1", "0:1", "0—1", "0 - 1", "O-1", "0-1F", "-:+", "0", "-+"]),
            (Draw, &["1/2-1/2", "1/2", "½-½", "½–½", "½", "0.5-0.5", "0,5:0,5", "=:=", "="]),
            (WhiteHalf, &["1/2-0", "½-0", "½:0"]),
            (BlackHalf, &["0-1/2", "0-½"]),
            (BothLose, &["0-0", "0:0", "0–0", "-:-"]),
            (Unknown, &["*", "?", "", "1-1"]),
        ];
        for (result, spellings) in table {
            for spelling in spellings {
                assert_eq!(
                    Termination::from_bytes(spelling.as_bytes()),
                    Some(result),
                    "{spelling}"
                );
            }
        }
        for wrong in ["1-0-0", "2-0", "1-", "white", "1/2-", "0-0-0", "1.0", "1-00", "+--"] {
            assert_eq!(Termination::from_bytes(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn only_the_tag_tells_ambiguous_results_from_moves_and_glyphs() {
        for text in ["0-0", "0–0", "1", "0", "+-", "-/+", "=", "0.5"] {
            assert_eq!(Termination::at_start(text.as_bytes()), None, "{text}");
            assert!(Termination::ambiguous(text.as_bytes()).is_some(), "{text}");
        }
    }
}
