//! Bitboards of the generator by name, to be drawn.
//!
//! A layer is written `name` or `name:argument`, such as `checkers`, `attacks:d4` or
//! `ray-before:c3-ne`. [`NAMES`] lists them all; what they mean is asked of the library, and of
//! nothing else.

use std::fmt;
use std::ops::Range;

use tabiya::movegen::{Legal, Restriction};
use tabiya::{
    Bitboard, Board, Color, Direction, Legality, MoveList, Piece, Position, Role, Square, attacks,
};

use crate::position::Scene;

/// A bitboard by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layer {
    name: &'static str,
    argument: Argument,
    /// As it was written.
    text: String,
}

/// What stands behind the colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    Nothing,
    Square(Square),
    Color(Color),
    Squares(Square, Square),
    Ray(Square, Direction),
}

/// What may stand behind the colon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Nothing,
    Square,
    SquareOrColor,
    Squares,
    Ray,
}

impl Form {
    const fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Square => ":SQ",
            Self::SquareOrColor => ":SQ|COLOR",
            Self::Squares => ":SQ-SQ",
            Self::Ray => ":SQ-DIR",
        }
    }

    /// A name for the argument, and an example.
    const fn wanted(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Square => "a square, such as e4",
            Self::SquareOrColor => "a square, such as e4, or white or black",
            Self::Squares => "two squares, such as a1-d4",
            Self::Ray => "a square and one of n, ne, e, se, s, sw, w, nw, such as c3-ne",
        }
    }

    fn parse(self, text: &str) -> Option<Argument> {
        let pair = || text.split_once('-');
        match self {
            Self::Nothing => None,
            Self::Square => text.parse().map(Argument::Square).ok(),
            Self::SquareOrColor => {
                color(text).map(Argument::Color).or_else(|| text.parse().map(Argument::Square).ok())
            }
            Self::Squares => {
                let (first, second) = pair()?;
                Some(Argument::Squares(first.parse().ok()?, second.parse().ok()?))
            }
            Self::Ray => {
                let (square, way) = pair()?;
                Some(Argument::Ray(square.parse().ok()?, direction(way)?))
            }
        }
    }
}

fn color(text: &str) -> Option<Color> {
    Some(match text {
        "white" => Color::White,
        "black" => Color::Black,
        _ => return None,
    })
}

fn direction(text: &str) -> Option<Direction> {
    const NAMES: [&str; 8] = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
    let index = NAMES.iter().position(|&name| name == text)?;
    Direction::ALL.get(index).copied()
}

/// Every layer: its name, what stands behind the colon, and what it shows.
const NAMES: [(&str, Form, &str); 38] = [
    ("occupancy", Form::Nothing, "every man"),
    ("white", Form::Nothing, "White's men"),
    ("black", Form::Nothing, "Black's men"),
    ("pawns", Form::Nothing, "the pawns of both colours; likewise:"),
    ("knights", Form::Nothing, ""),
    ("bishops", Form::Nothing, ""),
    ("rooks", Form::Nothing, ""),
    ("queens", Form::Nothing, ""),
    ("kings", Form::Nothing, ""),
    ("attacks", Form::SquareOrColor, "what the man there, or a whole side, attacks"),
    ("attackers", Form::Square, "the men of both colours that attack the square"),
    ("white-pawn", Form::Square, "what a white pawn on the square would attack; likewise:"),
    ("black-pawn", Form::Square, ""),
    ("knight", Form::Square, ""),
    ("bishop", Form::Square, ""),
    ("rook", Form::Square, ""),
    ("queen", Form::Square, ""),
    ("king", Form::Square, ""),
    ("xray", Form::Square, "what the slider there attacks only through the first men in its way"),
    ("relevant", Form::Square, "the squares that can change what the slider there attacks"),
    ("ray", Form::Ray, "the squares from there to the edge of the board"),
    ("ray-before", Form::Ray, "the ray up to its first blocker, and with it"),
    ("ray-after", Form::Ray, "the ray behind its first blocker"),
    ("between", Form::Squares, "the squares strictly between two squares of one line"),
    ("line", Form::Squares, "the whole line through two squares"),
    ("checkers", Form::Nothing, "the men that give check"),
    ("pinned", Form::Nothing, "own men that may not leave the line to their king"),
    ("pin-line", Form::Square, "where its pin leaves the man there; everywhere if it has none"),
    ("pin-lines", Form::Nothing, "the lines of all pinned men"),
    ("king-danger", Form::Nothing, "what the opponent attacks once the king is lifted"),
    ("capture-mask", Form::Nothing, "where captures by other men than the king may take place"),
    ("push-mask", Form::Nothing, "where other moves than captures and the king's may end"),
    ("check-mask", Form::Nothing, "both masks together"),
    ("targets", Form::Square, "where the man there can legally go"),
    ("targets", Form::Nothing, "where any man can legally go"),
    ("en-passant", Form::Nothing, "the square of a legal capture en passant"),
    ("castling", Form::Nothing, "the rooks with which castling is still allowed"),
    ("board", Form::Nothing, "nothing: the board alone"),
];

