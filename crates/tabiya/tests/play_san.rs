//! Playing a text in SAN: the same as finding its move and playing it, whatever the text.

mod common;

use common::{Random, games};
use tabiya::fen::EnPassantMode;
use tabiya::{Position, San, Setup};

/// Everything that a position consists of.
fn parts(position: &Position) -> (Setup, Setup, u64) {
    (position.to_setup(), position.to_setup_with(EnPassantMode::Always), position.key())
}

/// Plays the text, and returns `true` if it is a legal move.
fn check(position: &Position, text: &[u8]) -> bool {
    let mut after = Position::START;
    let played = position.play_san(text, &mut after);
    let found = San::from_ascii(text).and_then(|san| position.find_san(&san));
    assert_eq!(played, found, "{} in {position:?}", text.escape_ascii());
    let expected = found.as_ref().map_or(Position::START, |&mv| position.play(mv));
    assert_eq!(parts(&after), parts(&expected), "{} in {position:?}", text.escape_ascii());
    found.is_ok()
}

#[test]
fn every_legal_move_is_played() {
    let mut random = Random::new(23);
    let mut en_passant = 0;
    games::many(25, &mut random, |position| {
        for &mv in &position.legal_moves() {
            let text = position.san(mv).to_string();
            assert!(check(position, text.as_bytes()), "{text} in {position:?}");
            en_passant += u32::from(position.play(mv).en_passant().is_some());
        }
    });
    assert!(en_passant >= common::least(100) as u32, "{en_passant}");
}

/// The usual form of a move has a reader of its own, which must refuse any text that it does not
/// understand.
#[test]
fn any_other_text_means_what_it_means_elsewhere() {
    const BYTES: &[u8] = b"aabcdefgh11223456788NBRQKKx x=+#O-\0\xe2";
    let mut random = Random::new(29);
    let mut legal = 0;
    games::many(6, &mut random, |position| {
        let mut random = Random::new(position.key());
        for _ in 0..300 {
            let text: Vec<u8> = (0..random.below(8)).map(|_| random.pick(BYTES)).collect();
            legal += u32::from(check(position, &text));
        }
        // A legal move with one byte changed, removed or doubled.
        for &mv in position.legal_moves().iter().take(8) {
            let text = position.san(mv).to_string().into_bytes();
            let at = random.below(text.len());
            for replacement in [vec![random.pick(BYTES)], vec![], vec![text[at]; 2]] {
                let mut other = text.clone();
                other.splice(at..=at, replacement);
                legal += u32::from(check(position, &other));
            }
        }
    });
    assert!(legal >= common::least(1000) as u32, "{legal}");
}
