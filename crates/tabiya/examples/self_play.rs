//! Games of random moves, each until the rules end it, and a table of how they ended.
//!
//! ```sh
//! cargo run --release --example self_play            # 200 games
//! cargo run --release --example self_play -- 5000 7  # games, seed
//! ```

use std::collections::BTreeMap;
use std::env;

use tabiya::{Game, Outcome, SplitMix64};

fn main() {
    let mut numbers = env::args().skip(1).map(|text| text.parse().expect("a number"));
    let games: u64 = numbers.next().unwrap_or(200);
    let mut random = SplitMix64::new(numbers.next().unwrap_or(1));

    let mut ends = BTreeMap::new();
    let mut shortest: Option<Game> = None;
    for _ in 0..games {
        let (game, outcome) = play(&mut random);
        let (count, plies) = ends.entry(outcome.to_string()).or_insert((0, 0));
        *count += 1;
        *plies += game.moves().len();
        if shortest.as_ref().is_none_or(|shortest| game.moves().len() < shortest.moves().len()) {
            shortest = Some(game);
        }
    }
    for (end, (count, plies)) in ends {
        println!("{count:6}  {end:34} {:5} plies on average", plies / count);
    }
    if let Some(game) = shortest {
        println!("\nThe shortest game:\n{}", movetext(&game));
    }
}

/// Plays until the game is over. It ends in any case: a draw after 75 moves without a capture or a
/// pawn move needs no claim.
fn play(random: &mut SplitMix64) -> (Game, Outcome) {
    let mut game = Game::new();
    loop {
        if let Some(outcome) = game.outcome() {
            return (game, outcome);
        }
        let moves = game.position().legal_moves();
        game.push(random.pick(&moves)).expect("the move is from the list");
    }
}

/// The moves with their numbers, as in `1. e4 e5 2. Nf3`, and the result.
fn movetext(game: &Game) -> String {
    let mut text = String::new();
    for (ply, (position, &mv)) in game.positions().iter().zip(game.moves()).enumerate() {
        if ply % 2 == 0 {
            text += &format!("{}. ", position.fullmove_number());
        }
        text += &format!("{} ", position.san(mv));
    }
    text + game.outcome().map_or("*", |outcome| outcome.result().name())
}
