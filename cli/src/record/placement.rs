//! The rewritten files of a command, found from its arguments.

use anyhow::Result;
use jfathom_collector::{JavaCommand, ManifestRef, RecordOptions, java_version};
use jfathom_instrument::{OutputFile, Rewritten, Run, Sidecar, origin};
use jfathom_plan::Placement;
use jfathom_session::ClockChoice;
use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The rewritten files of a program.
#[derive(Debug, Default)]
pub(super) struct JavaProgram {
    /// Output directories with their files.
    pub(super) outputs: Vec<(PathBuf, Sidecar)>,
    /// JVM flags that the program needs, or that make recording cheaper.
    pub(super) flags: Vec<String>,
    /// The end of the ids, if the runtime may not find all manifests.
    pub(super) ids: Option<String>,
    /// Manifests of all files.
    pub(super) all: Vec<ManifestRef>,
    /// Manifests that the runtime may not find.
    pub(super) manifests: Vec<ManifestRef>,
    pub(super) is_java: bool,
    run: Run,
    /// Whether the command itself has `--enable-native-access`.
    native_access: bool,
}

impl JavaProgram {
    /// Finds the output directories that `command` runs with, besides the `named` ones.
    pub(super) fn find(
        command: &[OsString],
        named: &[PathBuf],
        use_java_tool_options: bool,
        clock: ClockChoice,
    ) -> Result<Self> {
        let mut program = Self { is_java: is_java(command), ..Self::default() };
        for out in named {
            program.add(out)?;
        }
        let path = std::env::var_os("PATH");
        let mut java = JavaCommand::default();
        let mut version = None;
        if let [launcher, arguments @ ..] = command
            && program.is_java
        {
            java = JavaCommand::parse(arguments, std::env::var_os("CLASSPATH").as_deref());
            version = java_version(launcher, path.as_deref());
            for entry in java.paths() {
                program.add_containing(entry)?;
            }
        } else if use_java_tool_options {
            version = java_of_scripts(path.as_deref());
        }
        program.run = Run {
            java: version,
            keep_cache: java.aot_cache,
            nano_clock: clock == ClockChoice::Nano,
        };
        program.native_access = java.native_access;
        if program.is_java || use_java_tool_options {
            program.flags = program.flags_with(&program.outputs, clock == ClockChoice::Nano)?;
        }
        program.all = program
            .files()
            .filter(|(_, file)| file.ids.len > 0)
            .map(|(path, file)| manifest_ref(&path, file))
            .collect();
        program.note_unseen()?;
        Ok(program)
    }

    fn add(&mut self, out: &Path) -> Result<()> {
        let out = std::path::absolute(out)?;
        if self.outputs.iter().all(|(known, _)| *known != out) {
            let sidecar = Sidecar::read(&out)?;
            if sidecar.files.is_empty() {
                return Err(crate::failure::usage(format!(
                    "{}: nothing was rewritten into it; name the directory of `jfathom rewrite -o`",
                    out.display()
                )));
            }
            self.outputs.push((out, sidecar));
        }
        Ok(())
    }

    /// Adds the output directory of a class path entry: a jar, a directory, or all jars of a
    /// directory.
    fn add_containing(&mut self, entry: &Path) -> Result<()> {
        let entry = if entry.file_name() == Some(OsStr::new("*")) {
            entry.parent().unwrap_or(entry)
        } else {
            entry
        };
        if !entry.exists() {
            return Ok(());
        }
        match origin(entry)? {
            Some((out, _)) => self.add(&out),
            None if !Sidecar::read(entry)?.files.is_empty() => self.add(&entry.canonicalize()?),
            None => Ok(()),
        }
    }

    /// The JVM flags for the program with these output directories, and with this clock.
    pub(super) fn flags_with(
        &self,
        outputs: &[(PathBuf, Sidecar)],
        nano_clock: bool,
    ) -> Result<Vec<String>> {
        let mut flags = flags_for(outputs, &Run { nano_clock, ..self.run.clone() })?;
        if self.native_access {
            flags.retain(|flag| !flag.starts_with("--enable-native-access"));
        }
        Ok(flags)
    }

    /// All files with their paths.
    pub(super) fn files(&self) -> impl Iterator<Item = (PathBuf, &OutputFile)> {
        self.outputs.iter().flat_map(|(out, sidecar)| {
            sidecar.files.iter().map(|file| (out.join(&file.path), file))
        })
    }

    /// The runtime finds the manifests of its own class loader. Unless it is in the main jar, other
    /// loaders may load the rewritten classes.
    fn note_unseen(&mut self) -> Result<()> {
        let files: Vec<(PathBuf, OutputFile)> = self
            .files()
            .filter(|(_, file)| file.placement != Placement::Main && file.ids.len > 0)
            .map(|(path, file)| (path, file.clone()))
            .collect();
        if files.is_empty() {
            return Ok(());
        }
        let mut has_roots = false;
        for (path, file) in files {
            let manifest = Rewritten::open(&path)?.manifest;
            has_roots |= manifest.is_some_and(|manifest| manifest.has_roots);
            self.manifests.push(manifest_ref(&path, &file));
        }
        let end = self.files().map(|(_, file)| file.ids.end()).max().unwrap_or(0);
        self.ids = Some(if has_roots { format!("{end},roots") } else { end.to_string() });
        Ok(())
    }

    /// Warnings before the command runs.
    pub(super) fn remarks(&self, options: &RecordOptions) -> Vec<String> {
        if self.is_java || options.via_env {
            return Vec::new();
        }
        let command = options
            .command
            .first()
            .map(|word| word.to_string_lossy().into_owned())
            .unwrap_or_default();
        // Flags that the program cannot run without. Flags that save time depend on the JVM's
        // version, which is unknown here.
        match flags_for(&self.outputs, &Run::default()).unwrap_or_default() {
            needed if needed.is_empty() => vec![format!(
                "`{command}` is not `java`: JVMs behind it get no flags, and JDK 22+ then uses the slower clock unless the \
                 jar's manifest allows native access (--use-java-tool-options reaches them)"
            )],
            needed => vec![format!(
                "`{command}` is not `java`, so its JVMs do not get the flags that the rewritten files need ({}): put them \
                 into it, or use --use-java-tool-options",
                needed.join(" ")
            )],
        }
    }
}

fn flags_for(outputs: &[(PathBuf, Sidecar)], run: &Run) -> Result<Vec<String>> {
    let mut flags = Vec::new();
    for (out, sidecar) in outputs {
        for flag in sidecar.flags(out, run)? {
            if !flags.contains(&flag) {
                flags.push(flag);
            }
        }
    }
    Ok(flags)
}

fn manifest_ref(path: &Path, file: &OutputFile) -> ManifestRef {
    ManifestRef { ids: file.ids, plan: file.plan.to_string(), place: path.display().to_string() }
}

/// The version of the Java that a script most likely runs: that of `JAVA_HOME`, else that on the
/// path.
fn java_of_scripts(path: Option<&OsStr>) -> Option<u32> {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => java_version(Path::new(&home).join("bin/java").as_os_str(), path),
        None => java_version(OsStr::new("java"), path),
    }
}

/// Whether the command is the launcher of a JVM.
pub(super) fn is_java(command: &[OsString]) -> bool {
    command.first().is_some_and(|program| JavaCommand::is_java(program))
}
