//! The tables of named openings, made from their data.

use std::fs;
use std::path::{Path, PathBuf};

use tabiya::Position;
use tabiya::packed::PackedIdentity;

use crate::files::{self, repository};

/// The folder of the crate, in the repository.
const CRATE: &str = "crates/openings";

/// A line of the data.
struct Row {
    eco: String,
    name: String,
    /// The position after its moves.
    position: Position,
}

/// Writes the tables, or checks that they are up to date.
pub(crate) fn write(check: bool) -> Result<(), String> {
    let folder = repository().join(CRATE);
    let data = folder.join("data");
    let mut rows = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        rows.extend(read(&data.join(volume).with_extension("tsv"))?);
    }
    let tables = tables(&rows)?;
    let files: [(PathBuf, Vec<u8>); 3] = [
        (folder.join("src/positions.bin"), tables.positions),
        (folder.join("src/starts.bin"), tables.starts),
        (folder.join("src/names.txt"), tables.names.into_bytes()),
    ];
    for (path, bytes) in files {
        if !check {
            files::write(&path, bytes)?;
        } else if fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))? != bytes
        {
            return Err(format!("{}: run cargo xtask openings", path.display()));
        }
    }
    Ok(())
}

/// The tables as a script for the npm package: `names`, and `positions` in base 64.
pub(crate) fn script() -> Result<String, String> {
    let folder = repository().join(CRATE).join("src");
    let names = files::read(&folder.join("names.txt"))?;
    let positions = fs::read(folder.join("positions.bin")).map_err(|error| error.to_string())?;
    Ok(format!(
        "// Made by cargo xtask web from the data of lichess-org/chess-openings (CC0).\n\
         export const names = {names:?};\nexport const positions = \"{}\";\n",
        base64(&positions)
    ))
}

/// Bytes in base 64 (RFC 4648).
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |index: usize| u32::from(three.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let value = (bits >> (18 - 6 * digit)) & 63;
            text.push(if digit <= three.len() { char::from(DIGITS[value as usize]) } else { '=' });
        }
    }
    text
}

/// The lines of a file of openings: code, name and moves.
fn read(path: &Path) -> Result<Vec<Row>, String> {
    let about = |message: String| format!("{}: {message}", path.display());
    let text = files::read(path)?;
    let row = |line: &str| {
        let mut fields = line.split('\t');
        let (Some(eco), Some(name), Some(moves)) = (fields.next(), fields.next(), fields.next())
        else {
            return Err(about(format!("a line has no three fields: {line}")));
        };
        if eco.len() != 3 {
            return Err(about(format!("the code has not three characters: {line}")));
        }
        let position = play(moves).map_err(|error| about(format!("{line}: {error}")))?;
        Ok(Row { eco: eco.to_owned(), name: name.to_owned(), position })
    };
    text.lines().skip(1).map(row).collect()
}

/// The position after moves such as `1. e4 e5 2. Nf3`.
fn play(moves: &str) -> Result<Position, String> {
    let mut words = moves.split_ascii_whitespace().filter(|word| !word.ends_with('.'));
    words.try_fold(Position::START, |position, san| {
        let mv = position.parse_san(san).map_err(|error| error.to_string())?;
        Ok(position.play(mv))
    })
}

/// The files of the crate.
#[derive(Default)]
struct Tables {
    /// The packed positions in their order, each with the index of its name.
    positions: Vec<u8>,
    /// The offset of each name.
    starts: Vec<u8>,
    /// A line for each opening: code and name.
    names: String,
}

fn tables(rows: &[Row]) -> Result<Tables, String> {
    let mut tables = Tables::default();
    let mut positions = Vec::new();
    for (index, Row { eco, name, position }) in rows.iter().enumerate() {
        let index = u16::try_from(index).map_err(|_| format!("{CRATE}: too many openings"))?;
        let mut record = PackedIdentity::of(position).to_bytes().to_vec();
        record.extend_from_slice(&index.to_le_bytes());
        positions.push(record);
        tables.starts.extend_from_slice(&(tables.names.len() as u32).to_le_bytes());
        tables.names.push_str(&format!("{eco}{name}\n"));
    }
    positions.sort();
    let count = positions.len();
    positions.dedup_by(|a, b| a[..PackedIdentity::BYTES] == b[..PackedIdentity::BYTES]);
    if positions.len() < count {
        return Err(format!("{CRATE}: a position has several names"));
    }
    tables.positions = positions.concat();
    Ok(tables)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_written_in_base_64() {
        let examples =
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")];
        for (bytes, text) in examples {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn moves_are_played() {
        assert_eq!(play("1. Nf3 Nf6 2. c4"), play("1. c4 Nf6 2. Nf3"));
        assert!(play("1. e4 e4").is_err());
    }
}
