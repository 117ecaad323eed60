//! How objects flow through the program's code: a type set for each variable, field and array type; one set for all code
//! of the JDK and for all that is not looked into.

use super::Walk;
use super::facts::Here;
use crate::descriptor::{Kind, kinds};
use crate::fast::{FastMap, FastSet};
use crate::flow::{ClassFlow, Flow, LOCALS, NOTHING, STRING, Step, Var};
use crate::world::State;
use crate::{ClassId, Handle, InvokeKind, MethodIx, MethodRef, NameId, Node, Reason, SigId, access};
use std::rc::Rc;
use std::sync::Arc;

/// A set of types: of a variable, a field, the elements of an array type.
type Set = u32;
/// Holds nothing and is never added to.
const EMPTY: Set = 0;
/// What code that is not looked into has.
const OUTSIDE: Set = 1;
/// `String` alone.
const STRINGS: Set = 2;

const LATER: u32 = u32::MAX;

/// What a set holds: an exact class, or all of [`OUTSIDE`] that is of a class.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Element(u32);

impl Element {
    const fn exact(class: ClassId) -> Self {
        Self(class.0 << 1)
    }

    const fn outside(class: ClassId) -> Self {
        Self(class.0 << 1 | 1)
    }

    const fn class(self) -> ClassId {
        ClassId(self.0 >> 1)
    }

    const fn is_exact(self) -> bool {
        self.0 & 1 == 0
    }
}

/// What is done with each element of a set.
#[derive(Clone, Copy)]
enum Use {
    /// Those of the class go there.
    Flow(Set, Option<ClassId>),
    /// A call on them.
    Call(u32),
    /// A call of a certain method on them.
    Bound(u32),
    /// The elements of the array go there.
    Load(Set),
    /// What is there becomes elements of the array.
    Store(Set),
}

/// A call whose receiver decides.
#[derive(Clone)]
struct Site {
    /// Its node in the graph; [`LATER`] where it is made with the first receiver.
    node: u32,
    /// The method that calls.
    from: u32,
    reason: Reason,
    owner: ClassId,
    method: MethodIx,
    args: Rc<[Set]>,
    to: Set,
}

#[derive(Default)]
pub(super) struct Flows {
    elements: Vec<Vec<Element>>,
    uses: Vec<Vec<Use>>,
    /// By set: the classes of which it has all that is outside.
    cones: Vec<Vec<ClassId>>,
    object: Option<ClassId>,
    held: FastSet<u64>,
    work: Vec<(Set, Element)>,
    sites: Vec<Site>,
    /// By method: where its variables begin.
    methods: FastMap<MethodIx, Set>,
    /// Methods that code which is not looked into calls.
    entered: FastSet<MethodIx>,
    fields: FastMap<(ClassId, SigId), Set>,
    /// Names of fields that reflection reads and writes.
    shared: FastSet<NameId>,
    arrays: FastMap<ClassId, Set>,
    /// By class of a lambda: what it captured.
    captured: FastMap<ClassId, Rc<[Set]>>,
    linked: FastSet<(u32, MethodIx, ClassId)>,
    /// By class: the calls on what of the outside is of the class.
    waiting: FastMap<ClassId, Vec<u32>>,
    outside_sites: FastMap<(ClassId, MethodIx), u32>,
    outside: FastSet<ClassId>,
    fits: FastMap<(ClassId, ClassId), bool>,
    dispatch_nodes: FastMap<(u32, ClassId, MethodIx), u32>,
    /// Whether whatever is allocated is outside too.
    pub(super) open: bool,
}

impl Flows {
    pub(super) fn new(string: ClassId, object: ClassId) -> Self {
        let mut flows = Self { object: Some(object), ..Self::default() };
        flows.add_sets(3);
        flows.insert(STRINGS, Element::exact(string));
        flows
    }

