//! The npm package and the explorer: in Node, and in a real browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Failure, Form, installed, python, syzygy};
use crate::environment::Environment;
use crate::output::{captured, redirect};
use crate::process::{compiled_soon, run};
use crate::web;

/// A browser that can be driven. The first one draws no window, and takes half the time.
pub(super) const BROWSER: &str =
    "$CHROMIUM|chromium-headless-shell|chromium|chromium-browser|google-chrome";

/// Where this suite downloads endgame tables to.
const TABLES: &str = "target/syzygy-of-package";

pub(super) fn test_page(form: &Form) -> Result<(), Failure> {
    web::prepare().map_err(Failure::Missing)?;
    let browser = installed(BROWSER).unwrap_or_default();
    web::build()?;
    is_built_once()?;
    run(web::npm("web").args(["run", "--silent", "check"]))?;

    let long = |command: &mut Command| {
        if form.long {
            command.env("TABIYA_LONG_TESTS", "1");
        }
    };
    let environment =
        Environment::new("tools/tables", python::VERSION).map_err(Failure::Missing)?;
    environment.create().map_err(Failure::Missing)?;
    let tables = syzygy::tables_in(&environment, TABLES)?;
    let mut package = web::npm("web/npm");
    long(package.args(["test", "--silent"]).env("TABIYA_SYZYGY", tables));
    run(&mut package)?;
    // The sets that the page shows are compared with those of the command.
    let mut page = web::local("playwright");
    page.env("TABIYA_COMMAND", form.build_command()?);
    long(page.arg("test").env("CHROMIUM", browser));
    run(&mut page)?;
    is_served()?;
    if form.long {
        // What they test, the tests in JavaScript reach as well, and their dependencies are large.
        let mut native = form.cargo(["test", "--release", "--quiet", "--package", "tabiya-wasm"]);
        run(native.args(compiled_soon("tabiya-perft")))?;
    }
    Ok(())
}

/// Checks that a second build compiles nothing, and that each step says first what it does.
fn is_built_once() -> Result<(), String> {
    let (result, output) = captured(web::build, false).map_err(|error| error.to_string())?;
    result?;
    let output = String::from_utf8_lossy(&output);
    match complaint(&output) {
        None => Ok(()),
        Some(complaint) => Err(format!("the second build of the page: {complaint}\n{output}")),
    }
}

/// What is wrong with the output of a second build.
fn complaint(output: &str) -> Option<String> {
    let compiled = output.lines().find(|line| line.trim_start().starts_with("Compiling "));
    if let Some(line) = compiled {
        return Some(format!("something is compiled again: {}", line.trim()));
    }
    let lines: Vec<&str> = output.lines().collect();
    for program in ["cargo build", "vite build"] {
        let place = lines.iter().position(|line| line.starts_with("   ") && line.contains(program));
        let is_announced = place.is_some_and(|at| at > 0 && lines[at - 1].starts_with("web: "));
        if !is_announced {
            return Some(format!("`{program}` does not say what it is for"));
        }
    }
    // A long step that prints nothing looks as if it had stopped.
    let silent = lines.iter().find(|line| line.contains("cargo build") && line.contains("--quiet"));
    silent.map(|line| format!("a step is silent: {}", line.trim()))
}

/// Checks that the server of `cargo xtask web --serve` answers with the page.
fn is_served() -> Result<(), String> {
    let port = web::free_port()?;
    let mut server = redirect(&mut web::server(port))
        .stdout(Stdio::null())
        .spawn()
        .map_err(|error| format!("the page cannot be served: {error}"))?;
    // The server takes a moment until it listens, and ends by itself if it cannot.
    let page = loop {
        match ask(port) {
            Ok(page) => break Ok(page),
            Err(_) if matches!(server.try_wait(), Ok(None)) => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(error) => break Err(format!("the page is not served: {error}")),
        }
    };
    let _ = server.kill();
    let _ = server.wait();
    match page?.contains("<title>tabiya explorer</title>") {
        true => Ok(()),
        false => Err("what is served is not the explorer".to_owned()),
    }
}

/// The answer to a request for the page.
fn ask(port: u16) -> std::io::Result<String> {
    let mut connection = TcpStream::connect(("127.0.0.1", port))?;
    write!(connection, "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
    let mut page = String::new();
    connection.read_to_string(&mut page)?;
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::complaint;

    const BINDINGS: &str = "web: building the program that writes the bindings\n   \
                            CARGO_TARGET_DIR=target/tools cargo build --manifest-path web\n";
    const MODULE: &str = "web: building the module\n   cargo build --package tabiya-wasm\n";
    const PAGE: &str = "web: building the page\n   web/node_modules/.bin/vite build\n";

    #[test]
    fn a_second_build_compiles_nothing_and_says_what_it_does() {
        assert_eq!(complaint(&[BINDINGS, MODULE, PAGE].concat()), None);
        let found = |output: String| complaint(&output).unwrap_or_default();
        let compiled = [BINDINGS, MODULE, "   Compiling tabiya-wasm v0.1.0\n", PAGE].concat();
        assert!(found(compiled).contains("Compiling tabiya-wasm"));
        let unannounced = PAGE.replace("web: building the page\n", "");
        assert!(found([BINDINGS, MODULE, &unannounced].concat()).contains("vite build"));
        let silent = BINDINGS.replace("cargo build", "cargo build --quiet");
        assert!(found([&silent, MODULE, PAGE].concat()).contains("a step is silent"));
    }
}
