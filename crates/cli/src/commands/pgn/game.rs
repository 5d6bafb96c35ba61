//! One game, played.

use std::hash::{BuildHasher, RandomState};

use tabiya::san::PieceLetters;
use tabiya::{Move, Position};
use tabiya_openings::Opening;
use tabiya_pgn::{Bytes, Chunk, Error, ErrorKind, Place, Reader, Replay, ReplayCause, ReplayError};
use tabiya_pgn::{RemarkKind, Termination, Token};

/// A game with its main line played. Its memory is reused for the next game.
#[derive(Debug)]
pub(super) struct Played {
    pub(super) tags: Vec<(String, String)>,
    /// The moves, as far as they are right. `None` is a null move.
    pub(super) moves: Vec<Option<Move>>,
    /// The position before the first move, and the position after each move. Nothing if the start
    /// can't be played.
    pub(super) positions: Vec<Position>,
    pub(super) result: Termination,
    /// The bytes of the game in its chunk.
    pub(super) bytes: std::ops::Range<usize>,
    /// What is wrong with the game, and remarks since the game before.
    pub(super) problems: Vec<Problem>,
    /// May the main line have more moves?
    pub(super) is_cut: bool,
    replay: Replay,
}

/// Two hash functions: 64 bits aren't enough for all games of the world.
pub(super) type Keys = [RandomState; 2];

/// An error or a remark.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) kind: Kind,
    pub(super) place: Place,
    /// The number of the game. `None` between games.
    pub(super) game: Option<u64>,
    /// The ply in the main line or variation, from 1.
    pub(super) ply: Option<u32>,
    pub(super) message: String,
}

/// The name of a kind of errors or remarks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    Error(&'static str),
    Remark(&'static str),
}

impl Kind {
    pub(super) const fn is_error(self) -> bool {
        matches!(self, Self::Error(_))
    }

    fn of_text(kind: ErrorKind) -> Self {
        Self::Error(match kind {
            ErrorKind::CommentNotClosed => "comment",
            ErrorKind::VariationNotClosed | ErrorKind::TooDeep => "variation",
            _ => "size",
        })
    }

    fn of_replay(cause: &ReplayCause) -> Self {
        Self::Error(match cause {
            ReplayCause::Move(_) | ReplayCause::NullInCheck => "move",
            ReplayCause::Number { .. } => "move number",
            ReplayCause::TooManyMoves => "size",
            _ => "start position",
        })
    }
}

/// The next item in a chunk.
pub(super) enum Next {
    /// A game.
    Game,
    /// A game whose tags aren't wanted.
    Skipped,
    /// The file has no games, for this reason.
    Unreadable(String),
    End,
}

/// The part of a game that is played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope {
    pub(super) variations: bool,
    pub(super) remarks: bool,
}

/// The state of reading one game.
struct Reading<'r, 'b> {
    reader: &'r mut Reader<Bytes<'b>>,
    chunk: &'r Chunk,
    scope: Scope,
    /// The number of the game. `None` before it begins.
    game: Option<u64>,
    /// The first result among the moves.
    stated: Option<(Termination, Place)>,
    /// Has the start position been kept?
    has_begun: bool,
    /// Has a token been read after which there are no tags?
    tags_complete: bool,
    /// Could all of the text be read?
    is_read: bool,
}

impl<'r, 'b> Reading<'r, 'b> {
    const fn new(reader: &'r mut Reader<Bytes<'b>>, chunk: &'r Chunk, scope: Scope) -> Self {
        Self {
            reader,
            chunk,
            scope,
            game: None,
            stated: None,
            has_begun: false,
            tags_complete: false,
            is_read: true,
        }
    }

    /// The offset of a place in the chunk.
    const fn offset(&self, place: Place) -> usize {
        (place.byte - self.chunk.start.byte) as usize
    }
}

impl Played {
    pub(super) fn new(letters: Option<PieceLetters>) -> Self {
        Self {
            tags: Vec::new(),
            moves: Vec::new(),
            positions: Vec::new(),
            result: Termination::Unknown,
            bytes: 0..0,
            problems: Vec::new(),
            is_cut: false,
            replay: Replay::new().with_letters(letters),
        }
    }

