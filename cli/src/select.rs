//! Arguments that select methods, the same for `plan` and `rewrite`.

use crate::{java, profile_file, tool::TOOL};
use anyhow::Result;
use jfathom_collector::java_version;
use jfathom_instrument::{Libraries, ProfileUse, Reach, Selection};
use jfathom_plan::{
    CallGraph, MethodKey, Placement, RegionSelector, RootSelector, Scheme, Selector,
};
use std::{collections::BTreeSet, num::NonZeroUsize, path::PathBuf};

/// Inputs, and which of their methods get probes.
#[derive(Debug, clap::Args)]
pub(crate) struct SelectionArgs {
    /// Jars, wars or class directories, and the jars that the Class-Path of their jar manifests
    /// names
    #[arg(value_name = "INPUT", required_unless_present = "module")]
    inputs: Vec<PathBuf>,
    /// Instrument what SELECTOR selects instead of everything, or skip it (!SELECTOR); repeat for
    /// more
    #[arg(long, value_name = "SELECTOR")]
    include: Vec<Selector>,
    /// Record only inside these methods, also in tasks that they hand off to other threads; repeat
    /// for more
    #[arg(long, value_name = "SELECTOR")]
    root: Vec<RootSelector>,
    /// Count and time these lines of a method; without --root they are the roots, and without
    /// --include nothing else gets probes; repeat for more (docs/how-to/regions.md)
    #[arg(long, value_name = "CLASS::METHOD:LINE-LINE")]
    region: Vec<RegionSelector>,
    /// Which methods get probes: those that the roots can call (static), or all (total)
    #[arg(long, value_name = "SCHEME", default_value_t = Scheme::Static, requires = "root", value_parser = scheme)]
    scheme: Scheme,
    /// Which receivers a virtual call may have: rta (classes that the program instantiates) or cha
    /// (all classes) [default: rta]
    #[arg(long, value_name = "ALGORITHM", requires = "root", value_parser = call_graph)]
    call_graph: Option<CallGraph>,
    /// Take these methods as called by the roots, such as those that native code calls; repeat for
    /// more
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    assume_called: Vec<Selector>,
    /// Entry points of the program; virtual calls consider only classes instantiated from there
    /// [default: the roots if all are `main`, else every method]
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    entry_point: Vec<Selector>,
    /// Take the methods with calls in a profile as called by the roots; repeat for more
    #[arg(long, value_name = "FILE.jfp", requires = "root")]
    profile_use: Vec<PathBuf>,
    /// Instrument also the methods of the JDK that the roots can call (implies --placement
    /// java-base)
    #[arg(long, requires = "root")]
    include_jdk: bool,
    /// The JDK that the program runs on and --module takes modules from [default: JAVA_HOME, else
    /// that of `java`]
    #[arg(long, value_name = "DIR")]
    java_home: Option<PathBuf>,
    /// Do not keep an index of the classes for the next run
    #[arg(long)]
    no_cache: bool,
    /// What the probes of methods do, with commas between them: trivial=off (no probes in empty
    /// methods, plain getters and setters), huge=time (probes also where code grows past 8,000
    /// bytes, which HotSpot never compiles), '**=count' (an entry probe alone: methods are counted,
    /// and cannot be timed; roots, tasks and regions are timed; docs/how-to/large-programs.md)
    #[arg(long, value_name = "METHODS=HOW", value_delimiter = ',', value_parser = probe)]
    probe: Vec<Probes>,
    /// Where the runtime is put
    #[arg(long, value_enum, value_name = "PLACE")]
    placement: Option<PlacementArg>,
    /// Rewrite a JDK module into a --patch-module directory; repeat for more (implies --placement
    /// java-base)
    #[arg(long, value_name = "NAME")]
    module: Vec<String>,
    /// What becomes of methods of libraries: of jars that only a Class-Path names, and of those in
    /// the lib folder of a war or an executable jar. With --include they are as other methods
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = LibrariesArg::Count)]
    libraries: LibrariesArg,
    /// Number of threads [default: one per core]
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
}

/// The syntax of selectors, for `--help`.
pub(crate) const SELECTORS: &str = "\
Selectors:
  com.acme.Engine            all methods of the class (nested classes: com.acme.Engine$Part or com.acme.Engine.Part)
  com.acme.*   com.acme.**   all classes of the package, and of the packages below
  com.acme.Engine::run       methods by name; com.acme.Engine#run and com.acme.Engine.run mean the same
  com.acme.Engine::run(int, String[])   by its parameters, as in source; <init> and <clinit> are names too
  com.acme.Engine::run(I)V   one method by its descriptor
  com.acme.Engine::`odd name`   a name with any characters, between backticks, as printed
  com.acme.Engine::run:12-20 lines of a method: for --region, and for --root of `rewrite` and `plan`
  @Timed   @com.acme.Timed   methods with the annotation, and all methods of classes with it; an
                             annotation that has @Timed counts, too
  !com.acme.Generated        excludes from the selection; `*` stands for any part of a name
