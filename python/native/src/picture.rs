//! Pictures: boards as SVG, with layers, arrows and the last move.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use tabiya::{Bitboard, Board, File, Position, Setup, Square, UciMove};
use tabiya_runs::OutputFile;
use tabiya_views::explain::{DetailValue, MoveAnswer, explain};
use tabiya_views::layer::{LayerKind, LayerSquares};
use tabiya_views::svg::{Coordinates, Picture};
use tabiya_views::{Arrow, ArrowColor, Diagram, InputError, Layer, Scene, squares_of_move};

use crate::bitboard::{BitboardArg, PyBitboard};
use crate::classes;
use crate::drawing;
use crate::errors;
use crate::moves::PyMove;
use crate::position::PyPosition;
use crate::position_arg::PositionArg;
use crate::sizes;
use crate::square::SquareArg;

/// A picture in SVG. ``str`` is the text of the file; notebooks show the picture.
///
/// >>> import tabiya
/// >>> picture = tabiya.svg(tabiya.Position(), title="The start")
/// >>> str(picture).startswith("<svg "), picture
/// (True, <Svg: The start>)
#[pyclass(module = "tabiya", frozen)]
struct Svg {
    text: String,
    title: String,
}

#[pymethods]
impl Svg {
    /// Writes the picture to a file, which is replaced as a whole. Symbolic links are followed, and
    /// pipes and devices are written to.
    ///
    /// Raises ``OSError``.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        // The disk may be slow.
        let written = py.detach(|| OutputFile::at(&path)?.write(&mut self.text.as_bytes()));
        written.map(drop).map_err(|error| errors::file(&path, &error))
    }

    fn _repr_svg_(&self) -> &str {
        &self.text
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Svg: {}>", self.title)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.text == other.text
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.text.hash(&mut hasher);
        hasher.finish()
    }
}

/// The board to draw: a position, a FEN of any setup, or an object with a method `fen`.
struct SceneArg(Scene);

impl<'py> FromPyObject<'_, 'py> for SceneArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        if let Ok(position) = object.cast::<PyPosition>() {
            return Ok(Self(position.get().position().clone().into()));
        }
        let text = match object.cast::<PyString>() {
            Ok(text) => text.to_owned(),
            Err(_) => {
                // The exceptions of the method are the caller's, such as that of Ctrl-C.
                let fen = object.getattr_opt("fen")?.filter(|fen| fen.is_callable());
                let fen = fen.map(|fen| fen.call0()).transpose()?;
                fen.and_then(|fen| fen.cast_into().ok()).ok_or_else(|| {
                    let expected = "expected a position, a FEN or an object with a method fen";
                    let kind = object.get_type();
                    PyTypeError::new_err(format!("{expected}, not {kind}"))
                })?
            }
        };
        let fen = text.to_str()?;
        let setup = Setup::from_fen(fen).map_err(|error| errors::fen(py, fen, &error))?;
        Ok(Self(setup.into()))
    }
}

/// The place of coordinates: a name, or `None` for no coordinates.
struct CoordinatesArg(Coordinates);

impl<'py> FromPyObject<'_, 'py> for CoordinatesArg {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_none() {
            return Ok(Self(Coordinates::Hidden));
        }
        match object.extract::<&str>() {
            Ok("outside") => Ok(Self(Coordinates::Outside)),
            Ok("inside") => Ok(Self(Coordinates::Inside)),
            _ => {
                let found = object.repr()?;
                let expected = "coordinates: expected \"outside\", \"inside\" or None";
                Err(PyValueError::new_err(format!("{expected}, not {found}")))
            }
        }
    }
}

/// The error in the text of an argument, with a mark below the text.
pub(crate) fn input_error(what: &str, error: &impl InputError) -> PyErr {
    let (input, span) = (error.input(), error.span());
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    let shown = errors::quoted(input);
    let reason = format!("{error}{hint}");
    if errors::cut(input) != input {
        return PyValueError::new_err(format!("{what} {shown}: {}", errors::cut(&reason)));
    }
    let mut text = format!("{what} {shown}: {reason}");
    if !input.is_empty() {
        // A control character could do anything to a terminal.
        let width = |end: usize| input.get(..end).map_or(0, |part| part.escape_debug().count());
        let (start, end) = (width(span.start), width(span.end));
        let mark = "^".repeat(end.saturating_sub(start).max(1));
        text += &format!("\n  {}\n  {}{mark}", input.escape_debug(), " ".repeat(start));
    }
    PyValueError::new_err(text)
}

