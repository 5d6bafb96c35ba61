//! The moves of any board, playable or not: without kings, with several, with pawns on the first
//! and last rank, with rights and en-passant squares that mean nothing.
#![cfg(feature = "alloc")]

mod common;

use std::collections::BTreeSet;

use tabiya::fen::EnPassantMode;
use tabiya::movegen::{Legal, PseudoLegal};
use tabiya::{
    CastlingMode, CastlingRights, CastlingSide, Color, File, Move, MoveKind, MoveList, Piece,
    Position, PositionError, Rank, Role, Setup, Square,
};

use common::{Random, games, least, rounds};

fn set(moves: impl IntoIterator<Item = Move>) -> BTreeSet<Move> {
    let moves: Vec<Move> = moves.into_iter().collect();
    let set: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move comes twice in {moves:?}");
    set
}

fn setup(fen: &str) -> Setup {
    Setup::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Any pieces on any squares, few or many, and the other fields at random: some of them as a game
/// could have them.
fn random_setup(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    // Kings are as common as other pieces, rare, or absent.
    let (last, kings) = (random.pick(&[5, 6]), random.below(4));
    for square in random.set() {
        let piece = random.pick(&Role::ALL[..last]).of(random.pick(&Color::ALL));
        setup.board.set(square, Some(piece));
    }
    for _ in 0..kings {
        let king = Role::King.of(random.pick(&Color::ALL));
        let files = [File::E, File::C, File::F];
        let home = Square::new(random.pick(&files), king.color.back_rank());
        let anywhere = random.pick(&Square::ALL);
        setup.board.set(random.pick(&[home, anywhere]), Some(king));
    }
    if random.below(3) == 0 {
        // Only rooks and a king are on the back rank of the side to move.
        let rank = setup.turn.back_rank();
        for (file, role) in File::ALL.into_iter().zip("r   k  r".chars().map(Role::from_letter)) {
            setup.board.set(Square::new(file, rank), role.map(|role| role.of(setup.turn)));
        }
    }
    setup.castling_mode = random.pick(&[CastlingMode::Standard, CastlingMode::Chess960]);
    setup.castling = if random.below(4) == 0 {
        random.set().iter().collect()
    } else {
        let rooks = setup.board.role(Role::Rook).iter();
        rooks.filter(|rook| [Rank::First, Rank::Eighth].contains(&rook.rank())).collect()
    };
    let crossed = random.pick(&Square::ALL);
    setup.en_passant = Some(crossed);
    if random.below(2) == 0 {
        // A pawn has just crossed the square.
        let (file, them) = (crossed.file(), !setup.turn);
        let to = Square::new(file, if them == Color::White { Rank::Fourth } else { Rank::Fifth });
        setup.board.set(to, Some(Role::Pawn.of(them)));
        setup.board.set(Square::new(file, them.double_push_rank()), None);
        setup.board.set(Square::new(file, them.pawn_rank()), None);
        setup.en_passant = Some(Square::new(file, them.double_push_rank()));
    }
    setup.halfmove_clock = random.below(200) as u16;
    setup.fullmove_number = random.below(200) as u16;
    setup
}

/// The same rules, written a second time: step by step, on squares.
struct Plain<'a>(&'a Setup);

