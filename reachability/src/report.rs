//! Reports on a result: statistics, missing classes and methods, the graph as DOT.

use crate::code::is_identifier;
use crate::{
    Body, ClassCode, ClassId, Fact, MethodIx, NameId, Node, Reached, Reason, Unresolved, World,
    access,
};
use jfathom_plan::{MethodKey, Unfollowed, UnfollowedCounts, quoted_class};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Counts over the reached methods.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Methods of the program with code.
    pub methods: usize,
    /// Classes of the program that have such methods.
    pub classes: usize,
    /// Methods of the JDK.
    pub jdk_methods: usize,
    /// Call instructions in the program's methods.
    pub call_sites: usize,
    /// Methods of the program that call `Method.invoke` or `Constructor.newInstance`. Only
    /// constants show their targets.
    pub reflective: usize,
    /// Counts of calls that the analysis could not follow.
    pub unfollowed: UnfollowedCounts,
    /// The program's methods by package, with dots.
    pub by_package: BTreeMap<String, usize>,
    /// The program's methods by the last reason of their shortest path, without roots.
    pub by_reason: BTreeMap<Reason, usize>,
}

/// A missing class or method that reached methods name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    /// The class, with dots; or the method of a class, as selectors name it.
    pub what: String,
    /// Number of references.
    pub references: usize,
    /// One of the methods that name it.
    pub from: MethodKey,
}

impl Reached {
    /// The counts.
    pub fn statistics(&self, world: &mut World<'_>) -> Statistics {
        let mut statistics = Statistics::default();
        let mut current: Option<OfClass> = None;
        for (method, reason) in self.reasons() {
            let class = world.class_of_method(method);
            if !world.is_program(class) {
                statistics.jdk_methods += usize::from(world.container_of(class).is_some());
                continue;
            }
            if world.access_of(method) & access::NATIVE != 0 {
                statistics.unfollowed.add(Unfollowed::NativeMethod, 1);
            }
            if !world.has_code(method) {
                continue;
            }
            let of_class = match current.take() {
                Some(known) if known.class == class => current.insert(known),
                other => {
                    other.into_iter().for_each(|done| done.count(world, &mut statistics));
                    current.insert(OfClass { class, code: world.code(class), methods: 0 })
                }
            };
            of_class.methods += 1;
            let code = &of_class.code;
            let body = code.bodies.get(world.position(method)).copied().unwrap_or_default();
            statistics.call_sites += body.call_sites as usize;
            statistics.reflective +=
                usize::from(body.has(Body::INVOKES) || body.has(Body::CONSTRUCTS));
            let unnamed = self.unnamed().binary_search(&method).is_ok();
            let looks_up = self.unfollowed_lookups().binary_search(&method).is_ok();
            let found =
                Found { unnamed, looks_up, names_member: names_member(world, method, code) };
            unfollowed(code, world.position(method), found, &mut statistics.unfollowed);
            if let Some(reason) = reason {
                *statistics.by_reason.entry(reason).or_default() += 1;
            }
        }
        current.into_iter().for_each(|done| done.count(world, &mut statistics));
        let missing = self.missing(world).len();
        statistics.unfollowed.add(Unfollowed::Missing, u32::try_from(missing).unwrap_or(u32::MAX));
        statistics
    }

    /// Missing classes and methods that reached methods of the program name, each once, sorted. A
    /// missing class stands for all its members.
    pub fn missing(&self, world: &World<'_>) -> Vec<Missing> {
        let mut found: BTreeMap<String, (usize, MethodIx)> = BTreeMap::new();
        for reference in self
            .dangling
            .iter()
            .filter(|reference| world.is_program(world.class_of_method(reference.from)))
        {
            let dotted = |class| quoted_class(&world.class_name(class));
            let what = match (reference.why, reference.sig) {
                (Unresolved::NoClass(class) | Unresolved::NoSupertype(class), _) => dotted(class),
                (_, Some(sig)) => {
                    let (name, descriptor) = world.names().parts(sig);
                    let key = MethodKey {
                        class: world.class_name(reference.owner),
                        name: world.names().show(name),
                        descriptor: world.names().show(descriptor),
                    };
                    key.selector()
                }
                (_, None) => dotted(reference.owner),
            };
            found.entry(what).or_insert((0, reference.from)).0 += 1;
        }
        let row = |(what, (references, from))| Missing { what, references, from: world.key(from) };
        found.into_iter().map(row).collect()
    }

