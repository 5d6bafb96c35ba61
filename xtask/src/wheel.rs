//! The wheel of the Python package.

use std::sync::Mutex;

use crate::environment::Environment;
use crate::files::only_file;
use crate::process::run;

/// The wheel as the tests build it, once in a run: soon compiled, with the checks of a debug build,
/// but with fast counters. Built as it is published it takes minutes.
pub(crate) fn as_tested(environment: &Environment) -> Result<String, String> {
    static BUILT: Mutex<Option<String>> = Mutex::new(None);
    let mut built = BUILT.lock().expect("no thread panics with it");
    if let Some(wheel) = &*built {
        return Ok(wheel.clone());
    }
    let mut options = "--profile=dev --config profile.dev.incremental=false".to_owned();
    let mut set = |packages: &[&str], settings: &[&str]| {
        for (package, setting) in packages.iter().flat_map(|p| settings.iter().map(move |s| (p, s)))
        {
            options += &format!(" --config profile.dev.package.{package}.{setting}");
        }
    };
    let fast = ["opt-level=3", "debug-assertions=false", "overflow-checks=false"];
    set(&["tabiya", "tabiya-perft"], &fast);
    // These take a fifth of the time to compile, and the tests no longer.
    set(&["tabiya-python", "tabiya-runs", "tabiya-views"], &["opt-level=0"]);
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
