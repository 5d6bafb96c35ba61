//! Finds the shortest forced mate and proves it: the line that defends longest, and an answer to
//! every defence.
//!
//! ```sh
//! cargo run --release --example mate
//! cargo run --release --example mate -- '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1' 3
//! ```

use std::env;

use tabiya::{Move, Position};

/// Problems, and the largest number of moves to try.
const PROBLEMS: [(&str, u32); 4] = [
    // Smothered mate.
    ("r6k/6pp/7N/8/2Q5/8/8/6K1 w - - 0 1", 2),
    // By Paul Morphy: the first move is quiet.
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
    // Fool's mate does not work here: the king has an escape square.
    ("rnbqkbnr/pppp1ppp/8/4p3/5PP1/8/PPPPP1BP/RNBQK1NR b KQkq - 0 2", 1),
];

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if let [fen, most @ ..] = &arguments[..] {
        let most = most.first().map_or(4, |text| text.parse().expect("a number of moves"));
        solve(fen, most);
    } else {
        PROBLEMS.iter().for_each(|&(fen, most)| solve(fen, most));
    }
}

/// Prints a mate in at most this number of moves, or says that there is none.
fn solve(fen: &str, most: u32) {
    println!("{fen}");
    let position = match Position::from_fen(fen) {
        Ok(position) => position,
        Err(error) => return println!("  {error}\n"),
    };
    let Some((moves, tree)) = (1..=most).find_map(|n| Some((n, attack(&position, n)?))) else {
        return println!("  no mate in {most}\n");
    };
    println!("  mate in {moves}: {}", tree.line(&position).join(" "));
    tree.print(&position, 2);
    println!();
}

/// A move of the attacker that forces mate, with the defences against it.
struct Attack {
    mv: Move,
    /// The longest defence is first. There is none after mate.
    defences: Vec<(Move, Self)>,
}

/// A move that mates within this number of the attacker's moves, against any defence.
fn attack(position: &Position, moves: u32) -> Option<Attack> {
    let (checks, quiet): (Vec<_>, Vec<_>) =
        position.legal_moves().into_iter().partition(|&mv| position.gives_check(mv));
    // The last move must be a check.
    let quiet = if moves == 1 { Vec::new() } else { quiet };
    checks
        .into_iter()
        .chain(quiet)
        .find_map(|mv| Some(Attack { mv, defences: defences(&position.play(mv), moves - 1)? }))
}

/// Every defence with the attack that refutes it, or `None` if one of them cannot be refuted.
fn defences(position: &Position, moves: u32) -> Option<Vec<(Move, Attack)>> {
    if !position.has_legal_move() {
        // Stalemate refutes the attack.
        return position.is_check().then(Vec::new);
    }
    // With no move left for the attacker, any legal move is a defence.
    let refuted = |mv| {
        let after = position.play(mv);
        // The shortest attack, so that the longest defence can be found.
        (1..=moves).find_map(|n| attack(&after, n)).map(|attack| (mv, attack))
    };
    let mut all = position.legal_moves().into_iter().map(refuted).collect::<Option<Vec<_>>>()?;
    all.sort_by_key(|(_, attack)| std::cmp::Reverse(attack.moves()));
    Some(all)
}

impl Attack {
    /// The number of the attacker's moves against the longest defence.
    fn moves(&self) -> u32 {
        1 + self.defences.first().map_or(0, |(_, attack)| attack.moves())
    }

    /// The line in which the defender holds out longest.
    fn line(&self, position: &Position) -> Vec<String> {
        let after = position.play(self.mv);
        let mut line = vec![position.san(self.mv).to_string()];
        if let Some((defence, attack)) = self.defences.first() {
            line.push(after.san(*defence).to_string());
            line.extend(attack.line(&after.play(*defence)));
        }
        line
    }

    /// The proof: each defence is on its own line, with the answer.
    fn print(&self, position: &Position, indent: usize) {
        println!("{:indent$}{}", "", position.san(self.mv));
        let after = position.play(self.mv);
        for (defence, attack) in &self.defences {
            println!("{:indent$}  {}", "", after.san(*defence));
            attack.print(&after.play(*defence), indent + 4);
        }
    }
}
