//! The plan of one class.

use crate::{LineRange, MethodId};
use serde::{Deserialize, Serialize};

/// Where the runtime is put, so that rewritten classes find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
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

/// The plan of one region: lines of a method that have an id of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegionPlan {
    /// Unqualified name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The lines. Regions of one method are nested or apart.
    pub lines: LineRange,
    /// The id that its probes pass.
    pub id: MethodId,
    /// Which probes it gets.
    pub kind: ProbeKind,
}

impl RegionPlan {
    /// Its name among the methods of its class: `run:12-20`.
    pub fn name(&self) -> String {
        self.lines.region_name(&self.method)
    }
}

/// An id for the resumptions of a method: how often a coroutine entered it again. They are counted
/// beside its calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResumptionPlan {
    /// Unqualified name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The id that the probe passes.
    pub id: MethodId,
}

impl ResumptionPlan {
    /// Its name among the methods of its class: `run:resumed`.
    pub fn name(&self) -> String {
        resumption_name(&self.method)
    }
}

/// What follows a method's name in the name of its resumptions.
const RESUMED: &str = ":resumed";

/// The method whose resumptions are counted under a name.
pub fn resumed_method(name: &str) -> Option<&str> {
    name.strip_suffix(RESUMED)
}

/// The name under which the resumptions of a method are counted: `run:resumed`.
pub fn resumption_name(method: &str) -> String {
    format!("{method}{RESUMED}")
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

/// Which methods have an entry probe alone, which counts their calls: they cannot be timed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EntryAlone {
    /// No method.
    #[default]
    None,
    /// Small methods that call nothing.
    Leaves,
    /// Small methods: those whose time is below that of a probe.
    Small,
    /// All methods.
    All,
}

/// The plan of one class. Other methods of the class are copied as bytes, except for hand-offs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClassPlan {
    /// The methods to instrument, each at most once, in any order.
    pub methods: Vec<MethodPlan>,
    /// Regions of methods, whether or not these are instrumented, in any order.
    pub regions: Vec<RegionPlan>,
    /// Methods whose resumptions are counted, as far as the rewriter finds where they resume.
    pub resumptions: Vec<ResumptionPlan>,
    /// Whether all methods of the class get hand-off probes, and its task methods (`run`, `call`,
    /// …) task probes. Only plans with roots need them.
    pub hand_offs: bool,
    /// What to do with huge methods.
    pub huge: HugeMethods,
    /// Which methods have an entry probe alone. Never roots, task methods, and methods with
    /// regions.
    pub entry_alone: EntryAlone,
}

impl ClassPlan {
    /// The ids of its methods, regions and resumptions.
    pub fn ids(&self) -> impl Iterator<Item = MethodId> + '_ {
        let methods = self.methods.iter().map(|method| method.id);
        let regions = self.regions.iter().map(|region| region.id);
        methods.chain(regions).chain(self.resumptions.iter().map(|resumed| resumed.id))
    }

    /// Whether a method or region of the class is a root.
    pub fn has_root(&self) -> bool {
        let mut kinds = self.methods.iter().map(|method| method.kind);
        let mut of_regions = self.regions.iter().map(|region| region.kind);
        kinds.any(|kind| kind == ProbeKind::Root) || of_regions.any(|kind| kind == ProbeKind::Root)
    }
}

impl ClassPlan {
    /// Whether the class stays byte-identical.
    pub const fn is_empty(&self) -> bool {
        self.methods.is_empty() && self.regions.is_empty() && !self.hand_offs
    }
}
