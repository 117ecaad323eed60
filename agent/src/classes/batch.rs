//! Work of the load hook within one RetransformClasses call, on the calling thread.

use crate::engine::{ClassName, VersionedPlan};
use std::cell::RefCell;
use std::collections::HashMap;

thread_local! {
    static RECORD: RefCell<HookRecord> = RefCell::default();
    /// Class files that the batch is to keep; none if it keeps none.
    static CLASS_FILES: RefCell<Option<HashMap<ClassName, Vec<u8>>>> = const { RefCell::new(None) };
}

/// Classes that the load hook rewrote in a batch.
#[derive(Default)]
pub struct HookRecord {
    /// The plans by which it rewrote classes. Classes of one name count as what the first got.
    pub plans: HashMap<ClassName, VersionedPlan>,
    /// The class files that the JVM handed it, if the batch keeps them.
    pub class_files: HashMap<ClassName, Vec<u8>>,
}

/// Begins a batch on this thread, which keeps class files if `keep_class_files`.
pub fn begin(keep_class_files: bool) {
    RECORD.with_borrow_mut(|record| record.plans.clear());
    CLASS_FILES.with_borrow_mut(|files| *files = keep_class_files.then(HashMap::new));
}

/// Ends the batch of this thread.
pub fn end() -> HookRecord {
    let mut record = RECORD.take();
    record.class_files = CLASS_FILES.take().unwrap_or_default();
    record
}

/// The load hook has rewritten a class.
pub fn record_plan(name: ClassName, plan: VersionedPlan) {
    RECORD.with_borrow_mut(|record| {
        record.plans.entry(name).or_insert(plan);
    });
}

/// The JVM has handed the load hook a class file.
pub fn record_class_file(name: &ClassName, bytes: &[u8]) {
    CLASS_FILES.with_borrow_mut(|files| {
        if let Some(files) = files {
            files.insert(ClassName::clone(name), bytes.to_vec());
        }
    });
}
