// chessground draws and drags, tabiya knows the rules.
import { Chessground } from "chessground";
import { Game } from "tabiya";

import "chessground/assets/chessground.base.css";
import "chessground/assets/chessground.brown.css";
import "chessground/assets/chessground.cburnett.css";

const find = (id) => document.getElementById(id);

// The address may name the start: `#` and a FEN, or a name such as `#kiwipete`.
const game = new Game(decodeURIComponent(location.hash.slice(1)) || undefined);
// Any piece may be dropped anywhere, so that we can say why it may not go there. Without `free`, only `dests` are open.
const board = Chessground(find("board"), { movable: { free: true, color: "both", events: { after: drop } } });

/** Shows the position and the game. Chessground has moved one piece; castling and en passant change more. */
function show() {
  const { position } = game;
  const last = game.history.at(-1);
  board.set({
    fen: position.fen,
    turnColor: position.turn,
    lastMove: last && [last.from, last.to],
    check: position.isCheck,
    movable: { dests: position.dests() },
  });
  find("pgn").textContent = game.pgn();
}

/** Plays the move if it's legal. If it isn't, the piece goes back, and we say why. */
async function drop(from, to) {
  const promotes = game.position.moves({ square: from }).some((move) => move.to === to && move.promotion);
  const answer = game.position.explain(from + to + (promotes ? await choose() : ""));
  if (answer.legal) game.play(answer.uci);
  find("reason").textContent = answer.legal ? "" : answer.sentence;
  show();
}

/** Asks which piece a pawn becomes; Escape takes the move back. */
function choose() {
  const dialog = find("promotion");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue);
  });
}

for (const name of ["back", "forward", "undo"]) {
  find(name).onclick = () => {
    game[name]();
    show();
  };
}
show();
