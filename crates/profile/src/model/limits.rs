//! What a container or another control group lets a JVM use.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a JVM may use at most, by the limits of its control groups. None if it has no such limit,
/// or if that is not known.
///
/// Its text is `1.5 processors and 512 MiB of memory`, and empty without limits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// CPU time per elapsed time, in thousandths of a processor.
    pub milli_cpus: Option<u64>,
    /// Memory in bytes.
    pub memory_bytes: Option<u64>,
}

impl Limits {
    /// Whether no limit is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(milli) = self.milli_cpus {
            let unit = if milli == 1000 { "processor" } else { "processors" };
            write!(f, "{} {unit}", milli as f64 / 1e3)?;
        }
        if self.milli_cpus.is_some() && self.memory_bytes.is_some() {
            f.write_str(" and ")?;
        }
        match self.memory_bytes {
            Some(bytes) if bytes >= 1 << 30 && bytes.trailing_zeros() >= 30 => {
                write!(f, "{} GiB of memory", bytes >> 30)
            }
            Some(bytes) => write!(f, "{} MiB of memory", (bytes as f64 / 104_857.6).round() / 10.0),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_limits() {
        let text = |milli_cpus, memory_bytes| Limits { milli_cpus, memory_bytes }.to_string();
        assert_eq!(text(None, None), "");
        assert_eq!(text(Some(1000), None), "1 processor");
        assert_eq!(text(None, Some(1 << 30)), "1 GiB of memory");
        assert_eq!(text(Some(333), Some(1)), "0.333 processors and 0 MiB of memory");
        assert_eq!(text(Some(1500), Some(512 << 20)), "1.5 processors and 512 MiB of memory");
        assert_eq!(text(None, Some(100_000_000)), "95.4 MiB of memory");
        assert!(text(Some(u64::MAX), Some(u64::MAX)).ends_with("MiB of memory"));
    }
}
