//! Random games.

use tabiya::{Move, Position};

use super::Found;
use tabiya::SplitMix64;

/// The moves that a game prefers.
#[derive(Clone, Copy)]
enum Taste {
    /// Any move is as good as another.
    Any,
    /// Captures, promotions and castling, if there are any.
    Sharp,
    /// Moves that give check, and moves of pawns.
    Checks,
}

/// The number of plies of a game. Some go on long enough for the 75-move rule.
fn plies(random: &mut SplitMix64) -> usize {
    if random.below(16) == 0 { 600 } else { 20 + random.below(180) }
}

pub(super) fn standard(random: &mut SplitMix64) -> Found {
    Found::Game(Position::START, plies(random))
}

pub(super) fn chess960(random: &mut SplitMix64) -> Found {
    let number = random.below(960) as u16;
    let start = Position::chess960(number).expect("there are 960 of them");
    Found::Game(start, plies(random))
}

pub(super) fn double960(random: &mut SplitMix64) -> Found {
    let [white, black] = [(); 2].map(|()| random.below(960) as u16);
    let start = Position::double_chess960(white, black).expect("there are 960 of them");
    Found::Game(start, plies(random))
}

/// Plays random moves. Returns false when `visit` does.
pub(super) fn play(
    start: Position,
    plies: usize,
    random: &mut SplitMix64,
    visit: &mut impl FnMut(&Position) -> bool,
) -> bool {
    let taste = random.pick(&[Taste::Any, Taste::Any, Taste::Sharp, Taste::Checks]);
    let mut position = start;
    for ply in 0..=plies {
        if !visit(&position) {
            return false;
        }
        let moves = position.legal_moves();
        if ply == plies || moves.is_empty() {
            break;
        }
        let mut mv = random.pick(&moves);
        // A few attempts to find a move of the preferred sort.
        for _ in 0..3 {
            if is_preferred(taste, &position, mv) {
                break;
            }
            mv = random.pick(&moves);
        }
        position = position.play(mv);
    }
    true
}

fn is_preferred(taste: Taste, position: &Position, mv: Move) -> bool {
    match taste {
        Taste::Any => true,
        Taste::Sharp => mv.is_capture() || mv.is_promotion() || mv.castling().is_some(),
        Taste::Checks => position.role_of(mv) == tabiya::Role::Pawn || position.gives_check(mv),
    }
}
