//! Expansion from roots while a program runs: the two schemes of JFluid (M. Dmitriev, "Profiling
//! Java Applications Using Code Hotswapping and Dynamic Call Graph Revelation", WOSP 2004).

mod answer;
mod classes;
mod facts;
mod layer;

use crate::fast_hash::FastMap;
use crate::{ClassId, MethodIx, NameId, SigId, World, access};
pub use answer::{Answer, ClassMethods, NewMethods, Totals};
use jfathom_plan::MethodKey;
use layer::SchemeState;

/// When the callees of a method are instrumented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// At once, with all that they can call in turn: scheme A. Classes that are loaded later extend
    /// it.
    Eager,
    /// When the method is called for the first time: scheme B.
    #[default]
    Lazy,
}

/// How an [`Expander`] goes about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExpansionOptions {
    /// When callees are instrumented.
    pub scheme: Scheme,
    /// Whether methods of the JDK are instrumented too, and not walked through.
    pub jdk_methods: bool,
    /// Services and their providers, as in [`Question::services`](crate::Question::services).
    pub services: Vec<(String, String)>,
    /// How far `Lazy` goes ahead of first calls to save redefinitions.
    pub ahead: Lookahead,
}

/// How far [`Scheme::Lazy`] goes ahead of first calls, so that a class is redefined less often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lookahead {
    /// Whether a chosen method's callees in its own class are chosen with it.
    pub own_class: bool,
    /// From which redefinition of a class on all of its methods are chosen that `Eager` would
    /// choose; 0: never.
    pub possible_from: u32,
    /// From which redefinition of a class on all of its methods are chosen; 0: never.
    pub whole_from: u32,
    /// Whether all methods of a class that `Eager` would choose are chosen as it is loaded, where
    /// any is: they cost no redefinition there.
    pub possible_at_load: bool,
}

impl Lookahead {
    /// As scheme B was published: only what first calls ask for.
    pub const NOTHING: Self =
        Self { own_class: false, possible_from: 0, whole_from: 0, possible_at_load: false };
}

impl Default for Lookahead {
    /// What took the fewest redefinitions with a median of at most 1.6 times the called methods on
    /// the programs of `docs/reachability.md`.
    fn default() -> Self {
        Self { own_class: true, possible_from: 2, whole_from: 0, possible_at_load: true }
    }
}

/// A class that a JVM loads.
#[derive(Clone, Copy, Debug)]
pub struct ClassLoad<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The class file. None: it is as the world's containers have it.
    pub bytes: Option<&'e [u8]>,
    /// Whether it is one of the program's classes, not the JDK's. Counts only with `bytes`.
    pub program: bool,
    /// Whether it was initialised before (JVMS 5.5), so that its initialiser does not run any
    /// more.
    pub initialised: bool,
}

impl<'e> ClassLoad<'e> {
    /// A class that the world's containers have.
    pub const fn named(name: &'e [u8]) -> Self {
        Self { name, bytes: None, program: true, initialised: false }
    }
}

