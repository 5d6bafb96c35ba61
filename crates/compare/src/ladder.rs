//! The ladder: the questions of a hunt, the elementary ones first. A seed always gives the same
//! steps.

use tabiya::{
    Bitboard, Board, CastlingMode, Color, Move, Piece, Position, Role, Setup, SplitMix64, Square,
    attacks,
};
use tabiya_suites::{REGRESSION, REGRESSION_CHESS960, RULES, RULES_CHESS960, STANDARD, SuiteFile};

use crate::options::Options;
use crate::question::Question;
use crate::truth;

/// A question of the ladder.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    pub(crate) question: Question,
    /// The subject of this part of the ladder.
    pub(crate) phase: &'static str,
    /// The number of the part, and the number of all parts.
    pub(crate) part: (usize, usize),
}

/// The parts of a ladder.
type Parts = Vec<Box<dyn Iterator<Item = Step>>>;

/// Games that reveal stale state in the list after the last move: FEN and moves.
const LINES: [(&str, &str); 24] = [
    // A double push creates an en-passant square.
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5"),
    // An en-passant square exists for one ply only.
    ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d4 e8e7 e1e2"),
    ("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7"),
    // Only a pawn captures en passant.
    ("4k3/3p4/R7/8/8/8/8/4K3 b - - 0 1", "d7d5 a6d6"),
    // Pawns never go back.
    ("4k3/3pP3/K7/8/8/8/8/8 b - - 0 1", "d7d5"),
    // Castling clears the en-passant square.
    ("r3k3/8/8/8/3PP3/8/8/4K3 b q e3 0 1", "e8c8"),
    // The capture opens a line through the captured pawn.
    ("8/8/1k6/2b5/2pP4/8/P4K2/8 b - d3 0 1", "c4d3"),
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
    // A rook captures a rook: both sides lose a right.
    ("r3k3/8/8/8/8/8/8/R3K3 b Qq - 0 1", "a8a1 e1e2"),
    ("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "h1h8 e8e7"),
    // Another rook comes to the corner that the capturing rook has left.
    ("r2nk3/8/8/8/8/8/8/RR2K3 w Qq - 0 1", "a1a8 e8e7 b1a1 e7e8"),
    ("rr2k3/8/8/8/8/8/8/R2NK3 b Qq - 0 1", "a8a1 e1e2 b8a8 e2e1"),
    // No right begins when another piece leaves the corner.
    ("4k3/8/8/8/8/8/8/N3K2R w K - 0 1", "a1c2 e8e7"),
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
const ENDS: [&str; 13] = [
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
    "4k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
];

/// Promoting pawns that capture the checker.
const CAPTURED_CHECKERS: [&str; 6] = [
    "3n4/2P5/4K3/8/8/8/8/7k w - - 0 1",
    "7K/8/8/8/8/4k3/2p5/3N4 b - - 0 1",
    "3r4/2P5/3K4/8/8/8/8/7k w - - 0 1",
    "7K/8/8/8/8/3k4/2p5/3R4 b - - 0 1",
    "3q4/2P5/3K4/8/8/8/8/7k w - - 0 1",
    "7K/8/8/8/8/3k4/2p5/3Q4 b - - 0 1",
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

/// Questions that tell faults apart: the rules, the lines, and small counts.
pub(crate) fn telling(chess960: bool) -> Vec<Question> {
    let options = Options { chess960, ..Options::default() };
    let phases = [
        "rules",
        "lines",
        "captured checkers",
        "the end of a game",
        "the end of a game, depth 2",
        "the first rules, depth 2",
        "transpositions",
        "lines by depth",
    ];
    let all = steps(&options, true).take_while(|step| step.phase != "standard positions, depth 4");
    let mut questions: Vec<Question> =
        all.filter(|step| phases.contains(&step.phase)).map(|step| step.question).collect();
    questions.retain(|it| {
        truth::is_reachable(&it.start) && truth::has_at_most(&it.position(), it.depth, 2_000)
    });
    questions
}

/// All steps in order.
pub(crate) fn steps<'a>(
    options: &'a Options<'_>,
    takes_moves: bool,
) -> Box<dyn Iterator<Item = Step> + 'static> {
    let chess960 = options.chess960;
    if !options.positions.is_empty() || !options.lines.is_empty() {
        let positions = options.positions.iter().map(|start| (start.clone(), Vec::new()));
        let all = positions.chain(options.lines.iter().cloned()).map(|(start, path)| {
            if takes_moves {
                (start, path)
            } else {
                (path.iter().fold(start, |position, &mv| position.play(mv)), Vec::new())
            }
        });
        return Box::new(given(all.collect(), options.depth, chess960));
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
            let fits = depth == 1 || truth::has_at_most(&start, depth, leaves);
            fits.then(|| Step { question: Question::new(&start, &[], depth), phase, part: (0, 0) })
        })
    };
    let checkers: Vec<Position> =
        CAPTURED_CHECKERS.iter().filter_map(|fen| read(fen, chess960)).collect();
    let more = seed ^ 0x5bd1_e995;
    // Cheap questions come first, so that a slow program also answers the most useful ones.
    let parts: Parts = vec![
        Box::new(at(&standard, 1, 0, "standard positions")),
        Box::new(at(&ends, 1, 0, "the end of a game")),
        Box::new(at(&ends, 2, 2_000, "the end of a game, depth 2")),
        Box::new(at(&rules[..rules.len().min(40)], 2, 2_000, "the first rules, depth 2")),
        Box::new(lines(takes_moves, chess960)),
        Box::new(at(&rules, 1, 0, "rules")),
        Box::new(at(&checkers, 1, 0, "captured checkers")),
        Box::new(sliders(chess960)),
        Box::new(at(&standard, 2, 5_000, "standard positions, depth 2")),
        Box::new(at(&ends, 3, 5_000, "the end of a game, depth 3")),
        Box::new(numbered(&TRANSPOSITIONS, chess960, "transpositions")),
        Box::new(games(seed, takes_moves, chess960, 12)),
        Box::new(at(&rules, 2, 2_000, "rules, depth 2")),
        Box::new(placements(seed, 150)),
        Box::new(at(&standard, 3, 20_000, "standard positions, depth 3")),
        Box::new(deep_lines(chess960, 30_000)),
        Box::new(numbered(&[MANY], chess960, "many moves")),
        Box::new(at(&rules, 3, 10_000, "rules, depth 3")),
        Box::new(at(&standard, 4, 300_000, "standard positions, depth 4")),
        Box::new(deep_lines(chess960, 500_000)),
        Box::new(at(&rules, 4, 60_000, "rules, depth 4")),
        Box::new(games(more, takes_moves, chess960, 60)),
    ];
    let all = parts.len();
    let steps = (1..)
        .zip(parts)
        .flat_map(move |(number, part)| part.map(move |step| Step { part: (number, all), ..step }));
    Box::new(steps.filter(move |step| step.question.depth <= most))
}

