use super::*;
use crate::{MethodIx, ThreadIx};

fn recorded(method: u32) -> SampleFrame {
    SampleFrame::Recorded(Frame::Method(MethodIx(method)))
}

fn thread(thread: u32) -> SampleFrame {
    SampleFrame::Recorded(Frame::Thread(ThreadIx(thread)))
}

fn running(running: u64) -> SampleCounts {
    SampleCounts { running, ..SampleCounts::default() }
}

fn name(name: &str) -> SampledName {
    SampledName { class: "p/A".to_owned(), name: name.to_owned() }
}

/// Method 0 of thread 0 with five samples: two its own, two in `sort`, one in `get`.
fn samples() -> StackSamples {
    let mut builder = SampleTreeBuilder::default();
    let [get, sort] = ["get", "sort"].map(|of| SampleFrame::Sampled(builder.name(&name(of))));
    assert!(builder.add([thread(0), recorded(0), get], running(1)));
    assert!(builder.add([thread(0), recorded(0)], running(2)));
    assert!(
        builder
            .add([thread(0), recorded(0), sort], SampleCounts { running: 0, native: 2, probes: 0 })
    );
    let (names, tree) = builder.finish();
    let agreement = SampleAgreement { agree: 4, short: 1, disagree: 0, resolution_nanos: 1_000 };
    StackSamples { source: SampleSource::Jfr, names, tree, agreement, ..StackSamples::default() }
}

/// By node: its depth, its frame, and the samples in it and below it.
fn shown(samples: &StackSamples) -> Vec<(u32, String, u64)> {
    let node = |node| {
        let SampleNode { frame, depth, .. } = samples.tree.node(node);
        let frame = match frame {
            SampleFrame::Sampled(place) => samples.name(place).unwrap().name.clone(),
            SampleFrame::Recorded(frame) => format!("{frame:?}"),
        };
        (depth, frame, samples.tree.total(node).all())
    };
    samples.tree.nodes().map(node).collect()
}

#[test]
fn siblings_with_the_most_samples_are_first() {
    let samples = samples();
    let names: Vec<(u32, String, u64)> = shown(&samples);
    let of = |depth: u32, frame: &str, all: u64| (depth, frame.to_owned(), all);
    assert_eq!(
        names,
        [
            of(0, "Thread(ThreadIx(0))", 5),
            of(1, "Method(MethodIx(0))", 5),
            of(2, "sort", 2),
            of(2, "get", 1)
        ]
    );
    assert_eq!(samples.placed(), SampleCounts { running: 3, native: 2, probes: 0 });
    let root = samples.tree.roots().next().unwrap();
    let method = samples.tree.child(root, recorded(0)).unwrap();
    assert_eq!(samples.tree.children(method).count(), 2);
    assert_eq!(samples.tree.child(root, recorded(1)), None);
}

#[test]
fn sums_have_the_frames_of_the_other_profile() {
    let mut sum = samples();
    sum.add(&samples(), |frame| match frame {
        Frame::Thread(_) => Frame::Thread(ThreadIx(1)),
        frame => frame,
    });
    assert_eq!(sum.tree.roots().count(), 2);
    assert_eq!((sum.names.len(), sum.placed().all()), (2, 10));
    sum.add(&samples(), |frame| frame);
    assert_eq!((sum.tree.len(), sum.placed().all(), sum.agreement.compared()), (8, 15, 15));
    assert_eq!((sum.elsewhere.cut, sum.source), (0, SampleSource::Jfr));
    let mut partly = StackSamples::default();
    partly.add(&sum, |frame| frame);
    assert_eq!((partly.source, partly.tree), (SampleSource::Partly, sum.tree));
}

#[test]
fn samples_beyond_the_bound_are_in_the_deepest_node() {
    let mut builder = SampleTreeBuilder::with_most_nodes(2);
    assert!(builder.add([thread(0), recorded(0)], running(1)));
    assert!(!builder.add([thread(0), recorded(0), SampleFrame::Sampled(0)], running(3)));
    assert!(!builder.add([thread(1), recorded(0)], running(5)));
    let (_, tree) = builder.finish();
    let sums: Vec<u64> = tree.nodes().map(|node| tree.node(node).own.running).collect();
    assert_eq!(sums, [5, 0, 4]);
}

#[test]
fn what_is_read_is_checked() {
    let sound = samples();
    assert_eq!(sound.check(1, 1), Ok(()));
    assert!(sound.check(0, 1).is_err() && sound.check(1, 0).is_err());
    let nameless = StackSamples { names: Vec::new(), ..samples() };
    assert!(nameless.check(1, 1).is_err());
    let node = |frame, depth| SampleNode { frame, depth, own: running(1) };
    for nodes in [
        vec![node(recorded(0), 0)],
        vec![node(thread(0), 0), node(thread(0), 1)],
        vec![node(thread(0), 0), node(recorded(0), 2)],
        vec![node(recorded(0), 1)],
    ] {
        let checked = SampleTree::try_from(nodes)
            .and_then(|tree| StackSamples { tree, ..samples() }.check(1, 1));
        assert!(checked.is_err());
    }
}
