//! The walk: rapid type analysis (Bacon and Sweeney, OOPSLA 1996) with class initialisers, lambdas,
//! services, threads and what constants say about reflection.

mod callers;
mod computed;
mod facts;
mod init;
mod reflective_objects;
mod serial;

use crate::fast_hash::{FastMap, FastSet};
use crate::node::Edge;
use crate::{
    ClassId, ContainerKind, MethodIx, Node, Reached, Reason, SigId, Unresolved, World, access,
    jvm_calls,
};
use std::collections::hash_map::Entry;

/// How much is taken for reachable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallGraph {
    /// Rapid type analysis: a virtual call reaches the methods of classes that are allocated
    /// somewhere.
    #[default]
    Rta,
    /// Class hierarchy analysis: a virtual call reaches the methods of all classes of the world.
    Cha,
    /// All methods of the program.
    Total,
}

/// Where the objects come from that a root finds when it is called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum EntryPoints {
    /// Whatever the program can allocate anywhere: each of its methods may have run before. Right
    /// for any root.
    #[default]
    AnyMethod,
    /// What these methods can allocate, such as the program's `main`; and the roots themselves.
    Methods(Vec<MethodIx>),
}

/// Which string and class constants are taken for classes that are loaded and instantiated by
/// reflection.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClassNames {
    /// Strings in methods that call something like `Class.forName` or `loadClass`, classes in
    /// methods that look up constructors.
    NearUse,
    /// Also all others in reached methods of the program that name another class of the program.
    #[default]
    Anywhere,
}

/// What is to be reached from where.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Where the walk begins.
    pub roots: Vec<MethodIx>,
    /// How much is taken for reachable.
    pub policy: CallGraph,
    /// Where the objects come from.
    pub seeds: EntryPoints,
    /// Which constants count as classes made by reflection.
    pub class_names: ClassNames,
    /// Services and their providers, as internal names, from `META-INF/services` and modules'
    /// `provides`.
    pub services: Vec<(String, String)>,
}

/// Finds what the roots can call.
pub fn reach(world: &mut World<'_>, question: &Query) -> Reached {
    let mut walk = Walk::new(world, question);
    let mut starts: Vec<u32> = question.roots.iter().map(|&root| walk.method(root)).collect();
    match question.policy {
        CallGraph::Total => {
            for method in walk.program_methods() {
                starts.push(walk.method(method));
            }
        }
        CallGraph::Rta | CallGraph::Cha => {
            for &root in &question.roots {
                walk.seed_root(root);
            }
            for &root in &starts {
                let Node::Method(method) = walk.nodes[root as usize] else { continue };
                walk.init_first(root, walk.world.class_of_method(method), Reason::Init);
            }
            walk.seed();
            walk.run();
        }
    }
    starts.sort_unstable();
    starts.dedup();
    let Walk { nodes, edges, unresolved, allocated_by, computed, .. } = walk;
    Reached::new(nodes, edges, starts, unresolved, allocated_by).with_unnamed(computed.unnamed())
}

/// A reference that leads to nothing: who has it, what it names, why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MissingReference {
    pub(crate) from: MethodIx,
    pub(crate) owner: ClassId,
    pub(crate) sig: Option<SigId>,
    pub(crate) why: Unresolved,
}

/// The state of a walk.
struct Walk<'w, 's> {
    world: &'w mut World<'s>,
    question: &'w Query,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// By method: the node's number plus one.
    method_nodes: Vec<u32>,
    dispatch_nodes: FastMap<(ClassId, MethodIx), u32>,
    init_nodes: FastMap<ClassId, Option<u32>>,
    /// Nodes that were not looked at yet.
    work: Vec<u32>,
    /// By class: the dispatch nodes whose owner it is.
    demands: Vec<Vec<u32>>,
    /// By class: the allocated classes that are its subtypes.
    receivers: Vec<Vec<ClassId>>,
    /// By dispatch node and target.
    dispatched: FastSet<(u32, u32)>,
    allocated_by: FastMap<ClassId, Option<MethodIx>>,
    unresolved: Vec<MissingReference>,
    providers: FastMap<ClassId, Vec<ClassId>>,
    /// Services that are class constants somewhere.
    mentioned: Vec<ClassId>,
    /// Methods that load services which they do not name.
    loaders: Vec<facts::CurrentMethod>,
    /// Whether a method of the program looks up constructors by their parameters.
    chooses: bool,
    /// Classes that methods name which look up none so: where they are named.
    choosable: Vec<(facts::CurrentMethod, ClassId)>,
    /// Classes of the program that are made by reflection.
    furnished: FastSet<ClassId>,
    /// Those of which that was not looked at yet.
    unfurnished: Vec<ClassId>,
    /// Names and members that are computed.
    computed: computed::Computed,
    /// Object streams.
    serial: serial::Serial,
}

