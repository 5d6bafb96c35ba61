//! Random annotated games in PGN, always the same for a seed.

use std::io::{Result, Write};

use tabiya::{Color, Position, SplitMix64};

/// What annotators write.
const WORDS: [&str; 12] = [
    "the",
    "better",
    "move",
    "White",
    "keeps",
    "an",
    "edge",
    "after",
    "this",
    "plan",
    "with",
    "initiative",
];

/// Games in the form of studies: every third move or so has a comment, a glyph or a variation.
pub(crate) fn games(number: u32, seed: u64) -> Vec<u8> {
    let mut random = SplitMix64::new(seed);
    let mut out = Vec::with_capacity(number as usize * 4000);
    for index in 0..number {
        game(index, &mut random, &mut out).expect("memory can be written to");
    }
    out
}

fn game(index: u32, random: &mut SplitMix64, out: &mut Vec<u8>) -> Result<()> {
    writeln!(out, "[Event \"Study {index}\"]\n[Site \"https://example.org/study/{index}\"]")?;
    writeln!(out, "[Date \"2026.01.02\"]\n[Round \"-\"]\n[White \"A\"]\n[Black \"B\"]")?;
    writeln!(out, "[Result \"*\"]\n[Annotator \"C\"]\n")?;
    let length = 20 + random.below(100);
    line(&Position::START, length, 0, random, out)?;
    writeln!(out, "*\n")
}

/// A line of moves, with variations of at most three levels.
fn line(
    start: &Position,
    length: usize,
    depth: usize,
    random: &mut SplitMix64,
    out: &mut Vec<u8>,
) -> Result<()> {
    let mut position = start.clone();
    let mut is_numbered = true;
    for _ in 0..length {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let mv = moves[random.below(moves.len())];
        number(&position, is_numbered, out)?;
        write!(out, "{} ", position.san(mv))?;
        is_numbered = annotate(random, out)?;
        if depth < 3 && random.below(6 + 6 * depth) == 0 {
            write!(out, "(")?;
            line(&position, 1 + random.below(8), depth + 1, random, out)?;
            write!(out, ") ")?;
            is_numbered = true;
        }
        position = position.play(mv);
    }
    Ok(())
}

fn number(position: &Position, is_numbered: bool, out: &mut Vec<u8>) -> Result<()> {
    match position.turn() {
        Color::White => write!(out, "{}. ", position.fullmove_number()),
        Color::Black if is_numbered => write!(out, "{}... ", position.fullmove_number()),
        Color::Black => Ok(()),
    }
}

/// Writes a glyph, a comment, or nothing. Is there a comment?
fn annotate(random: &mut SplitMix64, out: &mut Vec<u8>) -> Result<bool> {
    if random.below(8) == 0 {
        write!(out, "${} ", [1, 2, 5, 6, 14, 16][random.below(6)])?;
    }
    match random.below(10) {
        0 => {
            let words: Vec<&str> =
                (0..3 + random.below(20)).map(|_| WORDS[random.below(WORDS.len())]).collect();
            write!(out, "{{ {} }} ", words.join(" "))?;
            Ok(true)
        }
        1 => {
            write!(out, "{{ [%eval 0.{:02}] [%cal Ge2e4,Rg1f3] }} ", random.below(100))?;
            Ok(true)
        }
        _ => Ok(false),
    }
}
