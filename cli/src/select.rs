//! Arguments that select methods, the same for `plan` and `rewrite`.

use crate::{failure::usage, profile_file, tool::TOOL};
use anyhow::Result;
use jfathom_instrument::{Libraries, ProfileUse, Reach, Selection};
use jfathom_plan::{
    CallGraph, MethodKey, Placement, Problem, RegionSelector, RootSelector, Scheme, Selector,
};
use std::{collections::BTreeSet, ffi::OsStr, path::PathBuf};

/// Inputs, and which of their methods get probes.
#[derive(Debug, clap::Args)]
pub(crate) struct SelectionArgs {
    /// Jars, wars or class directories, and the jars that the Class-Path of their jar manifests
    /// names; or modules of the JDK (jrt:/java.base), for a --patch-module directory
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,
    /// Instrument what SELECTOR selects, or skip it (!SELECTOR); repeat for more
    ///
    /// Instead of everything. Or count and time these lines of a method (CLASS::METHOD:12-20),
    /// which without --root are a root.
    #[arg(long, value_name = "SELECTOR")]
    include: Vec<RootSelector>,
    /// Record only inside these methods, or these lines; repeat for more
    ///
    /// Also in tasks that they hand off to other threads.
    #[arg(long, value_name = "SELECTOR")]
    root: Vec<RootSelector>,
    /// Which methods get probes: those that the roots can call (static), or all (total)
    ///
    /// With +jdk those of the JDK, too. Virtual calls of static take as receivers the classes that
    /// the program instantiates (+rta), or all classes (+cha) [default: static+rta]
    #[arg(long, value_name = "SCHEME[+WORD]", requires = "root", value_parser = scheme,
        default_value = "static", hide_default_value = true)]
    scheme: SchemeArg,
    /// Take these methods as called by the roots; repeat for more
    ///
    /// Such as those that native code calls.
    #[arg(hide_short_help = true, long, value_name = "SELECTOR", requires = "root")]
    assume_called: Vec<Selector>,
    /// Entry points of the program; repeat for more
    ///
    /// Virtual calls consider only classes instantiated from there. By default the roots if all are
    /// `main`, else every method.
    #[arg(hide_short_help = true, long, value_name = "SELECTOR", requires = "root")]
    entry_point: Vec<Selector>,
    /// Take the methods with calls in a profile as called by the roots; repeat for more
    #[arg(hide_short_help = true, long, value_name = "FILE.jfp", requires = "root")]
    profile_use: Vec<PathBuf>,
    /// What the probes of methods do: trivial=off, huge=time, **=count
    ///
    /// With commas between them. trivial=off: no probes in empty methods, plain getters and
    /// setters. huge=time: probes also where code grows past 8,000 bytes, which HotSpot never
    /// compiles. '**=count': an entry probe alone; methods are counted, and cannot be timed; roots,
    /// tasks and regions are timed (docs/how-to/large-programs.md).
    #[arg(hide_short_help = true, long, value_name = "METHODS=HOW", value_delimiter = ',',
        value_parser = probe)]
    probe: Vec<Probes>,
    /// Where the runtime is put [default: java-base with methods of the JDK, else main]
    #[arg(hide_short_help = true, long, value_enum, value_name = "PLACE")]
    placement: Option<PlacementArg>,
    /// What becomes of methods of libraries
    ///
    /// Of jars that only a Class-Path names, and of those in the lib folder of a war or an
    /// executable jar. With --include they are as other methods.
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = LibrariesArg::Count)]
    libraries: LibrariesArg,
}

/// The environment variable that keeps (the default) or drops the index of the program's classes.
const CACHE: &str = "JFATHOM_CACHE";

/// What a module of the JDK begins with as an input: its URI (JEP 220).
const MODULE: &str = "jrt:/";

/// The syntax of selectors, for `--help`.
pub(crate) const SELECTORS: &str = "\
Selectors:
  com.acme.Engine            all methods of the class (nested classes: com.acme.Engine$Part or com.acme.Engine.Part)
  com.acme.*   com.acme.**   all classes of the package, and of the packages below
  com.acme.Engine::run       methods by name; com.acme.Engine#run and com.acme.Engine.run mean the same
  com.acme.Engine::run(int, String[])   by its parameters, as in source; <init> and <clinit> are names too
  com.acme.Engine::run(I)V   one method by its descriptor
  com.acme.Engine::`odd name`   a name with any characters, between backticks, as printed
  com.acme.Engine::run:12-20 lines of a method, for --include and --root
  @Timed   @com.acme.Timed   methods with the annotation, and all methods of classes with it; an
                             annotation that has @Timed counts, too
  !com.acme.Generated        excludes from the selection; `*` stands for any part of a name
