//! Errors of calls into the JVM.

use rustix::io::Errno;
use std::ffi::{CStr, NulError};

/// Error code of a JVMTI function (JVMTI specification, "Error Codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} ({})", self.name(), .0)]
pub struct JvmtiError(i32);

/// The codes, with the specification's names without `JVMTI_ERROR_`.
const NAMES: [(i32, &str); 29] = [
    (10, "INVALID_THREAD"),
    (14, "THREAD_SUSPENDED"),
    (15, "THREAD_NOT_ALIVE"),
    (20, "INVALID_OBJECT"),
    (21, "INVALID_CLASS"),
    (22, "CLASS_NOT_PREPARED"),
    (23, "INVALID_METHODID"),
    (60, "INVALID_CLASS_FORMAT"),
    (61, "CIRCULAR_CLASS_DEFINITION"),
    (62, "FAILS_VERIFICATION"),
    (63, "UNSUPPORTED_REDEFINITION_METHOD_ADDED"),
    (64, "UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED"),
    (66, "UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED"),
    (67, "UNSUPPORTED_REDEFINITION_METHOD_DELETED"),
    (68, "UNSUPPORTED_VERSION"),
    (69, "NAMES_DONT_MATCH"),
    (70, "UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED"),
    (71, "UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED"),
    (72, "UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED"),
    (79, "UNMODIFIABLE_CLASS"),
    (98, "NOT_AVAILABLE"),
    (99, "MUST_POSSESS_CAPABILITY"),
    (100, "NULL_POINTER"),
    (103, "ILLEGAL_ARGUMENT"),
    (110, "OUT_OF_MEMORY"),
    (112, "WRONG_PHASE"),
    (113, "INTERNAL"),
    (115, "UNATTACHED_THREAD"),
    (116, "INVALID_ENVIRONMENT"),
];

impl JvmtiError {
    /// The JVM fails without a reason.
    pub const INTERNAL: Self = Self(113);

    /// `Ok` for zero.
    pub const fn check(code: i32) -> Result<(), Self> {
        if code == 0 { Ok(()) } else { Err(Self(code)) }
    }

    fn name(self) -> &'static str {
        let known = NAMES.iter().find(|(code, _)| *code == self.0);
        known.map_or("another error", |(_, name)| name)
    }
}

/// Why a JNI function failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JniError {
    /// It threw this exception, as `toString` describes it; none where that fails.
    #[error("{}", .0.as_deref().unwrap_or("an exception"))]
    Exception(Option<String>),
    /// A class file of 2 GiB or more.
    #[error("a class of 2 GiB")]
    ClassTooLarge,
    /// DefineClass returned no class, and threw nothing.
    #[error("no class was defined")]
    NoClass,
    /// NewObject returned no object, and threw nothing.
    #[error("no object was made")]
    NoObject,
    /// RegisterNatives returned this code, and threw nothing.
    #[error("RegisterNatives gave {0}")]
    RegisterNatives(i32),
}

/// Why the JVM does not do what a session needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JvmError {
    #[error(transparent)]
    Jni(#[from] JniError),
    #[error(transparent)]
    Jvmti(#[from] JvmtiError),
    /// The JVM has no JVMTI 11.
    #[error("this JVM has no JVMTI of version 11: jfathom needs Java 11 or later")]
    Version,
    #[error("this JVM does not say what it can do: {0}")]
    PotentialCapabilities(JvmtiError),
    #[error("this JVM lacks the capability {0}")]
    Lacks(&'static str),
    #[error("this JVM refuses what is needed: {0}")]
    AddCapabilities(JvmtiError),
    #[error("this JVM refuses the callbacks: {0}")]
    Callbacks(JvmtiError),
    /// The JVM switches no event on or off.
    #[error("the JVM gives no events: {0}")]
    Events(JvmtiError),
    #[error("the JVM does not list its classes: {0}")]
    LoadedClasses(JvmtiError),
    /// The JVM has no such class or method of the JDK.
    #[error("the JVM has no {}", .0.to_string_lossy())]
    Absent(&'static CStr),
    /// The Java heap is full.
    #[error("no memory in the Java heap")]
    OutOfMemory,
    #[error("no global reference can be made")]
    NoGlobalReference,
    /// The JVM has no virtual threads, or does not let agents see them.
    #[error("this JVM has no virtual threads")]
    NoVirtualThreads,
    #[error("this JVM does not tell when virtual threads mount")]
    NoMountEvents,
    #[error("the JVM does not switch the events on: {0}")]
    MountEvents(JvmtiError),
    /// The process may not reserve addresses.
    #[error("no addresses for session files: {0}")]
    Addresses(Errno),
    /// A name of the runtime holds a zero.
    #[error(transparent)]
    Name(#[from] NulError),
    /// The JVM refuses a class of the runtime.
    #[error("the class {} cannot be defined: {error}", .class.replace('/', "."))]
    Define { class: &'static str, error: JniError },
    /// The runtime's interface to the agent is not among its classes.
    #[error("the runtime's class is not among its classes")]
    NoInterface,
    #[error("the runtime has no method {0}")]
    NoMethod(&'static str),
    #[error("the JVM sent no ClassPrepare event for {}", .0.replace('/', "."))]
    NotPrepared(&'static str),
    #[error("the runtime cannot be initialised: {0}")]
    Initialise(JniError),
    /// The runtime opens no session, and says why.
    #[error("{0}")]
    Refused(String),
}
