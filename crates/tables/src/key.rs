//! Numbers that identify recordings and methods in all tables.

use jfathom_plan::{DigestHasher, MethodKey};
use jfathom_profile::{Frame, Profile};
use std::fmt;

/// The number of a recording: the same for the same profile, whatever its file is called and
/// whatever its labels are. Not below zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RunId(pub i64);

impl RunId {
    /// The number of a profile's recording: a digest of its begin, its JVMs and its numbers.
    pub fn of(profile: &Profile) -> Self {
        let mut hasher = DigestHasher::default();
        let meta = &profile.meta;
        hasher.word(meta.started_millis);
        hasher.word(meta.duration_millis);
        for jvm in &meta.jvms {
            hasher.word(jvm.pid);
            hasher.word(jvm.start_millis);
            hasher.bytes(jvm.command.as_bytes());
        }
        hasher.word(profile.quality.records);
        hasher.word(profile.methods.len() as u64);
        for root in profile.tree.roots() {
            if let Frame::Thread(thread) = profile.tree.frame(root) {
                hasher.word(profile.thread(thread).thread_id);
            }
            hasher.word(profile.tree.subtree(root).len() as u64);
            hasher.word(profile.tree.total_time(root).0);
        }
        Self(number(hasher))
    }
}

impl fmt::Display for RunId {
    /// 16 hexadecimal digits: the name of its files.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The number of a method in all tables: a digest of its class, its name and its descriptor, so it
/// is the same in all builds that have the method. Not below zero.
pub fn method_key(key: &MethodKey) -> i64 {
    let mut hasher = DigestHasher::default();
    for part in [&key.class, &key.name, &key.descriptor] {
        hasher.bytes(part.as_bytes());
    }
    number(hasher)
}

/// A digest as engines have whole numbers: 64 bits with a sign.
fn number(hasher: DigestHasher) -> i64 {
    (hasher.finish().0 >> 1) as i64
}

/// A count as engines have it. Counts beyond are none of a recording.
pub(crate) fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// A time in whole nanoseconds.
pub(crate) fn nanos(nanos: f64) -> i64 {
    nanos.round() as i64
}
