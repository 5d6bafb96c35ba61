//! `tabiya completions`: scripts with which shells complete the command line.

use std::io::Write;

use clap::{Arg, ValueHint};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

/// Print a script that completes the command line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell that runs the script
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(
    args: &Args,
    definition: clap::Command,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let mut definition =
        definition.mut_subcommands(|subcommand| subcommand.mut_args(without_file_names));
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "tabiya", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Fine)
}

/// Marks values that are not files: shells would offer file names for them.
fn without_file_names(argument: Arg) -> Arg {
    let is_value = argument.get_action().takes_values();
    match argument.get_value_hint() {
        ValueHint::Unknown if is_value => argument.value_hint(ValueHint::Other),
        _ => argument,
    }
}
