//! Events that an expander handles.

use crate::MethodIx;

/// A class that a JVM loads.
#[derive(Clone, Copy, Debug)]
pub struct ClassLoad<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The class file. None if only the name is known.
    pub bytes: Option<&'e [u8]>,
    /// Whether its loader takes the class from the world's containers. The class file may still
    /// differ from theirs, by the work of an agent.
    pub in_containers: bool,
    /// Whether it is one of the program's classes, not the JDK's. Counts only
    /// with `bytes` of a class that is not in the containers.
    pub program: bool,
    /// Whether it is initialised already (JVMS 5.5): its initialiser will not run.
    pub initialised: bool,
}

impl<'e> ClassLoad<'e> {
    /// A class that the world's containers have.
    pub const fn named(name: &'e [u8]) -> Self {
        Self { name, bytes: None, in_containers: false, program: true, initialised: false }
    }
}

/// Event of the JVM. Any order is allowed.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A class is being loaded, or is loaded already. Its supertypes may come before or after. A
    /// class of the same name may come again from another class loader.
    ClassLoaded(ClassLoad<'e>),
    /// The JVM made a hidden class, by its name: `a/B$$Lambda$1/0x…` for a lambda or method
    /// reference. Other hidden classes have no effect.
    HiddenClass(&'e [u8]),
    /// The class file that `Answer::NeedClass` requested, or that a loaded class has now. Its class
    /// counts as loaded only after its own `ClassLoaded`.
    ClassFile {
        /// The class file.
        bytes: &'e [u8],
        /// Whether it is one of the program's classes, not the JDK's.
        program: bool,
    },
    /// The class that `Answer::NeedClass` requested is not available.
    ClassMissing(&'e [u8]),
    /// A class was unloaded.
    ClassUnloaded(&'e [u8]),
    /// A method with a first-call trigger is called, and waits.
    FirstCall(MethodIx),
    /// Reflection or a method handle look-up returned a method, which may be called.
    Reflected(MethodIx),
    /// The agent cannot instrument a chosen method. Its first call will not be reported.
    Refused(MethodIx),
}
