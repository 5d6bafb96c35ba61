//! Games as objects: a line of play and its variations.

use serde::Serialize;
use tabiya::{Color, Move};
use tabiya_pgn::{NodeId, Termination};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use super::position::{Position, legal_move, optional};
use super::tree::{
    GameNode, GameProblem, GameRemarks, GameTag, GameTree, PgnOptions, ReadOptions, id,
};
use crate::arguments::move_text;
use crate::board::parts::Ending;
use crate::error::{Failure, js, list};
use crate::moves::LegalMove;

/// A move of a game, with all that one needs to draw it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct GameMove {
    /// The node after the move.
    pub node: u32,
    /// The move in UCI, `0000` for a null move.
    pub uci: String,
    /// The move in standard algebraic notation, `--` for a null move.
    pub san: String,
    /// The square that the piece left; for a null move that of the king.
    #[tsify(type = "Square")]
    pub from: String,
    /// The square that it moved to.
    #[tsify(type = "Square")]
    pub to: String,
    /// The number of the move.
    pub number: u16,
    /// The side that moved.
    #[tsify(type = "Color")]
    pub color: &'static str,
    /// The role of the piece that moved.
    #[tsify(type = "Role")]
    pub role: &'static str,
    /// The role of the piece that was captured, also en passant.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captured: Option<&'static str>,
    /// The role that a pawn promoted to.
    #[tsify(optional, type = "Role")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub promotion: Option<&'static str>,
    /// What the move did, as in `LegalMove`; `-` for a null move.
    pub flags: &'static str,
    /// The square from which the rook castled.
    #[tsify(optional, type = "Square")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rook: Option<String>,
    /// The position before the move, in FEN.
    pub before: String,
    /// The position after the move, in FEN.
    pub after: String,
}

impl GameMove {
    fn new(
        node: NodeId,
        before: &tabiya::Position,
        mv: Option<Move>,
        after: &tabiya::Position,
    ) -> Self {
        let king = before.king(before.turn()).to_string();
        let mut played = Self {
            node: id(node),
            uci: "0000".to_owned(),
            san: "--".to_owned(),
            from: king.clone(),
            to: king,
            number: before.fullmove_number(),
            color: before.turn().name(),
            role: tabiya::Role::King.name(),
            captured: None,
            promotion: None,
            flags: "-",
            rook: None,
            before: before.fen().to_string(),
            after: after.fen().to_string(),
        };
        if let Some(mv) = mv {
            let LegalMove { uci, san, from, to, role, captured, promotion, flags, rook, .. } =
                LegalMove::new(before, mv);
            played = Self { uci, san, from, to, role, captured, promotion, flags, rook, ..played };
        }
        played
    }
}

/// A game: a line of play from a start, and its variations. It knows repetitions and the
/// draws that players may claim.
///
/// It has a current node, up to which the line goes. `play` and `undo` change the game there;
/// `goTo`, `back` and `forward` only look at another node.
#[derive(Clone, Debug)]
#[wasm_bindgen]
pub struct Game {
    /// The game with its variations.
    tree: GameTree,
    node: NodeId,
    /// The moves up to the node, since the last null move: a null move ends all repetitions.
    line: tabiya::Game,
}

/// The line of play.
#[wasm_bindgen]
impl Game {
    /// Creates a game from a position: a FEN, a name such as `kiwipete`, or `chess960:518`. The
    /// default is the usual start.
    #[wasm_bindgen(constructor)]
    pub fn new(start: Option<String>) -> Result<Self, Failure> {
        Ok(Self::from(&Position::new(start)?))
    }

    /// A game from a position.
    pub fn from(position: &Position) -> Self {
        Self::at(GameTree::of(tabiya_pgn::GameTree::from_position(position.inner())), NodeId::ROOT)
    }

    /// The start of the game.
    #[wasm_bindgen(getter)]
    pub fn start(&self) -> Position {
        self.tree.inner().start().clone().into()
    }

    /// The current position.
    #[wasm_bindgen(getter)]
    pub fn position(&self) -> Position {
        self.line.position().clone().into()
    }

    /// The current position, in FEN.
    #[wasm_bindgen(getter)]
    pub fn fen(&self) -> String {
        self.line.position().fen().to_string()
    }

