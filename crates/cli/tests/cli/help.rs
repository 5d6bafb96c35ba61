//! Help texts and manual pages.

use crate::program::{directory, fine, subcommands, write_suites};

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

/// The subcommands, and those of `tabiya data`, with their help texts.
#[cfg(unix)]
fn help_texts() -> Vec<String> {
    let mut texts: Vec<String> = subcommands().iter().map(|it| fine(&[it, "--help"])).collect();
    for name in ["convert", "check", "shuffle", "interleave", "statistics"] {
        texts.push(fine(&["data", name, "--help"]));
    }
    texts
}

#[cfg(unix)]
#[test]
fn the_examples_of_the_help_texts_succeed() {
    let home = directory("help-examples");
    write_suites(&home);
    std::fs::write(home.join("book.bin"), crate::book_bytes::small()).unwrap();
    std::fs::rename(home.join("regression.epd"), home.join("suite.epd")).unwrap();
    for folder in ["3-4-5", "6-wdl"] {
        std::fs::create_dir(home.join(folder)).unwrap();
    }
    std::fs::write(home.join("3-4-5/KNvK.rtbw"), crate::syzygy::knight()).unwrap();
    std::fs::write(home.join("games.pgn"), "1. e4 e5 2. Nf3 1-0\n").unwrap();
    let mut seen = 0;
    for name in ["games", "other", "quiet"] {
        crate::shell::fine(&format!("tabiya data convert games.pgn {name}.packed"), &home);
    }
    for help in help_texts() {
        let examples = help.split_once("Examples:\n").unwrap().1;
        for line in examples.lines().filter(|line| line.starts_with("  tabiya ")) {
            // Tests cannot run examples that use a pager or install files.
            if !line.contains(['|', '>', '~']) {
                // Two plies less test the options as well.
                crate::shell::fine(&line.replace("perft 8 ", "perft 6 "), &home);
                seen += 1;
            }
        }
    }
    assert!(seen >= 12, "only {seen} examples were run");
}

#[test]
fn every_subcommand_has_a_manual_page() {
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
fn the_directory_for_manual_pages_is_created() {
    let home = directory("new-manual-pages");
    let new = home.join("share").join("man1");
    fine(&["man", "--dir", new.to_str().unwrap()]);
    assert!(new.join("tabiya-perft.1").exists());
    // A file is in the place of the directory.
    let file = new.join("tabiya.1");
    let error = crate::program::mistaken(&["man", "--dir", file.to_str().unwrap()]);
    assert!(error.contains("tabiya.1 cannot be written: "), "{error}");
}
