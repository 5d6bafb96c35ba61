//! Positions, squares, colours and roles from the texts that JavaScript gives.

use tabiya::{Color, Position, Role, Square};
use tabiya_views::PositionText;

use crate::error::Failure;

/// The position after some moves.
pub(crate) fn position(start: &str, moves: &str) -> Result<Position, Failure> {
    Ok(PositionText { moves, ..PositionText::new(start) }.position()?)
}

pub(crate) fn square_of(text: &str) -> Result<Square, Failure> {
    text.parse().map_err(|error| Failure::of(text, error))
}

pub(crate) fn color_of(text: &str) -> Result<Color, Failure> {
    let found = Color::ALL.into_iter().find(|color| color.name() == text);
    found.ok_or_else(|| Failure::of(text, "a colour is white or black"))
}

pub(crate) fn role_of(text: &str) -> Result<Role, Failure> {
    let found = Role::ALL.into_iter().find(|role| role.name() == text);
    found.ok_or_else(|| Failure::of(text, "there is no role of this name"))
}
