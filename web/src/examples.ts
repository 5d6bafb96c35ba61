// Instructive positions, in addition to the standard positions of perft. Their names are in
// `texts.ts`.

export const EXAMPLES = {
  enPassantPin: "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
  doubleCheck: "4k3/8/4N3/8/8/8/4R3/4K3 b - - 0 1",
  pins: "4k3/8/b3r2b/8/2N1R3/8/3P4/4K3 w - - 0 1",
  throughCheck: "4k3/8/b7/8/8/8/7r/R3K2R w KQ - 0 1",
  kingBehind: "4k3/8/8/8/4r3/8/4K3/8 w - - 0 1",
  discovered: "4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1",
  promotion: "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
  chess960: "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
} as const;
