//! Time in which safepoints stopped the program, from HotSpot's performance data (hsperfdata).

use jfathom_session::counter_offset;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::OnceLock;

/// The counter of ticks at safepoints.
const COUNTER: &str = "sun.rt.safepointTime";
/// The counter of ticks per second, which appears a little after the JVM is up.
const FREQUENCY: &str = "sun.os.hrt.frequency";
/// Ticks per second on Linux.
const NANOS_PER_SECOND: u64 = 1_000_000_000;
/// The most bytes of the file that are read; it has 32 KiB unless the user asks for more.
const MAX_BYTES: u64 = 1 << 20;

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
    /// Offset of the counter.
    at: usize,
    ticks_per_second: u64,
}

impl SafepointTime {
    fn open() -> Option<Self> {
        let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
        let path = maps.lines().find_map(|line| {
            line.find("/").map(|at| &line[at..]).filter(|path| path.contains("/hsperfdata_"))
        })?;
        let file = jfathom_files::open_plain(Path::new(path)).ok()?;
        let mut bytes = vec![0; file.metadata().ok()?.len().min(MAX_BYTES) as usize];
        file.read_exact_at(&mut bytes, 0).ok()?;
        let at = counter_offset(&bytes, COUNTER)?;
        let ticks_per_second = counter_offset(&bytes, FREQUENCY)
            .and_then(|at| read_word(&file, at))
            .filter(|hz| *hz > 0)
            .unwrap_or(NANOS_PER_SECOND);
        Some(Self { file, at, ticks_per_second })
    }

    fn nanos(&self) -> Option<u64> {
        let ticks = u128::from(read_word(&self.file, self.at)?);
        let nanos = ticks * u128::from(NANOS_PER_SECOND) / u128::from(self.ticks_per_second);
        u64::try_from(nanos).ok()
    }
}

fn read_word(file: &File, at: usize) -> Option<u64> {
    let mut word = [0; 8];
    file.read_exact_at(&mut word, at as u64).ok()?;
    Some(u64::from_ne_bytes(word))
}
