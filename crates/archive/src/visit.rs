//! Visits to every class of a container, in parallel.

use crate::codec::Storage;
use crate::input::Content;
use crate::walk::{ContainerVisitor, Nested, WalkItem, Walker, split};
use crate::{Entry, EntryId, EntryName, Error, Input, Notice, Work};

/// Result of a visit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Visited<T> {
    /// One value per class, in the order of the input.
    pub values: Vec<T>,
    /// Notices of the visit, in the order of the input, without [`Input::notices`].
    pub notices: Vec<Notice>,
}

impl Input {
    /// Passes every class (entries named `….class`), those in nested jars included, to `show`, on
    /// all cores.
    ///
    /// # Errors
    /// Fails if a limit is exceeded, or if the operating system reports an error. A class or nested
    /// jar that cannot be read is not an error but a [`Notice`].
    pub fn visit<T: Send>(
        &self,
        work: &Work<'_>,
        show: impl Fn(&Entry<'_>, &[u8]) -> T + Sync,
    ) -> Result<Visited<T>, Error> {
        self.visit_some(work, |_| true, show)
    }

    /// [`Input::visit`] of the classes with `wanted` entry names. Besides them only nested jars are
    /// read.
    ///
    /// # Errors
    /// As [`Input::visit`].
    pub fn visit_some<T: Send>(
        &self,
        work: &Work<'_>,
        wanted: impl Fn(&EntryName) -> bool + Sync,
        show: impl Fn(&Entry<'_>, &[u8]) -> T + Sync,
    ) -> Result<Visited<T>, Error> {
        let items = self.walk(&Show { wanted, show }, work, true)?;
        let (outs, notices) = split(items);
        let mut values = Vec::new();
        for out in outs.into_iter().flatten() {
            match out {
                Seen::One(value) => values.push(value),
                Seen::Many(inner) => values.extend(inner),
            }
        }
        Ok(Visited { values, notices })
    }

    /// Traverses the container: one item per entry. `enter` says whether nested jars are traversed.
    pub(crate) fn walk<J: ContainerVisitor>(
        &self,
        job: &J,
        work: &Work<'_>,
        enter: bool,
    ) -> Result<Vec<WalkItem<J::Out>>, Error> {
        let budget = self.budget();
        let walker = Walker::new(job, &budget, work, self.len(), enter);
        let location = self.location();
        work.run(location, || match &self.content {
            Content::Archive { bytes, central, .. } | Content::Jmod { bytes, central } => {
                let archive = bytes.open()?;
                let items = walker.archive(location, &EntryId(Vec::new()), &archive, central)?;
                // What was read while the file changed may be damaged, or of two files.
                bytes.check(&archive)?;
                Ok(items)
            }
            Content::Directory(directory) => directory.walk(location, &walker),
            Content::Module(module) => module.walk(location, &walker),
        })?
    }
}

struct Show<W, F> {
    wanted: W,
    show: F,
}

/// Result for an entry: of a class, or of the classes of a nested jar.
enum Seen<T> {
    One(T),
    Many(Vec<T>),
}

impl<T: Send, W: Fn(&EntryName) -> bool + Sync, F: Fn(&Entry<'_>, &[u8]) -> T + Sync>
    ContainerVisitor for Show<W, F>
{
    type Out = Seen<T>;

    fn wants(&self, name: &EntryName) -> bool {
        (self.wanted)(name)
    }

    fn class(&self, entry: &Entry<'_>, content: &[u8], _: Storage) -> Seen<T> {
        Seen::One((self.show)(entry, content))
    }

    fn nested(
        &self,
        _: Nested<'_>,
        items: Vec<Option<Seen<T>>>,
        _: Storage,
    ) -> Result<(Option<Seen<T>>, Vec<Notice>), Error> {
        let mut values = Vec::with_capacity(items.len());
        for item in items.into_iter().flatten() {
            match item {
                Seen::One(value) => values.push(value),
                Seen::Many(inner) => values.extend(inner),
            }
        }
        Ok((Some(Seen::Many(values)), Vec::new()))
    }
}
