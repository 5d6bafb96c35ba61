//! A second opinion: what another engine says about a finding.

use super::case::{Case, Diff};
use super::question::query;
use crate::generator::{Generator, Trouble};
use crate::truth::{self, Told};

/// What the other engine says, asked about the position alone: `agrees`, or loudly that it does not.
pub(super) fn second(oracle: &dyn Generator, case: &Case) -> String {
    let here = case.position();
    let question = query(&here, &[], case.depth);
    let expected = truth::perft(&here, case.depth);
    let got = match oracle.divide(&question) {
        Ok(divide) => {
            let listed: Vec<&str> = divide.moves.iter().map(|(text, _)| text.as_str()).collect();
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
                return format!("{DISAGREES}: {}", parts.join(", "));
            }
            Ok(divide.count())
        }
        Err(Trouble::Unsupported) => oracle.perft(&question),
        Err(trouble) => Err(trouble),
    };
    match got {
        Ok(got) if got == expected => "agrees".to_owned(),
        Ok(got) => {
            format!(
                "{DISAGREES}: it counts {got} leaf nodes at depth {}, not {expected}",
                case.depth
            )
        }
        Err(trouble) => format!("no answer: {trouble}"),
    }
}

/// How an opinion begins that is not tabiya's.
pub(crate) const DISAGREES: &str = "DISAGREES with tabiya";
