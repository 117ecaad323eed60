//! Work of the load hook within one RetransformClasses call, on the calling thread; and the
//! bisection of a batch that the JVM refuses.

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

/// Calls `attempt` with all items. If it fails, calls it with halves, until the items that fail
/// alone are found: `refused` gets each of them with its error. Items are tried in order.
pub fn bisect<T, E>(
    items: &[T],
    mut attempt: impl FnMut(&[T]) -> Result<(), E>,
    mut refused: impl FnMut(&T, E),
) {
    let mut open = vec![items];
    while let Some(items) = open.pop() {
        if items.is_empty() {
            continue;
        }
        let Err(error) = attempt(items) else { continue };
        if let [item] = items {
            refused(item, error);
        } else {
            let (first, second) = items.split_at(items.len() / 2);
            open.extend([second, first]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::bisect;

    #[test]
    fn each_bad_item_is_refused_alone_and_the_others_succeed_in_order() {
        let (mut done, mut bad, mut attempts) = (Vec::new(), Vec::new(), 0);
        let attempt = |items: &[u32]| {
            attempts += 1;
            match items.iter().find(|item| [3, 6].contains(*item)) {
                Some(item) => Err(*item),
                None => {
                    done.extend_from_slice(items);
                    Ok(())
                }
            }
        };
        bisect(&[1, 2, 3, 4, 5, 6, 7, 8], attempt, |item, error| bad.push((*item, error)));
        assert_eq!((done, bad), (vec![1, 2, 4, 5, 7, 8], vec![(3, 3), (6, 6)]));
        assert_eq!(attempts, 11);
        bisect(&[], |_: &[u32]| Err(()), |_, ()| panic!("nothing was tried"));
    }
}
