//! Reading one value out of a compressed sequence.
//!
//! A table is a sequence of values, one for each index. It's compressed in two steps.
//!
//! **Pairs** (RE-PAIR). The most frequent pair of neighbours becomes a new symbol, again and again.
//! A symbol is thus a leaf with one value, or a pair of two symbols, and stands for up to 256 values
//! in a row.
//!
//! **Codes** (Huffman's, in canonical form). Each symbol has a code of some number of bits, shorter
//! if it's frequent. Symbols are numbered by the lengths of their codes, longest first, and codes of
//! one length count up with them. So for each length two numbers suffice: the first symbol, and its
//! code. Shorter codes are larger numbers if we write all of them at the top of a word. So if a word
//! begins with a code, its length is the first whose first code isn't above that word.
//!
//! The codes are packed into blocks of equal size, with the first bit in the highest place. `sizes`
//! has the number of values in each block, less one. A sparse index has an entry for every so many
//! values: the block with the value in the middle of that span, and its place there.
//!
//! To find a value we look up the index, walk to its block, skip whole symbols, and descend in the
//! last one. Skipping takes most of the time, so for all values of the next bits, the *window*, a
//! table has the symbols that end in it.

use std::sync::OnceLock;

use crate::error::Damage;

/// The smallest and the largest number of bits that are decoded by one look-up. It grows with the
/// number of symbols, and with it the time to open a table.
const WINDOWS: (u32, u32) = (6, 12);

/// The largest number of symbols: a pair names its parts with twelve bits.
const MOST_SYMBOLS: usize = 1 << 12;

/// The largest number of values of a symbol.
const MOST_VALUES: u16 = 256;

/// The second part of a leaf.
const LEAF: u16 = 0xfff;

/// The longest code: the reader refills its word by 32 bits.
const LONGEST: u8 = 32;

/// A compressed sequence: where its parts are in the file, and how to decode them.
#[derive(Debug)]
pub(crate) enum Pairs {
    /// All values are the same.
    Constant(u16),
    /// They aren't.
    Coded(Box<Coded>),
}

/// A sequence with blocks and codes.
#[derive(Debug)]
pub(crate) struct Coded {
    /// An entry of the index covers 2^`span_bits` values.
    span_bits: u32,
    /// A block has 2^`block_bits` bytes.
    block_bits: u32,
    index: Part,
    sizes: Part,
    blocks: Part,
    min_length: u8,
    /// For each length of a code, from the shortest: the first code, at the top of a word.
    first_code: Vec<u64>,
    /// For each length: the first symbol.
    first_symbol: Vec<u16>,
    /// Three bytes for each symbol.
    symbols: Part,
    /// Made at the first look-up: a file has up to eight sequences, and few are needed at once.
    decoder: OnceLock<Result<Decoder, Damage>>,
}

/// What decoding needs.
#[derive(Debug)]
struct Decoder {
    symbols: Vec<Symbol>,
    windows: Vec<Window>,
    window_bits: u32,
    /// The number of the shortest length of codes that are longer than a window.
    longer: usize,
}

/// A part of a file.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    start: usize,
    len: usize,
}

/// A leaf or a pair.
#[derive(Clone, Copy, Debug, Default)]
struct Symbol {
    /// The number of values, from 1 to 256. It's zero while unknown.
    len: u16,
    /// The number of values of `left`. It's zero for a leaf.
    left_len: u16,
    /// The first part, or the value of a leaf.
    left: u16,
    right: u16,
}

/// The symbols in a window, in 32 bits: the table is read at random, and should stay in the cache.
///
/// From the lowest bit: the number of values of all symbols that end in it (12 bits), the number of
/// bits of these (4), the number of bits of the first symbol, or zero if it doesn't end in it (4),
/// and the first symbol (12).
#[derive(Clone, Copy, Debug, Default)]
struct Window(u32);

impl Window {
    const fn new(values: u16, bits: u32, first_bits: u32, first_symbol: u16) -> Self {
        Self(values as u32 | bits << 12 | first_bits << 16 | (first_symbol as u32) << 20)
    }

    const fn values(self) -> u32 {
        self.0 & 0xfff
    }

    const fn bits(self) -> u32 {
        self.0 >> 12 & 15
    }

    const fn first_bits(self) -> u32 {
        self.0 >> 16 & 15
    }

    const fn first_symbol(self) -> u16 {
        (self.0 >> 20) as u16
    }
}

