//! Names and members that methods of the program hand to reflection: put together, handed in by callers, or read from a file
//! of the class path.

use super::Walk;
use super::facts::Here;
use crate::fast::{FastMap, FastSet};
use crate::texts::{Pattern, Summary, Use, Value};
use crate::{Body, ClassId, ContainerKind, Fact, MethodIx, NameId, Node, Reason, access};
use std::rc::Rc;

/// Through so many callers a name is followed to where it is put together.
const MOST_CALLERS: usize = 5;
/// So many uses of one method are told apart; beyond, callers that say more are not looked at.
const MOST_USES: usize = 256;
/// With fewer known bytes a name may be any class.
const FEWEST_BYTES: usize = 3;
/// Longer files of the class path are no lists of names.
const LONGEST_RESOURCE: usize = 1 << 20;
/// What makes a method ask reflection for something.
const ASKS: u16 = Body::TAKES_CLASS_NAMES | Body::LOOKS_UP_MEMBERS | Body::LISTS_MEMBERS | Body::READS_RESOURCES;

/// Names of classes as `Class.forName` takes them, with their numbers; sorted.
type DottedNames = Rc<[(Vec<u8>, NameId)]>;

/// A use of reflection on its way from the method that asks to its callers.
#[derive(Clone, PartialEq, Eq)]
struct Asked {
    /// The method that asks.
    by: MethodIx,
    /// What is asked for, in terms of the parameters of the method whose callers come next.
    used: Use,
}

impl Asked {
    /// The same in a caller that hands in these arguments.
    fn with(&self, arguments: &[Value]) -> Self {
        Self { by: self.by, used: self.used.map(|value| value.substitute(arguments)) }
    }
}

/// By node: uses that its callers decide.
type Level = FastMap<u32, Vec<Asked>>;

/// What is known so far.
#[derive(Default)]
pub(super) struct Computed {
    /// How many nodes and edges were looked at.
    nodes: usize,
    edges: usize,
    /// Nodes of methods that ask reflection.
    asking: Vec<u32>,
    summaries: FastMap<MethodIx, Rc<Summary>>,
    /// By node: uses that were followed.
    applied: FastMap<u32, Vec<Asked>>,
    /// The program's classes, with dots, sorted.
    names: Option<DottedNames>,
    resources: FastSet<Vec<u8>>,
    /// Methods that ask for classes of which no part of the name is known.
    unknown: FastSet<MethodIx>,
    /// Methods that ask for classes by what callers hand in, where no caller that is known does.
    uncalled: FastSet<MethodIx>,
}

impl Computed {
    /// The methods that ask for classes of which no part of the name is known.
    pub(super) fn unnamed(self) -> impl Iterator<Item = MethodIx> {
        self.unknown.into_iter().chain(self.uncalled)
    }
}

impl Walk<'_, '_> {
    /// Follows what new methods and new callers hand to reflection.
    pub(super) fn compute(&mut self) {
        if self.computed.edges == self.edges.len() && self.computed.nodes == self.nodes.len() {
            return;
        }
        for node in self.computed.nodes..self.nodes.len() {
            if let Node::Method(method) = self.nodes[node]
                && self.here(node as u32, method).is_some_and(|here| here.body.flags & ASKS != 0)
            {
                self.computed.asking.push(node as u32);
            }
        }
        self.computed.nodes = self.nodes.len();
        self.computed.edges = self.edges.len();
        self.computed.uncalled.clear();
        let mut level = Level::default();
        for node in self.computed.asking.clone() {
            let Node::Method(method) = self.nodes[node as usize] else { continue };
            for used in self.summary(method).uses.clone() {
                let asked = Asked { by: method, used };
                if asked.used.depends_on_parameters() {
                    level.entry(node).or_default().push(asked);
                } else {
                    self.follow_use(node, asked);
                }
            }
        }
        for depth in 0..MOST_CALLERS {
            level = self.ask_callers(level, depth + 1 < MOST_CALLERS);
        }
    }

