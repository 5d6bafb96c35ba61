//! Reading a file of games into trees: every move of every variation checked, with comments and
//! glyphs.
//!
//! pgn-reader has no tree, so its visitor builds the one that its users would: an arena of nodes with
//! moves of shakmaty.

use std::ops::ControlFlow;

use pgn_reader::{Nag, Outcome, RawComment, RawTag, SanPlus, Skip};
use shakmaty::{CastlingMode, Chess, Move, Position as _, fen::Fen};
use tabiya_pgn::{GameTree, NodeId, Reader};

use tabiya_peers::group::{Contestant, Group};

/// A node of the tree.
struct Node {
    /// The move; `None` at the start.
    mv: Option<Move>,
    children: Vec<u32>,
    comments: Vec<String>,
    nags: Vec<Nag>,
}

impl Node {
    const fn new(mv: Option<Move>) -> Self {
        Self { mv, children: Vec::new(), comments: Vec::new(), nags: Vec::new() }
    }
}

/// A game on its way into a tree.
struct Tree {
    tags: Vec<(String, String)>,
    nodes: Vec<Node>,
    outcome: Option<Outcome>,
    /// The current node, its position, and the node and position before it.
    at: u32,
    position: Chess,
    before: (u32, Chess),
    /// What to return to after variations.
    stack: Vec<(u32, Chess, (u32, Chess))>,
}

/// Builds a tree of each game, and counts what is in it.
#[derive(Default)]
struct Builder {
    counts: Counts,
}

/// The counts, on which all readers must agree.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    games: u64,
    tags: u64,
    nodes: u64,
    comments: u64,
    nags: u64,
}

impl Counts {
    /// One number for all of them.
    fn sum(self) -> u64 {
        let Self { games, tags, nodes, comments, nags } = self;
        [games, tags, nodes, comments, nags].iter().fold(0, |sum, it| sum * 1_000_003 + it)
    }
}

