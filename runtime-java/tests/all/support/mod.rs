//! Runs a JVM in a session and consumes its records, as a collector does.

use jfathom_plan::MethodId;
use jfathom_session::{names, place_clock_library};
pub use jfathom_testkit::process_dir;
use jfathom_testkit::{Javac, Jdk, java_files, jdk};
use jfathom_trace::layout as l;
use jfathom_trace::record::Record;
use jfathom_trace::{
    Counter, Header, InfoEntry, LossCounters, OpenOutcome, RingIx, SessionDir, SessionFile, Sink,
    ThreadInfo, TraceError,
};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

/// The records of one thread.
#[derive(Debug, Default, Clone)]
pub struct Recorded {
    pub name: String,
    pub sequence: u64,
    pub words: u64,
    /// Entries, returns, throws, catches by id.
    pub calls: BTreeMap<u32, [u64; 4]>,
    /// Entries within a call of the same method that has a record.
    pub nested: BTreeMap<u32, u64>,
    /// Roots of the tasks that were opened, and of those that were closed.
    pub opened: Vec<u32>,
    pub closed: Vec<u32>,
    pub adjusts: u64,
    /// Sum of their ticks.
    pub adjusted: u64,
    /// Ids of entries without an exit, innermost last; exits pop what lies above.
    pub stack: Vec<u32>,
    /// Exits that fit an entry below the innermost one.
    pub inferred: u64,
    /// Exits of methods that are not on the stack.
    pub stray: u64,
    pub ended: bool,
    pub high: u64,
    pub last: u64,
    /// Number of times that ran backwards.
    pub backwards: u64,
    /// Number of records with an unknown type.
    pub unknown: u64,
    /// Number of counted calls by id.
    pub counted: BTreeMap<u32, u64>,
    /// Number of counted calls by caller and id.
    pub contexts: BTreeMap<(Option<u32>, u32), u64>,
    /// Number of counted calls that have no record, from its counters.
    pub unrecorded: u64,
    /// Number of records of counted calls.
    pub count_records: u64,
    /// The ids that the last record names, if it is one of counted calls.
    pub last_counted: Vec<u32>,
    /// Number of catches by id and number of the exception's class; none of handlers without.
    pub caught: BTreeMap<(u32, Option<u32>), u64>,
    /// The class in the last record, or in the one before new high bits of the time.
    pub caught_class: Option<u32>,
    /// Calls of roots by id that root sampling left out.
    pub unsampled: BTreeMap<u32, u64>,
}

/// The contents of a JVM's session file.
#[derive(Debug, Default)]
pub struct Session {
    pub threads: Vec<Recorded>,
    pub lost: u64,
    pub damaged: Vec<String>,
    open: BTreeMap<RingIx, usize>,
    /// Only counts the words, to measure throughput.
    pub count_only: bool,
}

impl Session {
    /// Entries, returns, throws, catches of an id on all threads.
    pub fn calls(&self, id: u32) -> [u64; 4] {
        let mut sum = [0; 4];
        for counts in self.threads.iter().filter_map(|thread| thread.calls.get(&id)) {
            for (sum, count) in sum.iter_mut().zip(counts) {
                *sum += count;
            }
        }
        sum
    }

    /// Calls of a root on all threads that root sampling left out.
    pub fn unsampled(&self, id: u32) -> u64 {
        self.threads.iter().filter_map(|thread| thread.unsampled.get(&id)).sum()
    }

    pub fn words(&self) -> u64 {
        self.threads.iter().map(|thread| thread.words).sum()
    }

    /// Whether the records of all threads are free of contradictions.
    pub fn check(&self) {
        assert_eq!(self.damaged, Vec::<String>::new());
        assert_eq!(self.lost, 0);
        for thread in &self.threads {
            assert_eq!((thread.unknown, thread.backwards, thread.stray), (0, 0, 0), "{thread:?}");
        }
    }
}

