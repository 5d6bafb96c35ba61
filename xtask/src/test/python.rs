//! The Python package: built as a wheel, installed into a fresh environment, and tested there.

use std::fs;
use std::process::Command;

use super::environment::Environment;
use super::{Failure, Form};
use crate::process::run;

/// The oldest version that the package supports.
const VERSION: (u32, u32) = (3, 11);
/// Where wheels are built.
const WHEELS: &str = "target/python-wheels";

pub(super) fn test_wheel(form: &Form) -> Result<(), Failure> {
    let environment = Environment::new("python-environment", VERSION)?;
    environment.create()?;
    let wheel = build(&environment)?;
    environment.install(&[&format!("{wheel}[test]")])?;

    // The Python package and the command continue each other's long runs.
    let mut tests = environment.module("pytest", "python");
    tests.env("TABIYA_COMMAND", form.build_command()?);
    if form.long {
        tests.env("TABIYA_LONG_TESTS", "1");
    }
    run(&mut tests)?;
    let outside = "import tabiya; assert 'site-packages' in tabiya.__file__, tabiya.__file__";
    run(Command::new(environment.python()).args(["-c", outside]))?;
    // The types: the package, its tests and its examples, and the stub against the native module.
    run(environment.module("mypy", "python").args(["src", "tests", "examples", "benchmarks"]))?;
    run(environment.module("mypy.stubtest", "python").arg("tabiya"))?;
    // Otherwise it looks at the packages of the interpreter that stands first in the path.
    let pyright = &mut environment.module("pyright", "python");
    Ok(run(pyright.arg("--pythonpath").arg(environment.python()))?)
}

/// Builds the wheel and returns its path.
fn build(environment: &Environment) -> Result<String, Failure> {
    let folder = crate::repository().join(WHEELS);
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    run(environment.pip("wheel").args(["--no-deps", "--wheel-dir", WHEELS, "./python"]))?;
    let mut made =
        fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let wheel = made.next().ok_or("no wheel was built".to_owned())?;
    let wheel = wheel.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(wheel.path().to_string_lossy().into_owned())
}
