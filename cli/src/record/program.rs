//! The program of a recorded command: how its JVM starts, and its rewritten files.

use crate::{archives, java};
use anyhow::Result;
use jfathom_collector::{
    JavaCommand, JavaEnvironment, JavaMain, JvmArchives, ManifestRef, java_home, java_version,
};
use jfathom_instrument::{HiddenManifests, Launch, LaunchMain, OutputFile, RewrittenProgram, Run};
use jfathom_session::ClockChoice;
use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

/// A recorded command's program.
#[derive(Debug, Default)]
pub(super) struct JavaProgram {
    /// The output directories that it runs with.
    pub(super) rewritten: RewrittenProgram,
    /// Whether the command is the launcher of a JVM, so that flags can be put into its arguments.
    pub(super) is_java: bool,
    /// Feature version of its JVM; of the one that a script most likely starts if it is none.
    pub(super) java: Option<u32>,
    /// JVM flags that it needs, or that make recording cheaper. Empty if they cannot be passed on.
    pub(super) flags: Vec<String>,
    /// Flags that it would get if its JVM had no archive of classes of its own.
    pub(super) left_out: Vec<String>,
    /// The JVM's archives of its own.
    pub(super) archives: JvmArchives,
    /// Files whose manifests the runtime may not find.
    pub(super) hidden: Option<HiddenManifests>,
    /// How it starts; none if the command does not say it.
    pub(super) launch: Option<Launch>,
    run: Run,
}

/// Feature version of a command's JVM; of the one that a script most likely starts if it is none.
pub(super) fn version(command: &[OsString]) -> Option<u32> {
    match command {
        [launcher, ..] if is_java(command) => {
            java_version(launcher, std::env::var_os("PATH").as_deref())
        }
        _ => java::default_version(),
    }
}

impl JavaProgram {
    /// Finds the output directories that `command` runs with, besides the `named` ones.
    pub(super) fn find(
        command: &[OsString],
        named: &[PathBuf],
        use_java_tool_options: bool,
        clock: ClockChoice,
    ) -> Result<Self> {
        let is_java = is_java(command);
        let named_java = match command {
            [_, arguments @ ..] if is_java => {
                JavaCommand::parse(arguments, &JavaEnvironment::of_process())
            }
            _ => JavaCommand::default(),
        };
        let java = version(command);
        let rewritten = RewrittenProgram::find(named, named_java.paths())?;
        let passes_flags = is_java || use_java_tool_options;
        let archives = archives::of(command);
        let run = Run {
            java: java.filter(|_| passes_flags),
            keep_cache: archives.are_there(),
            nano_clock: clock == ClockChoice::Nano,
            native_access: named_java.native_access,
        };
        let flags = if passes_flags { rewritten.flags(&run)? } else { Vec::new() };
        let mut left_out = match passes_flags && run.keep_cache {
            true => rewritten.flags(&Run { keep_cache: false, ..run.clone() })?,
            false => Vec::new(),
        };
        left_out.retain(|flag| !flags.contains(flag));
        let arguments = command.iter().filter(|_| is_java).cloned();
        let boot: Vec<OsString> = arguments.chain(flags.iter().map(OsString::from)).collect();
        RewrittenProgram::require_fitting_runtimes(&boot, named_java.paths())?;
        rewritten.require_modular(named_java.module_path.iter().map(|path| &**path))?;
        let hidden = rewritten.hidden_manifests()?;
        let launch = if is_java { launch(command, &named_java) } else { None };
        Ok(Self { rewritten, is_java, java, flags, left_out, archives, hidden, launch, run })
    }

    /// How the program runs with this clock.
    pub(super) fn run_with(&self, clock: ClockChoice) -> Run {
        Run { nano_clock: clock == ClockChoice::Nano, ..self.run.clone() }
    }

    /// The flags that the program cannot run without, whatever its JVM's version.
    pub(super) fn needed_flags(&self) -> Vec<String> {
        self.rewritten.flags(&Run::default()).unwrap_or_default()
    }

    /// The manifests of all files that have instrumented methods.
    pub(super) fn manifests(&self) -> Vec<ManifestRef> {
        let files = self.rewritten.files().filter(|(_, file)| file.ids.len > 0);
        files.map(|(path, file)| manifest_ref(&path, file)).collect()
    }

    /// The manifests that the runtime may not find.
    pub(super) fn hidden_manifests(&self) -> Vec<ManifestRef> {
        let files = self.hidden.iter().flat_map(|hidden| &hidden.files);
        files.map(|(path, file)| manifest_ref(path, file)).collect()
    }

    /// Ids that the runtime must have room for, in the form of `JFATHOM_IDS`, if it may not find
    /// all manifests.
    pub(super) fn ids(&self) -> Option<String> {
        let hidden = self.hidden.as_ref()?;
        let roots = if hidden.has_roots { ",roots" } else { "" };
        Some(format!("{}{roots}", hidden.ids_end))
    }
}

fn launch(command: &[OsString], java: &JavaCommand) -> Option<Launch> {
    let main = match java.main.clone()? {
        JavaMain::Class(name) => LaunchMain::Class(name),
        JavaMain::Jar => LaunchMain::Jar,
        JavaMain::Module(name) => LaunchMain::Module(name),
        // Its classes are in no file.
        JavaMain::Source => return None,
    };
    Some(Launch {
        class_path: java.used_class_path(),
        module_path: java.module_path.clone(),
        main,
        java_home: java_home(command.first()?, std::env::var_os("PATH").as_deref()),
        adds_classes: java.adds_classes,
    })
}

fn manifest_ref(path: &Path, file: &OutputFile) -> ManifestRef {
    ManifestRef { ids: file.ids, plan: file.plan.to_string(), place: path.display().to_string() }
}

/// Whether the command is the launcher of a JVM.
pub(super) fn is_java(command: &[OsString]) -> bool {
    command.first().is_some_and(|program| JavaCommand::is_java(program))
}
