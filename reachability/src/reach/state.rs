//! What the parts of a reachability analysis have found so far.

use super::callers::{Asked, Callers};
use crate::fast_hash::{FastMap, FastSet};
use crate::texts::Summary;
use crate::{Body, ClassId, MethodIx, NameId};
use std::rc::Rc;

/// The method that is looked at.
#[derive(Clone, Copy)]
pub(super) struct CurrentMethod {
    pub(super) node: u32,
    pub(super) method: MethodIx,
    pub(super) class: ClassId,
    pub(super) body: Body,
    pub(super) position: usize,
}

/// Names of classes as `Class.forName` takes them, with their numbers; sorted.
pub(super) type DottedNames = Rc<[(Vec<u8>, NameId)]>;

/// What is known so far.
#[derive(Default)]
pub(super) struct Computed {
    /// How many nodes were looked at.
    pub(super) nodes: usize,
    pub(super) callers: Callers,
    pub(super) summaries: FastMap<MethodIx, Rc<Summary>>,
    /// By node: uses that were followed.
    pub(super) applied: FastMap<u32, Vec<Asked>>,
    /// The program's classes, with dots, sorted.
    pub(super) names: Option<DottedNames>,
    pub(super) resources: FastSet<Vec<u8>>,
    /// Methods that ask for classes of which no part of the name is known.
    pub(super) unknown: FastSet<MethodIx>,
}

impl Computed {
    /// The methods that ask for classes of which no part of the name is known.
    pub(super) fn unnamed(self) -> impl Iterator<Item = MethodIx> {
        let uncalled: Vec<MethodIx> = self.callers.uncalled().collect();
        self.unknown.into_iter().chain(uncalled)
    }
}

/// How far the streams were followed.
#[derive(Default)]
pub(super) struct Serial {
    /// Classes whose objects are written, and read.
    pub(super) written: FastSet<ClassId>,
    pub(super) read: FastSet<ClassId>,
    /// Whether the classes that only a stream makes objects of were taken.
    pub(super) all_read: bool,
}
