//! Which call sites hand off a task, and which methods run such tasks.
//!
//! Only names and descriptors decide; no class hierarchy is consulted. If a method of such a name
//! belongs to no executor, its call costs a call of the probe, which marks nothing outside a root.

use crate::descriptor::{Parameters, class_name, split};
use crate::name_filter::NameFilter;

/// What kind of task a call site hands off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HandOffKind {
    /// One task, run once.
    Task,
    /// The receiver of a call, if it is a thread or a fork-join task. Only the runtime can tell.
    Receiver,
    /// One task, run again and again.
    Periodic,
    /// A function whose identity the callee never shows.
    Function,
    /// A collection of tasks.
    All,
}

/// What is handed off at one call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HandOff {
    pub(crate) mark: HandOffKind,
    pub(crate) what: TaskPosition,
}

/// Which values of a call are handed off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TaskPosition {
    /// The receiver of a call without parameters.
    Receiver,
    /// The parameters whose bits are set, counted from zero without the receiver.
    Parameters(u64),
}

const RUNNABLE: &str = "Ljava/lang/Runnable;";
const CALLABLE: &str = "Ljava/util/concurrent/Callable;";
const FORK_JOIN_TASK: &str = "Ljava/util/concurrent/ForkJoinTask;";
const TIMER_TASK: &str = "Ljava/util/TimerTask;";
const COLLECTION: &str = "Ljava/util/Collection;";
const TIMER_AT: &str = "Ljava/util/TimerTask;Ljava/util/Date;";
const TIMER_IN: &str = "Ljava/util/TimerTask;J";

/// Call sites by name and by how their parameters begin; the first parameter is the task. The first
/// row that fits counts.
const BY_FIRST_PARAMETER: &[(&str, &str, HandOffKind)] = &[
    ("execute", RUNNABLE, HandOffKind::Task),
    ("execute", FORK_JOIN_TASK, HandOffKind::Task),
    ("submit", RUNNABLE, HandOffKind::Task),
    ("submit", CALLABLE, HandOffKind::Task),
    ("submit", FORK_JOIN_TASK, HandOffKind::Task),
    ("invoke", FORK_JOIN_TASK, HandOffKind::Task),
    ("invokeAll", COLLECTION, HandOffKind::All),
    ("invokeAny", COLLECTION, HandOffKind::All),
    ("schedule", RUNNABLE, HandOffKind::Task),
    ("schedule", CALLABLE, HandOffKind::Task),
    ("schedule", "Ljava/util/TimerTask;JJ", HandOffKind::Periodic),
    ("schedule", "Ljava/util/TimerTask;Ljava/util/Date;J", HandOffKind::Periodic),
    ("schedule", TIMER_IN, HandOffKind::Task),
    ("schedule", TIMER_AT, HandOffKind::Task),
    ("scheduleAtFixedRate", RUNNABLE, HandOffKind::Periodic),
    ("scheduleAtFixedRate", TIMER_TASK, HandOffKind::Periodic),
    ("scheduleWithFixedDelay", RUNNABLE, HandOffKind::Periodic),
    ("startVirtualThread", RUNNABLE, HandOffKind::Task),
    ("start", RUNNABLE, HandOffKind::Task),
    ("unstarted", RUNNABLE, HandOffKind::Task),
    ("fork", RUNNABLE, HandOffKind::Task),
    ("fork", CALLABLE, HandOffKind::Task),
    ("invokeLater", RUNNABLE, HandOffKind::Task),
    ("invokeAndWait", RUNNABLE, HandOffKind::Task),
];

/// Calls whose receiver is the task: name and descriptor.
const BY_RECEIVER: &[(&str, &str)] =
    &[("start", "()V"), ("fork", "()Ljava/util/concurrent/ForkJoinTask;")];

/// How the methods of `CompletionStage` and `CompletableFuture` that take functions begin.
const COMPLETION: &[&str] = &[
    "then",
    "handle",
    "whenComplete",
    "exceptionally",
    "runAsync",
    "supplyAsync",
    "completeAsync",
    "applyToEither",
    "acceptEither",
    "runAfter",
];
/// Names of call sites in full.
static NAMES: NameFilter = {
    let mut names = NameFilter::new();
    let mut i = 0;
    while i < BY_FIRST_PARAMETER.len() {
        names = names.with(&[BY_FIRST_PARAMETER[i].0.as_bytes()]);
        i += 1;
    }
    i = 0;
    while i < BY_RECEIVER.len() {
        names = names.with(&[BY_RECEIVER[i].0.as_bytes()]);
        i += 1;
    }
    names
};

