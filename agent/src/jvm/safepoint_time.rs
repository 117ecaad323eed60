//! How long safepoints have stopped the program, as HotSpot's performance data tells.

#[cfg(test)]
mod tests;

use std::fs::File;
use std::os::unix::fs::FileExt;

/// The counter of ticks spent at safepoints.
const COUNTER: &[u8] = b"sun.rt.safepointTime";
/// And their rate, which appears a little after the JVM is up.
const FREQUENCY: &[u8] = b"sun.os.hrt.frequency";
const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// The rate on Linux.
const NANOS: u64 = 1_000_000_000;
/// The file is 32 KiB unless the user asks for more.
const LARGEST: u64 = 1 << 20;

/// The open file of this JVM's performance data. The JVM has it mapped: what is read is what it
/// counts at the moment.
#[derive(Debug)]
pub struct SafepointTime {
    file: File,
    at: u64,
    hz: u64,
}

impl SafepointTime {
    /// None where the JVM keeps none (`-XX:-UsePerfData`, `-XX:+PerfDisableSharedMem`).
    pub fn open() -> Option<Self> {
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let path = maps.lines().find_map(|line| {
            line.find("/").map(|at| &line[at..]).filter(|path| path.contains("/hsperfdata_"))
        })?;
        let file = File::open(path).ok()?;
        let mut bytes = vec![0; file.metadata().ok()?.len().min(LARGEST) as usize];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let at = find(&bytes, COUNTER)?;
        let hz = find(&bytes, FREQUENCY)
            .and_then(|at| read(&bytes, at as usize))
            .filter(|hz| *hz > 0)
            .unwrap_or(NANOS);
        Some(Self { file, at, hz })
    }

    /// Nanoseconds at safepoints since the JVM began.
    pub fn nanos(&self) -> Option<u64> {
        let mut word = [0; 8];
        self.file.read_exact_at(&mut word, self.at).ok()?;
        u64::try_from(
            u128::from(u64::from_le_bytes(word)) * u128::from(NANOS) / u128::from(self.hz),
        )
        .ok()
    }
}

fn read(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    bytes.get(at..)?.first_chunk().map(|word| u32::from_le_bytes(*word) as usize)
}

/// The offset of a counter's value: version 2 of the format, in the byte order of this machine.
fn find(bytes: &[u8], name: &[u8]) -> Option<u64> {
    if !bytes.starts_with(&MAGIC) {
        return None;
    }
    let (mut at, count) = (word(bytes, 24)?, word(bytes, 28)?);
    for _ in 0..count.min(bytes.len() / 20) {
        let (length, name_at, data_at) =
            (word(bytes, at)?, word(bytes, at + 4)?, word(bytes, at + 16)?);
        let text = bytes.get(at.checked_add(name_at)?..)?;
        if text.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0)) {
            return u64::try_from(at.checked_add(data_at)?).ok();
        }
        at = at.checked_add(length.max(1))?;
    }
    None
}
