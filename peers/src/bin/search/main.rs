//! The same search on tabiya and on cozy-chess.
mod common; mod cozy; mod plain;
use std::time::Instant;
fn main() {
    let only = std::env::args().nth(1);
    let depth: i32 = std::env::args().nth(2).map_or(6, |d| d.parse().unwrap());
    let fens: Vec<&str> = tabiya_suites::STANDARD.text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split(" ;").next().unwrap()).collect();
    let mut total = [(0u64, 0f64); 3];
    for fen in &fens {
        let mut row = vec![];
        for (i, name) in ["cozy", "plain"].iter().enumerate() {
            if only.as_deref().is_some_and(|o| o != "all" && o != *name) { continue; }
            let begin;
            let (score, nodes);
            match *name {
                "cozy" => { let mut s = cozy::Search::new(); begin = Instant::now(); score = s.run(fen, depth); nodes = s.nodes; }
                _ => { let mut s = plain::Search::new(); begin = Instant::now(); score = s.run(fen, depth); nodes = s.nodes; }
            }
            let t = begin.elapsed().as_secs_f64();
            total[i].0 += nodes; total[i].1 += t;
            row.push(format!("{name} {score} {nodes} {:.2} M/s", nodes as f64 / t / 1e6));
        }
        println!("{}", row.join("   "));
    }
    for (i, (n, t)) in total.iter().enumerate() { println!("{i}: {:.3} M/s", *n as f64 / t / 1e6); }
}
