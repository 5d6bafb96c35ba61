//! One game, played.

use std::hash::{BuildHasher, RandomState};

use tabiya::{Move, Position};
use tabiya_openings::Opening;
use tabiya_pgn::{Bytes, Error, ErrorKind, Place, Reader, Replay, Termination, Token};

/// A game with its main line played. Its memory is reused for the next game.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) tags: Vec<(String, String)>,
    pub(super) moves: Vec<Move>,
    /// The position before the first move, and the position after each move.
    pub(super) positions: Vec<Position>,
    pub(super) result: Termination,
    /// The bytes of the game in its chunk.
    pub(super) bytes: std::ops::Range<usize>,
    replay: Replay,
}

/// Two hash functions: 64 bits aren't enough for all games of the world.
pub(super) type Keys = [RandomState; 2];

/// An error in a game.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) place: Place,
    pub(super) game: u64,
    /// The ply in the main line or variation, from 1.
    pub(super) ply: Option<u32>,
    pub(super) message: String,
}

impl Problem {
    /// What cannot be read.
    fn of_text(error: &Error) -> Self {
        let message = error.kind().to_string();
        Self { place: error.place(), game: error.game(), ply: None, message }
    }
}

/// A move or a tag that cannot be played. The rest of the game is skipped: it may be wrong as well,
/// but one error is enough.
fn illegal(reader: &mut Reader<Bytes<'_>>, ply: u32, message: String) -> Problem {
    let problem = Problem {
        place: reader.place(),
        game: reader.game(),
        ply: Some(ply).filter(|&ply| ply > 0),
        message,
    };
    let _ = reader.skip_game();
    problem
}

/// The next item in a chunk.
pub(super) enum Next {
    /// A game, and a problem with its result.
    Game(Option<Problem>),
    /// A game whose tags aren't wanted.
    Skipped,
    /// A game that cannot be read or played.
    Broken(Problem),
    /// The file has no games, for this reason.
    Unreadable(String),
    End,
}

impl Played {
    pub(super) const fn new() -> Self {
        Self {
            tags: Vec::new(),
            moves: Vec::new(),
            positions: Vec::new(),
            result: Termination::Unknown,
            bytes: 0..0,
            replay: Replay::new(),
        }
    }

    /// Plays the next game of a chunk that begins at this byte of the file. With `variations`,
    /// these are checked as well. Only games whose tags are wanted are played.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<Bytes<'_>>,
        chunk_start: u64,
        variations: bool,
        are_wanted: impl Fn(&[(String, String)]) -> bool,
    ) -> Next {
        self.tags.clear();
        self.moves.clear();
        self.positions.clear();
        self.result = Termination::Unknown;
        let mut stated = None;
        let mut has_begun = false;
        let mut has_tags = false;
        loop {
            // The reader as an iterator yields tokens that do not borrow it.
            let token = match Iterator::next(reader) {
                Some(Ok(token)) => token,
                None => return Next::End,
                Some(Err(error)) if error.is_final() => {
                    let hint = match error.kind() {
                        ErrorKind::Utf16 => "; try iconv -f UTF-16 -t UTF-8 FILE | tabiya pgn -",
                        _ => "",
                    };
                    return Next::Unreadable(format!("{}{hint}", error.kind()));
                }
                Some(Err(error)) => return Next::Broken(Problem::of_text(&error)),
            };
            if let Token::GameStart = token {
                self.replay.play(&token).ok();
                self.bytes.start = (reader.place().byte - chunk_start) as usize;
                continue;
            }
            // Comments may come between the tags.
            let may_be_before_tags =
                matches!(token, Token::Tag(_) | Token::Comment(_) | Token::Nag(_));
            if !has_tags && !may_be_before_tags {
                has_tags = true;
                if !are_wanted(&self.tags) {
                    // Its errors don't matter.
                    let _ = reader.skip_game();
                    return Next::Skipped;
                }
            }
            if let (Token::VariationStart, false) = (token, variations) {
                match reader.skip_variation() {
                    Ok(()) => continue,
                    Err(error) => return Next::Broken(Problem::of_text(&error)),
                }
            }
            let is_main_move = matches!(token, Token::Move(_)) && self.replay.depth() == 0;
            let played = match self.replay.play(&token) {
                Ok(None) if is_main_move => {
                    let message = "a null move is not a legal move of the main line".to_owned();
                    return Next::Broken(illegal(reader, self.replay.ply(), message));
                }
                Ok(played) => played,
                Err(error) => {
                    return Next::Broken(illegal(reader, error.ply(), error.to_string()));
                }
            };
            match token {
                Token::Tag(tag) => {
                    self.tags.push((tag.name.decode().into_owned(), tag.value().into_owned()));
                    // A comment may have begun the game before its tags were complete, so begin
                    // again.
                    self.positions.clear();
                    has_begun = false;
                    continue;
                }
                Token::Result(result) => stated = Some((result, reader.place())),
                _ => {}
            }
            if !has_begun {
                has_begun = true;
                self.positions.push(self.replay.before().clone());
            }
            if let Some(mv) = played.filter(|_| is_main_move) {
                self.positions.push(self.replay.position().clone());
                self.moves.push(mv);
            }
            if let Token::GameEnd = token {
                let place = reader.end();
                self.bytes.end = (place.byte - chunk_start) as usize;
                return Next::Game(self.set_result(stated, place, reader.game()));
            }
        }
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Equal for games with the same start and the same moves, however they are written.
    pub(super) fn key(&self, keys: &Keys) -> u128 {
        let start = (self.start().castling_mode(), self.start().fen().to_string());
        let [one, two] = keys.each_ref().map(|keys| keys.hash_one((&start, &self.moves)));
        u128::from(one) << 64 | u128::from(two)
    }

    /// The opening: the last position that has a name.
    pub(super) fn opening(&self) -> Option<Opening> {
        Opening::of_line(&self.positions)
    }

    /// Sets the result. Returns the problem if the result is implausible.
    fn set_result(
        &mut self,
        stated: Option<(Termination, Place)>,
        end: Place,
        game: u64,
    ) -> Option<Problem> {
        let tag = self.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value);
        let of_tag = tag.and_then(|value| Termination::from_bytes(value.as_bytes()));
        let (marker, place) = stated.map_or((None, end), |(marker, place)| (Some(marker), place));
        let result = Termination::of_game(marker, of_tag);
        self.result = result;
        let message = if let (Some(value), None) = (tag, of_tag) {
            format!("the tag Result is {value:?}, not 1-0, 0-1, 1/2-1/2 or *")
        } else if let (Some(other), Some(marker)) = (of_tag, marker)
            && other != marker
        {
            format!("the tag Result says {other}, but the moves end with {marker}")
        } else {
            let proven = self.replay.contradiction(result)?;
            let what = if proven == Termination::Draw { "stalemate" } else { "checkmate" };
            format!("the result is {result}, but the last position is {what}: {proven}")
        };
        let ply = Some(self.moves.len() as u32);
        Some(Problem { place, game, ply, message })
    }
}
