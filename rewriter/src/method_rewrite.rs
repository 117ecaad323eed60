//! What the rewriting of one method starts from.

use crate::region::Regions;
use classfile_writer::{Bci, Code, Member, VerificationType};
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
    /// Whether it gets the task probes.
    pub(crate) is_task: bool,
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
        self.is_task || self.is_root() || self.regions.has_root()
    }

    /// The local variable for what the task probe gave, if it gets the task probes.
    pub(crate) fn task_local(&self) -> Option<u16> {
        self.is_task.then(|| self.code.max_locals())
    }

    /// The local variable for what the method's own entry probe gave; none for a root and for a
    /// method that is only counted.
    pub(crate) fn token_local(&self) -> Option<u16> {
        let is_timed = self.probes.is_some() && !self.is_root() && !self.is_counted();
        is_timed.then(|| self.local(u16::from(self.is_task)))
    }

    /// The local variable for what the entry probe of the region with this number gave.
    pub(crate) fn region_local(&self, number: usize) -> u16 {
        self.local(self.locals_before_regions().saturating_add(count(number)))
    }

    /// How many local variables it gets.
    pub(crate) fn new_locals(&self) -> u16 {
        self.locals_before_regions().saturating_add(count(self.regions.list().len()))
    }

    fn locals_before_regions(&self) -> u16 {
        u16::from(self.is_task) + u16::from(self.token_local().is_some())
    }

    /// The locals that the frame of a handler of all exceptions names: the new ones, and `this`
    /// where it is not yet initialized.
    pub(crate) fn handler_locals(&self, uninitialized: bool, locals: &mut Vec<VerificationType>) {
        locals.clear();
        if uninitialized {
            locals.push(VerificationType::UninitializedThis);
        }
        let new = usize::from(self.new_locals());
        if new > 0 {
            let first = usize::from(self.code.max_locals());
            locals.resize(first, VerificationType::Top);
            locals.resize(first + new, VerificationType::Integer);
        }
    }

    /// A number past the last one is refused when the new locals are counted.
    fn local(&self, behind: u16) -> u16 {
        self.code.max_locals().saturating_add(behind)
    }
}

fn count(of: usize) -> u16 {
    u16::try_from(of).unwrap_or(u16::MAX)
}