/// The squares of a layer by name, or squares with a name of their own.
fn layer_squares(item: &Bound<'_, PyAny>, scene: &Scene) -> PyResult<Vec<LayerSquares>> {
    if let Ok(text) = item.cast::<PyString>() {
        let one = |text| {
            let layer = Layer::parse(text).map_err(|error| input_error("layer", &error))?;
            layer.evaluate(scene).map_err(|error| input_error("layer", &error))
        };
        return Layer::split(text.to_str()?).map(one).collect();
    }
    if let Ok(squares) = item.cast::<PyBitboard>() {
        let squares = squares.get().0;
        return Ok(vec![LayerSquares {
            name: format!("{:#018x}", squares.0),
            squares,
            note: None,
        }]);
    }
    let (name, squares): (String, BitboardArg) = item.extract().map_err(|error| {
        errors::of_argument(item.py(), error, || {
            let expected = "expected a layer as text, a Bitboard, or a pair of a name and squares";
            PyTypeError::new_err(format!("{expected}, not {}", item.get_type()))
        })
    })?;
    Ok(vec![LayerSquares { name, squares: squares.0, note: None }])
}

/// An arrow from a text, a move, or two squares and perhaps a colour.
fn arrow(item: &Bound<'_, PyAny>) -> PyResult<Option<Arrow>> {
    if let Ok(text) = item.cast::<PyString>() {
        let arrow = Arrow::parse(text.to_str()?);
        return arrow.map(Some).map_err(|error| input_error("arrow", &error));
    }
    if let Ok(mv) = item.cast::<PyMove>() {
        let color = ArrowColor::default();
        return Ok(mv.get().uci.map(|UciMove { from, to, .. }| Arrow { from, to, color }));
    }
    let wrong = || {
        let expected = "expected an arrow as text, a Move, or two squares and perhaps a colour";
        PyTypeError::new_err(format!("{expected}, not {}", item.get_type()))
    };
    let parts = item.cast::<PyTuple>().map_err(|_| wrong())?;
    let (from, to, color) = match parts.len() {
        2 => {
            let (from, to): (SquareArg, SquareArg) = parts.extract()?;
            (from.0, to.0, ArrowColor::default())
        }
        3 => {
            let (from, to, name): (SquareArg, SquareArg, String) = parts.extract()?;
            let color = ArrowColor::ALL.into_iter().find(|color| color.name() == name);
            let color = color.ok_or_else(|| {
                let names = ArrowColor::ALL.map(ArrowColor::name).join(", ");
                let name = errors::quoted(&name);
                PyValueError::new_err(format!("expected one of {names} as colour, not {name}"))
            })?;
            (from.0, to.0, color)
        }
        _ => return Err(wrong()),
    };
    Ok(Some(Arrow { from, to, color }))
}

/// The squares of the last move, from a `Move`, a text or two squares.
fn last_move(argument: &Bound<'_, PyAny>) -> PyResult<Option<(Square, Square)>> {
    if let Ok(mv) = argument.cast::<PyMove>() {
        return Ok(mv.get().uci.map(|mv| (mv.from, mv.to)));
    }
    if let Ok(text) = argument.cast::<PyString>() {
        let squares = squares_of_move(text.to_str()?);
        return squares.map(Some).map_err(|error| input_error("last_move", &error));
    }
    let (from, to): (SquareArg, SquareArg) = argument.extract().map_err(|error| {
        errors::of_argument(argument.py(), error, || {
            let expected = "expected the last move as a Move, as text or as two squares";
            PyTypeError::new_err(format!("{expected}, not {}", argument.get_type()))
        })
    })?;
    Ok(Some((from.0, to.0)))
}

/// A string or a `Bitboard` as one item, anything else as its items.
fn items<'py>(argument: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    if argument.is_instance_of::<PyString>() || argument.is_instance_of::<PyBitboard>() {
        return Ok(vec![argument.clone()]);
    }
    sizes::collect(argument.py(), argument.try_iter()?)
}

