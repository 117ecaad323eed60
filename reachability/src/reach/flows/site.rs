//! Calls whose receiver decides where they lead, and the receivers that come to them.

use super::{Element, Set};
use crate::reach::Walk;
use crate::{ClassId, MethodIx, Node, Reason};
use std::rc::Rc;

/// The node of a site that has none yet.
pub(super) const LATER: u32 = u32::MAX;

/// A call whose receiver decides.
#[derive(Clone)]
pub(super) struct Site {
    /// Its node in the graph; [`LATER`] where it is made with the first receiver.
    pub(super) node: u32,
    /// The method that calls.
    pub(super) from: u32,
    pub(super) reason: Reason,
    pub(super) owner: ClassId,
    pub(super) method: MethodIx,
    pub(super) args: Rc<[Set]>,
    pub(super) to: Set,
}

impl Walk<'_, '_> {
    pub(super) fn call_on(&mut self, at: u32, element: Element) {
        let owner = self.flows().sites[at as usize].owner;
        let Some(element) = self.narrow(element, Some(owner)) else { return };
        let class = element.class();
        let Site { node, from, owner, method, args, to, reason } = self.flows().sites[at as usize].clone();
        if !element.is_exact() {
            return self.call_outside(from, class, method, &args, to, reason);
        }
        let Ok(target) = self.world.select(class, method) else { return };
        let callee = self.method(target);
        let node = if node == LATER { self.site_node(from, owner, method, reason) } else { node };
        if self.dispatched.insert((node, callee)) {
            self.edge(node, callee, Reason::Dispatch);
        }
        if self.flows().linked.insert((at, target, class)) {
            self.link(target, &args, to, Some(class), at);
        }
    }

    /// There is an object on which this call can be made.
    pub(super) fn call_bound(&mut self, at: u32, element: Element) {
        let Site { from, owner, method, args, to, reason, .. } = self.flows().sites[at as usize].clone();
        if self.narrow(element, Some(owner)).is_none() {
            return;
        }
        if self.flows().linked.insert((at, method, owner)) {
            self.goto(from, method, reason);
            self.link(method, &args, to, None, 0);
        }
    }

    fn site_node(&mut self, from: u32, owner: ClassId, method: MethodIx, reason: Reason) -> u32 {
        if let Some(&known) = self.flows().dispatch_nodes.get(&(from, owner, method)) {
            return known;
        }
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::Dispatch { owner, method });
        self.flows().dispatch_nodes.insert((from, owner, method), node);
        self.edge(from, node, reason);
        node
    }
}
