//! The explorer: builds the page of `web/` and the npm package that it uses, and shows it.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use crate::files::{edit, remove, repository, write};
use crate::openings;
use crate::output::say;
use crate::process::{self, can_build_for, run, succeeds};

const TARGET: &str = "wasm32-unknown-unknown";

/// The program that writes the bindings.
const BINDINGS: &str = "web/bindings/Cargo.toml";

/// The program that writes the package's entries.
const ENTRIES: &str = "scripts/entries.mjs";

/// The folder of the package's modules and entries.
const PACKAGE: &str = "web/npm/pkg";

/// A WebAssembly module with the JavaScript around it.
struct Module {
    /// What it is, for the person who waits for it.
    purpose: &'static str,
    /// The feature and the example of the crate `tabiya-wasm`.
    feature: &'static str,
    /// The profile of cargo.
    profile: &'static str,
    /// The folder, and the name of the script.
    place: (&'static str, &'static str),
}

/// What the package starts with.
const GAMES: Module = Module {
    purpose: "the module with positions and games",
    feature: "games",
    profile: "web-small",
    place: (PACKAGE, "tabiya"),
};
/// What `tabiya/chess.js` needs, so that its users load nothing else, and others none of it.
const CHESS: Module = Module {
    purpose: "the module of the class of chess.js",
    feature: "chess",
    profile: "web-small",
    place: (PACKAGE, "chess"),
};
/// All the rest. The package's other entries load it, and so does the page when it counts.
const TOOLS: Module = Module {
    purpose: "the module that counts, compares and looks into tables",
    feature: "tools",
    profile: "web",
    place: (PACKAGE, "tools"),
};
/// What the page starts with: it shows a board before it reads a game.
const EXPLORER: Module = Module {
    purpose: "the module that the page starts with",
    feature: "explorer",
    profile: "web-small",
    place: ("web/pkg", "tabiya"),
};

/// Options of `cargo xtask web`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Serve the page afterwards, until Ctrl-C
    #[arg(long)]
    serve: bool,

    /// The port to serve it on; otherwise the first free one from 4173 on
    #[arg(long, requires = "serve")]
    port: Option<u16>,
}

/// Builds the page, and serves it if asked to.
pub(crate) fn show(args: &Args) -> Result<(), String> {
    prepare()?;
    build()?;
    if !args.serve {
        say("the page is in web/dist");
        return Ok(());
    }
    let port = match args.port {
        Some(port) => port,
        None => free_port()?,
    };
    run(&mut server(port))
}

/// The first free port, counted from Vite's own.
pub(crate) fn free_port() -> Result<u16, String> {
    let is_free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    let found = (4173..=4272).find(is_free);
    found.ok_or_else(|| "no port from 4173 to 4272 is free; choose one with --port".to_owned())
}

/// The server of the built page.
pub(crate) fn server(port: u16) -> Command {
    let mut serve = local("vite");
    serve.args(["preview", "--host", "127.0.0.1", "--strictPort", "--port", &port.to_string()]);
    serve
}

/// Installs everything that a build needs. The error names anything that this cannot install.
pub(crate) fn prepare() -> Result<(), String> {
    if !succeeds(npm("web").arg("--version")) {
        return Err("Node and npm are not installed".to_owned());
    }
    say(&format!("web: looking for the Rust target {TARGET}"));
    if !can_build_for(TARGET) {
        return Err(format!("no Rust target {TARGET}: rustup target add {TARGET}"));
    }
    install_packages()
}

/// Builds the npm package and the page.
pub(crate) fn build() -> Result<(), String> {
    build_modules()?;
    say("web: building the page");
    run(local("vite").arg("build"))
}

/// Builds the npm package, and the page as a part of a site: in a folder of it, with a link to its
/// start page.
pub(crate) fn build_for_site(folder: &Path, link: &str) -> Result<(), String> {
    build_modules()?;
    say("web: building the page of the site");
    let mut vite = local("vite");
    vite.args(["build", "--emptyOutDir", "--outDir"]).arg(folder);
    run(vite.env("TABIYA_SITE", link))
}

