//! `tabiya frontier`: writes the distinct positions after some plies, with their multiplicities.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use tabiya_perft::Watch;
use tabiya_runs::{DistinctError, FrontierFile, FrontierHeader, OutputFile, write_frontier};

use crate::counting::ThreadsArg;
use crate::failure::{Diagnostic, Failure};
use crate::interrupt::Interrupt;
use crate::outcome::Outcome;
use crate::output::json;
use crate::output::number::{quantity, thousands, time};
use crate::position::PositionArgs;
use crate::storage::{LESS_MEMORY, StorageArgs, announce};
use crate::streams;

const EXAMPLES: &str = "\
The file is a sequence of zstd frames, so `zstd -d` unpacks the records. The first frame is a
skippable frame. It holds a line of JSON in 504 bytes: the root, the ply, the number of positions
and the sum of multiplicities. A record has 32 bytes, and records are in ascending order. It holds a
position and its multiplicity (64 bits, highest byte first). A position is the 64-bit set of
occupied squares, followed by 4 bits for each piece from a1 to h8:
  0 to 5    white pawn, knight, bishop, rook, queen, king
  6 to 11   black pawn, knight, bishop, rook, queen, king
  12        a rook with castling right
  13        a pawn that can be captured en passant
  14        the black king with Black to move
Only the bytes that differ from the previous record are stored. A mask of 32 bits comes first: its
lowest bit stands for the first byte, and its lowest byte comes first. These bytes follow it.

Examples:
  tabiya frontier 4 --output start-4.zst
  tabiya frontier --read start-4.zst --limit 3
  tabiya frontier --read start-4.zst --header
  tabiya frontier 4 --output - | tabiya frontier --read - --limit 3
  tabiya frontier 3 kiwipete --output kiwipete-3.zst";

const USAGE: &str = "\
tabiya frontier [OPTIONS] <PLY> [POSITION]... --output <FILE>
       tabiya frontier [OPTIONS] --read <FILE>";

/// Write the distinct positions after PLY plies, for work on huge counts
///
/// Each position has its multiplicity, which is the number of games that lead to the position. The
/// sum of all multiplicities is perft to depth PLY. The positions are sorted, and every run writes
/// the same file.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Args {
    /// Number of plies
    #[arg(required_unless_present = "read", conflicts_with = "read", requires = "output")]
    #[arg(value_parser = crate::values::depth, allow_negative_numbers = true)]
    ply: Option<u32>,

    /// File to write; "-" is standard output, and the report goes to standard error
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Print the positions of a frontier file instead: the multiplicity, a tab and the FEN;
    /// "-" is standard input
    #[arg(long, value_name = "FILE")]
    #[arg(conflicts_with_all = ["output", "words", "fen", "position", "moves", "chess960"])]
    #[arg(conflicts_with_all = ["threads", "memory", "temp"])]
    read: Option<PathBuf>,

    /// Print at most this number of positions; the file is then not checked to its end
    // clap ignores `requires` here, because PLY and --read exclude each other.
    #[arg(long, value_name = "N", requires = "read", conflicts_with = "ply")]
    #[arg(value_parser = crate::values::number, allow_negative_numbers = true)]
    limit: Option<u64>,

    /// Print only the header of the file, as JSON; the positions are still checked
    #[arg(long, requires = "read", conflicts_with_all = ["ply", "limit"])]
    header: bool,

    #[command(flatten)]
    threads: ThreadsArg,

    /// Print a JSON object about the file that was written
    #[arg(long, conflicts_with = "read")]
    json: bool,

    #[command(flatten)]
    storage: StorageArgs,

    #[command(flatten)]
    position: PositionArgs,
}

/// The output of `tabiya frontier --json` about the file that it wrote, and
/// `tabiya frontier --read FILE --header` about the file that it read and checked.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Answer<'a> {
    /// The name of the file.
    file: String,
    /// Was the file written, or read, to its end? If not, it was stopped, and there is no file.
    complete: bool,
    /// The size of the file. Null if there is none.
    bytes: Option<u64>,
    /// The time, in seconds.
    seconds: f64,
    /// The header of the file. Null if there is no file.
    frontier: Option<&'a FrontierHeader>,
}

impl json::Object for Answer<'_> {
    const SCHEMA: &'static str = "tabiya-frontier-report/1";
}

impl Args {
    pub(super) const fn writes_a_file(&self) -> bool {
        self.output.is_some()
    }
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    match (&args.read, args.ply, &args.output) {
        (Some(path), ..) => read(args, path, out),
        (None, Some(ply), Some(path)) => write(args, ply, path, out),
        // clap prevents this.
        _ => Err(Diagnostic::new("expected PLY and --output, or --read").into()),
    }
}

fn write(args: &Args, ply: u32, path: &Path, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if path == Path::new("-") {
        if io::stdout().is_terminal() {
            let diagnostic = Diagnostic::new("the file is not text, and the output is a terminal");
            return Err(diagnostic.hint("name a file, or write to another program").into());
        }
        let mut report = streams::Abandonable(anstream::stderr());
        return write_to(None, args, ply, &mut report);
    }
    let file = OutputFile::at(path).map_err(|error| cannot_be_written(path, error))?;
    write_to(Some(file), args, ply, out)
}

