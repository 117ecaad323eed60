//! Initialisation of classes (JVMS 5.5).

use super::Walk;
use crate::{ClassId, MethodIx, Node, Reason, access};

impl Walk<'_, '_> {
    /// The class is initialised, unless it is the method's own: its code runs only when that has begun.
    pub(super) fn init(&mut self, from: u32, class: ClassId, reason: Reason) {
        match self.nodes[from as usize] {
            Node::Method(method) if self.world.class_of_method(method) == class => {}
            _ => self.init_first(from, class, reason),
        }
    }

    /// The class is initialised. Classes with nothing to run get no node.
    pub(super) fn init_first(&mut self, from: u32, class: ClassId, reason: Reason) {
        if let Some(to) = self.init_node(class) {
            self.edge(from, to, reason);
        }
    }

    fn init_node(&mut self, class: ClassId) -> Option<u32> {
        if let Some(known) = self.init_nodes.get(&class) {
            return *known;
        }
        let runs = self.initialisers(class).next().is_some();
        let node = runs.then(|| self.add(Node::Init(class)));
        self.init_nodes.insert(class, node);
        node
    }

    /// What runs when a class is initialised before its subclasses: its own initialiser, those of its superclasses, and
    /// those of superinterfaces that declare a method with code that is not static.
    fn initialisers(&mut self, class: ClassId) -> impl Iterator<Item = MethodIx> + use<> {
        let sig = self.world.names.sig_of(b"<clinit>", b"()V");
        let mut found: Vec<MethodIx> = Vec::new();
        if self.world.is_interface(class) {
            found.extend(self.world.declared(class, sig));
            return found.into_iter();
        }
        for &above in self.world.supertypes(class).iter() {
            let Some(method) = self.world.declared(above, sig) else { continue };
            let counts = above == class || !self.world.is_interface(above) || self.has_default(above);
            found.extend(counts.then_some(method));
        }
        found.into_iter()
    }

    fn has_default(&self, interface: ClassId) -> bool {
        let mut methods = self.world.methods_of(interface);
        methods.any(|method| !self.world.row(method).is(access::ABSTRACT | access::STATIC))
    }

    pub(super) fn initialise(&mut self, node: u32, class: ClassId) {
        for method in self.initialisers(class) {
            self.call(node, method, Reason::Init);
        }
    }
}
