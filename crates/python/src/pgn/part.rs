//! The games of a part of a file: they are played, and the requested data is put into columns.

use std::collections::TryReserveError;

use tabiya::{Color, GameResult, Move, Position};
use tabiya_pgn::{
    Chunk, Comment, Eval, Evaluation, Place, Reader, Replay, Tag, Termination, Token,
};

/// The data requested of the games.
#[derive(Debug)]
pub(super) struct Plan {
    /// The positions before the moves.
    pub(super) positions: bool,
    /// The names of tags.
    pub(super) tags: Vec<String>,
    /// Are broken games kept, with their moves up to the mistake?
    pub(super) keep_broken: bool,
}

/// The code of an unknown result.
pub(super) const UNKNOWN: i8 = 2;

/// Games in columns. All columns of a kind have the same length.
#[derive(Debug)]
pub(super) struct Part {
    // One row for each ply.
    pub(super) moves: Vec<u16>,
    pub(super) clocks: Vec<f32>,
    pub(super) evals: Vec<f32>,
    /// The positions before each move; empty if positions are not requested.
    pub(super) positions: Vec<Position>,
    // One row for each game.
    /// The end of each game among the plies, after a 0.
    pub(super) offsets: Vec<i64>,
    pub(super) results: Vec<i8>,
    pub(super) white_elo: Vec<i16>,
    pub(super) black_elo: Vec<i16>,
    pub(super) lines: Vec<i64>,
    pub(super) numbers: Vec<i64>,
    pub(super) broken: Vec<bool>,
    /// A column for each requested tag.
    pub(super) tags: Vec<Vec<Box<str>>>,
    /// The start positions other than the usual one, with the index of their game.
    pub(super) starts: Vec<(usize, Position)>,
    pub(super) problems: Vec<Problem>,
}

/// An error in a game.
#[derive(Clone, Debug)]
pub(super) struct Problem {
    pub(super) place: Place,
    pub(super) game: u64,
    /// The ply, from 1. `None` if the error is not about a move.
    pub(super) ply: Option<u32>,
    pub(super) message: String,
    /// The number of games in the columns before this one.
    pub(super) index: usize,
    /// Is there nothing more to read?
    pub(super) is_final: bool,
}

/// The game that is being read.
struct Current {
    result: Termination,
    white_elo: i16,
    black_elo: i16,
    line: i64,
    has_begun: bool,
    /// Do the tags give a start position?
    has_setup: bool,
}

