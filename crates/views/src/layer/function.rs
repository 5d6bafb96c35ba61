//! The functions of layers, by their arguments.

use std::fmt;
use std::sync::Arc;

use tabiya::{Bitboard, Board, Color, Direction, Position, PositionError, Role, Square, attacks};

use crate::Scene;

/// Something that a scene lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    NotPlayable(PositionError),
    EmptySquare(Square),
    NotASlider(Role, Square),
}

/// The function that computes a layer. Its type decides the form of the argument after the colon,
/// and the requirements on a scene.
#[derive(Clone, Copy)]
pub(super) enum Function {
    /// Of the pieces.
    Board(fn(&Board) -> Bitboard),
    /// Of a playable position.
    Position(fn(&Position) -> Bitboard),
    /// Of the pieces, for one colour.
    Color(fn(&Board, Color) -> Bitboard),
    /// Of the pieces, for a square.
    Square(fn(&Board, Square) -> Bitboard),
    /// Of the pieces, for a square with a piece.
    Piece(fn(&Board, Square) -> Bitboard),
    /// Of the pieces, for a square with a bishop, a rook or a queen.
    Slider(fn(&Board, Role, Square) -> Bitboard),
    /// Of a playable position, for a square with a piece.
    PieceInPosition(fn(&Position, Square) -> Bitboard),
    /// Of two squares.
    Squares(fn(Square, Square) -> Bitboard),
    /// Of the pieces, for a square and a direction.
    Ray(fn(&Board, Square, Direction) -> Bitboard),
}

/// The form of the argument after the colon of a layer's text.
///
/// ```
/// use tabiya_views::layer::ArgumentForm;
/// assert_eq!(ArgumentForm::Squares.to_string(), ":SQ-SQ");
/// assert_eq!(ArgumentForm::Color.expectation(), "white or black");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ArgumentForm {
    /// Nothing; there is no colon.
    Nothing,
    /// `white` or `black`.
    Color,
    /// A square.
    Square,
    /// Two squares, separated by a hyphen or a comma.
    Squares,
    /// A square and a direction, separated by a hyphen or a comma.
    Ray,
}

impl ArgumentForm {
    /// The argument that is expected after the colon, with an example.
    pub const fn expectation(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Color => "white or black",
            Self::Square => "a square, such as e4",
            Self::Squares => "two squares, such as a1-d4",
            Self::Ray => "a square and one of n, ne, e, se, s, sw, w, nw, such as c3-ne",
        }
    }

    /// All arguments that may follow the colon, in the order for a list.
    pub(super) fn arguments(self) -> Vec<String> {
        let squares = || Square::ALL.into_iter();
        match self {
            Self::Nothing => Vec::new(),
            Self::Color => COLORS.map(|(name, _)| name.to_owned()).into(),
            Self::Square => squares().map(|square| square.to_string()).collect(),
            Self::Squares => squares()
                .flat_map(|a| squares().filter(move |b| a != *b).map(move |b| format!("{a}-{b}")))
                .collect(),
            Self::Ray => squares()
                .flat_map(|a| DIRECTIONS.into_iter().map(move |(name, _)| format!("{a}-{name}")))
                .collect(),
        }
    }
}

/// As the list of layers shows it: `SQ` is a square, `DIR` a direction.
impl fmt::Display for ArgumentForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Nothing => "",
            Self::Color => ":COLOR",
            Self::Square => ":SQ",
            Self::Squares => ":SQ-SQ",
            Self::Ray => ":SQ-DIR",
        })
    }
}

const COLORS: [(&str, Color); 2] = [("white", Color::White), ("black", Color::Black)];

const DIRECTIONS: [(&str, Direction); 8] = [
    ("n", Direction::North),
    ("ne", Direction::NorthEast),
    ("e", Direction::East),
    ("se", Direction::SouthEast),
    ("s", Direction::South),
    ("sw", Direction::SouthWest),
    ("w", Direction::West),
    ("nw", Direction::NorthWest),
];

/// A function with its argument. Only the scene is missing.
pub(super) type Bound = Arc<dyn Fn(&Scene) -> Result<Answer, Problem> + Send + Sync>;

