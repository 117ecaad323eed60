//! Errors of calls into the JVM.

/// Error code of a JVMTI function (JVMTI specification, "Error Codes").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl std::fmt::Display for JvmtiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name(), self.0)
    }
}

/// Why a JNI function failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JniError {
    /// It threw this exception, as `toString` describes it; none where that fails.
    Exception(Option<String>),
    /// A class file of 2 GiB or more.
    ClassTooLarge,
    /// DefineClass returned no class, and threw nothing.
    NoClass,
    /// NewObject returned no object, and threw nothing.
    NoObject,
    /// RegisterNatives returned this code, and threw nothing.
    RegisterNatives(i32),
}

impl std::fmt::Display for JniError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Exception(Some(text)) => f.write_str(text),
            Self::Exception(None) => f.write_str("an exception"),
            Self::ClassTooLarge => f.write_str("a class of 2 GiB"),
            Self::NoClass => f.write_str("no class was defined"),
            Self::NoObject => f.write_str("no object was made"),
            Self::RegisterNatives(code) => write!(f, "RegisterNatives gave {code}"),
        }
    }
}

/// Why there is no JVMTI environment with what a session needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EnvironmentError {
    /// The JVM has no JVMTI 11.
    Version,
    /// GetPotentialCapabilities failed.
    PotentialCapabilities(JvmtiError),
    /// The JVM lacks this capability.
    Lacks(&'static str),
    /// AddCapabilities failed.
    AddCapabilities(JvmtiError),
    /// SetEventCallbacks failed.
    Callbacks(JvmtiError),
}

impl std::fmt::Display for EnvironmentError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Version => {
                f.write_str("this JVM has no JVMTI of version 11: jfathom needs Java 11 or later")
            }
            Self::PotentialCapabilities(error) => {
                write!(f, "this JVM does not say what it can do: {error}")
            }
            Self::Lacks(capability) => write!(f, "this JVM lacks the capability {capability}"),
            Self::AddCapabilities(error) => write!(f, "this JVM refuses what is needed: {error}"),
            Self::Callbacks(error) => write!(f, "this JVM refuses the callbacks: {error}"),
        }
    }
}
