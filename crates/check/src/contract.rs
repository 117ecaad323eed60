//! What an output may have that its original has not.

use crate::finding::{Finding, Outcome};
use jfathom_plan::{InstrumentedMethod, Manifest, ManifestClass, Placement, probe};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What was promised of one output: whose probes it holds, with which ids, and what is added to it.
#[derive(Clone, Debug)]
pub struct Contract<'a> {
    runtime: &'static str,
    has_roots: bool,
    hand_offs: bool,
    /// How many containers it lies in.
    depth: u32,
    /// What the manifest says was skipped: classes, and names with descriptors in them.
    skipped: HashSet<(&'a str, &'a str)>,
    /// By class, then by name and descriptor: a container may hold several classes of one name,
    /// each with its own ids.
    methods: HashMap<&'a str, HashMap<(&'a str, &'a str), Vec<&'a InstrumentedMethod>>>,
    /// Class, name and descriptor of methods with regions.
    regions: HashSet<(&'a str, &'a str, &'a str)>,
    added: Vec<(String, Option<Cow<'a, [u8]>>)>,
    /// The attribute words that the jar's manifest gets.
    native_access: bool,
}

/// The deepest that a jar lies in others and is looked into. The rewriter goes less deep.
const MOST_NESTED: u32 = 8;

/// The three probes of a method (JVMS 2.10: each exit is a return or an exception).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(crate) entry: &'static str,
    /// The entry of a method that is only counted, and then has no other.
    pub(crate) counted_entry: &'static str,
    pub(crate) exit: &'static str,
    pub(crate) throw: &'static str,
    pub(crate) is_root: bool,
}

const EVERY: Kind = Kind {
    entry: probe::METHOD_ENTRY,
    counted_entry: probe::COUNTED_ENTRY,
    exit: probe::METHOD_EXIT,
    throw: probe::METHOD_THROW,
    is_root: false,
};
const INNER: Kind = Kind {
    entry: probe::INNER_ENTRY,
    counted_entry: probe::COUNTED_INNER_ENTRY,
    exit: probe::METHOD_EXIT,
    throw: probe::METHOD_THROW,
    is_root: false,
};
const ROOT: Kind = Kind {
    entry: probe::ROOT_ENTRY,
    counted_entry: probe::ROOT_ENTRY,
    exit: probe::ROOT_EXIT,
    throw: probe::ROOT_THROW,
    is_root: true,
};

impl<'a> Contract<'a> {
    /// What a manifest promises. `manifest` describes the whole container.
    pub fn new(manifest: &'a Manifest) -> Self {
        let mut methods: HashMap<&str, HashMap<(&str, &str), Vec<&InstrumentedMethod>>> =
            HashMap::new();
        for (class, method) in manifest.methods() {
            let of_class = methods.entry(&class.name).or_default();
            of_class.entry((&method.name, &method.descriptor)).or_default().push(method);
        }
        let mut contract = Self::nothing(manifest.placement);
        (contract.has_roots, contract.hand_offs, contract.methods) =
            (manifest.has_roots, manifest.has_roots, methods);
        let regions = manifest.methods().filter(|(_, method)| method.region.is_some());
        let place = |(class, region): (&'a ManifestClass, &'a InstrumentedMethod)| {
            (class.name.as_str(), region.method_name(), region.descriptor.as_str())
        };
        contract.regions = regions.map(place).collect();
        let skipped = manifest
            .skips
            .iter()
            .filter_map(|skip| Some((skip.class.as_str(), skip.method.as_deref()?)));
        contract.skipped = skipped.collect();
        contract
    }

    /// That nothing is instrumented.
    pub fn nothing(placement: Placement) -> Self {
        Self {
            runtime: probe::class(placement),
            has_roots: false,
            hand_offs: false,
            depth: 0,
            skipped: HashSet::new(),
            methods: HashMap::new(),
            regions: HashSet::new(),
            added: Vec::new(),
            native_access: false,
        }
    }

