//! Names and members that methods of the program pass to reflection: concatenated, passed by
//! callers, or read from a file of the class path.

use super::analysis::Analysis;
use super::callers::{Asked, Meeting};
use super::state::{CurrentMethod, DottedNames};
use crate::texts::{Pattern, Summary, Use, Value};
use crate::{Body, ClassId, ContainerKind, Fact, MethodIx, NameId, Node, Reason, access};
use std::rc::Rc;

/// Bound on the callers through which a use is passed.
const MOST_CALLERS: usize = 5;
/// A name with fewer known letters and digits could be any class.
const FEWEST_BYTES: usize = 3;
/// If a name with gaps matches more classes, it counts as unknown. An example is `X + "Impl"` in a
/// program with a hundred libraries.
const MOST_CLASSES: usize = 256;
/// The same bound for a name whose beginning is known, such as a package.
const MOST_CLASSES_BELOW: usize = 1024;
/// Longer files of the class path are not lists of names.
const LONGEST_RESOURCE: usize = 1 << 20;
/// Flags of methods that use reflection.
const ASKS: u16 =
    Body::TAKES_CLASS_NAMES | Body::LOOKS_UP_MEMBERS | Body::LISTS_MEMBERS | Body::READS_RESOURCES;

impl Analysis<'_, '_> {
    /// Adds a method that loads classes by entirely unknown names.
    pub(super) fn asks_for_any(&mut self, method: MethodIx) {
        self.computed.unknown.insert(method);
    }

    /// Follows what new methods and new callers pass to reflection.
    pub(super) fn compute(&mut self) {
        let mut asking = Vec::new();
        for node in self.computed.nodes..self.nodes.len() {
            if let Node::Method(method) = self.nodes[node]
                && self.here(node as u32, method).is_some_and(|here| here.body.flags & ASKS != 0)
            {
                asking.push((node as u32, method));
            }
        }
        self.computed.nodes = self.nodes.len();
        self.summarize(asking.iter().map(|&(_, method)| method));
        for (node, method) in asking {
            for used in self.summary(method).uses.clone() {
                self.hand_on(node, Asked { by: method, used, depth: 0 });
            }
        }
        // Following a use adds edges. They are linked by a later call, when the methods to which
        // they lead have been followed.
        self.computed.callers.link(&self.nodes, &self.edges);
        loop {
            let meetings = self.computed.callers.take_open();
            if meetings.is_empty() {
                return;
            }
            let nodes = meetings.iter().map(|meeting| self.nodes[meeting.caller as usize]);
            let methods: Vec<MethodIx> = nodes
                .filter_map(
                    |node| if let Node::Method(method) = node { Some(method) } else { None },
                )
                .filter(|&method| self.world.is_program(self.world.class_of_method(method)))
                .collect();
            self.summarize(methods);
            meetings.into_iter().for_each(|meeting| self.meet(meeting));
        }
    }

    /// Passes a use to the callers if they decide it. Otherwise follows it.
    fn hand_on(&mut self, node: u32, asked: Asked) {
        if asked.used.depends_on_parameters() && asked.depth < MOST_CALLERS {
            let is_root = match self.nodes[node as usize] {
                Node::Method(method) => self.query.roots.contains(&method),
                _ => false,
            };
            // Who calls a root is not in the call subgraph, and may pass anything.
            if is_root {
                self.follow_use(node, asked.with(&[]));
            }
            let (by, is_name) = (asked.by, matches!(asked.used, Use::ClassName(_)));
            if !self.computed.callers.store(&self.nodes, &self.edges, node, asked) && is_name {
                self.asks_for_any(by);
            }
        } else {
            self.follow_use(node, asked);
        }
    }

    /// Puts a caller's arguments into a use of its callee.
    fn meet(&mut self, meeting: Meeting) {
        let Meeting { caller, target, .. } = meeting;
        let (Node::Method(calling), Node::Method(called)) =
            (self.nodes[caller as usize], self.nodes[target as usize])
        else {
            return;
        };
        if !self.world.is_program(self.world.class_of_method(calling)) {
            return;
        }
        let Some(asked) = self.computed.callers.asked(meeting) else { return };
        let sig = self.world.row(called).sig;
        let summary = self.summary(calling);
        for call in summary.calls.iter().filter(|call| call.sig == sig) {
            self.hand_on(caller, asked.with(&call.arguments));
        }
        if summary.blind_calls.contains(&sig) {
            // The result is the same for all such callers, so the edges begin at the callee.
            self.follow_use(target, asked.with(&[]));
        }
    }

    fn summary(&mut self, method: MethodIx) -> Rc<Summary> {
        self.summarize([method]);
        self.computed.summaries.get(&method).cloned().unwrap_or_default()
    }

