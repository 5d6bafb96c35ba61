//! The owner's settings: lines of the root's `Cargo.toml` that are empty until a release needs them.

use std::path::Path;

use crate::files::read;

/// The value of the line `name = "…"`, unless it is empty.
pub(super) fn value(root: &Path, name: &str) -> Result<Option<String>, String> {
    let path = root.join("Cargo.toml");
    let text = read(&path)?;
    let key = format!("{name} = \"");
    let line = text.lines().find_map(|line| line.strip_prefix(&key)?.strip_suffix('"'));
    match line {
        None => Err(format!("{}: no line `{key}…\"`", path.display())),
        Some(value) => Ok(Some(value.to_owned()).filter(|value| !value.is_empty())),
    }
}
