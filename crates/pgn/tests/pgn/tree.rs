//! Trees: read, written, changed.

use tabiya::{Move, Position, SplitMix64};
use tabiya_pgn::{
    EditError, GameTree, MAX_PLIES, NodeId, Placement, ProblemCause, Reader, Termination, Token,
    WriteError, WriteOptions, Writer,
};

use crate::common::{Part, is_short, line};
use crate::random::{damaged, pieces};

/// The first game of a text.
fn tree(text: impl AsRef<[u8]>) -> GameTree {
    GameTree::read(&mut Reader::from_bytes(text.as_ref())).unwrap().expect("there is a game")
}

/// The tags as they are, so that nothing is added.
fn exact() -> WriteOptions {
    let mut options = WriteOptions::default();
    options.sort_tags = false;
    options
}

/// The movetext.
fn moves(tree: &GameTree) -> String {
    let text = tree.to_pgn(&exact()).unwrap();
    let text = text.trim_start_matches('\n');
    let tags = if text.starts_with('[') { text.find("\n\n").unwrap() } else { 0 };
    text[tags..].trim().to_owned()
}

/// A game written and read again is the same game.
fn assert_kept(tree: &GameTree) {
    for width in [10, 79, usize::MAX] {
        let mut options = exact();
        options.width = width;
        let text = tree.to_pgn(&options).unwrap();
        let copy = self::tree(&text);
        assert!(copy.problems().is_empty(), "{:?}\n{text}", copy.problems());
        assert!(copy == *tree, "{text}");
    }
}

/// A game as a plain tree of vectors: the slow way to read, which the arena is compared with.
#[derive(Debug, Default)]
struct Plain {
    mv: String,
    before: Vec<String>,
    after: Vec<String>,
    nags: Vec<u8>,
    children: Vec<Self>,
}

impl Plain {
    /// Reads parts up to the end of the line. `path` leads to the last node.
    fn read(&mut self, parts: &mut impl Iterator<Item = Part>) {
        let mut path: Vec<usize> = Vec::new();
        while let Some(part) = parts.next() {
            match part {
                Part::Close => return,
                Part::Move(mv) => {
                    self.at(&path).children.insert(0, Self { mv, ..Self::default() });
                    path.push(0);
                }
                Part::Nag(nag) => self.at(&path).nags.push(nag),
                Part::Comment(text) => self.at(&path).comment(&text),
                Part::Open => {
                    // The variation is a line from the node before.
                    let mut line = Self::default();
                    line.read(parts);
                    line.children[0].before = line.after;
                    let parent = &path[..path.len() - 1];
                    self.at(parent).nags.extend(line.nags);
                    self.at(parent).children.extend(line.children);
                }
            }
        }
    }

    fn comment(&mut self, text: &str) {
        if !text.trim().is_empty() {
            self.after.push(text.trim().to_owned());
        }
    }

    /// Shows the first node that differs, not all of them.
    fn assert_is(&self, expected: &Self) {
        let short =
            |it: &Self| (it.mv.clone(), it.before.clone(), it.after.clone(), it.nags.clone());
        assert_eq!(short(self), short(expected));
        assert_eq!(self.children.len(), expected.children.len(), "after {}", self.mv);
        self.children.iter().zip(&expected.children).for_each(|(it, other)| it.assert_is(other));
    }

    fn at(&mut self, path: &[usize]) -> &mut Self {
        path.iter().fold(self, |node, &index| &mut node.children[index])
    }

    /// The same from an arena.
    fn of(tree: &GameTree, id: NodeId, position: &Position) -> Self {
        let texts = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::to_owned).collect();
        let child = |child| {
            let mv = tree.mv(child).unwrap();
            let mut plain = Self::of(tree, child, &position.play(mv));
            plain.mv = position.san(mv).to_string();
            plain
        };
        Self {
            mv: String::new(),
            before: texts(&mut tree.comments_before(id)),
            after: texts(&mut tree.comments(id)),
            nags: tree.nags(id).map(|nag| nag.0).collect(),
            children: tree.children(id).map(child).collect(),
        }
    }
}

