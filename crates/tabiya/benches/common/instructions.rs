//! Counting instructions with valgrind.
//!
//! The program runs itself under valgrind with one pass of some work, and again with two passes. The
//! difference is the cost of one pass; everything before the work cancels out.

use std::process::{Command, ExitCode};

/// The option that counts instructions instead of measuring times.
pub(crate) const FLAG: &str = "--instructions";

const PASSES: &str = "--passes";
/// The exit code of a run that does not know the name.
const ABSENT: u8 = 3;

/// The work of a run under valgrind.
pub(crate) struct Measured<'a> {
    pub(crate) name: &'a str,
    pub(crate) passes: u32,
}

impl<'a> Measured<'a> {
    /// The work named by the arguments, if this is a run under valgrind.
    pub(crate) fn from_arguments(arguments: &'a [String]) -> Option<Self> {
        let [flag, passes, name] = arguments else { return None };
        let passes = (flag == PASSES).then(|| passes.parse().ok())??;
        Some(Self { name, passes })
    }

    /// The exit code that tells the counting run whether the name was known.
    pub(crate) fn end(found: bool) -> ExitCode {
        if found { ExitCode::SUCCESS } else { ExitCode::from(ABSENT) }
    }
}

/// The instructions of a whole run, or the reason why there is no count.
fn run(name: &str, passes: u32) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([PASSES, &passes.to_string(), name])
        .output()
        .map_err(|error| format!("valgrind: {error}"))?;
    if output.status.code() == Some(ABSENT.into()) {
        return Err("not supported by valgrind's CPU".into());
    }
    let report = String::from_utf8_lossy(&output.stderr);
    report
        .lines()
        .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok())
        .ok_or_else(|| format!("no count in valgrind's report:\n{report}"))
}

/// Prints a line for each name: the instructions of a pass, divided by the number of questions.
pub(crate) fn print<'a>(names: impl IntoIterator<Item = &'a str>, questions: usize) {
    for name in names {
        let pass = run(name, 1).and_then(|one| Ok(run(name, 2)?.saturating_sub(one)));
        match pass {
            Ok(count) => println!("{name:36} {:12.1}", count as f64 / questions as f64),
            Err(reason) => println!("{name:36} not counted: {reason}"),
        }
    }
}
