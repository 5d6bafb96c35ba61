//! Games as trees of variations.

use serde::Serialize;
use tabiya::PackedPosition;
use tabiya::san::PieceLetters;
use tabiya_pgn::{
    Eval, GameTree as Tree, Nag, NodeId, Placement, Reader, Termination, WriteOptions, clock_text,
};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::position::{Position, legal};
use crate::arguments::{Fields, has_only, move_text};
use crate::error::{Failure, js, list};

/// A tag of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameTag {
    /// The name, such as `White`.
    pub name: String,
    /// The value.
    pub value: String,
}

/// A coloured square, or an arrow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameMark {
    /// `G` for green, `R` for red, `Y` for yellow or `B` for blue.
    pub color: char,
    /// The square, or the one where the arrow begins.
    #[tsify(type = "Square")]
    pub from: String,
    /// The same square, or the one to which the arrow points.
    #[tsify(type = "Square")]
    pub to: String,
}

/// An evaluation from White's point of view: pawns, or the number of moves to mate.
#[derive(Clone, Debug, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameEval {
    /// Pawns, if it is no mate.
    #[tsify(optional)]
    pub pawns: Option<f64>,
    /// Moves to mate; a negative number if Black mates.
    #[tsify(optional)]
    pub mate: Option<i32>,
    /// The depth of the search.
    #[tsify(optional)]
    pub depth: Option<u32>,
}

/// A node of a game: a move and the position after it, or the start.
#[derive(Clone, Debug, PartialEq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameNode {
    /// The number of the node; 0 is the start.
    pub id: u32,
    /// The node before the move; missing at the start.
    #[tsify(optional)]
    pub parent: Option<u32>,
    /// The continuations, the main one first.
    pub children: Vec<u32>,
    /// The number of moves since the start.
    pub ply: usize,
    /// The position, in FEN.
    pub fen: String,
    /// The move in standard algebraic notation, `--` for a null move; missing at the start.
    #[tsify(optional)]
    pub san: Option<String>,
    /// The move in UCI.
    #[tsify(optional)]
    pub uci: Option<String>,
    /// The number of the move.
    #[tsify(optional)]
    pub number: Option<u16>,
    /// The side that moved.
    #[tsify(optional, type = "Color")]
    pub color: Option<&'static str>,
    /// The square that the piece left.
    #[tsify(optional, type = "Square")]
    pub from: Option<String>,
    /// The square that it moved to.
    #[tsify(optional, type = "Square")]
    pub to: Option<String>,
    /// The glyphs.
    pub nags: Vec<u8>,
    /// The sign of each glyph, such as `!?` or `±`, or its number, such as `$200`.
    pub signs: Vec<String>,
    /// The comments after the move, with their commands.
    pub comments: Vec<String>,
    /// The comments before the move, at the start of a variation.
    pub comments_before: Vec<String>,
    /// The text of the comments after the move, without commands.
    pub text: String,
    /// The seconds that the player has left, from `[%clk]`.
    #[tsify(optional)]
    pub clock: Option<f64>,
    /// The seconds that the move took, from `[%emt]`.
    #[tsify(optional)]
    pub elapsed: Option<f64>,
    /// The evaluation, from `[%eval]`.
    #[tsify(optional)]
    pub eval: Option<GameEval>,
    /// Coloured squares and arrows, from `[%csl]` and `[%cal]`.
    pub marks: Vec<GameMark>,
}

/// An error of a game in its text. The tree has everything up to it; the rest of its line is a comment
/// at the node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameProblem {
    /// The line, from 1.
    pub line: u32,
    /// The column, in bytes from 1.
    pub column: u32,
    /// The node after which the game, or a variation of it, breaks off.
    pub node: u32,
    /// The error.
    pub message: String,
}

/// Words and signs of a game that have no meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameRemarks {
    /// The kind, such as `word` or `move number`.
    pub kind: &'static str,
    /// The number of them.
    pub count: u32,
}