    /// Puts what callers hand in into the uses of the methods that they call, and follows them. What depends on callers of
    /// these callers in turn is the next level; none where there is to be no further one.
    fn ask_callers(&mut self, level: Level, further: bool) -> Level {
        let mut next = Level::default();
        let mut called: FastSet<u32> = FastSet::default();
        for (caller, target) in self.callers(&level) {
            let Node::Method(method) = self.nodes[target as usize] else { continue };
            let sig = self.world.row(method).sig;
            called.insert(target);
            let uses = level.get(&target).map_or(&[][..], Vec::as_slice);
            for handed in self.handed(caller, sig) {
                let Some(arguments) = handed else {
                    // The same for each such caller, so it is the called method that leads there.
                    for asked in uses {
                        self.follow_use(target, asked.with(&[]));
                    }
                    continue;
                };
                for asked in uses.iter().map(|asked| asked.with(&arguments)) {
                    let uses = next.entry(caller).or_default();
                    if asked.used.depends_on_parameters() && further {
                        if uses.len() < MOST_USES && !uses.contains(&asked) {
                            uses.push(asked);
                        }
                    } else {
                        self.follow_use(caller, asked);
                    }
                }
            }
        }
        for (node, uses) in &level {
            let asks = uses.iter().filter(|asked| matches!(asked.used, Use::ClassName(_)));
            if !called.contains(node) {
                self.computed.uncalled.extend(asks.map(|asked| asked.by));
            }
        }
        next.retain(|_, uses| !uses.is_empty());
        next
    }

    /// The arguments of each call of a signature by a method of the program; none where nothing is known of them.
    fn handed(&mut self, caller: u32, sig: crate::SigId) -> Vec<Option<Vec<Value>>> {
        let Node::Method(method) = self.nodes[caller as usize] else { return Vec::new() };
        if !self.world.is_program(self.world.class_of_method(method)) {
            return Vec::new();
        }
        let summary = self.summary(method);
        let calls = summary.calls.iter().filter(|call| call.sig == sig).map(|call| Some(call.arguments.clone()));
        calls.chain(summary.blind_calls.contains(&sig).then_some(None)).collect()
    }

