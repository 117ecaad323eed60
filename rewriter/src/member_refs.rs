//! Method references of a class that satisfy a condition.

use classfile_writer::{ClassFile, MemberNames, PoolIx};

/// Such references by pool index: found once per class, looked up at every call.
#[derive(Debug, Default)]
pub(crate) struct MemberRefs {
    /// Ascending.
    refs: Vec<PoolIx>,
}

impl MemberRefs {
    /// Looks through a class's pool.
    pub(crate) fn find(&mut self, class: &ClassFile<'_>, is: impl Fn(&MemberNames<'_>) -> bool) {
        self.refs.clear();
        let refs = class.pool().method_refs();
        self.refs.extend(refs.filter(|(_, names)| is(names)).map(|(ix, _)| ix));
    }

    /// Adds one, unless it is there.
    pub(crate) fn add(&mut self, ix: PoolIx) {
        if let Err(at) = self.refs.binary_search(&ix) {
            self.refs.insert(at, ix);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.refs.clear();
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.refs.is_empty()
    }

    pub(crate) fn contains(&self, ix: PoolIx) -> bool {
        self.refs.binary_search(&ix).is_ok()
    }
}
