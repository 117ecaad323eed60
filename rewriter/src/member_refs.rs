//! Method references of a class that are of some kind.

use classfile_writer::{ClassFile, MemberNames, PoolIx, Tag};

/// Such references, by pool index: found once, looked up at every call.
#[derive(Debug, Default)]
pub(crate) struct MemberRefs {
    /// Ascending.
    refs: Vec<PoolIx>,
}

impl MemberRefs {
    /// Looks through a class's pool. `name_may` is asked first: nearly all names are none of those
    /// that are looked for.
    pub(crate) fn find(
        &mut self,
        class: &ClassFile<'_>,
        name_may: impl Fn(&[u8]) -> bool,
        is: impl Fn(&MemberNames<'_>) -> bool,
    ) {
        let pool = class.pool();
        let found = |ix: PoolIx| {
            pool.member_name(ix).is_ok_and(&name_may)
                && pool.member_names(ix).is_ok_and(|it| is(&it))
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