/// The steps for given positions and lines: depth by depth.
fn given(
    lines: Vec<(Position, Vec<Move>)>,
    depth: Option<u32>,
    chess960: bool,
) -> impl Iterator<Item = Step> {
    let depths = 1..=depth.unwrap_or(4);
    depths.flat_map(move |ply| {
        lines.clone().into_iter().filter_map(move |(start, path)| {
            let start = in_mode(start, chess960);
            let here = path.iter().fold(start.clone(), |position, &mv| position.play(mv));
            let fits = depth.is_some() || ply < 3 || truth::has_at_most(&here, ply, 5_000_000);
            let phase = "given positions";
            fits.then(|| Step { question: Question::new(&start, &path, ply), phase, part: (0, 0) })
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
        Some(Step { question: Question::new(&start, &path, 1), phase: "lines", part: (0, 0) })
    })
}

/// The lines for programs that play no moves: by depth, up to this many leaf nodes.
fn deep_lines(chess960: bool, leaves: u128) -> impl Iterator<Item = Step> {
    LINES.into_iter().filter_map(move |(fen, moves)| {
        let start = read(fen, chess960)?;
        let depth = u32::try_from(moves.split(' ').count()).ok()? + 1;
        let is_small = depth <= 5 && start.board().occupied().len() < 8;
        let fits = is_small && truth::has_at_most(&start, depth, leaves);
        fits.then(|| Step {
            question: Question::new(&start, &[], depth),
            phase: "lines by depth",
            part: (0, 0),
        })
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
        Some(Step { question: Question::new(&start, &[], depth), phase, part: (0, 0) })
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
                let question = Question::new(&position, &[], 1);
                steps.push(Step { question, phase, part: (0, 0) });
                if takes_moves {
                    let question = Question::new(&start, &path, 1);
                    steps.push(Step { question, phase, part: (0, 0) });
                }
            }
        }
        steps
    })
}

/// Queens on every square, with the nearest blockers at every distance: tables of sliders with a hole.
fn sliders(chess960: bool) -> impl Iterator<Item = Step> {
    let distances = (1..=7).flat_map(|distance| Square::ALL.map(|queen| (queen, distance)));
    distances.filter_map(move |(queen, distance)| {
        let mut setup = Setup::EMPTY;
        let piece = |role, color| Some(Piece { role, color });
        let mut blockers = 0;
        for files in -1..=1_i8 {
            for ranks in -1..=1_i8 {
                let way = (files * distance, ranks * distance);
                if way != (0, 0)
                    && let Some(square) = queen.offset(way.0, way.1)
                {
                    setup.board.set(square, piece(Role::Knight, Color::Black));
                    blockers += 1;
                }
            }
        }
        setup.board.set(queen, piece(Role::Queen, Color::White));
        // The kings stay out of the way.
        let is_beside = |square: &Square| !attacks::queen(queen, Bitboard::EMPTY).has(*square);
        let attackers = |board: &Board, square: &Square, color| {
            board.attackers_to(*square) & board.color(color)
        };
        let is_safe = |square: &Square| !attackers(&setup.board, square, Color::Black).any();
        let white = Square::ALL.into_iter().filter(is_beside).find(is_safe)?;
        setup.board.set(white, piece(Role::King, Color::White));
        let black = Square::ALL
            .into_iter()
            .rev()
            .filter(is_beside)
            .find(|square| *square != white && !setup.board.attackers_to(*square).any())?;
        setup.board.set(black, piece(Role::King, Color::Black));
        let start = in_mode(Position::from_setup(&setup).ok()?, chess960);
        let question = Question::new(&start, &[], 1);
        (blockers > 0).then_some(Step { question, phase: "sliders", part: (0, 0) })
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
        let question = Question::new(&start, &[], depth);
        Some(Step { question, phase: "random placements", part: (0, 0) })
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
        for fen in CAPTURED_CHECKERS {
            let position = read(fen, false).expect(fen);
            let mut moves = position.legal_moves().into_iter();
            assert!(position.is_check() && truth::is_reachable(&position), "{fen}");
            assert!(moves.any(|mv| mv.is_promotion() && mv.is_capture()), "{fen}");
        }
    }

    #[test]
    fn the_steps_of_a_seed_are_fixed() {
        let options = Options::default();
        let text = || -> Vec<String> {
            steps(&options, true).take(900).map(|it| format!("{:?}", it.question.query())).collect()
        };
        assert_eq!(text(), text());
    }
}
