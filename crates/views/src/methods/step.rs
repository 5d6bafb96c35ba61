//! A step, and the recorder of steps.

use tabiya::{Bitboard, Direction, Role, Square};

/// One step of a method.
///
/// Every line of [`arithmetic`](Self::arithmetic) has the form `name = expression = value`. The
/// names in an expression are those of the step's sets, and except for tables, whose entries are
/// written `TABLE[…]`, the [calculator](crate::calculator) understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The kind of step, such as `blockers`: a key for the texts of a front end.
    pub name: &'static str,
    /// The part of the method to which the step belongs: a direction, a line such as
    /// `anti-diagonal`, or the role whose lines or squares are found.
    pub part: &'static str,
    /// One or two lines of arithmetic.
    pub arithmetic: String,
    /// The sets that the step takes and makes.
    pub sets: Vec<NamedSet>,
    /// The bits of the step that each blocker has made, a1 first. Only
    /// [`Method::Magic`](super::Method::Magic) traces bits.
    pub traces: Vec<Trace>,
    /// The number that the step finds, such as an index or the number of a square.
    pub number: Option<u64>,
    /// A description of this step, in a sentence or two.
    pub caption: String,
}

impl Step {
    /// The set with a name.
    pub fn set(&self, name: &str) -> Option<Bitboard> {
        self.sets.iter().find(|set| set.name == name).map(|set| set.squares)
    }

    /// The attacks that are known after this step; `None` if the step finds none.
    pub fn result(&self) -> Option<Bitboard> {
        self.sets.iter().find(|set| set.role == SetRole::Result).map(|set| set.squares)
    }
}

/// A set of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedSet {
    /// Its name in the arithmetic; no two sets of a step have the same.
    pub name: &'static str,
    /// The squares.
    pub squares: Bitboard,
    /// Its role in the step.
    pub role: SetRole,
}

/// The bits that a blocker has made, alone or with others.
///
/// A multiplication adds up one copy of the multiplier for each blocker. Where two bits meet, they
/// make one bit of the next place, and it is traced to the blockers of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trace {
    /// The blocker.
    pub blocker: Square,
    /// Its bits.
    pub squares: Bitboard,
}

/// The role of a set in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SetRole {
    /// The step takes it.
    Input,
    /// The step keeps only these squares of something.
    Mask,
    /// The step makes it, and a later step needs it.
    Intermediate,
    /// The step takes these squares away, such as those behind a blocker.
    Removed,
    /// The attacks that are known after the step.
    Result,
}

impl SetRole {
    /// The name for programs, such as `input`.
    ///
    /// ```
    /// use tabiya_views::methods::SetRole;
    /// assert_eq!(SetRole::Intermediate.name(), "intermediate");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Input => "input",
            Self::Mask => "mask",
            Self::Intermediate => "intermediate",
            Self::Removed => "removed",
            Self::Result => "result",
        }
    }
}

pub(super) const fn input(name: &'static str, squares: Bitboard) -> NamedSet {
    NamedSet { name, squares, role: SetRole::Input }
}

pub(super) const fn mask(name: &'static str, squares: Bitboard) -> NamedSet {
    NamedSet { name, squares, role: SetRole::Mask }
}

pub(super) const fn made(name: &'static str, squares: Bitboard) -> NamedSet {
    NamedSet { name, squares, role: SetRole::Intermediate }
}

pub(super) const fn removed(name: &'static str, squares: Bitboard) -> NamedSet {
    NamedSet { name, squares, role: SetRole::Removed }
}

/// Collects the steps for a piece.
pub(super) struct Recorder {
    pub(super) square: Square,
    pub(super) occupied: Bitboard,
    pub(super) part: &'static str,
    found: Bitboard,
    steps: Vec<Step>,
}

impl Recorder {
    pub(super) const fn new(square: Square, occupied: Bitboard) -> Self {
        Self { square, occupied, part: "", found: Bitboard::EMPTY, steps: Vec::new() }
    }

