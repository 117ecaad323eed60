//! What is to be instrumented while the program runs. No JVM, no file, no clock.

mod ids;
mod step;

use crate::Options;
pub use ids::IdTable;
use jfathom_plan::{LiveTotals, MethodId};
use jfathom_reachability::World;
pub use step::{ClassName, Load, Loaded, Origin, Planned, Rewrote, Step};

/// Drives the expansion of one session.
///
/// What it is told may come from any thread, in any order; one call at a time.
pub struct Engine<'w> {
    #[expect(dead_code)]
    world: World<'w>,
    ids: IdTable,
}

impl<'w> Engine<'w> {
    /// A session over a world. `services` are [`Opened::services`](jfathom_world::Opened::services); ids go on where earlier
    /// sessions of the JVM left off.
    pub fn new(world: World<'w>, services: &[(String, String)], options: &Options, ids: IdTable) -> Self {
        let _ = (services, options);
        Self { world, ids }
    }

    /// The ids, for the next session.
    pub fn into_ids(self) -> IdTable {
        self.ids
    }

    /// The lines that begin the methods file: the session, and each root as waiting.
    pub fn begin(&mut self) -> Step {
        Step::default()
    }

    /// The classes that were loaded before the session began, in one go.
    pub fn loaded_before(&mut self, classes: &[Loaded<'_>]) -> Step {
        let _ = classes;
        Step::default()
    }

    /// A class is being loaded: from the load hook.
    pub fn class_loading(&mut self, load: &Load<'_>) -> Step {
        let _ = load;
        Step::default()
    }

    /// A hidden class appeared, by the name that the JVM shows (`a/b$$Lambda$1/0x…`).
    pub fn hidden_class(&mut self, name: &[u8]) -> Step {
        let _ = name;
        Step::default()
    }

    /// A method waits in its first call.
    pub fn first_call(&mut self, method: MethodId) -> Step {
        let _ = method;
        Step::default()
    }

    /// A method was found by reflection or a method handle look-up. Names in modified UTF-8.
    pub fn reflected(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Step {
        let _ = (class, name, descriptor);
        Step::default()
    }

    /// The answer to [`Step::need`]; none where the bytes cannot be had.
    pub fn class_file(&mut self, name: &[u8], bytes: Option<&[u8]>, origin: Origin) -> Step {
        let _ = (name, bytes, origin);
        Step::default()
    }

    /// A class of this name is gone.
    pub fn unloaded(&mut self, name: &[u8]) {
        let _ = name;
    }

    /// These methods are not instrumented, whatever was planned: their class failed.
    pub fn refused(&mut self, methods: &[MethodId]) -> Step {
        let _ = methods;
        Step::default()
    }

    /// All that is chosen of a class by this time; none where nothing is.
    pub fn plan(&self, class: &[u8]) -> Option<Planned> {
        let _ = class;
        None
    }

    /// A class was rewritten by a plan. To be called before the bytes are handed to the JVM: the step's lines are to be
    /// written and its modes to be set before that.
    pub fn rewritten(&mut self, class: &Rewrote<'_>) -> Step {
        let _ = class;
        Step::default()
    }

    /// What the engine counted: the rest of the line is the caller's.
    pub fn totals(&self) -> LiveTotals {
        LiveTotals::default()
    }

    /// What is to be said at the end: roots that never were live, with near misses.
    pub fn end(&mut self) -> Step {
        Step::default()
    }
}
