//! Threads of a pool: their names differ in numbers only.

use crate::names::thread_name;
use jfathom_plan::printable;
use jfathom_profile::{Profile, ThreadIx};
use std::collections::HashMap;

/// Groups of threads.
#[derive(Debug)]
pub(crate) struct Pools {
    /// By thread: the first one of its pool.
    first: Vec<ThreadIx>,
    /// By thread: how many selected threads its pool has, at the first one; else 0.
    sizes: Vec<u32>,
}

impl Pools {
    /// The pools of the selected threads of a profile. Threads of several JVMs are never of one
    /// pool.
    pub(crate) fn of(profile: &Profile, is_selected: impl Fn(ThreadIx) -> bool) -> Self {
        let mut firsts: HashMap<(u32, String), ThreadIx> = HashMap::new();
        let mut sizes = vec![0; profile.threads.len()];
        let mut first = Vec::with_capacity(profile.threads.len());
        for (at, thread) in (0..).map(ThreadIx).zip(&profile.threads) {
            let of_pool = match is_selected(at) {
                true => *firsts.entry((thread.jvm, pattern(&thread.name))).or_insert(at),
                false => at,
            };
            first.push(of_pool);
            sizes[of_pool.0 as usize] += u32::from(is_selected(at));
        }
        Self { first, sizes }
    }

    /// Whether each pool has one thread.
    pub(crate) fn are_single(&self) -> bool {
        self.sizes.iter().all(|size| *size <= 1)
    }

    /// The thread that stands for a thread's pool.
    pub(crate) fn first(&self, thread: ThreadIx) -> ThreadIx {
        self.first.get(thread.0 as usize).copied().unwrap_or(thread)
    }

    /// Whether a thread is in a pool of several.
    pub(crate) fn is_pooled(&self, thread: ThreadIx) -> bool {
        self.sizes.get(self.first(thread).0 as usize).is_some_and(|size| *size > 1)
    }

    /// The name of the pool that a thread stands for: `8 threads pool-1-thread-*`.
    pub(crate) fn name(&self, profile: &Profile, thread: ThreadIx) -> String {
        match (self.sizes.get(thread.0 as usize), profile.threads.get(thread.0 as usize)) {
            (Some(size @ 2..), Some(facts)) => {
                let jvm = match profile.meta.jvms.get(facts.jvm as usize) {
                    Some(jvm) if profile.meta.jvms.len() > 1 => format!(" of JVM {}", jvm.pid),
                    _ => String::new(),
                };
                format!("{size} threads {}{jvm}", printable(&pattern(&facts.name)))
            }
            _ => thread_name(profile, thread),
        }
    }
}

/// A name with `*` for each number.
fn pattern(name: &str) -> String {
    let mut pattern = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '0'..='9' if pattern.ends_with('*') => {}
            '0'..='9' => pattern.push('*'),
            letter => pattern.push(letter),
        }
    }
    pattern
}
