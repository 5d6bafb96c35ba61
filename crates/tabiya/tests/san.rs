//! Standard and long algebraic notation, against the list of legal moves.

mod common;

use common::{Random, games};
use tabiya::san::{Leniencies, Leniency, San, SanAction, SanCause, SanMark, SanPiece};
use tabiya::{Move, MoveList, Notation, NotationError, Position};

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves whose text in SAN could be this one, found without the library's resolver: same
/// role, target, promotion and castling, and an origin that fits.
fn meant(position: &Position, moves: &MoveList, san: &San) -> Vec<Move> {
    let fits = |&&mv: &&Move| match san.action {
        SanAction::Castle(side) => mv.castling() == Some(side),
        SanAction::Null => false,
        SanAction::Piece(piece) => {
            let from = mv.from();
            mv.castling().is_none()
                && position.role_of(mv) == piece.role
                && mv.to() == piece.to
                && mv.promotion() == piece.promotion
                && piece.file.is_none_or(|file| file == from.file())
                && piece.rank.is_none_or(|rank| rank == from.rank())
                // A pawn's move without a file is a push.
                && (piece.role != tabiya::Role::Pawn
                    || piece.file.is_some()
                    || from.file() == mv.to().file())
        }
    };
    moves.iter().filter(fits).copied().collect()
}

/// Every legal move is written and read back, in every notation; the origin is as short as
/// possible; the sign of check is right.
#[test]
fn every_legal_move_is_read_back() {
    let mut random = Random::new(11);
    let mut seen = [0; 4];
    games::many(25, &mut random, |position| {
        let moves = position.legal_moves();
        for &mv in &moves {
            let san = position.san(mv);
            let text = san.to_string();
            assert_eq!(San::read(text.as_bytes()).unwrap(), (san, Leniencies::NONE), "{text}");
            assert_eq!(position.parse_san(&text), Ok(mv), "{text} in {position:?}");
            assert_eq!(position.parse_san_strict(&text), Ok(mv), "{text} in {position:?}");
            let figurines = san.figurines().to_string();
            assert_eq!(position.parse_san(&figurines), Ok(mv), "{figurines} in {position:?}");
            for notation in Notation::ALL {
                let text = position.move_text(mv, notation);
                assert_eq!(position.parse_move(&text), Ok(mv), "{text} in {position:?}");
            }

            assert_eq!(meant(position, &moves, &san), [mv], "{text} in {position:?}");
            if let SanAction::Piece(piece) = san.action {
                has_shortest_origin(position, &moves, &piece, &text, mv);
                seen[usize::from(piece.file.is_some()) + 2 * usize::from(piece.rank.is_some())] +=
                    1;
            }
            let after = position.play(mv);
            let mark = match (after.is_check(), after.legal_moves().is_empty()) {
                (false, _) => None,
                (true, false) => Some(SanMark::Check),
                (true, true) => Some(SanMark::Checkmate),
            };
            assert_eq!(san.mark, mark, "{text} in {position:?}");
        }
    });
    assert!(
        seen.iter().all(|&count| count >= common::least(1)),
        "every kind of origin occurs: {seen:?}"
    );
}

/// Leaving out a part of the origin makes the text mean another move or several; a rank is given
/// only if the file is not enough.
fn has_shortest_origin(
    position: &Position,
    moves: &MoveList,
    piece: &SanPiece,
    text: &str,
    mv: Move,
) {
    let is_unique = |shorter: SanPiece| {
        let san = San { action: SanAction::Piece(shorter), mark: None };
        meant(position, moves, &san) == [mv]
    };
    if piece.role != tabiya::Role::Pawn {
        let (file, rank) = (piece.file, piece.rank);
        if file.is_some() {
            assert!(!is_unique(SanPiece { file: None, ..*piece }), "{text} in {position:?}");
        }
        if rank.is_some() {
            assert!(!is_unique(SanPiece { rank: None, ..*piece }), "{text} in {position:?}");
            let by_file = SanPiece { file: Some(mv.from().file()), rank: None, ..*piece };
            assert!(!is_unique(by_file), "{text} in {position:?}");
        }
    } else {
        assert_eq!((piece.file.is_some(), piece.rank), (mv.is_capture(), None), "{text}");
    }
}

