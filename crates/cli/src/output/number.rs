//! Numbers for people: with separators, times and rates with units, estimates without meaningless
//! digits.

use std::time::Duration;

/// The number with a comma between groups of three digits.
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

/// A number of things, whose name has a singular and a plural.
pub(crate) fn quantity(number: u128, one: &str, several: &str) -> String {
    format!("{} {}", thousands(number), if number == 1 { one } else { several })
}

/// A number of plies.
pub(crate) fn plies(number: u32) -> String {
    quantity(number.into(), "ply", "plies")
}

/// A duration: seconds with decimals below a minute, otherwise the two largest units.
pub(crate) fn duration(seconds: f64, decimals: usize) -> String {
    const UNITS: [(&str, f64); 5] =
        [("y", 31_557_600.0), ("d", 86_400.0), ("h", 3_600.0), ("min", 60.0), ("s", 1.0)];
    match UNITS.windows(2).find(|pair| seconds >= pair[0].1) {
        Some(&[(large, size), (small, part)]) => {
            let whole = (seconds / size).floor();
            let rest = ((seconds - whole * size) / part).floor();
            format!("{whole} {large} {rest} {small}")
        }
        _ => format!("{seconds:.decimals$} s"),
    }
}

/// A measured time, to the millisecond.
pub(crate) fn time(time: Duration) -> String {
    duration(time.as_secs_f64(), 3)
}

/// The rate per second, rounded; `None` if the time is too short for the clock, or if the rate does
/// not fit.
pub(crate) fn per_second(count: u128, time: Duration) -> Option<u128> {
    let rate = (count as f64 / time.as_secs_f64()).round();
    (time >= Duration::from_micros(1) && rate < u128::MAX as f64).then_some(rate as u128)
}

/// The rate per second, or `-` if the time is too short for a meaningful rate.
pub(crate) fn rate(count: u128, time: Duration) -> String {
    measured_rate(count, time).unwrap_or_else(|| "-".to_owned())
}

/// The rate per second, or `None` if the time is too short for a meaningful rate.
pub(crate) fn measured_rate(count: u128, time: Duration) -> Option<String> {
    per_second(count, time).filter(|_| time >= Duration::from_millis(1)).map(thousands)
}

/// A part of a whole in per cent, with one decimal.
pub(crate) fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1} %", 100.0 * part / whole) } else { "-".to_owned() }
}

/// The relative uncertainty in per cent, with two significant digits.
pub(crate) fn relative(uncertainty: f64, number: f64) -> String {
    let percent = 100.0 * uncertainty / number;
    if !percent.is_finite() || percent <= 0.0 {
        return "0 %".to_owned();
    }
    let decimals = 1 - percent.log10().floor() as i32;
    format!("{percent:.*} %", decimals.max(0) as usize)
}

/// A number without the digits that its uncertainty makes meaningless: the last digit shown is the
/// second digit of the uncertainty.
pub(crate) fn rounded(number: f64, uncertainty: f64) -> String {
    /// Numbers from this one on are written with an exponent.
    const MAX_PLAIN: f64 = 1e15;
    let number = number.max(0.0);
    let last_digit = if uncertainty > 0.0 { uncertainty.log10().floor() as i32 - 1 } else { 0 };
    let last_digit = last_digit.max(0);
    if number < MAX_PLAIN {
        let step = 10f64.powi(last_digit);
        thousands(((number / step).round() * step) as u128)
    } else {
        let digits = number.log10().floor() as i32 - last_digit;
        // A floating-point number has no more digits than this.
        format!("{number:.*e}", digits.clamp(0, 15) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_groups_of_three_digits() {
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
    fn durations_from_a_minute_on_have_two_units() {
        let cases =
            [(0.04, "0.0 s"), (59.9, "59.9 s"), (61.0, "1 min 1 s"), (7_260.0, "2 h 1 min")];
        for (seconds, text) in cases {
            assert_eq!(duration(seconds, 1), text);
        }
        assert_eq!(duration(400.0 * 86_400.0, 0), "1 y 34 d");
        assert_eq!(time(Duration::from_micros(12_345)), "0.012 s");
    }

    #[test]
    fn a_time_below_a_millisecond_gives_no_rate() {
        assert_eq!(per_second(20, Duration::ZERO), None);
        assert_eq!(per_second(20, Duration::from_micros(20)), Some(1_000_000));
        assert_eq!(rate(20, Duration::from_micros(999)), "-");
        assert_eq!(rate(300, Duration::from_millis(1500)), "200");
    }

    #[test]
    fn numbers_have_the_digits_that_their_uncertainty_supports() {
        let cases = [
            (3_195_350_715.8, 22_069_277.0, "3,195,000,000", "0.69 %"),
            (1.234_567e29, 3.3e28, "1.23e29", "27 %"),
            (61_885_021_521_585_529_237.0, 1.2e16, "6.1885e19", "0.019 %"),
            (123_456.0, 0.0, "123,456", "0 %"),
            (100.0, 0.2, "100", "0.20 %"),
            (5e15, 4e16, "5e15", "800 %"),
        ];
        for (number, uncertainty, text, percent) in cases {
            let found = (rounded(number, uncertainty), relative(uncertainty, number));
            assert_eq!(found, (text.to_owned(), percent.to_owned()));
        }
    }
}