#[test]
fn random_games_are_kept() {
    let mut random = SplitMix64::new(31);
    let starts = [
        Position::START,
        Position::chess960(7).unwrap(),
        "4k3/P7/8/8/8/8/p7/4K3 b - - 3 60".parse().unwrap(),
    ];
    for game in 0..if is_short() { 60 } else { 600 } {
        let start = &starts[game % 3];
        let mut parts = Vec::new();
        line(&mut random, start, 0, &mut parts);
        let mut writer = Writer::new(Vec::new());
        writer.begin_game();
        for (name, value) in GameTree::from_position(start).tags() {
            writer.tag(name, value).unwrap();
        }
        for part in &parts {
            match part {
                Part::Move(text) => writer.mv(text),
                Part::Nag(nag) => writer.nag(tabiya_pgn::Nag(*nag)),
                Part::Comment(text) => writer.comment(text),
                Part::Open => writer.begin_variation(),
                Part::Close => writer.end_variation(),
            }
            .unwrap();
        }
        writer.end_game(Termination::ALL[game % 4]).unwrap();
        let text = writer.finish().unwrap();
        let tree = tree(&text);
        assert!(tree.problems().is_empty(), "{:?}", tree.problems());

        let mut expected = Plain::default();
        expected.read(&mut parts.into_iter());
        Plain::of(&tree, NodeId::ROOT, start).assert_is(&expected);
        assert_eq!(tree.start().fen().to_string(), start.fen().to_string());
        assert_eq!(tree.result(), Termination::ALL[game % 4]);
        assert_kept(&tree);

        // A stream gives the same, and so do positions on the way.
        assert_eq!(GameTree::read(&mut Reader::new(&text[..])).unwrap().unwrap(), tree);
        let mut walk = tree.walk(NodeId::ROOT);
        let mut nodes = vec![NodeId::ROOT];
        while let Some(id) = walk.next() {
            nodes.push(id);
            if random.below(10) == 0 {
                assert_eq!(*walk.after(), tree.position(id));
                assert_eq!(*walk.before(), tree.position(tree.parent(id).unwrap()));
                assert_eq!(walk.ply(), tree.ply(id));
                assert!(tree.find(walk.after()).contains(&id));
            }
        }
        assert_eq!(nodes, tree.all().collect::<Vec<_>>());
        assert_eq!(nodes.len(), tree.len());
        let mut by_ply: Vec<NodeId> = tree.by_ply().into_iter().flatten().collect();
        by_ply.sort();
        nodes.sort();
        assert_eq!(by_ply, nodes);
    }
}

/// Reads every game of any text, and checks what must hold.
fn check(input: &[u8]) {
    let mut tokens = 0;
    let mut errors = 0;
    for token in Reader::from_bytes(input) {
        match token {
            Ok(Token::GameStart) => tokens += 1,
            Err(error) if error.is_final() => return,
            Err(_) => errors += 1,
            Ok(_) => {}
        }
    }
    let mut games = 0;
    let mut found = 0;
    for tree in Reader::from_bytes(input).trees() {
        let tree = tree.unwrap();
        games += 1;
        for problem in tree.problems() {
            assert!(tree.contains(problem.node));
            assert!(problem.place.byte <= input.len() as u64);
            found += usize::from(matches!(problem.cause, ProblemCause::Text(_)));
        }
        let is_start_broken = tree.problems().iter().any(|problem| match &problem.cause {
            ProblemCause::Replay(error) => error.ply() == 0,
            _ => false,
        });
        if is_start_broken {
            assert_eq!(tree.len(), 1);
        } else {
            assert_kept(&tree);
        }
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(id) = walk.next() {
            match tree.mv(id) {
                Some(mv) => assert!(walk.before().is_legal(mv)),
                None => assert!(!walk.before().is_check()),
            }
        }
        let mut compact = tree.clone();
        compact.compact();
        assert!(compact == tree);
        let mut merged = tree.clone();
        merged.merge(&tree).unwrap();
        // Nothing is new, unless a move stands there twice with different comments.
        assert_eq!(merged.len(), tree.len());
    }
    assert_eq!((games, found), (tokens, errors), "{}", input.escape_ascii());
}

