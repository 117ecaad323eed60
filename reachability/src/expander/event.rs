//! Events that an expander handles.

use crate::MethodIx;

/// A class that a JVM loads.
#[derive(Clone, Copy, Debug)]
pub struct ClassLoad<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The class file. None: it is as the world's containers have it.
    pub bytes: Option<&'e [u8]>,
    /// Whether it is one of the program's classes, not the JDK's. Counts only with `bytes`.
    pub program: bool,
    /// Whether it was initialised before (JVMS 5.5), so that its initialiser does not run any
    /// more.
    pub initialised: bool,
}

impl<'e> ClassLoad<'e> {
    /// A class that the world's containers have.
    pub const fn named(name: &'e [u8]) -> Self {
        Self { name, bytes: None, program: true, initialised: false }
    }
}

/// What happened in the JVM. Any order is allowed.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// A class is being loaded, or was loaded before. Its supertypes may come before or after. It
    /// may come again, when another class loader loads a class of that name.
    ClassLoaded(ClassLoad<'e>),
    /// A class was made by the JVM that has no name of its own: an object of a lambda or method
    /// reference, by the name that the JVM shows, `a/B$$Lambda$1/0x…`. Others have no effect.
    HiddenClass(&'e [u8]),
    /// The class file that `Answer::NeedClass` asked for. Its class counts as loaded only if it
    /// was told so.
    ClassFile {
        /// The class file.
        bytes: &'e [u8],
        /// Whether it is one of the program's classes, not the JDK's.
        program: bool,
    },
    /// The class that `Answer::NeedClass` asked for cannot be had.
    ClassMissing(&'e [u8]),
    /// A class is gone, with its class loader.
    ClassUnloaded(&'e [u8]),
    /// A method that was to be instrumented is called for the first time, and waits.
    FirstCall(MethodIx),
    /// A method was found by reflection or a method handle look-up, and may be called.
    Reflected(MethodIx),
    /// A method will not be instrumented, whatever was asked: its first call will not be told.
    Refused(MethodIx),
}
