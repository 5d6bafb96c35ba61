//! The fuzz targets with inputs that a fuzzer has found.

fn each_input(target: &str, property: fn(&[u8])) {
    let inputs = tabiya_fuzz::inputs::read(target).expect("the inputs are in the repository");
    assert!(inputs.len() > 20, "{target}: {} inputs", inputs.len());
    inputs.iter().for_each(|input| property(input));
}

macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                each_input(stringify!($name), tabiya_fuzz::$name);
            }
        )*
    };
}

targets! { calculator data epd fen files games moves pgn san tree }