    /// Plays the next game of a chunk, if its tags are wanted.
    pub(super) fn read(
        &mut self,
        reader: &mut Reader<Bytes<'_>>,
        chunk: &Chunk,
        scope: Scope,
        are_wanted: impl Fn(&[(String, String)]) -> bool,
    ) -> Next {
        self.clear();
        let mut reading = Reading::new(reader, chunk, scope);
        loop {
            let token = match self.next_token(&mut reading) {
                Ok(token) => token,
                Err(end) => return end,
            };
            match token {
                Token::GameStart => {
                    self.begin(&token, &mut reading);
                    continue;
                }
                Token::Remark(remark) if scope.remarks => {
                    let text = format!("{} {}", remark.kind, shown(&remark.text.decode()));
                    let place = reading.reader.place();
                    self.remark(remark.kind.as_str(), place, reading.game, text);
                }
                Token::Tag(_) | Token::Comment(_) | Token::Nag(_) | Token::Remark(_) => {}
                _ if !reading.tags_complete => {
                    reading.tags_complete = true;
                    if !are_wanted(&self.tags) {
                        self.skip_game(&mut reading);
                        return Next::Skipped;
                    }
                }
                _ => {}
            }
            if reading.game.is_none() {
                continue;
            }
            if matches!(token, Token::VariationStart) && !scope.variations {
                self.skip_variation(&mut reading);
                continue;
            }
            self.play(&token, &mut reading);
            if let Token::GameEnd = token {
                self.finish(&mut reading);
                return Next::Game;
            }
        }
    }

    fn clear(&mut self) {
        self.tags.clear();
        self.moves.clear();
        self.positions.clear();
        self.problems.clear();
        self.is_cut = false;
        self.result = Termination::Unknown;
    }

    /// The next token that can be read. At the end of the chunk, `Err` is the answer of
    /// [`read`](Self::read).
    fn next_token<'b>(&mut self, reading: &mut Reading<'_, 'b>) -> Result<Token<'b>, Next> {
        loop {
            // The reader as an iterator yields tokens that do not borrow it.
            match Iterator::next(reading.reader) {
                Some(Ok(token)) => return Ok(token),
                None => return Err(Next::End),
                Some(Err(error)) if error.is_final() => {
                    let hint = match error.kind() {
                        ErrorKind::Utf16 => "; try iconv -f UTF-16 -t UTF-8 FILE | tabiya pgn -",
                        _ => "",
                    };
                    return Err(Next::Unreadable(format!("{}{hint}", error.kind())));
                }
                Some(Err(error)) => self.unreadable(&error, reading),
            }
        }
    }

    /// Begins a game with its first token.
    fn begin(&mut self, token: &Token<'_>, reading: &mut Reading<'_, '_>) {
        let _ = self.replay.play(token);
        reading.game = Some(reading.reader.game());
        let place = reading.reader.place();
        self.bytes.start = reading.offset(place);
    }

    /// Skips the rest of a game that isn't wanted, whose errors don't matter.
    fn skip_game(&mut self, reading: &mut Reading<'_, '_>) {
        self.problems.retain(|problem| problem.game.is_none());
        let _ = reading.reader.skip_game();
    }

    /// Skips a variation after its first token.
    fn skip_variation(&mut self, reading: &mut Reading<'_, '_>) {
        if let Err(error) = reading.reader.skip_variation() {
            self.unreadable(&error, reading);
        }
    }

    /// Plays a token of the game, and keeps what it changes.
    fn play(&mut self, token: &Token<'_>, reading: &mut Reading<'_, '_>) {
        let is_main = self.replay.depth() == 0;
        let wrong_numbers = self.replay.wrong_numbers();
        let played = self.replay.play(token);
        if reading.scope.remarks && self.replay.wrong_numbers() != wrong_numbers {
            self.wrong_number(token, reading.reader.place(), reading.game);
        }
        match token {
            Token::Tag(tag) => {
                self.tags.push((tag.name.decode().into_owned(), tag.value().into_owned()));
                // A comment may have begun the game before its tags were complete, so begin again.
                self.positions.clear();
                reading.has_begun = false;
                return;
            }
            Token::Result(result) => {
                reading.stated.get_or_insert((*result, reading.reader.place()));
            }
            _ => {}
        }
        if !reading.has_begun {
            reading.has_begun = true;
            self.positions.push(self.replay.before().clone());
        }
        match played {
            Ok(tabiya_pgn::Played::Move(mv)) if is_main => self.push(Some(mv)),
            Ok(tabiya_pgn::Played::Null) if is_main => self.push(None),
            Ok(_) => {}
            Err(error) => self.illegal(&error, is_main, reading.reader, reading.game),
        }
    }

