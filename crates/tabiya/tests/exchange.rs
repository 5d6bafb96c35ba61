//! Static exchange evaluation, compared with a minimax that plays every capture.

use std::cmp::Reverse;
use std::collections::HashMap;

use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::order::{PieceValues, See, see, see_ge};
use tabiya::{
    Bitboard, Board, Color, Move, MoveList, Position, Rank, Role, Setup, Square, attacks,
};

mod common;
use common::{Random, SUITES, games};

/// The exchange by minimax without pruning, over all captures on the target, played on the
/// position.
struct Oracle {
    values: PieceValues,
    pins: bool,
    target: Square,
    known: HashMap<u64, i32>,
}

impl Oracle {
    fn see(values: PieceValues, pins: bool, position: &Position, mv: Move) -> i32 {
        if mv.castling().is_some() {
            return 0;
        }
        let mut oracle = Self { values, pins, target: mv.to(), known: HashMap::new() };
        oracle.gain(position, mv) - oracle.rest(&position.play(mv))
    }

    /// The change of the material balance by the move.
    fn gain(&self, position: &Position, mv: Move) -> i32 {
        let us = position.turn();
        let sum = |position: &Position| -> i32 {
            position
                .board()
                .iter()
                .map(|(_, piece)| {
                    let value = self.values.of(piece.role);
                    if piece.color == us { value } else { -value }
                })
                .sum()
        };
        sum(&position.play(mv)) - sum(position)
    }

    fn rest(&mut self, position: &Position) -> i32 {
        if let Some(&value) = self.known.get(&position.key()) {
            return value;
        }
        let moves = if self.pins {
            MoveList::of::<Legal>(position)
        } else {
            MoveList::of::<PseudoLegal<Legal>>(position)
        };
        let target = self.target;
        let mut best = 0;
        for mv in moves.into_iter().filter(|mv| mv.to() == target && mv.is_capture()) {
            let after = position.play(mv);
            let is_king = position.king(position.turn()) == mv.from();
            let enemies = after.board().color(after.turn());
            if is_king && after.attackers_to(target).meets(enemies) {
                continue;
            }
            best = best.max(self.gain(position, mv) - self.rest(&after));
        }
        self.known.insert(position.key(), best);
        best
    }
}

fn check_see(values: PieceValues, position: &Position, mv: Move) -> [i32; 2] {
    [false, true].map(|pins| {
        let mut by = See::with_values(values);
        if pins {
            by = by.respecting_pins();
        }
        let expected = Oracle::see(values, pins, position, mv);
        assert_eq!(by.value(position, mv), expected, "{position:?} {mv:?} pins {pins} {values:?}");
        for threshold in [-10_000, expected - 1, expected, expected + 1, -1, 0, 1, 100, 10_000] {
            assert_eq!(
                by.is_at_least(position, mv, threshold),
                expected >= threshold,
                "{position:?} {mv:?} pins {pins} threshold {threshold}"
            );
        }
        expected
    })
}

/// On games and random boards, with several values of the pieces.
#[test]
fn values_are_exact() {
    let mut random = Random::new(99);
    let mut moves = Random::new(0x6f72_6465);
    let mut pins_mattered = 0;
    let mut tried = 0;
    let mut look = |position: &Position| {
        let values = match random.below(4) {
            0 => PieceValues::DEFAULT,
            1 => PieceValues::new([1, 3, 3, 5, 9]),
            2 => PieceValues::new([82, 337, 365, 477, 1025]),
            // Values in any order.
            _ => PieceValues::new([0; 5].map(|_| random.below(1000) as i16)),
        };
        for mv in position.legal_moves() {
            // Only some of the quiet moves, which are all similar.
            if mv.is_capture() || mv.is_promotion() || random.below(4) == 0 {
                let [without, with] = check_see(values, position, mv);
                pins_mattered += usize::from(with != without);
                tried += 1;
            }
        }
    };
    for name in SUITES {
        for line in common::suite(name) {
            games::play(&line.position, 6, &mut moves, &mut look);
        }
    }
    games::many(8, &mut moves, &mut look);
    assert!(tried >= common::least(20_000), "{tried} moves tried");
    assert!(pins_mattered >= common::least(100), "pins mattered for {pins_mattered} moves");
}

/// Others can capture where a promotion would lose value.
#[test]
fn promotions_may_lose_value() {
    let position = "rn1qkq1r/PP4PP/7n/7n/4p3/4n3/8/K7 w kq - 0 1";
    let position = Position::from_fen(position).unwrap();
    let values = PieceValues::new([860, 596, 373, 651, 355]);
    assert_eq!(
        See::with_values(values).value(&position, position.parse_uci("g7g8n").unwrap()),
        -860
    );
}

/// Boards on which many pieces attack one square, so that they stand one behind the other.
#[test]
fn values_are_exact_on_crowded_boards() {
    crowded_boards(common::rounds(4000));
}

