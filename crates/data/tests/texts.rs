//! The formats that are text: what they say, and what's wrong with lines that aren't theirs.

use tabiya::Position;
use tabiya_data::{Bad, Format, GameResult, Reader, Record, Writer};

fn read(text: &str, format: Format) -> (Vec<Record>, Vec<Bad>) {
    let (mut records, mut bad) = (Vec::new(), Vec::new());
    let each = |record: &Record| records.push(record.clone());
    let pass = |error| {
        bad.push(error);
        Ok(())
    };
    Reader::new(text.as_bytes(), format).for_each(each, pass).unwrap();
    (records, bad)
}

fn written(records: &[Record], format: Format) -> String {
    let mut writer = Writer::new(Vec::new(), format).unwrap();
    records.iter().for_each(|record| writer.write(record).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

fn record() -> Record {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 20";
    let position = Position::from_fen(fen).unwrap();
    let mv = Some(position.parse_san("O-O").unwrap());
    let result = Some(GameResult::BlackWins);
    Record { position, mv, score: Some(-31), result, ply: 39 }
}

#[test]
fn each_format_is_written_as_its_page_says() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 4 20";
    let csv = format!("fen,move,score,result,ply\n{fen},e8g8,-31,0-1,39\n");
    let epd = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - sm O-O; ce -31; c9 \"0-1\"; hmvc 4; fmvn 20;\n";
    let text = format!("{fen} | 31 | 0.0\n");
    for (format, expected) in
        [(Format::Csv, &csv), (Format::Epd, &epd.into()), (Format::Text, &text)]
    {
        assert_eq!(&written(&[record()], format), expected);
        let mv = record().mv.filter(|_| format != Format::Text);
        assert_eq!(read(expected, format), (vec![Record { mv, ..record() }], vec![]));
    }
    let empty = [Record { score: None, result: None, mv: None, ..record() }];
    for format in [Format::Csv, Format::Epd] {
        assert_eq!(read(&written(&empty, format), format).0, empty);
    }
}

#[test]
fn bad_lines_are_named_and_passed_over() {
    let good = "4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,5,1-0,0";
    let bad = [
        (
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,5,1-0",
            "a line has five fields, fen,move,score,result,ply",
        ),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1c1,5,1-0,0", "e1c1 is not legal"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,32768,1-0,0", "the score 32768 is out of range"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,5,2-0,0", "a result is 1-0, 1/2-1/2 or 0-1, not 2-0"),
        ("8/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,5,1-0,0", "Black has no king"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1,,5,1-0,1", "the position has no legal move"),
    ];
    let lines: Vec<_> = bad.iter().map(|(line, _)| *line).collect();
    let text = format!("fen,move,score,result,ply\n{good}\n{}\n\n{good}\n", lines.join("\n"));
    let (records, found) = read(&text, Format::Csv);
    assert_eq!(records.len(), 2);
    assert_eq!(found.len(), bad.len());
    for ((line, reason), found) in bad.iter().zip(&found) {
        assert!(text[found.offset as usize..].starts_with(line));
        assert!(found.reason.to_string().contains(reason), "{}", found.reason);
        assert_eq!(found.record.is_some(), found.reason.is_value());
    }
    let (_, found) = read(good, Format::Csv);
    assert_eq!(found[0].reason.to_string(), "the first line is fen,move,score,result,ply");
}

#[test]
fn evaluations_of_games_belong_to_their_positions() {
    let (records, bad) = read(
        "[Result \"1-0\"]\n\n1. e4 {+0.32/13 0.02s} e5 {-0.10/9 1s} (1... c5 {+9.00/9 1s}) 2. Nf3 {+M3/9 1s} Nc6 1-0\n\n\
         1. d4 {[%eval 0.2]} d5 {[%eval -0.3]} 2. c4 {[%eval #-2]} e6 {-M4/9} 1/2-1/2\n\n1. e4 e5 2. Ke3 *\n\n1. c4 {-400.00/9} *\n",
        Format::Pgn,
    );
    let facts: Vec<_> = records.iter().map(|it| (it.ply, it.score, it.result)).collect();
    let (white, draw) = (Some(GameResult::WhiteWins), Some(GameResult::Draw));
    let expected = [
        (0, Some(32), white),
        (1, Some(-10), white),
        (2, Some(31_997), white),
        (3, None, white),
        (0, None, draw),
        (1, Some(-20), draw),
        (2, Some(-30), draw),
        (3, Some(-31_996), draw),
        (0, None, None),
        (1, None, None),
    ];
    assert_eq!(facts, expected);
    assert_eq!(bad.len(), 2);
    assert_eq!(bad[1].reason.to_string(), "the score -40000 is out of range");
    assert!(bad[0].reason.to_string().contains("Ke3 is not legal"), "{}", bad[0].reason);
    assert!(Writer::new(Vec::new(), Format::Pgn).is_none());
}
