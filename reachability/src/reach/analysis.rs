//! The work list of an analysis: reached methods, calls and initialisers that are not followed yet.

use super::query::{EntryPoints, Query};
use super::state::{Computed, CurrentMethod, Serial};
use crate::node::Edge;
use crate::reached::MissingReference;
use crate::{ClassId, ContainerKind, MethodIx, Node, Reason, World, access, jvm_calls};
use jfathom_plan::CallGraph;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

pub(super) struct Analysis<'w, 's> {
    pub(super) world: &'w mut World<'s>,
    pub(super) query: &'w Query,
    pub(super) nodes: Vec<Node>,
    pub(super) edges: Vec<Edge>,
    /// By method: the node's number plus one.
    pub(super) method_nodes: Vec<u32>,
    pub(super) dispatch_nodes: FxHashMap<(ClassId, MethodIx), u32>,
    pub(super) init_nodes: FxHashMap<ClassId, Option<u32>>,
    /// Nodes to follow.
    pub(super) work: Vec<u32>,
    /// By class: the dispatch nodes with this owner.
    pub(super) demands: Vec<Vec<u32>>,
    /// By class: the allocated classes that are its subtypes.
    pub(super) receivers: Vec<Vec<ClassId>>,
    /// Dispatch nodes with their targets.
    pub(super) dispatched: FxHashSet<(u32, u32)>,
    pub(super) allocated_by: FxHashMap<ClassId, Option<MethodIx>>,
    /// The same classes, in the order in which they came.
    pub(super) allocated: Vec<ClassId>,
    pub(super) unresolved: Vec<MissingReference>,
    pub(super) providers: FxHashMap<ClassId, Vec<ClassId>>,
    /// Services that are class constants in reached methods.
    pub(super) mentioned: Vec<ClassId>,
    /// Methods that load a service whose class the code does not show.
    pub(super) loaders: Vec<CurrentMethod>,
    /// Whether a reached method of the program looks up constructors by their parameters.
    pub(super) chooses: bool,
    /// Classes named in methods that do not look up constructors so.
    pub(super) choosable: Vec<(CurrentMethod, ClassId)>,
    /// Classes of the program that reflection instantiates.
    pub(super) populated: FxHashSet<ClassId>,
    /// Those of `populated` with annotated methods and constructor parameters to reach.
    pub(super) unpopulated: Vec<ClassId>,
    pub(super) computed: Computed,
    pub(super) serial: Serial,
}

impl<'w, 's> Analysis<'w, 's> {
    pub(super) fn new(world: &'w mut World<'s>, query: &'w Query) -> Self {
        let mut providers: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
        for (service, provider) in &query.services {
            let [service, provider] =
                [service, provider].map(|name| world.class(&classfile_writer::mutf8::encode(name)));
            providers.entry(service).or_default().push(provider);
        }
        Self {
            world,
            query,
            nodes: Vec::new(),
            edges: Vec::new(),
            method_nodes: Vec::new(),
            dispatch_nodes: FxHashMap::default(),
            init_nodes: FxHashMap::default(),
            work: Vec::new(),
            demands: Vec::new(),
            receivers: Vec::new(),
            dispatched: FxHashSet::default(),
            allocated_by: FxHashMap::default(),
            allocated: Vec::new(),
            unresolved: Vec::new(),
            providers,
            mentioned: Vec::new(),
            loaders: Vec::new(),
            chooses: false,
            choosable: Vec::new(),
            populated: FxHashSet::default(),
            unpopulated: Vec::new(),
            computed: Computed::default(),
            serial: Serial::default(),
        }
    }

    /// The program's methods that have code.
    pub(super) fn program_methods(&mut self) -> Vec<MethodIx> {
        let mut methods = Vec::new();
        for name in self.world.all_classes(ContainerKind::Program) {
            let class = self.world.class_of(name);
            methods
                .extend(self.world.methods_of(class).filter(|&method| self.world.has_code(method)));
        }
        methods
    }

