//! Records as words, for tests of the builder.

use jfathom_plan::MethodId;
use jfathom_trace::record::Record;

pub(super) fn id(id: u32) -> MethodId {
    MethodId::new(id).unwrap()
}

pub(super) fn entry(of: u32, time: u64) -> u64 {
    Record::Entry { id: id(of), time }.encode()
}

pub(super) fn exit(of: u32, time: u64) -> u64 {
    Record::Return { id: id(of), time }.encode()
}

pub(super) fn counted(of: u32, calls: u64) -> u64 {
    Record::Counted { id: id(of), calls }.encode()
}