impl Plain<'_> {
    fn at(&self, square: Square) -> Option<Piece> {
        self.0.board.piece_on(square)
    }

    fn squares_of(&self, color: Color, role: Role) -> Vec<Square> {
        let is_there = |&square: &Square| self.at(square) == Some(role.of(color));
        Square::ALL.into_iter().filter(is_there).collect()
    }

    /// The squares that a piece on `from` attacks.
    fn attacks(&self, from: Square, piece: Piece) -> Vec<Square> {
        const ROOK: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
        const BISHOP: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];
        let jumps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
        let (lines, most) = match piece.role {
            Role::Pawn => (vec![(-1, forward(piece.color)), (1, forward(piece.color))], 1),
            Role::Knight => (jumps.to_vec(), 1),
            Role::Bishop => (BISHOP.to_vec(), 7),
            Role::Rook => (ROOK.to_vec(), 7),
            Role::Queen => ([ROOK, BISHOP].concat(), 7),
            Role::King => ([ROOK, BISHOP].concat(), 1),
        };
        let mut attacked = Vec::new();
        for (files, ranks) in lines {
            for distance in 1..=most {
                let Some(to) = step(from, files * distance, ranks * distance) else { break };
                attacked.push(to);
                if self.at(to).is_some() {
                    break;
                }
            }
        }
        attacked
    }

    fn is_attacked(&self, square: Square, by: Color) -> bool {
        let attacks = |from: Square| match self.at(from) {
            Some(piece) if piece.color == by => self.attacks(from, piece).contains(&square),
            _ => false,
        };
        Square::ALL.into_iter().any(attacks)
    }

    fn moves(&self) -> BTreeSet<Move> {
        let us = self.0.turn;
        let mut moves = BTreeSet::new();
        for from in Square::ALL {
            let Some(piece) = self.at(from).filter(|piece| piece.color == us) else { continue };
            let is_pawn = piece.role == Role::Pawn;
            let mut add = |to: Square, kind: MoveKind| {
                if is_pawn && to.rank() == (!us).back_rank() {
                    for role in Role::PROMOTIONS {
                        let kind = MoveKind::promotion(role, kind.is_capture());
                        moves.insert(Move::new(from, to, kind.expect("a role to promote to")));
                    }
                } else {
                    moves.insert(Move::new(from, to, kind));
                }
            };
            for to in self.attacks(from, piece) {
                match self.at(to) {
                    Some(victim) if victim.color != us => add(to, MoveKind::Capture),
                    None if !is_pawn => add(to, MoveKind::Quiet),
                    None if self.en_passant() == Some(to) => add(to, MoveKind::EnPassant),
                    _ => {}
                }
            }
            let single = step(from, 0, forward(us)).filter(|&to| self.at(to).is_none());
            if let Some(single) = single.filter(|_| is_pawn) {
                add(single, MoveKind::Quiet);
                let double = step(single, 0, forward(us)).filter(|&to| self.at(to).is_none());
                let may = [us.back_rank(), us.pawn_rank()].contains(&from.rank());
                if let Some(double) = double.filter(|_| may) {
                    add(double, MoveKind::DoublePush);
                }
            }
        }
        moves.extend(self.castling());
        moves
    }

    /// The en-passant square, if a pawn can just have crossed it.
    fn en_passant(&self) -> Option<Square> {
        let (to, them) = (self.0.en_passant?, !self.0.turn);
        let (before, after) = (step(to, 0, -forward(them))?, step(to, 0, forward(them))?);
        let is_free = self.at(to).is_none() && self.at(before).is_none();
        let is_crossed = before.rank() == them.pawn_rank();
        (is_free && is_crossed && self.at(after) == Some(Role::Pawn.of(them))).then_some(to)
    }

    /// The sole king on a side's back rank, and the outermost rooks with a right on both its sides.
    fn rights(&self, color: Color) -> Option<(Square, [Option<Square>; 2])> {
        let on_rank = |square: &Square| square.rank() == color.back_rank();
        let kings: Vec<_> =
            self.squares_of(color, Role::King).into_iter().filter(on_rank).collect();
        let [king] = kings[..] else { return None };
        let is_standard = self.0.castling_mode == CastlingMode::Standard;
        let rooks = self.squares_of(color, Role::Rook).into_iter().filter(on_rank);
        let rooks: Vec<_> = rooks
            .filter(|&rook| self.0.castling.has(rook))
            .filter(|rook| !is_standard || [File::A, File::H].contains(&rook.file()))
            .collect();
        let queen_side = rooks.iter().copied().find(|&rook| rook < king);
        let king_side = rooks.iter().copied().rfind(|&rook| rook > king);
        (!is_standard || king.file() == File::E).then_some((king, [king_side, queen_side]))
    }

    fn castling(&self) -> Vec<Move> {
        let us = self.0.turn;
        let Some((king, rooks)) = self.rights(us) else { return Vec::new() };
        let may = |side: CastlingSide, rook: Square| {
            let path = |from: Square, to: Square| {
                let (low, high) = (from.min(to), from.max(to));
                Square::ALL.into_iter().filter(move |&square| low <= square && square <= high)
            };
            let kings = path(king, side.king_target(us));
            let free = |square| square == king || square == rook || self.at(square).is_none();
            kings.clone().chain(path(rook, side.rook_target(us))).all(free)
                && !kings.chain([king]).any(|square| self.is_attacked(square, !us))
        };
        let sides = CastlingSide::ALL.into_iter().zip(rooks);
        sides
            .filter(|&(side, rook)| rook.is_some_and(|rook| may(side, rook)))
            .map(|(side, _)| Move::new(king, side.king_target(us), MoveKind::castle(side)))
            .collect()
    }

    /// The setup after a move.
    fn play(&self, mv: Move) -> Setup {
        let (us, mut after) = (self.0.turn, self.0.clone());
        let piece = self.at(mv.from()).expect("a piece moves");
        let mut castling = Vec::new();
        for color in Color::ALL {
            castling.extend(self.rights(color).into_iter().flat_map(|(_, rooks)| rooks).flatten());
        }
        let rook = |side: CastlingSide| self.rights(us).and_then(|(_, rooks)| rooks[side as usize]);
        after.board.set(mv.from(), None);
        if let Some(side) = mv.castling() {
            after.board.set(rook(side).expect("a rook castles"), None);
            after.board.set(side.rook_target(us), Some(Role::Rook.of(us)));
        }
        if mv.is_en_passant() {
            after.board.set(Square::new(mv.to().file(), mv.from().rank()), None);
        }
        after.board.set(mv.to(), Some(mv.promotion().unwrap_or(piece.role).of(us)));
        castling.retain(|&rook| {
            rook != mv.from()
                && rook != mv.to()
                && (piece.role != Role::King || rook.rank() != us.back_rank())
        });
        after.castling = castling.into_iter().collect();
        after.turn = !us;
        after.en_passant = (mv.kind() == MoveKind::DoublePush
            && mv.from().rank() == us.pawn_rank())
        .then(|| step(mv.from(), 0, forward(us)))
        .flatten();
        let is_quiet = piece.role != Role::Pawn && !mv.is_capture();
        after.halfmove_clock = if is_quiet { self.0.halfmove_clock + 1 } else { 0 };
        after.fullmove_number += u16::from(us == Color::Black);
        // A right needs its king.
        let rights = |color| Plain(&after).rights(color).into_iter().flat_map(|(_, rooks)| rooks);
        let usable: CastlingRights = Color::ALL.into_iter().flat_map(rights).flatten().collect();
        Setup { castling: usable, ..after }
    }
}

