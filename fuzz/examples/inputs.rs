//! Moves inputs between the files in `inputs/` and the folders that a fuzzer uses.
//!
//! `unpack TARGET FOLDER` writes a file for each input. `pack TARGET FOLDER` replaces the inputs of
//! a target with the files in a folder.

use std::error::Error;
use std::fs;
use std::path::Path;

use tabiya_fuzz::inputs;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["unpack", target, folder] => {
            fs::create_dir_all(folder)?;
            for (input, number) in inputs::read(target)?.iter().zip(1..) {
                fs::write(Path::new(folder).join(format!("known-{number}")), input)?;
            }
            Ok(())
        }
        ["pack", target, folder] => {
            let files: Result<Vec<_>, _> = fs::read_dir(folder)?.collect();
            let read = |file: fs::DirEntry| fs::read(file.path());
            let bytes: Result<Vec<_>, _> = files?.into_iter().map(read).collect();
            Ok(inputs::write(target, bytes?)?)
        }
        _ => Err("usage: inputs (pack | unpack) TARGET FOLDER".into()),
    }
}
