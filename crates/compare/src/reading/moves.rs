//! What counts as the text of a move.

use tabiya::{San, UciMove};

/// No move has a longer text.
const LONGEST: usize = 12;

/// Is the text a move in UCI or SAN, legal or not?
pub(super) fn is_move(text: &str) -> bool {
    // The lenient reader of SAN takes `000` for castling.
    let is_text = text.len() <= LONGEST && !text.bytes().all(|it| it.is_ascii_digit());
    let is_san = || San::from_ascii(text.as_bytes()).is_ok_and(|san| !san.is_null());
    is_text && (plain_uci(text).is_some() || wrong_promotion(text) || is_san())
}

/// Reads a move in UCI. The promoted role may be a capital letter.
pub(crate) fn plain_uci(text: &str) -> Option<UciMove> {
    let (squares, role) = text.split_at_checked(4)?;
    format!("{squares}{}", role.to_ascii_lowercase()).parse().ok()
}

/// Is the text a promotion to a king or a pawn, such as `e7e8k`? It's listed as an illegal move.
pub(crate) fn wrong_promotion(text: &str) -> bool {
    text.strip_suffix(['k', 'p', 'K', 'P'])
        .is_some_and(|squares| squares.len() == 4 && plain_uci(squares).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves() {
        for text in [
            "e2e4", "e7e8q", "e7e8Q", "e7e8k", "e1h1", "e4", "Nf3", "Nbd2", "exd8=Q+", "Qh4#",
            "O-O", "0-0-0", "O-O+",
        ] {
            assert!(is_move(text), "{text}");
        }
        for text in
            ["", "e", "e9e4", "000", "0000", "--", "e2e4e5", "bare", "e7e8x", "E2E4", "a2a3-20"]
        {
            assert!(!is_move(text), "{text}");
        }
        // A bishop in SAN.
        assert_eq!((plain_uci("B5f3"), is_move("B5f3")), (None, true));
        assert_eq!(plain_uci("e7e8Q"), "e7e8q".parse().ok());
        assert!(!wrong_promotion("e7e8q") && !wrong_promotion("e7e8qk"));
    }
}
