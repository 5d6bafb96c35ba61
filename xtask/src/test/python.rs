//! The Python package: built as a wheel, installed into a fresh environment, and tested there.

use std::process::Command;
use std::thread;

use super::{Failure, Form};
use crate::environment::Environment;
use crate::files::only_file;
use crate::process::run;
use crate::{output, wheel};

/// The oldest version that the package supports.
pub(super) const VERSION: (u32, u32) = (3, 11);
/// The release of python-chess whose tests run on the package, and the folder into which it is
/// downloaded.
pub(super) const PYTHON_CHESS: &str = "chess==1.11.2";
const SOURCES: &str = "target/python-sources";

pub(super) fn test_wheel(form: &Form) -> Result<(), Failure> {
    let environment = Environment::new("python-environment", VERSION).map_err(Failure::Missing)?;
    environment.create().map_err(Failure::Missing)?;
    let wheel = build(form, &environment)?;
    environment.install(&[&format!("{wheel}[test]")]).map_err(Failure::Missing)?;

    // The Python package and the command continue each other's long runs.
    let mut tests = environment.module("pytest", "python");
    // Many tests wait for other processes, so two files are tested at a time. The end of the output names
    // what failed, had errors and was skipped.
    tests.args(["--numprocesses", "2", "--dist", "loadfile", "-rfEs"]);
    // Otherwise a test that ends its process, as one does that hangs, is run again and again.
    tests.args(["--max-worker-restart", "0"]);
    tests.env("TABIYA_COMMAND", form.build_command()?);
    tests.env("TABIYA_PYTHON_CHESS", download(&environment)?);
    if form.long {
        tests.env("TABIYA_LONG_TESTS", "1");
    }
    let outside = "import tabiya; assert 'site-packages' in tabiya.__file__, tabiya.__file__";
    run(Command::new(environment.python()).args(["-c", outside]))?;
    // Tests spend much time waiting, and none depends on the speed of the machine.
    let (tested, typed) = thread::scope(|scope| {
        let file = output::file();
        let typed = scope.spawn(|| {
            output::set_file(file);
            check_types(&environment, form.long)
        });
        (run(&mut tests), typed.join())
    });
    tested?;
    typed.map_err(|_| "the check of the types panicked".to_owned())?
}

/// The types: the package, its tests and its examples, and the stub against the native module.
fn check_types(environment: &Environment, is_long: bool) -> Result<(), Failure> {
    run(environment.module("mypy", "python").args(["src", "tests", "examples", "benchmarks"]))?;
    run(environment.module("mypy.stubtest", "python").arg("tabiya"))?;
    // Otherwise it uses the packages of the interpreter that comes first in the path.
    let mut pyright = environment.module("pyright", "python");
    pyright.arg("--pythonpath").arg(environment.python());
    // What users of pyright see. In the tests it finds hardly more than mypy.
    let shown = if is_long { &[][..] } else { &["src", "examples"] };
    Ok(run(pyright.args(shown))?)
}

/// Builds the wheel, in the long form as it is published, and returns its path.
pub(super) fn build(form: &Form, environment: &Environment) -> Result<String, String> {
    match form.long {
        true => wheel::build(environment, "target/published-wheels", &[]),
        false => wheel::as_tested(environment),
    }
}

/// Downloads the source distribution of python-chess, which has its tests, and returns its path.
pub(super) fn download(environment: &Environment) -> Result<String, Failure> {
    download_to(environment, SOURCES)
}

/// The same into another folder, for suites that run at the same time.
pub(super) fn download_to(environment: &Environment, folder: &str) -> Result<String, Failure> {
    let downloaded = only_file(folder, || {
        let mut pip = environment.pip("download")?;
        run(pip.args(["--no-deps", "--no-binary", ":all:", "--dest", folder, PYTHON_CHESS]))
    });
    downloaded
        .map_err(|error| Failure::Missing(format!("{PYTHON_CHESS} cannot be downloaded: {error}")))
}