/// A position in a file, for reading its header.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    pub(crate) const fn offset(&self) -> usize {
        self.at
    }

    /// Takes some bytes.
    pub(crate) fn take(&mut self, len: usize) -> Result<&'a [u8], Damage> {
        let end = self.at.checked_add(len);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Damage::new(self.bytes.len(), "the file is too short"))?;
        self.at += len;
        Ok(taken)
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    pub(crate) fn u16(&mut self) -> Result<u16, Damage> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    fn u32(&mut self) -> Result<u32, Damage> {
        let (low, high) = (self.u16()?, self.u16()?);
        Ok(u32::from(low) | u32::from(high) << 16)
    }

    /// Goes on to a multiple of a power of two.
    pub(crate) fn align(&mut self, to: usize) {
        self.at = self.at.next_multiple_of(to);
    }

    /// Takes a part that is read later.
    fn part(&mut self, len: usize) -> Result<Part, Damage> {
        let start = self.at;
        self.take(len)?;
        Ok(Part { start, len })
    }
}

impl Pairs {
    /// Reads the description of a sequence of `len` values. Its first byte, the flags, has been
    /// read. The other parts of the file come later, see [`take_index`](Self::take_index).
    pub(crate) fn read(reader: &mut Reader<'_>, flags: u8, len: u64) -> Result<Self, Damage> {
        if flags & 0x80 != 0 {
            return Ok(Self::Constant(u16::from(reader.byte()?)));
        }
        let start = reader.offset();
        let wrong = |reason| Err(Damage::new(start, reason));
        let (block_bits, span_bits) = (u32::from(reader.byte()?), u32::from(reader.byte()?));
        if !(1..32).contains(&span_bits) || block_bits >= 32 {
            return wrong("the sizes of blocks and index are impossible");
        }
        // Blocks that are only counted, so that a walk at the end finds sizes.
        let padding = usize::from(reader.byte()?);
        let blocks = reader.u32()? as usize;
        let (longest, min_length) = (reader.byte()?, reader.byte()?);
        if min_length == 0 || min_length > longest || longest > LONGEST {
            return wrong("the lengths of codes are impossible");
        }
        let mut first_symbol = Vec::new();
        for _ in min_length..=longest {
            first_symbol.push(reader.u16()?);
        }
        let count = usize::from(reader.u16()?);
        if count == 0 || count > MOST_SYMBOLS {
            return wrong("the number of symbols is impossible");
        }
        let symbols = reader.part(3 * count)?;
        reader.align(2);
        let Some(first_code) = first_codes(&first_symbol, min_length) else {
            return wrong("the codes are impossible");
        };
        let spans = len.div_ceil(1 << span_bits);
        let too_long = Damage::new(start, "the file is too short");
        // Only lengths for now, which are checked when their bytes are taken.
        let part = |len: Option<usize>| Some(Part { start: 0, len: len? });
        let coded = Coded {
            span_bits,
            block_bits,
            index: part(usize::try_from(spans).ok().and_then(|n| n.checked_mul(6)))
                .ok_or(too_long)?,
            sizes: part(blocks.checked_add(padding).and_then(|n| n.checked_mul(2)))
                .ok_or(too_long)?,
            blocks: part(blocks.checked_mul(1 << block_bits)).ok_or(too_long)?,
            min_length,
            first_code,
            first_symbol,
            symbols,
            decoder: OnceLock::new(),
        };
        Ok(Self::Coded(Box::new(coded)))
    }

    /// Finds the index in the file.
    pub(crate) fn take_index(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        if let Self::Coded(coded) = self {
            coded.index = reader.part(coded.index.len)?;
        }
        Ok(())
    }

    /// Finds the numbers of values in the file.
    pub(crate) fn take_sizes(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        if let Self::Coded(coded) = self {
            coded.sizes = reader.part(coded.sizes.len)?;
        }
        Ok(())
    }

    /// Finds the blocks in the file.
    pub(crate) fn take_blocks(&mut self, reader: &mut Reader<'_>) -> Result<(), Damage> {
        if let Self::Coded(coded) = self {
            reader.align(64);
            coded.blocks = reader.part(coded.blocks.len)?;
        }
        Ok(())
    }

