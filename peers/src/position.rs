//! The positions that are counted: those of `standard.epd`, each at its greatest depth.

/// The suite: a comment `# name: description`, then a line `FEN ;D1 n ;D2 n ...`.
const STANDARD: &str = tabiya_suites::STANDARD.text;

/// A position, the depth to count and the known number of leaf nodes.
#[derive(Clone, Debug)]
pub(crate) struct Position {
    pub(crate) name: String,
    pub(crate) fen: String,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
}

/// The positions with these names, or all if `names` is empty. The depth is the greatest one in
/// the suite, less `minus`.
pub(crate) fn select(names: &[String], minus: u32) -> Result<Vec<Position>, String> {
    let all = parse(STANDARD, minus)?;
    if names.is_empty() {
        return Ok(all);
    }
    names
        .iter()
        .map(|name| {
            all.iter().find(|position| position.name == *name).cloned().ok_or_else(|| {
                let known: Vec<&str> = all.iter().map(|position| position.name.as_str()).collect();
                format!("unknown position {name:?}; the positions are {}", known.join(", "))
            })
        })
        .collect()
}

/// Parses a suite. The comment above a position begins with its name.
fn parse(suite: &str, minus: u32) -> Result<Vec<Position>, String> {
    let mut positions = Vec::new();
    let mut comment = "";
    for line in suite.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(text) = line.strip_prefix('#') {
            comment = text;
            continue;
        }
        let name = comment.split(':').next().unwrap_or_default().trim().to_owned();
        positions.push(
            parse_line(name, line, minus)
                .ok_or_else(|| format!("expected \"FEN ;D1 n ;D2 n ...\", found {line:?}"))?,
        );
    }
    Ok(positions)
}

/// Parses `FEN ;D1 n ;D2 n ...`, with the counts in order of depth.
fn parse_line(name: String, line: &str, minus: u32) -> Option<Position> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next()?.to_owned();
    let counts: Vec<(u32, u64)> = fields
        .map(|field| {
            let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
            Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
        })
        .collect::<Option<_>>()?;
    let index = counts.len().checked_sub(1)?.saturating_sub(minus as usize);
    let (depth, nodes) = counts[index];
    Some(Position { name, fen, depth, nodes })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_suite_has_six_positions() {
        let depths: Vec<(String, u32)> = select(&[], 0)
            .unwrap()
            .into_iter()
            .map(|position| (position.name, position.depth))
            .collect();
        let expected =
            [("startpos", 6), ("kiwipete", 5), ("cpw3", 7), ("cpw4", 6), ("cpw5", 5), ("cpw6", 5)];
        assert_eq!(depths, expected.map(|(name, depth)| (name.to_owned(), depth)));
    }

    #[test]
    fn the_depth_is_never_less_than_one() {
        assert!(select(&[], 99).unwrap().iter().all(|position| position.depth == 1));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        assert!(select(&["nowhere".to_owned()], 0).is_err());
    }
}
