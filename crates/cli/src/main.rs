//! The `tabiya` command. All its code is in the library of this package.

use std::process::ExitCode;

fn main() -> ExitCode {
    tabiya_cli::run(std::env::args_os())
}