    /// The value at an index.
    #[inline]
    pub(crate) fn value(&self, bytes: &[u8], index: u64) -> Result<u16, Damage> {
        match self {
            Self::Constant(value) => Ok(*value),
            Self::Coded(coded) => coded.value(bytes, index),
        }
    }
}

/// Reads the symbols, and finds out how many values each of them has. They begin at a place in the
/// file.
fn read_symbols(triples: &[u8], start: usize) -> Result<Vec<Symbol>, Damage> {
    let read = |triple: &[u8; 3]| {
        let [low, middle, high] = triple.map(u16::from);
        let (left, right) = (low | (middle & 15) << 8, middle >> 4 | high << 4);
        Symbol { len: u16::from(right == LEAF), left_len: 0, left, right }
    };
    let mut symbols: Vec<Symbol> = triples.as_chunks().0.iter().map(read).collect();
    // A pair's length is known when those of its parts are, which come before or after it. A file that
    // was made to harm may have circles; otherwise a symbol is at most as deep as it has values.
    let mut path = Vec::new();
    for root in 0..symbols.len() {
        path.push(root);
        while let Some(&at) = path.last() {
            let Symbol { len, left, right, .. } = symbols[at];
            let parts = [left, right].map(usize::from);
            let known = parts.map(|part| symbols.get(part).map(|part| part.len));
            match known {
                _ if len != 0 => {
                    path.pop();
                }
                [None, _] | [_, None] => {
                    return Err(Damage::new(start, "a pair of symbols that don't exist"));
                }
                [Some(0), _] => path.push(parts[0]),
                [_, Some(0)] => path.push(parts[1]),
                [Some(left_len), Some(right_len)] => {
                    symbols[at] = Symbol { len: left_len + right_len, left_len, left, right };
                }
            }
            if path.len() > usize::from(MOST_VALUES) || symbols[at].len > MOST_VALUES {
                return Err(Damage::new(start, "a symbol has too many values, or contains itself"));
            }
        }
    }
    Ok(symbols)
}

/// The first code of each length, at the top of a word; nothing if the codes can't be.
///
/// The codes of the greatest length begin with zero. The codes of one length end where those of the
/// next shorter length begin, if both are cut to the shorter length.
fn first_codes(first_symbol: &[u16], min_length: u8) -> Option<Vec<u64>> {
    let mut codes = vec![0; first_symbol.len()];
    let mut code = 0u64;
    for at in (0..first_symbol.len() - 1).rev() {
        let count = first_symbol[at].checked_sub(first_symbol[at + 1])?;
        code = (code + u64::from(count)) / 2;
        let length = u32::from(min_length) + at as u32;
        if code >> length != 0 {
            return None;
        }
        codes[at] = code << (64 - length);
    }
    Some(codes)
}

impl Coded {
    /// The symbol with which a word begins, and the number of its bits. The length of its code is at
    /// least number `at`.
    #[inline]
    fn first(&self, word: u64, mut at: usize) -> (u16, u32) {
        // The last first code is zero.
        while at + 1 < self.first_code.len() && word < self.first_code[at] {
            at += 1;
        }
        let length = u32::from(self.min_length) + at as u32;
        let nth = word.wrapping_sub(self.first_code[at]) >> (64 - length);
        (self.first_symbol[at].wrapping_add(nth as u16), length)
    }

    #[cold]
    fn make_decoder(&self, bytes: &[u8]) -> Result<Decoder, Damage> {
        let Part { start, len } = self.symbols;
        let symbols = read_symbols(bytes.get(start..start + len).unwrap_or_default(), start)?;
        let (least, most) = WINDOWS;
        let window_bits = (symbols.len().ilog2() + 2).clamp(least, most);
        let longer = (window_bits + 1).saturating_sub(u32::from(self.min_length)) as usize;
        let longer = longer.min(self.first_code.len() - 1);
        Ok(Decoder { windows: self.windows(&symbols, window_bits), symbols, window_bits, longer })
    }

