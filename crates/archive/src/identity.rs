//! Identities of container states. Equal identities mean that earlier results hold.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::Input;
use crate::input::Content;

impl Input {
    /// Passes `take` the data that changes whenever the content does. For a jar: its length, and
    /// the names, sizes and CRCs of its entries. For a directory: names, sizes and times of its
    /// files. Each piece includes its length. Returns false if there is no such data: for modules,
    /// which [`Jdk::identify`](crate::Jdk::identify) covers, and for files without a time.
    pub fn identify(&self, take: &mut dyn FnMut(&[u8])) -> bool {
        match &self.content {
            Content::Archive { bytes, central, .. } => {
                take(&bytes.len().to_le_bytes());
                central.records.iter().for_each(|record| record.identify(take));
                true
            }
            Content::Directory(directory) => directory.files.iter().all(|file| {
                take(file.name.as_bytes());
                take(&file.size.to_le_bytes());
                file.modified.is_some_and(|time| {
                    take(&nanoseconds(time).to_le_bytes());
                    true
                })
            }),
            Content::Module(_) | Content::Jmod { .. } => false,
        }
    }

    /// The announced size of each entry, in the order of [`Input::names`].
    pub fn sizes(&self) -> impl ExactSizeIterator<Item = u64> {
        (0..self.names().len()).map(|at| match &self.content {
            Content::Archive { central, .. } | Content::Jmod { central, .. } => {
                central.records[at].size
            }
            Content::Directory(directory) => directory.files[at].size,
            Content::Module(module) => module.resources[at].extent.size,
        })
    }
}

/// Since 1970.
pub(crate) fn nanoseconds(time: SystemTime) -> i128 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => after.as_nanos() as i128,
        Err(before) => -(before.duration().as_nanos() as i128),
    }
}
