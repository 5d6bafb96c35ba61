//! The work on a part of a file: whole games, one after the other.

use std::io::{self, Write};

use clap::ValueEnum;
use tabiya::san::PieceLetters;
use tabiya_pgn::{Chunk, Reader};

use super::filter::Filter;
use super::game::{Keys, Kind, Next, Played, Problem, Scope};
use super::game_formats::{Style, Unwritten};
use super::merge::Merged;
use super::statistics::Statistics;

/// The size of a piece of output in bytes, unless a game or a line of it is longer.
const PIECE: usize = 1 << 20;
/// The number of errors in a piece.
const PIECE_PROBLEMS: usize = 1 << 10;

/// The work to do on each game.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) filter: Filter,
    /// How games are written, if they are.
    pub(super) style: Option<Style>,
    /// Are the games merged, to be written when all are read?
    pub(super) merge: bool,
    /// Are games counted by named opening?
    pub(super) openings: bool,
    pub(super) letters: Option<PieceLetters>,
    /// Are variations checked, and remarks counted?
    pub(super) check: bool,
    pub(super) errors: OnError,
    /// Does only the first of equal games count?
    pub(super) unique: Option<Keys>,
}

/// What becomes of games with errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OnError {
    /// They count, and are written, as far as they're right
    #[default]
    Keep,
    /// They're left out
    Skip,
    /// The first one ends the work, and isn't written
    Stop,
}

/// Does a part count?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Counts {
    #[default]
    Always,
    /// It's one game, which counts if no game before has this key.
    Once(u128),
    /// It's more of the same game.
    AsBefore,
}

/// The results of a part of a file, or a piece of them.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) counts: Counts,
    pub(super) statistics: Statistics,
    pub(super) output: Vec<u8>,
    pub(super) merged: Merged,
    pub(super) problems: Vec<Problem>,
    /// An error that concerns the whole file.
    pub(super) failure: Option<String>,
    /// An error ends the work.
    pub(super) is_last: bool,
}

impl Part {
    /// What remains of a game that doesn't count.
    pub(super) fn of_duplicate(self) -> Self {
        let statistics = self.statistics.of_duplicate();
        Self { statistics, output: Vec::new(), merged: Merged::default(), ..self }
    }
}

/// Works on a part, and sends its results in pieces until one is refused. `game` is memory that all
/// parts of a thread share.
pub(super) fn work(
    chunk: &Chunk,
    game: &mut Played,
    plan: &Plan,
    send: &mut dyn FnMut(Vec<Part>) -> bool,
) {
    let mut pieces = Pieces { parts: Vec::new(), size: 0, part: Part::default(), send };
    if pieces.add_games(chunk, game, plan).is_ok() {
        let _ = pieces.flush();
    }
}

/// The results of a part, which are sent in pieces: the output may be much longer than the games.
struct Pieces<'s> {
    /// What was not sent yet: the parts that are ready, and their size.
    parts: Vec<Part>,
    size: usize,
    /// The current part.
    part: Part,
    send: &'s mut dyn FnMut(Vec<Part>) -> bool,
}

impl Pieces<'_> {
    /// Works on all games of a part.
    ///
    /// # Errors
    /// A piece was refused.
    fn add_games(&mut self, chunk: &Chunk, game: &mut Played, plan: &Plan) -> io::Result<()> {
        let has_variations = plan.style.as_ref().is_some_and(|it| it.format.has_variations());
        let scope = Scope { variations: plan.check || has_variations, remarks: plan.check };
        let are_wanted = |tags: &[_]| plan.filter.passes_tags(tags);
        let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
        loop {
            let next = game.read(&mut reader, chunk, scope, are_wanted);
            let number = reader.game();
            if let Next::Game | Next::Skipped = next {
                self.part.statistics.games += 1;
            }
            let is_taken = plan.errors == OnError::Keep || !game.is_broken();
            if matches!(next, Next::Game) && is_taken && plan.filter.passes(game) {
                if let Some(keys) =
                    plan.unique.as_ref().filter(|_| !game.is_cut && !game.moves.is_empty())
                {
                    self.begin(Counts::Once(game.key(keys)))?;
                }
                self.part.statistics.add(game);
                if plan.openings {
                    self.part.statistics.add_opening(game);
                }
                match self.write(game, number, &chunk.bytes[game.bytes.clone()], plan) {
                    Ok(()) => {}
                    Err(Unwritten::Game(message)) => game.problems.push(Problem {
                        kind: Kind::Error("output"),
                        place: reader.end(),
                        game: Some(number),
                        ply: None,
                        message,
                    }),
                    Err(Unwritten::Output(error)) => return Err(error),
                }
            }
            self.part.statistics.add_problems(game);
            self.part.is_last = plan.errors == OnError::Stop && game.errors().next().is_some();
            self.part.problems.append(&mut game.problems);
            match next {
                Next::End => return Ok(()),
                Next::Unreadable(message) => {
                    self.part.failure = Some(message);
                    return Ok(());
                }
                _ if self.part.is_last => return Ok(()),
                _ => {}
            }
            if self.part.problems.len() >= PIECE_PROBLEMS {
                self.flush()?;
            }
            self.begin(Counts::Always)?;
        }
    }

    /// Begins another part, unless it counts like the current one.
    fn begin(&mut self, counts: Counts) -> io::Result<()> {
        if self.part.counts == counts {
            return Ok(());
        }
        self.size += size_of::<Part>() + self.part.output.len();
        let part = std::mem::replace(&mut self.part, Part { counts, ..Part::default() });
        self.parts.push(part);
        if self.size < PIECE { Ok(()) } else { self.send() }
    }

    fn send(&mut self) -> io::Result<()> {
        self.size = 0;
        let is_taken = (self.send)(std::mem::take(&mut self.parts));
        if is_taken { Ok(()) } else { Err(io::ErrorKind::BrokenPipe.into()) }
    }

    /// Writes or merges a game, if that is wanted.
    fn write(
        &mut self,
        game: &Played,
        number: u64,
        bytes: &[u8],
        plan: &Plan,
    ) -> Result<(), Unwritten> {
        match &plan.style {
            None => Ok(()),
            Some(style) if plan.merge => Ok(self.part.merged.add(style.tree(game, bytes)?)?),
            Some(style) => {
                self.part.output.extend_from_slice(style.format.separator().as_bytes());
                style.write(game, number, bytes, self)
            }
        }
    }
}

/// Takes the output. A piece ends where a write ends, at the end of a game or a line.
impl Write for Pieces<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.output.extend_from_slice(bytes);
        if self.part.output.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let counts = match self.part.counts {
            Counts::Always => Counts::Always,
            _ => Counts::AsBefore,
        };
        self.parts.push(std::mem::replace(&mut self.part, Part { counts, ..Part::default() }));
        self.send()
    }
}
