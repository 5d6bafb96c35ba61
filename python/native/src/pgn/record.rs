//! Playing the games of a chunk, and recording them in columns.

use tabiya::Color;
use tabiya_pgn::{
    Bytes, Chunk, Comment, Error, Eval, Played, Reader, Replay, ReplayError, Tag, Termination,
    Token,
};

use super::part::{NO_MOVE, Part, Plan, Problem, result_code};

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
    let replay = Replay::new().with_letters(plan.letters);
    let mut recorder = Recorder { part, plan, replay, game: Current::NONE, fits };
    let mut reader = Reader::part(&chunk.bytes, chunk.start, chunk.games_before);
    let mut tokens = 0;
    // As an iterator, it yields tokens that do not borrow the reader.
    while let Some(token) = Iterator::next(&mut reader) {
        tokens += 1;
        if tokens % STEP == 0 && is_stopped() {
            break;
        }
        match token {
            Ok(token) => recorder.token(&token, &mut reader),
            Err(error) => recorder.unreadable(&error),
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
    remarks: u32,
    /// The errors. `None` between games.
    problems: Option<Vec<Problem>>,
    /// Do the tags give a start position?
    has_setup: bool,
}

impl Recorder<'_> {
    #[inline]
    fn token(&mut self, token: &Token<'_>, reader: &mut Reader<Bytes<'_>>) {
        match token {
            Token::GameStart => self.begin(reader),
            // It is between games.
            Token::Remark(_) if self.game.problems.is_none() => return,
            // More tags may follow.
            Token::Tag(_) | Token::Comment(_) | Token::Nag(_) | Token::Remark(_) => {}
            _ if !self.is_wanted() => {
                self.part.drop_rest();
                self.game = Current::NONE;
                // Errors in its rest are of no interest.
                let _ = reader.skip_game();
                return;
            }
            // Its moves are not checked.
            Token::VariationStart => {
                if let Err(error) = reader.skip_variation() {
                    self.unreadable(&error);
                }
                return;
            }
            _ => {}
        }
        match self.replay.play(token) {
            Ok(Played::Move(mv)) => self.push(mv.bits()),
            Ok(Played::Null) => self.push(NO_MOVE),
            Ok(Played::Skipped) => {}
            Ok(Played::Other) => match token {
                Token::Comment(comment) => self.comment(comment),
                Token::Tag(tag) => self.tag(tag),
                Token::Remark(_) => self.game.remarks += 1,
                Token::Result(result) => self.game.marker = Some(*result),
                Token::GameEnd => self.end(reader.game()),
                _ => {}
            },
            Err(error) => {
                self.cut(&error, reader);
                // The start of a game without moves.
                if *token == Token::GameEnd {
                    self.end(reader.game());
                }
            }
        }
    }

    fn begin(&mut self, reader: &mut Reader<Bytes<'_>>) {
        let line = reader.place().line as i64;
        self.game = Current { line, problems: Some(Vec::new()), ..Current::NONE };
        self.fits.fill(None);
    }

    /// Do the tags that have been read fit all conditions?
    #[inline]
    fn is_wanted(&self) -> bool {
        self.fits.iter().all(|&fits| fits == Some(true))
    }

    #[inline]
    fn push(&mut self, bits: u16) {
        let Self { part, plan, replay, game, .. } = self;
        if game.has_setup && part.ply() == 0 {
            part.set_start(replay.before());
        }
        part.moves.push(bits);
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
        let last = self.part.moves.len() - 1;
        let Part { clocks, evals, mates, .. } = &mut self.part;
        if clocks[last].is_nan()
            && let Some(clock) = comment.clock()
        {
            clocks[last] = clock.as_secs_f32();
        }
        if evals[last].is_nan() && mates[last] == 0 {
            let mover = !self.replay.position().turn();
            if let Some(eval) = comment.eval_for(mover) {
                (evals[last], mates[last]) = numbers(eval.score, mover);
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

    /// Ends the game, and adds its row unless it is broken and such games are left out.
    fn end(&mut self, number: u64) {
        let game = std::mem::replace(&mut self.game, Current::NONE);
        let Self { part, plan, replay, .. } = self;
        let problems = game.problems.unwrap_or_default();
        let (index, is_broken) = (part.len(), !problems.is_empty());
        part.problems.extend(problems.into_iter().map(|it| Problem { index, ..it }));
        if is_broken && !plan.keep_broken {
            part.drop_rest();
            return;
        }
        if game.has_setup && part.ply() == 0 {
            part.set_start(replay.position());
        }
        for column in &mut part.tags {
            column.resize(index + 1, String::new());
        }
        part.offsets.push(part.moves.len() as i64);
        part.results.push(result_code(Termination::of_game(game.marker, game.result.flatten())));
        part.white_elo.push(game.white_elo.unwrap_or(0));
        part.black_elo.push(game.black_elo.unwrap_or(0));
        part.lines.push(game.line);
        part.numbers.push(number as i64);
        part.broken.push(is_broken);
        part.remarks.push((game.remarks + replay.wrong_numbers()) as i32);
    }

    /// The text has an error. If a move came before it, the move says where.
    #[cold]
    fn unreadable(&mut self, error: &Error) {
        let ply = if self.game.problems.is_some() { self.part.ply() } else { 0 };
        let problem = Problem {
            place: error.place(),
            game: error.game(),
            ply: Some(ply).filter(|&ply| ply > 0),
            message: error.kind().to_string(),
            index: self.part.len(),
            is_final: error.is_final(),
        };
        match &mut self.game.problems {
            Some(problems) if !error.is_final() => problems.push(problem),
            _ => self.part.problems.push(problem),
        }
    }

    /// An error has ended the main line.
    #[cold]
    fn cut(&mut self, error: &ReplayError, reader: &mut Reader<Bytes<'_>>) {
        self.part.keep_plies(error.kept());
        let problem = Problem {
            place: if error.is_number() { reader.note_place() } else { reader.place() },
            game: reader.game(),
            ply: Some(error.ply()).filter(|&ply| ply > 0),
            message: error.to_string(),
            index: self.part.len(),
            is_final: false,
        };
        self.game.problems.get_or_insert_default().push(problem);
    }
}

impl Current {
    const NONE: Self = Self {
        marker: None,
        result: None,
        white_elo: None,
        black_elo: None,
        line: 0,
        remarks: 0,
        problems: None,
        has_setup: false,
    };
}

/// A rating; 0 if there is none.
fn elo(tag: &Tag<'_>) -> i16 {
    let text = tag.raw_value.to_str().unwrap_or_default();
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
