//! Counted methods that get their own bytes back while the session runs.

use super::{Actions, Engine, MethodSlot};
use jfathom_plan::MethodId;
use jfathom_session::{MethodsFileLine, UncountedLine};

impl Engine<'_> {
    /// Takes the probes of these methods out of their plans, for the rest of the session. Roots and
    /// methods without probes stay as they are.
    pub fn uncount(&mut self, methods: &[MethodId]) -> Actions {
        let mut actions = Actions::default();
        let mut uncounted = Vec::new();
        for method in methods {
            let Some(MethodSlot { class, index }) = self.slots.get(method).copied() else {
                continue;
            };
            let entry = self.entries.get_mut(&class);
            let Some(planned) = entry.and_then(|entry| entry.methods.get_mut(index)) else {
                continue;
            };
            let status = &mut planned.status;
            if planned.root.is_some() || !status.instrumented || status.skipped {
                continue;
            }
            if !std::mem::replace(&mut status.uncounted, true) {
                self.uncounted.insert(*method);
                self.renewed.insert(class);
                uncounted.push(*method);
            }
        }
        if !uncounted.is_empty() {
            let line = UncountedLine { at: 0, methods: uncounted };
            actions.lines.push(MethodsFileLine::Uncounted(line));
        }
        self.finish(actions, None)
    }
}