/// Writes the file, or to standard output if there's none, and a report to `out`.
fn write_to(
    file: Option<OutputFile>,
    args: &Args,
    ply: u32,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let path = args.output.as_deref().unwrap_or(Path::new("-"));
    let watch = Interrupt::listen()?;
    let root = args.position.read()?.position()?;
    let options = args.storage.options(args.threads.count())?;
    announce(&options, args.json, out)?;
    let begin = Instant::now();
    let failed = |error: io::Error| cannot_be_written(path, error);
    let folder = file.as_ref().and_then(OutputFile::folder);
    // The data has no name until it is complete, so nothing remains if the program ends early.
    let folder = folder.unwrap_or(&options.temp);
    let mut unnamed = tempfile::tempfile_in(folder).map_err(failed)?;
    let header = match write_frontier(&root, ply, &options, &watch, &mut unnamed) {
        Ok(header) => header,
        Err(DistinctError::Cancelled) => return stopped(args, path, begin, out),
        Err(DistinctError::Output(error)) => return Err(failed(error)),
        Err(error @ DistinctError::OutOfMemory) => {
            return Err(Diagnostic::new(error).hint(LESS_MEMORY).into());
        }
        Err(error) => return Err(Diagnostic::new(error).into()),
    };
    unnamed.rewind().map_err(failed)?;
    let bytes = match file {
        Some(file) => match file.write(&mut Stoppable { input: &mut unnamed, watch: &watch }) {
            Ok(bytes) => bytes,
            Err(_) if watch.is_cancelled() => return stopped(args, path, begin, out),
            Err(error) => return Err(failed(error)),
        },
        None => {
            let mut stdout = io::stdout().lock();
            let bytes = io::copy(&mut unnamed, &mut stdout)?;
            stdout.flush()?;
            bytes
        }
    };
    if args.json {
        json::write(out, &answer(path, Some(bytes), begin, Some(&header)))?;
    } else {
        let positions = quantity(header.positions.into(), "position", "positions");
        let games = header.games.parse().map_or(header.games, |it| quantity(it, "game", "games"));
        writeln!(out, "{positions}, {games}, {} bytes", thousands(bytes.into()))?;
        writeln!(out, "time: {}", time(begin.elapsed()))?;
    }
    Ok(Outcome::Fine)
}

/// Reports that no file was written.
fn stopped(
    args: &Args,
    path: &Path,
    begin: Instant,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    if args.json {
        json::write(out, &answer(path, None, begin, None))?;
    } else {
        writeln!(out, "stopped: no file was written")?;
    }
    Ok(Outcome::Interrupted)
}

/// Input that ends with an error when the watch cancels the work.
struct Stoppable<'a, R> {
    input: R,
    watch: &'a dyn Watch,
}

impl<R: Read> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_cancelled() {
            return Err(io::Error::other("stopped"));
        }
        self.input.read(buffer)
    }
}

fn cannot_be_written(path: &Path, error: io::Error) -> Failure {
    Failure::File { path: path.to_owned(), error }
}

fn answer<'a>(
    path: &Path,
    bytes: Option<u64>,
    begin: Instant,
    frontier: Option<&'a FrontierHeader>,
) -> Answer<'a> {
    let (file, seconds) = (path.display().to_string(), begin.elapsed().as_secs_f64());
    Answer { file, complete: frontier.is_some(), bytes, seconds, frontier }
}

fn read(args: &Args, path: &Path, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let wrong = |error: &dyn std::fmt::Display| {
        Failure::from(Diagnostic::new(format_args!("{}: {error}", path.display())))
    };
    let begin = Instant::now();
    let input: Box<dyn Read> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).map_err(|error| wrong(&error))?)
    };
    let bytes = Cell::new(0);
    let input = BufReader::new(Counted { input, bytes: &bytes });
    let mut frontier = FrontierFile::open(input).map_err(|error| wrong(&error))?;
    let mut left = if args.header { 0 } else { args.limit.unwrap_or(u64::MAX) };
    while args.header || left > 0 {
        let Some(entry) = frontier.next() else { break };
        let (position, games) = entry.map_err(|error| wrong(&error))?;
        if left > 0 {
            left -= 1;
            writeln!(out, "{games}\t{}", position.fen())?;
        }
    }
    if args.header {
        json::write(out, &answer(path, Some(bytes.get()), begin, Some(frontier.header())))?;
    }
    Ok(Outcome::Fine)
}

/// Input that counts its bytes.
struct Counted<'a> {
    input: Box<dyn Read>,
    bytes: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.bytes.set(self.bytes.get() + read as u64);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    /// Cancels the work when it is asked for the second time.
    #[derive(Default)]
    struct SecondTime(AtomicBool);

    impl Watch for SecondTime {
        fn is_cancelled(&self) -> bool {
            self.0.swap(true, Ordering::Relaxed)
        }
    }

    #[test]
    fn a_copy_that_is_stopped_leaves_the_old_file_and_no_other() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "first").unwrap();
        let (file, watch) = (OutputFile::at(&path).unwrap(), SecondTime::default());
        let input = io::repeat(1).take(1 << 20);
        assert!(file.write(&mut Stoppable { input, watch: &watch }).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
