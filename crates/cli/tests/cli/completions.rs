//! `tabiya completions`.

use std::path::Path;
use std::process::Command;

use crate::program::{directory, fine, missing, subcommands};

#[test]
fn every_shell_has_a_script() {
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
    }
}

/// Options with their values: all values, or some of many.
const VALUES: [(&str, &str, &[&str]); 9] = [
    ("perft", "--isa", &["auto", "avx512", "bmi2", "portable"]),
    ("perft", "--position", &["startpos", "kiwipete", "cpw6"]),
    ("perft", "--plain", &["stockfish", "perftree"]),
    ("perft", "--checks", &["include-mates", "exclude-mates"]),
    ("moves", "--kind", &["legal", "quiet-checks", "non-evasions"]),
    ("moves", "--role", &["pawn", "king"]),
    ("pgn", "--strip", &["comments", "variations", "glyphs"]),
    ("pgn", "--result", &["1-0", "0-1", "1/2-1/2"]),
    ("show", "--layer", &["attacks:white", "checkers", "pin-lines", "king-danger", "targets"]),
];

/// The lines of a script that contain the text.
fn lines_with<'a>(script: &'a str, text: &str) -> Vec<&'a str> {
    script.lines().filter(|line| line.contains(text)).collect()
}

#[test]
fn the_scripts_offer_values() {
    // The script for zsh escapes colons in values.
    let zsh = fine(&["completions", "zsh"]).replace("\\\\\\:", ":");
    let fish = fine(&["completions", "fish"]);
    let bash = fine(&["completions", "bash"]);
    for (_, option, values) in VALUES {
        for value in values {
            // fish and bash write the values in the next lines.
            assert!(zsh.contains(value) && fish.contains(value) && bash.contains(value), "{value}");
        }
        let name = option.trim_start_matches('-');
        assert!(!lines_with(&fish, &format!("-l {name} ")).is_empty(), "{option}");
        assert!(!lines_with(&zsh, option).is_empty(), "{option}");
    }
    // No shell offers file names for a value that is not a file.
    assert!(lines_with(&fish, "-l threads ").iter().all(|line| line.contains("-r -f")));
    assert!(lines_with(&fish, "-l checkpoint ").iter().all(|line| line.contains("-r -F")));
}

/// Runs a shell script. `None` if the shell is not installed.
fn shell(program: &str, script: &Path, text: &str) -> Option<String> {
    if Command::new(program).arg("--version").output().is_err() {
        missing(program);
        return None;
    }
    std::fs::write(script, text).unwrap();
    let output = Command::new(program).arg(script).output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {err}");
    assert_eq!(err, "", "{program}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn bash_completes_values() {
    let script = directory("completions-bash").join("script.sh");
    let begin = fine(&["completions", "bash"]);
    for (command, option, values) in VALUES {
        let text = format!(
            "{begin}\ncompopt() {{ :; }}\nCOMP_WORDS=(tabiya {command} {option} '')\nCOMP_CWORD=3\n\
             _tabiya tabiya '' {option}\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
        );
        let Some(offered) = shell("bash", &script, &text) else { return };
        let offered: Vec<&str> = offered.lines().collect();
        assert!(values.iter().all(|value| offered.contains(value)), "{option}: {offered:?}");
    }
}

#[test]
fn fish_completes_values() {
    let script = directory("completions-fish").join("script.fish");
    let begin = fine(&["completions", "fish"]);
    for (command, option, values) in VALUES {
        let text = format!("{begin}\ncomplete -C 'tabiya {command} {option} '\n");
        let Some(offered) = shell("fish", &script, &text) else { return };
        let offered: Vec<&str> =
            offered.lines().filter_map(|line| line.split('\t').next()).collect();
        assert!(values.iter().all(|value| offered.contains(value)), "{option}: {offered:?}");
    }
    let text = format!("{begin}\ncomplete -C 'tabiya perft 3 --threads '\n");
    let offered = shell("fish", &script, &text).unwrap();
    assert_eq!(offered, "");
}

/// zsh completes only at a terminal. Here it runs in a pseudo-terminal, where a tab ends each call.
/// A function `tabiya` records the arguments that it is called with.
const ZSH: &str = r#"
cd FOLDER
(sleep 300; kill $$) >/dev/null 2>&1 &
zmodload zsh/zpty
zpty terminal zsh -f -i
zpty -w terminal 'unset zle_bracketed_paste; autoload -Uz compinit; compinit -u -D; source ./_tabiya'
zpty -w terminal 'tabiya() { print -r -- "$*" >> calls }; print re''ady'
zpty -r terminal text '*ready*'
for call in "$@"; do zpty -w terminal "tabiya $call"$'\t'; done
zpty -w terminal 'exit'
while zpty -r terminal text; do :; done
kill $!
cat calls
"#;

#[test]
fn zsh_completes_values() {
    let folder = directory("completions-zsh");
    std::fs::write(folder.join("_tabiya"), fine(&["completions", "zsh"])).unwrap();
    // The text that is typed, and the text that a tab adds.
    let calls = [
        ("perft --isa po", "rtable"),
        ("perft --position kiw", "ipete"),
        ("perft --plain st", "ockfish"),
        ("perft --checks ex", "clude-mates"),
        ("moves --kind quiet-", "checks"),
        ("moves --role kn", "ight"),
        ("show --layer king-d", "anger"),
        ("show --layer attacks:w", "hite"),
    ];
    let typed: String = calls.iter().map(|(typed, _)| format!(" '{typed}'")).collect();
    let text = ZSH.replace("FOLDER", &format!("'{}'", folder.display()));
    let text = format!("set --{typed}\n{text}");
    let Some(found) = shell("zsh", &folder.join("script.zsh"), &text) else { return };
    let expected: Vec<String> =
        calls.iter().map(|(typed, rest)| format!("{typed}{rest}")).collect();
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);
}
