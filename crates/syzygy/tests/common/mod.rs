//! What several tests use.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

pub mod writer;

use std::io::Write;

use tabiya::SplitMix64;
use tabiya::{Color, Position, Role, Setup, Square};
use tabiya_syzygy::{Folder, Material, Tables};

/// The tables of up to four pieces, from the folder that `TABIYA_SYZYGY` names.
pub fn tables() -> Option<Tables<Folder>> {
    let Some(folder) = std::env::var_os("TABIYA_SYZYGY") else {
        let test = std::thread::current();
        let name = test.name().unwrap_or("a test");
        let line = format!("skipped: {name} needs a folder with tables, TABIYA_SYZYGY\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return None;
    };
    let tables = Tables::new(Folder::open(folder).unwrap());
    assert_eq!(tables.files().len(), 70, "all tables of three and four pieces");
    Some(tables)
}

/// Every material of up to this number of pieces.
pub fn materials(pieces: u32) -> Vec<Material> {
    Material::all().filter(|material| material.pieces() <= pieces).collect()
}

/// A position with this material, in either colours and with either side to move. If it has pawns of
/// both colours, a capture en passant is often possible.
pub fn position(material: Material, random: &mut SplitMix64) -> Position {
    loop {
        let mut setup = Setup::EMPTY;
        let material = if random.below(2) == 0 { material } else { material.swapped() };
        setup.turn = Color::ALL[random.below(2)];
        for color in Color::ALL {
            for role in Role::ALL {
                for _ in 0..material.count(color, role) {
                    setup.board.set(Square::ALL[random.below(64)], Some(role.of(color)));
                }
            }
        }
        if Material::of(&setup.board) != material {
            continue;
        }
        if random.below(2) == 0 {
            let rank = if setup.turn == Color::White { 5 } else { 2 };
            setup.en_passant = Square::from_index(8 * rank + random.below(8) as u8);
        }
        if let Ok(position) = Position::from_setup(&setup) {
            return position;
        }
    }
}
