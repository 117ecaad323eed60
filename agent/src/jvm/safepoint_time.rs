//! How long safepoints have stopped the program, from HotSpot's performance data (hsperfdata).

#[cfg(test)]
mod tests;

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::OnceLock;

/// The counter of ticks at safepoints.
const COUNTER: &[u8] = b"sun.rt.safepointTime";
/// The counter of ticks per second, which appears a little after the JVM is up.
const FREQUENCY: &[u8] = b"sun.os.hrt.frequency";
const MAGIC: [u8; 4] = [0xca, 0xfe, 0xc0, 0xc0];
/// Ticks per second on Linux.
const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// Bytes of the file that are read: it has 32 KiB unless the user asks for more.
const MAX_BYTES: u64 = 1 << 20;

// The header of version 2 and the entries, by offset: 32-bit words in this machine's byte order.
const FIRST_ENTRY: usize = 24;
const ENTRY_COUNT: usize = 28;
const ENTRY_LENGTH: usize = 0;
const ENTRY_NAME: usize = 4;
const ENTRY_DATA: usize = 16;
/// Bytes of the smallest entry.
const ENTRY_BYTES: usize = 20;

static COUNTER_FILE: OnceLock<Option<SafepointTime>> = OnceLock::new();

/// Nanoseconds at safepoints since the JVM began; none if the JVM keeps no performance data
/// (`-XX:-UsePerfData`, `-XX:+PerfDisableSharedMem`).
pub fn nanos() -> Option<u64> {
    COUNTER_FILE.get_or_init(SafepointTime::open).as_ref()?.nanos()
}

/// The open file of this JVM's performance data. The JVM has it mapped: a read gets what the JVM
/// counts at the moment.
#[derive(Debug)]
struct SafepointTime {
    file: File,
    at: u64,
    hz: u64,
}

impl SafepointTime {
    fn open() -> Option<Self> {
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let path = maps.lines().find_map(|line| {
            line.find("/").map(|at| &line[at..]).filter(|path| path.contains("/hsperfdata_"))
        })?;
        let file = File::open(path).ok()?;
        let mut bytes = vec![0; file.metadata().ok()?.len().min(MAX_BYTES) as usize];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let at = find(&bytes, COUNTER)?;
        let hz = find(&bytes, FREQUENCY)
            .and_then(|at| read(&bytes, at as usize))
            .filter(|hz| *hz > 0)
            .unwrap_or(NANOS_PER_SECOND);
        Some(Self { file, at, hz })
    }

    fn nanos(&self) -> Option<u64> {
        let mut word = [0; 8];
        self.file.read_exact_at(&mut word, self.at).ok()?;
        u64::try_from(
            u128::from(u64::from_le_bytes(word)) * u128::from(NANOS_PER_SECOND)
                / u128::from(self.hz),
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

/// The offset of a counter's value.
fn find(bytes: &[u8], name: &[u8]) -> Option<u64> {
    if !bytes.starts_with(&MAGIC) {
        return None;
    }
    let (mut at, count) = (word(bytes, FIRST_ENTRY)?, word(bytes, ENTRY_COUNT)?);
    for _ in 0..count.min(bytes.len() / ENTRY_BYTES) {
        let (length, name_at, data_at) = (
            word(bytes, at.checked_add(ENTRY_LENGTH)?)?,
            word(bytes, at.checked_add(ENTRY_NAME)?)?,
            word(bytes, at.checked_add(ENTRY_DATA)?)?,
        );
        let text = bytes.get(at.checked_add(name_at)?..)?;
        if text.strip_prefix(name).is_some_and(|rest| rest.first() == Some(&0)) {
            return u64::try_from(at.checked_add(data_at)?).ok();
        }
        at = at.checked_add(length.max(1))?;
    }
    None
}
