//! A small profile with every kind of frame, for tests.

use crate::Random;
use jfathom_plan::{Digest, MethodId, MethodKey};
use jfathom_profile::{
    Anchor, BudgetOutcome, Builder, Calibration, CallKind, ClockDrift, ClockInfo, Context,
    Demotion, DemotionReason, Jvm, KnownCalibration, Labels, Machine, Meta, Method, MethodInfo,
    MethodNames, Mode, Phase, Profile, Provenance, SampleCounts, SampleFrame, SampleSource,
    SampleTreeBuilder, Scheduling, StackSamples, TickRate,
};
use jfathom_trace::{ThreadInfo, record::Record};

/// Description of a method of the fixture; one that is called `run` is a root.
pub fn info(class: &str, name: &str, descriptor: &str) -> MethodInfo {
    MethodInfo {
        key: MethodKey { class: class.into(), name: name.into(), descriptor: descriptor.into() },
        source: Some("Engine.java".into()),
        line: Some(7),
        digest: Digest(0xabc),
        root: name == "run",
        waits: false,
        resumes: false,
    }
}

/// A method without calls.
pub fn method(id: u32, class: &str, name: &str, descriptor: &str) -> Method {
    Method {
        id: MethodId::new(id).unwrap(),
        info: info(class, name, descriptor),
        entries: 0,
        returns: 0,
        throws: 0,
        inferred: 0,
        open: 0,
        unmatched_exits: 0,
        caught: 0,
        virtual_calls: 0,
        counted: 0,
        mode: jfathom_profile::Mode::Time,
        demotion: None,
        since: None,
        is_unread: false,
    }
}

/// Entry (`+`), return (`-`), exception (`!`), catch (`c`), task begin and end (`(`, `)`), each
/// with an id and a time in ns; counted calls (`#`) with their number.
fn records(script: &[(char, u32, u64)]) -> Vec<u64> {
    let encode = |&(kind, id, time): &(char, u32, u64)| {
        let id = MethodId::new(id).unwrap();
        if kind == '#' {
            return Record::Counted { id, calls: time }.encode();
        }
        match kind {
            '+' => Record::Entry { id, time },
            '-' => Record::Return { id, time },
            '!' => Record::Throw { id, time },
            'c' => Record::Caught { id, time },
            '(' => Record::TaskOpen { id, time },
            _ => Record::TaskClose { id, time },
        }
        .encode()
    };
    script.iter().map(encode).collect()
}

/// [`profile`] with calibrations, an anchor, and 1,234 calls of `step(int)` that were counted after
/// it was demoted.
pub fn calibrated() -> Profile {
    let mut profile = build(1_234);
    let calibration = |phase, kind, inner: f64, outer: f64| {
        let around = |nanos: f64| [nanos - 0.5, nanos, nanos + 0.5];
        Calibration::from_batches(phase, kind, 4096, &around(inner), &around(outer), &around(1.0))
    };
    profile.meta.jvms[0].calibrations = vec![
        calibration(Phase::Start, CallKind::Return, 20.0, 22.0),
        calibration(Phase::End, CallKind::Return, 21.0, 22.0),
        calibration(Phase::Start, CallKind::Throw, 20.0, 45.0),
        calibration(Phase::Start, CallKind::Count, 0.0, 1.5),
    ];
    profile.meta.jvms[0].known_calibration = Some(KnownCalibration {
        taken_millis: 1_700_000_000_000,
        calibrations: profile.meta.jvms[0].calibrations.clone(),
        is_used: false,
    });
    profile.threads[0].scheduling = Some(Scheduling {
        observed_nanos: 10_000_000,
        ran_nanos: 9_000_000,
        queued_nanos: 0,
        involuntary_switches: 3,
    });
    profile.meta.jvms[0].clock.drift =
        Some(ClockDrift { parts_per_billion: -1_234, deviation_nanos: 56, suspended_nanos: 0 });
    let step = &mut profile.methods[1];
    step.mode = Mode::Count;
    step.demotion = Some(Demotion {
        calls: 2,
        millis: 1_500,
        reason: DemotionReason::Budget,
        self_nanos: -0.5,
        saved_nanos: 40.0,
        cost_share: 0.625,
    });
    profile.meta.jvms[0].budget =
        Some(BudgetOutcome { limit: Some(0.5), cost_nanos: 4e6, program_nanos: 1e7 });
    profile.anchor = Some(Anchor {
        roots_only_runs: 5,
        roots_only_nanos: 9_900_000.0,
        roots_only_deviation: 10_000.0,
        full_runs: 5,
        residual_nanos: 3.0,
        correction_share: 0.001,
    });
    profile.check().unwrap();
    profile
}

