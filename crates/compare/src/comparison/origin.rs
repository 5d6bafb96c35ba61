//! Whether a text answers the question, or belongs to another position.

use tabiya::Position;

use super::Subject;
use crate::reading::plain_uci;
use crate::truth::{self, Told};

/// Do the moves not fit the board? They are those of another position that is known, or most of them
/// begin on a square without a piece of the side to move. A program that generates the moves of the
/// wrong side is not meant: its moves fit the other side, and no position that is known.
pub(super) fn is_of_other_position(subject: &Subject<'_>) -> bool {
    // A program that was told to play moves may have played them wrongly.
    if !subject.asked.moves.is_empty() {
        return false;
    }
    let is_mostly_wrong = subject.diff.extra.len() * 2 > subject.divide.moves.len();
    if is_mostly_wrong && elsewhere(subject).is_some() {
        return true;
    }
    let (mut read, mut foreign, mut of_other_side) = (0, 0, 0);
    for (text, _) in &subject.divide.moves {
        let Some(uci) = plain_uci(text) else { continue };
        let color = subject.here.piece_on(uci.from).map(|piece| piece.color);
        read += 1;
        foreign += usize::from(color != Some(subject.here.turn()));
        of_other_side += usize::from(color == Some(!subject.here.turn()));
    }
    foreign * 2 > read && of_other_side < read
}

/// The name of the position in which all moves are legal, if it is a known one: the position one
/// ply above, or the start of a game.
pub(super) fn elsewhere(subject: &Subject<'_>) -> Option<&'static str> {
    let is_of = |position: &Position| {
        let mut moves = subject.divide.moves.iter();
        position != subject.here
            && moves.all(|(text, _)| matches!(truth::resolve(position, text), Told::Legal(_)))
    };
    let above = subject.asked.above.as_ref();
    if subject.divide.moves.is_empty() {
        None
    } else if above.is_some_and(|above| is_of(&above.position)) {
        Some("position one ply above")
    } else {
        is_of(&Position::START).then_some("start of a game")
    }
}
