//! JVMTI's errors (JVMTI specification, "Error Codes").

/// What a JVMTI function returned in place of success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JvmtiError(pub i32);

impl JvmtiError {
    /// The JVM fails in a way that it does not explain.
    pub const INTERNAL: Self = Self(113);

    /// `Ok` for zero.
    pub const fn check(code: i32) -> Result<(), Self> {
        if code == 0 { Ok(()) } else { Err(Self(code)) }
    }

    /// The name that the specification gives it, without `JVMTI_ERROR_`.
    pub const fn name(self) -> &'static str {
        match self.0 {
            10 => "INVALID_THREAD",
            14 => "THREAD_SUSPENDED",
            15 => "THREAD_NOT_ALIVE",
            20 => "INVALID_OBJECT",
            21 => "INVALID_CLASS",
            22 => "CLASS_NOT_PREPARED",
            23 => "INVALID_METHODID",
            60 => "INVALID_CLASS_FORMAT",
            61 => "CIRCULAR_CLASS_DEFINITION",
            62 => "FAILS_VERIFICATION",
            63 => "UNSUPPORTED_REDEFINITION_METHOD_ADDED",
            64 => "UNSUPPORTED_REDEFINITION_SCHEMA_CHANGED",
            66 => "UNSUPPORTED_REDEFINITION_HIERARCHY_CHANGED",
            67 => "UNSUPPORTED_REDEFINITION_METHOD_DELETED",
            68 => "UNSUPPORTED_VERSION",
            69 => "NAMES_DONT_MATCH",
            70 => "UNSUPPORTED_REDEFINITION_CLASS_MODIFIERS_CHANGED",
            71 => "UNSUPPORTED_REDEFINITION_METHOD_MODIFIERS_CHANGED",
            72 => "UNSUPPORTED_REDEFINITION_CLASS_ATTRIBUTE_CHANGED",
            79 => "UNMODIFIABLE_CLASS",
            98 => "NOT_AVAILABLE",
            99 => "MUST_POSSESS_CAPABILITY",
            100 => "NULL_POINTER",
            103 => "ILLEGAL_ARGUMENT",
            110 => "OUT_OF_MEMORY",
            112 => "WRONG_PHASE",
            113 => "INTERNAL",
            115 => "UNATTACHED_THREAD",
            116 => "INVALID_ENVIRONMENT",
            _ => "another error",
        }
    }
}

impl std::fmt::Display for JvmtiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.name(), self.0)
    }
}
