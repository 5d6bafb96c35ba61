//! The table of layers. To add a layer, add its row, and test in `tests/layers.rs` what it shows.

use tabiya::movegen::{Legal, Restriction};
use tabiya::{Bitboard, Board, Color, Direction, Move, MoveList, Position, Role, Square, attacks};

use super::LayerKind;
use super::function::Function as Of;

const fn row(name: &'static str, function: Of, description: &'static str) -> LayerKind {
    LayerKind { name, function, description }
}

pub(super) const KINDS: [LayerKind; 39] = [
    row("occupancy", Of::Board(Board::occupied), "all pieces"),
    row("white", Of::Board(|board| board.color(Color::White)), "White's pieces"),
    row("black", Of::Board(|board| board.color(Color::Black)), "Black's pieces"),
    row("pawns", Of::Board(|board| board.role(Role::Pawn)), "the pawns of both colours"),
    row("knights", Of::Board(|board| board.role(Role::Knight)), "the knights of both colours"),
    row("bishops", Of::Board(|board| board.role(Role::Bishop)), "the bishops of both colours"),
    row("rooks", Of::Board(|board| board.role(Role::Rook)), "the rooks of both colours"),
    row("queens", Of::Board(|board| board.role(Role::Queen)), "the queens of both colours"),
    row("kings", Of::Board(|board| board.role(Role::King)), "both kings"),
    row("attacks", Of::Piece(Board::attacks_from), "the squares that the piece there attacks"),
    row("attacks", Of::Color(Board::attacks_by), "the squares that one side attacks"),
    row(
        "attackers",
        Of::Square(Board::attackers_to),
        "the pieces of both colours that attack the square",
    ),
    row(
        "white-pawn",
        Of::Square(|_, square| attacks::pawn(Color::White, square)),
        "the squares that a white pawn there would attack",
    ),
    row(
        "black-pawn",
        Of::Square(|_, square| attacks::pawn(Color::Black, square)),
        "the squares that a black pawn there would attack",
    ),
    row(
        "knight",
        Of::Square(|_, square| attacks::knight(square)),
        "the squares that a knight there would attack",
    ),
    row(
        "bishop",
        Of::Square(|board, square| attacks::bishop(square, board.occupied())),
        "the squares that a bishop there would attack",
    ),
    row(
        "rook",
        Of::Square(|board, square| attacks::rook(square, board.occupied())),
        "the squares that a rook there would attack",
    ),
    row(
        "queen",
        Of::Square(|board, square| attacks::queen(square, board.occupied())),
        "the squares that a queen there would attack",
    ),
    row(
        "king",
        Of::Square(|_, square| attacks::king(square)),
        "the squares that a king there would attack",
    ),
    row(
        "xray",
        Of::Slider(xray),
        "the squares that the slider there attacks through its first blockers",
    ),
    row(
        "relevant",
        Of::Slider(|_, slider, square| relevant(slider, square)),
        "the squares on which a blocker changes what the slider there attacks",
    ),
    row(
        "ray",
        Of::Ray(|_, square, direction| attacks::ray(square, direction)),
        "the squares from there to the edge of the board",
    ),
    row("ray-before", Of::Ray(ray_before), "the ray up to and including its first blocker"),
    row("ray-after", Of::Ray(ray_after), "the ray behind its first blocker"),
    row(
        "between",
        Of::Squares(attacks::between),
        "the squares strictly between two squares on a line",
    ),
    row("line", Of::Squares(attacks::line), "the whole line through two squares"),
    row("checkers", Of::Position(Position::checkers), "the pieces that give check"),
    row(
        "pinned",
        Of::Position(Position::pinned),
        "the pieces of the side to move that are pinned to its king",
    ),
    row(
        "pin-line",
        Of::PieceInPosition(|position, square| position.legality().pin_line(square)),
        "the squares to which a pin limits the piece there; all squares without a pin",
    ),
    row("pin-lines", Of::Position(pin_lines), "the lines of all pins"),
    row(
        "king-danger",
        Of::Position(|position| position.legality().king_danger(position)),
        "the squares that the opponent attacks with the king removed",
    ),
    row(
        "capture-mask",
        Of::Position(|position| position.legality().capture_mask),
        "where pieces other than the king may capture; all squares if there is no check",
    ),
    row(
        "push-mask",
        Of::Position(|position| position.legality().push_mask),
        "where pieces other than the king may block; all squares if there is no check",
    ),
    row(
        "check-mask",
        Of::Position(|position| position.legality().check_mask()),
        "the capture mask and the push mask together",
    ),
    row(
        "targets",
        Of::PieceInPosition(|position, square| {
            let from = Restriction::UNRESTRICTED.from(square);
            targets(&MoveList::within::<Legal>(position, &from))
        }),
        "the squares to which the piece there can legally move",
    ),
    row(
        "targets",
        Of::Position(|position| targets(&position.legal_moves())),
        "the squares to which any piece can legally move",
    ),
    row(
        "en-passant",
        Of::Position(|position| position.en_passant().map_or(Bitboard::EMPTY, Square::bitboard)),
        "the target of a legal en-passant capture",
    ),
    row(
        "castling",
        Of::Position(|position| position.castling_rights().rooks()),
        "the rooks that still have the right to castle",
    ),
    row("board", Of::Board(|_| Bitboard::EMPTY), "no squares, only the board"),
];

/// How a slider finds its attacks.
fn attacks_of(slider: Role) -> fn(Square, Bitboard) -> Bitboard {
    match slider {
        Role::Bishop => attacks::bishop,
        Role::Rook => attacks::rook,
        _ => attacks::queen,
    }
}

fn xray(board: &Board, slider: Role, square: Square) -> Bitboard {
    let (attacks, occupied) = (attacks_of(slider), board.occupied());
    let direct = attacks(square, occupied);
    attacks(square, occupied - direct) - direct
}

fn relevant(slider: Role, square: Square) -> Bitboard {
    use attacks::relevant::{bishop, rook};
    match slider {
        Role::Bishop => bishop(square),
        Role::Rook => rook(square),
        _ => bishop(square) | rook(square),
    }
}

/// The classical way: the first blocker is the nearest bit of the ray, the lowest in rising
/// directions and the highest in falling ones. The ray from the blocker is the part behind it.
fn ray_after(board: &Board, square: Square, direction: Direction) -> Bitboard {
    let blockers = attacks::ray(square, direction) & board.occupied();
    let first = if direction.is_rising() { blockers.first() } else { blockers.last() };
    first.map_or(Bitboard::EMPTY, |blocker| attacks::ray(blocker, direction))
}

fn ray_before(board: &Board, square: Square, direction: Direction) -> Bitboard {
    attacks::ray(square, direction) ^ ray_after(board, square, direction)
}

fn pin_lines(position: &Position) -> Bitboard {
    let legality = position.legality();
    legality.pinned.iter().fold(Bitboard::EMPTY, |lines, piece| lines | legality.pin_line(piece))
}

fn targets(moves: &MoveList) -> Bitboard {
    moves.iter().copied().map(Move::to).collect()
}