impl Sink for Session {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        self.lost += lost;
        let recorded = Recorded {
            name: thread.name.clone(),
            sequence: thread.sequence,
            ..Recorded::default()
        };
        self.threads.push(recorded);
        let was = self.open.insert(ring, self.threads.len() - 1);
        assert_eq!(was, None, "ring {ring:?} has two threads");
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        let Self { threads, open, .. } = self;
        let thread = &mut threads[open[&ring]];
        thread.words += words.len() as u64;
        if self.count_only {
            return;
        }
        for &word in words {
            thread.take(Record::decode(word));
        }
    }

    fn counted(&mut self, ring: RingIx, counters: &[(MethodId, Counter)]) {
        let thread = &mut self.threads[self.open[&ring]];
        for (id, counter) in counters {
            // The JVM may have died between the record and the zero in the counter.
            let is_current = counter.record() == thread.count_records & Counter::RECORDS_MASK;
            if is_current || !thread.last_counted.contains(&id.get()) {
                thread.count(id.get(), counter.calls());
                thread.unrecorded += counter.calls();
            }
        }
    }

    fn end(&mut self, ring: RingIx) {
        self.open.remove(&ring).expect("a ring ends after it began");
    }

    fn damaged(&mut self, ring: RingIx, error: TraceError) {
        self.damaged.push(format!("{ring:?}: {error}"));
    }
}

impl Recorded {
    /// All calls by id, timed and counted.
    pub fn all_calls(&self) -> BTreeMap<u32, u64> {
        let mut all: BTreeMap<u32, u64> =
            self.calls.iter().map(|(id, counts)| (*id, counts[0])).collect();
        for (id, calls) in &self.counted {
            *all.entry(*id).or_default() += calls;
        }
        all.retain(|_, calls| *calls != 0);
        all
    }

    /// Counted calls, made by the method on top of the stack.
    fn count(&mut self, id: u32, calls: u64) {
        *self.counted.entry(id).or_default() += calls;
        *self.contexts.entry((self.stack.last().copied(), id)).or_default() += calls;
    }

    fn take(&mut self, record: Option<Record>) {
        self.last_counted = match record {
            Some(Record::Counted { id, .. }) => vec![id.get()],
            Some(Record::CountedPair { methods }) => methods.map(|(id, _)| id.get()).to_vec(),
            _ => Vec::new(),
        };
        self.count_records += u64::from(!self.last_counted.is_empty());
        assert!(!self.ended, "{record:?} after the end of {}", self.name);
        let class = match record {
            Some(Record::TimeHigh { .. }) => self.caught_class,
            _ => self.caught_class.take(),
        };
        match record {
            Some(Record::Entry { id, time }) => {
                self.time(time);
                self.calls.entry(id.get()).or_default()[0] += 1;
                let is_nested = self.stack.contains(&id.get());
                *self.nested.entry(id.get()).or_default() += u64::from(is_nested);
                self.stack.push(id.get());
            }
            Some(Record::Return { id, time }) => self.exit(id.get(), time, 1),
            Some(Record::Throw { id, time }) => self.exit(id.get(), time, 2),
            Some(Record::Caught { id, .. }) => {
                self.calls.entry(id.get()).or_default()[3] += 1;
                *self.caught.entry((id.get(), class)).or_default() += 1;
            }
            Some(Record::CaughtClass { class }) => self.caught_class = Some(class),
            Some(Record::TaskOpen { id, .. }) => self.opened.push(id.get()),
            Some(Record::TaskClose { id, .. }) => self.closed.push(id.get()),
            Some(Record::ThreadStart { high, sequence }) => {
                assert_eq!(u64::from(sequence), self.sequence & 0xffff_ffff);
                self.high = u64::from(high);
            }
            Some(Record::ThreadEnd) => self.ended = true,
            Some(Record::TimeHigh { high }) => self.high = u64::from(high),
            Some(Record::Allocated { .. }) => panic!("nobody has asked for allocated bytes"),
            Some(Record::Ran { .. }) => panic!("nobody has asked for running times"),
            Some(Record::Adjust { ticks }) => {
                self.adjusts += 1;
                self.adjusted += ticks;
            }
            Some(Record::Counted { id, calls }) => {
                assert_ne!(calls, 0, "no record without counted calls");
                self.count(id.get(), calls);
            }
            Some(Record::CountedPair { methods }) => {
                for (id, calls) in methods {
                    assert_ne!(calls, 0, "no record without counted calls");
                    self.count(id.get(), calls);
                }
            }
            Some(Record::Unsampled { id, .. }) => {
                assert!(self.stack.is_empty(), "left out within a call");
                *self.unsampled.entry(id.get()).or_default() += 1;
            }
            // These tests give the runtime no access to carriers.
            Some(
                Record::Switch { .. }
                | Record::SwitchTime { .. }
                | Record::VirtualEnd { .. }
                | Record::HandOff { .. }
                | Record::TaskNumber { .. }
                | Record::Parked { .. }
                | Record::Unknown { .. },
            )
            | None => self.unknown += 1,
        }
    }

