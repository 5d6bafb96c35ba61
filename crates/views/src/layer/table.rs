//! The table of layers. To add a layer, add its row, and a test of its squares in
//! `tests/layers.rs`.

use tabiya::movegen::{CheckFacts, NonEvasions, PseudoLegal};
use tabiya::{
    Bitboard, Board, CastlingSide, Color, Direction, Move, MoveList, Position, Reason, Role,
    Square, attacks,
};

use super::function::Function as Of;
use super::kind::LayerKind;

impl LayerKind {
    /// Every layer. Two rows may share a name if their arguments differ, such as `attacks:e4` and
    /// `attacks:white`.
    pub const ALL: &'static [Self] = KINDS;
}

const fn row(name: &'static str, function: Of, description: &'static str) -> LayerKind {
    LayerKind { name, function, description }
}

const KINDS: &[LayerKind] = &[
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
        "pawn-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::Pawn)),
        "the squares that one side's pawns attack",
    ),
    row(
        "knight-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::Knight)),
        "the squares that one side's knights attack",
    ),
    row(
        "bishop-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::Bishop)),
        "the squares that one side's bishops attack",
    ),
    row(
        "rook-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::Rook)),
        "the squares that one side's rooks attack",
    ),
    row(
        "queen-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::Queen)),
        "the squares that one side's queens attack",
    ),
    row(
        "king-attacks",
        Of::Color(|board, color| attacks_by(board, color, Role::King)),
        "the squares that one side's king attacks",
    ),
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
        "xrays",
        Of::Color(xrays),
        "the squares that one side's sliders attack through their first blockers",
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
    row("pinners", Of::Position(pinners), "the opponent's sliders that pin a piece"),
    row(
        "pin-line",
        Of::PieceInPosition(|position, square| position.legality().pin_line(square)),
        "the squares to which a pin limits the piece there; all squares without a pin",
    ),
    row("pin-lines", Of::Position(pin_lines), "the lines of all pins"),
    row(
        "king-danger",
        Of::Position(|position| position.generator().king_danger()),
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
            let mut moves = position.legal_moves();
            moves.retain(|mv| mv.from() == square);
            targets(&moves)
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
        "en-passant-pseudo-legal",
        Of::Position(|position| en_passant(position).iter().map(|mv| mv.to()).collect()),
        "the target of an en-passant capture, even if that would expose the king",
    ),
    row(
        "en-passant-trap",
        Of::Position(|position| en_passant_traps(position).map(|(mv, _)| mv.from()).collect()),
        "the pawns whose en-passant capture would expose their king",
    ),
    row(
        "discoverers",
        Of::Position(|position| CheckFacts::of(position).discoverers),
        "the pieces of the side to move that uncover a check when they leave their line",
    ),
    row(
        "castling",
        Of::Position(|position| position.castling_rights().rooks()),
        "the rooks that still have the right to castle",
    ),
    row(
        "castling-king-path",
        Of::Position(|position| {
            union(castlings(position).map(|it| it.side.king_path(it.color, it.king)))
        }),
        "the squares that a king crosses and lands on to castle: none may be attacked",
    ),
    row(
        "castling-clear",
        Of::Position(|position| {
            union(castlings(position).map(|it| it.side.clear_squares(it.color, it.king, it.rook)))
        }),
        "the squares that must be empty for a side to castle with a right that it has",
    ),
    row("board", Of::Board(|_| Bitboard::EMPTY), "no squares, only the board"),
];

/// The function that finds the attacks of a slider.
fn attacks_of(slider: Role) -> fn(Square, Bitboard) -> Bitboard {
    match slider {
        Role::Bishop => attacks::bishop,
        Role::Rook => attacks::rook,
        _ => attacks::queen,
    }
}

pub(super) fn xray(board: &Board, slider: Role, square: Square) -> Bitboard {
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

/// The squares that one side's pieces of a role attack.
fn attacks_by(board: &Board, color: Color, role: Role) -> Bitboard {
    union(board.pieces(color, role).iter().map(|square| board.attacks_from(square)))
}

fn xrays(board: &Board, color: Color) -> Bitboard {
    let sliders = [Role::Bishop, Role::Rook, Role::Queen].into_iter();
    let behind = sliders.flat_map(|slider| {
        let squares = board.pieces(color, slider).iter();
        squares.map(move |square| xray(board, slider, square))
    });
    union(behind)
}

fn pinners(position: &Position) -> Bitboard {
    let legality = position.legality();
    let board = position.board();
    legality.pinned.iter().filter_map(|piece| board.slider_behind(legality.king, piece)).collect()
}

fn pin_lines(position: &Position) -> Bitboard {
    let legality = position.legality();
    union(legality.pinned.iter().map(|piece| legality.pin_line(piece)))
}

fn union(sets: impl Iterator<Item = Bitboard>) -> Bitboard {
    sets.fold(Bitboard::EMPTY, |all, squares| all | squares)
}

/// The pseudo-legal en-passant captures.
pub(super) fn en_passant(position: &Position) -> MoveList {
    let mut moves = MoveList::of::<PseudoLegal<NonEvasions>>(position);
    moves.retain(|mv| mv.is_en_passant());
    moves
}

/// The en-passant captures that would expose the king, each with the reason. A check that the
/// capture leaves as it is does not count.
pub(super) fn en_passant_traps(position: &Position) -> impl Iterator<Item = (Move, Reason)> {
    en_passant(position).into_iter().filter_map(|mv| {
        let exposes = |reason: &&Reason| {
            matches!(reason, Reason::EnPassantUncovers { .. } | Reason::Pinned { .. })
        };
        let explanation = position.explain_move(mv);
        explanation.reasons().iter().find(exposes).map(|reason| (mv, *reason))
    })
}

/// Castling with a right that the position has, for either side.
pub(super) struct Castling {
    pub(super) color: Color,
    pub(super) side: CastlingSide,
    pub(super) king: Square,
    pub(super) rook: Square,
}

pub(super) fn castlings(position: &Position) -> impl Iterator<Item = Castling> {
    Color::ALL.into_iter().flat_map(|color| {
        let king = position.king(color);
        let rooks = position.castling_rights().of(color).iter();
        rooks.map(move |rook| Castling { color, side: CastlingSide::of(king, rook), king, rook })
    })
}

fn targets(moves: &MoveList) -> Bitboard {
    moves.iter().copied().map(Move::to).collect()
}