/// `run` calls `step(int)` twice, the second time by exception, `step(long)` recurses; a worker
/// runs a task of `run`.
pub fn profile() -> Profile {
    build(0)
}

fn build(counted: u64) -> Profile {
    let mut builder = Builder::new();
    let mut thread = |sequence, name: &str, script: &[(char, u32, u64)]| {
        let info =
            ThreadInfo { sequence, thread_id: sequence + 10, kernel_id: 0, name: name.into() };
        let handle = builder.thread(&info);
        builder
            .feed(handle, &[Record::ThreadStart { high: 0, sequence: sequence as u32 }.encode()]);
        builder.feed(handle, &records(script));
        builder.feed(handle, &[Record::ThreadEnd.encode()]);
        builder.end_thread(handle);
    };
    let (run, step, deep, stray) = (0, 1, 2, 9);
    let mut main = vec![
        ('+', run, 1_000),
        ('+', step, 101_000),
        ('-', step, 1_101_000),
        ('+', step, 1_201_000),
        ('!', step, 1_301_000),
        ('c', run, 1_301_056),
        ('+', deep, 2_000_000),
        ('+', deep, 2_500_000),
        ('-', deep, 3_000_000),
        ('-', deep, 3_500_000),
        ('-', run, 10_001_000),
    ];
    if counted > 0 {
        main.insert(main.len() - 1, ('#', step, counted));
    }
    thread(1, "main", &main);
    thread(
        2,
        "pool;1\n",
        &[('(', run, 64_000), ('+', stray, 65_000), ('-', stray, 95_000), (')', run, 96_000)],
    );
    let mut names = MethodNames::default();
    names.insert(MethodId::new(run).unwrap(), info("com/acme/Engine", "run", "()V"));
    names.insert(MethodId::new(step).unwrap(), info("com/acme/Engine", "step", "(I)V"));
    names.insert(MethodId::new(deep).unwrap(), info("com/acme/Engine", "step", "(J)V"));
    let rate = TickRate::NANOS;
    let jvm = Jvm {
        pid: 4242,
        start_millis: 1_000_000,
        java_version: "17.0.9".into(),
        vm_name: "OpenJDK 64-Bit Server VM".into(),
        vm_version: "17.0.9+9".into(),
        vendor: "Debian".into(),
        command: "Main -x".into(),
        flags: vec!["-Xmx1g".into()],
        clock: ClockInfo {
            name: "nanoTime".into(),
            rate,
            reason: "the JVM's default".into(),
            drift: None,
        },
        has_roots: true,
        roots_only: false,
        clean_end: true,
        provenance: vec![Provenance {
            container: "/x/app.jar".into(),
            plan: "00000000000000ff".into(),
            first_id: 0,
            ids: 3,
            tool: "jfathom 0.1.0".into(),
        }],
        calibrations: Vec::new(),
        known_calibration: None,
        limits: Default::default(),
        budget: None,
        live: None,
    };
    let meta = Meta {
        tool: "jfathom 0.1.0".into(),
        command: vec!["java".into(), "-cp".into(), "out/app.jar".into(), "Main".into()],
        started_millis: 1_000_500,
        duration_millis: 12,
        machine: Machine {
            os: "Linux 6.1".into(),
            arch: "amd64".into(),
            cpu: "Some CPU".into(),
            cpus: 2,
        },
        jvms: vec![jvm],
        notices: vec!["a notice".into()],
        interleaving_id: None,
        size: None,
        labels: Labels::default(),
        unfollowed: Default::default(),
    };
    let virtual_calls = [(MethodId::new(step).unwrap(), 1_000_000)];
    builder.quality_mut().virtual_calls = 1_000_000;
    builder.finish(Context { meta, rate, names: &names, virtual_calls: &virtual_calls })
}