    fn exit(&mut self, id: u32, time: u64, kind: usize) {
        self.time(time);
        self.calls.entry(id).or_default()[kind] += 1;
        match self.stack.iter().rposition(|&open| open == id) {
            Some(at) => {
                self.inferred += (self.stack.len() - at - 1) as u64;
                self.stack.truncate(at);
            }
            None => self.stray += 1,
        }
    }

    fn time(&mut self, low: u64) {
        let time = self.high << l::TIME_BITS | low;
        self.backwards += u64::from(time < self.last);
        self.last = time;
    }
}

/// Whether this machine's counter can be a clock.
pub fn has_counter() -> bool {
    let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let invariant = |word| processor.split_whitespace().any(|flag| flag == word);
    cfg!(target_arch = "aarch64") || invariant("constant_tsc") && invariant("nonstop_tsc")
}

/// A finished run of one JVM.
pub struct Outcome {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    /// The session, if the JVM made one.
    pub session: Session,
    pub header: Option<Header>,
    pub counters: LossCounters,
    pub info: Vec<InfoEntry>,
    pub virtual_calls: BTreeMap<u32, u64>,
    /// Whether the shutdown hook has marked the session as ended.
    pub ended: bool,
    /// Other files in the session directory.
    pub others: Vec<String>,
}

impl Outcome {
    /// A line of the program's output that starts with `key`, the rest of it as a number.
    pub fn number(&self, key: &str) -> u64 {
        let line = self.stdout.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        line.and_then(|number| number.trim().parse().ok())
            .unwrap_or_else(|| panic!("no {key} in:\n{}", self.stdout))
    }

    /// Ended well, with nothing on stderr, and all records in order.
    pub fn good(&self) -> &Self {
        assert_eq!(self.stderr, "", "stdout:\n{}", self.stdout);
        assert!(self.status.success(), "{:?}\n{}", self.status, self.stdout);
        assert_eq!(self.others, Vec::<String>::new());
        self.session.check();
        self
    }
}

/// How the records are consumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// All the time.
    Live,
    /// With a pause after each round, so that rings fill.
    Slow,
    /// Only after the JVM's end.
    Late,
    /// Attaches, consumes records until the first wait of a thread, then stays silent like a dead
    /// process.
    Dies,
    /// Lives, and consumes nothing before the JVM's end.
    Wedged,
    /// Lives, and consumes nothing until records are lost.
    Pauses,
    /// As `Late`, but marks itself as gone at the start.
    Gone,
}

/// Runs a JVM to its end.
pub fn run(command: &mut Command, collector: Collector) -> Outcome {
    run_with(command, collector, |_| {})
}

/// As [`run`]; calls `opened` before the first record is consumed.
pub fn run_with(
    command: &mut Command,
    collector: Collector,
    opened: impl Fn(&SessionFile),
) -> Outcome {
    run_stepping(command, collector, opened, |_, _| {})
}

