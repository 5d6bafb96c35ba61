//! FENs without moves, with the en-passant square in each convention: after every double push, only
//! if a capture is pseudo-legal, or only if it is legal.

use tabiya::Position;
use tabiya::fen::EnPassantMode;

use super::examiner::Examiner;
use crate::case::{Case, Diff, dialogue};
use crate::class::Class;
use crate::classify;
use crate::generator::{Query, Trouble};
use crate::question::{fen, fen_in};
use crate::truth::{self, Told};

impl Examiner<'_> {
    /// Checks that the list is the same in all conventions. Programs should accept each of them.
    pub(crate) fn check_convention(&mut self, position: &Position) -> Vec<Case> {
        for mode in [EnPassantMode::Always, EnPassantMode::Legal] {
            let text = fen_in(position, mode);
            if text != fen(position) {
                let found = self.check_fen(position, mode, text);
                if !found.is_empty() {
                    return found;
                }
            }
        }
        Vec::new()
    }

    fn check_fen(&mut self, position: &Position, mode: EnPassantMode, text: String) -> Vec<Case> {
        let expected = position.count_legal() as u128;
        let chess960 = truth::is_chess960(position);
        let note = format!("only with the en-passant field in this convention: {text}");
        let question = Query { chess960, ..Query::of_fen(text, 1) };
        // A program that refuses the FEN answers about the previous position, so the previous
        // position must be a different one.
        let start = Query { chess960, ..Query::of_fen(fen(&Position::START), 1) };
        let _ = self.list(&start);
        let case = |class, got| Case {
            en_passant: mode,
            ..Case::of_count(class, (position, &[], 1), expected, got).with_note(&note)
        };
        let divide = match self.list(&question) {
            Ok(divide) => divide,
            Err(Trouble::Unsupported) => {
                return match self.session.count(&question) {
                    Ok(got) if got != expected => vec![case(Class::EnPassantConvention, Some(got))],
                    _ => Vec::new(),
                };
            }
            Err(trouble) if dialogue(&trouble).is_some() => {
                // If a new process answers, the field is not to blame.
                self.session.restart();
                if self.list(&question).is_ok() {
                    return Vec::new();
                }
                let note = format!("{note}: {trouble}");
                return vec![case(Class::EnPassantConvention, None).with_note(note)];
            }
            Err(_) => return Vec::new(),
        };
        let listed = divide.texts();
        let diff = Diff::of(position, &listed);
        if !diff.is_wrong() {
            return Vec::new();
        }
        let wraps = |uci| classify::extra(position, uci) == Class::EnPassantWrap;
        let wrap = diff.extra.iter().filter_map(Told::uci).any(wraps);
        let class = match wrap {
            true => Class::EnPassantWrap,
            false if classify::others_capture_en_passant(position, &diff) => {
                Class::EnPassantOtherPiece
            }
            false => Class::EnPassantConvention,
        };
        vec![Case {
            extra: diff.extra.iter().map(Told::text).collect(),
            missing: diff.missing,
            duplicated: diff.duplicated,
            ..case(class, Some(diff.got))
        }]
    }
}
