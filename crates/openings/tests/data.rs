//! The tables are those that the data gives.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use tabiya::Position;
use tabiya_openings::Opening;

/// Code, name and moves of each line of the data.
fn rows() -> Vec<(String, String, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut rows = Vec::new();
    for volume in ["a", "b", "c", "d", "e"] {
        let text = fs::read_to_string(folder.join(volume).with_extension("tsv")).unwrap();
        for line in text.lines().skip(1) {
            let [eco, name, pgn] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
            let is_number = |word: &&str| word.ends_with('.');
            let moves = pgn.split(' ').filter(|word| !is_number(word)).map(str::to_owned);
            rows.push((eco.to_owned(), name.to_owned(), moves.collect()));
        }
    }
    rows
}

fn positions(moves: &[String]) -> Vec<Position> {
    let mut positions = vec![Position::START];
    for san in moves {
        let position = &positions[positions.len() - 1];
        positions.push(position.play(position.parse_san(san).unwrap()));
    }
    positions
}

#[test]
fn every_line_of_the_data_is_found() {
    let rows = rows();
    assert!(rows.len() > 3500, "{}", rows.len());
    let mut named: HashMap<Position, (String, String)> = HashMap::new();
    for (eco, name, moves) in &rows {
        let positions = positions(moves);
        let last = positions.last().unwrap();
        let opening = Opening::at(last).unwrap_or_else(|| panic!("{name} has no position"));
        assert_eq!((opening.eco(), opening.name()), (eco.as_str(), name.as_str()));
        assert_eq!(Opening::of_line(&positions), Some(opening));
        assert_eq!(named.insert(last.clone(), (eco.clone(), name.clone())), None, "{name}");
    }
    // The plain way gives the same for every position on the way, named or not.
    for (_, _, moves) in rows.iter().step_by(7) {
        for position in positions(moves) {
            let found =
                Opening::at(&position).map(|it| (it.eco().to_owned(), it.name().to_owned()));
            assert_eq!(found.as_ref(), named.get(&position));
        }
    }
    assert_eq!(Opening::COUNT, rows.len());
    for (index, ((eco, name, _), opening)) in rows.iter().zip(Opening::all()).enumerate() {
        assert_eq!((opening.eco(), opening.name()), (eco.as_str(), name.as_str()));
        assert_eq!(opening.index(), index);
        assert_eq!(Opening::from_index(index), Some(opening));
    }
    assert_eq!(Opening::from_index(rows.len()), None);
}

#[test]
fn the_order_of_moves_does_not_matter() {
    let line = |text: &str| {
        let moves: Vec<String> = text.split(' ').map(str::to_owned).collect();
        Opening::of_line(&positions(&moves))
    };
    assert_eq!(line("d4 Nf6 c4 g6 Nc3 d5"), line("c4 Nf6 Nc3 g6 d4 d5"));
    assert_eq!(line("d4 Nf6 c4 g6 Nc3 d5").unwrap().name(), "Grünfeld Defense");
    assert_eq!(
        line("e4 e5 Nf3 Nc6 Bb5 a6 h4 h5 g4").unwrap(),
        line("e4 e5 Nf3 Nc6 Bb5 a6").unwrap()
    );
    assert_eq!(Opening::of_line(&[]), None);
}
