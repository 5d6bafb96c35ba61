//! The fuzz targets with random input, for machines without a fuzzer.

/// The number of inputs: twenty times as many in the long form.
fn times(count: usize) -> usize {
    if std::env::var_os("TABIYA_LONG_TESTS").is_some() { 20 * count } else { count }
}

/// Random bytes. If `known` is not empty, only these bytes occur.
fn inputs(known: &'static [u8]) -> impl Iterator<Item = Vec<u8>> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize
    };
    std::iter::repeat_with(move || {
        let len = random() % 120;
        let byte = |number: usize| {
            if known.is_empty() { number as u8 } else { known[number % known.len()] }
        };
        (0..len).map(|_| byte(random())).collect()
    })
}

/// A text with some of its bytes replaced.
fn damaged(text: &'static str, known: &'static [u8]) -> impl Iterator<Item = Vec<u8>> {
    inputs(known).map(move |noise| {
        let mut bytes = text.as_bytes().to_vec();
        for (number, &byte) in noise.iter().take(3).enumerate() {
            let at = (noise.len() * 31 + number * 17 + usize::from(byte)) % bytes.len();
            bytes[at] = byte;
        }
        bytes
    })
}

/// A text with one to four gaps, each of 1 to 40 characters that may stand between moves.
fn with_gaps(text: &'static str) -> impl Iterator<Item = Vec<u8>> {
    const SIGNS: [&[u8]; 7] = [b" ", b".", b"7", b" ", b"12. ", b" \t.3\n", b"\r\n"];
    inputs(&[]).map(move |noise| {
        let mut bytes = text.as_bytes().to_vec();
        for gap in noise.as_chunks::<4>().0.iter().take(1 + noise.len() % 4) {
            let at = (256 * usize::from(gap[0]) + usize::from(gap[1])) % (bytes.len() + 1);
            let signs = SIGNS[usize::from(gap[2]) % SIGNS.len()];
            let len = 1 + usize::from(gap[3]) % 40;
            let begin = usize::from(gap[2]) / SIGNS.len();
            bytes.splice(at..at, signs.iter().copied().cycle().skip(begin).take(len));
        }
        bytes
    })
}

const FEN: &[u8] = b"pnbrqkPNBRQK/12345678 wb-KQkqAHah036";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

#[test]
fn random_and_damaged_fens_keep_the_properties() {
    inputs(FEN).take(times(10_000)).for_each(|input| tabiya_fuzz::fen(&input));
    damaged(KIWIPETE, FEN).take(times(10_000)).for_each(|input| tabiya_fuzz::fen(&input));
}

#[test]
fn random_games_keep_the_properties() {
    inputs(&[]).take(times(100)).for_each(|input| tabiya_fuzz::games(&input));
}

#[test]
fn random_texts_of_moves_keep_the_properties() {
    inputs(b"abcdefgh12345678qrbnO-0 x\n")
        .take(times(8_000))
        .for_each(|input| tabiya_fuzz::moves(&input));
}

#[test]
fn random_books_and_packed_positions_keep_the_properties() {
    inputs(&[]).take(times(100_000)).for_each(|input| tabiya_fuzz::data(&input));
}

#[test]
fn random_texts_in_algebraic_notation_keep_the_properties() {
    inputs(b"abcdefgh12345678KQRBNPqrbnkO0o-x:=()+#!?.ep Z\n")
        .map(|input| input.into_iter().take(9).collect::<Vec<u8>>())
        .take(times(40_000))
        .for_each(|input| tabiya_fuzz::san(&input));
    inputs(&[]).take(times(10_000)).for_each(|input| tabiya_fuzz::san(&input));
}

#[test]
fn random_and_damaged_expressions_keep_the_properties() {
    const SIGNS: &[u8] = b"e4A~!-*+<>&^|()0xb1f_ ,\npextmy-set";
    const EXPRESSION: &str = "north(A & ~my-set) | (attacks:white ^ -rank-2) << 3 + popcount(e4) | pext(light, 0xff_00)*5";
    inputs(SIGNS).take(times(15_000)).for_each(|input| tabiya_fuzz::calculator(&input));
    damaged(EXPRESSION, SIGNS)
        .take(times(15_000))
        .for_each(|input| tabiya_fuzz::calculator(&input));
}

#[test]
fn random_and_damaged_lines_of_epd_keep_the_properties() {
    let line = "4k3/8/8/8/8/8/8/4K2R w K - bm O-O Rh8; id \"a \\\"b\\\"; c\"; D1 15; hmvc 3;";
    inputs(b"bmaidcD0129 \"\\;-").take(times(10_000)).for_each(|input| tabiya_fuzz::epd(&input));
    damaged(line, b"\"\\; bmD19c-").take(times(15_000)).for_each(|input| tabiya_fuzz::epd(&input));
}

#[test]
fn random_and_damaged_files_keep_the_properties() {
    let line = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1 ;D1 26 ;D2 568\nid a\nepd 8/8\nperft 1 2\n";
    inputs(&[]).take(times(10_000)).for_each(|input| tabiya_fuzz::files(&input));
    damaged(line, b";D123 \npidef/")
        .take(times(10_000))
        .for_each(|input| tabiya_fuzz::files(&input));
}

#[test]
fn random_and_damaged_games_in_pgn_keep_the_properties() {
    const SIGNS: &[u8] = b"{}()[]\"\\$1.0-/* \n;%!?eNfd45x+=QO";
    const FILE: &str = "[Event \"a\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 {[%clk 1]} Kd7 $1 \
        (1... Kd8!? (1... Ke7) 2. e5 ; x\n Ke8) 2. Kd2 1-0\n\n[Event \"b\"]\n\n1. d4 *\n";
    inputs(SIGNS).take(times(8_000)).for_each(|input| tabiya_fuzz::pgn(&input));
    damaged(FILE, SIGNS).take(times(8_000)).for_each(|input| tabiya_fuzz::pgn(&input));
    inputs(SIGNS).take(times(4_000)).for_each(|input| tabiya_fuzz::tree(&input));
    damaged(FILE, SIGNS).take(times(4_000)).for_each(|input| tabiya_fuzz::tree(&input));
    with_gaps(FILE).take(times(8_000)).for_each(|input| tabiya_fuzz::pgn(&input));
    with_gaps(
        "1. e4 {a} e5 {[%eval 0.1] [%clk 0:03:00]} 2. Nf3 Nc6 (2... d6) 3. Bb5 a6 1-0 1. d4 *",
    )
    .take(times(8_000))
    .for_each(|input| tabiya_fuzz::pgn(&input));
}
