//! Writes the module and the script that JavaScript needs, from the WebAssembly that the compiler
//! made.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, wasm, folder] = &env::args().collect::<Vec<_>>()[..] else {
        return Err("usage: tabiya-bindings WASM FOLDER".into());
    };
    // Without the names of functions, which are a tenth of the download. `wasm-opt` would make the
    // module smaller, but larger when it is compressed, and not faster.
    let mut bindings = Bindgen::new();
    bindings.input_path(wasm).out_name("tabiya").web(true)?.omit_default_module_path(false);
    bindings.remove_name_section(true).remove_producers_section(true).typescript(true);
    Ok(bindings.generate(folder)?)
}
