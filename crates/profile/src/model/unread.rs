//! Calls that have not read what their threads allocate, where others have.
//!
//! What a thread allocates between two readings belongs to the nearest call on its stack that
//! reads. The builder leaves it in the node that was on top. So the bytes of nodes that do not read
//! are given to their nearest ancestors that do, once it is known which these are.

use crate::{Bytes, Frame, Method, MethodIx, Metric, NodeIx, PackedNumbers, Profile, Tree};

impl Profile {
    /// Says which methods have read what their threads allocate, where not all have. Roots, tasks
    /// and what is no method have in any case.
    pub fn set_alloc_reading(&mut self, has_read: impl Fn(&Method) -> bool) {
        if !self.allocation.is_recorded() {
            return;
        }
        for method in &mut self.methods {
            let always = method.info.root || method.info.is_sign();
            method.is_unread = !always && !has_read(method);
        }
        self.lift_unread_bytes();
    }

    /// Whether there are methods that have not read what their threads allocate, where others have.
    pub fn has_unread(&self) -> bool {
        self.allocation.is_recorded() && self.methods.iter().any(|method| method.is_unread)
    }

    /// Whether the allocated bytes of a method's timed calls are known, and there are any if it was
    /// called. Else neither their own nor those with all callees are.
    pub fn knows_bytes_of(&self, method: MethodIx) -> bool {
        let found = self.methods.get(method.0 as usize);
        let is_known = |method: &Method| !method.is_unread && !method.is_only_counted();
        self.allocation.is_recorded() && found.is_some_and(is_known)
    }

    /// [`Self::knows_bytes_of`] the method of a frame, for a node of it with so many calls: those
    /// that are counted read nothing. Threads and tasks read in any case.
    pub fn knows_bytes(&self, frame: Frame, timed: u64, counted: u64) -> bool {
        match frame {
            Frame::Method(method) => (timed > 0 || counted == 0) && self.knows_bytes_of(method),
            Frame::Thread(_) | Frame::Task(_) => self.allocation.is_recorded(),
        }
    }

    /// [`Self::knows_bytes`] of a node of the profile's own tree.
    pub fn knows_bytes_at(&self, node: NodeIx) -> bool {
        let tree = &self.tree;
        self.knows_bytes(tree.frame(node), tree.timed(node), tree.counted(node))
    }

    /// Gives the bytes of methods that have not read to the callers that have. Those without such
    /// a caller are in no method.
    pub fn lift_unread_bytes(&mut self) {
        if !self.has_unread() {
            return;
        }
        let methods = &self.methods;
        let has_read = |method: MethodIx| !methods[method.0 as usize].is_unread;
        self.allocation.unattributed += self.tree.lift_allocated(has_read);
    }
}

impl Tree {
    /// Gives the bytes of nodes whose methods have not read to their nearest ancestors that have.
    /// Returns what has no such ancestor.
    fn lift_allocated(&mut self, has_read: impl Fn(MethodIx) -> bool) -> Bytes {
        if !self.has(Metric::Allocated) {
            return Bytes(0);
        }
        let mut sums: Vec<(u32, u64)> = Vec::new();
        let mut left = 0_u64;
        // By depth: the place in `sums` of the nearest node that has read.
        let mut path: Vec<Option<usize>> = Vec::new();
        for node in self.nodes() {
            path.truncate(self.depth(node) as usize);
            let above = path.last().copied().flatten();
            let does_read = match self.frame(node) {
                Frame::Method(method) => has_read(method),
                Frame::Task(_) => true,
                Frame::Thread(_) => false,
            };
            let nearest = match does_read {
                true => {
                    sums.push((node.0, 0));
                    Some(sums.len() - 1)
                }
                false => above,
            };
            path.push(nearest);
            let bytes = self.number(Metric::Allocated, node);
            let to = match nearest.and_then(|at| sums.get_mut(at)) {
                Some((_, sum)) => sum,
                None => &mut left,
            };
            *to = to.saturating_add(bytes);
        }
        let lifted = PackedNumbers::filled(self.len(), |set| {
            sums.iter().for_each(|(node, bytes)| set(*node as usize, *bytes));
        });
        let set = self.set(Metric::Allocated, lifted);
        debug_assert_eq!(set, Ok(()));
        Bytes(left)
    }
}
