//! The graph of the methods to instrument, in Graphviz's language.

use super::method_table::KeyRef;
use super::outcome::{PlanOutcome, PlanReason};
use crate::root_query::{RootQuery, StartReason};
use jfathom_plan::printable;
use jfathom_reachability::{Node, Reason};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write,
};

/// The graph: a box per method, grouped by class, and a point per virtual call. A method to which
/// neither leads has a path through the JDK; a dashed line connects it with the program's method
/// before it.
pub(super) fn write(outcome: &PlanOutcome, query: &RootQuery<'_>) -> String {
    let numbers: HashMap<KeyRef<'_>, usize> =
        outcome.methods.iter().enumerate().rev().map(|(at, method)| (method.key, at)).collect();
    let mut out = String::from(
        "digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"monospace\", fontsize=10];\n  \
         edge [fontname=\"monospace\", fontsize=8];\n",
    );
    let mut by_class: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (key, &at) in &numbers {
        by_class.entry(key.class).or_default().insert(at);
    }
    for (number, (class, methods)) in by_class.into_iter().enumerate() {
        let _ = writeln!(
            out,
            "  subgraph cluster_{number} {{\n    label={};",
            quoted(&class.replace('/', "."))
        );
        for at in methods {
            let Some(method) = outcome.methods.get(at) else { continue };
            let bold = if method.why == PlanReason::Start(StartReason::Root) {
                ", style=bold"
            } else {
                ""
            };
            let label = quoted(&format!("{}{}", method.key.name, method.key.descriptor));
            let _ = writeln!(out, "    m{at} [label={label}{bold}];");
        }
        out.push_str("  }\n");
    }
    edges(&mut out, outcome, query, &numbers);
    out.push_str("}\n");
    out
}

fn edges(
    out: &mut String,
    outcome: &PlanOutcome,
    query: &RootQuery<'_>,
    numbers: &HashMap<KeyRef<'_>, usize>,
) {
    let graph = query.reached.graph();
    // The name of each node that is drawn: methods of the plan, and what leads to them. The rest is
    // the JDK, or excluded.
    let names: Vec<Option<String>> = graph
        .node_indices()
        .map(|at| match graph[at] {
            Node::Method(method) => numbers
                .get(&KeyRef::from(&query.world.key(method)))
                .map(|number| format!("m{number}")),
            Node::Dispatch { .. } | Node::Init(_) => Some(format!("n{}", at.index())),
        })
        .collect();
    let name = |at: usize| names.get(at).and_then(Option::as_deref);
    let is_method = |name: &str| name.starts_with('m');
    let mut incoming: BTreeSet<&str> = BTreeSet::new();
    let mut outgoing: BTreeSet<&str> = BTreeSet::new();
    let mut drawn: BTreeSet<(&str, &str, Option<Reason>)> = BTreeSet::new();
    let ends = |edge| {
        let (from, to) = graph.edge_endpoints(edge)?;
        Some((name(from.index())?, name(to.index())?))
    };
    for edge in graph.edge_indices() {
        let Some((from, to)) = ends(edge) else { continue };
        if is_method(from) {
            incoming.insert(to);
        }
        if is_method(to) {
            outgoing.insert(from);
        }
    }
    // Points between two methods of the plan.
    let shown = |name: &str| is_method(name) || incoming.contains(name) && outgoing.contains(name);
    let mut points = BTreeSet::new();
    let mut connected: BTreeSet<&str> = BTreeSet::new();
    for edge in graph.edge_indices() {
        let Some((from, to)) = ends(edge).filter(|(from, to)| shown(from) && shown(to)) else {
            continue;
        };
        let plain = matches!(graph[edge], Reason::Call | Reason::Dispatch);
        drawn.insert((from, to, (!plain).then_some(graph[edge])));
        connected.insert(to);
    }
    for at in graph.node_indices() {
        if let Some(name) = name(at.index()).filter(|name| !is_method(name) && shown(name)) {
            let label = quoted(&query.world.label(graph[at]));
            points.insert(format!("  {name} [label={label}, shape=plaintext];"));
        }
    }
    for point in points {
        let _ = writeln!(out, "{point}");
    }
    for (from, to, reason) in &drawn {
        let label =
            reason.map_or(String::new(), |reason| format!(" [label={}]", quoted(reason.name())));
        let _ = writeln!(out, "  {from} -> {to}{label};");
    }
    for (at, method) in outcome.methods.iter().enumerate() {
        let is_first = numbers.get(&method.key) == Some(&at);
        let from = method.from.and_then(|from| numbers.get(&from));
        if let (true, Some(from), false) =
            (is_first, from, connected.contains(format!("m{at}").as_str()))
        {
            let _ = writeln!(
                out,
                "  m{from} -> m{at} [label={}, style=dashed];",
                quoted(method.why.name())
            );
        }
    }
}

/// A string of the language. Quotes are escaped, and backslashes, which would begin a layout
/// escape. Unprintable characters are shown as they are to people.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in printable(text).chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn labels_end_where_they_should() {
        assert_eq!(quoted(r#"a "b" \n"#), r#""a \"b\" \\n""#);
        assert_eq!(quoted("a\nb"), r#""a\\u000ab""#);
    }
}
