//! Since which epoch methods are demoted.

use jfathom_plan::MethodId;

use super::Builder;
use crate::Demotion;

impl Builder {
    /// Takes methods for demoted of which the builder has not been told: right after the last epoch of which it has. For a
    /// session whose modes are known and when they changed is not.
    pub fn demote_untold(&mut self, methods: impl IntoIterator<Item = MethodId>, demotion: Demotion) {
        let last = self.switches.all().map(|(_, epoch)| epoch).max().unwrap_or(0);
        let epoch = last.saturating_add(1).min(Switches::LAST);
        for method in methods {
            let told = self.switches.demoted(method.get(), Switches::LAST) || self.modes.contains_key(&method.get());
            if !told {
                self.demote(epoch, method, demotion);
            }
        }
    }
}

/// By method id, the epoch from which a method is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Switches(Vec<u32>);

/// The epoch of methods that are timed: no thread comes to it.
const NEVER: u32 = u32::MAX;

impl Switches {
    /// The last epoch.
    pub const LAST: u32 = NEVER - 1;

    /// Method `id` is counted from `epoch` on; the earliest epoch that is told counts.
    pub fn set(&mut self, id: u32, epoch: u32) {
        let index = id as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, NEVER);
        }
        self.0[index] = epoch.clamp(1, Self::LAST).min(self.0[index]);
    }

    /// Whether a frame is of a method that is counted in `epoch`. Frames of threads and tasks never are.
    #[inline]
    pub fn demoted(&self, frame: u32, epoch: u32) -> bool {
        self.0.get(frame as usize).is_some_and(|since| *since <= epoch)
    }

    /// The methods with their epochs.
    pub fn all(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..).zip(&self.0).filter(|(_, since)| **since != NEVER).map(|(id, since)| (id, *since))
    }
}
