// A program for chess.js. Only the name in the next line has changed.
import { Chess } from "tabiya/chess.js";
import { useRef, useState } from "react";
import { Chessboard } from "react-chessboard";
import { createRoot } from "react-dom/client";

function Board({ start }) {
  const game = useRef(new Chess(start)).current;
  const [position, setPosition] = useState(game.fen());
  const [reason, setReason] = useState("");
  const [promotion, setPromotion] = useState(null);

  function play(move) {
    setPromotion(null);
    try {
      game.move(move);
      setReason("");
    } catch (error) {
      setReason(error.message);
      return false;
    }
    setPosition(game.fen());
    return true;
  }

  function onPieceDrop({ sourceSquare: from, targetSquare: to }) {
    if (!to || to === from) return false;
    const moves = game.moves({ square: from, verbose: true });
    if (!moves.some((move) => move.to === to && move.isPromotion())) return play({ from, to });
    setPromotion({ from, to });
    return false;
  }

  function undo() {
    game.undo();
    setPosition(game.fen());
  }

  const squareStyles = {};
  const last = game.history({ verbose: true }).at(-1);
  if (last) squareStyles[last.from] = squareStyles[last.to] = { background: "rgb(255 210 0 / 45%)" };
  if (game.isCheck()) {
    const [king] = game.findPiece({ type: "k", color: game.turn() });
    squareStyles[king] = { background: "radial-gradient(red, transparent 75%)" };
  }
  const button = (text, onClick) => <button key={text} onClick={onClick}>{text}</button>;
  const choices = { q: "Queen", r: "Rook", b: "Bishop", n: "Knight" };
  return (
    <>
      <Chessboard options={{ position, squareStyles, onPieceDrop }} />
      {promotion
        ? Object.entries(choices).map(([letter, name]) => button(name, () => play({ ...promotion, promotion: letter })))
        : button("Undo", undo)}
      <p id="reason" role="status">{reason}</p>
      <pre>{game.pgn()}</pre>
    </>
  );
}

const start = decodeURIComponent(location.hash.slice(1)) || undefined;
createRoot(document.getElementById("root")).render(<Board start={start} />);
