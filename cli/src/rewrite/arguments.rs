//! The arguments of `rewrite`.

use crate::failure::usage;
use anyhow::Result;
use jfathom_plan::{HugePolicy, MethodId, Placement, Rules, Selector};
use std::{num::NonZeroUsize, path::PathBuf};

/// Put probes into jars, class directories or JDK modules
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Args {
    /// Jars, wars or class directories; jars that their manifests' Class-Path names come along
    #[arg(value_name = "INPUT", required_unless_present = "module")]
    pub(crate) inputs: Vec<PathBuf>,
    /// The directory for what is rewritten; each input keeps its file name there
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Instrument what SELECTOR selects instead of everything; repeat for more
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) include: Vec<Selector>,
    /// Leave alone what SELECTOR selects
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) exclude: Vec<Selector>,
    /// Record only inside these methods, and follow the work that they hand to other threads
    #[arg(long, value_name = "SELECTOR")]
    pub(crate) root: Vec<Selector>,
    /// Leave empty methods and plain getters and setters alone
    #[arg(long)]
    pub(crate) skip_trivial: bool,
    /// Instrument methods even if they grow past 8,000 bytes of code, which HotSpot never compiles
    #[arg(long)]
    pub(crate) allow_huge: bool,
    /// Tie the numeric arguments of methods to their entry probes, so that no compiler starts on a method's work before its
    /// clock is read (see docs/pinned-probes.md)
    #[arg(long)]
    pub(crate) pin: bool,
    /// The first method id; by default the ids go on behind those in DIR
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=i64::from(MethodId::MAX.get())))]
    pub(crate) id_base: Option<u32>,
    /// Replace what an earlier run left in DIR
    #[arg(long)]
    pub(crate) force: bool,
    /// Where the program finds the runtime
    #[arg(long, value_enum, value_name = "WHERE")]
    placement: Option<Where>,
    /// Rewrite a module of the JDK into a --patch-module directory; repeat for more (implies --placement java-base)
    #[arg(long, value_name = "NAME")]
    pub(crate) module: Vec<String>,
    /// The JDK that --module is taken from, instead of JAVA_HOME or that of `java`
    #[arg(long, value_name = "DIR")]
    pub(crate) java_home: Option<PathBuf>,
    /// Rewrite only what is named, not the jars that manifests' Class-Path names
    #[arg(long)]
    pub(crate) no_follow_class_path: bool,
    /// Number of threads; by default one per core
    #[arg(short, long, value_name = "N")]
    pub(crate) jobs: Option<NonZeroUsize>,
    /// Print warnings and errors only
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// List all that was left alone, with the reasons
    #[arg(short, long)]
    pub(crate) verbose: bool,
}

const EXAMPLES: &str = "\
Selectors:
  com.acme.Engine            all methods of the class (nested classes: com.acme.Engine$Part or com.acme.Engine.Part)
  com.acme.*   com.acme.**   all classes of the package, and of the packages below
  com.acme.Engine::run       methods by name (com.acme.Engine.run means the same where no class is called so)
  com.acme.Engine::run(I)V   one method by its descriptor; <init> and <clinit> are names too
  @Timed   @com.acme.Timed   methods with the annotation, and all methods of classes with it
  !com.acme.Generated        what else is selected, but not this; `*` stands for any part of a name

Examples:
  jfathom rewrite app.jar -o out
      everything in app.jar; out/app.jar runs with plain `java -jar`
  jfathom rewrite app.jar -o out --root 'com.acme.Engine::run'
      records only what happens inside Engine.run
  jfathom rewrite lib/*.jar classes -o out --include 'com.acme.**' --exclude '@Generated'
      a whole class path, of which only com.acme is instrumented
  jfathom rewrite --module java.base --include 'java.util.**' -o out
      classes of the JDK, for `java --patch-module java.base=out/java.base`
  jfathom record -- java -jar out/app.jar
      then: run it and record

Exit code: 0 fine, 1 failed, 2 wrong arguments (also a selector that matches nothing)";

/// Where the runtime goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Where {
    /// Into each jar: no JVM flag is needed
    Main,
    /// Onto the boot class path, for isolated class loaders (OSGi, application servers)
    Boot,
    /// Onto the boot class path, read by named modules (`java -p`)
    Modular,
    /// Into java.base, through --patch-module
    JavaBase,
}

impl Args {
    /// Where the runtime goes: as asked, else into java.base with JDK modules and into the jars without.
    pub(crate) fn placement(&self) -> Result<Placement> {
        let asked = match self.placement {
            None if self.module.is_empty() => Placement::Main,
            None | Some(Where::JavaBase) => Placement::JavaBase,
            Some(Where::Main) => Placement::Main,
            Some(Where::Boot) => Placement::Boot,
            Some(Where::Modular) => Placement::Modular,
        };
        if asked != Placement::JavaBase && !self.module.is_empty() {
            return Err(usage(
                "--module needs --placement java-base: modules of the JDK find the runtime nowhere else",
            ));
        }
        Ok(asked)
    }

    /// The rules for choosing, with ids from `id_base`.
    pub(crate) fn rules(&self, id_base: u32) -> Rules {
        Rules {
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            roots: self.root.clone(),
            skip_trivial: self.skip_trivial,
            hand_offs: true,
            huge: if self.allow_huge { HugePolicy::Allow } else { HugePolicy::Skip },
            pin: self.pin,
            id_base,
        }
    }
}
