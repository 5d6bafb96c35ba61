//! Every object that the program prints conforms to its schema.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::program::{Run, command, directory, run, wait_until_it_works};
use crate::schemas::Schemas;

#[test]
fn every_kind_of_object_conforms_to_its_schema() {
    let mut schemas = Schemas::read();
    let home = directory("objects");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (frontier, checkpoint) = (file("start-2.zst"), file("start-4"));
    let (by_category, distinct) = (file("categories-4"), file("distinct-5"));
    let castling = "r3k2r/8/8/8/4r3/8/8/R3K2R w KQkq - 0 1";
    let calls: [&[&str]; 28] = [
        &["perft", "0"],
        &["perft", "3", "--threads", "3", "--divide"],
        &["perft", "4", "--isa", "portable"],
        &["perft", "5", "--hash", "16", "--verify-seed", "7"],
        &["perft", "3", "--categories", "--checks", "exclude-mates"],
        &["perft", "3", "--categories", "--hash", "4"],
        &["perft", "3", "--distinct"],
        &["perft", "4", "--checkpoint", &checkpoint, "--verify-share", "100%"],
        &["status", &checkpoint],
        &["perft", "4", "--categories", "--checks", "exclude-mates", "--checkpoint", &by_category],
        &["status", &by_category],
        &["perft", "5", "--distinct", "--checkpoint", &distinct],
        &["status", &distinct],
        &["estimate", "5"],
        &["estimate", "7", "--samples", "1000", "--seed", "1"],
        &["frontier", "2", "--output", &frontier],
        &["bench", "--seconds", "0.1"],
        &["moves", "--kind", "quiets", "--pseudo-legal"],
        &["moves", "--fen", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"],
        &["show"],
        &["show", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["show", "--layer", "between:a1-b3", "white", "targets"],
        &["show", "--fen", "4k3/8/8/8/8/8/8/QQQQKQQQ w - - 0 1"],
        &["explain", "e2e4"],
        &["explain", "e2e5", "e1g1", "a7a8q", "d1d1"],
        &["explain", "--fen", castling, "e1g1", "e1c1", "e1d3"],
        &["explain", "--fen", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "e5d6", "e5e7"],
        &["explain", "--fen", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e6"],
    ];
    for call in calls {
        let printed = run(&[call, &["--json"]].concat());
        assert_eq!(printed.code, Some(0), "{call:?}: {printed:?}");
        schemas.check(&printed);
    }
    schemas.check(&run(&["frontier", "--read", &frontier, "--header"]));

    let games = file("games.pgn");
    std::fs::write(&games, "{first} 1. e4! {[%clk 0:01:00]} (1. d4) *\n").unwrap();
    schemas.check(&run(&["pgn", &games, "--json"]));
    schemas.check(&run(&["pgn", &games, "--to", "json"]));
    schemas.check(&run(&["data", "statistics", &games, "--json"]));
    let records = file("records.csv");
    std::fs::write(&records, "fen,move,score,result,ply\nnone,,,,\n").unwrap();
    let found = schemas.check(&run(&["data", "check", &records, &games, "--json"]));
    assert!(found.pointer("/files/0/bad/0/offset").is_some(), "{found}");

    // Entries about unreadable moves.
    schemas.check(&run(&["explain", "e2e4", "Nf3", "e7e8k", "--json"]));
    schemas.check(&run(&["perft", "2", "--expect", "1", "--json"]));
    std::fs::write(&games, "text\n\n1. e4 e5 2. e5 *\n\n1. e4 } *\n").unwrap();
    schemas.check(&run(&["pgn", &games, "--to", "json", "--plies", "2"]));
    let found = schemas.check(&run(&["pgn", &games, "no-such-file", "--check", "--json"]));
    for part in ["/files/0/errors/0/byte", "/files/0/remarks/1/byte", "/files/1/error"] {
        assert!(found.pointer(part).is_some(), "{part}: {found}");
    }
    let book = file("book.bin");
    let start = tabiya::Position::START.polyglot_key();
    let entries = [(0x031c, 1), (0x0324, 1), (0x02db, 2)].map(|(mv, weight)| {
        tabiya::polyglot::Entry { key: start, mv, weight, learn: 0 }.to_bytes()
    });
    std::fs::write(&book, entries.concat()).unwrap();
    let found = schemas.check(&run(&["book", &book, "--json"]));
    for part in ["/moves/0/share", "/errors/0/entry"] {
        assert!(found.pointer(part).is_some(), "{part}: {found}");
    }
    let table = std::path::Path::new(&file("KNvK.rtbw")).to_owned();
    std::fs::write(&table, crate::syzygy::knight()).unwrap();
    let folder = table.parent().unwrap().to_str().unwrap();
    let knight = "8/8/8/3k4/8/8/8/N3K3 w - - 0 1";
    let found = schemas.check(&run(&["tables", "--folder", folder, knight, "--json"]));
    assert!(found.pointer("/moves/0/rank").is_some(), "{found}");
    let suite = file("wrong.epd");
    let text = "id name\nepd 8/8/8/8/8/8/8/K6k w - - 0 1\nperft 1 4\nepd nonsense\n";
    std::fs::write(&suite, text).unwrap();
    let checked = schemas.check(&run(&["suite", &suite, "no-such-file", "--json"]));
    for part in ["/files/0/mismatches/0/divide/0", "/files/0/errors/0", "/files/1/errors/0"] {
        assert!(checked.pointer(part).is_some(), "{part}: {checked}");
    }
    let command = env!("CARGO_BIN_EXE_tabiya");
    let same =
        ["compare", "--position", "startpos", "--depth", "2", "--json", "--", command, "uci"];
    let agrees = schemas.check(&run(&same));
    assert_eq!(agrees["verdict"], "agrees");
    assert_eq!(*schemas.seen(), schemas.names());
}

#[test]
fn objects_of_stopped_commands_conform_to_their_schemas() {
    let mut schemas = Schemas::read();
    let home = directory("objects-stopped");
    let file = |name: &str| home.join(name).to_str().unwrap().to_owned();
    let (suite, checkpoint, frontier) = (file("deep.epd"), file("start-9"), file("deep.zst"));
    let deep = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D30 1\n";
    std::fs::write(&suite, deep).unwrap();
    let calls: [&[&str]; 8] = [
        &["perft", "20", "--hash", "16"],
        &["perft", "15", "--categories"],
        &["perft", "9", "--distinct", "--memory", "64M"],
        &["perft", "9", "--checkpoint", &checkpoint, "--split", "3"],
        &["estimate", "30", "--samples", "100000000000"],
        &["suite", &suite],
        &["frontier", "9", "--memory", "64M", "--output", &frontier],
        &["bench", "--seconds", "10000"],
    ];
    for call in calls {
        let mut command = command();
        command.args(call).arg("--json").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        wait_until_it_works(&child, Duration::from_millis(300));
        if call.contains(&checkpoint.as_str()) {
            // Check the status of a running count. There is no file until the count has been
            // planned.
            let mut statuses = (0..600).map(|_| {
                std::thread::sleep(Duration::from_millis(100));
                run(&["status", &checkpoint, "--json"])
            });
            let status = statuses.find(|status| status.code == Some(0));
            let status = schemas.check(&status.expect("the count begins"));
            assert!(status["running"].is_object(), "{status}");
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
        let printed = Run::from(child.wait_with_output().unwrap());
        assert_eq!(printed.code, Some(130), "{call:?}: {printed:?}");
        assert_eq!(schemas.check(&printed)["complete"], false, "{call:?}");
    }
}
