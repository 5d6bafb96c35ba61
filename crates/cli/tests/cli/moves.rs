//! `tabiya moves`.

use tabiya::movegen::{
    Captures, Evasions, Kind, Legal, NonEvasions, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::{MoveList, Position};

use crate::program::{fine, json, mistaken, run};

const KIWIPETE: [&str; 3] = ["moves", "--position", "kiwipete"];
/// The knight on e2 is pinned by the rook.
const PINNED: &str = "4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1";
/// A pawn that can promote, capturing and not, and a king that can castle.
const PROMOTION: &str = "r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1";

fn sorted(arguments: &[&str]) -> Vec<String> {
    let mut moves: Vec<String> = fine(arguments).lines().map(str::to_owned).collect();
    moves.sort_unstable();
    moves
}

fn with<'a>(base: &[&'a str], more: &[&'a str]) -> Vec<String> {
    sorted(&[base, more].concat())
}

#[test]
fn each_move_has_a_line() {
    assert_eq!(sorted(&["moves"]).len(), 20);
    assert_eq!(fine(&["moves", "--count"]), "20\n");
    assert_eq!(with(&KIWIPETE, &[]).len(), 48);
    let mate = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1";
    assert_eq!(fine(&["moves", "--fen", mate]), "");
}

#[test]
fn moves_can_be_played_first() {
    let plain = sorted(&["moves", "--moves", "e2e4,e7e5,g1f3"]);
    assert_eq!(plain, sorted(&["moves", "--moves", " e2e4 e7e5  g1f3 "]));
    assert_eq!(plain.len(), 29);
    assert!(plain.contains(&"b8c6".to_owned()));
}

#[test]
fn moves_are_written_in_every_notation() {
    assert_eq!(
        sorted(&["moves", "--moves", "1. e4 e5 2. Nf3", "--notation", "san", "--role", "knight"]),
        ["Na6", "Nc6", "Ne7", "Nf6", "Nh6"]
    );
    assert_eq!(
        sorted(&["moves", "--fen", PROMOTION, "--notation", "lan", "--from", "b7"])[..2],
        ["b7-b8=B", "b7-b8=N"]
    );
    let castles = with(&KIWIPETE, &["--role", "king", "--notation", "san"]);
    assert_eq!(castles, ["Kd1", "Kf1", "O-O", "O-O-O"]);
    let found = json(&["moves", "--notation", "san", "--role", "knight", "--json"]);
    assert_eq!(found["notation"], "san");
    assert_eq!(found["moves"].as_array().unwrap().len(), 4);
    assert_eq!(json(&["moves", "--json"])["notation"], "uci");
    mistaken(&["moves", "--notation", "figurine"]);
    mistaken(&["moves", "--notation", "san", "--count"]);
}