    /// Plays a move: text in any notation, or its squares; `--` passes the turn. A drawn game may
    /// continue. If there are already continuations, another move becomes a variation.
    ///
    /// Throws an `InputError` with every reason if the move is not legal; the game is then
    /// unchanged.
    pub fn play(
        &mut self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<Ts<GameMove>, Failure> {
        let before = self.line.position().clone();
        let node = self.tree.add_text(self.node, &before, &move_text(&before, asked)?)?;
        self.step(node);
        js(self.move_to(node, &before))
    }

    /// Takes back the last move and returns it; `undefined` at the start. The move, and what
    /// follows it, is deleted.
    #[wasm_bindgen(unchecked_return_type = "GameMove | undefined")]
    pub fn undo(&mut self) -> Result<JsValue, Failure> {
        let node = self.node;
        let after = self.line.position().clone();
        if !self.back() {
            return Ok(JsValue::UNDEFINED);
        }
        let mv = self.tree.inner().mv(node);
        let played = GameMove::new(node, self.line.position(), mv, &after);
        self.tree.inner_mut().delete(node);
        optional(Some(played))
    }

    /// The moves that were played, up to the current node.
    #[wasm_bindgen(getter)]
    pub fn history(&self) -> Result<Vec<Ts<GameMove>>, Failure> {
        list(self.played())
    }

    /// How often the current position has occurred, including now.
    #[wasm_bindgen(getter)]
    pub fn occurrences(&self) -> usize {
        self.line.occurrences()
    }

    /// The end of the game without a claim; `undefined` if it continues. Mate, stalemate,
    /// insufficient material, fivefold repetition and 75 moves end a game.
    #[wasm_bindgen(getter, unchecked_return_type = "Ending | undefined")]
    pub fn outcome(&self) -> Result<JsValue, Failure> {
        optional(self.line.outcome().map(Ending::from))
    }

    /// The draw that the side to move may claim now, by threefold repetition or fifty moves.
    #[wasm_bindgen(getter, unchecked_return_type = "Ending | undefined")]
    pub fn claim(&self) -> Result<JsValue, Failure> {
        optional(self.line.claim().map(Ending::from))
    }

    /// The draw that the side to move may claim by announcing this move.
    #[wasm_bindgen(js_name = claimBy, unchecked_return_type = "Ending | undefined")]
    pub fn claim_by(
        &self,
        #[wasm_bindgen(js_name = move, unchecked_param_type = "MoveLike")] asked: &JsValue,
    ) -> Result<JsValue, Failure> {
        let mv = legal_move(self.line.position(), asked)?;
        let claim = self.line.claim_by(mv).map_err(|error| Failure::of("", error))?;
        optional(claim.map(Ending::from))
    }

    /// The moves as in PGN, with their numbers and the result, on one line: `1. e4 e5 2. Nf3 *`.
    #[wasm_bindgen(getter)]
    pub fn movetext(&self) -> String {
        let mut text = String::new();
        for (index, played) in self.played().enumerate() {
            let number = played.number;
            if played.color == Color::White.name() {
                text.push_str(&format!("{number}. "));
            } else if index == 0 {
                text.push_str(&format!("{number}... "));
            }
            text.push_str(&played.san);
            text.push(' ');
        }
        text + &self.result()
    }

    /// The moves as in PGN.
    #[wasm_bindgen(js_name = toString)]
    pub fn text(&self) -> String {
        self.movetext()
    }
}

/// The whole game.
#[wasm_bindgen]
impl Game {
    /// The first game of a text in PGN, at the end of its main line. Throws an `InputError` if there
    /// is none. `problems` says where a broken game breaks off.
    #[wasm_bindgen(js_name = fromPgn)]
    pub fn from_pgn(pgn: &str, options: Option<Ts<ReadOptions>>) -> Result<Self, Failure> {
        Ok(Self::at_end(GameTree::from_pgn(pgn, options)?))
    }

    /// All games of a text in PGN, each at the end of its main line.
    #[wasm_bindgen(js_name = allFromPgn)]
    pub fn all_from_pgn(pgn: &str, options: Option<Ts<ReadOptions>>) -> Result<Vec<Self>, Failure> {
        Ok(GameTree::all_from_pgn(pgn, options)?.into_iter().map(Self::at_end).collect())
    }

    /// The game in PGN, with everything in it. If the line has ended by the rules, so has the game.
    pub fn pgn(&self, options: Option<Ts<PgnOptions>>) -> Result<String, Failure> {
        let mut tree = self.tree.clone();
        if self.node == tree.inner().end() && tree.inner().result() == Termination::Unknown {
            tree.set_result(&self.result())?;
        }
        tree.pgn(options)
    }

    /// A copy of the game as a tree.
    #[wasm_bindgen(js_name = toTree)]
    pub fn to_tree(&self) -> GameTree {
        self.tree.clone()
    }

    /// The result: that of the rules, or else that of the game, `*` if it is not known.
    #[wasm_bindgen(getter)]
    pub fn result(&self) -> String {
        let of_rules = self.line.outcome().map(|outcome| outcome.result().name().to_owned());
        of_rules.unwrap_or_else(|| self.tree.result())
    }

