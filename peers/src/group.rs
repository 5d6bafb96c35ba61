//! Things that do the same work, measured in turn.

use crate::clock::Clock;

/// One thing that is measured.
pub struct Contestant<'a> {
    pub name: &'static str,
    /// Does the work, and returns a number on which all contestants of a group must agree, if they
    /// must.
    run: Box<dyn FnMut() -> u64 + 'a>,
}

impl<'a> Contestant<'a> {
    pub fn new(name: &'static str, run: impl FnMut() -> u64 + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }
}

/// Contestants that do the same work. The first of them is the baseline.
pub struct Group<'a> {
    pub title: &'static str,
    /// The amount of work, and its unit.
    pub work: u64,
    pub unit: &'static str,
    pub contestants: Vec<Contestant<'a>>,
}

impl Group<'_> {
    /// Measures all of them `rounds` times, and prints the medians.
    pub fn measure(&mut self, rounds: u32, clock: Clock) -> Result<(), String> {
        let mut times = vec![Vec::new(); self.contestants.len()];
        let mut expected = None;
        for _ in 0..rounds {
            for (contestant, times) in self.contestants.iter_mut().zip(&mut times) {
                let begin = clock.now();
                let found = (contestant.run)();
                times.push((clock.now() - begin).as_secs_f64());
                let expected = *expected.get_or_insert(found);
                if found != expected {
                    return Err(format!(
                        "{}: {} finds {found}, expected {expected}",
                        self.title, contestant.name
                    ));
                }
            }
        }
        println!("{}", self.title);
        let medians: Vec<f64> = times
            .iter_mut()
            .map(|times| {
                times.sort_by(f64::total_cmp);
                times[times.len() / 2]
            })
            .collect();
        for (contestant, median) in self.contestants.iter().zip(&medians) {
            let rate = self.work as f64 / median;
            let ratio = medians[0] / median;
            let Self { unit, .. } = self;
            println!("  {:34} {rate:13.0} {unit} per second, ratio {ratio:.2}", contestant.name);
        }
        Ok(())
    }
}