/// The parts of a game to write. All of them by default.
#[derive(Clone, Debug, Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PgnOptions {
    /// Are comments written?
    #[tsify(optional)]
    pub comments: Option<bool>,
    /// Are the times in comments written?
    #[tsify(optional)]
    pub clocks: Option<bool>,
    /// Are glyphs written?
    #[tsify(optional)]
    pub nags: Option<bool>,
    /// Are variations written?
    #[tsify(optional)]
    pub variations: Option<bool>,
    /// The largest number of characters in a line, 79 by default.
    #[tsify(optional)]
    pub width: Option<u32>,
}

impl PgnOptions {
    const KEYS: [&'static str; 5] = ["comments", "clocks", "nags", "variations", "width"];

    /// Reads an object of JavaScript.
    fn read(object: &JsValue) -> Result<Self, Failure> {
        let given = Fields::of(object, "options for PGN, as PgnOptions declares them")?;
        has_only(object, "pgn", &Self::KEYS)?;
        let flag = |key| given.flag(key);
        Ok(Self {
            comments: flag("comments")?,
            clocks: flag("clocks")?,
            nags: flag("nags")?,
            variations: flag("variations")?,
            width: given.number("width")?,
        })
    }
}

/// What becomes of games with errors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub enum GameErrors {
    /// A game is kept up to its error, see `problems`.
    #[default]
    Keep,
    /// Such games are left out.
    Skip,
    /// The first one is thrown, as an `InputError` with its place.
    Stop,
}

/// How games are read.
#[derive(Clone, Debug, Default, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct ReadOptions {
    /// Are games with errors kept up to the error, skipped, or thrown? They are kept by default.
    #[tsify(optional)]
    pub errors: Option<GameErrors>,
    /// The letters of king, queen, rook, bishop, knight and perhaps pawn, such as `KDTLS`, for moves
    /// in other languages.
    #[tsify(optional)]
    pub letters: Option<String>,
}

impl ReadOptions {
    /// Reads an object of JavaScript.
    fn read(object: Option<Ts<Self>>) -> Result<Self, Failure> {
        let Some(object) = object else { return Ok(Self::default()) };
        let object = object.js_value();
        let given = Fields::of(&object, "options for reading, as ReadOptions declares them")?;
        has_only(&object, "fromPgn", &["errors", "letters"])?;
        let errors = match given.text("errors")?.as_deref() {
            None => None,
            Some("keep") => Some(GameErrors::Keep),
            Some("skip") => Some(GameErrors::Skip),
            Some("stop") => Some(GameErrors::Stop),
            Some(_) => return Err(Failure::of_type("errors are keep, skip or stop")),
        };
        Ok(Self { errors, letters: given.text("letters")? })
    }
}

/// A game with its variations, comments and glyphs. Nodes are numbers; 0 is the start.
///
/// Methods throw an `InputError` if there is no such node.
#[derive(Clone, Debug)]
#[wasm_bindgen]
pub struct GameTree {
    inner: Tree,
}

/// Whole games.
#[wasm_bindgen]
impl GameTree {
    /// A game without moves from a position: a FEN, a name such as `kiwipete`, or `chess960:518`.
    /// The default is the usual start.
    #[wasm_bindgen(constructor)]
    pub fn new(start: Option<String>) -> Result<Self, Failure> {
        Ok(Self { inner: Tree::from_position(Position::new(start)?.inner()) })
    }

    /// The first game of a text in PGN. Throws an `InputError` if there is none.
    #[wasm_bindgen(js_name = fromPgn)]
    pub fn from_pgn(pgn: &str, options: Option<Ts<ReadOptions>>) -> Result<Self, Failure> {
        let game = read(pgn, &ReadOptions::read(options)?)?.next().transpose()?;
        game.ok_or_else(|| Failure::of(pgn, "there is no game in this text"))
    }

    /// All games of a text in PGN.
    #[wasm_bindgen(js_name = allFromPgn)]
    pub fn all_from_pgn(pgn: &str, options: Option<Ts<ReadOptions>>) -> Result<Vec<Self>, Failure> {
        read(pgn, &ReadOptions::read(options)?)?.collect()
    }

