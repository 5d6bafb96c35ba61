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
    fn rates_need_a_time() {
        assert_eq!(per_second(20, Duration::ZERO), None);
        assert_eq!(per_second(300, Duration::from_millis(1500)), Some(200));
    }
}
