//! Records in short notation.

use jfathom_plan::MethodId;
use jfathom_trace::ThreadInfo;
use jfathom_trace::record::Record;

/// A method id.
pub fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

/// Entry of a method.
pub fn e(method: u32, time: u64) -> Record {
    Record::Entry { id: id(method), time }
}

/// Exit by return.
pub fn r(method: u32, time: u64) -> Record {
    Record::Return { id: id(method), time }
}

/// Exit by exception.
pub fn x(method: u32, time: u64) -> Record {
    Record::Throw { id: id(method), time }
}

/// Exception caught.
pub fn c(method: u32, time: u64) -> Record {
    Record::Caught { id: id(method), time }
}

/// A thread with this name; its thread id is its number plus 100.
pub fn info(sequence: u64, name: &str) -> ThreadInfo {
    ThreadInfo { sequence, thread_id: sequence + 100, kernel_id: 0, name: name.to_owned() }
}

/// Records as the words of a ring.
pub fn words(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.encode()).collect()
}

/// So many bytes that the thread has allocated since its last record.
pub fn alloc(bytes: u64) -> Record {
    Record::Allocated { bytes }
}

/// Counted calls of a method.
pub fn counted(method: u32, calls: u64) -> Record {
    Record::Counted { id: id(method), calls }
}