fn build_modules() -> Result<(), String> {
    build_package()?;
    build_module(&EXPLORER)
}

/// Builds the npm package.
pub(crate) fn build_package() -> Result<(), String> {
    build_bindings()?;
    // The folder is made anew, so that nothing of an older build is packed.
    let folder = repository().join(PACKAGE);
    remove(&folder)?;
    build_module(&GAMES)?;
    build_module(&CHESS)?;
    build_module(&TOOLS)?;
    write(&folder.join("tabiya-openings.js"), openings::script()?)?;
    run(Command::new("node").arg(ENTRIES).current_dir(repository().join("web/npm")))
}

/// A command of cargo about the program that writes the bindings. It is built among the other
/// tools, not among the builds for users.
fn bindings(command: &str) -> Command {
    let mut bindings = process::cargo([command, "--manifest-path", BINDINGS]);
    bindings.env("CARGO_TARGET_DIR", "target/tools");
    bindings
}

fn build_bindings() -> Result<(), String> {
    say("web: building the program that writes the bindings (the first time, a few minutes)");
    run(&mut bindings("build"))
}

fn build_module(module: &Module) -> Result<(), String> {
    let Module { purpose, feature, profile, place: (folder, name) } = module;
    say(&format!("web: building {purpose} (the first time, a few minutes)"));
    let package = ["build", "--profile", profile, "--package", "tabiya-wasm", "--target", TARGET];
    let mut build = process::cargo(package);
    run(build.args(["--example", feature, "--no-default-features", "--features", feature]))?;
    let wasm = format!("target/{TARGET}/{profile}/examples/{feature}.wasm");
    let folder = repository().join(folder);
    run(bindings("run").args(["--quiet", "--", &wasm]).arg(&folder).arg(name))?;
    finish(&folder.join(name).with_extension("js"))
}

/// Completes the script that was written for a module.
fn finish(script: &Path) -> Result<(), String> {
    check_arguments(script)?;
    hide_loading(script)?;
    edit(script, |source| Ok(without_comments(&shown_by_name(source))))
}

/// How Node's console shows an object: its class and its text.
const INSPECT: &str = "    [Symbol.for(\"nodejs.util.inspect.custom\")]() {
        return this.__wbg_ptr ? `NAME ${this}` : \"NAME (freed)\";
    }
";

/// Makes every class with a text readable in the console. Otherwise it shows an address.
fn shown_by_name(source: &str) -> String {
    let (mut text, mut class) = (String::with_capacity(source.len()), "");
    for line in source.split_inclusive('\n') {
        if let Some(rest) = line.strip_prefix("export class ") {
            class = rest.split(' ').next().unwrap_or_default();
        } else if line == "    toString() {\n" {
            text.push_str(&INSPECT.replace("NAME", class));
        }
        text.push_str(line);
    }
    text
}

/// The script without the comments, which its declarations have as well.
fn without_comments(source: &str) -> String {
    let mut is_comment = false;
    let is_code = |line: &&str| {
        let starts = line.trim_start().starts_with("/**");
        is_comment |= starts;
        let is_code = !is_comment;
        is_comment &= !line.trim_end().ends_with("*/");
        is_code
    };
    source.split_inclusive('\n').filter(is_code).collect()
}

/// The end of the script as it is written, and what takes its place: `export *` of the package
/// passes a default export by, so the functions that load the module stay inside the package.
const RAW_EXPORT: &str = "export { initSync, __wbg_init as default };";
const LOADING: &str = "export default {
    load: (source) => __wbg_init({ module_or_path: source }),
    loadSync: (bytes) => initSync({ module: bytes }),
};";
const LOADING_TYPES: &str = "/** Loads the module. It is not part of the package's interface. */
declare const loading: {
    load(source: URL | Promise<Response>): Promise<unknown>;
    loadSync(bytes: BufferSource): unknown;
};
export default loading;

