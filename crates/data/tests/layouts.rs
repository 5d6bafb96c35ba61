//! What formats look like, and what is wrong with them.

mod common;

use common::{read, write};
use tabiya::Position;
use tabiya_data::{Field, Format, GameResult, Reason, Record, Refused};

#[test]
fn the_readme_says_what_formats_hold() {
    let readme = include_str!("../README.md");
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    let rows: Vec<_> = rows.map(|line| line.replace("\\|", "").replace('`', "")).collect();
    assert_eq!(rows.len(), Format::ALL.len());
    for format in Format::ALL {
        let row = rows.iter().find(|it| it.split(" |").next() == Some(&format!("| {format}")));
        let row = row.unwrap_or_else(|| panic!("{format} is missing"));
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let extensions = format.extensions().iter().map(|it| format!(".{it}"));
        assert_eq!(cells[2], extensions.collect::<Vec<_>>().join(", "));
        let lost = Field::ALL.into_iter().filter(|&field| !format.holds(field));
        let lost: Vec<_> = lost.map(|field| field.to_string()).collect();
        assert_eq!(cells[4], lost.join(", "), "{format}");
    }
}

/// The example of the crate's README, 1. e4 e5 2. Qh5 Ke7 3. Qxe5#, with the pieces in the order in which the
/// crate writes them: the README has the halves of their bytes exchanged.
const GAME: &str = "ffff00000000ffff 1642256100000000 888888889ecaade9 4000 0100 0000 0200 \
    0c070a00 34091400 c309e2ff 3c0dff7f 2709ff7f 00000000";

fn game() -> Vec<u8> {
    bytes(GAME)
}

fn bytes(digits: &str) -> Vec<u8> {
    let digits: Vec<_> = digits.bytes().filter(u8::is_ascii_hexdigit).collect();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

#[test]
fn viriformat_game() {
    let found: Vec<_> = read(&game(), Format::Viriformat).into_iter().flatten().collect();
    let moves: Vec<_> = found.iter().map(|it| it.mv.unwrap().to_string()).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]);
    let scores: Vec<_> = found.iter().map(|it| it.score.unwrap()).collect();
    assert_eq!(scores, [10, -20, -30, -32767, 32767]);
    assert!(found.iter().all(|it| it.result == Some(GameResult::WhiteWins)));
    assert!(found.iter().map(|it| it.ply).eq(0..5));
    assert_eq!(write(&found, Format::Viriformat).0, game());
}

/// What is wrong with the game after some bytes are changed, where, and how many records there are.
fn wrong(changes: &[(usize, u8)]) -> (usize, Vec<(u64, String)>) {
    let mut bytes = game();
    changes.iter().for_each(|&(at, byte)| bytes[at] = byte);
    bytes.extend(game());
    let found = read(&bytes, Format::Viriformat);
    let bad = found.iter().filter_map(|it| it.as_ref().err());
    let bad: Vec<_> = bad.map(|it| (it.offset, it.reason.to_string())).collect();
    (found.len() - bad.len(), bad)
}

#[test]
fn viriformat_errors() {
    for (changes, records, offset, reason) in [
        (&[(23, 0xe5)][..], 5, 0, "White has 2 kings"),
        (&[(23, 0xe6)], 5, 0, "a rook that may castle isn't on its side's half"),
        (&[(23, 0xe7)], 5, 0, "the code 7 is no piece"),
        (&[(22, 0xa9)], 5, 0, "Black has no king"),
        (&[(4, 1)], 5, 0, "there are 33 pieces, more than 32"),
        (&[(24, 65)], 5, 0, "65 isn't a square"),
        (&[(24, 20)], 5, 0, "no double push can have crossed e3: it is on the wrong rank"),
        (
            &[(36, 0x35)],
            6,
            36,
            "the move f7e5, bits 0935, isn't legal; the rest of its game is left out",
        ),
        // Castling, en passant and promotion that aren't.
        (
            &[(33, 0x87)],
            5,
            32,
            "the move e2e4, bits 870c, isn't legal; the rest of its game is left out",
        ),
        (
            &[(33, 0x47)],
            5,
            32,
            "the move e2e4, bits 470c, isn't legal; the rest of its game is left out",
        ),
        (
            &[(33, 0xc7)],
            5,
            32,
            "the move e2e4, bits c70c, isn't legal; the rest of its game is left out",
        ),
    ] {
        let found = wrong(changes);
        assert_eq!(found, (records, vec![(offset, reason.to_owned())]), "{changes:?}");
    }
    let (records, bad) = wrong(&[(30, 3)]);
    assert_eq!((records, bad.len()), (5, 5));
    assert_eq!(bad[1], (36, "3 isn't a result of this format".to_owned()));
    let (records, bad) = wrong(&[(34, 0), (35, 0x80)]);
    assert_eq!(
        (records, &bad[..]),
        (9, &[(32, "the score -32768 is out of range".to_owned())][..])
    );
}

