//! Random games in PGN, always the same for a seed.

use std::io::Write;

use tabiya::{Color, Position, SplitMix64};

/// Games in the form of a large server's files.
pub(crate) fn games(number: u32, seed: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let mut out = Vec::with_capacity(number as usize * 3000);
    for index in 0..number {
        game(index, &mut random, &mut out).expect("memory can be written to");
    }
    out
}

/// One game. It ends with mate, stalemate, or a random length around that of games on servers.
fn game(index: u32, random: &mut SplitMix64, out: &mut Vec<u8>) -> std::io::Result<()> {
    let length = 20 + random.below(100);
    let mut position = Position::START;
    let mut moves = Vec::new();
    for _ in 0..length {
        let list = position.legal_moves();
        if list.is_empty() {
            break;
        }
        let mv = list[random.below(list.len())];
        moves.push((position.clone(), mv));
        position = position.play(mv);
    }
    let result = match (position.has_legal_move(), position.is_check(), position.turn()) {
        (false, true, Color::White) => "0-1",
        (false, true, Color::Black) => "1-0",
        (false, false, _) => "1/2-1/2",
        (true, ..) => ["1-0", "0-1", "1/2-1/2"][random.below(3)],
    };
    let elo = [800 + random.below(1800), 800 + random.below(1800)];
    let date = format!("2026.{:02}.{:02}", 1 + random.below(12), 1 + random.below(28));
    writeln!(out, "[Event \"Rated Blitz game\"]")?;
    writeln!(out, "[Site \"https://example.org/{:08x}\"]", random.below(1 << 32))?;
    writeln!(out, "[Date \"{date}\"]\n[Round \"-\"]")?;
    writeln!(out, "[White \"player{}\"]", random.below(1_000_000))?;
    writeln!(out, "[Black \"player{}\"]", random.below(1_000_000))?;
    writeln!(out, "[Result \"{result}\"]\n[UTCDate \"{date}\"]")?;
    writeln!(
        out,
        "[UTCTime \"{:02}:{:02}:{:02}\"]",
        index / 3600 % 24,
        index / 60 % 60,
        index % 60
    )?;
    writeln!(out, "[WhiteElo \"{}\"]\n[BlackElo \"{}\"]", elo[0], elo[1])?;
    writeln!(
        out,
        "[WhiteRatingDiff \"+{}\"]\n[BlackRatingDiff \"-{}\"]",
        random.below(12),
        random.below(12)
    )?;
    writeln!(
        out,
        "[ECO \"{}{:02}\"]",
        ["A", "B", "C", "D", "E"][random.below(5)],
        random.below(100)
    )?;
    writeln!(out, "[Opening \"Three Knights Opening\"]\n[TimeControl \"180+2\"]")?;
    writeln!(out, "[Termination \"Normal\"]\n")?;

    let has_evals = index % 4 == 0;
    let has_variations = index % 16 == 1;
    let mut clocks = [180usize; 2];
    let mut eval = 20i64;
    for (ply, (position, mv)) in moves.iter().enumerate() {
        let side = ply % 2;
        let san = position.san(*mv);
        write!(out, "{}{} {san}", ply / 2 + 1, if side == 0 { "." } else { "..." })?;
        clocks[side] = (clocks[side] + 2).saturating_sub(random.below(8)).max(1);
        let clock = clocks[side];
        if has_evals {
            if random.below(10) == 0 {
                write!(out, "{}", ["?", "?!", "??", "!"][random.below(4)])?;
            }
            eval += random.below(61) as i64 - 30;
            write!(out, " {{ [%eval {:.2}]", eval as f64 / 100.0)?;
        } else {
            write!(out, " {{")?;
        }
        write!(out, " [%clk 0:{:02}:{:02}] }} ", clock / 60, clock % 60)?;
        if has_variations && random.below(12) == 0 {
            let list = position.legal_moves();
            let other = list[random.below(list.len())];
            let number = ply / 2 + 1;
            let dots = if side == 0 { "." } else { "..." };
            write!(out, "({number}{dots} {} $6) ", position.san(other))?;
        }
    }
    writeln!(out, "{result}\n")
}
