//! The comparison notices wrong answers: at least one fault for each kind, and each answer that is
//! asked for.

use std::collections::HashSet;

use tabiya::fen::{EnPassantMode, Fen};
use tabiya::movegen::CheckFacts;
use tabiya::san::Leniencies;
use tabiya::{
    Bitboard, CastlingMode, Color, Move, MoveList, Outcome, PackedPosition, Position, Setup,
    UciMove, Undo,
};
use tabiya_differential::answers::{Answers, Convention, Stage, Tabiya};
use tabiya_differential::compare::Comparer;
use tabiya_differential::kind::Kind;
use tabiya_differential::record::Record;
use tabiya_differential::run::{Plan, Watched, run};
use tabiya_differential::sources::Source;
use tabiya_perft::{Categories, Isa};

macro_rules! faults {
    ($($variant:ident => $kind:ident,)*) => {
        /// One wrong answer.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        enum Fault {
            $($variant,)*
        }

        /// All faults, and the kind of comparison that must notice each.
        const FAULTS: &[(Fault, Kind)] = &[$((Fault::$variant, Kind::$kind),)*];
    };
}

faults! {
    PlaysAnySetup => Setup,
    DropsAMove => Moves,
    AddsAMove => Moves,
    CapturesEnPassantWherePinned => Moves,
    Panics => Moves,
    DeniesAnyCheck => Checks,
    OverlooksDiscoveredChecks => Checks,
    InCheckWithoutCheckers => Checks,
    MissesACheckerOfTwo => Checks,
    PinsNothing => Checks,
    KeepsTheCastlingRights => Play,
    ForgetsTheDoublePush => Play,
    NeverResetsTheClock => Play,
    CallsMateStalemate => Outcome,
    NoSeventyFiveMoves => Outcome,
    BishopsAlwaysMate => Outcome,
    CountsOneTooMany => Count,
    AlwaysHasAMove => Count,
    KeyWithoutEnPassant => Key,
    ForetellsTheOldKey => Key,
    PolyglotKeyOnlyOfLegalEnPassant => Polyglot,
    MakesWithoutRights => InPlace,
    UnmakesNothing => InPlace,
    PacksNoClock => Packed,
    IdentityWithTheClock => Packed,
    EqualIfTheBoardsAre => Equal,
    KeyOfTheBoardAlone => Equal,
    MirrorsNothing => Mirror,
    QuietsWithCaptures => MoveKinds,
    QuietChecksWithoutDiscovered => MoveKinds,
    PseudoLegalWithoutCastling => MoveKinds,
    FenWithEveryEnPassant => Fen,
    FenWithoutRights => Fen,
    ReadsNoClock => Fen,
    UciWithoutPromotion => Uci,
    FindsAnIllegalMove => Uci,
    DeniesCapturesInIsLegal => Uci,
    ReadsNoCastlingInUci => Uci,
    SanWithoutMarks => San,
    SanWithoutOrigin => San,
    ReadsAnotherMoveInSan => San,
    StrictReaderIsLenient => San,
    LenientReaderIsStrict => San,
    PerftForgetsALeaf => Perft,
    CategoriesForgetACheck => Categories,
}

/// Tabiya with one fault.
struct Faulty(Fault);

impl Faulty {
    fn is(&self, fault: Fault) -> bool {
        self.0 == fault
    }
}

/// The position with parts of its setup replaced; the same if that cannot be played.
fn changed(position: &Position, change: impl FnOnce(&mut Setup)) -> Position {
    let mut setup = position.to_setup_with(EnPassantMode::Always);
    change(&mut setup);
    Position::from_setup(&setup).unwrap_or_else(|_| position.clone())
}

fn list(moves: impl IntoIterator<Item = Move>) -> MoveList {
    let mut list = MoveList::new();
    moves.into_iter().for_each(|mv| list.push(mv).expect("there is room"));
    list
}

impl Answers for Faulty {
    fn is_playable(&self, setup: &Setup) -> bool {
        self.is(Fault::PlaysAnySetup) || Tabiya.is_playable(setup)
    }