/// A picture of a position in SVG, for notebooks and files.
///
/// ``position`` is a ``Position``, a FEN, or an object with a method ``fen``, such as a board. It
/// need not be playable.
///
/// ``layers`` are marked on the board, at most eight: a name such as ``"checkers"`` or
/// ``"attacks:white"`` (``layers()`` lists them), a ``Bitboard``, or a pair of a name and squares.
/// ``separate=True`` draws a board for each layer instead.
///
/// ``arrows`` are texts such as ``"e2e4"`` or ``"e2e4:red"``, ``Move``, or tuples of two squares
/// and perhaps a colour: green, red, blue, orange, purple or grey. An arrow from a square to itself
/// is a ring. ``last_move`` is a ``Move``, a text such as ``"e2e4"``, or two squares.
/// ``flipped=True`` puts Black at the bottom. ``title`` is written above the board.
///
/// ``coordinates`` is the place of the names of ranks and files: ``"outside"``, ``"inside"`` or
/// ``None``. ``size`` is the width of the picture in pixels; the height follows from it.
///
/// Returns an ``Svg``: notebooks show it, ``str`` is its text, ``save`` writes a file. It has a
/// description in words for people who cannot see it.
///
/// Raises ``FenError``; ``ValueError`` if a layer, an arrow or a move cannot be read, or if a layer
/// needs a playable position and there is none.
///
/// >>> import tabiya
/// >>> fen = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1"
/// >>> picture = tabiya.svg(fen, layers=["checkers", "pinned"], arrows=["d3e1:red"])
/// >>> str(picture).count("<use ")
/// 5
#[pyfunction]
#[pyo3(
    signature = (
        position, *, layers=None, arrows=None, last_move=None, flipped=false, title=None,
        separate=false, coordinates=CoordinatesArg(Coordinates::Outside), size=None
    ),
    text_signature = "(position, *, layers=(), arrows=(), last_move=None, flipped=False, title=None, \
        separate=False, coordinates='outside', size=None)"
)]
#[expect(clippy::too_many_arguments, reason = "in Python, they have names")]
fn svg(
    py: Python<'_>,
    position: SceneArg,
    layers: Option<&Bound<'_, PyAny>>,
    arrows: Option<&Bound<'_, PyAny>>,
    last_move: Option<&Bound<'_, PyAny>>,
    flipped: bool,
    title: Option<String>,
    separate: bool,
    coordinates: CoordinatesArg,
    size: Option<i64>,
) -> PyResult<Svg> {
    let width = size.map(|size| {
        u32::try_from(size).ok().filter(|&size| size > 0).ok_or_else(|| {
            PyValueError::new_err(format!("size: expected a positive number of pixels, not {size}"))
        })
    });
    let width = width.transpose()?;
    let SceneArg(scene) = position;
    let mut marked = Vec::new();
    for item in layers.map(items).transpose()?.unwrap_or_default() {
        marked.extend(layer_squares(&item, &scene)?);
    }
    if !separate && marked.len() > Diagram::MAX_LAYERS {
        let (most, found) = (Diagram::MAX_LAYERS, marked.len());
        return Err(PyValueError::new_err(format!(
            "expected at most {most} layers, not {found}; separate=True draws a board for each"
        )));
    }
    let items = arrows.map(items).transpose()?.unwrap_or_default();
    let drawn = items.iter().filter_map(|item| arrow(item).transpose()).collect::<PyResult<_>>()?;
    let board = Diagram {
        title: title.clone(),
        arrows: drawn,
        last_move: last_move.map(self::last_move).transpose()?.flatten(),
        is_flipped: flipped,
        ..Diagram::new(scene.setup.board)
    };
    let title = title.unwrap_or_else(|| scene.setup.fen().to_string());
    let boards = if separate { marked.len().max(1) } else { 1 };
    let diagrams = if boards > 1 {
        let one = |layer: LayerSquares| Diagram {
            title: Some(layer.name.clone()),
            layers: vec![layer],
            ..board.clone()
        };
        marked.into_iter().map(one).collect()
    } else {
        vec![Diagram { layers: marked, ..board }]
    };
    let mut picture = Picture::new(diagrams, title.clone());
    (picture.coordinates, picture.width) = (coordinates.0, width);
    let text = drawing::text(py, &picture)?;
    Ok(Svg { text, title })
}

/// The squares of a layer of a position, such as ``"checkers"`` or ``"attacks:white"``.
///
/// ``position`` is a ``Position``, a FEN, or an object with a method ``fen``. ``layers()`` lists
/// the names.
///
/// Raises ``FenError``; ``ValueError`` if there is no such layer, if its argument is wrong, or if
/// it needs a playable position or a piece that is not there.
///
/// >>> import tabiya
/// >>> tabiya.layer("4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1", "checkers").names()
/// ['d3']
#[pyfunction]
fn layer(position: SceneArg, name: &str) -> PyResult<PyBitboard> {
    let layer = Layer::parse(name).map_err(|error| input_error("layer", &error))?;
    let squares = layer.squares(&position.0).map_err(|error| input_error("layer", &error))?;
    Ok(PyBitboard(squares))
}

/// Every layer: its name with the form of its argument, and what it shows.
///
/// Returns a ``dict`` of ``str`` and ``str``. ``COLOR`` stands for ``white`` or ``black``, ``SQ``
/// for a square.
///
/// >>> import tabiya
/// >>> tabiya.layers()["checkers"]
/// 'the pieces that give check'
#[pyfunction]
fn layers(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for kind in LayerKind::ALL {
        all.set_item(kind.to_string(), kind.description())?;
    }
    Ok(all)
}

/// The squares of a detail of a reason.
fn squares_of(detail: &DetailValue) -> Bitboard {
    match detail {
        DetailValue::Piece { square, .. } => {
            square.parse().map_or(Bitboard::EMPTY, Square::bitboard)
        }
        DetailValue::Text(text) => {
            if let Ok(square) = text.parse::<Square>() {
                return square.bitboard();
            }
            Bitboard::EMPTY
        }
        DetailValue::Number(_) => Bitboard::EMPTY,
    }
}