impl<'w, 's> Walk<'w, 's> {
    fn new(world: &'w mut World<'s>, question: &'w Query) -> Self {
        let mut providers: FastMap<ClassId, Vec<ClassId>> = FastMap::default();
        for (service, provider) in &question.services {
            let [service, provider] =
                [service, provider].map(|name| world.class(&classfile_writer::mutf8::encode(name)));
            providers.entry(service).or_default().push(provider);
        }
        Self {
            world,
            question,
            nodes: Vec::new(),
            edges: Vec::new(),
            method_nodes: Vec::new(),
            dispatch_nodes: FastMap::default(),
            init_nodes: FastMap::default(),
            work: Vec::new(),
            demands: Vec::new(),
            receivers: Vec::new(),
            dispatched: FastSet::default(),
            allocated_by: FastMap::default(),
            unresolved: Vec::new(),
            providers,
            mentioned: Vec::new(),
            loaders: Vec::new(),
            chooses: false,
            choosable: Vec::new(),
            furnished: FastSet::default(),
            unfurnished: Vec::new(),
            computed: computed::Computed::default(),
            serial: serial::Serial::default(),
        }
    }

    /// The program's methods that have code.
    fn program_methods(&mut self) -> Vec<MethodIx> {
        let mut methods = Vec::new();
        for name in self.world.all_classes(ContainerKind::Program) {
            let class = self.world.class_of(name);
            methods
                .extend(self.world.methods_of(class).filter(|&method| self.world.has_code(method)));
        }
        methods
    }

    /// A root that is an instance method has a receiver, whoever made it.
    fn seed_root(&mut self, root: MethodIx) {
        let class = self.world.class_of_method(root);
        if self.world.access_of(root) & access::STATIC != 0 {
            return;
        }
        if self.world.is_concrete(class) {
            self.allocate(class, None);
            return;
        }
        for name in self.world.all_classes(ContainerKind::Program) {
            let below = self.world.class_of(name);
            if self.world.is_subtype(below, class) {
                self.allocate(below, None);
            }
        }
    }

    fn seed(&mut self) {
        for name in jvm_calls::ALLOCATED {
            let class = self.world.class(name.as_bytes());
            self.allocate(class, None);
        }
        for (class, name, descriptor) in jvm_calls::STARTUP {
            if let Some(method) = self.world.method(class, name, descriptor) {
                self.method(method);
            }
        }
        match &self.question.seeds {
            EntryPoints::Methods(methods) => {
                for &method in methods {
                    let node = self.method(method);
                    self.init_first(node, self.world.class_of_method(method), Reason::Init);
                }
            }
            EntryPoints::AnyMethod => {
                for method in self.program_methods() {
                    self.method(method);
                }
            }
        }
        if self.question.policy == CallGraph::Cha {
            for kind in [ContainerKind::Program, ContainerKind::Jdk] {
                for name in self.world.all_classes(kind) {
                    let class = self.world.class_of(name);
                    self.allocate(class, None);
                }
            }
        }
    }

    fn run(&mut self) {
        loop {
            self.walk_on();
            self.populate();
            if self.work.is_empty() {
                self.compute();
                self.serialize();
            }
            if self.work.is_empty() {
                return;
            }
        }
    }

