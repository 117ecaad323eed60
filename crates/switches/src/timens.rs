//! Time namespaces (time_namespaces(7)): processes in one see `CLOCK_MONOTONIC` with an offset. The
//! kernel tells switches without any.

use std::fs;

/// By how many ns the clock of a process is ahead of that of processes outside of any time
/// namespace; of this process without an id. Zero where the kernel knows no such namespaces.
pub fn namespace_offset(pid: Option<u32>) -> i64 {
    let of = pid.map_or_else(|| "self".to_owned(), |pid| pid.to_string());
    let text = fs::read_to_string(format!("/proc/{of}/timens_offsets")).unwrap_or_default();
    parse(&text).unwrap_or(0)
}

fn parse(text: &str) -> Option<i64> {
    let line = text.lines().find(|line| line.starts_with("monotonic"))?;
    let mut numbers = line.split_whitespace().skip(1).map(str::parse::<i64>);
    let (seconds, nanos) = (numbers.next()?.ok()?, numbers.next()?.ok()?);
    seconds.checked_mul(1_000_000_000)?.checked_add(nanos)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_read() {
        let text = "monotonic          -2         5\nboottime            7         0\n";
        assert_eq!(parse(text), Some(-1_999_999_995));
        assert_eq!(parse("monotonic  9223372036854775807 0"), None);
        assert_eq!(parse(""), None);
    }
}
