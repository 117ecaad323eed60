//! The way through a container that visits and rewrites share: every class and every nested jar, in
//! parallel, in order.

use std::borrow::Cow;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::codec::Storage;
use crate::limits::{Budget, check};
use crate::zip::CentralDirectory;
use crate::{Entry, EntryId, EntryName, Error, ErrorKind, Limit, Location, Notice, Progress, Work};

/// What is done on the way.
pub(crate) trait ContainerVisitor: Sync {
    /// What an entry gives.
    type Out: Send;

    /// Does a class with this entry name need to be read?
    fn wants(&self, _name: &EntryName) -> bool {
        true
    }

    /// A class was met. `storage` is how the archive keeps it; a file in a directory counts as
    /// stored.
    fn class(&self, entry: &Entry<'_>, content: &[u8], storage: Storage) -> Self::Out;

    /// A nested jar was walked through; `steps` has one item per record of `nested.central`.
    fn nested(
        &self,
        nested: Nested<'_>,
        steps: Vec<Option<Self::Out>>,
        storage: Storage,
    ) -> Result<(Option<Self::Out>, Vec<Notice>), Error>;
}

/// An open nested jar.
#[derive(Clone, Copy)]
pub(crate) struct Nested<'a> {
    pub(crate) place: &'a Location,
    pub(crate) archive: &'a [u8],
    pub(crate) central: &'a CentralDirectory,
}

/// What one entry gave: nothing if it is neither a class nor a jar with classes, or cannot be read.
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

/// One walk through an input.
pub(crate) struct Walker<'a, J> {
    job: &'a J,
    budget: &'a Budget,
    work: &'a Work<'a>,
    total: usize,
    /// Are nested jars entered?
    enter: bool,
    /// Entries of the outermost container that are done. Any worker adds one per entry.
    done: AtomicUsize,
}

impl<'a, J: ContainerVisitor> Walker<'a, J> {
    /// A walk through a container with `total` entries.
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

    /// Does `name` need to be read at all?
    pub(crate) fn wants(&self, name: &EntryName) -> bool {
        if name.is_class() { self.job.wants(name) } else { self.enter && name.is_nested_archive() }
    }

    /// Walks through an archive: one step per record.
    pub(crate) fn archive(
        &self,
        place: &Location,
        id: &EntryId,
        archive: &[u8],
        central: &CentralDirectory,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let step = |(position, record): (usize, &crate::zip::CentralEntry)| {
            let id = id.child(position);
            let step = match record.storage() {
                _ if !self.wants(&record.name) => WalkItem::nothing(),
                storage => {
                    check_entry(place, &record.name, record.size, self.budget)?;
                    let storage = storage.unwrap_or(Storage::Stored);
                    self.entry(place, &record.name, id.clone(), record.content(archive), storage)?
                }
            };
            self.tick(&id);
            Ok(step)
        };
        central.records.par_iter().enumerate().with_max_len(64).map(step).collect()
    }

    /// One entry, whose content was read or, for the reason given, could not be.
    pub(crate) fn entry(
        &self,
        container: &Location,
        name: &EntryName,
        id: EntryId,
        content: Result<Cow<'_, [u8]>, String>,
        storage: Storage,
    ) -> Result<WalkItem<J::Out>, Error> {
        let content = match content {
            Ok(content) => content,
            Err(reason) => {
                return Ok(WalkItem::noticed(Notice::EntryUnreadable {
                    place: container.join(name),
                    reason,
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
        let place = container.join(name);
        if id.positions().len() as u64 > u64::from(self.budget.limits().nesting) {
            return Ok(WalkItem::noticed(Notice::NestedTooDeep { place }));
        }
        let central = match CentralDirectory::read(&content, &place, self.budget) {
            Ok(central) => central,
            Err(e) if matches!(e.kind(), ErrorKind::Limit { .. }) => return Err(e),
            Err(e) => {
                let reason = e.kind().to_string();
                return Ok(WalkItem::noticed(Notice::NestedUnreadable { place, reason }));
            }
        };
        let mut notices = central.notices(&place);
        let (outs, more) = split(self.archive(&place, &id, &content, &central)?);
        notices.extend(more);
        let nested = Nested { place: &place, archive: &content, central: &central };
        let (out, more) = self.job.nested(nested, outs, storage)?;
        notices.extend(more);
        Ok(WalkItem { out, notices })
    }

    /// Tells that the entry `id` is done, if it is one of the outermost container.
    pub(crate) fn tick(&self, id: &EntryId) {
        if id.positions().len() > 1 {
            return;
        }
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if let Some(tell) = self.work.progress {
            tell(Progress { done, total: self.total });
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

/// The outcomes and the notices of some steps, each in order.
pub(crate) fn split<O>(steps: Vec<WalkItem<O>>) -> (Vec<Option<O>>, Vec<Notice>) {
    let mut notices = Vec::new();
    let outs = steps
        .into_iter()
        .map(|step| {
            notices.extend(step.notices);
            step.out
        })
        .collect();
    (outs, notices)
}