    fn walk_on(&mut self) {
        while let Some(node) = self.work.pop() {
            match self.nodes[node as usize] {
                Node::Method(method) => self.look_at(node, method),
                Node::Dispatch { owner, method } => {
                    let receivers = std::mem::take(slot(&mut self.receivers, owner));
                    for &receiver in &receivers {
                        self.dispatch(node, receiver, method);
                    }
                    *slot(&mut self.receivers, owner) = receivers;
                    slot(&mut self.demands, owner).push(node);
                }
                Node::Init(class) => self.initialise(node, class),
            }
        }
    }

    fn add(&mut self, node: Node) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(node);
        self.work.push(at);
        at
    }

    fn edge(&mut self, from: u32, to: u32, reason: Reason) {
        self.edges.push(Edge { from, to, reason });
    }

    /// The node of a method.
    fn method(&mut self, method: MethodIx) -> u32 {
        if self.method_nodes.len() <= method.ix() {
            self.method_nodes.resize(self.world.method_count(), 0);
        }
        if let Some(known) = self.method_nodes[method.ix()].checked_sub(1) {
            return known;
        }
        let node = self.add(Node::Method(method));
        self.method_nodes[method.ix()] = node + 1;
        node
    }

    /// The method is called, whatever the receiver.
    fn call(&mut self, from: u32, method: MethodIx, reason: Reason) {
        if self.world.row(method).is(access::ABSTRACT) {
            return;
        }
        self.goto(from, method, reason);
    }

    /// Whether a virtual call leads to the method that it names, whatever the receiver.
    fn is_bound(&self, owner: ClassId, method: MethodIx) -> bool {
        let row = self.world.row(method);
        matches!(self.world.get(owner).state, crate::world::State::Array)
            || row.is(access::PRIVATE | access::FINAL | access::STATIC)
            || self.world.get(row.class).access & access::FINAL != 0
    }

    /// One method leads to another.
    fn goto(&mut self, from: u32, method: MethodIx, reason: Reason) {
        let to = self.method(method);
        self.edge(from, to, reason);
    }

    /// The method is called on any object that is an `owner`.
    fn call_virtually(&mut self, from: u32, owner: ClassId, method: MethodIx, reason: Reason) {
        if self.is_bound(owner, method) {
            return self.call(from, method, reason);
        }
        let to = self.shared_dispatch(owner, method);
        self.edge(from, to, reason);
    }

    /// The node of a call on any object of a class.
    fn shared_dispatch(&mut self, owner: ClassId, method: MethodIx) -> u32 {
        if let Some(&known) = self.dispatch_nodes.get(&(owner, method)) {
            return known;
        }
        let node = self.add(Node::Dispatch { owner, method });
        self.dispatch_nodes.insert((owner, method), node);
        node
    }

    fn dispatch(&mut self, node: u32, receiver: ClassId, resolved: MethodIx) {
        // Where no method is selected the JVM throws.
        let Ok(target) = self.world.select(receiver, resolved) else { return };
        let to = self.method(target);
        if self.dispatched.insert((node, to)) {
            self.edge(node, to, Reason::Dispatch);
        }
    }

    /// There is an object of exactly this class.
    fn allocate(&mut self, class: ClassId, by: Option<MethodIx>) {
        if !self.world.is_concrete(class) {
            return;
        }
        match self.allocated_by.entry(class) {
            Entry::Occupied(_) => return,
            Entry::Vacant(new) => new.insert(by),
        };
        for &above in self.world.supertypes(class).iter() {
            slot(&mut self.receivers, above).push(class);
            let demands = std::mem::take(slot(&mut self.demands, above));
            for &node in &demands {
                if let Node::Dispatch { method, .. } = self.nodes[node as usize] {
                    self.dispatch(node, class, method);
                }
            }
            *slot(&mut self.demands, above) = demands;
        }
    }
}

/// The entry of a class in a table that grows.
fn slot<T: Default + Clone>(table: &mut Vec<T>, class: ClassId) -> &mut T {
    if table.len() <= class.ix() {
        table.resize(class.ix() + 1 + table.len() / 2, T::default());
    }
    &mut table[class.ix()]
}
