//! Kills a recorded program by `kill -9` at random moments and compares what was recorded with what it had done.
//!
//! Each thread of the program calls probes in a fixed order and keeps a count, in a mapped file of its own, of those that
//! have come back. After a kill the records of each thread must be a beginning of that order: as long as the count, or one
//! longer where the kill came between the record and the count. A record that is missing, changed, doubled or made up breaks
//! this.
//!
//! `cargo run --release -p jfathom-collector --example kill_storm -- [ROUNDS] [SEED]`; exit code 1 where a round fails. Rounds
//! take turns: rings of the usual size drained live, tiny rings drained live, and files that are read only after the kill.

use jfathom_trace::{
    Opened, RingIx, SessionDir, SessionFile, Sink, ThreadInfo, TraceError, offline::DeadFile, record::Record,
};
use std::{
    collections::HashMap,
    error::Error,
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitCode, Stdio},
    thread,
    time::{Duration, Instant},
};

const THREADS: usize = 4;
/// The order in which each thread calls the probes: entry, return or throw, and the id.
const ORDER: [(char, u32); 6] = [('+', 0), ('+', 1), ('-', 1), ('+', 2), ('!', 2), ('-', 0)];

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1).map(|word| word.parse::<u64>().ok());
    let rounds = arguments.next().flatten().unwrap_or(20);
    let seed = arguments.next().flatten().unwrap_or(1).max(1);
    match storm(rounds, seed) {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("kill_storm: {error}");
            ExitCode::FAILURE
        }
    }
}

fn storm(rounds: u64, seed: u64) -> Result<u64, Box<dyn Error>> {
    let place = tempfile::tempdir()?;
    let classes = compile(place.path())?;
    let mut random = seed;
    let (mut failed, mut records, mut in_flight) = (0, 0, 0);
    for round in 0..rounds {
        let kind = [Kind::Live, Kind::Tiny, Kind::Dead][(round % 3) as usize];
        // From the first records, when all is interpreted, to compiled code.
        let delay = Duration::from_micros(next(&mut random) % 60_000);
        let outcome = run(place.path(), &classes, kind, delay)?;
        if outcome.faults.is_empty() {
            records += outcome.records;
            in_flight += outcome.in_flight;
        } else {
            failed += 1;
            println!("round {round} ({kind:?}, killed after {delay:?}):");
            outcome.faults.iter().for_each(|fault| println!("  {fault}"));
        }
    }
    println!(
        "{rounds} kills, {failed} failed; {records} records checked, {in_flight} threads killed between a record and its \
         count (seed {seed})"
    );
    Ok(failed)
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Live,
    Tiny,
    Dead,
}

/// xorshift64.
fn next(state: &mut u64) -> u64 {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    *state
}

fn compile(place: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let classes = place.join("classes");
    for (name, bytes) in jfathom_runtime_java::CLASSES {
        let file = classes.join(name);
        fs::create_dir_all(file.parent().ok_or("a class without a package")?)?;
        fs::write(file, bytes)?;
    }
    let source = place.join("Storm.java");
    fs::write(&source, include_str!("kill_storm/Storm.java"))?;
    let mut javac = Command::new("javac");
    javac.args(["--release", "11", "-cp"]).arg(&classes).arg("-d").arg(&classes).arg(source);
    match javac.status()?.success() {
        true => Ok(classes),
        false => Err("javac failed".into()),
    }
}

#[derive(Default)]
struct Outcome {
    records: u64,
    /// Threads that were killed after the record and before the count.
    in_flight: u64,
    faults: Vec<String>,
}

fn run(place: &Path, classes: &Path, kind: Kind, delay: Duration) -> Result<Outcome, Box<dyn Error>> {
    let round = tempfile::tempdir_in(place)?;
    let dir = SessionDir::create(&round.path().join("session"))?;
    let counts = round.path().join("counts");
    let mut java = Command::new("java");
    java.args(["-Xshare:auto", "-cp"]).arg(classes).arg("Storm").arg(THREADS.to_string()).arg(&counts);
    java.env("JFATHOM_SESSION", dir.path()).env_remove("JAVA_TOOL_OPTIONS").stdin(Stdio::null());
    if matches!(kind, Kind::Tiny) {
        java.env("JFATHOM_RING_BYTES", "512");
    }
    let mut child = Killed(java.spawn()?);
    let mut order = Order::default();
    let mut file = open(&dir, &mut child.0)?;
    if matches!(kind, Kind::Dead) {
        while fs::read(&counts).is_ok_and(|counts| counts.iter().all(|byte| *byte == 0)) {
            thread::yield_now();
        }
        thread::sleep(delay);
        child.kill()?;
        let dead = DeadFile::open(file.path())?.ok_or("the file was ready and is no more")?;
        dead.read(&[], &mut order)?;
    } else {
        file.attach(std::process::id());
        while file.drain(&mut order) == 0 {
            file.beat();
        }
        let begun = Instant::now();
        while begun.elapsed() < delay {
            file.beat();
            file.drain(&mut order);
        }
        child.kill()?;
        while file.drain(&mut order) > 0 {}
        file.drain_dead(&mut order);
    }
    if file.counters().lost_records > 0 {
        order.faults.push(format!("{} records were not taken", file.counters().lost_records));
    }
    compare(order, &fs::read(&counts)?)
}