impl pgn_reader::Visitor for Builder {
    type Tags = (Vec<(String, String)>, Option<Chess>);
    type Movetext = Tree;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Self::Tags> {
        ControlFlow::Continue((Vec::new(), None))
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).expect("a FEN");
            tags.1 = Some(fen.into_position(CastlingMode::Chess960).expect("a position"));
        }
        let name = String::from_utf8_lossy(name).into_owned();
        tags.0.push((name, value.decode_utf8_lossy().into_owned()));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (tags, start): Self::Tags) -> ControlFlow<(), Tree> {
        let position = start.unwrap_or_default();
        let before = (0, position.clone());
        let nodes = vec![Node::new(None)];
        let stack = Vec::new();
        ControlFlow::Continue(Tree { tags, nodes, outcome: None, at: 0, position, before, stack })
    }

    fn san(&mut self, tree: &mut Tree, san: SanPlus) -> ControlFlow<()> {
        let Ok(mv) = san.san.to_move(&tree.position) else { return ControlFlow::Break(()) };
        tree.before = (tree.at, tree.position.clone());
        tree.position.play_unchecked(mv);
        let id = tree.nodes.len() as u32;
        tree.nodes[tree.at as usize].children.push(id);
        tree.nodes.push(Node::new(Some(mv)));
        tree.at = id;
        ControlFlow::Continue(())
    }

    fn nag(&mut self, tree: &mut Tree, nag: Nag) -> ControlFlow<()> {
        tree.nodes[tree.at as usize].nags.push(nag);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, tree: &mut Tree, comment: RawComment<'_>) -> ControlFlow<()> {
        let text = String::from_utf8_lossy(comment.as_bytes()).trim().to_owned();
        tree.nodes[tree.at as usize].comments.push(text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, tree: &mut Tree) -> ControlFlow<(), Skip> {
        let (at, position) = tree.before.clone();
        let inside = (at, position.clone());
        let outside = (
            std::mem::replace(&mut tree.at, at),
            std::mem::replace(&mut tree.position, position),
            std::mem::replace(&mut tree.before, inside),
        );
        tree.stack.push(outside);
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, tree: &mut Tree) -> ControlFlow<()> {
        if let Some(outside) = tree.stack.pop() {
            (tree.at, tree.position, tree.before) = outside;
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, tree: &mut Tree, outcome: Outcome) -> ControlFlow<()> {
        tree.outcome = Some(outcome);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, tree: Tree) {
        let sum = |size: &dyn Fn(&Node) -> usize| tree.nodes.iter().map(size).sum::<usize>() as u64;
        self.counts.games += 1;
        self.counts.tags += tree.tags.len() as u64;
        self.counts.nodes += tree.nodes.iter().filter(|node| node.mv.is_some()).count() as u64;
        self.counts.comments += sum(&|node| node.comments.len());
        self.counts.nags += sum(&|node| node.nags.len());
        std::hint::black_box(&tree.outcome);
    }
}

/// Counts what is in a tree.
fn count(tree: &GameTree, counts: &mut Counts) {
    counts.games += 1;
    counts.tags += tree.tags().count() as u64;
    counts.nodes += tree.len() as u64 - 1;
    for node in tree.all() {
        counts.comments +=
            (tree.comments(node).count() + tree.comments_before(node).count()) as u64;
        counts.nags += tree.nags(node).count() as u64;
    }
}

/// Reads every game into a tree of its own.
fn read_each(pgn: &[u8]) -> u64 {
    let mut counts = Counts::default();
    for tree in Reader::from_bytes(pgn).trees() {
        count(&tree.expect("the games are not broken"), &mut counts);
    }
    counts.sum()
}

/// Reads every game into the same tree, whose memory is reused.
fn read_again(pgn: &[u8]) -> u64 {
    let mut counts = Counts::default();
    let (mut reader, mut tree) = (Reader::from_bytes(pgn), GameTree::new());
    while tree.read_next(&mut reader).expect("the games are not broken") {
        count(&tree, &mut counts);
    }
    counts.sum()
}

/// Visits each node with its position, which is computed on the way.
fn visit_walking(trees: &[GameTree]) -> u64 {
    let mut sum = 0u64;
    for tree in trees {
        let mut walk = tree.walk(NodeId::ROOT);
        while walk.next().is_some() {
            sum = sum.wrapping_add(walk.after().key());
        }
    }
    sum
}

/// Visits each node with its position, which was stored.
fn visit_stored(trees: &[(GameTree, Vec<tabiya::Position>)]) -> u64 {
    let mut sum = 0u64;
    for (tree, positions) in trees {
        for node in tree.all().skip(1) {
            sum = sum.wrapping_add(positions[node.index()].key());
        }
    }
    sum
}

/// The trees with the position of each node.
fn stored(trees: &[GameTree]) -> Vec<(GameTree, Vec<tabiya::Position>)> {
    let with_positions = |tree: &GameTree| {
        let mut positions = vec![tree.start().clone(); tree.len()];
        let mut walk = tree.walk(NodeId::ROOT);
        while let Some(node) = walk.next() {
            positions[node.index()] = walk.after().clone();
        }
        (tree.clone(), positions)
    };
    trees.iter().map(with_positions).collect()
}

/// The bytes of the file that are kept in memory for the second group.
const KEPT: usize = 10_000_000;

pub(crate) fn groups(pgn: &[u8]) -> Vec<Group<'_>> {
    let mut trees: Vec<GameTree> = Vec::new();
    for tree in Reader::from_bytes(&pgn[..pgn.len().min(KEPT)]).trees() {
        trees.push(tree.expect("the games are not broken"));
    }
    // The last one may be cut off.
    trees.pop();
    let nodes = trees.iter().map(|tree| tree.len() as u64 - 1).sum();
    let bytes: usize = trees.iter().map(GameTree::memory).sum();
    let with_positions = stored(&trees);
    let positions = with_positions.iter().map(|it| size_of_val(&it.1[..])).sum::<usize>();
    println!(
        "{nodes} nodes in memory: {:.1} bytes each with comments and tags, positions {:.1} more",
        bytes as f64 / nodes as f64,
        positions as f64 / nodes as f64
    );
    vec![
        Group {
            title: "games read into trees",
            work: pgn.len() as u64,
            unit: "bytes",
            contestants: vec![
                Contestant::new("pgn-reader with shakmaty", move || {
                    let mut builder = Builder::default();
                    let mut reader = pgn_reader::Reader::new(pgn);
                    reader.visit_all_games(&mut builder).expect("memory can be read");
                    builder.counts.sum()
                }),
                Contestant::new("tabiya-pgn", move || read_each(pgn)),
                Contestant::new("tabiya-pgn, one tree reused", move || read_again(pgn)),
            ],
        },
        Group {
            title: "trees visited with the position of each node",
            work: nodes,
            unit: "nodes",
            contestants: vec![
                Contestant::new("positions stored", move || visit_stored(&with_positions)),
                Contestant::new("positions computed on the way", move || visit_walking(&trees)),
            ],
        },
    ]
}
