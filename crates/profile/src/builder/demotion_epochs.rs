//! The epochs from which methods are demoted.

use crate::id_table::IdNumbers;

/// By method id, the epoch from which a method is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct DemotionEpochs(IdNumbers);

impl DemotionEpochs {
    /// The largest epoch.
    pub const LAST: u32 = u32::MAX - 1;

    /// Method `id` is counted from `epoch` on. Of several epochs the earliest holds.
    pub fn set(&mut self, id: u32, epoch: u32) {
        let since = self.0.get_mut(id);
        let epoch = epoch.clamp(1, Self::LAST);
        *since = if *since == 0 { epoch } else { epoch.min(*since) };
    }

    /// Whether the frame's method is counted in `epoch`. Never for frames of threads and tasks.
    #[inline]
    pub fn is_demoted(&self, frame: u32, epoch: u32) -> bool {
        // A method without an epoch has 0, which wraps to more than any.
        self.0.get(frame).wrapping_sub(1) < epoch
    }

    /// Methods and their epochs, by id.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter()
    }
}