pub(crate) fn crowded_boards(boards: usize) {
    let mut random = Random::new(3);
    let mut unlike_the_cheapest = 0;
    for index in 0..boards {
        let target = random.pick(&Square::ALL);
        let position = crowded_board(target, 2 + index % 6, &mut random);
        for mv in position.legal_moves().into_iter().filter(|mv| mv.to() == target) {
            let [exact, _] = check_see(PieceValues::DEFAULT, &position, mv);
            unlike_the_cheapest += usize::from(exact != cheapest_first(&position, mv));
        }
    }
    assert!(
        unlike_the_cheapest > 0,
        "capturing with the cheapest piece was always best, so the test shows nothing"
    );
}

/// A board with a piece to capture on `target` and up to `pieces` pieces a side that may attack it.
fn crowded_board(target: Square, pieces: usize, random: &mut Random) -> Position {
    loop {
        let mut board = Board::EMPTY;
        let back_ranks = Rank::First.bitboard() | Rank::Eighth.bitboard();
        let mut put = |color: Color, role: Role, squares: Bitboard, random: &mut Random| {
            let squares = squares - board.occupied().with(target);
            let squares = if role == Role::Pawn { squares - back_ranks } else { squares };
            let squares: Vec<Square> = squares.iter().collect();
            if !squares.is_empty() {
                board.set(random.pick(&squares), Some(role.of(color)));
            }
        };
        for color in Color::ALL {
            put(color, Role::King, Bitboard::FULL, random);
            for _ in 0..pieces {
                let (role, squares) = match random.below(8) {
                    0 => (Role::Pawn, attacks::pawn(!color, target)),
                    1 => (Role::Knight, attacks::knight(target)),
                    2 | 3 => (Role::Bishop, attacks::bishop_rays(target)),
                    4 | 5 => (Role::Rook, attacks::rook_rays(target)),
                    6 => (Role::Queen, attacks::rook_rays(target)),
                    _ => (Role::Queen, attacks::bishop_rays(target)),
                };
                put(color, role, squares, random);
            }
        }
        let turn = random.pick(&Color::ALL);
        let victims = if back_ranks.has(target) { &Role::ALL[1..5] } else { &Role::ALL[..5] };
        board.set(target, Some(random.pick(victims).of(!turn)));
        let setup = Setup { board, turn, ..Setup::EMPTY };
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}

/// The exchange in which both sides always capture with the cheapest piece, as in many programs.
fn cheapest_first(position: &Position, mv: Move) -> i32 {
    let values = PieceValues::DEFAULT;
    let oracle = Oracle { values, pins: false, target: mv.to(), known: HashMap::new() };
    let after = position.play(mv);
    let captures = MoveList::of::<PseudoLegal<Legal>>(&after)
        .into_iter()
        .filter(|next| next.to() == mv.to() && next.is_capture())
        .filter(|next| {
            let played = after.play(*next);
            let enemies = played.board().color(played.turn());
            after.king(after.turn()) != next.from() || !played.attackers_to(mv.to()).meets(enemies)
        });
    let cheapest = captures.min_by_key(|next| {
        let role = after.piece_on(next.from()).unwrap().role;
        (role, Reverse(next.promotion()))
    });
    let rest = cheapest.map_or(0, |next| cheapest_first(&after, next).max(0));
    oracle.gain(position, mv) - rest
}

#[test]
fn known_positions() {
    for (fen, text, expected) in [
        // The pawn is not defended.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100),
        // Defended; a second rook recaptures through the first (x-ray).
        ("4k3/8/4p3/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5", -300),
        ("3rk3/8/8/3p4/8/3R4/8/3RK3 w - - 0 1", "d3d5", 100),
        // En passant, and the pawn is recaptured.
        ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
        // A promotion on an attacked square loses only the pawn.
        ("4k2r/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 800),
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", "b7a8q", 500 + 800),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", -100),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", -100),
        // The king may not recapture on a defended square.
        ("8/8/3k4/4p3/8/8/8/K3R2Q w - - 0 1", "e1e5", -400),
        ("8/8/3k4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100),
        // Of two queens, the one in front of Black's bishop should not recapture.
        ("2k5/5Q2/4p3/5B2/1K2Q3/8/8/1b6 b - - 0 1", "e6f5", 300 - 100),
        // The bishop should not recapture although it is cheaper than the rook.
        ("2K5/5p2/2R3R1/6k1/4B3/8/2b5/8 b - - 0 1", "f7g6", 500 - 100),
        // Castling.
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let mv = position.parse_uci(text).unwrap();
        assert_eq!(see(&position, mv), expected, "{fen} {text}");
        assert!(see_ge(&position, mv, expected) && !see_ge(&position, mv, expected + 1));
    }
}
