//! `tabiya completions`: scripts that let shells complete the command line.

use std::io::Write;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ValueHint};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::outcome::Outcome;

const EXAMPLES: &str = "\
Examples:
  tabiya completions bash > ~/.local/share/bash-completion/completions/tabiya
  tabiya completions zsh > ~/.zfunc/_tabiya
  tabiya completions fish > ~/.config/fish/completions/tabiya.fish";

/// Print a script that completes the command line, for users of a shell
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
    // clap needs names that live until the program ends, which is soon.
    let names = definition.get_subcommands().map(|command| &*command.get_name().to_owned().leak());
    let names: Vec<&'static str> = names.collect();
    let mut definition = definition
        .mut_subcommands(without_file_names)
        // `man` takes the name of a subcommand. Its own definition cannot list these names.
        .mut_subcommand("man", |man| {
            man.mut_arg("command", |command| command.value_parser(PossibleValuesParser::new(names)))
        });
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut definition, "tabiya", &mut script);
    if args.shell == Shell::Zsh {
        let script = with_colons(&String::from_utf8_lossy(&script), &definition);
        out.write_all(script.as_bytes())?;
    } else {
        out.write_all(&script)?;
    }
    Ok(Outcome::Fine)
}

/// Escapes the colons in values such as `attacks:white` once more in a script for zsh.
/// clap_complete writes them like the colon between a value and its description, so zsh would end
/// the value there.
fn with_colons(script: &str, definition: &clap::Command) -> String {
    let arguments = definition.get_subcommands().flat_map(clap::Command::get_arguments);
    let values = arguments.flat_map(Arg::get_possible_values);
    let mut script = script.to_owned();
    for value in values.filter(|value| value.get_name().contains(':')) {
        let with = |colon: &str| value.get_name().replace(':', colon) + r#"\:""#;
        script = script.replace(&with(r"\:"), &with(r"\\\:"));
    }
    script
}

/// Marks values that are not files. Otherwise shells would offer file names for them.
fn without_file_names(command: clap::Command) -> clap::Command {
    let marked = |argument: Arg| {
        let is_value = argument.get_action().takes_values();
        match argument.get_value_hint() {
            ValueHint::Unknown if is_value => argument.value_hint(ValueHint::Other),
            _ => argument,
        }
    };
    command.mut_args(marked).mut_subcommands(without_file_names)
}
