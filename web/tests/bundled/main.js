// A program that a bundler packs: it counts, and shows the result.
import { perft } from "tabiya";

document.body.append(String(perft("startpos", 3)));
