//! Chores of the workspace: `cargo xtask magics [--check]`.

mod magics;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str = "usage: cargo xtask magics [--check]

  magics           search for the magic multipliers and write them into the library
  magics --check   search, and fail if the library holds others";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/tabiya/src/attacks/magic_numbers.rs");
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["magics"] => match std::fs::write(&file, magics::source()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                ExitCode::FAILURE
            }
        },
        ["magics", "--check"] => match std::fs::read_to_string(&file) {
            Ok(text) if text == magics::source() => {
                println!("the multipliers are those that the search finds");
                ExitCode::SUCCESS
            }
            Ok(_) => {
                eprintln!("{}: not what the search finds", file.display());
                ExitCode::FAILURE
            }
            Err(error) => {
                eprintln!("{}: {error}", file.display());
                ExitCode::FAILURE
            }
        },
        _ => {
            eprintln!("{USAGE}");
            ExitCode::from(2)
        }
    }
}
