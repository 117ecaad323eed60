//! What a method does with objects, one movement after the other.

use super::Var;
use crate::{InvokeKind, MethodRef, NameId, SigId};

/// One movement of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// An object or array is made.
    New { to: Var, class: NameId },
    /// Any object of a class that code which is not looked into may have.
    Any { to: Var, class: NameId },
    /// A copy.
    Move { from: Var, to: Var },
    /// A copy of what is of the class.
    Cast { from: Var, to: Var, class: NameId },
    /// A field is read.
    Get { to: Var, owner: NameId, field: SigId },
    /// A field is written.
    Put { from: Var, owner: NameId, field: SigId },
    /// An array's element is read.
    Load { array: Var, to: Var },
    /// An array's element is written.
    Store { array: Var, from: Var },
    /// A call; where its arguments begin among the method's arguments, the receiver first.
    Call { kind: InvokeKind, target: MethodRef, args: u32, count: u32, to: Var },
    /// A lambda or method reference is made of captured values.
    Lambda { number: u32, args: u32, count: u32, to: Var },
    /// Goes to code that is not looked into.
    Escape { from: Var },
    /// A field of this name is read and written by reflection.
    Shared { name: NameId },
}
