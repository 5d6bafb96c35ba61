//! The shapes of the pieces, drawn for this project.

use tabiya::Role;

/// The outline of a piece in a square with a side of 45, and finer lines on it, as elements of SVG.
///
/// ```
/// use tabiya::Role;
/// use tabiya_views::svg::shape;
/// assert!(shape(Role::Rook).starts_with("<path "));
/// ```
pub const fn shape(role: Role) -> &'static str {
    match role {
        Role::Pawn => {
            r#"<path d="M22.5 8.5a5.5 5.5 0 0 1 3.6 9.6h2.4v3h-2.6c.5 6 2.2 9.4 6.1 12v3.9h-19v-3.9c3.9-2.6 5.6-6 6.1-12h-2.6v-3h2.4a5.5 5.5 0 0 1 3.6-9.6z"/>"#
        }
        Role::Knight => {
            r#"<path d="M15 37c0-7 8-9 8-15.5c-2 2-4 3-6.5 3.3c-1.5 2.2-3 3.7-5 3.7c-2.5 0-4-2-3.5-4.5l5.5-9c.6-2.2 1.5-3.8 3-5l.5-4 3.5 3c9 .5 14.5 8 14.5 19c0 3.5-.5 6.5-1 9z"/><path fill="none" d="M17.3 15.2v.6M11 24l-.3.5"/>"#
        }
        Role::Bishop => {
            r#"<path d="M22.5 6.5a2.6 2.6 0 0 1 1.9 4.4c4.6 3.4 7.6 7.6 7.6 11.6c0 3-1.6 5-4 6.3l1 3.2h4v5h-21v-5h4l1-3.2c-2.4-1.3-4-3.3-4-6.3c0-4 3-8.2 7.6-11.6a2.6 2.6 0 0 1 1.9-4.4z"/><path fill="none" d="M22.5 15.5v8M18.5 19.5h8M17 28.8h11"/>"#
        }
        Role::Rook => {
            r#"<path d="M11 8h5v4h4V8h5v4h4V8h5v9l-3.5 3.5V30l3.5 3v4H11v-4l3.5-3v-9.5L11 17z"/><path fill="none" d="M14.5 20.5h16M14.5 30h16"/>"#
        }
        Role::Queen => {
            r#"<path d="M8 13l5.5 8.5L15 9.5l6 11 1.5-12 1.5 12 6-11 1.5 12L37 13l-4 17v7H12v-7z"/><circle cx="8" cy="12" r="2"/><circle cx="15" cy="8.5" r="2"/><circle cx="22.5" cy="7.5" r="2"/><circle cx="30" cy="8.5" r="2"/><circle cx="37" cy="12" r="2"/><path fill="none" d="M12.5 31h20"/>"#
        }
        Role::King => {
            r#"<path d="M21 5h3v3h3v3h-3v3.5c1.5.3 2.8 1 3.7 2.2c2-1.6 8.8-1.7 8.8 4.8c0 4.5-3.5 6.5-4.5 9.5v6h-19v-6c-1-3-4.5-5-4.5-9.5c0-6.5 6.8-6.4 8.8-4.8c.9-1.2 2.2-1.9 3.7-2.2V11h-3V8h3z"/><path fill="none" d="M13 31h19M22.5 20v6"/>"#
        }
    }
}
