#![no_main]
libfuzzer_sys::fuzz_target!(|input: &[u8]| tabiya_fuzz::tree(input));