/// The names, without what stands behind the colon.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = NAMES.into_iter().map(|(name, ..)| name).collect();
    names.dedup();
    names
}

/// The list of layers for the help text.
pub(crate) fn help() -> String {
    let mut text =
        String::from("Layers (SQ is a square, DIR one of n, ne, e, se, s, sw, w, nw):\n");
    for (name, form, meaning) in NAMES {
        let name = format!("{name}{}", form.text());
        text += format!("  {name:<20} {meaning}").trim_end();
        text.push('\n');
    }
    text
}

/// Why a text names no layer, or one that this board does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LayerError {
    message: String,
    span: Range<usize>,
}

impl LayerError {
    /// The part of the text that is wrong, in bytes.
    pub(crate) fn span(&self) -> Range<usize> {
        self.span.clone()
    }
}

impl fmt::Display for LayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LayerError {}

impl Layer {
    /// Reads `name` or `name:argument`.
    pub(crate) fn parse(text: &str) -> Result<Self, LayerError> {
        let (name, argument) = match text.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (text, None),
        };
        let error = |message: String, span| Err(LayerError { message, span });
        let mut wanted = None;
        for (known, form, _) in NAMES.into_iter().filter(|(known, ..)| *known == name) {
            let found = match argument {
                None => (form == Form::Nothing).then_some(Argument::Nothing),
                Some(argument) => form.parse(argument),
            };
            if let Some(argument) = found {
                return Ok(Self { name: known, argument, text: text.to_owned() });
            }
            wanted = wanted.or(Some(form));
        }
        match (wanted, argument) {
            (None, _) => error(format!("there is no layer {name:?}"), 0..name.len()),
            (Some(Form::Nothing), _) => {
                error(format!("the layer {name} takes no argument"), name.len()..text.len())
            }
            (Some(form), argument) => {
                let begin = argument.map_or(text.len(), |argument| text.len() - argument.len());
                error(format!("the layer {name} wants {}", form.wanted()), begin..text.len())
            }
        }
    }

    /// The layer as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Why the set is empty on every board, if it is.
    pub(crate) fn note(&self) -> Option<String> {
        let Argument::Squares(a, b) = self.argument else { return None };
        if a == b {
            Some(format!("{a} and {b} are one square"))
        } else if attacks::line(a, b).is_empty() {
            Some(format!("{a} and {b} stand on no common line"))
        } else if self.name == "between" && attacks::between(a, b).is_empty() {
            Some(format!("{a} and {b} are neighbours"))
        } else {
            None
        }
    }

    /// The set of squares on a board.
    pub(crate) fn squares(&self, scene: &Scene) -> Result<Bitboard, LayerError> {
        let board = &scene.setup.board;
        match self.argument {
            Argument::Nothing => match self.of_board(board) {
                Some(squares) => Ok(squares),
                None => Ok(self.of_position(self.position(scene)?)),
            },
            Argument::Color(color) => Ok(board.attacks_by(color)),
            Argument::Squares(a, b) => {
                Ok(if self.name == "line" { attacks::line(a, b) } else { attacks::between(a, b) })
            }
            Argument::Ray(square, way) => Ok(self.of_ray(board, square, way)),
            Argument::Square(square) => self.of_square(scene, square),
        }
    }

    /// Sets that the men alone make; `None` if the layer needs a position.
    fn of_board(&self, board: &Board) -> Option<Bitboard> {
        let role = Role::ALL
            .into_iter()
            .find(|role| self.name.strip_suffix('s').is_some_and(|name| name == role.name()));
        Some(match (self.name, role) {
            (_, Some(role)) => board.role(role),
            ("occupancy", _) => board.occupied(),
            ("white", _) => board.color(Color::White),
            ("black", _) => board.color(Color::Black),
            ("board", _) => Bitboard::EMPTY,
            _ => return None,
        })
    }

    /// Sets that only a position to play on has.
    fn of_position(&self, position: &Position) -> Bitboard {
        let facts = position.legality();
        match self.name {
            "checkers" => facts.checkers,
            "pinned" => facts.pinned,
            "pin-lines" => pin_lines(&facts),
            "king-danger" => facts.king_danger(position),
            "capture-mask" => facts.capture_mask,
            "push-mask" => facts.push_mask,
            "check-mask" => facts.check_mask(),
            "targets" => targets(&position.legal_moves()),
            "en-passant" => position.en_passant().map_or(Bitboard::EMPTY, Square::bitboard),
            "castling" => position.castling_rights().rooks(),
            name => unreachable!("the table of layers has no {name}"),
        }
    }

    /// The classical way: the first blocker is the nearest bit of the ray, the lowest one in
    /// rising directions and the highest in falling ones; what the ray from there holds is cut.
    fn of_ray(&self, board: &Board, square: Square, way: Direction) -> Bitboard {
        let ray = attacks::ray(square, way);
        let blockers = ray & board.occupied();
        let blocker = if way.is_rising() { blockers.first() } else { blockers.last() };
        let behind = blocker.map_or(Bitboard::EMPTY, |blocker| attacks::ray(blocker, way));
        match self.name {
            "ray-before" => ray ^ behind,
            "ray-after" => behind,
            _ => ray,
        }
    }

    fn of_square(&self, scene: &Scene, square: Square) -> Result<Bitboard, LayerError> {
        let board = &scene.setup.board;
        let occupied = board.occupied();
        Ok(match self.name {
            "attacks" => {
                self.man(board, square)?;
                board.attacks_from(square)
            }
            "attackers" => board.attackers_to(square),
            "white-pawn" => attacks::pawn(Color::White, square),
            "black-pawn" => attacks::pawn(Color::Black, square),
            "knight" => attacks::knight(square),
            "bishop" => attacks::bishop(square, occupied),
            "rook" => attacks::rook(square, occupied),
            "queen" => attacks::queen(square, occupied),
            "king" => attacks::king(square),
            "xray" => {
                let reach = reach(self.slider(board, square)?);
                let direct = reach(square, occupied);
                reach(square, occupied - direct) - direct
            }
            "relevant" => relevant(self.slider(board, square)?, square),
            "pin-line" => {
                self.man(board, square)?;
                self.position(scene)?.legality().pin_line(square)
            }
            "targets" => {
                self.man(board, square)?;
                let position = self.position(scene)?;
                let from = Restriction::UNRESTRICTED.from(square);
                targets(&MoveList::within::<Legal>(position, &from))
            }
            name => unreachable!("the table of layers has no {name} of a square"),
        })
    }

    /// The position, for layers that ask whose king is in danger.
    fn position<'a>(&self, scene: &'a Scene) -> Result<&'a Position, LayerError> {
        scene.position.as_ref().map_err(|error| {
            self.error(format!("the layer {} needs a position to play on: {error}", self.name))
        })
    }

    /// The man on the square.
    fn man(&self, board: &Board, square: Square) -> Result<Piece, LayerError> {
        board.piece_on(square).ok_or_else(|| self.error(format!("{square} is empty")))
    }

    /// The kind of slider on the square.
    fn slider(&self, board: &Board, square: Square) -> Result<Role, LayerError> {
        let role = self.man(board, square)?.role;
        match role {
            Role::Bishop | Role::Rook | Role::Queen => Ok(role),
            _ => Err(self.error(format!("the {role} on {square} is no bishop, rook or queen"))),
        }
    }

    /// An error about the argument, or about the whole if there is none.
    fn error(&self, message: String) -> LayerError {
        let begin = self.text.find(':').map_or(0, |colon| colon + 1);
        LayerError { message, span: begin..self.text.len() }
    }
}

