//! A method of the original, and what it may become.

use crate::contract::Contract;
use crate::hand_offs::is_task;
use cafebabe::{ClassFile, MethodAccessFlags, MethodInfo};

/// A method of the original, with what the contract allows for it.
#[derive(Clone, Debug)]
pub(crate) struct Method<'c> {
    pub(crate) class: String,
    pub(crate) superclass: Option<String>,
    pub(crate) name: String,
    pub(crate) descriptor: String,
    pub(crate) is_static: bool,
    /// Whether calls and task methods may be changed.
    pub(crate) hand_offs: bool,
    /// The class file's major version.
    pub(crate) major: u16,
    /// Whether anything in its class differs: a class that does not may be none that was asked
    /// for.
    pub(crate) is_changed: bool,
    /// How many more constants fit into the output's pool.
    pub(crate) free_constants: usize,
    pub(crate) contract: &'c Contract<'c>,
}

impl<'c> Method<'c> {
    pub(crate) fn new(
        class: &ClassFile<'_>,
        method: &MethodInfo<'_>,
        contract: &'c Contract<'c>,
    ) -> Self {
        Self {
            class: class.this_class.to_string(),
            superclass: class.super_class.as_ref().map(ToString::to_string),
            name: method.name.to_string(),
            descriptor: method.descriptor.to_string(),
            is_static: method.access_flags.contains(MethodAccessFlags::STATIC),
            hand_offs: contract.hand_offs(),
            major: class.major_version,
            is_changed: true,
            free_constants: usize::from(u16::MAX),
            contract,
        }
    }

    /// Whether it may run tasks that were handed off.
    pub(crate) fn runs_tasks(&self) -> bool {
        self.hand_offs && !self.is_static && is_task(&self.name, &self.descriptor)
    }

    pub(crate) fn is_constructor(&self) -> bool {
        self.name == "<init>"
    }
}
