//! An engine plays a short game against itself: `cargo run --example game -- ENGINE ARGUMENTS…`.
//! Without arguments the engine is Stockfish.

use std::time::Duration;

use tabiya::{Color, Game};
use tabiya_uci::{Engine, Error, Limit};

fn main() -> Result<(), Error> {
    let mut command: Vec<String> = std::env::args().skip(1).collect();
    if command.is_empty() {
        command.push("stockfish".to_owned());
    }
    let mut engine = Engine::start(&command)?;
    println!("{}", engine.name());
    let mut game = Game::new();
    let limit = Limit::time(Duration::from_millis(50));
    while game.outcome().is_none() && game.moves().len() < 20 {
        let found = engine.play(&game, &limit)?;
        let Some(best) = found.best else { break };
        let score = found.lines.first().and_then(|info| info.score_for(Color::White));
        let score = score.map(|score| score.to_string()).unwrap_or_default();
        println!("{:6} {score}", game.position().san(best).to_string());
        if game.push(best).is_err() {
            break;
        }
    }
    println!("{}", game.position().fen());
    engine.quit();
    Ok(())
}
