//! The positions that are counted: those of `standard.epd`, each at its greatest depth or near it.

/// The suite: a comment `# name: description`, then a line `FEN ;D1 n ;D2 n ...`.
const STANDARD: &str = tabiya_suites::STANDARD.text;

/// Lines `name,depth,nodes`.
const DEEPER: &str = tabiya_suites::KNOWN_COUNTS.text;

/// A position, the depth to count and the known number of leaf nodes.
#[derive(Clone, Debug)]
pub struct Position {
    pub name: String,
    pub fen: String,
    pub depth: u32,
    pub nodes: u64,
}

/// The positions with these names, or all if `names` is empty. The depth is the greatest one in
/// the suite, or so many plies `deeper`, as far as `known-counts.csv` has the count.
pub fn select(names: &[String], deeper: i32) -> Result<Vec<Position>, String> {
    let all = parse(STANDARD, deeper)?;
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
fn parse(suite: &str, deeper: i32) -> Result<Vec<Position>, String> {
    let mut positions = Vec::new();
    let mut comment = "";
    for line in suite.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(text) = line.strip_prefix('#') {
            comment = text;
            continue;
        }
        let name = comment.split(':').next().unwrap_or_default().trim().to_owned();
        positions.push(
            parse_line(name, line, deeper)
                .ok_or_else(|| format!("expected \"FEN ;D1 n ;D2 n ...\", found {line:?}"))?,
        );
    }
    Ok(positions)
}

/// Parses `FEN ;D1 n ;D2 n ...`, with the counts in order of depth.
fn parse_line(name: String, line: &str, deeper: i32) -> Option<Position> {
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next()?.to_owned();
    let count = |depth: &str, nodes: &str| Some((depth.parse().ok()?, nodes.trim().parse().ok()?));
    let mut counts = fields
        .map(|field| {
            let (depth, nodes) = field.strip_prefix('D')?.split_once(' ')?;
            count(depth, nodes)
        })
        .collect::<Option<Vec<(u32, u64)>>>()?;
    let wanted = counts.last()?.0.saturating_add_signed(deeper).max(1);
    counts.extend(DEEPER.lines().filter_map(|line| {
        let (depth, nodes) = line.strip_prefix(&name)?.strip_prefix(',')?.split_once(',')?;
        count(depth, nodes)
    }));
    let (depth, nodes) = counts.into_iter().filter(|(depth, _)| *depth <= wanted).max()?;
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
        assert!(select(&[], -99).unwrap().iter().all(|position| position.depth == 1));
    }

    #[test]
    fn some_counts_are_known_one_ply_deeper() {
        let depths = select(&[], 1).unwrap().into_iter().map(|position| position.depth);
        assert!(depths.eq([7, 6, 8, 6, 6, 6]));
    }

    #[test]
    fn an_unknown_name_is_an_error() {
        assert!(select(&["nowhere".to_owned()], 0).is_err());
    }
}
