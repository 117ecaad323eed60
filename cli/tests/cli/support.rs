//! A workplace for one test, and the program that it works on.

use jfathom_archive::{EntryName, JarManifest, ManifestEdit, NewEntry, create_jar};
use jfathom_testkit::{Javac, jdk, reference::Documents};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::OnceLock,
};
use tempfile::TempDir;

/// Two classes, an interface, an annotation, and every shape that the selectors ask for.
const SOURCE: &str = r#"
package acme;

public class Engine implements Runnable {
    @interface Timed {}

    interface Part { int turn(int by); }

    static class Wheel implements Part {
        int angle;
        @Override public int turn(int by) { return angle += by; }
        int getAngle() { return angle; }
    }

    public static void main(String[] args) throws Exception {
        Engine engine = new Engine();
        Thread thread = new Thread(engine);
        thread.start();
        thread.join();
        System.out.println("turned " + engine.wheel.getAngle());
    }

    final Wheel wheel = new Wheel();

    @Override public void run() {
        for (int i = 0; i < 10; i++) step(i);
    }

    @Timed void step(int by) {
        try {
            if (by == 7) throw new IllegalStateException("seven");
            wheel.turn(by);
        } catch (IllegalStateException e) {
            wheel.turn(-7);
        }
    }
}
"#;

/// What the program prints.
pub const PRINTS: &str = "turned 31\n";

/// The class files of the program: entry names and bytes.
pub fn classes() -> &'static [(String, Vec<u8>)] {
    static CLASSES: OnceLock<Vec<(String, Vec<u8>)>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("Engine.java");
        fs::write(&source, SOURCE).unwrap();
        Javac::release(11).compile(&[source], folder.path());
        let mut classes = Vec::new();
        for entry in fs::read_dir(folder.path().join("acme")).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap();
            classes.push((format!("acme/{name}"), fs::read(&path).unwrap()));
        }
        classes.sort();
        classes
    })
}

/// The JDK of the tests.
pub fn java_home() -> &'static Path {
    &jdk::main().home
}

fn run(command: &mut Command) -> Output {
    run_with(command, Stdio::null())
}

fn run_with(command: &mut Command, input: Stdio) -> Output {
    for variable in [
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "JDK_JAVAC_OPTIONS",
        "JFATHOM_SESSION",
        "CLASSPATH",
    ] {
        command.env_remove(variable);
    }
    command.stdin(input).output().unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

/// What a command answered.
pub struct Answer {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Answer {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Holds that the command succeeded.
    #[track_caller]
    pub fn fine(self) -> Self {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        self
    }

    /// Checks that the command failed with `code` and said all of `words`, on stderr only.
    #[track_caller]
    pub fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        for word in words {
            assert!(self.err.contains(word), "‘{word}’ is missing in: {}", self.err);
        }
        self
    }

    /// Holds that stdout has all of `words`.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(self.out.contains(word), "‘{word}’ is missing in: {}", self.out);
        }
        self
    }
}

/// A directory with `app.jar`, in which a test works.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new() -> Self {
        let place = Self { folder: tempfile::tempdir().unwrap() };
        place.write("app.jar", &app_jar());
        place
    }

    pub fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    pub fn write(&self, below: &str, bytes: &[u8]) {
        let path = self.path(below);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub fn read(&self, below: &str) -> Vec<u8> {
        fs::read(self.path(below)).unwrap_or_else(|error| panic!("{below}: {error}"))
    }

    /// Runs `jfathom` in the directory. A JSON document that it prints must have its schema.
    pub fn jfathom(&self, arguments: &[&str]) -> Answer {
        let answer = self.jfathom_with(arguments, Stdio::null());
        if arguments.contains(&"--json") && answer.out.starts_with(['{', '[']) {
            let name = match arguments[0] {
                "report" if arguments.contains(&"--list") => "list",
                "gate" if arguments.iter().any(|word| word.contains("growth=")) => "growth",
                command => command,
            };
            Documents::written(name).hold(answer.out.as_bytes());
        }
        answer
    }

    /// Runs `jfathom` in the directory with this input.
    pub fn jfathom_with(&self, arguments: &[&str], input: Stdio) -> Answer {
        Answer::of(run_with(self.command(arguments).env_remove("CI"), input))
    }

    /// Runs `jfathom` in the directory where the environment has this `CI`.
    pub fn jfathom_in_ci(&self, ci: &str, arguments: &[&str]) -> Answer {
        Answer::of(run(self.command(arguments).env("CI", ci)))
    }

    /// Runs `jfathom` in the directory with this `PATH`.
    pub fn jfathom_on_path(&self, path: &str, arguments: &[&str]) -> Answer {
        Answer::of(run(self.command(arguments).env("PATH", path)))
    }

    /// Runs `jfathom` in the directory with this program as its `ssh`.
    pub fn jfathom_by_ssh(&self, ssh: &str, arguments: &[&str]) -> Answer {
        Answer::of(run(self.command(arguments).env("JFATHOM_SSH", ssh).env_remove("CI")))
    }

    /// Compiles a source file of the directory for Java 11.
    pub fn compile(&self, source: &str, out: &str) {
        Javac::release(11).compile(&[self.path(source)], &self.path(out));
    }

    /// Runs a command that [`Self::command`] has made, its environment as it is.
    pub fn run(&self, command: &mut Command) -> Answer {
        Answer::of(command.stdin(Stdio::null()).output().unwrap())
    }

    /// `jfathom` in the directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_jfathom"));
        // What is kept between runs lies with the build, not with the user.
        command.env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")).env("JAVA_HOME", java_home());
        command.args(arguments).current_dir(self.folder.path());
        command
    }

    /// Runs `java` in the directory.
    pub fn java(&self, arguments: &[impl AsRef<OsStr>]) -> Answer {
        let mut command = Command::new(java_home().join("bin/java"));
        Answer::of(run(command.args(arguments).current_dir(self.folder.path())))
    }
}

/// The program's jar, with a Main-Class.
pub fn app_jar() -> Vec<u8> {
    jar(&[ManifestEdit::set("Main-Class", "acme.Engine")], classes())
}

/// A jar with these entries.
pub fn jar(manifest: &[ManifestEdit], entries: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut first = JarManifest::default();
    first.apply(manifest);
    let mut all = vec![NewEntry::new("META-INF/MANIFEST.MF", first.to_bytes())];
    all.extend(
        entries
            .iter()
            .map(|(name, bytes)| NewEntry::new(EntryName::new(name.as_bytes()), bytes.clone())),
    );
    create_jar(&all).unwrap()
}

/// A JDK 25, if this machine has one.
pub fn jdk_25() -> Option<&'static Path> {
    jdk::jdk25("cli").map(|jdk| &*jdk.home)
}
