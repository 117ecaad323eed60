//! The epochs from which methods are demoted.

use jfathom_plan::MethodId;

use super::Builder;
use crate::Demotion;
use crate::id_table::IdNumbers;

impl Builder {
    /// Demotes those of `methods` that have no demotion and no mode yet, one epoch after the last
    /// known one. For a session whose modes are known but not when they changed.
    pub fn demote_unannounced(
        &mut self,
        methods: impl IntoIterator<Item = MethodId>,
        demotion: Demotion,
    ) {
        let last = self.demotion_epochs.all().map(|(_, epoch)| epoch).max().unwrap_or(0);
        let epoch = last.saturating_add(1).min(DemotionEpochs::LAST);
        for method in methods {
            let is_known = self.demotion_epochs.is_demoted(method.get(), DemotionEpochs::LAST)
                || self.modes.contains_key(&method.get());
            if !is_known {
                self.demote(epoch, method, demotion);
            }
        }
    }
}

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
