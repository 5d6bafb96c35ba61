//! Comparing tabiya with the peers at one position.

mod counting;
mod identity;
mod moves;
mod notation;
mod staging;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cozy_chess::Board;
use shakmaty::{Chess, Position as _};
use tabiya::fen::EnPassantMode;
use tabiya::{Move, Position, Setup, SplitMix64};
use tabiya_perft::Isa;

use crate::answers::{Answers, Convention};
use crate::kind::Kind;
use crate::peers::{self, Code};
use crate::random::{mix, of_parts};
use crate::record::{Feature, Record};

/// The names of the peers in differences.
const SHAKMATY: &str = "shakmaty";
const COZY: &str = "cozy-chess";
/// The name of an answer that follows from the definition and the peers' answers, or that was there
/// before.
const EXPECTED: &str = "expected";

/// Compares positions, one after the other.
pub struct Comparer<'a, A> {
    answers: &'a A,
    /// The comparisons so far.
    pub record: Record,
    /// Is each kind compared at each position?
    all: bool,
    /// The instruction sets of this CPU.
    isas: Vec<Isa>,
    previous: Option<Position>,
    /// The moves that tabiya and the peers agree on.
    agreed: Vec<Agreed>,
    lists: moves::Lists,
}

/// A legal move that tabiya and the peers agree on.
#[derive(Clone, Copy, Debug)]
struct Agreed {
    mv: Move,
    code: Code,
    /// The move of shakmaty, if it is asked.
    theirs: Option<shakmaty::Move>,
}

/// A function that compares.
type Compare<'a, A> = fn(&mut Comparer<'a, A>, &Case<'_>);

/// One position in all generators.
struct Case<'a> {
    position: &'a Position,
    setup: &'a Setup,
    /// `None` if a rule says that shakmaty is not asked.
    shakmaty: Option<&'a Chess>,
    /// `None` if a rule says that cozy-chess refuses it.
    cozy: Option<&'a Board>,
    agreed: &'a [Agreed],
}

impl Case<'_> {
    /// Random numbers that depend only on the position, so that a FEN repeats a comparison.
    fn random(&self, kind: Kind) -> SplitMix64 {
        of_parts(self.position.key_from_scratch(), &[kind as u64])
    }
}

impl<'a, A: Answers> Comparer<'a, A> {
    /// A comparer that has compared nothing yet. With `all`, each kind is compared at each
    /// position.
    pub fn new(answers: &'a A, all: bool) -> Self {
        Self {
            answers,
            record: Record::new(),
            all,
            isas: Isa::ALL.into_iter().filter(|isa| isa.is_available()).collect(),
            previous: None,
            agreed: Vec::new(),
            lists: moves::Lists::default(),
        }
    }

    /// Compares whether a setup is playable. Returns its position if it is.
    pub fn setup(&mut self, setup: &Setup) -> Option<Position> {
        let kept = self.record.differences.len();
        let ours = self.answers.is_playable(setup);
        let theirs = peers::shakmaty::is_playable(setup);
        self.record.equal(Kind::Setup, SHAKMATY, ours, theirs, || "is it playable?".to_owned());
        let fen = || vec![setup.fen().to_string()];
        self.record.differences[kept..].iter_mut().for_each(|it| it.fens = fen());
        Position::from_setup(setup).ok()
    }

    /// Compares everything at a position. The mark, a random number, chooses the kinds that are not
    /// compared at every position.
    pub fn compare(&mut self, position: &Position, mark: u64) {
        let before = self.record.all_differences();
        let kept = self.record.differences.len();
        let end = catch_unwind(AssertUnwindSafe(|| self.compare_kinds(position, mark)));
        if let Err(payload) = end {
            let kind = self.record.current;
            let message = message_of(&*payload);
            self.record.differ(kind, EXPECTED, message, "no panic".to_owned(), "panic".to_owned());
        }
        if self.record.all_differences() > before {
            let fen = |position| self.fen(position);
            let fens: Vec<String> = self.previous.iter().chain([position]).map(fen).collect();
            self.record.differences[kept..].iter_mut().for_each(|it| it.fens.clone_from(&fens));
        }
        match &mut self.previous {
            Some(previous) => previous.clone_from(position),
            None => self.previous = Some(position.clone()),
        }
    }

