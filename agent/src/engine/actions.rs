//! Events that the agent sends to the engine, and the engine's actions.

use jfathom_plan::{ClassPlan, MethodId, Skip};
use jfathom_rewriter::Instrumented;
use jfathom_session::{InstrumentedAt, MethodsFileLine};
use jfathom_trace::StackIntervalIx;
use std::sync::Arc;

/// The internal name of a class, in modified UTF-8, as JVMTI gives it without `L` and `;`.
pub type ClassName = Arc<[u8]>;

/// The kind of class loader that defines a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoaderKind {
    /// The boot or platform loader.
    Jdk,
    /// The system class loader: the class path, and some modules of the JDK.
    ClassPath,
    /// Any other.
    Other,
}

/// A class that was loaded before the session began.
#[derive(Clone, Copy, Debug)]
pub struct PreloadedClass<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The loader that defined it.
    pub origin: LoaderKind,
    /// Whether its initialiser ran or runs (JVMTI_CLASS_STATUS_INITIALIZED); false if that is
    /// unknown.
    pub initialised: bool,
}

/// A class that is being loaded.
#[derive(Clone, Copy, Debug)]
pub struct LoadingClass<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The loader that defined it.
    pub origin: LoaderKind,
    /// The class file.
    pub bytes: &'e [u8],
}

/// The engine's orders to the agent after an event.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// The plan of the class that is being loaded.
    /// [`Engine::rewritten`](crate::Engine::rewritten) follows.
    pub at_load: Option<VersionedPlan>,
    /// Loaded classes whose plans have grown: one batch.
    pub retransform: Vec<ClassName>,
    /// Classes whose bytes the engine needs. [`Engine::class_file`](crate::Engine::class_file)
    /// follows for each, even if the bytes cannot be had.
    pub need: Vec<ClassName>,
    /// Lines for the methods file, written before any probe of the methods that they name can run.
    /// Their time is zero: [`MethodsFileLine::set_time`] sets it.
    pub lines: Vec<MethodsFileLine>,
    /// Methods that get the first-call trigger, before their probes can run.
    pub first: Vec<MethodId>,
    /// Methods whose calls are counted from the beginning. Set before their probes can run.
    pub counted: Vec<MethodId>,
    /// Methods whose stacks are walked at some calls. Set before their probes can run.
    pub walked: Vec<(MethodId, StackIntervalIx)>,
    /// Methods whose calls read what their thread has allocated. Set before their probes can run.
    pub reading: Vec<MethodId>,
    /// Methods that lose the first-call trigger, once `retransform` is live.
    pub timed: Vec<MethodId>,
}

/// The plan of a class.
#[derive(Clone, Debug)]
pub struct VersionedPlan {
    /// Methods and their probes, for the rewriter.
    pub plan: Arc<ClassPlan>,
    /// Grows with each change of the plan; from 1.
    pub version: u32,
}

/// A class that was rewritten.
#[derive(Clone, Copy, Debug)]
pub struct RewrittenClass<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// The class file before.
    pub original: &'e [u8],
    /// [`VersionedPlan::version`].
    pub version: u32,
    /// At load, or by retransformation.
    pub how: InstrumentedAt,
    /// The methods that have probes in the new class file.
    pub done: &'e [Instrumented],
    /// The methods that the rewriter skipped.
    pub skips: &'e [Skip],
}
