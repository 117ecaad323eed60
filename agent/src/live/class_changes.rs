//! Changes of a session to the classes of each name.

use crate::engine::ClassName;
use crate::lock::lock;
use jfathom_plan::ClassPlan;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

/// [`Jvmti::object_hash`](crate::ffi::Jvmti::object_hash) of a class loader; 0 for the boot loader.
pub type LoaderHash = i32;

/// A class that is being loaded.
pub type LoadingClassKey = (ClassName, LoaderHash);

/// The hash by which class files are compared when they are restored.
pub fn class_file_hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The classes that the session has changed, or is about to change.
#[derive(Default)]
pub struct ClassChanges {
    changed: Mutex<HashMap<ClassName, RetransformedClass>>,
    /// Classes that got probes as they were loaded and are not prepared so far, with the version
    /// of the plan.
    loading: Mutex<HashMap<LoadingClassKey, u32>>,
    /// Fingerprints of the constant pools of classes that are not prepared so far, as they left the
    /// load hook.
    pools: Mutex<HashMap<LoadingClassKey, u64>>,
}

/// Changes to the classes of one name.
#[derive(Clone, Debug, Default)]
pub struct RetransformedClass {
    /// By loader: hashes of the class files that we changed, as the JVM handed them to us. From a
    /// class's first change on the JVM keeps that file and hands it out again. For an unchanged
    /// class it keeps none: it makes one up each time, and may number its constants anew.
    pub originals: HashMap<LoaderHash, Vec<u64>>,
    /// The plan that was made live last.
    pub plan: Option<Arc<ClassPlan>>,
    /// Whether the JVM has refused a retransformation: none is tried again.
    pub failed: bool,
}

impl ClassChanges {
    pub fn lock(&self) -> MutexGuard<'_, HashMap<ClassName, RetransformedClass>> {
        lock(&self.changed)
    }

    /// Records what a class gets as it is loaded.
    pub fn record_loading(
        &self,
        class: LoadingClassKey,
        version: u32,
        plan: Option<Arc<ClassPlan>>,
    ) {
        let mut changed = self.lock();
        changed.entry(ClassName::clone(&class.0)).or_default().plan = plan;
        // If two threads load the class at once, one of them wins: the class has at least the
        // older version.
        lock(&self.loading)
            .entry(class)
            .and_modify(|known| *known = version.min(*known))
            .or_insert(version);
    }

    /// The version that a class got as it was loaded; 0 if it got none. Forgets it.
    pub fn end_loading(&self, class: &LoadingClassKey) -> u32 {
        lock(&self.loading).remove(class).unwrap_or(0)
    }

    /// Records the constant pool with which a class leaves the load hook.
    pub fn record_pool(&self, class: LoadingClassKey, pool: u64) {
        lock(&self.pools).insert(class, pool);
    }

    /// The constant pool with which a class left the load hook; none if it did not pass it. Forgets
    /// it.
    pub fn take_pool(&self, class: &LoadingClassKey) -> Option<u64> {
        lock(&self.pools).remove(class)
    }

    /// The classes that got probes and are not prepared. Forgets them.
    pub fn take_loading(&self) -> Vec<LoadingClassKey> {
        std::mem::take(&mut *lock(&self.loading)).into_keys().collect()
    }

    /// Records the class file that is about to be replaced.
    pub fn record_original(&self, (name, loader): LoadingClassKey, bytes: &[u8]) {
        let original = class_file_hash(bytes);
        let mut changed = self.lock();
        let originals = changed.entry(name).or_default().originals.entry(loader).or_default();
        if !originals.contains(&original) {
            originals.push(original);
        }
    }

    /// Hashes of the class files that were replaced; none for a class that the session has not
    /// changed.
    pub fn originals(&self, name: &[u8], loader: LoaderHash) -> Option<Vec<u64>> {
        self.lock().get(name).and_then(|changed| changed.originals.get(&loader).cloned())
    }

    /// Records the plan that is live.
    pub fn record_plan(&self, name: &ClassName, plan: Arc<ClassPlan>) {
        self.lock().entry(ClassName::clone(name)).or_default().plan = Some(plan);
    }

    /// Records that the JVM has refused a class. Returns the plan that is live.
    pub fn record_failure(&self, name: &ClassName) -> Option<Arc<ClassPlan>> {
        let mut changed = self.lock();
        let changed = changed.entry(ClassName::clone(name)).or_default();
        changed.failed = true;
        changed.plan.clone()
    }
}
