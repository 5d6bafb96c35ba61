//! Properties that must hold for any input.
//!
//! Each function takes bytes from a fuzzer, and panics if a property does not hold.

pub mod inputs;

use std::collections::{BTreeMap, HashSet};

use tabiya::epd::Epd;
use tabiya::fen::EnPassantMode;
use tabiya::movegen::{
    Captures, CheckFacts, Evasions, Kind, Legal, PseudoLegal, QuietChecks, Quiets,
};
use tabiya::packed::PackedIdentity;
use tabiya::polyglot::{Book, Entry};
use tabiya::{
    Bitboard, CastlingMode, Move, MoveList, Notation, PackedPosition, Position, San, Setup, Square,
};
use tabiya_perft::suite::{self, ReadOptions};
use tabiya_perft::{Category, Engine, Isa, Options, categories, reference_perft};
use tabiya_pgn::form::{ByteByByte, Swar, in_form};
use tabiya_pgn::{
    Chunks, GameTree, Input, NodeId, Place, Played, Reader, Replay, Token, WriteError,
    WriteOptions, Writer,
};
use tabiya_runs::FrontierFile;
use tabiya_views::InputError;
use tabiya_views::calculator::{CalculatedStep, Function, calculate};

/// A text is either refused with an error that points into it, or a position that can be written
/// and played.
pub fn fen(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match Position::from_fen(text) {
        Err(error) => {
            let span = error.span();
            assert!(text.get(span.clone()).is_some(), "{text:?}: {span:?}");
            assert!(!error.to_string().is_empty());
            let Ok(setup) = Setup::from_fen(text) else { return };
            for mv in setup.pseudo_legal_moves() {
                assert!(!setup.san(mv).to_string().is_empty());
                assert_ne!(setup.play(mv).turn, setup.turn);
            }
        }
        Ok(position) => {
            let written = position.fen().to_string();
            assert_eq!(Position::from_fen(&written).as_ref(), Ok(&position), "{text:?}");
            assert_eq!(position.key(), position.key_from_scratch(), "{text:?}");
            assert_eq!(position.mirrored().mirrored(), position, "{text:?}");
            all_agree(&position);
        }
    }
}

/// A game: the first byte selects a start position of Chess960, and each other byte a move.
pub fn games(input: &[u8]) {
    let Some((&first, choices)) = input.split_first() else { return };
    let mut position = start(first);
    let mut texts: Vec<Vec<String>> = Vec::new();
    for &choice in choices.iter().take(300) {
        all_agree(&position);
        let moves = position.legal_moves();
        // These texts are moves of the same side, from two plies ago. Some of them are no longer
        // legal.
        let now: Vec<String> = moves.iter().map(|&mv| position.san(mv).to_string()).collect();
        for text in texts.iter().flatten().chain(&now) {
            san_is_played_as_it_is_read(&position, text.as_bytes());
        }
        texts.push(now);
        if texts.len() > 2 {
            texts.remove(0);
        }
        let Some(&mv) = moves.get(usize::from(choice) % moves.len().max(1)) else { return };
        position = position.play(mv);
    }
}