/// `run` calls `tick`, which is only counted, so many times.
pub fn counted_tick(calls: u64) -> Profile {
    let (run, tick) = (0, 1);
    let script = [('+', run, 64), ('#', tick, calls), ('-', run, 6_400)];
    let names = [(run, "run"), (tick, "tick")];
    of_main(&script, names.map(|(id, name)| (id, info("com/acme/Engine", name, "()V"))))
}

/// The profile of one thread with these records and methods.
fn of_main(
    script: &[(char, u32, u64)],
    methods: impl IntoIterator<Item = (u32, MethodInfo)>,
) -> Profile {
    let mut builder = Builder::new();
    let info = ThreadInfo { sequence: 1, thread_id: 1, kernel_id: 0, name: "main".into() };
    let handle = builder.thread(&info);
    builder.feed(handle, &[Record::ThreadStart { high: 0, sequence: 1 }.encode()]);
    builder.feed(handle, &records(script));
    builder.feed(handle, &[Record::ThreadEnd.encode()]);
    builder.end_thread(handle);
    let mut names = MethodNames::default();
    for (id, info) in methods {
        names.insert(MethodId::new(id).unwrap(), info);
    }
    let meta = profile().meta;
    builder.finish(Context { meta, rate: TickRate::NANOS, names: &names, virtual_calls: &[] })
}

/// The profile as that of a live session.
pub fn live(mut profile: Profile) -> Profile {
    let root = |selector: &str, live_at| jfathom_profile::LiveRootInfo {
        selector: selector.to_owned(),
        live_at,
        method: live_at.map(|_| "com.acme.Engine::run()V".to_owned()),
    };
    let facts = jfathom_profile::LiveSessionInfo {
        scheme: "lazy".to_owned(),
        roots: vec![root("com.acme.Engine::run", Some(12_000_000)), root("com.acme.Pump", None)],
        methods: 3,
        skipped: 6,
        retransformations: 5,
        retransformed_classes: 2,
        at_load: 4,
        pause_nanos: 7_000_000,
        ..Default::default()
    };
    profile.meta.jvms.iter_mut().for_each(|jvm| jvm.live = Some(facts.clone()));
    profile.methods.iter_mut().for_each(|method| method.since = Some(12_000_000));
    profile
}

/// A profile of calls that `seed` draws: one thread, eight methods, recursion through each of them.
pub fn drawn(seed: u64) -> Profile {
    draw(seed, false)
}

/// As [`drawn`], with calls that were only counted, and up to 20 samples in each node.
pub fn drawn_with_samples(seed: u64) -> Profile {
    let mut profile = draw(seed, true);
    let (tree, mut random) = (&profile.tree, Random(seed + 1));
    let mut builder = SampleTreeBuilder::default();
    let mut path = Vec::new();
    for node in tree.nodes() {
        path.truncate(tree.depth(node) as usize);
        path.push(SampleFrame::Recorded(tree.frame(node)));
        let [running, probes] = [20, 5].map(|most| random.below(most));
        builder.add(path.clone(), SampleCounts { running, native: 0, probes });
    }
    let (names, tree) = builder.finish();
    let source = SampleSource::Agent;
    profile.stack_samples = StackSamples { source, names, tree, ..StackSamples::default() };
    profile.check().unwrap();
    profile
}

fn draw(seed: u64, has_counted: bool) -> Profile {
    let mut random = Random(seed * 0x9e37_79b9 + 1);
    let mut script = Vec::new();
    let (mut open, mut now) = (Vec::new(), 64_u64);
    for _ in 0..400 {
        now += 64 * (1 + random.below(50));
        let is_full = open.len() >= 12;
        if has_counted && !open.is_empty() && random.below(3) == 0 {
            script.push(('#', random.below(8) as u32, 1 + random.below(1000)));
        }
        match random.below(2) {
            0 if !is_full => {
                let id = random.below(8) as u32;
                script.push(('+', id, now));
                open.push(id);
            }
            _ => {
                if let Some(id) = open.pop() {
                    script.push(('-', id, now));
                }
            }
        }
    }
    for id in open.into_iter().rev() {
        now += 64;
        script.push(('-', id, now));
    }
    of_main(&script, (0..8).map(|id| (id, info("com/acme/Drawn", &format!("m{id}"), "()V"))))
}
