//! Plans what to instrument while the program runs. No JVM, no file, no clock.

mod actions;
mod choose;
mod class_entry;
mod class_events;
mod class_names;
mod conflicts;
mod driver;
mod finish;
mod ids;
mod load_selectors;
mod planned_region;
mod regions;
mod rewritten;
mod root;
mod unmatched_roots;

use crate::Options;
pub use actions::{
    Actions, ClassName, LoaderKind, LoadingClass, PreloadedClass, RewrittenClass, VersionedPlan,
};
use class_entry::{ClassEntry, PlanChange, PlannedMethod, entry_alone};
use classfile_writer::mutf8;
use conflicts::Conflicts;
use driver::Driver;
pub use ids::IdTable;
use jfathom_plan::{ClassSummary, MethodId, MethodKey};
use jfathom_reachability::{ClassId, Event, MethodIx, World};
use jfathom_session::{METHODS_FILE_VERSION, MethodsFileLine, SessionLine};
use load_selectors::Scope;
use planned_region::Regions;
use root::Roots;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Plans the probes of one session, by expansion from its roots.
///
/// Events may come from any thread, in any order; one call at a time. No call fails: methods that
/// cannot be read or planned are skipped.
///
/// The engine knows classes by name. Classes of one name from several class loaders have one plan,
/// by the methods of all of them.
pub struct Engine<'w> {
    driver: Driver<'w>,
    options: Options,
    ids: IdTable,
    scope: Scope,
    roots: Roots,
    regions: Regions,
    /// Rules of probes (`--probe`) that have selected a method, as places in the list.
    matched_rules: BTreeSet<usize>,
    /// Methods that are roots, with the number of the selector.
    root_of: HashMap<MethodKey, usize>,
    entries: HashMap<ClassId, ClassEntry>,
    slots: HashMap<MethodId, MethodSlot>,
    planned: HashSet<MethodIx>,
    /// Methods that selection asked for and that get no probes.
    skipped: HashSet<MethodIx>,
    /// Classes that the JVM refused: none of their methods is planned again.
    failed: HashSet<ClassId>,
    /// Classes whose plans get a new version by the event at hand.
    renewed: BTreeSet<ClassId>,
    /// How many classes of a name are loaded by other class loaders than the JVM's own.
    copies: HashMap<ClassId, u32>,
    /// Classes with versions that are left out.
    conflicts: Conflicts,
    /// Classes with lambdas whose class files the engine needs, each with the name of a lambda's
    /// class.
    lambda_hosts: HashMap<ClassName, ClassName>,
    /// Methods whose line was written.
    reported: HashSet<MethodId>,
    /// Class and method of skips whose line was written.
    reported_skips: HashSet<(String, Option<String>)>,
    /// With annotation selectors: summaries of the class files, by name.
    summaries: Option<HashMap<String, ClassSummary>>,
    /// With annotation selectors: the annotations of annotations that are not loaded so far.
    annotations: HashMap<String, Vec<String>>,
    /// With annotation selectors: classes whose files the engine needs.
    awaited: BTreeSet<ClassName>,
    /// Classes in which roots are looked for once nothing is awaited.
    waiting: Vec<ClassId>,
    skipped_methods: u64,
}

/// The position of a method in a class entry.
#[derive(Clone, Copy, Debug)]
struct MethodSlot {
    class: ClassId,
    index: usize,
}

impl<'w> Engine<'w> {
    /// An engine over a world. `services` are
    /// [`OpenedWorld::services`](jfathom_world::OpenedWorld::services); new ids follow those of
    /// earlier sessions in this JVM.
    pub fn new(
        world: World<'w>,
        services: &[(String, String)],
        options: &Options,
        ids: IdTable,
    ) -> Self {
        let scope = Scope::new(options, &world);
        let roots = Roots::new(options, &world);
        let annotated = scope.has_annotations() || roots.have_annotations();
        Self {
            driver: Driver::new(world, services, options),
            options: options.clone(),
            ids,
            scope,
            roots,
            regions: Regions::new(options),
            matched_rules: BTreeSet::new(),
            root_of: HashMap::new(),
            entries: HashMap::new(),
            slots: HashMap::new(),
            planned: HashSet::new(),
            skipped: HashSet::new(),
            failed: HashSet::new(),
            renewed: BTreeSet::new(),
            copies: HashMap::new(),
            conflicts: Conflicts::default(),
            lambda_hosts: HashMap::new(),
            reported: HashSet::new(),
            reported_skips: HashSet::new(),
            summaries: annotated.then(HashMap::new),
            annotations: HashMap::new(),
            awaited: BTreeSet::new(),
            waiting: Vec::new(),
            skipped_methods: 0,
        }
    }

