//! Playing the games of a chunk, and recording them in columns.

use tabiya::{Color, GameResult, Move};
use tabiya_pgn::{
    Bytes, Chunk, Comment, Error, Eval, Evaluation, Reader, Replay, Tag, Termination, Token,
};

use super::part::{Part, Plan, Problem, UNKNOWN};

/// The number of tokens between two questions whether to stop. A comment may have 64 kB.
const STEP: usize = 256;

/// Plays the games of a chunk, until `is_stopped`: then the last ones are missing.
pub(super) fn record(chunk: &Chunk, plan: &Plan, is_stopped: impl Fn() -> bool) -> Part {
    let mut part = Part::new(plan);
    // About as much as the chunk contains: plain moves with their numbers. With comments there are
    // fewer plies.
    let plies = (chunk.bytes.len() / 24).min(1 << 20);
    part.reserve_plies(plies, plan.positions);
    let fits = vec![None; plan.conditions.len()];
    let mut recorder = Recorder { part, plan, replay: Replay::new(), game: Current::NONE, fits };
    let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
    let mut tokens = 0;
    // As an iterator, it yields tokens that do not borrow the reader.
    while let Some(token) = Iterator::next(&mut reader) {
        tokens += 1;
        if tokens % STEP == 0 && is_stopped() {
            break;
        }
        let recorded = match token {
            Ok(token) => recorder.token(&token, &mut reader),
            Err(error) => Err(recorder.unreadable(&error)),
        };
        if let Err(problem) = recorded {
            recorder.end_broken(*problem);
        }
    }
    recorder.part.games_read = reader.game();
    recorder.part
}

struct Recorder<'a> {
    part: Part,
    plan: &'a Plan,
    replay: Replay,
    game: Current,
    /// Does the tag of each condition fit? `None` if the game does not have it so far.
    fits: Vec<Option<bool>>,
}

/// The game that is being read.
struct Current {
    /// The result after the moves.
    marker: Option<Termination>,
    // The first tag of each name counts.
    /// The tag `Result`, and the result if it is one.
    result: Option<Option<Termination>>,
    white_elo: Option<i16>,
    black_elo: Option<i16>,
    line: i64,
    has_begun: bool,
    /// Do the tags give a start position?
    has_setup: bool,
}

/// Why a token is not recorded: the game is broken.
type Broken = Box<Problem>;

