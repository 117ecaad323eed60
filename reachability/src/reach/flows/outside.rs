//! Code that is not looked into: what it has, what it calls and what it gives.

use super::site::Site;
use super::{EMPTY, Element, OUTSIDE, Set};
use crate::descriptor::{Kind, kinds};
use crate::flow::LOCALS;
use crate::reach::{Walk, slot};
use crate::{ClassId, MethodIx, Node, Reason, access};
use std::rc::Rc;

impl Walk<'_, '_> {
    /// Objects of exactly this class come to code that is not looked into.
    pub(in crate::reach) fn expose(&mut self, class: ClassId) {
        if !self.flows().outside.insert(class) {
            return;
        }
        if let Some(of) = self.component(class) {
            let set = self.array(class, of);
            self.share_array(set, of);
        }
        self.receive(class);
        for &above in self.world.supertypes(class).iter() {
            let waiting = self.flows().waiting.get(&above).cloned().unwrap_or_default();
            for site in waiting {
                self.call_on(site, Element::exact(class));
            }
        }
    }

    /// A call on any object of the class that is outside. All such calls of a method share their arguments.
    pub(super) fn call_outside(
        &mut self,
        from: u32,
        class: ClassId,
        method: MethodIx,
        args: &[Set],
        to: Set,
        reason: Reason,
    ) {
        let (at, new) = match self.flows().outside_sites.get(&(class, method)) {
            Some(&known) => (known, false),
            None => {
                let node = self.nodes.len() as u32;
                self.nodes.push(Node::Dispatch { owner: class, method });
                let flows = self.flows();
                let first = flows.add_sets(args.len() as u32 + 1);
                let args: Rc<[Set]> = (first + 1..first + 1 + args.len() as u32).collect();
                let at = flows.sites.len() as u32;
                flows.sites.push(Site { node, from, reason, owner: class, method, args, to: first });
                flows.outside_sites.insert((class, method), at);
                flows.waiting.entry(class).or_default().push(at);
                (at, true)
            }
        };
        let Site { node, args: shared, to: result, .. } = self.flows().sites[at as usize].clone();
        if self.dispatched.insert((from, node)) {
            self.edge(from, node, reason);
        }
        for (&arg, &shared) in args.iter().zip(shared.iter()).skip(1) {
            self.flows_to(arg, shared, None);
        }
        self.flows_to(result, to, None);
        if new {
            self.answer_for_proxies(at);
            let receivers = slot(&mut self.receivers, class).clone();
            for receiver in receivers {
                self.call_on(at, Element::exact(receiver));
            }
        }
    }

    /// An object of an interface may be a proxy or an annotation, whose methods are code that is not looked into.
    fn answer_for_proxies(&mut self, at: u32) {
        let Site { owner, method, args, to, .. } = self.flows().sites[at as usize].clone();
        if !self.world.is_interface(owner) {
            return;
        }
        for &arg in args.iter().skip(1) {
            self.flows_to(arg, OUTSIDE, None);
        }
        let descriptor = self.world.names().descriptor_of(self.world.row(method).sig).to_vec();
        self.result_from_outside(crate::bootstrap::split(&descriptor).1, to);
    }

    /// Code that is not looked into gives what it may have of the result's type.
    pub(super) fn result_from_outside(&mut self, result: &[u8], to: Set) {
        if let (Some(Kind::Class(name)), true) = (kinds(result).next(), to != EMPTY) {
            let of = self.world.class(name);
            self.flows().insert(to, Element::outside(of));
        }
    }

    /// Methods of the JDK that do nothing with their receiver.
    pub(super) fn keeps_nothing(&self, method: MethodIx) -> bool {
        let row = self.world.row(method);
        let names = self.world.names();
        match names.text(self.world.get(row.class).name) {
            b"java/lang/Object" => !matches!(names.name_of(row.sig), b"toString" | b"clone"),
            b"java/lang/Enum" | b"java/lang/Record" => names.name_of(row.sig) == b"<init>",
            _ => false,
        }
    }

    /// Code that is not looked into calls the method, on an object of exactly `receiver` where that is known.
    pub(in crate::reach) fn enter(&mut self, method: MethodIx, receiver: Option<ClassId>) {
        if self.flows.is_none() {
            return;
        }
        let Some((base, result)) = self.parameters(method) else { return };
        let row = self.world.row(method);
        let mut local = LOCALS;
        if !row.is(access::STATIC) {
            let this = receiver.map_or(Element::outside(row.class), Element::exact);
            self.flows().insert(base + local, this);
            local += 1;
        }
        if !self.flows().entered.insert(method) {
            return;
        }
        let descriptor = self.world.names().descriptor_of(row.sig).to_vec();
        for kind in kinds(crate::bootstrap::split(&descriptor).0) {
            match kind {
                Kind::Number(slots) => local += slots as u32,
                Kind::Class(name) => {
                    let of = self.world.class(name);
                    self.flows().insert(base + local, Element::outside(of));
                    local += 1;
                }
            }
        }
        self.flows_to(base + result, OUTSIDE, None);
    }
}
