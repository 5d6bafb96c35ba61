//! The questions to tabiya. The comparison asks them through a trait, so that tests can give wrong
//! answers.

use tabiya::fen::{CastlingNotation, EnPassantMode, Fen, FenConvention};
use tabiya::movegen::{
    Captures, CheckFacts, Evasions, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::packed::PackedIdentity;
use tabiya::san::Leniencies;
use tabiya::{
    Bitboard, CastlingMode, Color, Move, MoveList, Outcome, PackedPosition, Position, Setup,
    UciMove, Undo,
};
use tabiya_perft::{Categories, Engine, Isa, Options, categories};

/// The kinds of moves of staged generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Every legal move.
    Legal,
    /// Captures and quiet moves.
    NonEvasions,
    /// Captures and promotions to a queen.
    Captures,
    /// All others.
    Quiets,
    /// Quiet moves that give check.
    QuietChecks,
    /// All moves in check.
    Evasions,
}

impl Stage {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Legal,
        Self::NonEvasions,
        Self::Captures,
        Self::Quiets,
        Self::QuietChecks,
        Self::Evasions,
    ];
}

/// The conventions in which FENs are written here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Convention {
    /// Castling as X-FEN writes it, with the en-passant square according to the mode.
    XFen(EnPassantMode),
    /// Castling as Shredder-FEN writes it, with the en-passant square after every double push.
    Shredder,
}

impl Convention {
    fn of_tabiya(self) -> FenConvention {
        let (castling, en_passant) = match self {
            Self::XFen(mode) => (CastlingNotation::XFen, mode),
            Self::Shredder => (CastlingNotation::Shredder, EnPassantMode::Always),
        };
        FenConvention { en_passant, castling: Some(castling), counters: true }
    }
}

/// Everything that is asked of tabiya. Each answer is that of the library, unless a test replaces
/// it.
#[allow(missing_docs, reason = "each method is the function of the library that it calls")]
pub trait Answers: Sync {
    fn is_playable(&self, setup: &Setup) -> bool {
        setup.validate().is_ok()
    }

    fn legal_moves(&self, position: &Position) -> MoveList {
        position.legal_moves()
    }

    fn moves(&self, position: &Position, stage: Stage) -> MoveList {
        match stage {
            Stage::Legal => MoveList::of::<Legal>(position),
            Stage::NonEvasions => MoveList::of::<NonEvasions>(position),
            Stage::Captures => MoveList::of::<Captures>(position),
            Stage::Quiets => MoveList::of::<Quiets>(position),
            Stage::QuietChecks => MoveList::of::<QuietChecks>(position),
            Stage::Evasions => MoveList::of::<Evasions>(position),
        }
    }

    fn pseudo_legal_moves(&self, position: &Position, stage: Stage) -> MoveList {
        match stage {
            Stage::Legal => MoveList::of::<PseudoLegal<Legal>>(position),
            Stage::NonEvasions => MoveList::of::<PseudoLegal<NonEvasions>>(position),
            Stage::Captures => MoveList::of::<PseudoLegal<Captures>>(position),
            Stage::Quiets => MoveList::of::<PseudoLegal<Quiets>>(position),
            Stage::QuietChecks => MoveList::of::<PseudoLegal<QuietChecks>>(position),
            Stage::Evasions => MoveList::of::<PseudoLegal<Evasions>>(position),
        }
    }

    fn is_legal(&self, position: &Position, mv: Move) -> bool {
        position.is_legal(mv)
    }

    fn count_legal(&self, position: &Position) -> usize {
        position.count_legal()
    }

    fn has_legal_move(&self, position: &Position) -> bool {
        position.has_legal_move()
    }

    fn gives_check(&self, position: &Position, facts: &CheckFacts, mv: Move) -> bool {
        facts.gives_check(position, mv)
    }

    fn is_check(&self, position: &Position) -> bool {
        position.is_check()
    }

    fn checkers(&self, position: &Position) -> Bitboard {
        position.checkers()
    }

    fn pinned(&self, position: &Position) -> Bitboard {
        position.pinned()
    }

    fn play(&self, position: &Position, mv: Move) -> Position {
        position.play(mv)
    }

    fn make(&self, position: &mut Position, mv: Move) -> Undo {
        position.make(mv)
    }

    fn unmake(&self, position: &mut Position, mv: Move, undo: Undo) {
        position.unmake(mv, undo);
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        position.outcome()
    }

    fn can_mate(&self, position: &Position, color: Color) -> bool {
        position.board().can_mate(color)
    }

    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn key_after(&self, position: &Position, mv: Move) -> u64 {
        position.key_after(mv)
    }

    fn polyglot_key(&self, position: &Position) -> u64 {
        position.polyglot_key()
    }

    fn are_equal(&self, position: &Position, other: &Position) -> bool {
        position == other
    }

    fn pack(&self, position: &Position) -> [u8; 32] {
        PackedPosition::of(position).to_bytes()
    }

    fn unpack(&self, bytes: [u8; 32]) -> Result<Position, String> {
        PackedPosition::from_bytes(bytes).unpack().map_err(|error| error.to_string())
    }

    fn identity(&self, position: &Position) -> [u8; 24] {
        PackedIdentity::of(position).to_bytes()
    }

    fn unpack_identity(&self, bytes: [u8; 24], mode: CastlingMode) -> Result<Position, String> {
        PackedIdentity::from_bytes(bytes).unpack(mode, 1).map_err(|error| error.to_string())
    }

    fn mirrored(&self, position: &Position) -> Position {
        position.mirrored()
    }

    fn fen(&self, position: &Position, convention: Convention) -> Fen {
        position.fen_with(convention.of_tabiya())
    }

    fn read_fen(&self, text: &str) -> Result<Position, String> {
        Position::from_fen(text).map_err(|error| error.to_string())
    }

    fn uci(&self, position: &Position, mv: Move) -> UciMove {
        position.uci(mv)
    }

    fn find_uci(&self, position: &Position, text: UciMove) -> Option<Move> {
        position.find_uci(text)
    }

    fn read_uci(&self, position: &Position, text: &str) -> Result<Move, String> {
        position.parse_uci(text).map_err(|error| error.to_string())
    }

    fn san(&self, position: &Position, mv: Move) -> String {
        position.san(mv).to_string()
    }

    fn read_san(&self, position: &Position, text: &str) -> Result<Move, String> {
        position.parse_san(text).map_err(|error| error.to_string())
    }

    fn read_san_reporting(
        &self,
        position: &Position,
        text: &str,
    ) -> Result<(Move, Leniencies), String> {
        position.parse_san_reporting(text).map_err(|error| error.to_string())
    }

    fn read_san_strictly(&self, position: &Position, text: &str) -> Result<Move, String> {
        position.parse_san_strict(text).map_err(|error| error.to_string())
    }

    fn perft(&self, isa: Isa, position: &Position, depth: u32) -> Option<u128> {
        let engine = Engine::new(Options { isa, ..Options::default() });
        engine.count(position, depth).ok()
    }

    fn categories(&self, isa: Isa, position: &Position, depth: u32) -> Categories {
        categories(position, depth, &Options { isa, ..Options::default() }, &()).categories
    }
}

/// The library as it is.
#[derive(Clone, Copy, Debug)]
pub struct Tabiya;

impl Answers for Tabiya {}
