//! What the engine is told, and what it answers.

use jfathom_plan::{ClassPlan, MethodId, Skip};
use jfathom_rewriter::Instrumented;
use jfathom_session::{InstrumentedAt, MethodsFileLine};
use std::sync::Arc;

/// The internal name of a class, in modified UTF-8, as JVMTI gives it without `L` and `;`.
pub type ClassName = Arc<[u8]>;

/// Which class loader defines a class.
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
    /// Its loader.
    pub origin: LoaderKind,
    /// Whether its initialiser ran or runs (JVMTI_CLASS_STATUS_INITIALIZED; where that is not
    /// known: false).
    pub initialised: bool,
}

/// A class that is being loaded.
#[derive(Clone, Copy, Debug)]
pub struct LoadingClass<'e> {
    /// Internal name, in modified UTF-8.
    pub name: &'e [u8],
    /// Its loader.
    pub origin: LoaderKind,
    /// The class file.
    pub bytes: &'e [u8],
}

/// What is to be done.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// What to do with the class that is being loaded;
    /// [`Engine::rewritten`](crate::Engine::rewritten) follows.
    pub at_load: Option<VersionedPlan>,
    /// Loaded classes of which more is chosen than before: one batch.
    pub retransform: Vec<ClassName>,
    /// Classes whose bytes are wanted: [`Engine::class_file`](crate::Engine::class_file), also
    /// where they cannot be had.
    pub need: Vec<ClassName>,
    /// To be written to the methods file at once, and before any probe of what they name can run.
    /// Their `at` is zero: [`LiveLine::stamp`] before writing.
    pub lines: Vec<MethodsFileLine>,
    /// Methods that get `MODE_FIRST_CALL`, before their probes can run.
    pub first: Vec<MethodId>,
    /// Methods that begin in the mode COUNT, before their probes can run.
    pub counted: Vec<MethodId>,
    /// Methods that lose `MODE_FIRST_CALL`, once `redefine` is live.
    pub timed: Vec<MethodId>,
}

/// What is chosen of a class.
#[derive(Clone, Debug)]
pub struct VersionedPlan {
    /// For the rewriter.
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
    /// [`Planned::version`].
    pub version: u32,
    /// On which way.
    pub how: InstrumentedAt,
    /// The methods that have probes in the new class file.
    pub done: &'e [Instrumented],
    /// What the rewriter says of methods that it left alone.
    pub skips: &'e [Skip],
}
