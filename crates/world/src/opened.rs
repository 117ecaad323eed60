//! Opened worlds: a class path and a JDK, with counts.

use crate::{
    Error, JdkInfo, Notice, Options,
    cache::IndexCache,
    indexing, jdk,
    jdk_index::{self, OpenedJdk},
    program::{InputRef, Program},
    services,
};
use jfathom_archive::{EntryName, Input, Location, open_class_path};
use jfathom_plan::Problem;
use jfathom_reachability::{ClassSource, Index, World};
use std::{borrow::Cow, collections::HashSet, path::PathBuf};

/// A program and its JDK, ready for analysis.
///
/// It borrows the containers of [`open_inputs`]. Dropping it waits until new indexes are written.
#[derive(Debug)]
pub struct OpenedWorld<'i> {
    program: Program<'i>,
    /// By input of the program.
    indexes: Vec<Option<Index>>,
    found: OpenedJdk,
    /// The JDK, its classes as rows.
    base: Index,
    jdk: JdkInfo,
    services: Vec<(String, String)>,
    notices: Vec<Notice>,
    statistics: Statistics,
    kept: IndexCache,
    application_modules: bool,
}

/// Opens the jars and directories of a class path, their nested jars, and the JDK. With
/// [`Options::follow_class_path`] also the siblings in their `Class-Path`. An entry that the JVM
/// would pass over is a notice.
///
/// # Errors
/// Fails if there is no readable JDK.
pub fn open(paths: &[PathBuf], options: &Options) -> Result<OpenedWorld<'static>, Error> {
    let mut notices = Vec::new();
    let mut known = HashSet::new();
    for path in paths {
        if path.canonicalize().is_ok_and(|path| !known.insert(path)) {
            notices.push(Notice::NamedTwice { path: path.clone() });
        }
    }
    let opened = open_class_path(paths, options.follow_class_path, &options.limits);
    notices.extend(opened.notices.into_iter().map(Notice::of_archive));
    build(
        opened.inputs.into_iter().map(|input| InputRef::Own(Box::new(input))).collect(),
        notices,
        options,
    )
}

/// [`open`] for containers that are open already, in class path order. Opens their nested jars.
///
/// # Errors
/// Fails if a container with its nested jars exceeds the limits, or if there is no readable JDK.
pub fn open_inputs<'i>(
    inputs: impl IntoIterator<Item = &'i Input>,
    options: &Options,
) -> Result<OpenedWorld<'i>, Error> {
    build(inputs.into_iter().map(InputRef::Callers).collect(), Vec::new(), options)
}

fn build<'i>(
    inputs: Vec<InputRef<'i>>,
    mut notices: Vec<Notice>,
    options: &Options,
) -> Result<OpenedWorld<'i>, Error> {
    let home = jdk::find(options.jdk.as_deref())?;
    let kept = IndexCache::open(&options.cache, &mut notices);
    let mut program = Program::default();
    // Reading the index of the JDK takes longest. Meanwhile the program is opened.
    let found = std::thread::scope(|scope| {
        let open = || OpenedJdk::open(&home, &kept);
        let jdk = std::thread::Builder::new().spawn_scoped(scope, open);
        let added = inputs.into_iter().try_for_each(|input| program.add(input, &mut notices));
        // Where no thread can be started, one after the other.
        let found = jdk.map_or_else(
            |_| open(),
            |jdk| jdk.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        );
        added.and(found)
    });
    let mut found = found?;
    let (release, version) = jdk_index::release(&home, &found.jdk)?;
    let mut statistics = Statistics::default();
    let (base, indexes) =
        indexing::indexes(&mut found, &program.inputs, &kept, options.threads, &mut statistics)?;
    let mut services = base.services();
    services.extend(services::of_program(&program, release, &mut notices));
    let classes =
        |input: &InputRef<'_>| input.names().filter(|name| EntryName::is_class(name)).count();
    statistics.containers = program.inputs.len() + base.group_count();
    statistics.classes = base.len() + program.inputs.iter().map(classes).sum::<usize>();
    let jdk = JdkInfo { home, release, version };
    Ok(OpenedWorld {
        program,
        indexes,
        found,
        base,
        jdk,
        services,
        notices,
        statistics,
        kept,
        application_modules: options.application_modules,
    })
}

impl OpenedWorld<'_> {
    /// A new world. It reads classes on demand.
    pub fn world(&self) -> World<'_> {
        World::over(self, &self.base, &self.program.containers[..], self.jdk.release)
            .with_application_modules(self.application_modules)
    }

    /// Services and providers, as internal names, for
    /// [`Query::services`](jfathom_reachability::Query). Modules and `META-INF/services` declare
    /// them.
    pub fn services(&self) -> &[(String, String)] {
        &self.services
    }

    /// Notices of the opening. Each world has further notices of its own.
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// The JDK.
    pub fn jdk(&self) -> &JdkInfo {
        &self.jdk
    }

    /// Counts.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The first container of the program that has an entry of this name.
    pub fn container_with(&self, entry: &str) -> Option<&Location> {
        let has = |input: &&InputRef<'_>| input.names().any(|name| name.as_str() == Some(entry));
        self.program.inputs.iter().find(has).map(|input| input.location())
    }

    /// Checks that the program's jars are those that were opened. What a world could not read of
    /// one that changed is missing from its answers.
    ///
    /// # Errors
    /// Names the first one that changed or is gone.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        Ok(self.program.inputs.iter().try_for_each(|input| input.check_unchanged())?)
    }

    /// Waits until new indexes are written. Returns a notice if that failed.
    pub fn finish_cache(&self) -> Option<Notice> {
        self.kept.finish()
    }
}

impl ClassSource for OpenedWorld<'_> {
    fn read(&self, container: usize, entry: usize, name: &str) -> Result<Cow<'_, [u8]>, Problem> {
        let bytes = match self.program.input_of.get(container) {
            Some(&at) => self.program.inputs.get(at).map(|input| input.read_nth(entry)).transpose(),
            None => {
                let module = self.base.group(container - self.program.input_of.len());
                let module =
                    module.and_then(|label| label.strip_prefix("jrt:/")).unwrap_or_default();
                self.found.jdk.read(module, name).map(Some)
            }
        };
        let bytes = bytes.map_err(|error| error.kind().to_string())?;
        bytes.flatten().map(Cow::Owned).ok_or_else(|| "there is no such entry".into())
    }

    fn has(&self, container: usize, entry: usize, name: &str, bytes: &[u8]) -> bool {
        match self.program.input_of.get(container).and_then(|&at| self.program.inputs.get(at)) {
            Some(input) => input.has_content(entry, bytes),
            None => self.read(container, entry, name).is_ok_and(|content| *content == *bytes),
        }
    }

    fn index(&self, container: usize) -> Option<&Index> {
        self.indexes.get(*self.program.input_of.get(container)?)?.as_ref()
    }
}

/// Counts of an [`OpenedWorld`](crate::OpenedWorld).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Jars, directories and modules, nested jars included.
    pub containers: usize,
    /// Class entries of all containers; those for several releases of Java count each.
    pub classes: usize,
    /// Class entries that were read into an index in this run.
    pub indexed: usize,
    /// Class entries whose index was in the cache.
    pub from_cache: usize,
    /// Bytes of the indexes in memory.
    pub index_bytes: usize,
}
