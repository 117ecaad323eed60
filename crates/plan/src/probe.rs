//! Names by which rewritten code calls the runtime. The probes are static methods of [`class`].

use crate::Placement;

/// The runtime's public class, in every placement but [`Placement::Live`].
pub const CLASS: &str = "jfathom/runtime/Probe";
/// The runtime's public class in [`Placement::Live`].
pub const LIVE_CLASS: &str = "java/lang/JfathomProbe";
/// The runtime's package as a prefix of internal names: classes in it are never rewritten.
pub const PACKAGE: &str = "jfathom/runtime/";
/// Prefix of the runtime's class names in [`Placement::Live`]. Such classes are never rewritten
/// either.
pub const LIVE_PREFIX: &str = "java/lang/Jfathom";

/// The runtime's public class in a placement.
pub const fn class(placement: Placement) -> &'static str {
    match placement {
        Placement::Live => LIVE_CLASS,
        _ => CLASS,
    }
}

/// Descriptor of all probes that take a method id or a token, and return nothing.
pub const ID: &str = "(I)V";
/// Descriptor of the entry probes of methods that may be timed: takes a method id, and returns a
/// token: 0 if this call is not timed. A local variable keeps it for the method's other probes.
pub const ENTRY: &str = "(I)I";

/// A constant of the runtime's class: whether a session is open or still to come. Where it is
/// false, entry probes with a token are jumped over, so that compilers drop all probes of the
/// method. Not read in [`Placement::Live`], where a session may begin at any time.
pub const ENABLED: &str = "ENABLED";
/// Descriptor of [`ENABLED`].
pub const ENABLED_DESCRIPTOR: &str = "Z";

/// First in a method of kind *always*.
pub const METHOD_ENTRY: &str = "methodEntry";
/// Before each return of a method of either kind; takes the token.
pub const METHOD_EXIT: &str = "methodExit";
/// In the catch-all handler of such a method, before the rethrow; takes the token.
pub const METHOD_THROW: &str = "methodThrow";
/// First, and alone, in a method of kind *always* that is only counted.
pub const COUNTED_ENTRY: &str = "countedEntry";
/// First in a method of kind *in-root*.
pub const INNER_ENTRY: &str = "innerEntry";
/// First, and alone, in a method of kind *in-root* that is only counted.
pub const COUNTED_INNER_ENTRY: &str = "countedInnerEntry";
/// First in a root.
pub const ROOT_ENTRY: &str = "rootEntry";
/// Before each return of such a method.
pub const ROOT_EXIT: &str = "rootExit";
/// In the catch-all handler of such a method, before the rethrow.
pub const ROOT_THROW: &str = "rootThrow";
/// In the method that catches, before the code of a handler of a named class.
pub const HANDLE_CATCH: &str = "handleCatch";
/// Descriptor of [`HANDLE_CATCH`]: takes a copy of the exception, and the method's token; in a root
/// the complement of its id, which is negative. The exception is an `Object`: to hold a handler's
/// class against `Throwable` a verifier may have to load it.
pub const HANDLE_CATCH_DESCRIPTOR: &str = "(Ljava/lang/Object;I)V";
/// As [`HANDLE_CATCH`], for handlers of any exception: those of `finally` and `synchronized`.
pub const HANDLE_ANY: &str = "handleAny";

/// Where a suspend function of Kotlin's goes on by the label of its continuation.
pub const RESUMED: &str = "resumed";
/// Descriptor of [`RESUMED`]: takes a copy of the label, which is 0 where the function begins, and
/// the id of the function's resumptions.
pub const RESUMED_DESCRIPTOR: &str = "(II)V";

/// First in a task method (`run()V`, `call()…`, `compute()…`, …) that is no root, before its entry
/// probe. Opens a spawned tree if this object was handed off inside a root and the thread is
/// outside. Otherwise it costs one branch.
pub const TASK_ENTRY: &str = "taskEntry";
/// Descriptor of [`TASK_ENTRY`]: takes the task object (`this`) and returns whether it opened a
/// tree. A fresh local variable keeps the result for [`TASK_EXIT`].
pub const TASK_ENTRY_DESCRIPTOR: &str = "(Ljava/lang/Object;)I";
/// Before each return of a task method, after its exit probe, and in its catch-all handler.
pub const TASK_EXIT: &str = "taskExit";
/// Descriptor of [`TASK_EXIT`]: takes the result of [`TASK_ENTRY`].
pub const TASK_EXIT_DESCRIPTOR: &str = "(I)V";

/// At a call site that hands off one task: takes the task, and returns the object to pass instead.
/// That is the task itself, or a wrapper if the program cannot see the difference (a lambda).
pub const HAND_OFF: &str = "handOff";
/// As [`HAND_OFF`], for tasks that run again and again (`scheduleAtFixedRate`).
pub const HAND_OFF_PERIODIC: &str = "handOffPeriodic";
/// As [`HAND_OFF`], for functions whose identity the callee never exposes (streams,
/// `CompletableFuture`). Always returns a wrapper.
pub const HAND_OFF_FUNCTION: &str = "handOffFunction";
/// Descriptor of the three above. Rewritten code casts the result to the parameter's type.
pub const HAND_OFF_DESCRIPTOR: &str = "(Ljava/lang/Object;)Ljava/lang/Object;";
/// At a call of `start()` or `fork()`: takes a copy of the receiver, which is handed off if it is a
/// thread or a fork-join task. Programs have methods of these names that start something else.
pub const HAND_OFF_RECEIVER: &str = "handOffReceiver";
/// Descriptor of [`HAND_OFF_RECEIVER`].
pub const HAND_OFF_RECEIVER_DESCRIPTOR: &str = "(Ljava/lang/Object;)V";
/// As [`HAND_OFF`], for the collections of `invokeAll` and `invokeAny`.
pub const HAND_OFF_ALL: &str = "handOffAll";
/// Descriptor of [`HAND_OFF_ALL`].
pub const HAND_OFF_ALL_DESCRIPTOR: &str = "(Ljava/util/Collection;)Ljava/util/Collection;";

/// The runtime's class that the JDK's reflective methods call in a live session
/// ([`Placement::Live`] only).
pub const HOOKS_CLASS: &str = "java/lang/JfathomHooks";
/// First in `Method.invoke` and `Constructor.newInstance`: a member is called.
pub const INVOKED: &str = "invoked";
/// First in `Lookup.unreflect` and its kin: a member becomes a method handle.
pub const UNREFLECTED: &str = "unreflected";
/// Descriptor of the two above.
pub const MEMBER_DESCRIPTOR: &str = "(Ljava/lang/Object;)V";
/// First in `Lookup.findVirtual` and its kin.
pub const LOOKED_UP: &str = "lookedUp";
/// Descriptor of [`LOOKED_UP`]: class, name, method type.
pub const LOOKED_UP_DESCRIPTOR: &str = "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Object;)V";
/// First in `Lookup.findConstructor`.
pub const CONSTRUCTOR_LOOKED_UP: &str = "constructorLookedUp";
/// Descriptor of [`CONSTRUCTOR_LOOKED_UP`]: class, method type.
pub const CONSTRUCTOR_LOOKED_UP_DESCRIPTOR: &str = "(Ljava/lang/Class;Ljava/lang/Object;)V";
/// First in `Lookup.bind`.
pub const BOUND: &str = "bound";
/// Descriptor of [`BOUND`]: receiver, name, method type.
pub const BOUND_DESCRIPTOR: &str = "(Ljava/lang/Object;Ljava/lang/String;Ljava/lang/Object;)V";
