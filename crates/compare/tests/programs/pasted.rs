//! A user without the hunt. They paste the divide of the faulty program, examine the move that the
//! comparison names first, paste again, and so on, until it names the class.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use tabiya::{CastlingMode, Move, Position};
use tabiya_compare::{Above, Asked, Comparison, Outcome, Protocol, compare_divide};
use tabiya_suites::{RULES, RULES_CHESS960, STANDARD};

use crate::program::list;
use crate::resident::Resident;
use crate::right::questions;

fn perft(position: &Position, depth: u32) -> u128 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u128,
        _ => {
            position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
        }
    }
}

/// A user of the faulty program.
struct User {
    program: Resident,
    /// The right counts for the questions of the suites. They are the same for every fault.
    known: Rc<RefCell<Known>>,
}

/// The right divides of positions, by FEN and depth.
type Known = HashMap<(String, u32), Rc<[(Move, u128)]>>;

impl User {
    fn new(fault: &str, is_chess960: bool, known: &Rc<RefCell<Known>>) -> Self {
        let mut arguments = vec!["--fault".to_owned(), fault.to_owned()];
        if is_chess960 {
            arguments.push("--chess960".to_owned());
        }
        let program = Resident::start(&arguments, Protocol::Perftree);
        Self { program, known: Rc::clone(known) }
    }

    /// The program's output for this question; empty if the program does not understand it.
    fn printed(&self, asked: &Asked) -> String {
        let (mut position, mut moves) = (asked.start.clone(), Vec::new());
        for &mv in &asked.moves {
            moves.push(position.uci(mv).to_string());
            position = position.play(mv);
        }
        self.program.text(&asked.fen(), &moves, asked.depth).unwrap_or_default()
    }

    fn right(&self, asked: &Asked) -> Rc<[(Move, u128)]> {
        let here = asked.position();
        let count = |mv: Move| (mv, perft(&here.play(mv), asked.depth - 1));
        let divide = || here.legal_moves().into_iter().map(count).collect();
        if !asked.moves.is_empty() {
            return divide();
        }
        let mut known = self.known.borrow_mut();
        Rc::clone(known.entry((asked.fen(), asked.depth)).or_insert_with(divide))
    }

    fn compare(&self, asked: &Asked) -> Comparison {
        compare_divide(asked, &self.right(asked), &self.printed(asked))
    }
}

/// The next question, one ply deeper.
fn deeper(asked: &Asked, comparison: &Comparison) -> Option<Asked> {
    let here = asked.position();
    let uci = comparison.descend.first()?;
    let mv = here.parse_uci(uci).expect("a legal move");
    let row = comparison.moves.iter().find(|it| it.uci == *uci).expect("the move has a row");
    let count = row.theirs.expect("the count is wrong");
    let above =
        Some(Above { position: here.clone(), mv, count, most_wrong: comparison.most_wrong });
    let (start, moves) = if asked.moves.is_empty() {
        (here.play(mv), Vec::new())
    } else {
        (asked.start.clone(), asked.moves.iter().copied().chain([mv]).collect())
    };
    Some(Asked { start, moves, depth: asked.depth - 1, above })
}

/// The class that repeated pastes lead to, starting with this question.
fn class(user: &User, mut asked: Asked) -> Option<&'static str> {
    loop {
        let comparison = user.compare(&asked);
        if let Some(diagnosis) = comparison.diagnoses.first() {
            let is_played = comparison.moves.iter().all(|it| !it.state.is_wrong());
            // The position is right by FEN, so ask again with the move played.
            if let (true, true, Some(above)) = (is_played, asked.moves.is_empty(), &asked.above) {
                let (start, moves) = (above.position.clone(), vec![above.mv]);
                let again = Asked { start, moves, ..asked.clone() };
                return class(user, again).or(Some(diagnosis.class));
            }
            return Some(diagnosis.class);
        }
        asked = deeper(&asked, &comparison)?;
    }
}

/// Finds the first question with a wrong answer, and returns the final class.
fn first_class(fault: &str, known: &Rc<RefCell<Known>>) -> Option<&'static str> {
    let is_chess960 = fault.starts_with("castle-960");
    let user = User::new(fault, is_chess960, known);
    let suites = if is_chess960 { vec![RULES_CHESS960] } else { vec![STANDARD, RULES] };
    let questions = suites.iter().flat_map(|it| questions(it.text, 5_000));
    let questions = questions.filter(|it| it.1 <= 3).map(|(fen, depth, _)| (fen, depth));
    for (fen, depth) in questions.chain(MORE.iter().copied()) {
        let start = Position::from_fen(fen).expect("a playable position");
        let mode = if is_chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let Ok(start) = start.with_castling_mode(mode) else { continue };
        let asked = Asked::of_fen(start, depth);
        if user.compare(&asked).outcome == Outcome::Differs {
            return class(&user, asked);
        }
    }
    None
}

/// Positions that the suites lack: the end of a game, and a count of more than 16 bits.
const MORE: &[(&str, u32)] = &[
    ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 2),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 100 80", 1),
    ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3),
    ("4k3/8/8/8/8/8/8/4K1R1 w - - 0 1", 3),
    ("3n4/2P5/4K3/8/8/8/8/7k w - - 0 1", 1),
];

/// The classes that are found instead, if one position does not show more.
const OTHERWISE: &[(&str, &str)] = &[
    // In this position, it is not clear whether only captures at the edge are missing, or all of
    // them.
    ("ep-not-generated", "en-passant-edge"),
    ("ep-fen-ignored", "en-passant-missing"),
    // If a right stays after any capture, the first capture that is found names the class.
    ("castle-right-after-rook-captured", "castling-right-after-promotion-capture"),
    // One position can't tell these from a simpler mistake.
    ("castle-pawns-unseen", "castling-into-check"),
    ("castle-bishops-unseen", "castling-into-check"),
    ("leaf-ep-unsafe", "duplicated-move"),
    ("leaf-promotion-once", "count-wrong"),
    // These need another FEN of the same position, a long line, or questions in one process.
    ("ep-refused", "nothing"),
    ("repetition", "nothing"),
    ("castle-right-after-rook-takes-rook", "nothing"),
    ("line-castling-rook", "nothing"),
    ("line-ep-lost", "nothing"),
    ("key-without-castling", "nothing"),
    ("key-without-ep", "nothing"),
    ("key-without-depth", "nothing"),
    ("key-without-side", "nothing"),
    ("counter-not-reset", "nothing"),
];

#[test]
fn repeated_pastes_lead_to_the_class() {
    let (mut wrong, known) = (Vec::new(), Rc::default());
    for (fault, class) in list("--list") {
        if class.starts_with("dialogue-") {
            continue;
        }
        let found = first_class(&fault, &known).unwrap_or("nothing");
        let expected = OTHERWISE.iter().find(|it| it.0 == fault).map_or(class.as_str(), |it| it.1);
        println!("{fault:40} {class:40} {found}");
        if found != expected {
            wrong.push(format!("{fault}: {found} instead of {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
