//! The standard perft positions by name.

use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// One of the six standard perft positions of the chess programming community.
///
/// ```
/// use tabiya_views::StandardPosition;
/// let kiwipete: StandardPosition = "kiwipete".parse().unwrap();
/// assert_eq!(kiwipete, StandardPosition::Kiwipete);
/// assert!(kiwipete.fen().starts_with("r3k2r/p1ppqpb1/"));
/// assert_eq!(kiwipete.description(), "every kind of move, pins and castling");
/// assert_eq!(StandardPosition::ALL.map(StandardPosition::name)[0], "startpos");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum StandardPosition {
    /// The start of a game.
    #[default]
    Startpos,
    /// A middlegame with every kind of move, pins and castling.
    Kiwipete,
    /// An endgame with pawns that are pinned along a rank.
    Cpw3,
    /// A position with promotions, and with castling rights that captures take away.
    Cpw4,
    /// A position with a pawn that promotes by a capture.
    Cpw5,
    /// A symmetrical middlegame.
    Cpw6,
}

/// The entry of a position in the suite.
struct Entry {
    name: &'static str,
    description: &'static str,
    fen: &'static str,
}

impl StandardPosition {
    /// All of them, in the order of the suite.
    pub const ALL: [Self; 6] =
        [Self::Startpos, Self::Kiwipete, Self::Cpw3, Self::Cpw4, Self::Cpw5, Self::Cpw6];

    /// The name, such as `kiwipete`.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// A description of the features that the position tests, in a few words.
    pub fn description(self) -> &'static str {
        self.entry().description
    }

    /// The position in FEN.
    pub fn fen(self) -> &'static str {
        self.entry().fen
    }

    fn entry(self) -> &'static Entry {
        static ENTRIES: OnceLock<Vec<Entry>> = OnceLock::new();
        &ENTRIES.get_or_init(entries)[self as usize]
    }
}

/// The entries of the suite: a line `# name: description`, and below it `FEN ;D1 …`.
fn entries() -> Vec<Entry> {
    let lines = tabiya_suites::STANDARD.text.lines();
    let entry = |(heading, position): (&'static str, &'static str)| {
        let (name, description) = heading.strip_prefix("# ")?.split_once(": ")?;
        let (fen, _) = position.split_once(" ;")?;
        Some(Entry { name, description, fen })
    };
    lines.clone().zip(lines.skip(1)).filter_map(entry).collect()
}

impl fmt::Display for StandardPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error for a string that is not the name of a standard position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the standard positions are startpos, kiwipete, cpw3, cpw4, cpw5 and cpw6")]
pub struct StandardPositionError;

impl FromStr for StandardPosition {
    type Err = StandardPositionError;

    /// Reads a name, in letters of either case.
    fn from_str(text: &str) -> Result<Self, StandardPositionError> {
        let is_named = |standard: &Self| standard.name().eq_ignore_ascii_case(text);
        Self::ALL.into_iter().find(is_named).ok_or(StandardPositionError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::Position;

    #[test]
    fn the_suite_holds_these_positions_in_this_order() {
        assert_eq!(entries().len(), StandardPosition::ALL.len());
        let names = StandardPosition::ALL.map(StandardPosition::name);
        assert_eq!(names, ["startpos", "kiwipete", "cpw3", "cpw4", "cpw5", "cpw6"]);
        for standard in StandardPosition::ALL {
            let variant = format!("{standard:?}").to_lowercase();
            assert_eq!(variant, standard.name());
            assert!(Position::from_fen(standard.fen()).is_ok(), "{standard}");
            assert!(!standard.description().is_empty());
        }
        assert_eq!(StandardPosition::default().fen(), Position::START.fen().to_string());
    }

    #[test]
    fn names_are_read_in_either_case() {
        assert_eq!("KiwiPete".parse(), Ok(StandardPosition::Kiwipete));
        for wrong in ["", "cpw7", " cpw3", "start"] {
            assert_eq!(wrong.parse::<StandardPosition>(), Err(StandardPositionError), "{wrong}");
        }
        let message = StandardPositionError.to_string();
        assert!(StandardPosition::ALL.iter().all(|standard| message.contains(standard.name())));
    }
}
