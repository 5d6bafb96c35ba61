//! The tests on other machines, which are emulated: a big-endian one, an x86-64 without vectors,
//! and in the long form ARM.
//!
//! The emulator runs a program of another machine as a process of this system. So the tests run
//! unchanged, but slowly, which is why they take their short forms.

use std::process::Command;

use super::{Failure, Form};
use crate::files::repository;
use crate::process::{self, can_build_for, run};

/// A machine, with the programs that build for it and run the result.
pub(super) struct Machine {
    target: &'static str,
    /// The C compiler, used as the linker, and the emulator.
    pub(super) needs: &'static [&'static str; 2],
    /// The place of the machine's libraries.
    libraries: &'static str,
}

/// The packages that are tested in each run: they read bytes from other programs. The tests of the
/// others take minutes to compile, and longer to run.
const PACKAGES: &[&str] = &["tabiya", "tabiya-pgn"];
/// Their tests in each run: those of code that the machine chooses, and of
/// code that reads, writes or hashes bytes. The long form runs all.
const TESTS: &[&str] = &["fen", "packed", "perft", "pgn", "playing", "polyglot", "san", "sliders"];
/// The packages that the long form tests as well.
const LONG: &[&str] = &["tabiya-perft", "tabiya-runs", "tabiya-views", "tabiya-compare"];

/// The highest byte of a number comes first.
pub(super) const BIG_ENDIAN: Machine = Machine {
    target: "s390x-unknown-linux-gnu",
    needs: &["s390x-linux-gnu-gcc", "qemu-s390x"],
    libraries: "/usr/s390x-linux-gnu",
};

/// It takes the same paths as WebAssembly, whose tests are not emulated: those for any CPU, with
/// the lowest byte first. So it is tested only in the long form.
pub(super) const ARM: Machine = Machine {
    target: "aarch64-unknown-linux-gnu",
    needs: &["aarch64-linux-gnu-gcc", "qemu-aarch64"],
    libraries: "/usr/aarch64-linux-gnu",
};

/// The original x86-64, with neither population counts nor vectors beyond SSE2.
const OLD: &str = "qemu-x86_64 -cpu qemu64,-popcnt,-sse4.1,-sse4.2,-avx,-avx2,-bmi1,-bmi2";

pub(super) fn big_endian(form: &Form) -> Result<(), Failure> {
    BIG_ENDIAN.test(form)
}

pub(super) fn arm(form: &Form) -> Result<(), Failure> {
    ARM.test(form)
}

impl Machine {
    fn test(&self, form: &Form) -> Result<(), Failure> {
        if !can_build_for(self.target) {
            return Err(Failure::Missing(format!("no Rust target {}", self.target)));
        }
        let [linker, emulator] = self.needs;
        let runner = format!("{emulator} -L {}", self.libraries);
        let mut tests = process::cargo(["test", "--lib", "--target", self.target]);
        tests.env("TABIYA_SHORT_TESTS", "1");
        if form.long {
            tests.arg("--tests");
        } else {
            tests.args(TESTS.iter().flat_map(|test| ["--test", test]));
        }
        let long = if form.long { LONG } else { &[] };
        for package in PACKAGES.iter().chain(long) {
            tests.args(["--package", package]);
        }
        let target = self.target.to_uppercase().replace('-', "_");
        tests.env(format!("CARGO_TARGET_{target}_LINKER"), linker);
        tests.env(format!("CARGO_TARGET_{target}_RUNNER"), &runner);
        if form.long {
            // Tests start processes: themselves, which the emulator must run, and a faulty program,
            // which may be one of this machine.
            tests.env("TABIYA_TEST_RUNNER", &runner);
            // This builds it with the whole workspace, as the suite `rust` does.
            run(&mut process::cargo(["build", "--release", "--example", "faulty"]))?;
            let path = repository().join("target/release/examples/faulty");
            tests.env("TABIYA_FAULTY", path);
        }
        Ok(run(&mut tests)?)
    }
}

/// The tests of code that the CPU chooses, as the suite `rust` has built them, on a CPU that has
/// none of the features.
pub(super) fn on_an_old_cpu(form: &Form) -> Result<(), Failure> {
    let old = |mut tests: Command| {
        let tests = tests.env("TABIYA_SHORT_TESTS", "1");
        run(tests.env("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER", OLD))
    };
    let mut library = form.test_library();
    library.args(["--test", "sliders", "--test", "playing"]);
    old(library)?;
    let mut others = form.test_workspace();
    others.args(["--test", "counters", "--test", "categories"]);
    Ok(old(others)?)
}