    fn legal_moves(&self, position: &Position) -> MoveList {
        let moves = Tabiya.legal_moves(position);
        match self.0 {
            Fault::DropsAMove => list(moves.iter().copied().skip(1)),
            Fault::AddsAMove => {
                let pseudo_legal = Tabiya.pseudo_legal_moves(position, Stage::Legal);
                let extra = pseudo_legal.iter().copied().find(|mv| !moves.contains(mv));
                list(moves.iter().copied().chain(extra))
            }
            Fault::CapturesEnPassantWherePinned => {
                let pseudo_legal = Tabiya.pseudo_legal_moves(position, Stage::Legal);
                let extra = pseudo_legal.iter().copied();
                let extra = extra.filter(|mv| mv.is_en_passant() && !moves.contains(mv));
                list(moves.iter().copied().chain(extra))
            }
            Fault::Panics if moves.len() == 30 => panic!("a fault"),
            _ => moves,
        }
    }

    fn moves(&self, position: &Position, stage: Stage) -> MoveList {
        let moves = Tabiya.moves(position, stage);
        match (self.0, stage) {
            (Fault::QuietsWithCaptures, Stage::Quiets) => Tabiya.moves(position, Stage::Legal),
            (Fault::QuietChecksWithoutDiscovered, Stage::QuietChecks) => {
                let facts = CheckFacts::of(position);
                let is_direct = |mv: &Move| facts.squares(position.role_of(*mv)).has(mv.to());
                list(moves.iter().copied().filter(is_direct))
            }
            _ => moves,
        }
    }

    fn pseudo_legal_moves(&self, position: &Position, stage: Stage) -> MoveList {
        let moves = Tabiya.pseudo_legal_moves(position, stage);
        if self.is(Fault::PseudoLegalWithoutCastling) {
            return list(moves.iter().copied().filter(|mv| mv.castling().is_none()));
        }
        moves
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        Tabiya.is_legal(position, mv)
            && !(self.is(Fault::DeniesCapturesInIsLegal) && mv.is_capture())
    }

    fn count_legal(&self, position: &Position) -> usize {
        Tabiya.count_legal(position) + usize::from(self.is(Fault::CountsOneTooMany))
    }

    fn has_legal_move(&self, position: &Position) -> bool {
        self.is(Fault::AlwaysHasAMove) || Tabiya.has_legal_move(position)
    }

    fn gives_check(&self, position: &Position, facts: &CheckFacts, mv: Move) -> bool {
        match self.0 {
            Fault::DeniesAnyCheck => false,
            Fault::OverlooksDiscoveredChecks => {
                let mut facts = *facts;
                facts.discoverers = Bitboard::EMPTY;
                Tabiya.gives_check(position, &facts, mv)
            }
            _ => Tabiya.gives_check(position, facts, mv),
        }
    }

    fn is_check(&self, position: &Position) -> bool {
        self.is(Fault::InCheckWithoutCheckers) || Tabiya.is_check(position)
    }

    fn checkers(&self, position: &Position) -> Bitboard {
        let checkers = Tabiya.checkers(position);
        match checkers.first() {
            Some(first) if self.is(Fault::MissesACheckerOfTwo) && checkers.has_many() => {
                checkers.without(first)
            }
            _ => checkers,
        }
    }

    fn pinned(&self, position: &Position) -> Bitboard {
        if self.is(Fault::PinsNothing) { Bitboard::EMPTY } else { Tabiya.pinned(position) }
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        let after = Tabiya.play(position, mv);
        match self.0 {
            Fault::KeepsTheCastlingRights => {
                changed(&after, |setup| setup.castling = position.castling_rights())
            }
            Fault::ForgetsTheDoublePush => changed(&after, |setup| setup.en_passant = None),
            Fault::NeverResetsTheClock => {
                changed(&after, |setup| setup.halfmove_clock = position.halfmove_clock() + 1)
            }
            _ => after,
        }
    }

    fn make(&self, position: &mut Position, mv: Move) -> Undo {
        let undo = Tabiya.make(position, mv);
        if self.is(Fault::MakesWithoutRights) {
            *position = changed(position, |setup| setup.castling = Default::default());
        }
        undo
    }

    fn unmake(&self, position: &mut Position, mv: Move, undo: Undo) {
        if !self.is(Fault::UnmakesNothing) {
            Tabiya.unmake(position, mv, undo);
        }
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match (self.0, Tabiya.outcome(position)) {
            (Fault::CallsMateStalemate, Some(Outcome::Checkmate { .. })) => {
                Some(Outcome::Stalemate)
            }
            (Fault::NoSeventyFiveMoves, Some(Outcome::SeventyFiveMoves)) => None,
            (_, outcome) => outcome,
        }
    }

