//! A second opinion: another engine's answer about a finding.

use crate::case::{Case, Diff};
use crate::finding::Opinion;
use crate::generator::{Generator, Trouble};
use crate::question::query;
use crate::truth::Told;

/// The opinion of another engine. It is asked only about the position, without the line of moves.
pub(crate) fn second(oracle: &dyn Generator, case: &Case) -> Opinion {
    let here = case.position();
    let question = query(&here, &[], case.depth);
    let got = match oracle.divide(&question) {
        Ok(divide) => {
            let listed = divide.texts();
            let diff = Diff::of(&here, &listed);
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
            case.depth, case.expected
        )),
        Err(trouble) => Opinion::Silent(trouble.to_string()),
    }
}
