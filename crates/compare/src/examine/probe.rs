//! If two classes look the same, a simpler position decides between the special class and the
//! general one.

use tabiya::fen::EnPassantMode;
use tabiya::{CastlingRights, CastlingSide, Move, Position, Role, Square, UciMove};

use super::examiner::Examiner;
use crate::case::{Case, Diff};
use crate::class::Class;
use crate::classify::{self, Wrong};
use crate::generator::Query;
use crate::question::query;
use crate::reading::plain_uci;
use crate::truth::{self, Told};

/// A position and a legal or illegal move in it.
type Probe = (&'static str, &'static str);

const EN_PASSANT: Probe = ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
const KING_SIDE: Probe = ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1");
const QUEEN_SIDE: Probe = ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1");
const ROOK_ATTACKED: Probe = ("r6k/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1");
const BLOCK: Probe = ("4r2k/8/8/8/8/8/8/4K1N1 w - - 0 1", "g1e2");
const CAPTURE_OF_CHECKER: Probe = ("R3r2k/8/8/8/8/8/8/4K3 w - - 0 1", "a8e8");
const BISHOP_EN_PASSANT: &str = "2k5/8/8/PpB5/8/8/1K6/8 w - b6 0 1";
const PROMOTION: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";

/// Illegal moves, each of which shows a single mistake.
const PINNED_ROOK: Probe = ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2");
const PINNED_ON_DIAGONAL: Probe = ("7k/8/8/8/7b/8/5R2/4K3 w - - 0 1", "f2f3");
const PAWNS_WITHOUT_TARGETS: &str = "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1";
const WRAPS: [Probe; 2] =
    [("8/8/k7/8/7R/8/8/K7 w - - 0 1", "h4a5"), ("7k/8/8/8/R7/8/8/1K6 w - - 0 1", "a4h3")];
const IDLE_KNIGHT: Probe = ("4r2k/8/8/8/8/8/8/N3K3 w - - 0 1", "a1b3");
const OVER_A_KNIGHT: Probe = ("4k3/8/8/8/8/8/8/R2NK3 w Q - 0 1", "e1c1");
const KING_TO_KING: Probe = ("8/8/8/3k4/8/3K4/8/8 w - - 0 1", "d3d4");
const KING_TO_ATTACKED: [(Role, Probe); 5] = [
    (Role::Pawn, ("4k3/8/8/8/8/3p4/8/4K3 w - - 0 1", "e1e2")),
    (Role::Knight, ("4k3/8/8/8/2n5/8/8/4K3 w - - 0 1", "e1d2")),
    (Role::Bishop, ("4k3/8/b7/8/8/8/8/4K3 w - - 0 1", "e1e2")),
    (Role::Rook, ("3rk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2")),
    (Role::Queen, ("3qk3/8/8/8/8/8/8/4K3 w - - 0 1", "e1d2")),
];

