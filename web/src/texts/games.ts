// The texts of games with variations.

import { count } from "../texts.ts";

const time = (seconds: number) => {
  const whole = Math.floor(seconds);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`;
};

export const words = {
  label: "Game",
  choose: "Game to show",
  title: (players: string, event: string, result: string) =>
    `${players || event || "a game"}${result === "*" ? "" : `, ${result}`}`,
  option: (number: number, title: string, isBroken: boolean) => `${number}. ${title}${isBroken ? " (breaks off)" : ""}`,
  more: (shown: number, all: number) => `The first ${shown.toLocaleString("en")} of ${count(all, "game")}.`,
  read: (title: string, plies: number, variations: number, games: number) =>
    [
      games === 1 ? `Read as ${title}:` : `Read as ${count(games, "game")}. The first is ${title}:`,
      `${count(plies, "ply", "plies")}${variations > 0 ? `, ${count(variations, "variation")}` : ""}.`,
    ].join(" "),
  broken: (plies: number, line: number, column: number, message: string) =>
    `Read as a game of ${count(plies, "ply", "plies")}. It breaks off at line ${line}, column ${column}: ${message}.`,
  nullMove: "After a null move there is no position to show.",
  variations: "Variations",
  alternatives: (number: number) => (number > 1 ? `One of ${number} moves here.` : ""),
  colors: { green: "green", red: "red", yellow: "yellow", blue: "blue" },
  marked: (color: string) => `${color} in the game`,
  squares: (color: string, squares: readonly string[]) => `Marked ${color}: ${squares.join(", ")}.`,
  arrows: (color: string, arrows: readonly string[]) => `${arrows.length === 1 ? "Arrow" : "Arrows"} in ${color}: ${arrows.join(", ")}.`,
  arrow: (from: string, to: string) => `${from} to ${to}`,
  evaluation: (pawns: number | undefined, mate: number | undefined) =>
    mate !== undefined ? `mate in ${Math.abs(mate)} for ${mate > 0 ? "White" : "Black"}` : `${pawns! > 0 ? "+" : ""}${pawns!.toFixed(2)}`,
  clock: (seconds: number) => `${time(seconds)} left`,
};
