//! The checksum at the end of each file.
//!
//! Its author hashes every 16 MiB with the 256-bit form of CityHash 1.0, and the hashes with its
//! 128-bit form. CityHash is by Geoff Pike and Jyrki Alakuijala; what follows is our own text of
//! their algorithm, whose C++ is
//!
//! > Copyright (c) 2011 Google, Inc.
//! >
//! > Permission is hereby granted, free of charge, to any person obtaining a copy of this software and
//! > associated documentation files (the "Software"), to deal in the Software without restriction,
//! > including without limitation the rights to use, copy, modify, merge, publish, distribute,
//! > sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is
//! > furnished to do so, subject to the following conditions:
//! >
//! > The above copyright notice and this permission notice shall be included in all copies or
//! > substantial portions of the Software.
//! >
//! > THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
//! > NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND
//! > NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM,
//! > DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT
//! > OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

/// The part of a file that is hashed at once.
const CHUNK: usize = 1 << 24;

const K0: u64 = 0xc3a5_c85c_97cb_3127;
const K1: u64 = 0xb492_b66f_be98_f273;
const K3: u64 = 0xc949_d7c7_509e_6557;

/// The checksum of a file's bytes, without the last sixteen.
pub(crate) fn checksum(data: &[u8]) -> [u8; 16] {
    let hashes: Vec<u8> =
        data.chunks(CHUNK).flat_map(city_crc_256).flat_map(u64::to_le_bytes).collect();
    let [low, high] = if hashes.len() > 900 {
        let [_, _, low, high] = city_crc_256(&hashes);
        [low, high]
    } else {
        city_128(&hashes)
    };
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&low.to_le_bytes());
    bytes[8..].copy_from_slice(&high.to_le_bytes());
    bytes
}

/// The word at a place. Words beyond the end are zero, but nothing asks for them.
fn word(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |word| u64::from_le_bytes(*word))
}

fn mix_shift(value: u64) -> u64 {
    value ^ value >> 47
}

/// 128 bits as 64.
fn hash_16(low: u64, high: u64) -> u64 {
    const FACTOR: u64 = 0x9ddf_ea08_eb38_2d69;
    let first = mix_shift((low ^ high).wrapping_mul(FACTOR));
    mix_shift((high ^ first).wrapping_mul(FACTOR)).wrapping_mul(FACTOR)
}

/// The remainders of all bytes by the polynomial of CRC-32C.
const CRC: [u32; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut value = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            value = value >> 1 ^ if value & 1 == 1 { 0x82f6_3b78 } else { 0 };
            bit += 1;
        }
        table[byte] = value;
        byte += 1;
    }
    table
};

/// What the instruction `crc32` of x86 does with a register and a word.
fn crc(register: u64, word: u64) -> u64 {
    let step = |crc: u32, byte: u8| crc >> 8 ^ CRC[usize::from(crc as u8 ^ byte)];
    u64::from(word.to_le_bytes().into_iter().fold(register as u32, step))
}

/// The 256-bit form.
fn city_crc_256(bytes: &[u8]) -> [u64; 4] {
    if bytes.len() >= 240 {
        return city_crc_256_long(bytes, 0);
    }
    let mut padded = [0; 240];
    padded[..bytes.len()].copy_from_slice(bytes);
    city_crc_256_long(&padded, !(bytes.len() as u32))
}

/// Five words and their remainders.
struct State {
    words: [u64; 5],
    rest: u64,
    crc: [u64; 5],
}

impl State {
    /// Takes forty bytes.
    fn take(&mut self, bytes: &[u8], factor: u64, twist: u32) {
        let [a, b, c, d, e] = self.words;
        let turns = [(b, 41), (c, 27), (d, 41), (e, 33), (self.rest, 25)];
        self.rest = a;
        for (at, (value, turn)) in turns.into_iter().enumerate() {
            let turned = value.rotate_right(turn ^ twist).wrapping_mul(factor);
            self.words[at] = turned.wrapping_add(word(bytes, 8 * at));
            self.crc[at] = crc(self.crc[at], self.words[at]);
        }
    }
}

