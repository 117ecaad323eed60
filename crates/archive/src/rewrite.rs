//! A container with some classes replaced.

mod archive;
mod directory;
mod prepared;

pub use prepared::Prepared;

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::codec::{Storage, pack};
use crate::input::Content;
use crate::staging::Staging;
use crate::walk::{ContainerVisitor, Nested, split};
use crate::zip::EntryAction;
use crate::{
    Additions, Destination, Entry, EntryName, Error, ErrorKind, Input, InputKind, Notice,
    OutputForm, Work,
};

/// What happens to a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replace {
    /// It stays as it is.
    Keep,
    /// It gets these bytes.
    Bytes(Vec<u8>),
}

/// What was done to the classes, before anything is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContainerCounts {
    /// Classes shown to the callback, those of nested jars included.
    pub classes: usize,
    /// Classes that were replaced.
    pub changed: usize,
}

/// What a rewrite did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Classes seen and changed.
    pub counts: ContainerCounts,
    /// The size of the output: of the jar, or of all files in the directory.
    pub bytes: u64,
    /// Notices of the rewrite, in the order of the input, without [`Input::notices`].
    pub notices: Vec<Notice>,
}

/// Shows every class of `input`, those in nested jars included, to `replace`, on all cores, then
/// asks `finish` what to add, and writes the container to `to`.
///
/// The order of the entries is that of the input. Unchanged entries are copied as their compressed
/// bytes; changed ones keep their method, stored or deflated (level 6), timestamp and attributes.
/// If something changes in a signed jar, its signature is dropped with a notice; if nothing does,
/// the output is the input byte for byte. The same input and callbacks give the same
/// bytes, whatever the number of threads.
///
/// The output appears under its name only when it is complete; until then it has a temporary name
/// in the same directory, which the next run to the same destination removes if this one is killed.
/// Its links come last.
///
/// It is [`prepare`] and [`Prepared::commit`] in one.
///
/// # Errors
/// A destination that is not allowed ([`destinations`](crate::destinations) says which), an
/// addition whose name is taken, limits, and what the operating system refuses. A class or nested
/// jar that cannot be read is no error but a [`Notice`].
pub fn rewrite(
    input: &Input,
    to: &Destination,
    work: &Work<'_>,
    replace: impl Fn(&Entry<'_>, &[u8]) -> Replace + Sync,
    finish: impl FnOnce(&ContainerCounts) -> Additions,
) -> Result<Outcome, Error> {
    prepare(input, to, work, replace, finish)?.commit()
}

/// What [`rewrite`] does, but for the last step: the output is complete, and still has its
/// temporary name. It can be read there, and be dropped as if nothing had been done.
///
/// # Errors
/// As for [`rewrite`].
pub fn prepare(
    input: &Input,
    to: &Destination,
    work: &Work<'_>,
    replace: impl Fn(&Entry<'_>, &[u8]) -> Replace + Sync,
    finish: impl FnOnce(&ContainerCounts) -> Additions,
) -> Result<Prepared, Error> {
    to.check(input)?;
    let whole = to.form == OutputForm::Whole;
    // Before any work is done it is clear that the output can be written.
    let make = if whole && input.kind() == InputKind::Archive {
        Staging::file
    } else {
        Staging::directory
    };
    let staging = make(&to.path).map_err(|e| Error::io(&to.path, "cannot write", e))?;
    let job = Rewriting {
        replace,
        plain: !whole,
        classes: AtomicUsize::new(0),
        changed: AtomicUsize::new(0),
    };
    let (actions, mut notices) = split(input.walk(&job, work, whole)?);
    let actions: Vec<EntryAction> =
        actions.into_iter().map(|action| action.unwrap_or(EntryAction::Keep)).collect();
    let counts =
        ContainerCounts { classes: job.classes.into_inner(), changed: job.changed.into_inner() };
    let additions = finish(&counts);
    check_names(input, &additions)?;
    let bytes = match &input.content {
        Content::Archive { path, bytes, central } if whole => {
            let nested = Nested { location: input.location(), archive: bytes, central };
            archive::write(nested, path.as_deref(), actions, &additions, &staging, &mut notices)?
        }
        content => {
            let directory =
                staging.directory_handle().map_err(|e| Error::io(&to.path, "cannot write", e))?;
            let output = directory::Output { input, to, directory };
            match content {
                Content::Directory(found) if whole => {
                    output.write_whole(found, actions, &additions, work)?
                }
                _ => output.write_patch(actions, &additions, work, &mut notices)?,
            }
        }
    };
    Ok(Prepared::new(input, to, staging, additions.entries, Outcome { counts, bytes, notices }))
}

/// Fails if an entry that is to be added is there already, or added twice.
fn check_names(input: &Input, additions: &Additions) -> Result<(), Error> {
    let mut names: Vec<&EntryName> = additions.entries.iter().map(|e| &e.name).collect();
    names.sort_unstable();
    let twice = names.windows(2).find(|w| w[0] == w[1]).map(|w| w[0]);
    let taken = twice.or_else(|| input.names().find(|name| names.binary_search(name).is_ok()));
    match taken {
        Some(name) => Err(Error::new(input.location().clone(), ErrorKind::NameTaken(name.clone()))),
        None => Ok(()),
    }
}

struct Rewriting<F> {
    replace: F,
    /// Is the output made of files, so that nothing need be compressed?
    plain: bool,
    /// Classes shown so far. Any worker adds one per class.
    classes: AtomicUsize,
    /// Classes replaced so far. Any worker adds one per class.
    changed: AtomicUsize,
}

impl<F: Fn(&Entry<'_>, &[u8]) -> Replace + Sync> ContainerVisitor for Rewriting<F> {
    type Out = EntryAction;

    fn class(&self, entry: &Entry<'_>, content: &[u8], storage: Storage) -> EntryAction {
        self.classes.fetch_add(1, Ordering::Relaxed);
        match (self.replace)(entry, content) {
            Replace::Keep => EntryAction::Keep,
            Replace::Bytes(new) => {
                self.changed.fetch_add(1, Ordering::Relaxed);
                EntryAction::Replace(pack(new, if self.plain { Storage::Stored } else { storage }))
            }
        }
    }

    fn nested(
        &self,
        nested: Nested<'_>,
        items: Vec<Option<EntryAction>>,
        storage: Storage,
    ) -> Result<(Option<EntryAction>, Vec<Notice>), Error> {
        let mut notices = Vec::new();
        let actions = items.into_iter().map(|action| action.unwrap_or(EntryAction::Keep)).collect();
        let new = archive::nested(nested, actions, &mut notices)?;
        Ok((new.map(|new| EntryAction::Replace(pack(new, storage))), notices))
    }
}
