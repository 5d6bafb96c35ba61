// The texts of the panel of lessons; the lessons themselves are in `lessons/lessons.ts`.

export const words = {
  introduction: "Short tours over the panels of this page. Each step sets up the board; a question is answered on the board.",
  progress: (done: number, all: number) => (done === 0 ? "" : done === all ? "✓ done" : `${done} of ${all} steps done`),
  step: (here: number, all: number) => `${here} of ${all}`,
  back: "Back",
  next: "Next",
  nextLesson: (title: string) => `Next lesson: ${title}`,
  tryNext: (what: string) => `Try: ${what}`,
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
