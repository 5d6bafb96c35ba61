//! Texts that users paste: right and wrong divides, parts of them, and garbage.

use std::fmt::Write;
use std::time::{Duration, Instant};

use tabiya::{CastlingMode, Move, Position};
use tabiya_compare::{Above, Asked, Comparison, MoveState, Outcome, RemarkKind, compare_divide};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn perft(position: &Position, depth: u32) -> u128 {
    match depth {
        0 => 1,
        1 => position.count_legal() as u128,
        _ => {
            position.legal_moves().into_iter().map(|mv| perft(&position.play(mv), depth - 1)).sum()
        }
    }
}

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a playable position")
}

fn counts(here: &Position, depth: u32) -> Vec<(Move, u128)> {
    here.legal_moves().into_iter().map(|mv| (mv, perft(&here.play(mv), depth - 1))).collect()
}

fn compared(asked: &Asked, text: &str) -> Comparison {
    compare_divide(asked, &counts(&asked.position(), asked.depth), text)
}

/// A function that writes a move and its count as a line.
type Line<'a> = &'a dyn Fn(Move, u128) -> Option<String>;

/// A divide. The function writes each line, or leaves it out.
fn divide(here: &Position, depth: u32, line: Line<'_>) -> String {
    let mut text = String::new();
    for (mv, count) in counts(here, depth) {
        if let Some(line) = line(mv, count) {
            text += &line;
            text.push('\n');
        }
    }
    text
}

fn kinds(comparison: &Comparison) -> Vec<RemarkKind> {
    comparison.remarks.iter().map(|it| it.kind).collect()
}

fn classes(comparison: &Comparison) -> Vec<&str> {
    comparison.diagnoses.iter().map(|it| it.class).collect()
}

