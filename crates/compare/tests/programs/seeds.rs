//! For a given seed, the sequence of questions is fixed as long as the answers are the same. The
//! budget only truncates it.

use std::cell::Cell;

use tabiya_compare::{Options, Query};

use crate::watched::hunt;

fn asked(arguments: &[&str], options: Options<'_>) -> Vec<Query> {
    hunt(arguments, "uci", options).queries
}

#[test]
fn a_seed_fixes_the_questions() {
    for arguments in [&[][..], &["--fault", "undo-rights"]] {
        let options = || Options { questions: Some(1_200), seed: 7, ..Options::default() };
        let (one, two) = (asked(arguments, options()), asked(arguments, options()));
        assert!(one.len() > 1_000, "{arguments:?}");
        // `assert_eq` would print both lists.
        let differs = one.iter().zip(&two).position(|(a, b)| a != b);
        assert_eq!((differs, one.len()), (None, two.len()), "{arguments:?}");
    }
}

#[test]
fn another_seed_asks_others() {
    let options = |seed| Options { questions: Some(2_500), seed, ..Options::default() };
    let (one, two) = (asked(&[], options(1)), asked(&[], options(2)));
    let same = one.iter().zip(&two).take_while(|(a, b)| a == b).count();
    // The known positions come first.
    assert!((100..one.len()).contains(&same), "{same} of {}", one.len());
}

#[test]
fn the_speed_of_the_program_changes_no_question() {
    let options = || Options { questions: Some(60), ..Options::default() };
    let (fast, slow) = (asked(&[], options()), asked(&["--delay", "7"], options()));
    assert_eq!(fast, slow);
}

#[test]
fn the_budget_only_cuts() {
    let whole = asked(&[], Options { questions: Some(1_500), ..Options::default() });
    for most in [0, 1, 2, 17, 700] {
        let left: Cell<usize> = Cell::new(most + 1);
        let stop = || {
            left.set(left.get().saturating_sub(1));
            left.get() == 0
        };
        let cut = asked(&[], Options { stop: &stop, ..Options::default() });
        assert!(cut.len() <= most && whole.starts_with(&cut), "{most}: {}", cut.len());
    }
}
