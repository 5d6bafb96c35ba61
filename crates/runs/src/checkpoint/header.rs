//! The job according to the file, the text of its fields, and the versions of the format.

use std::collections::HashMap;

use tabiya::{CastlingMode, Move};

use super::error::CheckpointError;
use super::job::{Job, WorkUnit, castling_text, position_of};
use super::rows::FIELDS;

/// The version of the file's format.
pub const FORMAT: u32 = 1;

/// The version of the format of a job [by category](super::Job::by_category).
pub const CATEGORY_FORMAT: u32 = 2;

/// The job according to the file.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) job: Job,
    /// Plies from the root to the units.
    pub(super) split: u32,
    /// The root's moves as moves and as text.
    pub(super) moves: Vec<(Move, String)>,
    /// The number of units.
    pub(super) units: u64,
    /// The number of move sequences that lead to the units.
    pub(super) games: u128,
}

impl Header {
    pub(super) fn of_units(job: &Job, units: &[WorkUnit]) -> Self {
        // Without units, such as after a mate at the root, the file is still one for this split.
        let wanted = job.split().unwrap_or(1);
        let split = units.first().map_or(wanted, |unit| job.depth() - unit.depth);
        Self {
            job: job.clone(),
            split,
            moves: move_texts(job),
            units: units.len() as u64,
            games: units.iter().map(|unit| u128::from(unit.multiplicity())).sum(),
        }
    }

    /// The fields of the table `job`.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let Self { job, split, moves, units, games } = self;
        let root = job.root();
        let values = [
            root.fen().to_string(),
            castling_text(root.castling_mode()).to_owned(),
            job.depth().to_string(),
            split.to_string(),
            joined(moves),
            units.to_string(),
            games.to_string(),
        ];
        let mut fields: Vec<_> = FIELDS.into_iter().zip(values).collect();
        let by_category = job.is_by_category();
        let texts = fields.iter().map(|(name, value)| format!("{name} {value}\n"));
        let checksum = checksum_of_fields(texts, by_category);
        fields.push(("checksum", checksum));
        fields.push(("format", format_of(by_category).to_string()));
        fields
    }

    /// Reads the fields of the table `job`. The format is checked first, because another format may
    /// have other fields.
    pub(super) fn of_fields(fields: &HashMap<String, String>) -> Result<Self, CheckpointError> {
        let field = |name: &str| {
            fields
                .get(name)
                .ok_or_else(|| CheckpointError::Damaged(format!("its job has no field {name:?}")))
        };
        let found = field("format")?;
        let by_category = [false, true]
            .into_iter()
            .find(|&by_category| format_of(by_category).to_string() == *found)
            .ok_or_else(|| CheckpointError::Format { found: found.clone() })?;
        let mut texts = Vec::new();
        for name in FIELDS {
            texts.push(format!("{name} {}\n", field(name)?));
        }
        let unreadable = || CheckpointError::Damaged("its job cannot be read".to_owned());
        if *field("checksum")? != checksum_of_fields(texts, by_category) {
            return Err(unreadable());
        }
        let mode = castling_mode(field("castling")?).ok_or_else(unreadable)?;
        let root = position_of(field("root")?, mode).ok_or_else(unreadable)?;
        let depth = field("depth")?.parse().map_err(|_| unreadable())?;
        let split = field("split")?.parse().map_err(|_| unreadable())?;
        let job = Job::new(root, depth)
            .and_then(|job| job.with_split(split))
            .and_then(|job| if by_category { job.by_category() } else { Ok(job) })
            .map_err(|_| unreadable())?;
        let moves = move_texts(&job);
        if joined(&moves) != *field("moves")? {
            return Err(CheckpointError::Damaged("its moves are not those of its root".to_owned()));
        }
        let units = field("units")?.parse().map_err(|_| unreadable())?;
        let games = field("games")?.parse().map_err(|_| unreadable())?;
        Ok(Self { split, moves, units, games, job })
    }
}

/// The format of the file.
const fn format_of(by_category: bool) -> u32 {
    if by_category { CATEGORY_FORMAT } else { FORMAT }
}

/// The checksum of the fields, given as lines. It also covers the format, except the first format.
fn checksum_of_fields(lines: impl IntoIterator<Item = String>, by_category: bool) -> String {
    let mut text: String = lines.into_iter().collect();
    if by_category {
        text += &format!("format {CATEGORY_FORMAT}\n");
    }
    crc32fast::hash(text.as_bytes()).to_string()
}

/// The root's moves as moves and as text.
fn move_texts(job: &Job) -> Vec<(Move, String)> {
    job.moves().into_iter().map(|mv| (mv, job.root().uci(mv).to_string())).collect()
}

/// The moves as text on one line.
fn joined(moves: &[(Move, String)]) -> String {
    moves.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}

fn castling_mode(text: &str) -> Option<CastlingMode> {
    [CastlingMode::Standard, CastlingMode::Chess960]
        .into_iter()
        .find(|&mode| castling_text(mode) == text)
}
