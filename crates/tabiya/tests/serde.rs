//! Reading and writing with serde: texts for people, packed forms for programs, and no invalid
//! values.
#![cfg(feature = "serde")]

mod common;
use common::{Random, games};

use std::fmt::Debug;

use serde_json::{Value, json};
use tabiya::fen::EnPassantMode;
use tabiya::packed::PackedIdentity;
use tabiya::{
    Bitboard, Board, CastlingMode, CastlingRights, CastlingSide, Color, File, GameResult, Move,
    MoveKind, PackedPosition, Piece, Position, Rank, Role, Setup, Square, UciMove,
};

/// Both forms of a value are read back as the same value. Returns the text and the number of bytes.
fn both<T>(value: &T) -> (Value, usize)
where
    T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug,
{
    let text = serde_json::to_string(value).unwrap_or_else(|error| panic!("{value:?}: {error}"));
    assert_eq!(&serde_json::from_str::<T>(&text).unwrap(), value, "{text}");
    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value, "{bytes:?}");
    (serde_json::from_str(&text).unwrap(), bytes.len())
}

#[test]
fn small_values_are_names_and_numbers() {
    assert_eq!(both(&Square::E4), (json!("e4"), 1));
    assert_eq!(both(&File::C), (json!("c"), 1));
    assert_eq!(both(&Rank::Seventh), (json!("7"), 1));
    assert_eq!(both(&Color::Black), (json!("black"), 1));
    assert_eq!(both(&Role::Knight), (json!("knight"), 1));
    assert_eq!(both(&Role::Knight.of(Color::White)), (json!("N"), 1));
    assert_eq!(both(&CastlingSide::Queen), (json!("queen"), 1));
    assert_eq!(both(&CastlingMode::Chess960), (json!("chess960"), 1));
    assert_eq!(both(&GameResult::Draw), (json!("1/2-1/2"), 1));
    assert_eq!(both(&MoveKind::DoublePush), (json!("double-push"), 1));
    assert_eq!(both(&Square::E4.bitboard()).0, json!(["e4"]));
    assert_eq!(both(&CastlingRights::START).0, json!(["a1", "h1", "a8", "h8"]));
    Square::ALL.iter().for_each(|it| drop(both(it)));
    File::ALL.iter().for_each(|it| drop(both(it)));
    Rank::ALL.iter().for_each(|it| drop(both(it)));
    MoveKind::ALL.iter().for_each(|it| drop(both(it)));
    for color in Color::ALL {
        both(&color);
        Role::ALL.iter().for_each(|role| drop(both(&role.of(color))));
    }
    let mut random = Random::new(1);
    (0..100).for_each(|_| drop(both(&random.set())));
}

#[test]
fn moves_are_uci_and_their_kind() {
    let push = Position::START.parse_uci("e2e4").unwrap();
    assert_eq!(both(&push).0, json!({ "uci": "e2e4", "kind": "double-push" }));
    let uci = Position::START.uci(push);
    assert_eq!(both(&uci).0, json!("e2e4"));
    for kind in MoveKind::ALL {
        let mv = Move::new(Square::B7, Square::A8, kind);
        assert_eq!(both(&mv).0["kind"], json!(kind.name()));
        assert_eq!(both(&Position::START.uci(mv)).0, json!(mv.to_string()));
    }
}

#[test]
fn positions_are_fen_or_32_bytes() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(both(&Position::START), (json!(fen), 32));
    assert_eq!(both(&PackedPosition::of(&Position::START)).1, 32);
    assert_eq!(both(&PackedIdentity::of(&Position::START)).1, 24);
    let (text, _) = both(&PackedPosition::of(&Position::START));
    assert!(text.as_str().unwrap().starts_with("ffff00000000ffffc124521c"), "{text}");
    assert_eq!(both(&Board::START).0, json!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"));
    assert_eq!(both(&Setup::START).0, json!(fen));
    assert_eq!(both(&Setup::EMPTY).0, json!("8/8/8/8/8/8/8/8 w - - 0 1"));
    games::many(3, &mut Random::new(6), |position| {
        both(position);
        both(position.board());
        let setup = position.to_setup_with(EnPassantMode::Always);
        // FEN cannot show that a position without castling rights is one of Chess960.
        let mode = if setup.has_standard_castling() && setup.castling.is_empty() {
            CastlingMode::Standard
        } else {
            setup.castling_mode
        };
        both(&Setup { castling_mode: mode, ..setup.clone() });
        // The packed form has everything.
        let bytes = postcard::to_stdvec(position).unwrap();
        let back: Position = postcard::from_bytes(&bytes).unwrap();
        assert_eq!(back.to_setup_with(EnPassantMode::Always), setup);
        let bytes = postcard::to_stdvec(&setup).unwrap();
        assert_eq!(postcard::from_bytes::<Setup>(&bytes).unwrap(), setup);
    });
}

