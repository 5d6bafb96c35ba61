//! Packed positions and moves: nothing is lost, and damaged bytes are refused.

mod common;
use common::{Random, games, suite};

use tabiya::fen::EnPassantMode;
use tabiya::packed::{PackedIdentity, UnpackError};
use tabiya::{
    Bitboard, CastlingMode, Color, Move, MoveKind, PackedPosition, Position, PositionError, Rank,
    Role, Setup, Square,
};

/// Everything that a position holds, as text.
fn all(position: &Position) -> String {
    let setup = position.to_setup_with(EnPassantMode::Always);
    format!("{} {:?} {:?}", setup.fen(), setup.castling_mode, position.en_passant())
}

fn every_position(mut visit: impl FnMut(&Position)) {
    for name in common::SUITES {
        suite(name).iter().for_each(|line| visit(&line.position));
    }
    games::many(40, &mut Random::new(3), visit);
}

#[test]
fn nothing_is_lost() {
    every_position(|position| {
        let packed = PackedPosition::of(position);
        assert_eq!(PackedPosition::from_bytes(packed.to_bytes()), packed);
        let back = packed.unpack().unwrap_or_else(|error| panic!("{position:?}: {error}"));
        assert_eq!(all(&back), all(position));
        assert_eq!(back.key(), position.key());
        assert_eq!(back.polyglot_key(), position.polyglot_key());
        let identity = packed.identity();
        assert_eq!(identity.to_bytes(), packed.to_bytes()[..24]);
        assert_eq!(PackedIdentity::from_bytes(identity.to_bytes()), identity);
        let back = identity.unpack(position.castling_mode(), 1).unwrap();
        assert_eq!(&back, position);
    });
}

/// Positions are equal if and only if the first 24 bytes are, and the bytes are ordered like the
/// values.
#[test]
fn identities_are_equal_exactly_if_positions_are() {
    let mut seen = std::collections::HashMap::new();
    let mut last: Option<PackedPosition> = None;
    every_position(|position| {
        let packed = PackedPosition::of(position);
        let known = seen.entry(packed.identity()).or_insert_with(|| position.clone());
        assert_eq!(known, position);
        assert_eq!(known.key(), position.key());
        if let Some(last) = last.replace(packed) {
            assert_eq!(last.cmp(&packed), last.to_bytes().cmp(&packed.to_bytes()));
        }
    });
    let distinct: std::collections::HashSet<_> = seen.values().map(Position::key).collect();
    assert_eq!(distinct.len(), seen.len());
}

/// Reads packed bytes piece by piece, and packs the result again: the plain twin of `unpack`.
fn slow(bytes: [u8; 32]) -> Option<Position> {
    let occupied = u64::from_be_bytes(bytes[..8].try_into().unwrap());
    let mut setup = Setup::EMPTY;
    for (number, square) in Bitboard(occupied).into_iter().enumerate() {
        let digit =
            bytes.get(8 + number / 2).filter(|_| number < 32)? >> (4 - 4 * (number % 2)) & 15;
        let is_low = square.rank() < Rank::Fifth;
        let own = if is_low { Color::White } else { Color::Black };
        let piece = match digit {
            0..6 => Role::ALL[usize::from(digit)].of(Color::White),
            6..12 => Role::ALL[usize::from(digit - 6)].of(Color::Black),
            12 => {
                setup.castling.add(square);
                Role::Rook.of(own)
            }
            13 => {
                let passed = if is_low { (square as u8).wrapping_sub(8) } else { square as u8 + 8 };
                setup.en_passant = Square::from_index(passed);
                Role::Pawn.of(own)
            }
            14 => {
                setup.turn = Color::Black;
                Role::King.of(Color::Black)
            }
            _ => return None,
        };
        setup.board.set(square, Some(piece));
    }
    setup.halfmove_clock = u16::from_be_bytes([bytes[24], bytes[25]]);
    setup.fullmove_number = u16::from_be_bytes([bytes[26], bytes[27]]);
    setup.castling_mode =
        if bytes[28] == 0 { CastlingMode::Standard } else { CastlingMode::Chess960 };
    if bytes[29] > 0 {
        setup.en_passant = Some(Square::from_index(bytes[29])?);
    }
    let position = Position::from_setup(&setup).ok()?;
    (PackedPosition::of(&position).to_bytes() == bytes).then_some(position)
}

