//! Profiles made of a few records.

use jfathom_plan::{Digest, MethodKey};
use jfathom_profile::{
    Builder, ClockInfo, Context, Cpu, CpuSource, Jvm, Meta, MethodInfo, MethodNames, OffCpu,
    OffCpuSpan, Profile, ThreadHandle, TickRate, Ticks,
};
use jfathom_trace::record::Record;

use crate::records::{id, info, words};

/// Methods 0 to 9 are called `m0` to `m9`; 10 to 12 are constructors.
pub fn names() -> MethodNames {
    let mut names = MethodNames::default();
    for value in 0..10 {
        names.insert(id(value), method(value));
    }
    for value in 10..13 {
        let mut constructor = method(value);
        constructor.key.class = format!("p/C{value}");
        constructor.key.name = "<init>".to_owned();
        names.insert(id(value), constructor);
    }
    names
}

/// A method without arguments of the class `p.C`; the first one is a root.
pub fn method(value: u32) -> MethodInfo {
    let key = MethodKey {
        class: "p/C".to_owned(),
        name: format!("m{value}"),
        descriptor: "()V".to_owned(),
    };
    let digest = Digest(u64::from(value));
    MethodInfo {
        key,
        source: Some("C.java".to_owned()),
        line: Some(value),
        digest,
        root: value == 0,
        waits: false,
        resumes: false,
    }
}

/// One JVM that ended cleanly, on a clock of nanoseconds.
pub fn meta(pid: u64) -> Meta {
    let clock = ClockInfo {
        name: "nanoTime".to_owned(),
        rate: TickRate::NANOS,
        reason: "a test".to_owned(),
        drift: None,
    };
    let jvm = Jvm {
        pid,
        start_millis: 5,
        java_version: "17".to_owned(),
        vm_name: "a VM".to_owned(),
        vm_version: "17".to_owned(),
        vendor: "a vendor".to_owned(),
        command: "Main".to_owned(),
        flags: vec!["-Xss1m".to_owned()],
        clock,
        has_roots: false,
        roots_only: false,
        clean_end: true,
        provenance: Vec::new(),
        calibrations: Vec::new(),
        known_calibration: None,
        limits: Default::default(),
        budget: None,
        live: None,
    };
    Meta { tool: "jfathom test".to_owned(), jvms: vec![jvm], ..Meta::default() }
}

/// Feeds records of a thread.
pub fn feed(builder: &mut Builder, thread: ThreadHandle, records: &[Record]) {
    builder.feed(thread, &words(records));
}

/// The profile of a builder, which must be sound.
pub fn profile(builder: &Builder) -> Profile {
    let names = names();
    let context =
        Context { meta: meta(1), rate: TickRate::NANOS, names: &names, virtual_calls: &[] };
    let profile = builder.snapshot(context);
    profile.check().unwrap();
    profile
}

/// The profile of one thread's records.
pub fn one_thread(records: &[Record]) -> Profile {
    let mut builder = Builder::new();
    let main = builder.thread(&info(1, "main"));
    feed(&mut builder, main, records);
    profile(&builder)
}

/// The profile of one thread's records, of which it is known when the thread ran: all the time but
/// for these parts of it, which begin and end so, each with what the thread did.
pub fn one_split_thread(records: &[Record], parts: &[(u64, u64, OffCpuKind)]) -> Profile {
    let mut builder = Builder::new();
    builder.record_cpu();
    let main = builder.thread(&info(1, "main"));
    let ran = OffCpuSpan { start: Ticks(0), end: Ticks(0), parts: OffCpu::default() };
    builder.add_off_cpu(main, ran);
    for (start, end, kind) in parts {
        let time = Ticks(end - start);
        let mut parts = OffCpu { switches: 1, ..OffCpu::default() };
        match kind {
            OffCpuKind::Preempted => parts.preempted = time,
            OffCpuKind::Blocked => parts.blocked = time,
            OffCpuKind::Unknown => parts = OffCpu { unknown: time, ..OffCpu::default() },
        }
        builder.add_off_cpu(main, OffCpuSpan { start: Ticks(*start), end: Ticks(*end), parts });
    }
    feed(&mut builder, main, records);
    let mut profile = profile(&builder);
    profile.cpu = Cpu { source: CpuSource::Perf, ..Cpu::default() };
    profile
}

/// As [`one_split_thread`], where the thread's own clock has told it: as one part.
pub fn one_clocked_thread(records: &[Record], parts: &[(u64, u64)]) -> Profile {
    let blocked: Vec<_> =
        parts.iter().map(|(start, end)| (*start, *end, OffCpuKind::Blocked)).collect();
    let mut profile = one_split_thread(records, &blocked);
    profile.cpu = Cpu { source: CpuSource::ThreadClock, ..Cpu::default() };
    profile
}

/// What a thread does that does not run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffCpuKind {
    /// It waits for a processor.
    Preempted,
    /// It waits for something else.
    Blocked,
    /// Nobody knows.
    Unknown,
}
