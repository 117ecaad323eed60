//! What the methods of a running JVM look like, by an agent of `tests/jvmti` that has nothing to do
//! with ours.

use crate::{calls, jdk, jdk::Jdk, run, samples};
use std::{collections::BTreeMap, fs, path::PathBuf, process::Command};
use tempfile::TempDir;

/// The agent, compiled.
#[derive(Debug)]
pub struct CodeAgent {
    library: PathBuf,
    folder: TempDir,
}

impl CodeAgent {
    /// Compiles it. Where that cannot be done, or there is no `jcmd` to load it, says that `test`
    /// goes without it.
    pub fn new(jdk: &Jdk, test: &str) -> Option<Self> {
        if !jdk::main().tool("jcmd").is_file() {
            eprintln!("{test}: without a look at the code, there is no jcmd");
            return None;
        }
        let folder = samples::temp_dir();
        let library = calls::library(jdk, "code", folder.path(), test)?;
        Some(Self { library, folder })
    }

    /// The bytes of code of each method of the classes whose internal names begin with `prefix`;
    /// classes of one name from several loaders are told apart by nothing, so that their
    /// lengths are listed.
    #[track_caller]
    pub fn sizes(&self, pid: u32, prefix: &str) -> BTreeMap<String, Vec<u32>> {
        let file = self.folder.path().join("code.txt");
        let mut command = Command::new(jdk::main().tool("jcmd"));
        command.arg(pid.to_string()).arg("JVMTI.agent_load").arg(&self.library);
        let done = run::run(command.arg(format!("{},{prefix}", file.display()))).fine();
        let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{error}\n{done}"));
        assert!(text.ends_with("end\n"), "{text}\n{done}");
        let mut sizes: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        // Each evaluation of a lambda may make another hidden class.
        for line in text.lines().filter(|line| *line != "end" && !line.contains("$$Lambda")) {
            let (method, size) = line.rsplit_once(' ').unwrap_or_else(|| panic!("{line}"));
            sizes
                .entry(method.to_owned())
                .or_default()
                .push(size.parse().unwrap_or_else(|_| panic!("{line}")));
        }
        sizes.values_mut().for_each(|sizes| sizes.sort_unstable());
        fs::remove_file(&file).expect("it was there");
        sizes
    }
}
