use super::*;
use jfathom_jfr::{SampleKind, SampledMethod, Samples};
use jfathom_plan::MethodId;
use jfathom_profile::{
    Frame, MethodIx, Metric, NodeNumbers, SampleIx, ThreadIx, Ticks, TreeSum, UnsampledCalls,
};
use jfathom_testkit::small_profile;

/// A frame of a sampled stack.
fn frame(class: &str, name: &str, descriptor: &str) -> SampledMethod {
    SampledMethod { class: class.into(), name: name.into(), descriptor: descriptor.into() }
}

/// A sample of these frames, outermost first.
fn push(samples: &mut Samples, frames: &[SampledMethod], is_truncated: bool) {
    samples.push(frames.iter().rev().cloned(), is_truncated, SampleKind::Java);
}

/// The profile's methods as frames, by name.
fn recorded(profile: &Profile, name: &str) -> SampledMethod {
    let key = &profile.methods.iter().find(|of| of.info.key.name == name).unwrap().info.key;
    frame(&key.class, &key.name, &key.descriptor)
}

/// A method's id, by its name.
fn id(profile: &Profile, name: &str) -> MethodId {
    profile.methods.iter().find(|of| of.info.key.name == name).unwrap().id
}

/// Each sampled frame with the recorded method that it is below, and its samples.
fn rows(profile: &Profile, samples: &StackSamples) -> Vec<(String, String, u64)> {
    let tree = &samples.tree;
    let mut path: Vec<SampleIx> = Vec::new();
    let mut rows = Vec::new();
    for node in tree.nodes() {
        path.truncate(tree.node(node).depth as usize);
        if let SampleFrame::Sampled(name) = tree.node(node).frame {
            let above = path.iter().rev().find_map(|of| match tree.node(*of).frame {
                SampleFrame::Recorded(Frame::Method(method)) => Some(profile.method(method)),
                _ => None,
            });
            let above = above.map(|method| method.info.key.name.clone()).unwrap_or_default();
            let name = samples.name(name).unwrap().name.clone();
            rows.push((above, name, tree.total(node).all()));
        }
        path.push(node);
    }
    rows
}

/// The profile with its first thread as the one that samples do not name.
fn profile() -> Profile {
    let mut profile = small_profile::profile();
    profile.threads.iter_mut().for_each(|thread| thread.thread_id += 100);
    profile.threads[0].thread_id = 0;
    profile
}

#[test]
fn frames_hang_below_the_innermost_recorded_call() {
    let profile = profile();
    let [run, step] = ["run", "step"].map(|name| recorded(&profile, name));
    let [outer, sort, get] = ["main", "sort", "get"].map(|name| frame("java/util/X", name, "()V"));
    let mut recording = Recording::default();
    let samples = &mut recording.samples;
    for _ in 0..3 {
        push(
            samples,
            &[outer.clone(), run.clone(), outer.clone(), step.clone(), sort.clone()],
            false,
        );
    }
    push(samples, &[outer.clone(), run.clone(), get.clone(), sort.clone()], false);
    push(samples, &[run.clone(), step.clone()], false);
    // Outside of recorded calls, and nobody knows where.
    push(samples, &[outer.clone(), sort.clone()], false);
    push(samples, &[sort.clone(), get.clone()], true);
    let joined = stack_samples(&profile, &recording, &OpenCalls::default(), SampleSource::Jfr);
    let expected = [("step", "sort", 3), ("run", "get", 1), ("run", "sort", 1)];
    let mut found = rows(&profile, &joined);
    found.sort();
    let mut expected = expected.map(|(of, name, count)| (of.to_owned(), name.to_owned(), count));
    expected.sort();
    assert_eq!(found, expected);
    assert_eq!((joined.placed().running, joined.elsewhere.outside.running), (5, 1));
    assert_eq!((joined.elsewhere.truncated.running, joined.elsewhere.off_path), (1, 0));
    assert_eq!(joined.agreement.compared(), 0);
}

#[test]
fn a_path_that_was_not_recorded_ends_where_it_leaves_the_others() {
    let profile = profile();
    let [run, step] = ["run", "step"].map(|name| recorded(&profile, name));
    let mut recording = Recording::default();
    push(&mut recording.samples, &[run.clone(), step.clone(), run.clone(), step], false);
    let joined = stack_samples(&profile, &recording, &OpenCalls::default(), SampleSource::Jfr);
    assert_eq!((joined.elsewhere.off_path, joined.placed().all()), (1, 1));
    // The frames behind are there all the same.
    assert_eq!(rows(&profile, &joined).len(), 2);
}

