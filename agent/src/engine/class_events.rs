//! Classes as they are told.

use super::class_names::{self, ClassNameKind};
use super::driver::Driver;
use super::{Actions, Engine, LoaderKind, LoadingClass, PreloadedClass, root};
use jfathom_plan::{ClassSummary, SkipReason};
use jfathom_reachability::{ClassId, ClassLoad, Event};
use jfathom_rewriter::{Digests, summarize};
use std::borrow::Cow;

/// A class, from whichever call.
#[derive(Clone, Copy)]
struct ClassEvent<'e> {
    name: &'e [u8],
    origin: LoaderKind,
    bytes: Option<&'e [u8]>,
    initialised: bool,
}

impl Engine<'_> {
    /// The classes that were loaded before the session began, in one go.
    pub fn loaded_before(&mut self, classes: &[PreloadedClass<'_>]) -> Actions {
        let mut step = Actions::default();
        let mut told = Vec::with_capacity(classes.len());
        let mut lambdas = Vec::new();
        for &PreloadedClass { name, origin, initialised } in classes {
            match class_names::kind(name) {
                ClassNameKind::Nothing => continue,
                // When their hosts are told, all of them.
                ClassNameKind::Lambda => lambdas.push(name),
                ClassNameKind::Class => {
                    let Some(class) =
                        self.tell(ClassEvent { name, origin, bytes: None, initialised }, &mut step)
                    else {
                        continue;
                    };
                    if self.surveys.is_some() && self.is_program(class, name, origin) {
                        self.awaited.insert(name.into());
                    }
                    told.push(class);
                }
            }
        }
        for name in lambdas {
            self.tell_lambda(name, &mut step);
        }
        for name in &self.awaited {
            if !step.need.contains(name) {
                step.need.push(name.clone());
            }
        }
        self.waiting.extend(told);
        self.look_at_waiting(&mut step);
        self.finish(step, None)
    }

    /// A class is being loaded: from the load hook. A class in [`Step::redefine`] may be one whose
    /// loading has not ended.
    pub fn class_loading(&mut self, load: &LoadingClass<'_>) -> Actions {
        let &LoadingClass { name, origin, bytes } = load;
        let mut step = Actions::default();
        if class_names::kind(name) != ClassNameKind::Class {
            return step;
        }
        self.totals.classes_loaded += 1;
        // Before the class is told: what is chosen in it then needs no redefinition.
        let program = self.is_program_by_name(name, origin);
        let mut read = None;
        let plain = ClassSummary { name: text(name).into_owned(), ..ClassSummary::default() };
        if self.surveys.is_some() && program
            || self.roots.concern(&plain, program || self.options.jdk_methods)
        {
            read = summarize(bytes, Digests::Omit).ok();
        }
        if let Some(survey) = &read {
            self.add_roots(survey, program, &mut step);
        }
        if let (Some(surveys), Some(survey)) = (&mut self.surveys, read) {
            surveys.insert(plain.name, survey);
        }
        let class = self
            .tell(ClassEvent { name, origin, bytes: Some(bytes), initialised: false }, &mut step);
        if let Some(class) = class {
            self.choose_all(class);
            if program && !self.root_of.is_empty() {
                self.initialises(class, name, &mut step);
            }
        }
        self.finish(step, class)
    }

    /// A class that is loaded while there is a root is initialised soon, as a rule by what runs
    /// inside it, and often by the JDK: for a name that the program made up, for an
    /// annotation's values, for a service. No instruction tells that; the load does, just in time.
    fn initialises(&mut self, class: ClassId, name: &[u8], step: &mut Actions) {
        let Some(world) = self.driver.world() else { return };
        let initialiser = root::find(world, name, b"<clinit>", b"()V");
        if let Some(initialiser) =
            initialiser.filter(|&method| world.class_of_method(method) == class)
        {
            self.drive(Event::Reflected(initialiser), step);
        }
    }

    /// A class without a class file of its own appeared, by the name that the JVM shows
    /// (`a/b$$Lambda$1/0x…`).
    pub fn hidden_class(&mut self, name: &[u8]) -> Actions {
        let mut step = Actions::default();
        self.tell_lambda(name, &mut step);
        self.finish(step, None)
    }

    fn tell_lambda(&mut self, name: &[u8], step: &mut Actions) {
        let Some(host) = class_names::host(name) else { return };
        match self.class_of(host) {
            Some(class) if self.is_missing(class) => {
                drop(self.hosts.insert(host.into(), name.into()))
            }
            Some(_) => self.drive(Event::HiddenClass(name), step),
            None => {}
        }
    }

    /// The answer to [`Step::need`]; none where the bytes cannot be had.
    pub fn class_file(&mut self, name: &[u8], bytes: Option<&[u8]>, origin: LoaderKind) -> Actions {
        let mut step = Actions::default();
        let missing = self.class_of(name).is_none_or(|class| self.is_missing(class));
        let program = self.is_program_by_name(name, origin);
        if let (Some(surveys), Some(bytes)) = (&mut self.surveys, bytes)
            && let Ok(survey) = summarize(bytes, Digests::Omit)
        {
            surveys.insert(text(name).into_owned(), survey);
        }
        match bytes {
            Some(bytes) if missing => self.define(name, bytes, program, &mut step),
            Some(_) => {}
            None => self.drive(Event::ClassMissing(name), &mut step),
        }
        if let Some(lambda) = self.hosts.remove(name) {
            self.drive(Event::HiddenClass(&lambda), &mut step);
        }
        self.awaited.remove(name);
        self.waiting.extend(self.class_of(name));
        self.look_at_waiting(&mut step);
        self.finish(step, None)
    }

    /// A class of this name is gone.
    pub fn unloaded(&mut self, name: &[u8]) {
        let Some(class) = self.class_of(name) else { return };
        self.drive(Event::ClassUnloaded(name), &mut Actions::default());
        let Some(copies) = self.copies.get_mut(&class) else { return };
        *copies = copies.saturating_sub(1);
        if *copies > 0 {
            return;
        }
        self.copies.remove(&class);
        self.failed.remove(&class);
        if let Some(surveys) = &mut self.surveys {
            surveys.remove(text(name).as_ref());
        }
        for row in self.seats.remove(&class).into_iter().flat_map(|seat| seat.rows) {
            self.places.remove(&row.id);
            self.chosen.remove(&row.method);
            self.left.remove(&row.method);
        }
    }

    fn tell(&mut self, told: ClassEvent<'_>, step: &mut Actions) -> Option<ClassId> {
        let ClassEvent { name, origin, bytes, initialised } = told;
        let in_containers = self.in_containers(name);
        // The JVM's own loaders take a class from where the world has it.
        let bytes = bytes.filter(|_| origin == LoaderKind::Other || !in_containers);
        let program = self.is_program_by_name(name, origin);
        match &mut self.driver {
            Driver::Expand(_) => {
                let load = ClassLoad { name, bytes, program, initialised };
                self.drive(Event::ClassLoaded(load), step);
            }
            Driver::Total(world) => match bytes {
                // What is wrong with it the JVM will say.
                Some(bytes) => drop(world.define(bytes, program)),
                None => {
                    let class = world.class(name);
                    if world.is_missing(class) {
                        step.need.push(name.into());
                    }
                }
            },
            Driver::Ended => {}
        }
        let class = self.class_of(name)?;
        if origin == LoaderKind::Other {
            *self.copies.entry(class).or_default() += 1;
        }
        Some(class)
    }

    fn define(&mut self, name: &[u8], bytes: &[u8], program: bool, step: &mut Actions) {
        match &mut self.driver {
            Driver::Expand(_) => self.drive(Event::ClassFile { bytes, program }, step),
            Driver::Total(world) => {
                if world.define(bytes, program).is_err() {
                    let why = SkipReason::Malformed;
                    step.lines.push(jfathom_session::MethodsFileLine::Note(format!(
                        "{}: {why}",
                        text(name)
                    )));
                }
            }
            Driver::Ended => {}
        }
    }

    /// Roots and, under `total`, methods of classes that were loaded before; once all awaited class
    /// files are there.
    fn look_at_waiting(&mut self, step: &mut Actions) {
        if !self.awaited.is_empty() {
            return;
        }
        for class in std::mem::take(&mut self.waiting) {
            self.add_roots_of(class, step);
            self.choose_all(class);
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

    fn is_program(&self, class: ClassId, name: &[u8], origin: LoaderKind) -> bool {
        self.driver.world().is_some_and(|world| world.is_program(class))
            || self.is_missing(class) && self.is_program_by_name(name, origin)
    }

    /// Whether a class counts as the program's, before it is told.
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
