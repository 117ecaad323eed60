//! The plan of one class.

use crate::MethodId;
use serde::{Deserialize, Serialize};

/// Where the runtime is put, so that rewritten classes find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Placement {
    /// In the main jar, or beside it on the class path: no JVM flag is needed.
    #[default]
    Main,
    /// On the boot class path, for isolated class loaders: `-Xbootclasspath/a:`.
    Boot,
    /// On the boot class path, for named modules, which then read the unnamed module:
    /// `--add-reads MODULE=ALL-UNNAMED`.
    Modular,
    /// Inside java.base, through `--patch-module java.base=`.
    JavaBase,
    /// In package `java.lang` of the boot loader, where the agent defines it. Manifests never have
    /// this placement.
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
    /// Starts recording: the method is a root.
    Root,
}

/// The plan of one method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodPlan {
    /// Unqualified name.
    pub name: String,
    /// Method descriptor.
    pub descriptor: String,
    /// The id that its probes pass.
    pub id: MethodId,
    /// Which probes it gets.
    pub kind: ProbeKind,
}

/// What to do with a method whose code would exceed 8,000 bytes. HotSpot never compiles such a
/// method (`HugeMethodLimit`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HugeMethods {
    /// Skip it.
    #[default]
    Skip,
    /// Instrument it.
    Allow,
}

/// The plan of one class. Other methods of the class are copied as bytes, except for hand-offs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPlan {
    /// The methods to instrument, each at most once, in any order.
    pub methods: Vec<MethodPlan>,
    /// Whether all methods of the class get hand-off probes, and its task methods (`run`, `call`,
    /// …) task probes. Only plans with roots need them.
    pub hand_offs: bool,
    /// What to do with huge methods.
    pub huge: HugeMethods,
    /// Whether entry probes are pinned where that is possible, so that no compiler moves a method's
    /// work before its clock read.
    pub pin_probes: bool,
}

impl ClassPlan {
    /// Whether a method of the class is a root.
    pub fn has_root(&self) -> bool {
        self.methods.iter().any(|method| method.kind == ProbeKind::Root)
    }
}

impl ClassPlan {
    /// Whether the class stays byte-identical.
    pub const fn is_empty(&self) -> bool {
        self.methods.is_empty() && !self.hand_offs
    }
}