    /// The ids, for the next session.
    pub fn into_ids(self) -> IdTable {
        self.ids
    }

    /// The first lines of the methods file: the session, and each root as waiting.
    pub fn begin(&mut self) -> Actions {
        let session = SessionLine {
            version: METHODS_FILE_VERSION,
            tool: concat!("jfathom ", env!("CARGO_PKG_VERSION")).to_owned(),
            roots: self.options.root_texts(),
            scheme: self.options.scheme.as_str().to_owned(),
            include_jdk: self.options.include_jdk,
        };
        let lines = std::iter::once(MethodsFileLine::Session(session))
            .chain(self.roots.waiting())
            .chain(self.waiting_regions())
            .collect();
        Actions { lines, ..Actions::default() }
    }

    /// A thread waits in a method's first call.
    pub fn first_call(&mut self, method: MethodId) -> Actions {
        let mut actions = Actions::default();
        let Some(slot) = self.slots.get(&method).copied() else { return actions };
        let Some(planned) = self.planned_mut(slot) else { return actions };
        planned.status.called = true;
        let called = planned.method;
        self.expand(Event::FirstCall(called), &mut actions);
        actions.timed.push(method);
        self.finish(actions, None)
    }

    /// Reflection or a method handle look-up found a method. Names in modified UTF-8. The class is
    /// the one that was looked in; it declares the method or inherits it.
    pub fn reflected(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Actions {
        let mut actions = Actions::default();
        let world = self.driver.world();
        let method = world.and_then(|world| root::find_method(world, class, name, descriptor));
        let Some(method) = method else { return actions };
        self.expand(Event::Reflected(method), &mut actions);
        self.finish(actions, None)
    }

    /// The JVM refused the class of these methods: they are skipped, and no method of the class is
    /// planned again.
    pub fn refused(&mut self, methods: &[MethodId]) -> Actions {
        let mut actions = Actions::default();
        let mut classes = BTreeSet::new();
        for method in methods {
            if let Some(slot) = self.slots.get(method).copied() {
                self.failed.insert(slot.class);
                classes.insert(slot.class);
                self.skip(slot, &mut actions);
            }
        }
        for class in self.refuse_regions(methods) {
            self.failed.insert(class);
            classes.insert(class);
        }
        self.replan(&classes);
        self.finish(actions, None)
    }

    /// The newest plan of a class; none if nothing of it is planned.
    pub fn plan(&self, class: &[u8]) -> Option<VersionedPlan> {
        let world = self.driver.world()?;
        let class = world.known(world.names().find(class)?)?;
        self.entries.get(&class)?.plan()
    }

    /// How many methods selection asked for that got no probes.
    pub fn skipped_methods(&self) -> u64 {
        self.skipped_methods
    }

    fn planned_mut(&mut self, slot: MethodSlot) -> Option<&mut PlannedMethod> {
        self.entries.get_mut(&slot.class)?.methods.get_mut(slot.index)
    }

    /// Completes the actions of an event with the plans that it renewed: the class that is being
    /// loaded gets its own at load, the others are retransformed.
    fn finish(&mut self, mut actions: Actions, loading: Option<ClassId>) -> Actions {
        self.report_conflicts(&mut actions);
        let entry_alone = entry_alone(&self.options);
        for class in std::mem::take(&mut self.renewed) {
            let is_program = self.driver.world().is_some_and(|world| world.is_program(class));
            let Some(entry) = self.entries.get_mut(&class) else { continue };
            entry.make_plan(is_program, entry_alone, PlanChange::Renewed);
            if Some(class) != loading
                && let Some(world) = self.driver.world()
            {
                actions.retransform.push(world.internal_name(class).into());
            }
        }
        actions.at_load = loading.and_then(|class| self.entries.get(&class)?.plan());
        actions
    }
}

impl Engine<'_> {
    /// Adds a line for each class that is planned, and of which a version is left out.
    fn report_conflicts(&mut self, actions: &mut Actions) {
        let Some(world) = self.driver.world() else { return };
        let planned: Vec<ClassId> =
            self.conflicts.unplanned().filter(|class| self.entries.contains_key(class)).collect();
        for class in planned {
            let name = mutf8::decode_lossy(world.internal_name(class)).replace('/', ".");
            actions.lines.extend(self.conflicts.report(class, &name));
        }
    }
}

impl std::fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.options)
            .field("skipped_methods", &self.skipped_methods)
            .finish_non_exhaustive()
    }
}
