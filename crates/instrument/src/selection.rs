//! Which inputs are read, and which of their methods are instrumented: the same request for a
//! rewriting and for its dry run.

use crate::{
    error::{Result, usage},
    reach::{Reach, total_without},
};
use jfathom_plan::{
    CallGraph, Digest, DigestHasher, EntryAlone, HugeMethods, MethodKey, Placement, RegionRule,
    RegionSelector, Scheme, SelectionRules, Selector,
};
use std::{collections::BTreeSet, path::PathBuf};

/// Inputs, and the methods of theirs that are to be instrumented.
#[derive(Clone, Debug)]
pub struct Selection {
    /// The program that asks, with its version, as manifests name it.
    pub tool: &'static str,
    /// Jars, wars and class directories.
    pub inputs: Vec<PathBuf>,
    /// Modules of the JDK to instrument.
    pub modules: Vec<String>,
    /// What becomes of methods of libraries.
    pub libraries: Libraries,
    /// Instrument what these select, and skip what they exclude; everything if none selects.
    pub include: Vec<Selector>,
    /// Record only inside these methods; everywhere if empty.
    pub roots: Vec<Selector>,
    /// Regions, which are the roots if there are no others.
    pub regions: Vec<RegionSelector>,
    /// Regions that are roots.
    pub root_regions: Vec<RegionSelector>,
    /// How far roots reach.
    pub reach: Reach,
    /// Methods taken as called though no rule of the reachability analysis finds them.
    pub assumed_calls: Vec<Selector>,
    /// The program's entry points; found by themselves if empty.
    pub entry_points: Vec<Selector>,
    /// Methods that recordings saw called; they are taken as called.
    pub profile: Option<ProfileUse>,
    /// Instrument also the methods of the JDK in the roots' call subgraph.
    pub include_jdk: bool,
    /// Keep an index of the classes for the next time, in the user's cache directory.
    pub keep_index: bool,
    /// Skip empty methods, plain getters and setters.
    pub skip_trivial: bool,
    /// Instrument methods that HotSpot never compiles afterwards.
    pub allow_huge: bool,
    /// Count all methods, not only small ones, and time only roots, tasks and regions.
    pub count_only: bool,
    /// Where the runtime is put; chosen by the modules if `None`.
    pub placement: Option<Placement>,
}

/// What becomes of methods of libraries: of jars that only a `Class-Path` names, and of jars in the
/// library folder of a war, an ear or an executable jar. Without effect on roots, where
/// [`Selection::include`] says what is instrumented, and where the inputs have nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Libraries {
    /// They can be timed.
    Time,
    /// They have an entry probe alone.
    #[default]
    Count,
    /// They have no probes, and no `Class-Path` is followed.
    Off,
}

/// The methods that recordings saw called.
#[derive(Clone, Debug)]
pub struct ProfileUse {
    /// The profiles, for people.
    pub files: Vec<PathBuf>,
    /// The methods.
    pub called: BTreeSet<MethodKey>,
}

impl Default for Selection {
    fn default() -> Self {
        Self {
            tool: "jfathom",
            inputs: Vec::new(),
            modules: Vec::new(),
            libraries: Libraries::default(),
            include: Vec::new(),
            roots: Vec::new(),
            regions: Vec::new(),
            root_regions: Vec::new(),
            reach: Reach::default(),
            assumed_calls: Vec::new(),
            entry_points: Vec::new(),
            profile: None,
            include_jdk: false,
            keep_index: true,
            skip_trivial: false,
            allow_huge: false,
            count_only: false,
            placement: None,
        }
    }
}

impl Selection {
    /// Where the runtime is put: as requested, else into java.base with JDK modules and into the
    /// jars without.
    pub(crate) fn placement(&self) -> Result<Placement> {
        let with_jdk = self.include_jdk || !self.modules.is_empty();
        let placement = match self.placement {
            Some(placement) => placement,
            None if with_jdk => Placement::JavaBase,
            None => Placement::Main,
        };
        if with_jdk && placement != Placement::JavaBase {
            let option = if self.include_jdk { "--scheme jdk" } else { "jrt:/MODULE" };
            return Err(usage(format!(
                "{option} needs --placement java-base: JDK modules find the runtime nowhere else"
            )));
        }
        Ok(placement)
    }

    /// Which methods get probes: [`Scheme::Static`] for the roots' call subgraph, [`Scheme::Total`]
    /// for all selected ones. `None` without roots.
    pub fn scheme(&self) -> Option<Scheme> {
        let scheme = if self.is_analyzed() { Scheme::Static } else { Scheme::Total };
        self.has_roots().then_some(scheme)
    }

