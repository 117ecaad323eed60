//! What the rewriting of one method starts from.

use crate::region::Regions;
use classfile_writer::{Bci, Code, Member};
use jfathom_plan::{HugeMethods, MethodId, ProbeKind};

/// One method, and what is to be put into it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MethodRewrite<'c> {
    pub(crate) member: &'c Member<'c>,
    pub(crate) code: &'c Code<'c>,
    /// Id and kind of its own probes, if it gets any.
    pub(crate) probes: Option<(MethodId, ProbeKind)>,
    /// The id of its resumptions, and the switch over its continuation's label, if it is resumed.
    pub(crate) resumed: Option<(MethodId, Bci)>,
    /// The local variable for the task probes, if it gets them.
    pub(crate) task: Option<u16>,
    /// Its regions.
    pub(crate) regions: &'c Regions,
    pub(crate) huge: HugeMethods,
    /// Whether the plan gives it an entry probe alone, if nothing else needs more.
    pub(crate) entry_alone: bool,
}

impl MethodRewrite<'_> {
    /// Whether the method's own probes are a root's.
    pub(crate) fn is_root(&self) -> bool {
        matches!(self.probes, Some((_, ProbeKind::Root)))
    }

    /// Whether the method gets an entry probe alone.
    pub(crate) fn is_counted(&self) -> bool {
        self.entry_alone && self.probes.is_some() && !self.must_close() && self.regions.is_empty()
    }

    /// Whether every exception out of the method must pass a probe. If one left a root or a task
    /// unseen, its thread would go on recording, and no consumer can repair that.
    pub(crate) fn must_close(&self) -> bool {
        self.task.is_some() || self.is_root() || self.regions.has_root()
    }
}
