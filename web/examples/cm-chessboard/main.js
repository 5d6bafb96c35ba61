// cm-chessboard draws and drags, tabiya knows the rules.
import { Chessboard, INPUT_EVENT_TYPE } from "cm-chessboard";
import { MARKER_TYPE, Markers } from "cm-chessboard/src/extensions/markers/Markers.js";
import { PromotionDialog } from "cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js";
import { Game } from "tabiya";

import "cm-chessboard/assets/chessboard.css";
import "cm-chessboard/assets/extensions/markers/markers.css";
import "cm-chessboard/assets/extensions/promotion-dialog/promotion-dialog.css";
import markers from "cm-chessboard/assets/extensions/markers/markers.svg?no-inline";
import pieces from "cm-chessboard/assets/pieces/standard.svg?no-inline";

const find = (id) => document.getElementById(id);

// The address may name the start: `#` and a FEN, or a name such as `#kiwipete`.
const game = new Game(decodeURIComponent(location.hash.slice(1)) || undefined);
const board = new Chessboard(find("board"), {
  position: game.fen,
  style: { pieces: { file: pieces } },
  extensions: [{ class: Markers, props: { sprite: markers } }, { class: PromotionDialog }],
});

/** Shows the position and the game, and marks the last move and the king in check. */
function show() {
  const { position } = game;
  const last = game.history.at(-1);
  board.setPosition(position.fen, true);
  board.removeMarkers();
  if (last) for (const square of [last.from, last.to]) board.addMarker(MARKER_TYPE.square, square);
  if (position.isCheck) {
    const king = position.pieces.find(({ role, color }) => role === "king" && color === position.turn);
    board.addMarker(MARKER_TYPE.circleDanger, king.square);
  }
  find("pgn").textContent = game.pgn();
}

/** Plays the move if it's legal. If it isn't, the piece goes back, and we say why. */
function play(move) {
  const answer = game.position.explain(move);
  if (answer.legal) game.play(answer.uci);
  find("reason").textContent = answer.legal ? "" : answer.sentence;
  return answer.legal;
}

board.enableMoveInput(({ type, squareFrom: from, squareTo: to }) => {
  const { position } = game;
  if (type === INPUT_EVENT_TYPE.moveInputStarted) {
    board.addLegalMovesMarkers((position.dests().get(from) ?? []).map((to) => ({ to })));
    return true;
  }
  if (type === INPUT_EVENT_TYPE.validateMoveInput) {
    const promotes = position.moves({ square: from }).some((move) => move.to === to && move.promotion);
    if (!promotes) return play(from + to);
    board.showPromotionDialog(to, position.turn[0], ({ piece }) => {
      if (piece) play(from + to + piece[1]);
      show();
    });
    return true;
  }
  // The board has moved one piece; castling, en passant and promotion change more.
  if (type === INPUT_EVENT_TYPE.moveInputFinished && !board.isPromotionDialogShown()) show();
});

for (const name of ["back", "forward", "undo"]) {
  find(name).onclick = () => {
    game[name]();
    show();
  };
}
show();
