//! If two classes look the same, a simpler position decides between the special class and the
//! general one.

use tabiya::{CastlingSide, Move, Position, Role, UciMove};

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
const PROMOTION: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";

/// Illegal moves, each of which shows a single mistake.
const PINNED_ROOK: Probe = ("4r2k/8/8/8/8/8/4R3/4K3 w - - 0 1", "e2d2");
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
            Wrong::Missing(mv) => self.refine_missing(class, mv),
        })
    }

    /// The class of a move that is missing.
    pub(super) fn refine_missing(&mut self, class: Class, mv: Move) -> Class {
        match class {
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
            | Class::CastlingChess960 => {
                let is_queen_side = mv.castling() == Some(CastlingSide::Queen);
                let simple = if is_queen_side { QUEEN_SIDE } else { KING_SIDE };
                if self.lists(simple) { class } else { Class::CastlingMissing }
            }
            Class::PinTooStrict if mv.is_promotion() && !self.lists((PROMOTION, "a7a8q")) => {
                Class::PromotionMissing
            }
            Class::PinTooStrict if mv.is_en_passant() && !self.lists(EN_PASSANT) => {
                self.refine_missing(Class::EnPassantMissing, mv)
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

    /// The class of an illegal move.
    pub(super) fn refine_extra(&mut self, class: Class, here: &Position, uci: UciMove) -> Class {
        match class {
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
            Class::PinKnight | Class::EnPassantPin if here.pinned().has(uci.from) => {
                if self.lists(PINNED_ROOK) { Class::PinIgnored } else { class }
            }
            Class::CheckDouble if self.lists(IDLE_KNIGHT) => Class::CheckIgnored,
            Class::CastlingBFileOccupied if self.lists(OVER_A_KNIGHT) => {
                Class::CastlingThroughPieces
            }
            _ => class,
        }
    }

    /// Does the program list this move?
    fn lists(&mut self, probe: Probe) -> bool {
        if let Some(known) = self.memory.probes.get(&probe) {
            return *known;
        }
        let (fen, mv) = probe;
        let position = Position::from_fen(fen).expect("the position is playable");
        let wanted = plain_uci(mv).expect("a move from square to square");
        let wanted = position.find_uci(wanted).map_or(Told::Illegal(wanted), Told::Legal);
        let listed = self.list(&Query::of_fen(fen, 1), 1);
        let is_listed = listed.is_ok_and(|divide| {
            divide.moves.iter().any(|(text, _)| truth::resolve(&position, text) == wanted)
        });
        self.memory.probes.insert(probe, is_listed);
        is_listed
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
            && let Ok(divide) = self.list(&query(&before, &[push], 1), 1)
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
