//! Method references of a class that satisfy a condition.

use classfile_writer::{ClassFile, MemberNames, PoolIx, Tag};

/// Such references by pool index: found once per class, looked up at every call.
#[derive(Debug, Default)]
pub(crate) struct MemberRefs {
    /// Ascending.
    refs: Vec<PoolIx>,
}

impl MemberRefs {
    /// Looks through a class's pool. `name_may` is a cheap filter that nearly all names fail.
    pub(crate) fn find(
        &mut self,
        class: &ClassFile<'_>,
        name_may: impl Fn(&[u8]) -> bool,
        is: impl Fn(&MemberNames<'_>) -> bool,
    ) {
        let pool = class.pool();
        let found = |ix: PoolIx| {
            pool.member_name(ix).is_ok_and(&name_may)
                && pool.member_names(ix).is_ok_and(|names| is(&names))
        };
        let refs = pool
            .entries()
            .filter(|(_, tag)| matches!(tag, Tag::Methodref | Tag::InterfaceMethodref));
        self.refs.clear();
        self.refs.extend(refs.map(|(ix, _)| ix).filter(|ix| found(*ix)));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.refs.is_empty()
    }

    pub(crate) fn contains(&self, ix: PoolIx) -> bool {
        self.refs.binary_search(&ix).is_ok()
    }
}