#[test]
fn damaged_games_keep_what_is_right() {
    let mut random = SplitMix64::new(32);
    for _ in 0..if is_short() { 300 } else { 4_000 } {
        check(&damaged(&mut random));
        check(&pieces(&mut random, 60));
    }
}

#[test]
fn the_rest_of_a_line_is_lost_after_an_error_and_no_more() {
    let tree = tree(
        "1. e4 e5 (1... Ke6 2. d4 (2. c4) d5) (1... c5 {a} 2. Bb5 Qq9 3. d4 {b}) {c} 2. Nf3 Nc6 (2... d6) 3. Bxc6 (3. d4) 3... d5 0-1",
    );
    assert_eq!(moves(&tree), "1. e4 e5 {c} (1... c5 {a} 2. Bb5) 2. Nf3 Nc6 (2... d6) 0-1");
    let nodes: Vec<usize> = tree.problems().iter().map(|problem| tree.ply(problem.node)).collect();
    assert_eq!(nodes, [1, 3, 4]);
}

#[test]
fn a_broken_start_position_leaves_the_tags() {
    for text in [
        "[White \"a\"]\n[FEN \"8/8\"]\n\n1. e4 e5 1-0",
        "[White \"a\"]\n[Variant \"Atomic\"]\n\n(1. e4) 1. d4 (1. c4) 1-0",
        "[White \"a\"]\n[FEN \"8/8\"]\n\n1-0",
        "{b} $1 {c}\n[White \"a\"]\n[FEN \"8/8\"]\n\n{d} $2 1. e4 $3 {e} 1-0",
    ] {
        let tree = tree(text);
        let written = tree.to_pgn(&exact()).unwrap();
        assert_eq!(self::tree(&written), tree, "{written}");
        assert_eq!((tree.len(), tree.problems().len()), (1, 1), "{text}");
        assert_eq!(tree.tag("White"), Some("a"));
        assert_eq!(tree.result(), Termination::WhiteWins);
    }
    let tree = tree("[FEN \"8/8\"]\n\n{a} $1 {b} 1. e4 {c} *");
    assert_eq!(moves(&tree), "$1 {a} {b} *");
}

/// A tree holds spaces in place of control characters. So it starts where these say.
#[test]
fn control_characters_in_a_start_position_are_spaces() {
    let tree = tree("[FEN \"4k3/8/8/8/8/8/8/4K3 b -\0- 3 60\"]\n\n60... Ke7 *");
    assert_eq!(tree.tag("FEN"), Some("4k3/8/8/8/8/8/8/4K3 b - - 3 60"));
    assert_eq!(tree.len(), 2);
    assert_kept(&tree);
}

#[test]
fn odd_places_of_variations_and_comments() {
    for (text, expected) in [
        // A variation before the first move is one of the start position.
        ("(1. d4 {x}) 1. e4 *", "1. e4 (1. d4 {x}) *"),
        ("1. e4 ((1. c4) 1. d4 d5) e5 *", "1. e4 (1. c4) (1. d4 d5) 1... e5 *"),
        (
            "1. e4 e5 ({before} 1... c5 {after}) ({only words}) *",
            "1. e4 e5 {only words} ({before} 1... c5 {after}) *",
        ),
        ("{a} {b} 1. e4 $1 {c} $2 (1. d4) {d} *", "{a} {b} 1. e4 $1 $2 {c} {d} (1. d4) *"),
        ("1. e4 { } {} e5 *", "1. e4 e5 *"),
        ("1. e4 e5 (1... e5 2. d4) *", "1. e4 e5 (1... e5 2. d4) *"),
        ("1. e4 -- 2. d4 Z0 (2... e5) *", "1. e4 -- 2. d4 -- (2... e5) *"),
        ("({x} 1. e4 {y} (1. c4)) {z} *", "{z} {x} 1. e4 {y} (1. c4) *"),
        ("1. e4 ;}x\n e5 *", "1. e4 ;}x\n1... e5 *"),
        ("1. e4 e5 (1... c5 *) * $1 {a}\n\n{b}", "1. e4 e5 $1 {a} {b} (1... c5) *"),
        ("1-0\n{a}", "{a} 1-0"),
    ] {
        let tree = tree(text);
        assert_eq!(moves(&tree), expected, "{text}");
        assert_kept(&tree);
    }
    // An unfinished variation keeps its comment, too.
    let tree = tree("1. e4 ({x}");
    assert_eq!(moves(&tree), "1. e4 {x} *");
}

