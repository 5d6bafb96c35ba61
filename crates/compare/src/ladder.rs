//! The ladder: the questions of a hunt, the elementary ones first. A seed always gives the same
//! steps.

use tabiya::{CastlingMode, Color, Move, Piece, Position, Role, Setup, SplitMix64, Square};
use tabiya_suites::{REGRESSION, REGRESSION_CHESS960, RULES, RULES_CHESS960, STANDARD, SuiteFile};

use crate::options::Options;
use crate::truth;

/// A question of the ladder.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) start: Position,
    pub(crate) path: Vec<Move>,
    pub(crate) depth: u32,
    /// The subject of this part of the ladder.
    pub(crate) phase: &'static str,
}

/// Games that reveal stale state in the list after the last move: FEN and moves.
const LINES: [(&str, &str); 16] = [
    // A double push creates an en-passant square.
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"),
    // An en-passant square exists for one ply only.
    ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d4 e8e7 e1e2"),
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7"),
    // Only a pawn captures en passant.
    ("4k3/3p4/R7/8/8/8/8/4K3 b - - 0 1", "d7d5 a6d6"),
    // Captures en passant and castling, and the board after them.
    ("4k3/8/8/4Pp2/8/8/8/4K3 w - f6 0 1", "e5f6"),
    ("4k3/8/8/8/5Pp1/8/8/4K3 b - f3 0 1", "g4f3"),
    ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 e8e7"),
    ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8 e1e2"),
    // Rights end when the king moves, when the rook moves, and when it is captured.
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1e2 e8e7 e2e1 e7e8"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1a2 e8e7 a2a1 e7e8"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "h1h2 e8e7 h2h1 e7e8"),
    ("rr2k3/8/8/8/4B3/8/8/4K3 w q - 0 1", "e4a8 b8a8 e1e2"),
    ("rr2k3/1P6/8/8/8/8/8/4K3 w q - 0 1", "b7a8q b8a8 e1e2"),
    // Rights of the other side stay.
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2"),
    // A repetition does not end the count.
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    ),
];

/// Positions at which some programs end the count.
const ENDS: [&str; 11] = [
    // Double check at the root.
    "4r2k/8/8/8/8/3n4/1N6/4KB2 w - - 0 1",
    "4k3/8/8/8/8/5n2/8/4K2r w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 99 80",
    "4k3/8/8/8/8/8/8/R3K3 w - - 100 80",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
    "4k3/8/8/8/8/4n3/4K3/8 w - - 0 1",
    "4k3/8/8/8/8/8/3p4/4K3 w - - 0 1",
];

/// Positions that a hash table confuses if its key lacks something: within one question, and in the
/// next question.
const TRANSPOSITIONS: [(&str, u32); 7] = [
    // The king's path there and back loses the right to castle, and the knight's keeps it.
    ("k7/p7/P7/8/8/4p2p/4P2P/N3K2R w K - 0 1", 5),
    // The double push is the last move, or an earlier one.
    ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", 4),
    // The same position occurs at several depths.
    ("7k/8/8/8/8/8/8/K7 w - - 0 1", 5),
    ("4k3/8/8/8/8/8/8/4K2R b K - 0 1", 2),
    ("4k3/8/8/8/8/8/8/4K2R b - - 0 1", 2),
    ("4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", 2),
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", 2),
];

/// A position with many moves: a count of 97,862, which takes more than 16 bits.
const MANY: (&str, u32) =
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3);

