//! Real tables of up to four pieces. They aren't part of this repository: `TABIYA_SYZYGY` names
//! their folder.

mod common;

use common::{materials, position, tables};
use tabiya::{Move, Position, Role, Setup, SplitMix64, Square};
use tabiya_syzygy::{
    Dtz, FiftyMoves, Folder, Kind, Material, Memory, Source, TableError, TableFile, Tables, Wdl,
};

#[test]
fn checksums_find_any_changed_byte() {
    let Some(tables) = tables() else { return };
    let folder = Folder::open(std::env::var_os("TABIYA_SYZYGY").unwrap()).unwrap();
    let mut random = SplitMix64::new(2);
    for file in tables.files() {
        tables.verify(file).unwrap();
        let bytes = folder.read(file).unwrap().to_vec();
        // Behind the magic number, which is checked first.
        for _ in 0..5 {
            let mut bytes = bytes.clone();
            let at = 4 + random.below(bytes.len() - 4);
            bytes[at] ^= 1 << random.below(8);
            let mut memory = Memory::default();
            memory.add(&file.to_string(), bytes).unwrap();
            let damaged = Tables::new(memory).verify(file).unwrap_err();
            assert!(matches!(damaged, TableError::Damaged(..)), "{file}: {damaged}");
        }
    }
}

/// The value of every position is the best of those of its moves, and so is the distance, but for the
/// ply by which it may be rounded.
#[test]
fn values_follow_from_those_of_the_moves() {
    let Some(tables) = tables() else { return };
    let is_long = std::env::var_os("TABIYA_LONG_TESTS").is_some();
    let mut random = SplitMix64::new(3);
    for material in materials(4) {
        let mut checked = 0u64;
        if is_long {
            for_each_position(material, |position| {
                check(&tables, position);
                checked += 1;
            });
        } else {
            for _ in 0..500 {
                check(&tables, &position(material, &mut random));
                checked += 1;
            }
        }
        println!("{material}: {checked} positions");
    }
}

fn check(tables: &Tables<Folder>, position: &Position) {
    let (wdl, dtz) = (tables.wdl(position).unwrap(), tables.dtz(position).unwrap());
    let moves = position.legal_moves();
    if moves.is_empty() {
        let (result, plies) = if position.is_check() { (Wdl::Loss, -1) } else { (Wdl::Draw, 0) };
        assert_eq!((wdl, dtz.plies()), (result, plies), "{position:?}");
        return;
    }
    // With results alone we can't know which wins are cursed by the time that passes, but tables of
    // four pieces have none.
    let children: Vec<(Move, Position)> =
        moves.into_iter().map(|mv| (mv, position.play(mv))).collect();
    let best = children.iter().map(|(_, child)| -tables.wdl(child).unwrap()).max().unwrap();
    assert_eq!(wdl, best, "{position:?}");
    if wdl == Wdl::Draw {
        assert_eq!(dtz, Dtz::DRAW, "{position:?}");
        return;
    }
    // From and to the plies that each move needs.
    let ways = children.iter().filter_map(|(_, child)| {
        let after = tables.dtz(child).unwrap();
        let keeps = -tables.wdl(child).unwrap() == wdl;
        let zeroing = child.halfmove_clock() == 0 || child.is_checkmate();
        keeps.then(|| if zeroing { (1, 1) } else { (after.plies().abs() + 1, after.at_most() + 1) })
    });
    let (least, most) = if wdl == Wdl::Win {
        ways.reduce(|a, b| (a.0.min(b.0), a.1.min(b.1))).unwrap()
    } else {
        ways.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap()
    };
    let plies = dtz.plies().abs();
    assert!(plies <= most && dtz.at_most() >= least, "{position:?}: {dtz:?}, {least} to {most}");
}

/// Every position of a material, but for those that are the same in a mirror: the first piece is on
/// the left half, and without pawns in the triangle a1-d1-d4.
fn for_each_position(material: Material, mut visit: impl FnMut(&Position)) {
    let pieces: Vec<_> = tabiya::Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| (color, role)))
        .flat_map(|(color, role)| vec![role.of(color); material.count(color, role) as usize])
        .collect();
    let has_pawns = pieces.iter().any(|piece| piece.role == Role::Pawn);
    let mut squares = vec![0u8; pieces.len()];
    loop {
        let (file, rank) = (squares[0] & 7, squares[0] >> 3);
        if file < 4 && (has_pawns || rank <= file) {
            let mut setup = Setup::EMPTY;
            for (&piece, &square) in pieces.iter().zip(&squares) {
                setup.board.set(Square::from_index(square).unwrap(), Some(piece));
            }
            if setup.board.occupied().len() as usize == pieces.len() {
                for turn in tabiya::Color::ALL {
                    setup.turn = turn;
                    for en_passant in en_passant_squares(&setup) {
                        setup.en_passant = en_passant;
                        if let Ok(position) = Position::from_setup(&setup) {
                            visit(&position);
                        }
                    }
                    setup.en_passant = None;
                }
            }
        }
        let Some(at) = squares.iter().position(|&square| square < 63) else { return };
        squares[at] += 1;
        squares[..at].fill(0);
    }
}

