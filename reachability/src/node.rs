//! Nodes and edges of a call graph.

use crate::{ClassId, MethodIx};

/// A node of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Node {
    /// A method that is not abstract.
    Method(MethodIx),
    /// A virtual call on any instantiated subtype of `owner`.
    Dispatch {
        /// The class or interface that the call names.
        owner: ClassId,
        /// The method that the call resolves to.
        method: MethodIx,
    },
    /// The initialisation of a class (JVMS 5.5).
    Init(ClassId),
}

/// The reason of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Reason {
    /// A call instruction.
    Call,
    /// A virtual call, which selects the method by its receiver.
    Dispatch,
    /// The class is initialised: `new`, a static field or method, or a subclass.
    Init,
    /// A lambda or method reference is called.
    Lambda,
    /// A method handle constant, or a bootstrap method.
    MethodHandle,
    /// A string constant names the class.
    ClassName,
    /// `ServiceLoader` instantiates a provider.
    Service,
    /// Reflection by constants: `Foo.class.getMethod("bar")`, the values of an enum.
    Reflection,
    /// The JVM calls it: a thread's `run`, a proxy's handler.
    Vm,
    /// An object stream calls it while it writes or reads an object of the class.
    Serialization,
}

impl Reason {
    /// All reasons.
    pub const ALL: [Self; 10] = [
        Self::Call,
        Self::Dispatch,
        Self::Init,
        Self::Lambda,
        Self::MethodHandle,
        Self::ClassName,
        Self::Service,
        Self::Reflection,
        Self::Vm,
        Self::Serialization,
    ];

    /// A short description, for messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Call => "call",
            Self::Dispatch => "virtual call",
            Self::Init => "class initialisation",
            Self::Lambda => "lambda",
            Self::MethodHandle => "method handle",
            Self::ClassName => "class name",
            Self::Service => "service",
            Self::Reflection => "reflection",
            Self::Vm => "JVM",
            Self::Serialization => "serialization",
        }
    }
}

impl std::fmt::Display for Reason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) from: u32,
    pub(crate) to: u32,
    pub(crate) reason: Reason,
}
