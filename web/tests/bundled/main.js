// A program that a bundler packs: it counts, and shows the result.
import { perft } from "tabiya/perft";

document.body.append(String(perft("startpos", 3)));
