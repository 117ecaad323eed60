//! How much memory the tree of a JVM may take.

use jfathom_session::Process;
use std::fs;

/// The share of the free memory that a tree may take: there is also its copy for a checkpoint, and
/// the profile that is made of it at the end.
const SHARE: u64 = 4;
/// The least bound that is chosen here. A user may choose a smaller one.
const LEAST: u64 = 16 << 20;

/// The bound on a tree if the user names none: a quarter of the memory that is free for this
/// process, in bytes. None if that is not known.
pub(crate) fn default_bound() -> Option<u64> {
    let available = fs::read_to_string("/proc/meminfo").ok().and_then(|text| available(&text));
    let limit = Process::find(std::process::id()).and_then(|own| own.limits().memory_bytes);
    bound(available, limit)
}

/// The bound by what the machine has available, and by the limit of this process's control groups.
fn bound(available: Option<u64>, limit: Option<u64>) -> Option<u64> {
    let free = available.into_iter().chain(limit).min()?;
    Some((free / SHARE).max(LEAST))
}

/// `MemAvailable` in bytes. A line is `NAME: NUMBER kB`, see proc(5).
fn available(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bound_is_a_quarter_of_what_is_free() {
        let text = "MemTotal:       24683640 kB\nMemAvailable:    8388608 kB\nBuffers: 1 kB\n";
        let available = available(text);
        assert_eq!(available, Some(8 << 30));
        assert_eq!(bound(available, None), Some(2 << 30));
        assert_eq!(bound(available, Some(1 << 30)), Some(256 << 20));
        assert_eq!(bound(available, Some(1 << 20)), Some(16 << 20));
        assert_eq!(bound(None, None), None);
    }

    #[test]
    fn texts_that_say_nothing_are_no_number() {
        for text in ["", "MemAvailable:", "MemAvailable: x kB", "MemAvailable: 7", "MemFree: 7 kB"]
        {
            assert_eq!(available(text), None, "{text}");
        }
        assert_eq!(available(&format!("MemAvailable: {} kB", u64::MAX)), None);
    }
}
