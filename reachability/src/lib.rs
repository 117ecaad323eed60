//! Reachability analysis: which methods a root can call.
//!
//! A [`ClassSource`] hands in class files as bytes. They are read into mirrors on demand: the
//! header first, the code when a method of the class is reached. A [`World`] resolves and selects
//! methods as the JVM does (JVMS 5.4.3, 5.4.6). [`reach`] follows calls, class initialisers,
//! lambdas, services and threads from the roots. Its result, [`Reached`], is the call subgraph,
//! with the shortest path to each method. An [`Expander`] does the same while a program runs.
//!
//! Nothing here reads a file.
#![forbid(unsafe_code)]

mod annotations;
mod bootstrap;
mod checksum;
mod code;
mod components;
mod container;
mod descriptor;
mod expander;
mod facts;
mod header;
mod hierarchy;
mod implied_methods;
mod index;
mod jvm_calls;
mod mirror;
mod names;
mod node;
mod notice;
mod reach;
mod reached;
mod report;
mod resolve;
mod roots;
mod select;
mod services;
mod texts;
mod world;

pub use checksum::checksum;
pub use code::code;
pub use container::{ClassSource, Container, ContainerKind, is_jdk_module};
pub use expander::{
    Answer, ClassLoad, ClassMethods, Event, Expander, ExpansionOptions, Lookahead, NewMethods,
    Scheme, Totals,
};
pub use header::header;
pub use index::{INDEX_SEED, Index, IndexError, IndexPart, READER_VERSION, Rows, encode_index};
pub use mirror::{
    Body, ClassCode, Fact, Handle, Header, InvokeKind, Lambda, MethodHeader, MethodRef, access,
};
pub use names::{NameId, Names, SigId};
pub use node::{Node, Reason};
pub use notice::Notice;
pub use reach::{ClassNames, EntryPoints, Query, reach};
pub use reached::{PathStep, Reached};
pub use report::{Missing, Statistics};
pub use resolve::{Resolution, Unresolved};
pub use roots::{RootError, find_methods, find_roots};
pub use select::NotSelected;
pub use services::{module_provides, provider_file};
pub use world::{ClassId, DefineOutcome, MethodIx, Versions, World};
