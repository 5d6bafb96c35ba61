//! Counting by changed rules.

use std::collections::{BTreeMap, HashMap};

use super::fault::{Fault, KeyPart, Rule};
use super::safety::Safety;
use super::state::{Made, State};
use super::{Model, ends, moves, pseudo_legal};
use crate::listed::Listed;
use crate::question::Question;

/// What a model answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Predicted {
    pub(crate) moves: Vec<(Listed, u128)>,
    /// The sum of the counts.
    pub(crate) total: u128,
    /// The total of a program that doesn't add up a divide, but counts from the root.
    pub(crate) of_root: u128,
    /// The fault that adds up a divide wrongly, which depends on the order that is printed.
    pub(crate) wrong_total: Option<Rule>,
}

impl Predicted {
    /// Is it another answer? The order of the moves doesn't matter.
    pub(crate) fn differs(&self, other: &Self) -> bool {
        let sorted = |it: &Self| {
            let mut moves = it.moves.clone();
            moves.sort_unstable();
            moves
        };
        self.total != other.total
            || self.wrong_total != other.wrong_total
            || self.moves.is_empty() && self.of_root != other.of_root
            || sorted(self) != sorted(other)
    }
}

/// The orders in which a program has listed the moves of positions. What taking back a move forgets,
/// and what a hash table confuses, depends on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders(BTreeMap<u64, Vec<Listed>>);

impl Orders {
    pub(crate) fn learn(&mut self, state: &State, listed: Vec<Listed>) {
        self.0.insert(state.key(&[]), listed);
    }

    fn sort(&self, state: &State, moves: &mut [Made]) {
        if let Some(order) = self.0.get(&state.key(&[])) {
            moves.sort_by_key(|&mv| order.iter().position(|it| *it == state.listed(mv)));
        }
    }
}

/// The counts that a program's hash table holds, by key and depth.
pub(crate) type Table = HashMap<(u64, u32), u128>;

/// Counts, up to a number of nodes.
struct Counter<'a> {
    faults: &'a [Fault],
    orders: &'a Orders,
    lacks: Vec<KeyPart>,
    table: Option<&'a mut Table>,
    left: u64,
}

impl Model {
    /// The answer to a question, or `None` if it takes more than `most` nodes.
    pub(crate) fn answer(
        &self,
        question: &Question,
        orders: &Orders,
        most: u64,
    ) -> Option<Predicted> {
        self.answer_after(question, orders, most, &mut Table::new())
    }

    /// The answer of a process whose table holds the counts of the questions before.
    pub(crate) fn answer_after(
        &self,
        question: &Question,
        orders: &Orders,
        most: u64,
        table: &mut Table,
    ) -> Option<Predicted> {
        let state = self.state(question)?;
        let faults = self.faults();
        let lacks: Vec<KeyPart> = faults
            .iter()
            .filter_map(|fault| match fault.rule {
                Rule::Key(part) => Some(part),
                _ => None,
            })
            .collect();
        let table = (!lacks.is_empty()).then_some(table);
        let mut counter = Counter { faults, orders, lacks, table, left: most };
        counter.divide(state, question.depth)
    }
}

