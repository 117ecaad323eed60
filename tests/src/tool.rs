//! The `jfathom` command under test.

use crate::{jdk, jdk::Jdk, run, run::Done, samples};
use jfathom_plan::{MANIFEST_PATH, Manifest};
use jfathom_profile::{MethodNames, Profile};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The built command.
#[derive(Clone, Copy, Debug)]
pub struct Tool(pub &'static str);

impl Tool {
    /// The command with the main JDK as its Java, and nothing of the caller's sessions. What it
    /// keeps between runs lies with the build.
    pub fn command(self) -> Command {
        self.environment(Command::new(self.0))
    }

    /// The same, started by `env` with this option, which says what becomes of signals: whoever
    /// runs the tests may ignore some, as scripts have their background jobs ignore SIGINT.
    pub fn command_with_signals(self, option: &str) -> Command {
        let mut command = Command::new("env");
        command.arg(option).arg(self.0);
        self.environment(command)
    }

    fn environment(self, mut command: Command) -> Command {
        command.env("XDG_CACHE_HOME", Path::new(self.0).with_file_name("cache"));
        command
            .env("JAVA_HOME", &jdk::main().home)
            .env_remove("JFATHOM_SESSION")
            .env_remove("JAVA_TOOL_OPTIONS");
        // Whether outputs are read back is each test's to say.
        command.env_remove("CI");
        command
    }

    /// Runs it with arguments.
    #[track_caller]
    pub fn run(self, arguments: &[impl AsRef<OsStr>]) -> Done {
        run::run(self.command().args(arguments))
    }

    /// Rewrites one input into `out` and gives what became of it.
    #[track_caller]
    pub fn rewrite(self, input: &Path, out: &Path, options: &[&str]) -> PathBuf {
        run::run(self.command().arg("rewrite").arg(input).arg("-o").arg(out).args(options)).fine();
        out.join(input.file_name().expect("an input has a name"))
    }

    /// Runs `java` under `record` and reads the profile; `before` are options of `record`.
    #[track_caller]
    pub fn record(
        self,
        before: &[&str],
        jdk: &Jdk,
        java: &[impl AsRef<OsStr>],
        code: i32,
    ) -> (Done, Profile) {
        let folder = samples::temp_dir();
        let file = folder.path().join("profile.jfp");
        let mut command = self.command();
        // Truths are of calls that are timed.
        command
            .args(["record", "--budget=none", "--tune=calibrate=off"])
            .args(before)
            .arg("-o")
            .arg(&file)
            .arg("--")
            .arg(jdk.java())
            .args(java);
        let done = run::run(&mut command).code(code);
        let bytes = fs::read(&file).unwrap_or_else(|error| panic!("no profile: {error}\n{done}"));
        let profile =
            Profile::read(&mut bytes.as_slice()).unwrap_or_else(|error| panic!("{error}\n{done}"));
        profile.check().unwrap_or_else(|error| panic!("{error}\n{done}"));
        (done, profile)
    }
}

/// `java` without a recording.
pub fn java(jdk: &Jdk) -> Command {
    let mut command = Command::new(jdk.java());
    command
        .env_remove("JFATHOM_SESSION")
        .env_remove("JAVA_TOOL_OPTIONS")
        .env_remove("_JAVA_OPTIONS");
    command
}

/// The manifest in a rewritten class directory.
pub fn manifest(directory: &Path) -> Manifest {
    let path = directory.join(MANIFEST_PATH);
    let json = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Manifest::from_json(&json).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The names of the methods in a rewritten class directory.
pub fn names(directory: &Path) -> MethodNames {
    let mut names = MethodNames::default();
    names.add_manifest(&manifest(directory));
    names
}
