//! The rules for the class `Chess` of `tabiya/chess.js`.
//!
//! They're functions of FENs, and the class keeps nothing but texts. So programs may make as many
//! boards as they like without freeing them, copy them, and wrap them in proxies, as with chess.js.
//! The FENs come from these functions, so only [`load`] can find a wrong one.

use tabiya::attacks;
use tabiya::fen::EnPassantMode;
use tabiya::{
    CastlingMode, CastlingRights, CastlingSide, Color, Move, MoveKind, Piece, Position, Role,
    Setup, Square,
};
use tabiya_pgn::{Reader, Token};
use wasm_bindgen::prelude::*;

use crate::error::Failure;
use crate::moves::flags;

/// The setup of a FEN, without castling rights that can't be used. The rights of standard chess are
/// those of `KQkq` for kings and rooks at home; other letters mean nothing.
#[wasm_bindgen(js_name = chessLoad, skip_typescript)]
pub fn load(fen: &str, chess960: bool) -> Result<String, Failure> {
    let failed = |error| Failure::of(fen, error);
    let setup = if chess960 {
        let setup = Setup::from_fen(fen).map_err(failed)?;
        Setup { castling_mode: CastlingMode::Chess960, ..setup }
    } else {
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let letters = fields.get_mut(2).map_or("", |field| std::mem::replace(field, "-"));
        let homes = [('K', Square::H1), ('Q', Square::A1), ('k', Square::H8), ('q', Square::A8)];
        let rooks = homes.into_iter().filter(|(letter, _)| letters.contains(*letter));
        let castling: CastlingRights = rooks.map(|(_, rook)| rook).collect();
        Setup { castling, ..Setup::from_fen(&fields.join(" ")).map_err(failed)? }
    };
    for color in Color::ALL {
        if setup.board.pieces(color, Role::King).has_many() {
            let message = format!("Invalid FEN: too many {} kings", color.name());
            return Err(Failure::of(fen, message));
        }
    }
    Ok(texts(&setup).0)
}

/// The board after a piece, as a letter of FEN, is put on a square, or the square is emptied.
/// `undefined` if it would be a second king.
#[wasm_bindgen(js_name = chessEdit, skip_typescript)]
pub fn edit(fen: &str, square: &str, letter: Option<char>) -> Result<Option<String>, Failure> {
    let (mut setup, square) = (read(fen)?, square_of(square)?);
    let piece = letter.and_then(Piece::from_fen);
    if let Some(Piece { color, role: Role::King }) = piece
        && setup.board.pieces(color, Role::King).without(square).any()
    {
        return Ok(None);
    }
    setup.board.set(square, piece);
    setup.en_passant = None;
    Ok(Some(texts(&setup).0))
}

/// The board after a castling right is given or taken. Without king and rook in place, there's none
/// to give.
#[wasm_bindgen(js_name = chessSetRight, skip_typescript)]
pub fn set_right(fen: &str, letter: char, given: bool, chess960: bool) -> Result<String, Failure> {
    let mut setup = read(fen)?;
    let (color, side) = right(letter);
    let Some(king) = setup.board.king(color) else { return Ok(fen.to_owned()) };
    let mut places = CastlingRights::START.rooks() & color.back_rank().bitboard();
    if chess960 {
        (setup.castling_mode, places) = (CastlingMode::Chess960, color.back_rank().bitboard());
    }
    match setup.castling.rook(color, side, king) {
        Some(rook) if !given => setup.castling.remove(rook.bitboard()),
        None if given => {
            let rooks = setup.board.pieces(color, Role::Rook) & places;
            let outermost = match side {
                CastlingSide::Queen => rooks.first(),
                CastlingSide::King => rooks.last(),
            };
            let found = outermost.filter(|&rook| CastlingSide::of(king, rook) == side);
            found.into_iter().for_each(|rook| setup.castling.add(rook));
        }
        _ => {}
    }
    Ok(texts(&setup).0)
}

/// The castling rights, as letters of `KQkq`.
#[wasm_bindgen(js_name = chessRights, skip_typescript)]
pub fn rights(fen: &str) -> Result<String, Failure> {
    let setup = read(fen)?;
    let has = |letter: &char| {
        let (color, side) = right(*letter);
        let king = setup.board.king(color);
        king.is_some_and(|king| setup.castling.rook(color, side, king).is_some())
    };
    Ok("KQkq".chars().filter(has).collect())
}

/// The board after a null move.
#[wasm_bindgen(js_name = chessPass, skip_typescript)]
pub fn pass(fen: &str) -> Result<String, Failure> {
    Ok(read(fen)?.play_null().fen().to_string())
}