/// All steps in order.
pub(crate) fn steps<'a>(
    options: &'a Options<'_>,
    takes_moves: bool,
) -> Box<dyn Iterator<Item = Step> + 'static> {
    let chess960 = options.chess960;
    if !options.positions.is_empty() {
        return Box::new(given(options.positions.clone(), options.depth, chess960));
    }
    let most = options.depth.unwrap_or(u32::MAX);
    let seed = options.seed;
    let standard = positions(&[STANDARD], chess960);
    let rules = if chess960 {
        positions(&[RULES_CHESS960, REGRESSION_CHESS960, RULES], true)
    } else {
        positions(&[RULES, REGRESSION], false)
    };
    let ends: Vec<Position> = ENDS.iter().filter_map(|fen| read(fen, chess960)).collect();
    let at = |positions: &[Position], depth: u32, leaves: u128, phase| {
        let positions = positions.to_vec();
        positions.into_iter().filter_map(move |start| {
            let fits = depth == 1 || truth::perft(&start, depth) <= leaves;
            fits.then(|| Step { start, path: Vec::new(), depth, phase })
        })
    };
    // Cheap questions come first, so that a slow program also answers the most useful ones.
    let ladder = at(&standard, 1, 0, "standard positions")
        .chain(at(&ends, 1, 0, "the end of a game"))
        .chain(at(&ends, 2, 2_000, "the end of a game"))
        .chain(at(&rules[..rules.len().min(40)], 2, 2_000, "rules, depth 2"))
        .chain(lines(takes_moves, chess960))
        .chain(at(&rules, 1, 0, "rules"))
        .chain(at(&standard, 2, 5_000, "standard positions, depth 2"))
        .chain(at(&ends, 3, 5_000, "the end of a game"))
        .chain(numbered(&TRANSPOSITIONS, chess960, "transpositions"))
        .chain(games(seed, takes_moves, chess960, 12))
        .chain(at(&rules, 2, 2_000, "rules, depth 2"))
        .chain(placements(seed, 150))
        .chain(at(&standard, 3, 20_000, "standard positions, depth 3"))
        .chain(deep_lines(chess960, 30_000))
        .chain(numbered(&[MANY], chess960, "many moves"))
        .chain(at(&rules, 3, 10_000, "rules, depth 3"))
        .chain(at(&standard, 4, 300_000, "standard positions, depth 4"))
        .chain(deep_lines(chess960, 500_000))
        .chain(at(&rules, 4, 60_000, "rules, depth 4"))
        .chain(games(seed ^ 0x5bd1_e995, takes_moves, chess960, 60));
    Box::new(ladder.filter(move |step| step.depth <= most))
}

/// The steps for given positions: depth by depth.
fn given(
    positions: Vec<Position>,
    depth: Option<u32>,
    chess960: bool,
) -> impl Iterator<Item = Step> {
    let depths = 1..=depth.unwrap_or(4);
    depths.flat_map(move |ply| {
        positions.clone().into_iter().filter_map(move |start| {
            let start = in_mode(start, chess960);
            let fits = depth.is_some() || ply < 3 || truth::perft(&start, ply) <= 5_000_000;
            fits.then(|| Step { start, path: Vec::new(), depth: ply, phase: "given positions" })
        })
    })
}

fn in_mode(position: Position, chess960: bool) -> Position {
    if chess960 {
        let same = position.clone();
        position.with_castling_mode(CastlingMode::Chess960).unwrap_or(same)
    } else {
        position
    }
}

fn read(fen: &str, chess960: bool) -> Option<Position> {
    Position::from_fen(fen).ok().map(|position| in_mode(position, chess960))
}

/// The distinct positions of suites.
fn positions(files: &[SuiteFile], chess960: bool) -> Vec<Position> {
    let lines = files.iter().flat_map(|file| file.text.lines());
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| read(line.split(';').next()?.trim(), chess960))
        .filter(|position| chess960 || !truth::is_chess960(position))
        .collect()
}

/// The lists along each line.
fn lines(takes_moves: bool, chess960: bool) -> impl Iterator<Item = Step> {
    LINES.into_iter().filter(move |_| takes_moves).filter_map(move |(fen, moves)| {
        let start = read(fen, chess960)?;
        let mut position = start.clone();
        let mut path = Vec::new();
        for text in moves.split(' ') {
            let mv = position.parse_move(text).ok()?;
            path.push(mv);
            position = position.play(mv);
        }
        Some(Step { start, path, depth: 1, phase: "lines" })
    })
}

