//! Standard and long algebraic notation, against the list of legal moves.

mod common;

use common::{Random, games};
use tabiya::Position;
use tabiya::san::{Leniencies, San};

/// Every legal move is written and read back.
#[test]
fn every_legal_move_is_read_back() {
    let mut random = Random(11);
    games::many(6, &mut random, |position| {
        for &mv in &position.legal_moves() {
            let san = position.san(mv);
            let text = san.to_string();
            assert_eq!(San::read(text.as_bytes()).unwrap(), (san, Leniencies::NONE), "{text}");
            assert_eq!(position.parse_san(&text), Ok(mv), "{text} in {position:?}");
            assert_eq!(position.parse_san_strict(&text), Ok(mv), "{text} in {position:?}");
            let lan = position.lan(mv).to_string();
            assert_eq!(position.parse_san(&lan), Ok(mv), "{lan} in {position:?}");
        }
    });
    assert_ne!(Position::START.legal_moves().len(), 0);
}