#[test]
fn playing_and_taking_back_needs_no_more_memory() {
    let mut tree = tree("1. e4 e5 (1... Ke3) *");
    let [end, before] = [tree.end(), tree.next(NodeId::ROOT).unwrap()];
    let memory = tree.memory();
    for _ in 0..10 {
        let mv = tree.position(end).parse_move("d4").unwrap();
        let d4 = tree.add(end, mv).unwrap();
        let reply = tree.position(d4).parse_move("d5").unwrap();
        let d5 = tree.add(d4, reply).unwrap();
        tree.delete(d4);
        assert!(!tree.contains(d4) && !tree.contains(d5));
        assert_eq!((tree.memory(), tree.len()), (memory, 3));
    }
    // The problem names a node that is deleted now.
    assert_eq!(tree.problems()[0].node, before);
    tree.delete(before);
    tree.compact();
    assert_eq!((tree.len(), tree.problems()[0].node), (1, NodeId::ROOT));
}

/// Everything that a game can say. Other tests send it through other languages.
const STUDY: &str = include_str!("../languages/study.pgn");

#[test]
fn a_study_is_kept() {
    let trees: Vec<GameTree> =
        Reader::from_bytes(STUDY.as_bytes()).trees().map(Result::unwrap).collect();
    assert_eq!(trees.len(), 3);
    for tree in &trees {
        assert!(tree.problems().is_empty(), "{:?}", tree.problems());
        assert_kept(tree);
    }
    let sum = |count: &dyn Fn(&GameTree, NodeId) -> usize| -> usize {
        trees.iter().flat_map(|tree| tree.all().map(move |node| count(tree, node))).sum()
    };
    assert_eq!(sum(&|tree, node| usize::from(tree.clock(node).is_some())), 5);
    assert_eq!(sum(&|tree, node| usize::from(tree.elapsed(node).is_some())), 2);
    assert_eq!(sum(&|tree, node| usize::from(tree.eval(node).is_some())), 8);
    assert_eq!(sum(&|tree, node| usize::from(tree.is_null(node))), 4);
    assert_eq!(sum(&|tree, node| tree.marks(node).count()), 9);
    assert_eq!(sum(&|tree, node| tree.nags(node).count()), 21);
    assert_eq!(sum(&|tree, node| tree.comments_before(node).count()), 3);
    assert_eq!(sum(&|tree, node| tree.comments(node).count()), 19);
}

#[test]
fn numbers_do_not_depend_on_the_tag() {
    let start: Position = "4k3/8/8/8/8/8/4P3/4K3 b - - 0 30".parse().unwrap();
    let mut tree = GameTree::from_position(&start);
    let d7 = start.parse_move("Kd7").unwrap();
    tree.add(NodeId::ROOT, d7).unwrap();
    assert_eq!(moves(&tree), "30... Kd7 *");
    assert_kept(&tree);
}

/// A plain list of lists, changed in the same way.
fn model(
    random: &mut SplitMix64,
    tree: &mut GameTree,
    model: &mut Vec<Vec<usize>>,
    ids: &mut Vec<NodeId>,
) {
    let node = random.below(ids.len());
    let id = ids[node];
    if !tree.contains(id) {
        return;
    }
    let parent = model.iter().position(|children| children.contains(&node));
    let place = parent.and_then(|it| model[it].iter().position(|&child| child == node));
    match random.below(10) {
        0..=5 => {
            let moves = tree.position(id).legal_moves();
            if moves.is_empty() {
                return;
            }
            let added = tree.add(id, moves[random.below(moves.len().min(4))]).unwrap();
            if !ids.contains(&added) {
                model[node].push(ids.len());
                model.push(Vec::new());
                ids.push(added);
            }
        }
        6 => {
            tree.promote(id);
            if let (Some(parent), Some(place @ 1..)) = (parent, place) {
                model[parent].swap(place, place - 1);
            }
        }
        7 => {
            tree.demote(id);
            if let (Some(parent), Some(place)) = (parent, place)
                && place + 1 < model[parent].len()
            {
                model[parent].swap(place, place + 1);
            }
        }
        8 => {
            tree.promote_to_main(id);
            if let (Some(parent), Some(place)) = (parent, place) {
                let child = model[parent].remove(place);
                model[parent].insert(0, child);
            }
        }
        _ if random.below(4) > 0 || id == NodeId::ROOT => {}
        _ => {
            tree.delete(id);
            if let (Some(parent), Some(place)) = (parent, place) {
                model[parent].remove(place);
            }
            // The tree may use their ids again.
            let never = NodeId::from_index(u32::MAX as usize - 1).unwrap();
            ids.iter_mut().filter(|id| !tree.contains(**id)).for_each(|id| *id = never);
        }
    }
}

