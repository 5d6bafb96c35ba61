//! The native module of the Python package under AddressSanitizer: the package's own tests, with a
//! module that checks each access to memory, and with the checks of a debug build, such as that of
//! alignment.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::undefined::TARGET;
use super::{Failure, Form, python};
use crate::environment::Environment;
use crate::files::{files, make, remove, repository};
use crate::process::run;
use crate::wheel;

/// These tests limit the address space, of which the sanitizer reserves terabytes.
const LIMITED: &str = "tests/test_limits.py";

pub(super) fn test(form: &Form) -> Result<(), Failure> {
    let environment = Environment::new("sanitized-environment", python::VERSION);
    let environment = environment.map_err(Failure::Missing)?;
    let runtime = runtime()?;
    environment.create().map_err(Failure::Missing)?;
    let folder = repository().join("target/sanitizer-python");
    let variables = [
        ("RUSTUP_TOOLCHAIN", "nightly"),
        ("RUSTFLAGS", "-Zsanitizer=address"),
        ("CARGO_TARGET_DIR", &*folder.to_string_lossy()),
        (wheel::OPTIONS, &format!("--profile=dev --target={TARGET}")),
    ];
    let wheel = wheel::build(&environment, "target/sanitized-wheels", &variables)?;
    environment.install(&[&format!("{wheel}[test]")]).map_err(Failure::Missing)?;

    let mut tests = environment.module("pytest", "python");
    tests.args(["--ignore", LIMITED]);
    tests.env("TABIYA_COMMAND", form.build_command()?);
    tests.env("TABIYA_PYTHON_CHESS", python::download(&environment)?);
    tests.env("LD_PRELOAD", runtime);
    // Python does not free everything when it ends. Tests ask for more memory than there is.
    tests.env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
    Ok(run(&mut tests)?)
}

/// The sanitizer as a library, which the interpreter can load. Rust comes with an archive for
/// programs; one object of it works only there.
fn runtime() -> Result<PathBuf, Failure> {
    let folder = repository().join("target/sanitizer-runtime");
    remove(&folder)?;
    make(&folder)?;
    let libraries = nightly_libraries()?;
    run(Command::new("ar")
        .arg("x")
        .arg(libraries.join("librustc-nightly_rt.asan.a"))
        .current_dir(&folder))?;

    let mut objects = files(&folder)?;
    objects.retain(|object| !object.ends_with("asan_preinit.cpp.o"));
    // The sanitizer stops if it sees a library whose name is that of a sanitizer.
    let library = folder.join("checks.so");
    let mut link = Command::new("cc");
    link.arg("-shared").arg("-o").arg(&library).args(objects);
    run(link.args(["-lpthread", "-ldl", "-lm", "-lrt", "-lstdc++"]))?;
    Ok(library)
}

/// The folder of the nightly compiler's libraries for the target.
fn nightly_libraries() -> Result<PathBuf, Failure> {
    let mut rustc = Command::new("rustup");
    rustc.args(["run", "nightly", "rustc", "--print", "target-libdir", "--target", TARGET]);
    let output = rustc.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(Failure::Missing("no nightly Rust".to_owned()));
    }
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).to_owned())
}