/// How other names of call sites begin.
static BEGINNINGS: NameFilter = {
    let mut names = NameFilter::new().with_beginnings(&[PARALLEL]);
    let mut i = 0;
    while i < COMPLETION.len() {
        names = names.with_beginnings(&[COMPLETION[i].as_bytes()]);
        i += 1;
    }
    names
};

/// How the methods of `Arrays` that take functions begin.
const PARALLEL: &[u8] = b"parallel";

/// Whether a call of this member may hand something off; a cheap test that nearly all others fail.
pub(crate) fn may_hand_off(owner: &[u8], name: &[u8]) -> bool {
    NAMES.passes(name)
        || BEGINNINGS.passes(name) && (completes(name) || name.starts_with(PARALLEL))
        || is_stream(owner)
}

/// Whether the name is one of [`COMPLETION`]'s.
fn completes(name: &[u8]) -> bool {
    COMPLETION.iter().any(|begin| name.starts_with(begin.as_bytes()))
}

fn is_stream(owner: &[u8]) -> bool {
    owner.strip_prefix(b"java/util/stream/").is_some_and(|name| name.ends_with(b"Stream"))
}

const STAGES: [&[u8]; 2] =
    [b"Ljava/util/concurrent/CompletableFuture;", b"Ljava/util/concurrent/CompletionStage;"];

/// Whether a call of this member hands something off. `is_static` is about the call, not about the
/// callee.
pub(crate) fn hand_off(
    owner: &[u8],
    name: &[u8],
    descriptor: &[u8],
    is_static: bool,
) -> Option<HandOff> {
    if !is_static
        && BY_RECEIVER.iter().any(|(n, d)| n.as_bytes() == name && d.as_bytes() == descriptor)
    {
        return Some(HandOff { mark: HandOffKind::Receiver, what: TaskPosition::Receiver });
    }
    let (parameters, result) = split(descriptor)?;
    if parameters.is_empty() {
        return None;
    }
    for (row_name, begin, mark) in BY_FIRST_PARAMETER {
        if row_name.as_bytes() == name && parameters.starts_with(begin.as_bytes()) {
            return Some(HandOff { mark: *mark, what: TaskPosition::Parameters(1) });
        }
    }
    if name == b"invokeAll" && parameters == [FORK_JOIN_TASK, FORK_JOIN_TASK].concat().as_bytes() {
        return Some(HandOff { mark: HandOffKind::Task, what: TaskPosition::Parameters(0b11) });
    }
    let in_stage = STAGES.contains(&result) && completes(name);
    let in_stream = is_stream(owner) || owner == b"java/util/Arrays" && name.starts_with(PARALLEL);
    if !in_stage && !in_stream {
        return None;
    }
    let mut bits = 0;
    for (i, parameter) in Parameters::of(descriptor).enumerate().take(64) {
        let function = class_name(parameter).is_some_and(|c| c.starts_with(b"java/util/function/"));
        if function || in_stage && parameter == RUNNABLE.as_bytes() {
            bits |= 1 << i;
        }
    }
    (bits != 0)
        .then_some(HandOff { mark: HandOffKind::Function, what: TaskPosition::Parameters(bits) })
}

/// Methods by which executors run what they were given. Typed overrides
/// (`call()Ljava/lang/String;`) run inside their bridge, which has the erased descriptor.
const TASKS: &[(&str, &str)] = &[
    ("run", "()V"),
    ("call", "()Ljava/lang/Object;"),
    ("compute", "()V"),
    ("compute", "()Ljava/lang/Object;"),
    ("exec", "()Z"),
];

/// Whether an instance method of this name and descriptor may be a task's body.
pub(crate) fn is_task(name: &[u8], descriptor: &[u8]) -> bool {
    TASKS.iter().any(|(n, d)| n.as_bytes() == name && d.as_bytes() == descriptor)
}

#[cfg(test)]
mod tests;
