//! One cause, one finding: which errors a more general one explains.

use crate::case::Case;
use crate::class::Class;
use crate::classify::labels;

/// An error, and the errors that it explains.
#[derive(Clone, Debug)]
pub(crate) struct Cause<T> {
    pub(crate) root: T,
    pub(crate) consequences: Vec<T>,
}

/// Groups errors by their causes, the likeliest cause first. `case` gives the example of each error,
/// as small as possible.
///
/// An error is a consequence if the class of another one could describe each of its wrong moves, but
/// not the other way round. Between two that describe each other, the smaller example is the cause.
pub(crate) fn causes<T>(mut errors: Vec<T>, case: impl Fn(&T) -> &Case) -> Vec<Cause<T>> {
    let mut causes = Vec::new();
    errors.sort_by_key(|error| rank(case(error)));
    while !errors.is_empty() {
        let explains = |one: usize, other: usize| {
            one != other && explains(case(&errors[one]), case(&errors[other]))
        };
        let all = 0..errors.len();
        let likeliest = all.clone().min_by_key(|&one| {
            let by_others =
                all.clone().filter(|&other| explains(other, one) && !explains(one, other)).count();
            let others = all.clone().filter(|&other| explains(one, other)).count();
            (by_others, usize::MAX - others)
        });
        let Some(likeliest) = likeliest else { break };
        // What a consequence explains is a consequence as well.
        let mut explained = vec![likeliest];
        let mut next = 0;
        while let Some(&cause) = explained.get(next) {
            let more: Vec<usize> = all
                .clone()
                .filter(|other| explains(cause, *other) && !explained.contains(other))
                .collect();
            explained.extend(more);
            next += 1;
        }
        let mut parts: Vec<Option<T>> = errors.into_iter().map(Some).collect();
        let mut taken = explained.into_iter().filter_map(|index| parts[index].take());
        if let Some(root) = taken.next() {
            causes.push(Cause { root, consequences: taken.collect() });
        }
        errors = parts.into_iter().flatten().collect();
    }
    causes.sort_by_key(|cause| {
        let (kind, size) = rank(case(&cause.root));
        (kind, usize::MAX - cause.consequences.len(), size)
    });
    causes
}

/// Could a bug of the first error's class have caused the second?
fn explains(root: &Case, other: &Case) -> bool {
    // A program that lists the moves of the wrong side has none if that side has none.
    let is_of_other_side = root.class == Class::WrongSide
        && other.got == Some(0)
        && other.position().turn() == root.position().turn();
    // A program that misreads the en-passant field does so with any square in it.
    let is_of_field =
        root.class == Class::EnPassantFieldIgnored && other.class == Class::EnPassantConvention;
    is_of_other_side || is_of_field || labels(other).contains(&root.class)
}

/// The order of errors: those that more direct evidence proves come first, then the smaller ones.
fn rank(case: &Case) -> (u8, (usize, u32, u32)) {
    let kind = match case.class {
        _ if case.has_wrong_moves() && case.path.is_empty() => 0,
        class if class.name().starts_with("dialogue-") => 4,
        _ if case.has_wrong_moves() => 1,
        class if class.name().starts_with("state-") => 3,
        _ => 2,
    };
    (kind, case.size())
}

#[cfg(test)]
mod tests {
    use tabiya::Position;

    use super::*;
    use crate::case::Diff;

    /// The case of a list that lacks some moves.
    fn lacking(class: Class, fen: &str, missing: &[&str]) -> Case {
        let position = Position::from_fen(fen).unwrap();
        let all: Vec<String> = position
            .legal_moves()
            .into_iter()
            .map(|mv| position.uci(mv).to_string())
            .filter(|it| !missing.contains(&it.as_str()))
            .collect();
        let diff = Diff::of(&position, &all.iter().map(String::as_str).collect::<Vec<_>>());
        let expected = position.count_legal() as u128;
        Case {
            missing: diff.missing,
            ..Case::of_count(class, (&position, &[], 1), expected, Some(diff.got))
        }
    }

    #[test]
    fn the_general_error_is_the_cause() {
        let knight = lacking(Class::KnightMissing, "4k3/8/8/4N3/8/8/8/4K3 w - - 0 1", &["e5c4"]);
        let evasion =
            lacking(Class::CheckEvasionMissing, "5k2/8/8/8/7n/8/8/5R1K b - - 0 1", &["h4f3"]);
        let castling = lacking(Class::CastlingMissing, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", &["e1g1"]);
        let grouped = causes(vec![evasion, castling, knight], |case| case);
        let found: Vec<(Class, Vec<Class>)> = grouped
            .into_iter()
            .map(|it| (it.root.class, it.consequences.iter().map(|case| case.class).collect()))
            .collect();
        assert_eq!(
            found,
            [
                (Class::KnightMissing, vec![Class::CheckEvasionMissing]),
                (Class::CastlingMissing, vec![])
            ]
        );
    }
}