    /// Adds receivers for a root. An instance method can be called on any object of its class.
    pub(super) fn add_root(&mut self, root: MethodIx) {
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

    pub(super) fn add_entry_points(&mut self) {
        for name in jvm_calls::ALLOCATED {
            let class = self.world.class(name.as_bytes());
            self.allocate(class, None);
        }
        for (class, name, descriptor) in jvm_calls::STARTUP {
            if let Some(method) = self.world.method(class, name, descriptor) {
                self.method(method);
            }
        }
        match &self.query.entry_points {
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
        if self.query.call_graph == CallGraph::Cha {
            for kind in [ContainerKind::Program, ContainerKind::Jdk] {
                for name in self.world.all_classes(kind) {
                    let class = self.world.class_of(name);
                    self.allocate(class, None);
                }
            }
        }
    }

    pub(super) fn run(&mut self) {
        loop {
            self.drain_work();
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

    pub(super) fn drain_work(&mut self) {
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

    pub(super) fn add(&mut self, node: Node) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(node);
        self.work.push(at);
        at
    }

    pub(super) fn edge(&mut self, from: u32, to: u32, reason: Reason) {
        self.edges.push(Edge { from, to, reason });
    }

    pub(super) fn method(&mut self, method: MethodIx) -> u32 {
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

    /// Calls the method, without dispatch.
    pub(super) fn call(&mut self, from: u32, method: MethodIx, reason: Reason) {
        if self.world.row(method).is(access::ABSTRACT) {
            return;
        }
        self.goto(from, method, reason);
    }

    /// Whether a virtual call always runs the method that it names.
    pub(super) fn is_bound(&self, owner: ClassId, method: MethodIx) -> bool {
        let row = self.world.row(method);
        matches!(self.world.get(owner).state, crate::world::State::Array)
            || row.is(access::PRIVATE | access::FINAL | access::STATIC)
            || self.world.get(row.class).access & access::FINAL != 0
    }

    /// Adds an edge to a method, abstract or not.
    pub(super) fn goto(&mut self, from: u32, method: MethodIx, reason: Reason) {
        let to = self.method(method);
        self.edge(from, to, reason);
    }

    /// Calls the method on any object of a subtype of `owner`.
    pub(super) fn call_virtually(
        &mut self,
        from: u32,
        owner: ClassId,
        method: MethodIx,
        reason: Reason,
    ) {
        if self.is_bound(owner, method) {
            return self.call(from, method, reason);
        }
        let to = self.shared_dispatch(owner, method);
        self.edge(from, to, reason);
    }

    /// The node of a virtual call on any subtype of `owner`. All such calls share it.
    pub(super) fn shared_dispatch(&mut self, owner: ClassId, method: MethodIx) -> u32 {
        if let Some(&known) = self.dispatch_nodes.get(&(owner, method)) {
            return known;
        }
        let node = self.add(Node::Dispatch { owner, method });
        self.dispatch_nodes.insert((owner, method), node);
        node
    }

    pub(super) fn dispatch(&mut self, node: u32, receiver: ClassId, resolved: MethodIx) {
        // The JVM throws if no method is selected.
        let Ok(target) = self.world.select(receiver, resolved) else { return };
        let to = self.method(target);
        if self.dispatched.insert((node, to)) {
            self.edge(node, to, Reason::Dispatch);
        }
    }

    /// Adds objects of exactly this class.
    pub(super) fn allocate(&mut self, class: ClassId, by: Option<MethodIx>) {
        if !self.world.is_concrete(class) {
            return;
        }
        match self.allocated_by.entry(class) {
            Entry::Occupied(_) => return,
            Entry::Vacant(new) => new.insert(by),
        };
        self.allocated.push(class);
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

/// The entry of a class. The table grows as needed.
fn slot<T: Default + Clone>(table: &mut Vec<T>, class: ClassId) -> &mut T {
    if table.len() <= class.ix() {
        table.resize(class.ix() + 1 + table.len() / 2, T::default());
    }
    &mut table[class.ix()]
}