    /// Makes the missing summaries of methods, class by class.
    fn summarize(&mut self, methods: impl IntoIterator<Item = MethodIx>) {
        let mut new: Vec<(ClassId, MethodIx)> = methods
            .into_iter()
            .filter(|method| !self.computed.summaries.contains_key(method))
            .map(|method| (self.world.class_of_method(method), method))
            .collect();
        new.sort_unstable();
        new.dedup();
        for of_class in new.chunk_by(|a, b| a.0 == b.0) {
            let methods: Vec<MethodIx> = of_class.iter().map(|&(_, method)| method).collect();
            let summaries = self.world.summaries(of_class[0].0, &methods);
            self.computed
                .summaries
                .extend(methods.into_iter().zip(summaries.into_iter().map(Rc::new)));
        }
    }

    /// The node with its code, if it is a method of the program and has code.
    fn here(&mut self, node: u32, method: MethodIx) -> Option<CurrentMethod> {
        let class = self.world.class_of_method(method);
        if !self.world.is_program(class) || !self.world.has_code(method) {
            return None;
        }
        let position = self.world.position(method);
        let body = *self.world.code(class).bodies.get(position)?;
        Some(CurrentMethod { node, method, class, body, position })
    }

    /// Adds the edges of a use.
    fn follow_use(&mut self, node: u32, asked: Asked) {
        let Node::Method(method) = self.nodes[node as usize] else { return };
        let Some(here) = self.here(node, method) else { return };
        let applied = self.computed.applied.entry(node).or_default();
        if applied.iter().any(|known| known.is_same(&asked)) {
            return;
        }
        applied.push(asked.clone());
        let Asked { by, used, .. } = asked;
        match used {
            Use::ClassName(name) => {
                for pattern in name.texts().all() {
                    self.class_by_pattern(by, here, pattern);
                }
            }
            Use::Method { class: Value::Class(class), name } => {
                self.methods_by_name(here, class, &name)
            }
            Use::Methods(Value::Class(class)) => self.listed_methods(here, class),
            Use::Classes(Value::Class(class)) => {
                let outer = [self.world.names().text(class), b"$"].concat();
                let outer: Vec<u8> =
                    outer.iter().map(|&b| if b == b'/' { b'.' } else { b }).collect();
                self.class_by_pattern(by, here, &Pattern::text(&outer).then(&Pattern::any()));
            }
            Use::Fields(Value::Class(class)) if here.body.has(Body::LOOKS_UP_CONSTRUCTORS) => {
                let class = self.world.class_of(class);
                for name in self.world.field_types(class) {
                    if self.world.in_program(name) {
                        let class = self.world.class_of(name);
                        self.instantiate(here, class, Reason::Reflection);
                    }
                }
            }
            Use::Resource(name) => {
                for pattern in name.texts().all() {
                    if let Some(name) = pattern.exact() {
                        self.resource(here, name);
                    }
                }
            }
            Use::Method { name, .. } => {
                if name.texts().all().iter().any(|name| name.exact().is_none()) {
                    self.computed.unfollowed_lookups.insert(by);
                }
            }
            Use::Methods(_) | Use::Classes(_) | Use::Fields(_) => {}
        }
    }

    /// Loads the program's classes whose names match the pattern. `by` is the method that loads
    /// them.
    fn class_by_pattern(&mut self, by: MethodIx, here: CurrentMethod, pattern: &Pattern) {
        let pattern = if pattern.bytes().contains(&b'/') {
            pattern.replace(b'/', b'.')
        } else {
            pattern.clone()
        };
        if pattern.exact().is_none() && pattern.known_bytes() < FEWEST_BYTES {
            self.computed.unknown.insert(by);
            return;
        }
        let Some(found) = self.matching_classes(pattern) else {
            self.computed.unknown.insert(by);
            return;
        };
        for &name in found.iter() {
            self.named(here, name);
        }
    }

    /// The classes of the program whose names with dots match; `None` if too many do.
    fn matching_classes(&mut self, pattern: Pattern) -> Option<Rc<[NameId]>> {
        if let Some(known) = self.computed.matching.get(&pattern) {
            return known.clone();
        }
        let names = self.program_names();
        let prefix = pattern.prefix();
        let first = names.partition_point(|name| name.0.as_slice() < prefix);
        let within = names.iter().skip(first).take_while(|name| name.0.starts_with(prefix));
        let most = match (pattern.exact().is_some(), prefix.len() < FEWEST_BYTES) {
            (true, _) => usize::MAX,
            (false, true) => MOST_CLASSES,
            (false, false) => MOST_CLASSES_BELOW,
        };
        let matching = within.filter(|name| pattern.matches(&name.0)).map(|name| name.1);
        let found: Vec<NameId> = matching.take(most.saturating_add(1)).collect();
        let found = (found.len() <= most).then(|| found.into());
        self.computed.matching.insert(pattern, found.clone());
        found
    }

