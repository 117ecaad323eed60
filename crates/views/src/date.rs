//! Days and times as people write them.

/// The day of a time in ms since the Unix epoch, in UTC: year, month, day.
///
/// Years are counted from March, so that a leap day is the last of its year.
pub fn date(millis: u64) -> String {
    const DAYS_OF_ERA: u64 = 146_097;
    // Days since 1 March of the year 0.
    let days = millis / 86_400_000 + 719_468;
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (year, month) = match month {
        0..10 => (year, month + 3),
        _ => (year + 1, month - 9),
    };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year)
}

/// The minute of a time in ms since the Unix epoch, in UTC: `2026-11-26 00:10`.
pub fn minute(millis: u64) -> String {
    let minutes = millis / 60_000 % 1_440;
    format!("{} {:02}:{:02}", date(millis), minutes / 60, minutes % 60)
}

/// The second of a time in ms since the Unix epoch, in UTC, as a part of a file's name:
/// `2026-11-26T001005Z`. Names are in the order of times.
pub fn file_time(millis: u64) -> String {
    let seconds = millis / 1_000 % 86_400;
    let [hours, minutes, seconds] = [seconds / 3_600, seconds / 60 % 60, seconds % 60];
    format!("{}T{hours:02}{minutes:02}{seconds:02}Z", date(millis))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_order() {
        assert_eq!(file_time(0), "1970-01-01T000000Z");
        assert_eq!(file_time(86_400_000 * 20_453 + 86_399_999), "2025-12-31T235959Z");
        assert_eq!(file_time(3_661_000), "1970-01-01T010101Z");
        assert_eq!(minute(3_661_000), "1970-01-01 01:01");
    }

    #[test]
    fn days_have_dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (59, "1970-03-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_453, "2025-12-31"),
            (47_540, "2100-02-28"),
            (47_541, "2100-03-01"),
        ] {
            assert_eq!(date(days * 86_400_000 + 86_399_999), text);
        }
    }
}
