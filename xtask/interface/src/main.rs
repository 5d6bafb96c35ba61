//! Prints the public interface of a crate, a line for each item, from what rustdoc has written as JSON.
//!
//! `tabiya-interface FILE`

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args_os().nth(1).ok_or("the file of rustdoc is missing")?;
    // Traits that a type has by a derivation or by its fields are left out: they are many, and what
    // they promise is tested.
    let interface = public_api::Builder::from_rustdoc_json(file)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()?;
    for item in interface.items() {
        println!("{item}");
    }
    Ok(())
}
