//! How long calls took, as the profile file has it.

use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::column::Column;
use crate::{
    Activation, Durations, FileError, Frame, HandOffs, Latencies, Latency, MethodIx, Profile, Span,
    ThreadIx, Ticks, UnsampledCalls,
};

/// The longest call of each node, and latencies, as they are stored. The fields are read in their
/// order.
#[derive(Debug, Serialize)]
pub(crate) struct StoredLatencies<'a> {
    longest: &'a Column,
    unwatched: u64,
    paths: Vec<StoredLatency>,
    unsampled: &'a [UnsampledCalls],
}

impl<'a> StoredLatencies<'a> {
    pub fn of(profile: &'a Profile) -> Self {
        let Latencies { paths, unwatched, unsampled, .. } = &profile.latencies;
        Self {
            longest: profile.tree.longest_calls(),
            unwatched: *unwatched,
            paths: paths.iter().map(StoredLatency::of).collect(),
            unsampled,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.longest.is_empty()
            && self.paths.is_empty()
            && self.unwatched == 0
            && self.unsampled.is_empty()
    }

    /// Reads them into the profile that they are of.
    pub fn read(body: &mut Body, profile: &mut Profile) -> Result<(), FileError> {
        let mut longest = Column::default();
        let nodes = profile.tree.len();
        body.numbers(|number| {
            longest.push(number);
            longest.len() <= nodes
        })?;
        profile.tree.set_longest_calls(longest).map_err(FileError::Content)?;
        let unwatched = body.value()?;
        let paths = body.value::<Vec<StoredLatency>>()?.into_iter();
        let paths = paths.map(|stored| stored.read(profile.methods.len()));
        let paths = paths.collect::<Result<_, _>>().map_err(FileError::Content)?;
        let unsampled: Vec<UnsampledCalls> = body.value()?;
        if let Some(of) = unsampled.iter().find(|of| of.method.0 as usize >= profile.methods.len())
        {
            let what = format!("unsampled calls of method {}, which is not there", of.method.0);
            return Err(FileError::Content(what));
        }
        profile.latencies = Latencies { paths, unwatched, unsampled, ..Latencies::default() };
        Ok(())
    }
}

/// A latency as it is stored.
#[derive(Debug, Serialize, Deserialize)]
struct StoredLatency {
    path: Vec<u32>,
    calls: Durations,
}

impl StoredLatency {
    pub fn of(latency: &Latency) -> Self {
        let path = latency.path.iter().map(|frame| frame.pack()).collect();
        Self { path, calls: latency.calls.clone() }
    }

    /// The latency, of a profile with so many methods. An error names a contradiction.
    pub fn read(self, methods: usize) -> Result<Latency, String> {
        let of = |packed: u32| match Frame::unpack(packed) {
            Some(found @ (Frame::Method(MethodIx(method)) | Frame::Task(MethodIx(method))))
                if (method as usize) < methods =>
            {
                Ok(found)
            }
            _ => Err(format!("a latency of frame {packed:#x}")),
        };
        let path = self.path.into_iter().map(of).collect::<Result<Vec<_>, _>>()?;
        if path.is_empty() || !self.calls.is_valid() {
            return Err("a latency whose buckets do not fit".to_owned());
        }
        Ok(Latency { path, calls: self.calls })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bucket, Ticks};

    #[test]
    fn what_contradicts_itself_is_refused() {
        let stored = |path: &[u32], upper: &[u64]| StoredLatency {
            path: path.to_vec(),
            calls: Durations::unchecked(
                Ticks(5),
                upper
                    .iter()
                    .map(|upper| Bucket { upper: Ticks(*upper), calls: 1, records: 1 })
                    .collect(),
            ),
        };
        assert!(stored(&[1], &[2, 9]).read(2).is_ok());
        for (path, upper) in
            [(&[2][..], &[9][..]), (&[], &[9]), (&[1], &[]), (&[1], &[9, 9]), (&[1], &[4])]
        {
            assert!(stored(path, upper).read(2).is_err(), "{path:?} {upper:?}");
        }
    }
}

/// A slowest call as it is stored: packed frames, and the rest of it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct StoredActivation {
    path: Vec<u32>,
    thread: u32,
    thread_id: u64,
    began: u64,
    duration: u64,
    records: u64,
    left_out: u64,
    spans: Vec<Span>,
}

impl StoredActivation {
    /// The profile's slowest calls.
    pub fn all(profile: &Profile) -> Vec<Self> {
        let stored = |of: &Activation| Self {
            path: of.path.iter().map(|frame| frame.pack()).collect(),
            thread: of.thread.0,
            thread_id: of.thread_id,
            began: of.began.0,
            duration: of.duration.0,
            records: of.records,
            left_out: of.left_out,
            spans: of.spans.clone(),
        };
        profile.latencies.slowest.iter().map(stored).collect()
    }

    /// Gives a profile its slowest calls.
    pub fn read(stored: Vec<Self>, profile: &mut Profile) -> Result<(), String> {
        let (methods, threads) = (profile.methods.len(), profile.threads.len());
        for of in stored {
            let path = of.path.iter().map(|packed| Frame::unpack(*packed));
            let activation = Activation {
                path: path.collect::<Option<_>>().ok_or("a frame of no kind")?,
                thread: ThreadIx(of.thread),
                thread_id: of.thread_id,
                began: Ticks(of.began),
                duration: Ticks(of.duration),
                records: of.records,
                left_out: of.left_out,
                spans: of.spans,
                hand_offs: HandOffs::default(),
                events: Vec::new(),
            };
            activation.check(methods, threads)?;
            profile.latencies.slowest.push(activation);
        }
        Ok(())
    }
}
