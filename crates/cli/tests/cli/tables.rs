//! `tabiya tables`, with the smallest table. The crate's tests have others.

use std::fs;

use crate::program::{directory, fine, json, mistaken};
use crate::syzygy::knight;

const KNIGHT: &str = "8/8/8/3k4/8/8/8/N3K3 w - - 0 1";

fn folder(name: &str) -> String {
    let path = directory(name);
    fs::write(path.join("KNvK.rtbw"), knight()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn a_position_has_a_result_and_ranked_moves() {
    let folder = folder("tables");
    assert_eq!(
        fine(&["tables", "--folder", &folder, KNIGHT]),
        "\
table      KNvK
result     draw
distance   0

move   SAN      result        distance   rank
e1d1   Kd1      draw                 0      0
e1f1   Kf1      draw                 0      0
e1d2   Kd2      draw                 0      0
e1e2   Ke2      draw                 0      0
e1f2   Kf2      draw                 0      0
a1c2   Nc2      draw                 0      0
a1b3   Nb3      draw                 0      0
"
    );
    let found = json(&["tables", "--folder", &folder, KNIGHT, "--json"]);
    assert_eq!(found["table"], "KNvK");
    assert_eq!(found["moves"][0]["san"], "Kd1");
    assert_eq!(found["line"].as_array().unwrap().len(), 0);
}

#[test]
fn what_is_missing_is_named() {
    let folder = folder("tables-missing");
    let refused = |fen: &str| mistaken(&["tables", "--folder", &folder, fen]);
    assert_eq!(
        refused("8/8/8/3k4/8/8/8/R3K3 w - - 0 1"),
        "\
error: KRvK.rtbw is missing
hint: play from here needs 2 files that aren't there: KRvK.rtbz, KRvK.rtbw
"
    );
    let all = refused("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(all, "error: there are 32 pieces, and tables have at most 7\n");
    let none = directory("tables-none");
    assert!(
        mistaken(&["tables", "--folder", none.to_str().unwrap(), KNIGHT])
            .starts_with("error: the folder has no tables\n")
    );
    assert!(
        mistaken(&["tables", "--folder", "no-such-folder", KNIGHT])
            .starts_with("error: no-such-folder: ")
    );
}
