//! The same search on tabiya and on cozy-chess.
mod common; mod cozy; mod plain;

use std::time::Instant;
fn cpu() -> f64 { if std::env::args().len() < 4 { return 0.0; } let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime); t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9 }
fn main() {
    let only = std::env::args().nth(1);
    let depth: i32 = std::env::args().nth(2).map_or(6, |d| d.parse().unwrap());
    let rounds: usize = std::env::args().nth(3).map_or(1, |d| d.parse().unwrap());
    let _ = Instant::now();
    let fens: Vec<&str> = tabiya_suites::STANDARD.text.lines().filter(|l| !l.starts_with('#')).map(|l| l.split(" ;").next().unwrap()).collect();
    let mut sum = [0.0; 2]; let mut tn = [0u64; 2];
    let mut a = cozy::Search::new(); let mut b = plain::Search::new();
    for fen in &fens {
        let mut times = [vec![], vec![]]; let mut nodes = [0; 2];
        for _ in 0..rounds {
            for i in 0..2 {
                if only.as_deref().is_some_and(|o| o != "all" && o != ["cozy", "plain"][i]) { continue; }
                if i == 0 { a.clear() } else { b.clear() }
                let t = cpu();
                if i == 0 { a.run(fen, depth); } else { b.run(fen, depth); }
                times[i].push(cpu() - t);
                nodes[i] = if i == 0 { a.nodes } else { b.nodes };
            }
        }
        for i in 0..2 { times[i].sort_by(f64::total_cmp); if let Some(t) = times[i].get(rounds / 2) { sum[i] += t; } tn[i] += nodes[i]; }
        println!("- {} {}", nodes[0], nodes[1]);
    }
    println!("sum {} {}: {:.3} {:.3} M/s ratio {:.3}", tn[0], tn[1], tn[0] as f64 / sum[0] / 1e6, tn[1] as f64 / sum[1] / 1e6, sum[0] / sum[1]);
}
