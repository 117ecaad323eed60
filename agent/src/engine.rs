//! What is to be instrumented while the program runs. No JVM, no file, no clock.

mod actions;
mod choose;
mod class_entry;
mod class_events;
mod class_names;
mod driver;
mod finish;
mod ids;
mod load_selectors;
mod rewritten;
mod root;
mod unmatched_roots;

use crate::Options;
pub use actions::{
    Actions, ClassName, LoaderKind, LoadingClass, PreloadedClass, RewrittenClass, VersionedPlan,
};
use class_entry::ClassEntry;
use driver::Driver;
pub use ids::IdTable;
use jfathom_plan::{ClassSummary, MethodId, MethodKey};
use jfathom_reachability::{ClassId, Event, MethodIx, World};
use jfathom_session::{METHODS_FILE_VERSION, MethodsFileLine, SessionLine, SessionTotals};
use load_selectors::Scope;
use root::Roots;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Drives the expansion of one session.
///
/// What it is told may come from any thread, in any order; one call at a time. No call fails: what
/// cannot be read or chosen is left alone.
///
/// Classes are known by name: those of one name from several class loaders have one plan, by the
/// methods of the one that came first.
pub struct Engine<'w> {
    driver: Driver<'w>,
    options: Options,
    ids: IdTable,
    scope: Scope,
    roots: Roots,
    /// The number of the selector that makes a method a root.
    root_of: HashMap<MethodKey, usize>,
    seats: HashMap<ClassId, ClassEntry>,
    places: HashMap<MethodId, MethodSlot>,
    /// What has a row.
    chosen: HashSet<MethodIx>,
    /// What was asked for and is left alone.
    left: HashSet<MethodIx>,
    /// Classes that failed: nothing is chosen of them any more.
    failed: HashSet<ClassId>,
    /// Whose plans grew in the step that is being made.
    touched: BTreeSet<ClassId>,
    /// How many classes of a name other class loaders than the JVM's own have loaded.
    copies: HashMap<ClassId, u32>,
    /// Hosts of lambdas whose class files are awaited, each with the name of a lambda's class.
    hosts: HashMap<ClassName, ClassName>,
    /// Methods whose line was written, by id.
    told: HashSet<MethodId>,
    /// Skips that were said: class and method.
    skipped: HashSet<(String, Option<String>)>,
    /// With selectors of annotations: what the class files say, by name.
    surveys: Option<HashMap<String, ClassSummary>>,
    /// With selectors of annotations: classes whose files are awaited, and those that wait until
    /// all are there.
    awaited: BTreeSet<ClassName>,
    waiting: Vec<ClassId>,
    totals: SessionTotals,
}

/// Where a method's row is.
#[derive(Clone, Copy, Debug)]
struct MethodSlot {
    class: ClassId,
    row: usize,
}

impl<'w> Engine<'w> {
    /// A session over a world. `services` are
    /// [`Opened::services`](jfathom_world::Opened::services); ids go on where earlier
    /// sessions of the JVM left off.
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
            root_of: HashMap::new(),
            seats: HashMap::new(),
            places: HashMap::new(),
            chosen: HashSet::new(),
            left: HashSet::new(),
            failed: HashSet::new(),
            touched: BTreeSet::new(),
            copies: HashMap::new(),
            hosts: HashMap::new(),
            told: HashSet::new(),
            skipped: HashSet::new(),
            surveys: annotated.then(HashMap::new),
            awaited: BTreeSet::new(),
            waiting: Vec::new(),
            totals: SessionTotals::default(),
        }
    }

    /// The ids, for the next session.
    pub fn into_ids(self) -> IdTable {
        self.ids
    }

    /// The lines that begin the methods file: the session, and each root as waiting.
    pub fn begin(&mut self) -> Actions {
        let session = SessionLine {
            version: METHODS_FILE_VERSION,
            tool: concat!("jfathom ", env!("CARGO_PKG_VERSION")).to_owned(),
            roots: self.options.roots.iter().map(ToString::to_string).collect(),
            scheme: self.options.scheme.as_str().to_owned(),
            jdk_methods: self.options.jdk_methods,
            pinned: self.options.pin,
        };
        let lines = std::iter::once(MethodsFileLine::Session(session))
            .chain(self.roots.waiting())
            .collect();
        Actions { lines, ..Actions::default() }
    }

    /// A method waits in its first call.
    pub fn first_call(&mut self, method: MethodId) -> Actions {
        let mut step = Actions::default();
        let Some(place) = self.places.get(&method).copied() else { return step };
        let Some(row) =
            self.seats.get_mut(&place.class).and_then(|seat| seat.rows.get_mut(place.row))
        else {
            return step;
        };
        row.state.called = true;
        let told = row.method;
        self.totals.first_calls += 1;
        self.drive(Event::FirstCall(told), &mut step);
        step.timed.push(method);
        self.finish(step, None)
    }

    /// A method was found by reflection or a method handle look-up. Names in modified UTF-8; the
    /// class is the one that was looked in, whether it declares the method or inherits it.
    pub fn reflected(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Actions {
        let mut step = Actions::default();
        let Some(method) =
            self.driver.world().and_then(|world| root::find(world, class, name, descriptor))
        else {
            return step;
        };
        self.drive(Event::Reflected(method), &mut step);
        self.finish(step, None)
    }

    /// These methods are not instrumented, whatever was planned: their class failed, and is left
    /// alone from then on.
    pub fn refused(&mut self, methods: &[MethodId]) -> Actions {
        let mut step = Actions::default();
        let mut classes = BTreeSet::new();
        for method in methods {
            if let Some(place) = self.places.get(method).copied() {
                self.failed.insert(place.class);
                classes.insert(place.class);
                self.refuse(place, &mut step);
            }
        }
        self.replan(&classes);
        self.finish(step, None)
    }

    /// All that is chosen of a class by this time; none where nothing is.
    pub fn plan(&self, class: &[u8]) -> Option<VersionedPlan> {
        let world = self.driver.world()?;
        let class = world.known(world.names().find(class)?)?;
        self.seats.get(&class)?.planned()
    }

    /// What the engine counted: its fields for what only the caller knows are zero.
    pub fn totals(&self) -> SessionTotals {
        self.totals
    }

    /// The step with what has grown: the class that is being loaded apart from the others.
    fn finish(&mut self, mut step: Actions, loading: Option<ClassId>) -> Actions {
        let terms = |class| driver::terms(&self.options, self.driver.world(), class);
        for class in std::mem::take(&mut self.touched) {
            let Some(seat) = self.seats.get_mut(&class) else { continue };
            seat.make_plan(terms(class), true);
            if Some(class) != loading
                && let Some(world) = self.driver.world()
            {
                step.retransform.push(world.internal_name(class).into());
            }
        }
        step.at_load = loading.and_then(|class| self.seats.get(&class)?.planned());
        self.totals.batches += u64::from(!step.retransform.is_empty());
        step
    }
}

impl std::fmt::Debug for Engine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Engine")
            .field("options", &self.options)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}
