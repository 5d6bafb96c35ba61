//! Tasks for developers: `cargo xtask test` runs every test suite, `cargo xtask web` builds the
//! explorer, `cargo xtask site` the site, `cargo xtask release` makes what is published, `cargo xtask interface`
//! compares public interfaces, `cargo xtask openings` makes the tables of named openings, `cargo xtask
//! schemas` writes the schemas of the command's JSON.

mod crates;
mod environment;
mod files;
mod interface;
mod openings;
mod output;
mod packed;
mod process;
mod release;
mod schemas;
mod site;
mod test;
mod web;
mod wheel;

use std::process::ExitCode;

use clap::Parser;

/// Tasks for developers of tabiya.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
enum Task {
    /// Run every test suite, or only those named
    Test(test::Args),
    /// Build the explorer into web/dist
    Web(web::Args),
    /// Build the site with all pages, the documentation of the code, and the explorer
    Site,
    /// Make everything that is published, and print the commands that publish it
    Release(release::Args),
    /// Compare the public interfaces with those of the last release
    Interface(interface::Args),
    /// Make the tables of named openings from their data
    Openings {
        /// Fail if the tables differ, and write nothing
        #[arg(long)]
        check: bool,
    },
    /// Generate the schemas of the command's JSON output and write them to docs/schemas
    Schemas {
        /// Fail if the schemas in docs/schemas differ, and write nothing
        #[arg(long)]
        check: bool,
    },
}

fn main() -> ExitCode {
    let result = match Task::parse() {
        Task::Test(args) => test::run(&args),
        Task::Web(args) => web::show(&args),
        Task::Site => site::show(),
        Task::Release(args) => release::run(&args),
        Task::Interface(args) => interface::show(&args),
        Task::Openings { check } => openings::write(check),
        Task::Schemas { check } => schemas::write(check),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
