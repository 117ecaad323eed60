//! The arguments that say which methods are instrumented: the same for `plan` and `rewrite`.

use crate::failure::usage;
use anyhow::Result;
use jfathom_plan::{HugeMethods, Placement, SelectionRules, Selector};
use std::{num::NonZeroUsize, path::PathBuf, str::FromStr};

/// What is read, and what of it is instrumented.
#[derive(Debug, clap::Args)]
pub(crate) struct Selection {
    /// Jars, wars or class directories; jars that their manifests' Class-Path names come along
    #[arg(value_name = "INPUT", required_unless_present = "module")]
    pub(crate) inputs: Vec<PathBuf>,
    /// Instrument what SELECTOR selects instead of everything; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) include: Vec<Selector>,
    /// Leave alone what SELECTOR selects
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) exclude: Vec<Selector>,
    /// Instrument and record only what happens inside these methods, also on threads to which they
    /// hand work
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) root: Vec<Selector>,
    /// How far roots reach: static (what they can call on objects that are made somewhere), cha
    /// (on objects of any class), total (everything)
    #[arg(long, value_name = "POLICY", default_value_t = CallGraphArg::Static, requires = "root")]
    pub(crate) policy: CallGraphArg,
    /// Instrument also what these methods reach: further ways in, such as those that native code
    /// takes
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    pub(crate) also: Vec<Selector>,
    /// The program's entry points, which make the objects that roots find; by default any method
    /// may have made them, unless each root is a `main`
    #[arg(long, value_name = "SELECTOR", requires = "root")]
    pub(crate) entry: Vec<Selector>,
    /// Instrument also what a profile saw called, and what that reaches
    #[arg(long, value_name = "FILE.jfp", requires = "root")]
    pub(crate) seen: Vec<PathBuf>,
    /// Instrument also the methods of the JDK that roots reach (implies --placement java-base)
    #[arg(long, requires = "root")]
    pub(crate) jdk_methods: bool,
    /// The JDK that the program runs on, and that --module is taken from, instead of JAVA_HOME or
    /// that of `java`
    #[arg(long, visible_alias = "java-home", value_name = "DIR")]
    pub(crate) jdk: Option<PathBuf>,
    /// Keep no index of the classes for the next time
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Leave empty methods and plain getters and setters alone
    #[arg(long)]
    pub(crate) skip_trivial: bool,
    /// Instrument methods even if they grow past 8,000 bytes of code, which HotSpot never compiles
    #[arg(long)]
    pub(crate) allow_huge: bool,
    /// Tie methods to their entry probes by a number that they take or read first, so that no
    /// compiler starts on a method's work before its clock is read (see docs/pinned-probes.md)
    #[arg(long)]
    pub(crate) pin: bool,
    /// Where the program finds the runtime
    #[arg(long, value_enum, value_name = "WHERE")]
    placement: Option<PlacementArg>,
    /// Rewrite a module of the JDK into a --patch-module directory; repeat for more (implies
    /// --placement java-base)
    #[arg(long, value_name = "NAME")]
    pub(crate) module: Vec<String>,
    /// Take only what is named, not the jars that manifests' Class-Path names
    #[arg(long)]
    pub(crate) no_follow_class_path: bool,
    /// Number of threads; by default one per core
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
}

/// How selectors are written, for `--help`.
pub(crate) const SELECTORS: &str = "\
Selectors:
  com.acme.Engine            all methods of the class (nested classes: com.acme.Engine$Part or com.acme.Engine.Part)
  com.acme.*   com.acme.**   all classes of the package, and of the packages below
  com.acme.Engine::run       methods by name (com.acme.Engine.run means the same where no class is called so)
  com.acme.Engine::run(I)V   one method by its descriptor; <init> and <clinit> are names too
  @Timed   @com.acme.Timed   methods with the annotation, and all methods of classes with it
  !com.acme.Generated        what else is selected, but not this; `*` stands for any part of a name
";

/// How far roots reach.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CallGraphArg {
    /// What they can call on objects that are made somewhere.
    #[default]
    Static,
    /// What they can call on objects of any class.
    Cha,
    /// Everything.
    Total,
}

impl CallGraphArg {
    /// As it is written on the command line and in manifests.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Cha => "cha",
            Self::Total => "total",
        }
    }
}

impl std::fmt::Display for CallGraphArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CallGraphArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "static" => Ok(Self::Static),
            "cha" => Ok(Self::Cha),
            "total" => Ok(Self::Total),
            "eager" | "lazy" => Err(format!(
                "{text} follows a program while it runs, only while recording live; ahead of time: static, cha, total"
            )),
            _ => Err("the policies are static, cha and total".to_owned()),
        }
    }
}

/// Where the runtime goes.
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

impl Selection {
    /// Where the runtime goes: as asked, else into java.base with JDK modules and into the jars
    /// without.
    pub(crate) fn placement(&self) -> Result<Placement> {
        let asked = match self.placement {
            None if self.module.is_empty() && !self.jdk_methods => Placement::Main,
            None | Some(PlacementArg::JavaBase) => Placement::JavaBase,
            Some(PlacementArg::Main) => Placement::Main,
            Some(PlacementArg::Boot) => Placement::Boot,
            Some(PlacementArg::Modular) => Placement::Modular,
        };
        let option = if self.jdk_methods { "--jdk-methods" } else { "--module" };
        if asked != Placement::JavaBase && (self.jdk_methods || !self.module.is_empty()) {
            return Err(usage(format!(
                "{option} needs --placement java-base: modules of the JDK find the runtime nowhere else"
            )));
        }
        Ok(asked)
    }

    /// Whether roots are walked from, rather than everything taken.
    pub(crate) fn walks(&self) -> bool {
        !self.root.is_empty() && self.policy != CallGraphArg::Total
    }

    /// Refuses what says nothing where everything is taken.
    pub(crate) fn check(&self) -> Result<()> {
        if self.policy != CallGraphArg::Total {
            return Ok(());
        }
        let given = [
            ("--also", !self.also.is_empty()),
            ("--entry", !self.entry.is_empty()),
            ("--seen", !self.seen.is_empty()),
            ("--jdk-methods", self.jdk_methods),
        ];
        match given.iter().find(|it| it.1) {
            Some((option, _)) => Err(usage(format!(
                "--policy total takes everything, whatever {option} says; leave one out"
            ))),
            None => Ok(()),
        }
    }

    /// The rules for choosing, with ids from `id_base`.
    pub(crate) fn rules(&self, id_base: u32) -> SelectionRules {
        SelectionRules {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            roots: self.root.clone(),
            skip_trivial: self.skip_trivial,
            hand_offs: true,
            huge: if self.allow_huge { HugeMethods::Allow } else { HugeMethods::Skip },
            pin: self.pin,
            id_base,
        }
    }
}
