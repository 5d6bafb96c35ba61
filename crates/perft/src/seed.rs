//! Seeds from which tables derive the random numbers behind their keys.

use std::fmt;
use std::str::FromStr;

use chacha20::ChaCha20Rng;
use chacha20::rand_core::SeedableRng;

/// The seed of a table: 256 bits.
///
/// `Seed::random` gets a seed from the operating system. It is printed as 64 hexadecimal digits, so
/// that a run can be repeated. A short number is also a seed: decimal, or hexadecimal after `0x`.
///
/// ```
/// use tabiya_perft::Seed;
///
/// assert_eq!("7".parse(), Ok(Seed::from(7)));
/// assert_eq!("0xff".parse(), Ok(Seed::from(255)));
/// let seed: Seed = "4a41".repeat(16).parse().unwrap();
/// assert_eq!(seed.to_string().parse(), Ok(seed));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Seed([u8; 32]);

/// The number of hexadecimal digits of a full seed.
const DIGITS: usize = 64;
/// The number of decimal digits of the largest short seed.
const DECIMAL_DIGITS: usize = 20;

impl Seed {
    /// A seed from the operating system's source of random numbers.
    ///
    /// # Errors
    /// The system has no such source, or refuses to use it.
    #[cfg(feature = "system")]
    pub fn random() -> std::io::Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes)?;
        Ok(Self(bytes))
    }

    /// The seed of these bytes, in the order of its hexadecimal digits.
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The bytes, in the order of the hexadecimal digits.
    pub const fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The output of ChaCha20 with this seed as its key.
    pub(crate) fn expand(self) -> ChaCha20Rng {
        ChaCha20Rng::from_seed(self.0)
    }
}

/// Makes a short seed: the number, with leading zeros.
impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        let mut bytes = [0; 32];
        bytes[24..].copy_from_slice(&number.to_be_bytes());
        Self(bytes)
    }
}

/// Prints 64 hexadecimal digits.
impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seed({self})")
    }
}

/// The error for a string that is not a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a seed is a whole number below 2^64, 64 hexadecimal digits, or \"0x\" and at most 64 of them"
)]
pub struct SeedError;

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        if text.len() == DIGITS {
            return from_hex(text);
        }
        match text.strip_prefix("0x") {
            Some(digits) => from_hex(digits),
            // Rust's integer parser accepts a sign and any number of leading zeros.
            None if text.starts_with('+') || text.len() > DECIMAL_DIGITS => Err(SeedError),
            None => text.parse::<u64>().map(Self::from).map_err(|_| SeedError),
        }
    }
}

/// The seed of 1 to 64 hexadecimal digits, with leading zeros.
fn from_hex(digits: &str) -> Result<Seed, SeedError> {
    if digits.is_empty() || digits.len() > DIGITS {
        return Err(SeedError);
    }
    let mut bytes = [0; 32];
    for (place, digit) in digits.bytes().rev().enumerate() {
        let value = char::from(digit).to_digit(16).ok_or(SeedError)?;
        bytes[31 - place / 2] |= (value as u8) << (4 * (place % 2));
    }
    Ok(Seed(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_read_back_as_they_were_written() {
        let bytes: [u8; 32] = std::array::from_fn(|n| (37 * n + 5) as u8);
        for seed in [Seed(bytes), Seed::from(0), Seed::from(u64::MAX)] {
            let text = seed.to_string();
            assert_eq!(text.len(), DIGITS);
            assert_eq!(text.parse(), Ok(seed));
            assert_eq!(format!("0x{text}").parse(), Ok(seed));
            assert_eq!(Seed::from_bytes(seed.to_bytes()), seed);
        }
    }

    #[test]
    fn short_numbers_are_filled_with_zeros() {
        assert_eq!("18446744073709551615".parse(), Ok(Seed::from(u64::MAX)));
        assert_eq!("0xAbC".parse(), Ok(Seed::from(0xabc)));
        assert_eq!(Seed::from(0x12).to_string(), format!("{}12", "0".repeat(62)));
        // 64 digits are hexadecimal, even if they could be decimal.
        assert_eq!(format!("{}10", "0".repeat(62)).parse(), Ok(Seed::from(16)));
    }

    #[test]
    fn other_texts_are_not_seeds() {
        let long = "0".repeat(65);
        for text in ["", "0x", "-1", "+1", "1 ", "ff", "0xg", "18446744073709551616", &long, "é"] {
            assert_eq!(text.parse::<Seed>(), Err(SeedError), "{text:?}");
        }
        assert_eq!("é".repeat(32).parse::<Seed>(), Err(SeedError));
        assert_eq!(format!("0x{long}").parse::<Seed>(), Err(SeedError));
    }

    #[cfg(feature = "system")]
    #[test]
    fn random_seeds_differ() {
        assert_ne!(Seed::random().unwrap(), Seed::random().unwrap());
    }

    /// The expansion must not change, because a printed seed promises to repeat a run.
    #[test]
    fn the_expansion_is_chacha20() {
        use chacha20::rand_core::Rng;
        // RFC 8439, A.1, test vector 1: key, nonce and counter are zero.
        let mut bytes = [0; 8];
        Seed::from(0).expand().fill_bytes(&mut bytes);
        assert_eq!(bytes, [0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90]);
    }
}