    /// The reached part of the call graph in Graphviz's language. Without `with_jdk`, methods of
    /// the JDK and the paths through them are left out.
    pub fn dot(&self, world: &World<'_>, with_jdk: bool) -> String {
        let graph = self.graph();
        let shown = |node: Node| {
            with_jdk
                || node_class(world, node).is_some_and(|class| {
                    world.container_of(class).is_none() || world.is_program(class)
                })
        };
        let mut out =
            String::from("digraph calls {\n  node [shape=box, fontname=\"monospace\"];\n");
        for at in graph.node_indices().filter(|&at| shown(graph[at])) {
            let style = if matches!(graph[at], Node::Method(_)) { "" } else { ", style=dashed" };
            let label = label(world, graph[at]).replace('\\', "\\\\").replace('"', "\\\"");
            let _infallible = writeln!(out, "  n{} [label=\"{label}\"{style}];", at.index());
        }
        let mut lines = BTreeSet::new();
        for edge in graph.edge_indices() {
            let Some((from, to)) = graph.edge_endpoints(edge) else { continue };
            if shown(graph[from]) && shown(graph[to]) {
                lines.insert((from.index(), to.index(), graph[edge]));
            }
        }
        for (from, to, reason) in lines {
            let _infallible = writeln!(out, "  n{from} -> n{to} [label=\"{reason}\"];");
        }
        out.push_str("}\n");
        out
    }
}

/// The reached methods of one class.
struct OfClass {
    class: ClassId,
    code: Arc<ClassCode>,
    methods: usize,
}

impl OfClass {
    fn count(self, world: &World<'_>, statistics: &mut Statistics) {
        let name = world.class_name(self.class);
        let package =
            name.rsplit_once('/').map_or(String::new(), |split| split.0.replace('/', "."));
        *statistics.by_package.entry(package).or_default() += self.methods;
        statistics.methods += self.methods;
        statistics.classes += 1;
    }
}

/// What the analysis found of a method, beside its code.
#[derive(Clone, Copy)]
struct Found {
    /// It loads classes by unknown names.
    unnamed: bool,
    /// It looks up methods by unknown names in unknown classes.
    looks_up: bool,
    /// A constant in it names a method that it looks up.
    names_member: bool,
}

/// Whether a constant in a method may be the name of a method that it looks up: an identifier, or
/// the name of a method of its own class or of a class constant.
fn names_member(world: &World<'_>, method: MethodIx, code: &ClassCode) -> bool {
    let position = world.position(method);
    let is_lookup = code.bodies.get(position).is_some_and(|body| body.has(Body::LOOKS_UP_MEMBERS));
    let facts = code.facts(position);
    let own = world.class_of_method(method);
    let constants = || {
        facts.iter().filter_map(|fact| match fact {
            Fact::ClassConstant(name) => world.known(*name),
            _ => None,
        })
    };
    let has_method = |wanted: NameId| {
        std::iter::once(own).chain(constants()).any(|class| {
            let names = world.names();
            world.methods_of(class).any(|method| names.parts(world.row(method).sig).0 == wanted)
        })
    };
    is_lookup
        && facts.iter().any(|fact| match fact {
            Fact::MemberName(name) => is_identifier(world.names().text(*name)) || has_method(*name),
            _ => false,
        })
}

/// Counts calls of program methods that no constant in the code names.
fn unfollowed(code: &ClassCode, position: usize, found: Found, counts: &mut UnfollowedCounts) {
    let body = code.bodies.get(position).copied().unwrap_or_default();
    let facts = code.facts(position);
    let has = |wanted: fn(&Fact) -> bool| facts.iter().any(wanted);
    let names_class = body.has(Body::LOOKS_UP_CONSTRUCTORS)
        && has(|fact| matches!(fact, Fact::ClassConstant(_) | Fact::ForName(_)));
    let rows = [
        (
            Unfollowed::ReflectiveCall,
            found.looks_up || body.has(Body::INVOKES) && !found.names_member,
        ),
        (Unfollowed::ReflectiveConstruction, body.has(Body::CONSTRUCTS) && !names_class),
        (Unfollowed::ComputedClassName, found.unnamed),
        (
            Unfollowed::UnreadableCode,
            code.broken.iter().any(|broken| usize::from(broken.0) == position),
        ),
    ];
    for (reason, _) in rows.into_iter().filter(|row| row.1) {
        counts.add(reason, 1);
    }
}

fn node_class(world: &World<'_>, node: Node) -> Option<ClassId> {
    Some(match node {
        Node::Method(method) => world.class_of_method(method),
        Node::Dispatch { owner, .. } => owner,
        Node::Init(class) => class,
    })
}

/// Label of a node: a method as a selector.
pub(crate) fn label(world: &World<'_>, node: Node) -> String {
    let dotted = |class| quoted_class(&world.class_name(class));
    match node {
        Node::Method(method) => world.key(method).to_string(),
        Node::Dispatch { owner, method } => {
            format!("any {}", MethodKey { class: world.class_name(owner), ..world.key(method) })
        }
        Node::Init(class) => format!("initialise {}", dotted(class)),
    }
}

impl World<'_> {
    /// A node for people: a method as selectors name it, `any a.B::c()V`, `initialise a.B`.
    pub fn label(&self, node: Node) -> String {
        label(self, node)
    }
}
