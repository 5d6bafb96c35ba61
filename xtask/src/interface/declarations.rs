//! The interface of the npm package, from its types for TypeScript.

/// A line for each item: its path and its type, without comments.
pub(super) fn lines(types: &str) -> Vec<String> {
    let text = without_comments(types);
    let mut lines: Vec<String> = Vec::new();
    // What is open: the name of an item and the depth of its members.
    let mut owner = String::new();
    let mut depth = 0_usize;
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if depth == 0 {
            let declared = line.trim_start_matches("export ").trim_start_matches("declare ");
            let name = declared.split([' ', '(', '<', '{', ':', '=']).find(|word| {
                ![
                    "class",
                    "interface",
                    "function",
                    "type",
                    "enum",
                    "const",
                    "abstract",
                    "namespace",
                    "default",
                    "let",
                    "",
                ]
                .contains(word)
            });
            owner = name.unwrap_or(declared).to_owned();
            if line != "}" {
                lines.push(format!("{owner} {declared}"));
            }
        } else if !line.starts_with('}') {
            lines.push(format!("{owner}.{}", line.trim_start_matches("readonly ")));
            if line.starts_with("readonly ") {
                let last = lines.last_mut().expect("a line was pushed");
                last.push_str(" // readonly");
            }
        }
        depth += line.matches(['{', '(', '[']).count();
        depth = depth.saturating_sub(line.matches(['}', ')', ']']).count());
    }
    lines.sort();
    lines.dedup();
    lines
}

/// The text without `/* … */` and `// …`. The types have no strings with these signs.
fn without_comments(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        kept.push_str(before);
        rest = after.split_once("*/").map_or("", |(_, rest)| rest);
    }
    kept.push_str(rest);
    let line = |line: &str| line.split("//").next().unwrap_or_default().to_owned() + "\n";
    kept.lines().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_members_have_lines() {
        let types = "/* eslint */\n/** A point. */\nexport class Point {\n  /** x */\n  free(): void;\n  \
                     readonly x: number;\n  move(by: { dx: number }): Point;\n}\n\
                     export function origin(): Point;\nexport type Kind = \"a\" | \"b\"; // two\n";
        let expected = [
            "Kind type Kind = \"a\" | \"b\"; ",
            "Point class Point {",
            "Point.free(): void;",
            "Point.move(by: { dx: number }): Point;",
            "Point.x: number; // readonly",
            "origin function origin(): Point;",
        ];
        let found: Vec<_> = lines(types).iter().map(|line| line.trim_end().to_owned()).collect();
        assert_eq!(found, expected.map(str::trim_end));
    }
}
