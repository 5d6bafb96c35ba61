//! Programs that break the rules, to show that the referee detects it.

use std::io::{self, BufRead, Write};
use std::process;
use std::thread;
use std::time::Duration;

/// The cheats, each with its offence.
pub(crate) const ALL: [(&str, &str); 6] = [
    ("illegal", "illegal move"),
    ("babbler", "illegal move"),
    ("passer", "illegal move"),
    ("quitter", "crash"),
    ("dawdler", "time"),
    ("sleeper", "time"),
];

/// Speaks UCI until it is its turn to move.
pub(crate) fn play(kind: &str) {
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        let answer = match (line.split(' ').next(), kind) {
            (Some("uci"), _) => "uciok",
            (Some("isready"), _) => "readyok",
            (Some("go"), "illegal") => "bestmove e2e5",
            (Some("go"), "babbler") => "bestmove \u{265e}\u{fffd}?",
            (Some("go"), "passer") => "bestmove 0000",
            (Some("go"), "quitter") => process::exit(3),
            (Some("go"), "dawdler") => {
                thread::sleep(Duration::from_millis(300));
                "bestmove e2e4"
            }
            _ => continue,
        };
        let _ = writeln!(io::stdout(), "{answer}");
    }
}
