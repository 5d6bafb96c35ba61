//! `tabiya completions`: scripts with which shells complete the command line.

use std::io::Write;

use clap_complete::Shell;

use crate::Outcome;
use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

/// Print a script that completes the command line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell to complete for
    #[arg(value_enum)]
    shell: Shell,
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::command(), "tabiya", &mut script);
    out.write_all(&script)?;
    Ok(Outcome::Fine)
}
