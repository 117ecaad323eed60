//! The types that a chunk describes: those of the JDK that readers know, and the events.

/// A type's id in the file. 0 and 1 are the format's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum TypeId {
    Boolean = 4,
    Int = 10,
    Long = 11,
    String = 20,
    Class = 21,
    Thread = 22,
    Symbol = 23,
    Method = 24,
    StackFrame = 25,
    StackTrace = 26,
    FrameType = 27,
    Label = 30,
    Description = 31,
    Category = 32,
    Timestamp = 33,
    Timespan = 34,
    Context = 40,
    Recording = 41,
}

/// A type with its fields, in the order in which values are written.
pub(super) struct Type {
    pub id: TypeId,
    pub name: &'static str,
    pub super_type: Option<&'static str>,
    /// Whether readers take the value of the one field for the whole.
    pub is_simple: bool,
    pub fields: &'static [Field],
    pub annotations: &'static [Annotation],
}

pub(super) struct Field {
    pub name: &'static str,
    pub of: TypeId,
    pub kind: FieldKind,
    pub annotations: &'static [Annotation],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldKind {
    /// The value itself.
    Value,
    /// A key of the type's table of constants.
    Constant,
    /// A number of values.
    Array,
}

/// An annotation's type and its values; several are an array.
pub(super) struct Annotation(pub TypeId, pub &'static [&'static str]);

const fn field(name: &'static str, of: TypeId, kind: FieldKind) -> Field {
    Field { name, of, kind, annotations: &[] }
}

const fn plain(id: TypeId, name: &'static str, fields: &'static [Field]) -> Type {
    Type { id, name, super_type: None, is_simple: false, fields, annotations: &[] }
}

const fn simple(id: TypeId, name: &'static str, fields: &'static [Field]) -> Type {
    Type { id, name, super_type: None, is_simple: true, fields, annotations: &[] }
}

const fn annotation(id: TypeId, name: &'static str, fields: &'static [Field]) -> Type {
    let super_type = Some("java.lang.annotation.Annotation");
    Type { id, name, super_type, is_simple: false, fields, annotations: &[] }
}

use FieldKind::{Array, Constant, Value};

const TEXT: &[Field] = &[field("value", TypeId::String, Value)];
const TEXTS: &[Field] = &[field("value", TypeId::String, Array)];

const START: Field = Field {
    name: "startTime",
    of: TypeId::Long,
    kind: Value,
    annotations: &[
        Annotation(TypeId::Label, &["Start Time"]),
        Annotation(TypeId::Timestamp, &["TICKS"]),
    ],
};

const NANOS: &[&str] = &["NANOSECONDS"];

/// All types.
pub(super) const TYPES: &[Type] = &[
    plain(TypeId::Boolean, "boolean", &[]),
    plain(TypeId::Int, "int", &[]),
    plain(TypeId::Long, "long", &[]),
    plain(TypeId::String, "java.lang.String", &[]),
    simple(TypeId::Symbol, "jdk.types.Symbol", &[field("string", TypeId::String, Value)]),
    plain(
        TypeId::Class,
        "java.lang.Class",
        &[field("name", TypeId::Symbol, Constant), field("modifiers", TypeId::Int, Value)],
    ),
    plain(
        TypeId::Thread,
        "java.lang.Thread",
        &[
            field("osName", TypeId::String, Value),
            field("osThreadId", TypeId::Long, Value),
            field("javaName", TypeId::String, Value),
            field("javaThreadId", TypeId::Long, Value),
        ],
    ),
    plain(
        TypeId::Method,
        "jdk.types.Method",
        &[
            field("type", TypeId::Class, Constant),
            field("name", TypeId::Symbol, Constant),
            field("descriptor", TypeId::Symbol, Constant),
            field("modifiers", TypeId::Int, Value),
            field("hidden", TypeId::Boolean, Value),
        ],
    ),
    simple(
        TypeId::FrameType,
        "jdk.types.FrameType",
        &[field("description", TypeId::String, Value)],
    ),
    plain(
        TypeId::StackFrame,
        "jdk.types.StackFrame",
        &[
            field("method", TypeId::Method, Constant),
            field("lineNumber", TypeId::Int, Value),
            field("bytecodeIndex", TypeId::Int, Value),
            field("type", TypeId::FrameType, Constant),
        ],
    ),
    plain(
        TypeId::StackTrace,
        "jdk.types.StackTrace",
        &[field("truncated", TypeId::Boolean, Value), field("frames", TypeId::StackFrame, Array)],
    ),
    annotation(TypeId::Label, "jdk.jfr.Label", TEXT),
    annotation(TypeId::Description, "jdk.jfr.Description", TEXT),
    annotation(TypeId::Category, "jdk.jfr.Category", TEXTS),
    annotation(TypeId::Timestamp, "jdk.jfr.Timestamp", TEXT),
    annotation(TypeId::Timespan, "jdk.jfr.Timespan", TEXT),
    Type {
        id: TypeId::Context,
        name: "jfathom.Context",
        super_type: Some("jdk.jfr.Event"),
        is_simple: false,
        fields: &[
            START,
            Field {
                name: "eventThread",
                of: TypeId::Thread,
                kind: Constant,
                annotations: &[Annotation(TypeId::Label, &["Event Thread"])],
            },
            Field {
                name: "stackTrace",
                of: TypeId::StackTrace,
                kind: Constant,
                annotations: &[Annotation(TypeId::Label, &["Stack Trace"])],
            },
            Field {
                name: "calls",
                of: TypeId::Long,
                kind: Value,
                annotations: &[
                    Annotation(TypeId::Label, &["Calls"]),
                    Annotation(TypeId::Description, &["Calls along this stack, exact"]),
                ],
            },
            Field {
                name: "selfTime",
                of: TypeId::Long,
                kind: Value,
                annotations: &[
                    Annotation(TypeId::Label, &["Self Time"]),
                    Annotation(TypeId::Description, &["Wall time in the top method itself"]),
                    Annotation(TypeId::Timespan, NANOS),
                ],
            },
        ],
        annotations: &[
            Annotation(TypeId::Label, &["Call Path"]),
            Annotation(TypeId::Category, &["jfathom"]),
            Annotation(TypeId::Description, &["Sums of all calls along a call path, no sample"]),
        ],
    },
    Type {
        id: TypeId::Recording,
        name: "jfathom.Recording",
        super_type: Some("jdk.jfr.Event"),
        is_simple: false,
        fields: &[
            START,
            field("tool", TypeId::String, Value),
            field("command", TypeId::String, Value),
            field("quality", TypeId::String, Value),
            field("times", TypeId::String, Value),
        ],
        annotations: &[
            Annotation(TypeId::Label, &["Recording"]),
            Annotation(TypeId::Category, &["jfathom"]),
        ],
    },
];