    fn can_mate(&self, position: &Position, color: Color) -> bool {
        let bishops = position.board().pieces(color, tabiya::Role::Bishop);
        Tabiya.can_mate(position, color) || self.is(Fault::BishopsAlwaysMate) && bishops.any()
    }

    fn key(&self, position: &Position) -> u64 {
        match self.0 {
            Fault::KeyWithoutEnPassant => changed(position, |setup| setup.en_passant = None).key(),
            Fault::KeyOfTheBoardAlone => {
                changed(position, |setup| setup.castling = Default::default()).key()
            }
            _ => Tabiya.key(position),
        }
    }

    fn key_after(&self, position: &Position, mv: Move) -> u64 {
        match self.0 {
            Fault::ForetellsTheOldKey => position.key(),
            _ => Tabiya.key_after(position, mv),
        }
    }

    fn polyglot_key(&self, position: &Position) -> u64 {
        match self.0 {
            Fault::PolyglotKeyOnlyOfLegalEnPassant => {
                changed(position, |setup| setup.en_passant = position.en_passant()).polyglot_key()
            }
            _ => Tabiya.polyglot_key(position),
        }
    }

    fn are_equal(&self, position: &Position, other: &Position) -> bool {
        match self.0 {
            Fault::EqualIfTheBoardsAre => position.board() == other.board(),
            _ => Tabiya.are_equal(position, other),
        }
    }

    fn pack(&self, position: &Position) -> [u8; 32] {
        match self.0 {
            Fault::PacksNoClock => {
                PackedPosition::of(&changed(position, |it| it.halfmove_clock = 0)).to_bytes()
            }
            _ => Tabiya.pack(position),
        }
    }

    fn identity(&self, position: &Position) -> [u8; 24] {
        let mut bytes = Tabiya.identity(position);
        if self.is(Fault::IdentityWithTheClock) {
            bytes[23] ^= position.halfmove_clock() as u8;
        }
        bytes
    }

    fn mirrored(&self, position: &Position) -> Position {
        match self.0 {
            Fault::MirrorsNothing => position.clone(),
            _ => Tabiya.mirrored(position),
        }
    }

    fn fen(&self, position: &Position, convention: Convention) -> Fen {
        match (self.0, convention) {
            (Fault::FenWithEveryEnPassant, Convention::XFen(_)) => {
                Tabiya.fen(position, Convention::XFen(EnPassantMode::Always))
            }
            (Fault::FenWithoutRights, _) => {
                let bare = changed(position, |setup| setup.castling = Default::default());
                Tabiya.fen(&bare, convention)
            }
            _ => Tabiya.fen(position, convention),
        }
    }

    fn read_fen(&self, text: &str) -> Result<Position, String> {
        let position = Tabiya.read_fen(text)?;
        Ok(match self.0 {
            Fault::ReadsNoClock => changed(&position, |setup| setup.halfmove_clock = 0),
            _ => position,
        })
    }

    fn uci(&self, position: &Position, mv: Move) -> UciMove {
        let text = Tabiya.uci(position, mv);
        if self.is(Fault::UciWithoutPromotion) {
            return UciMove { promotion: None, ..text };
        }
        text
    }

    fn find_uci(&self, position: &Position, text: UciMove) -> Option<Move> {
        let found = Tabiya.find_uci(position, text);
        if self.is(Fault::FindsAnIllegalMove) {
            return found.or_else(|| position.legal_moves().first().copied());
        }
        found
    }

    fn read_uci(&self, position: &Position, text: &str) -> Result<Move, String> {
        match Tabiya.read_uci(position, text) {
            Ok(mv) if self.is(Fault::ReadsNoCastlingInUci) && mv.castling().is_some() => {
                Err("a fault".to_owned())
            }
            result => result,
        }
    }

    fn san(&self, position: &Position, mv: Move) -> String {
        let mut san = position.san(mv);
        if self.is(Fault::SanWithoutMarks) {
            san.mark = None;
        }
        if self.is(Fault::SanWithoutOrigin)
            && let tabiya::san::SanAction::Piece(piece) = &mut san.action
            && piece.role != tabiya::Role::Pawn
        {
            (piece.file, piece.rank) = (None, None);
        }
        san.to_string()
    }

