//! Reading and writing values with serde: text for people, bytes and numbers for programs.
//!
//! Every value is checked when it is read. So reading cannot bypass the rules of a type: a position
//! that was read is playable.

use core::fmt::{self, Display, Write};
use core::marker::PhantomData;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{self, Serialize, SerializeSeq, SerializeStruct, Serializer};

use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::{CastlingMode, CastlingRights, CastlingSide};
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::packed::{PackedIdentity, PackedPosition};
use crate::position::Position;
use crate::role::{Piece, Role};
use crate::rules::GameResult;
use crate::setup::Setup;
use crate::square::{File, Rank, Square};
use crate::text::uci::UciMove;

/// Reads text with a function, whose error describes invalid text.
struct Text<F, T, E> {
    expected: &'static str,
    read: F,
    result: PhantomData<fn() -> Result<T, E>>,
}

impl<T, E: Display, F: FnOnce(&str) -> Result<T, E>> Visitor<'_> for Text<F, T, E> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<D: de::Error>(self, text: &str) -> Result<T, D> {
        (self.read)(text).map_err(D::custom)
    }
}

fn text<'de, D: Deserializer<'de>, T, E: Display>(
    from: D,
    expected: &'static str,
    read: impl FnOnce(&str) -> Result<T, E>,
) -> Result<T, D::Error> {
    from.deserialize_str(Text { expected, read, result: PhantomData })
}

/// A type whose values are text for people and numbers for programs.
macro_rules! text_or_number {
    ($type:ty, $number:ty, $expected:literal, $to_text:expr, $to_number:expr, $of_text:expr, $of_number:expr) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                if to.is_human_readable() {
                    to.collect_str(&$to_text(*self))
                } else {
                    <$number>::serialize(&$to_number(*self), to)
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let refused = Expected($expected);
                if from.is_human_readable() {
                    text(from, $expected, |text| $of_text(text).ok_or(refused))
                } else {
                    let number = <$number>::deserialize(from)?;
                    $of_number(number).ok_or_else(|| de::Error::custom(refused))
                }
            }
        }
    };
}

/// An enum with names, and the numbers of its variants.
macro_rules! named {
    ($type:ident, $all:expr, $expected:literal, $name:expr) => {
        text_or_number!(
            $type,
            u8,
            $expected,
            $name,
            |value: $type| value as u8,
            |text: &str| $all.into_iter().find(|&value| $name(value) == text),
            |number: u8| $all.into_iter().find(|&value| value as u8 == number)
        );
    };
}

/// The error for a string or a number that is not a value of a type.
#[derive(Clone, Copy)]
struct Expected(&'static str);

impl Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}", self.0)
    }
}

named!(Color, Color::ALL, "white or black", Color::name);
named!(Role, Role::ALL, "a role such as knight", Role::name);
named!(MoveKind, MoveKind::ALL, "a kind of move such as quiet", MoveKind::name);
named!(CastlingSide, CastlingSide::ALL, "king or queen", |side| match side {
    CastlingSide::King => "king",
    CastlingSide::Queen => "queen",
});
named!(
    CastlingMode,
    [CastlingMode::Standard, CastlingMode::Chess960],
    "standard or chess960",
    |mode| match mode {
        CastlingMode::Standard => "standard",
        CastlingMode::Chess960 => "chess960",
    }
);
named!(
    GameResult,
    [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw],
    "1-0, 0-1 or 1/2-1/2",
    GameResult::name
);

/// The only letter of the text.
fn letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|_| letters.as_str().is_empty())
}

