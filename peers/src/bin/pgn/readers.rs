//! Reading a file of games: tokens alone, moves as SAN, every move checked.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, SanPlus};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use tabiya_pgn::{Input, Reader, Replay, Token};

use tabiya_peers::group::{Contestant, Group};

/// The counts, on which all readers must agree.
#[derive(Debug, Default)]
struct Stats {
    games: u64,
    tags: u64,
    moves: u64,
    comments: u64,
    results: u64,
}

impl Stats {
    /// One number for all of them.
    fn sum(&self) -> u64 {
        [self.games, self.tags, self.moves, self.comments, self.results]
            .into_iter()
            .fold(0, |sum, number| sum * 1_000_003 + number)
    }
}

impl pgn_reader::Visitor for Stats {
    type Tags = ();
    type Movetext = ();
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, _: &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        self.tags += 1;
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn san(&mut self, _: &mut (), _: SanPlus) -> ControlFlow<()> {
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, _: &mut (), _: Nag) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn comment(&mut self, _: &mut (), _: RawComment<'_>) -> ControlFlow<()> {
        self.comments += 1;
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, _: &mut (), _: Outcome) -> ControlFlow<()> {
        self.results += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: ()) {
        self.games += 1;
    }
}

/// pgn-reader's own example of checking: the move is found and played.
#[derive(Default)]
struct Validator {
    games: u64,
    moves: u64,
}

impl pgn_reader::Visitor for Validator {
    type Tags = Option<Chess>;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue(None)
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN");
            *tags = Some(fen.into_position(CastlingMode::Chess960).expect("a position"));
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(tags.unwrap_or_default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(mv) => position.play_unchecked(mv),
            Err(_) => return ControlFlow::Break(()),
        }
        self.moves += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {
        self.games += 1;
    }
}

/// Counts the tokens of the main lines. With `SAN`, the moves are read as well.
#[inline(always)]
fn stats<I: Input, const SAN: bool>(mut reader: Reader<I>) -> u64 {
    let mut stats = Stats::default();
    while let Some(token) = reader.next_token().expect("the games are not broken") {
        match token {
            Token::Tag(_) => stats.tags += 1,
            Token::Move(mv) => {
                if SAN {
                    tabiya::San::from_ascii(mv.text().as_bytes()).expect("a move");
                }
                stats.moves += 1;
            }
            Token::Comment(_) => stats.comments += 1,
            Token::Result(_) => stats.results += 1,
            Token::GameEnd => stats.games += 1,
            Token::VariationStart => reader.skip_variation().expect("it ends"),
            _ => {}
        }
    }
    stats.sum()
}

/// Checks and plays the moves of the main lines.
#[inline(always)]
fn check<I: Input>(mut reader: Reader<I>) -> u64 {
    let mut replay = Replay::new();
    let (mut games, mut moves) = (0, 0);
    while let Some(token) = reader.next_token().expect("the games are not broken") {
        match token {
            Token::VariationStart => reader.skip_variation().expect("it ends"),
            Token::GameEnd => games += 1,
            token => {
                let played = replay.play(&token).expect("every move is legal");
                moves += u64::from(played.mv().is_some());
            }
        }
    }
    games * 1_000_003 + moves
}

pub(crate) fn groups(pgn: &[u8]) -> Vec<Group<'_>> {
    let mut games = 0;
    for token in Reader::from_bytes(pgn) {
        games += u64::from(matches!(token, Ok(Token::GameStart)));
    }
    vec![
        Group {
            title: "tokens",
            work: games,
            unit: "games",
            contestants: vec![
                Contestant::new("pgn-reader (reads SAN)", move || {
                    let mut stats = Stats::default();
                    let mut reader = pgn_reader::Reader::new(pgn);
                    reader.visit_all_games(&mut stats).expect("memory can be read");
                    stats.sum()
                }),
                Contestant::new("tabiya-pgn, stream", move || stats::<_, false>(Reader::new(pgn))),
                Contestant::new("tabiya-pgn, bytes", move || {
                    stats::<_, false>(Reader::from_bytes(pgn))
                }),
                Contestant::new("tabiya-pgn, stream, reads SAN", move || {
                    stats::<_, true>(Reader::new(pgn))
                }),
            ],
        },
        Group {
            title: "games skipped",
            work: games,
            unit: "games",
            contestants: vec![
                Contestant::new("pgn-reader", move || {
                    let mut reader = pgn_reader::Reader::new(pgn);
                    let mut games = 0;
                    while reader.skip_game().expect("memory can be read") {
                        games += 1;
                    }
                    games
                }),
                Contestant::new("tabiya-pgn, stream", move || {
                    let mut reader = Reader::new(pgn);
                    while reader.next_token().expect("not broken").is_some() {
                        reader.skip_game().expect("not broken");
                    }
                    reader.game()
                }),
            ],
        },
        Group {
            title: "every move of the main line checked and played",
            work: games,
            unit: "games",
            contestants: vec![
                Contestant::new("pgn-reader with shakmaty", move || {
                    let mut validator = Validator::default();
                    let mut reader = pgn_reader::Reader::new(pgn);
                    reader.visit_all_games(&mut validator).expect("memory can be read");
                    validator.games * 1_000_003 + validator.moves
                }),
                Contestant::new("tabiya-pgn, stream", move || check(Reader::new(pgn))),
                Contestant::new("tabiya-pgn, bytes", move || check(Reader::from_bytes(pgn))),
            ],
        },
    ]
}