/// Bytes are refused, or they are the packed form of the position that they are unpacked to.
fn check(bytes: [u8; 32]) -> Result<(), UnpackError> {
    let packed = PackedPosition::from_bytes(bytes);
    assert_eq!(packed.to_bytes(), bytes);
    let result = packed.unpack();
    let expected = slow(bytes);
    assert_eq!(result.as_ref().ok().map(all), expected.as_ref().map(all), "{bytes:02x?}");
    assert_eq!(result.as_ref().ok().map(Position::key), expected.as_ref().map(Position::key));
    match &result {
        Ok(position) => assert_eq!(PackedPosition::of(position).to_bytes(), bytes),
        Err(error) => assert!(error.to_string().len() > 40),
    }
    let identity = PackedIdentity::from_bytes(packed.identity().to_bytes());
    if let Ok(position) = identity.unpack(CastlingMode::Chess960, 1) {
        assert_eq!(PackedIdentity::of(&position), identity);
    }
    result.map(drop)
}

#[test]
fn damaged_bytes_are_refused_or_mean_another_position() {
    let rounds = if common::is_long() { 400 } else { common::rounds(20) };
    let mut random = Random::new(9);
    let (mut refused, mut accepted) = (0, 0);
    games::many(1, &mut Random::new(4), |position| {
        let bytes = PackedPosition::of(position).to_bytes();
        for _ in 0..rounds {
            let mut damaged = bytes;
            for _ in 0..=random.below(3) {
                damaged[random.below(32)] ^= 1 << random.below(8);
            }
            match check(damaged) {
                Ok(()) => accepted += 1,
                Err(_) => refused += 1,
            }
        }
    });
    assert!(refused > accepted && accepted > 0, "{refused} {accepted}");
    for _ in 0..1000 * rounds {
        let mut bytes = [0; 32];
        bytes.fill_with(|| random.next() as u8 & random.next() as u8);
        let _ = check(bytes);
    }
}

#[test]
fn errors_say_what_is_wrong() {
    let start = PackedPosition::of(&Position::START).to_bytes();
    let changed = |place: usize, byte| {
        let mut bytes = start;
        bytes[place] = byte;
        check(bytes).unwrap_err()
    };
    assert_eq!(changed(28, 2), UnpackError::CastlingMode { byte: 2 });
    assert_eq!(changed(29, 64), UnpackError::DoublePush { byte: 64 });
    assert_eq!(changed(30, 1), UnpackError::Reserved);
    assert_eq!(changed(31, 255), UnpackError::Reserved);
    // The first digit is that of the rook on a1.
    assert_eq!(changed(8, 0xf1), UnpackError::Digit { square: Square::A1, digit: 15 });
    assert_eq!(
        changed(8, 0xf1).to_string(),
        "the bytes are not a packed position: the digit 15 is not a piece that can stand on a1"
    );
    // There is one more piece than digits.
    assert_eq!(changed(3, 1), UnpackError::TooManyPieces { found: 33 });
    // White has lost its king.
    let no_king = PositionError::Kings { color: Color::White, found: 0 };
    assert_eq!(changed(10, 0x42), UnpackError::Unplayable(no_king));
    // No double push has crossed e6.
    assert!(matches!(changed(29, 44), UnpackError::Unplayable(PositionError::EnPassant { .. })));
    // A digit after the last piece.
    let bare = Position::from_fen("k7/8/8/8/8/8/8/K7 w - - 0 1").unwrap();
    let mut bytes = PackedPosition::of(&bare).to_bytes();
    bytes[23] = 1;
    assert_eq!(check(bytes), Err(UnpackError::Ambiguous));
    // A second pawn that can be captured.
    let fen = "4k3/8/8/3pPp2/8/8/8/4K3 w - d6 0 1";
    let mut bytes = PackedPosition::of(&Position::from_fen(fen).unwrap()).to_bytes();
    // e1, d5, e5, f5, e8: the fourth digit.
    bytes[9] = bytes[9] & 0xf0 | 13;
    assert_eq!(check(bytes), Err(UnpackError::Digit { square: Square::F5, digit: 13 }));
}

#[test]
fn every_move_has_two_bytes() {
    for from in Square::ALL {
        for to in Square::ALL {
            for kind in MoveKind::ALL {
                let mv = Move::new(from, to, kind);
                assert_eq!(Move::from_bytes(mv.to_bytes()), Some(mv));
            }
        }
    }
    let known = (0..=u16::MAX).filter(|bits| Move::from_bytes(bits.to_be_bytes()).is_some());
    assert_eq!(known.count(), 64 * 64 * 14);
}