/// A picture that shows whether a move is legal and, if it is not, why.
///
/// ``move`` is a ``Move`` or a text in any notation, as for ``Position.explain``. The move is an
/// arrow, green if it is legal and red if it is not. Every reason marks its squares: the pieces
/// that pin or check, the squares that are attacked, and so on.
///
/// Returns an ``Svg``, whose title is the explanation. Raises ``FenError``, and
/// ``InvalidMoveError`` if the text is not a move, or if several pieces can make it.
///
/// >>> import tabiya
/// >>> tabiya.svg_of_explanation("4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "e2d3")
/// <Svg: e2d3 is not legal: the bishop on e2 is pinned on the e-file by the rook on e8>
#[pyfunction]
#[pyo3(
    signature = (position, r#move, *, flipped=false),
    text_signature = "(position, move, *, flipped=False)"
)]
fn svg_of_explanation(
    py: Python<'_>,
    position: PositionArg<'_>,
    r#move: &Bound<'_, PyAny>,
    flipped: bool,
) -> PyResult<Svg> {
    let position = crate::position_arg::position_of(py, Some(&position), false)?;
    let text = match r#move.cast::<PyMove>() {
        Ok(mv) => mv.str()?,
        Err(_) => r#move.cast::<PyString>()?.clone(),
    };
    let text = text.to_str()?;
    let explained =
        explain(&position, text).map_err(|error| errors::move_text(py, &position, text, &error))?;
    let answer = MoveAnswer::new(&position, &explained);
    let color = if answer.legal { ArrowColor::Green } else { ArrowColor::Red };
    let asked = squares_of_move(answer.uci.as_deref().unwrap_or(&answer.text)).ok();
    let asked = asked.or_else(|| castling(&position, text));
    let mut layers = Vec::new();
    let mut arrows: Vec<Arrow> =
        asked.iter().map(|&(from, to)| Arrow { from, to, color }).collect();
    for reason in answer.reasons.iter().take(Diagram::MAX_LAYERS) {
        let mut squares = reason.details.iter().map(|(_, detail)| squares_of(detail));
        let squares = squares.by_ref().fold(Bitboard::EMPTY, |all, squares| all | squares)
            | reason.piece.as_ref().map_or(Bitboard::EMPTY, squares_of);
        if squares.any() {
            layers.push(LayerSquares { name: reason.name.to_owned(), squares, note: None });
        }
        // A move in SAN has no origin, but the pieces that it may refer to have squares.
        if let (None, Some(piece)) = (asked, &reason.piece)
            && let (Some(from), Some(to)) = (squares_of(piece).first(), target(text))
        {
            arrows.push(Arrow { from, to, color });
        }
    }
    let title = explained.to_string();
    let board: Board = *position.board();
    let diagram = Diagram { layers, arrows, is_flipped: flipped, ..Diagram::new(board) };
    let diagram = Diagram { title: Some(heading(&answer)), ..diagram };
    let text = drawing::text(py, &Picture::new(vec![diagram], title.clone()))?;
    Ok(Svg { text, title })
}

/// The king's origin and target, if the text is castling in algebraic notation.
fn castling(position: &Position, text: &str) -> Option<(Square, Square)> {
    let letters = text.chars().filter(|letter| matches!(letter, 'O' | 'o' | '0')).count();
    let file = match (letters, text.contains('-')) {
        (2, true) => File::G,
        (3, true) => File::C,
        _ => return None,
    };
    let king = position.board().king(position.turn())?;
    Some((king, Square::new(file, king.rank())))
}

/// The target of a move in algebraic notation: the last square in the text.
fn target(text: &str) -> Option<Square> {
    let places = (0..text.len().saturating_sub(1)).rev();
    places.filter_map(|at| text.get(at..at + 2)).find_map(|part| part.parse().ok())
}

/// The text above the board. The full reasons are in the title of the picture.
fn heading(answer: &MoveAnswer) -> String {
    let MoveAnswer { text, legal, reasons, .. } = answer;
    match &reasons[..] {
        _ if *legal => format!("{text} is legal"),
        [] => format!("{text} is not legal"),
        [first, rest @ ..] => {
            let more = if rest.is_empty() { "" } else { " …" };
            format!("{text} is not legal: {}{more}", first.name)
        }
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    classes::add::<Svg>(module)?;
    module.add_function(wrap_pyfunction!(svg, module)?)?;
    module.add_function(wrap_pyfunction!(layer, module)?)?;
    module.add_function(wrap_pyfunction!(layers, module)?)?;
    module.add_function(wrap_pyfunction!(svg_of_explanation, module)?)
}
