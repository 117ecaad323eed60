//! The call path and the method of a stack.

use crate::contexts::{ContextIx, Contexts};
use jfathom_jfr::{SampledMethod, Samples, Stack};
use jfathom_profile::{Method, MethodIx};
use std::collections::HashMap;

/// Where a sample was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Below a root.
    Inside {
        /// The deepest path that the recording has.
        context: ContextIx,
        /// The innermost method that was timed.
        method: MethodIx,
        /// Whether the recording has the whole path.
        is_recorded: bool,
    },
    /// Outside all roots.
    Outside,
    /// Nobody knows, because outer frames are missing.
    Unknown,
}

/// The places of a recording's samples.
pub(crate) struct Places<'a> {
    contexts: &'a Contexts,
    /// By sampled method: the profile's.
    methods: Vec<Option<MethodIx>>,
}

/// A profile's methods by class, name and descriptor.
pub(crate) type MethodTable<'a> = HashMap<[&'a str; 3], MethodIx>;

/// The table of a profile's methods.
pub(crate) fn method_table(methods: &[Method]) -> MethodTable<'_> {
    let mut table = MethodTable::new();
    for (ix, method) in (0..).map(MethodIx).zip(methods) {
        let key = &method.info.key;
        table.insert([&key.class, &key.name, &key.descriptor], ix);
    }
    table
}

impl<'a> Places<'a> {
    pub fn new(contexts: &'a Contexts, known: &MethodTable, samples: &Samples) -> Self {
        let find = |method: &SampledMethod| {
            known.get(&[&*method.class, &*method.name, &*method.descriptor]).copied()
        };
        Self { contexts, methods: samples.methods.iter().map(find).collect() }
    }

    /// Follows the frames from the outermost one. Recording begins at the first one with which a
    /// path begins. From there on each frame of a timed method goes one call deeper; the others
    /// have no probes, or their time is their callers'.
    pub fn place(&self, stack: &Stack) -> Place {
        if stack.is_truncated {
            return Place::Unknown;
        }
        let recorded = stack
            .frames
            .iter()
            .rev()
            .filter_map(|frame| self.methods.get(*frame as usize).copied().flatten());
        let mut place: Option<(ContextIx, MethodIx)> = None;
        let mut is_recorded = true;
        for method in recorded {
            match &mut place {
                None => {
                    place = self.contexts.callee(None, method).map(|context| (context, method));
                }
                Some(_) if self.contexts.is_counted(method) => {}
                Some((context, innermost)) => {
                    *innermost = method;
                    // A path that the recording lacks ends where it leaves the recorded ones.
                    match self.contexts.callee(Some(*context), method).filter(|_| is_recorded) {
                        Some(callee) => *context = callee,
                        None => is_recorded = false,
                    }
                }
            }
        }
        match place {
            Some((context, method)) => Place::Inside { context, method, is_recorded },
            None => Place::Outside,
        }
    }
}
