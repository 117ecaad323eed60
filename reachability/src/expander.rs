//! Expansion from roots while a program runs: the two schemes of JFluid (M. Dmitriev, "Profiling Java Applications Using
//! Code Hotswapping and Dynamic Call Graph Revelation", WOSP 2004).

mod answer;
mod facts;
mod load;
mod mark;

use crate::fast::{FastMap, FastSet};
use crate::{ClassId, Fact, MethodIx, NameId, SigId, World, access};
pub use answer::{Answer, ClassMethods, Delta, Totals};
use jfathom_plan::MethodKey;
use mark::Mark;

/// When the callees of a method are instrumented.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// At once, with all that they can call in turn: scheme A. Classes that are loaded later extend it.
    Eager,
    /// When the method is called for the first time: scheme B.
    #[default]
    Lazy,
}

/// How an [`Expander`] goes about it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// When callees are instrumented.
    pub scheme: Scheme,
    /// Whether methods of the JDK are instrumented too, and not walked through.
    pub jdk_methods: bool,
    /// Services and their providers, as in [`Question::services`](crate::Question::services).
    pub services: Vec<(String, String)>,
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
    /// Whether it was initialised before (JVMS 5.5), so that its initialiser does not run any more.
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
    /// A class is being loaded, or was loaded before. Its supertypes may come before or after. It may come again, when
    /// another class loader loads a class of that name.
    ClassLoaded(ClassLoad<'e>),
    /// A class was made by the JVM that has no name of its own: an object of a lambda or method reference, by the name that
    /// the JVM shows, `a/B$$Lambda$1/0x…`. Others have no effect.
    HiddenClass(&'e [u8]),
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

/// Says what is to be instrumented while a program runs. Does no I/O: it is told [events](Event) and gives
/// [answers](Answer); the same events give the same answers.
///
/// Reached are methods that something reached can call, over the classes that are loaded: a virtual call leads to the methods of
/// all loaded classes below the one that is named; what names a class that is not loaded waits until it is. What is
/// reached and cannot tell its first call (JDK methods, native methods, objects of lambdas) is walked through at once;
/// other methods are walked through at once, or when they are called ([`Scheme`]).
///
/// An event takes time in the number of methods that are walked through for the first time, each of which is so only once,
/// and of the calls that wait for a class.
///
/// A class is known by its name. Classes of one name from several class loaders share what is chosen, by the methods of the one that
/// came first; [`Totals::unlike`] counts the others.
pub struct Expander<'s> {
    world: World<'s>,
    scheme: Scheme,
    jdk_methods: bool,
    providers: FastMap<NameId, Vec<NameId>>,
    roots: FastMap<NameId, Vec<SigId>>,
    /// Whether a root was reached.
    begun: bool,
    /// By class.
    seats: Vec<Seat>,
    /// By method.
    marks: Vec<Mark>,
    /// By the name of a class that is not loaded: what waits for it.
    waiting: FastMap<NameId, Vec<(MethodIx, Fact)>>,
    /// Classes that were unloaded with what waited for them used up.
    lost: FastSet<NameId>,
    demanded: FastSet<(ClassId, MethodIx)>,
    /// By class: the methods that are called on it virtually.
    demands: Vec<Vec<MethodIx>>,
    /// By class: the loaded classes below it of which objects can be.
    receivers: Vec<Vec<ClassId>>,
    /// To be walked through.
    work: Vec<MethodIx>,
    /// To be instrumented, since the last answer.
    grown: Vec<MethodIx>,
    needs: Vec<NameId>,
    asked: FastSet<NameId>,
    totals: Totals,
}

/// What is known of a class.
#[derive(Clone, Copy, Debug, Default)]
struct Seat {
    /// Whether it is loaded, or about to be, because a subclass is.
    loaded: bool,
    /// How many classes of the name were told as loaded: what is found of a class with none waits until then.
    copies: u32,
    /// Whether its initialiser was reached, or has run.
    initialised: bool,
    /// Whether the objects of all its lambdas count.
    lambdas: bool,
    /// In how many answers it was to be redefined.
    redefined: u32,
}

impl<'s> Expander<'s> {
    /// An expander over a world. Classes that are loaded already are told as events.
    pub fn new(mut world: World<'s>, expansion: &Expansion) -> Self {
        let mut providers: FastMap<NameId, Vec<NameId>> = FastMap::default();
        for (service, provider) in &expansion.services {
            let [service, provider] =
                [service, provider].map(|name| world.names.intern(&classfile_writer::mutf8::encode(name)));
            providers.entry(service).or_default().push(provider);
        }
        Self {
            world,
            scheme: expansion.scheme,
            jdk_methods: expansion.jdk_methods,
            providers,
            roots: FastMap::default(),
            begun: false,
            seats: Vec::new(),
            marks: Vec::new(),
            waiting: FastMap::default(),
            lost: FastSet::default(),
            demanded: FastSet::default(),
            demands: Vec::new(),
            receivers: Vec::new(),
            work: Vec::new(),
            grown: Vec::new(),
            needs: Vec::new(),
            asked: FastSet::default(),
            totals: Totals::default(),
        }
    }

    /// The world, which names classes and methods.
    pub fn world(&self) -> &World<'s> {
        &self.world
    }

    /// Adds a root; a class that is not loaded is waited for.
    pub fn add_root(&mut self, root: &MethodKey) -> Answer {
        let text = classfile_writer::mutf8::encode;
        let class = self.world.names.intern(&text(&root.class));
        let sig = self.world.names.sig_of(&text(&root.name), &text(&root.descriptor));
        let sigs = self.roots.entry(class).or_default();
        if !sigs.contains(&sig) {
            sigs.push(sig);
        }
        if let Some(class) = self.loaded(class) {
            self.reach_roots(class);
        }
        self.settle(None)
    }

    /// Takes an event. [`Expander::poll`] gives what else there is to say.
    pub fn handle(&mut self, event: Event<'_>) -> Answer {
        let mut hooked = None;
        match event {
            Event::ClassLoaded(load) => hooked = self.class_loaded(load),
            Event::HiddenClass(name) => self.hidden_class(name),
            Event::ClassMissing(_) => {}
            Event::ClassUnloaded(name) => self.class_unloaded(name),
            Event::FirstCall(method) => self.first_call(method),
            Event::Reflected(method) => self.reflected(method),
            Event::Refused(method) => self.refused(method),
        }
        self.settle(hooked)
    }

    /// What is asked besides the answer to the last event; [`Answer::Idle`] when that is all.
    pub fn poll(&mut self) -> Answer {
        self.settle(None)
    }

    fn settle(&mut self, hooked: Option<ClassId>) -> Answer {
        while let Some(method) = self.work.pop() {
            self.walk(method);
        }
        self.answer(hooked)
    }

    /// The class of this name, if it is loaded.
    fn loaded(&self, name: NameId) -> Option<ClassId> {
        self.world.known(name).filter(|&class| self.seat(class).loaded)
    }

    fn seat(&self, class: ClassId) -> Seat {
        self.seats.get(class.ix()).copied().unwrap_or_default()
    }

    fn seat_mut(&mut self, class: ClassId) -> &mut Seat {
        crate::expander::slot(&mut self.seats, class.ix())
    }

    fn reach_roots(&mut self, class: ClassId) {
        for sig in self.roots.get(&self.world.get(class).name).cloned().unwrap_or_default() {
            if let Some(root) = self.world.declared(class, sig)
                && !self.world.row(root).is(access::ABSTRACT)
            {
                self.begun = true;
                self.reach(root);
            }
        }
    }
}

impl std::fmt::Debug for Expander<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Expander").field("world", &self.world).field("totals", &self.totals).finish_non_exhaustive()
    }
}

/// An entry of a table that grows.
fn slot<T: Default + Clone>(table: &mut Vec<T>, at: usize) -> &mut T {
    if table.len() <= at {
        table.resize(at + 1 + table.len() / 2, T::default());
    }
    &mut table[at]
}
