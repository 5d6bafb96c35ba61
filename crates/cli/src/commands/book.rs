//! `tabiya book`: shows the moves of an opening book for a position.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tabiya::Position;
use tabiya::polyglot::{Book, BookError, BookMove, BookMoveError, Entry};

use crate::failure::{Diagnostic, Failure};
use crate::input;
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::table::{Column, Table};
use crate::position::PositionArgs;

const EXAMPLES: &str = "\
Exit codes:
  0    the book was read; it may have no move for the position
  2    the file cannot be read or is damaged, or a move in it is not legal; the other moves are
       still printed

Examples:
  tabiya book book.bin
  tabiya book book.bin --moves e2e4,e7e5
  tabiya book book.bin 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2' --json";

/// Show the moves of an opening book for a position, for engine authors
///
/// The book has the format of Polyglot. The moves with the greatest weight come first. The share is
/// a move's part of the total weight.
///
/// In this format, an en-passant square counts if a pawn could capture there, even if that is not
/// legal. Give such a square in the FEN, or use --moves.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The book; "-" is standard input
    file: PathBuf,

    /// Print a JSON object
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    position: PositionArgs,
}

/// The output of `tabiya book --json`: the moves of a book for a position.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer {
    /// The position, in FEN.
    fen: String,
    /// The key of the position in Polyglot's books, in hexadecimal.
    key: String,
    /// The number of entries of the whole book.
    entries: usize,
    /// The moves, those with the greatest weight first.
    moves: Vec<MoveAnswer>,
    /// The entries for this position whose moves are not legal.
    errors: Vec<ErrorAnswer>,
}

impl json::Object for Answer {
    const SCHEMA: &'static str = "tabiya-book/1";
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct MoveAnswer {
    /// The move, in UCI.
    #[serde(rename = "move")]
    uci: String,
    /// The move, in standard algebraic notation.
    san: String,
    /// The weight, whose meaning is the book's.
    weight: u16,
    /// The part of the sum of all weights, from 0 to 1. Null if all weights are 0.
    share: Option<f64>,
    /// A number for programs that learn.
    learn: u32,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ErrorAnswer {
    /// The number of the entry in the book, from 0.
    entry: usize,
    /// The error in it.
    message: String,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let position = args.position.read()?.position()?;
    let found =
        Entries::read(&args.file, &position).map_err(|error| refused(&args.file, &error))?;
    let answer = found.answer(&position).map_err(|error| refused(&args.file, &error))?;
    let outcome = if answer.errors.is_empty() { Outcome::Fine } else { Outcome::Mistaken };
    if args.json {
        json::write(out, &answer)?;
        return Ok(outcome);
    }
    if answer.moves.is_empty() {
        writeln!(out, "the book has no move for this position")?;
    } else {
        write_moves(&answer.moves, out)?;
    }
    out.flush()?;
    for error in &answer.errors {
        let file = args.file.display();
        // If standard error is closed, the error is not wanted.
        let _ = write!(
            anstream::stderr(),
            "{}",
            Diagnostic::new(format_args!("{file}: {}", error.message))
        );
    }
    Ok(outcome)
}

fn refused(file: &Path, error: &impl std::fmt::Display) -> Failure {
    Diagnostic::new(format_args!("{}: {error}", file.display())).into()
}

/// The most entries with the same key. No position has this many moves, so a file with more is not
/// a book.
const MAX_SAME: usize = 1024;

/// The entries of a book for a position. The rest of the book is checked but not kept.
struct Entries {
    /// The entries with the key of the position.
    bytes: Vec<u8>,
    /// The index of the first of these entries.
    first: usize,
    /// The number of entries in the whole book.
    entries: usize,
}

impl Entries {
    fn read(path: &Path, position: &Position) -> io::Result<Self> {
        let (mut input, wanted) = (input::open(path)?, position.polyglot_key());
        let mut found = Self { bytes: Vec::new(), first: 0, entries: 0 };
        let (mut last, mut same) = (0, 0);
        let mut entry = Vec::with_capacity(Entry::BYTES);
        loop {
            entry.clear();
            input.by_ref().take(Entry::BYTES as u64).read_to_end(&mut entry)?;
            if entry.is_empty() {
                return match found.entries {
                    0 => Err(io::Error::other("it has no entries")),
                    _ => Ok(found),
                };
            }
            let index = found.entries;
            let Ok(bytes) = <[u8; Entry::BYTES]>::try_from(entry.as_slice()) else {
                // Read to the end, to learn the number of entries.
                let rest = io::copy(&mut input, &mut io::sink())?;
                let bytes = index * Entry::BYTES + entry.len() + rest as usize;
                return Err(io::Error::other(BookError::Length { bytes }.to_string()));
            };
            let key = Entry::from_bytes(bytes).key;
            if key < last {
                return Err(io::Error::other(BookError::Order { index }.to_string()));
            }
            same = if key == last { same + 1 } else { 1 };
            if same > MAX_SAME {
                let text = format!("it is not a book: more than {MAX_SAME} entries have one key");
                return Err(io::Error::other(text));
            }
            if key == wanted {
                if found.bytes.is_empty() {
                    found.first = index;
                }
                found.bytes.extend(bytes);
            }
            last = key;
            found.entries += 1;
        }
    }

    fn answer(&self, position: &Position) -> Result<Answer, BookError> {
        let book = Book::trusted(&self.bytes)?;
        let (mut moves, mut errors) = (Vec::new(), Vec::new());
        for found in book.moves(position) {
            match found {
                Ok(found) => moves.push(found),
                Err(error) => {
                    // The index counts from the start of the book.
                    let error = BookMoveError { index: self.first + error.index, ..error };
                    errors.push(ErrorAnswer { entry: error.index, message: error.to_string() });
                }
            }
        }
        Ok(answer(moves, errors, self.entries, position))
    }
}

fn answer(
    mut moves: Vec<BookMove>,
    errors: Vec<ErrorAnswer>,
    entries: usize,
    position: &Position,
) -> Answer {
    // Moves with the same weight stay in the order of the book.
    moves.sort_by_key(|found| std::cmp::Reverse(found.weight));
    let total: u64 = moves.iter().map(|found| u64::from(found.weight)).sum();
    let answer = |&BookMove { mv, weight, learn }: &BookMove| MoveAnswer {
        uci: position.uci(mv).to_string(),
        san: position.san(mv).to_string(),
        weight,
        share: (total > 0).then(|| f64::from(weight) / total as f64),
        learn,
    };
    Answer {
        fen: position.fen().to_string(),
        key: format!("{:#018x}", position.polyglot_key()),
        entries,
        moves: moves.iter().map(answer).collect(),
        errors,
    }
}

fn write_moves(moves: &[MoveAnswer], out: &mut dyn Write) -> Result<(), Failure> {
    let columns = [
        Column::left("move", 5),
        Column::left("SAN", 7),
        Column::right("weight", 6),
        Column::right("share", 6),
    ];
    let table = Table(columns);
    table.head(out)?;
    for MoveAnswer { uci, san, weight, share, .. } in moves {
        let share = share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        table.row(out, [uci, san, &weight.to_string(), &share])?;
    }
    Ok(())
}
