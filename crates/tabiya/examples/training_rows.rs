//! Positions of games as rows for training an evaluation: features and the result, as CSV.
//!
//! ```sh
//! cargo run --release --example training_rows > rows.csv        # 20 games
//! cargo run --release --example training_rows -- 1000 > rows.csv
//! ```
//!
//! Each row is from the point of view of the side to move, so a network needs only one side:
//!
//! * `result`: 1 if it won the game, 0 if it lost, 0.5 for a draw
//! * `plies`: the number of plies until the end of the game
//! * `material`: the balance in centipawns
//! * `mobility`: the number of legal moves
//! * `features`: which of 768 inputs are 1, namely 64 * (role + 6 if it is the opponent's) + square
//! * `packed`: the position in 32 bytes, as hexadecimal digits

use std::io::{self, BufWriter, Write};

use tabiya::order::{MvvLva, PieceValues, Scorer};
use tabiya::{Color, Game, Move, PackedPosition, Piece, Position, Role, SplitMix64, Square};

fn main() -> io::Result<()> {
    let games = std::env::args().nth(1).map_or(20, |text| text.parse().expect("a number"));
    let mut random = SplitMix64::new(1);
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "result,plies,material,mobility,features,packed")?;
    for _ in 0..games {
        let game = play(&mut random);
        let winner = game.outcome().and_then(|outcome| outcome.winner());
        let plies = game.moves().len();
        for (ply, (position, &mv)) in game.positions().iter().zip(game.moves()).enumerate() {
            // The balance says little in the middle of an exchange.
            if position.is_check() || mv.is_capture() || mv.is_promotion() {
                continue;
            }
            let result = match winner {
                Some(winner) => f32::from(u8::from(winner == position.turn())),
                None => 0.5,
            };
            writeln!(out, "{result},{},{}", plies - ply, row(position))?;
        }
    }
    out.flush()
}

/// Plays a game. One side chooses among more random moves than the other, so it often wins.
fn play(random: &mut SplitMix64) -> Game {
    let stronger = random.pick(&Color::ALL);
    let mut game = Game::new();
    while game.outcome().is_none() {
        let position = game.position();
        let moves = position.legal_moves();
        // Prefers mate, then the largest immediate gain of material.
        let value = |mv: &Move| {
            let gain = MvvLva::DEFAULT.score(position, position.role_of(*mv), *mv);
            (position.play(*mv).is_checkmate(), gain)
        };
        let choices = if position.turn() == stronger { 30 } else { 2 };
        let mv = (0..choices).map(|_| random.pick(&moves)).max_by_key(value);
        game.push(mv.expect("there is a choice")).expect("the move is from the list");
    }
    game
}

/// The columns that depend on the position alone.
fn row(position: &Position) -> String {
    // The same position with White to move.
    let seen = match position.turn() {
        Color::White => position.clone(),
        Color::Black => position.mirrored(),
    };
    let board = seen.board();
    let count = |color, role| board.pieces(color, role).len() as i32;
    let balance = |role| {
        PieceValues::DEFAULT.of(role) * (count(Color::White, role) - count(Color::Black, role))
    };
    let material: i32 = Role::ALL.into_iter().map(balance).sum();
    let index = |(square, piece): (Square, Piece)| {
        let role = piece.role as usize + 6 * usize::from(piece.color == Color::Black);
        (64 * role + square as usize).to_string()
    };
    let features: Vec<String> = board.iter().map(index).collect();
    let packed: String =
        PackedPosition::of(position).to_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{material},{},{},{packed}", seen.count_legal(), features.join(" "))
}