/// The legal moves in the order of chess.js, one on each line. `square`, `role` and `only` are
/// filters, unless they're empty: `only` is the target of the moves of a square, or otherwise a move
/// in SAN without `=` and signs of check.
///
/// A line is the move in SAN, or nine fields, separated by tabs: origin, target, role, captured
/// role, promotion, flags, SAN, the square that a double push crosses beside a pawn of the opponent,
/// and the FEN after the move. Castling in Chess960 has the rook's square as its target.
#[wasm_bindgen(js_name = chessMoves, skip_typescript)]
pub fn moves(
    fen: &str,
    square: &str,
    role: Option<char>,
    only: &str,
    is_detailed: bool,
) -> Result<String, Failure> {
    let board = Board::new(read(fen)?);
    let from = if square.is_empty() { None } else { Some(square_of(square)?) };
    let mut moves = match from {
        None if !only.is_empty() => board.named(only),
        _ => board.moves(),
    };
    moves.retain(|mv| {
        from.is_none_or(|from| {
            let is_target = || [mv.to(), board.setup.uci(*mv).to].map(|to| to.to_string());
            mv.from() == from && (only.is_empty() || is_target().iter().any(|to| to == only))
        }) && role.is_none_or(|letter| board.role(*mv).letter() == letter)
    });
    moves.sort_by_cached_key(|&mv| order(mv, board.role(mv)));
    let line = |mv| if is_detailed { board.details(mv) } else { board.san(mv) };
    Ok(moves.into_iter().map(line).collect::<Vec<_>>().join("\n"))
}

/// The state of the game on the board: 1 for check, 2 without legal moves, 4 without the material
/// for a mate.
#[wasm_bindgen(js_name = chessStatus, skip_typescript)]
pub fn status(fen: &str) -> Result<u32, Failure> {
    let board = Board::new(read(fen)?);
    let is_stuck = match &board.position {
        Some(position) => !position.has_legal_move(),
        None => board.moves().is_empty(),
    };
    let Setup { board: pieces, turn, .. } = &board.setup;
    let attackers = |king| pieces.attackers_to(king) & pieces.color(!*turn);
    let is_check = pieces.king(*turn).is_some_and(|king| attackers(king).any());
    let is_bare =
        Color::ALL.into_iter().all(|it| pieces.king(it).is_some() && !pieces.can_mate(it));
    Ok(u32::from(is_check) | u32::from(is_stuck) << 1 | u32::from(is_bare) << 2)
}

/// The squares of the pieces of a colour that attack a square, from a8 to h1.
#[wasm_bindgen(js_name = chessAttackers, skip_typescript)]
pub fn attackers(fen: &str, square: &str, color: char) -> Result<String, Failure> {
    let board = read(fen)?.board;
    let by = Color::from_fen(color).map(|color| board.color(color)).unwrap_or_default();
    let found = (board.attackers_to(square_of(square)?) & by).flip_ranks();
    let names: Vec<String> = found.iter().map(|square| square.flip_ranks().to_string()).collect();
    Ok(names.join(" "))
}

/// The number of leaf nodes at a depth, at least 1.
#[wasm_bindgen(js_name = chessPerft, skip_typescript)]
pub fn perft(fen: &str, depth: u32) -> Result<u64, Failure> {
    Ok(leaves(&Board::new(read(fen)?), depth))
}

/// The key of the position, in hexadecimal digits.
#[wasm_bindgen(js_name = chessKey, skip_typescript)]
pub fn key(fen: &str) -> Result<String, Failure> {
    Ok(format!("{:x}", read(fen)?.key()))
}

/// The main line of a game in PGN: for each part a letter and its text. A tag is `t`, its name, a
/// space and its value; a move is `m`; a comment is `c`, to the end of a line `l`; a result is `r`.
#[wasm_bindgen(js_name = chessReadPgn, skip_typescript)]
pub fn read_pgn(pgn: &str) -> Result<Vec<String>, Failure> {
    let mut reader = Reader::from_bytes(pgn.as_bytes());
    let (mut parts, mut games) = (Vec::new(), 0);
    let at =
        |line: u64, what: &str| Failure::of(pgn, format!("Invalid PGN: {what} in line {line}"));
    loop {
        let line = reader.place().line;
        let token = reader.next_token().map_err(|error| Failure::of(pgn, error))?;
        let (kind, text) = match token {
            None => return Ok(parts),
            Some(Token::Tag(tag)) => ('t', format!("{} {}", tag.name, tag.value())),
            Some(Token::Move(text)) => ('m', text.to_string()),
            Some(Token::Comment(comment)) => {
                (if comment.is_line { 'l' } else { 'c' }, comment.text.to_string())
            }
            Some(Token::Result(result)) => ('r', result.to_string()),
            Some(Token::Remark(remark)) => {
                return Err(at(line, &format!("unexpected {} '{}'", remark.kind, remark.text)));
            }
            Some(Token::VariationStart) => {
                reader.skip_variation().map_err(|error| Failure::of(pgn, error))?;
                continue;
            }
            Some(Token::GameStart) => {
                games += 1;
                if games > 1 {
                    return Err(at(line, "a second game begins"));
                }
                continue;
            }
            _ => continue,
        };
        parts.push(format!("{kind}{text}"));
    }
}

/// A board, and its position if it's playable. Positions find their moves faster.
struct Board {
    setup: Setup,
    position: Option<Position>,
}

