//! Look-ups in Syzygy tables, compared with shakmaty-syzygy.

#[path = "../../crates/syzygy/tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{position, writer};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;
use tabiya::{Color, Position, Role, SplitMix64};
use tabiya_syzygy::{Folder, Kind, Material, TableFile, Tables};

/// A table for each way of placing pieces, with up to seven of them.
const SHORT: [&str; 7] = ["KPPvKP", "KPPPvK", "KRPvKP", "KBBvKN", "KRBvKN", "KNNvKN", "KQQQvK"];
const LONG: [&str; 5] = ["KRRvKRP", "KPPvKPP", "KQQQQvK", "KPPPPvKP", "KQQQQQvK"];

/// Values that mean nothing, but that both readers must find.
#[test]
fn synthetic_tables() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("syzygy");
    let mut random = SplitMix64::new(61);
    let mut materials: Vec<Material> = Vec::new();
    for name in SHORT.iter().chain(if is_long() { &LONG[..] } else { &[] }) {
        with_captures(name.parse().unwrap(), &mut materials);
    }
    // Distances are defined only if a position and those after its moves agree whether wins are
    // cursed.
    for (results, have_distances) in
        [(&[0, 2, 4][..], true), (&[1, 2, 3], true), (&[0, 1, 2, 3, 4], false)]
    {
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        fs::create_dir_all(&folder).unwrap();
        for &material in &materials {
            let kinds = if have_distances { &[Kind::Wdl, Kind::Dtz][..] } else { &[Kind::Wdl] };
            for &kind in kinds {
                let file = TableFile { material, kind };
                let bytes = writer::table(file, results, &mut random);
                fs::write(folder.join(file.to_string()), bytes).unwrap();
            }
        }
        let (values, distances) = compare(&folder, &materials, 1000, &mut random);
        // Captures that promote need other tables.
        assert!(values > 900 * materials.len(), "{values}");
        assert!(distances > if have_distances { values / 2 } else { 0 }, "{distances}");
    }
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn real_tables() {
    let Some(tables) = common::tables() else { return };
    drop(tables);
    let folder = PathBuf::from(std::env::var_os("TABIYA_SYZYGY").unwrap());
    let materials = common::materials(4);
    let count = if is_long() { 100_000 } else { 500 };
    let (values, distances) = compare(&folder, &materials, count, &mut SplitMix64::new(4));
    assert_eq!((values, distances), (35 * count, 35 * count));
}

fn is_long() -> bool {
    std::env::var_os("TABIYA_LONG_TESTS").is_some()
}

/// Adds a material, and those after captures.
fn with_captures(material: Material, all: &mut Vec<Material>) {
    if all.contains(&material) || material == Material::KINGS {
        return;
    }
    all.push(material);
    // All materials with one piece less, found among all.
    for smaller in Material::all().filter(|smaller| smaller.pieces() + 1 == material.pieces()) {
        let is_part = |smaller: Material| {
            let mut roles = Color::ALL.into_iter().flat_map(|c| Role::ALL.map(|role| (c, role)));
            roles.all(|(color, role)| smaller.count(color, role) <= material.count(color, role))
        };
        if is_part(smaller) || is_part(smaller.swapped()) {
            with_captures(smaller, all);
        }
    }
}

/// Compares values and distances of positions of each material, and returns how many both readers
/// have found.
fn compare(
    folder: &Path,
    materials: &[Material],
    count: usize,
    random: &mut SplitMix64,
) -> (usize, usize) {
    let ours = Tables::new(Folder::open(folder).unwrap());
    let mut theirs = Tablebase::<Chess>::new();
    theirs.add_directory(folder).unwrap();
    let (mut values, mut distances) = (0, 0);
    for &material in materials {
        for _ in 0..count {
            let position = position(material, random);
            let peer = peer(&position);
            if let (Ok(ours), Ok(theirs)) =
                (ours.wdl(&position), theirs.probe_wdl_after_zeroing(&peer))
            {
                assert_eq!(ours as i8, i8::from(theirs), "{position:?}");
                values += 1;
            }
            if let (Ok(ours), Ok(theirs)) = (ours.dtz(&position), theirs.probe_dtz(&peer)) {
                assert_eq!(ours.plies(), theirs.ignore_rounding().0, "{position:?}");
                distances += 1;
            }
        }
    }
    (values, distances)
}

fn peer(position: &Position) -> Chess {
    let fen: Fen = position.fen().to_string().parse().unwrap();
    // It refuses some checks that no move can have given.
    let position = fen.into_position(CastlingMode::Standard);
    position.or_else(PositionError::ignore_impossible_check).unwrap()
}