/// If only a value is bad, the record without it can be kept.
#[test]
fn viriformat_keeps_records_with_bad_values() {
    let mut bytes = game();
    bytes[30] = 255;
    for bad in read(&bytes, Format::Viriformat) {
        let bad = bad.unwrap_err();
        assert_eq!(bad.reason, Reason::Result(255));
        let record = bad.record.unwrap();
        assert!(record.result.is_none() && record.mv.is_some() && record.score.is_some());
    }
}

/// What the crate `bulletformat` makes of `r3k3/8/8/8/8/8/7P/4K2R b - - 0 1 | 150 | 0.5`.
const ROW: &str = "1100000000008090 53d80b0000000000 0000000000000000 6aff 01 04 04 000000";

#[test]
fn bulletformat_row() {
    let found = read(&bytes(ROW), Format::Bulletformat).remove(0).unwrap();
    assert_eq!(found.position.fen().to_string(), "4k2r/7p/8/8/8/8/8/R3K3 w - - 0 1");
    assert_eq!((found.score, found.result), (Some(-150), Some(GameResult::Draw)));
    assert_eq!((found.mv, found.ply), (None, 0));
    let position = Position::from_fen("r3k3/8/8/8/8/8/7P/4K2R b Kq - 3 9").unwrap();
    let record = Record { position, ply: 17, ..found };
    assert_eq!(write(&[record], Format::Bulletformat), (bytes(ROW), vec![]));
}

#[test]
fn bulletformat_errors() {
    for (at, byte, reason) in [
        (8, 0x56, "a row has no castling rights"),
        (9, 0xb8, "Black has no king"),
        (26, 3, "3 isn't a result of this format"),
        (27, 5, "the squares of the kings aren't those of the pieces"),
        (28, 60, "the squares of the kings aren't those of the pieces"),
    ] {
        let mut file = [bytes(ROW), bytes(ROW)].concat();
        file[32 + at] = byte;
        let bad = read(&file, Format::Bulletformat).pop().unwrap().unwrap_err();
        assert_eq!((bad.offset, bad.reason.to_string()), (32, reason.to_owned()));
    }
    let stalemate = "0104000000000080 c50d000000000000 0000000000000000 0000 01 00 07 000000";
    let bad = read(&bytes(stalemate), Format::Bulletformat).pop().unwrap();
    assert_eq!(bad.unwrap_err().reason, Reason::NoLegalMove);
}

const LINES: &str = "\
fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
move e7e5
score -25
ply 1
result -1
e
";

#[test]
fn plain_lines() {
    let position = Position::START.play(Position::START.parse_uci("e2e4").unwrap());
    let mv = Some(position.parse_uci("e7e5").unwrap());
    let result = Some(GameResult::WhiteWins);
    let record = Record { position, mv, score: Some(-25), result, ply: 1 };
    let unknown = Record { score: None, ..record.clone() };
    let (written, _) = write(&[record.clone(), unknown.clone()], Format::Plain);
    assert_eq!(
        String::from_utf8(written).unwrap(),
        LINES.to_owned() + &LINES.replace("-25", "32002")
    );
    // Other ends of lines, empty lines between records, and none at the end.
    let file =
        format!("{}\n\n{}", LINES.replace('\n', "\r\n"), LINES.replace("-25", "32002").trim());
    assert_eq!(read(file.as_bytes(), Format::Plain), [Ok(record.clone()), Ok(unknown)]);
    let mate = Record { score: Some(32_002), ..record };
    assert_eq!(write(&[mate], Format::Plain), (vec![], vec![Refused::TooLarge]));
}

#[test]
fn plain_errors() {
    let form = "a record has the lines fen, move, score, ply, result and e";
    for (old, new, reason) in [
        ("/8/8/", "/8/9/", "'9' is not valid in the board field"),
        ("e7e5", "e7e4", "e7e4 is not legal: a pawn on e7 cannot reach e4"),
        ("-25", "-32768", "the score -32768 is out of range"),
        ("-25", "1.5", "1.5 isn't a score"),
        ("ply 1", "ply -1", "-1 isn't a number of plies"),
        ("result -1", "result 2", "2 isn't a result of this format"),
        ("result -1", "result 1-0", "1-0 isn't a result"),
        ("ply 1\n", "", form),
        ("ply 1", "e", form),
        ("score -25\nply 1", "ply 1\nscore -25", form),
        ("e\n", "more\ne\n", form),
    ] {
        let file = format!("{LINES}{}{LINES}", LINES.replacen(old, new, 1));
        let mut found = read(file.as_bytes(), Format::Plain);
        assert!(found.remove(0).is_ok() && found.pop().unwrap().is_ok(), "{new}");
        let bad = found.remove(0).unwrap_err();
        assert_eq!((bad.offset, bad.reason.to_string()), (LINES.len() as u64, reason.to_owned()));
        assert_eq!(bad.record.is_some(), bad.reason.is_value());
    }
}
