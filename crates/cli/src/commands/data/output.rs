//! Encoding records with all threads, and writing them in order.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Write};
use std::path::{Path, PathBuf};

use clap::ValueHint;
use tabiya_data::{Field, Format, GameResult, Record, Refused};
use tabiya_runs::OutputFile;

use super::input::{Input, format_of, written_parser};
use super::reading::{End, Reading, note};
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
    #[arg(long, value_name = "NAME", value_parser = written_parser())]
    to: Option<Format>,
}

impl FileArgs {
    pub(super) fn output(&self) -> &Path {
        &self.output
    }

    /// The files and the output, after all that can be refused before the work begins.
    pub(super) fn open(&self, from: Option<Format>) -> Result<(Vec<Input>, Output), Failure> {
        let inputs = self.inputs.iter().map(|path| Input::new(path, from));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
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
        let format = format_of(path, to, "--to")?;
        if format.encoder().is_none() {
            return Err(Diagnostic::new(format_args!("{format} can only be read")).into());
        }
        let failed = |error| Failure::File { path: path.to_owned(), error };
        let file = (!is_stream(path)).then(|| OutputFile::at(path).map_err(failed)).transpose()?;
        Ok(Self { path: path.to_owned(), format, file })
    }

    fn must_differ(&self, input: &Path) -> Result<(), Diagnostic> {
        let is_same = match (self.path.canonicalize(), input.canonicalize()) {
            (Ok(output), Ok(input)) => output == input,
            _ => false,
        };
        if is_same && !is_stream(input) {
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
        let lost: Vec<Field> = from.lost_in(self.format).collect();
        let (chess960, lost): (Vec<_>, Vec<_>) =
            lost.into_iter().partition(|it| *it == Field::Chess960);
        if !lost.is_empty() {
            let lost: Vec<_> = lost.iter().map(Field::to_string).collect();
            note(&format!(
                "{} doesn't hold these, so they're lost: {}",
                self.format,
                lost.join(", ")
            ));
        }
        // Without castling rights, a game of Chess960 is like any other.
        if !chess960.is_empty() && self.format.holds(Field::Castling) {
            note(&format!("{} doesn't hold Chess960, so such records are left out", self.format));
        }
    }

    /// Writes all parts. The inner error is the parts'; nothing is written then, unless it's to a stream.
    ///
    /// # Errors
    /// The output can't be written.
    pub(super) fn write(
        self,
        parts: &mut dyn Iterator<Item = io::Result<Encoded>>,
        out: &mut dyn Write,
    ) -> Result<io::Result<Written>, Failure> {
        let (header, format) = (self.format.header().as_bytes().to_vec(), self.format);
        let mut bytes = EncodedBytes {
            parts,
            part: Cursor::new(header),
            records: 0,
            refused: BTreeMap::new(),
            error: None,
        };
        let result = match self.file {
            Some(file) => file.write(&mut bytes),
            None => io::copy(&mut bytes, out),
        };
        match (result, bytes.error) {
            (_, Some(error)) => Ok(Err(error)),
            (Ok(_), None) => {
                let (records, refused) = (bytes.records, bytes.refused);
                Ok(Ok(Written { path: self.path, format, records, refused }))
            }
            (Err(error), None) if is_stream(&self.path) => Err(error.into()),
            (Err(error), None) => Err(Failure::File { path: self.path, error }),
        }
    }
}

/// Records as bytes.
#[derive(Debug, Default)]
pub(super) struct Encoded {
    bytes: Vec<u8>,
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

    /// The rows, if the format has rows.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// The bytes of all parts.
struct EncodedBytes<'a> {
    parts: &'a mut dyn Iterator<Item = io::Result<Encoded>>,
    part: Cursor<Vec<u8>>,
    records: u64,
    refused: BTreeMap<Refused, u64>,
    /// The error of the parts, as opposed to one of the output.
    error: Option<io::Error>,
}

impl Read for EncodedBytes<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.part.read(buffer)?;
            if len > 0 || buffer.is_empty() {
                return Ok(len);
            }
            match self.parts.next() {
                None => return Ok(0),
                Some(Ok(Encoded { bytes, records, refused })) => {
                    self.part = Cursor::new(bytes);
                    self.records += records;
                    refused
                        .into_iter()
                        .for_each(|(why, count)| *self.refused.entry(why).or_default() += count);
                }
                Some(Err(error)) => {
                    self.error = Some(error);
                    return Err(io::Error::other("the input failed"));
                }
            }
        }
    }
}

/// What has been written.
pub(super) struct Written {
    path: PathBuf,
    format: Format,
    records: u64,
    refused: BTreeMap<Refused, u64>,
}

/// Says what was read and written, and what wasn't.
pub(super) fn report<T: Send + 'static>(
    reading: &mut Reading<T>,
    written: io::Result<Written>,
    begin: std::time::Instant,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    reading.line.clear();
    let is_bad = reading.end != End::FirstBad && reading.report_bad();
    let written = match (written, reading.end) {
        (Ok(written), _) => written,
        (Err(_), End::Interrupt) => {
            note("stopped: no file was written");
            return Ok(Outcome::Interrupted);
        }
        (Err(error), End::FirstBad) => {
            note(&format!("{error}: no file was written"));
            return Ok(Outcome::Failed);
        }
        (Err(error), End::OfFiles) => return Err(Diagnostic::new(error).into()),
    };
    let Written { path, format, records, refused } = written;
    for (why, &count) in &refused {
        let count = quantity(count.into(), "record", "records");
        note(&format!("{count} {why} left out: {format} can't hold them"));
    }
    if !is_stream(&path) {
        let read: u64 = reading.found.iter().map(|it| it.records).sum();
        let (records, read) = (thousands(records.into()), thousands(read.into()));
        writeln!(out, "{records} of {read} records written, {}", time(begin.elapsed()))?;
    }
    Ok(if is_bad || !refused.is_empty() { Outcome::Failed } else { Outcome::Fine })
}
