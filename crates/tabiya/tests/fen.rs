//! Reading and writing FEN: the accepted texts, the refused ones, and the places of errors.

mod common;

use tabiya::fen::{EnPassantMode, FenCause, FenField};
use tabiya::{
    Bitboard, CastlingMode, Color, EnPassantCause, File, Position, PositionError, Rank, Setup,
    Square,
};

#[test]
fn bad_fens_are_refused() {
    let lines = common::file("reject.tsv");
    let lines: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(lines.len() > 10);
    for line in lines {
        let (fen, report) = line.split_once('\t').unwrap();
        let error = Position::from_fen(fen).expect_err(report);
        assert!(!error.to_string().is_empty(), "{report}");
        let span = error.span();
        assert!(span.start <= span.end && span.end <= fen.len(), "{fen} {span:?}");
    }
}

#[test]
fn a_setup_may_be_unplayable() {
    for fen in
        ["8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/8/8/8/5kK1/8 w - - 0 1", "P7/8/8/8/8/8/8/8 b - -"]
    {
        let setup = Setup::from_fen(fen).unwrap();
        assert!(setup.validate().is_err());
        assert_eq!(
            setup.fen().to_string(),
            if fen.ends_with('-') { format!("{fen} 0 1") } else { fen.into() }
        );
    }
}

/// The field, the cause and the place of an error.
fn error(fen: &str) -> (FenField, FenCause, &str) {
    let error = Position::from_fen(fen).unwrap_err();
    (error.field(), error.cause(), &fen[error.span()])
}