";

fn scheme(name: &str) -> Result<Scheme, String> {
    Scheme::from_name(name).ok_or_else(|| "the schemes are static and total".to_owned())
}

fn call_graph(name: &str) -> Result<CallGraph, String> {
    match name {
        "rta" => Ok(CallGraph::Rta),
        "cha" => Ok(CallGraph::Cha),
        _ => Err("the call-graph algorithms are rta and cha".to_owned()),
    }
}

/// Where the runtime is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum PlacementArg {
    /// Into each jar: no JVM flag is needed
    Main,
    /// Onto the boot class path, for isolated class loaders (OSGi, application servers)
    Boot,
    /// Onto the boot class path, read by named modules (`java -p`)
    Modular,
    /// Into java.base, through --patch-module
    JavaBase,
}

/// What the probes of some methods do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Probes {
    TrivialOff,
    HugeTime,
    AllCount,
}

fn probe(text: &str) -> Result<Probes, String> {
    match text {
        "trivial=off" => Ok(Probes::TrivialOff),
        "huge=time" => Ok(Probes::HugeTime),
        "**=count" => Ok(Probes::AllCount),
        _ => Err("ahead of time there are trivial=off, huge=time and **=count; --include chooses \
                  methods, and --probe of `record` what is timed"
            .to_owned()),
    }
}

/// What becomes of methods of libraries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum LibrariesArg {
    /// They can be timed
    Time,
    /// They have an entry probe alone
    Count,
    /// They have no probes, and no Class-Path is followed
    Off,
}

impl From<LibrariesArg> for Libraries {
    fn from(libraries: LibrariesArg) -> Self {
        match libraries {
            LibrariesArg::Time => Self::Time,
            LibrariesArg::Count => Self::Count,
            LibrariesArg::Off => Self::Off,
        }
    }
}

impl From<PlacementArg> for Placement {
    fn from(placement: PlacementArg) -> Self {
        match placement {
            PlacementArg::Main => Self::Main,
            PlacementArg::Boot => Self::Boot,
            PlacementArg::Modular => Self::Modular,
            PlacementArg::JavaBase => Self::JavaBase,
        }
    }
}

impl SelectionArgs {
    /// The selection that the arguments name. `graph_options` are further options that need a call
    /// graph, each with whether it was given.
    ///
    /// The profiles of --profile-use are read last: a contradiction is refused at once.
    pub(crate) fn selection(&self, graph_options: &[(&str, bool)]) -> Result<Selection> {
        let profile = ProfileUse { files: self.profile_use.clone(), called: BTreeSet::new() };
        let (roots, root_regions) = split_roots(&self.root);
        let mut selection = Selection {
            tool: TOOL,
            inputs: self.inputs.clone(),
            modules: self.module.clone(),
            libraries: self.libraries.into(),
            include: self.include.clone(),
            roots,
            regions: self.region.clone(),
            root_regions,
            reach: Reach::new(self.scheme, self.call_graph)?,
            assumed_calls: self.assume_called.clone(),
            entry_points: self.entry_point.clone(),
            profile: (!profile.files.is_empty()).then_some(profile),
            include_jdk: self.include_jdk,
            java_home: self.java_home.clone(),
            keep_index: !self.no_cache,
            skip_trivial: self.probe.contains(&Probes::TrivialOff),
            allow_huge: self.probe.contains(&Probes::HugeTime),
            count_only: self.probe.contains(&Probes::AllCount),
            placement: self.placement.map(Placement::from),
            threads: self.jobs,
        };
        selection.check()?;
        selection.require_call_graph(graph_options)?;
        if let Some(profile) = &mut selection.profile {
            profile.called = called_methods(&profile.files)?;
        }
        Ok(selection)
    }

    /// Feature version of the Java that the program runs on, if known.
    pub(crate) fn java_version(&self) -> Option<u32> {
        match &self.java_home {
            Some(home) => java_version(home.join("bin/java").as_os_str(), None),
            None => java::default_version(),
        }
    }
}

/// Roots that are methods, and roots that are regions.
pub(crate) fn split_roots(roots: &[RootSelector]) -> (Vec<Selector>, Vec<RegionSelector>) {
    let (mut methods, mut regions) = (Vec::new(), Vec::new());
    for root in roots.iter().cloned() {
        match root {
            RootSelector::Methods(selector) => methods.push(selector),
            RootSelector::Region(region) => regions.push(region),
        }
    }
    (methods, regions)
}

/// The methods with calls in the profiles.
fn called_methods(files: &[PathBuf]) -> Result<BTreeSet<MethodKey>> {
    let mut called = BTreeSet::new();
    for file in files {
        let methods = profile_file::read(file)?.methods.into_iter();
        let with_calls = methods.filter(|method| {
            !method.info.is_resumption() && (method.calls() > 0 || method.virtual_calls > 0)
        });
        called.extend(with_calls.map(|method| method.info.key));
    }
    Ok(called)
}