/// Every text that the resolver accepts means exactly one of the legal moves, and every refused one
/// none or several: all roles, targets and origins on many positions.
#[test]
fn the_resolver_agrees_with_the_list_of_legal_moves() {
    use tabiya::{CastlingSide, File, Rank, Role, Square};
    let mut random = Random::new(5);
    let mut accepted = 0;
    games::many(1, &mut random, |position| {
        let moves = position.legal_moves();
        let mut check = |action| {
            let san = San { action, mark: None };
            let meant = meant(position, &moves, &san);
            let found = position.find_san(&san);
            match meant[..] {
                [mv] => {
                    assert_eq!(found, Ok(mv), "{san} in {position:?}");
                    accepted += 1;
                }
                [] => {
                    let error = found.expect_err("no move is meant");
                    let is_ambiguous = matches!(error.cause(), SanCause::Ambiguous { .. });
                    assert!(!is_ambiguous, "{san} in {position:?}");
                    assert!(error.to_string().contains("legal"), "{san}: {error}");
                }
                _ => {
                    let error = found.expect_err("several moves are meant");
                    assert!(
                        matches!(error.cause(), SanCause::Ambiguous { found, .. }
                            if usize::from(found) == meant.len()),
                        "{san} in {position:?}"
                    );
                }
            }
        };
        check(SanAction::Castle(CastlingSide::King));
        check(SanAction::Castle(CastlingSide::Queen));
        for to in Square::ALL {
            let role = Role::ALL[(to as usize + moves.len()) % 6];
            for file in File::ALL.map(Some).into_iter().chain([None]) {
                let promotions = [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)];
                let with_rank = Some(Rank::ALL[(to as usize / 3 + moves.len()) % 8]);
                for promotion in promotions {
                    for rank in [None, with_rank.filter(|_| file.is_some() || role != Role::Pawn)] {
                        let is_capture = file.is_some();
                        check(SanAction::Piece(SanPiece {
                            role,
                            file,
                            rank,
                            is_capture,
                            to,
                            promotion,
                        }));
                    }
                }
            }
        }
    });
    assert!(accepted >= common::least(1000), "{accepted}");
}

