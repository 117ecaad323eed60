//! A workplace with a compiled program, and a recorder in a process of its own.

use jfathom_collector::{
    Event, ManifestRef, ManifestSource, RecordOptions, RecordingSummary, record,
};
use jfathom_plan::{
    Digest, IdRange, InstrumentedMethod, MANIFEST_PATH, Manifest, ManifestClass, MethodId,
    Placement,
};
use jfathom_profile::{Labels, Method, Profile};
use jfathom_testkit::{Javac, jdk, process_dir};
use std::{
    ffi::OsString,
    fs,
    io::{BufRead, BufReader, Read},
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
    sync::OnceLock,
    thread::JoinHandle,
};
use tempfile::TempDir;

/// Variables that would change what a JVM does.
const FOREIGN: [&str; 6] = [
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "JDK_JAVAC_OPTIONS",
    "CLASSPATH",
    "JFATHOM_SESSION",
    "JFATHOM_RING_BYTES",
];

pub fn java() -> String {
    jdk::main().java().display().to_string()
}

/// The manifest of the program: ids 0 (`run`, a root) and 1 (`step`), from `first` on.
fn manifest(plan: u64, first: u32) -> Vec<u8> {
    let method = |id, name: &str| InstrumentedMethod {
        id: MethodId::new(id).unwrap(),
        name: name.into(),
        descriptor: "(I)V".into(),
        line: Some(7),
        digest: Digest(u64::from(id) + 1),
        root: name == "run",
        trivial: false,
        waits: false,
        resumes: false,
        counted: false,
        region: None,
    };
    Manifest {
        tool: "test".into(),
        plan: Digest(plan),
        placement: Placement::Main,
        module: None,
        ids: IdRange { start: first, len: 2 },
        has_roots: false,
        roots: vec![],
        scheme: None,
        call_graph: None,
        classes: vec![ManifestClass {
            name: "Program".into(),
            source: Some("Program.java".into()),
            methods: vec![method(first, "run"), method(first + 1, "step")],
            calls: Default::default(),
        }],
        skips: vec![],
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    }
    .to_json()
}

/// The program's manifest as it is known before the program runs.
pub fn known() -> ManifestRef {
    let place = classes().display().to_string();
    ManifestRef { ids: IdRange { start: 0, len: 2 }, plan: Digest(0xf00).to_string(), place }
}

/// The compiled program with the runtime and its manifest.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<TempDir> = OnceLock::new();
    CLASSES
        .get_or_init(|| {
            let dir = process_dir();
            for (name, bytes) in jfathom_runtime_java::CLASSES {
                write(&dir.path().join(name), bytes);
            }
            write(&dir.path().join(MANIFEST_PATH), &manifest(0xf00, 0));
            let source = dir.path().join("Program.java");
            write(&source, include_bytes!("Program.java"));
            let class_path = dir.path().display().to_string();
            let javac = Javac::release(11).option("-cp").option(class_path);
            javac.compile(&[source], dir.path());
            dir
        })
        .path()
}

pub fn write(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

/// A second directory with a manifest whose ids are those of the first, of another plan.
pub fn overlapping(dir: &Path) {
    write(&dir.join(MANIFEST_PATH), &manifest(0xbad, 1));
}

/// `java … Program ARGUMENTS`, as one shell word each.
pub fn program(arguments: &[&str]) -> Vec<String> {
    let class_path = classes().display().to_string();
    let mut words = vec![java(), "-Xshare:auto".into(), "-cp".into(), class_path, "Program".into()];
    words.extend(arguments.iter().map(|&word| word.to_owned()));
    words
}

/// The same for `sh -c`.
pub fn shell(arguments: &[&str]) -> String {
    program(arguments).iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" ")
}

/// Reads manifests from directories.
pub struct Directories;

impl ManifestSource for Directories {
    fn read(&self, seen: &ManifestRef) -> Result<Vec<u8>, jfathom_plan::Problem> {
        fs::read(Path::new(&seen.place).join(MANIFEST_PATH))
            .map_err(|e| format!("{}: {e}", seen.place).into())
    }
}

/// What a recording in this process gave.
pub struct Recorded {
    pub result: Result<RecordingSummary, jfathom_collector::Error>,
    pub notes: Vec<String>,
    /// Where the profile is.
    pub dir: TempDir,
}

impl Recorded {
    /// The only profile.
    #[track_caller]
    pub fn profile(&self) -> Profile {
        let outcome = self.result.as_ref().unwrap_or_else(|e| panic!("{e}\n{:?}", self.notes));
        assert_eq!(outcome.profiles.len(), 1, "{outcome:?}");
        read_profile(&outcome.profiles[0])
    }
}

pub fn read_profile(path: &Path) -> Profile {
    Profile::read(&mut BufReader::new(fs::File::open(path).unwrap())).unwrap()
}

/// Options that write `profile.jfp` in `dir`.
pub fn options(dir: &Path, command: &[String]) -> RecordOptions {
    RecordOptions {
        command: command.iter().map(OsString::from).collect(),
        output: dir.join("profile.jfp"),
        session_dir: Some(dir.join("session")),
        tool: "jfathom test".into(),
        ..RecordOptions::default()
    }
}

