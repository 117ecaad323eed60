//! Classes that the JVM loads and unloads.

use super::class_names::{self, ClassNameKind};
use super::driver::Driver;
use super::{Actions, Engine, LoaderKind, LoadingClass, PreloadedClass, root};
use jfathom_plan::{ClassSummary, Skip, SkipReason};
use jfathom_reachability::{ClassId, ClassLoad, Event, Versions};
use jfathom_rewriter::{Digests, summarize};
use jfathom_session::MethodsFileLine;
use std::borrow::Cow;

/// A loaded class, before the session or by the load hook.
#[derive(Clone, Copy)]
struct ClassEvent<'e> {
    name: &'e [u8],
    origin: LoaderKind,
    bytes: Option<&'e [u8]>,
    initialised: bool,
}

impl Engine<'_> {
    /// All classes that were loaded before the session began.
    pub fn loaded_before(&mut self, classes: &[PreloadedClass<'_>]) -> Actions {
        let mut actions = Actions::default();
        let mut known = Vec::with_capacity(classes.len());
        let mut lambdas = Vec::new();
        for &PreloadedClass { name, origin, initialised } in classes {
            let origin = self.owner(name, origin);
            match class_names::kind(name) {
                ClassNameKind::Nothing => continue,
                // After the classes that have the lambdas.
                ClassNameKind::Lambda => lambdas.push(name),
                ClassNameKind::Class => {
                    let event = ClassEvent { name, origin, bytes: None, initialised };
                    let Some(class) = self.add_class(event, &mut actions) else { continue };
                    if self.summaries.is_some() && self.is_program(class, name, origin) {
                        self.awaited.insert(name.into());
                    }
                    known.push(class);
                }
            }
        }
        for name in lambdas {
            self.add_lambda(name, &mut actions);
        }
        for name in &self.awaited {
            if !actions.need.contains(name) {
                actions.need.push(name.clone());
            }
        }
        self.waiting.extend(known);
        self.look_for_roots(&mut actions);
        self.finish(actions, None)
    }

    /// The load hook has a class. Classes in [`Actions::retransform`] may be in the middle of their
    /// loading, too.
    pub fn class_loading(&mut self, load: &LoadingClass<'_>) -> Actions {
        let &LoadingClass { name, origin, bytes } = load;
        let origin = self.owner(name, origin);
        let mut actions = Actions::default();
        if class_names::kind(name) != ClassNameKind::Class {
            return actions;
        }
        // Roots before the class: what is then planned in the class needs no retransformation.
        let program = self.is_program_by_name(name, origin);
        let mut summary = None;
        let named = ClassSummary { name: text(name).into_owned(), ..ClassSummary::default() };
        if self.summaries.is_some() && program
            || self.roots.may_select(&named, program || self.options.include_jdk)
        {
            let read = self.summary(bytes);
            if let Err(skip) = &read {
                let why = skip.detail.as_deref().unwrap_or("it is malformed");
                let class = named.name.replace('/', ".");
                let note = format!("{class} cannot be read, so that it has no root: {why}");
                actions.lines.push(MethodsFileLine::Note(note));
            }
            summary = read.ok();
        }
        if let Some(summary) = &summary {
            self.add_roots(summary, program, &mut actions);
        }
        if let (Some(summaries), Some(summary)) = (&mut self.summaries, summary) {
            summaries.insert(named.name, summary);
        }
        let event = ClassEvent { name, origin, bytes: Some(bytes), initialised: false };
        let before = self.driver.versions();
        let class = self.add_class(event, &mut actions);
        if let Some(class) = class {
            // A class of this name may run already, by another loader.
            self.compare_versions(class, before, &mut actions);
            self.choose_all(class);
            self.choose_regions(class);
            if program && !self.root_of.is_empty() {
                self.add_initialiser(class, name, &mut actions);
            }
        }
        self.finish(actions, class)
    }

    /// The class file that a loaded class has now: another agent may have changed it. Its plan is
    /// in [`Actions::at_load`].
    pub fn class_seen(&mut self, name: &[u8], bytes: &[u8], origin: LoaderKind) -> Actions {
        let mut actions = Actions::default();
        let origin = self.owner(name, origin);
        if class_names::kind(name) != ClassNameKind::Class {
            return actions;
        }
        let program = self.is_program_by_name(name, origin);
        if self.class_of(name).is_none_or(|class| self.is_missing(class)) {
            self.add_roots_before(name, bytes, program, &mut actions);
        }
        let before = self.driver.versions();
        self.define(name, bytes, program, &mut actions);
        let class = self.class_of(name);
        if let Some(class) = class
            && self.compare_versions(class, before, &mut actions)
        {
            self.add_roots_before(name, bytes, program, &mut actions);
            self.choose_all(class);
        }
        self.finish(actions, class)
    }

    /// Whether the class has grown. Its methods then report their next calls, which wait until what
    /// the methods can call now has probes.
    fn compare_versions(
        &mut self,
        class: ClassId,
        before: Versions,
        actions: &mut Actions,
    ) -> bool {
        let now = self.driver.versions();
        if now.left_out > before.left_out {
            self.conflicts.add(class);
        }
        if now.grown == before.grown {
            return false;
        }
        let methods = self.entries.get_mut(&class).into_iter().flat_map(|entry| &mut entry.methods);
        for planned in methods {
            let status = &mut planned.status;
            if status.instrumented && !status.skipped {
                status.called = false;
                actions.first.push(planned.id);
            }
        }
        true
    }

    /// A class that is loaded while a root is live is initialised soon, as a rule from inside the
    /// root. Often the JDK does it: for a name that the program made up, for an annotation's
    /// values, for a service. No instruction shows such an initialisation; the load does, just in
    /// time.
    fn add_initialiser(&mut self, class: ClassId, name: &[u8], actions: &mut Actions) {
        let Some(world) = self.driver.world() else { return };
        let initialiser = root::find_method(world, name, b"<clinit>", b"()V");
        if let Some(initialiser) =
            initialiser.filter(|&method| world.class_of_method(method) == class)
        {
            self.expand(Event::Reflected(initialiser), actions);
        }
    }

    /// The JVM has made a class without a class file of its own. The name is the one that the JVM
    /// shows (`a/b$$Lambda$1/0x…`).
    pub fn hidden_class(&mut self, name: &[u8]) -> Actions {
        let mut actions = Actions::default();
        self.add_lambda(name, &mut actions);
        self.finish(actions, None)
    }

    fn add_lambda(&mut self, name: &[u8], actions: &mut Actions) {
        let Some(host) = class_names::host(name) else { return };
        match self.class_of(host) {
            Some(class) if self.is_missing(class) => {
                drop(self.lambda_hosts.insert(host.into(), name.into()))
            }
            Some(_) => self.expand(Event::HiddenClass(name), actions),
            None => {}
        }
    }

    /// The class file that [`Actions::need`] asked for; none if it cannot be had.
    pub fn class_file(&mut self, name: &[u8], bytes: Option<&[u8]>, origin: LoaderKind) -> Actions {
        let mut actions = Actions::default();
        let origin = self.owner(name, origin);
        let missing = self.class_of(name).is_none_or(|class| self.is_missing(class));
        let program = self.is_program_by_name(name, origin);
        if self.summaries.is_some()
            && let Some(summary) = bytes.and_then(|bytes| self.summary(bytes).ok())
            && let Some(summaries) = &mut self.summaries
        {
            summaries.insert(text(name).into_owned(), summary);
        }
        match bytes {
            Some(bytes) if missing => {
                self.add_roots_before(name, bytes, program, &mut actions);
                self.define(name, bytes, program, &mut actions);
            }
            Some(_) => {}
            None => self.expand(Event::ClassMissing(name), &mut actions),
        }
        if let Some(lambda) = self.lambda_hosts.remove(name) {
            self.expand(Event::HiddenClass(&lambda), &mut actions);
        }
        self.awaited.remove(name);
        self.waiting.extend(self.class_of(name));
        self.look_for_roots(&mut actions);
        self.finish(actions, None)
    }

    /// The JVM has unloaded a class of this name.
    pub fn unloaded(&mut self, name: &[u8]) {
        let Some(class) = self.class_of(name) else { return };
        self.expand(Event::ClassUnloaded(name), &mut Actions::default());
        let Some(copies) = self.copies.get_mut(&class) else { return };
        *copies = copies.saturating_sub(1);
        if *copies > 0 {
            return;
        }
        self.copies.remove(&class);
        self.conflicts.forget(class);
        self.failed.remove(&class);
        if let Some(summaries) = &mut self.summaries {
            summaries.remove(text(name).as_ref());
        }
        for planned in self.entries.remove(&class).into_iter().flat_map(|entry| entry.methods) {
            self.slots.remove(&planned.id);
            self.planned.remove(&planned.method);
            self.skipped.remove(&planned.method);
        }
    }

    /// The summary of a class file, with the annotations of its annotations if selectors ask for
    /// annotations: those of classes that are loaded, or that the program's containers have.
    fn summary(&mut self, bytes: &[u8]) -> Result<ClassSummary, Skip> {
        let mut summary = summarize(bytes, Digests::Omit)?;
        let Self { summaries, driver, annotations, .. } = self;
        if let (Some(summaries), Some(world)) = (summaries, driver.world()) {
            summary.add_meta_annotations(&mut |name| {
                if let Some(known) = summaries.get(name) {
                    return known.annotations.clone();
                }
                if !annotations.contains_key(name) {
                    let file = world.program_class_file(name);
                    let found = file.and_then(|file| summarize(&file, Digests::Omit).ok());
                    let of = found.map(|found| found.annotations).unwrap_or_default();
                    annotations.insert(name.to_owned(), of);
                }
                annotations.get(name).cloned().unwrap_or_default()
            });
        }
        Ok(summary)
    }

    /// Adds the roots of a loaded class before the class: what other roots reach in it is planned
    /// as soon as the world has it. With annotation selectors no root is expanded before all class
    /// files are there.
    fn add_roots_before(
        &mut self,
        name: &[u8],
        bytes: &[u8],
        program: bool,
        actions: &mut Actions,
    ) {
        let named = ClassSummary { name: text(name).into_owned(), ..ClassSummary::default() };
        if self.summaries.is_none()
            && self.roots.may_select(&named, program || self.options.include_jdk)
            && let Ok(summary) = self.summary(bytes)
        {
            self.add_roots(&summary, program, actions);
        }
    }

    fn add_class(&mut self, event: ClassEvent<'_>, actions: &mut Actions) -> Option<ClassId> {
        let ClassEvent { name, origin, bytes, initialised } = event;
        // The JVM's own loaders take a class from the containers that the world has opened.
        let in_containers = origin != LoaderKind::Other && self.in_containers(name);
        let program = self.is_program_by_name(name, origin);
        match &mut self.driver {
            Driver::Expand(_) => {
                let load = ClassLoad { name, bytes, in_containers, program, initialised };
                self.expand(Event::ClassLoaded(load), actions);
            }
            Driver::Total(world, versions) => {
                // What the containers have of it comes first: it says whether it is the program's.
                let class = in_containers.then(|| world.class(name));
                match bytes {
                    // If it is malformed, the JVM reports that.
                    Some(bytes) => {
                        if let Ok(outcome) = world.define(bytes, program) {
                            versions.add(outcome);
                        }
                    }
                    None => {
                        let class = class.unwrap_or_else(|| world.class(name));
                        if world.is_missing(class) {
                            actions.need.push(name.into());
                        }
                    }
                }
            }
            Driver::Ended => {}
        }
        let class = self.class_of(name)?;
        if origin == LoaderKind::Other {
            *self.copies.entry(class).or_default() += 1;
        }
        Some(class)
    }

    fn define(&mut self, name: &[u8], bytes: &[u8], program: bool, actions: &mut Actions) {
        match &mut self.driver {
            Driver::Expand(_) => self.expand(Event::ClassFile { bytes, program }, actions),
            Driver::Total(world, versions) => match world.define(bytes, program) {
                Ok(outcome) => versions.add(outcome),
                Err(_) => {
                    let why = SkipReason::Malformed;
                    actions.lines.push(MethodsFileLine::Note(format!("{}: {why}", text(name))));
                }
            },
            Driver::Ended => {}
        }
    }

    /// Adds the roots of loaded classes, and under `total` their methods, once all awaited class
    /// files are there.
    fn look_for_roots(&mut self, actions: &mut Actions) {
        if !self.awaited.is_empty() {
            return;
        }
        let classes = std::mem::take(&mut self.waiting);
        self.add_roots_of(&classes, actions);
        for class in classes {
            self.choose_all(class);
            self.choose_regions(class);
        }
    }

    fn class_of(&self, name: &[u8]) -> Option<ClassId> {
        let world = self.driver.world()?;
        world.known(world.names().find(name)?)
    }

    fn is_missing(&self, class: ClassId) -> bool {
        self.driver.world().is_none_or(|world| world.is_missing(class))
    }

    pub(super) fn in_containers(&self, name: &[u8]) -> bool {
        let Some(world) = self.driver.world() else { return false };
        world.names().find(name).is_some_and(|name| world.has(name))
    }

    /// Whose a class counts as. The boot loader also has what agents have put on its path, for the
    /// JDK's classes to call; that is the program's.
    pub fn owner(&self, name: &[u8], origin: LoaderKind) -> LoaderKind {
        let is_jdk = || class_names::is_in_jdk_package(name) || self.in_containers(name);
        match origin {
            LoaderKind::Jdk if !is_jdk() => LoaderKind::Other,
            origin => origin,
        }
    }

    fn is_program(&self, class: ClassId, name: &[u8], origin: LoaderKind) -> bool {
        self.driver.world().is_some_and(|world| world.is_program(class))
            || self.is_missing(class) && self.is_program_by_name(name, origin)
    }

    /// Whether a class counts as the program's, before the world has it.
    fn is_program_by_name(&self, name: &[u8], origin: LoaderKind) -> bool {
        match origin {
            LoaderKind::Jdk => false,
            LoaderKind::Other => !class_names::is_made_by_jdk(name),
            // Some modules of the JDK are loaded by the system class loader.
            LoaderKind::ClassPath => {
                let Some(world) = self.driver.world() else { return false };
                let found = world.names().find(name).filter(|&name| world.has(name));
                found.is_none_or(|name| world.in_program(name))
                    && !class_names::is_made_by_jdk(name)
            }
        }
    }
}

fn text(name: &[u8]) -> Cow<'_, str> {
    classfile_writer::mutf8::decode_lossy(name)
}
