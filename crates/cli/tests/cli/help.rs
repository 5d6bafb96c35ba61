//! Help texts, completions and manual pages.

use crate::program::{directory, fine, repository};

/// The names of the subcommands, from the help text.
pub(crate) fn subcommands() -> Vec<String> {
    let help = fine(&["--help"]);
    let list = help.split_once("\nCommands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = list.lines().filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn every_subcommand_has_help_with_examples() {
    let names = subcommands();
    assert!(names.len() >= 5, "{names:?}");
    for name in &names {
        let help = fine(&[name, "--help"]);
        assert!(help.contains(&format!("Usage: tabiya {name}")), "{help}");
        assert!(help.contains(&format!("Examples:\n  tabiya {name}")), "{help}");
        assert!(fine(&[name, "-h"]).contains("Usage: "));
    }
    assert!(fine(&["--help"]).contains("Exit codes:"));
    assert!(fine(&["--version"]).starts_with("tabiya 0."));
}

/// What the help texts give as examples works.
#[cfg(unix)]
#[test]
fn examples_of_the_help_texts() {
    let home = directory("help-examples");
    std::fs::copy(repository("suites/regression.epd"), home.join("suite.epd")).unwrap();
    let mut seen = 0;
    for name in subcommands() {
        let help = fine(&[&name, "--help"]);
        let examples = help.split_once("Examples:\n").unwrap().1;
        for line in examples.lines().filter(|line| line.starts_with("  tabiya ")) {
            // Examples that pipe into the pager or install files are not for a test.
            if !line.contains(['|', '>', '~']) {
                crate::shell::fine(line, &home);
                seen += 1;
            }
        }
    }
    assert!(seen >= 12, "only {seen} examples were run");
}

#[test]
fn completions_for_every_shell() {
    for (shell, part) in [
        ("bash", "complete -F _tabiya"),
        ("zsh", "#compdef tabiya"),
        ("fish", "complete -c tabiya"),
        ("elvish", "edit:completion"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let script = fine(&["completions", shell]);
        assert!(script.contains(part), "{shell}");
        assert!(subcommands().iter().all(|name| script.contains(name)), "{shell}");
        assert!(script.contains("quiet-checks") || shell == "elvish" || shell == "powershell");
    }
}

#[test]
fn manual_pages() {
    let main = fine(&["man"]);
    assert!(main.contains(".TH tabiya 1"), "{main}");
    assert!(main.contains("Exit codes:"), "{main}");
    let home = directory("manual-pages");
    assert_eq!(fine(&["man", "--dir", home.to_str().unwrap()]), "");
    assert_eq!(std::fs::read_to_string(home.join("tabiya.1")).unwrap(), main);
    for name in subcommands() {
        let page = fine(&["man", &name]);
        assert!(page.contains(&format!(".TH tabiya-{name} 1")), "{page}");
        let file = home.join(format!("tabiya-{name}.1"));
        assert_eq!(std::fs::read_to_string(file).unwrap(), page);
    }
}

#[test]
fn manual_pages_need_a_directory() {
    let missing = directory("no-manual-pages").join("missing");
    let error = crate::program::mistaken(&["man", "--dir", missing.to_str().unwrap()]);
    assert!(error.contains("tabiya.1 cannot be written: "), "{error}");
}