text_or_number!(
    File,
    u8,
    "a file from a to h",
    File::letter,
    |file: File| file as u8,
    |text| letter(text).and_then(File::from_letter),
    |number| File::ALL.get(usize::from(number)).copied()
);
text_or_number!(
    Rank,
    u8,
    "a rank from 1 to 8",
    Rank::digit,
    |rank: Rank| rank as u8,
    |text| letter(text).and_then(Rank::from_digit),
    |number| Rank::ALL.get(usize::from(number)).copied()
);
text_or_number!(
    Square,
    u8,
    "a square such as e4",
    |square: Square| square,
    |square: Square| square as u8,
    |text: &str| text.parse().ok(),
    Square::from_index
);
text_or_number!(
    Piece,
    u8,
    "the letter of a piece, such as N",
    Piece::fen,
    |piece: Piece| piece.color as u8 * 6 + piece.role as u8,
    |text| letter(text).and_then(Piece::from_fen),
    |number: u8| {
        let color = Color::ALL.get(usize::from(number / 6))?;
        Some(Role::ALL[usize::from(number % 6)].of(*color))
    }
);
// For programs: the origin and the target as in the bits of a move, and the role above them.
text_or_number!(
    UciMove,
    u16,
    "a move in UCI, such as e2e4",
    |mv: UciMove| mv,
    |mv: UciMove| {
        let promotion = mv.promotion.map_or(0, |role| role as u16);
        mv.from as u16 | (mv.to as u16) << 6 | promotion << 12
    },
    |text: &str| text.parse().ok(),
    |number: u16| {
        let promotion = match number >> 12 {
            0 => None,
            role => Some(*Role::PROMOTIONS.get(usize::from(role - 1))?),
        };
        let square = |bits: u16| Square::from_low_bits(bits as u8);
        Some(UciMove { from: square(number), to: square(number >> 6), promotion })
    }
);

/// A list of squares for people, 64 bits for programs.
impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return to.serialize_u64(self.0);
        }
        let mut list = to.serialize_seq(Some(self.len() as usize))?;
        for square in *self {
            list.serialize_element(&square)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Squares;

        impl<'de> Visitor<'de> for Squares {
            type Value = Bitboard;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of squares")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bitboard, A::Error> {
                let mut squares = Bitboard::EMPTY;
                while let Some(square) = list.next_element::<Square>()? {
                    squares = squares.with(square);
                }
                Ok(squares)
            }
        }

        if from.is_human_readable() {
            from.deserialize_seq(Squares)
        } else {
            u64::deserialize(from).map(Self)
        }
    }
}

/// The rooks that may castle, as a set of squares.
impl Serialize for CastlingRights {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.rooks().serialize(to)
    }
}

impl<'de> Deserialize<'de> for CastlingRights {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Ok(Bitboard::deserialize(from)?.iter().collect())
    }
}

/// The first field of FEN for people; the sets of roles and colours for programs.
impl Serialize for Board {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            let setup = Setup { board: *self, ..Setup::EMPTY };
            let fen = Buffer::of(setup.fen());
            to.serialize_str(fen.text().split(' ').next().unwrap_or_default())
        } else {
            let roles = Role::ALL.map(|role| self.role(role).0);
            (roles, Color::ALL.map(|color| self.color(color).0)).serialize(to)
        }
    }
}

impl<'de> Deserialize<'de> for Board {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return text(from, "the pieces in FEN", |pieces| {
                let fen = Buffer::of(format_args!("{pieces} w - - 0 1"));
                Setup::from_fen(fen.text()).map(|setup| setup.board)
            });
        }
        let (roles, colors) = <([u64; 6], [u64; 2])>::deserialize(from)?;
        let mut board = Self::EMPTY;
        for (role, set) in Role::ALL.into_iter().zip(roles) {
            for square in Bitboard(set) {
                let color =
                    if colors[1] >> square as u8 & 1 == 1 { Color::Black } else { Color::White };
                board.set(square, Some(role.of(color)));
            }
        }
        // Sets that overlap, or that have squares which the others lack, do not form a board.
        let same = Role::ALL.map(|role| board.role(role).0) == roles
            && Color::ALL.map(|color| board.color(color).0) == colors;
        if same {
            Ok(board)
        } else {
            Err(de::Error::custom("the sets of a board contradict each other"))
        }
    }
}

