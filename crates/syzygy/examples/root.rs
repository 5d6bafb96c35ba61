//! What an engine does with tables at the root of its search: it keeps the moves of the highest rank,
//! and searches these as it likes.
//!
//! ```sh
//! cargo run --example root '8/8/8/8/B7/N7/K2k4/8 w - - 0 1' FOLDER
//! ```

use std::error::Error;

use tabiya::{Move, Position};
use tabiya_syzygy::{FiftyMoves, Folder, Source, Tables};

/// The moves that are worth searching: all, unless tables have the position.
fn candidates<S: Source>(tables: &Tables<S>, position: &Position, has_repeated: bool) -> Vec<Move> {
    let all = || position.legal_moves().into_iter().collect();
    // This saves a look-up in most positions. The root may still lack a table.
    if position.board().occupied().len() > tables.pieces() {
        return all();
    }
    // After a repetition, a winner who doesn't hurry may repeat for a third time.
    let rule = if has_repeated { FiftyMoves::ApplyAfterRepetition } else { FiftyMoves::Apply };
    // Without distances, results alone keep the engine from throwing a win away.
    let ranked =
        tables.root_moves(position, rule).or_else(|_| tables.root_moves_by_wdl(position, rule));
    match ranked {
        Ok(moves) => {
            let best = moves.first().map(|first| first.rank);
            moves.into_iter().filter(|it| Some(it.rank) == best).map(|it| it.mv).collect()
        }
        Err(_) => all(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let fen = arguments.next().unwrap_or_else(|| "8/8/8/8/B7/N7/K2k4/8 w - - 0 1".to_owned());
    let folder = arguments.try_fold(Folder::default(), Folder::and)?;
    let position = Position::from_fen(&fen)?;
    let moves = candidates(&Tables::new(folder), &position, false);
    println!("{} of {} moves:", moves.len(), position.count_legal());
    for mv in moves {
        println!("{}", position.san(mv));
    }
    Ok(())
}
