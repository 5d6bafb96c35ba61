//! Tables with values at random: they have all that the format allows, and nobody needs files.

mod common;

use common::{materials, position, writer};
use tabiya::{Position, SplitMix64};
use tabiya_syzygy::{FiftyMoves, Kind, Material, Memory, TableError, TableFile, Tables, Wdl};

/// All results.
const ALL: [u16; 5] = [0, 1, 2, 3, 4];

/// Tables of some materials and of all that they can become.
fn synthetic(names: &[&str], seed: u64) -> Vec<(TableFile, Vec<u8>)> {
    let mut random = SplitMix64::new(seed);
    let none = Tables::new(Memory::default());
    let mut files: Vec<TableFile> =
        names.iter().flat_map(|name| none.missing(name.parse().unwrap()).unwrap()).collect();
    files.sort_unstable();
    files.dedup();
    files.into_iter().map(|file| (file, writer::table(file, &ALL, &mut random))).collect()
}

fn memory(files: &[(TableFile, Vec<u8>)]) -> Tables<Memory> {
    let mut memory = Memory::default();
    for (file, bytes) in files {
        memory.add(&file.to_string(), bytes.clone()).unwrap();
    }
    Tables::new(memory)
}

#[test]
fn every_position_has_an_answer() {
    for seed in 0..3 {
        let tables = memory(&synthetic(&["KQQvK", "KPvKP", "KPPvK", "KRBvK", "KBBvK"], seed));
        let mut random = SplitMix64::new(seed);
        let (mut cursed, mut long) = (0, 0);
        for material in materials(4) {
            if !tables.missing(material).unwrap().is_empty() {
                continue;
            }
            for _ in 0..300 {
                let position = position(material, &mut random);
                let (wdl, dtz) = (tables.wdl(&position).unwrap(), tables.dtz(&position).unwrap());
                assert_eq!(i32::from(wdl.signum()), dtz.plies().signum(), "{position:?}");
                cursed += u32::from(wdl as i8 == 1);
                long += u32::from(dtz.plies().abs() > 356);
                // What's symmetric for the rules is so for the tables.
                let mirrored = position.mirrored();
                assert_eq!(tables.wdl(&mirrored).unwrap(), wdl, "{position:?}");
                assert_eq!(tables.dtz(&mirrored).unwrap(), dtz, "{position:?}");
            }
        }
        assert!(cursed > 0 && long > 0, "{cursed} {long}");
    }
}

/// Threads share tables.
const _: () = {
    const fn shared<T: Send + Sync>() {}
    shared::<Tables<Memory>>();
    shared::<Tables<tabiya_syzygy::Folder>>();
};

/// Damaged files give wrong answers or errors, but nothing panics and nothing hangs.
#[test]
fn damage_does_no_harm() {
    let mut random = SplitMix64::new(1);
    let files = synthetic(&["KPvKP", "KRBvK", "KBBvK"], 7);
    let mut errors = 0;
    for _ in 0..400 {
        let mut files = files.clone();
        for (_, bytes) in &mut files {
            damage(bytes, &mut random);
        }
        let tables = memory(&files);
        for material in materials(4) {
            if !tables.missing(material).unwrap().is_empty() {
                continue;
            }
            let position = position(material, &mut random);
            for error in [tables.wdl(&position).err(), tables.dtz(&position).err()] {
                errors += u32::from(matches!(error, Some(TableError::Damaged(..))));
            }
            // A line is as long as any at most.
            if let Ok(line) = tables.line(&position, FiftyMoves::Apply) {
                assert!(line.len() <= 1100);
            }
        }
    }
    assert!(errors > 300, "{errors}");
}

/// Changes some bytes, mostly near the beginning, or cuts some off.
fn damage(bytes: &mut Vec<u8>, random: &mut SplitMix64) {
    match random.below(8) {
        0 => bytes.truncate(random.below(bytes.len() + 1)),
        1 => bytes.truncate(random.below(bytes.len() + 1) / 64 * 64 + 16),
        2 => {}
        _ => {
            for _ in 0..1 + random.below(4) {
                let range = [16, 64, 400, usize::MAX][random.below(4)].min(bytes.len());
                bytes[random.below(range)] = random.number() as u8;
            }
        }
    }
}

/// Tables know no captures en passant. If there's no other move, they say stalemate.
#[test]
fn a_forced_capture_en_passant_is_no_stalemate() {
    let only_move = "k7/2K5/1P6/8/3Pp3/4P3/8/8 b - d3 0 1";
    let with_others = "8/k1K5/8/1P6/3Pp3/4P3/8/8 b - d3 0 1";
    for after in ALL {
        let none = Tables::new(Memory::default());
        let files: Vec<(TableFile, Vec<u8>)> = none
            .missing("KPPPvKP".parse().unwrap())
            .unwrap()
            .into_iter()
            .map(|file| {
                let is_after = file.material.to_string() == "KPPvKP";
                let value = if file.kind == Kind::Wdl && is_after { after } else { 2 };
                (file, writer::table(file, &[value], &mut SplitMix64::new(0)))
            })
            .collect();
        let tables = memory(&files);
        let of = |fen| tables.wdl(&Position::from_fen(fen).unwrap()).unwrap();
        assert_eq!(of(only_move), Wdl::ALL[4 - usize::from(after)]);
        assert_eq!(of(with_others), Wdl::ALL[4 - usize::from(after)].max(Wdl::Draw));
    }
}

#[test]
fn errors_name_the_place() {
    let kqk: Material = "KQvK".parse().unwrap();
    let position = position(kqk, &mut SplitMix64::new(5));
    let file = TableFile { material: kqk, kind: Kind::Wdl };
    let says = |bytes: &[u8]| {
        let tables = memory(&[(file, bytes.to_vec())]);
        tables.wdl(&position).unwrap_err().to_string()
    };
    let good = writer::table(file, &ALL, &mut SplitMix64::new(3));
    assert_eq!(
        says(&good[..100]),
        "KQvK.rtbw is damaged: the length isn't one that a table has (at byte 100)"
    );
    let mut other = good.clone();
    other[0] = 0;
    assert_eq!(says(&other), "KQvK.rtbw is damaged: this isn't a table of its kind (at byte 0)");
    let mut order = good;
    order[6] = 0;
    assert_eq!(says(&order), "KQvK.rtbw is damaged: the order of pieces is impossible (at byte 5)");
}
