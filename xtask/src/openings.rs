//! The tables of named openings, made from their data.

use std::fs;

use tabiya::Position;
use tabiya::packed::PackedIdentity;

/// The folder of the crate, in the repository.
const CRATE: &str = "crates/openings";

/// Writes the tables, or checks that they are up to date.
pub(crate) fn write(check: bool) -> Result<(), String> {
    let folder = crate::repository().join(CRATE);
    let mut names = String::new();
    let mut positions = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let path = folder.join("data").join(volume).with_extension("tsv");
        let about = |message: String| format!("{}: {message}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| about(error.to_string()))?;
        for line in text.lines().skip(1) {
            let mut fields = line.split('\t');
            let (Some(eco), Some(name), Some(moves)) =
                (fields.next(), fields.next(), fields.next())
            else {
                return Err(about(format!("a line has no three fields: {line}")));
            };
            let position = play(moves).map_err(|error| about(format!("{line}: {error}")))?;
            if eco.len() != 3 {
                return Err(about(format!("the code has not three characters: {line}")));
            }
            let mut record = PackedIdentity::of(&position).to_bytes().to_vec();
            record.extend_from_slice(&(names.len() as u32).to_le_bytes()[..3]);
            positions.push(record);
            names.push_str(eco);
            names.push_str(name);
            names.push('\n');
        }
    }
    positions.sort();
    let count = positions.len();
    positions.dedup_by(|a, b| a[..PackedIdentity::BYTES] == b[..PackedIdentity::BYTES]);
    if positions.len() < count {
        return Err(format!("{CRATE}: a position has several names"));
    }
    for (file, bytes) in [("positions.bin", positions.concat()), ("names.txt", names.into_bytes())]
    {
        let path = folder.join("src").join(file);
        let about = |error: std::io::Error| format!("{}: {error}", path.display());
        if !check {
            fs::write(&path, bytes).map_err(about)?;
        } else if fs::read(&path).map_err(about)? != bytes {
            return Err(format!("{}: run cargo xtask openings", path.display()));
        }
    }
    Ok(())
}

/// The position after moves such as `1. e4 e5 2. Nf3`.
fn play(moves: &str) -> Result<Position, String> {
    let mut words = moves.split_ascii_whitespace().filter(|word| !word.ends_with('.'));
    words.try_fold(Position::START, |position, san| {
        let mv = position.parse_san(san).map_err(|error| error.to_string())?;
        Ok(position.play(mv))
    })
}
