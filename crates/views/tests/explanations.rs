//! Explanations as plain data.

use tabiya::{MoveKind, Position, Reason, Role};
use tabiya_views::InputError;
use tabiya_views::explain::{DetailValue, MoveAnswer, ReasonAnswer, answer, explain};

fn piece(color: &'static str, role: &'static str, square: &str) -> DetailValue {
    DetailValue::Piece { role, color: Some(color), square: square.to_owned() }
}

fn text(text: &str) -> DetailValue {
    DetailValue::Text(text.to_owned())
}

#[test]
fn a_legal_move_has_no_reasons() {
    let expected = MoveAnswer {
        text: "e2e4".to_owned(),
        legal: true,
        uci: Some("e2e4".to_owned()),
        san: Some("e4".to_owned()),
        reasons: Vec::new(),
        omitted: 0,
        instead: Vec::new(),
    };
    assert_eq!(answer(&Position::START, "e2e4"), Ok(expected.clone()));
    for text in ["e4", "Pe4", "e4!"] {
        let expected = MoveAnswer { text: text.to_owned(), ..expected.clone() };
        assert_eq!(answer(&Position::START, text), Ok(expected));
    }
}

#[test]
fn castling_is_written_as_the_position_does() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let found = answer(&position, "e1h1").unwrap();
    assert_eq!((found.text.as_str(), found.uci.as_deref()), ("e1h1", Some("e1g1")));
}

#[test]
fn a_reason_has_its_name_its_sentence_and_its_details() {
    let position = Position::from_fen("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1").unwrap();
    let found = answer(&position, "e2d3").unwrap();
    assert!(!found.legal && found.uci.is_none() && found.omitted == 0);
    let [reason] = &found.reasons[..] else { panic!("{found:?}") };
    assert_eq!(reason.name, "pinned");
    let explanation = explain(&position, "e2d3").unwrap();
    assert_eq!(reason.sentence, explanation.reasons()[0].to_string());
    assert_eq!(
        reason.details,
        [
            ("piece", piece("white", "bishop", "e2")),
            ("king", text("e1")),
            ("by", piece("black", "rook", "e8")),
            ("line", text("e-file")),
        ]
    );
}

#[test]
fn numbers_and_sides_are_data_too() {
    let details = |fen: &str, mv: &str| {
        let position = Position::from_fen(fen).unwrap();
        answer(&position, mv).unwrap().reasons.remove(0).details
    };
    let push = details("4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6");
    assert_eq!(push, [("rank", DetailValue::Number(2))]);
    let right = details("4k2r/8/8/8/8/8/8/4K3 b - - 0 1", "e8g8");
    assert_eq!(right, [("color", text("black")), ("side", text("king"))]);
    let right = details("r3k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8c8");
    assert_eq!(right[1], ("side", text("queen")));
    let board = Position::START.board();
    let kind = Reason::WrongKind { given: MoveKind::EnPassant, here: MoveKind::DoublePush };
    let kind = ReasonAnswer::new(&kind, board).details;
    assert_eq!(kind, [("given", text("en-passant")), ("here", text("double-push"))]);
    let role = ReasonAnswer::new(&Reason::PromotionRole { role: Role::King }, board).details;
    assert_eq!(role, [("role", text("king"))]);
}

#[test]
fn reasons_without_room_are_counted() {
    let fen = "4k3/8/8/8/8/nqqqqqqn/1n1q1q1n/1K5R w H - 0 1";
    let found = answer(&Position::from_fen(fen).unwrap(), "b1h1").unwrap();
    assert_eq!(found.reasons.len(), 16);
    assert!(found.omitted > 0);
}

#[test]
fn a_text_that_is_not_a_move_is_an_error_with_its_place() {
    for (input, part, hint) in [
        ("xyz", "x", true),
        ("", "", true),
        ("e2e9", "9", false),
        ("e7e8k", "k", false),
        ("e2e4q5", "5", false),
        ("Nx", "", false),
        ("O-O-O-O", "O-O-O-O", false),
    ] {
        let error = answer(&Position::START, input).unwrap_err();
        let expected = Position::START.parse_move(input).unwrap_err();
        assert_eq!(error.to_string(), expected.to_string());
        assert_eq!((error.input(), &input[error.span()]), (input, part));
        assert_eq!(error.hint().is_some(), hint, "{input}");
    }
}

#[test]
fn a_move_in_san_has_the_reasons_of_every_piece_that_could_be_meant() {
    // One knight is pinned, the other cannot get there.
    let position = Position::from_fen("4r2k/8/8/8/8/8/N3N3/4K3 w - - 0 1").unwrap();
    let found = answer(&position, "Nd4").unwrap();
    assert!(!found.legal && found.uci.is_none() && found.san.is_none());
    let names: Vec<_> = found.reasons.iter().map(|reason| reason.name).collect();
    assert_eq!(names, ["pinned", "cannot-reach"]);
    let pieces: Vec<_> = found.reasons.iter().map(|reason| reason.piece.clone().unwrap()).collect();
    assert_eq!(pieces, [piece("white", "knight", "e2"), piece("white", "knight", "a2")]);
    // No piece of this kind is on the file, but there is one that can go there.
    let found = answer(&position, "Ndc3").unwrap();
    assert_eq!(found.reasons[0].sentence, "White has no knight on the d-file");
    assert_eq!(found.instead, ["Nc3"]);
    // A move in UCI already names the square of its piece.
    let found = answer(&position, "e2d4").unwrap();
    assert_eq!((found.reasons[0].name, &found.reasons[0].piece), ("pinned", &None));
}