#[test]
fn right_divides_agree_in_each_form() {
    let here = position(KIWIPETE);
    let asked = Asked::of_fen(here.clone(), 3);
    let uci = |mv| here.uci(mv).to_string();
    let forms: [(Line<'_>, &[RemarkKind]); 4] = [
        (&|mv, count| Some(format!("{}: {count}", uci(mv))), &[]),
        (&|mv, count| Some(format!("7. {}\t{count}", uci(mv))), &[]),
        (&|mv, count| Some(format!("{} {count}", here.san(mv))), &[]),
        (&|mv, _| Some(uci(mv)), &[RemarkKind::MovesOnly]),
    ];
    for (line, remarks) in forms {
        let text = divide(&here, 3, line);
        for total in ["", "\nNodes searched: 97862\n"] {
            let comparison = compared(&asked, &format!("{text}{total}"));
            assert_eq!(comparison.outcome, Outcome::Agrees, "{text}");
            assert!(comparison.moves.iter().all(|it| it.state == MoveState::Same));
            assert_eq!(kinds(&comparison), remarks, "{text}");
            assert_eq!(comparison.right_total, Some(97_862));
        }
    }
}

#[test]
fn each_move_is_compared() {
    let here = position(KIWIPETE);
    let text = divide(&here, 2, &|mv, count| match here.uci(mv).to_string().as_str() {
        "a2a3" => Some("a2a3: 43".to_owned()),
        "e5f7" => Some("e5f7: 50".to_owned()),
        "e1g1" => None,
        "d5d6" => Some("d5d6: 41\nd5d6: 41".to_owned()),
        uci => Some(format!("{uci}: {count}")),
    });
    let comparison = compared(&Asked::of_fen(here, 2), &(text + "e1h1: 3\ne1f2: 7\nPerft 2\n"));
    assert_eq!(comparison.outcome, Outcome::Differs);
    let row = |uci: &str| comparison.moves.iter().find(|it| it.uci == uci).expect("a row");
    assert_eq!((row("a2a3").state, row("a2a3").difference), (MoveState::Differs, Some(-1)));
    assert_eq!((row("e5f7").state, row("e5f7").difference), (MoveState::Differs, Some(6)));
    assert_eq!(row("d5d6").state, MoveState::Twice);
    // Castling with the rook's square is understood, and has a wrong count.
    assert_eq!(row("e1g1").written.as_deref(), Some("e1h1"));
    let illegal = row("e1f2");
    // A king that takes its own pieces would take those on d2 and e2 as well.
    assert_eq!((illegal.state, illegal.class), (MoveState::Illegal, Some("list-wrong")));
    assert!(illegal.reason.as_ref().is_some_and(|it| it.contains("e1f2 is illegal")));
    assert_eq!(comparison.descend, ["a2a3", "e5f7", "e1g1"]);
    // A line that is no part of the divide is no error.
    assert_eq!((comparison.unread_count, &comparison.unread[..]), (0, &[][..]));
}

/// Without that line, the divide would look like one that lacks a move, or has a wrong sum.
#[test]
fn a_line_that_cannot_be_read_ends_the_comparison() {
    let here = Position::START;
    let text = divide(&here, 3, &|mv, count| Some(format!("{}: {count}", here.uci(mv))));
    for (line, text) in [
        ("a2a3 - 380", text.replace("a2a3: 380", "a2a3 - 380")),
        ("Nodes searched: 8,902", format!("Nodes searched: 8,902\n{text}")),
    ] {
        let comparison = compared(&Asked::of_fen(here.clone(), 3), &text);
        assert_eq!(comparison.outcome, Outcome::Unreadable, "{line}");
        let [unread] = &comparison.unread[..] else { panic!("{:?}", comparison.unread) };
        let number = text.lines().position(|it| it == line).expect("a line of the text") + 1;
        assert_eq!((unread.number as usize, unread.text.as_str()), (number, line));
        assert!(unread.expected.contains("in decimal digits"), "{}", unread.expected);
        assert!(comparison.moves.iter().all(|it| it.state == MoveState::Unknown));
        assert_eq!((kinds(&comparison), classes(&comparison)), (vec![], vec![]));
    }
}

#[test]
fn an_illegal_move_in_algebraic_notation_has_its_reason_once() {
    let here = Position::START;
    let text = divide(&here, 1, &|mv, _| Some(format!("{}: 1", here.san(mv)))) + "Qh5: 1\nO-O: 1\n";
    let comparison = compared(&Asked::of_fen(here, 1), &text);
    for mv in ["Qh5", "O-O"] {
        let row = comparison.moves.iter().find(|it| it.uci == mv).expect("a row");
        assert_eq!(row.state, MoveState::Illegal);
        let reason = row.reason.as_ref().expect("a reason");
        let why = reason.strip_prefix(&format!("{mv} is illegal: ")).expect("the beginning");
        assert!(!why.contains("legal") && !why.contains(mv), "{reason}");
        assert!(comparison.diagnoses.iter().any(|it| it.reasons.contains(reason)));
    }
    let queen =
        comparison.moves.iter().find(|it| it.uci == "Qh5").and_then(|it| it.reason.as_deref());
    assert!(
        queen.is_some_and(|it| it.starts_with("Qh5 is illegal: the queen on d1 ")),
        "{queen:?}"
    );
}

#[test]
fn a_missing_move_has_a_class_and_a_reason() {
    let here = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let text = divide(&here, 1, &|mv, _| {
        (mv.castling().is_none()).then(|| format!("{}: 1", here.uci(mv)))
    });
    let comparison = compared(&Asked::of_fen(here, 1), &text);
    assert_eq!(classes(&comparison), ["castling-missing"]);
    let row = comparison.moves.iter().find(|it| it.uci == "e1g1").expect("a row");
    assert_eq!((row.state, row.class), (MoveState::Missing, Some("castling-missing")));
    assert!(row.reason.as_ref().is_some_and(|it| it.contains("legal")));
    assert!(comparison.diagnoses[0].hint.ends_with('.'));
}

/// Each move belongs to one diagnosis.
#[test]
fn faults_share_a_list_and_the_rest_has_no_explanation() {
    let here = position("4k3/8/8/8/8/8/6N1/R3K2R w KQ - 0 1");
    let text = divide(&here, 1, &|mv, _| {
        let uci = here.uci(mv).to_string();
        (mv.castling().is_none() && uci != "g2f4").then(|| format!("{uci}: 1"))
    });
    let comparison = compared(&Asked::of_fen(here, 1), &(text + "a1b3: 1\n"));
    let parts: Vec<_> = comparison
        .diagnoses
        .iter()
        .map(|it| (it.class, [it.missing.join(" "), it.extra.join(" ")]))
        .collect();
    let part = |missing: &str, extra: &str| [missing.to_owned(), extra.to_owned()];
    assert_eq!(parts.len(), 3, "{parts:?}");
    for wanted in [
        ("castling-missing", part("e1c1 e1g1", "")),
        ("knight-missing", part("g2f4", "")),
        ("list-wrong", part("", "a1b3")),
    ] {
        assert!(parts.contains(&wanted), "{parts:?}");
    }
}

#[test]
fn the_note_names_the_classes_that_fit_as_well() {
    let here = position("4k3/8/8/1pP5/8/8/8/4K3 w - b6 0 1");
    let text =
        divide(&here, 1, &|mv, _| (!mv.is_en_passant()).then(|| format!("{}: 1", here.uci(mv))));
    let comparison = compared(&Asked::of_fen(here, 1), &text);
    assert_eq!(classes(&comparison), ["en-passant-missing"]);
    let note = comparison.diagnoses[0].note.as_deref();
    assert!(note.is_some_and(|it| it.contains("en-passant-field-ignored")), "{note:?}");
}

#[test]
fn counts_of_another_depth_are_recognised() {
    let here = Position::START;
    for (said, note) in [(3, "those of depth 3"), (5, "those of depth 5")] {
        let text = divide(&here, said, &|mv, count| Some(format!("{}: {count}", here.uci(mv))));
        let comparison = compared(&Asked::of_fen(here.clone(), 4), &text);
        assert_eq!(classes(&comparison), ["counting-depth"], "{said}");
        assert!(comparison.diagnoses[0].note.as_ref().unwrap().contains(note));
        assert!(comparison.most_wrong);
    }
    // Also if the list of moves is wrong: that shows at any depth.
    let text = divide(&here, 3, &|mv, count| {
        let uci = here.uci(mv).to_string();
        (uci != "h2h4").then(|| format!("{uci}: {count}"))
    });
    let comparison = compared(&Asked::of_fen(here.clone(), 4), &text);
    assert_eq!(classes(&comparison), ["counting-depth"]);
    assert_eq!(classes(&compared(&Asked::of_fen(here.clone(), 3), &text)), ["list-wrong"]);
    let comparison = compared(&Asked::of_fen(here, 4), "8902\n");
    assert_eq!(classes(&comparison), ["counting-depth"]);
    assert_eq!(kinds(&comparison), [RemarkKind::TotalOnly]);
}

#[test]
fn totals_and_parts() {
    let here = Position::START;
    let asked = Asked::of_fen(here.clone(), 3);
    let text = divide(&here, 3, &|mv, count| Some(format!("{}: {count}", here.uci(mv))));
    // A total alone.
    let comparison = compared(&asked, "Nodes searched: 8902");
    assert_eq!(
        (comparison.outcome, kinds(&comparison)),
        (Outcome::Agrees, vec![RemarkKind::TotalOnly])
    );
    assert!(comparison.moves.iter().all(|it| it.state == MoveState::Unknown));
    assert_eq!(compared(&asked, "8903").outcome, Outcome::Differs);
    // A total that is not the sum.
    let comparison = compared(&asked, &format!("{text}\nTotal: 8900\n"));
    assert_eq!(classes(&comparison), ["counting-total"]);
    assert!(kinds(&comparison).contains(&RemarkKind::TotalUnlikeSum));
    // Lines were not copied.
    let half: String = text.lines().take(10).map(|it| format!("{it}\n")).collect();
    let comparison = compared(&asked, &format!("{half}\nTotal: 8902\n"));
    assert_eq!(
        (comparison.outcome, kinds(&comparison)),
        (Outcome::Agrees, vec![RemarkKind::Incomplete])
    );
    assert_eq!(compared(&asked, &half).outcome, Outcome::Differs);
    // Most lines were not copied, nor the total: only the counts that are there say something.
    let comparison = compared(&asked, "a2a3: 380");
    assert_eq!((comparison.outcome, comparison.sum), (Outcome::Agrees, None));
    assert_eq!(
        comparison.remarks[0].text,
        "Only 1 of the 20 legal moves is in the text, and no total: copy the whole answer."
    );
    let comparison = compared(&asked, "a2a3: 379\na2a4: 420");
    assert_eq!((comparison.outcome, comparison.descend.len()), (Outcome::Differs, 1));
    assert_eq!(classes(&comparison), [""; 0]);
    // An illegal move is a bug, however short the copy.
    assert_eq!(classes(&compared(&asked, "a2a3: 380\na2a4: 420\ne2e5: 20")), ["list-wrong"]);
    // With its total, the list is the program's own.
    assert!(kinds(&compared(&asked, "a2a3: 380\nTotal: 380")).is_empty());
    // The divide of the position one ply above.
    let mv = here.parse_uci("e2e4").unwrap();
    let above = Above { position: here.clone(), mv, count: 601, most_wrong: false };
    let below = Asked { above: Some(above), ..Asked::of_fen(here.play(mv), 2) };
    let comparison = compared(&below, &text);
    let remark = comparison.remarks.iter().find(|it| it.kind == RemarkKind::OtherPosition);
    assert!(remark.is_some_and(|it| it.text.contains("one ply above")));
    // The position is right but its count above is wrong, by no fault that we know.
    let after = here.play(mv);
    let text = divide(&after, 2, &|mv, count| Some(format!("{}: {count}", after.uci(mv))));
    assert_eq!(classes(&compared(&below, &text)), ["count-wrong"]);
}

#[test]
fn text_of_another_position_names_no_bug() {
    let kiwipete = position(KIWIPETE);
    let printed =
        |here: &Position| divide(here, 2, &|mv, count| Some(format!("{}: {count}", here.uci(mv))));
    let after = Position::START.play(Position::START.parse_uci("e2e4").unwrap());
    for (asked, said, name) in [
        (&kiwipete, &Position::START, "start of a game"),
        (&after, &Position::START, "start of a game"),
        (&position("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), &kiwipete, "another position"),
    ] {
        let comparison = compared(&Asked::of_fen(asked.clone(), 2), &printed(said));
        assert_eq!(classes(&comparison), [""; 0], "{}", said.fen());
        let remark = comparison.remarks.iter().find(|it| it.kind == RemarkKind::OtherPosition);
        assert!(remark.is_some_and(|it| it.text.contains(name)), "{:?}", comparison.remarks);
        assert_eq!(comparison.outcome, Outcome::Differs);
    }
    // The moves of the wrong side are those of no other position that is known.
    let here = position("4k3/8/8/3p4/8/8/3P4/4K3 w - - 0 1");
    let black = position("4k3/8/8/3p4/8/8/3P4/4K3 b - - 0 1");
    let comparison = compared(&Asked::of_fen(here, 2), &printed(&black));
    assert!(classes(&comparison).contains(&"wrong-side"), "{:?}", classes(&comparison));
}

#[test]
fn positions_without_moves_and_counts_that_are_not_known() {
    let mate = position("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    for text in ["", "Nodes searched: 0", "0\n"] {
        assert_eq!(compared(&Asked::of_fen(mate.clone(), 2), text).outcome, Outcome::Agrees);
    }
    assert_eq!(classes(&compared(&Asked::of_fen(mate.clone(), 2), "1")), ["end-stalemate"]);
    assert_eq!(compare_divide(&Asked::of_fen(mate, 0), &[], "1").outcome, Outcome::Agrees);
    let start = Asked::of_fen(Position::START, 5);
    let comparison = compare_divide(&start, &[], "e2e4: 405385\n");
    assert_eq!(comparison.right_total, None);
    let states = comparison.moves.iter().map(|it| it.state);
    assert_eq!(states.filter(|it| *it == MoveState::Uncounted).count(), 1);
    assert_eq!(compare_divide(&start, &[], "").outcome, Outcome::Unreadable);
}

#[test]
fn castling_in_chess960_in_both_notations() {
    let here = position("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let here = here.with_castling_mode(CastlingMode::Chess960).unwrap();
    let asked = Asked::of_fen(here.clone(), 1);
    for castling in ["e1h1", "e1g1", "O-O", "0-0"] {
        let text = divide(&here, 1, &|mv, _| {
            Some(if mv.castling().is_some() {
                castling.to_owned()
            } else {
                here.uci(mv).to_string()
            })
        });
        let comparison = compared(&asked, &text);
        assert_eq!(comparison.outcome, Outcome::Agrees, "{castling}");
    }
}

/// Megabytes of garbage are read in linear time, and the answer is short.
#[test]
fn garbage_gets_a_short_answer() {
    let mut random = 1u64;
    let mut next = move || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random
    };
    let letters: Vec<char> = "abcdefgh12345678 NBRQKOx=+#-:\t,.;ä♞0\n".chars().collect();
    let mut random_text = String::new();
    let mut moves = String::new();
    for _ in 0..2_000_000 {
        random_text.push(letters[next() as usize % letters.len()]);
    }
    for number in 0..200_000 {
        let square =
            |bits: u64| format!("{}{}", char::from(b'a' + (bits & 7) as u8), (bits >> 3 & 7) + 1);
        writeln!(moves, "{}{}: {}", square(next()), square(next()), number).unwrap();
    }
    let words = "lorem ipsum dolor\n".repeat(200_000);
    let line = "e2e4 ".repeat(500_000);
    let digits = "9".repeat(3_000_000);
    let spaces = " \u{202f}".repeat(500_000);
    let nodes = "nodes: ".repeat(400_000);
    let here = position(KIWIPETE);
    let asked = Asked::of_fen(here.clone(), 4);
    let right = counts(&here, 4);
    for text in [&random_text, &moves, &words, &line, &digits, &spaces, &nodes] {
        let begin = Instant::now();
        let comparison = compare_divide(&asked, &right, text);
        // This takes a second on most machines and a minute on a slow one. In quadratic time, it
        // would take hours.
        assert!(begin.elapsed() < Duration::from_secs(1200), "{:?} {:.40}", begin.elapsed(), text);
        assert!(comparison.moves.len() < 300 && comparison.unread.len() <= 1);
        assert!(comparison.unread.iter().all(|it| it.text.chars().count() <= 121));
        assert!(comparison.diagnoses.iter().all(|it| it.reasons.len() < 300));
        assert_ne!(comparison.outcome, Outcome::Agrees);
    }
    let comparison = compare_divide(&asked, &right, &words);
    assert_eq!((comparison.outcome, comparison.unread_count), (Outcome::Unreadable, 0));
    assert!(compare_divide(&asked, &right, &moves).left_out > 190_000);
}