    /// Sets the result, also in the tags.
    #[wasm_bindgen(js_name = setResult)]
    pub fn set_result(&mut self, result: &str) -> Result<(), Failure> {
        self.tree.set_result(result)
    }

    /// The tags, in their order.
    #[wasm_bindgen(getter)]
    pub fn tags(&self) -> Result<Vec<Ts<GameTag>>, Failure> {
        self.tree.tags()
    }

    /// The value of a tag; `undefined` if there is none.
    pub fn tag(&self, name: &str) -> Option<String> {
        self.tree.tag(name)
    }

    /// Sets a tag. Throws an `InputError` if it cannot be written, or belongs to the start
    /// position.
    #[wasm_bindgen(js_name = setTag)]
    pub fn set_tag(&mut self, name: &str, value: &str) -> Result<(), Failure> {
        self.tree.set_tag(name, value)
    }

    /// Removes a tag. Was there one?
    #[wasm_bindgen(js_name = removeTag)]
    pub fn remove_tag(&mut self, name: &str) -> Result<bool, Failure> {
        self.tree.remove_tag(name)
    }

    /// The errors of the text from which the game was read.
    #[wasm_bindgen(getter)]
    pub fn problems(&self) -> Result<Vec<Ts<GameProblem>>, Failure> {
        self.tree.problems()
    }

    /// The words and signs of the text that have no meaning. They cost no move.
    #[wasm_bindgen(getter)]
    pub fn remarks(&self) -> Result<Vec<Ts<GameRemarks>>, Failure> {
        self.tree.remarks()
    }

    /// All nodes of the game, each before its continuations.
    pub fn nodes(&self) -> Result<Vec<Ts<GameNode>>, Failure> {
        self.tree.nodes()
    }

    /// The positions from the start to the current one, each in 32 bytes.
    #[wasm_bindgen(getter)]
    pub fn packed(&self) -> Vec<u8> {
        self.tree.packed_line(self.node)
    }
}

/// The current node.
#[wasm_bindgen]
impl Game {
    /// The current node, with its comments, glyphs and continuations.
    #[wasm_bindgen(getter)]
    pub fn node(&self) -> Result<Ts<GameNode>, Failure> {
        self.tree.node(id(self.node))
    }

    /// The continuations after the current node, the main one first.
    #[wasm_bindgen(getter)]
    pub fn variations(&self) -> Result<Vec<Ts<GameNode>>, Failure> {
        self.tree.inner().children(self.node).map(|child| self.tree.node(id(child))).collect()
    }

    /// Goes to a node, wherever it is; 0 is the start.
    #[wasm_bindgen(js_name = goTo)]
    pub fn go_to(&mut self, node: u32) -> Result<(), Failure> {
        let node = self.tree.checked(node)?;
        self.go(node);
        Ok(())
    }

    /// Goes back by one move, and keeps it. `false` at the start.
    pub fn back(&mut self) -> bool {
        let Some(parent) = self.tree.inner().parent(self.node) else { return false };
        if self.line.pop().is_some() {
            self.node = parent;
        } else {
            self.go(parent);
        }
        true
    }

    /// Goes forward by one move: the main continuation, or the variation with this number. `false`
    /// if there is none.
    pub fn forward(&mut self, variation: Option<u32>) -> bool {
        let mut children = self.tree.inner().children(self.node);
        let Some(child) = children.nth(variation.unwrap_or(0) as usize) else { return false };
        self.step(child);
        true
    }

    /// The text of the comments after the current move, without commands.
    #[wasm_bindgen(getter)]
    pub fn comment(&self) -> String {
        self.tree.inner().text(self.node)
    }

    /// Sets the comment after the current move; an empty one removes it.
    #[wasm_bindgen(js_name = setComment)]
    pub fn set_comment(&mut self, text: &str) -> Result<(), Failure> {
        self.tree.set_comment(id(self.node), text)
    }

    /// Sets the seconds that the player has left, `[%clk]`; `undefined` removes them.
    #[wasm_bindgen(js_name = setClock)]
    pub fn set_clock(&mut self, seconds: Option<f64>) -> Result<(), Failure> {
        self.tree.set_clock(id(self.node), seconds)
    }

    /// Sets a command in the comment after the current move, such as `eval` with `0.25`;
    /// `undefined` removes it.
    #[wasm_bindgen(js_name = setCommand)]
    pub fn set_command(&mut self, name: &str, argument: Option<String>) -> Result<(), Failure> {
        self.tree.set_command(id(self.node), name, argument)
    }

    /// Adds a glyph, from 0 to 255.
    #[wasm_bindgen(js_name = addNag)]
    pub fn add_nag(&mut self, nag: u8) -> Result<(), Failure> {
        self.tree.add_nag(id(self.node), nag)
    }