#[test]
fn changes_are_those_of_a_plain_tree() {
    let mut random = SplitMix64::new(33);
    for _ in 0..if is_short() { 10 } else { 100 } {
        let mut tree = GameTree::new();
        let (mut children, mut ids) = (vec![Vec::new()], vec![NodeId::ROOT]);
        for _ in 0..200 {
            model(&mut random, &mut tree, &mut children, &mut ids);
            let mut number = 0;
            let mut next = vec![0];
            while let Some(node) = next.pop() {
                number += 1;
                let found: Vec<NodeId> = tree.children(ids[node]).collect();
                let expected: Vec<NodeId> = children[node].iter().map(|&it| ids[it]).collect();
                assert_eq!(found, expected);
                for &child in &children[node] {
                    assert_eq!(tree.parent(ids[child]), Some(ids[node]));
                }
                next.extend(&children[node]);
            }
            assert_eq!(tree.len(), number);
        }
        assert_kept(&tree);
        let mut compact = tree.clone();
        compact.compact();
        assert_eq!(compact, tree);
        // A tree is the sum of its lines.
        let mut lines = tree.ends().map(|end| tree.line(end));
        let mut sum = lines.next().unwrap();
        lines.for_each(|line| sum.merge(&line).unwrap());
        assert_eq!(sum.len(), tree.len());
        let reverse: Vec<NodeId> = tree.ends().collect();
        tree.make_main_line(*reverse.last().unwrap());
        assert_eq!(
            tree.main_line(NodeId::ROOT).last().unwrap_or(NodeId::ROOT),
            *reverse.last().unwrap()
        );
        assert_eq!(tree.len(), compact.len());
    }
}

#[test]
fn mistaken_changes_are_refused() {
    let mut tree = tree("1. e4 f6 2. d4 g5 3. Qh5# *");
    let mate = tree.end();
    let mv = Move::from_bits(0x1234).unwrap();
    assert!(matches!(tree.add(mate, mv), Err(EditError::Illegal(_))));
    assert_eq!(tree.add_null(mate), Err(EditError::NullInCheck));
    assert_eq!(tree.set_tag("White Elo", "1"), Err(EditError::TagName));
    assert_eq!(tree.set_tag("White", "a\nb"), Err(EditError::TagValue));
    assert_eq!(tree.set_tag("FEN", "x"), Err(EditError::StartTag));
    assert_eq!(tree.remove_tag("SetUp"), Err(EditError::StartTag));
    let other = GameTree::from_position(&Position::chess960(0).unwrap());
    assert_eq!(tree.merge(&other), Err(EditError::Start));
    let e4 = tree.next(NodeId::ROOT).unwrap();
    let legal = tree.mv(e4).unwrap();
    assert!(tree.add_line(NodeId::ROOT, &[legal, legal]).is_err());
    assert_eq!(tree.len(), 6);
    assert_kept(&tree);
}