/// The lines for programs that play no moves: by depth, up to this many leaf nodes.
fn deep_lines(chess960: bool, leaves: u128) -> impl Iterator<Item = Step> {
    LINES.into_iter().filter_map(move |(fen, moves)| {
        let start = read(fen, chess960)?;
        let depth = u32::try_from(moves.split(' ').count()).ok()? + 1;
        let is_small = depth <= 5 && start.board().occupied().len() < 8;
        let fits = is_small && truth::perft(&start, depth) <= leaves;
        fits.then_some(Step { start, path: Vec::new(), depth, phase: "lines by depth" })
    })
}

/// Positions, each with its depth.
fn numbered(
    positions: &'static [(&'static str, u32)],
    chess960: bool,
    phase: &'static str,
) -> impl Iterator<Item = Step> {
    positions.iter().filter_map(move |&(fen, depth)| {
        let start = read(fen, chess960)?;
        Some(Step { start, path: Vec::new(), depth, phase })
    })
}

/// Random games: the list at every third ply.
fn games(seed: u64, takes_moves: bool, chess960: bool, games: usize) -> impl Iterator<Item = Step> {
    const PLIES: usize = 90;
    let mut random = SplitMix64::new(seed);
    (0..games).flat_map(move |_| {
        let start = if chess960 {
            let number = u16::try_from(random.below(960)).unwrap_or(518);
            Position::chess960(number).unwrap_or(Position::START)
        } else {
            Position::START
        };
        let mut steps = Vec::new();
        let (mut position, mut path) = (start.clone(), Vec::new());
        for ply in 1..=PLIES {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random.below(moves.len())];
            position = position.play(mv);
            path.push(mv);
            if ply % 6 == 0 {
                let phase = "random games";
                steps.push(Step { start: position.clone(), path: Vec::new(), depth: 1, phase });
                if takes_moves {
                    steps.push(Step { start: start.clone(), path: path.clone(), depth: 1, phase });
                }
            }
        }
        steps
    })
}

/// Random placements by class: some kinds of piece for each side, with few pawns or many.
fn placements(seed: u64, number: usize) -> impl Iterator<Item = Step> {
    let mut random = SplitMix64::new(seed.wrapping_mul(3));
    let kinds: [&[Role]; 6] = [
        &[Role::Pawn],
        &[Role::Knight, Role::Pawn],
        &[Role::Bishop, Role::Queen],
        &[Role::Rook, Role::Pawn],
        &[Role::Queen, Role::Knight],
        &[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen],
    ];
    (0..number).filter_map(move |index| {
        let kinds = kinds[index % kinds.len()];
        let mut setup = Setup::EMPTY;
        let mut place = |random: &mut SplitMix64, role, color| {
            let square = Square::ALL[random.below(64)];
            if setup.board.piece_on(square).is_none() {
                setup.board.set(square, Some(Piece { role, color }));
            }
        };
        place(&mut random, Role::King, Color::White);
        place(&mut random, Role::King, Color::Black);
        for _ in 0..2 + random.below(5) {
            let role = kinds[random.below(kinds.len())];
            let color = if random.below(2) == 0 { Color::White } else { Color::Black };
            place(&mut random, role, color);
        }
        if random.below(2) == 0 {
            setup.turn = Color::Black;
        }
        let start = Position::from_setup(&setup).ok()?;
        let depth = 1 + u32::from(index % 2 == 0);
        Some(Step { start, path: Vec::new(), depth, phase: "random placements" })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_can_be_played() {
        let steps: Vec<Step> = lines(true, false).collect();
        assert_eq!(steps.len(), LINES.len());
        assert_eq!(ENDS.iter().filter_map(|fen| read(fen, false)).count(), ENDS.len());
    }

    #[test]
    fn the_steps_of_a_seed_are_fixed() {
        let options = Options::default();
        let text = || -> Vec<String> {
            steps(&options, true)
                .take(900)
                .map(|it| format!("{:?}", (it.start.fen().to_string(), it.path, it.depth)))
                .collect()
        };
        assert_eq!(text(), text());
    }
}
