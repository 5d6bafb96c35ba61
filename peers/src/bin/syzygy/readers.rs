//! The three readers, each with its own positions.

use std::path::{Path, PathBuf};

use pyrrhic_rs::{EngineAdapter, TableBases, WdlProbeResult};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, PositionError};
use shakmaty_syzygy::Tablebase;
use tabiya::{Color, Position, Role};
use tabiya_syzygy::{Folder, Tables};

/// The answers to all positions, as numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Answers(Vec<i32>);

/// A library with its tables and positions.
pub(super) trait Reader {
    fn name(&self) -> &'static str;
    fn close(&mut self);
    fn open(&mut self) -> Result<(), String>;
    fn wdl(&self) -> Answers;
    fn has_distances(&self) -> bool {
        true
    }
    fn dtz(&self) -> Answers;
}

pub(super) fn all(folder: &Path, positions: &[Position]) -> Result<Vec<Box<dyn Reader>>, String> {
    let folder = folder.to_owned();
    let shakmaty = |position: &Position| -> Chess {
        let fen: Fen = position.fen().to_string().parse().expect("a FEN");
        // It refuses some checks that no move can have given.
        let position = fen.into_position(CastlingMode::Standard);
        position.or_else(PositionError::ignore_impossible_check).expect("a playable position")
    };
    let mut readers: [Box<dyn Reader>; 3] = [
        Box::new(OfTabiya { folder: folder.clone(), positions: positions.to_vec(), tables: None }),
        Box::new(OfShakmaty {
            folder: folder.clone(),
            positions: positions.iter().map(shakmaty).collect(),
            tables: None,
        }),
        Box::new(OfPyrrhic {
            folder,
            positions: positions.iter().map(Words::of).collect(),
            tables: None,
        }),
    ];
    for reader in &mut readers {
        reader.open()?;
    }
    Ok(readers.into_iter().collect())
}

struct OfTabiya {
    folder: PathBuf,
    positions: Vec<Position>,
    tables: Option<Tables<Folder>>,
}

impl Reader for OfTabiya {
    fn name(&self) -> &'static str {
        "tabiya-syzygy"
    }

    fn close(&mut self) {
        self.tables = None;
    }

    fn open(&mut self) -> Result<(), String> {
        let folder = Folder::open(&self.folder).map_err(|error| error.to_string())?;
        self.tables = Some(Tables::new(folder));
        Ok(())
    }

    fn wdl(&self) -> Answers {
        let tables = self.tables.as_ref().expect("open tables");
        let of = |position| tables.wdl(position).expect("a value") as i32;
        Answers(self.positions.iter().map(of).collect())
    }

    fn dtz(&self) -> Answers {
        let tables = self.tables.as_ref().expect("open tables");
        let of = |position| tables.dtz(position).expect("a distance").plies();
        Answers(self.positions.iter().map(of).collect())
    }
}

struct OfShakmaty {
    folder: PathBuf,
    positions: Vec<Chess>,
    tables: Option<Tablebase<Chess>>,
}

impl Reader for OfShakmaty {
    fn name(&self) -> &'static str {
        "shakmaty-syzygy"
    }

    fn close(&mut self) {
        self.tables = None;
    }

    fn open(&mut self) -> Result<(), String> {
        // SAFETY: nobody changes the tables.
        let mut tables = unsafe { Tablebase::with_mmap_filesystem() };
        tables.add_directory(&self.folder).map_err(|error| error.to_string())?;
        self.tables = Some(tables);
        Ok(())
    }

    fn wdl(&self) -> Answers {
        let tables = self.tables.as_ref().expect("open tables");
        let of = |position| i8::from(tables.probe_wdl_after_zeroing(position).expect("a value"));
        Answers(self.positions.iter().map(|position| i32::from(of(position))).collect())
    }

    fn dtz(&self) -> Answers {
        let tables = self.tables.as_ref().expect("open tables");
        let of = |position| tables.probe_dtz(position).expect("a distance").ignore_rounding().0;
        Answers(self.positions.iter().map(of).collect())
    }
}

/// A position as pyrrhic-rs takes it: the sets of both colours and of all roles.
struct Words {
    colors: [u64; 2],
    roles: [u64; 6],
    is_white: bool,
}

impl Words {
    fn of(position: &Position) -> Self {
        let board = position.board();
        Self {
            colors: Color::ALL.map(|color| board.color(color).0),
            roles: Role::ALL.map(|role| board.role(role).0),
            is_white: position.turn() == Color::White,
        }
    }
}

/// The attacks of cozy-chess, as in the README of pyrrhic-rs.
#[derive(Clone)]
struct Attacks;

fn square(square: u64) -> cozy_chess::Square {
    cozy_chess::Square::index(square as usize)
}

impl EngineAdapter for Attacks {
    fn pawn_attacks(color: pyrrhic_rs::Color, at: u64) -> u64 {
        let color = match color {
            pyrrhic_rs::Color::Black => cozy_chess::Color::Black,
            pyrrhic_rs::Color::White => cozy_chess::Color::White,
        };
        cozy_chess::get_pawn_attacks(square(at), color).0
    }

    fn knight_attacks(at: u64) -> u64 {
        cozy_chess::get_knight_moves(square(at)).0
    }

    fn bishop_attacks(at: u64, occupied: u64) -> u64 {
        cozy_chess::get_bishop_moves(square(at), cozy_chess::BitBoard(occupied)).0
    }

    fn rook_attacks(at: u64, occupied: u64) -> u64 {
        cozy_chess::get_rook_moves(square(at), cozy_chess::BitBoard(occupied)).0
    }

    fn queen_attacks(at: u64, occupied: u64) -> u64 {
        Self::bishop_attacks(at, occupied) | Self::rook_attacks(at, occupied)
    }

    fn king_attacks(at: u64) -> u64 {
        cozy_chess::get_king_moves(square(at)).0
    }
}

struct OfPyrrhic {
    folder: PathBuf,
    positions: Vec<Words>,
    tables: Option<TableBases<Attacks>>,
}

impl Reader for OfPyrrhic {
    fn name(&self) -> &'static str {
        "pyrrhic-rs"
    }

    fn close(&mut self) {
        self.tables = None;
    }

    fn open(&mut self) -> Result<(), String> {
        // It has one set of tables for the whole process.
        self.tables = None;
        let tables = TableBases::new(self.folder.to_string_lossy());
        self.tables = Some(tables.map_err(|error| format!("{error:?}"))?);
        Ok(())
    }

    fn wdl(&self) -> Answers {
        let tables = self.tables.as_ref().expect("open tables");
        let of = |position: &Words| {
            let Words { colors: [white, black], roles: [p, n, b, r, q, k], is_white } = *position;
            match tables.probe_wdl(white, black, k, q, r, b, n, p, 0, is_white).expect("a value") {
                WdlProbeResult::Loss => -2,
                WdlProbeResult::BlessedLoss => -1,
                WdlProbeResult::Draw => 0,
                WdlProbeResult::CursedWin => 1,
                WdlProbeResult::Win => 2,
            }
        };
        Answers(self.positions.iter().map(of).collect())
    }

    /// It has distances only together with a move.
    fn has_distances(&self) -> bool {
        false
    }

    fn dtz(&self) -> Answers {
        Answers::default()
    }
}