#[test]
fn notes_are_changed_where_they_are() {
    let mut tree = tree("1. e4 {a} $1 {b} $3 e5 (1... c5) *");
    let e4 = tree.next(NodeId::ROOT).unwrap();
    let c5 = tree.children(e4).nth(1).unwrap();
    tree.remove_nag(e4, tabiya_pgn::Nag(1));
    tree.add_nag(e4, tabiya_pgn::Nag(3)).unwrap();
    tree.add_comment(e4, Placement::After, " c\nd ").unwrap();
    tree.add_comment(c5, Placement::Before, "first").unwrap();
    tree.add_comment(c5, Placement::After, "  ").unwrap();
    assert_eq!(moves(&tree), "1. e4 $3 {a} {b} {c d} 1... e5 ({first} 1... c5) *");
    assert_kept(&tree);
    // A comment before a move that continues a line stands after the move before.
    tree.promote(c5);
    assert_eq!(moves(&tree), "1. e4 $3 {a} {b} {c d} {first} 1... c5 (1... e5) *");
    tree.remove_comments(e4, Placement::After);
    tree.remove_notes(c5);
    assert_eq!(moves(&tree), "1. e4 $3 c5 (1... e5) *");
    tree.set_result(Termination::Draw);
    assert_eq!(tree.tag("Result"), Some("1/2-1/2"));
    assert!(tree.set_tag("Zeta", "\"\\").is_ok() && tree.set_tag("Alpha", "1").is_ok());
    assert_eq!(tree.remove_tag("Alpha"), Ok(true));
    assert_kept(&tree);
}

#[test]
fn the_parts_to_write_are_chosen() {
    let tree = tree(
        "[Zeta \"1\"]\n\n1. e4 $2 {[%clk 0:01:00] a [%emt 0:00:01]} e5 (1... c5 {[%clk 1:00:00]}) 2. Nf3 {b} *",
    );
    let with = |set: fn(&mut WriteOptions)| {
        let mut options = exact();
        set(&mut options);
        let text = tree.to_pgn(&options).unwrap();
        text.split_once("\n\n").unwrap().1.trim().to_owned()
    };
    assert_eq!(with(|it| it.nags = false).matches('$').count(), 0);
    assert_eq!(with(|it| it.clocks = false), "1. e4 $2 {a} 1... e5 (1... c5) 2. Nf3 {b} *");
    assert_eq!(with(|it| it.comments = false), "1. e4 $2 e5 (1... c5) 2. Nf3 *");
    assert_eq!(with(|it| (it.comments, it.variations) = (false, false)), "1. e4 $2 e5 2. Nf3 *");
    assert!(with(|it| it.width = 20).lines().all(|line| line.len() <= 20));
    assert!(tree.to_pgn(&WriteOptions::default()).unwrap().starts_with("[Event \"?\"]\n"));
}

#[test]
fn large_games_take_linear_time() {
    let many = if is_short() { 1000 } else { 100_000 };
    // Many variations, comments and glyphs at one node, then a long line.
    let mut text = "1. e4 ".to_owned();
    for _ in 0..many {
        text.push_str("(1. d4 {x}) {y} $1 ");
    }
    let mut wide = tree(&text);
    assert_eq!(wide.len(), 2 + many);
    assert_kept(&wide);
    let copy = wide.clone();
    wide.merge(&copy).unwrap();
    assert_eq!(wide.len(), 2 + many);
    wide.delete_below(NodeId::ROOT);
    assert_eq!(wide.len(), 1);

    let plies = if is_short() { 1000 } else { MAX_PLIES as usize };
    let shuffle = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].iter().cycle();
    let mut text: String = shuffle.clone().take(plies).copied().collect();
    let mut long = tree(&text);
    assert_eq!(long.len(), 1 + plies);
    assert_eq!(long.position(long.end()), Position::START);
    if plies == MAX_PLIES as usize {
        let mv = Position::START.parse_move("e4").unwrap();
        assert_eq!(long.add(long.end(), mv), Err(EditError::TooManyMoves));
        text.push_str("Nf3");
        let longer = tree(&text);
        assert_eq!((longer.len(), longer.problems().len()), (1 + plies, 1));
    }
}