/// The text of a move, after a line with a FEN.
pub fn moves(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen).unwrap_or(Position::START);
    match position.parse_uci(text) {
        Ok(mv) => assert!(position.is_legal(mv), "{fen:?} {text:?}"),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// An opening book and packed positions. The bytes may be a book that is not sorted.
pub fn data(input: &[u8]) {
    let position = start(input.first().copied().unwrap_or_default());
    let sorted = Book::new(input);
    if let Ok(book) = Book::trusted(input) {
        // Make the first entry about a known position.
        let mut entries: Vec<Entry> = book.entries().collect();
        if let Some(entry) = entries.first_mut() {
            entry.key = position.polyglot_key();
        }
        entries.sort_by_key(|entry| entry.key);
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        let book = Book::new(&bytes).expect("it is sorted");
        assert_eq!(book.find(position.polyglot_key()).is_empty(), entries.is_empty());
        for found in book.moves(&position) {
            match found {
                Ok(found) => assert!(position.is_legal(found.mv)),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        book.pick(&position, u64::MAX);
    }
    if let Err(error) = sorted {
        assert!(!error.to_string().is_empty());
    }
    for bytes in input.as_chunks().0 {
        let packed = PackedPosition::from_bytes(*bytes);
        match packed.unpack() {
            Ok(position) => {
                assert_eq!(PackedPosition::of(&position).to_bytes(), *bytes);
                all_agree(&position);
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        // Damage a valid position.
        let mut damaged = PackedPosition::of(&position).to_bytes();
        damaged[usize::from(bytes[0] % 32)] = bytes[1];
        damaged[usize::from(bytes[2] % 32)] = bytes[3];
        if let Ok(position) = PackedPosition::from_bytes(damaged).unpack() {
            assert_eq!(PackedPosition::of(&position).to_bytes(), damaged);
        }
    }
    for &bytes in input.as_chunks().0 {
        assert!(Move::from_bytes(bytes).is_none_or(|mv| mv.to_bytes() == bytes));
    }
}

/// The text of a move in any notation, after a line with a FEN.
pub fn san(input: &[u8]) {
    if let Err(error) = San::from_ascii(input) {
        assert!(error.span().end <= input.len(), "{input:?}");
    }
    san_is_played_as_it_is_read(&Position::START, input);
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    let position = Position::from_fen(fen).unwrap_or(Position::START);
    san_is_played_as_it_is_read(&position, text.as_bytes());
    match position.parse_san_reporting(text) {
        Ok((mv, leniencies)) => {
            assert!(position.is_legal(mv), "{fen:?} {text:?}");
            let is_strict = position.san(mv).text().as_str() == text;
            assert_eq!(leniencies.is_empty(), is_strict, "{fen:?} {text:?}");
            assert_eq!(position.parse_san_strict(text).is_ok(), is_strict, "{fen:?} {text:?}");
        }
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{text:?}: {:?}", error.span());
            assert!(!error.to_string().is_empty());
        }
    }
    match position.parse_move(text) {
        Ok(mv) => assert!(position.is_legal(mv), "{fen:?} {text:?}"),
        Err(error) => assert!(text.get(error.span()).is_some(), "{text:?}: {error:?}"),
    }
}

/// An expression of the calculator, after a line with a FEN. It is either refused with an error
/// that points into it, or each part has the value that follows from its operands. The part has the
/// same value as an expression of its own.
pub fn calculator(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let (fen, text) = text.split_once('\n').unwrap_or(("", text));
    let scene = Position::from_fen(fen).unwrap_or(Position::START).into();
    let sets = [("A", Bitboard(0x8142_2418_1824_4281)), ("my-set", Square::E4.bitboard())];
    let sets: BTreeMap<String, Bitboard> =
        sets.into_iter().map(|(name, set)| (name.to_owned(), set)).collect();
    let steps = match calculate(text, &sets, &scene) {
        Ok(steps) => steps,
        Err(error) => {
            assert!(text.get(error.span()).is_some(), "{text:?}: {:?}", error.span());
            assert!(!error.to_string().is_empty());
            assert!(error.hint().is_none_or(|hint| !hint.is_empty()));
            return;
        }
    };
    assert!(!steps.is_empty(), "{text:?}");
    for (index, step) in steps.iter().enumerate() {
        assert_eq!(text.get(step.span.clone()), Some(step.text.as_str()), "{text:?} {step:?}");
        assert!(step.operands.iter().all(|&operand| operand < index), "{text:?} {step:?}");
        if let Some(expected) = value_of(step, &steps) {
            assert_eq!(step.value, expected, "{text:?} {step:?}");
        }
    }
    // An expression may have a thousand parts, so only some are tested.
    for step in steps.iter().rev().take(20) {
        let alone = calculate(&step.text, &sets, &scene);
        let alone = alone.unwrap_or_else(|error| panic!("{text:?} {step:?}: {error}"));
        let last = alone.last().expect("it has a value");
        assert_eq!((last.value, last.kind), (step.value, step.kind), "{text:?} {step:?}");
    }
}

/// The result of an operator; `None` for functions and for steps without operands.
fn value_of(step: &CalculatedStep, steps: &[CalculatedStep]) -> Option<u64> {
    if Function::find(step.operation).is_some() {
        return None;
    }
    match *step.operands {
        [a] => {
            let a = steps[a].value;
            match step.operation {
                "~" | "!" => Some(!a),
                "-" => Some(a.wrapping_neg()),
                other => panic!("{other} is not an operator of one operand"),
            }
        }
        [a, b] => {
            let (a, b) = (steps[a].value, steps[b].value);
            match step.operation {
                "&" => Some(a & b),
                "|" => Some(a | b),
                "^" => Some(a ^ b),
                "+" => Some(a.wrapping_add(b)),
                "-" => Some(a.wrapping_sub(b)),
                "*" => Some(a.wrapping_mul(b)),
                "<<" => Some(a << b),
                ">>" => Some(a >> b),
                other => panic!("{other} is not an operator of two operands"),
            }
        }
        _ => None,
    }
}

/// A line of EPD is either refused with an error that points into it, or written in a form that
/// reads back equal.
pub fn epd(input: &[u8]) {
    let Ok(line) = std::str::from_utf8(input) else { return };
    match Epd::read(line) {
        Err(error) => {
            assert!(line.get(error.span()).is_some(), "{line:?}: {:?}", error.span());
            assert!(!error.to_string().is_empty());
        }
        Ok(epd) => {
            let written = epd.to_string();
            let again = Epd::read(&written);
            let again = again.unwrap_or_else(|error| panic!("{line:?} {written:?}: {error}"));
            assert_eq!(again.position(), epd.position(), "{line:?}");
            assert_eq!(again.to_string(), written, "{line:?}");
            for moves in [epd.best_moves(), epd.avoid_moves()].into_iter().flatten() {
                for mv in moves.resolve(epd.position()).chain(moves.play(epd.position())) {
                    assert!(line.get(mv.span.clone()).is_some(), "{line:?}: {mv:?}");
                }
            }
        }
    }
}

/// A file of games. All forms of the reader, bytes, streams and parts yield the same as reading
/// byte by byte. Errors point into the file, legal moves can be played, and the written games are
/// read without an error.
pub fn pgn(input: &[u8]) {
    let mut replay = Replay::new();
    let mut writer = Writer::new(Vec::new());
    // The number of variations around the token, in a game.
    let mut depth = None;
    // This reader takes no fast path.
    let plain = said(in_form::<ByteByByte, _>(Reader::from_bytes(input)), |token| {
        let played = replay.play(token);
        if let Ok(Played::Move(mv)) = played {
            assert!(replay.before().is_legal(mv), "{:?} {mv}", replay.before());
        }
        // After an error, too, what is open is closed before the next game.
        depth = match (depth, token) {
            (None, Token::GameStart) => Some(0_usize),
            (Some(0), Token::GameEnd) => None,
            (Some(depth), Token::VariationStart) => Some(depth + 1),
            (Some(depth), Token::VariationEnd) => Some(depth - 1),
            (None, Token::Remark(_)) => None,
            (Some(depth), token) if !matches!(token, Token::GameStart | Token::GameEnd) => {
                Some(depth)
            }
            (depth, token) => panic!("{depth:?} {token:?}"),
        };
        let is_skipped = !matches!(played, Ok(played) if played != Played::Skipped);
        assert!(is_skipped || replay.depth() == depth.unwrap_or(0));
        let _ = writer.token(token);
    });
    for line in &plain {
        let place = line.place;
        assert!(place.byte <= input.len() as u64 && place.line >= 1 && place.column >= 1);
    }
    assert_eq!(said(Reader::from_bytes(input), |_| ()), plain, "bytes");
    assert_eq!(said(Reader::new(input), |_| ()), plain, "a stream");
    assert_eq!(said(in_form::<Swar, _>(Reader::from_bytes(input)), |_| ()), plain, "eight bytes");
    let mut chunks = Chunks::new(input, 1 + input.first().map_or(0, |&byte| usize::from(byte)));
    let mut parts = Vec::new();
    while let Some(chunk) = chunks.next_chunk().expect("bytes can be read") {
        parts.extend(said(Reader::part(&chunk.bytes, chunk.start, chunk.games_before), |_| ()));
    }
    assert_eq!(parts, plain, "parts");
    let written = std::mem::take(writer.get_mut());
    assert!(Reader::from_bytes(&written).all(|token| token.is_ok()));
}

/// A token or an error of a reader.
#[derive(Debug, PartialEq, Eq)]
struct Said {
    text: String,
    place: Place,
    game: u64,
}

/// All tokens and errors of a reader.
fn said<I: Input>(mut reader: Reader<I>, mut each: impl FnMut(&Token<'_>)) -> Vec<Said> {
    let mut all = Vec::new();
    loop {
        let text = match reader.next_token() {
            Ok(None) => return all,
            Ok(Some(token)) => {
                each(&token);
                format!("{token:?}")
            }
            Err(error) => format!("{error} in game {}", error.game()),
        };
        all.push(Said { text, place: reader.place(), game: reader.game() });
    }
}

/// Reading any file ends without a panic, and errors point into the text.
pub fn files(input: &[u8]) {
    let suite = suite::read(input, &ReadOptions::default());
    for error in suite.errors {
        assert!(error.text.get(error.span()).is_some(), "{:?}", error.text);
    }
    if let Ok(frontier) = FrontierFile::open(input) {
        frontier.for_each(drop);
    }
    for bytes in input.as_chunks::<{ PackedIdentity::BYTES }>().0 {
        let packed = PackedIdentity::from_bytes(*bytes);
        if let Ok(position) = packed.unpack(CastlingMode::Chess960, 1) {
            assert_eq!(PackedIdentity::of(&position), packed);
        }
    }
}

/// `play_san` plays the move that `parse_san` reads, or changes nothing.
fn san_is_played_as_it_is_read(position: &Position, text: &[u8]) {
    let untouched = start(7);
    let mut after = untouched.clone();
    let played = position.play_san(text, &mut after);
    let found = San::from_ascii(text).and_then(|san| position.find_san(&san));
    assert_eq!(played, found, "{position:?} {text:?}");
    if let Ok(text) = std::str::from_utf8(text) {
        assert_eq!(played.ok(), position.parse_san(text).ok(), "{position:?} {text:?}");
    }
    let expected = played.map_or(untouched, |mv| position.play(mv));
    assert_eq!(after, expected, "{position:?} {text:?}");
    assert_eq!(after.key(), expected.key(), "{position:?} {text:?}");
    // Packed positions also contain the clocks and the last double push.
    let packed = [&after, &expected].map(|it| PackedPosition::of(it).to_bytes());
    assert_eq!(packed[0], packed[1], "{position:?} {text:?}");
}

fn start(number: u8) -> Position {
    Position::chess960(u16::from(number) * 3 % 960).expect("the number is below 960")
}

/// Checks that all results that tabiya computes in several ways agree.
fn all_agree(position: &Position) {
    let moves = position.legal_moves();
    assert_eq!(position.count_legal(), moves.len(), "{position:?}");
    assert_eq!(position.has_legal_move(), !moves.is_empty(), "{position:?}");
    let distinct: HashSet<u16> = moves.iter().map(|mv| mv.bits()).collect();
    assert_eq!(distinct.len(), moves.len(), "{position:?}");

    kinds_agree(position, &moves);
    let facts = CheckFacts::of(position);
    let mut changing = position.clone();
    for &mv in &moves {
        let after = position.play(mv);
        assert_eq!(after.key(), after.key_from_scratch(), "{position:?} {mv}");
        assert_eq!(facts.gives_check(position, mv), after.is_check(), "{position:?} {mv}");
        assert!(position.explain_move(mv).is_legal(), "{position:?} {mv}");
        let text = position.uci(mv).to_string();
        assert_eq!(position.parse_uci(&text), Ok(mv), "{position:?} {text}");
        for notation in Notation::ALL {
            let text = position.move_text(mv, notation);
            assert_eq!(position.parse_move(&text), Ok(mv), "{position:?} {text}");
        }
        assert_eq!(position.parse_san_strict(&position.san(mv).text()), Ok(mv), "{position:?}");
        let undo = changing.make(mv);
        assert_eq!(changing, after, "{position:?} {mv}");
        changing.unmake(mv, undo);
        assert_eq!(&changing, position, "{position:?} {mv}");
    }
    for mode in [EnPassantMode::Always, EnPassantMode::Legal] {
        let fen = position.to_setup_with(mode).fen().to_string();
        assert_eq!(Position::from_fen(&fen).as_ref(), Ok(position), "{fen}");
    }
    counters_agree(position);
}

fn kinds_agree(position: &Position, moves: &MoveList) {
    let (captures, quiets) = (list::<Captures>(position), list::<Quiets>(position));
    assert!(captures.is_disjoint(&quiets), "{position:?}");
    assert_eq!(&captures | &quiets, list::<Legal>(position), "{position:?}");
    let evasions = if position.is_check() { list::<Legal>(position) } else { HashSet::new() };
    assert_eq!(list::<Evasions>(position), evasions, "{position:?}");
    let generator = position.generator();
    let pseudo = MoveList::of::<PseudoLegal<Legal>>(position);
    let kept = pseudo.iter().filter(|&&mv| generator.allows(mv)).count();
    assert_eq!(kept, moves.len(), "{position:?}");
    let checks = list::<QuietChecks>(position);
    for mv in moves {
        let quiet = !mv.is_capture() && !mv.is_promotion();
        let expected = quiet && position.play(*mv).is_check();
        if quiet {
            assert_eq!(checks.contains(&mv.bits()), expected, "{position:?} {mv}");
        }
    }
}

fn list<K: Kind>(position: &Position) -> HashSet<u16> {
    MoveList::of::<K>(position).iter().map(|mv| mv.bits()).collect()
}

/// Checks that the fast counters, the categories and the reference perft agree.
fn counters_agree(position: &Position) {
    let expected = reference_perft(position, 2);
    for isa in Isa::ALL.into_iter().filter(|isa| isa.is_available()) {
        let engine = Engine::new(Options { isa, ..Options::default() });
        assert_eq!(engine.count(position, 2), Ok(expected.into()), "{position:?} by {isa}");
    }
    let found = categories(position, 1, &Options::default(), &()).categories;
    let count = |test: &dyn Fn(&Position) -> bool| {
        position.legal_moves().iter().filter(|&&mv| test(&position.play(mv))).count() as u128
    };
    assert_eq!(found[Category::Checks], count(&Position::is_check), "{position:?}");
    assert_eq!(found[Category::Checkmates], count(&Position::is_checkmate), "{position:?}");
    assert_eq!(found[Category::Stalemates], count(&Position::is_stalemate), "{position:?}");
}

/// A file of games: each of them as a tree is written and read again as an equal tree, its moves are
/// legal, and changes keep it whole.
pub fn tree(input: &[u8]) {
    let mut sum: Option<GameTree> = None;
    for tree in Reader::from_bytes(input).trees() {
        let Ok(mut tree) = tree else { return };
        for problem in tree.problems() {
            assert!(tree.contains(problem.node));
            assert!(problem.place.byte <= input.len() as u64);
        }
        tree_is_kept(&tree);
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(id) = walk.next() {
            match tree.mv(id) {
                Some(mv) => assert!(walk.before().is_legal(mv)),
                None => assert!(!walk.before().is_check()),
            }
        }
        // The input decides on changes, too.
        for (index, &byte) in input.iter().enumerate().take(20) {
            let nodes: Vec<NodeId> = tree.all().collect();
            let id = nodes[(index * 31 + usize::from(byte)) % nodes.len()];
            match byte % 6 {
                0 => tree.promote(id),
                1 => tree.demote(id),
                2 => tree.make_main_line(id),
                3 if byte > 200 => tree.delete(id),
                4 => tree.set_command(id, "clk", Some("0:01:02")).expect("there is room"),
                _ => tree.set_command(id, "clk", None).expect("there is room"),
            }
        }
        let mut compact = tree.clone();
        compact.compact();
        assert!(compact == tree);
        let lines = tree.ends().map(|end| tree.line(end).len() - 1);
        assert!(lines.sum::<usize>() + 1 >= tree.len());
        if let Some(sum) = &mut sum
            && sum.merge(&tree).is_ok()
        {
            assert!(tree.ends().all(|end| !sum.find(&tree.position(end)).is_empty()));
        } else {
            sum = Some(tree);
        }
    }
}

/// The tree is read back as it is written, unless a part is too long for the format.
fn tree_is_kept(tree: &GameTree) {
    // A glyph begins no game, so without tags it would be lost.
    if tree.tags().next().is_none() && tree.nags(NodeId::ROOT).next().is_some() {
        return;
    }
    let mut options = WriteOptions::default();
    options.sort_tags = false;
    match tree.to_pgn(&options) {
        Ok(text) => {
            let copy = GameTree::read(&mut Reader::from_bytes(text.as_bytes()));
            let copy = copy.expect("it is read from memory").expect("there is a game");
            assert!(copy == *tree, "{text}");
        }
        Err(error) => assert!(matches!(error, WriteError::TooLong | WriteError::TooDeep)),
    }
}