/// Runs a JVM with these initial modes.
pub fn run_with_modes(command: &mut Command, modes: &[u8]) -> Outcome {
    let prepare = |dir: &Path| fs::write(dir.join(names::MODES_FILE), modes).expect("the modes");
    run_in(command, Collector::Live, prepare, |_| {}, |_, _| {})
}

/// Runs a JVM in a session directory that `prepare` has changed.
pub fn run_prepared(command: &mut Command, prepare: impl FnOnce(&Path)) -> Outcome {
    run_in(command, Collector::Live, prepare, |_| {}, |_, _| {})
}

/// As [`run_with`]; calls `step` after each round of consuming records, on the same thread.
pub fn run_stepping(
    command: &mut Command,
    collector: Collector,
    opened: impl Fn(&SessionFile),
    step: impl FnMut(&SessionFile, &mut Session),
) -> Outcome {
    run_in(command, collector, |_| {}, opened, step)
}

fn run_in(
    command: &mut Command,
    collector: Collector,
    prepare: impl FnOnce(&Path),
    opened: impl Fn(&SessionFile),
    mut step: impl FnMut(&SessionFile, &mut Session),
) -> Outcome {
    let scratch = tempfile::tempdir().expect("a temporary directory");
    let dir = SessionDir::create(&scratch.path().join("session")).expect("a session directory");
    place_clock_library(dir.path(), &[]).expect("the clock library");
    prepare(dir.path());
    command.env(names::ENV_SESSION, dir.path());
    command.env_remove("JAVA_TOOL_OPTIONS").env_remove("JDK_JAVA_OPTIONS");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a JVM");
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    let mut session =
        Session { count_only: std::env::var_os("COUNT_ONLY").is_some(), ..Session::default() };
    let mut file: Option<Box<SessionFile>> = None;
    let mut silent = false;
    // A guard against a hang.
    let deadline = Instant::now() + Duration::from_secs(300);
    let status = loop {
        let status = child.try_wait().expect("the JVM's state");
        if file.is_none() && (collector != Collector::Late || status.is_some()) {
            file = open(&dir);
            file.iter().for_each(|file| opened(file));
            match (&file, collector) {
                (Some(file), Collector::Gone) => file.detach(),
                // No such process: the JVM must find out.
                (Some(file), Collector::Dies) => file.attach(u32::MAX),
                (
                    Some(file),
                    Collector::Live | Collector::Slow | Collector::Wedged | Collector::Pauses,
                ) => file.attach(std::process::id()),
                _ => {}
            }
        }
        let mut taken = 0;
        if let Some(file) = &mut file {
            silent |= collector == Collector::Dies && file.counters().waits > 0;
            match collector {
                _ if status.is_some() => _ = file.drain_offline(&mut session),
                Collector::Dies if silent => {}
                Collector::Wedged => file.heartbeat(),
                Collector::Pauses if file.counters().lost_waiting == 0 => file.heartbeat(),
                Collector::Live | Collector::Slow | Collector::Pauses | Collector::Dies => {
                    file.heartbeat();
                    taken = if collector == Collector::Dies { 0 } else { file.drain(&mut session) };
                }
                Collector::Late | Collector::Gone => {}
            }
            step(file, &mut session);
        }
        if let Some(status) = status {
            break status;
        }
        if Instant::now() > deadline {
            // It then prints where its threads are.
            _ = Command::new("kill").args(["-QUIT", &child.id().to_string()]).status();
            thread::sleep(Duration::from_secs(2));
            _ = child.kill();
            panic!("the JVM hangs: {}", stdout.join().expect("stdout"));
        }
        if collector == Collector::Slow {
            thread::sleep(Duration::from_millis(5));
        } else if taken == 0 {
            thread::sleep(Duration::from_micros(500));
        }
    };
    let names = fs::read_dir(dir.path())
        .expect("the session directory")
        .map(|entry| entry.expect("an entry").path());
    let name = |path: PathBuf| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let expected = |name: &str| {
        let is_clock = name == names::CLOCK_LINK || name.ends_with(names::CLOCK_LIBRARY_SUFFIX);
        name.ends_with(names::FILE_SUFFIX) || name == names::MODES_FILE || is_clock
    };
    let others = names.map(name).filter(|name| !expected(name)).collect();
    Outcome {
        status,
        stdout: stdout.join().expect("stdout"),
        stderr: stderr.join().expect("stderr"),
        header: file.as_ref().map(|file| file.header().clone()),
        counters: file.as_ref().map(|file| file.counters()).unwrap_or_default(),
        info: file.as_ref().map(|file| file.info()).unwrap_or_default(),
        virtual_calls: file
            .as_ref()
            .map(|file| {
                file.virtual_calls().into_iter().map(|(id, calls)| (id.get(), calls)).collect()
            })
            .unwrap_or_default(),
        ended: file.as_ref().is_some_and(|file| file.ended()),
        session,
        others,
    }
}

