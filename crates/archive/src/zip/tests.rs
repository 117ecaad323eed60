use super::*;
use crate::limits::Budget;
use crate::{Limits, NewEntry};

/// An archive with one deflated entry of `content`, and its central directory.
fn archive(content: &[u8]) -> (Vec<u8>, CentralDirectory) {
    let mut writer = Writer::new(Vec::new(), &[]).unwrap();
    let entry = NewEntry::new("A.class", content.to_vec());
    writer.add(&entry.name, &codec::pack(entry.bytes, Storage::Deflated)).unwrap();
    let (bytes, _) = writer.finish(&[], &[]).unwrap();
    let budget = Budget::new(Limits::default());
    let central = CentralDirectory::read(&bytes, &Location::new("a.jar"), &budget).unwrap();
    (bytes, central)
}

#[test]
fn kept_content_needs_no_archive_any_more() {
    let (bytes, central) = archive(&[7; 1000]);
    let record = &central.records[0];
    let budget = KeepBudget::new(1000);
    assert_eq!(*record.keep_content(&OpenArchive::Memory(&bytes), &budget).unwrap(), [7; 1000]);
    assert_eq!(*record.content(&OpenArchive::Memory(&[])).unwrap(), [7; 1000]);
}

#[test]
fn content_beyond_the_budget_is_not_kept() {
    let (bytes, central) = archive(&[7; 1000]);
    let record = &central.records[0];
    assert_eq!(
        *record.keep_content(&OpenArchive::Memory(&bytes), &KeepBudget::new(999)).unwrap(),
        [7; 1000]
    );
    assert!(record.content(&OpenArchive::Memory(&[])).is_err());
    assert_eq!(*record.content(&OpenArchive::Memory(&bytes)).unwrap(), [7; 1000]);
}

#[test]
fn damaged_content_is_never_kept() {
    let (mut bytes, central) = archive(&[7; 1000]);
    let record = &central.records[0];
    bytes[record.data.start] ^= 0xff;
    let budget = KeepBudget::new(u64::MAX);
    assert!(record.keep_content(&OpenArchive::Memory(&bytes), &budget).is_err());
    assert!(record.content(&OpenArchive::Memory(&bytes)).is_err());
}
