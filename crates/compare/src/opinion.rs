//! A second opinion: another engine's answer about a finding.

use crate::case::{Case, Diff};
use crate::finding::Opinion;
use crate::generator::{Generator, Trouble};
use crate::question::Question;
use crate::truth::{Told, resolve};

/// The opinion of another engine. It is asked only about the position, without the line of moves.
pub(crate) fn second(oracle: &dyn Generator, case: &Case) -> Opinion {
    let here = case.question.position();
    let depth = case.question.depth;
    let question = Question::new(&here, &[], depth).query();
    let got = match oracle.divide(&question) {
        Ok(divide) => {
            let told: Vec<Told> =
                divide.moves.iter().map(|(text, _)| resolve(&here, text)).collect();
            let diff = Diff::of(&here, &told);
            let extra: Vec<String> = diff.extra.iter().map(Told::text).collect();
            let missing: Vec<String> =
                diff.missing.iter().map(|&mv| here.uci(mv).to_string()).collect();
            let parts: Vec<String> = [("lists", extra), ("does not list", missing)]
                .into_iter()
                .filter(|(_, moves)| !moves.is_empty())
                .map(|(verb, moves)| format!("it {verb} {}", moves.join(" ")))
                .collect();
            if !parts.is_empty() {
                return Opinion::Disagrees(parts.join(", "));
            }
            Ok(divide.count())
        }
        Err(Trouble::Unsupported) => oracle.perft(&question),
        Err(trouble) => Err(trouble),
    };
    match got {
        Ok(got) if got == case.expected => Opinion::Agrees,
        Ok(got) => Opinion::Disagrees(format!(
            "it counts {got} leaf nodes at depth {}, not {}",
            depth, case.expected
        )),
        Err(trouble) => Opinion::Silent(trouble.to_string()),
    }
}