fn forward(color: Color) -> i8 {
    if color == Color::White { 1 } else { -1 }
}

fn step(from: Square, files: i8, ranks: i8) -> Option<Square> {
    let file = File::ALL.get(usize::try_from(from.file() as i8 + files).ok()?)?;
    let rank = Rank::ALL.get(usize::try_from(from.rank() as i8 + ranks).ok()?)?;
    Some(Square::new(*file, *rank))
}

#[test]
fn any_board_has_the_moves_of_plain_rules() {
    let mut random = Random::new(0x616e_7962);
    let (mut castling, mut en_passant, mut captured_kings, mut first_rank) = (0, 0, 0, 0);
    for _ in 0..rounds(3_000) {
        let setup = random_setup(&mut random);
        let fen = setup.fen();
        let plain = Plain(&setup);
        let moves = set(setup.pseudo_legal_moves());
        assert_eq!(moves, plain.moves(), "{fen}");
        let kings = plain.squares_of(setup.turn, Role::King);
        let mut legal = moves.clone();
        for &mv in &moves {
            let after = plain.play(mv);
            assert_eq!(setup.play(mv), after, "{fen} {mv:?}");
            for &king in &kings {
                let king_after = if mv.from() == king { mv.to() } else { king };
                let is_safe = !Plain(&after).is_attacked(king_after, after.turn);
                assert_eq!(setup.keeps_safe(king, mv), is_safe, "{fen} {mv:?} {king}");
                if !is_safe {
                    legal.remove(&mv);
                }
            }
            castling += usize::from(mv.castling().is_some());
            en_passant += usize::from(mv.is_en_passant());
            captured_kings += usize::from(setup.board.role_on(mv.to()) == Some(Role::King));
            first_rank += usize::from(
                mv.kind() == MoveKind::DoublePush && mv.from().rank() == setup.turn.back_rank(),
            );
        }
        let color = setup.turn;
        match setup.legal_moves() {
            Ok(moves) => assert_eq!(set(moves), legal, "{fen}"),
            Err(error) => {
                assert_eq!(error, PositionError::Kings { color, found: kings.len() as u32 });
            }
        }
        assert_eq!(setup.legal_moves().is_ok(), kings.len() < 2, "{fen}");
        let pieces = setup.board.color(color).len();
        match MoveList::of_setup(&setup) {
            Ok(list) => assert_eq!(set(list), moves, "{fen}"),
            Err(error) => {
                assert_eq!(error, PositionError::TooManyPieces { color, found: pieces });
            }
        }
        assert_eq!(MoveList::of_setup(&setup).is_ok(), pieces <= 16, "{fen}");
    }
    for (what, count, expected) in [
        ("castling", castling, 50),
        ("en passant", en_passant, 15),
        ("captured kings", captured_kings, 1_500),
        ("double pushes from the first rank", first_rank, 150),
    ] {
        assert!(count >= least(expected), "{count}: {what}");
    }
}