    /// Ends the game: sets its last byte and its result.
    fn finish(&mut self, reading: &mut Reading<'_, '_>) {
        let place = reading.reader.end();
        // Text that can't be read belongs to the game, which is read again to be written.
        self.bytes.end =
            if reading.is_read { reading.offset(place) } else { reading.chunk.bytes.len() };
        self.set_result(reading.stated, reading.scope, place, reading.game);
    }

    fn push(&mut self, mv: Option<Move>) {
        self.positions.push(self.replay.position().clone());
        self.moves.push(mv);
    }

    /// What cannot be read.
    fn unreadable(&mut self, error: &Error, reading: &mut Reading<'_, '_>) {
        reading.is_read = false;
        self.is_cut = true;
        let game = reading.game;
        let (kind, message) = (Kind::of_text(*error.kind()), error.kind().to_string());
        self.problems.push(Problem { kind, place: error.place(), game, ply: None, message });
    }

    /// A move or a start that cannot be played.
    fn illegal(
        &mut self,
        error: &ReplayError,
        is_main: bool,
        reader: &mut Reader<Bytes<'_>>,
        game: Option<u64>,
    ) {
        if is_main {
            self.is_cut = true;
            self.moves.truncate(error.kept() as usize);
            self.positions.truncate(if error.ply() == 0 { 0 } else { self.moves.len() + 1 });
        }
        let place = if error.is_number() { reader.note_place() } else { reader.place() };
        let ply = Some(error.ply()).filter(|&ply| ply > 0);
        let (kind, message) = (Kind::of_replay(error.cause()), error.to_string());
        self.problems.push(Problem { kind, place, game, ply, message });
    }

    fn remark(&mut self, kind: &'static str, place: Place, game: Option<u64>, message: String) {
        self.problems.push(Problem { kind: Kind::Remark(kind), place, game, ply: None, message });
    }

    fn wrong_number(&mut self, token: &Token<'_>, place: Place, game: Option<u64>) {
        let Token::Move(mv) = token else { return };
        let number = mv.number().map_or_else(String::new, |number| format!(" {number}"));
        let text = format!("move number{number} before {}", shown(&mv.text().decode()));
        self.remark(RemarkKind::Number.as_str(), place, game, text);
    }

    /// The position before the first move.
    pub(super) fn start(&self) -> &Position {
        self.positions.first().unwrap_or(&Position::START)
    }

    /// Does the game have errors?
    pub(super) fn is_broken(&self) -> bool {
        self.errors().any(|problem| problem.game.is_some())
    }

    /// The errors of the game.
    pub(super) fn errors(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().filter(|problem| problem.kind.is_error())
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

    /// Sets the result, with a remark if it is implausible.
    fn set_result(
        &mut self,
        stated: Option<(Termination, Place)>,
        scope: Scope,
        end: Place,
        game: Option<u64>,
    ) {
        let tag = self.tags.iter().find(|(name, _)| name == "Result").map(|(_, value)| value);
        let of_tag = tag.and_then(|value| Termination::from_bytes(value.as_bytes()));
        let (marker, place) = stated.map_or((None, end), |(marker, place)| (Some(marker), place));
        let result = Termination::of_game(marker, of_tag);
        self.result = result;
        let known = |it: Option<Termination>| it.filter(|&it| it != Termination::Unknown);
        let proven = if self.is_cut { None } else { self.replay.contradiction(result) };
        let remark = match (tag, known(of_tag), known(marker), proven) {
            (Some(value), _, _, _) if of_tag.is_none() => {
                ("unknown result", format!("the tag Result is {}, no result", shown(value)))
            }
            (_, Some(tag), Some(marker), _) if tag != marker => (
                "different results",
                format!("the tag Result says {tag}, but the moves end with {marker}"),
            ),
            (.., Some(proven)) => {
                let what = if proven == Termination::Draw { "stalemate" } else { "checkmate" };
                let text =
                    format!("the result is {result}, but the last position is {what}: {proven}");
                ("wrong result", text)
            }
            _ => return,
        };
        if scope.remarks {
            self.remark(remark.0, place, game, remark.1);
        }
    }
}

/// A text of the file for a message.
fn shown(text: &str) -> String {
    const MOST: usize = 40;
    let start: String = text.chars().take(MOST).collect();
    let more = if start.len() < text.len() { "…" } else { "" };
    format!("{start:?}{more}")
}