#[test]
fn errors_name_field_place_and_cause() {
    use FenField::*;
    let rank = Rank::Fourth;
    let cases = [
        ("", Board, FenCause::Missing, ""),
        ("8/8/8/8/8/8/8 w - - 0 1", Board, FenCause::Ranks { found: 7 }, "8/8/8/8/8/8/8"),
        (
            "4k3/8/8/8/PPPPPPPPP/8/8/4K3 w - - 0 1",
            Board,
            FenCause::Squares { rank, found: 9 },
            "PPPPPPPPP",
        ),
        ("4k3/8/8/8/7/8/8/4K3 w - - 0 1", Board, FenCause::Squares { rank, found: 7 }, "7"),
        ("4k3/8/8/8/44/8/8/4K3 w - - 0 1", Board, FenCause::TwoDigits { rank }, "4"),
        ("4k3/8/8/8/3x4/8/8/4K3 w - - 0 1", Board, FenCause::Letter('x'), "x"),
        ("4k3/8/8/8/3p40/8/8/4K3 w - - 0 1", Board, FenCause::Letter('0'), "0"),
        // The number of squares is right.
        ("4k3/8/8/8/7x/8/8/4K3 w - - 0 1", Board, FenCause::Letter('x'), "x"),
        (
            "pppp/ppp/8/8/8/8/8/8/8 w - - 0 1",
            Board,
            FenCause::Ranks { found: 9 },
            "pppp/ppp/8/8/8/8/8/8/8",
        ),
        ("4k3/8/8/8/3é4/8/8/4K3 w - - 0 1", Board, FenCause::Letter('é'), "é"),
        ("4k3/8/8/8/8/8/8/4K3", Turn, FenCause::Missing, ""),
        ("4k3/8/8/8/8/8/8/4K3 W - - 0 1", Turn, FenCause::Letter('W'), "W"),
        ("4k3/8/8/8/8/8/8/4K3 w", Castling, FenCause::Missing, ""),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", Castling, FenCause::Letter('X'), "X"),
        ("4k3/8/8/8/8/8/8/4K2R w KK - 0 1", Castling, FenCause::Twice('K'), "K"),
        ("4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", Castling, FenCause::NoRook('Q'), "Q"),
        ("4k3/8/8/8/8/8/8/4K2R w K e9 0 1", EnPassant, FenCause::NotASquare, "e9"),
        ("4k3/8/8/8/8/8/8/4K2R w K - +1 1", HalfmoveClock, FenCause::NotANumber, "+1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 70000", FullmoveNumber, FenCause::NotANumber, "70000"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1 x", FullmoveNumber, FenCause::Trailing, "x"),
        (
            "4k3/8/8/8/8/8/8/8 w - - 0 1",
            Board,
            FenCause::Unplayable(PositionError::Kings { color: Color::White, found: 0 }),
            "4k3/8/8/8/8/8/8/8",
        ),
        (
            "1R2k3/8/8/8/8/8/8/4K3 w - - 0 1",
            Board,
            FenCause::Unplayable(PositionError::OpponentInCheck {
                king: Square::E8,
                attacker: Square::B8,
            }),
            "1R2k3/8/8/8/8/8/8/4K3",
        ),
    ];
    for (fen, field, cause, place) in cases {
        assert_eq!(error(fen), (field, cause, place), "{fen:?}");
    }
    // A piece on a square that the double push has crossed or left.
    for (fen, blocker) in [
        ("4k3/8/8/8/4P3/4N3/8/4K3 b - e3 0 1", Square::E3),
        ("4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1", Square::E2),
    ] {
        let cause = EnPassantCause::Blocked { blocker };
        let cause = PositionError::EnPassant { square: Square::E3, cause };
        assert_eq!(error(fen), (EnPassant, FenCause::Unplayable(cause), "e3"), "{fen:?}");
    }
}

#[test]
fn nouns_in_errors_agree_with_their_numbers() {
    for (fen, sentence) in [
        ("", "the board is missing"),
        ("8/8/8/8/8/8/8/8", "the side to move is missing"),
        ("8/8/8/8/8/8/8/8 w", "the castling rights are missing"),
        ("8/8/8/8/8/8/8/8 w -", "the en-passant square is missing"),
        ("8 w - - 0 1", "the board has 1 rank, not 8"),
        ("8/8 w - - 0 1", "the board has 2 ranks, not 8"),
        ("8/8/8/8/8/8/8/8/8 w - - 0 1", "the board has 9 ranks, not 8"),
        ("8/8/1/8/8/8/8/8 w - - 0 1", "rank 6 of the board has 1 square, not 8"),
        ("8/8//8/8/8/8/8 w - - 0 1", "rank 6 of the board has 0 squares, not 8"),
        ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king"),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", "Black has 2 kings"),
    ] {
        assert_eq!(Position::from_fen(fen).unwrap_err().to_string(), sentence);
    }
    let diagram = |text: &str| text.parse::<Bitboard>().unwrap_err().to_string();
    assert_eq!(diagram("X"), "the diagram has 1 square, not 64");
    assert_eq!(diagram(""), "the diagram has 0 squares, not 64");
    for (fen, sentence) in [
        (
            "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3 w - - 0 1",
            "White has 1 promoted piece and 8 pawns, more than eight together",
        ),
        (
            "4k3/8/8/8/8/8/PQQQQQQQ/QQ2K3 w - - 0 1",
            "White has 8 promoted pieces and 1 pawn, more than eight together",
        ),
    ] {
        let setup = Setup::from_fen(fen).unwrap();
        let found: Vec<String> = setup.impossibilities().map(|it| it.to_string()).collect();
        assert_eq!(found, [sentence]);
    }
}

#[test]
fn the_counters_may_be_missing_and_letters_in_any_order() {
    let whole = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -",
        "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0",
        "  r3k2r/8/8/8/8/8/8/R3K2R\tw  kQqK -  0 0 ",
    ] {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(position, whole);
        assert_eq!(position.fen().to_string(), whole.fen().to_string());
        assert_eq!(position.castling_mode(), CastlingMode::Standard);
    }
}

#[test]
fn chess960_is_recognised_by_its_letters_or_its_squares() {
    let mode = |fen| Position::from_fen(fen).unwrap().castling_mode();
    assert_eq!(mode("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1"), CastlingMode::Chess960);
    assert_eq!(mode("4k3/8/8/8/8/8/8/1R2K3 w Q - 0 1"), CastlingMode::Chess960);
    let inner = Position::from_fen("1r2k2r/8/8/8/8/8/8/RR2K3 w Bk - 0 1").unwrap();
    assert!(inner.castling_rights().of(Color::White).iter().eq([Square::B1]));
    assert_eq!(inner.fen().to_string(), "1r2k2r/8/8/8/8/8/8/RR2K3 w Bk - 0 1");
    assert!(inner.with_castling_mode(CastlingMode::Standard).is_err());
}

