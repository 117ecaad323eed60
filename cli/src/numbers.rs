//! Numbers for people: grouped digits, sizes, durations.

use std::time::Duration;

/// `1234567` as `1,234,567`.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 class`, `2 classes`: the words for one, and those for none or several.
pub(crate) fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Bytes in decimal units: `812 B`, `3.2 MB`.
pub(crate) fn size(bytes: u64) -> String {
    let mut value = bytes as f64;
    for unit in ["B", "kB", "MB", "GB"] {
        if value < 999.5 || unit == "GB" {
            return if unit == "B" || value >= 99.5 {
                format!("{value:.0} {unit}")
            } else {
                format!("{value:.1} {unit}")
            };
        }
        value /= 1000.0;
    }
    unreachable!("the last unit always returns")
}

/// Seconds: `0.43 s`, `12.0 s`.
pub(crate) fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.995 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_grouped_by_three() {
        for (number, text) in [
            (0u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
            (100_000, "100,000"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }

    #[test]
    fn one_is_singular() {
        for (number, text) in
            [(0u32, "0 classes"), (1, "1 class"), (2, "2 classes"), (1_001, "1,001 classes")]
        {
            assert_eq!(counted(number, "class", "classes"), text);
        }
    }

    #[test]
    fn sizes_have_two_digits_or_more() {
        for (bytes, text) in [
            (0, "0 B"),
            (999, "999 B"),
            (1000, "1.0 kB"),
            (99_400, "99.4 kB"),
            (99_600, "100 kB"),
            (999_600, "1.0 MB"),
            (12 << 40, "13194 GB"),
        ] {
            assert_eq!(size(bytes), text);
        }
    }

    #[test]
    fn durations_are_in_seconds() {
        assert_eq!(seconds(Duration::from_millis(430)), "0.43 s");
        assert_eq!(seconds(Duration::from_millis(12_040)), "12.0 s");
    }
}
