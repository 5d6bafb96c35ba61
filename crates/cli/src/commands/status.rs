//! `tabiya status`: how far a long run has come.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use tabiya_perft::Convention;
use tabiya_perft::checkpoint::{CheckpointError, Status, status_of};

use crate::checkpoint_report::{failure, write, write_json};
use crate::failure::Failure;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  tabiya status start-6.tabiya
  tabiya status start-6.tabiya --json

`tabiya perft 6 --checkpoint start-6.tabiya` creates the file.";

/// Show how far a long run has come, and what it has found below each root move
///
/// This also works during the run. The status is then at most about one second old. If leaf nodes are
/// counted by category, it has the categories of those found so far; checks include mates.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// The file of `tabiya perft --checkpoint`
    file: PathBuf,

    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let status = wait_for_status(&args.file).map_err(|error| failure(&error, &args.file))?;
    if args.json {
        write_json(&status, Convention::default(), out)?;
    } else {
        write(&status, true, Convention::default(), out)?;
    }
    Ok(Outcome::Fine)
}

/// The status. A run that has just begun has none yet, so this waits for it.
fn wait_for_status(path: &Path) -> Result<Status, CheckpointError> {
    const MAX_WAIT: Duration = Duration::from_secs(5);
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