    /// The same with entries that are new in the container: their names and contents; none where
    /// any will do.
    pub fn with_added(
        mut self,
        entries: impl IntoIterator<Item = (String, Option<Cow<'a, [u8]>>)>,
    ) -> Self {
        self.added.extend(entries);
        self
    }

    /// The same for a jar whose manifest gives the runtime access: `ALL-UNNAMED` in
    /// `Enable-Native-Access`, and two packages in `Add-Exports`.
    pub fn with_native_access(self, native_access: bool) -> Self {
        Self { native_access, ..self }
    }

    /// The same for what follows no work to other threads though it has roots: the modules of a
    /// JDK, and runs in which only the roots' own threads are looked at.
    pub fn without_hand_offs(self) -> Self {
        Self { hand_offs: false, ..self }
    }

    /// The contract of a nested container: the same methods, nothing added. None where it lies
    /// deeper than any that is rewritten: such files can hold each other without end.
    pub(crate) fn nested(&self) -> Option<Self> {
        let depth = self.depth + 1;
        let nested = || Self { added: Vec::new(), native_access: false, depth, ..self.clone() };
        (depth <= MOST_NESTED).then(nested)
    }

    /// The methods that the manifest names and whose probes were in no class of `outcome`. What is
    /// in a class that was not checked is not missed.
    pub fn missing(&self, outcome: &Outcome) -> Vec<Finding> {
        let unknown = |class: &str| {
            let name = format!("{class}.class");
            outcome
                .not_checked
                .iter()
                .chain(&outcome.faults)
                .any(|found| found.place.ends_with(&name))
        };
        let mut missing = Vec::new();
        for (class, methods) in self.methods.iter().filter(|(class, _)| !unknown(class)) {
            let lost =
                methods.values().flatten().filter(|method| !outcome.ids.contains(&method.id.get()));
            missing.extend(lost.map(|method| Finding {
                place: format!("{class}.class"),
                what: format!(
                    "method {}{} lacks its probes, id {}",
                    method.name,
                    method.descriptor,
                    method.id.get()
                ),
            }));
        }
        missing.sort();
        missing
    }

    /// Internal name of the class whose methods the probes are.
    pub(crate) fn runtime(&self) -> &str {
        self.runtime
    }

    /// Whether calls that hand work over, and methods that run it, may be changed.
    pub(crate) fn hand_offs(&self) -> bool {
        self.hand_offs
    }

    /// Whether the manifest says that the method was skipped.
    pub(crate) fn skips(&self, class: &str, name: &str, descriptor: &str) -> bool {
        !self.skipped.is_empty()
            && self.skipped.contains(&(class, format!("{name}{descriptor}").as_str()))
    }

    /// Whether regions of the method have probes.
    pub(crate) fn has_regions(&self, class: &str, name: &str, descriptor: &str) -> bool {
        self.regions.contains(&(class, name, descriptor))
    }

    /// The names and contents of what is added.
    pub fn added(&self) -> &[(String, Option<Cow<'a, [u8]>>)] {
        &self.added
    }

    pub(crate) fn native_access(&self) -> bool {
        self.native_access
    }

    /// The rows of the manifest for a method; several where several classes have one name.
    pub(crate) fn rows<'s>(
        &'s self,
        class: &str,
        name: &'s str,
        descriptor: &'s str,
    ) -> &'s [&'s InstrumentedMethod] {
        let of_class: Option<&'s HashMap<(&'s str, &'s str), Vec<&'s InstrumentedMethod>>> =
            self.methods.get(class);
        let rows = of_class.and_then(|class| class.get(&(name, descriptor)));
        rows.map(Vec::as_slice).unwrap_or_default()
    }

    /// The probes that a method of a row has.
    pub(crate) fn kind(&self, row: &InstrumentedMethod) -> Kind {
        match (row.root, self.has_roots) {
            (true, _) => ROOT,
            (false, true) => INNER,
            (false, false) => EVERY,
        }
    }
}
