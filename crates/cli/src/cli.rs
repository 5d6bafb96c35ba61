//! The command line: the common part of all subcommands.

use anstream::ColorChoice;
use clap::builder::styling::{AnsiColor, Styles};
use clap::{Parser, ValueEnum};

use crate::commands::Command;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  tabiya perft 6
      Count the leaf nodes of the start position at depths 1 to 6.
  tabiya perft 5 kiwipete --divide
      Count the leaf nodes below each root move.
  tabiya moves 4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1 --kind captures
  tabiya show --moves e2e4,e7e5 --layer attacks:white --svg board.svg
  tabiya explain --fen '4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1' e2d3

With --json, a command prints one object on one line. docs/json.md in the repository describes the
fields.

Exit codes:
  0    success
  1    a check failed: perft --expect, explain --check, suite, compare, pgn with a broken game and
       --check or --to, data with bad records; or the output could not be written, as on a full disk
  2    the arguments are wrong, or a file that they name cannot be read or written
  130  stopped with Ctrl-C; the results so far are printed

If the reader of the output goes away, as in `tabiya moves | head -1`, the command ends with exit
code 0. A command that checks something or keeps its results in a file goes on without output, and
its exit code is the same as with a reader.";

/// A chess move generator that counts, lists, explains and draws.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, styles = STYLES, after_long_help = EXAMPLES)]
#[command(propagate_version = true, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    #[arg(display_order = 900)]
    pub(crate) color: ColorWhen,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorWhen {
    /// On a terminal, unless NO_COLOR is set in the environment
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl ColorWhen {
    /// Applies the choice to all later output.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_definition_of_the_arguments_is_consistent() {
        crate::command().debug_assert();
    }
}
