//! The planned methods of a class.

use super::VersionedPlan;
use super::planned_region::PlannedRegion;
use crate::Options;
use jfathom_plan::{
    ClassPlan, EntryAlone, MethodId, MethodKey, MethodPlan, ProbeKind, ProbeRule, ResumptionPlan,
    Scheme,
};
use jfathom_reachability::MethodIx;
use std::sync::Arc;

/// A method of the class's plan.
#[derive(Clone, Debug)]
pub(super) struct PlannedMethod {
    pub(super) method: MethodIx,
    pub(super) id: MethodId,
    pub(super) name: String,
    pub(super) descriptor: String,
    /// The id of its resumptions, if it may have some.
    pub(super) resumed: Option<MethodId>,
    /// The number of the selector that makes it a root.
    pub(super) root: Option<usize>,
    /// The first version of the plan that has it.
    pub(super) since: u32,
    pub(super) status: MethodStatus,
}

impl PlannedMethod {
    /// Whether no class file with its probes was made so far, though a version of the plan has it.
    pub(super) fn is_open(&self, version: u32) -> bool {
        self.since <= version && !self.status.instrumented && !self.status.skipped
    }
}

/// State of a planned method.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MethodStatus {
    /// A class file with its probes was made.
    pub(super) instrumented: bool,
    /// Its first call was reported.
    pub(super) called: bool,
    /// It gets no probes after all.
    pub(super) skipped: bool,
}

/// A class with planned methods.
#[derive(Debug, Default)]
pub(super) struct ClassEntry {
    pub(super) methods: Vec<PlannedMethod>,
    pub(super) regions: Vec<PlannedRegion>,
    plan: Arc<ClassPlan>,
    version: u32,
    /// Whether a line has told what the class can call.
    has_reported_calls: bool,
}

/// Change of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PlanChange {
    /// Methods or regions were added: a new version, which the loaded class gets.
    Renewed,
    /// Methods were skipped: the same version.
    Shrunk,
}

/// Which methods have an entry probe alone. None where the user asks for more than counts of some.
/// An entry alone reports no first call, which only a method without calls need not report, or one
/// of a class whose methods all have probes.
pub(super) fn entry_alone(options: &Options) -> EntryAlone {
    let may_be_timed = options.all_timed || options.probes.list.iter().any(ProbeRule::needs_time);
    match options.scheme {
        _ if may_be_timed => EntryAlone::None,
        Scheme::Total => EntryAlone::Small,
        _ => EntryAlone::Leaves,
    }
}

impl ClassEntry {
    /// Whether what the class can call is to be reported: the first time it is asked.
    pub(super) fn report_calls(&mut self) -> bool {
        !std::mem::replace(&mut self.has_reported_calls, true)
    }

    /// Adds a method with its id and that of its resumptions. Returns its index.
    pub(super) fn add(
        &mut self,
        method: MethodIx,
        (id, resumed): (MethodId, Option<MethodId>),
        key: MethodKey,
        root: Option<usize>,
    ) -> usize {
        let MethodKey { name, descriptor, .. } = key;
        let since = self.next_version();
        let status = MethodStatus::default();
        let planned = PlannedMethod { method, id, name, descriptor, resumed, root, since, status };
        self.methods.push(planned);
        self.methods.len() - 1
    }

    /// The version of the plan that the next addition is in.
    pub(super) fn next_version(&self) -> u32 {
        self.version + 1
    }

    /// Makes the plan of the regions and methods that are not skipped. Only the program's own code
    /// has hand-off probes: the analysis goes through the JDK's.
    pub(super) fn make_plan(
        &mut self,
        is_program: bool,
        entry_alone: EntryAlone,
        change: PlanChange,
    ) {
        self.version += u32::from(change == PlanChange::Renewed);
        let plan = |planned: &PlannedMethod| MethodPlan {
            name: planned.name.clone(),
            descriptor: planned.descriptor.clone(),
            id: planned.id,
            kind: if planned.root.is_some() { ProbeKind::Root } else { ProbeKind::InRoot },
        };
        let planned = || self.methods.iter().filter(|planned| !planned.status.skipped);
        let methods: Vec<_> = planned().map(plan).collect();
        let resumed = planned().filter_map(|planned| {
            let (method, descriptor) = (planned.name.clone(), planned.descriptor.clone());
            Some(ResumptionPlan { method, descriptor, id: planned.resumed? })
        });
        let resumptions = resumed.collect();
        let regions: Vec<_> =
            self.regions.iter().filter(|region| !region.skipped).map(PlannedRegion::plan).collect();
        let hand_offs = is_program && !(methods.is_empty() && regions.is_empty());
        self.plan = Arc::new(ClassPlan {
            methods,
            regions,
            resumptions,
            hand_offs,
            entry_alone,
            ..ClassPlan::default()
        });
    }

    /// The newest plan; none if it is empty.
    pub(super) fn plan(&self) -> Option<VersionedPlan> {
        let plan = || VersionedPlan { plan: Arc::clone(&self.plan), version: self.version };
        (!self.plan.is_empty()).then(plan)
    }
}
