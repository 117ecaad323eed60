//! Rewriting of containers.

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

/// Result for a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replace {
    /// Copy it unchanged.
    Keep,
    /// Replace it by these bytes.
    Bytes(Vec<u8>),
}

/// Counts of classes, known before the output is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContainerCounts {
    /// Classes passed to the callback, those of nested jars included.
    pub classes: usize,
    /// Classes that were replaced.
    pub changed: usize,
}

/// Result of a rewrite.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Counts of classes.
    pub counts: ContainerCounts,
    /// Size of the output in bytes: of the jar, or of all files in the directory.
    pub bytes: u64,
    /// Notices of the rewrite, in the order of the input, without [`Input::notices`].
    pub notices: Vec<Notice>,
}

/// Rewrites a container to `to`. First passes every class of `input`, those in nested jars
/// included, to `replace`, on all cores. Then asks `finish` for additions.
///
/// Entries keep the order of the input. Unchanged entries are copied as compressed bytes. Changed
/// ones keep their method, stored or deflated (level 5), timestamp and attributes. If something
/// changes in a signed jar, its signature is dropped with a notice. If nothing does, the output is
/// the input byte for byte. The same input and callbacks give the same bytes, whatever the number
/// of threads.
///
/// The output appears under its name only when it is complete. Until then it has a temporary name
/// in the same directory. If this run is killed, the next run to the same destination removes it.
/// Links come last.
///
/// It is [`prepare`] and [`Prepared::commit`] together.
///
/// # Errors
/// Fails if the destination is not allowed (see [`destinations`](crate::destinations)), if the name
/// of an addition is taken, if a limit is exceeded, or if the operating system reports an error. A
/// class or nested jar that cannot be read is not an error but a [`Notice`].
pub fn rewrite(
    input: &Input,
    to: &Destination,
    work: &Work<'_>,
    replace: impl Fn(&Entry<'_>, &[u8]) -> Replace + Sync,
    finish: impl FnOnce(&ContainerCounts) -> Additions,
) -> Result<Outcome, Error> {
    prepare(input, to, work, replace, finish)?.commit()
}

/// [`rewrite`] without its last step: the output is complete, under its temporary name. It can be
/// read there. Dropping it removes it.
///
/// # Errors
/// As for [`rewrite`].
/// As for [`rewrite`].
pub fn prepare(
    input: &Input,
    to: &Destination,
    work: &Work<'_>,
    replace: impl Fn(&Entry<'_>, &[u8]) -> Replace + Sync,
    finish: impl FnOnce(&ContainerCounts) -> Additions,
) -> Result<Prepared, Error> {
    to.check(input)?;
    input.require_whole()?;
    let whole = to.form == OutputForm::Whole;
    // Fails early if the output cannot be written.
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
        Content::Archive { bytes, central } if whole => {
            let archive = bytes.whole()?;
            let nested = Nested { location: input.location(), archive: &archive, central };
            archive::write(nested, bytes.path(), actions, &additions, &staging, &mut notices)?
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

/// Fails if the input has an entry that is to be added, or if one is added twice.
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
    /// Whether the output is files, so that nothing is compressed.
    plain: bool,
    /// Classes passed to the callback so far. Any worker adds one per class.
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