    fn program_names(&mut self) -> DottedNames {
        if let Some(known) = &self.computed.names {
            return known.clone();
        }
        let all = self.world.all_classes(ContainerKind::Program);
        let dotted = |name: NameId| {
            let text = self.world.names().text(name);
            (text.iter().map(|&b| if b == b'/' { b'.' } else { b }).collect::<Vec<u8>>(), name)
        };
        let mut names: Vec<(Vec<u8>, NameId)> = all.into_iter().map(dotted).collect();
        names.sort_unstable();
        let names: DottedNames = names.into();
        self.computed.names = Some(names.clone());
        names
    }

    /// Reaches the methods of a program class whose names match, declared or inherited.
    fn methods_by_name(&mut self, here: CurrentMethod, class: NameId, name: &Value) {
        let texts = name.texts();
        for (above, method) in self.own_methods(class) {
            let text = self.world.names().name_of(self.world.row(method).sig);
            if texts.all().iter().any(|pattern| pattern.matches(text)) {
                self.reflected(here, above, method);
            }
        }
    }

    /// Reaches the methods of a class whose members another class lists. If that one names
    /// annotations of the program, only methods with one of them count.
    fn listed_methods(&mut self, here: CurrentMethod, class: NameId) {
        let asked = self.annotation_constants(here);
        for (above, method) in self.own_methods(class) {
            let code = self.world.code(above);
            let has = |fact: &Fact| matches!(fact, Fact::Annotated(name) if asked.contains(name));
            if asked.is_empty() || code.facts(self.world.position(method)).iter().any(has) {
                self.reflected(here, above, method);
            }
        }
    }

    /// The annotations of the program among a method's class constants.
    fn annotation_constants(&mut self, here: CurrentMethod) -> Vec<NameId> {
        let code = self.world.code(here.class);
        let constants = code.facts(here.position).iter().filter_map(|fact| match fact {
            Fact::ClassConstant(name) => Some(*name),
            _ => None,
        });
        let constants: Vec<NameId> =
            constants.filter(|&name| self.world.in_program(name)).collect();
        let is_annotation = |&name: &NameId| {
            let class = self.world.class_of(name);
            self.world.get(class).access & access::ANNOTATION != 0
        };
        constants.into_iter().filter(is_annotation).collect()
    }

    /// The methods that a class of the program declares or inherits from others of the program,
    /// without constructors and initialisers.
    fn own_methods(&mut self, class: NameId) -> Vec<(ClassId, MethodIx)> {
        if !self.world.in_program(class) {
            return Vec::new();
        }
        let class = self.world.class_of(class);
        let mut found = Vec::new();
        for &above in
            self.world.supertypes(class).iter().filter(|&&above| self.world.is_program(above))
        {
            let is_method = |&method: &MethodIx| {
                !self.world.names().name_of(self.world.row(method).sig).starts_with(b"<")
            };
            found.extend(
                self.world.methods_of(above).filter(is_method).map(|method| (above, method)),
            );
        }
        found
    }

    /// Loads the program's classes that a file of the class path names. `name` is absolute, or
    /// relative to the method's class.
    fn resource(&mut self, here: CurrentMethod, name: &[u8]) {
        let own = self.world.internal_name(here.class);
        let folder = own.iter().rposition(|&b| b == b'/').map_or(&b""[..], |end| &own[..=end]);
        let absolute = name.strip_prefix(b"/").unwrap_or(name).to_vec();
        let relative = [folder, name].concat();
        for name in [absolute, relative] {
            if !self.computed.resources.insert(name.clone()) {
                continue;
            }
            let Some(bytes) =
                self.world.resource(&name).filter(|bytes| bytes.len() <= LONGEST_RESOURCE)
            else {
                continue;
            };
            for word in words(&bytes) {
                let word = String::from_utf8_lossy(&word);
                let word = classfile_writer::mutf8::encode(&word);
                let Some(name) = self.world.names().find(&word) else { continue };
                if self.world.in_program(name) {
                    self.named(here, name);
                }
            }
        }
    }
}

/// The words of a text file with the form of a class name in a package, in internal form.
fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let is_part =
        |b: &u8| matches!(b, b'.' | b'/' | b'$' | b'_' | 0x80..) || b.is_ascii_alphanumeric();
    text.split(move |b| !is_part(b))
        .filter(|word| word.len() <= 255 && word.iter().any(|b| matches!(b, b'.' | b'/')))
        .map(|word| {
            let word = word.strip_suffix(b".class").unwrap_or(word);
            word.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect()
        })
}