/// FEN for people; all fields for programs.
impl Serialize for Setup {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            let Self { board, turn, castling, castling_mode, en_passant, .. } = self;
            let counters = (self.halfmove_clock, self.fullmove_number);
            return (board, turn, castling, castling_mode, en_passant, counters).serialize(to);
        }
        let fen = Buffer::of(self.fen());
        // FEN loses a castling right without a rook. If there are no rights, it loses the notation
        // of castling, which then matters little.
        match Self::from_fen(fen.text()) {
            Ok(back) if (Self { castling_mode: self.castling_mode, ..back }) == *self => {
                to.serialize_str(fen.text())
            }
            _ => {
                Err(ser::Error::custom("no FEN has the castling rights or counters of this setup"))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Setup {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return text(from, "a FEN", Self::from_fen);
        }
        let (board, turn, castling, castling_mode, en_passant, counters) =
            Deserialize::deserialize(from)?;
        let (halfmove_clock, fullmove_number) = counters;
        Ok(Self {
            board,
            turn,
            castling,
            castling_mode,
            en_passant,
            halfmove_clock,
            fullmove_number,
        })
    }
}

/// FEN for people; the 32 bytes of [`PackedPosition`] for programs.
impl Serialize for Position {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            to.collect_str(&self.fen())
        } else {
            PackedPosition::of(self).serialize(to)
        }
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            return text(from, "the FEN of a playable position", Self::from_fen);
        }
        PackedPosition::deserialize(from)?.unpack().map_err(de::Error::custom)
    }
}

/// The bytes, in hexadecimal for people.
macro_rules! bytes {
    ($type:ident, $expected:literal) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                if to.is_human_readable() {
                    to.collect_str(&Hexadecimal(self.to_bytes()))
                } else {
                    self.to_bytes().serialize(to)
                }
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let bytes = if from.is_human_readable() {
                    text(from, $expected, |text| {
                        Hexadecimal::read(text).map(|it| it.0).ok_or(Expected($expected))
                    })?
                } else {
                    <[u8; $type::BYTES]>::deserialize(from)?
                };
                Ok(Self::from_bytes(bytes))
            }
        }
    };
}

bytes!(PackedPosition, "64 hexadecimal digits");
bytes!(PackedIdentity, "48 hexadecimal digits");

struct Hexadecimal<const N: usize>([u8; N]);

impl<const N: usize> Hexadecimal<N> {
    fn read(text: &str) -> Option<Self> {
        let mut bytes = [0; N];
        if text.len() != 2 * N || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (index, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * index..][..2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl<const N: usize> Display for Hexadecimal<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const MOVE_FIELDS: [&str; 2] = ["uci", "kind"];

/// For people, the UCI text and the kind, which UCI does not write; 16 bits for programs.
impl Serialize for Move {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if !to.is_human_readable() {
            return to.serialize_u16(self.bits());
        }
        let [uci, kind] = MOVE_FIELDS;
        let mut fields = to.serialize_struct("Move", 2)?;
        let text = UciMove { from: self.from(), to: self.to(), promotion: self.promotion() };
        fields.serialize_field(uci, &text)?;
        fields.serialize_field(kind, &self.kind())?;
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Move {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Move;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a move as an object with the fields uci and kind")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Move, A::Error> {
                let (mut uci, mut kind) = (None::<UciMove>, None::<MoveKind>);
                while let Some(field) = map.next_key::<Field>()? {
                    match field {
                        Field::Uci => uci = Some(map.next_value()?),
                        Field::Kind => kind = Some(map.next_value()?),
                        _ => {
                            map.next_value::<de::IgnoredAny>()?;
                        }
                    }
                }
                let uci = uci.ok_or_else(|| de::Error::missing_field("uci"))?;
                let kind = kind.ok_or_else(|| de::Error::missing_field("kind"))?;
                if kind.promoted() != uci.promotion {
                    return Err(de::Error::custom(
                        "the kind of the move contradicts its promotion",
                    ));
                }
                Ok(Move::new(uci.from, uci.to, kind))
            }
        }

        if from.is_human_readable() {
            return from.deserialize_struct("Move", &MOVE_FIELDS, Fields);
        }
        let bits = u16::deserialize(from)?;
        Self::from_bits(bits).ok_or_else(|| de::Error::custom("the top bits are no kind of move"))
    }
}

/// The name of a field of a move or a game.
enum Field {
    Uci,
    Kind,
    Start,
    Moves,
    Other,
}

impl<'de> Deserialize<'de> for Field {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Name;

