//! The programs of the page for users of shakmaty and cozy-chess do the same on either library, and
//! the page shows exactly them.
#![allow(unreachable_pub, reason = "the programs are public on the page")]

#[path = "coming_from/replay_shakmaty.rs"]
mod replay_shakmaty;
#[path = "coming_from/replay_tabiya.rs"]
mod replay_tabiya;
#[path = "coming_from/search_cozy.rs"]
mod search_cozy;
#[path = "coming_from/search_tabiya.rs"]
mod search_tabiya;

use tabiya::Position;
use tabiya_differential::random;

/// Random games: the positions, and the moves as text.
fn games(games: u64, plies: usize) -> impl Iterator<Item = (Vec<Position>, String)> {
    (0..games).map(move |game| {
        let mut numbers = random::of_parts(61, &[game]);
        let mut positions = vec![Position::START];
        let mut text = String::new();
        for ply in 0..plies {
            let position = &positions[ply];
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[numbers.below(moves.len())];
            if ply % 2 == 0 {
                text += &format!("{}. ", ply / 2 + 1);
            }
            text += &format!("{} ", position.san(mv));
            positions.push(position.play(mv));
        }
        (positions, text)
    })
}

#[test]
fn games_are_replayed_alike() {
    let mate = "1. f3 e5 2. g4 Qh4#";
    assert!(replay_tabiya::replay(mate).unwrap().contains("w is mated"));
    for text in games(300, 300).map(|(_, text)| text).chain([mate.to_owned(), String::new()]) {
        assert_eq!(
            replay_tabiya::replay(&text).unwrap(),
            replay_shakmaty::replay(&text).unwrap(),
            "{text}",
        );
    }
    for wrong in ["1. e5", "1. e4 e5 2. Ke3", "1. xx"] {
        assert!(replay_tabiya::replay(wrong).is_err(), "{wrong}");
        assert!(replay_shakmaty::replay(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn searches_find_the_same_values() {
    for (positions, _) in games(20, 120) {
        for position in positions.iter().step_by(9) {
            let board = cozy_chess::Board::from_fen(&position.fen().to_string(), false).unwrap();
            // Moves of equal value come in another order.
            let ours = search_tabiya::best(position, 2).map(|(value, _)| value);
            let theirs = search_cozy::best(&board, 2).map(|(value, _)| value);
            assert_eq!(ours, theirs, "{}", position.fen());
        }
    }
}

#[test]
fn the_page_shows_these_programs() {
    let page = include_str!("../../crates/tabiya/docs/coming-from.md");
    for program in [
        include_str!("coming_from/replay_shakmaty.rs"),
        include_str!("coming_from/replay_tabiya.rs"),
        include_str!("coming_from/search_cozy.rs"),
        include_str!("coming_from/search_tabiya.rs"),
    ] {
        assert!(page.contains(program), "the page lacks\n{program}");
    }
}