    /// The square of the slider as a set.
    pub(super) const fn slider(&self) -> Bitboard {
        self.square.bitboard()
    }

    pub(super) fn add(
        &mut self,
        name: &'static str,
        arithmetic: String,
        sets: impl Into<Vec<NamedSet>>,
        caption: String,
    ) {
        let (part, sets) = (self.part, sets.into());
        let traces = Vec::new();
        self.steps.push(Step { name, part, arithmetic, sets, traces, number: None, caption });
    }

    /// Says whose bits the last step has.
    pub(super) fn trace(&mut self, traces: Vec<Trace>) {
        self.steps.last_mut().expect("a step").traces = traces;
    }

    /// A step that finds a number.
    pub(super) fn add_number(
        &mut self,
        name: &'static str,
        (number, arithmetic): (u64, String),
        sets: impl Into<Vec<NamedSet>>,
        caption: String,
    ) {
        self.add(name, arithmetic, sets, caption);
        self.steps.last_mut().expect("a step").number = Some(number);
    }

    /// The last step of a part: adds its attacks, the set `name`, to those of the parts before.
    pub(super) fn add_attacks(
        &mut self,
        name: &'static str,
        (squares, mut arithmetic): (Bitboard, String),
        sets: impl Into<Vec<NamedSet>>,
        caption: String,
    ) {
        let mut sets = sets.into();
        let all = self.found | squares;
        sets.extend([made(name, squares), input("found", self.found)]);
        sets.push(NamedSet { name: "attacks", squares: all, role: SetRole::Result });
        arithmetic =
            format!("{arithmetic}\n{}", equation("attacks", &format!("found | {name}"), all));
        self.found = all;
        self.add("attacks", arithmetic, sets, caption);
    }

    pub(super) fn finish(self) -> Vec<Step> {
        self.steps
    }
}

/// A line of arithmetic whose value is a set.
pub(super) fn equation(name: &str, expression: &str, value: Bitboard) -> String {
    format!("{name} = {expression} = {:#018x}", value.0)
}

/// The name of a direction, which is also the key of a part.
pub(super) const fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::North => "north",
        Direction::NorthEast => "north-east",
        Direction::East => "east",
        Direction::SouthEast => "south-east",
        Direction::South => "south",
        Direction::SouthWest => "south-west",
        Direction::West => "west",
        Direction::NorthWest => "north-west",
    }
}

/// The directions of a slider: the rook's, then the bishop's.
pub(super) fn directions(slider: Role) -> impl Iterator<Item = Direction> {
    let rook = (slider != Role::Bishop).then_some(Direction::ORTHOGONAL);
    let bishop = (slider != Role::Rook).then_some(Direction::DIAGONAL);
    rook.into_iter().chain(bishop).flatten()
}

/// The two sliders of which a slider consists: a queen is a rook and a bishop.
pub(super) fn halves(slider: Role) -> impl Iterator<Item = Role> {
    [Role::Rook, Role::Bishop]
        .into_iter()
        .filter(move |role| slider == *role || slider == Role::Queen)
}

/// The squares in words: their names, or their number.
pub(super) fn in_words(squares: Bitboard) -> String {
    let names: Vec<String> = squares.iter().map(|square| square.to_string()).collect();
    match &names[..] {
        [] => "no square".to_owned(),
        [one] => one.clone(),
        [first @ .., last] if names.len() <= 8 => format!("{} and {last}", first.join(", ")),
        _ => format!("{} squares", names.len()),
    }
}

/// A shift by some squares in a direction, as an expression.
pub(super) fn shift_text(name: &str, squares: u32, direction: Direction) -> String {
    let places = squares * u32::from(direction.offset().unsigned_abs());
    let operator = if direction.is_rising() { "<<" } else { ">>" };
    format!("{name} {operator} {places}")
}