fn city_crc_256_long(bytes: &[u8], seed: u32) -> [u64; 4] {
    let seed = u64::from(seed);
    let len = bytes.len() as u64;
    let a = word(bytes, 56).wrapping_add(K0);
    let b = word(bytes, 96).wrapping_add(K0);
    let c = hash_16(b, len);
    let d = word(bytes, 120).wrapping_mul(K0).wrapping_add(len);
    let e = word(bytes, 184).wrapping_add(seed);
    let start = [c, d];
    let mut state =
        State { words: [a, b, c, d, e], rest: c.wrapping_add(d), crc: [seed, 0, 0, 0, 0] };
    let (rounds, rest) = bytes.split_at(bytes.len() / 240 * 240);
    for (number, part) in rounds.chunks_exact(40).enumerate() {
        match number % 2 {
            0 => state.take(part, 1, 1),
            _ => state.take(part, K0, 0),
        }
    }
    let parts = rest.chunks_exact(40);
    let is_left = !parts.remainder().is_empty();
    parts.for_each(|part| state.take(part, K0, 0));
    if is_left {
        state.take(&bytes[bytes.len() - 40..], K0, 0);
    }
    let [mut a, mut b, mut c, mut d, mut e] = state.words;
    let [mut f, mut g, mut h, mut i, mut j] = state.crc;
    j = j.wrapping_add(i << 32);
    a = hash_16(a, j);
    h = h.wrapping_add(g << 32);
    b = b.wrapping_add(h);
    c = hash_16(c, f).wrapping_add(i);
    d = hash_16(d, e.wrapping_add(start[0]));
    j = j.wrapping_add(e);
    i = i.wrapping_add(hash_16(h, state.rest));
    e = hash_16(a, d).wrapping_add(j);
    f = hash_16(b, c).wrapping_add(a);
    g = hash_16(j, i).wrapping_add(c);
    let first = e.wrapping_add(f).wrapping_add(g).wrapping_add(h);
    a = mix_shift(a.wrapping_add(g).wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(b);
    let second = start[1].wrapping_add(a).wrapping_add(first);
    a = mix_shift(a.wrapping_mul(K0)).wrapping_mul(K0).wrapping_add(c);
    let third = a.wrapping_add(second);
    a = mix_shift(a.wrapping_add(e).wrapping_mul(K0)).wrapping_mul(K0);
    [first, second, third, a.wrapping_add(third)]
}

/// The 128-bit form, for hashes of chunks: 32 bytes each, at least one.
fn city_128(bytes: &[u8]) -> [u64; 2] {
    let seed = [word(bytes, 0) ^ K3, word(bytes, 8)];
    let rest = bytes.get(16..).unwrap_or_default();
    if rest.len() < 128 { city_murmur(rest, seed) } else { city_128_long(rest, seed) }
}

/// For 16 to 127 bytes.
fn city_murmur(bytes: &[u8], [mut a, mut b]: [u64; 2]) -> [u64; 2] {
    let len = bytes.len();
    let (mut c, mut d);
    if len <= 16 {
        a = mix_shift(a.wrapping_mul(K1)).wrapping_mul(K1);
        let last = word(bytes, len.saturating_sub(8));
        let turned = last.wrapping_add(len as u64).rotate_right(len as u32);
        c = b.wrapping_mul(K1).wrapping_add(hash_16(word(bytes, 0), turned) ^ last);
        d = mix_shift(a.wrapping_add(word(bytes, 0)));
    } else {
        c = hash_16(word(bytes, len - 8).wrapping_add(K1), a);
        d = hash_16(b.wrapping_add(len as u64), c.wrapping_add(word(bytes, len - 16)));
        a = a.wrapping_add(d);
        for at in (0..len - 16).step_by(16) {
            let mixed = |at| mix_shift(word(bytes, at).wrapping_mul(K1)).wrapping_mul(K1);
            a = (a ^ mixed(at)).wrapping_mul(K1);
            b ^= a;
            c = (c ^ mixed(at + 8)).wrapping_mul(K1);
            d ^= c;
        }
    }
    a = hash_16(a, c);
    b = hash_16(d, b);
    [a ^ b, hash_16(b, a)]
}

/// Two words from four and two.
fn weak(bytes: &[u8], mut a: u64, mut b: u64) -> [u64; 2] {
    let [w, x, y, z] = [0, 8, 16, 24].map(|at| word(bytes, at));
    a = a.wrapping_add(w);
    b = b.wrapping_add(a).wrapping_add(z).rotate_right(21);
    let c = a;
    a = a.wrapping_add(x).wrapping_add(y);
    b = b.wrapping_add(a.rotate_right(44));
    [a.wrapping_add(z), b.wrapping_add(c)]
}

/// For 128 bytes and more.
fn city_128_long(bytes: &[u8], [mut x, mut y]: [u64; 2]) -> [u64; 2] {
    let turn = |value: u64, by, factor| value.rotate_right(by).wrapping_mul(factor);
    let mut z = (bytes.len() as u64).wrapping_mul(K1);
    let mut v = [turn(y ^ K1, 49, K1).wrapping_add(word(bytes, 0)), 0];
    v[1] = turn(v[0], 42, K1).wrapping_add(word(bytes, 8));
    let mut w = [
        turn(y.wrapping_add(z), 35, K1).wrapping_add(x),
        turn(x.wrapping_add(word(bytes, 88)), 53, K1),
    ];
    let (rounds, rest) = bytes.split_at(bytes.len() / 128 * 128);
    for part in rounds.chunks_exact(64) {
        x = turn(x.wrapping_add(y).wrapping_add(v[0]).wrapping_add(word(part, 8)), 37, K1);
        y = turn(y.wrapping_add(v[1]).wrapping_add(word(part, 48)), 42, K1);
        x ^= w[1];
        y = y.wrapping_add(v[0]).wrapping_add(word(part, 40));
        z = turn(z.wrapping_add(w[0]), 33, K1);
        v = weak(part, v[1].wrapping_mul(K1), x.wrapping_add(w[0]));
        w = weak(&part[32..], z.wrapping_add(w[1]), y.wrapping_add(word(part, 16)));
        (x, z) = (z, x);
    }
    x = x.wrapping_add(turn(v[0].wrapping_add(z), 49, K0));
    z = z.wrapping_add(turn(w[0], 37, K0));
    // The rest in steps of 32 bytes from its end; the last step may begin before it.
    for step in 1..=rest.len().div_ceil(32) {
        let part = &bytes[bytes.len() - 32 * step..];
        y = turn(x.wrapping_add(y), 42, K0).wrapping_add(v[1]);
        w[0] = w[0].wrapping_add(word(part, 16));
        x = x.wrapping_mul(K0).wrapping_add(w[0]);
        z = z.wrapping_add(w[1]).wrapping_add(word(part, 0));
        w[1] = w[1].wrapping_add(v[0]);
        v = weak(part, v[0].wrapping_add(z), v[1]);
    }
    x = hash_16(x, v[0]);
    y = hash_16(y.wrapping_add(z), w[0]);
    [
        hash_16(x.wrapping_add(v[1]), w[1]).wrapping_add(y),
        hash_16(x.wrapping_add(w[1]), y.wrapping_add(v[1])),
    ]
}
