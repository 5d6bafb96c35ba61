// The texts of the panel of lessons; the lessons themselves are in `lessons/lessons.ts`.

export const words = {
  introduction: "Short tours over the panels of this page. Each step sets up the board; a question is answered on the board.",
  step: (here: number, all: number) => `${here} of ${all}`,
  back: "Back",
  next: "Next",
  again: "Show this step again",
  close: "Close",
  end: "End",
  wrong: (square: string) => `Not ${square}. Look again, or go on.`,
  wrongMove: (move: string) => `${move} is not the move in question. Try another one.`,
  takenBack: (move: string) => `${move} is legal, but not the move in question. It is taken back: try another one.`,
  unknown: (name: string) => `There is no lesson ${name}.`,
  found: (found: number, all: number) => `${found} of ${all} found.`,
  reveal: "Show the answer",
};
