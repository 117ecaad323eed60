//! What the rewriter is told to do with one class.

use crate::MethodId;
use serde::{Deserialize, Serialize};

/// Where the runtime is found by rewritten classes (design: where the runtime lives).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// In the main jar, or beside it on the class path: no JVM flag is needed.
    #[default]
    Main,
    /// On the boot class path, for isolated class loaders: `-Xbootclasspath/a:`.
    Boot,
    /// Named modules that read the class path's unnamed module: `--add-reads MODULE=ALL-UNNAMED`.
    Modular,
    /// Inside java.base, through `--patch-module java.base=`.
    JavaBase,
    /// In package `java.lang` of the boot loader, defined by the agent in the running JVM. No
    /// manifest has it.
    Live,
}

/// Which probes a method gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProbeKind {
    /// Records on every thread (a plan without roots).
    Always,
    /// Records only on a thread that is inside a root.
    InRoot,
    /// Opens a root, and records.
    Root,
}

/// One method to instrument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodPlan {
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// The id that its probes pass.
    pub id: MethodId,
    /// Which probes.
    pub kind: ProbeKind,
}

/// What to do with a method whose code would grow past 8,000 bytes, which HotSpot never compiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HugeMethods {
    /// Leave it alone, with a reason.
    #[default]
    Skip,
    /// Instrument it all the same.
    Allow,
}

/// What to do with one class. Methods that are not named are copied as bytes, but for hand-offs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPlan {
    /// The methods to instrument, each at most once, in any order.
    pub methods: Vec<MethodPlan>,
    /// Whether the call sites that hand a task to another thread are rewritten, in all methods of
    /// the class, and the class's own task methods (`run`, `call`, …) open spawned trees. Only
    /// plans with roots need it.
    pub hand_offs: bool,
    /// Huge methods.
    pub huge: HugeMethods,
    /// Whether methods are tied to their entry probes where that is possible, so that no compiler
    /// moves work in front of these.
    pub pin_probes: bool,
}

impl ClassPlan {
    /// Whether nothing is to be done, so that the class comes out byte-identical.
    pub const fn is_empty(&self) -> bool {
        self.methods.is_empty() && !self.hand_offs
    }
}