impl Examiner<'_> {
    /// Names the errors in a list: one case for each class. Further questions tell a special class
    /// from a general one.
    pub(super) fn name(
        &mut self,
        start: &Position,
        path: &[Move],
        diff: &Diff,
        depth: u32,
        expected: u128,
    ) -> Vec<Case> {
        let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
        classify::cases((start, path, depth), diff, expected, &mut |class, wrong| match wrong {
            Wrong::Extra(uci) => self.refine_extra(class, &here, uci),
            Wrong::Missing(mv) => self.refine_missing(class, &here, mv),
            Wrong::Duplicated(mv) => self.refine_duplicated(class, &here, mv),
        })
    }

    /// The class of a list that is wrong only after moves.
    pub(super) fn refine_line(&mut self, class: Class) -> Class {
        match class {
            Class::CastlingRightAfterPromotionCapture if self.castles_with_captured_rook() => {
                Class::CastlingRightAfterRookCapture
            }
            _ => class,
        }
    }

    /// Is castling listed after a piece, which is no pawn, has captured the rook?
    fn castles_with_captured_rook(&mut self) -> bool {
        const BEFORE: &str = "rr2k3/8/8/8/4B3/8/8/4K3 w q - 0 1";
        const MOVES: [&str; 3] = ["e4a8", "b8a8", "e1e2"];
        if let Some(known) = self.memory.probes.get(&(BEFORE, "")) {
            return *known;
        }
        let start = Position::from_fen(BEFORE).expect("the position is playable");
        let (mut here, mut path) = (start.clone(), Vec::new());
        for text in MOVES {
            let mv = here.parse_uci(text).expect("the move is legal");
            here = here.play(mv);
            path.push(mv);
        }
        let listed = self.list(&query(&start, &path, 1));
        let castles = listed.is_ok_and(|divide| {
            let extra = Diff::of(&here, &divide.texts()).extra;
            extra
                .iter()
                .filter_map(Told::uci)
                .any(|uci| classify::extra(&here, uci) == Class::CastlingWithoutRight)
        });
        self.memory.probes.insert((BEFORE, ""), castles);
        castles
    }

    /// The class of a move that is missing.
    pub(super) fn refine_missing(&mut self, class: Class, here: &Position, mv: Move) -> Class {
        let class = match class {
            Class::CheckEvasionMissing
            | Class::CheckPush
            | Class::PromotionEvasion
            | Class::EnPassantEvasion
            | Class::PinTooStrict => self.with_king_elsewhere(class, here, mv),
            _ => class,
        };
        match class {
            Class::CheckPush | Class::PromotionEvasion | Class::EnPassantEvasion
                if here.is_check() && self.is_any_evasion_missing(mv) =>
            {
                Class::CheckEvasionMissing
            }
            Class::EnPassantMissing | Class::EnPassantEdge | Class::EnPassantEvasion => {
                if self.lists(EN_PASSANT) {
                    class
                } else if self.captures_after_push() {
                    Class::EnPassantFieldIgnored
                } else {
                    Class::EnPassantMissing
                }
            }
            Class::CastlingBFileAttacked
            | Class::CastlingRookAttacked
            | Class::CastlingChess960Crossing => {
                let is_queen_side = mv.castling() == Some(CastlingSide::Queen);
                let simple = if is_queen_side { QUEEN_SIDE } else { KING_SIDE };
                if !self.lists(simple) {
                    Class::CastlingMissing
                } else if class == Class::CastlingBFileAttacked && !self.lists(ROOK_ATTACKED) {
                    Class::CastlingRookAttacked
                } else {
                    class
                }
            }
            Class::PinTooStrict if mv.is_promotion() && !self.lists((PROMOTION, "a7a8q")) => {
                Class::PromotionMissing
            }
            Class::PinTooStrict if mv.is_en_passant() && !self.lists(EN_PASSANT) => {
                self.refine_missing(Class::EnPassantMissing, here, mv)
            }
            Class::PromotionRole if mv.is_capture() => {
                let others = ["a7a8n", "a7a8b", "a7a8r", "a7a8q"];
                let pushes = others.into_iter().all(|it| self.lists((PROMOTION, it)));
                if pushes { Class::PromotionCapture } else { class }
            }
            Class::PromotionEvasion | Class::PromotionCapture
                if !self.lists((PROMOTION, "a7a8q")) =>
            {
                Class::PromotionMissing
            }
            _ => class,
        }
    }

    /// The class of a missing move that answers a check, or moves along a pin line. If it is also
    /// missing when the king stands elsewhere, check and pin are not to blame.
    fn with_king_elsewhere(&mut self, class: Class, here: &Position, mv: Move) -> Class {
        let key = (class, here.turn() == tabiya::Color::White, here.uci(mv).to_string());
        if let Some(known) = self.memory.elsewhere.get(&key) {
            return *known;
        }
        let Some((safe, mv)) = king_elsewhere(here, mv) else { return class };
        let Ok(divide) = self.list(&query(&safe, &[], 1)) else { return class };
        let missing = Diff::of(&safe, &divide.texts()).missing;
        let is_missing = missing.contains(&mv);
        let class = if is_missing { classify::missing(&safe, mv, &missing) } else { class };
        self.memory.elsewhere.insert(key, class);
        class
    }

    /// Are ordinary pieces also unable to answer a check in the way in which this move does?
    fn is_any_evasion_missing(&mut self, mv: Move) -> bool {
        !self.lists(if mv.is_capture() { CAPTURE_OF_CHECKER } else { BLOCK })
    }

    /// The class of a move that is listed more than once.
    fn refine_duplicated(&mut self, class: Class, here: &Position, mv: Move) -> Class {
        let is_on_en_passant = truth::double_push_square(here) == Some(mv.to());
        match here.role_of(mv) {
            Role::Pawn if mv.is_en_passant() && self.pawns_capture_nothing() => {
                Class::PawnCaptureEmpty
            }
            Role::Pawn | Role::King => class,
            _ if is_on_en_passant => Class::EnPassantOtherPiece,
            Role::Rook | Role::Queen if self.rooks_wrap() => Class::SliderWrap,
            _ => class,
        }
    }

    /// Does the program list a diagonal move of a pawn where nothing can be captured?
    fn pawns_capture_nothing(&mut self) -> bool {
        Square::ALL.into_iter().filter(|it| it.rank() == tabiya::Rank::Second).any(|from| {
            [tabiya::Direction::NorthEast, tabiya::Direction::NorthWest].into_iter().any(|step| {
                from.step(step).is_some_and(|to| self.lists_move(PAWNS_WITHOUT_TARGETS, from, to))
            })
        })
    }

    /// Does a rook cross the edge of the board?
    fn rooks_wrap(&mut self) -> bool {
        WRAPS.into_iter().any(|probe| self.lists(probe))
    }

    /// The class of an illegal move.
    pub(super) fn refine_extra(&mut self, class: Class, here: &Position, uci: UciMove) -> Class {
        let is_on_en_passant = truth::double_push_square(here) == Some(uci.to);
        match class {
            // The capture takes the checking pawn.
            Class::CheckIgnored if is_on_en_passant && self.bishops_capture_en_passant() => {
                Class::EnPassantOtherPiece
            }
            Class::KingAdjacent if here.board().occupied().has(uci.to) => {
                if self.lists(KING_TO_KING) { class } else { Class::KingTakesProtected }
            }
            Class::KingTakesProtected => {
                let protectors = here.board().attackers_to(uci.to);
                let protectors = protectors & here.board().color(!here.turn());
                let is_general = KING_TO_ATTACKED.into_iter().any(|(role, probe)| {
                    protectors.meets(here.board().role(role)) && self.lists(probe)
                });
                if is_general { Class::KingIntoCheck } else { class }
            }
            Class::PinKnight | Class::PinIgnored if here.is_check() && self.lists(IDLE_KNIGHT) => {
                Class::CheckIgnored
            }
            Class::PinKnight | Class::EnPassantPin if here.pinned().has(uci.from) => {
                let king = here.king(here.turn());
                let is_straight = king.file() == uci.from.file() || king.rank() == uci.from.rank();
                let probe = if is_straight { PINNED_ROOK } else { PINNED_ON_DIAGONAL };
                if self.lists(probe) { Class::PinIgnored } else { class }
            }
            Class::EnPassantPin | Class::EnPassantPinRank | Class::EnPassantStale
                if self.pawns_capture_nothing() =>
            {
                Class::PawnCaptureEmpty
            }
            Class::SliderDirection if self.rooks_wrap() => Class::SliderWrap,
            Class::PromotionCapture if !self.lists((PROMOTION, "a7a8q")) => Class::PromotionMissing,
            Class::CheckDouble if self.lists(IDLE_KNIGHT) => Class::CheckIgnored,
            Class::CastlingBFileOccupied if self.lists(OVER_A_KNIGHT) => {
                Class::CastlingThroughPieces
            }
            _ => class,
        }
    }

    /// Is a bishop's move to the en-passant square listed as a capture as well?
    fn bishops_capture_en_passant(&mut self) -> bool {
        if let Some(known) = self.memory.probes.get(&(BISHOP_EN_PASSANT, "")) {
            return *known;
        }
        let position = Position::from_fen(BISHOP_EN_PASSANT).expect("the position is playable");
        let question = Query::of_fen(BISHOP_EN_PASSANT, 1);
        let Ok(divide) = self.list(&question) else { return false };
        let diff = Diff::of(&position, &divide.texts());
        let captures = classify::others_capture_en_passant(&position, &diff);
        self.memory.probes.insert((BISHOP_EN_PASSANT, ""), captures);
        captures
    }

    /// Does the program list this move?
    fn lists(&mut self, probe: Probe) -> bool {
        if let Some(known) = self.memory.probes.get(&probe) {
            return *known;
        }
        if self.session.is_stopped() {
            return false;
        }
        let (fen, mv) = probe;
        let position = Position::from_fen(fen).expect("the position is playable");
        let wanted = plain_uci(mv).expect("a move from square to square");
        let wanted = position.find_uci(wanted).map_or(Told::Illegal(wanted), Told::Legal);
        let listed = self.list(&Query::of_fen(fen, 1));
        let is_listed = listed.is_ok_and(|divide| {
            divide.moves.iter().any(|(text, _)| truth::resolve(&position, text) == wanted)
        });
        self.memory.probes.insert(probe, is_listed);
        is_listed
    }

    /// Does the program list this illegal move? The list of the position is asked for only once.
    fn lists_move(&mut self, fen: &'static str, from: Square, to: Square) -> bool {
        if !self.memory.lists.contains_key(fen) {
            let position = Position::from_fen(fen).expect("the position is playable");
            let divide = self.list(&Query::of_fen(fen, 1));
            let texts = divide.unwrap_or_default();
            let extra = Diff::of(&position, &texts.texts()).extra;
            let extra = extra.iter().filter_map(Told::uci).collect();
            self.memory.lists.insert(fen, extra);
        }
        self.memory.lists[fen].iter().any(|it| it.from == from && it.to == to)
    }

    /// Is an en-passant capture listed, or counted, after the double push is played?
    pub(super) fn captures_after_push(&mut self) -> bool {
        const BEFORE: &str = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        if let Some(known) = self.memory.probes.get(&(BEFORE, "")) {
            return *known;
        }
        let before = Position::from_fen(BEFORE).expect("the position is playable");
        let push = before.parse_uci("d7d5").expect("the move is legal");
        let after = before.play(push);
        let capture = after.parse_uci("e5d6").expect("the move is legal");
        let mut is_listed = false;
        if self.session.takes_moves()
            && let Ok(divide) = self.list(&query(&before, &[push], 1))
        {
            let mut moves = divide.moves.iter();
            is_listed = moves.any(|(text, _)| truth::resolve(&after, text) == Told::Legal(capture));
        }
        if !is_listed {
            let right = truth::perft(&before, 2);
            is_listed = self.session.count(&query(&before, &[], 2)).is_ok_and(|it| it == right);
        }
        self.memory.probes.insert((BEFORE, ""), is_listed);
        is_listed
    }
}

/// The position with the king where it is neither in check nor pins the moving piece, and the same
/// move there.
fn king_elsewhere(here: &Position, mv: Move) -> Option<(Position, Move)> {
    let us = here.turn();
    let king = here.king(us);
    let uci = here.uci(mv);
    Square::ALL.into_iter().find_map(|to| {
        let mut setup = here.to_setup_with(EnPassantMode::Always);
        if setup.board.piece_on(to).is_some() || to == uci.to {
            return None;
        }
        let piece = setup.board.piece_on(king);
        setup.board.set(king, None);
        setup.board.set(to, piece);
        setup.castling = CastlingRights::NONE;
        let safe = Position::from_setup(&setup).ok()?;
        let mv = safe.find_uci(uci)?;
        let is_safe = !safe.is_check() && !safe.pinned().has(uci.from);
        (is_safe && truth::is_reachable(&safe)).then_some((safe, mv))
    })
}
