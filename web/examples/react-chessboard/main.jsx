// react-chessboard draws and drags, tabiya knows the rules.
import { useReducer, useState } from "react";
import { Chessboard } from "react-chessboard";
import { createRoot } from "react-dom/client";
import { Game } from "tabiya";

const PROMOTIONS = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
const LAST = { background: "rgb(255 210 0 / 45%)" };
const CHECK = { background: "radial-gradient(red, transparent 75%)" };
const TARGET = { background: "radial-gradient(rgb(0 100 0 / 60%) 20%, transparent 22%)" };

function Board({ start }) {
  const [game] = useState(() => new Game(start));
  const [, redraw] = useReducer((count) => count + 1, 0);
  const [reason, setReason] = useState("");
  const [dragged, setDragged] = useState();
  const [promotion, setPromotion] = useState();
  const { position } = game;

  /** Plays the move if it's legal. If it isn't, the piece goes back, and we say why. */
  function play(move) {
    const answer = position.explain(move);
    if (answer.legal) game.play(answer.uci);
    setReason(answer.legal ? "" : answer.sentence);
    setPromotion();
    redraw();
    return answer.legal;
  }

  function onPieceDrop({ sourceSquare: from, targetSquare: to }) {
    setDragged();
    if (!to || to === from) return false;
    const promotes = position.moves({ square: from }).some((move) => move.to === to && move.promotion);
    if (!promotes) return play(from + to);
    setPromotion(from + to);
    return false;
  }

  const squareStyles = {};
  const last = game.history.at(-1);
  if (last) squareStyles[last.from] = squareStyles[last.to] = LAST;
  const king = position.pieces.find(({ role, color }) => role === "king" && color === position.turn);
  if (position.isCheck) squareStyles[king.square] = CHECK;
  for (const square of position.dests().get(dragged) ?? []) squareStyles[square] = TARGET;

  const onPieceDrag = ({ square }) => setDragged(square);
  const button = (text, onClick) => <button key={text} onClick={onClick}>{text}</button>;
  return (
    <>
      <Chessboard options={{ position: game.fen, squareStyles, onPieceDrag, onPieceDrop }} />
      {promotion
        ? Object.entries(PROMOTIONS).map(([letter, name]) => button(name, () => play(promotion + letter)))
        : ["Back", "Forward", "Undo"].map((name) => button(name, () => redraw(game[name.toLowerCase()]())))}
      <p id="reason" role="status">{reason}</p>
      <pre>{game.pgn()}</pre>
    </>
  );
}

// The address may name the start: `#` and a FEN, or a name such as `#kiwipete`.
const start = decodeURIComponent(location.hash.slice(1)) || undefined;
createRoot(document.getElementById("root")).render(<Board start={start} />);