/// Positions with a move in UCI and its text in SAN and LAN.
#[test]
fn known_texts() {
    for (fen, uci, san, lan) in [
        // Files, ranks and both.
        ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2", "Nb1-d2"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3", "Ra1-a3"),
        ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3", "Ra5-a3"),
        ("5k2/8/8/4Q2Q/8/8/8/K6Q w - - 0 1", "h5e2", "Qhe2", "Qh5-e2"),
        ("6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h4e1", "Qh4e1", "Qh4-e1"),
        ("6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "e4e1", "Qee1", "Qe4-e1"),
        ("6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "h1e1", "Q1e1", "Qh1-e1"),
        ("5k2/8/8/8/3r3r/8/8/1K6 b - - 0 1", "d4g4", "Rdg4", "Rd4-g4"),
        // A pinned piece needs no distinction; nor does one that would leave the king in check.
        ("4k3/8/8/8/7b/8/5N2/1N2K3 w - - 0 1", "b1d2", "Nd2", "Nb1-d2"),
        ("3rk3/8/8/8/8/3N1N2/8/3K4 w - - 0 1", "f3e5", "Ne5", "Nf3-e5"),
        ("4k3/8/8/8/4r3/8/2R5/1R2K3 w - - 0 1", "c2e2", "Re2", "Rc2-e2"),
        // A pinned piece that stays on its line can be meant.
        ("3rk3/8/8/3R4/8/8/6R1/3K4 w - - 0 1", "g2d2", "Rgd2", "Rg2-d2"),
        ("3rk3/8/8/3R4/8/8/6R1/3K4 w - - 0 1", "d5d2", "Rdd2", "Rd5-d2"),
        // Pawns.
        ("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5", "exd5", "e4xd5"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6", "e5xd6"),
        ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6", "cxd6", "c5xd6"),
        ("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", "exd8=Q+", "e7xd8=Q+"),
        ("7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8n", "e8=N", "e7-e8=N"),
        ("6k1/4Pppp/8/8/8/8/8/4K3 w - - 0 1", "e7e8r", "e8=R#", "e7-e8=R#"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e4", "e2-e4"),
        // Castling, also with check and mate.
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O", "O-O"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O", "O-O-O"),
        ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+", "O-O+"),
        ("2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#", "O-O-O#"),
        ("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1", "O-O-O", "O-O-O"),
        // Discovered, double and mating checks.
        ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4c3", "Nc3+", "Ne4-c3+"),
        ("4k3/8/8/8/4N3/8/8/4R1K1 w - - 0 1", "e4f6", "Nf6+", "Ne4-f6+"),
        ("6rk/6pp/8/4N3/8/8/8/6K1 w - - 0 1", "e5f7", "Nf7#", "Ne5-f7#"),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2",
            "d8h4",
            "Qh4#",
            "Qd8-h4#",
        ),
        // Stalemate has no sign.
        ("7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "g1g6", "Qg6", "Qg1-g6"),
    ] {
        let position = position(fen);
        let mv = position.parse_uci(uci).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.san(mv).to_string(), san, "{uci} in {fen}");
        assert_eq!(position.lan(mv).to_string(), lan, "{uci} in {fen}");
        for text in [san, lan] {
            assert_eq!(position.parse_san(text), Ok(mv), "{text} in {fen}");
        }
    }
}

/// Each leniency alone, and some together.
#[test]
fn each_leniency_is_reported() {
    use Leniency::*;
    let castling = "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let promotion = "7k/4P3/8/8/8/8/8/4K3 w - - 0 1";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let capture = "4k3/8/8/3p4/4P3/5N2/8/4K3 w - - 0 1";
    let passing = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let knights = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let mate = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let mut seen = Vec::new();
    for (fen, text, uci, expected) in [
        (start, " e4", "e2e4", &[Spaces][..]),
        (start, "e4 \t", "e2e4", &[Spaces]),
        (castling, "0-0+", "e1g1", &[Zeros]),
        (castling, "0-0-0", "e1c1", &[Zeros]),
        (castling, "0-0", "e1g1", &[Zeros, MissingCheck]),
        (castling, "0-0#", "e1g1", &[Zeros, NotCheckmate]),
        (castling, "0-0+!", "e1g1", &[Zeros, Annotation]),
        (castling, "O-O-O?!", "e1c1", &[Annotation]),
        (castling, "O-O-O+", "e1c1", &[ExtraMark]),
        (castling, "o-o+", "e1g1", &[CastlingForm]),
        (castling, "OO+", "e1g1", &[CastlingForm]),
        (castling, "OOO", "e1c1", &[CastlingForm]),
        (castling, "O–O+", "e1g1", &[CastlingForm]),
        (castling, "o-0-O", "e1c1", &[Zeros, CastlingForm]),
        (start, "♘f3", "g1f3", &[Figurine]),
        (start, "♞f3", "g1f3", &[Figurine]),
        (start, "♙e4", "e2e4", &[Figurine]),
        (start, "nf3", "g1f3", &[PieceCase]),
        (start, "Pe4", "e2e4", &[PawnLetter]),
        (start, "pe4", "e2e4", &[PawnLetter]),
        (capture, "e:d5", "e4d5", &[CaptureSign]),
        (capture, "eXd5", "e4d5", &[CaptureSign]),
        (capture, "e×d5", "e4d5", &[CaptureSign]),
        (capture, "ed5", "e4d5", &[MissingCapture]),
        (capture, "e4d5", "e4d5", &[OriginNotShortest, MissingCapture]),
        (capture, "e4xd5", "e4d5", &[OriginNotShortest]),
        (capture, "Nxd4", "f3d4", &[ExtraCapture]),
        (capture, "exe5", "e4e5", &[OriginNotNeeded, ExtraCapture]),
        (start, "Ng1-f3", "g1f3", &[Hyphen, OriginNotNeeded]),
        (start, "e2-e4", "e2e4", &[Hyphen, OriginNotNeeded]),
        (start, "e2e4", "e2e4", &[OriginNotNeeded]),
        (start, "Ngf3", "g1f3", &[OriginNotNeeded]),
        (start, "Ng1f3", "g1f3", &[OriginNotNeeded]),
        (start, "N1f3", "g1f3", &[OriginNotNeeded]),
        (knights, "N1d2", "b1d2", &[OriginNotShortest]),
        (knights, "Nb1d2", "b1d2", &[OriginNotShortest]),
        (knights, "Ke1d1", "e1d1", &[OriginNotNeeded]),
        (promotion, "e8Q+", "e7e8q", &[PromotionSign]),
        (promotion, "e8(Q)+", "e7e8q", &[PromotionSign]),
        (promotion, "e8/Q+", "e7e8q", &[PromotionSign]),
        (promotion, "e8=q+", "e7e8q", &[PromotionCase]),
        (promotion, "e8q+", "e7e8q", &[PromotionSign, PromotionCase]),
        (promotion, "e8b", "e7e8b", &[PromotionSign, PromotionCase]),
        (promotion, "e8=♕+", "e7e8q", &[Figurine]),
        (passing, "exd6 e.p.", "e5d6", &[Spaces, EnPassantMark]),
        (passing, "exd6e.p.", "e5d6", &[EnPassantMark]),
        (passing, "exd6ep", "e5d6", &[EnPassantMark]),
        (passing, "e6ep", "e5e6", &[EnPassantMark, NotEnPassant]),
        (mate, "Ra8", "a1a8", &[MissingCheckmate]),
        (mate, "Ra8+", "a1a8", &[CheckIsCheckmate]),
        (mate, "Ra8++", "a1a8", &[MarkSign, CheckIsCheckmate]),
        (mate, "Ra8‡", "a1a8", &[MarkSign]),
        (mate, "Ra8+#", "a1a8", &[MarkSign]),
        (mate, "Ra8#!!", "a1a8", &[Annotation]),
        (mate, "Ra7#", "a1a7", &[ExtraMark]),
    ] {
        let position = position(fen);
        let (mv, leniencies) = position
            .parse_san_reporting(text)
            .unwrap_or_else(|error| panic!("{text} in {fen}: {error}"));
        assert_eq!(mv, position.parse_uci(uci).unwrap(), "{text} in {fen}");
        assert_eq!(leniencies.iter().collect::<Vec<_>>(), expected, "{text} in {fen}");
        assert_eq!(position.parse_san(text), Ok(mv));
        seen.extend(leniencies.iter());
        let error = position.parse_san_strict(text).unwrap_err();
        let expected = position.san(mv);
        assert_eq!(error.span(), 0..text.len());
        assert_eq!(
            error.cause(),
            SanCause::NotStrict { leniency: leniencies.iter().next().unwrap(), expected }
        );
        assert!(error.to_string().starts_with(&format!("in strict SAN, the move is {expected}: ")));
    }
    for leniency in Leniency::ALL {
        assert!(seen.contains(leniency), "{leniency:?} has no example");
        assert!(!leniency.to_string().is_empty() && !leniency.name().contains(' '));
    }
}

#[test]
fn errors_of_texts_point_at_their_place() {
    for (text, part, message) in [
        ("", "", "there is no move"),
        ("+", "", "there is no move"),
        (" +", "+", "there is no move"),
        ("x", "x", "expected a piece (K, Q, R, B or N), a file from a to h, or O-O"),
        ("é4", "é", "expected a piece"),
        ("xd5", "x", "expected a piece"),
        ("-", "-", "expected a piece"),
        ("N", "", "the target square is missing, such as e4"),
        ("Nx", "", "the target square is missing"),
        ("Ng-", "", "the target square is missing"),
        ("e4-", "", "the target square is missing"),
        ("e4x", "", "the target square is missing"),
        ("N!3", "!", "the target square is missing"),
        ("e", "", "expected a rank from 1 to 8 after the file e"),
        ("e9", "9", "expected a rank from 1 to 8 after the file e"),
        ("Nf9", "9", "expected a rank from 1 to 8 after the file f"),
        ("Nbd", "", "expected a rank from 1 to 8 after the file d"),
        ("exd9+", "9", "expected a rank from 1 to 8 after the file d"),
        ("e7e9", "9", "expected a rank from 1 to 8 after the file e"),
        ("e8=", "", "a pawn promotes to N, B, R or Q"),
        ("e8=K", "K", "a pawn promotes to N, B, R or Q"),
        ("e8=é", "é", "a pawn promotes to N, B, R or Q"),
        ("e8(Q", "", "the parenthesis of the promotion is not closed"),
        ("Ne8=Q", "=Q", "only a pawn promotes"),
        ("Ne8=Q+", "=Q", "only a pawn promotes"),
        ("e8=Qx", "x", "the move should end here"),
        ("e8=QéQ", "éQ", "the move should end here"),
        ("1xd5", "1", "expected a piece"),
        ("O", "O", "castling is written O-O or O-O-O"),
        ("O-O-O-O", "O-O-O-O", "castling is written"),
        ("0-0-x", "-x", "the move should end here"),
        ("--x", "x", "the move should end here"),
    ] {
        let error = Position::START.parse_san(text).unwrap_err();
        assert!(error.is_about_text());
        let found = text.get(error.span()).unwrap_or_else(|| panic!("{text}: {:?}", error.span()));
        assert_eq!(found, part, "{text}: {error}");
        assert!(error.to_string().starts_with(message), "{text}: {error}");
    }
}

/// A position, a move that it refuses, and the message.
const REFUSED: &[(&str, &str, &str)] = &[
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2", "two knights can reach d2: Nbd2 or Nfd2"),
    ("6k1/8/8/8/4Q2Q/8/8/1K5Q w - - 0 1", "Qe1", "three queens can reach e1: Q1e1, Qee1 or Qh4e1"),
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "Raa3", "two rooks can reach a3: R1a3 or R5a3"),
    (
        "4k3/1b6/8/8/8/5N2/8/7K w - - 0 1",
        "Ne5",
        "Ne5 is not legal: the knight on f3 is pinned on the diagonal h1-a8 by the bishop on b7",
    ),
    (
        "4r2k/8/8/8/8/8/N3N3/4K3 w - - 0 1",
        "Nd4",
        "Nd4 is not legal: the knight on e2 is pinned on the e-file by the rook on e8; \
             a knight on a2 cannot reach d4",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "Bb5",
        "Bb5 is not legal: the bishop on f1 cannot go there, because the pawn on e2 is in the \
             way; a bishop on c1 cannot reach b5",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "Ra1",
        "Ra1 is not legal: a rook of the same side stands on a1; the rook on h1 cannot go \
             there, because the knight on g1 is in the way",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Nf3", "Nf3 is not legal: White has no knight"),
    ("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e5", "e5 is not legal: Black has no pawn on the e-file"),
    (
        "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1",
        "Ncd2",
        "Ncd2 is not legal: White has no knight on the c-file; Nbd2 or Nfd2 would be legal",
    ),
    (
        "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1",
        "N2d2",
        "N2d2 is not legal: White has no knight on rank 2; Nbd2 or Nfd2 would be legal",
    ),
    (
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        "d5",
        "d5 is not legal: White has no pawn on the d-file; exd5 is legal",
    ),
    (
        "7k/4P3/8/8/8/8/8/4K3 w - - 0 1",
        "e8",
        "e8 is not legal: a pawn that reaches e8 must promote to a knight, bishop, rook or \
             queen; e8=N, e8=B, e8=R or e8=Q would be legal",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e4=Q",
        "e4=Q is not legal: a pawn promotes only on the eighth rank; e4 is legal",
    ),
    (
        "4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1",
        "O-O",
        "O-O is not legal: the king would pass through f1, which the bishop on a6 attacks",
    ),
    (
        "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
        "O-O-O",
        "O-O-O is not legal: White has no right to castle on the queen side",
    ),
    (
        "4r2k/8/8/8/8/8/8/R3K3 w - - 0 1",
        "Ra2",
        "Ra2 is not legal: the rook on a1 cannot go there, because it leaves the king in check \
             from the rook on e8",
    ),
    // The same reason for two pieces.
    (
        "4r2k/8/8/8/8/8/3N4/4K1N1 w - - 0 1",
        "Nf3",
        "Nf3 is not legal: the knight on g1 cannot go there, because it leaves the king in \
             check from the rook on e8; the knight on d2 cannot go there, because it leaves the \
             king in check from the rook on e8",
    ),
    (
        "4r2k/8/8/8/8/8/8/4K3 w - - 0 1",
        "Ke2",
        "Ke2 is not legal: the king would be in check on e2 from the rook on e8",
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "exd3",
        "exd3 is not legal: there is nothing on d3 for the pawn to capture; d3 is legal",
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "--", "a null move is not a legal move"),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Z0", "a null move is not a legal move"),
];

#[test]
fn errors_name_the_pieces_and_the_reasons() {
    for &(fen, text, message) in REFUSED {
        let error = position(fen).parse_san(text).unwrap_err();
        let found = error.to_string();
        assert!(found == message, "{text} in {fen}: {found}");
        assert!(!error.is_about_text());
        assert_eq!(error.span(), 0..text.len());
    }
}

#[test]
fn null_moves_are_their_own_case() {
    for text in ["--", "Z0", " -- ", "--?"] {
        assert!(San::from_ascii(text.as_bytes()).unwrap().is_null(), "{text}");
    }
    assert_eq!("Z0".parse::<San>().unwrap().to_string(), "--");
    assert_eq!(Position::START.parse_move("0000"), Err(NotationError::Null { len: 4 }));
}

/// `B1c3` is a bishop's move where there is one, although UCI in capital letters means a knight's.
/// The pawn on e5 is pinned. A text that promotes is no capture en passant.
#[test]
fn each_pawn_is_asked_whether_it_may_capture_en_passant() {
    let position = position("4r2k/8/8/2PpP3/8/8/8/4K3 w - d6 0 1");
    assert_eq!(position.parse_san("cxd6").unwrap().to_string(), "c5d6");
    for text in ["exd6", "cxd6=Q", "exd6=Q"] {
        assert!(position.parse_san(text).is_err(), "{text}");
    }
}

#[test]
fn a_bishop_is_not_a_file() {
    let both = position("4k3/8/8/8/8/8/8/1N1BK3 w - - 0 1");
    assert_eq!(both.parse_move("B1c2").unwrap().to_string(), "d1c2");
    assert_eq!(both.parse_move("B1c3").unwrap().to_string(), "b1c3");
    assert_eq!(both.parse_move("b1c3").unwrap().to_string(), "b1c3");
}

/// The number of random texts to read: a few hundred thousand, or `TABIYA_RANDOM_TEXTS`.
fn texts() -> usize {
    let number = std::env::var("TABIYA_RANDOM_TEXTS").ok();
    number.map_or(common::rounds(300_000), |number| number.parse().expect("a number of texts"))
}

/// Random texts, and damaged texts of legal moves, are accepted or refused; an accepted move is
/// legal, and an error points into the text.
#[test]
fn random_and_damaged_texts_do_no_harm() {
    const LETTERS: &[&str] = &[
        "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7", "8", "K", "Q",
        "R", "B", "N", "P", "O", "o", "0", "-", "x", ":", "=", "(", ")", "/", "+", "#", "!", "?",
        "e.p.", " ", "k", "q", "r", "n", "9", "Z", ".", "\u{2013}", "♘", "♛", "×", "é", "\0", "†",
        "O-O",
    ];
    let mut random = Random::new(99);
    let mut positions = Vec::new();
    games::many(2, &mut random, |position| positions.push(position.clone()));
    let mut accepted = 0;
    for _ in 0..texts() {
        let position = &positions[random.below(positions.len())];
        let mut text = String::new();
        let moves = position.legal_moves();
        if random.below(3) > 0 && !moves.is_empty() {
            let notation = random.pick(&Notation::ALL);
            text += &position.move_text(random.pick(&moves), notation);
            for _ in 0..random.below(3) {
                let at = random.below(text.len() + 1);
                let letter = random.pick(LETTERS);
                if text.is_char_boundary(at) {
                    let next = text[at..].chars().next().map_or(0, char::len_utf8);
                    let removed = if random.below(2) == 0 { next } else { 0 };
                    text.replace_range(at..at + removed, letter);
                }
            }
        } else {
            (0..random.below(9)).for_each(|_| text += random.pick(LETTERS));
        }
        match position.parse_san_reporting(&text) {
            Ok((mv, leniencies)) => {
                assert!(moves.contains(&mv), "{text:?} in {position:?}");
                let is_strict = position.san(mv).text().as_str() == text;
                assert_eq!(leniencies.is_empty(), is_strict, "{text:?} in {position:?}");
                assert_eq!(position.parse_san_strict(&text).is_ok(), is_strict, "{text:?}");
                accepted += 1;
            }
            Err(error) => {
                assert!(text.get(error.span()).is_some(), "{text:?}: {:?}", error.span());
                assert!(!error.to_string().is_empty());
                assert!(position.parse_san_strict(&text).is_err());
            }
        }
        match position.parse_move(&text) {
            Ok(mv) => assert!(moves.contains(&mv), "{text:?} in {position:?}"),
            Err(error) => assert!(text.get(error.span()).is_some(), "{text:?}: {error:?}"),
        }
        // Bytes that are not text.
        let mut bytes = text.into_bytes();
        if let Some(byte) = bytes.first_mut() {
            *byte ^= random.below(256) as u8;
        }
        if let Err(error) = San::from_ascii(&bytes) {
            assert!(error.span().end <= bytes.len());
        }
    }
    assert!(accepted > texts() / 20, "{accepted}");
}
