//! Bare FENs with the en-passant square in each convention.

use tabiya::Position;
use tabiya::fen::EnPassantMode;

use super::Hunt;
use super::case::{Case, Diff};
use super::question::{fen, fen_with};
use crate::class::Class;
use crate::classify;
use crate::generator::Query;
use crate::truth::{self, Told};

impl Hunt<'_> {
    /// The en-passant square after every double push, also where no pawn can capture: programs should
    /// take it.
    pub(super) fn check_convention(&mut self, position: &Position) {
        let always = fen_with(position, EnPassantMode::Always);
        if always == fen(position) {
            return;
        }
        let expected = position.count_legal() as u128;
        let chess960 = truth::is_chess960(position);
        let question = Query { chess960, ..Query::of_fen(always.clone(), 1) };
        let Ok(divide) = self.list(&question, expected) else { return };
        let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
        let diff = Diff::of(position, &listed);
        if diff.is_wrong() {
            let wrap = diff
                .extra
                .iter()
                .filter_map(Told::uci)
                .any(|uci| classify::extra(position, uci) == Class::EnPassantWrap);
            let class = if wrap { Class::EnPassantWrap } else { Class::EnPassantConvention };
            self.add(Case {
                class,
                start: position.clone(),
                path: Vec::new(),
                depth: 1,
                expected,
                got: Some(diff.got),
                extra: diff.extra.iter().map(Told::text).collect(),
                missing: diff.missing,
                duplicated: diff.duplicated,
                note: Some(format!("with the en-passant square in the FEN: {always}")),
                guessed: false,
            });
        }
    }
}
