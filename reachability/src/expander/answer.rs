//! What an expander answers.

use crate::{ClassId, MethodIx};

/// Methods of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassMethods {
    /// The class. Where class loaders have several of its name, all are meant.
    pub class: ClassId,
    /// The methods, in class-file order.
    pub methods: Vec<MethodIx>,
}

/// What is to be instrumented now.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewMethods {
    /// In the class that is being loaded: all that is chosen of it. It needs no retransformation.
    pub at_load: Option<ClassMethods>,
    /// In classes that were loaded before: what comes new, one batch. Sorted by class.
    pub retransform: Vec<ClassMethods>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The class of this internal name, in modified UTF-8, is needed:
    /// [`Event::ClassFile`](super::Event::ClassFile) or
    /// [`Event::ClassMissing`](super::Event::ClassMissing). Asked once.
    NeedClass(Vec<u8>),
    /// Methods are to be instrumented.
    Instrument(NewMethods),
    /// Nothing.
    Idle,
}

/// Counts up to here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Methods that were chosen.
    pub chosen: usize,
    /// Classes that were instrumented as they were loaded.
    pub at_load: usize,
    /// Batches of retransformations.
    pub batches: usize,
    /// Redefined classes, summed over the batches.
    pub retransformations: usize,
    /// How often the class was retransformed that was retransformed most often.
    pub most_retransformed: u32,
    /// Loaded classes that declare other methods than the one of that name which came first: what
    /// only they have is not chosen.
    pub conflicting: usize,
    /// Class files that could not be read.
    pub unreadable: usize,
}
