//! Answers of an expander.

use crate::{ClassId, MethodIx, Versions};

/// Methods of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassMethods {
    /// The class: all loaded classes of its name.
    pub class: ClassId,
    /// The methods, in class-file order.
    pub methods: Vec<MethodIx>,
}

/// Methods to instrument now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewMethods {
    /// All chosen methods of the class that is being loaded. They need no retransformation.
    pub at_load: Option<ClassMethods>,
    /// New methods of classes that were loaded before, as one batch. Sorted by class.
    pub retransform: Vec<ClassMethods>,
}

/// Reply to an event: the caller must act on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Send the class of this internal name (modified UTF-8) as
    /// [`Event::ClassFile`](super::Event::ClassFile), or
    /// [`Event::ClassMissing`](super::Event::ClassMissing). Requested once.
    NeedClass(Vec<u8>),
    /// Instrument these methods.
    Instrument(NewMethods),
    /// Nothing.
    Idle,
}

/// Counts so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Chosen methods.
    pub chosen: usize,
    /// Classes that were instrumented at load time.
    pub at_load: usize,
    /// Batches of retransformations.
    pub batches: usize,
    /// Retransformed classes, summed over the batches.
    pub retransformations: usize,
    /// The largest number of retransformations of one class.
    pub most_retransformed: u32,
    /// Class files of known classes.
    pub versions: Versions,
    /// Class files that could not be read.
    pub unreadable: usize,
}