#[test]
fn an_en_passant_square_counts_if_the_capture_is_legal() {
    let after_e4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    let position = Position::from_fen(after_e4).unwrap();
    assert_eq!(position.en_passant(), None);
    assert_eq!(position.to_setup_with(EnPassantMode::Always).fen().to_string(), after_e4);
    assert_eq!(position.fen().to_string(), after_e4.replace("e3", "-"));

    // The capture would uncover the fifth rank.
    let pinned = Position::from_fen("8/8/8/r2Pp2K/8/8/4k3/8 w - e6 0 1").unwrap();
    assert_eq!(pinned.en_passant(), None);
    let pseudo = pinned.to_setup_with(EnPassantMode::PseudoLegal);
    assert_eq!(pseudo.en_passant, Some(Square::new(File::E, Rank::Sixth)));
    let without = Position::from_fen("8/8/8/r2Pp2K/8/8/4k3/8 w - - 0 1").unwrap();
    assert_eq!((pinned.key(), &pinned), (without.key(), &without));
}

/// A FEN in its usual form is read as a whole, and any other FEN word by word, such as one with a
/// tab after the board.
fn assert_both_ways_agree(fen: &str) {
    let with_tab = fen.replacen(' ', "\t", 1);
    assert_eq!(Setup::from_fen(fen), Setup::from_fen(&with_tab), "{fen:?}");
    let positions = (Position::from_fen(fen), Position::from_fen(&with_tab));
    if let (Ok(one), Ok(other)) = &positions {
        assert_eq!(one.key(), one.key_from_scratch(), "{fen:?}");
        assert_eq!(one.key(), other.key(), "{fen:?}");
    }
    assert_eq!(positions.0, positions.1, "{fen:?}");
}

#[test]
fn both_ways_to_read_agree() {
    let board = "r3k2r/8/8/8/8/8/8/R3K2R";
    let boards = [
        board,
        "1r2k2r/8/8/8/8/8/8/R3K1R1",
        "r2k3r/8/8/8/8/8/8/R3KK1R",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    ];
    let castling = [
        "-", "K", "Q", "k", "q", "KQ", "kq", "KQkq", "qkQK", "KK", "K-", "--", "", "HAha", "KQkqK",
        "x", "K\0", "\0",
    ];
    let en_passant = ["-", "a3", "h6", "e9", "i3", "E3", "e", "e33", "--", "\0", ""];
    let counters = [
        "",
        " ",
        "0 1",
        "0 1 ",
        "0  1",
        "0 1\n",
        "7",
        "99 9999",
        "100 100",
        "65535 1",
        "65536 1",
        "0 0",
        "0001 0002",
        "00001 1",
        "+1 1",
        "1 -1",
        "1 1 1",
        "a 1",
        "1 :",
        "/ 1",
        "1 1\0",
        "é 1",
    ];
    let mut fens = Vec::new();
    for board in boards {
        for turn in ["w", "b", "W", "", "wb"] {
            for castling in castling {
                for en_passant in en_passant {
                    for counters in counters {
                        fens.push(format!("{board} {turn} {castling} {en_passant} {counters}"));
                    }
                }
            }
        }
    }
    for field in ["", "w", "w -", "w - -", "b KQkq"] {
        fens.push(format!("{board} {field}"));
        fens.push(format!(" {board} {field}"));
    }
    for board in [
        "8/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8/8/",
        "/8/8/8/8/8/8/8",
        "8/8/8/8/8/8/8//8",
        "88/8/8/8/8/8/8",
    ] {
        fens.push(format!("{board} w - - 0 1"));
    }
    // The step has no factor in common with the numbers of the fields.
    for fen in fens.iter().step_by(if common::is_short() { 13 } else { 1 }) {
        assert_both_ways_agree(fen);
    }
}

