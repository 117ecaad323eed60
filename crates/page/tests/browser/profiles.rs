//! Profiles that the tests look at.

use jfathom_profile::{
    Activation, Bucket, Durations, EventKind, EventName, EventSum, Frame, HandOffs, Latency,
    MethodIx, Metric, NodeNumbers, Profile, SampleCounts, SampleFrame, SampleSource,
    SampleTreeBuilder, SampledName, Span, SpanEvent, SpanKind, StackSamples, StackWalks, ThreadIx,
    Ticks, WalkedMethod,
};
use jfathom_testkit::small_profile;

/// Names that a browser would act on if it read them as HTML.
pub const HOSTILE: [&str; 3] = [
    "</script><script>window.owned=1</script>",
    "<img src=x onerror=window.owned=1>",
    "<b>\"'&amp;",
];

/// A profile whose classes, threads, command and notices have such names.
pub fn hostile() -> Profile {
    let mut profile = small_profile::profile();
    for (method, name) in profile.methods.iter_mut().zip(HOSTILE) {
        // A slash in a class name is a dot for people.
        method.info.key.class = name.replace('.', "/");
        method.info.key.name = "run".to_owned();
        method.info.source = Some(name.to_owned());
    }
    profile.threads[0].name = HOSTILE[0].to_owned();
    profile.meta.command = HOSTILE.map(str::to_owned).to_vec();
    for jvm in &mut profile.meta.jvms {
        jvm.command = HOSTILE.join(" ");
    }
    profile.meta.notices = HOSTILE.map(str::to_owned).to_vec();
    profile
}

/// The small profile with samples in a frame without a probe, of a hostile name, below its first
/// method.
pub fn sampled() -> Profile {
    let mut profile = small_profile::profile();
    let tree = &profile.tree;
    let root = tree.roots().next().unwrap();
    let method = tree.children(root).next().unwrap();
    let recorded = [root, method].map(|node| SampleFrame::Recorded(tree.frame(node)));
    let mut builder = SampleTreeBuilder::default();
    let (class, name) = ("java/util/TimSort".to_owned(), HOSTILE[1].to_owned());
    let hostile = SampleFrame::Sampled(builder.name(&SampledName { class, name }));
    builder.add(
        recorded.into_iter().chain([hostile]),
        SampleCounts { running: 30, ..SampleCounts::default() },
    );
    builder.add(recorded, SampleCounts { running: 70, ..SampleCounts::default() });
    let (names, tree) = builder.finish();
    let source = SampleSource::Jfr;
    profile.stack_samples = StackSamples { source, names, tree, ..StackSamples::default() };
    profile
}

/// The small profile with the callers of its second method by walked stacks: six from its first
/// method, which a frame of a hostile name calls, and so many from that frame. One more is missing.
pub fn walked(directly: u64) -> Profile {
    let mut profile = small_profile::profile();
    let [called, caller] = [1, 0].map(|at| SampleFrame::Recorded(Frame::Method(MethodIx(at))));
    let mut builder = SampleTreeBuilder::default();
    let (class, name) = ("java/util/TimSort".to_owned(), HOSTILE[1].to_owned());
    let hostile = SampleFrame::Sampled(builder.name(&SampledName { class, name }));
    builder.add([called, caller, hostile], SampleCounts { running: 6, ..SampleCounts::default() });
    builder.add([called, hostile], SampleCounts { running: directly, ..SampleCounts::default() });
    let due = 7 + directly;
    let of = WalkedMethod { method: MethodIx(1), interval: 7, due, truncated: 0, unknown: 0 };
    profile.stack_walks = StackWalks::new(vec![of], builder, 0);
    profile
}

/// A profile in which all calls of `tick` were counted.
pub fn counted_only() -> Profile {
    small_profile::counted_tick(70)
}

/// A profile without any time: all calls were counted.
pub fn without_times() -> Profile {
    let mut profile = small_profile::profile();
    let tree = std::mem::take(&mut profile.tree);
    let (counted, _) = tree.retain(|node| {
        let numbers = tree.numbers(node);
        let is_thread = matches!(tree.frame(node), Frame::Thread(_));
        let (timed, counted) = if is_thread { (1, 0) } else { (0, numbers.calls()) };
        Some(NodeNumbers::of(&[(Metric::Timed, timed), (Metric::Counted, counted)]))
    });
    profile.tree = counted;
    profile
}

/// The small profile with twice the time in `step(int)`.
pub fn slower() -> Profile {
    let mut profile = small_profile::profile();
    let tree = std::mem::take(&mut profile.tree);
    let (slower, _) = tree.retain(|node| {
        let mut numbers = tree.numbers(node);
        if tree.frame(node) == Frame::Method(MethodIx(1)) {
            numbers[Metric::SelfTime] *= 2;
        }
        Some(numbers)
    });
    profile.tree = slower;
    profile
}

/// The small profile with latencies from nanoseconds to an hour, of methods with long names, and
/// with a slow call that is a deep recursion, one of ten recorded ones.
pub fn with_latencies() -> Profile {
    let mut profile = small_profile::profile();
    let tree = std::mem::take(&mut profile.tree);
    let (called_often, _) = tree.retain(|node| {
        let mut numbers = tree.numbers(node);
        if tree.frame(node) == Frame::Method(MethodIx(0)) {
            numbers[Metric::Timed] *= 10;
        }
        Some(numbers)
    });
    profile.tree = called_often;
    let long = "AndEverythingThatBelongsToIt".repeat(8);
    for at in 0..50 {
        let class = format!("com/acme/very/deep/packages/of/a/shop/Orders{at}");
        let name = format!("find{long}");
        profile.methods.push(small_profile::method(9_000 + at, &class, &name, "()V"));
        let method = Frame::Method(MethodIx(profile.methods.len() as u32 - 1));
        let shortest = 1.8_f64.powi(at as i32) as u64;
        let bucket = |times: u64| Bucket {
            upper: Ticks(shortest.saturating_mul(times).min(3_600_000_000_000)),
            calls: 5_000 / times,
            records: 0,
        };
        let calls = Durations::new(bucket(1_000).upper, [1, 10, 1_000].map(bucket).to_vec());
        let path = vec![Frame::Method(MethodIx(0)), method];
        profile.latencies.paths.push(Latency { path, calls });
    }
    let span = |depth: u32| Span {
        method: MethodIx(depth.min(1)),
        kind: SpanKind::Call,
        depth,
        began: Ticks(u64::from(depth)),
        duration: Ticks(4_000_000_000_000 - u64::from(depth)),
        records_before: 0,
        records: 0,
        counted: 1,
        thrown: false,
    };
    let slow = Activation {
        path: vec![Frame::Method(MethodIx(0))],
        thread: ThreadIx(0),
        thread_id: 1,
        began: Ticks(5_000_000),
        duration: Ticks(4_000_000_000_000),
        records: 0,
        left_out: 12,
        hand_offs: HandOffs::default(),
        events: [
            (0, EventKind::Monitor, Some("com.acme.Door"), 2, 400_000_000_000),
            (1, EventKind::Gc, None, 1, 40_000_000_000),
            (1, EventKind::Exception, Some("java.io.IOException"), 3, 0),
        ]
        .map(|(span, kind, class, count, time)| SpanEvent {
            span,
            name: EventName { kind, class: class.map(Into::into) },
            sum: EventSum { count, time: Ticks(time) },
        })
        .to_vec(),
        spans: (0..450).map(span).collect(),
    };
    profile.latencies.slowest.push(slow);
    profile
}
