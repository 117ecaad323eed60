//! Method references of a class that satisfy a condition.

use classfile_writer::{ClassFile, MemberNames, PoolIx};

/// A cheap test that nearly all names outside a list fail: by first byte and length.
#[derive(Debug)]
pub(crate) struct NameFilter {
    /// By first byte, if that is ASCII: one bit per length. The highest is for longer names too.
    lengths: [u32; 128],
}

impl NameFilter {
    /// Passes no name.
    pub(crate) const fn new() -> Self {
        Self { lengths: [0; 128] }
    }

    const fn bit(length: usize) -> u32 {
        1 << if length < 31 { length } else { 31 }
    }

    /// Passes the names of `list` too.
    pub(crate) const fn with(mut self, list: &[&[u8]]) -> Self {
        let mut i = 0;
        while i < list.len() {
            self.lengths[list[i][0] as usize] |= Self::bit(list[i].len());
            i += 1;
        }
        self
    }

    /// Passes names that begin with one of `list` too.
    pub(crate) const fn with_beginnings(mut self, list: &[&[u8]]) -> Self {
        let mut i = 0;
        while i < list.len() {
            // This bit and all above it.
            self.lengths[list[i][0] as usize] |= !(Self::bit(list[i].len()) - 1);
            i += 1;
        }
        self
    }

    /// Whether the name may be one of those.
    #[inline]
    pub(crate) fn passes(&self, name: &[u8]) -> bool {
        let first = name.first().and_then(|&first| self.lengths.get(usize::from(first)));
        first.is_some_and(|lengths| lengths & Self::bit(name.len()) != 0)
    }
}

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

#[cfg(test)]
mod tests {
    use super::NameFilter;

    #[test]
    fn a_filter_passes_its_names_and_few_others() {
        let long = &[b'l'; 40][..];
        let filter = NameFilter::new().with(&[b"start", long]).with_beginnings(&[b"then"]);
        for name in [&b"start"[..], b"stirs", b"then", b"thenApply", &[b't'; 90], long] {
            assert!(filter.passes(name), "{}", name.escape_ascii());
        }
        for name in [&b""[..], b"star", b"starts", b"the", b"xtart", b"\xc3\xa4xyz"] {
            assert!(!filter.passes(name), "{}", name.escape_ascii());
        }
    }
}