        impl Visitor<'_> for Name {
            type Value = Field;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a field")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<Field, E> {
                Ok(match name {
                    "uci" => Field::Uci,
                    "kind" => Field::Kind,
                    "start" => Field::Start,
                    "moves" => Field::Moves,
                    _ => Field::Other,
                })
            }
        }

        from.deserialize_identifier(Name)
    }
}

/// A short text without a heap: every FEN fits. Longer text is cut off.
struct Buffer {
    bytes: [u8; 128],
    len: usize,
}

impl Buffer {
    fn of(text: impl Display) -> Self {
        let mut buffer = Self { bytes: [0; 128], len: 0 };
        // An error means that the text is too long, and the reader finds that it is not a FEN.
        let _ = write!(buffer, "{text}");
        buffer
    }

    fn text(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.len]).unwrap_or_default()
    }
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let end = self.len + text.len();
        let place = self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?;
        place.copy_from_slice(text.as_bytes());
        self.len = end;
        Ok(())
    }
}

#[cfg(feature = "alloc")]
mod game {
    //! For people, the FEN of the start and the moves in UCI; packed for programs.
    //!
    //! serde's own impls for `Vec` and `String` are not used: they need a feature of serde, which
    //! would put it into the lock files of all users.

    use alloc::vec::Vec;

    use super::*;
    use crate::rules::Game;

    const GAME_FIELDS: [&str; 2] = ["start", "moves"];

    impl Serialize for Game {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            if !to.is_human_readable() {
                return (self.start(), self.moves()).serialize(to);
            }
            let [start, moves] = GAME_FIELDS;
            let mut fields = to.serialize_struct("Game", 2)?;
            fields.serialize_field(start, self.start())?;
            fields.serialize_field(moves, &Texts(self))?;
            fields.end()
        }
    }

    /// The moves of a game in UCI.
    struct Texts<'a>(&'a Game);

    impl Serialize for Texts<'_> {
        fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
            let Self(game) = self;
            let before = game.positions().iter();
            to.collect_seq(before.zip(game.moves()).map(|(position, &mv)| position.uci(mv)))
        }
    }

    impl<'de> Deserialize<'de> for Game {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            if from.is_human_readable() {
                return from.deserialize_struct("Game", &GAME_FIELDS, Fields);
            }
            let (start, List(moves)) = <(Position, List<Move>)>::deserialize(from)?;
            let mut game = Self::from_position(start);
            for mv in moves {
                game.push(mv).map_err(|error| illegal(&game, error))?;
            }
            Ok(game)
        }
    }

    /// The error for the next move of a game.
    fn illegal<E: de::Error>(game: &Game, error: impl Display) -> E {
        E::custom(format_args!("move {}: {error}", game.moves().len() + 1))
    }

    struct Fields;

    impl<'de> Visitor<'de> for Fields {
        type Value = Game;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a game as an object with the fields start and moves")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Game, A::Error> {
            let (mut start, mut moves) = (None::<Position>, None::<List<UciMove>>);
            while let Some(field) = map.next_key::<Field>()? {
                match field {
                    Field::Start => start = Some(map.next_value()?),
                    Field::Moves => moves = Some(map.next_value()?),
                    _ => {
                        map.next_value::<de::IgnoredAny>()?;
                    }
                }
            }
            let start = start.ok_or_else(|| de::Error::missing_field("start"))?;
            let List(moves) = moves.ok_or_else(|| de::Error::missing_field("moves"))?;
            let mut game = Game::from_position(start);
            for text in moves {
                let text = Buffer::of(text);
                let read = game.position().parse_uci(text.text());
                let mv = read.map_err(|error| illegal(&game, error))?;
                game.push(mv).map_err(|error| illegal(&game, error))?;
            }
            Ok(game)
        }
    }

    struct List<T>(Vec<T>);

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
        fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
            struct Items<T>(PhantomData<T>);

            impl<'de, T: Deserialize<'de>> Visitor<'de> for Items<T> {
                type Value = List<T>;

                fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str("a list of moves")
                }

                fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<List<T>, A::Error> {
                    // The length that the input gives is not trusted, so nothing is reserved.
                    let mut items = Vec::new();
                    while let Some(item) = list.next_element()? {
                        items.push(item);
                    }
                    Ok(List(items))
                }
            }

            from.deserialize_seq(Items(PhantomData))
        }
    }
}
