//! The program of all rounds: compiled once, and rewritten with and without its root.

use super::draw::{Draw, Mode};
use anyhow::Result;
use jfathom_tests::{jdk, jdk::Jdk, run, samples};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What rounds are recorded from.
pub const ROOT: &str = "storm.Calls::root";
/// What is never instrumented: the truth.
const NOT_TRUTH: &str = "!storm.Truth";

pub struct Program {
    pub jfathom: PathBuf,
    /// What jfathom keeps between runs.
    pub cache: PathBuf,
    pub jvms: Vec<Jdk>,
    plain: PathBuf,
    rewritten: PathBuf,
    rooted: PathBuf,
}

impl Program {
    /// Compiles and rewrites below `place`.
    pub fn make(jfathom: &Path, place: &Path) -> Result<Self> {
        let plain = place.join("classes");
        for folder in [&plain, &place.join("rewritten"), &place.join("rooted")] {
            if folder.exists() {
                fs::remove_dir_all(folder)?;
            }
        }
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/storm/java/storm");
        samples::javac_for(11, &[], &sources, &plain);
        let program = Self {
            jfathom: jfathom.to_path_buf(),
            cache: place.join("cache"),
            jvms: jdk::main_and_25("storm")
                .into_iter()
                .chain(jdk::jre11("storm"))
                .chain(jdk::jre21("storm"))
                .cloned()
                .collect(),
            rewritten: place.join("rewritten/classes"),
            rooted: place.join("rooted/classes"),
            plain,
        };
        let rewrite = |out: &str, options: &[&str]| {
            let mut command = Command::new(&program.jfathom);
            command
                .env("XDG_CACHE_HOME", &program.cache)
                .env("JAVA_HOME", &jdk::main().home)
                .arg("rewrite");
            run::run(
                command
                    .arg(&program.plain)
                    .arg("-o")
                    .arg(place.join(out))
                    .args(["--include", NOT_TRUTH])
                    .args(options),
            )
            .fine()
        };
        rewrite("rewritten", &[]);
        rewrite("rooted", &["--root", ROOT]);
        Ok(program)
    }

    /// `java` with the round's class path and arguments; `go` is the file that it waits for.
    pub fn java(&self, draw: &Draw, truth: &Path, go: Option<&Path>) -> Vec<String> {
        let jvm = &self.jvms[draw.jvm];
        let classes = match draw.mode {
            Mode::Rewritten => &self.rewritten,
            Mode::Rooted => &self.rooted,
            Mode::Live(_) | Mode::Attached(_) => &self.plain,
        };
        let mut words = vec![jvm.java().display().to_string()];
        // Small stacks, so that they overflow soon and crowds of threads fit.
        words.extend(["-Xss512k", "-Xmx256m"].map(str::to_owned));
        if draw.attached() && jvm.version >= 21 {
            words.push("-XX:+EnableDynamicAgentLoading".into());
        }
        words.extend(["-cp".into(), classes.display().to_string(), "storm.Main".into()]);
        words.push(truth.display().to_string());
        words.push(go.map_or("-".into(), |go| go.display().to_string()));
        let numbers = [draw.threads, draw.steps, draw.seed].map(|number| number.to_string());
        words.extend(numbers);
        words.push(draw.way.into());
        words.push(if draw.together { "together" } else { "apart" }.into());
        words.push(draw.quiet.to_string());
        words.push(draw.overflows.to_string());
        words.push(draw.ending.into());
        words
    }

    /// `record` with the round's options, but for its command.
    pub fn record(draw: &Draw, profile: &Path, session: Option<&Path>) -> Vec<String> {
        let mut words: Vec<String> =
            ["record", "--tune=calibrate=off", "-o"].map(str::to_owned).into();
        words.push(profile.display().to_string());
        if draw.all_timed {
            words.push("--budget=none".into());
        }
        if let Some(ring) = draw.ring {
            words.push(format!("--tune=ring={ring}"));
        }
        if draw.runs > 1 {
            words.extend(["--runs".into(), draw.runs.to_string()]);
        }
        if let Some(session) = session {
            words.push(format!("--tune=session={}", session.display()));
        }
        if let Mode::Live(scheme) | Mode::Attached(scheme) = draw.mode {
            words.extend(
                ["--root", ROOT, "--include", NOT_TRUTH, "--scheme", scheme].map(str::to_owned),
            );
        }
        words
    }
}
