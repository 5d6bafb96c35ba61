//! The wheel of the Python package.

use std::fs;
use std::sync::Mutex;

use crate::environment::Environment;
use crate::packed::files;
use crate::process::{run, tested};

/// The folder in which wheels are built.
const FOLDER: &str = "target/python-wheels";

/// The wheel as the tests build it: from the crates that the tests in Rust have compiled. It is
/// built once in a run. Built as it is published it takes minutes, and gives the same answers.
pub(crate) fn as_tested(environment: &Environment) -> Result<String, String> {
    static BUILT: Mutex<Option<String>> = Mutex::new(None);
    let mut built = BUILT.lock().expect("no thread panics with it");
    if let Some(wheel) = &*built {
        return Ok(wheel.clone());
    }
    let profile = std::iter::once("--profile=release".to_owned());
    let options = profile.chain(tested()).collect::<Vec<_>>().join(" ");
    let wheel = build(environment, &[(OPTIONS, &options)])?;
    Ok(built.insert(wheel).clone())
}

/// The variable with options for the program that builds the package.
pub(crate) const OPTIONS: &str = "MATURIN_PEP517_ARGS";

/// Builds the wheel with these variables of the environment, and returns its path.
pub(crate) fn build(
    environment: &Environment,
    variables: &[(&str, &str)],
) -> Result<String, String> {
    only_file(FOLDER, || {
        let mut pip = environment.pip("wheel")?;
        pip.envs(variables.iter().copied());
        run(pip.args(["--no-deps", "--wheel-dir", FOLDER, "./python"]))
    })
}

/// The path of the one file that something makes in a folder of the repository.
pub(crate) fn only_file(
    folder: &str,
    make: impl FnOnce() -> Result<(), String>,
) -> Result<String, String> {
    let folder = crate::repository().join(folder);
    if folder.exists() {
        let about = |error: std::io::Error| format!("{}: {error}", folder.display());
        fs::remove_dir_all(&folder).map_err(about)?;
    }
    make()?;
    let made = files(&folder)?;
    let file = made.first().ok_or_else(|| format!("{}: it is empty", folder.display()))?;
    Ok(file.to_string_lossy().into_owned())
}
