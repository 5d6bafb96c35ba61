// Identifiers of layers, such as `between:e1-e8`: are they well formed, and how are they called?

import { layerKinds, type Color } from "../library.ts";
import { parts, titles } from "../texts/layers.ts";

const SQUARE = String.raw`(\*|[a-h][1-8])`;

const KINDS = layerKinds();

/** What follows the colon in each form. */
const FORMS: Readonly<Record<string, RegExp>> = {
  "": /^$/,
  ":COLOR": /^(white|black)$/,
  ":SQ": new RegExp(`^${SQUARE}$`),
  ":SQ-SQ": new RegExp(`^${SQUARE}-${SQUARE}$`),
  ":SQ-DIR": new RegExp(`^${SQUARE}-(n|ne|e|se|s|sw|w|nw)$`),
};

/** The identifier with the form of its argument, such as `between:SQ-SQ`, or null if there is no such layer. */
export function kindOf(name: string): string | null {
  const [id, ...rest] = name.split(":");
  const argument = rest.join(":");
  const kind = KINDS.find((it) => it.name === id && (it.form === "") === (rest.length === 0) && FORMS[it.form]!.test(argument));
  return kind ? kind.name + kind.form : null;
}

/** The name of a layer in words, such as `between e1 and e8`. Some layers are about the side to move. */
export function titleOf(name: string, turn: Color | "mover" = "mover"): string {
  // A form such as `between:SQ-SQ` has a title as well.
  const title = titles[kindOf(name) ?? name];
  if (title === undefined) return name;
  const [a, b] = (name.split(":")[1] ?? turn).split("-").map((part) => parts[part] ?? part);
  return title.replace(/\b[AB]\b/g, (letter) => (letter === "A" ? a : b) ?? letter);
}

/** A name in words, as the start of a line. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