    /// The game in PGN.
    #[wasm_bindgen]
    pub fn pgn(&self, options: Option<Ts<PgnOptions>>) -> Result<String, Failure> {
        let given = options.map(|given| PgnOptions::read(&given.js_value()));
        let given = given.transpose()?.unwrap_or_default();
        let mut options = WriteOptions::default();
        options.comments = given.comments.unwrap_or(true);
        options.clocks = given.clocks.unwrap_or(true);
        options.nags = given.nags.unwrap_or(true);
        options.variations = given.variations.unwrap_or(true);
        options.width = given.width.map_or(options.width, |width| width as usize);
        self.inner.to_pgn(&options).map_err(|error| Failure::of("", error))
    }

    /// The tags, in their order.
    #[wasm_bindgen(getter)]
    pub fn tags(&self) -> Result<Vec<Ts<GameTag>>, Failure> {
        let tag = |(name, value): (&str, &str)| GameTag {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        list(self.inner.tags().map(tag))
    }

    /// The value of a tag; `undefined` if there is none.
    pub fn tag(&self, name: &str) -> Option<String> {
        self.inner.tag(name).map(str::to_owned)
    }

    /// Sets a tag. Throws an `InputError` if it cannot be written, or belongs to the start
    /// position.
    #[wasm_bindgen(js_name = setTag)]
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        self.inner.set_tag(name, value).map_err(|error| Failure::of(name, error))
    }

    /// Removes a tag. Was there one?
    #[wasm_bindgen(js_name = removeTag)]
    pub fn remove_tag(&mut self, name: &str) -> Result<bool, Failure> {
        self.inner.remove_tag(name).map_err(|error| Failure::of(name, error))
    }

    /// `1-0`, `0-1`, `1/2-1/2`, `*`, or a forfeit: `0-0`, `1/2-0`, `0-1/2`.
    #[wasm_bindgen(getter)]
    pub fn result(&self) -> String {
        self.inner.result().to_string()
    }

    /// Sets the result, also in the tags.
    #[wasm_bindgen(js_name = setResult)]
    pub fn set_result(&mut self, result: &str) -> Result<(), Failure> {
        let found = Termination::from_bytes(result.as_bytes());
        let wrong = || Failure::of(result, "a result is 1-0, 0-1, 1/2-1/2, * or 0-0");
        self.inner.set_result(found.ok_or_else(wrong)?);
        Ok(())
    }

    /// The errors of the text from which the game was read.
    #[wasm_bindgen(getter)]
    pub fn problems(&self) -> Result<Vec<Ts<GameProblem>>, Failure> {
        list(self.inner.problems().iter().map(|problem| GameProblem {
            line: problem.place.line as u32,
            column: problem.place.column as u32,
            node: id(problem.node),
            message: problem.cause.to_string(),
        }))
    }

    /// The words and signs of the text that have no meaning. They cost no move.
    #[wasm_bindgen(getter)]
    pub fn remarks(&self) -> Result<Vec<Ts<GameRemarks>>, Failure> {
        let remarks = self.inner.remarks();
        list(remarks.map(|(kind, count)| GameRemarks { kind: kind.as_str(), count }))
    }

    /// The game in PGN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> Result<String, Failure> {
        self.pgn(None)
    }

    /// Adds the moves, comments and glyphs of another game that this one does not have.
    pub fn merge(&mut self, other: &Self) -> Result<(), Failure> {
        self.inner.merge(&other.inner).map_err(|error| Failure::of("", error))
    }
}

/// Nodes.
#[wasm_bindgen]
impl GameTree {
    /// The number of nodes, with the start.
    #[wasm_bindgen(getter)]
    pub fn size(&self) -> usize {
        self.inner.len()
    }

    /// The last node of the main line.
    #[wasm_bindgen(getter)]
    pub fn end(&self) -> u32 {
        id(self.inner.end())
    }

    /// Everything about a node.
    pub fn node(&self, node: u32) -> Result<Ts<GameNode>, Failure> {
        let node = self.checked(node)?;
        let before = self.inner.parent(node).map(|parent| self.inner.position(parent));
        js(self.shown(node, before.as_ref(), &self.inner.position(node)))
    }

    /// The position at a node.
    pub fn position(&self, node: u32) -> Result<Position, Failure> {
        Ok(self.inner.position(self.checked(node)?).into())
    }

    /// The nodes of the main line, without the start.
    #[wasm_bindgen(js_name = mainLine)]
    pub fn main_line(&self) -> Result<Vec<Ts<GameNode>>, Failure> {
        self.history(id(self.inner.end()))
    }

