//! A JVM with the agent, and a small collector beside it.
#![allow(dead_code)]

use jfathom_plan::MethodId;
use jfathom_session::{MethodsFileLine, RootState, SessionTotals};
use jfathom_testkit::{Javac, Jdk, java_files, jdk, process_dir};
use jfathom_trace::record::Record;
use jfathom_trace::{
    Counter, LiveState, OpenOutcome, RingIx, SessionDir, SessionFile, Sink, ThreadInfo, TraceError,
};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A guard against hanging, no expectation.
const GUARD: Duration = Duration::from_secs(300);

/// The library that is tested: cargo builds it with the tests, beside them.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test is a file");
    let found = test
        .ancestors()
        .map(|directory| directory.join("libjfathom.so"))
        .find(|path| path.is_file());
    found.expect("cargo builds the library with the tests")
}

/// The compiled Java programs.
pub fn classes() -> &'static Path {
    static CLASSES: OnceLock<tempfile::TempDir> = OnceLock::new();
    let made = CLASSES.get_or_init(|| {
        let out = process_dir();
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        Javac::release(11).option("-g").compile(&java_files(&sources), out.path());
        out
    });
    made.path()
}

/// One `java` of each version that this machine has.
pub fn jvms() -> Vec<PathBuf> {
    jdk::all("agent").into_iter().map(Jdk::java).collect()
}

/// A program that does what the lines of its standard input say, and answers each with a line.
pub struct Program {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Program {
    /// Starts a main class of `tests/java`.
    pub fn start(java: &Path, flags: &[String], main: &str) -> Self {
        let mut child = Command::new(java)
            .env_remove("JAVA_TOOL_OPTIONS")
            .args(flags)
            .arg("-cp")
            .arg(classes())
            .arg(main)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("java starts");
        let input = child.stdin.take().expect("is piped");
        let output = BufReader::new(child.stdout.take().expect("is piped"));
        Self { child, input, output }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Has it do something, and gives its answer.
    pub fn ask(&mut self, what: &str) -> String {
        self.tell(what);
        self.answer()
    }

    pub fn tell(&mut self, what: &str) {
        writeln!(self.input, "{what}").expect("it reads");
        self.input.flush().expect("it reads");
    }

    pub fn answer(&mut self) -> String {
        let mut line = String::new();
        let read = self.output.read_line(&mut line).expect("it answers");
        assert!(read > 0, "it ended: {:?}", self.child.wait());
        line.trim().to_owned()
    }

    /// Ends it in order.
    pub fn end(mut self) {
        let _ = writeln!(self.input, "end");
        drop(self.input);
        let mut rest = String::new();
        let _ = std::io::Read::read_to_string(&mut self.output, &mut rest);
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}: {rest}");
        assert_eq!(rest, "");
    }

    /// Loads the agent into it; what the JVM answers.
    pub fn attach(&self, options: &str) -> String {
        let socket = PathBuf::from(format!("/tmp/.java_pid{}", self.pid()));
        if !socket.exists() {
            // Has the JVM listen.
            let done = Command::new("jcmd")
                .arg(self.pid().to_string())
                .arg("VM.version")
                .output()
                .expect("jcmd runs");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        }
        let mut stream = UnixStream::connect(&socket).expect("the JVM listens");
        for word in ["1", "load", &library().to_string_lossy(), "true", options] {
            stream.write_all(word.as_bytes()).expect("the JVM reads");
            stream.write_all(&[0]).expect("the JVM reads");
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("the JVM answers");
        answer
    }

    /// The files below a directory that it has open or mapped.
    pub fn holds(&self, directory: &Path) -> Vec<String> {
        let process = PathBuf::from(format!("/proc/{}", self.pid()));
        let files = std::fs::read_dir(process.join("fd")).expect("it runs").flatten();
        let mut found: Vec<String> = files
            .filter_map(|file| std::fs::read_link(file.path()).ok())
            .map(|file| file.to_string_lossy().into_owned())
            .collect();
        let maps = std::fs::read_to_string(process.join("maps")).expect("it runs");
        found
            .extend(maps.lines().filter_map(|line| line.find('/').map(|at| line[at..].to_owned())));
        found.retain(|file| file.starts_with(&*directory.to_string_lossy()));
        found
    }
}

/// What a collector has taken.
#[derive(Default)]
pub struct Taken {
    /// Entries and counted calls, by id.
    pub calls: BTreeMap<u32, u64>,
    /// Exits of both kinds, by id.
    pub exits: BTreeMap<u32, u64>,
    /// Waits and pauses that were taken out, in ticks.
    pub adjusted: u64,
    pub threads: u64,
}

impl Sink for Taken {
    fn begin(&mut self, _ring: RingIx, _thread: &ThreadInfo, lost: u64) {
        assert_eq!(lost, 0);
        self.threads += 1;
    }

    fn records(&mut self, _ring: RingIx, words: &[u64]) {
        for &word in words {
            match Record::decode(word) {
                Some(Record::Entry { id, .. }) => *self.calls.entry(id.get()).or_default() += 1,
                Some(Record::Return { id, .. } | Record::Throw { id, .. }) => {
                    *self.exits.entry(id.get()).or_default() += 1
                }
                Some(Record::Counted { id, calls }) => {
                    *self.calls.entry(id.get()).or_default() += calls
                }
                Some(Record::CountedPair { methods }) => {
                    for (id, calls) in methods {
                        *self.calls.entry(id.get()).or_default() += calls;
                    }
                }
                Some(Record::Adjust { ticks }) => self.adjusted += ticks,
                _ => {}
            }
        }
    }

