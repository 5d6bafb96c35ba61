//! `tabiya man`: manual pages, generated from the definition of the arguments.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use clap::ValueHint;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use tabiya_runs::OutputFile;

use crate::failure::{Diagnostic, Failure};
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  tabiya man | man -l -
  tabiya man perft | man -l -
  tabiya man --dir ~/.local/share/man/man1";

/// Print a manual page, or write all of them to a directory, for packagers
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Print the page of this subcommand instead of the main page
    command: Option<String>,

    /// Write the pages of the program and of all subcommands to this directory; it is created if
    /// it does not exist
    #[arg(long, value_name = "DIR", conflicts_with = "command", value_hint = ValueHint::DirPath)]
    dir: Option<PathBuf>,
}

pub(crate) fn run(
    args: &Args,
    definition: clap::Command,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    // The built-in `help` would get a page for each of its topics.
    let mut main = definition.disable_help_subcommand(true);
    main.build();
    if let Some(dir) = &args.dir {
        let failed = |error| Failure::File { path: dir.clone(), error };
        fs::create_dir_all(dir).map_err(failed)?;
        let all =
            main.get_subcommands().flat_map(|it| std::iter::once(it).chain(it.get_subcommands()));
        for page in std::iter::once(&main).chain(all) {
            let name = page.get_display_name().unwrap_or(page.get_name());
            let path = dir.join(format!("{name}.1"));
            let text = roff(page)?;
            let written = OutputFile::at(&path).and_then(|file| file.write(&mut text.as_slice()));
            written.map_err(|error| Failure::File { path, error })?;
        }
        return Ok(Outcome::Fine);
    }
    let page = match &args.command {
        None => &main,
        Some(name) => main.find_subcommand(name).ok_or_else(|| {
            let names: Vec<_> = main.get_subcommands().map(clap::Command::get_name).collect();
            Diagnostic::new("there is no such subcommand").at(name, 0..name.len()).hint(
                format_args!(
                    "the subcommands are {}; --dir DIR writes all pages to a directory",
                    names.join(", ")
                ),
            )
        })?,
    };
    out.write_all(&roff(page)?)?;
    Ok(Outcome::Fine)
}

/// Makes a page. The text below the options contains tables and examples, so its line breaks are
/// kept.
fn roff(command: &clap::Command) -> Result<Vec<u8>, Failure> {
    let mut page = Vec::new();
    let version = command.get_version().unwrap_or_default();
    let man = Man::new(command.clone()).source(format!("tabiya {version}"));
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_long_help().or(command.get_after_help()) {
        let mut details = Roff::new();
        details.control("SH", ["DETAILS"]).control("nf", []);
        for line in text.to_string().lines() {
            details.text([roman(line)]);
        }
        details.control("fi", []).to_writer(&mut page)?;
    }
    man.render_version_section(&mut page)?;
    Ok(page)
}
