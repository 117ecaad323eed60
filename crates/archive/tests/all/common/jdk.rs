//! The JDKs of the machine.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The Java home of the `java` on the path, which has a compiler.
pub fn default_home() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let java = std::env::split_paths(&path).map(|d| d.join("java")).find(|j| j.is_file());
    let java =
        java.expect("no java on the PATH; install a JDK 17 or later").canonicalize().unwrap();
    java.ancestors().nth(2).unwrap().to_owned()
}

/// The home of a JDK 25, if there is one.
pub fn home_25() -> Option<PathBuf> {
    let is_25 = |home: &Path| {
        let release = std::fs::read_to_string(home.join("release")).unwrap_or_default();
        release.lines().any(|line| line.starts_with("JAVA_VERSION=\"25"))
    };
    let listed =
        std::fs::read_dir("/usr/lib/jvm").into_iter().flatten().flatten().map(|e| e.path());
    std::env::var_os("JFATHOM_JDK25")
        .map(PathBuf::from)
        .into_iter()
        .chain(listed)
        .find(|home| is_25(home))
}

/// The default JDK and, where there is one, JDK 25.
pub fn homes() -> Vec<PathBuf> {
    let newer = home_25();
    if newer.is_none() {
        println!("skipped for JDK 25: none found; set JFATHOM_JDK25");
    }
    [default_home()].into_iter().chain(newer).collect()
}

/// Standard output of a tool of the default JDK; the test fails if the tool does.
pub fn run(tool: &str, args: &[&str], dir: &Path) -> String {
    run_in(&default_home(), tool, args, dir)
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
