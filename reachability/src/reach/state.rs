//! State of the parts of a reachability analysis.

use super::callers::{Asked, Callers};
use crate::texts::{Pattern, Summary, Use};
use crate::{Body, ClassId, MethodIx, NameId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::HashMap;
use std::rc::Rc;

/// The method that is followed now.
#[derive(Clone, Copy)]
pub(super) struct CurrentMethod {
    pub(super) node: u32,
    pub(super) method: MethodIx,
    pub(super) class: ClassId,
    pub(super) body: Body,
    pub(super) position: usize,
}

/// Class names with dots, as `Class.forName` takes them, with their numbers. Sorted.
pub(super) type DottedNames = Rc<[(Vec<u8>, NameId)]>;

/// State of computed names and members.
#[derive(Default)]
pub(super) struct Computed {
    /// Number of nodes whose uses were stored.
    pub(super) nodes: usize,
    pub(super) callers: Callers,
    pub(super) summaries: FxHashMap<MethodIx, Rc<Summary>>,
    /// By node: the uses that were followed.
    pub(super) applied: FxHashMap<u32, Vec<Asked>>,
    /// The program's classes.
    pub(super) names: Option<DottedNames>,
    /// The classes that names with gaps can mean; `None` where they are too many.
    pub(super) matching: HashMap<Pattern, Option<Rc<[NameId]>>>,
    pub(super) resources: FxHashSet<Vec<u8>>,
    /// Methods that load classes by entirely unknown names.
    pub(super) unknown: FxHashSet<MethodIx>,
    /// Methods that look up methods by unknown names in unknown classes.
    pub(super) unfollowed_lookups: FxHashSet<MethodIx>,
}

impl Computed {
    /// The methods that load classes by entirely unknown names, with those that no known method
    /// calls.
    pub(super) fn unnamed(&self) -> impl Iterator<Item = MethodIx> {
        let uncalled = self.callers.uncalled(|used| matches!(used, Use::ClassName(_)));
        self.unknown.iter().copied().chain(uncalled)
    }

    /// The methods that look up methods by unknown names, with those that no known method calls.
    pub(super) fn unfollowed_lookups(&self) -> impl Iterator<Item = MethodIx> {
        let uncalled = self.callers.uncalled(|used| matches!(used, Use::Method { .. }));
        self.unfollowed_lookups.iter().copied().chain(uncalled)
    }
}

/// State of object streams.
#[derive(Default)]
pub(super) struct Serial {
    /// Classes whose objects are written.
    pub(super) written: FxHashSet<ClassId>,
    /// Classes whose objects are read.
    pub(super) read: FxHashSet<ClassId>,
    /// Whether the streams are reached that write, and that read.
    pub(super) streams: (bool, bool),
    /// How many of the allocated classes were looked at.
    pub(super) made: usize,
    /// How many edges were looked at.
    pub(super) edges: usize,
    /// Whether all serializable classes of the program were read.
    pub(super) all_read: bool,
}