declare global {
    interface SymbolConstructor {
        /** Declared here for programs whose `lib` is older than `ESNext.Disposable`. */
        readonly dispose: unique symbol;
    }
}
";

/// Hides what loads the module from the users of the package, and declares `Symbol.dispose`.
fn hide_loading(script: &Path) -> Result<(), String> {
    const MISSING: &str = "where is the module loaded?";
    edit(script, |source| match source.contains(RAW_EXPORT) {
        true => Ok(source.replace(RAW_EXPORT, LOADING)),
        false => Err(MISSING),
    })?;
    edit(&script.with_extension("d.ts"), |source| {
        let public = &source[..source.find("export type InitInput").ok_or(MISSING)?];
        Ok(format!("{public}{LOADING_TYPES}"))
    })
}

const STRING_CHECK: &str = "    if (typeof arg !== \"string\") \
                            throw new TypeError(`expected a string, not ${typeof arg}`);\n";
const ARRAY_CHECK: &str = "    if (!Array.isArray(NAME) && !ArrayBuffer.isView(NAME)) \
                           throw new TypeError(`expected an array, not ${typeof NAME}`);\n";

/// Makes the bindings refuse anything other than a string or an array where they need one.
/// Otherwise they write outside the memory that they reserved, or reserve none, and the module is
/// unusable from then on.
fn check_arguments(script: &Path) -> Result<(), String> {
    edit(script, |source| {
        let (mut checked, mut strings) = (String::with_capacity(source.len()), 0);
        for line in source.split_inclusive('\n') {
            checked.push_str(line);
            if line.starts_with("function passStringToWasm0(arg, ") {
                strings += 1;
                checked.push_str(STRING_CHECK);
            } else if line.starts_with("function passArray") {
                let name = if line.contains("(arg, ") { "arg" } else { "array" };
                checked.push_str(&ARRAY_CHECK.replace("NAME", name));
            }
        }
        if strings == 1 { Ok(checked) } else { Err("where are strings passed?") }
    })
}

/// A program of npm, in the folder of the page.
pub(crate) fn local(program: &str) -> Command {
    let folder = repository().join("web");
    let mut command = Command::new(folder.join("node_modules/.bin").join(program));
    command.current_dir(folder);
    command
}

/// `npm`, in a folder of the repository.
pub(crate) fn npm(folder: &str) -> Command {
    let mut command = Command::new("npm");
    command.current_dir(repository().join(folder));
    command
}

/// Installs the packages of `web/package-lock.json`, unless they are there. npm warns of a Node that's too
/// old for some of them; Vite refuses one that's too old for the page.
fn install_packages() -> Result<(), String> {
    let web = repository().join("web");
    let changed = |path: &Path| -> Option<SystemTime> { path.metadata().ok()?.modified().ok() };
    // npm writes the second file when it has installed the packages in the first one.
    let wanted = changed(&web.join("package-lock.json"));
    let installed = changed(&web.join("node_modules/.package-lock.json"));
    if installed.is_some() && installed >= wanted {
        return Ok(());
    }
    say("web: installing the packages of web/package-lock.json");
    run(npm("web").args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"]))
        .map_err(|error| format!("packages cannot be installed: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bindings in the module and the program that reads them have the same version.
    #[test]
    fn both_sides_of_the_bindings_have_one_version() {
        let version = |manifest: &str, package: &str| -> String {
            let path = repository().join(manifest);
            let text = std::fs::read_to_string(&path).unwrap();
            let begin = format!("{package} = \"=");
            let line = text.lines().find_map(|line| line.strip_prefix(&begin));
            line.and_then(|line| line.strip_suffix('"')).unwrap().to_owned()
        };
        let module = version("web/module/Cargo.toml", "wasm-bindgen");
        assert_eq!(module, version(BINDINGS, "wasm-bindgen-cli-support"));
        assert_eq!(module.split('.').count(), 3);
    }
}
