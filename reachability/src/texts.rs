//! Names, classes and objects that a method passes to reflection.
//!
//! Each method's code is followed once, in class-file order, with the operand stack (JVMS 2.6.2).
//! Only texts, classes and objects of known classes are kept as values. A local keeps all values
//! that are ever stored in it. A value that cannot be followed is unknown, never absent.

mod calls;
mod dynamic;
mod known;
mod pattern;
mod stack;
mod tracer;
mod value;

pub(crate) use pattern::Pattern;
pub(crate) use value::Value;

use crate::{NameId, Names, SigId};
use classfile_writer::ClassFile;
use rustc_hash::FxHashSet;
use tracer::Tracer;

/// The values that one method passes to reflection and to other methods.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// Uses of reflection, in the order of the code.
    pub(crate) uses: Vec<Use>,
    /// Calls with a known argument, in part or whole.
    pub(crate) calls: Vec<Call>,
    /// Calls with references as arguments, all of them unknown.
    pub(crate) blind_calls: FxHashSet<SigId>,
}

/// A use of reflection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// Loads a class by this name.
    ClassName(Value),
    /// Looks up a method by its name.
    Method {
        /// The class with the method.
        class: Value,
        /// The name.
        name: Value,
    },
    /// Lists all methods of a class.
    Methods(Value),
    /// Lists all classes that a class declares.
    Classes(Value),
    /// Lists all fields of a class.
    Fields(Value),
    /// Reads a text file of the program.
    Resource(Value),
}

impl Use {
    /// The values of the use.
    pub(crate) fn values(&self) -> Vec<&Value> {
        match self {
            Self::Method { class, name } => vec![class, name],
            Self::ClassName(value)
            | Self::Methods(value)
            | Self::Classes(value)
            | Self::Fields(value)
            | Self::Resource(value) => vec![value],
        }
    }

    /// The same use with replaced values.
    pub(crate) fn map(&self, mut replace: impl FnMut(&Value) -> Value) -> Self {
        match self {
            Self::ClassName(name) => Self::ClassName(replace(name)),
            Self::Method { class, name } => {
                Self::Method { class: replace(class), name: replace(name) }
            }
            Self::Methods(class) => Self::Methods(replace(class)),
            Self::Classes(class) => Self::Classes(replace(class)),
            Self::Fields(class) => Self::Fields(replace(class)),
            Self::Resource(name) => Self::Resource(replace(name)),
        }
    }

    /// Whether the method's callers decide a value.
    pub(crate) fn depends_on_parameters(&self) -> bool {
        self.values().iter().any(|value| value.depends_on_parameters())
    }
}

/// A call with its arguments, the receiver first.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) sig: SigId,
    pub(crate) arguments: Vec<Value>,
}

/// Follows the methods at these positions of their class file. A method that cannot be read has no
/// uses.
pub(crate) fn summarize(
    class: &ClassFile<'_>,
    names: &mut Names,
    positions: &[usize],
) -> Vec<Summary> {
    let mut statics = Vec::new();
    if let Some(initialiser) = class.methods().find(|method| method.name == b"<clinit>") {
        let mut tracer = Tracer::new(class, names, &[]);
        tracer.method(&initialiser);
        statics = tracer.into_statics();
    }
    let methods: Vec<_> = class.methods().collect();
    let follow = |&position: &usize| {
        let Some(method) = methods.get(position) else { return Summary::default() };
        let mut tracer = Tracer::new(class, names, &statics);
        tracer.method(method);
        tracer.into_summary()
    };
    positions.iter().map(follow).collect()
}

/// The internal names of the field types of a class file. Of an array, that of its elements.
pub(crate) fn field_types(class: &ClassFile<'_>, names: &mut Names) -> Vec<NameId> {
    let mut found = Vec::new();
    for field in class.fields() {
        let dimensions = field.descriptor.iter().take_while(|&&b| b == b'[').count();
        let element = field.descriptor.get(dimensions..).unwrap_or_default();
        if let Some(name) = element.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")) {
            found.push(names.intern(name));
        }
    }
    found
}
