//! Prints the value and the distance of each FEN on stdin.
//!
//! ```sh
//! echo '8/8/8/8/B7/N7/K2k4/8 b - - 0 1' | cargo run --example values FOLDER
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};

use tabiya::Position;
use tabiya_syzygy::{Folder, Tables};

fn main() -> Result<(), Box<dyn Error>> {
    let mut folder = Folder::default();
    for path in std::env::args_os().skip(1) {
        folder = folder.and(path)?;
    }
    let tables = Tables::new(folder);
    let mut out = io::BufWriter::new(io::stdout().lock());
    for line in io::stdin().lock().lines() {
        let position = Position::from_fen(&line?)?;
        match (tables.wdl(&position), tables.dtz(&position)) {
            (Ok(wdl), Ok(dtz)) => writeln!(out, "{} {dtz}", wdl as i8)?,
            (Err(error), _) | (_, Err(error)) => writeln!(out, "{error}")?,
        }
    }
    Ok(())
}