";

/// What the environment says, for `--help`.
pub(crate) const ENVIRONMENT: &str = "\
Environment:
  JAVA_HOME           the JDK that the program runs on and jrt:/ takes modules from [default: that of `java`]
  RAYON_NUM_THREADS   threads [default: one per core]
  JFATHOM_CACHE=off   keeps no index of the classes for the next run
";

/// A scheme, and how far it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SchemeArg {
    scheme: Scheme,
    call_graph: Option<CallGraph>,
    with_jdk: bool,
}

fn scheme(text: &str) -> Result<SchemeArg, Problem> {
    let mut arg = SchemeArg { scheme: Scheme::Static, call_graph: None, with_jdk: false };
    for word in text.split('+') {
        match (word, Scheme::from_name(word)) {
            (_, Some(scheme)) => arg.scheme = scheme,
            ("rta", None) => arg.call_graph = Some(CallGraph::Rta),
            ("cha", None) => arg.call_graph = Some(CallGraph::Cha),
            ("jdk", None) => arg.with_jdk = true,
            _ => {
                return Err("the schemes are static and total, with +rta, +cha and +jdk".into());
            }
        }
    }
    Ok(arg)
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

fn probe(text: &str) -> Result<Probes, Problem> {
    match text {
        "trivial=off" => Ok(Probes::TrivialOff),
        "huge=time" => Ok(Probes::HugeTime),
        "**=count" => Ok(Probes::AllCount),
        _ => Err("ahead of time there are trivial=off, huge=time and **=count; --include chooses \
                  methods, and --probe of `record` what is timed"
            .into()),
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
        let (roots, root_regions) = split_regions(&self.root);
        let (include, regions) = split_regions(&self.include);
        let (modules, inputs) = self.modules_and_inputs();
        let mut selection = Selection {
            tool: TOOL,
            inputs,
            modules,
            libraries: self.libraries.into(),
            include,
            roots,
            regions,
            root_regions,
            reach: Reach::new(self.scheme.scheme, self.scheme.call_graph)?,
            assumed_calls: self.assume_called.clone(),
            entry_points: self.entry_point.clone(),
            profile: (!profile.files.is_empty()).then_some(profile),
            include_jdk: self.scheme.with_jdk,
            keep_index: keeps_index()?,
            skip_trivial: self.probe.contains(&Probes::TrivialOff),
            allow_huge: self.probe.contains(&Probes::HugeTime),
            count_only: self.probe.contains(&Probes::AllCount),
            placement: self.placement.map(Placement::from),
        };
        selection.check()?;
        selection.require_call_graph(graph_options)?;
        if let Some(profile) = &mut selection.profile {
            profile.called = called_methods(&profile.files)?;
        }
        Ok(selection)
    }

    /// Whether a root is named.
    pub(crate) fn has_root(&self) -> bool {
        !self.root.is_empty()
    }

    /// The inputs that are modules of the JDK, by name, and the files.
    fn modules_and_inputs(&self) -> (Vec<String>, Vec<PathBuf>) {
        let module = |input: &PathBuf| Some(input.to_str()?.strip_prefix(MODULE)?.to_owned());
        let modules = self.inputs.iter().filter_map(module).collect();
        let files = self.inputs.iter().filter(|input| module(input).is_none());
        (modules, files.cloned().collect())
    }
}

/// Whether an index of the classes is kept for the next run, as the environment says.
fn keeps_index() -> Result<bool> {
    match std::env::var_os(CACHE).as_deref().map(OsStr::to_str) {
        None | Some(Some("" | "on")) => Ok(true),
        Some(Some("off")) => Ok(false),
        Some(_) => Err(usage(format!("{CACHE}: it is on or off"))),
    }
}

/// Methods, and regions.
pub(crate) fn split_regions(selectors: &[RootSelector]) -> (Vec<Selector>, Vec<RegionSelector>) {
    let (mut methods, mut regions) = (Vec::new(), Vec::new());
    for selector in selectors.iter().cloned() {
        match selector {
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