#[test]
fn a_playable_setup_has_the_moves_of_its_position() {
    let mut random = Random::new(0x7365_7475);
    games::many(20, &mut random, |position: &Position| {
        let setup = position.to_setup_with(EnPassantMode::Always);
        let pseudo_legal = MoveList::of::<PseudoLegal<Legal>>(position);
        assert_eq!(MoveList::of_setup(&setup).as_ref(), Ok(&pseudo_legal), "{position:?}");
        let legal = setup.legal_moves().expect("one king");
        assert_eq!(set(legal), set(position.legal_moves()), "{position:?}");
        for mv in position.legal_moves() {
            let after = position.play(mv).to_setup_with(EnPassantMode::Always);
            assert_eq!(setup.play(mv), after, "{position:?} {mv}");
            assert_eq!(setup.san(mv), position.san(mv), "{position:?} {mv}");
            assert_eq!(setup.lan(mv), position.lan(mv), "{position:?} {mv}");
            assert_eq!(setup.uci(mv), position.uci(mv), "{position:?} {mv}");
        }
        if let Some(passed) = position.play_null() {
            assert_eq!(setup.play_null(), passed.to_setup_with(EnPassantMode::Always));
        }
    });
}

#[test]
fn a_vocabulary_of_moves_has_1968_of_them() {
    // A queen and a knight on each square, and pawns that promote: the moves of a policy network.
    let mut vocabulary = BTreeSet::new();
    for (role, squares) in [(Role::Queen, 0..64), (Role::Knight, 0..64), (Role::Pawn, 48..56)] {
        for square in &Square::ALL[squares] {
            let mut setup = Setup::EMPTY;
            setup.board.set(*square, Some(role.of(Color::White)));
            for file in File::ALL.into_iter().filter(|_| role == Role::Pawn) {
                if file != square.file() {
                    let victim = Square::new(file, Rank::Eighth);
                    setup.board.set(victim, Some(Role::Rook.of(Color::Black)));
                }
            }
            for setup in [setup.mirrored(), setup] {
                vocabulary
                    .extend(setup.pseudo_legal_moves().iter().map(|&mv| setup.uci(mv).to_string()));
            }
        }
    }
    assert_eq!(vocabulary.len(), 1968);
}

#[test]
fn moves_of_unplayable_boards_are_written() {
    for (fen, expected) in [
        // Two kings that reach one square.
        ("8/8/8/8/8/8/8/K1K5 w - - 0 1", "Ka2 Kab1 Kab2 Kcb1 Kcb2 Kc2 Kd1 Kd2"),
        // One of the knights is pinned, so the other needs no file.
        ("4r3/8/8/8/8/8/4N3/N3K3 w - - 0 1", "Nb3 Nc2"),
        // The sole king is in check, mated, or captured.
        ("8/8/8/8/8/2k5/1R6/8 w - - 0 1", "Rb3+ Rc2+"),
        ("k7/2Q5/8/8/8/8/8/R7 w - - 0 1", "Rxa8"),
        ("k7/2Q5/2K5/8/8/8/8/8 w - - 0 1", "Qb7# Qa5+"),
        // Two of the opponent's kings are in check from nothing.
        ("k6k/2Q5/2K5/8/8/8/8/8 w - - 0 1", "Qb7 Qa5"),
        // A capture from the last rank but one, and a pawn on its first rank.
        ("1n6/P7/8/8/8/8/8/3P4 w - - 0 1", "axb8=Q a8=N d2 d3"),
    ] {
        let setup = setup(fen);
        let texts: Vec<_> =
            setup.pseudo_legal_moves().iter().map(|&mv| setup.san(mv).to_string()).collect();
        for text in expected.split(' ') {
            assert!(texts.iter().any(|it| it == text), "{fen}: {text} is not in {texts:?}");
        }
    }
}

#[test]
fn a_list_holds_the_moves_of_sixteen_pieces() {
    for (fen, moves) in [
        ("3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1", 218),
        ("K2K2K1/8/8/K2K2K1/8/8/K2K2K1/8 w - - 0 1", 55),
        ("1n1n1n1n/P1P1P1P1/8/8/8/8/8/8 w - - 0 1", 28 + 16),
    ] {
        let setup = setup(fen);
        let list = MoveList::of_setup(&setup).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(list.len(), moves, "{fen}");
    }
    let error = MoveList::of_setup(&setup("8/8/8/8/8/P7/PPPPPPPP/PPPPPPPP w - - 0 1"));
    assert_eq!(error, Err(PositionError::TooManyPieces { color: Color::White, found: 17 }));
}
