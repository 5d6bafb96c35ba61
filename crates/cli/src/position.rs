//! The position to work on, as written on the command line.

use std::ops::Range;

use clap::{Args, ValueEnum};
use tabiya::{CastlingMode, FenError, Position, PositionError, Setup, fen::FenCause};

use crate::failure::Diagnostic;

/// The six standard perft positions of the chess programming community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Standard {
    /// The start of a game
    Startpos,
    /// Every kind of move, pins and castling
    Kiwipete,
    /// An endgame with en-passant pins along the rank
    Cpw3,
    /// Promotions, and castling lost by captures
    Cpw4,
    /// A pawn that promotes by capture, a knight among the castling squares
    Cpw5,
    /// A symmetrical middlegame
    Cpw6,
}

impl Standard {
    pub(crate) const fn fen(self) -> &'static str {
        match self {
            Self::Startpos => "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            Self::Kiwipete => {
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
            }
            Self::Cpw3 => "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            Self::Cpw4 => "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            Self::Cpw5 => "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            Self::Cpw6 => {
                "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
            }
        }
    }
}

/// The position to work on, as written on the command line.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Position (the start of a game, unless given)")]
pub(crate) struct PositionArgs {
    /// A position in FEN, also X-FEN or Shredder-FEN; the two counters may be missing; "-" reads it
    /// from standard input
    #[arg(long, value_name = "FEN", conflicts_with = "position", value_parser = crate::values::fen)]
    fen: Option<String>,

    /// One of the standard perft positions
    #[arg(long, value_enum, value_name = "NAME")]
    position: Option<Standard>,

    /// Moves to play first, in UCI, apart by commas or spaces
    #[arg(long, value_name = "MOVES")]
    moves: Option<String>,

    /// Write castling as king takes rook
    ///
    /// Positions whose castling rights only Chess960 has are written so by themselves.
    #[arg(long)]
    chess960: bool,
}

/// A setup to be looked at, with the position if it can be played on.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    pub(crate) setup: Setup,
    pub(crate) position: Result<Position, PositionError>,
}

impl PositionArgs {
    /// The same with a FEN and moves that were given in another place.
    pub(crate) fn overridden(self, fen: Option<String>, moves: Option<String>) -> Self {
        Self { fen: fen.or(self.fen), moves: moves.or(self.moves), ..self }
    }

    /// The position, which must be one to play on.
    pub(crate) fn position(&self) -> Result<Position, Diagnostic> {
        let position = Position::from_fen(self.text()).map_err(|error| self.fen_error(error))?;
        self.finish(position)
    }

    /// The position, or at least the setup if it cannot be played on.
    pub(crate) fn scene(&self) -> Result<Scene, Diagnostic> {
        let mut setup = Setup::from_fen(self.text()).map_err(|error| self.fen_error(error))?;
        if self.moves.is_some() {
            let position = self.position()?;
            return Ok(Scene { setup: position.to_setup(), position: Ok(position) });
        }
        if self.chess960 {
            setup.mode = CastlingMode::Chess960;
        }
        let position = Position::from_setup(&setup);
        Ok(Scene { setup, position })
    }

    fn text(&self) -> &str {
        self.fen.as_deref().unwrap_or(self.position.unwrap_or(Standard::Startpos).fen())
    }

    fn finish(&self, mut position: Position) -> Result<Position, Diagnostic> {
        if self.chess960 {
            position = position.with_mode(CastlingMode::Chess960).map_err(Diagnostic::new)?;
        }
        let text = self.moves.as_deref().unwrap_or_default();
        for Range { start, end } in words(text) {
            let word = &text[start..end];
            let mv = position.parse_uci(word).map_err(|error| {
                let begin = (start + error.offset()).min(end);
                Diagnostic::new(error)
                    .at(text, begin..end)
                    .hint(format_args!("the position before it is {}", position.fen()))
            })?;
            position = position.play(mv);
        }
        Ok(position)
    }

    fn fen_error(&self, error: FenError) -> Diagnostic {
        let text = self.text();
        let diagnostic = Diagnostic::new(error).at(text, error.span());
        let is_one_word = text.split_ascii_whitespace().count() < 2;
        if Standard::from_str(text, true).is_ok() {
            return diagnostic.hint(format_args!("that is a name: --position {text}"));
        }
        match error.cause() {
            FenCause::Missing if is_one_word => {
                diagnostic.hint("a FEN has spaces: put it in quotes")
            }
            _ => diagnostic,
        }
    }
}

/// The places of the words in a list of moves.
fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    text.split(|letter: char| letter == ',' || letter.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The constants are the lines of the suite that ships with the project.
    #[test]
    fn standard_positions_are_those_of_the_suite() {
        let suite = tabiya_suites::STANDARD.text;
        for standard in Standard::value_variants() {
            let name = standard.to_possible_value().unwrap();
            let heading = format!("# {}:", name.get_name());
            let mut lines = suite.lines().skip_while(|line| !line.starts_with(&heading));
            let fen = lines.nth(1).and_then(|line| line.split(" ;").next());
            assert_eq!(fen, Some(standard.fen()), "{heading}");
        }
    }

    #[test]
    fn moves_are_parted_by_commas_and_spaces() {
        let text = " e2e4, e7e5  g1f3,";
        let found: Vec<&str> = words(text).map(|range| &text[range]).collect();
        assert_eq!(found, ["e2e4", "e7e5", "g1f3"]);
    }
}
