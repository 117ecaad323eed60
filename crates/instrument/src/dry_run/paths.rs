//! The shortest way from a root to a method.

use super::{Args, InputRow, PlanReason, Planned};
use crate::select::{RootQuery, Surveyed};
use anyhow::Result;
use jfathom_plan::MethodKey;
use jfathom_reachability::{ClassId, MethodIx, Node, PathStep, Reached, Reason, World};
use std::collections::{BTreeMap, HashSet};

/// The answer for one method of `--why`.
pub(crate) struct PathAnswer {
    pub(crate) method: MethodKey,
    /// The way to it; none where it is not reached.
    pub(crate) way: Option<Vec<PathLink>>,
    /// Where it is not reached: the way that class hierarchy analysis finds, if it does.
    pub(crate) by_hierarchy: Option<Vec<PathLink>>,
    /// Why it is not instrumented though it is reached.
    pub(crate) not_instrumented: Option<String>,
}

/// One method on a way.
pub(crate) struct PathLink {
    pub(crate) method: MethodKey,
    pub(crate) why: PlanReason,
    /// How the method before leads to it.
    pub(crate) how: String,
    pub(crate) is_jdk: bool,
}

/// For each method that is reached: why, and the method of the program before it.
pub(super) fn last_steps(
    walk: &RootQuery<'_>,
) -> BTreeMap<MethodKey, (PlanReason, Option<MethodKey>)> {
    let world = &walk.world;
    let mut found = BTreeMap::new();
    for method in walk.reached.methods().filter(|&method| world.has_code(method)) {
        let Some(steps) = walk.reached.shortest_path(method) else { continue };
        let before = steps.iter().rev().skip(1).find_map(|step| match step.node {
            Node::Method(method) if world.is_program(world.class_of_method(method)) => {
                Some(world.key(method))
            }
            _ => None,
        });
        let why = match steps.last().and_then(|step| step.reason) {
            Some(reason) => PlanReason::Step(reason),
            None => walk.start(method).map_or(PlanReason::Selected, PlanReason::Start),
        };
        found.insert(world.key(method), (why, before));
    }
    found
}

/// Answers `--why`.
pub(super) fn answer(
    args: &Args,
    walk: &mut RootQuery<'_>,
    surveyed: &Surveyed,
    planned: &[Planned],
    inputs: &[InputRow],
) -> Result<Vec<PathAnswer>> {
    let mut methods = Vec::new();
    for selector in &args.why {
        for method in walk.find(surveyed, "--why", selector)? {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
    }
    let planned: HashSet<&MethodKey> = planned.iter().map(|method| &method.key).collect();
    let needs_hierarchy = methods.iter().any(|&method| !walk.reached.contains(method));
    let by_hierarchy = needs_hierarchy.then(|| walk.by_hierarchy());
    let mut answers = Vec::with_capacity(methods.len());
    for method in methods {
        let key = walk.world.key(method);
        let way = walk.reached.shortest_path(method).map(|steps| links(walk, None, &steps));
        let by_hierarchy = match &by_hierarchy {
            Some(wider) if way.is_none() => {
                wider.shortest_path(method).map(|steps| links(walk, Some(wider), &steps))
            }
            _ => None,
        };
        let not_instrumented = match way.is_some() && !planned.contains(&key) {
            true => Some(reason_left(walk, method, &key, inputs)),
            false => None,
        };
        answers.push(PathAnswer { method: key, way, by_hierarchy, not_instrumented });
    }
    Ok(answers)
}

fn reason_left(
    walk: &RootQuery<'_>,
    method: MethodIx,
    key: &MethodKey,
    inputs: &[InputRow],
) -> String {
    let member = format!("{}{}", key.name, key.descriptor);
    let skip = inputs.iter().flat_map(|input| &input.skips).find(|skip| {
        skip.class == key.class && skip.method.as_ref().is_none_or(|method| *method == member)
    });
    match skip {
        Some(skip) => format!("it is left alone: {}", skip.reason),
        None if !walk.world.is_program(walk.world.class_of_method(method)) => {
            "it is in the JDK, which is walked through (--jdk-methods instruments it)".to_owned()
        }
        None => "the selectors leave it out".to_owned(),
    }
}

/// What lies between two methods on a way.
#[derive(Default)]
struct Between {
    init: Option<ClassId>,
    dispatch: Option<(ClassId, MethodIx)>,
    lambda: bool,
    /// The first reason that is no mere call.
    reason: Option<Reason>,
}

/// The methods on a way, without the objects of lambdas. `wider` is the answer that the way is
/// from, if not the walk's.
fn links(walk: &mut RootQuery<'_>, wider: Option<&Reached>, steps: &[PathStep]) -> Vec<PathLink> {
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
        let class = walk.world.class_of_method(method);
        if walk.world.container_of(class).is_none() {
            // The object that a lambda or method reference makes.
            between.lambda = true;
            continue;
        }
        let between = std::mem::take(&mut between);
        let reason = step.reason;
        let (why, how) = match reason {
            None => {
                let why = walk.start(method).map_or(PlanReason::Selected, PlanReason::Start);
                (why, why.name().to_owned())
            }
            Some(reason) => {
                let reached = wider.unwrap_or(&walk.reached);
                (
                    PlanReason::Step(reason),
                    describe(&mut walk.world, reached, &between, reason, method),
                )
            }
        };
        let is_jdk = !walk.world.is_program(class);
        links.push(PathLink { method: walk.world.key(method), why, how, is_jdk });
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
        receiver(world, reached, owner, method, target).filter(|it| owner != it.0)
    {
        text.push_str(&format!(" on a {}", simple(&world.class_name(receiver))));
        if let Some(maker) = maker {
            let key = world.key(maker);
            text.push_str(&format!(", made in {}::{}", simple(&key.class), key.name));
        }
    }
    text
}

/// A class that has objects on which the call runs `target`, and the method that makes one.
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