    /// The nodes from the start to this one, without the start.
    pub fn history(&self, node: u32) -> Result<Vec<Ts<GameNode>>, Failure> {
        let node = self.checked(node)?;
        let mut before = self.inner.start().clone();
        let mut nodes = Vec::new();
        for node in self.inner.path(node) {
            let after = self.inner.position_after(&before, node);
            nodes.push(self.shown(node, Some(&before), &after));
            before = after;
        }
        list(nodes)
    }

    /// The positions from the start to this node, each in 32 bytes.
    pub fn packed(&self, node: u32) -> Result<Vec<u8>, Failure> {
        Ok(self.packed_line(self.checked(node)?))
    }

    /// All nodes, each before its continuations.
    pub fn nodes(&self) -> Result<Vec<Ts<GameNode>>, Failure> {
        list(self.all_shown())
    }

    /// The nodes with this position, by any order of moves.
    pub fn find(&self, position: &Position) -> Vec<u32> {
        self.inner.find(position.inner()).into_iter().map(id).collect()
    }
}

/// Changes.
#[wasm_bindgen]
impl GameTree {
    /// Adds a move after a node, unless it is there, and returns its node. The move is text in any
    /// notation, or its squares; `--` is a null move.
    ///
    /// Throws an `InputError` with every reason if the move is not legal.
    pub fn add(
        &mut self,
        node: u32,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<u32, Failure> {
        let node = self.checked(node)?;
        let before = self.inner.position(node);
        self.add_text(node, &before, &move_text(&before, asked)?).map(id)
    }

    /// Moves a node one place forward among the continuations of its parent.
    pub fn promote(&mut self, node: u32) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.promote(node);
        Ok(())
    }

    /// Moves a node one place back.
    pub fn demote(&mut self, node: u32) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.demote(node);
        Ok(())
    }

    /// Makes the line that leads to a node the main line of the game.
    #[wasm_bindgen(js_name = makeMainLine)]
    pub fn make_main_line(&mut self, node: u32) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.make_main_line(node);
        Ok(())
    }

    /// Deletes a node and everything after it. The start stays, without moves.
    pub fn delete(&mut self, node: u32) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.delete(node);
        Ok(())
    }

    /// Sets the comment after a move; an empty one removes it.
    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, node: u32, text: &str) -> Result<(), Failure> {
        self.replace_comment(node, Placement::After, text)
    }

    /// Sets the comment before a move; an empty one removes it.
    #[wasm_bindgen(js_name = setCommentBefore)]
    pub fn set_comment_before(&mut self, node: u32, text: &str) -> Result<(), Failure> {
        self.replace_comment(node, Placement::Before, text)
    }

    /// Sets the seconds that the player has left, `[%clk]`; `undefined` removes them.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&mut self, node: u32, seconds: Option<f64>) -> Result<(), Failure> {
        let wrong = || Failure::of_type("a time is a number of seconds, 0 or more");
        // Numbers of JavaScript have no exact decimals, so a time has milliseconds.
        let time = |seconds: f64| match std::time::Duration::try_from_secs_f64(seconds) {
            Ok(_) => Ok(std::time::Duration::from_millis((1000.0 * seconds).round() as u64)),
            Err(_) => Err(wrong()),
        };
        let time = seconds.map(time).transpose()?;
        self.set_command(node, "clk", time.map(clock_text))
    }

    /// Sets a command in the comment after a move, such as `eval` with `0.25`, or `cal` with
    /// `Ge2e4`; `undefined` removes it.
    #[wasm_bindgen(js_name = setCommand)]
    pub fn set_command(
        &mut self,
        node: u32,
        name: &str,
        argument: Option<String>,
    ) -> Result<(), Failure> {
        let node = self.checked(node)?;
        let set = self.inner.set_command(node, name, argument.as_deref());
        set.map_err(|error| Failure::of(name, error))
    }

    /// Adds a glyph, from 0 to 255.
    #[wasm_bindgen(js_name = addNag)]
    pub fn add_nag(&mut self, node: u32, nag: u8) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.add_nag(node, Nag(nag)).map_err(|error| Failure::of("", error))
    }

    /// Removes a glyph.
    #[wasm_bindgen(js_name = removeNag)]
    pub fn remove_nag(&mut self, node: u32, nag: u8) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.remove_nag(node, Nag(nag));
        Ok(())
    }
}

