//! What the tests of profiles share.
#![allow(dead_code, reason = "each test file uses its part")]

use std::fmt::Write;

use jfathom_plan::{Digest, MethodId, MethodKey};
use jfathom_profile::{
    Builder, ClockInfo, Context, Frame, Jvm, Meta, MethodInfo, MethodNames, Profile, ThreadHandle,
    TickRate, Tree,
};
use jfathom_trace::ThreadInfo;
use jfathom_trace::record::Record;

pub fn id(value: u32) -> MethodId {
    MethodId::new(value).unwrap()
}

/// Entry of a method.
pub fn e(method: u32, time: u64) -> Record {
    Record::Entry { id: id(method), time }
}

/// Exit by return.
pub fn r(method: u32, time: u64) -> Record {
    Record::Return { id: id(method), time }
}

/// Exit by exception.
pub fn x(method: u32, time: u64) -> Record {
    Record::Throw { id: id(method), time }
}

/// Exception caught.
pub fn c(method: u32, time: u64) -> Record {
    Record::Caught { id: id(method), time }
}

pub fn info(sequence: u64, name: &str) -> ThreadInfo {
    ThreadInfo { sequence, thread_id: sequence + 100, name: name.to_owned() }
}

pub fn words(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.encode()).collect()
}

pub fn feed(builder: &mut Builder, thread: ThreadHandle, records: &[Record]) {
    builder.feed(thread, &words(records));
}

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
        pinned: false,
    }
}

pub fn meta(pid: u64) -> Meta {
    let clock = ClockInfo {
        name: "nanoTime".to_owned(),
        rate: TickRate::NANOS,
        reason: "a test".to_owned(),
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
        sequences: Vec::new(),
        live: None,
    };
    Meta { tool: "jfathom test".to_owned(), jvms: vec![jvm], ..Meta::default() }
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

/// A tree as lines: name, calls, self time, total time, indented by depth.
pub fn render(profile: &Profile, tree: &Tree) -> String {
    let mut text = String::new();
    for node in tree.nodes() {
        let name = match tree.frame(node) {
            Frame::Thread(thread) => profile.thread(thread).name.clone(),
            Frame::Method(method) => profile.method(method).info.key.name.clone(),
            Frame::Task(method) => format!("task of {}", profile.method(method).info.key.name),
        };
        let indent = tree.depth(node) as usize * 2;
        let (calls, own, total) =
            (tree.calls(node), tree.self_time(node).0, tree.total_time(node).0);
        writeln!(text, "{:indent$}{name} {calls} {own} {total}", "").unwrap();
    }
    text
}

/// [`render`] of a profile's own tree, compared with lines that may be indented as a whole.
#[track_caller]
pub fn assert_tree(profile: &Profile, expected: &str) {
    assert_text(&render(profile, &profile.tree), expected);
}

#[track_caller]
pub fn assert_text(found: &str, expected: &str) {
    let lines: Vec<&str> = expected.lines().filter(|line| !line.trim().is_empty()).collect();
    let indent = lines.iter().map(|line| line.len() - line.trim_start().len()).min().unwrap_or(0);
    let expected: String = lines.iter().map(|line| format!("{}\n", &line[indent..])).collect();
    assert_eq!(found, expected, "\n--- found\n{found}--- expected\n{expected}");
}

/// A small generator of random numbers; the same seed gives the same numbers.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 32) % limit
    }
}
