//! The one way up from the bindings: what the JVM calls, as a trait, and the border that no panic
//! crosses.

use super::jni::Jni;
use super::jvmti::Jvmti;
use super::reference::{Method, Object};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// A class file in the load hook (JVMTI ClassFileLoadHook).
pub struct ClassFile<'e> {
    /// The class that the thread retransforms or redefines; none if it does neither.
    pub redefined: Option<Object<'e>>,
    /// The defining loader; none is the boot loader.
    pub loader: Option<Object<'e>>,
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The class file. In a retransformation, the one that the JVM keeps from the first load.
    pub bytes: &'e [u8],
}

/// Handles what the JVM and the Java runtime call: entry points, JVMTI events, native methods, and
/// the calls that native code makes into Java.
///
/// Any thread may call, and several at once. A panic ends at [`guard`](guard).
pub trait Handler: Sync {
    /// The JVM starts with the library.
    fn on_load(&self, options: &str);

    /// A process has loaded the library into the running JVM, for the first time or again.
    /// Returns whether a session runs.
    fn on_attach(&self, jni: Jni<'_>, options: &str) -> bool;

    /// JVMTI VMInit: the JVM can run Java code.
    fn vm_init(&self, jvmti: Jvmti, jni: Jni<'_>);

    /// JVMTI VMDeath: the last event.
    fn vm_death(&self, jni: Jni<'_>);

    /// JVMTI ClassFileLoadHook. `install` hands the JVM other bytes, and returns whether the JVM
    /// has them.
    fn class_file(
        &self,
        jvmti: Jvmti,
        jni: Jni<'_>,
        class: &ClassFile<'_>,
        install: &mut dyn FnMut(&[u8]) -> bool,
    );

    /// JVMTI ClassPrepare.
    fn class_prepare(&self, jvmti: Jvmti, jni: Jni<'_>, class: Object<'_>);

    /// The body of the agent's thread.
    fn agent_thread(&self, jni: Jni<'_>);

    /// Native method `base`: where session files are mapped, or 0.
    fn base(&self) -> i64;

    /// Native method `grow`: appends bytes to the session file. Returns its former length, or −1.
    fn grow(&self, bytes: i64) -> i64;

    /// Native method `space`: bytes that the session file may grow by.
    fn space(&self) -> i64;

    /// Native method `firstCall`: the thread is in the first call of the method with this id.
    fn first_call(&self, jni: Jni<'_>, id: i32);

    /// Native method `reflected`: a `Method` or `Constructor` is invoked or unreflected.
    fn reflected(&self, jni: Jni<'_>, member: Object<'_>);

    /// Native method `lookedUp`: a method handle is looked up by class, name and `MethodType`.
    fn looked_up(
        &self,
        jni: Jni<'_>,
        class: Object<'_>,
        name: Object<'_>,
        kind: Option<Object<'_>>,
    );

    /// Native code on this thread is about to call a method, which
    /// [`take_called`](super::interception::take_called) names. Returns whether the method needs
    /// no further look in this session.
    fn native_call(&self, jni: Jni<'_>) -> bool;

    /// Native method `calledByNative`: native code inside a root is about to call the method.
    fn called_by_native(&self, jni: Jni<'_>, method: Method);
}

/// The handler. Written once, by the entry point by which the JVM enters first: before any event
/// is switched on and any native method is registered.
static HANDLER: OnceLock<&'static dyn Handler> = OnceLock::new();

/// Sets the handler; later calls change nothing.
pub(super) fn install(handler: &'static dyn Handler) {
    let _ = HANDLER.set(handler);
}

/// The handler; none before [`install`].
pub(super) fn handler() -> Option<&'static dyn Handler> {
    HANDLER.get().copied()
}

thread_local! {
    /// Whether this thread is in the agent's code, or in what that calls.
    static INSIDE: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is within [`guard`].
pub fn is_inside() -> bool {
    INSIDE.get()
}

/// Runs the body of a function that the JVM calls; `otherwise` if it panics, which leaves classes
/// as they are.
pub fn guard<R>(otherwise: R, body: impl FnOnce() -> R) -> R {
    let before = INSIDE.replace(true);
    // What a panic leaves half done is behind locks whose poison is ignored: each of them holds
    // values that change in one step.
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or(otherwise);
    INSIDE.set(before);
    result
}
