//! Shortest paths from a root to a method.

use super::method_table::{KeyRef, MethodTable};
use super::outcome::{InputRow, PlanReason};
use crate::{error::Result, root_query::RootQuery, summaries::Summaries};
use jfathom_plan::{MethodKey, Selector};
use jfathom_reachability::{ClassId, MethodIx, Node, PathStep, Reached, Reason, World};
use std::collections::HashSet;

/// Why one method is in the call subgraph or not.
#[derive(Debug)]
pub struct PathAnswer {
    /// The method.
    pub method: MethodKey,
    /// Its shortest path; `None` if it is not in the call subgraph.
    pub path: Option<Vec<PathLink>>,
    /// If it is not in the call subgraph: its shortest path by class hierarchy analysis.
    pub cha_path: Option<Vec<PathLink>>,
    /// Why it is not instrumented though it is in the call subgraph.
    pub not_instrumented: Option<String>,
}

/// One method on a path.
#[derive(Debug)]
pub struct PathLink {
    /// The method.
    pub method: MethodKey,
    /// The rule that leads to it.
    pub why: PlanReason,
    /// How the method before calls it, for people.
    pub how: String,
    /// Whether it is a method of the JDK.
    pub is_jdk: bool,
}

/// The rule that leads to a method of the call subgraph, and the program's method before it.
pub(super) fn last_step(
    query: &RootQuery<'_>,
    method: MethodIx,
) -> Option<(PlanReason, Option<MethodIx>)> {
    let world = &query.world;
    let before = |&method: &MethodIx| world.is_program(world.class_of_method(method));
    let reason = query.reached.last_reason(method)?;
    let why = match reason {
        Some(reason) => PlanReason::Step(reason),
        None => query.start(method).map_or(PlanReason::Selected, PlanReason::Start),
    };
    Some((why, query.reached.methods_before(method).find(before)))
}