#[test]
fn variations_are_nested_as_deep_as_the_reader_allows() {
    let mut tree = GameTree::new();
    let mut at = NodeId::ROOT;
    for depth in 0..=256 {
        let position = tree.position(at);
        let (first, second) = match position.turn() {
            tabiya::Color::White if depth % 4 == 0 => ("Nf3", "Nc3"),
            tabiya::Color::White => ("a3", if depth % 4 == 2 { "Nb1" } else { "Ng1" }),
            tabiya::Color::Black => ("Nf6", if depth % 4 == 1 { "Nc6" } else { "Nb8" }),
        };
        if depth == 256 {
            let text = tree.to_pgn(&exact());
            assert!(matches!(text, Err(WriteError::TooDeep)), "{text:?}");
            break;
        }
        tree.add(at, position.parse_move(first).unwrap()).unwrap();
        at = tree.add(at, position.parse_move(second).unwrap()).unwrap();
        if depth == 254 {
            assert_kept(&tree);
        }
    }
}

#[test]
fn an_error_of_the_input_ends_the_games() {
    struct Broken(&'static [u8]);
    impl std::io::Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            match self.0.len() {
                0 => Err(std::io::Error::other("no more")),
                len => {
                    buffer[..len].copy_from_slice(std::mem::take(&mut self.0));
                    Ok(len)
                }
            }
        }
    }
    // The error may hide comments of a game, but the game is whole.
    for text in ["1. e4 * 1. d4 d5", "1. e4 *", "1. e4 1-0\n\n", "1. e4 * {c", "1. e4 * {c}"] {
        let games: Vec<_> = Reader::new(Broken(text.as_bytes())).trees().collect();
        assert_eq!(games.len(), 2, "{text:?}");
        assert!(games[0].as_ref().is_ok_and(|tree| tree.len() == 2), "{text:?}");
        assert!(games[1].as_ref().is_err_and(|error| error.is_final()), "{text:?}");
    }
}

/// A glyph before the first move of a variation belongs to that move, not to the one before it.
#[test]
fn a_glyph_before_a_variation_belongs_to_its_first_move() {
    for (text, written) in [
        ("1. e4 e5 ($142 1... c5 $1) *", "1. e4 e5 (1... c5 $142 $1) *"),
        ("1. e4 ($2 {a} 1. d4) e5 *", "1. e4 ({a} 1. d4 $2) 1... e5 *"),
        ("1. e4 ((1. c4) $3 1. d4) *", "1. e4 (1. c4) (1. d4 $3) *"),
        // Without a move, it belongs to the one that the variation would replace.
        ("1. e4 e5 ($4 {a}) *", "1. e4 e5 $4 {a} *"),
        ("$5 1. e4 *", "$5 1. e4 *"),
    ] {
        let tree = GameTree::read(&mut Reader::from_bytes(text.as_bytes())).unwrap().unwrap();
        assert!(tree.problems().is_empty(), "{text}");
        let mut options = WriteOptions::default();
        options.sort_tags = false;
        let pgn = tree.to_pgn(&options).unwrap();
        assert_eq!(pgn.trim().lines().last(), Some(written), "{text}");
    }
}

/// Long lists of notes have an index, which must not outlive what it describes.
#[test]
fn long_lists_of_notes_are_merged_like_short_ones() {
    let notes = |tree: &GameTree| tree.comments(tree.end()).map(str::to_owned).collect::<Vec<_>>();
    let game = |text: &str| tree(format!("1. e4 {{{text}}} *"));
    let mut sum = game("0");
    for number in 0..100 {
        sum.merge(&game(&number.to_string())).unwrap();
    }
    let all: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    assert_eq!(notes(&sum), all);
    sum.merge(&sum.clone()).unwrap();
    assert_eq!(notes(&sum), all);
    // What is twice in one game is added twice, as if the list were short.
    sum.merge(&tree("1. e4 {a} {a} {7} *")).unwrap();
    assert_eq!(notes(&sum)[100..], ["a", "a"]);
    let end = sum.end();
    sum.remove_comments(end, Placement::After);
    assert!(notes(&sum).is_empty());
    sum.merge(&game("7")).unwrap();
    assert_eq!(notes(&sum), ["7"]);
    for number in 0..100 {
        sum.merge(&game(&number.to_string())).unwrap();
    }
    sum.add_comment(end, Placement::After, "b").unwrap();
    sum.merge(&game("b")).unwrap();
    sum.merge(&game("99")).unwrap();
    assert_eq!(notes(&sum).len(), 101);
    sum.compact();
    sum.merge(&game("b")).unwrap();
    assert_eq!(notes(&sum).len(), 101);
}
