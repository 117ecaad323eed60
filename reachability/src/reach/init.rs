//! Initialisation of classes (JVMS 5.5).

use super::analysis::Analysis;
use crate::{ClassId, Node, Reason};

impl Analysis<'_, '_> {
    /// Initialises a class, except the method's own: its code runs only after that has begun.
    pub(super) fn init(&mut self, from: u32, class: ClassId, reason: Reason) {
        match self.nodes[from as usize] {
            Node::Method(method) if self.world.class_of_method(method) == class => {}
            _ => self.init_first(from, class, reason),
        }
    }

    /// Initialises a class. A class without an initialiser gets no node.
    pub(super) fn init_first(&mut self, from: u32, class: ClassId, reason: Reason) {
        if let Some(to) = self.init_node(class) {
            self.edge(from, to, reason);
        }
    }

    fn init_node(&mut self, class: ClassId) -> Option<u32> {
        if let Some(known) = self.init_nodes.get(&class) {
            return *known;
        }
        let runs = !self.world.initialisers(class).is_empty();
        let node = runs.then(|| self.add(Node::Init(class)));
        self.init_nodes.insert(class, node);
        node
    }

    pub(super) fn initialise(&mut self, node: u32, class: ClassId) {
        for method in self.world.initialisers(class) {
            self.call(node, method, Reason::Init);
        }
    }
}
