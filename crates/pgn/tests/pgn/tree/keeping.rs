//! A tree that is written and read again is the same.

use tabiya::{Position, SplitMix64};
use tabiya_pgn::{
    GameTree, NodeId, ProblemCause, Reader, Termination, Token, WriteOptions, Writer,
};

use super::{assert_kept, exact, moves, tree};
use crate::common::{Part, is_short, line};
use crate::random::{damaged, pieces};

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
        assert_kept(&tree);
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
        // Nothing is new, unless a move stands there twice and different ones follow.
        let is_first = |id: NodeId| {
            tree.parent(id).is_none_or(|parent| tree.child(parent, tree.mv(id)) == Some(id))
        };
        assert!(merged.len() == tree.len() || !tree.all().all(is_first));
    }
    assert_eq!((games, found), (tokens, errors), "{}", input.escape_ascii());
}

#[test]
fn damaged_games_keep_what_is_right() {
    let mut random = SplitMix64::new(32);
    for _ in 0..if is_short() { 300 } else { 4_000 } {
        for input in [damaged(&mut random), pieces(&mut random, 60)] {
            let kept = std::panic::catch_unwind(|| check(&input));
            assert!(kept.is_ok(), "{}", input.escape_ascii());
        }
    }
}

/// Everything that a game can say. Other tests send it through other languages.
const STUDY: &str = include_str!("../../languages/study.pgn");

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
