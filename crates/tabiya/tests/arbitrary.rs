//! Values made from random bytes: playable positions of many kinds, and no panic.
#![cfg(feature = "arbitrary")]

mod common;
use common::Random;

use arbitrary::{Arbitrary, Unstructured};
use tabiya::{Board, CastlingMode, Color, Game, Move, PackedPosition, Position, Setup, UciMove};

fn random_bytes(random: &mut Random) -> Vec<u8> {
    (0..random.below(300)).map(|_| random.next() as u8).collect()
}

#[test]
fn positions_are_playable_and_differ() {
    let mut random = Random::new(17);
    let (mut keys, mut checks, mut chess960, mut few) = (std::collections::HashSet::new(), 0, 0, 0);
    for _ in 0..3000 {
        let bytes = random_bytes(&mut random);
        let Ok(position) = Position::arbitrary(&mut Unstructured::new(&bytes)) else { continue };
        let setup = position.to_setup();
        assert_eq!(Position::from_setup(&setup).as_ref(), Ok(&position));
        keys.insert(position.key());
        checks += u32::from(position.is_check());
        chess960 += u32::from(position.castling_mode() == CastlingMode::Chess960);
        few += u32::from(position.board().occupied().len() < 14);
    }
    assert!(keys.len() > 2000, "{}", keys.len());
    assert!(checks > 50 && chess960 > 500 && few > 100, "{checks} {chess960} {few}");
}

#[test]
fn other_values_are_made_from_any_bytes() {
    let mut random = Random::new(18);
    for _ in 0..2000 {
        let bytes = random_bytes(&mut random);
        let mut input = Unstructured::new(&bytes);
        if let Ok((setup, mv)) = <(Setup, Move)>::arbitrary(&mut input) {
            let _ = setup.validate();
            // The move may be meaningless.
            let _ = (setup.play(mv), setup.san(mv).to_string(), setup.uci(mv));
            for mv in setup.pseudo_legal_moves() {
                let _ = (setup.play(mv), setup.lan(mv).to_string());
            }
        }
        let _ = Board::arbitrary(&mut input).map(|board| {
            assert_eq!(
                board.color(Color::White) & board.color(Color::Black),
                tabiya::Bitboard::EMPTY
            );
        });
        let _ = Move::arbitrary(&mut input).map(|mv| Position::START.is_legal(mv));
        let _ = UciMove::arbitrary(&mut input).map(|text| Position::START.find_uci(text));
        if let Ok(packed) = PackedPosition::arbitrary(&mut Unstructured::new(&bytes)) {
            packed.unpack().unwrap();
        }
        if let Ok(game) = Game::arbitrary(&mut Unstructured::new(&bytes)) {
            assert_eq!(game.positions().len(), game.moves().len() + 1);
            let _ = game.outcome();
        }
    }
}
