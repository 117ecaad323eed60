//! The regions that are looked for, and those of a class.

use crate::Options;
use jfathom_plan::{LineRange, MethodId, ProbeKind, RegionPlan};

/// The region selectors, with what was found for each.
#[derive(Debug, Default)]
pub(super) struct Regions {
    /// By selector.
    pub(super) found: Vec<RegionState>,
    /// Whether they are the roots.
    pub(super) are_roots: bool,
}

/// How far the search for a region has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RegionState {
    /// No class with such a method was loaded.
    Waiting,
    /// A class with such a method was loaded.
    Planned,
    /// It has probes, or a line says why not.
    Reported,
}

/// A region of the class's plan.
#[derive(Clone, Debug)]
pub(super) struct PlannedRegion {
    pub(super) id: MethodId,
    pub(super) method: String,
    pub(super) descriptor: String,
    pub(super) lines: LineRange,
    pub(super) kind: ProbeKind,
    /// The number of its selector.
    pub(super) selector: usize,
    /// The first version of the plan that has it.
    pub(super) since: u32,
    pub(super) instrumented: bool,
    /// It gets no probes after all.
    pub(super) skipped: bool,
}

impl PlannedRegion {
    pub(super) fn plan(&self) -> RegionPlan {
        RegionPlan {
            method: self.method.clone(),
            descriptor: self.descriptor.clone(),
            lines: self.lines,
            id: self.id,
            kind: self.kind,
        }
    }

    /// Whether no class file with its probes was made so far, though a version of the plan has it.
    pub(super) fn is_open(&self, version: u32) -> bool {
        self.since <= version && !self.instrumented && !self.skipped
    }

    /// Name and descriptor, as skips have them.
    pub(super) fn full_name(&self) -> String {
        format!("{}{}", self.lines.region_name(&self.method), self.descriptor)
    }
}

impl Regions {
    pub(super) fn new(options: &Options) -> Self {
        Self {
            found: vec![RegionState::Waiting; options.regions.len()],
            are_roots: !options.has_given_root(),
        }
    }
}
