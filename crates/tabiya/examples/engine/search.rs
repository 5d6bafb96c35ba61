//! Iterative deepening, alpha-beta and quiescence search.

use std::cmp::Ordering;
use std::time::Duration;

use tabiya::order::{Picker, Scorer, Stage};
use tabiya::{History, Move, Position, Role};

use crate::evaluate::{SQUARES, evaluate};
use crate::limits::Limits;
use crate::table::{Entry, Table};

/// The keys of the game and of the line that is searched; they bound its length.
pub(crate) const KEYS: usize = 256;
/// The score of a mate now. A mate in n plies counts n less.
const MATE: i32 = 30_000;
/// Scores beyond this are mates.
const LONG_MATE: i32 = MATE - KEYS as i32;

pub(crate) struct Search {
    pub(crate) table: Table,
    history: History<KEYS>,
    limits: Limits,
    killers: [[Option<Move>; 2]; KEYS],
    /// The past success of quiet moves, by colour, role and target.
    success: [[[i32; 64]; 6]; 2],
    nodes: u64,
    stopped: bool,
    best: Option<Move>,
}

impl Search {
    pub(crate) fn new(table: Table, history: History<KEYS>, limits: Limits) -> Self {
        let (killers, success) = ([[None; 2]; KEYS], [[[0; 64]; 6]; 2]);
        Self { table, history, limits, killers, success, nodes: 0, stopped: false, best: None }
    }

    /// The best move found within the limits; `None` if the game is over.
    pub(crate) fn run(&mut self, root: &Position, say: impl Fn(&str)) -> Option<Move> {
        // There is always a legal move to play.
        self.best = root.legal_moves().first().copied();
        let balance = SQUARES.balance(root.board(), root.turn());
        for depth in 1..=self.best.map_or(0, |_| self.limits.depth) {
            let score = self.search(root, balance, depth, [-MATE, MATE]);
            let Some(best) = self.best.filter(|_| !self.stopped) else { break };
            let (nodes, time, plies) =
                (self.nodes, self.limits.begin.elapsed(), MATE - score.abs());
            let said = match score.signum() * (plies + 1) / 2 {
                moves if plies < KEYS as i32 => format!("mate {moves}"),
                _ => format!("cp {score}"),
            };
            let (millis, pv) = (time.as_millis(), root.uci(best));
            say(&format!("info depth {depth} score {said} nodes {nodes} time {millis} pv {pv}"));
            if plies <= depth || self.limits.time.is_some_and(|[last, _]| time >= last) {
                break;
            }
        }
        while self.limits.is_infinite && !self.limits.is_over() {
            std::thread::sleep(Duration::from_millis(1));
        }
        self.best
    }

    /// The score for the side to move: exact inside the window, otherwise a bound. With depth 0 it
    /// searches captures until the position is quiet, and in check all evasions.
    fn search(&mut self, position: &Position, balance: i32, depth: i32, window: [i32; 2]) -> i32 {
        self.nodes += 1;
        self.stopped |= self.limits.nodes.is_some_and(|most| self.nodes >= most)
            || (self.nodes.is_multiple_of(1024) && self.limits.is_over());
        let [mut alpha, beta] = window;
        let (key, ply) = (position.key(), self.history.ply());
        let is_draw = self.history.is_repetition()
            || position.is_insufficient_material()
            || position.claim_with(1).is_some();
        if ply > 0 && is_draw {
            return 0;
        }
        let is_narrow = beta - alpha == 1;
        let known = self.table.place(key).filter(|entry| entry.key == key);
        if let Some(entry) = known.filter(|entry| is_narrow && i32::from(entry.depth) >= depth) {
            let score = i32::from(entry.score);
            match entry.truth {
                Ordering::Greater if score < beta => {}
                Ordering::Less if score > alpha => {}
                _ => return score,
            }
        }
        let hash_move = known.and_then(|entry| entry.mv);
        let new_picker = if depth > 0 { Picker::new } else { Picker::quiescence };
        let killers = self.killers[ply].into_iter().flatten();
        let mut picker = new_picker(position).hash_move(hash_move).killers(killers);
        let (is_check, value) = (picker.facts().is_check(), evaluate(position, balance));
        // A side may decline to capture, but it must move.
        let mut best = if depth == 0 && !is_check { value } else { ply as i32 - MATE };
        alpha = alpha.max(best);
        let depth = depth + i32::from(is_check && depth > 0);
        let (mut best_move, mut tried, turn) = (None, 0, position.turn() as usize);
        while alpha < beta
            && let Some(mv) = picker.next_by(&|_: &Position, role: Role, mv: Move| {
                self.success[turn][role as usize][mv.to() as usize]
            })
        {
            if depth == 0 && picker.stage() == Some(Stage::BadCaptures) {
                break;
            }
            let (role, child) = (position.role_of(mv), position.play(mv));
            if self.history.push(&child).is_err() {
                return value;
            }
            let balance = -(balance + SQUARES.score(position, role, mv));
            // All moves but the first are expected to be worse. Late ones are searched less deeply,
            // and again if they are better than expected.
            let is_late = tried >= 4 && depth >= 3 && picker.stage() == Some(Stage::Quiets);
            let (full, less) = ((depth - 1).max(0), if is_late { 1 + depth / 6 } else { 0 });
            let mut score = alpha + 1;
            if tried > 0 {
                score = -self.search(&child, balance, full - less, [-alpha - 1, -alpha]);
            }
            if score > alpha && (tried == 0 || less > 0 || score < beta) {
                score = -self.search(&child, balance, full, [-beta, -alpha]);
            }
            self.history.pop();
            if self.stopped {
                return 0;
            }
            tried += 1;
            best = best.max(score);
            if score > alpha {
                (alpha, best_move) = (score, Some(mv));
                if ply == 0 {
                    self.best = best_move;
                }
                if alpha >= beta && !mv.is_capture() {
                    self.killers[ply] = [Some(mv), self.killers[ply][0].filter(|&old| old != mv)];
                    let success = &mut self.success[turn][role as usize][mv.to() as usize];
                    *success = (*success + depth * depth).min(1 << 24);
                }
            }
        }
        if tried == 0 && depth > 0 && !is_check && alpha < beta {
            return 0; // Stalemate.
        }
        // Mate scores count from the root, so they mean nothing in other positions.
        let depth = if best.abs() > LONG_MATE { -1 } else { depth as i8 };
        let (mv, score) = (best_move.or(hash_move), best as i16);
        let floor = if best_move.is_some() { Ordering::Equal } else { Ordering::Less };
        let truth = if best >= beta { Ordering::Greater } else { floor };
        *self.table.place(key) = Some(Entry { key, mv, score, truth, depth });
        best
    }
}
