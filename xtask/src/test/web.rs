//! The npm package and the explorer: in Node, and in a real browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::{Failure, Form};
use crate::output::redirect;
use crate::process::{compiled_soon, run, succeeds};
use crate::web;

pub(super) fn test_page(form: &Form) -> Result<(), Failure> {
    web::prepare().map_err(Failure::Missing)?;
    let browser = browser().ok_or_else(|| {
        Failure::Missing("no browser: neither $CHROMIUM nor chromium is installed".to_owned())
    })?;
    web::build()?;
    run(web::npm("web").args(["run", "--silent", "check"]))?;

    let long = |command: &mut Command| {
        if form.long {
            command.env("TABIYA_LONG_TESTS", "1");
        }
    };
    let mut package = web::npm("web/npm");
    long(package.args(["test", "--silent"]));
    run(&mut package)?;
    // The sets that the page shows are compared with those of the command.
    let mut page = web::local("playwright");
    page.env("TABIYA_COMMAND", form.build_command()?);
    long(page.arg("test").env("CHROMIUM", browser));
    run(&mut page)?;
    is_served()?;

    if form.tests_workspace {
        // The suite `rust` runs what follows.
        return Ok(());
    }
    // On this machine the counter is only called: its speed does not matter.
    let mut native = form.cargo(["test", "--release", "--quiet", "--package", "tabiya-wasm"]);
    Ok(run(native.args(compiled_soon("tabiya-perft")))?)
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

/// A browser that can be driven.
fn browser() -> Option<String> {
    let chosen = std::env::var("CHROMIUM").ok();
    // The first one draws no window, and takes half the time.
    let usual = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];
    let usual = usual.map(str::to_owned);
    chosen.into_iter().chain(usual).find(|name| succeeds(Command::new(name).arg("--version")))
}
