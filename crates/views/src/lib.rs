//! Views of a position for every front end of `tabiya`: the command, the Python package, a web page
//! or a debugger.
//!
//! * [`PositionText`]: positions from text: a name or a FEN, and moves to play from it.
//! * [`Pasted`]: what a text is: a position, moves, a game, an address.
//! * [`Layer`]: bitboards of the generator by name, such as `attacks:white` or `pin-lines`.
//! * [`Diagram`]: a board with layers, arrows and the last move, drawn as [`text`] or [`svg`].
//! * [`explain`]: answers about the legality of moves, with reasons, as plain data.
//! * [`methods`]: the methods that find the attacks of a piece, step by step.
//! * [`calculator`]: expressions of bitboards, with the value of every part.
//! * [`InputError`]: every error gives the text and the part of it that is wrong.
//!
//! The crate reads no arguments and no files, and prints nothing. It builds for
//! `wasm32-unknown-unknown`.
//!
//! ```
//! use tabiya_views::{Diagram, Layer, PositionText, svg::Picture, text};
//!
//! let scene = PositionText::new("4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1").scene()?;
//! let checkers = Layer::parse("checkers")?.evaluate(&scene)?;
//! let diagram = Diagram { layers: vec![checkers], ..Diagram::new(scene.setup.board) };
//!
//! let lines = text::lines(&[diagram.clone()], text::Glyphs::Ascii, 80);
//! assert!(text::plain(&lines).contains("3  .  .  . [n] .  .  .  .\n"));
//! let picture = Picture::new(vec![diagram], "A knight gives check").to_string();
//! assert!(picture.ends_with("</svg>\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod arrow;
pub mod calculator;
mod diagram;
pub mod explain;
mod input_error;
pub mod layer;
pub mod methods;
mod moves;
mod pasted;
mod position_text;
mod spelling;
mod standard;
pub mod svg;
pub mod text;

pub use arrow::{Arrow, ArrowColor, ArrowError, squares_of_move};
pub use diagram::Diagram;
pub use input_error::InputError;
pub use layer::{Layer, LayerKind};
pub use pasted::{Pasted, PastedError, PastedKind};
pub use position_text::{MoveError, PositionText, PositionTextError, Scene, Start};
pub use standard::{StandardPosition, StandardPositionError};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