/// The result of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) squares: Bitboard,
    pub(super) note: Option<String>,
}

fn found(squares: Bitboard) -> Result<Answer, Problem> {
    Ok(Answer { squares, note: None })
}

impl Function {
    /// The form of the argument after the colon.
    pub(super) const fn form(self) -> ArgumentForm {
        match self {
            Self::Board(_) | Self::Position(_) => ArgumentForm::Nothing,
            Self::Color(_) => ArgumentForm::Color,
            Self::Square(_) | Self::Piece(_) | Self::Slider(_) | Self::PieceInPosition(_) => {
                ArgumentForm::Square
            }
            Self::Squares(_) => ArgumentForm::Squares,
            Self::Ray(_) => ArgumentForm::Ray,
        }
    }

    /// Does it need a playable position?
    pub(super) const fn needs_position(self) -> bool {
        matches!(self, Self::Position(_) | Self::PieceInPosition(_))
    }

    /// The function with the argument after the colon, if that has the right form.
    pub(super) fn bind(self, argument: Option<&str>) -> Option<Bound> {
        let square = || argument?.parse::<Square>().ok();
        Some(match self {
            Self::Board(f) if argument.is_none() => {
                Arc::new(move |scene| found(f(&scene.setup.board)))
            }
            Self::Position(f) if argument.is_none() => {
                Arc::new(move |scene| found(f(position(scene)?)))
            }
            Self::Board(_) | Self::Position(_) => return None,
            Self::Color(f) => {
                let color = named(&COLORS, argument?)?;
                Arc::new(move |scene| found(f(&scene.setup.board, color)))
            }
            Self::Square(f) => {
                let square = square()?;
                Arc::new(move |scene| found(f(&scene.setup.board, square)))
            }
            Self::Piece(f) => {
                let square = square()?;
                Arc::new(move |scene| {
                    role_on(scene, square)?;
                    found(f(&scene.setup.board, square))
                })
            }
            Self::Slider(f) => {
                let square = square()?;
                Arc::new(move |scene| {
                    found(f(&scene.setup.board, slider_on(scene, square)?, square))
                })
            }
            Self::PieceInPosition(f) => {
                let square = square()?;
                Arc::new(move |scene| {
                    role_on(scene, square)?;
                    found(f(position(scene)?, square))
                })
            }
            Self::Squares(f) => {
                let (a, b) = pair(argument?)?;
                let (a, b) = (a.parse().ok()?, b.parse().ok()?);
                let found = Answer { squares: f(a, b), note: note(f(a, b), a, b) };
                Arc::new(move |_| Ok(found.clone()))
            }
            Self::Ray(f) => {
                let (square, direction) = pair(argument?)?;
                let (square, direction) = (square.parse().ok()?, named(&DIRECTIONS, direction)?);
                Arc::new(move |scene| found(f(&scene.setup.board, square, direction)))
            }
        })
    }
}

fn named<T: Copy>(names: &[(&str, T)], text: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == text).map(|(_, thing)| *thing)
}

/// The two parts of an argument.
fn pair(text: &str) -> Option<(&str, &str)> {
    text.split_once(['-', ','])
}

fn position(scene: &Scene) -> Result<&Position, Problem> {
    scene.position.as_ref().map_err(|error| Problem::NotPlayable(*error))
}

fn role_on(scene: &Scene, square: Square) -> Result<Role, Problem> {
    scene.setup.board.role_on(square).ok_or(Problem::EmptySquare(square))
}

fn slider_on(scene: &Scene, square: Square) -> Result<Role, Problem> {
    match role_on(scene, square)? {
        role @ (Role::Bishop | Role::Rook | Role::Queen) => Ok(role),
        role => Err(Problem::NotASlider(role, square)),
    }
}

/// The reason why a layer of two squares is empty, if it is.
fn note(squares: Bitboard, a: Square, b: Square) -> Option<String> {
    Some(if squares.any() {
        return None;
    } else if a == b {
        format!("{a} and {b} are the same square")
    } else if attacks::line(a, b).is_empty() {
        format!("{a} and {b} do not share a line")
    } else {
        format!("{a} and {b} are neighbours")
    })
}