impl GameTree {
    pub(crate) const fn of(inner: Tree) -> Self {
        Self { inner }
    }

    pub(crate) const fn inner(&self) -> &Tree {
        &self.inner
    }

    pub(crate) const fn inner_mut(&mut self) -> &mut Tree {
        &mut self.inner
    }

    /// Adds the move that a text names after a node with this position.
    pub(crate) fn add_text(
        &mut self,
        node: NodeId,
        before: &tabiya::Position,
        text: &str,
    ) -> Result<NodeId, Failure> {
        let added = match text {
            "--" | "Z0" | "0000" => self.inner.add_null(node),
            _ => self.inner.add(node, legal(before, text)?),
        };
        added.map_err(|error| Failure::of(text, error))
    }

    pub(crate) fn checked(&self, node: u32) -> Result<NodeId, Failure> {
        let found = NodeId::from_index(node as usize).filter(|&node| self.inner.contains(node));
        found.ok_or_else(|| Failure::of(&node.to_string(), "the game has no such node"))
    }

    pub(crate) fn packed_line(&self, node: NodeId) -> Vec<u8> {
        let mut position = self.inner.start().clone();
        let mut bytes = PackedPosition::of(&position).to_bytes().to_vec();
        for node in self.inner.path(node) {
            position = self.inner.position_after(&position, node);
            bytes.extend(PackedPosition::of(&position).to_bytes());
        }
        bytes
    }

    fn replace_comment(
        &mut self,
        node: u32,
        placement: Placement,
        text: &str,
    ) -> Result<(), Failure> {
        let node = self.checked(node)?;
        self.inner.remove_comments(node, placement);
        self.inner.add_comment(node, placement, text).map_err(|error| Failure::of(text, error))
    }

    fn all_shown(&self) -> Vec<GameNode> {
        let mut nodes = vec![self.shown(NodeId::ROOT, None, self.inner.start())];
        let mut walk = self.inner.walk(NodeId::ROOT);
        while let Some(node) = walk.next() {
            nodes.push(self.shown(node, Some(walk.before()), walk.after()));
        }
        nodes
    }

    /// A node, with the positions before its move and after it.
    fn shown(
        &self,
        node: NodeId,
        before: Option<&tabiya::Position>,
        after: &tabiya::Position,
    ) -> GameNode {
        let tree = &self.inner;
        let mv = tree.mv(node);
        let is_null = tree.is_null(node);
        let texts = |texts: &mut dyn Iterator<Item = &str>| texts.map(str::to_owned).collect();
        let sign = |nag: Nag| nag.sign().map_or_else(|| nag.to_string(), str::to_owned);
        let seconds = |time: std::time::Duration| time.as_secs_f64();
        let written = |text: &dyn Fn(&tabiya::Position, tabiya::Move) -> String, null: &str| {
            let text = before.zip(mv).map(|(before, mv)| text(before, mv));
            text.or_else(|| is_null.then(|| null.to_owned()))
        };
        GameNode {
            id: id(node),
            parent: tree.parent(node).map(id),
            children: tree.children(node).map(id).collect(),
            ply: tree.ply(node),
            fen: after.fen().to_string(),
            san: written(&|before, mv| before.san(mv).to_string(), "--"),
            uci: written(&|before, mv| before.uci(mv).to_string(), "0000"),
            number: before.map(tabiya::Position::fullmove_number),
            color: before.map(|before| before.turn().name()),
            from: mv.map(|mv| mv.from().to_string()),
            to: mv.map(|mv| mv.to().to_string()),
            nags: tree.nags(node).map(|nag| nag.0).collect(),
            signs: tree.nags(node).map(sign).collect(),
            comments: texts(&mut tree.comments(node)),
            comments_before: texts(&mut tree.comments_before(node)),
            text: tree.text(node),
            clock: tree.clock(node).map(seconds),
            elapsed: tree.elapsed(node).map(seconds),
            eval: tree.eval(node).map(|eval| GameEval {
                pawns: match eval.score {
                    Eval::Centipawns(centipawns) => Some(f64::from(centipawns) / 100.0),
                    Eval::Mate(_) => None,
                },
                mate: match eval.score {
                    Eval::Mate(mate) => Some(mate),
                    Eval::Centipawns(_) => None,
                },
                depth: eval.depth,
            }),
            marks: tree
                .marks(node)
                .map(|mark| GameMark {
                    color: mark.color.letter(),
                    from: mark.from.to_string(),
                    to: mark.to.to_string(),
                })
                .collect(),
        }
    }
}

