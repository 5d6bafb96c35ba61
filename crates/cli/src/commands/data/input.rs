//! Files of records: their formats, and their blocks one after another.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tabiya_data::{Block, Blocks, Format};

use crate::failure::Diagnostic;
use crate::interrupt::Interrupt;
use crate::unpacked::{self, Form, Passed};

/// The names of formats as values of arguments.
pub(super) fn format_parser() -> impl TypedValueParser<Value = Format> {
    parser_of(|_| true)
}

/// The names of formats that can be written.
pub(super) fn written_parser() -> impl TypedValueParser<Value = Format> {
    parser_of(|format| format.encoder().is_some())
}

fn parser_of(is_meant: fn(&Format) -> bool) -> impl TypedValueParser<Value = Format> {
    let names = Format::ALL.into_iter().filter(is_meant).map(Format::name);
    PossibleValuesParser::new(names).try_map(|name| name.parse::<Format>())
}

/// The format of a file: the given one, or the one of its name.
pub(super) fn format_of(
    path: &Path,
    given: Option<Format>,
    option: &str,
) -> Result<Format, Diagnostic> {
    given.or_else(|| Format::from_path(path)).ok_or_else(|| {
        let names: Vec<_> = Format::ALL.iter().map(|it| it.name()).collect();
        Diagnostic::new(format_args!("the name {} doesn't tell the format", path.display()))
            .hint(format_args!("name it with {option}: {}", names.join(", ")))
    })
}

/// A file to be read, and its format.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

impl Input {
    pub(super) fn new(path: &Path, from: Option<Format>) -> Result<Self, Diagnostic> {
        let unpacked = match Form::of(path) {
            Some(_) => path.with_extension(""),
            None => path.to_owned(),
        };
        Ok(Self { path: path.to_owned(), format: format_of(&unpacked, from, "--from")? })
    }

    pub(super) fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// A block of one of the files.
#[derive(Debug)]
pub(super) struct Job {
    /// The number of the file.
    pub(super) file: usize,
    pub(super) format: Format,
    pub(super) block: Block,
}

/// The blocks of all files. An error names its file.
pub(super) struct Jobs {
    inputs: Vec<Input>,
    /// The number of the file that is read, or the next one.
    file: usize,
    blocks: Option<Blocks<Box<dyn Read + Send>>>,
    passed: Passed,
    watch: Interrupt,
}

impl Jobs {
    pub(super) fn new(inputs: &[Input], passed: &Passed, watch: &Interrupt) -> Self {
        let (inputs, passed) = (inputs.to_vec(), passed.clone());
        Self { inputs, file: 0, blocks: None, passed, watch: watch.clone() }
    }

    fn next_job(&mut self) -> io::Result<Option<Job>> {
        while let Some(Input { path, format }) = self.inputs.get(self.file) {
            let blocks = match &mut self.blocks {
                Some(blocks) => blocks,
                none => {
                    let input = unpacked::open_named(path, &self.passed, &self.watch)?;
                    none.insert(Blocks::new(input, *format))
                }
            };
            if let Some(block) = blocks.next_block()? {
                return Ok(Some(Job { file: self.file, format: *format, block }));
            }
            self.blocks = None;
            self.file += 1;
        }
        Ok(None)
    }
}

impl Iterator for Jobs {
    type Item = io::Result<Job>;

    fn next(&mut self) -> Option<io::Result<Job>> {
        let job = self.next_job().transpose()?;
        Some(job.map_err(|error| {
            let name = self.inputs[self.file].name();
            io::Error::new(error.kind(), format!("{name}: {error}"))
        }))
    }
}
