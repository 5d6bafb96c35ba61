//! Writes tables with values at random, in every form that the format has.
//!
//! The values mean nothing, but all readers must find the same ones. This is plain code: it shares
//! none with the reader.

use tabiya::SplitMix64;
use tabiya::{Color, Role};
use tabiya_syzygy::{Kind, Material, TableFile};

/// The contents of a file that could be this one. If it has results, they are some of these numbers:
/// 0 for a loss to 4 for a win.
pub fn table(file: TableFile, results: &[u16], random: &mut SplitMix64) -> Vec<u8> {
    let is_symmetric = file.material.is_symmetric();
    let has_pawns = Color::ALL.iter().any(|&c| file.material.count(c, Role::Pawn) > 0);
    let sides = if file.kind == Kind::Wdl && !is_symmetric { 2 } else { 1 };
    let mut bytes = match file.kind {
        Kind::Wdl => vec![0x71, 0xe8, 0x23, 0x5d],
        Kind::Dtz => vec![0xd7, 0x66, 0x0c, 0xa5],
    };
    bytes.push(u8::from(!is_symmetric) | u8::from(has_pawns) << 1);
    let mut sequences = Vec::new();
    for leading_file in 0..if has_pawns { 4 } else { 1 } {
        let orders: Vec<Order> =
            (0..sides).map(|_| Order::random(file.material, leading_file, random)).collect();
        // Both sides share the bytes.
        for at in 0..orders[0].header.len() {
            bytes.push(orders[0].header[at] | orders.last().unwrap().header[at] << 4);
        }
        for order in &orders {
            sequences.push(Sequence::random(file, order.indices, results, random));
        }
    }
    align(&mut bytes, 2);
    for sequence in &sequences {
        bytes.extend_from_slice(&sequence.description);
    }
    if file.kind == Kind::Dtz {
        for sequence in &sequences {
            if sequence.flags & 16 != 0 {
                align(&mut bytes, 2);
            }
            bytes.extend_from_slice(&sequence.lists);
        }
        align(&mut bytes, 2);
    }
    for sequence in &sequences {
        bytes.extend_from_slice(&sequence.index);
    }
    for sequence in &sequences {
        bytes.extend(sequence.sizes.iter().flat_map(|size| size.to_le_bytes()));
    }
    for sequence in &sequences {
        align(&mut bytes, 64);
        bytes.extend_from_slice(&sequence.blocks);
    }
    align(&mut bytes, 64);
    bytes.extend_from_slice(&[0; 16]);
    bytes
}

fn align(bytes: &mut Vec<u8>, to: usize) {
    bytes.resize(bytes.len().next_multiple_of(to), 0);
}

/// An order of pieces, and of the digits of an index.
struct Order {
    header: Vec<u8>,
    indices: u64,
}

impl Order {
    fn random(material: Material, file: u8, random: &mut SplitMix64) -> Self {
        let count = |(color, role): (Color, Role)| material.count(color, role);
        let code = |(color, role): (Color, Role)| role as u8 + 1 + 8 * color as u8;
        let mut pieces: Vec<(Color, Role)> = Color::ALL
            .iter()
            .flat_map(|&color| Role::ALL.map(|role| (color, role)))
            .filter(|&piece| count(piece) > 0)
            .collect();
        shuffle(&mut pieces, random);
        let pawns = Color::ALL.map(|color| count((color, Role::Pawn)));
        let singles = pieces.iter().filter(|&&piece| count(piece) == 1).count();
        // The number of pieces in the leading group, and its ways.
        let (leading, lead_ways, second) = if pawns != [0, 0] {
            let first = if pawns[1] == 0 || (pawns[0] > 0 && pawns[0] <= pawns[1]) { 0 } else { 1 };
            let rank = |&(color, role): &(Color, Role)| match role {
                Role::Pawn if color == Color::ALL[first] => 0,
                Role::Pawn => 1,
                _ => 2,
            };
            pieces.sort_by_key(rank);
            let second = pawns[1 - first];
            (pawns[first], pawn_ways(pawns[first], file), (second > 0).then_some(second))
        } else if singles > 2 {
            // Three single pieces, the kings not always among them.
            let mut left = 3;
            pieces.sort_by_key(|&piece| {
                let leads = count(piece) == 1 && left > 0;
                left -= u32::from(leads);
                !leads
            });
            (3, 31_332, None)
        } else {
            pieces.sort_by_key(|piece| piece.1 != Role::King);
            (2, 462, None)
        };
        // The groups after the leading pieces.
        let mut skipped = 0;
        let mut groups: Vec<u32> = Vec::new();
        for &piece in &pieces {
            if skipped < leading {
                skipped += count(piece);
            } else {
                groups.push(count(piece));
            }
        }
        let places = groups.len() + 1;
        let order = random.below(places);
        let mut second_order = random.below(places);
        while second_order == order {
            second_order = random.below(places);
            if places == 1 {
                break;
            }
        }
        let mut header = vec![order as u8];
        let mut indices = lead_ways;
        let mut free = 64 - leading;
        let mut rest = &groups[..];
        if let Some(second) = second {
            header.push(second_order as u8);
            indices *= choose(48 - leading, second);
            free -= second;
            rest = &groups[1..];
        }
        for &group in rest {
            indices *= choose(free, group);
            free -= group;
        }
        for piece in pieces {
            header.extend((0..count(piece)).map(|_| code(piece)));
        }
        Self { header, indices }
    }
}