/// `step` below `run`, and below the thread since calls of `run` are counted.
#[test]
fn open_calls_say_which_of_several_nodes_a_stack_is_in() {
    let mut profile = profile();
    let [run, step] = ["run", "step"].map(|name| recorded(&profile, name));
    let method = |name: &str| {
        let place = profile.methods.iter().position(|of| of.info.key.name == name).unwrap();
        MethodIx(place as u32)
    };
    let [run_ix, step_ix] = ["run", "step"].map(method);
    let [run_id, step_id] = [run_ix, step_ix].map(|of| profile.method(of).id);
    let mut sum = TreeSum::default();
    let thread = sum.child(None, Frame::Thread(ThreadIx(0)));
    sum.add(thread, &NodeNumbers::default());
    let timed = NodeNumbers::of(&[(Metric::Timed, 1), (Metric::SelfTime, 1_000_000_000)]);
    let outer = sum.child(Some(thread), Frame::Method(run_ix));
    sum.add(outer, &timed.with(Metric::Counted, 1));
    for parent in [outer, thread] {
        let node = sum.child(Some(parent), Frame::Method(step_ix));
        sum.add(node, &timed);
    }
    profile.tree = sum.tree();
    let root = profile.tree.roots().next().unwrap();
    let mut paths = CallPaths::new(&profile, &[run, step]);
    let frames = paths.frame_methods(&[1, 0]);
    let place = paths.place(root, &frames).unwrap();
    assert_eq!(place.nodes.len(), 2);
    let mut found = Vec::new();
    for path in [&[run_id, step_id][..], &[step_id]] {
        let open = open_calls::Open { path: Some(path), near: Vec::new(), is_beyond: false };
        let (verdict, node) = judge(&mut paths, root, &place.nodes, &open, 0);
        assert_eq!(verdict, Verdict::Agree);
        found.push(profile.tree.depth(node.unwrap()));
    }
    assert_eq!(found, [2, 1]);
    let open =
        open_calls::Open { path: Some(&[run_id, run_id]), near: Vec::new(), is_beyond: false };
    assert_eq!(judge(&mut paths, root, &place.nodes, &open, 0).0, Verdict::Disagree);
    for (is_beyond, verdict) in [(false, Verdict::Disagree), (true, Verdict::Outside)] {
        let open = open_calls::Open { path: None, near: Vec::new(), is_beyond };
        assert_eq!(judge(&mut paths, root, &place.nodes, &open, 0).0, verdict);
    }
}

#[test]
fn a_frame_without_a_name_is_the_open_call_that_is_missing() {
    let mut profile = profile();
    let ids = ["run", "step"].map(|name| id(&profile, name));
    let [run, step] = ["run", "step"].map(|name| recorded(&profile, name));
    let unnamed = frame("", "", "");
    let sort = frame("java/util/X", "sort", "()V");
    for (stack, agree) in [
        ([run.clone(), unnamed.clone(), sort.clone()], true),
        ([unnamed.clone(), step.clone(), sort.clone()], true),
        // One call too few.
        ([run, sort.clone(), sort], false),
    ] {
        let mut recording = Recording::default();
        push(&mut recording.samples, &stack, false);
        let joined = stack_samples(
            &profile,
            &recording,
            &OpenCalls::at_samples(&[Some(&ids)]),
            SampleSource::Jfr,
        );
        let agreement = joined.agreement;
        assert_eq!((agreement.agree, agreement.disagree), (u64::from(agree), u64::from(!agree)));
        let rows = rows(&profile, &joined);
        let below: Vec<(&str, &str)> = rows.iter().map(|(of, name, _)| (&**of, &**name)).collect();
        assert_eq!(below, if agree { vec![("step", "sort")] } else { vec![] });
    }
    // Nothing was open: it is no recorded method.
    let mut recording = Recording::default();
    push(&mut recording.samples, &[unnamed], false);
    profile.latencies.unsampled.clear();
    let joined =
        stack_samples(&profile, &recording, &OpenCalls::at_samples(&[None]), SampleSource::Jfr);
    assert_eq!((joined.placed().all(), joined.elsewhere.outside.running), (0, 1));
}

#[test]
fn calls_that_root_sampling_left_out_have_their_samples_by_frames() {
    let mut profile = profile();
    let run = recorded(&profile, "run");
    let get = frame("java/util/X", "get", "()V");
    let mut recording = Recording::default();
    push(&mut recording.samples, &[run, get], false);
    let judged = |profile: &Profile| {
        stack_samples(profile, &recording, &OpenCalls::at_samples(&[None]), SampleSource::Jfr)
    };
    let all = judged(&profile);
    assert_eq!((all.placed().all(), all.agreement.disagree), (0, 1));
    let method =
        MethodIx(profile.methods.iter().position(|of| of.info.key.name == "run").unwrap() as u32);
    profile.latencies.unsampled.push(UnsampledCalls { method, calls: 9, time: Ticks(9) });
    let sampled = judged(&profile);
    assert_eq!((sampled.placed().all(), sampled.agreement.compared()), (1, 0));
    assert_eq!(rows(&profile, &sampled), [("run".to_owned(), "get".to_owned(), 1)]);
}
