//! How many classes the JVM retransforms at once while the program runs.
//!
//! At each retransformation HotSpot stops all threads and goes through all loaded classes once,
//! however few change: some 20 ms on a server, and some 0.05 ms for each class that does. So chunks
//! are large, and their size does not follow the pauses that are seen: on a busy machine these tell
//! more of the machine, and smaller chunks would only be more pauses.

use crate::jvm::safepoint_time;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Classes in a chunk.
const SIZE: usize = 256;
/// The program runs for so many times as long as it was paused.
const REST: u32 = 3;
/// The longest that all rests take together.
const RESTS: Duration = Duration::from_secs(2);

/// Whether a class of this JVM was retransformed. The first time HotSpot throws all compiled code
/// away, whatever the class, because it has not recorded what the code depends on. Written once, by
/// the first thread that works in chunks; no other memory depends on it.
static HAS_BEGUN: AtomicBool = AtomicBool::new(false);

/// Chunks of classes, and the rests between them.
#[derive(Debug, Default)]
pub struct Chunks {
    rested: Duration,
}

impl Chunks {
    /// Calls `work` with one chunk after another, in order. In between `rest` lets the program run
    /// for a time; all that is left is one chunk when it returns false.
    pub fn each<T>(
        &mut self,
        items: &[T],
        rest: impl Fn(Duration) -> bool,
        mut work: impl FnMut(&[T]),
    ) {
        let mut left = items;
        let mut may_rest = rest(Duration::ZERO);
        while !left.is_empty() {
            let is_first = !HAS_BEGUN.swap(true, Ordering::Relaxed);
            let most = match may_rest {
                true if is_first => 1,
                true => SIZE,
                false => left.len(),
            };
            let (chunk, later) = left.split_at(most.min(left.len()));
            left = later;
            let (before, began) = (safepoint_time::nanos(), Instant::now());
            work(chunk);
            let stopped = before.zip(safepoint_time::nanos());
            let pause = stopped.map_or_else(
                || began.elapsed(),
                |(before, after)| Duration::from_nanos(after.saturating_sub(before)),
            );
            let time = (pause * REST).min(RESTS.saturating_sub(self.rested));
            self.rested += time;
            may_rest = rest(time);
        }
    }

    /// Whether no time is left to rest.
    pub fn is_spent(&self) -> bool {
        self.rested >= RESTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_item_comes_once_in_order() {
        let items: Vec<u32> = (0..5000).collect();
        let (mut seen, mut sizes) = (Vec::new(), Vec::new());
        Chunks::default().each(
            &items,
            |_| true,
            |chunk| {
                sizes.push(chunk.len());
                seen.extend_from_slice(chunk);
            },
        );
        assert_eq!(seen, items);
        assert!(sizes.iter().all(|size| (1..=SIZE).contains(size)), "{sizes:?}");
        sizes.clear();
        Chunks::default().each(&items, |_| false, |chunk| sizes.push(chunk.len()));
        assert_eq!(sizes, [5000]);
    }
}
