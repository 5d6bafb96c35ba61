//! Writes the WebAssembly module and the script for JavaScript, from the output of the compiler.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, wasm, folder, name] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: tabiya-bindings WASM FOLDER NAME".into());
    };
    // The names of functions are a tenth of the download, so they are left out. `wasm-opt` would
    // make the module smaller, but larger after compression, and not faster.
    let mut bindings = Bindgen::new();
    bindings.input_path(wasm).out_name(name).web(true)?.omit_default_module_path(true);
    bindings.remove_name_section(true).remove_producers_section(true).typescript(true);
    Ok(bindings.generate(folder)?)
}