    /// Adds to the last differences the place where they were found.
    pub fn origin(&mut self, origin: impl Fn() -> String) {
        let unnamed = self.record.differences.iter_mut().filter(|it| it.origin.is_empty());
        unnamed.for_each(|difference| difference.origin = origin());
    }

    /// The FEN that describes the whole position, including its castling mode.
    fn fen(&self, position: &Position) -> String {
        let convention = match position.castling_mode() {
            tabiya::CastlingMode::Standard => Convention::XFen(EnPassantMode::Always),
            tabiya::CastlingMode::Chess960 => Convention::Shredder,
        };
        crate::answers::Tabiya.fen(position, convention).to_string()
    }

    fn compare_kinds(&mut self, position: &Position, mark: u64) {
        self.record.positions += 1;
        self.record.distinct.add(position.key());
        let all = self.all;
        let is_due = |kind: Kind| all || mix(mark ^ mix(kind as u64)).is_multiple_of(kind.every());

        self.record.current = Kind::Setup;
        let setup = position.to_setup_with(EnPassantMode::Always);
        let shakmaty = match peers::shakmaty::position(&setup) {
            Ok(position) => position,
            Err(kinds) => {
                let question = "is the position playable?".to_owned();
                self.record.differ(
                    Kind::Setup,
                    SHAKMATY,
                    "yes".into(),
                    format!("{kinds:?}"),
                    question,
                );
                return;
            }
        };
        let has_room = peers::shakmaty::has_room(&shakmaty);
        let cozy = peers::cozy::position(&setup);
        let must_refuse = peers::cozy::must_refuse(&setup, shakmaty.checkers().0);
        self.record.equal(Kind::Setup, COZY, !must_refuse, cozy.is_ok(), || {
            "is the position to be taken by cozy-chess?".to_owned()
        });
        self.record.note(Feature::CozyRefuses, cozy.is_err());
        self.record.note(Feature::ShakmatyRefuses, !has_room);

        let mut agreed = std::mem::take(&mut self.agreed);
        let (shakmaty, cozy) = (has_room.then_some(&shakmaty), cozy.ok());
        self.record.current = Kind::Moves;
        self.list(position, shakmaty, cozy.as_ref(), &mut agreed);
        let case = Case { position, setup: &setup, shakmaty, cozy: cozy.as_ref(), agreed: &agreed };
        self.record.moves += agreed.len() as u64;
        for (kind, compare) in Self::KINDS {
            if is_due(kind) {
                self.record.current = kind;
                compare(self, &case);
            }
        }
        if is_due(Kind::Perft) {
            self.record.current = Kind::Perft;
            self.perft(&case, 2);
            if all || mix(mark).is_multiple_of(16) {
                self.perft(&case, 3);
            }
        }
        if is_due(Kind::Categories) {
            self.record.current = Kind::Categories;
            self.categories(&case, 1);
            if all || mix(mark).is_multiple_of(16) {
                self.categories(&case, 2);
            }
        }
        if mix(mark ^ mix(99)).is_multiple_of(16) || all {
            self.record.current = Kind::Key;
            self.keys_after(&case);
        }
        self.agreed = agreed;
    }

    /// The functions that compare, by kind.
    const KINDS: [(Kind, Compare<'a, A>); 13] = [
        (Kind::Play, Self::play),
        (Kind::Outcome, Self::outcome),
        (Kind::Count, Self::count),
        (Kind::Key, Self::key),
        (Kind::Polyglot, Self::polyglot),
        (Kind::InPlace, Self::in_place),
        (Kind::Packed, Self::packed),
        (Kind::Equal, Self::equal),
        (Kind::Mirror, Self::mirror),
        (Kind::MoveKinds, Self::move_kinds),
        (Kind::Fen, Self::fens),
        (Kind::Uci, Self::uci),
        (Kind::San, Self::san),
    ];
}

/// The message of a panic.
fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_default())
}
