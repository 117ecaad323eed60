//! The corrected times of what is shown.

use jfathom_calibration::Times;
use jfathom_profile::NodeIx;
use std::borrow::Cow;

/// Corrected times by node of a [`crate::ShownTree`].
#[derive(Debug)]
pub(crate) struct ShownTimes<'a> {
    pub threads: Cow<'a, [Times]>,
    pub pools: Vec<Times>,
}

impl ShownTimes<'_> {
    /// The times of a node; zero for one that there is not.
    #[inline]
    pub fn get(&self, node: NodeIx) -> Times {
        let at = node.0 as usize;
        let times = match at.checked_sub(self.threads.len()) {
            None => self.threads.get(at),
            Some(at) => self.pools.get(at),
        };
        times.copied().unwrap_or_default()
    }
}