fn choose(n: u32, k: u32) -> u64 {
    (0..k).fold(1, |ways, i| ways * u64::from(n - i) / u64::from(i + 1))
}

/// The ways of pawns of which the leading one is on a file: all ways on files that are no nearer to
/// the edge, less those on files that are farther from it.
fn pawn_ways(pawns: u32, file: u8) -> u64 {
    let squares = |file: u32| 6 * (8 - 2 * file);
    let all = |file: u32| choose_or_none(squares(file), pawns);
    // Each way and its mirror image count once. Ways that are their own image lead with the pawn on
    // one of two mirrored squares, which is the lower half of the same numbers.
    let mut ways = 0;
    for rank in 0..6 {
        // The leading pawn is here, the others come after it: its mirror image, and all squares that
        // are nearer to the middle or farther on the same files.
        let after = squares(u32::from(file)) - 2 * rank - 1;
        ways += choose_or_none(after, pawns - 1);
    }
    debug_assert!(ways <= all(u32::from(file)));
    ways
}

fn choose_or_none(n: u32, k: u32) -> u64 {
    if k > n { 0 } else { choose(n, k) }
}

/// Compressed values.
struct Sequence {
    flags: u8,
    description: Vec<u8>,
    lists: Vec<u8>,
    index: Vec<u8>,
    sizes: Vec<u16>,
    blocks: Vec<u8>,
}

impl Sequence {
    fn random(file: TableFile, len: u64, results: &[u16], random: &mut SplitMix64) -> Self {
        let (flags, lists, leaves) = match file.kind {
            Kind::Wdl => (0, Vec::new(), results.to_vec()),
            Kind::Dtz => distances(file.material.is_symmetric(), random),
        };
        let mut sequence = Self {
            flags,
            description: Vec::new(),
            lists,
            index: Vec::new(),
            sizes: Vec::new(),
            blocks: Vec::new(),
        };
        if random.below(12) == 0 || results.len() == 1 {
            let value = if file.kind == Kind::Wdl { random.pick(results) } else { 0 };
            sequence.flags |= 0x80;
            sequence.description = vec![sequence.flags, value as u8];
            return sequence;
        }
        sequence.compress(&leaves, len, random);
        sequence
    }

    fn compress(&mut self, leaves: &[u16], len: u64, random: &mut SplitMix64) {
        let symbols = symbols(leaves, random);
        let count = symbols.len();
        // A code whose codes have two lengths, or one if there are as many as a power of two.
        let short_bits = count.ilog2();
        let long = 2 * (count - (1 << short_bits));
        let code = |symbol: usize| match symbol < long {
            true => (symbol as u64, short_bits + 1),
            false => ((long / 2 + symbol - long) as u64, short_bits),
        };
        let (block_bits, span_bits) = (5 + random.below(3) as u32, 6 + random.below(8) as u32);
        let capacity = 8u32 << block_bits;
        let mut bits = Bits::default();
        let mut starts = vec![0u64];
        let (mut done, mut used) = (0, 0);
        // Long tables have long runs, or they'd be too large.
        let is_long = |&symbol: &usize| symbols[symbol].len >= 128;
        let long_ones: Vec<usize> = (0..count).filter(is_long).collect();
        while done < len {
            let mut symbol = random.below(count);
            if len > 1 << 20 && random.below(100) > 0 {
                symbol = random.pick(&long_ones);
            }
            while symbols[symbol].len > len - done {
                symbol = random.below(count);
            }
            let (word, length) = code(symbol);
            if used + length > capacity {
                bits.pad(capacity - used);
                starts.push(done);
                used = 0;
            }
            bits.push(word, length);
            used += length;
            done += symbols[symbol].len;
        }
        bits.pad(capacity - used);
        self.blocks = bits.bytes;
        let ends = starts[1..].iter().copied().chain([len]);
        self.sizes = starts.iter().zip(ends).map(|(start, end)| (end - start - 1) as u16).collect();
        for span in 0..len.div_ceil(1 << span_bits) {
            let middle = (span << span_bits) + (1 << (span_bits - 1));
            // Any block near to it will do.
            let block = starts.partition_point(|&start| start <= middle) - 1;
            let block = block.saturating_sub(random.below(2));
            let block = if middle - starts[block] > 0xffff { block + 1 } else { block };
            self.index.extend_from_slice(&(block as u32).to_le_bytes());
            self.index.extend_from_slice(&((middle - starts[block]) as u16).to_le_bytes());
        }
        let padding = random.below(3);
        let blocks = self.sizes.len() as u32;
        self.sizes.resize(self.sizes.len() + padding, 0);
        self.description = vec![self.flags, block_bits as u8, span_bits as u8, padding as u8];
        self.description.extend_from_slice(&blocks.to_le_bytes());
        let longest = short_bits + u32::from(long > 0);
        self.description.extend_from_slice(&[longest as u8, short_bits as u8]);
        self.description.extend_from_slice(&(long as u16).to_le_bytes());
        if long > 0 {
            self.description.extend_from_slice(&[0, 0]);
        }
        self.description.extend_from_slice(&(count as u16).to_le_bytes());
        for symbol in &symbols {
            let word = u32::from(symbol.left) | u32::from(symbol.right) << 12;
            self.description.extend_from_slice(&word.to_le_bytes()[..3]);
        }
        align(&mut self.description, 2);
    }
}