fn open(dir: &SessionDir) -> Option<Box<SessionFile>> {
    let entry = dir.entries().expect("the session directory").pop()?;
    match SessionFile::open(&entry.path) {
        Ok(OpenOutcome::Ready(file)) => Some(file),
        Ok(OpenOutcome::Starting) => None,
        // While the JVM makes the file, it is empty, or removed again.
        Err(error) if entry.path.exists() => panic!("{error}"),
        Err(_) => None,
    }
}

fn read(from: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        from.expect("a pipe").read_to_end(&mut bytes).expect("the JVM's output");
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// A JVM to test with.
#[derive(Clone, Debug)]
pub struct Jvm {
    pub version: u32,
    pub java: PathBuf,
}

impl Jvm {
    /// `java` with the runtime and the test programs on the class path.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.java);
        command.args(["-Xshare:auto", "-XX:TieredStopAtLevel=1"]).args(self.class_path());
        command
    }

    /// The same with a further folder on the class path.
    pub fn command_with(&self, folder: &Path) -> Command {
        let [option, class_path] = self.class_path();
        let mut command = self.command();
        command.args([option, format!("{class_path}:{}", folder.display())]);
        command
    }

    /// The same with all compilers.
    pub fn optimising(&self) -> Command {
        let mut command = Command::new(&self.java);
        command.args(self.class_path());
        command
    }

    fn class_path(&self) -> [String; 2] {
        ["-cp".to_owned(), format!("{}:{}", built().runtime.display(), built().programs.display())]
    }
}

/// The default JVM, and those of other versions that the machine has. Prints which are missing.
pub fn jvms() -> Vec<Jvm> {
    let jvm = |jdk: &Jdk| Jvm { version: jdk.version, java: jdk.java() };
    jdk::all("the runtime").into_iter().map(jvm).collect()
}

/// The JVM of the compiler's JDK.
pub fn default_jvm() -> Jvm {
    jvms().remove(0)
}

/// The runtime and the test programs, compiled once.
pub struct Built {
    pub runtime: PathBuf,
    pub programs: PathBuf,
    _dir: tempfile::TempDir,
}

pub fn built() -> &'static Built {
    static BUILT: OnceLock<Built> = OnceLock::new();
    BUILT.get_or_init(|| {
        let dir = process_dir();
        let (runtime, programs) = (dir.path().join("runtime"), dir.path().join("programs"));
        for (name, bytes) in jfathom_runtime_java::CLASSES {
            let path = runtime.join(name);
            fs::create_dir_all(path.parent().expect("a package")).expect("a directory");
            fs::write(path, bytes).expect("a class");
        }
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java");
        Javac::release(11)
            .option("-cp")
            .option(runtime.to_str().expect("a plain path"))
            .compile(&java_files(&sources), &programs);
        Built { runtime, programs, _dir: dir }
    })
}
