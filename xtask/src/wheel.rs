//! The wheel of the Python package.

use std::sync::Mutex;

use crate::environment::Environment;
use crate::packed::only_file;
use crate::process::{compiled_with_checks, run, tested};

/// The wheel as the tests build it: from the crates that the tests in Rust have compiled, with the checks of
/// a debug build. It is built once in a run. Built as it is published it takes minutes.
pub(crate) fn as_tested(environment: &Environment) -> Result<String, String> {
    static BUILT: Mutex<Option<String>> = Mutex::new(None);
    let mut built = BUILT.lock().expect("no thread panics with it");
    if let Some(wheel) = &*built {
        return Ok(wheel.clone());
    }
    let profile = std::iter::once("--profile=release".to_owned());
    let module = compiled_with_checks("tabiya-python");
    let options = profile.chain(tested()).chain(module).collect::<Vec<_>>().join(" ");
    let wheel = build(environment, "target/python-wheels", &[(OPTIONS, &options)])?;
    Ok(built.insert(wheel).clone())
}

/// The variable with options for the program that builds the package.
pub(crate) const OPTIONS: &str = "MATURIN_PEP517_ARGS";

/// Builds the wheel with these variables of the environment, and returns its path. Wheels that are
/// built in different ways have one name, so each way has its own folder.
pub(crate) fn build(
    environment: &Environment,
    folder: &str,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    only_file(folder, || {
        let mut pip = environment.pip("wheel")?;
        pip.envs(variables.iter().copied());
        run(pip.args(["--no-deps", "--wheel-dir", folder, "./python"]))
    })
}