    /// The call-graph algorithm; `None` if every selected method is instrumented.
    pub fn call_graph(&self) -> Option<CallGraph> {
        match self.reach {
            Reach::Rta if self.is_analyzed() => Some(CallGraph::Rta),
            Reach::Cha if self.is_analyzed() => Some(CallGraph::Cha),
            Reach::Rta | Reach::Cha | Reach::Total => None,
        }
    }

    /// Whether the reachability analysis chooses the methods.
    pub fn is_analyzed(&self) -> bool {
        (!self.roots.is_empty() || !self.root_regions.is_empty()) && self.reach != Reach::Total
    }

    /// Whether probes record only inside roots.
    pub fn has_roots(&self) -> bool {
        !(self.roots.is_empty() && self.root_regions.is_empty() && self.regions.is_empty())
    }

    /// Whether regions are the roots because there are no others.
    pub fn regions_are_roots(&self) -> bool {
        self.roots.is_empty() && self.root_regions.is_empty() && !self.regions.is_empty()
    }

    /// The roots as the user wrote them.
    pub fn root_texts(&self) -> Vec<String> {
        let regions = if self.regions_are_roots() { &self.regions } else { &self.root_regions };
        let roots = self.roots.iter().map(ToString::to_string);
        roots.chain(regions.iter().map(ToString::to_string)).collect()
    }

    /// Whether a selector names an annotation.
    pub(crate) fn has_annotations(&self) -> bool {
        let Self { include, roots, assumed_calls, entry_points, .. } = self;
        let mut all = [include, roots, assumed_calls, entry_points].into_iter().flatten();
        all.any(Selector::is_annotation)
    }

    /// Whether a region may be in a class of this internal name.
    pub(crate) fn may_have_region(&self, class: &str) -> bool {
        let mut all = self.regions.iter().chain(&self.root_regions);
        all.any(|region| region.method.can_select_in(class))
    }

    /// Refuses contradictory options. Reads nothing, so that a wrong request fails at once.
    ///
    /// # Errors
    /// Fails if an option needs a call graph and there is none, or if JDK modules are to be
    /// instrumented in a placement that cannot hold their runtime.
    pub fn check(&self) -> Result<()> {
        self.placement()?;
        self.require_call_graph(&[
            ("--assume-called", !self.assumed_calls.is_empty()),
            ("--entry-point", !self.entry_points.is_empty()),
            ("--profile-use", self.profile.is_some()),
            ("--scheme jdk", self.include_jdk),
        ])
    }

    /// Refuses options that need a call graph if there is none. Each comes with whether it was
    /// given.
    ///
    /// # Errors
    /// Fails if one was given and every selected method is instrumented.
    pub fn require_call_graph(&self, options: &[(&str, bool)]) -> Result<()> {
        let given = options.iter().find(|(_, is_given)| *is_given);
        match given.filter(|_| self.reach == Reach::Total) {
            Some((option, _)) => Err(total_without(option)),
            None => Ok(()),
        }
    }

    /// Whether a selector says what is instrumented.
    pub fn has_inclusion(&self) -> bool {
        self.include.iter().any(|selector| !selector.is_exclusion())
    }

    /// What becomes of the methods of a library.
    pub fn of_libraries(&self) -> Libraries {
        match self.libraries {
            Libraries::Count if self.has_inclusion() => Libraries::Time,
            all => all,
        }
    }

    /// A digest of what decides how a class is rewritten, for outputs of single inputs that are
    /// libraries or not. None with a reachability analysis, which depends on all inputs.
    pub(crate) fn options(&self, is_library: bool) -> Option<Digest> {
        let options = Self { inputs: Vec::new(), keep_index: true, ..self.clone() };
        let mut hasher = DigestHasher::default();
        hasher.bytes(format!("{options:?}").as_bytes());
        hasher.bytes(&[u8::from(is_library)]);
        (!self.is_analyzed()).then(|| hasher.finish())
    }

    fn region_rules(&self) -> Vec<RegionRule> {
        let rule =
            |selector: &RegionSelector, root| RegionRule { selector: selector.clone(), root };
        let roots = self.root_regions.iter().map(|region| rule(region, true));
        roots.chain(self.regions.iter().map(|region| rule(region, false))).collect()
    }

    /// The rules for choosing methods, with ids from `id_base`.
    pub(crate) fn rules(&self, id_base: u32) -> SelectionRules {
        SelectionRules {
            include: self.include.clone(),
            roots: self.roots.clone(),
            regions: self.region_rules(),
            skip_trivial: self.skip_trivial,
            hand_offs: true,
            huge: if self.allow_huge { HugeMethods::Allow } else { HugeMethods::Skip },
            entry_alone: if self.count_only { EntryAlone::All } else { EntryAlone::Small },
            id_base,
        }
    }
}