    /// The windows of some number of bits.
    fn windows(&self, symbols: &[Symbol], window_bits: u32) -> Vec<Window> {
        let mut windows = vec![Window::default(); 1 << window_bits];
        // Larger words have shorter codes.
        let mut at = self.first_code.len() - 1;
        for (bits, window) in windows.iter_mut().enumerate() {
            let word = (bits as u64) << (64 - window_bits);
            while at > 0 && word >= self.first_code[at - 1] {
                at -= 1;
            }
            let (symbol, length) = self.first(word, at);
            if length <= window_bits && usize::from(symbol) < symbols.len() {
                *window = Window::new(0, 0, length, symbol);
            }
        }
        for bits in 0..windows.len() {
            let first = windows[bits];
            let (mut used, mut values) = (0, 0);
            loop {
                // The bits that follow are zero here, and unknown.
                let rest = windows[(bits << used) & (windows.len() - 1)];
                let length = rest.first_bits();
                if length == 0 || used + length > window_bits {
                    break;
                }
                used += length;
                values += symbols[usize::from(rest.first_symbol())].len;
            }
            windows[bits] = Window::new(values, used, first.first_bits(), first.first_symbol());
        }
        windows
    }

    /// The value at an index.
    fn value(&self, bytes: &[u8], index: u64) -> Result<u16, Damage> {
        let decoder = self.decoder.get_or_init(|| self.make_decoder(bytes));
        let decoder = decoder.as_ref().map_err(|damage| *damage)?;
        let Decoder { symbols, windows, window_bits, longer } = decoder;
        let (block, mut place) = self.find_block(bytes, index)?;
        let start = self.blocks.start.saturating_add(block << self.block_bits);
        let blocks = bytes.get(start..self.blocks.start + self.blocks.len).unwrap_or_default();
        let damaged = Damage::new(start, "a block has too few values");
        // The word holds the next bits at its top, and zeros below `filled` of them.
        let mut words = blocks.as_chunks::<4>().0.iter().map(|word| u32::from_be_bytes(*word));
        let mut next = || u64::from(words.next().unwrap_or_default());
        let mut word = next() << 32 | next();
        let mut filled = 64;
        let symbol = loop {
            let window = windows[(word >> (64 - window_bits)) as usize];
            let bits = if place >= window.values() && window.bits() != 0 {
                place -= window.values();
                window.bits()
            } else {
                let (symbol, bits) = match window.first_bits() {
                    0 => self.first(word, *longer),
                    bits => (window.first_symbol(), bits),
                };
                let found = symbols.get(usize::from(symbol)).ok_or(damaged)?;
                if place < u32::from(found.len) {
                    break found;
                }
                place -= u32::from(found.len);
                bits
            };
            word <<= bits;
            filled -= bits;
            if filled <= 32 {
                word |= next() << (32 - filled);
                filled += 32;
            }
        };
        descend(symbols, symbol, place).ok_or(damaged)
    }

    /// The block with the value at an index, and its place there.
    #[inline]
    fn find_block(&self, bytes: &[u8], index: u64) -> Result<(usize, u32), Damage> {
        let at = self.index.start + (index >> self.span_bits) as usize * 6;
        let entry = bytes.get(at..at + 6).ok_or(Damage::new(at, "the file is too short"))?;
        let entry: [u8; 6] = entry.try_into().unwrap_or_default();
        let [a, b, c, d, e, f] = entry;
        let mut block = u32::from_le_bytes([a, b, c, d]) as usize;
        // The place, relative to the block.
        let middle = 1i64 << (self.span_bits - 1);
        let in_span = (index & ((1 << self.span_bits) - 1)) as i64;
        let mut place = in_span - middle + i64::from(u16::from_le_bytes([e, f]));
        let sizes = bytes.get(self.sizes.start..).unwrap_or_default();
        let sizes = sizes.get(..self.sizes.len).unwrap_or_default().as_chunks::<2>().0;
        let size = |block: usize| {
            let size = sizes.get(block).map(|size| i64::from(u16::from_le_bytes(*size)) + 1);
            size.ok_or(Damage::new(at, "an entry of the index leads beyond all blocks"))
        };
        while place < 0 {
            block = block.wrapping_sub(1);
            place += size(block)?;
        }
        loop {
            let len = size(block)?;
            if place < len {
                return Ok((block, place as u32));
            }
            place -= len;
            block += 1;
        }
    }
}

/// The value at a place in a symbol.
#[inline]
fn descend<'a>(symbols: &'a [Symbol], mut symbol: &'a Symbol, mut place: u32) -> Option<u16> {
    while symbol.left_len != 0 {
        let is_left = place < u32::from(symbol.left_len);
        let part = if is_left { symbol.left } else { symbol.right };
        place -= if is_left { 0 } else { u32::from(symbol.left_len) };
        symbol = symbols.get(usize::from(part))?;
    }
    Some(symbol.left)
}
