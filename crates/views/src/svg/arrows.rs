//! The shapes of arrows.

use std::fmt;

use super::SQUARE;
use crate::ArrowColor;

const fn fill(color: ArrowColor) -> &'static str {
    match color {
        ArrowColor::Green => "#15803d",
        ArrowColor::Red => "#c81e3a",
        ArrowColor::Blue => "#2563d9",
        ArrowColor::Orange => "#e08a00",
        ArrowColor::Purple => "#8e3fc0",
        ArrowColor::Grey => "#55606b",
    }
}

/// Draws an arrow between two points, or a ring around one.
pub(super) fn write(
    from: (f64, f64),
    to: (f64, f64),
    color: ArrowColor,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    /// Half the width of the shaft, half the width of the head, and the length of the head.
    const SHAFT: f64 = 4.0;
    const HEAD: f64 = 12.0;
    const LENGTH: f64 = 21.0;
    /// The distance between the middle of the first square and the start of the shaft, and the
    /// distance between the tip and the middle of the last square.
    const BEGIN: f64 = 13.0;
    const END: f64 = 3.0;
    let color = fill(color);
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    // Square roots are exact to the last bit on every machine, so the text is always the same.
    let length = (dx * dx + dy * dy).sqrt();
    if length < 1.0 {
        let (x, y) = from;
        let radius = SQUARE as f64 / 2.0 - 3.0;
        return writeln!(
            f,
            r#"<circle cx="{}" cy="{}" r="{}" fill="none" stroke="{color}" stroke-width="4" stroke-opacity=".8"/>"#,
            tenths(x),
            tenths(y),
            tenths(radius),
        );
    }
    let (dx, dy) = (dx / length, dy / length);
    // A point along the arrow and beside it.
    let point = |along: f64, beside: f64| {
        let x = from.0 + along * dx - beside * dy;
        let y = from.1 + along * dy + beside * dx;
        format!("{} {}", tenths(x), tenths(y))
    };
    let (tip, neck) = (length - END, length - END - LENGTH);
    let points = [
        point(BEGIN, SHAFT),
        point(neck, SHAFT),
        point(neck, HEAD),
        point(tip, 0.0),
        point(neck, -HEAD),
        point(neck, -SHAFT),
        point(BEGIN, -SHAFT),
    ];
    writeln!(f, r#"<path class="a" fill="{color}" d="M{}z"/>"#, points.join("L"))
}

/// A place in the picture with one decimal. The standard library's writer of decimals is large, and a
/// page would load it for arrows alone.
fn tenths(place: f64) -> String {
    let tenths = (10.0 * place).round() as u32;
    format!("{}.{}", tenths / 10, tenths % 10)
}