/// Answers [`PlanRequest::why`](super::PlanRequest::why).
pub(super) fn answer(
    selectors: &[Selector],
    query: &mut RootQuery<'_>,
    summaries: &Summaries,
    planned: &MethodTable,
    inputs: &[InputRow],
) -> Result<Vec<PathAnswer>> {
    let mut methods = Vec::new();
    for selector in selectors {
        for method in query.find(summaries, "--why", selector)? {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    let planned: HashSet<KeyRef<'_>> = match methods.is_empty() {
        true => HashSet::new(),
        false => planned.iter().map(|method| method.key).collect(),
    };
    let needs_hierarchy = methods.iter().any(|&method| !query.reached.contains(method));
    let by_hierarchy = needs_hierarchy.then(|| query.by_hierarchy());
    let mut answers = Vec::with_capacity(methods.len());
    for method in methods {
        let key = query.world.key(method);
        let path = query.reached.shortest_path(method).map(|steps| links(query, None, &steps));
        let cha_path = match &by_hierarchy {
            Some(wider) if path.is_none() => {
                wider.shortest_path(method).map(|steps| links(query, Some(wider), &steps))
            }
            _ => None,
        };
        let not_instrumented = match path.is_some() && !planned.contains(&KeyRef::from(&key)) {
            true => Some(skip_text(query, method, &key, inputs)),
            false => None,
        };
        answers.push(PathAnswer { method: key, path, cha_path, not_instrumented });
    }
    Ok(answers)
}

/// Why a method of the call subgraph is not instrumented.
fn skip_text(
    query: &RootQuery<'_>,
    method: MethodIx,
    key: &MethodKey,
    inputs: &[InputRow],
) -> String {
    let member = format!("{}{}", key.name, key.descriptor);
    let skip = inputs.iter().flat_map(|input| &input.skips).find(|skip| {
        skip.class == key.class && skip.method.as_ref().is_none_or(|method| *method == member)
    });
    match skip {
        Some(skip) => format!("it is skipped: {}", skip.reason),
        None if !query.world.is_program(query.world.class_of_method(method)) => {
            "it is in the JDK, which is analyzed only (--scheme jdk instruments it)".to_owned()
        }
        None => "the selectors exclude it".to_owned(),
    }
}

/// The nodes between two methods of a path.
#[derive(Default)]
struct Between {
    init: Option<ClassId>,
    dispatch: Option<(ClassId, MethodIx)>,
    lambda: bool,
    /// The first reason other than a call.
    reason: Option<Reason>,
}

/// The methods on a path, without the objects of lambdas. `wider` is the call subgraph that the
/// path is from, if not the query's.
fn links(query: &mut RootQuery<'_>, wider: Option<&Reached>, steps: &[PathStep]) -> Vec<PathLink> {
    let mut links = Vec::new();
    let mut between = Between::default();
    for step in steps {
        if let Some(reason) =
            step.reason.filter(|reason| !matches!(reason, Reason::Call | Reason::Dispatch))
        {
            between.reason.get_or_insert(reason);
        }
        let method = match step.node {
            Node::Init(class) => {
                between.init = Some(class);
                continue;
            }
            Node::Dispatch { owner, method } => {
                between.dispatch.get_or_insert((owner, method));
                continue;
            }
            Node::Method(method) => method,
        };
        let class = query.world.class_of_method(method);
        if query.world.container_of(class).is_none() {
            // The object of a lambda or method reference.
            between.lambda = true;
            continue;
        }
        let between = std::mem::take(&mut between);
        let reason = step.reason;
        let (why, how) = match reason {
            None => {
                let why = query.start(method).map_or(PlanReason::Selected, PlanReason::Start);
                (why, why.name().to_owned())
            }
            Some(reason) => {
                let reached = wider.unwrap_or(&query.reached);
                (
                    PlanReason::Step(reason),
                    describe(&mut query.world, reached, &between, reason, method),
                )
            }
        };
        let is_jdk = !query.world.is_program(class);
        links.push(PathLink { method: query.world.key(method), why, how, is_jdk });
    }
    links
}

fn describe(
    world: &mut World<'_>,
    reached: &Reached,
    between: &Between,
    last: Reason,
    target: MethodIx,
) -> String {
    let reason = between.reason.unwrap_or(last);
    if between.lambda {
        return match between.dispatch {
            Some((owner, method)) => format!("lambda, called as {}", member(world, owner, method)),
            None => "lambda".to_owned(),
        };
    }
    if let Some(class) = between.init {
        let of = simple(&world.class_name(class)).to_owned();
        let what = if reason == Reason::Init {
            "initialisation".to_owned()
        } else {
            format!("{reason}: initialisation")
        };
        return match world.class_of_method(target) == class {
            true => format!("{what} of the class"),
            false => format!("{what} of {of}"),
        };
    }
    let Some((owner, method)) = between.dispatch else { return reason.to_string() };
    let kind = if world.is_interface(owner) { "interface call" } else { "virtual call" };
    let mut text = match reason {
        Reason::Dispatch | Reason::Call => kind.to_owned(),
        other => other.to_string(),
    };
    let own = world.class_of_method(target);
    if owner != own {
        text.push_str(&format!(" of {}", member(world, owner, method)));
    }
    if let Some((receiver, maker)) =
        receiver(world, reached, owner, method, target).filter(|(receiver, _)| owner != *receiver)
    {
        text.push_str(&format!(" on a {}", simple(&world.class_name(receiver))));
        if let Some(maker) = maker {
            let key = world.key(maker);
            text.push_str(&format!(", made in {}::{}", simple(&key.class), key.name));
        }
    }
    text
}

/// An instantiated class on whose objects the call runs `target`, and the method that instantiates
/// it.
fn receiver(
    world: &mut World<'_>,
    reached: &Reached,
    owner: ClassId,
    called: MethodIx,
    target: MethodIx,
) -> Option<(ClassId, Option<MethodIx>)> {
    let own = world.class_of_method(target);
    let others = world.classes().filter(|&class| class != own);
    let candidates: Vec<ClassId> = std::iter::once(own)
        .chain(others)
        .filter(|&class| reached.allocated(class).is_some())
        .collect();
    let fits = |&class: &ClassId| {
        world.is_subtype(class, owner) && world.select(class, called) == Ok(target)
    };
    let found = candidates.into_iter().find(fits)?;
    Some((found, reached.allocated(found).flatten()))
}

fn member(world: &World<'_>, owner: ClassId, method: MethodIx) -> String {
    format!("{}::{}", simple(&world.class_name(owner)), world.key(method).name)
}

/// A class without its package.
fn simple(class: &str) -> &str {
    class.rsplit('/').next().unwrap_or(class)
}