/// Flags, lists, and the values that a sequence of distances may have.
fn distances(is_symmetric: bool, random: &mut SplitMix64) -> (u8, Vec<u8>, Vec<u16>) {
    let mut flags = (random.below(4) << 2) as u8;
    if !is_symmetric {
        flags |= random.below(2) as u8;
    }
    let leaves: Vec<u16> = (0..1 + random.below(40) as u16).collect();
    let mut lists = Vec::new();
    match random.below(3) {
        0 => {}
        1 => {
            flags |= 2;
            for _ in 0..4 {
                lists.push(leaves.len() as u8);
                lists.extend(leaves.iter().map(|_| random.below(256) as u8));
            }
        }
        _ => {
            flags |= 2 | 16;
            for _ in 0..4 {
                lists.extend_from_slice(&(leaves.len() as u16).to_le_bytes());
                for _ in &leaves {
                    lists.extend_from_slice(&(random.below(1000) as u16).to_le_bytes());
                }
            }
        }
    }
    (flags, lists, leaves)
}

/// A leaf or a pair.
#[derive(Clone, Copy)]
struct Symbol {
    left: u16,
    right: u16,
    len: u64,
}

/// Leaves, runs of equal values, and other pairs, in any order.
fn symbols(leaves: &[u16], random: &mut SplitMix64) -> Vec<Symbol> {
    let mut symbols: Vec<Symbol> =
        leaves.iter().map(|&left| Symbol { left, right: 0xfff, len: 1 }).collect();
    for leaf in 0..leaves.len() {
        let mut half = leaf as u16;
        for level in 1..=8 {
            symbols.push(Symbol { left: half, right: half, len: 1 << level });
            half = symbols.len() as u16 - 1;
        }
    }
    for _ in 0..random.below(200) {
        let [left, right] = [0, 1].map(|_| random.below(symbols.len()));
        let len = symbols[left].len + symbols[right].len;
        if len <= 256 {
            symbols.push(Symbol { left: left as u16, right: right as u16, len });
        }
    }
    if symbols.len() == 1 {
        symbols.push(symbols[0]);
    }
    let mut order: Vec<usize> = (0..symbols.len()).collect();
    shuffle(&mut order, random);
    let mut places = vec![0u16; order.len()];
    for (place, &old) in order.iter().enumerate() {
        places[old] = place as u16;
    }
    let moved = |old: usize| match symbols[old] {
        leaf if leaf.right == 0xfff => leaf,
        Symbol { left, right, len } => {
            Symbol { left: places[left as usize], right: places[right as usize], len }
        }
    };
    order.into_iter().map(moved).collect()
}

/// Bits, the first one highest.
#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    /// The last bits, fewer than eight.
    word: u64,
    len: u32,
}

impl Bits {
    fn push(&mut self, word: u64, length: u32) {
        self.word = self.word << length | word;
        self.len += length;
        while self.len >= 8 {
            self.len -= 8;
            self.bytes.push((self.word >> self.len) as u8);
        }
    }

    fn pad(&mut self, bits: u32) {
        for _ in 0..bits {
            self.push(0, 1);
        }
    }
}

fn shuffle<T>(items: &mut [T], random: &mut SplitMix64) {
    for at in (1..items.len()).rev() {
        items.swap(at, random.below(at + 1));
    }
}
