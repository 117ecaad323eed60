//! Numbers as a person reads them: grouped digits, sizes, durations, error bars, shares.

use std::time::Duration;

use jfathom_calibration::TimeStatus;
use jfathom_profile::Nanos;

/// `1234567` as `1,234,567`.
pub fn grouped(number: impl TryInto<u64>) -> String {
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
pub fn counted(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Bytes in decimal units: `812 B`, `3.2 MB`.
pub fn size(bytes: u64) -> String {
    scaled(bytes, "B", &["kB", "MB", "GB"])
}

/// A number for a glance: `812`, `12.3 k`, `1.4 G`.
pub fn rounded(number: u64) -> String {
    scaled(number, "", &["k", "M", "G", "T"]).trim_end().to_owned()
}

/// A number in the unit that fits, `one` or a thousand times the one before.
fn scaled(number: u64, one: &str, larger: &[&str]) -> String {
    let mut value = number as f64;
    let mut unit = one;
    for larger in larger {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    let digits = usize::from(unit != one && value < 99.5);
    format!("{value:.digits$} {unit}")
}

/// Seconds: `0.43 s`, `12.0 s`.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 9.995 { format!("{seconds:.2} s") } else { format!("{seconds:.1} s") }
}

/// Nanoseconds with four digits in the unit that fits, units of equal width so that columns align:
/// `950 ns`, `1.234 µs`, `12.35 ms`, `123.5 s `, `12,346 s `.
pub fn duration(nanos: Nanos) -> String {
    let Nanos(nanos) = nanos;
    let (unit, per) = match nanos {
        0..1_000 => return format!("{nanos} ns"),
        1_000..999_950 => ("µs", 1e3),
        999_950..999_950_000 => ("ms", 1e6),
        _ => ("s ", 1e9),
    };
    let value = nanos as f64 / per;
    let digits = match value {
        v if v < 9.9995 => 3,
        v if v < 99.995 => 2,
        v if v < 9999.95 => 1,
        v => return format!("{} {unit}", grouped(v.round() as u64)),
    };
    format!("{value:.digits$} {unit}")
}

/// [`duration`] of a time or of a difference.
pub fn signed(nanos: f64) -> String {
    let text = duration(Nanos(nanos.abs().round() as u64));
    if nanos <= -0.5 { format!("-{text}") } else { text }
}

/// A time with the half width of its interval: `12.35 ms ±4.0%`. Where the interval reaches zero it
/// is below resolution: `≤ 22.7 s (10.8 s?)` says how much it is at most, and the estimate in it.
pub fn with_error_bar(nanos: f64, bar: f64) -> String {
    match TimeStatus::from_interval(nanos, bar) {
        TimeStatus::BelowResolution if nanos == 0.0 && bar == 0.0 => signed(0.0),
        TimeStatus::BelowResolution if nanos < 0.5 => format!("≤ {}", short(bar)),
        TimeStatus::BelowResolution => format!("≤ {} ({}?)", short(nanos + bar), short(nanos)),
        TimeStatus::AboveResolution => {
            format!("{} ±{}", signed(nanos).trim_end(), percent_of(bar, nanos))
        }
    }
}

/// [`with_error_bar`] with three digits and without the estimate of a time below resolution.
pub fn short_with_error_bar(nanos: f64, bar: f64) -> String {
    match TimeStatus::from_interval(nanos, bar) {
        TimeStatus::BelowResolution if nanos == 0.0 && bar == 0.0 => short(0.0),
        TimeStatus::BelowResolution => format!("≤ {}", short(nanos.max(0.0) + bar)),
        TimeStatus::AboveResolution => format!("{} ±{}", short(nanos), percent_of(bar, nanos)),
    }
}

/// How times with error bars are written for a terminal of this width.
pub fn time_format(width: Option<usize>) -> fn(f64, f64) -> String {
    match width.is_some_and(is_narrow) {
        true => short_with_error_bar,
        false => with_error_bar,
    }
}

/// Whether a terminal has too few columns for all numbers beside names.
pub fn is_narrow(width: usize) -> bool {
    width < 110
}

/// A half width as a part of its time: `4.0%`, `16%`.
pub fn percent_of(bar: f64, nanos: f64) -> String {
    let percent = if nanos == 0.0 { 0.0 } else { bar * 100.0 / nanos.abs() };
    let digits = usize::from(percent < 9.95);
    format!("{percent:.digits$}%")
}

/// Nanoseconds with three digits in the unit that fits: `950 ns`, `1.23 µs`, `22.7 s`, `1,234 s`.
fn short(nanos: f64) -> String {
    let (unit, per) = match nanos {
        n if n < 999.5 => return format!("{nanos:.0} ns"),
        n if n < 999.5e3 => ("µs", 1e3),
        n if n < 999.5e6 => ("ms", 1e6),
        _ => ("s", 1e9),
    };
    let value = nanos / per;
    let digits = match value {
        v if v < 9.995 => 2,
        v if v < 99.95 => 1,
        _ => return format!("{} {unit}", grouped(value.round() as u64)),
    };
    format!("{value:.digits$} {unit}")
}

/// `part` of `whole` in percent with one decimal; a dash where there is no whole.
pub fn percent(part: f64, whole: f64) -> String {
    if whole > 0.0 { format!("{:.1}", share(part, whole)) } else { "-".to_owned() }
}

/// `part` of `whole` in percent; 0 where there is no whole.
pub fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part * 100.0 / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        for (n, text) in [(0_u64, "0"), (999, "999"), (1000, "1,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(n), text);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(
            (counted(1_u32, "call", "calls"), counted(2_u32, "call", "calls")),
            ("1 call".into(), "2 calls".into())
        );
    }

    #[test]
    fn four_digits_in_the_unit_that_fits() {
        for (nanos, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1.000 µs"),
            (9_999, "9.999 µs"),
            (10_000, "10.00 µs"),
            (99_994, "99.99 µs"),
            (99_996, "100.0 µs"),
            (999_949, "999.9 µs"),
            (999_950, "1.000 ms"),
            (12_345_678, "12.35 ms"),
            (999_949_999, "999.9 ms"),
            (999_950_000, "1.000 s "),
            (123_456_000_000, "123.5 s "),
            (12_345_678_000_000, "12,346 s "),
        ] {
            assert_eq!(duration(Nanos(nanos)), text, "{nanos}");
        }
        duration(Nanos(u64::MAX));
    }

    #[test]
    fn percent_of_nothing_is_a_dash() {
        assert_eq!((percent(1.0, 3.0), percent(1.0, 0.0)), ("33.3".into(), "-".into()));
    }

    #[test]
    fn bars_are_part_of_a_time() {
        for (nanos, bar, text) in [
            (12_345_678.0, 123_456.78, "12.35 ms ±1.0%"),
            (12_345_678.0, 2_000_000.0, "12.35 ms ±16%"),
            (100.0, 100.0, "≤ 200 ns (100 ns?)"),
            (-100.0, 150.0, "≤ 150 ns"),
            (0.0, 1_234.0, "≤ 1.23 µs"),
            (10.8e9, 11.9e9, "≤ 22.7 s (10.8 s?)"),
            (900e6, 999.6e6, "≤ 1.90 s (900 ms?)"),
            (1.0, 1.234e12, "≤ 1,234 s (1 ns?)"),
            (0.0, 0.0, "0 ns"),
        ] {
            assert_eq!(with_error_bar(nanos, bar), text);
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
    fn rounded_numbers_have_no_unit_below_a_thousand() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1.0 k"), (1_449_000_000, "1.4 G")] {
            assert_eq!(rounded(number), text);
        }
    }

    #[test]
    fn durations_are_in_seconds() {
        assert_eq!(seconds(Duration::from_millis(430)), "0.43 s");
        assert_eq!(seconds(Duration::from_millis(12_040)), "12.0 s");
    }
}
