//! The right answers: moves and counts from the library.

use std::cell::RefCell;

use tabiya::fen::EnPassantMode;
use tabiya::{CastlingMode, CastlingSide, Move, Position, Role, Square, UciMove};

use crate::generator::Query;
use crate::listed::Listed;
use crate::reading::plain_uci;

thread_local! {
    /// The last large count, and the counts after each move, which it is made of: positions, depths
    /// and counts. A hunt needs them several times, and only the first time it can be stopped.
    static LAST: RefCell<Vec<(Position, u32, u128)>> = const { RefCell::new(Vec::new()) };
}

/// Counts of this depth and more are large.
const LARGE: u32 = 4;

/// The number of leaf nodes.
pub(crate) fn perft(position: &Position, depth: u32) -> u128 {
    known(position, depth).unwrap_or_else(|| leaves(position, depth))
}

/// The number of leaf nodes, if it belongs to the last large count.
fn known(position: &Position, depth: u32) -> Option<u128> {
    LAST.with_borrow(|last| {
        let mut same = last.iter().filter(|(of, at, _)| *at == depth && of == position);
        same.next().map(|(_, _, count)| *count)
    })
}

fn leaves(position: &Position, depth: u32) -> u128 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u128,
        _ => {
            let moves = position.legal_moves();
            moves.into_iter().map(|mv| leaves(&position.play(mv), depth - 1)).sum()
        }
    }
}

/// The number of leaf nodes, or `None` if `goes_on` ends the count. It is called after every few
/// thousand leaf nodes, with the number so far.
pub(crate) fn perft_while(
    position: &Position,
    depth: u32,
    goes_on: &dyn Fn(u128) -> bool,
) -> Option<u128> {
    if let Some(total) = known(position, depth) {
        return goes_on(total).then_some(total);
    }
    if depth >= LARGE {
        return divide_while(position, depth, goes_on).map(|counts| sum(&counts));
    }
    let total = leaves(position, depth);
    goes_on(total).then_some(total)
}

/// The number of leaf nodes after each move, or `None` if `goes_on` ends the count. It is called as
/// in [`perft_while`].
pub(crate) fn divide_while(
    position: &Position,
    depth: u32,
    goes_on: &dyn Fn(u128) -> bool,
) -> Option<Vec<(Move, u128)>> {
    fn add(
        position: &Position,
        depth: u32,
        total: &mut u128,
        goes_on: &dyn Fn(u128) -> bool,
    ) -> bool {
        if depth < LARGE {
            *total += leaves(position, depth);
            return goes_on(*total);
        }
        let mut moves = position.legal_moves().into_iter();
        moves.all(|mv| add(&position.play(mv), depth - 1, total, goes_on))
    }
    let (mut total, mut counts, mut last) = (0, Vec::new(), Vec::new());
    for mv in position.legal_moves() {
        let (before, child) = (total, position.play(mv));
        match known(&child, depth - 1) {
            Some(count) => total += count,
            None if !add(&child, depth - 1, &mut total, goes_on) => return None,
            None => {}
        }
        counts.push((mv, total - before));
        last.push((child, depth - 1, total - before));
    }
    if depth >= LARGE {
        last.push((position.clone(), depth, total));
        LAST.set(last);
    }
    goes_on(total).then_some(counts)
}

/// The number of all leaf nodes.
pub(crate) fn sum(counts: &[(Move, u128)]) -> u128 {
    counts.iter().map(|(_, count)| count).sum()
}

/// Are there at most this many leaf nodes?
pub(crate) fn has_at_most(position: &Position, depth: u32, most: u128) -> bool {
    perft_while(position, depth, &|leaves| leaves <= most).is_some()
}

/// Can a game reach the position, as far as tabiya can tell?
///
/// In addition to the library's tests, a double push must be possible: with the pawn back on its
/// home square, the opponent's king must not be in check. Correct programs refuse other positions,
/// or crash.
pub(crate) fn is_reachable(position: &Position) -> bool {
    let setup = position.to_setup_with(EnPassantMode::Always);
    if setup.impossibilities().next().is_some() {
        return false;
    }
    let Some(crossed) = setup.en_passant else { return true };
    let (us, them) = (position.turn(), !position.turn());
    let (Some(pushed), Some(home)) =
        (crossed.step(them.forward()), crossed.step(them.forward().opposite()))
    else {
        return true;
    };
    let mut before = setup.board;
    before.set(home, before.piece_on(pushed));
    before.set(pushed, None);
    !before.attackers_to(position.king(us)).meets(before.color(them))
}

/// A listed move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    Legal(Move),
    Illegal(UciMove),
    Unknown(String),
}

/// Reads a move as the program writes it, with castling in any spelling.
pub(crate) fn resolve(position: &Position, text: &str) -> Told {
    let uci = plain_uci(text);
    let strict = uci.and_then(|uci| position.find_uci(uci));
    match (strict.or_else(|| position.parse_move(text).ok()), uci) {
        (Some(mv), _) => Told::Legal(mv),
        (None, Some(uci)) => Told::Illegal(uci),
        (None, None) => Told::Unknown(text.to_owned()),
    }
}

