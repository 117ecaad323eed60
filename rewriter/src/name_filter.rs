//! A cheap test of names against lists.

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
