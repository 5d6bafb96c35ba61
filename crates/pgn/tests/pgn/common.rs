//! Random numbers, random games and streams that fail.

use std::io::{self, Read};

use tabiya::{Position, SplitMix64};

/// Is this a machine on which tests take long?
pub(crate) fn is_short() -> bool {
    cfg!(miri) || std::env::var_os("TABIYA_SHORT_TESTS").is_some()
}

/// A stream that fails.
pub(crate) struct Broken;

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other("the end of the tape"))
    }
}

/// A stream with an error that passes before every other read: now or next.
pub(crate) struct Pausing<R>(pub(crate) R, pub(crate) bool);

impl<R: Read> Read for Pausing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let is_pause = self.1;
        self.1 = !is_pause;
        if is_pause { Err(io::ErrorKind::WouldBlock.into()) } else { self.0.read(buffer) }
    }
}

/// Something that a random game consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Move(String),
    Nag(u8),
    Comment(String),
    Open,
    Close,
}

/// Words of comments: some that break lines, and some that look like something else.
const WORDS: [&str; 14] = [
    "a",
    "good",
    "[%clk",
    "0:01:02]",
    "%",
    "  ",
    "(",
    "Kübler",
    "1-0",
    "[Event",
    "\"x\"]",
    ";",
    "{",
    "incomprehensibilities",
];

fn comment(random: &mut SplitMix64) -> String {
    let number = random.below(30);
    let text: Vec<&str> = (0..number).map(|_| WORDS[random.below(WORDS.len())]).collect();
    let space = if random.below(8) == 0 { "" } else { " " };
    let mut text = text.join(space);
    if random.below(20) == 0 {
        text.push('}');
    }
    text
}

/// A line of random moves from a position, with variations up to a depth.
pub(crate) fn line(random: &mut SplitMix64, start: &Position, depth: usize, parts: &mut Vec<Part>) {
    let mut position = start.clone();
    for _ in 0..random.below(if depth == 0 { 80 } else { 8 }) + 1 {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let mv = moves[random.below(moves.len())];
        parts.push(Part::Move(position.san(mv).to_string()));
        for _ in 0..2 {
            match random.below(8) {
                0 => parts.push(Part::Nag(random.number() as u8)),
                1 => parts.push(Part::Comment(comment(random))),
                2 if depth < 4 => {
                    parts.push(Part::Open);
                    line(random, &position, depth + 1, parts);
                    parts.push(Part::Close);
                }
                _ => {}
            }
        }
        position = position.play(mv);
    }
}