/// The way in which a slider finds its attacks.
fn reach(slider: Role) -> fn(Square, Bitboard) -> Bitboard {
    match slider {
        Role::Bishop => attacks::bishop,
        Role::Rook => attacks::rook,
        _ => attacks::queen,
    }
}

fn relevant(slider: Role, square: Square) -> Bitboard {
    use attacks::relevant::{bishop, rook};
    match slider {
        Role::Bishop => bishop(square),
        Role::Rook => rook(square),
        _ => bishop(square) | rook(square),
    }
}

fn pin_lines(facts: &Legality) -> Bitboard {
    facts.pinned.iter().fold(Bitboard::EMPTY, |lines, man| lines | facts.pin_line(man))
}

fn targets(moves: &MoveList) -> Bitboard {
    moves.iter().map(|mv| mv.to()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::Setup;

    fn scene(fen: &str) -> Scene {
        let setup = Setup::from_fen(fen).unwrap();
        let position = Position::from_setup(&setup);
        Scene { setup, position }
    }

    fn names(fen: &str, layer: &str) -> String {
        let squares = Layer::parse(layer).unwrap().squares(&scene(fen)).unwrap();
        squares.iter().map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    /// A bishop on c3 that looks at g7 and h8; a rook on e8 pins the bishop on e2.
    const PINS: &str = "4r1kq/6p1/8/8/8/2B5/4B3/4K3 w - - 0 1";
    /// The knight on d3 gives check.
    const CHECK: &str = "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1";

    #[test]
    fn every_name_reads_and_draws() {
        let scene = scene("r3k2r/8/8/8/1b6/8/3Q4/R3K2R w KQkq - 0 1");
        for (name, form, _) in NAMES {
            let texts: &[&str] = match form {
                Form::Nothing => &[""],
                Form::Square => &[":d2"],
                Form::SquareOrColor => &[":d2", ":white", ":black"],
                Form::Squares => &[":a1-h8"],
                Form::Ray => &[":d2-nw", ":d2-s"],
            };
            for argument in texts {
                let text = format!("{name}{argument}");
                let layer = Layer::parse(&text).unwrap();
                assert_eq!(layer.text(), text);
                layer.squares(&scene).unwrap_or_else(|error| panic!("{text}: {error}"));
            }
        }
    }

    #[test]
    fn sets_of_the_board() {
        assert_eq!(names(START, "knights"), "b1 g1 b8 g8");
        assert_eq!(names(START, "kings"), "e1 e8");
        assert_eq!(names(START, "white").split(' ').count(), 16);
        assert_eq!(names(START, "attacks:g1"), "e2 f3 h3");
        assert_eq!(names(START, "attackers:f3"), "g1 e2 g2");
        assert_eq!(names(START, "attacks:black").split(' ').count(), 22);
        assert_eq!(names(START, "white-pawn:a4"), "b5");
        assert_eq!(names(START, "castling"), "a1 h1 a8 h8");
        assert_eq!(names(START, "board"), "");
    }

    #[test]
    fn lines_and_rays() {
        assert_eq!(names(PINS, "between:a1-d4"), "b2 c3");
        assert_eq!(names(PINS, "line:b2-c3").split(' ').count(), 8);
        assert_eq!(names(PINS, "ray:c3-ne"), "d4 e5 f6 g7 h8");
        assert_eq!(names(PINS, "ray-before:c3-ne"), "d4 e5 f6 g7");
        assert_eq!(names(PINS, "ray-after:c3-ne"), "h8");
        // A falling direction, with its first blocker nearest to the square.
        assert_eq!(names(PINS, "ray-before:e8-s"), "e2 e3 e4 e5 e6 e7");
        assert_eq!(names(PINS, "ray-after:e8-s"), "e1");
        assert_eq!(names(PINS, "xray:c3"), "h8");
        assert_eq!(names(PINS, "relevant:e8"), "e2 e3 e4 e5 e6 e7 b8 c8 d8 f8 g8");
    }

    #[test]
    fn pairs_of_squares_without_a_line_are_told() {
        let note = |text: &str| Layer::parse(text).unwrap().note();
        let none = note("between:a1-b3").unwrap();
        assert_eq!(none, "a1 and b3 stand on no common line");
        assert_eq!(note("line:a1-b3").unwrap(), none);
        assert_eq!(note("between:a1-b2").unwrap(), "a1 and b2 are neighbours");
        assert_eq!(note("line:e4-e4").unwrap(), "e4 and e4 are one square");
        for text in ["line:a1-b2", "between:a1-c3", "checkers", "ray:a1-s"] {
            assert_eq!(note(text), None, "{text}");
            assert_eq!(names(PINS, text).is_empty(), text == "checkers" || text == "ray:a1-s");
        }
        for text in ["between:a1-b3", "line:a1-b3", "between:a1-b2", "between:e4-e4"] {
            assert_eq!(names(PINS, text), "", "{text}");
        }
    }

    #[test]
    fn facts_of_legality() {
        assert_eq!(names(PINS, "pinned"), "e2");
        assert_eq!(names(PINS, "pin-line:e2"), "e1 e2 e3 e4 e5 e6 e7 e8");
        assert_eq!(names(PINS, "pin-lines"), names(PINS, "pin-line:e2"));
        assert_eq!(names(PINS, "pin-line:c3").split(' ').count(), 64);
        assert_eq!(names(PINS, "targets:e2"), "");
        assert_eq!(names(CHECK, "checkers"), "d3");
        assert_eq!(names(CHECK, "capture-mask"), "d3");
        assert_eq!(names(CHECK, "push-mask"), "");
        assert_eq!(names(CHECK, "check-mask"), "d3");
        assert_eq!(names(CHECK, "targets"), "d1 f1 d2");
    }

    #[test]
    fn errors_point_at_their_place() {
        let error = |text: &str| {
            let error =
                Layer::parse(text).and_then(|layer| layer.squares(&scene(START))).unwrap_err();
            (error.to_string(), error.span())
        };
        assert_eq!(error("attcks:e2"), ("there is no layer \"attcks\"".to_owned(), 0..6));
        assert_eq!(error("checkers:e2").1, 8..11);
        assert_eq!(error("attacks:e9").1, 8..10);
        assert_eq!(error("attacks").1, 7..7);
        assert_eq!(error("ray:c3").1, 4..6);
        assert_eq!(error("between:a1").1, 8..10);
        assert_eq!(error("xray:e4"), ("e4 is empty".to_owned(), 5..7));
        assert_eq!(error("xray:g1").0, "the knight on g1 is no bishop, rook or queen");
    }

    #[test]
    fn an_unfinished_setup_has_the_layers_of_its_board() {
        let empty = scene("8/8/8/8/8/8/8/R7 w - - 0 1");
        let squares = |text| Layer::parse(text).unwrap().squares(&empty);
        assert_eq!(squares("attacks:a1").unwrap().len(), 14);
        assert_eq!(
            squares("checkers").unwrap_err().to_string(),
            "the layer checkers needs a position to play on: White has no king",
        );
    }
}
