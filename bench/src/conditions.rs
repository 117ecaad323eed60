//! Under which conditions a benchmark runs: without them its figures say nothing.

use crate::shell;
use anyhow::Result;
use std::{fs, process::Command, thread::available_parallelism};

/// Day, commit, machine and load, as one line.
pub fn text() -> Result<String> {
    let day = shell::output(Command::new("date").args(["-u", "+%F"]))?;
    let commit = shell::output(
        Command::new("git").args(["describe", "--always", "--dirty"]).current_dir(shell::root()),
    )?;
    Ok(format!(
        "{}, commit {}, {}, {} processors, {}",
        day.trim(),
        commit.trim(),
        processor(&fs::read_to_string("/proc/cpuinfo")?),
        available_parallelism()?,
        load("before")?,
    ))
}

/// The load average of the last minute, as `load 1.23 WHEN`.
pub fn load(when: &str) -> Result<String> {
    let load = fs::read_to_string("/proc/loadavg")?;
    Ok(format!("load {} {when}", load.split(' ').next().unwrap_or_default()))
}

/// The processor's name in `/proc/cpuinfo`.
fn processor(text: &str) -> &str {
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    let names = fields.filter(|(key, _)| key.trim() == "model name").map(|(_, name)| name.trim());
    { names }.next().unwrap_or("an unknown processor")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_has_a_name_or_none() {
        assert_eq!(processor("vendor_id\t: X\nmodel name\t: A B\nmodel name\t: C\n"), "A B");
        assert_eq!(processor(""), "an unknown processor");
    }
}