/// None, and those that pawns of both colours may make possible.
fn en_passant_squares(setup: &Setup) -> Vec<Option<Square>> {
    let pawns = setup.board.role(Role::Pawn);
    let has_both = tabiya::Color::ALL.iter().all(|&color| pawns.meets(setup.board.color(color)));
    let mut squares = vec![None];
    if has_both {
        let rank = if setup.turn == tabiya::Color::White { 5 } else { 2 };
        squares.extend((0..8).map(|file| Square::from_index(8 * rank + file)));
    }
    squares
}

#[test]
fn known_positions() {
    let Some(tables) = tables() else { return };
    let of = |fen: &str| {
        let position = Position::from_fen(fen).unwrap();
        (tables.wdl(&position).unwrap(), tables.dtz(&position).unwrap().plies())
    };
    assert_eq!(of("8/8/8/8/B7/N7/K2k4/8 b - - 0 1"), (Wdl::Loss, -59));
    assert_eq!(of("4k3/8/8/8/8/8/8/4K3 w - - 0 1"), (Wdl::Draw, 0));
    // A rook's pawn, and a king in its corner.
    assert_eq!(of("k7/8/8/P7/8/8/8/K7 w - - 0 1"), (Wdl::Draw, 0));
    // The queen mates at once; a pawn promotes at once.
    assert_eq!(of("k7/8/1K6/8/8/8/8/6Q1 w - - 0 1"), (Wdl::Win, 1));
    assert_eq!(of("8/P7/8/8/8/7k/8/K7 w - - 0 1"), (Wdl::Win, 1));
    // Mated.
    assert_eq!(of("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"), (Wdl::Loss, -1));
}

#[test]
fn moves_are_ranked_by_the_clock() {
    let Some(tables) = tables() else { return };
    let position =
        |clock| Position::from_fen(&format!("8/8/8/8/B7/N7/K2k4/8 w - - {clock} 80")).unwrap();
    let best = |clock, rule| tables.root_moves(&position(clock), rule).unwrap()[0];
    let now = best(0, FiftyMoves::Apply);
    assert_eq!((now.wdl, now.rank), (Wdl::Win, 1000));
    // Too late: the way to mate is longer than what the clock leaves.
    let late = best(60, FiftyMoves::Apply);
    assert_eq!((late.wdl, late.rank), (Wdl::CursedWin, 1000 - 60 - late.dtz.plies()));
    let ignored = best(60, FiftyMoves::Ignore);
    assert_eq!((ignored.wdl, ignored.rank), (Wdl::Win, 1000));
    let repeated = best(0, FiftyMoves::ApplyAfterRepetition);
    assert_eq!((repeated.wdl, repeated.rank), (Wdl::Win, 1000 - repeated.dtz.plies()));

    let line = tables.line(&position(0), FiftyMoves::Apply).unwrap();
    let plies = line.len() as i32;
    assert!(now.dtz.plies() <= plies && plies <= now.dtz.at_most(), "{plies}");
    let end = line.iter().fold(position(0), |position, &mv| position.play(mv));
    assert!(end.is_checkmate(), "{end:?}");
}

#[test]
fn results_rank_moves_without_distances() {
    let Some(tables) = tables() else { return };
    let folder = Folder::open(std::env::var_os("TABIYA_SYZYGY").unwrap()).unwrap();
    let mut memory = Memory::default();
    for file in tables.files().into_iter().filter(|file| file.kind == Kind::Wdl) {
        memory.add(&file.to_string(), folder.read(file).unwrap().to_vec()).unwrap();
    }
    let results = Tables::new(memory);
    let position = Position::from_fen("8/8/8/4k3/8/8/4P3/3RK3 w - - 0 1").unwrap();
    let file = TableFile { material: Material::of(position.board()), kind: Kind::Dtz };
    assert_eq!(
        results.root_moves(&position, FiftyMoves::Apply).unwrap_err(),
        TableError::Missing(file)
    );
    let moves = results.root_moves_by_wdl(&position, FiftyMoves::Apply).unwrap();
    assert_eq!(moves.len(), position.legal_moves().len());
    assert_eq!(moves[0].rank, 1000);
    assert_eq!(results.pieces(), 4);
    let needed = results.missing("KRvKR".parse().unwrap()).unwrap();
    let names: Vec<String> = needed.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["KRvK.rtbz", "KRvKR.rtbz"]);
    let all = results.missing(Material::of(Position::START.board()));
    assert_eq!(all, Err(TableError::TooManyPieces { found: 32 }));
}