/// A setup that FEN cannot express is refused rather than changed.
#[test]
fn a_setup_without_fen_is_not_written_as_text() {
    let setup = Setup { castling: CastlingRights::START, ..Setup::EMPTY };
    let error = serde_json::to_string(&setup).unwrap_err();
    assert!(error.to_string().contains("no FEN"), "{error}");
    let bytes = postcard::to_stdvec(&setup).unwrap();
    assert_eq!(postcard::from_bytes::<Setup>(&bytes).unwrap(), setup);
}

#[test]
fn what_is_not_valid_is_refused() {
    fn refused<T: serde::de::DeserializeOwned + Debug>(text: &str, why: &str) {
        let error = serde_json::from_str::<T>(text).unwrap_err().to_string();
        assert!(error.contains(why), "{text}: {error}");
    }
    refused::<Square>("\"e9\"", "a square such as e4");
    refused::<Square>("5", "a square such as e4");
    refused::<Color>("\"red\"", "white or black");
    refused::<Piece>("\"x\"", "the letter of a piece");
    refused::<File>("\"aa\"", "a file");
    refused::<Bitboard>("[\"e4\", \"z4\"]", "a square");
    refused::<UciMove>("\"e2\"", "a move in UCI");
    refused::<Move>("\"e2e4\"", "an object with the fields uci and kind");
    refused::<Move>("{\"uci\": \"e2e4\"}", "kind");
    refused::<Move>("{\"uci\": \"e7e8q\", \"kind\": \"quiet\"}", "contradicts");
    refused::<Position>("\"8/8/8/8/8/8/8/8 w - - 0 1\"", "White has no king");
    refused::<Position>("\"8/8\"", "2 ranks");
    refused::<Board>("\"8/8/8/8/8/8/8/8 w\"", "");
    refused::<Board>(&format!("\"{}\"", "8/".repeat(200)), "");
    refused::<PackedPosition>("\"ff\"", "64 hexadecimal digits");
    assert!(postcard::from_bytes::<Square>(&[64]).is_err());
    assert!(postcard::from_bytes::<Piece>(&[12]).is_err());
    assert!(postcard::from_bytes::<Role>(&[6]).is_err());
    assert!(postcard::from_bytes::<Position>(&[0; 32]).is_err());
    let bits = postcard::to_stdvec(&0x6000u16).unwrap();
    assert!(postcard::from_bytes::<Move>(&bits).is_err());
    // Two roles on one square; a role without a colour.
    for sets in [([1u64, 1, 0, 0, 0, 0], [1u64, 0]), ([1, 0, 0, 0, 0, 0], [0, 0]), ([0; 6], [1, 1])]
    {
        let bytes = postcard::to_stdvec(&sets).unwrap();
        assert!(postcard::from_bytes::<Board>(&bytes).is_err(), "{sets:?}");
    }
}

#[cfg(feature = "alloc")]
#[test]
fn a_game_is_its_start_and_its_moves() {
    let mut game = tabiya::Game::new();
    for text in ["e2e4", "e7e5", "g1f3"] {
        game.push(game.position().parse_uci(text).unwrap()).unwrap();
    }
    let (text, _) = both(&game);
    assert_eq!(
        text,
        json!({
            "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "moves": ["e2e4", "e7e5", "g1f3"],
        })
    );
    let mut illegal = text.clone();
    illegal["moves"][2] = json!("g1g3");
    let error = serde_json::from_value::<tabiya::Game>(illegal).unwrap_err();
    assert!(error.to_string().starts_with("move 3: g1g3 is not legal"), "{error}");
}