    /// Adds some empty sets; gives the first.
    fn add_sets(&mut self, count: u32) -> Set {
        let first = self.elements.len();
        self.elements.resize(first + count as usize, Vec::new());
        self.uses.resize(first + count as usize, Vec::new());
        self.cones.resize(first + count as usize, Vec::new());
        first as Set
    }

    /// Adds an element, unless the set has it already as part of the outside.
    fn insert(&mut self, set: Set, element: Element) {
        if set > OUTSIDE {
            let cones = &self.cones[set as usize];
            if !cones.is_empty() {
                let class = element.class();
                let covers = |&cone: &ClassId| {
                    cone == class || self.object == Some(cone) || self.fits.get(&(class, cone)) == Some(&true)
                };
                if (!element.is_exact() || self.outside.contains(&class)) && cones.iter().any(covers) {
                    return;
                }
            }
            if !element.is_exact() {
                self.cones[set as usize].push(element.class());
            }
        } else if set == OUTSIDE && (!element.is_exact() || self.outside.contains(&element.class())) {
            return;
        }
        if set != EMPTY && self.held.insert(u64::from(set) << 32 | u64::from(element.0)) {
            self.elements[set as usize].push(element);
            self.work.push((set, element));
        }
    }
}

impl Walk<'_, '_> {
    fn flows(&mut self) -> &mut Flows {
        self.flows.as_mut().expect("only asked for where there are flows")
    }

    /// Whether the objects of this method are followed.
    pub(super) fn flow_of(&mut self, method: MethodIx) -> Option<(Arc<ClassFlow>, Flow)> {
        self.flows.as_ref()?;
        let class = self.world.class_of_method(method);
        if !self.world.is_program(class) || !self.world.has_code(method) {
            return None;
        }
        let flow = self.world.flow(class);
        let of_method = *flow.methods.get(self.world.position(method)).filter(|it| it.vars > 0)?;
        Some((flow, of_method))
    }

    /// Moves elements until all is still.
    pub(super) fn settle(&mut self) {
        while let Some((set, element)) = self.flows.as_mut().and_then(|flows| flows.work.pop()) {
            if set == OUTSIDE {
                if element.is_exact() {
                    self.expose(element.class());
                }
                continue;
            }
            let mut at = 0;
            while let Some(&once) = self.flows().uses[set as usize].get(at) {
                at += 1;
                self.apply(once, element);
            }
        }
    }

    fn uses(&mut self, set: Set, once: Use) {
        if set == EMPTY {
            return;
        }
        self.flows().uses[set as usize].push(once);
        let mut at = 0;
        while let Some(&element) = self.flows().elements[set as usize].get(at) {
            at += 1;
            self.apply(once, element);
        }
    }

    fn flows_to(&mut self, from: Set, to: Set, of: Option<ClassId>) {
        if from != to && to != EMPTY {
            self.uses(from, Use::Flow(to, of));
        }
    }

    fn apply(&mut self, once: Use, element: Element) {
        match once {
            Use::Flow(to, of) => {
                if let Some(element) = self.narrow(element, of) {
                    self.flows().insert(to, element);
                }
            }
            Use::Call(site) => self.call_on(site, element),
            Use::Bound(site) => self.call_bound(site, element),
            Use::Load(to) => {
                let class = element.class();
                match (self.component(class), element.is_exact()) {
                    (Some(of), true) => {
                        let elements = self.array(class, of);
                        self.flows_to(elements, to, None);
                    }
                    (Some(of), false) => self.flows().insert(to, Element::outside(of)),
                    (None, true) => {}
                    (None, false) => {
                        let object = self.world.object();
                        self.flows().insert(to, Element::outside(object));
                    }
                }
            }
            Use::Store(from) => {
                let class = element.class();
                match (self.component(class), element.is_exact()) {
                    (Some(of), true) => {
                        let elements = self.array(class, of);
                        self.flows_to(from, elements, Some(of));
                    }
                    (_, false) => self.flows_to(from, OUTSIDE, None),
                    (None, true) => {}
                }
            }
        }
    }

