//! Wall-clock time, or the processor time of the calling thread.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The time that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Wall-clock time.
    Wall,
    /// The processor time of the calling thread.
    Cpu,
}

impl Clock {
    /// The clock that the arguments select; an error if the system does not have it.
    pub fn of(cpu_time: bool) -> Result<Self, String> {
        match cpu_time {
            false => Ok(Self::Wall),
            true if cfg!(unix) => Ok(Self::Cpu),
            true => Err("processor time can be measured on Unix only".to_owned()),
        }
    }

    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Cpu => "cpu",
        }
    }

    /// The time since some fixed moment.
    pub fn now(self) -> Duration {
        match self {
            #[cfg(unix)]
            Self::Cpu => cpu(),
            _ => wall(),
        }
    }
}

fn wall() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(unix)]
fn cpu() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeping_takes_no_processor_time() {
        let clocks = [Clock::Wall, Clock::of(true).unwrap_or(Clock::Wall)];
        let begin = clocks.map(Clock::now);
        std::thread::sleep(Duration::from_millis(100));
        let [wall, cpu] = [0, 1].map(|at| clocks[at].now() - begin[at]);
        assert!(wall >= Duration::from_millis(100));
        if clocks[1] == Clock::Cpu {
            assert!(cpu < Duration::from_millis(50), "{cpu:?}");
        }
    }
}
