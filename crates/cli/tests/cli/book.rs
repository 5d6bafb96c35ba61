//! `tabiya book`.

use std::fs;
use std::path::PathBuf;

use crate::book_bytes::small;
use crate::program::{directory, fine, json, mistaken, run};

fn file(name: &str, bytes: &[u8]) -> String {
    let path: PathBuf = directory(name).join("book.bin");
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn moves_are_listed_by_weight_with_their_share() {
    let book = file("book", &small());
    assert_eq!(
        fine(&["book", &book]),
        "\
move   SAN      weight   share
e2e4   e4           60   50.0%
d2d4   d4           45   37.5%
g1f3   Nf3          15   12.5%
"
    );
    let after = fine(&["book", &book, "--moves", "e2e4,e7e5"]);
    assert!(after.ends_with("\ng1f3   Nf3           1  100.0%\n"), "{after}");
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    assert_eq!(fine(&["book", &book, "--fen", fen]), after);
    let none = fine(&["book", &book, "--moves", "a2a3"]);
    assert_eq!(none, "the book has no move for this position\n");
}

#[test]
fn the_json_object_holds_the_moves() {
    let book = file("book-json", &small());
    let found = json(&["book", &book, "--json"]);
    assert_eq!(found["key"], "0x463b96181691fc9c");
    assert_eq!(found["entries"], 4);
    assert_eq!(found["moves"][0]["move"], "e2e4");
    assert_eq!(found["moves"][0]["san"], "e4");
    assert_eq!(found["moves"][0]["share"], 0.5);
    assert_eq!(found["errors"].as_array().unwrap().len(), 0);
}

#[test]
fn castling_is_written_in_the_notation_of_the_position() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let position = tabiya::Position::from_fen(fen).unwrap();
    let castle = position.parse_uci("e1g1").unwrap();
    let entry = tabiya::polyglot::Entry::new(&position, castle, 0);
    let book = file("book-castling", &entry.to_bytes());
    let shown = fine(&["book", &book, "--fen", fen]);
    // If all weights are 0, there are no shares.
    assert!(shown.ends_with("\ne1g1   O-O           0       -\n"), "{shown}");
    let shown = fine(&["book", &book, "--fen", fen, "--chess960"]);
    assert!(shown.contains("\ne1h1   O-O"), "{shown}");
    assert!(json(&["book", &book, "--fen", fen, "--json"])["moves"][0]["share"].is_null());
}

#[test]
fn damaged_and_missing_books_are_refused() {
    let error = mistaken(&["book", "no-such-book.bin"]);
    assert!(error.starts_with("error: no-such-book.bin: "), "{error}");
    let cut = file("book-cut", &small()[..60]);
    let error = mistaken(&["book", &cut]);
    assert!(error.contains("the book has 60 bytes, which is not a multiple of 16"), "{error}");
    let mut bytes = small();
    bytes.reverse();
    let unsorted = file("book-unsorted", &bytes);
    assert!(mistaken(&["book", &unsorted, "--json"]).contains("are not sorted"));
    let book = file("book-fen", &small());
    mistaken(&["book", &book, "--fen", "8/8"]);
}

/// An entry with an illegal move is an error. The other moves are still shown.
#[test]
fn a_move_that_is_not_legal_is_reported() {
    let mut bytes = small();
    let start = tabiya::Position::START.polyglot_key().to_be_bytes();
    let at = bytes.chunks(16).position(|entry| entry[..8] == start).unwrap();
    // The move e2e5.
    bytes[16 * at + 8..][..2].copy_from_slice(&[0x03, 0x24]);
    let book = file("book-illegal", &bytes);
    let shown = run(&["book", &book]);
    assert_eq!((shown.code, shown.out.lines().count()), (Some(2), 3), "{shown:?}");
    let message = format!(
        "entry {at} (at byte {}) has the move e2e5, which is not legal in the position",
        16 * at
    );
    assert_eq!(shown.err, format!("error: {book}: {message}\n"));
    let object = run(&["book", &book, "--json"]);
    let object: serde_json::Value = serde_json::from_str(&object.out).unwrap();
    assert_eq!(object["errors"][0]["entry"], at);
    assert_eq!(object["errors"][0]["message"], message);
}
