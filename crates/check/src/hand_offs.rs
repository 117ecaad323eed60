//! Which calls hand off tasks, and which methods run tasks. Written independently of the rewriter,
//! by the rules of `docs/checking.md`, so that its list is not judged by itself.

use crate::descriptor::parameters;
use cafebabe::bytecode::Opcode;
use cafebabe::constant_pool::MemberRef;
use jfathom_plan::probe;

/// What must be marked before one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Marks<'c> {
    /// The receiver.
    Receiver,
    /// For each parameter its type, and the probe that marks it if one does.
    Parameters(Vec<(&'c str, Option<&'static str>)>),
}

const RUNNABLE: &str = "Ljava/lang/Runnable;";
const CALLABLE: &str = "Ljava/util/concurrent/Callable;";
const FORK_JOIN_TASK: &str = "Ljava/util/concurrent/ForkJoinTask;";
const TIMER_TASK: &str = "Ljava/util/TimerTask;";
const COLLECTION: &str = "Ljava/util/Collection;";
const DATE: &str = "Ljava/util/Date;";

/// What must be marked before `op`; `None` if it hands nothing off.
pub(crate) fn marks<'c>(op: &'c Opcode<'c>) -> Option<Marks<'c>> {
    let (callee, is_static): (&'c MemberRef<'c>, bool) = match op {
        Opcode::Invokevirtual(callee)
        | Opcode::Invokespecial(callee)
        | Opcode::Invokeinterface(callee, _) => (callee, false),
        Opcode::Invokestatic(callee) => (callee, true),
        _ => return None,
    };
    let (name, descriptor): (&str, &'c str) =
        (&callee.name_and_type.name, &callee.name_and_type.descriptor);
    let types = parameters(descriptor);
    let result = descriptor.rsplit_once(')').map_or("", |(_, result)| result);
    if types.is_empty() {
        let is_receiver = matches!((name, result), ("start", "V") | ("fork", FORK_JOIN_TASK));
        return (is_receiver && !is_static).then_some(Marks::Receiver);
    }
    let probes = match of_tasks(name, &types) {
        Some(probes) => probes,
        None => of_functions(&callee.class_name, name, &types, result)?,
    };
    let probes = probes.into_iter().chain(std::iter::repeat(None));
    Some(Marks::Parameters(types.into_iter().zip(probes).collect()))
}

/// The probes for the first parameters of a call that takes tasks.
fn of_tasks(name: &str, types: &[&str]) -> Option<Vec<Option<&'static str>>> {
    let (first, rest) = types.split_first()?;
    let once = Some(probe::HAND_OFF);
    let again = Some(probe::HAND_OFF_PERIODIC);
    let all = Some(probe::HAND_OFF_ALL);
    let probe = match (name, *first) {
        ("execute", RUNNABLE | FORK_JOIN_TASK)
        | ("submit", RUNNABLE | CALLABLE | FORK_JOIN_TASK)
        | ("invoke", FORK_JOIN_TASK)
        | ("schedule", RUNNABLE | CALLABLE)
        | (
            "startVirtualThread" | "start" | "unstarted" | "invokeLater" | "invokeAndWait",
            RUNNABLE,
        )
        | ("fork", CALLABLE) => once,
        ("schedule", TIMER_TASK) => match rest {
            ["J" | DATE, "J", ..] => again,
            ["J" | DATE, ..] => once,
            _ => return None,
        },
        ("scheduleAtFixedRate", RUNNABLE | TIMER_TASK) | ("scheduleWithFixedDelay", RUNNABLE) => {
            again
        }
        ("invokeAll" | "invokeAny", COLLECTION) => all,
        ("invokeAll", FORK_JOIN_TASK) if rest == [FORK_JOIN_TASK] => return Some(vec![once, once]),
        _ => return None,
    };
    Some(vec![probe])
}

/// The probes for the parameters of a call that takes functions: methods that give a completion
/// stage, and those of streams.
fn of_functions(
    owner: &str,
    name: &str,
    types: &[&str],
    result: &str,
) -> Option<Vec<Option<&'static str>>> {
    const STARTS: [&str; 10] = [
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
    let is_stage = result
        .strip_prefix("Ljava/util/concurrent/Complet")
        .is_some_and(|end| matches!(end, "ableFuture;" | "ionStage;"));
    let in_stage = is_stage && STARTS.iter().any(|start| name.starts_with(start));
    let of_stream = owner.starts_with("java/util/stream/") && owner.ends_with("Stream");
    let in_stream = of_stream || owner == "java/util/Arrays" && name.starts_with("parallel");
    let is_function = |of: &str| {
        in_stage && of == RUNNABLE
            || (in_stage || in_stream) && of.starts_with("Ljava/util/function/")
    };
    // Parameters beyond the 64th are not looked at.
    let probes: Vec<Option<&'static str>> = types
        .iter()
        .take(64)
        .map(|of| is_function(of).then_some(probe::HAND_OFF_FUNCTION))
        .collect();
    probes.iter().any(Option::is_some).then_some(probes)
}

/// Whether an instance method of this name and descriptor runs tasks.
pub(crate) fn is_task(name: &str, descriptor: &str) -> bool {
    matches!(
        (name, descriptor),
        ("run" | "compute", "()V") | ("call" | "compute", "()Ljava/lang/Object;") | ("exec", "()Z")
    )
}