    /// What of an element is of a class.
    fn narrow(&mut self, element: Element, of: Option<ClassId>) -> Option<Element> {
        let Some(of) = of else { return Some(element) };
        let class = element.class();
        if self.fits(class, of) {
            return Some(element);
        }
        if element.is_exact() {
            return None;
        }
        let open = |walk: &Self, it| walk.world.is_interface(it);
        let array = |walk: &Self, it| matches!(walk.world.get(it).state, State::Array);
        let disjoint =
            !self.fits(of, class) && (array(self, class) || array(self, of) || !open(self, class) && !open(self, of));
        (!disjoint).then_some(Element::outside(of))
    }

    /// Whether objects of the first are objects of the second, as far as is known.
    fn fits(&mut self, class: ClassId, of: ClassId) -> bool {
        if class == of || of == self.world.object() || self.world.is_missing(of) {
            return true;
        }
        if let Some(&known) = self.flows().fits.get(&(class, of)) {
            return known;
        }
        let fits = match (self.component(class), self.component(of)) {
            (Some(class), Some(of)) => self.fits(class, of),
            (Some(_), None) => {
                matches!(self.world.class_name(of).as_str(), "java/lang/Cloneable" | "java/io/Serializable")
            }
            _ => self.world.is_subtype(class, of) || self.has_gap(class),
        };
        self.flows().fits.insert((class, of), fits);
        fits
    }

    /// Whether a supertype of the class is missing.
    fn has_gap(&mut self, class: ClassId) -> bool {
        self.world.supertypes(class).iter().any(|&it| self.world.is_missing(it))
    }

    /// The class of an array type's elements; none for arrays of numbers and what is no array.
    fn component(&mut self, class: ClassId) -> Option<ClassId> {
        if !matches!(self.world.get(class).state, State::Array) {
            return None;
        }
        let name = self.world.names().text(self.world.get(class).name).get(1..)?.to_vec();
        match kinds(&name).next()? {
            Kind::Class(name) => Some(self.world.class(name)),
            Kind::Number(_) => None,
        }
    }

    /// The set of the elements of an array type.
    fn array(&mut self, class: ClassId, of: ClassId) -> Set {
        if let Some(&known) = self.flows().arrays.get(&class) {
            return known;
        }
        let set = self.flows().add_sets(1);
        self.flows().arrays.insert(class, set);
        if self.flows().outside.contains(&class) {
            self.share_array(set, of);
        }
        set
    }

    fn share_array(&mut self, set: Set, of: ClassId) {
        self.flows().insert(set, Element::outside(of));
        self.flows_to(set, OUTSIDE, None);
    }

