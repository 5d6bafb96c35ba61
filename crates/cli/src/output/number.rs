//! Numbers for people: thousands apart, times and rates with units.

use std::time::Duration;

/// The number with a comma between each three digits.
pub(crate) fn thousands(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// So many seconds, to the millisecond.
pub(crate) fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// How many a second, rounded; `None` if the time was too short to say.
pub(crate) fn per_second(count: u128, time: Duration) -> Option<u128> {
    // A clock is not worth more than a microsecond.
    (time >= Duration::from_micros(1)).then(|| (count as f64 / time.as_secs_f64()).round() as u128)
}

/// A time from milliseconds to years, in the two largest units that fit.
pub(crate) fn duration(seconds: f64) -> String {
    const UNITS: [(&str, f64); 5] =
        [("y", 31_557_600.0), ("d", 86_400.0), ("h", 3_600.0), ("min", 60.0), ("s", 1.0)];
    let pair = UNITS.windows(2).find(|pair| seconds >= pair[0].1);
    match pair {
        Some(&[(large, size), (small, part)]) => {
            let whole = (seconds / size).floor();
            let rest = ((seconds - whole * size) / part).floor();
            format!("{whole} {large} {rest} {small}")
        }
        _ => format!("{seconds:.1} s"),
    }
}

/// So many hundredths, with a decimal.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1} %", 100.0 * part / whole) } else { "-".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_each_three_digits() {
        let cases: [(u128, &str); 6] = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (119_060_324, "119,060,324"),
            (61_885_021_521_585_529_237, "61,885,021,521,585,529,237"),
            (u128::MAX, "340,282,366,920,938,463,463,374,607,431,768,211,455"),
        ];
        for (number, text) in cases {
            assert_eq!(thousands(number), text);
        }
    }

    #[test]
    fn durations_have_two_units() {
        let cases =
            [(0.04, "0.0 s"), (59.9, "59.9 s"), (61.0, "1 min 1 s"), (7_260.0, "2 h 1 min")];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds), text);
        }
        assert_eq!(duration(400.0 * 86_400.0), "1 y 34 d");
    }

    #[test]
    fn rates_need_a_time() {
        assert_eq!(per_second(20, Duration::ZERO), None);
        assert_eq!(per_second(300, Duration::from_millis(1500)), Some(200));
    }
}
