//! Records that are logged while they are consumed.

use super::feed::Feed;
use super::slowest::log::{PIECE, Start};

impl Feed<'_> {
    /// As [`Feed::all`], for the thread of the builder with this number. Logs what it consumes if
    /// slow calls are kept.
    pub fn log_all(&mut self, thread: u32, words: &[u64]) -> usize {
        if self.latencies.slowest.most() == 0 {
            return self.all(words);
        }
        let mut all = 0;
        for words in words.chunks(PIECE) {
            let start = Start { records: self.state.records, clock: self.state.clock };
            let taken = self.all(words);
            let consumed = (start, words.get(..taken).unwrap_or_default());
            self.latencies.slowest.consumed(thread, self.state, consumed);
            all += taken;
            if taken < words.len() {
                break;
            }
        }
        all
    }
}