    /// Objects of exactly this class come to code that is not looked into.
    pub(super) fn expose(&mut self, class: ClassId) {
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

    fn call_on(&mut self, at: u32, element: Element) {
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

    /// A call on any object of the class that is outside. All such calls of a method share their arguments.
    fn call_outside(&mut self, from: u32, class: ClassId, method: MethodIx, args: &[Set], to: Set, reason: Reason) {
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
            let receivers = super::slot(&mut self.receivers, class).clone();
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

    /// Arguments go to the parameters of a method, and its result comes back. A receiver of an exact class goes alone;
    /// `at` then tells the call sites apart.
    fn link(&mut self, target: MethodIx, args: &[Set], to: Set, receiver: Option<ClassId>, at: u32) {
        let row = self.world.row(target);
        let is_static = row.is(access::STATIC);
        let known = match receiver {
            // The other arguments went there with the first receiver.
            Some(_) => !self.flows().linked.insert((at, target, ClassId(u32::MAX))),
            None => false,
        };
        let followed = self.parameters(target);
        let descriptor = self.world.names().descriptor_of(row.sig).to_vec();
        let (parameters, result) = crate::bootstrap::split(&descriptor);
        if followed.is_none() && self.keeps_nothing(target) {
            // `getClass` has a result all the same.
            return self.result_from_outside(result, to);
        }
        let mut rest = args;
        let mut local = LOCALS;
        if !is_static {
            let this = followed.as_ref().map_or(OUTSIDE, |it| it.0 + local);
            match (receiver, rest.split_first()) {
                (Some(class), _) => self.flows().insert(this, Element::exact(class)),
                (None, Some((&set, _))) => self.flows_to(set, this, Some(row.class)),
                (None, None) => {}
            }
            rest = rest.get(1..).unwrap_or_default();
            local += 1;
        }
        if known {
            return;
        }
        for (kind, &set) in kinds(parameters).zip(rest) {
            match kind {
                Kind::Number(slots) => local += slots as u32,
                Kind::Class(name) => {
                    let of = self.world.class(name);
                    let parameter = followed.as_ref().map_or(OUTSIDE, |it| it.0 + local);
                    self.flows_to(set, parameter, Some(of));
                    local += 1;
                }
            }
        }
        match (followed, kinds(result).next()) {
            (Some((base, result)), Some(Kind::Class(name))) => {
                let of = self.world.class(name);
                self.flows_to(base + result, to, Some(of));
            }
            _ => self.result_from_outside(result, to),
        }
    }

    /// Code that is not looked into gives what it may have of the result's type.
    fn result_from_outside(&mut self, result: &[u8], to: Set) {
        if let (Some(Kind::Class(name)), true) = (kinds(result).next(), to != EMPTY) {
            let of = self.world.class(name);
            self.flows().insert(to, Element::outside(of));
        }
    }

    /// The sets of a method whose objects are followed: where they begin, and the variable of its result.
    fn parameters(&mut self, method: MethodIx) -> Option<(Set, Var)> {
        let class = self.world.class_of_method(method);
        if self.flows().captured.contains_key(&class) {
            let descriptor = self.world.names().descriptor_of(self.world.row(method).sig);
            let slots = kinds(crate::bootstrap::split(descriptor).0).map(|kind| match kind {
                Kind::Number(slots) => slots as u32,
                Kind::Class(_) => 1,
            });
            let result = LOCALS + 1 + slots.sum::<u32>();
            return Some((self.sets_of(method, result + 1), result));
        }
        let (_, flow) = self.flow_of(method)?;
        Some((self.sets_of(method, flow.vars), flow.result))
    }

    fn sets_of(&mut self, method: MethodIx, vars: u32) -> Set {
        if let Some(&known) = self.flows().methods.get(&method) {
            return known;
        }
        let base = self.flows().add_sets(vars);
        self.flows().methods.insert(method, base);
        base
    }

    /// Methods of the JDK that do nothing with their receiver.
    fn keeps_nothing(&self, method: MethodIx) -> bool {
        let row = self.world.row(method);
        let names = self.world.names();
        match names.text(self.world.get(row.class).name) {
            b"java/lang/Object" => !matches!(names.name_of(row.sig), b"toString" | b"clone"),
            b"java/lang/Enum" | b"java/lang/Record" => names.name_of(row.sig) == b"<init>",
            _ => false,
        }
    }

    /// Code that is not looked into calls the method, on an object of exactly `receiver` where that is known.
    pub(super) fn enter(&mut self, method: MethodIx, receiver: Option<ClassId>) {
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

    /// What a method does with objects.
    pub(super) fn steps(&mut self, here: Here, code: &ClassFlow, flow: Flow) {
        let base = self.sets_of(here.method, flow.vars);
        let set = |var: Var| match var {
            NOTHING => EMPTY,
            STRING => STRINGS,
            var => base + var,
        };
        for &step in code.steps(flow) {
            match step {
                Step::New { to, class } => {
                    let class = self.world.class_of(class);
                    self.made(here, class, set(to));
                }
                Step::Any { to, class } => {
                    let class = self.world.class_of(class);
                    self.flows().insert(set(to), Element::outside(class));
                }
                Step::Move { from, to } => self.flows_to(set(from), set(to), None),
                Step::Cast { from, to, class } => {
                    let class = self.world.class_of(class);
                    self.flows_to(set(from), set(to), Some(class));
                }
                Step::Get { to, owner, field } => {
                    let (field, _) = self.field(owner, field);
                    self.flows_to(field, set(to), None);
                }
                Step::Put { from, owner, field } => {
                    let (field, of) = self.field(owner, field);
                    self.flows_to(set(from), field, of);
                }
                Step::Load { array, to } => self.uses(set(array), Use::Load(set(to))),
                Step::Store { array, from } => self.uses(set(array), Use::Store(set(from))),
                Step::Call { kind, target, args, count, to } => {
                    let args: Rc<[Set]> = code.args(args, count).iter().map(|&var| set(var)).collect();
                    self.flow_call(here, kind, target, args, set(to), Reason::Call);
                }
                Step::Lambda { number, args, count, to } => {
                    let args: Rc<[Set]> = code.args(args, count).iter().map(|&var| set(var)).collect();
                    let lambdas = self.world.code(here.class);
                    let Some(lambda) = lambdas.lambdas.get(number as usize) else { continue };
                    let class = self.world.lambda_class(here.class, here.position, number, lambda);
                    self.flows().captured.entry(class).or_insert(args);
                    self.made(here, class, set(to));
                }
                Step::Escape { from } => self.flows_to(set(from), OUTSIDE, None),
                Step::Shared { name } => self.share_fields(name),
            }
        }
    }

    fn made(&mut self, here: Here, class: ClassId, to: Set) {
        if self.world.is_missing(class) {
            return;
        }
        if self.world.is_concrete(class) {
            self.allocated_by.entry(class).or_insert(Some(here.method));
        }
        self.flows().insert(to, Element::exact(class));
        if self.flows().open {
            self.expose(class);
        }
    }

    /// The set of a field, and its type.
    fn field(&mut self, owner: NameId, field: SigId) -> (Set, Option<ClassId>) {
        let (name, descriptor) = self.world.names().parts(field);
        let descriptor = self.world.names().text(descriptor).to_vec();
        let of = match kinds(&descriptor).next() {
            Some(Kind::Class(name)) => Some(self.world.class(name)),
            _ => None,
        };
        let owner = self.world.class_of(owner);
        let found = self.field_class(owner, field);
        let foreign = found.is_none();
        let field = (found.unwrap_or(owner), field);
        let set = match self.flows().fields.get(&field) {
            Some(&known) => known,
            None => {
                let set = self.flows().add_sets(1);
                self.flows().fields.insert(field, set);
                if self.flows().shared.contains(&name) {
                    self.share_field(set, of);
                }
                set
            }
        };
        if foreign {
            self.share_field(set, of);
        }
        (set, of)
    }

    /// The class of the program that declares a field (JVMS 5.4.3.2).
    fn field_class(&mut self, owner: ClassId, field: SigId) -> Option<ClassId> {
        let supertypes = self.world.supertypes(owner);
        let declares =
            |walk: &mut Self, class| walk.world.is_program(class) && walk.world.flow(class).fields.contains(&field);
        supertypes.iter().copied().find(|&class| declares(self, class))
    }

    fn share_field(&mut self, set: Set, of: Option<ClassId>) {
        if let Some(of) = of {
            self.flows().insert(set, Element::outside(of));
            let shared = self.flows().uses[set as usize].iter().any(|it| matches!(it, Use::Flow(OUTSIDE, _)));
            if !shared {
                self.flows_to(set, OUTSIDE, None);
            }
        }
    }

    fn share_fields(&mut self, name: NameId) {
        if !self.flows().shared.insert(name) {
            return;
        }
        let fields: Vec<(SigId, Set)> = self.flows().fields.iter().map(|it| (it.0.1, *it.1)).collect();
        for (field, set) in fields {
            let (of_name, descriptor) = self.world.names().parts(field);
            let descriptor = self.world.names().text(descriptor).to_vec();
            if of_name == name
                && let Some(Kind::Class(class)) = kinds(&descriptor).next()
            {
                let of = self.world.class(class);
                self.share_field(set, Some(of));
            }
        }
    }

    fn flow_call(
        &mut self,
        here: Here,
        kind: InvokeKind,
        reference: MethodRef,
        args: Rc<[Set]>,
        to: Set,
        reason: Reason,
    ) {
        let Some((owner, resolved)) = self.resolved(here, kind, reference) else { return };
        let target = match kind {
            InvokeKind::Static => {
                let class = self.world.class_of_method(resolved);
                self.init(here.node, class, Reason::Init);
                resolved
            }
            InvokeKind::Special => match self.world.select_special(here.class, owner, resolved) {
                Ok(selected) => selected,
                Err(_) => return,
            },
            InvokeKind::Virtual | InvokeKind::Interface => {
                if matches!(self.world.get(owner).state, State::Array) {
                    // `clone` gives an array with the same elements.
                    let receiver = args.first().copied().unwrap_or(EMPTY);
                    self.flows_to(receiver, to, None);
                    return self.goto(here.node, resolved, reason);
                }
                if !self.is_bound(owner, resolved) {
                    let flows = self.flows();
                    let at = flows.sites.len() as u32;
                    let receiver = args.first().copied().unwrap_or(EMPTY);
                    flows.sites.push(Site { node: LATER, from: here.node, reason, owner, method: resolved, args, to });
                    return self.uses(receiver, Use::Call(at));
                }
                resolved
            }
        };
        if self.world.row(target).is(access::ABSTRACT) {
            return;
        }
        if kind == InvokeKind::Static {
            self.goto(here.node, target, reason);
            return self.link(target, &args, to, None, 0);
        }
        let flows = self.flows();
        let at = flows.sites.len() as u32;
        let receiver = args.first().copied().unwrap_or(EMPTY);
        flows.sites.push(Site { node: LATER, from: here.node, reason, owner, method: target, args, to });
        self.uses(receiver, Use::Bound(at));
    }

    /// There is an object on which this call can be made.
    fn call_bound(&mut self, at: u32, element: Element) {
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

    /// The method of a lambda's object: it calls the target with what was captured and what it is given.
    pub(super) fn lambda_body(&mut self, here: Here, handle: Handle, captured: &[Set]) {
        let Some((base, result)) = self.parameters(here.method) else { return };
        let row = self.world.row(here.method);
        let descriptor = self.world.names().descriptor_of(row.sig).to_vec();
        let mut args = captured.to_vec();
        let mut local = LOCALS + 1;
        for kind in kinds(crate::bootstrap::split(&descriptor).0) {
            match kind {
                Kind::Number(slots) => {
                    args.push(EMPTY);
                    local += slots as u32;
                }
                Kind::Class(_) => {
                    args.push(base + local);
                    local += 1;
                }
            }
        }
        let (kind, mut to) = match handle.kind {
            5 => (InvokeKind::Virtual, base + result),
            6 => (InvokeKind::Static, base + result),
            7 => (InvokeKind::Special, base + result),
            8 => (InvokeKind::Special, base + result),
            9 => (InvokeKind::Interface, base + result),
            _ => return,
        };
        if handle.kind == 8 {
            let class = self.world.class_of(handle.member.owner);
            self.init(here.node, class, Reason::Init);
            self.made(here, class, to);
            args.insert(0, to);
            to = EMPTY;
        }
        self.flow_call(here, kind, handle.member, args.into(), to, Reason::Lambda);
    }

    pub(super) fn captured(&self, class: ClassId) -> Option<Rc<[Set]>> {
        self.flows.as_ref()?.captured.get(&class).cloned()
    }
}
