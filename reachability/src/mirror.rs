//! Mirrors of classes: the header, and the facts of the code.

use crate::{NameId, SigId};

/// Flags of classes and members (JVMS tables 4.1-B, 4.5-A, 4.6-A).
pub mod access {
    /// `ACC_PUBLIC`.
    pub const PUBLIC: u16 = 0x0001;
    /// `ACC_PRIVATE`.
    pub const PRIVATE: u16 = 0x0002;
    /// `ACC_PROTECTED`.
    pub const PROTECTED: u16 = 0x0004;
    /// `ACC_STATIC`.
    pub const STATIC: u16 = 0x0008;
    /// `ACC_FINAL`.
    pub const FINAL: u16 = 0x0010;
    /// `ACC_VARARGS`.
    pub const VARARGS: u16 = 0x0080;
    /// `ACC_NATIVE`.
    pub const NATIVE: u16 = 0x0100;
    /// `ACC_INTERFACE`.
    pub const INTERFACE: u16 = 0x0200;
    /// `ACC_ABSTRACT`.
    pub const ABSTRACT: u16 = 0x0400;
    /// `ACC_ANNOTATION`.
    pub const ANNOTATION: u16 = 0x2000;
    /// `ACC_ENUM`.
    pub const ENUM: u16 = 0x4000;
}

/// A class without its code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// Internal name.
    pub name: NameId,
    /// `super_class`; none for `java/lang/Object` and module-info.
    pub super_class: Option<NameId>,
    /// The direct superinterfaces, in their order.
    pub interfaces: Vec<NameId>,
    /// `access_flags`.
    pub access: u16,
    /// Class file major version.
    pub major: u16,
    /// Methods in class-file order.
    pub methods: Vec<MethodHeader>,
    /// Name and descriptor of each static field.
    pub static_fields: Vec<SigId>,
}

/// A method without its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MethodHeader {
    /// Name and descriptor.
    pub sig: SigId,
    /// `access_flags`.
    pub access: u16,
}

/// Kind of a call: its instruction, or the method handle kind with the same behaviour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum InvokeKind {
    /// `invokevirtual`.
    Virtual,
    /// `invokespecial`.
    Special,
    /// `invokestatic`.
    Static,
    /// `invokeinterface`.
    Interface,
}

/// A symbolic reference to a method (JVMS 4.4.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MethodRef {
    /// The class through which the method is named. It may be an array.
    pub owner: NameId,
    /// Its name and descriptor.
    pub sig: SigId,
    /// Whether the reference is an `InterfaceMethodref`.
    pub interface: bool,
}

/// A method handle constant (JVMS 4.4.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Handle {
    /// `reference_kind`, 1 to 9.
    pub kind: u8,
    /// The field or method.
    pub member: MethodRef,
}

/// An action of a method's code that can lead to a call. A method lists each fact once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    /// A call.
    Invoke(InvokeKind, MethodRef),
    /// A call that generated code of the JDK makes on a value of this class or interface:
    /// `toString` in a string concatenation, `hashCode` of a record's component.
    Generated(NameId, SigId),
    /// `new` of a class.
    New(NameId),
    /// `getstatic` or `putstatic` of a field of this class.
    StaticField {
        /// The class through which it is named.
        owner: NameId,
        /// Its name and descriptor.
        field: SigId,
    },
    /// A method handle among the constants, or among the arguments of a bootstrap method.
    Handle(Handle),
    /// A lambda or method reference: its number in [`ClassCode::lambdas`].
    Lambda(u32),
    /// A class constant (`Foo.class`).
    ClassConstant(NameId),
    /// A class name as a constant directly before `Class.forName`.
    ForName(NameId),
    /// A text with the form of a class name, in internal form.
    NameLike(NameId),
    /// A text with the form of a member name. Only in methods with [`Body::LOOKS_UP_MEMBERS`].
    MemberName(NameId),
    /// A call of `ServiceLoader.load`, and the class constant before it.
    Service(Option<NameId>),
    /// The method has a runtime-visible annotation of this type (JVMS 4.7.16). Types of the
    /// packages `java` and `jdk` are left out.
    Annotated(NameId),
}

/// A lambda or method reference: the object that LambdaMetafactory makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lambda {
    /// The interfaces of the object, the functional one first.
    pub interfaces: Vec<NameId>,
    /// The object's methods: that of the functional interface, and bridges.
    pub methods: Vec<SigId>,
    /// The method that they call.
    pub target: Handle,
}

/// The code of one method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Body {
    pub(crate) start: u32,
    pub(crate) len: u32,
    /// Number of its call instructions.
    pub call_sites: u32,
    pub(crate) flags: u16,
}

impl Body {
    /// It calls a method that takes class names, such as `Class.forName`.
    pub const TAKES_CLASS_NAMES: u16 = 1;
    /// It looks up constructors by reflection.
    pub const LOOKS_UP_CONSTRUCTORS: u16 = 2;
    /// It looks up methods by reflection.
    pub const LOOKS_UP_MEMBERS: u16 = 4;
    /// It calls `Method.invoke`.
    pub const INVOKES: u16 = 8;
    /// It calls `Constructor.newInstance` or `Class.newInstance`.
    pub const CONSTRUCTS: u16 = 16;
    /// It looks up constructors by their parameters, or all of them.
    pub const CHOOSES_CONSTRUCTORS: u16 = 32;
    /// It lists all methods, fields or classes of a class.
    pub const LISTS_MEMBERS: u16 = 64;
    /// It opens resources of the class path.
    pub const READS_RESOURCES: u16 = 128;

    /// Whether one of the flags above is set.
    pub const fn has(&self, flag: u16) -> bool {
        self.flags & flag != 0
    }
}

/// The code of all methods of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassCode {
    /// One per method, in class-file order. Empty for a method without code.
    pub bodies: Vec<Body>,
    pub(crate) facts: Vec<Fact>,
    /// The lambdas, by the number of [`Fact::Lambda`].
    pub lambdas: Vec<Lambda>,
    /// Methods whose code could not be read, by position, and why.
    pub broken: Vec<(u16, String)>,
}

impl ClassCode {
    /// The facts of the method at this position.
    pub fn facts(&self, method: usize) -> &[Fact] {
        let Some(body) = self.bodies.get(method) else { return &[] };
        self.facts.get(body.start as usize..(body.start + body.len) as usize).unwrap_or_default()
    }

    /// Bytes of memory in use.
    pub fn memory(&self) -> usize {
        let lambdas = self
            .lambdas
            .iter()
            .map(|lambda| 80 + 4 * (lambda.interfaces.len() + lambda.methods.len()))
            .sum::<usize>();
        size_of::<Self>() + 16 * self.bodies.len() + size_of::<Fact>() * self.facts.len() + lambdas
    }
}
