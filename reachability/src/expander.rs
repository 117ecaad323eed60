//! Expansion from roots while a program runs: the two schemes of JFluid (M. Dmitriev, "Profiling
//! Java Applications Using Code Hotswapping and Dynamic Call Graph Revelation", WOSP 2004).

mod answer;
mod choose;
mod classes;
mod context;
mod event;
mod facts;
mod options;
mod scheme_state;

use crate::{ClassId, NameId, World};
use context::{ExpansionContext, TrackedClass, slot};
use jfathom_plan::MethodKey;
use rustc_hash::FxHashMap;
use scheme_state::SchemeState;

pub use answer::{Answer, ClassMethods, NewMethods, Totals};
pub use event::{ClassLoad, Event};
pub use options::{ExpansionOptions, Lookahead, Scheme};

/// Decides which methods to instrument while a program runs. It does no I/O: it handles
/// [events](Event) and returns [answers](Answer). The same events give the same answers.
///
/// The call subgraph grows with the loaded classes. A virtual call leads to the methods of all
/// loaded subclasses of the named class. Code that names a class waits until that class is loaded.
/// JDK methods, native methods and lambda objects have no first-call trigger, so the expander
/// follows their code at once. It follows other methods at once, or at their first call
/// ([`Scheme`]).
///
/// The time of an event is proportional to the methods that it makes the expander follow, and to
/// the calls that wait for its class. Each method is followed once. Unloading a class that came as
/// an event takes time proportional to the whole state.
///
/// A class is identified by its name. It has the methods and the code of all its class files: those
/// of several class loaders, and those that an agent has changed. [`Expander::versions`] counts
/// class files that added something. Under [`Scheme::Lazy`] the methods of such a class are
/// followed again at their next [`Event::FirstCall`].
pub struct Expander<'s> {
    context: ExpansionContext<'s>,
    /// Methods reached by first calls; with `Eager` all that can be called.
    wanted: SchemeState,
    /// With `Lazy`: all methods that can be called, for lookahead.
    possible: Option<SchemeState>,
    ahead: Lookahead,
    /// By class.
    classes: Vec<TrackedClass>,
    totals: Totals,
}

impl<'s> Expander<'s> {
    /// An expander over a world. The caller sends the loaded classes as events.
    pub fn new(mut world: World<'s>, expansion: &ExpansionOptions) -> Self {
        let mut providers: FxHashMap<NameId, Vec<NameId>> = FxHashMap::default();
        for (service, provider) in &expansion.services {
            let [service, provider] = [service, provider]
                .map(|name| world.names.intern(&classfile_writer::mutf8::encode(name)));
            providers.entry(service).or_default().push(provider);
        }
        let lazy = expansion.scheme == Scheme::Lazy;
        let ahead = if lazy { expansion.ahead } else { Lookahead::NONE };
        Self {
            context: ExpansionContext {
                world,
                jdk_methods: expansion.jdk_methods,
                providers,
                roots: FxHashMap::default(),
                refused: Vec::new(),
                needs: Vec::new(),
                requested: Vec::new(),
            },
            wanted: SchemeState::new(expansion.scheme, ahead.own_class),
            possible: (ahead.possible_from > 0).then(|| SchemeState::new(Scheme::Eager, false)),
            ahead,
            classes: Vec::new(),
            totals: Totals::default(),
        }
    }

    /// The world, for names of classes and methods.
    pub fn world(&self) -> &World<'s> {
        &self.context.world
    }

    /// Ends the expansion. Returns the world with all loaded classes.
    pub fn into_world(self) -> World<'s> {
        self.context.world
    }

    /// Adds a root. Its class may be loaded later.
    pub fn add_root(&mut self, root: &MethodKey) -> Answer {
        let text = classfile_writer::mutf8::encode;
        let names = &mut self.context.world.names;
        let (class, sig) = (
            names.intern(&text(&root.class)),
            names.sig_of(&text(&root.name), &text(&root.descriptor)),
        );
        let sigs = self.context.roots.entry(class).or_default();
        if !sigs.contains(&sig) {
            sigs.push(sig);
        }
        self.each(|state, context| {
            if let Some(class) = state.loaded(&context.world, class) {
                state.reach_roots(context, class);
            }
        });
        self.settle(None)
    }

    /// Handles an event. [`Expander::poll`] gives further answers.
    pub fn handle(&mut self, event: Event<'_>) -> Answer {
        let mut loading = None;
        match event {
            Event::ClassLoaded(load) => loading = self.class_loaded(load),
            Event::ClassFile { bytes, program } => loading = self.class_file(bytes, program),
            Event::HiddenClass(name) => {
                self.each(|state, context| state.hidden_class(context, name))
            }
            Event::ClassMissing(_) => {}
            Event::ClassUnloaded(name) => self.class_unloaded(name),
            Event::FirstCall(method) => self.wanted.first_call(method),
            Event::Reflected(method) if self.context.has(method) => {
                self.each(|state, context| state.reflected(context, method));
            }
            Event::Refused(method) if self.context.has(method) => {
                *slot(&mut self.context.refused, method.ix()) = true;
                self.each(|state, _| state.first_call(method));
            }
            Event::Reflected(_) | Event::Refused(_) => {}
        }
        self.settle(loading)
    }

    /// The next answer after the first to an event; [`Answer::Idle`] after the last.
    pub fn poll(&mut self) -> Answer {
        self.settle(None)
    }

    fn settle(&mut self, loading: Option<ClassId>) -> Answer {
        self.each(SchemeState::settle);
        self.answer(loading)
    }

    /// Calls `act` for the state of each scheme.
    fn each(&mut self, mut act: impl FnMut(&mut SchemeState, &mut ExpansionContext<'s>)) {
        for state in [Some(&mut self.wanted), self.possible.as_mut()].into_iter().flatten() {
            act(state, &mut self.context);
        }
    }

    fn tracked(&self, class: ClassId) -> TrackedClass {
        self.classes.get(class.ix()).copied().unwrap_or_default()
    }

    fn tracked_mut(&mut self, class: ClassId) -> &mut TrackedClass {
        slot(&mut self.classes, class.ix())
    }
}

impl std::fmt::Debug for Expander<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expander")
            .field("world", &self.context.world)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}
