//! The faults that explain a wrong list of moves.

use std::collections::BTreeMap;

use tabiya::fen::EnPassantMode;

use super::Subject;
use crate::case::Case;
use crate::class::Class;
use crate::finding::Finding;
use crate::listed::Listed;
use crate::models::{Fault, Model, Rule};
use crate::question::Question;
use crate::truth;

/// How a list differs from the right one: whether each move that differs is listed too often, or
/// not at all.
type Changes = BTreeMap<Listed, bool>;

/// The changes of a list. `right` is sorted.
fn changes(right: &[Listed], mut listed: Vec<Listed>) -> Changes {
    listed.sort_unstable();
    if listed == right {
        return Changes::new();
    }
    let mut changes: Changes = right.iter().map(|mv| (*mv, false)).collect();
    let mut last = None;
    for mv in listed {
        if right.binary_search(&mv).is_ok() && last != Some(mv) {
            changes.remove(&mv);
        } else {
            changes.insert(mv, true);
        }
        last = Some(mv);
    }
    changes
}

/// The most faults that are named for one list. A list of which more are needed is wrong in another way.
const MOST_FAULTS: usize = 3;
/// The classes that are named rather than more general ones if one list doesn't tell them apart.
const SPECIAL: [Class; 5] = [
    Class::EnPassantEvasion,
    Class::EnPassantEdge,
    Class::PromotionEvasion,
    Class::PinKnight,
    Class::CastlingChess960Path,
];

impl Subject<'_> {
    /// The faults whose changes are all seen in the list, until every wrong move is covered; the
    /// one that covers the most comes first. The rest has no explanation.
    pub(super) fn list(&self) -> Vec<Finding> {
        let question = self.question().at_depth(1);
        let legal = self.here.legal_moves().into_iter();
        let mut right: Vec<Listed> = legal.map(|mv| Listed::of(self.here, mv)).collect();
        right.sort_unstable();
        let listed = self.told.iter().filter_map(|it| it.listed(self.here)).collect();
        let wrong = changes(&right, listed);
        let is_seen = |of: &Changes| of.iter().all(|(mv, more)| wrong.get(mv) == Some(more));
        let is_played = !question.path.is_empty();
        let missing = wrong.iter().filter(|(_, more)| !**more);
        let holes = missing.filter_map(|(mv, _)| Fault::hole(self.here, *mv));
        let faults: Vec<(Fault, Changes)> = Fault::all()
            .into_iter()
            .chain(holes)
            .filter(|fault| !fault.at_leaves && !fault.rule.is_of_counts())
            .map(|fault| (fault, changes(&right, self.model_list(fault, &question))))
            .filter(|(_, of)| is_seen(of))
            // After moves, the list of the same position was right by FEN.
            .filter(|(fault, _)| {
                let by_fen = question.by_fen(EnPassantMode::PseudoLegal);
                !is_played || changes(&right, self.model_list(*fault, &by_fen)).is_empty()
            })
            .collect();
        let mut left = wrong.clone();
        let mut parts: Vec<(Class, Option<String>, Changes)> = Vec::new();
        for _ in 0..MOST_FAULTS {
            let covered = |of: &Changes| of.keys().filter(|mv| left.contains_key(mv)).count();
            let most = faults.iter().map(|(_, of)| covered(of)).max().unwrap_or(0);
            // After moves, faults of the list don't add up.
            if most == 0 || is_played && most < left.len() {
                break;
            }
            let best = || faults.iter().filter(|(_, of)| covered(of) == most);
            let Some((class, note)) = named(best().map(|(fault, _)| *fault)) else { break };
            let Some((_, of)) = best().find(|(fault, _)| fault.class() == class) else { break };
            left.retain(|mv, _| !of.contains_key(mv));
            match parts.iter_mut().find(|part| part.0 == class) {
                Some(part) => part.2.extend(of),
                None => parts.push((class, note, of.clone())),
            }
        }
        let findings = parts.into_iter().map(|(class, note, of)| {
            let case = self.case_of(|mv| mv.is_some_and(|mv| of.contains_key(&mv)));
            super::finding(&case, class, note)
        });
        let case = self.case_of(|mv| mv.is_none_or(|mv| left.contains_key(&mv)));
        let is_left =
            !(case.extra.is_empty() && case.missing.is_empty() && case.duplicated.is_empty());
        let class = if is_played { Class::StatePlay } else { Class::ListWrong };
        findings.chain(is_left.then(|| super::finding(&case, class, None))).collect()
    }

    /// The list of a model. Texts don't tell castling to the next square from a step of the king.
    fn model_list(&self, fault: Fault, question: &Question) -> Vec<Listed> {
        let mut listed = Model::of([fault]).list(question);
        if !truth::is_chess960(self.here) {
            let is_far = |mv: &Listed| (mv.from.file() as u8).abs_diff(mv.to.file() as u8) > 1;
            listed.iter_mut().for_each(|mv| mv.castles &= is_far(mv));
        }
        listed
    }

    /// The wrong moves that a finding is about.
    fn case_of(&self, is_part: impl Fn(Option<Listed>) -> bool) -> Case {
        let legal = |moves: &[tabiya::Move]| {
            let is_part = |mv: &tabiya::Move| is_part(Some(Listed::of(self.here, *mv)));
            moves.iter().copied().filter(is_part).collect()
        };
        let extra = self.diff.extra.iter().filter(|it| is_part(it.listed(self.here)));
        Case {
            extra: extra.cloned().collect(),
            missing: legal(&self.diff.missing),
            duplicated: legal(&self.diff.duplicated),
            ..self.case(&self.question())
        }
    }
}

/// The class of faults that fit equally, and a note with the classes of the others.
pub(super) fn named(faults: impl Iterator<Item = Fault>) -> Option<(Class, Option<String>)> {
    const MOST: usize = 4;
    let mut faults: Vec<Fault> = faults.collect();
    faults.sort_by_key(|it| (!SPECIAL.contains(&it.class()), it.rule == Rule::EpFieldIgnored));
    let class = faults.first()?.class();
    let mut others: Vec<&str> = Vec::new();
    for other in faults.iter().map(|it| it.class()).filter(|it| *it != class) {
        if !others.contains(&other.name()) {
            others.push(other.name());
        }
    }
    others.truncate(MOST);
    let note = format!("it may also be {}: other positions tell them apart", others.join(", "));
    Some((class, (!others.is_empty()).then_some(note)))
}