    fn counted(&mut self, _ring: RingIx, counters: &[(MethodId, Counter)]) {
        for (id, counter) in counters {
            *self.calls.entry(id.get()).or_default() += counter.calls();
        }
    }

    fn end(&mut self, _ring: RingIx) {}

    fn damaged(&mut self, ring: RingIx, error: TraceError) {
        panic!("{ring:?}: {error}");
    }
}

/// A session directory and what takes records from its file.
pub struct Collector {
    directory: tempfile::TempDir,
    file: Option<Box<SessionFile>>,
    pub taken: Taken,
}

impl Default for Collector {
    fn default() -> Self {
        Self::new()
    }
}

impl Collector {
    pub fn new() -> Self {
        use std::os::unix::fs::PermissionsExt;
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::set_permissions(directory.path(), std::fs::Permissions::from_mode(0o700))
            .expect("it is ours");
        Self { directory, file: None, taken: Taken::default() }
    }

    /// Where it is.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The agent's options for it.
    pub fn options(&self, more: &str) -> String {
        format!("session={},calibrate=none,{more}", self.directory.path().display())
    }

    /// The flag that starts a JVM with the agent.
    pub fn flag(&self, more: &str) -> String {
        format!("-agentpath:{}={}", library().display(), self.options(more))
    }

    /// Why there is no session.
    pub fn failure(&self) -> Option<String> {
        let mut files = std::fs::read_dir(self.directory.path())
            .expect("is there")
            .map(|file| file.unwrap().path());
        let path = files.find(|path| path.extension().is_some_and(|end| end == "failed"))?;
        Some(std::fs::read_to_string(path).expect("can be read"))
    }

    /// Beats, and takes what is there.
    pub fn take(&mut self) {
        if self.file.is_none() {
            let entries = SessionDir::open(self.directory.path())
                .expect("is ours")
                .entries()
                .expect("can be listed");
            if let Some(entry) = entries.first()
                && let Ok(OpenOutcome::Ready(file)) = SessionFile::open(&entry.path)
            {
                file.attach(std::process::id());
                self.file = Some(file);
            }
        }
        if let Some(file) = &mut self.file {
            file.heartbeat();
            while file.drain(&mut self.taken) > 0 {}
        }
    }

    /// Takes until something is so.
    pub fn until(&mut self, what: &str, mut is: impl FnMut(&mut Self) -> bool) {
        let began = Instant::now();
        loop {
            self.take();
            if is(self) {
                return;
            }
            assert!(began.elapsed() < GUARD, "never {what}: {:?}", self.failure());
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Has the program do something, and takes meanwhile.
    pub fn ask(&mut self, program: &mut Program, what: &str) -> String {
        std::thread::scope(|scope| {
            let asking = scope.spawn(|| program.ask(what));
            self.until("an answer", |_| asking.is_finished());
            asking.join().expect("it answers")
        })
    }

    pub fn state(&self) -> LiveState {
        self.file.as_ref().map_or(LiveState::None, |file| file.live_state())
    }

    /// Waits for a root to be live.
    pub fn until_live(&mut self) {
        self.until("a root is live", |collector| collector.state() == LiveState::RootLive);
    }

    /// Ends the session, and waits until the classes are as they were.
    pub fn restore(&mut self) {
        self.until("a session", |collector| collector.file.is_some());
        self.file.as_ref().expect("is there").request_restore();
        self.until("restored", |collector| collector.state() == LiveState::Restored);
        self.finish();
    }

    /// Takes the rest of a JVM that has ended, or whose session is over.
    pub fn finish(&mut self) {
        self.take();
        if let Some(file) = &mut self.file {
            file.drain_offline(&mut self.taken);
        }
    }

    /// The lines of the methods file.
    pub fn lines(&self) -> Vec<MethodsFileLine> {
        let mut files = std::fs::read_dir(self.directory.path())
            .expect("is there")
            .map(|file| file.unwrap().path());
        let path = files.find(|path| path.extension().is_some_and(|end| end == "methods"));
        let text =
            path.map_or(String::new(), |path| std::fs::read_to_string(path).expect("can be read"));
        text.lines().map(|line| serde_json::from_str(line).expect("a line")).collect()
    }

    /// The last totals.
    pub fn totals(&self) -> SessionTotals {
        let totals = self.lines().into_iter().filter_map(|line| match line {
            MethodsFileLine::Totals(totals) => Some(totals),
            _ => None,
        });
        { totals }.next_back().expect("totals are written")
    }

    /// Whether a root is live, by the lines.
    pub fn root_is_live(&self) -> bool {
        self.lines().iter().any(
            |line| matches!(line, MethodsFileLine::Root(root) if root.state == RootState::Live),
        )
    }

    /// The calls of each method, as `Class::name`; overloads added up.
    pub fn calls(&self) -> BTreeMap<String, u64> {
        self.by_name(&self.taken.calls)
    }

    pub fn exits(&self) -> BTreeMap<String, u64> {
        self.by_name(&self.taken.exits)
    }

    fn by_name(&self, counts: &BTreeMap<u32, u64>) -> BTreeMap<String, u64> {
        let mut names = BTreeMap::new();
        for line in self.lines() {
            if let MethodsFileLine::Class(class) = line {
                names.extend(
                    class.methods.into_iter().map(|method| {
                        (method.id.get(), format!("{}::{}", class.name, method.name))
                    }),
                );
            }
        }
        let mut calls = BTreeMap::new();
        for (id, count) in counts {
            let name = names.get(id).unwrap_or_else(|| panic!("{id} has no name"));
            *calls.entry(name.clone()).or_default() += count;
        }
        calls
    }
}