/// What happened in the JVM. Any order is allowed.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A class is being loaded, or was loaded before. Its supertypes may come before or after. It
    /// may come again, when another class loader loads a class of that name.
    ClassLoaded(ClassLoad<'e>),
    /// A class was made by the JVM that has no name of its own: an object of a lambda or method
    /// reference, by the name that the JVM shows, `a/B$$Lambda$1/0x…`. Others have no effect.
    HiddenClass(&'e [u8]),
    /// The class file that [`Answer::NeedClass`] asked for. Its class counts as loaded only if it
    /// was told so.
    ClassFile {
        /// The class file.
        bytes: &'e [u8],
        /// Whether it is one of the program's classes, not the JDK's.
        program: bool,
    },
    /// The class that [`Answer::NeedClass`] asked for cannot be had.
    ClassMissing(&'e [u8]),
    /// A class is gone, with its class loader.
    ClassUnloaded(&'e [u8]),
    /// A method that was to be instrumented is called for the first time, and waits.
    FirstCall(MethodIx),
    /// A method was found by reflection or a method handle look-up, and may be called.
    Reflected(MethodIx),
    /// A method will not be instrumented, whatever was asked: its first call will not be told.
    Refused(MethodIx),
}

/// Says what is to be instrumented while a program runs. Does no I/O: it is told [events](Event)
/// and gives [answers](Answer); the same events give the same answers.
///
/// Reached are methods that something reached can call, over the classes that are loaded: a virtual
/// call leads to the methods of all loaded classes below the one that is named; what names a class
/// that is not loaded waits until it is. What is reached and cannot tell its first call (JDK
/// methods, native methods, objects of lambdas) is walked through at once; other methods are walked
/// through at once, or when they are called ([`Scheme`]).
///
/// An event takes time in the number of methods that are walked through for the first time, each of
/// which is so only once, and of the calls that wait for a class. That a class goes which was
/// handed in takes time in all that is known.
///
/// A class is known by its name. Classes of one name from several class loaders share what is
/// chosen, by the methods of the one that came first; [`Totals::unlike`] counts the others.
pub struct Expander<'s> {
    ground: ExpansionContext<'s>,
    /// What first calls ask for; under `Eager` all that can be called.
    wanted: SchemeState,
    /// Under `Lazy`: all that can be called.
    possible: Option<SchemeState>,
    ahead: Lookahead,
    /// By class.
    seats: Vec<TrackedClass>,
    totals: Totals,
}

/// What all layers stand on.
struct ExpansionContext<'s> {
    world: World<'s>,
    jdk_methods: bool,
    providers: FastMap<NameId, Vec<NameId>>,
    roots: FastMap<NameId, Vec<SigId>>,
    /// By method: whether it is not instrumented, though it was asked for.
    refused: Vec<bool>,
    /// Classes that are to be asked for, and by name whether they were.
    needs: Vec<NameId>,
    asked: Vec<bool>,
}

/// What is known of a class.
#[derive(Clone, Copy, Debug, Default)]
struct TrackedClass {
    /// How many classes of the name are loaded. What is found of a class with none waits until one
    /// is.
    copies: u32,
    /// In how many answers it was to be redefined.
    redefined: u32,
}

impl<'s> Expander<'s> {
    /// An expander over a world. Classes that are loaded already are told as events.
    pub fn new(mut world: World<'s>, expansion: &ExpansionOptions) -> Self {
        let mut providers: FastMap<NameId, Vec<NameId>> = FastMap::default();
        for (service, provider) in &expansion.services {
            let [service, provider] = [service, provider]
                .map(|name| world.names.intern(&classfile_writer::mutf8::encode(name)));
            providers.entry(service).or_default().push(provider);
        }
        let lazy = expansion.scheme == Scheme::Lazy;
        let ahead = if lazy { expansion.ahead } else { Lookahead::NOTHING };
        Self {
            ground: ExpansionContext {
                world,
                jdk_methods: expansion.jdk_methods,
                providers,
                roots: FastMap::default(),
                refused: Vec::new(),
                needs: Vec::new(),
                asked: Vec::new(),
            },
            wanted: SchemeState::new(expansion.scheme, ahead.own_class),
            possible: (ahead.possible_from > 0).then(|| SchemeState::new(Scheme::Eager, false)),
            ahead,
            seats: Vec::new(),
            totals: Totals::default(),
        }
    }

    /// The world, which names classes and methods.
    pub fn world(&self) -> &World<'s> {
        &self.ground.world
    }

    /// The world, with all that was loaded, where nothing is to be expanded any more.
    pub fn into_world(self) -> World<'s> {
        self.ground.world
    }

    /// Adds a root; a class that is not loaded is waited for.
    pub fn add_root(&mut self, root: &MethodKey) -> Answer {
        let text = classfile_writer::mutf8::encode;
        let names = &mut self.ground.world.names;
        let (class, sig) = (
            names.intern(&text(&root.class)),
            names.sig_of(&text(&root.name), &text(&root.descriptor)),
        );
        let sigs = self.ground.roots.entry(class).or_default();
        if !sigs.contains(&sig) {
            sigs.push(sig);
        }
        self.each(|layer, ground| {
            if let Some(class) = layer.loaded(&ground.world, class) {
                layer.reach_roots(ground, class);
            }
        });
        self.settle(None)
    }

    /// Takes an event. [`Expander::poll`] gives what else there is to say.
    pub fn handle(&mut self, event: Event<'_>) -> Answer {
        let mut hooked = None;
        match event {
            Event::ClassLoaded(load) => hooked = self.class_loaded(load),
            Event::ClassFile { bytes, program } => hooked = self.class_file(bytes, program),
            Event::HiddenClass(name) => self.each(|layer, ground| layer.hidden_class(ground, name)),
            Event::ClassMissing(_) => {}
            Event::ClassUnloaded(name) => self.class_unloaded(name),
            Event::FirstCall(method) => self.wanted.first_call(method),
            Event::Reflected(method) if self.ground.has(method) => {
                self.each(|layer, ground| layer.reflected(ground, method));
            }
            Event::Refused(method) if self.ground.has(method) => {
                *slot(&mut self.ground.refused, method.ix()) = true;
                self.each(|layer, _| layer.first_call(method));
            }
            Event::Reflected(_) | Event::Refused(_) => {}
        }
        self.settle(hooked)
    }

    /// What is asked besides the answer to the last event; [`Answer::Idle`] when that is all.
    pub fn poll(&mut self) -> Answer {
        self.settle(None)
    }

    fn settle(&mut self, hooked: Option<ClassId>) -> Answer {
        self.each(SchemeState::settle);
        self.answer(hooked)
    }

    /// Does something on each layer.
    fn each(&mut self, mut act: impl FnMut(&mut SchemeState, &mut ExpansionContext<'s>)) {
        for layer in [Some(&mut self.wanted), self.possible.as_mut()].into_iter().flatten() {
            act(layer, &mut self.ground);
        }
    }

    fn seat(&self, class: ClassId) -> TrackedClass {
        self.seats.get(class.ix()).copied().unwrap_or_default()
    }

    fn seat_mut(&mut self, class: ClassId) -> &mut TrackedClass {
        slot(&mut self.seats, class.ix())
    }
}

impl ExpansionContext<'_> {
    /// Whether the world has such a method: events may name any, and those of classes that are
    /// gone.
    fn has(&self, method: MethodIx) -> bool {
        let of_class =
            || self.world.methods_of(self.world.class_of_method(method)).any(|it| it == method);
        method.ix() < self.world.method_count() && of_class()
    }

    /// Whether the method can be instrumented, so that its first call is told.
    fn can_be_chosen(&self, method: MethodIx) -> bool {
        let class = self.world.class_of_method(method);
        self.world.row(method).access & (access::ABSTRACT | access::NATIVE) == 0
            && !self.refused.get(method.ix()).copied().unwrap_or_default()
            && (self.world.is_program(class) || self.jdk_methods && self.world.is_from_file(class))
    }

    fn need(&mut self, name: NameId) {
        if !std::mem::replace(slot(&mut self.asked, name.ix()), true) {
            self.needs.push(name);
        }
    }
}

impl std::fmt::Debug for Expander<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expander")
            .field("world", &self.ground.world)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

/// An entry of a table that grows.
fn slot<T: Default + Clone>(table: &mut Vec<T>, at: usize) -> &mut T {
    if table.len() <= at {
        table.resize(at + 1 + table.len() / 2, T::default());
    }
    &mut table[at]
}