impl Recorder<'_> {
    #[inline]
    fn token(&mut self, token: &Token<'_>, reader: &mut Reader<Bytes<'_>>) -> Result<(), Broken> {
        match token {
            Token::GameStart => {
                self.begin(reader);
                return Ok(());
            }
            // More tags may follow.
            Token::Tag(_) | Token::Comment(_) | Token::Nag(_) => {}
            _ if !self.is_wanted() => {
                self.drop_game();
                // Errors in its rest are of no interest.
                let _ = reader.skip_game();
                return Ok(());
            }
            // A variation is not checked. If it has no end, the next token is that error.
            Token::VariationStart => {
                return reader.skip_variation().map_err(|error| self.unreadable(&error));
            }
            _ => {}
        }
        let mv = match self.replay.play(token) {
            Ok(mv) => mv,
            Err(error) => return Err(self.illegal(reader, error.ply(), error.to_string())),
        };
        match token {
            Token::Move(_) => match mv {
                Some(mv) => self.push(mv),
                None => {
                    let message = "a null move is not a legal move of the main line";
                    return Err(self.illegal(reader, self.replay.ply(), message.to_owned()));
                }
            },
            Token::Comment(comment) => self.comment(comment),
            Token::Tag(tag) => self.tag(tag),
            Token::Result(result) => self.game.marker = Some(*result),
            Token::GameEnd => self.end(reader.game(), false),
            _ => {}
        }
        Ok(())
    }

    fn begin(&mut self, reader: &mut Reader<Bytes<'_>>) {
        // The replay forgets the last game.
        let _ = self.replay.play(&Token::GameStart);
        let line = reader.place().line as i64;
        self.game = Current { has_begun: true, line, ..Current::NONE };
        self.fits.fill(None);
    }

    /// Do the tags that have been read fit all conditions?
    #[inline]
    fn is_wanted(&self) -> bool {
        self.fits.iter().all(|&fits| fits == Some(true))
    }

    #[inline]
    fn push(&mut self, mv: Move) {
        let Self { part, plan, replay, game, .. } = self;
        if game.has_setup && part.ply() == 0 {
            part.starts.push((part.len(), replay.before().clone()));
        }
        part.moves.push(mv.bits());
        part.clocks.push(f32::NAN);
        part.evals.push(f32::NAN);
        part.mates.push(0);
        if plan.positions {
            part.positions.push(replay.before().clone());
        }
    }

    /// Records the clock and the evaluation after the last move, the first ones if there are several.
    #[inline]
    fn comment(&mut self, comment: &Comment<'_>) {
        if self.part.ply() == 0 {
            return;
        }
        for command in comment.commands() {
            match command.name.as_bytes() {
                b"clk" => {
                    if let (Some(clock), Some(last)) = (command.time(), self.part.clocks.last_mut())
                        && last.is_nan()
                    {
                        *last = clock.as_secs_f32();
                    }
                }
                b"eval" => {
                    let mover = !self.replay.position().turn();
                    let eval = Evaluation::from_bytes(command.argument.as_bytes());
                    let Part { evals, mates, .. } = &mut self.part;
                    if let (Some(eval), Some(pawns), Some(mate)) =
                        (eval, evals.last_mut(), mates.last_mut())
                        && (pawns.is_nan() && *mate == 0)
                    {
                        (*pawns, *mate) = numbers(eval.score, mover);
                    }
                }
                _ => {}
            }
        }
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        let game = &mut self.game;
        match tag.name.as_bytes() {
            b"WhiteElo" => {
                game.white_elo.get_or_insert_with(|| elo(tag));
            }
            b"BlackElo" => {
                game.black_elo.get_or_insert_with(|| elo(tag));
            }
            b"Result" => {
                let result = || Termination::from_bytes(tag.value().as_bytes());
                game.result.get_or_insert_with(result);
            }
            b"FEN" | b"Variant" => game.has_setup = true,
            _ => {}
        }
        for (condition, fits) in self.plan.conditions.iter().zip(&mut self.fits) {
            if tag.name == *condition.tag {
                fits.get_or_insert_with(|| condition.holds(&tag.value()));
            }
        }
        let games = self.part.len();
        for (name, column) in self.plan.tags.iter().zip(&mut self.part.tags) {
            if tag.name == **name && column.len() == games {
                column.push(tag.value().into_owned());
            }
        }
    }

    /// Ends the game and adds its row.
    fn end(&mut self, number: u64, is_broken: bool) {
        let Self { part, replay, game, .. } = self;
        if game.has_setup && part.ply() == 0 {
            part.starts.push((part.len(), replay.position().clone()));
        }
        for column in &mut part.tags {
            column.resize(part.results.len() + 1, String::new());
        }
        part.offsets.push(part.moves.len() as i64);
        let result = Termination::of_game(game.marker, game.result.flatten());
        part.results.push(match result.result() {
            Some(GameResult::WhiteWins) => 1,
            Some(GameResult::Draw) => 0,
            Some(GameResult::BlackWins) => -1,
            None => UNKNOWN,
        });
        part.white_elo.push(game.white_elo.unwrap_or(0));
        part.black_elo.push(game.black_elo.unwrap_or(0));
        part.lines.push(game.line);
        part.numbers.push(number as i64);
        part.broken.push(is_broken);
        *game = Current::NONE;
    }

    /// Ends a broken game. It gets a row only if the plan keeps such games.
    fn end_broken(&mut self, mut problem: Problem) {
        problem.index = self.part.len();
        let is_wanted = self.is_wanted();
        if self.game.has_begun && self.plan.keep_broken && is_wanted {
            self.end(problem.game, true);
        } else if self.game.has_begun {
            self.drop_game();
        }
        if is_wanted || problem.is_final {
            self.part.problems.push(problem);
        }
    }

    fn drop_game(&mut self) {
        self.part.drop_rest();
        self.game = Current::NONE;
    }

    /// The reader found an error. If a move came before it, the move says where.
    #[cold]
    fn unreadable(&self, error: &Error) -> Broken {
        let ply = if self.game.has_begun { self.part.ply() } else { 0 };
        Box::new(Problem {
            place: error.place(),
            game: error.game(),
            ply: Some(ply).filter(|&ply| ply > 0),
            message: error.kind().to_string(),
            index: 0,
            is_final: error.is_final(),
        })
    }

    /// The game cannot be played on. The reader skips its rest: that may be broken as well, but one
    /// error is enough.
    #[cold]
    fn illegal(&self, reader: &mut Reader<Bytes<'_>>, ply: u32, message: String) -> Broken {
        let (place, game) = (reader.place(), reader.game());
        let _ = reader.skip_game();
        let ply = Some(ply).filter(|&ply| ply > 0);
        Box::new(Problem { place, game, ply, message, index: 0, is_final: false })
    }
}

impl Current {
    const NONE: Self = Self {
        marker: None,
        result: None,
        white_elo: None,
        black_elo: None,
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

/// An evaluation in pawns and in moves to mate, from White's point of view. Only one of the two is
/// given.
fn numbers(eval: Eval, mover: Color) -> (f32, i16) {
    let moves = match eval {
        Eval::Centipawns(centipawns) => return ((f64::from(centipawns) / 100.0) as f32, 0),
        // The mate is on the board. It needs a sign.
        Eval::Mate(0) if mover == Color::White => 1,
        Eval::Mate(0) => -1,
        Eval::Mate(moves) => moves,
    };
    (f32::NAN, moves.clamp(-i32::from(i16::MAX), i16::MAX.into()) as i16)
}
