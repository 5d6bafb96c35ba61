//! What an engine says about a search.

use std::iter::Peekable;
use std::str::{FromStr, SplitWhitespace};
use std::time::Duration;

use tabiya::{Color, Move, Position, UciMove};

use crate::score::{Bound, Score};

/// The values of an `info` line. What the line doesn't say, or not as UCI has it, is `None` or empty.
///
/// ```
/// use tabiya::Position;
/// use tabiya_uci::{Info, Score};
/// let line = "info depth 12 multipv 2 score cp 31 nodes 4711 pv e2e4 e7e5 e2e4";
/// let info = Info::parse(line, &Position::START);
/// assert_eq!((info.depth, info.multipv, info.score), (Some(12), 2, Some(Score::Cp(31))));
/// assert_eq!((info.pv.len(), info.pv_rest.len()), (2, 1));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// The side to move, whose view the score is.
    pub turn: Color,
    /// The number of the line among several: 1 is the best.
    pub multipv: usize,
    /// The score, from the point of view of the side to move.
    pub score: Option<Score>,
    /// How the score bounds the real one.
    pub bound: Bound,
    /// The chances in thousandths: win, draw and loss of the side to move.
    pub wdl: Option<[u32; 3]>,
    /// The depth in plies.
    pub depth: Option<u32>,
    /// The greatest depth that was reached.
    pub seldepth: Option<u32>,
    /// The nodes that were searched.
    pub nodes: Option<u64>,
    /// The nodes per second.
    pub nps: Option<u64>,
    /// The positions that were found in tablebases.
    pub tbhits: Option<u64>,
    /// How full the hash table is, in thousandths.
    pub hashfull: Option<u32>,
    /// The time since the search began.
    pub time: Option<Duration>,
    /// The expected moves, each legal after those before it.
    pub pv: Vec<Move>,
    /// The moves from the first on that isn't legal. Engines fetch the end of a line from tables where
    /// two positions may be confused, so this is no error.
    pub pv_rest: Vec<UciMove>,
    /// Words for people, after `string`.
    pub string: String,
}

/// The words of a line.
type Words<'a> = Peekable<SplitWhitespace<'a>>;

/// The next word, if it's a number of this type. Any other is left, and means nothing.
fn number<T: FromStr>(words: &mut Words<'_>) -> Option<T> {
    let value = words.peek()?.parse().ok()?;
    words.next();
    Some(value)
}

impl Info {
    /// Reads a line that begins with `info`, about a search of this position. As UCI asks, words that it
    /// doesn't know are skipped, numbers that can't be read among them.
    pub fn parse(line: &str, position: &Position) -> Self {
        let (values, string) = line.split_once(" string ").unwrap_or((line, ""));
        let mut info = Self {
            turn: position.turn(),
            multipv: 1,
            score: None,
            bound: Bound::Exact,
            wdl: None,
            depth: None,
            seldepth: None,
            nodes: None,
            nps: None,
            tbhits: None,
            hashfull: None,
            time: None,
            pv: Vec::new(),
            pv_rest: Vec::new(),
            string: string.to_owned(),
        };
        info.read(values, position);
        info
    }

    fn read(&mut self, line: &str, position: &Position) {
        let mut words = line.split_whitespace().peekable();
        while let Some(key) = words.next() {
            match key {
                "depth" => self.depth = number(&mut words),
                "seldepth" => self.seldepth = number(&mut words),
                "nodes" => self.nodes = number(&mut words),
                "nps" => self.nps = number(&mut words),
                "tbhits" => self.tbhits = number(&mut words),
                "hashfull" => self.hashfull = number(&mut words),
                "time" => self.time = number(&mut words).map(Duration::from_millis),
                "multipv" => self.multipv = number(&mut words).unwrap_or(1),
                "score" => self.score = score(&mut words),
                "lowerbound" => self.bound = Bound::Lower,
                "upperbound" => self.bound = Bound::Upper,
                "wdl" => self.wdl = wdl(&mut words),
                "pv" => self.read_moves(&mut words, position.clone()),
                _ => {}
            }
        }
    }

    /// Reads the moves after `pv`, up to the first word that isn't one.
    fn read_moves(&mut self, words: &mut Words<'_>, mut position: Position) {
        self.pv.clear();
        self.pv_rest.clear();
        while let Some(&word) = words.peek() {
            let Ok(text) = word.to_ascii_lowercase().parse() else { return };
            words.next();
            match position.parse_uci(word) {
                Ok(mv) if self.pv_rest.is_empty() => {
                    position = position.play(mv);
                    self.pv.push(mv);
                }
                _ => self.pv_rest.push(text),
            }
        }
    }

    /// The score from the point of view of a side.
    ///
    /// ```
    /// use tabiya::{Color, Position};
    /// use tabiya_uci::{Info, Score};
    /// let info = Info::parse("info score mate 3", &Position::START);
    /// assert_eq!(info.score_for(Color::Black), Some(Score::Loses(3)));
    /// ```
    pub fn score_for(&self, color: Color) -> Option<Score> {
        self.score.map(|score| if color == self.turn { score } else { -score })
    }
}

/// The two words after `score`.
fn score(words: &mut Words<'_>) -> Option<Score> {
    match words.next()? {
        "cp" => number(words).map(Score::Cp),
        "mate" => number::<i32>(words).map(|moves| match moves {
            1.. => Score::Wins(moves.unsigned_abs()),
            _ => Score::Loses(moves.unsigned_abs()),
        }),
        _ => None,
    }
}

/// The three numbers after `wdl`.
fn wdl(words: &mut Words<'_>) -> Option<[u32; 3]> {
    Some([number(words)?, number(words)?, number(words)?])
}