#[test]
fn damaged_fens_never_panic() {
    let seeds = [common::file("rules.epd"), common::file("rules-chess960.epd")].concat();
    let seeds: Vec<&str> = seeds.lines().filter(|line| !line.starts_with('#')).collect();
    let letters = "pnbrqkPNBRQK12345678/ wb-KQkqabcdefghABCDEFGH0 é\u{0}";
    let letters: Vec<char> = letters.chars().collect();
    let mut random = common::Random::new(1);
    let mut playable = 0;
    for round in 0..common::rounds(60_000) {
        let seed = seeds[round % seeds.len()].split(';').next().unwrap();
        let mut text: Vec<char> = seed.chars().collect();
        for _ in 0..1 + random.below(4) {
            let at = random.below(text.len());
            let letter = letters[random.below(letters.len())];
            match random.below(4) {
                0 if text.len() > 1 => drop(text.remove(at)),
                1 => text.insert(at, letter),
                _ => text[at] = letter,
            }
        }
        let text: String = text.into_iter().collect();
        assert_both_ways_agree(&text);
        match Position::from_fen(&text) {
            Ok(position) => {
                // An accepted position is playable.
                playable += 1;
                let moves = position.legal_moves();
                assert_eq!(moves.len(), position.count_legal(), "{text}");
                for mv in moves {
                    let after = position.play(mv).to_setup_with(EnPassantMode::Always);
                    assert_eq!(after.validate(), Ok(()), "{text} {mv}");
                }
            }
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text}: {error}");
            }
        }
    }
    assert!(playable >= common::least(1000), "too few of the texts are valid");
}

/// The three conventions for the en-passant square, with both notations of castling and with
/// counters or without, are read back equal.
#[test]
fn fens_of_every_convention_are_read_back() {
    use tabiya::fen::{CastlingNotation, FenConvention};
    let mut random = common::Random::new(17);
    let mut differing = 0;
    common::games::many(3, &mut random, |position| {
        let mut written = std::collections::HashSet::new();
        for en_passant in [EnPassantMode::Always, EnPassantMode::PseudoLegal, EnPassantMode::Legal]
        {
            for castling in [None, Some(CastlingNotation::XFen), Some(CastlingNotation::Shredder)] {
                for counters in [true, false] {
                    let convention = FenConvention { en_passant, castling, counters };
                    let fen = position.fen_with(convention).to_string();
                    assert_eq!(fen.split(' ').count(), if counters { 6 } else { 4 });
                    let read = Position::from_fen(&fen).unwrap();
                    assert_eq!(&read, position, "{fen}");
                    written.insert(fen);
                }
            }
        }
        differing += usize::from(written.len() > 4);
        assert_eq!(
            position.fen_with(FenConvention::DEFAULT).to_string(),
            position.fen().to_string()
        );
    });
    assert!(differing >= common::least(10), "{differing}");
}

#[test]
fn the_conventions_differ_in_the_castling_rights_and_counters() {
    use tabiya::fen::FenConvention;
    for (convention, rest) in [
        (FenConvention::DEFAULT, "KQkq - 0 1"),
        (FenConvention::PGN, "KQkq - 0 1"),
        (FenConvention::X_FEN, "KQkq - 0 1"),
        (FenConvention::SHREDDER, "HAha - 0 1"),
        (FenConvention::EPD, "KQkq -"),
    ] {
        let fen = Position::START.fen_with(convention).to_string();
        assert_eq!(fen, format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w {rest}"));
    }
    // In Chess960, the letters KQkq would be read as standard chess.
    let chess960 = Position::START.with_castling_mode(CastlingMode::Chess960).unwrap();
    for (convention, letters) in [
        (FenConvention::DEFAULT, "HAha"),
        (FenConvention::PGN, "KQkq"),
        (FenConvention::X_FEN, "KQkq"),
    ] {
        let fen = chess960.fen_with(convention).to_string();
        assert_eq!(fen.split(' ').nth(2), Some(letters), "{fen}");
    }
}

/// A double push beside which no pawn stands, one beside which a pinned pawn stands, and one that
/// can be captured.
#[test]
fn the_conventions_differ_in_the_en_passant_square() {
    use tabiya::fen::FenConvention;
    for (fen, x_fen, legal) in [
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "-", "-"),
        ("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "d6", "-"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6", "d6"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let square = |convention| {
            let fen = position.fen_with(convention).to_string();
            fen.split(' ').nth(3).unwrap().to_owned()
        };
        assert_eq!(square(FenConvention::PGN), "d6");
        assert_eq!(square(FenConvention::X_FEN), x_fen);
        assert_eq!(square(FenConvention::DEFAULT), legal);
        assert_eq!(square(FenConvention::EPD), legal);
    }
}
