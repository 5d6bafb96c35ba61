//! `tabiya status`: shows how far a long run has come.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_perft::Convention;
use tabiya_runs::checkpoint::{CheckpointError, Status, status_of};
use tabiya_runs::{DistinctError, distinct_status};

use super::perft::write_distinct_status;
use crate::checkpoint_report::{failure, write, write_json};
use crate::failure::Failure;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  tabiya status start-6.tabiya
  tabiya status start-6.tabiya --json

`tabiya perft 6 --checkpoint start-6.tabiya` creates the file.";

/// Show how far a long run has come, for users of perft --checkpoint
///
/// It has the leaf nodes found below each root move. This also works during the run. The status is
/// then at most about one second old. If leaf nodes are counted by category, it has the categories
/// of those found so far; checks include mates. For a count of distinct positions (`tabiya perft
/// --distinct --checkpoint`), it shows the numbers at each ply.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file of `tabiya perft --checkpoint`, which may be read-only
    file: PathBuf,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let status = match wait_for_status(&args.file) {
        Ok(status) => status,
        Err(CheckpointError::Foreign) if is_of_distinct_positions(&args.file) => {
            write_distinct_status(&args.file, args.json, out)?;
            return Ok(Outcome::Fine);
        }
        Err(error) => return Err(failure(&error, &args.file)),
    };
    if args.json {
        write_json(&status, Convention::default(), out)?;
    } else {
        write(&status, true, Convention::default(), out)?;
    }
    Ok(Outcome::Fine)
}

/// Is this file a checkpoint of distinct positions, even if it is damaged?
fn is_of_distinct_positions(path: &Path) -> bool {
    !matches!(distinct_status(path), Err(DistinctError::ForeignCheckpoint { .. }))
}

/// Reads the status. A run that has just begun has no status yet, so this waits for it.
fn wait_for_status(path: &Path) -> Result<Status, CheckpointError> {
    const MAX_WAIT: Duration = Duration::from_secs(10);
    let begin = Instant::now();
    loop {
        match status_of(path) {
            Err(CheckpointError::InUse) if begin.elapsed() < MAX_WAIT => {
                thread::sleep(Duration::from_millis(100));
            }
            found => return found,
        }
    }
}