impl Board {
    fn new(setup: Setup) -> Self {
        let position = Position::from_setup(&setup).ok();
        Self { setup, position }
    }

    fn moves(&self) -> Vec<Move> {
        match &self.position {
            Some(position) => position.legal_moves().to_vec(),
            // No board has two kings of a colour.
            None => self.setup.legal_moves().unwrap_or_default(),
        }
    }

    /// The move with this text, without signs of promotion and check.
    fn named(&self, text: &str) -> Vec<Move> {
        let mut moves = match &self.position {
            // The reader is lenient, so the text is compared below.
            Some(position) => position.parse_san(text).into_iter().collect(),
            None => self.moves(),
        };
        moves.retain(|&mv| self.san(mv).replace(['=', '+', '#'], "") == text);
        moves
    }

    fn role(&self, mv: Move) -> Role {
        self.setup.board.role_on(mv.from()).unwrap_or(Role::Pawn)
    }

    fn san(&self, mv: Move) -> String {
        match &self.position {
            Some(position) => position.san(mv).to_string(),
            None => self.setup.san(mv).to_string(),
        }
    }

    /// The setup after a move, with the en-passant square after every double push.
    fn after(&self, mv: Move) -> Setup {
        match &self.position {
            Some(position) => position.play(mv).to_setup_with(EnPassantMode::Always),
            None => self.setup.play(mv),
        }
    }

    fn details(&self, mv: Move) -> String {
        let captured = match mv.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            _ if mv.is_capture() => self.setup.board.role_on(mv.to()),
            _ => None,
        };
        let letter = |role: Option<Role>| role.map(|role| role.letter().to_string());
        let [captured, promotion] =
            [captured, mv.promotion()].map(|it| letter(it).unwrap_or_default());
        let uci = self.setup.uci(mv);
        let (fen, passed) = texts(&self.after(mv));
        let passed = passed.map(|square| square.to_string()).unwrap_or_default();
        let (role, flags, san) = (self.role(mv).letter(), flags(mv), self.san(mv));
        let (from, to) = (uci.from, uci.to);
        format!("{from}\t{to}\t{role}\t{captured}\t{promotion}\t{flags}\t{san}\t{passed}\t{fen}")
    }
}

/// The FEN of a setup, with the en-passant square if a capture there is legal; and the square if a
/// pawn can capture there, perhaps not legally.
fn texts(setup: &Setup) -> (String, Option<Square>) {
    let setup = setup.cleaned();
    let pawns = setup.board.pieces(setup.turn, Role::Pawn);
    let passed = setup.en_passant.filter(|&to| (attacks::pawn(!setup.turn, to) & pawns).any());
    let is_legal =
        |_: &Square| Board::new(setup.clone()).moves().iter().any(|mv| mv.is_en_passant());
    let legal = Setup { en_passant: passed.filter(is_legal), ..setup.clone() };
    (legal.fen().to_string(), passed)
}

fn leaves(board: &Board, depth: u32) -> u64 {
    match &board.position {
        Some(position) if depth <= 1 => position.count_legal() as u64,
        None if depth <= 1 => board.moves().len() as u64,
        _ => {
            let below = |&mv: &Move| leaves(&Board::new(board.after(mv)), depth - 1);
            board.moves().iter().map(below).sum()
        }
    }
}

/// The place of a move among all moves: by origin from a8 to h1, then clockwise from the north-west,
/// from near to far. Pawns push before they capture; castling comes last.
fn order(mv: Move, role: Role) -> (Option<CastlingSide>, Square, usize, u8, MoveKind) {
    let (from, to) = (mv.from(), mv.to());
    let steps = |from: u8, to: u8| to as i8 - from as i8;
    let across = steps(from.file() as u8, to.file() as u8);
    let up = steps(from.rank() as u8, to.rank() as u8);
    let step = if role == Role::Knight { (across, up) } else { (across.signum(), up.signum()) };
    let direction = match role {
        Role::Pawn if across == 0 => 0,
        _ => CLOCKWISE.iter().position(|&it| it == step).map_or(0, |index| index + 1),
    };
    let distance = across.unsigned_abs().max(up.unsigned_abs());
    (mv.castling(), from.flip_ranks(), direction, distance, mv.kind())
}

/// The steps of pieces and the jumps of knights, as files and ranks.
const CLOCKWISE: [(i8, i8); 16] = [
    (-1, 1),
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-2, 1),
    (-1, 2),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
];

/// The castling right of a letter of `KQkq`.
fn right(letter: char) -> (Color, CastlingSide) {
    let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
    let is_king_side = letter.eq_ignore_ascii_case(&'k');
    (color, if is_king_side { CastlingSide::King } else { CastlingSide::Queen })
}

fn read(fen: &str) -> Result<Setup, Failure> {
    Setup::from_fen(fen).map_err(|error| Failure::of(fen, error))
}

fn square_of(text: &str) -> Result<Square, Failure> {
    text.parse().map_err(|error| Failure::of(text, error))
}
