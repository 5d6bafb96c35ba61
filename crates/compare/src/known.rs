//! What is known of answers that no fault explains.

use tabiya::{Color, Role};

use crate::case::Case;
use crate::evidence::Observation;
use crate::truth::Told;

/// The facts that all these wrong answers share, as a sentence. `right` are the other answers.
pub(crate) fn known(wrong: &[&Observation], right: &[&Observation]) -> Option<String> {
    let cases: Vec<Case> =
        wrong.iter().map(|seen| Case::of(&seen.question, Some(&seen.answer))).collect();
    let all = |is_so: &dyn Fn(&Observation) -> bool| wrong.iter().all(|seen| is_so(seen));
    let mut facts = Vec::new();
    if let Some(moves) = moves(wrong, &cases) {
        facts.push(format!("only {moves} are wrong"));
    }
    let is_check = |seen: &Observation| seen.here.is_check();
    if all(&is_check) {
        facts.push("only in check".to_owned());
    }
    for color in [Color::White, Color::Black] {
        let is_theirs = |seen: &Observation| seen.here.turn() == color;
        if wrong.len() > 2 && all(&is_theirs) && right.iter().any(|seen| !is_theirs(seen)) {
            facts.push(format!("only when {color} moves"));
        }
    }
    if all(&|seen| !seen.question.path.is_empty()) {
        facts.push("only after moves".to_owned());
    }
    if let Some(most) = cap(wrong, right) {
        facts.push(format!("no list has more than {most} moves: the same number everywhere"));
    }
    if let Some(clock) = clock(wrong, right) {
        facts.push(format!("only from a halfmove clock of {clock}"));
    }
    (!facts.is_empty()).then(|| format!("what is known: {}", facts.join(", ")))
}

/// The kind of all wrong moves.
fn moves(wrong: &[&Observation], cases: &[Case]) -> Option<String> {
    let mut kinds: Vec<&str> = Vec::new();
    let mut roles: Vec<Option<Role>> = Vec::new();
    for (seen, case) in wrong.iter().zip(cases) {
        let legal = case.missing.iter().chain(&case.duplicated);
        for &mv in legal {
            kinds.push(match () {
                () if mv.is_promotion() => "promotions",
                () if mv.is_en_passant() => "en-passant captures",
                () if mv.castling().is_some() => "castling moves",
                () if mv.is_capture() => "captures",
                () => "other",
            });
            roles.push(seen.here.board().role_on(mv.from()));
        }
        for told in &case.extra {
            let Some(mv) = told.listed(&seen.here) else {
                kinds.push("other");
                continue;
            };
            kinds.push(match () {
                () if mv.promotion.is_some() => "promotions",
                () if mv.castles => "castling moves",
                () if seen.here.board().piece_on(mv.to).is_some() => "captures",
                () => "other",
            });
            roles.push(seen.here.board().role_on(mv.from));
        }
    }
    let first = *kinds.first()?;
    if first != "other" && kinds.iter().all(|it| *it == first) {
        return Some(first.to_owned());
    }
    let role = (*roles.first()?)?;
    (roles.len() == kinds.len() && roles.iter().all(|it| *it == Some(role)))
        .then(|| format!("moves of {role}s"))
}

/// The length of all wrong lists, if no list is longer.
fn cap(wrong: &[&Observation], right: &[&Observation]) -> Option<usize> {
    let length = |seen: &Observation| seen.answer.moves.as_ref().map(Vec::len);
    let most = length(wrong.first()?)?;
    let is_cut = |seen: &&Observation| {
        length(seen) == Some(most)
            && seen.here.count_legal() > most
            && seen.answer.moves.iter().flatten().all(|(told, _)| matches!(told, Told::Legal(_)))
    };
    let lists = right.iter().filter_map(|seen| length(seen));
    let legal = |seen: &&Observation| seen.here.count_legal();
    let is_varied = wrong.iter().map(legal).min() < wrong.iter().map(legal).max();
    (is_varied && wrong.iter().all(is_cut) && lists.max().is_none_or(|it| it <= most))
        .then_some(most)
}

/// The least halfmove clock of the wrong answers, if it is greater than that of all right ones.
fn clock(wrong: &[&Observation], right: &[&Observation]) -> Option<u16> {
    let least = wrong.iter().map(|seen| seen.here.halfmove_clock()).min()?;
    let most = right.iter().map(|seen| seen.here.halfmove_clock()).max()?;
    (least > most).then_some(least)
}