/// Records in this process. The program's output goes to that of the test.
pub fn record_here(command: &[String], change: impl FnOnce(&mut RecordOptions)) -> Recorded {
    let dir = tempfile::tempdir().unwrap();
    let mut options = options(dir.path(), command);
    change(&mut options);
    let mut notes = Vec::new();
    let result = record(&options, &Directories, &mut |event| {
        if let Event::Note(note) = event {
            notes.push(note);
        }
    });
    Recorded { result, notes, dir }
}

/// The method of this name.
#[track_caller]
pub fn method<'a>(profile: &'a Profile, name: &str) -> &'a Method {
    let found = profile.methods.iter().find(|method| method.info.key.name == name);
    found.unwrap_or_else(|| panic!("no {name} in {:?}", profile.methods))
}

/// Holds that `calls` whole calls of `step` and `runs` of `run` are in a clean profile.
#[track_caller]
pub fn holds(profile: &Profile, runs: u64, calls: u64) {
    profile.check().unwrap();
    let (run, step) = (method(profile, "run"), method(profile, "step"));
    assert_eq!((run.entries, run.returns), (runs, runs), "{:?}", profile.quality);
    assert_eq!((step.entries, step.returns, step.throws), (calls, calls - calls / 10, calls / 10));
    assert!(profile.quality.is_clean(), "{:?}", profile.quality);
    assert_eq!(run.info.key.class, "Program");
}

/// Environment variable by which [`Recorder`] hands its options to the test binary that it starts.
const CHILD: &str = "JFATHOM_TEST_RECORDER";

/// A recorder in a process of its own: this test binary, started again for the one test
/// `recorder_child`.
pub struct Recorder {
    pub child: Child,
    lines: std::io::Lines<BufReader<ChildStdout>>,
    stderr: Option<JoinHandle<String>>,
    pub dir: TempDir,
}

impl Recorder {
    /// Starts it. `ring` is the size of rings.
    pub fn start(command: &[String], ring: Option<u64>) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let mut recorder = Command::new(std::env::current_exe().unwrap());
        for name in FOREIGN {
            recorder.env_remove(name);
        }
        let ring = ring.map(|bytes| bytes.to_string()).unwrap_or_default();
        let words =
            [dir.path().display().to_string(), ring].into_iter().chain(command.iter().cloned());
        recorder.env(CHILD, words.collect::<Vec<_>>().join("\n"));
        recorder.args(["--exact", "recorder::recorder_child", "--nocapture"]);
        let mut child = recorder
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut errors = child.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = errors.read_to_string(&mut text);
            text
        });
        Self { child, lines, stderr: Some(stderr), dir }
    }

    /// Waits for a line with `word`.
    #[track_caller]
    pub fn line(&mut self, word: &str) -> String {
        let mut before = String::new();
        for line in self.lines.by_ref() {
            let line = line.unwrap();
            if line.contains(word) {
                return line;
            }
            before.push_str(&line);
            before.push('\n');
        }
        panic!("no ‘{word}’ in:\n{before}{}", self.stderr.take().unwrap().join().unwrap())
    }

    /// Waits until so many records are taken in.
    #[track_caller]
    pub fn until_records(&mut self, least: u64) {
        loop {
            let line = self.line("STATUS ");
            if line.rsplit(' ').next().unwrap().parse::<u64>().unwrap() >= least {
                return;
            }
        }
    }

    pub fn signal(&self, name: &str) {
        let status =
            Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Stops it by SIGSTOP and waits until no thread of it runs: the signal reaches them one after
    /// another.
    pub fn stop(&self) {
        self.signal("STOP");
        let tasks = format!("/proc/{}/task", self.child.id());
        let stopped = |task: std::fs::DirEntry| {
            let stat = fs::read_to_string(task.path().join("stat")).unwrap();
            stat[stat.rfind(')').unwrap()..].starts_with(") T")
        };
        while !fs::read_dir(&tasks).unwrap().flatten().all(stopped) {
            std::thread::yield_now();
        }
    }

    /// Waits for its end; the exit code of the recorded command, 200 where there is an error.
    pub fn wait(&mut self) -> (i32, String) {
        let rest: Vec<String> = self.lines.by_ref().map_while(Result::ok).collect();
        let status = self.child.wait().unwrap();
        let stderr = self.stderr.take().map(|thread| thread.join().unwrap()).unwrap_or_default();
        (status.code().unwrap_or(-1), format!("{}\n{stderr}", rest.join("\n")))
    }

    pub fn session(&self) -> PathBuf {
        self.dir.path().join("session")
    }

    pub fn profile(&self) -> Profile {
        read_profile(&self.dir.path().join("profile.jfp"))
    }
}

/// What the other process does; returns at once where this is no such process.
pub fn recorder_child() {
    let Ok(words) = std::env::var(CHILD) else { return };
    let words: Vec<String> = words.split('\n').map(str::to_owned).collect();
    let mut options = options(Path::new(&words[0]), &words[2..]);
    options.ring_size = words[1].parse().ok();
    options.labels = Labels::new(["kind=child".parse().unwrap()]).unwrap();
    let result = record(&options, &Directories, &mut |event| match event {
        Event::Status(status) => println!("STATUS {}", status.records),
        Event::Note(note) => println!("NOTE {note}"),
        Event::Run(_) | Event::Live(_) | Event::Waiting(_) => {}
    });
    std::process::exit(match result {
        Ok(outcome) => i32::from(outcome.exit.code()),
        Err(error) => {
            println!("ERROR {error}");
            200
        }
    });
}