impl Part {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            moves: Vec::new(),
            clocks: Vec::new(),
            evals: Vec::new(),
            positions: Vec::new(),
            offsets: vec![0],
            results: Vec::new(),
            white_elo: Vec::new(),
            black_elo: Vec::new(),
            lines: Vec::new(),
            numbers: Vec::new(),
            broken: Vec::new(),
            tags: vec![Vec::new(); plan.tags.len()],
            starts: Vec::new(),
            problems: Vec::new(),
        }
    }

    /// The number of games.
    pub(super) const fn len(&self) -> usize {
        self.results.len()
    }

    /// The number of the last game in the file, even if it was left out.
    pub(super) fn last_game(&self) -> Option<u64> {
        let whole = self.numbers.last().map(|&number| number as u64);
        whole.max(self.problems.last().map(|problem| problem.game))
    }

    /// Plays the games of a part of a file, until `is_stopped`.
    ///
    /// # Errors
    /// There is not enough memory for the columns.
    pub(super) fn read(
        chunk: &Chunk,
        plan: &Plan,
        is_stopped: impl Fn() -> bool,
    ) -> Result<Self, TryReserveError> {
        let mut part = Self::new(plan);
        part.reserve(chunk, plan)?;
        let mut replay = Replay::new();
        let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
        let mut game = Current::NONE;
        // The tokens of the `Iterator` do not borrow the reader.
        while let Some(token) = Iterator::next(&mut reader) {
            let token = match token {
                Ok(token) => token,
                Err(error) => {
                    let ply = Some(part.ply()).filter(|_| game.has_begun && part.ply() > 0);
                    let problem = Problem {
                        place: error.place(),
                        game: error.game(),
                        ply,
                        message: error.kind().to_string(),
                        index: 0,
                        is_final: error.is_final(),
                    };
                    part.end_broken(&mut game, problem, &replay, plan)?;
                    continue;
                }
            };
            match token {
                Token::GameStart => {
                    if is_stopped() {
                        break;
                    }
                    // The replay forgets the last game.
                    let _ = replay.play(&token);
                    let line = reader.place().line as i64;
                    game = Current { has_begun: true, line, ..Current::NONE };
                    part.reserve_game()?;
                    part.tags.iter_mut().for_each(|column| column.push(Box::default()));
                    continue;
                }
                Token::VariationStart => {
                    // A variation is not checked. If its end is missing, the next token is the
                    // error.
                    if let Err(error) = reader.skip_variation() {
                        let problem = Problem {
                            place: error.place(),
                            game: error.game(),
                            ply: Some(part.ply()).filter(|&ply| ply > 0),
                            message: error.kind().to_string(),
                            index: 0,
                            is_final: error.is_final(),
                        };
                        part.end_broken(&mut game, problem, &replay, plan)?;
                    }
                    continue;
                }
                _ => {}
            }
            let (ply, message) = match replay.play(&token) {
                Ok(mv) => match (token, mv) {
                    (Token::Move(_), Some(mv)) => {
                        part.push(mv, &replay, &game, plan)?;
                        continue;
                    }
                    (Token::Move(_), None) => {
                        let message = "a null move is not a legal move of the main line";
                        (replay.ply(), message.to_owned())
                    }
                    (Token::Comment(comment), _) => {
                        part.comment(&comment, &replay);
                        continue;
                    }
                    (Token::Tag(tag), _) => {
                        part.tag(&tag, &mut game, plan);
                        continue;
                    }
                    (Token::Result(result), _) => {
                        game.result = result;
                        continue;
                    }
                    (Token::GameEnd, _) => {
                        part.end(&mut game, reader.game(), &replay, false);
                        continue;
                    }
                    _ => continue,
                },
                Err(error) => (error.ply(), error.to_string()),
            };
            let problem = Problem {
                place: reader.place(),
                game: reader.game(),
                ply: Some(ply).filter(|&ply| ply > 0),
                message,
                index: 0,
                is_final: false,
            };
            part.end_broken(&mut game, problem, &replay, plan)?;
            // The rest of the game may have more errors, but one is enough.
            let _ = reader.skip_game();
        }
        Ok(part)
    }

    /// Reserves memory for about as much as the part contains.
    fn reserve(&mut self, chunk: &Chunk, plan: &Plan) -> Result<(), TryReserveError> {
        // An estimate for moves and move numbers alone; with comments there are fewer plies.
        let plies = (chunk.bytes.len() / 24).min(1 << 20);
        self.reserve_plies(plies, plan.positions)
    }

    /// Reserves memory for this many more plies.
    fn reserve_plies(&mut self, plies: usize, positions: bool) -> Result<(), TryReserveError> {
        self.moves.try_reserve(plies)?;
        self.clocks.try_reserve(plies)?;
        self.evals.try_reserve(plies)?;
        if positions {
            self.positions.try_reserve(plies)?;
        }
        Ok(())
    }

    /// Reserves memory for this many more games.
    fn reserve_games(&mut self, games: usize) -> Result<(), TryReserveError> {
        self.offsets.try_reserve(games)?;
        self.results.try_reserve(games)?;
        self.white_elo.try_reserve(games)?;
        self.black_elo.try_reserve(games)?;
        self.lines.try_reserve(games)?;
        self.numbers.try_reserve(games)?;
        self.broken.try_reserve(games)?;
        self.tags.iter_mut().try_for_each(|column| column.try_reserve(games))
    }

    /// Reserves memory for a game, including a start position.
    fn reserve_game(&mut self) -> Result<(), TryReserveError> {
        self.reserve_games(1)?;
        self.starts.try_reserve(1)
    }

    /// The number of plies of the current game.
    fn ply(&self) -> u32 {
        (self.moves.len() - self.game_start()) as u32
    }

    /// The index of the current game's first ply.
    fn game_start(&self) -> usize {
        self.offsets.last().map_or(0, |&end| end as usize)
    }

    #[inline]
    fn push(
        &mut self,
        mv: Move,
        replay: &Replay,
        game: &Current,
        plan: &Plan,
    ) -> Result<(), TryReserveError> {
        self.reserve_plies(1, plan.positions)?;
        if game.has_setup && self.ply() == 0 {
            self.starts.push((self.len(), replay.before().clone()));
        }
        self.moves.push(mv.bits());
        self.clocks.push(f32::NAN);
        self.evals.push(f32::NAN);
        if plan.positions {
            self.positions.push(replay.before().clone());
        }
        Ok(())
    }

    /// Records the clock and the evaluation of the last move from a comment.
    #[inline]
    fn comment(&mut self, comment: &Comment<'_>, replay: &Replay) {
        if self.ply() == 0 {
            return;
        }
        for command in comment.commands() {
            match command.name.as_bytes() {
                b"clk" => {
                    if let (Some(clock), Some(last)) = (command.time(), self.clocks.last_mut()) {
                        *last = clock.as_secs_f32();
                    }
                }
                b"eval" => {
                    let white_moved = replay.position().turn() == Color::Black;
                    let eval = Evaluation::from_bytes(command.argument.as_bytes());
                    if let (Some(eval), Some(last)) = (eval, self.evals.last_mut()) {
                        *last = pawns(eval.score, white_moved);
                    }
                }
                _ => {}
            }
        }
    }

    fn tag(&mut self, tag: &Tag<'_>, game: &mut Current, plan: &Plan) {
        match tag.name.as_bytes() {
            b"WhiteElo" => game.white_elo = elo(tag),
            b"BlackElo" => game.black_elo = elo(tag),
            // The result after the moves comes later and replaces this one.
            b"Result" => {
                let result = Termination::from_bytes(tag.value.as_bytes());
                game.result = result.unwrap_or(Termination::Unknown);
            }
            b"FEN" | b"Variant" => game.has_setup = true,
            _ => {}
        }
        for (name, column) in plan.tags.iter().zip(&mut self.tags) {
            if tag.name == **name
                && let Some(last) = column.last_mut()
            {
                *last = tag.value().into();
            }
        }
    }

    /// Ends a broken game.
    fn end_broken(
        &mut self,
        game: &mut Current,
        mut problem: Problem,
        replay: &Replay,
        plan: &Plan,
    ) -> Result<(), TryReserveError> {
        self.problems.try_reserve(1)?;
        problem.index = self.len();
        if game.has_begun && plan.keep_broken {
            self.end(game, problem.game, replay, true);
        } else if game.has_begun {
            self.drop_rest();
            *game = Current::NONE;
        }
        self.problems.push(problem);
        Ok(())
    }

    /// Ends the game and adds its row.
    fn end(&mut self, game: &mut Current, number: u64, replay: &Replay, is_broken: bool) {
        if game.has_setup && self.ply() == 0 {
            self.starts.push((self.len(), replay.position().clone()));
        }
        self.offsets.push(self.moves.len() as i64);
        self.results.push(match game.result.result() {
            Some(GameResult::WhiteWins) => 1,
            Some(GameResult::Draw) => 0,
            Some(GameResult::BlackWins) => -1,
            None => UNKNOWN,
        });
        self.white_elo.push(game.white_elo);
        self.black_elo.push(game.black_elo);
        self.lines.push(game.line);
        self.numbers.push(number as i64);
        self.broken.push(is_broken);
        *game = Current::NONE;
    }

    /// Drops the data of a game that has no row.
    fn drop_rest(&mut self) {
        let (games, plies) = (self.len(), self.game_start());
        self.moves.truncate(plies);
        self.clocks.truncate(plies);
        self.evals.truncate(plies);
        self.positions.truncate(plies);
        self.tags.iter_mut().for_each(|column| column.truncate(games));
        self.starts.retain(|&(index, _)| index < games);
    }

    /// Appends the rows of another part.
    ///
    /// # Errors
    /// There is not enough memory. These rows are then unchanged.
    pub(super) fn append(&mut self, other: Self) -> Result<(), TryReserveError> {
        self.reserve_plies(other.moves.len(), !other.positions.is_empty())?;
        self.reserve_games(other.len())?;
        self.starts.try_reserve(other.starts.len())?;
        self.problems.try_reserve(other.problems.len())?;
        let (games, plies) = (self.len(), self.moves.len() as i64);
        self.moves.extend(other.moves);
        self.clocks.extend(other.clocks);
        self.evals.extend(other.evals);
        self.positions.extend(other.positions);
        self.offsets.extend(other.offsets[1..].iter().map(|end| end + plies));
        self.results.extend(other.results);
        self.white_elo.extend(other.white_elo);
        self.black_elo.extend(other.black_elo);
        self.lines.extend(other.lines);
        self.numbers.extend(other.numbers);
        self.broken.extend(other.broken);
        for (column, more) in self.tags.iter_mut().zip(other.tags) {
            column.extend(more);
        }
        let starts = other.starts.into_iter();
        self.starts.extend(starts.map(|(index, start)| (index + games, start)));
        let problems = other.problems.into_iter();
        self.problems.extend(problems.map(|it| Problem { index: it.index + games, ..it }));
        Ok(())
    }

    /// Drops the games from this index on, and their errors.
    pub(super) fn truncate(&mut self, games: usize) {
        self.offsets.truncate(games + 1);
        self.results.truncate(games);
        self.white_elo.truncate(games);
        self.black_elo.truncate(games);
        self.lines.truncate(games);
        self.numbers.truncate(games);
        self.broken.truncate(games);
        self.problems.retain(|problem| problem.index < games);
        self.drop_rest();
    }
}

impl Current {
    const NONE: Self = Self {
        result: Termination::Unknown,
        white_elo: 0,
        black_elo: 0,
        line: 0,
        has_begun: false,
        has_setup: false,
    };
}

/// A rating; 0 if there is none.
fn elo(tag: &Tag<'_>) -> i16 {
    let text = tag.value.to_str().unwrap_or_default();
    text.trim().parse().ok().filter(|&elo| elo > 0).unwrap_or(0)
}

/// An evaluation in pawns from White's point of view; infinite if there is a mate.
fn pawns(eval: Eval, white_moved: bool) -> f32 {
    match eval {
        Eval::Centipawns(centipawns) => (f64::from(centipawns) / 100.0) as f32,
        Eval::Mate(moves) if moves > 0 || moves == 0 && white_moved => f32::INFINITY,
        Eval::Mate(_) => f32::NEG_INFINITY,
    }
}
