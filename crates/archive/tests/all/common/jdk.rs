//! The JDKs of the machine, and their tools.

use jfathom_testkit::jdk;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The home of the JDK that has a compiler.
pub fn default_home() -> PathBuf {
    jdk::main().home.clone()
}

/// The default JDK and, where there is one, JDK 25.
pub fn homes() -> Vec<PathBuf> {
    jdk::main_and_25("archive").into_iter().map(|jdk| jdk.home.clone()).collect()
}

/// Standard output of a tool of the default JDK; the test fails if the tool does.
pub fn run(tool: &str, args: &[&str], dir: &Path) -> String {
    run_in(&jdk::main().home, tool, args, dir)
}

/// [`run`] with the JDK at `home`.
pub fn run_in(home: &Path, tool: &str, args: &[&str], dir: &Path) -> String {
    let tool = home.join("bin").join(tool);
    let output = Command::new(&tool).args(args).current_dir(dir).output().unwrap();
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{} {args:?}: {out}{err}", tool.display());
    out.into_owned()
}
