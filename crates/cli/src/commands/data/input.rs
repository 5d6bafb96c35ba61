//! Files of records: their formats, and their blocks one after another.

use std::io;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use tabiya_data::{Block, Blocks, Format, Found, Plan, Record};

use crate::failure::Diagnostic;
use crate::interrupt::Interrupt;
use crate::unpacked::{self, Form, Passed};

/// An option that names a format.
pub(super) struct FormatOption {
    name: &'static str,
    takes: fn(&Format) -> bool,
}

pub(super) const FROM: FormatOption = FormatOption { name: "--from", takes: |_| true };
pub(super) const TO: FormatOption =
    FormatOption { name: "--to", takes: |format| format.encoder().is_some() };

impl FormatOption {
    fn names(&self) -> Vec<&'static str> {
        Format::ALL.into_iter().filter(self.takes).map(Format::name).collect()
    }

    /// The names as values of the option.
    pub(super) fn parser(&self) -> impl TypedValueParser<Value = Format> + use<> {
        PossibleValuesParser::new(self.names()).try_map(|name| name.parse::<Format>())
    }

    /// The format of a file: the given one, or the one of its name.
    pub(super) fn format(&self, path: &Path, given: Option<Format>) -> Result<Format, Diagnostic> {
        given.or_else(|| Format::from_path(path)).ok_or_else(|| {
            let path = path.display();
            Diagnostic::new(format_args!("the name {path} doesn't tell the format"))
                .hint(format_args!("name it with {}: {}", self.name, self.names().join(", ")))
        })
    }
}

/// A file to be read, and its format.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) path: PathBuf,
    pub(super) format: Format,
}

impl Input {
    /// All files that a command names.
    pub(super) fn all(paths: &[PathBuf], from: Option<Format>) -> Result<Vec<Self>, Diagnostic> {
        let input = |path: &PathBuf| {
            let unpacked = Form::of(path).map(|_| path.with_extension(""));
            let format = FROM.format(unpacked.as_ref().unwrap_or(path), from)?;
            Ok(Self { path: path.clone(), format })
        };
        paths.iter().map(input).collect()
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

impl Job {
    /// Visits the records that are taken.
    pub(super) fn visit(&self, plan: &Plan, visit: impl FnMut(&Record)) -> Found {
        plan.visit(self.format, &self.block, visit)
    }
}

/// The blocks of all files. An error names its file.
pub(super) fn jobs(
    inputs: Vec<Input>,
    passed: &Passed,
    watch: &Interrupt,
) -> impl Iterator<Item = io::Result<Job>> + Send + use<> {
    let (passed, watch) = (passed.clone(), watch.clone());
    inputs.into_iter().enumerate().flat_map(move |(file, Input { path, format })| {
        let (blocks, error) = match unpacked::open_named(&path, &passed, &watch) {
            Ok(input) => (Some(Blocks::new(input, format)), None),
            Err(error) => (None, Some(Err(error))),
        };
        blocks.into_iter().flatten().chain(error).map(move |block| match block {
            Ok(block) => Ok(Job { file, format, block }),
            Err(error) => Err(io::Error::new(error.kind(), format!("{}: {error}", path.display()))),
        })
    })
}