/// A program that does not outlive its round.
struct Killed(Child);

impl Killed {
    fn kill(&mut self) -> std::io::Result<()> {
        self.0.kill()?;
        self.0.wait().map(drop)
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn open(dir: &SessionDir, child: &mut Child) -> Result<Box<SessionFile>, Box<dyn Error>> {
    loop {
        if let Some(entry) = dir.entries()?.first()
            && let Opened::Ready(file) = SessionFile::open(&entry.path)?
        {
            return Ok(file);
        }
        if let Some(status) = child.try_wait()? {
            return Err(format!("the program ended by itself: {status}").into());
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// Takes records and compares them with the order in which they must come.
#[derive(Default)]
struct Order {
    threads: HashMap<RingIx, usize>,
    /// Records of each thread so far.
    taken: [u64; THREADS],
    /// The time of each thread's last record: its low bits, and how often they have wrapped.
    times: [u64; THREADS],
    faults: Vec<String>,
}

impl Order {
    fn step(&mut self, thread: usize, kind: char, id: u32, time: u64) {
        let at = self.taken[thread];
        let expected = ORDER[(at % ORDER.len() as u64) as usize];
        if (kind, id) != expected && self.faults.len() < 10 {
            self.faults
                .push(format!("thread {thread}, record {at}: {kind}{id} instead of {}{}", expected.0, expected.1));
        }
        // A wrap of the 40 bits comes once in 18 minutes at the fastest.
        if time < self.times[thread] && self.times[thread] - time < 1 << 39 && self.faults.len() < 10 {
            self.faults.push(format!("thread {thread}, record {at}: its time is before that of the one in front"));
        }
        self.times[thread] = time;
        self.taken[thread] += 1;
    }
}

impl Sink for Order {
    fn begin(&mut self, ring: RingIx, thread: &ThreadInfo, lost: u64) {
        match thread.name.strip_prefix("storm-").and_then(|number| number.parse().ok()).filter(|n| *n < THREADS) {
            Some(number) => drop(self.threads.insert(ring, number)),
            None => self.faults.push(format!("a thread called {}", thread.name)),
        }
        if lost > 0 {
            self.faults.push(format!("{}: {lost} records are gone", thread.name));
        }
    }

    fn records(&mut self, ring: RingIx, words: &[u64]) {
        let Some(thread) = self.threads.get(&ring).copied() else { return };
        for word in words {
            match Record::decode(*word) {
                Some(Record::Entry { id, time }) => self.step(thread, '+', id.get(), time),
                Some(Record::Return { id, time }) => self.step(thread, '-', id.get(), time),
                Some(Record::Throw { id, time }) => self.step(thread, '!', id.get(), time),
                Some(Record::ThreadStart { .. } | Record::TimeHigh { .. } | Record::Adjust { .. }) => {}
                other => self.faults.push(format!("thread {thread}: {other:?}")),
            }
        }
    }

    fn end(&mut self, _ring: RingIx) {}

    fn damaged(&mut self, _ring: RingIx, error: TraceError) {
        self.faults.push(error.to_string());
    }
}

fn compare(order: Order, counts: &[u8]) -> Result<Outcome, Box<dyn Error>> {
    let mut outcome = Outcome { faults: order.faults, ..Outcome::default() };
    for (thread, taken) in order.taken.iter().enumerate() {
        let word = counts.get(64 * thread..).and_then(|bytes| bytes.first_chunk()).ok_or("the counts are cut off")?;
        let done = u64::from_le_bytes(*word);
        outcome.records += taken;
        match taken.checked_sub(done) {
            Some(0) => {}
            Some(1) => outcome.in_flight += 1,
            _ => outcome.faults.push(format!("thread {thread}: {done} probes have come back, {taken} are recorded")),
        }
    }
    Ok(outcome)
}
