//! Traversal of a container for visits and rewrites: all classes and nested jars, in parallel. The
//! results are in order.

use crate::error::Damage;
use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::archive_bytes::OpenArchive;
use crate::codec::Storage;
use crate::limits::{Budget, check};
use crate::zip::CentralDirectory;
use crate::{Entry, EntryId, EntryName, Error, ErrorKind, Limit, Location, Notice, Progress, Work};

/// Work of a traversal for each entry.
pub(crate) trait ContainerVisitor: Sync {
    /// Result for an entry.
    type Out: Send;

    /// Whether a class with this entry name must be read.
    fn wants(&self, _name: &EntryName) -> bool {
        true
    }

    /// Handles a class. `storage` is how the archive stores it. A file in a directory counts as
    /// stored.
    fn class(&self, entry: &Entry<'_>, content: &[u8], storage: Storage) -> Self::Out;

    /// Handles a nested jar after its entries. `items` has one result per entry of
    /// `nested.central`.
    fn nested(
        &self,
        nested: Nested<'_>,
        items: Vec<Option<Self::Out>>,
        storage: Storage,
    ) -> Result<(Option<Self::Out>, Vec<Notice>), Error>;
}

/// An open nested jar.
#[derive(Clone, Copy)]
pub(crate) struct Nested<'a> {
    pub(crate) location: &'a Location,
    pub(crate) archive: &'a [u8],
    pub(crate) central: &'a CentralDirectory,
}

/// Result for one entry. None if it is neither a class nor a jar with classes, or cannot be read.
pub(crate) struct WalkItem<O> {
    pub(crate) out: Option<O>,
    pub(crate) notices: Vec<Notice>,
}

impl<O> WalkItem<O> {
    pub(crate) fn nothing() -> Self {
        Self { out: None, notices: Vec::new() }
    }

    pub(crate) fn noticed(notice: Notice) -> Self {
        Self { out: None, notices: vec![notice] }
    }
}

/// One traversal of an input.
pub(crate) struct Walker<'a, J> {
    job: &'a J,
    budget: &'a Budget,
    work: &'a Work<'a>,
    total: usize,
    /// Whether nested jars are traversed.
    enter: bool,
    /// Finished entries of the outermost container. Any thread adds one per entry.
    done: AtomicUsize,
}

impl<'a, J: ContainerVisitor> Walker<'a, J> {
    /// A traversal of a container with `total` entries.
    pub(crate) fn new(
        job: &'a J,
        budget: &'a Budget,
        work: &'a Work<'a>,
        total: usize,
        enter: bool,
    ) -> Self {
        Self { job, budget, work, total, enter, done: AtomicUsize::new(0) }
    }

    pub(crate) fn budget(&self) -> &Budget {
        self.budget
    }

    /// Whether `name` must be read.
    pub(crate) fn wants(&self, name: &EntryName) -> bool {
        if name.is_class() { self.job.wants(name) } else { self.enter && name.is_nested_archive() }
    }

    /// Traverses an archive: one item per entry.
    pub(crate) fn archive(
        &self,
        location: &Location,
        id: &EntryId,
        archive: &OpenArchive<'_>,
        central: &CentralDirectory,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let item = |(position, record): (usize, &crate::zip::CentralEntry)| {
            let id = id.child(position);
            let item = match record.storage() {
                _ if !self.wants(&record.name) => WalkItem::nothing(),
                storage => {
                    check_entry(location, &record.name, record.size, self.budget)?;
                    let storage = storage.unwrap_or(Storage::Stored);
                    // An archive inside another is gone after this traversal.
                    let is_outermost = id.positions().len() == 1;
                    let content = match self.work.keep.filter(|_| is_outermost) {
                        Some(budget) if record.name.is_class() => {
                            record.keep_content(archive, budget)
                        }
                        _ => record.content(archive),
                    };
                    self.entry(location, &record.name, id.clone(), content, storage)?
                }
            };
            self.tick(&id);
            Ok(item)
        };
        central.records.par_iter().enumerate().with_max_len(64).map(item).collect()
    }

    /// Traverses one entry. `content` is its content, or the reason why it cannot be read.
    pub(crate) fn entry(
        &self,
        container: &Location,
        name: &EntryName,
        id: EntryId,
        content: Result<Cow<'_, [u8]>, Damage>,
        storage: Storage,
    ) -> Result<WalkItem<J::Out>, Error> {
        let content = match content {
            Ok(content) => content,
            Err(reason) => {
                return Ok(WalkItem::noticed(Notice::EntryUnreadable {
                    location: container.join(name),
                    reason: reason.to_string(),
                }));
            }
        };
        if name.is_class() {
            let entry = Entry { container, name, id };
            return Ok(WalkItem {
                out: Some(self.job.class(&entry, &content, storage)),
                notices: Vec::new(),
            });
        }
        let location = container.join(name);
        if id.positions().len() as u64 > u64::from(self.budget.limits().nesting) {
            return Ok(WalkItem::noticed(Notice::NestedTooDeep { location }));
        }
        let read = CentralDirectory::read(&content, &location, self.budget);
        let whole = read.and_then(|read| read.require_whole(&location).map(|()| read));
        let central = match whole {
            Ok(central) => central,
            Err(e) if matches!(e.kind(), ErrorKind::Limit { .. }) => return Err(e),
            Err(e) => {
                let reason = e.kind().to_string();
                return Ok(WalkItem::noticed(Notice::NestedUnreadable { location, reason }));
            }
        };
        let mut notices = central.notices(&location);
        let (outs, more) =
            split(self.archive(&location, &id, &OpenArchive::Memory(&content), &central)?);
        notices.extend(more);
        let nested = Nested { location: &location, archive: &content, central: &central };
        let (out, more) = self.job.nested(nested, outs, storage)?;
        notices.extend(more);
        Ok(WalkItem { out, notices })
    }

    /// Reports that the entry `id` is done, if it is in the outermost container.
    pub(crate) fn tick(&self, id: &EntryId) {
        if id.positions().len() > 1 {
            return;
        }
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(report) = self.work.progress {
            report(Progress { done, total: self.total });
        }
    }
}

/// Fails if an entry is larger than the limits allow.
pub(crate) fn check_entry(
    container: &Location,
    name: &EntryName,
    size: u64,
    budget: &Budget,
) -> Result<(), Error> {
    let allowed = budget.limits().entry_bytes;
    if size <= allowed {
        Ok(())
    } else {
        check(&container.join(name), Limit::EntryBytes, size, allowed)
    }
}

/// The results of items, and their notices, each in order.
pub(crate) fn split<O>(items: Vec<WalkItem<O>>) -> (Vec<Option<O>>, Vec<Notice>) {
    let mut notices = Vec::new();
    let outs = items
        .into_iter()
        .map(|item| {
            notices.extend(item.notices);
            item.out
        })
        .collect();
    (outs, notices)
}
