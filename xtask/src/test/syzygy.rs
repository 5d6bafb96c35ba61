//! Syzygy tables: those of up to four pieces, which the source distribution of python-chess has.

use std::path::PathBuf;
use std::process::Command;

use super::{Failure, Form, python};
use crate::environment::Environment;
use crate::files::repository;
use crate::process::run;

/// Where this suite downloads the tables to.
const FOLDER: &str = "target/syzygy";
/// The number of positions of each table that are compared.
const POSITIONS: &str = "500";

/// The tables, downloaded to a folder and unpacked there. Suites that run at the same time need
/// different ones.
pub(super) fn tables_in(environment: &Environment, folder: &str) -> Result<PathBuf, Failure> {
    let sources = python::download_to(environment, &format!("{folder}/sources"))?;
    let mut tar = Command::new("tar");
    tar.arg("xzf").arg(repository().join(sources)).arg("-C").arg(repository().join(folder));
    run(tar.arg("--strip-components=1"))?;
    Ok(repository().join(folder).join("data/syzygy/regular"))
}

pub(super) fn with_real_tables(form: &Form) -> Result<(), Failure> {
    let environment =
        Environment::new("tools/syzygy", python::VERSION).map_err(Failure::Missing)?;
    let environment = environment.with(&[python::PYTHON_CHESS]).map_err(Failure::Missing)?;
    let tables = tables_in(&environment, FOLDER)?;

    let package = ["--release", "--package", "tabiya-syzygy"];
    let mut tests = form.cargo(["test"].into_iter().chain(package));
    run(tests.args(["--test", "tables"]).env("TABIYA_SYZYGY", &tables))?;
    run(form.cargo(["build"].into_iter().chain(package)).args(["--example", "values"]))?;
    let program = repository().join("target/release/examples/values");
    let mut compare = Command::new(environment.python());
    compare.arg(repository().join("crates/syzygy/tests/python_chess.py"));
    compare.args([&tables, &program]).arg(if form.long { "all" } else { POSITIONS });
    run(&mut compare)?;

    let mut differential = form.cargo(["test", "--release", "--test", "syzygy"]);
    differential.args(["--manifest-path", "differential/Cargo.toml"]);
    differential.env("CARGO_TARGET_DIR", "target").env("TABIYA_SYZYGY", &tables);
    Ok(run(&mut differential)?)
}
