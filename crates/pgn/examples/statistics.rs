//! Statistics of the games of a PGN file: results, length, openings.
//!
//! ```sh
//! cargo run --release -p tabiya-pgn --example statistics               # a few games
//! cargo run --release -p tabiya-pgn --example statistics -- games.pgn
//! ```

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::fs::File;

use tabiya_pgn::{Input, Played, Reader, Replay, Token};

/// The number of plies in an opening.
const OPENING: u32 = 4;

const GAMES: &str = r#"
[White "Morphy"]
[Black "Duke Karl and Count Isouard"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4?! (3... exd4 4. Nxd4) 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
8. Nc3 c6 9. Bg5 {White has all pieces in play.} b5 10. Nxb5! cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8
13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

[White "Anderssen"]
[Black "Kieseritzky"]
[Result "1-0"]

1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4 Qg5 9. Nf5 c6
10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4 Qf6 16. Nc3 Bc5 17. Nd5 Qxb2
18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8 22. Qf6+ Nxf6 23. Be7# 1-0

[White "Fool"]
[Black "Scholar"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "Somebody"]
[Black "Anybody"]
[Result "1/2-1/2"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1/2-1/2

[White "Nobody"]
[Black "Anybody"]
[Result "1-0"]

1. e4 e5 2. Ke3 1-0
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let mut statistics = Statistics::default();
    match env::args().nth(1) {
        Some(path) => statistics.read(&mut Reader::new(File::open(path)?))?,
        None => statistics.read(&mut Reader::new(GAMES.as_bytes()))?,
    }
    statistics.print();
    Ok(())
}

#[derive(Default)]
struct Statistics {
    games: u64,
    plies: u64,
    longest: u32,
    results: BTreeMap<String, u64>,
    openings: BTreeMap<String, u64>,
    /// The errors that end games early.
    problems: Vec<String>,
}

impl Statistics {
    /// Reads games to the end of the input, those with errors up to the first one.
    fn read<I: Input>(&mut self, reader: &mut Reader<I>) -> Result<(), Box<dyn Error>> {
        let mut replay = Replay::new();
        let mut opening = String::new();
        let mut result = None;
        loop {
            let token = match reader.next_token() {
                Ok(Some(token)) => token,
                Ok(None) => return Ok(()),
                // The game still comes to its end.
                Err(error) => {
                    self.problems.push(error.to_string());
                    continue;
                }
            };
            if matches!(token, Token::VariationStart) {
                let skipped = reader.skip_variation();
                self.problems.extend(skipped.err().map(|error| error.to_string()));
                continue;
            }
            // Every move has to be legal.
            let played = replay.play(&token);
            match token {
                Token::GameStart => {
                    opening.clear();
                    result = None;
                }
                Token::Move(text)
                    if matches!(played, Ok(Played::Move(_))) && replay.ply() <= OPENING =>
                {
                    if !replay.ply().is_multiple_of(2) {
                        opening += &format!(" {}.", replay.ply() / 2 + 1);
                    }
                    opening += &format!(" {text}");
                }
                Token::Result(found) => result = Some(found),
                Token::GameEnd => {
                    if let Some(result) = result {
                        *self.results.entry(result.to_string()).or_default() += 1;
                    }
                    self.games += 1;
                    self.plies += u64::from(replay.ply());
                    self.longest = self.longest.max(replay.ply());
                    *self.openings.entry(opening.clone()).or_default() += 1;
                }
                _ => {}
            }
            if let Err(error) = played {
                self.problems.push(format!(
                    "line {}, game {}: {error}",
                    reader.place().line,
                    reader.game()
                ));
            }
        }
    }

    fn print(&self) {
        let average = self.plies as f64 / self.games.max(1) as f64;
        println!("{} games, {average:.1} plies on average, {} at most", self.games, self.longest);
        println!("results:");
        self.results.iter().for_each(|(result, count)| println!("{count:6}  {result}"));
        println!("openings:");
        let mut openings: Vec<_> = self.openings.iter().collect();
        openings.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
        openings.iter().take(10).for_each(|(moves, count)| println!("{count:6} {moves}"));
        println!("errors: {}", self.problems.len());
        self.problems.iter().take(10).for_each(|problem| println!("  {problem}"));
    }
}
