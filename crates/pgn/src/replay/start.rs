//! The start position in the tags of a game.

use tabiya::{CastlingMode, FenError, Position};

use super::error::{ReplayCause, shortened};
use crate::text::Text;
use crate::token::Tag;

/// The information in the tags about the start position.
#[derive(Clone, Debug)]
pub(super) struct Start {
    pub(super) fen: Option<Result<Position, FenError>>,
    /// The notation of castling that the variant needs, or its name if it has other rules.
    variant: Option<Result<CastlingMode, String>>,
    /// The texts of a malformed tag `FEN` and `Variant`.
    malformed: [Option<String>; 2],
    /// Does the tag `SetUp` say that it is the usual start?
    is_usual: bool,
}

impl Start {
    pub(super) const NONE: Self =
        Self { fen: None, variant: None, malformed: [None, None], is_usual: false };

    pub(super) fn add(&mut self, tag: &Tag<'_>) {
        // If a tag comes twice, the first one counts.
        let value = || tag.printable_value();
        match tag.name.0 {
            b"FEN" if self.fen.is_none() => {
                self.fen = Some(match value().trim() {
                    "" | "?" | "-" | "*" | "startpos" => Ok(Position::START),
                    fen => Position::from_fen(fen),
                });
            }
            b"Variant" if self.variant.is_none() => self.variant = Some(castling_mode(&value())),
            b"SetUp" => self.is_usual |= value() == "0",
            _ => {}
        }
    }

    /// Without these tags, the moves would mean something else.
    pub(super) fn add_malformed(&mut self, text: Text<'_>) {
        let inside = text.0.trim_ascii_start().strip_prefix(b"[").unwrap_or_default();
        let inside = inside.trim_ascii_start();
        let goes_on = |rest: &[u8]| rest.first().is_none_or(|byte| !byte.is_ascii_alphanumeric());
        for (name, malformed) in [b"FEN" as &[u8], b"Variant"].iter().zip(&mut self.malformed) {
            if inside.strip_prefix(*name).is_some_and(goes_on) {
                malformed.get_or_insert_with(|| shortened(&text.decode()));
            }
        }
    }

    /// The start position, if it may be another one than the usual, and what is wrong with the start.
    pub(super) fn position(&self) -> (Option<Position>, Option<ReplayCause>) {
        let fen = match &self.fen {
            Some(fen) if !self.is_usual => fen.clone(),
            _ => Ok(Position::START),
        };
        // A malformed tag isn't written again. What is wrong with the others comes first, so that it
        // is the same when the game is read again.
        let malformed = || {
            let [of_fen, of_variant] = &self.malformed;
            let fen = of_fen.as_ref().filter(|_| self.fen.is_none());
            let text = fen.or(of_variant.as_ref().filter(|_| self.variant.is_none()))?;
            Some(ReplayCause::MalformedTag(text.clone()))
        };
        match (fen, &self.variant) {
            (Err(error), _) => (None, Some(ReplayCause::Fen(error))),
            (Ok(position), Some(Err(name))) => {
                (Some(position), Some(ReplayCause::Variant(name.clone())))
            }
            // The tag can make the position one of Chess960, but not one of standard chess, because a
            // FEN may need Chess960 although the tag does not say so.
            (Ok(position), Some(Ok(CastlingMode::Chess960))) => {
                match position.clone().with_castling_mode(CastlingMode::Chess960) {
                    Ok(position) => (Some(position), malformed()),
                    Err(error) => (Some(position), Some(ReplayCause::Position(error))),
                }
            }
            (Ok(position), _) => (self.fen.is_some().then_some(position), malformed()),
        }
    }
}

/// The notation of castling that a variant needs, or the name of a variant with other rules.
fn castling_mode(name: &str) -> Result<CastlingMode, String> {
    // Names are written with and without spaces and hyphens.
    let plain: String = name
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-' | '_' | '?' | '*'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    match plain.as_str() {
        "" | "standard" | "chess" | "classical" | "normal" | "regular" | "fromposition"
        | "illegal" => Ok(CastlingMode::Standard),
        // On the Internet Chess Club: chess from other start positions.
        "wild/0" | "wild/1" | "wild/2" | "wild/3" | "wild/4" | "wild/5" | "wild/6" | "wild/7"
        | "wild/8" | "wild/8a" => Ok(CastlingMode::Standard),
        "chess960"
        | "fischerandom"
        | "fischerrandom"
        | "fischerandomchess"
        | "fischerrandomchess"
        | "fischerandomchess960"
        | "freestyle"
        | "960"
        | "freestylechess" => Ok(CastlingMode::Chess960),
        _ => Err(name.to_owned()),
    }
}