    fn read_san(&self, position: &Position, text: &str) -> Result<Move, String> {
        match self.0 {
            Fault::LenientReaderIsStrict => Tabiya.read_san_strictly(position, text),
            _ => Tabiya.read_san(position, text),
        }
    }

    fn read_san_reporting(
        &self,
        position: &Position,
        text: &str,
    ) -> Result<(Move, Leniencies), String> {
        let (mv, leniencies) = Tabiya.read_san_reporting(position, text)?;
        let other = position.legal_moves().iter().copied().find(|&other| other != mv);
        match other {
            Some(other) if self.is(Fault::ReadsAnotherMoveInSan) => Ok((other, leniencies)),
            _ => Ok((mv, leniencies)),
        }
    }

    fn read_san_strictly(&self, position: &Position, text: &str) -> Result<Move, String> {
        match self.0 {
            Fault::StrictReaderIsLenient => Tabiya.read_san(position, text),
            _ => Tabiya.read_san_strictly(position, text),
        }
    }

    fn perft(&self, isa: Isa, position: &Position, depth: u32) -> Option<u128> {
        let count = Tabiya.perft(isa, position, depth)?;
        let forgets = self.is(Fault::PerftForgetsALeaf) && isa == Isa::Portable;
        Some(if forgets { count.saturating_sub(1) } else { count })
    }

    fn categories(&self, isa: Isa, position: &Position, depth: u32) -> Categories {
        // The counts cannot be changed, but those of another position can be given.
        let moves = position.legal_moves();
        let checking = moves.iter().find(|&&mv| position.gives_check(mv));
        match checking {
            Some(&mv) if self.is(Fault::CategoriesForgetACheck) => {
                Tabiya.categories(isa, &position.play(mv), depth)
            }
            _ => Tabiya.categories(isa, position, depth),
        }
    }

    fn unpack_identity(&self, bytes: [u8; 24], mode: CastlingMode) -> Result<Position, String> {
        let mut bytes = bytes;
        if self.is(Fault::IdentityWithTheClock) {
            // It is read correctly; only the comparison of two identities shows the fault.
            bytes[23] = 0;
        }
        Tabiya.unpack_identity(bytes, mode)
    }
}

/// Compares every kind at a few positions of each source.
fn compare<A: Answers>(answers: &A, seed: u64) -> Record {
    let plan = Plan {
        sources: Source::ALL.to_vec(),
        seed,
        positions: Some(Source::ALL.len() as u64 * 30),
        time: None,
        batch: None,
        threads: 1,
        all: true,
    };
    run(&plan, answers, &Watched::default()).sum()
}

#[test]
fn nothing_differs_without_a_fault() {
    let mut record = Record::new();
    (0..5).for_each(|seed| record += compare(&Tabiya, seed));
    assert_eq!(record.all_differences(), 0, "{:#?}", record.differences);
    for kind in Kind::ALL {
        assert!(record.comparisons[kind as usize] > 100, "{kind:?}");
    }
}

#[test]
fn each_fault_is_noticed_by_its_kind() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| ()));
    let missed: Vec<&(Fault, Kind)> = FAULTS
        .iter()
        .filter(|&&(fault, kind)| {
            let is_noticed = |seed| compare(&Faulty(fault), seed).differing[kind as usize] > 0;
            // Rare features do not occur at the first positions.
            !(0..20).any(is_noticed)
        })
        .collect();
    std::panic::set_hook(hook);
    assert!(missed.is_empty(), "{missed:?}");
    let noticed: HashSet<Kind> = FAULTS.iter().map(|&(_, kind)| kind).collect();
    assert_eq!(noticed, HashSet::from(Kind::ALL), "each kind has a fault");
}

#[test]
fn a_difference_says_how_to_repeat_it() {
    let faulty = Faulty(Fault::DropsAMove);
    let mut comparer = Comparer::new(&faulty, false);
    comparer.compare(&Position::START, 1);
    let text = comparer.record.differences[0].to_string();
    assert!(text.contains("difference in moves: the legal moves"), "{text}");
    assert!(text.contains("tabiya:    19 moves"), "{text}");
    assert!(text.contains("shakmaty:  20 moves, of which only here: ["), "{text}");
    let fen = "--fen 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'";
    assert!(text.contains(fen), "{text}");
}
