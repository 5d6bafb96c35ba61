//! Instruction sets that the fast counters have code for, and the best one of this CPU.

use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;

/// An instruction set for which there is a fast counter.
///
/// ```
/// use tabiya_perft::Isa;
/// assert!(Isa::best().is_available());
/// assert_eq!("bmi2".parse(), Ok(Isa::Bmi2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// For every machine.
    Portable,
    /// One bitboard at a time, with the instructions that count and pack bits: BMI1, BMI2, LZCNT and
    /// POPCNT, and AVX2, which all CPUs with these have. Vectors of AVX2 sort moves by category.
    Bmi2,
    /// Eight bitboards at a time, with population counts: AVX-512 F, BW, CD, DQ, VL, VPOPCNTDQ, VBMI
    /// and VBMI2, as in Ice Lake and Zen 4, with those above.
    Avx512,
}

impl Isa {
    /// All instruction sets, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Bmi2, Self::Avx512];

    /// The environment variable that [`Isa::from_environment`] reads.
    pub const VARIABLE: &str = "TABIYA_ISA";

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Bmi2 => "bmi2",
            Self::Avx512 => "avx512",
        }
    }

    /// Another name that is read on the command line.
    pub const fn alias(self) -> Option<&'static str> {
        match self {
            Self::Bmi2 => Some("avx2"),
            Self::Portable | Self::Avx512 => None,
        }
    }

    /// Does this CPU have the instruction set?
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        macro_rules! detected {
            ($($feature:tt),+) => { $(is_x86_feature_detected!($feature))&&+ };
        }
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Bmi2 => detected!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                detected!("avx512f", "avx512cd", "avx512bw", "avx512vl", "avx512dq")
                    && detected!(
                        "avx512vpopcntdq",
                        "avx512vbmi",
                        "avx512vbmi2",
                        "bmi1",
                        "bmi2",
                        "lzcnt",
                        "popcnt"
                    )
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Bmi2 | Self::Avx512 => false,
        }
    }

    /// The fastest instruction set of this CPU.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|isa| isa.is_available()).unwrap_or(Self::Portable)
    }

    /// The instruction set that the environment variable [`Isa::VARIABLE`] names, or the best one
    /// if it is not set.
    ///
    /// # Errors
    /// [`IsaError`] if the variable names no instruction set, or one that this CPU does not have.
    pub fn from_environment() -> Result<Self, IsaError> {
        Self::from_variable(std::env::var_os(Self::VARIABLE).as_deref())
    }

    fn from_variable(value: Option<&OsStr>) -> Result<Self, IsaError> {
        match value.map(OsStr::to_str) {
            None | Some(Some("auto")) => Ok(Self::best()),
            Some(Some(name)) => name.parse::<Self>()?.checked(),
            Some(None) => Err(IsaError::NotUtf8),
        }
    }

    /// The same instruction set, if this CPU has it.
    ///
    /// # Errors
    /// [`IsaError::Unavailable`] if the CPU does not have it.
    pub fn checked(self) -> Result<Self, IsaError> {
        if self.is_available() { Ok(self) } else { Err(IsaError::Unavailable(self)) }
    }
}

impl fmt::Display for Isa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Isa {
    type Err = IsaError;

    /// Reads a [name](Isa::name) or an [alias](Isa::alias).
    fn from_str(name: &str) -> Result<Self, IsaError> {
        let is_named = |isa: &Self| isa.name() == name || isa.alias() == Some(name);
        Self::ALL.into_iter().find(is_named).ok_or(IsaError::Unknown)
    }
}

/// Why an instruction set cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IsaError {
    /// There is no instruction set with this name.
    #[error("an instruction set is portable, bmi2, avx512 or auto")]
    Unknown,
    /// The name is not UTF-8 text.
    #[error("the value is not UTF-8 text: an instruction set is portable, bmi2, avx512 or auto")]
    NotUtf8,
    /// This CPU does not have the instruction set.
    #[error("this CPU does not have {0}")]
    Unavailable(Isa),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_variable_names_an_instruction_set() {
        let of = |text: &str| Isa::from_variable(Some(OsStr::new(text)));
        assert_eq!(Isa::from_variable(None), Ok(Isa::best()));
        assert_eq!(of("auto"), Ok(Isa::best()));
        assert_eq!(of("portable"), Ok(Isa::Portable));
        assert_eq!(of("avx2"), of("bmi2"));
        for name in ["", "PORTABLE", "sse2", " avx2"] {
            assert_eq!(of(name), Err(IsaError::Unknown), "{name:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_variable_that_is_not_utf_8_is_an_error() {
        use std::os::unix::ffi::OsStrExt;
        let value = OsStr::from_bytes(b"avx\xff2");
        assert_eq!(Isa::from_variable(Some(value)), Err(IsaError::NotUtf8));
    }
}