    /// Removes a glyph.
    #[wasm_bindgen(js_name = removeNag)]
    pub fn remove_nag(&mut self, nag: u8) -> Result<(), Failure> {
        self.tree.remove_nag(id(self.node), nag)
    }
}

#[wasm_bindgen]
impl GameTree {
    /// A copy of the game at a node, to play on from there; at the end of the main line if no node
    /// is given.
    pub fn game(&self, node: Option<u32>) -> Result<Game, Failure> {
        let node = node.map_or(Ok(self.inner().end()), |node| self.checked(node))?;
        Ok(Game::at(self.clone(), node))
    }
}

impl Game {
    fn at_end(tree: GameTree) -> Self {
        let end = tree.inner().end();
        Self::at(tree, end)
    }

    fn at(tree: GameTree, node: NodeId) -> Self {
        let line = tabiya::Game::from_position(tree.inner().start().clone());
        let mut game = Self { tree, node: NodeId::ROOT, line };
        game.go(node);
        game
    }

    /// Goes to a node from the start.
    fn go(&mut self, node: NodeId) {
        self.node = NodeId::ROOT;
        self.line = tabiya::Game::from_position(self.tree.inner().start().clone());
        for node in self.tree.inner().path(node) {
            self.step(node);
        }
    }

    /// Goes to a continuation of the current node.
    fn step(&mut self, child: NodeId) {
        let pushed = self.tree.inner().mv(child).is_some_and(|mv| self.line.push(mv).is_ok());
        if !pushed {
            let after = self.tree.inner().position_after(self.line.position(), child);
            self.line = tabiya::Game::from_position(after);
        }
        self.node = child;
    }

    fn move_to(&self, node: NodeId, before: &tabiya::Position) -> GameMove {
        let tree = self.tree.inner();
        GameMove::new(node, before, tree.mv(node), &tree.position_after(before, node))
    }

    fn played(&self) -> impl Iterator<Item = GameMove> {
        let mut before = self.tree.inner().start().clone();
        self.tree.inner().path(self.node).into_iter().map(move |node| {
            let played = self.move_to(node, &before);
            before = self.tree.inner().position_after(&before, node);
            played
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(game: &Game) -> Vec<String> {
        game.played().map(|played| played.san).collect()
    }

    #[test]
    fn moves_are_written_with_their_numbers() {
        let start = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 7";
        let tree = GameTree::from_pgn(&format!("[FEN \"{start}\"]\n\n7... e5 8. e4 Ke7 *"), None);
        let game = Game::at_end(tree.unwrap());
        assert_eq!(game.movetext(), "7... e5 8. e4 Ke7 *");
    }

    #[test]
    fn the_current_node_goes_anywhere_and_repetitions_end_at_null_moves() {
        let text = "1. Nf3 Nf6 2. Ng1 Ng8 (2... -- 3. Nf3 Ng8 4. Ng1 Nf6) 3. Nf3 Nf6 4. Ng1 Ng8 *";
        let mut game = Game::from_pgn(text, None).unwrap();
        assert_eq!((game.occurrences(), moves(&game).len()), (3, 8));
        let nodes: Vec<u32> = game.tree.inner().all().map(id).collect();
        for &node in nodes.iter().chain(nodes.iter().rev()) {
            game.go_to(node).unwrap();
            let path = game.tree.inner().path(game.node);
            assert_eq!(moves(&game).len(), path.len());
            assert_eq!(game.fen(), game.tree.inner().position(game.node).fen().to_string());
            // One step back and forward again, by any variation.
            let (fen, occurrences) = (game.fen(), game.occurrences());
            if game.back() {
                let children: Vec<u32> = game.tree.inner().children(game.node).map(id).collect();
                let place = children.iter().position(|&child| child == node).unwrap();
                assert!(game.forward(Some(place as u32)));
                assert_eq!((game.fen(), game.occurrences()), (fen, occurrences));
            }
        }
        assert!(game.go_to(99).is_err());
        // The position after the null move does not count as the same again.
        let null = game.tree.inner().all().find(|&node| game.tree.inner().is_null(node));
        game.go_to(id(null.unwrap())).unwrap();
        assert_eq!((game.occurrences(), moves(&game)[3].as_str()), (1, "--"));
    }

    #[test]
    fn playing_and_taking_back_needs_no_more_memory() {
        let mut game = Game::new(None).unwrap();
        let before = game.tree.inner().memory();
        for _ in 0..100 {
            let position = game.line.position().clone();
            let node = game.tree.inner_mut().add(game.node, position.parse_move("e4").unwrap());
            game.step(node.unwrap());
            let node = game.node;
            assert!(game.back());
            game.tree.inner_mut().delete(node);
        }
        assert_eq!(game.tree.inner().memory(), before);
    }
}