#[test]
fn a_start_position_of_chess960_has_a_number() {
    assert_eq!(sorted(&["moves", "--position", "chess960:518"]), sorted(&["moves"]));
    let found = json(&["moves", "--position", "Chess960:0", "--json"]);
    assert_eq!(found["fen"], "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    let found = json(&["moves", "--position", "chess960:518,0", "--moves", "e4 e5", "--json"]);
    assert_eq!(found["fen"], "bbqnnrkr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    for wrong in ["chess960:960", "chess960:", "chess960:a", "chess960:1,2,3", "chess960"] {
        mistaken(&["moves", "--position", wrong]);
    }
}

#[test]
fn captures_and_quiets_are_together_all_moves() {
    for base in [&KIWIPETE[..], &["moves", "--fen", PROMOTION]] {
        let kind = |name| with(base, &["--kind", name]);
        let mut both = [kind("captures"), kind("quiets")].concat();
        both.sort_unstable();
        assert_eq!(both, kind("non-evasions"));
        assert_eq!(both, kind("legal"));
        assert!(kind("quiet-checks").iter().all(|mv| kind("quiets").contains(mv)));
        assert!(kind("evasions").is_empty());
    }
    assert_eq!(with(&["moves", "--fen", PROMOTION], &["--kind", "captures"]), ["b7a8q", "b7b8q"],);
    assert_eq!(with(&KIWIPETE, &["--kind", "captures"]).len(), 8);
    // Castling that gives check.
    let castles = ["moves", "--fen", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "--kind", "quiet-checks"];
    assert_eq!(sorted(&castles), ["e1g1", "h1f1", "h1h8"]);
    // The knight on d3 gives check.
    let check = ["moves", "--fen", "4r2k/8/8/8/8/3n4/4B3/4K3 w - - 0 1", "--kind", "evasions"];
    assert_eq!(sorted(&check), ["e1d1", "e1d2", "e1f1"]);
}

#[test]
fn pseudo_legal_moves_may_leave_the_king_in_check() {
    let base = ["moves", "--fen", PINNED, "--role", "knight"];
    assert_eq!(with(&base, &[]), [""; 0]);
    assert_eq!(with(&base, &["--pseudo-legal"]), ["e2c1", "e2c3", "e2d4", "e2f4", "e2g1", "e2g3"],);
}

#[test]
fn a_board_that_is_not_playable_has_moves() {
    // The knight is pinned, and Black has no king.
    let base = ["moves", "--fen", "4r3/8/8/8/8/8/4N3/4K3 w - - 0 1"];
    let with_more = |more: &[&str]| run(&[&base[..], more].concat());
    let legal = with_more(&["--notation", "san"]);
    assert_eq!((legal.out.lines().count(), legal.code), (4, Some(0)));
    assert!(legal.out.contains("Kd2\n"));
    assert_eq!(legal.err, "not playable: Black has no king\n");
    assert_eq!(with_more(&["--pseudo-legal", "--count"]).out, "10\n");
    let restricted = ["--pseudo-legal", "--from", "e2", "--role", "knight", "--to", "c1,d2"];
    assert_eq!(with_more(&restricted).out, "e2c1\n");
    let found = json(&[&base[..], &["--json"]].concat());
    assert_eq!(found["unplayable"], "Black has no king");
    assert_eq!(found["moves"].as_array().unwrap().len(), 4);
    assert!(json(&["moves", "--json"])["unplayable"].is_null());

    let error = mistaken(&[&base[..], &["--kind", "captures"]].concat());
    assert!(error.contains("--kind captures needs a playable position, but Black has no king"));
    let kings = ["moves", "--fen", "8/8/8/8/8/8/8/K1K5 w - - 0 1"];
    let error = mistaken(&kings);
    assert!(error.contains("no move is legal or illegal, since White has 2 kings"), "{error}");
    assert_eq!(run(&[&kings[..], &["--pseudo-legal"]].concat()).out.lines().count(), 8);
}

#[test]
fn moves_are_restricted_by_square_and_role() {
    let a = with(&KIWIPETE, &["--from", "e5,e2", "--to", "d3", "--to", "c4"]);
    assert_eq!(a, ["e2c4", "e2d3", "e5c4", "e5d3"]);
    assert_eq!(with(&KIWIPETE, &["--role", "king"]), ["e1c1", "e1d1", "e1f1", "e1g1"]);
    assert_eq!(with(&KIWIPETE, &["--role", "pawn,king", "--to", "g1,a3"]), ["a2a3", "e1g1"]);
    assert_eq!(with(&KIWIPETE, &["--from", "e4"]), [""; 0]);
}

#[test]
fn chess960_castling_is_king_takes_rook() {
    let castles = |more: &[&str]| with(&KIWIPETE, &[&["--role", "king"], more].concat());
    assert_eq!(castles(&["--chess960"]), ["e1a1", "e1d1", "e1f1", "e1h1"]);
    // Castling rights that standard chess does not have select the notation of Chess960.
    let fen = "4k3/8/8/8/8/8/8/1R2K3 w B - 0 1";
    assert!(sorted(&["moves", "--fen", fen]).contains(&"e1b1".to_owned()));
}

#[test]
fn the_json_object_holds_the_moves() {
    let found = json(&["moves", "--fen", PINNED, "--role", "knight", "--pseudo-legal", "--json"]);
    assert_eq!(found["fen"], PINNED);
    assert_eq!(found["kind"], "legal");
    assert_eq!(found["pseudo_legal"], true);
    assert_eq!(found["moves"].as_array().unwrap().len(), 6);
    let captures = json(&[&KIWIPETE[..], &["--kind", "captures", "--json"]].concat());
    assert_eq!(captures["kind"], "captures");
    assert_eq!(captures["moves"].as_array().unwrap().len(), 8);
}

#[test]
fn wrong_arguments_are_refused() {
    assert!(mistaken(&["moves", "--from", "e9"]).contains("--from e9"));
    assert!(mistaken(&["moves", "--kind", "checks"]).contains("quiet-checks"));
    mistaken(&["moves", "--role", "pawns"]);
    mistaken(&["moves", "--count", "--json"]);
    mistaken(&["moves", "--fen", PINNED, "--position", "startpos"]);
}

/// Castling matches the king's target square, and in Chess960 notation also the square of the rook.
#[test]
fn castling_by_either_square() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    let found = |more: &[&str]| {
        let call = [&["moves", "--fen", fen, "--role", "king"], more].concat();
        fine(&call).lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(found(&["--to", "g1"]), ["e1g1"]);
    assert_eq!(found(&["--to", "h1"]), [""; 0]);
    assert_eq!(found(&["--chess960", "--to", "g1"]), ["e1h1"]);
    assert_eq!(found(&["--chess960", "--to", "h1"]), ["e1h1"]);
    assert_eq!(found(&["--chess960", "--to", "a1,c1,h1"]), ["e1a1", "e1h1"]);
}

/// A list that is filtered from another one has another order.
#[test]
fn each_kind_is_that_of_the_library_in_its_order() {
    fn expect<K: Kind>(kind: &str, fen: &str) {
        let position = Position::from_fen(fen).unwrap();
        let text = |list: MoveList| -> String {
            list.iter().map(|&mv| format!("{}\n", position.uci(mv))).collect()
        };
        let call = ["moves", "--fen", fen, "--kind", kind];
        assert_eq!(fine(&call), text(MoveList::of::<K>(&position)), "{kind}: {fen}");
        let pseudo_legal = fine(&[&call[..], &["--pseudo-legal"]].concat());
        assert_eq!(pseudo_legal, text(MoveList::of::<PseudoLegal<K>>(&position)), "{kind}: {fen}");
    }
    let suite = tabiya_suites::RULES.text.lines().filter(|line| !line.starts_with('#'));
    let fens: Vec<&str> = suite.filter_map(|line| Some(line.split_once(" ;")?.0)).collect();
    for fen in fens.into_iter().step_by(9) {
        expect::<Legal>("legal", fen);
        expect::<Captures>("captures", fen);
        expect::<Quiets>("quiets", fen);
        expect::<QuietChecks>("quiet-checks", fen);
        expect::<Evasions>("evasions", fen);
        expect::<NonEvasions>("non-evasions", fen);
    }
}
