//! Encoding records with all threads, and writing them in order.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::ValueHint;
use tabiya_data::{Field, Format, GameResult, Record, Refused};
use tabiya_runs::OutputFile;

use super::input::{Input, TO};
use super::reading::{Reading, Stop, note};
use crate::failure::{Diagnostic, Failure};
use crate::outcome::Outcome;
use crate::output::number::{quantity, thousands, time};
use crate::unpacked::Form;

/// The files that are read, and the one that is written.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FileArgs {
    /// Files to read, one after another; "-" is standard input
    #[arg(value_name = "INPUT", required = true, value_hint = ValueHint::FilePath)]
    inputs: Vec<PathBuf>,

    /// File to write, which replaces an old one; "-" is standard output
    #[arg(value_name = "OUTPUT", value_hint = ValueHint::FilePath)]
    output: PathBuf,

    /// The format to write [default: from the extension]
    #[arg(long, value_name = "NAME", value_parser = TO.parser())]
    to: Option<Format>,
}

impl FileArgs {
    pub(super) fn output(&self) -> &Path {
        &self.output
    }

    /// The files and the output, after all that can be refused before the work begins.
    pub(super) fn open(&self, from: Option<Format>) -> Result<(Vec<Input>, Output), Failure> {
        let inputs = Input::all(&self.inputs, from)?;
        let output = Output::new(&self.output, self.to)?;
        for input in &inputs {
            output.must_differ(&input.path)?;
        }
        let mut formats: Vec<_> = inputs.iter().map(|it| it.format).collect();
        formats.sort_unstable();
        formats.dedup();
        for from in formats {
            output.must_have_moves(from)?;
            output.say_what_is_lost(from);
        }
        Ok((inputs, output))
    }
}

/// Is it a stream and not a file?
pub(super) fn is_stream(path: &Path) -> bool {
    path == Path::new("-")
}

/// The place where records are written.
pub(super) struct Output {
    path: PathBuf,
    pub(super) format: Format,
    /// `None` is standard output.
    file: Option<OutputFile>,
}

impl Output {
    fn new(path: &Path, to: Option<Format>) -> Result<Self, Failure> {
        if Form::of(path).is_some() {
            let message = format!("{} would have to be compressed", path.display());
            let hint = "only input is unpacked; write to - and pipe it, as in … - | zstd > FILE";
            return Err(Diagnostic::new(message).hint(hint).into());
        }
        let format = TO.format(path, to)?;
        if format.encoder().is_none() {
            return Err(Diagnostic::new(format_args!("{format} can only be read")).into());
        }
        let failed = |error| Failure::File { path: path.to_owned(), error };
        let file = (!is_stream(path)).then(|| OutputFile::at(path).map_err(failed)).transpose()?;
        Ok(Self { path: path.to_owned(), format, file })
    }

    fn must_differ(&self, input: &Path) -> Result<(), Diagnostic> {
        let output = self.path.canonicalize();
        if !is_stream(input) && output.is_ok_and(|it| input.canonicalize().ok() == Some(it)) {
            let name = input.display();
            return Err(Diagnostic::new(format_args!("{name} is the input and the output"))
                .hint("write to another file"));
        }
        Ok(())
    }

    /// A format that needs moves can't hold a record of one that has none.
    fn must_have_moves(&self, from: Format) -> Result<(), Diagnostic> {
        let record = Record { score: Some(0), result: Some(GameResult::Draw), ..Record::default() };
        let pushed = self.format.encoder().map(|mut it| it.push(&record, &mut Vec::new()));
        if from.holds(Field::Move) || pushed != Some(Err(Refused::NoMove)) {
            return Ok(());
        }
        let message = format!("{} needs moves, and {from} has none", self.format);
        Err(Diagnostic::new(message).hint("bulletformat, text, csv and epd do without"))
    }

    fn say_what_is_lost(&self, from: Format) {
        let (chess960, lost): (Vec<_>, Vec<_>) =
            from.lost_in(self.format).partition(|it| *it == Field::Chess960);
        if !lost.is_empty() {
            let lost = lost.iter().map(Field::to_string).collect::<Vec<_>>().join(", ");
            note(&format!("{} doesn't hold these, so they're lost: {lost}", self.format));
        }
        // Without castling rights, a game of Chess960 is like any other.
        if !chess960.is_empty() && self.format.holds(Field::Castling) {
            note(&format!("{} doesn't hold Chess960, so such records are left out", self.format));
        }
    }

    /// Writes all parts. If they end early, no file is written, and a stream has the parts before.
    pub(super) fn write(
        self,
        parts: &mut dyn Iterator<Item = Result<Encoded, Stop>>,
        out: &mut dyn Write,
    ) -> Result<Written, Stop> {
        let Self { path, format, file } = self;
        let mut written = Written { format, records: 0, refused: BTreeMap::new() };
        let mut stop = None;
        let fill = |out: &mut dyn Write| {
            out.write_all(format.header().as_bytes())?;
            for part in parts {
                let Encoded { bytes, records, refused } = part.map_err(|why| {
                    stop = Some(why);
                    io::Error::other("the parts end early")
                })?;
                out.write_all(&bytes)?;
                written.records += records;
                for (why, count) in refused {
                    *written.refused.entry(why).or_default() += count;
                }
            }
            Ok(())
        };
        let result = match file {
            Some(file) => {
                file.write_with(|file| fill(file)).map_err(|error| Failure::File { path, error })
            }
            None => fill(out).map_err(Failure::Write),
        };
        match (stop, result) {
            (Some(stop), _) => Err(stop),
            (None, Err(failure)) => Err(Stop::Failed(failure)),
            (None, Ok(())) => Ok(written),
        }
    }
}

/// Records as bytes.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    records: u64,
    refused: BTreeMap<Refused, u64>,
}

impl Encoded {
    /// Encodes the records that `visit` is called with.
    pub(super) fn of<T>(
        format: Format,
        visit: impl FnOnce(&mut dyn FnMut(&Record)) -> T,
    ) -> (T, Self) {
        let mut encoder = format.encoder().expect("a format that can be written");
        let mut encoded = Self::default();
        let result = visit(&mut |record| match encoder.push(record, &mut encoded.bytes) {
            Ok(()) => encoded.records += 1,
            Err(refused) => *encoded.refused.entry(refused).or_default() += 1,
        });
        encoder.finish(&mut encoded.bytes);
        (result, encoded)
    }
}

/// What has been written.
pub(super) struct Written {
    format: Format,
    records: u64,
    refused: BTreeMap<Refused, u64>,
}

/// Says what was read and written, and what wasn't.
pub(super) fn report<T: Send + 'static>(
    reading: &mut Reading<T>,
    written: Result<Written, Stop>,
    files: &FileArgs,
    begin: Instant,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let is_bad = reading.report_bad();
    let is_stream = is_stream(&files.output);
    let left = if is_stream { "only what came before is written" } else { "no file was written" };
    let Written { format, records, refused } = match written {
        Ok(written) => written,
        Err(stop) => return stop.outcome(left),
    };
    for (why, &count) in &refused {
        let count = quantity(count.into(), "record", "records");
        note(&format!("{count} {why} left out: {format} can't hold them"));
    }
    if !is_stream {
        let [records, read] = [records, reading.all.records].map(|it| thousands(it.into()));
        writeln!(out, "{records} of {read} records written, {}", time(begin.elapsed()))?;
    }
    Ok(if is_bad || !refused.is_empty() { Outcome::Failed } else { Outcome::Fine })
}
