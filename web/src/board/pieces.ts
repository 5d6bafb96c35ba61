// Pictures of pieces. The shapes come from the library.

import { pieceShape, type Color, type Role } from "../library.ts";

import { h, svg } from "../dom.ts";

export const ROLES: readonly Role[] = ["king", "queen", "rook", "bishop", "knight", "pawn"];

/** The symbols that `picture` refers to. The page contains them once. */
export function symbols(): SVGSVGElement {
  const sheet = svg("svg", { class: "symbols", "aria-hidden": "true", width: 0, height: 0 });
  for (const role of ROLES) {
    const symbol = svg("symbol", { id: `piece-${role}`, viewBox: "0 0 45 45" });
    symbol.innerHTML = pieceShape(role);
    sheet.append(symbol);
  }
  return sheet;
}

/** A piece for sighted users only. Its name is given elsewhere. */
export function picture(color: Color, role: Role): HTMLElement {
  const drawing = svg("svg", { viewBox: "0 0 45 45", "aria-hidden": "true", focusable: "false" });
  drawing.append(svg("use", { href: `#piece-${role}` }));
  return h("span", { class: `piece ${color}` }, drawing);
}
