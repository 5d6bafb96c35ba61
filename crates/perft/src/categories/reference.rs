//! Categories in a few lines, straight from their definitions. Tests compare the fast counts with
//! them.

use tabiya::{Bitboard, Move, Position, Role};

use super::category::{Categories, Category};

/// Counts the leaf nodes `depth` plies below a position by category: makes every move and examines
/// every leaf node.
///
/// It shares only the move lists with [`categories`](super::categories()), and is many times
/// slower.
///
/// ```
/// use tabiya::Position;
/// use tabiya_perft::{Category, reference_categories};
///
/// let found = reference_categories(&Position::START, 4);
/// assert_eq!((found.nodes, found[Category::Checkmates]), (197_281, 8));
/// ```
pub fn reference_categories(position: &Position, depth: u32) -> Categories {
    let mut found = Categories::default();
    match depth {
        0 => found.nodes = 1,
        _ => add(position, depth, &mut found),
    }
    found
}

/// Adds the leaf nodes `depth` plies, at least one, below a position.
fn add(position: &Position, depth: u32, found: &mut Categories) {
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        if depth > 1 {
            add(&after, depth - 1, found);
            continue;
        }
        found.nodes += 1;
        let belongs = membership(position, mv, &after);
        for (count, category) in found.counts.iter_mut().zip(Category::ALL) {
            *count += u128::from(belongs(category));
        }
    }
}

/// Does the leaf node after a move belong to a category?
fn membership(before: &Position, mv: Move, after: &Position) -> impl Fn(Category) -> bool {
    let castling = mv.castling();
    let rook = castling.map(|side| side.rook_target(before.turn()).bitboard());
    let moved = mv.to().bitboard() | rook.unwrap_or(Bitboard::EMPTY);
    let checkers = after.checkers();
    let (number, direct) = (checkers.len(), checkers.meets(moved));
    let (check, stuck) = (number > 0, !after.has_legal_move());
    move |category| match category {
        Category::Captures => mv.is_capture(),
        Category::EnPassant => mv.is_en_passant(),
        Category::Castles => castling.is_some(),
        Category::Promotions => mv.promotion().is_some(),
        Category::KnightPromotions => mv.promotion() == Some(Role::Knight),
        Category::BishopPromotions => mv.promotion() == Some(Role::Bishop),
        Category::RookPromotions => mv.promotion() == Some(Role::Rook),
        Category::QueenPromotions => mv.promotion() == Some(Role::Queen),
        Category::Checks => check,
        Category::Discovered => number == 1 && !direct,
        Category::DirectDiscovered => number > 1 && direct,
        Category::DoubleDiscovered => number > 1 && !direct,
        Category::DoubleChecks => number > 1,
        Category::Checkmates => check && stuck,
        Category::DiscoveredMates => number == 1 && !direct && stuck,
        Category::DirectDiscoveredMates => number > 1 && direct && stuck,
        Category::DoubleDiscoveredMates => number > 1 && !direct && stuck,
        Category::Stalemates => !check && stuck,
    }
}
