//! What is chosen of a class.

use super::VersionedPlan;
use jfathom_plan::{ClassPlan, MethodId, MethodKey, MethodPlan, ProbeKind};
use jfathom_reachability::MethodIx;
use std::sync::Arc;

/// A method that is to be instrumented.
#[derive(Clone, Debug)]
pub(super) struct PlannedMethod {
    pub(super) method: MethodIx,
    pub(super) id: MethodId,
    pub(super) name: String,
    pub(super) descriptor: String,
    /// The number of the selector that makes it a root.
    pub(super) root: Option<usize>,
    /// The first version of the plan that has it.
    pub(super) since: u32,
    pub(super) state: MethodStatus,
}

/// What became of a method that was chosen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MethodStatus {
    /// Some class file with its probes was made.
    pub(super) done: bool,
    /// Its first call was told.
    pub(super) called: bool,
    /// It is left alone after all.
    pub(super) refused: bool,
}

/// A class of which something is chosen.
#[derive(Debug, Default)]
pub(super) struct ClassEntry {
    pub(super) rows: Vec<PlannedMethod>,
    plan: Arc<ClassPlan>,
    version: u32,
    /// How often it was redefined.
    pub(super) redefined: u64,
}

/// What holds for all plans.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlanDefaults {
    pub(super) hand_offs: bool,
    pub(super) pin: bool,
}

impl ClassEntry {
    /// Adds a row; gives its place.
    pub(super) fn choose(
        &mut self,
        method: MethodIx,
        id: MethodId,
        key: MethodKey,
        root: Option<usize>,
    ) -> usize {
        let MethodKey { name, descriptor, .. } = key;
        let since = self.version + 1;
        let state = MethodStatus::default();
        self.rows.push(PlannedMethod { method, id, name, descriptor, root, since, state });
        self.rows.len() - 1
    }

    /// Makes the plan of the rows, as a new version where it has `grown`.
    pub(super) fn make_plan(&mut self, terms: PlanDefaults, grown: bool) {
        self.version += u32::from(grown);
        let method = |row: &PlannedMethod| MethodPlan {
            name: row.name.clone(),
            descriptor: row.descriptor.clone(),
            id: row.id,
            kind: if row.root.is_some() { ProbeKind::Root } else { ProbeKind::InRoot },
        };
        let methods: Vec<MethodPlan> =
            self.rows.iter().filter(|row| !row.state.refused).map(method).collect();
        let hand_offs = terms.hand_offs && !methods.is_empty();
        self.plan = Arc::new(ClassPlan {
            methods,
            hand_offs,
            pin_probes: terms.pin,
            ..ClassPlan::default()
        });
    }

    pub(super) fn planned(&self) -> Option<VersionedPlan> {
        let some = !self.plan.is_empty();
        some.then(|| VersionedPlan { plan: Arc::clone(&self.plan), version: self.version })
    }
}
