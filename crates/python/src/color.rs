//! Colours: `True` is White and `False` is Black, as Python's chess programs are used to.

use tabiya::Color;

/// The colour that a truth value stands for.
pub(crate) const fn from_bool(is_white: bool) -> Color {
    if is_white { Color::White } else { Color::Black }
}

/// The truth value that stands for a colour.
pub(crate) const fn to_bool(color: Color) -> bool {
    matches!(color, Color::White)
}
