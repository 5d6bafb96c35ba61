//! Names what is wrong in a list, and asks simpler positions where two classes look the same.

use std::collections::BTreeMap;

use tabiya::{Move, Position};

use super::Hunt;
use super::case::{Case, Diff};
use super::question::query;
use crate::class::Class;
use crate::classify;
use crate::generator::Query;
use crate::reading::wrong_promotion;
use crate::truth::{self, Told};

impl Hunt<'_> {
    /// Names what is wrong in a list: one case for each class.
    pub(super) fn name(
        &mut self,
        start: &Position,
        path: &[Move],
        diff: &Diff,
        depth: u32,
        expected: u128,
    ) -> Vec<Case> {
        let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
        /// Moves of one class: extra, missing, duplicated.
        type Moves = (Vec<String>, Vec<Move>, Vec<Move>);
        let mut by_class: BTreeMap<Class, Moves> = BTreeMap::new();
        let ends = diff.got == 0 && expected > 0;
        if ends && (here.halfmove_clock() >= 100 || classify::is_bare(here.board())) {
            let class = if classify::is_bare(here.board()) {
                Class::EndBareKings
            } else {
                Class::EndFiftyMoves
            };
            by_class.insert(class, (Vec::new(), diff.missing.clone(), Vec::new()));
        } else {
            for told in &diff.extra {
                let class = match told.uci() {
                    Some(uci) => classify::extra(&here, uci),
                    None if wrong_promotion(&told.text()) => Class::PromotionRole,
                    None => Class::MoveExtra,
                };
                by_class.entry(class).or_default().0.push(told.text());
            }
            for &mv in &diff.missing {
                let class = self.refine(classify::missing(&here, mv, &diff.missing), mv);
                // A pawn on the last rank explains the promotions that it replaces.
                by_class.entry(class).or_default().1.push(mv);
            }
            for &mv in &diff.duplicated {
                let class = if mv.is_promotion() {
                    Class::PromotionDuplicated
                } else {
                    Class::DuplicatedMove
                };
                by_class.entry(class).or_default().2.push(mv);
            }
        }
        by_class
            .into_iter()
            .map(|(class, (extra, missing, duplicated))| Case {
                class,
                start: start.clone(),
                path: path.to_vec(),
                depth,
                expected,
                got: Some(diff.got),
                extra,
                missing,
                duplicated,
                note: None,
                guessed: false,
            })
            .collect()
    }

    /// Asks about a simpler position: does the special class hold, or the general one?
    pub(super) fn refine(&mut self, class: Class, mv: Move) -> Class {
        const EN_PASSANT: &str = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        const KING_SIDE: &str = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        const QUEEN_SIDE: &str = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
        const PROMOTION: &str = "8/P3k3/8/8/8/8/8/4K3 w - - 0 1";
        match class {
            Class::EnPassantMissing | Class::EnPassantEdge | Class::EnPassantEvasion => {
                if self.probe(EN_PASSANT, "e5d6") {
                    class
                } else if self.probe_line() {
                    Class::EnPassantFieldIgnored
                } else {
                    Class::EnPassantMissing
                }
            }
            Class::CastlingBFileAttacked
            | Class::CastlingRookAttacked
            | Class::CastlingChess960 => {
                let is_queen_side = mv.castling() == Some(tabiya::CastlingSide::Queen);
                let is_fine = if is_queen_side {
                    self.probe(QUEEN_SIDE, "e1c1")
                } else {
                    self.probe(KING_SIDE, "e1g1")
                };
                if is_fine { class } else { Class::CastlingMissing }
            }
            Class::PinTooStrict if mv.is_promotion() && !self.probe(PROMOTION, "a7a8q") => {
                Class::PromotionMissing
            }
            Class::PinTooStrict if mv.is_en_passant() && !self.probe(EN_PASSANT, "e5d6") => {
                self.refine(Class::EnPassantMissing, mv)
            }
            Class::PromotionRole if mv.is_capture() => {
                let others = ["a7a8n", "a7a8b", "a7a8r", "a7a8q"];
                let pushes = others.into_iter().all(|it| self.probe(PROMOTION, it));
                if pushes { Class::PromotionCapture } else { class }
            }
            Class::PromotionEvasion | Class::PromotionCapture
                if !self.probe(PROMOTION, "a7a8q") =>
            {
                Class::PromotionMissing
            }
            _ => class,
        }
    }

    /// Does the program list this move?
    pub(super) fn probe(&mut self, fen: &'static str, mv: &'static str) -> bool {
        if let Some(known) = self.probes.get(&(fen, mv)) {
            return *known;
        }
        let position = Position::from_fen(fen).expect("the position is playable");
        let right = position.parse_uci(mv).expect("the move is legal");
        let listed = self.list(&Query::of_fen(fen, 1), 1);
        let is_listed = listed.is_ok_and(|divide| {
            divide
                .moves
                .iter()
                .any(|(text, _)| truth::resolve(&position, text) == Told::Legal(right))
        });
        self.probes.insert((fen, mv), is_listed);
        is_listed
    }

    /// Is an en-passant capture listed, or counted, after the double push is played?
    pub(super) fn probe_line(&mut self) -> bool {
        const BEFORE: &str = "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1";
        if let Some(known) = self.probes.get(&(BEFORE, "")) {
            return *known;
        }
        let before = Position::from_fen(BEFORE).expect("the position is playable");
        let push = before.parse_uci("d7d5").expect("the move is legal");
        let after = before.play(push);
        let capture = after.parse_uci("e5d6").expect("the move is legal");
        let mut is_listed = false;
        if self.generator.takes_moves()
            && let Ok(divide) = self.list(&query(&before, &[push], 1), 1)
        {
            is_listed = divide
                .moves
                .iter()
                .any(|(text, _)| truth::resolve(&after, text) == Told::Legal(capture));
        }
        if !is_listed {
            let right = truth::perft(&before, 2);
            is_listed =
                self.ask(|it| it.perft(&query(&before, &[], 2))).is_ok_and(|it| it == right);
        }
        self.probes.insert((BEFORE, ""), is_listed);
        is_listed
    }
}