/// The position in which the moves of a question begin.
pub(crate) fn start_of(query: &Query) -> Option<Position> {
    let start = Position::from_fen(&query.fen).ok()?;
    if query.chess960 { start.with_castling_mode(CastlingMode::Chess960).ok() } else { Some(start) }
}

/// The position of a question.
pub(crate) fn position_of(query: &Query) -> Option<Position> {
    query.moves.iter().try_fold(start_of(query)?, |position, text| {
        Some(position.play(position.parse_uci(text).ok()?))
    })
}

/// The square that the last move crossed with a double push.
pub(crate) fn double_push_square(position: &Position) -> Option<Square> {
    position.to_setup_with(EnPassantMode::Always).en_passant
}

/// Does the position need Chess960?
pub(crate) fn is_chess960(position: &Position) -> bool {
    position.castling_mode() == CastlingMode::Chess960
}

impl Told {
    /// The move as lists have it. `None` if the text isn't one from square to square.
    pub(crate) fn listed(&self, here: &Position) -> Option<Listed> {
        let plain = |from, to, promotion| Listed { from, to, promotion, castles: false };
        match self {
            Self::Legal(mv) => Some(Listed::of(here, *mv)),
            Self::Illegal(UciMove { from, to, promotion }) => {
                let (from, to) = (*from, *to);
                let board = here.board();
                let Some(us) = board.color_on(from) else {
                    return Some(plain(from, to, *promotion));
                };
                let is_king = board.role_on(from) == Some(Role::King) && from.rank() == to.rank();
                let is_far = (from.file() as u8).abs_diff(to.file() as u8) > 1;
                let takes_rook = here.castling_rights().has(to);
                if is_king && (is_far || takes_rook) {
                    let to = CastlingSide::of(from, to).king_target(us);
                    return Some(Listed { castles: true, ..plain(from, to, None) });
                }
                Some(plain(from, to, *promotion))
            }
            // `e7e8k`: the library knows no such promotion.
            Self::Unknown(text) => {
                let (squares, role) = text.split_at_checked(4)?;
                let uci = plain_uci(squares)?;
                let role = match role {
                    "k" | "K" => Role::King,
                    "p" | "P" => Role::Pawn,
                    _ => return None,
                };
                Some(plain(uci.from, uci.to, Some(role)))
            }
        }
    }

    /// The move from square to square, if it is an illegal one.
    pub(crate) const fn uci(&self) -> Option<UciMove> {
        match self {
            Self::Illegal(uci) => Some(*uci),
            Self::Legal(_) | Self::Unknown(_) => None,
        }
    }

    /// The text for a report.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Legal(mv) => mv.to_string(),
            Self::Illegal(uci) => uci.to_string(),
            Self::Unknown(text) => text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_in_every_spelling() {
        let position = Position::from_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let castling = position.parse_uci("e1g1").unwrap();
        for text in ["e1g1", "e1h1", "O-O", "0-0"] {
            assert_eq!(resolve(&position, text), Told::Legal(castling), "{text}");
        }
    }

    #[test]
    fn counts_end_at_their_limits() {
        assert!(has_at_most(&Position::START, 4, 197_281));
        assert!(!has_at_most(&Position::START, 4, 197_280));
        assert!(!has_at_most(&Position::START, 60, 1_000_000));
        assert_eq!(perft_while(&Position::START, 4, &|_| true), Some(197_281));
        assert_eq!(perft_while(&Position::START, 60, &|_| false), None);
        assert_eq!(divide_while(&Position::START, 60, &|leaves| leaves < 100_000), None);
    }

    /// They need not be counted again, which could not be stopped.
    #[test]
    fn the_counts_of_a_large_count_are_kept() {
        assert_eq!(perft_while(&Position::START, 5, &|_| true), Some(4_865_609));
        let counts = divide_while(&Position::START, 5, &|leaves| leaves == 4_865_609);
        let counts = counts.expect("nothing is counted, so it is asked at the end only");
        assert_eq!((counts.len(), sum(&counts)), (20, 4_865_609));
        for (mv, count) in counts {
            let child = Position::START.play(mv);
            assert_eq!(known(&child, 4), Some(count));
            assert_eq!((known(&child, 3), perft(&child, 4)), (None, count));
        }
        let child = Position::START.play(Position::START.parse_uci("g1f3").unwrap());
        assert_eq!(perft_while(&child, 4, &|leaves| leaves == 233_491), Some(233_491));
        // The counts of another position replace them.
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let other = Position::from_fen(fen).unwrap();
        assert_eq!(perft_while(&other, 4, &|_| true), Some(4_085_603));
        assert_eq!((known(&Position::START, 5), known(&child, 4)), (None, None));
        assert_eq!(known(&other, 4), Some(4_085_603));
    }
}
