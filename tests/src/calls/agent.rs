//! The agent, compiled on demand with the JVM's own header.

use crate::{jdk, jdk::Jdk, run};
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// How the agent watches; the agent's own comment has the differences.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every call is looked at, and everything is interpreted.
    Entry,
    /// A breakpoint for each method, taken out at its first hit.
    First,
}

/// Compiles the agent for a JVM into `folder`. Without the JVM's `jvmti.h`, or a C compiler, says
/// that `test` is skipped.
pub fn agent(jdk: &Jdk, folder: &Path, test: &str) -> Option<PathBuf> {
    library(jdk, "calls", folder, test)
}

/// Compiles an agent of `tests/jvmti`, as [`agent`]. The main JDK's header does for a JVM that
/// comes without one, unless the agent asks for what is newer.
pub fn library(jdk: &Jdk, name: &str, folder: &Path, test: &str) -> Option<PathBuf> {
    let has_header = |home: &Path| home.join("include/jvmti.h").is_file();
    let home =
        if !has_header(&jdk.home) && name != "calls" { &jdk::main().home } else { &jdk.home };
    let include = home.join("include");
    if !has_header(home) {
        eprintln!("{test}: skipped for {jdk}, which has no include/jvmti.h");
        return None;
    }
    let compiler =
        std::env::var_os("CC").filter(|name| !name.is_empty()).unwrap_or_else(|| "cc".into());
    let answers = Command::new(&compiler)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if !answers.is_ok_and(|status| status.success()) {
        eprintln!("{test}: skipped, there is no C compiler {}", compiler.display());
        return None;
    }
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("jvmti").join(name).with_extension("c");
    let library = folder.join(format!("{name}-{}.so", jdk.version));
    let mut command = Command::new(compiler);
    command.args(["-std=gnu11", "-O2", "-Wall", "-Wextra", "-shared", "-fPIC", "-pthread"]);
    if name == "calls" && jdk.version >= 21 {
        command.arg("-DVIRTUAL_THREADS");
    }
    for folder in [include.clone(), include.join("linux"), include.join("darwin")] {
        command.arg("-I").arg(folder);
    }
    run::run(command.arg(source).arg("-o").arg(&library)).fine();
    Some(library)
}

/// The JVM option that starts the agent. The root is `CLASS.NAME`, with a descriptor where it is
/// needed.
pub fn option(agent: &Path, log: &Path, root: Option<&str>, mode: Mode) -> String {
    let mode = match mode {
        Mode::Entry => "entry",
        Mode::First => "first",
    };
    let root = root.map(|root| format!(",root={root}")).unwrap_or_default();
    format!("-agentpath:{}=log={},mode={mode}{root}", agent.display(), log.display())
}