    /// The callers of these nodes, with what they call, through virtual calls too.
    fn callers(&self, targets: &Level) -> Vec<(u32, u32)> {
        let mut through: FastMap<u32, Vec<u32>> = FastMap::default();
        let is_method = |node: u32| matches!(self.nodes[node as usize], Node::Method(_));
        for edge in self.edges.iter().filter(|edge| targets.contains_key(&edge.to) && !is_method(edge.from)) {
            through.entry(edge.from).or_default().push(edge.to);
        }
        let mut found = Vec::new();
        for edge in self.edges.iter().filter(|edge| is_method(edge.from)) {
            if targets.contains_key(&edge.to) {
                found.push((edge.from, edge.to));
            }
            found.extend(through.get(&edge.to).into_iter().flatten().map(|&to| (edge.from, to)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn summary(&mut self, method: MethodIx) -> Rc<Summary> {
        if let Some(known) = self.computed.summaries.get(&method) {
            return known.clone();
        }
        let summary = Rc::new(self.world.summary(method));
        self.computed.summaries.insert(method, summary.clone());
        summary
    }

    /// The place of a method of the program that has code.
    fn here(&mut self, node: u32, method: MethodIx) -> Option<Here> {
        let class = self.world.class_of_method(method);
        if !self.world.is_program(class) || !self.world.has_code(method) {
            return None;
        }
        let position = self.world.position(method);
        let body = *self.world.code(class).bodies.get(position)?;
        Some(Here { node, method, class, body, position })
    }

    /// What a use leads to.
    fn follow_use(&mut self, node: u32, asked: Asked) {
        let Node::Method(method) = self.nodes[node as usize] else { return };
        let Some(here) = self.here(node, method) else { return };
        let applied = self.computed.applied.entry(node).or_default();
        if applied.contains(&asked) {
            return;
        }
        applied.push(asked.clone());
        let Asked { by, used } = asked;
        match used {
            Use::ClassName(name) => {
                for pattern in name.texts().all() {
                    self.class_by_pattern(by, here, pattern);
                }
            }
            Use::Method { class: Value::Class(class), name } => self.methods_by_name(here, class, &name),
            Use::Methods(Value::Class(class)) => self.listed_methods(here, class),
            Use::Classes(Value::Class(class)) => {
                let outer = [self.world.names().text(class), b"$"].concat();
                let outer: Vec<u8> = outer.iter().map(|&b| if b == b'/' { b'.' } else { b }).collect();
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
            Use::Method { .. } | Use::Methods(_) | Use::Classes(_) | Use::Fields(_) => {}
        }
    }

    /// The classes of the program that a name with gaps, for which a method asks, can mean.
    fn class_by_pattern(&mut self, by: MethodIx, here: Here, pattern: &Pattern) {
        let pattern = if pattern.bytes().contains(&b'/') { pattern.replace(b'/', b'.') } else { pattern.clone() };
        if pattern.exact().is_none() && pattern.known_bytes() < FEWEST_BYTES {
            self.computed.unknown.insert(by);
            return;
        }
        let names = self.program_names();
        let prefix = pattern.prefix();
        let first = names.partition_point(|name| name.0.as_slice() < prefix);
        let within = names.iter().skip(first).take_while(|name| name.0.starts_with(prefix));
        let found: Vec<NameId> = within.filter(|name| pattern.matches(&name.0)).map(|name| name.1).collect();
        for name in found {
            self.named(here, name);
        }
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

    /// The methods that a class of the program declares or inherits and whose names can be meant.
    fn methods_by_name(&mut self, here: Here, class: NameId, name: &Value) {
        let texts = name.texts();
        for (above, method) in self.own_methods(class) {
            let text = self.world.names().name_of(self.world.row(method).sig);
            if texts.all().iter().any(|pattern| pattern.matches(text)) {
                self.reflected(here, above, method);
            }
        }
    }

    /// The methods of a class that another one lists: all; or those with an annotation for which it asks.
    fn listed_methods(&mut self, here: Here, class: NameId) {
        let asked = self.annotation_constants(here);
        for (above, method) in self.own_methods(class) {
            let code = self.world.code(above);
            let has = |fact: &Fact| matches!(fact, Fact::Annotated(name) if asked.contains(name));
            if asked.is_empty() || code.facts(self.world.position(method)).iter().any(has) {
                self.reflected(here, above, method);
            }
        }
    }

    /// The annotations of the program that are class constants of a method.
    fn annotation_constants(&mut self, here: Here) -> Vec<NameId> {
        let code = self.world.code(here.class);
        let constants = code.facts(here.position).iter().filter_map(|fact| match fact {
            Fact::ClassConstant(name) => Some(*name),
            _ => None,
        });
        let constants: Vec<NameId> = constants.filter(|&name| self.world.in_program(name)).collect();
        let is_annotation = |&name: &NameId| {
            let class = self.world.class_of(name);
            self.world.get(class).access & access::ANNOTATION != 0
        };
        constants.into_iter().filter(is_annotation).collect()
    }

    /// The methods that a class of the program declares or inherits from others of the program, without constructors and
    /// initialisers.
    fn own_methods(&mut self, class: NameId) -> Vec<(ClassId, MethodIx)> {
        if !self.world.in_program(class) {
            return Vec::new();
        }
        let class = self.world.class_of(class);
        let mut found = Vec::new();
        for &above in self.world.supertypes(class).iter().filter(|&&above| self.world.is_program(above)) {
            let is_method =
                |&method: &MethodIx| !self.world.names().name_of(self.world.row(method).sig).starts_with(b"<");
            found.extend(self.world.methods_of(above).filter(is_method).map(|method| (above, method)));
        }
        found
    }

    /// The classes of the program that a file of the class path names. `name` is absolute, or relative to the method's class.
    fn resource(&mut self, here: Here, name: &[u8]) {
        let own = self.world.internal_name(here.class);
        let folder = own.iter().rposition(|&b| b == b'/').map_or(&b""[..], |end| &own[..=end]);
        let absolute = name.strip_prefix(b"/").unwrap_or(name).to_vec();
        let relative = [folder, name].concat();
        for name in [absolute, relative] {
            if !self.computed.resources.insert(name.clone()) {
                continue;
            }
            let Some(bytes) = self.world.resource(&name).filter(|bytes| bytes.len() <= LONGEST_RESOURCE) else {
                continue;
            };
            for word in words(&bytes) {
                let Some(name) = self.world.names().find(&word) else { continue };
                if self.world.in_program(name) {
                    self.named(here, name);
                }
            }
        }
    }
}

/// The words of a text file that read as names of classes in packages, in internal form.
fn words(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let is_part = |b: &u8| matches!(b, b'.' | b'/' | b'$' | b'_' | 0x80..) || b.is_ascii_alphanumeric();
    text.split(move |b| !is_part(b))
        .filter(|word| word.len() <= 255 && word.iter().any(|b| matches!(b, b'.' | b'/')))
        .map(|word| {
            let word = word.strip_suffix(b".class").unwrap_or(word);
            word.iter().map(|&b| if b == b'.' { b'/' } else { b }).collect()
        })
}