impl Counter<'_> {
    fn has(&self, rule: Rule) -> bool {
        self.faults.iter().any(|fault| fault.rule == rule)
    }

    fn divide(&mut self, mut state: State, depth: u32) -> Option<Predicted> {
        let faults = self.faults;
        if depth == 0 {
            return Some(Predicted { moves: Vec::new(), total: 1, of_root: 1, wrong_total: None });
        }
        let mut listed = moves(&state, state.rules(faults));
        self.orders.sort(&state, &mut listed);
        let off = faults.iter().find_map(|fault| match fault.rule {
            Rule::DepthOff(by) => Some(by),
            _ => None,
        });
        let below = |depth: u32| depth.saturating_add_signed(i32::from(off.unwrap_or(0)));
        let mut counted = Vec::new();
        for &mv in &listed {
            let child = state.play(mv, faults);
            let count = self.node(&child, below(depth - 1))?;
            counted.push((state.listed(mv), self.masked(count)));
            state = self.taken_back(state, mv, &child);
        }
        // A program may count the end of a game at the root, or only farther down.
        let mut total = counted.iter().map(|(_, count)| count).sum();
        let of_root = match self
            .faults
            .iter()
            .any(|it| it.at_leaves || it.rule.is_of_counts() || it.rule.is_of_ends())
        {
            true => self.node(&state, below(depth))?,
            false => total,
        };
        for fault in faults {
            if let Rule::TotalBits(bits) | Rule::Bits(bits) = fault.rule {
                total &= (1 << bits) - 1;
            }
        }
        let adds = |rule: &Rule| {
            matches!(rule, Rule::TotalWithoutLast | Rule::TotalWithoutFirst | Rule::TotalOneMore)
        };
        let wrong_total = faults.iter().map(|fault| fault.rule).find(adds);
        // Then no root is counted right.
        let of_root = if wrong_total.is_some() { u128::MAX } else { self.masked(of_root) };
        Some(Predicted { moves: counted, total, of_root, wrong_total })
    }

    fn masked(&self, count: u128) -> u128 {
        let bits = self.faults.iter().find_map(|fault| match fault.rule {
            Rule::Bits(bits) => Some(bits),
            _ => None,
        });
        bits.map_or(count, |bits| count & ((1 << bits) - 1))
    }

    /// The count of a node, with the interior nodes that the program counts.
    fn node(&mut self, state: &State, depth: u32) -> Option<u128> {
        let mut count = self.perft(state, depth)?;
        for fault in self.faults {
            match fault.rule {
                Rule::Interior(from) => {
                    for depth in u32::from(from).min(depth)..depth {
                        count += self.perft(state, depth)?;
                    }
                }
                Rule::LastTwoPlies if depth > 0 => count += self.perft(state, depth - 1)?,
                _ => {}
            }
        }
        Some(count)
    }

    /// The count of a position without moves.
    fn of_end(&self, state: &State) -> u128 {
        let rules = state.rules(self.faults);
        if let Some(leaf) = ends(state, rules) {
            return u128::from(leaf);
        }
        let is_check = state.is_check(state.turn);
        let counts = !is_check && rules.has(Rule::StalemateCounts)
            || is_check && rules.has(Rule::MateCounts);
        u128::from(counts)
    }

    fn perft(&mut self, state: &State, depth: u32) -> Option<u128> {
        self.left = self.left.checked_sub(1)?;
        if depth == 0 {
            return Some(1);
        }
        let faults = self.faults;
        let depth_of_key = if self.lacks.contains(&KeyPart::Depth) { 0 } else { depth };
        let key = (state.key(&self.lacks), depth_of_key);
        if let Some(count) = self.table.as_ref().and_then(|table| table.get(&key)) {
            return Some(*count);
        }
        let mut rules = state.rules(faults);
        rules.at_leaves = depth == 1;
        let count = if depth == 1 && self.has(Rule::LeavesPseudoLegal) {
            pseudo_legal(state, rules, &Safety::of(state, rules)).len() as u128
        } else {
            let mut listed = moves(state, rules);
            match listed.len() {
                0 => self.of_end(state),
                length if depth == 1 => length as u128,
                _ => {
                    self.orders.sort(state, &mut listed);
                    let (mut sum, mut left) = (0, state.clone());
                    let is_lazy =
                        faults.iter().any(|it| matches!(it.rule, Rule::TakesBackLazily(_)));
                    for index in 0..listed.len() {
                        if is_lazy && index > 0 {
                            listed = moves(&left, left.rules(faults));
                            self.orders.sort(state, &mut listed);
                        }
                        let Some(&mv) = listed.get(index) else { break };
                        let child = left.play(mv, faults);
                        sum += self.perft(&child, depth - 1)?;
                        left = self.taken_back(left, mv, &child);
                    }
                    sum
                }
            }
        };
        if let Some(table) = &mut self.table {
            table.insert(key, count);
        }
        Some(count)
    }

    /// The position after the move to `child` has been taken back.
    fn taken_back(&self, state: State, mv: Made, child: &State) -> State {
        self.faults.iter().fold(state, |state, fault| match fault.rule {
            Rule::TakesBack(forgets) | Rule::TakesBackLazily(forgets) => {
                state.taken_back(mv, child, forgets)
            }
            _ => state,
        })
    }
}