pub(crate) fn id(node: NodeId) -> u32 {
    node.index() as u32
}

/// The games of a text.
fn read(
    pgn: &str,
    options: &ReadOptions,
) -> Result<impl Iterator<Item = Result<GameTree, Failure>>, Failure> {
    let errors = options.errors.unwrap_or_default();
    let letters = options.letters.as_ref().map(|letters| {
        letters.parse::<PieceLetters>().map_err(|error| Failure::of(letters, error))
    });
    let trees = Reader::from_bytes(pgn.as_bytes()).with_letters(letters.transpose()?).trees();
    Ok(trees.filter_map(move |tree| match tree {
        Err(error) => Some(Err(Failure::of(pgn, error))),
        Ok(inner) => match (errors, inner.problems().first()) {
            (GameErrors::Skip, Some(_)) => None,
            (GameErrors::Stop, Some(problem)) => Some(Err(of_problem(pgn, problem))),
            _ => Some(Ok(GameTree { inner })),
        },
    }))
}

/// The error of a game, with the word at its place.
fn of_problem(pgn: &str, problem: &tabiya_pgn::GameProblem) -> Failure {
    let (before, rest) = pgn.split_at_checked(problem.place.byte as usize).unwrap_or((pgn, ""));
    let ends = |letter: char| letter.is_whitespace() || "(){};".contains(letter);
    let word = rest.split(ends).next().unwrap_or_default();
    let units = |text: &str| text.encode_utf16().count();
    let start = units(before);
    let end = start + units(word).max(1);
    Failure { start, end, ..Failure::of(pgn, &problem.cause) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(pgn: &str) -> GameTree {
        read(pgn, &ReadOptions::default()).unwrap().next().unwrap().unwrap()
    }

    #[test]
    fn an_error_has_its_place_in_the_text() {
        let options = ReadOptions { errors: Some(GameErrors::Stop), ..ReadOptions::default() };
        let pgn = "1. e4 {é} e5 2. Ke3 Nc6 *";
        let failure = read(pgn, &options).unwrap().next().unwrap().unwrap_err();
        assert_eq!((failure.start, failure.end), (16, 19));
    }

    #[test]
    fn a_node_has_all_that_one_draws() {
        let pgn =
            "1. e4 {[%clk 0:01:02.5][%eval #-3,9][%cal Ge2e4] best} e5 $1 $16 ({a} 1... --) *";
        let tree = first(pgn);
        let nodes = tree.all_shown();
        assert_eq!(nodes[0].children, [1]);
        assert_eq!((nodes[0].san.as_ref(), nodes[0].parent), (None, None));
        let e4 = &nodes[1];
        assert_eq!((e4.san.as_deref(), e4.uci.as_deref()), (Some("e4"), Some("e2e4")));
        assert_eq!((e4.clock, e4.text.as_str(), e4.number), (Some(62.5), "best", Some(1)));
        assert_eq!(e4.eval, Some(GameEval { pawns: None, mate: Some(-3), depth: Some(9) }));
        assert_eq!(e4.marks[0].from, "e2");
        assert_eq!(nodes[2].signs, ["!", "±"]);
        assert_eq!((nodes[3].san.as_deref(), nodes[3].uci.as_deref()), (Some("--"), Some("0000")));
        assert_eq!(nodes[3].comments_before, ["a"]);
    }

    #[test]
    fn there_are_no_other_nodes() {
        let tree = first("1. e4 *");
        assert_eq!(tree.checked(2).unwrap_err().message, "the game has no such node");
        assert!(tree.checked(u32::MAX).is_err());
    }
}
