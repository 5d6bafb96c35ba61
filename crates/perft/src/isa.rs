//! Which instruction set counts, chosen once a call.

use std::fmt;
use std::str::FromStr;

/// An instruction set for which there is a fast counter.
///
/// ```
/// use tabiya_perft::Isa;
/// assert!(Isa::best().is_available());
/// assert_eq!("avx2".parse(), Ok(Isa::Avx2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Isa {
    /// What every machine has.
    Portable,
    /// Four bitboards at a time.
    Avx2,
    /// Eight bitboards at a time, with population counts (AVX-512 F, BW, CD, VL and VPOPCNTDQ).
    Avx512,
}

impl Isa {
    /// All of them, the slowest first.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// The environment variable that [`Isa::from_environment`] reads.
    pub const VARIABLE: &str = "TABIYA_ISA";

    /// The name, as the command line has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// Does this CPU have it?
    pub fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        macro_rules! detected {
            ($($feature:tt),+) => { $(is_x86_feature_detected!($feature))&&+ };
        }
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => detected!("avx2", "bmi1", "bmi2", "lzcnt", "popcnt"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                detected!("avx512f", "avx512cd", "avx512bw", "avx512vl", "avx512dq")
                    && detected!("avx512vpopcntdq", "bmi1", "bmi2", "lzcnt", "popcnt")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The fastest that this CPU has.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|isa| isa.is_available()).unwrap_or(Self::Portable)
    }

    /// The one that the environment variable [`Isa::VARIABLE`] asks for, else the best.
    ///
    /// # Errors
    /// [`IsaError`] if the variable names none, or one that this CPU does not have.
    pub fn from_environment() -> Result<Self, IsaError> {
        match std::env::var(Self::VARIABLE) {
            Ok(name) if name == "auto" => Ok(Self::best()),
            Ok(name) => name.parse::<Self>()?.checked(),
            Err(_) => Ok(Self::best()),
        }
    }

    /// This one, if the CPU has it.
    ///
    /// # Errors
    /// [`IsaError::Unavailable`] if not.
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

    fn from_str(name: &str) -> Result<Self, IsaError> {
        Self::ALL.into_iter().find(|isa| isa.name() == name).ok_or(IsaError::Unknown)
    }
}

/// An instruction set cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum IsaError {
    /// There is none of that name.
    Unknown,
    /// This CPU does not have it.
    Unavailable(Isa),
}

impl fmt::Display for IsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("an instruction set is portable, avx2, avx512 or auto"),
            Self::Unavailable(isa) => write!(f, "this CPU does not have {isa}"),
        }
    }
}

impl std::error::Error for IsaError {}
