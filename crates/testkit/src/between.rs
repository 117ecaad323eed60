//! Profiles whose trees have `⋯`: methods between that were counted.

use jfathom_plan::{
    CallTraits, ClassCalls, Digest, IdRange, InstrumentedMethod, Manifest, ManifestClass,
    MethodCalls, NamedMethod, Placement, class_hash, signature_hash,
};
use jfathom_profile::{Builder, Context, MethodNames, Profile, TickRate};
use jfathom_trace::record::Record;

use crate::profiles::{feed, meta};
use crate::records::{counted, e, id, info, r};

const CLASS: &str = "com/acme/Shop";
/// Each method of the class by its id, with what it calls.
const METHODS: [(&str, &[&str]); 5] = [
    ("run", &["byName", "byId"]),
    ("byName", &["query", "check"]),
    ("byId", &["query", "check"]),
    ("query", &[]),
    ("check", &[]),
];
const RUN: u32 = 0;
const BY_NAME: u32 = 1;
const BY_ID: u32 = 2;
const QUERY: u32 = 3;
const CHECK: u32 = 4;

fn signature(name: &str) -> u32 {
    signature_hash(name.as_bytes(), b"()V")
}

fn method(value: u32, name: &str) -> InstrumentedMethod {
    InstrumentedMethod {
        id: id(value),
        name: name.to_owned(),
        descriptor: "()V".to_owned(),
        line: None,
        digest: Digest(u64::from(value) + 1),
        root: value == RUN,
        trivial: false,
        waits: false,
        resumes: false,
        counted: false,
        region: None,
    }
}

/// What is known of the class: the root `run` calls `byName` and `byId`. Both call `query` and
/// `check`.
pub fn names() -> MethodNames {
    let named = |name: &&str| NamedMethod::new(class_hash(CLASS.as_bytes()), signature(name));
    let calls = METHODS.iter().map(|(name, sites)| {
        let mut sites: Vec<NamedMethod> = sites.iter().map(named).collect();
        sites.sort_unstable();
        MethodCalls { signature: signature(name), traits: CallTraits::default(), sites }
    });
    let class = ManifestClass {
        name: CLASS.to_owned(),
        source: None,
        methods: (0..).zip(METHODS).map(|(value, (name, _))| method(value, name)).collect(),
        calls: ClassCalls { methods: calls.collect(), ..ClassCalls::default() },
    };
    let manifest = Manifest {
        tool: String::new(),
        plan: Digest::default(),
        placement: Placement::default(),
        module: None,
        ids: IdRange { start: 0, len: 1_000 },
        has_roots: true,
        roots: Vec::new(),
        scheme: None,
        call_graph: None,
        classes: vec![class],
        skips: Vec::new(),
        skip_counts: Default::default(),
        interfaces: Vec::new(),
        unfollowed: Default::default(),
    };
    let mut names = MethodNames::default();
    names.add_manifest(&manifest);
    names
}

/// One call of `run` of 10 ms, in which 3 calls of `byName`, 2 of `byId` and 5 of `check` are
/// counted. Then `query` is timed: for 3 ms, and for so many ms. The tree:
///
/// `run › byName`, `run › byId`, `run › ⋯ › query` with two calls, `run › ⋯ › check`.
///
/// Both slow calls of `query` are kept, and that of `run`.
pub fn profile(millis: u64) -> Profile {
    let mut builder = Builder::new();
    builder.keep_slowest(2);
    builder.watch(&[id(QUERY)]);
    let main = builder.thread(&info(1, "main"));
    let ms = |millis: u64| millis * 1_000_000;
    let records = [
        Record::ThreadStart { high: 0, sequence: 1 },
        e(RUN, ms(1)),
        counted(BY_NAME, 3),
        counted(BY_ID, 2),
        counted(CHECK, 5),
        e(QUERY, ms(2)),
        r(QUERY, ms(5)),
        e(QUERY, ms(6)),
        r(QUERY, ms(6 + millis.min(4))),
        r(RUN, ms(11)),
        Record::ThreadEnd,
    ];
    feed(&mut builder, main, &records);
    builder.end_thread(main);
    let (meta, rate, names) = (meta(1), TickRate::NANOS, names());
    let profile = builder.finish(Context { meta, rate, names: &names, virtual_calls: &[] });
    profile.check().unwrap();
    assert!(profile.has_between());
    profile
}
