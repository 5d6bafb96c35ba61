//! The whole command line: what all subcommands have in common.

use clap::builder::styling::{AnsiColor, Styles};
use clap::{ColorChoice, Parser, ValueEnum};

use crate::commands::Command;

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Yellow.on_default().bold())
    .usage(AnsiColor::Yellow.on_default().bold())
    .literal(AnsiColor::Green.on_default())
    .placeholder(AnsiColor::Cyan.on_default());

const EXAMPLES: &str = "\
Examples:
  tabiya perft 6
      Count the games of six half-moves from the start, depth by depth.
  tabiya perft 5 --position kiwipete --divide
      The share of each first move.
  tabiya moves --fen '4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1' --kind captures
  tabiya show --moves e2e4,e7e5 --layer attacks:white --svg board.svg
  tabiya explain --fen '4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1' e2d3

With --json, one object is printed on one line; docs/json.md describes the fields.

Exit codes:
  0    all is well
  1    what was to be checked is not so (perft --expect, explain --check, suite), or the output
       was lost (a full disk, a closed standard output; but a reader may stop reading early)
  2    the call is mistaken, or a file that it names cannot be read or written
  130  stopped with Ctrl-C, after printing what was found until then";

/// A chess move generator that counts, lists, explains and draws.
#[derive(Debug, Parser)]
#[command(name = "tabiya", version, styles = STYLES, after_long_help = EXAMPLES)]
#[command(propagate_version = true, max_term_width = 100, arg_required_else_help = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to write in colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

/// When to write in colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless the environment has NO_COLOR
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl Color {
    /// Sets it for everything that is written from now on.
    pub(crate) fn apply(self) {
        let choice = match self {
            Self::Auto => ColorChoice::Auto,
            Self::Always => ColorChoice::Always,
            Self::Never => ColorChoice::Never,
        };
        match choice {
            ColorChoice::Auto => anstream::ColorChoice::Auto,
            ColorChoice::Always => anstream::ColorChoice::Always,
            ColorChoice::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn definitions_are_consistent() {
        crate::command().debug_assert();
    }
}
