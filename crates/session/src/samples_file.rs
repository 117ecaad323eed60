//! The samples file: JSON lines in which the agent writes the stacks that it has sampled.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Sampling begins so long after the first root is live: a short program pays nothing for it.
pub const SAMPLING_DELAY: Duration = Duration::from_secs(2);

/// One line of a samples file, as JSON.
///
/// The file is append-only. Methods and stacks have the numbers of their lines among those of their
/// kind, from zero, and stand before the lines that refer to them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SamplesFileLine {
    /// Sampling begins. The first line.
    Begin(SamplingBegin),
    /// A method of a stack.
    Method(SampledMethodLine),
    /// A stack.
    Stack(SampledStackLine),
    /// Samples, in the order in which they were taken on each thread.
    Samples(Vec<SampleEntry>),
    /// Samples of running threads that have no stack: how many since sampling began, by reason. The
    /// last such line is valid.
    Lost(LostSamples),
    /// Why no more samples come, as a sentence without a full stop.
    End(String),
}

/// What samples are taken by.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamplingBegin {
    /// When, on the session's clock: its value, not its distance from the session's begin.
    pub at: u64,
    /// Nanoseconds of a thread's running time between two of its samples, as asked of the kernel.
    pub period_nanos: u64,
}

/// A method.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledMethodLine {
    /// In internal form: `com/acme/Engine`; a hidden class has no suffix.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// A stack.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledStackLine {
    /// Its methods by number, the innermost first.
    pub frames: Vec<u32>,
    /// Whether outer frames are missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
}

/// One sample: the session's clock, the kernel's id of the thread as the JVM sees it, the stack by
/// number.
pub type SampleEntry = (u64, u32, u32);

/// Samples without a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostSamples {
    /// The JVM could not walk the stack.
    pub unwalkable: u64,
    /// There was no space.
    pub no_space: u64,
}

impl SamplesFileLine {
    /// Reads a line, with or without the newline at its end.
    ///
    /// # Errors
    /// Fails if the line is not JSON of this form.
    pub fn from_json(line: &[u8]) -> Result<Self, serde_json::Error> {
        serde_json::from_slice(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let lines = [
            SamplesFileLine::Begin(SamplingBegin { at: 7, period_nanos: 2_000_000 }),
            SamplesFileLine::Method(SampledMethodLine {
                class: "a/B".to_owned(),
                name: "c".to_owned(),
                descriptor: "()V".to_owned(),
            }),
            SamplesFileLine::Stack(SampledStackLine { frames: vec![0, 0], truncated: false }),
            SamplesFileLine::Samples(vec![(9, 1, 0), (u64::MAX, 2, 0)]),
            SamplesFileLine::Lost(LostSamples { unwalkable: 1, no_space: 2 }),
            SamplesFileLine::End("another profiler has SIGPROF".to_owned()),
        ];
        for line in lines {
            let text = serde_json::to_vec(&line).unwrap();
            assert_eq!(SamplesFileLine::from_json(&text).unwrap(), line);
        }
        let stack = serde_json::to_string(&SampledStackLine::default()).unwrap();
        assert_eq!(stack, r#"{"frames":[]}"#);
    }
}
