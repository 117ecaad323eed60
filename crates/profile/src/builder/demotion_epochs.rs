//! Since which epoch methods are demoted.

use jfathom_plan::MethodId;

use super::Builder;
use crate::Demotion;
use crate::id_table::IdNumbers;

impl Builder {
    /// Takes methods for demoted of which the builder has not been told: right after the last epoch
    /// of which it has. For a session whose modes are known and when they changed is not.
    pub fn demote_unannounced(
        &mut self,
        methods: impl IntoIterator<Item = MethodId>,
        demotion: Demotion,
    ) {
        let last = self.switches.all().map(|(_, epoch)| epoch).max().unwrap_or(0);
        let epoch = last.saturating_add(1).min(DemotionEpochs::LAST);
        for method in methods {
            let told = self.switches.demoted(method.get(), DemotionEpochs::LAST)
                || self.modes.contains_key(&method.get());
            if !told {
                self.demote(epoch, method, demotion);
            }
        }
    }
}

/// By method id, the epoch from which a method is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct DemotionEpochs(IdNumbers);

impl DemotionEpochs {
    /// The last epoch; no thread comes beyond it.
    pub const LAST: u32 = u32::MAX - 1;

    /// Method `id` is counted from `epoch` on; the earliest epoch that is told counts.
    pub fn set(&mut self, id: u32, epoch: u32) {
        let since = self.0.get_mut(id);
        let epoch = epoch.clamp(1, Self::LAST);
        *since = if *since == 0 { epoch } else { epoch.min(*since) };
    }

    /// Whether a frame is of a method that is counted in `epoch`. Frames of threads and tasks never
    /// are.
    #[inline]
    pub fn demoted(&self, frame: u32, epoch: u32) -> bool {
        // A method without an epoch has 0, which wraps to more than any.
        self.0.get(frame).wrapping_sub(1) < epoch
    }

    /// The methods with their epochs.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        self.0.iter()
    }
}
